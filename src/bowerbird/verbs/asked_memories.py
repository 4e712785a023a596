"""Checks what an agent kept after it was asked (`hook/asking.py`): it rests on words of its session."""

from bowerbird.agents.index import HOOKED
from bowerbird.core.events import ASKED
from bowerbird.guard.supported import sentences_around, unsupported
from bowerbird.sessions.learn.own_memories import QUOTE, stored_since
from bowerbird.sessions.learn.session_lines import session_lines
from bowerbird.sessions.observe.journal import Journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

    from bowerbird.sessions.learn.steps import RecordedSession
    from bowerbird.verbs.keeping import Keeping
    from bowerbird.wiring.opened import Opened

_MARK = f'"what":"{ASKED}"'.encode()


def check_asked(session: "RecordedSession", opened: "Opened", keeping: "Keeping") -> None:
    """Lets those memories wait for review that were asked for and do not rest on what they quote.

    The others lose the quote, which has served.
    """
    journal = Journal(opened.path)
    times = [
        int(line["at"])
        for agent in HOOKED
        for line in journal.lines(f"{agent}-{session.id}", holding=_MARK)
    ]
    if not times:
        return
    for id, given in stored_since(session, min(times)).items():
        found = opened.reader().entries.get(id)
        if not found or found[0].review or found[0].state != "active":
            continue
        text = found[0].text
        quoted = QUOTE.search(text)
        if quoted is None and QUOTE.search(given):
            continue  # it was checked at the end of an earlier turn
        problem = _unfounded(text, quoted, session) if quoted else "it quotes nothing"
        if problem:
            review = f"kept when the agent was asked, and {problem}"
            keeping.edit(id, None, {"review": review}, review)
        elif quoted:
            keeping.edit(id, text[: quoted.start()], {}, "its session says what it quoted")


def _unfounded(text: str, quoted: "re.Match[str]", session: "RecordedSession") -> str:
    """Why a memory does not rest on its session; empty if it does."""
    lines = [one for one in session_lines(session) if not one.outside]
    said = next(filter(None, (sentences_around(one.text, quoted["quote"]) for one in lines)), "")
    if not said:
        return "its quote is not in the session"
    around = "\n".join(one.text for one in lines)
    return unsupported(text[: quoted.start()], said, around)
