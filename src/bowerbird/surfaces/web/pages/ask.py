"""Ask: the sentences of memory that answer, quoted, each with where it is from. No model writes any."""

from bowerbird.core.period import period
from bowerbird.core.text import words
from bowerbird.core.types import DIGEST
from bowerbird.surfaces.web.pages.sessions import against, of_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.bird import Bowerbird
    from bowerbird.core.types import Entry
    from bowerbird.surfaces.web.desk import Call

_HITS = 12
# The least relevance of a quotation: below it, an answer is noise (`retrieval.pack.WEAK`).
_LEAST = 0.05
# Sources that are shown at once; more collapse.
_SHOWN = 5


async def page(call: "Call") -> "dict[str, Any]":
    """The answer, if something was asked."""
    question = call.query.get("q", "").strip()
    answer = None
    if question:
        about = {
            "text": question,
            "shape": "cited",
            "limit": _HITS,
            "explain": True,
            "min_score": _LEAST,
        }
        answer = await call.verb("query", **about)
    # Memories first: a digest or a line of a transcript repeats the words of a question, and says less,
    # unless the question is for sessions.
    sources = sorted(
        answer.results if answer else (),
        key=lambda one: (not one.hit.recalled, one.details is None, one.hit.kind == DIGEST),
    )
    # Who asks for sessions gets all of them, and at first nothing else.
    shown = sum(one.hit.recalled for one in sources) or _SHOWN
    when = period(question, tuple(words(question)), call.now)
    empty = when is not None and not any(await call.work(lambda bird: of_time(bird, when)))
    opposed = await call.work(
        lambda bird: _against(bird, [one.hit.id for one in sources if one.details])
    )
    return {
        "question": question,
        "answer": answer,
        "sources": sources,
        "when": when.words if when is not None else "",
        "nothing_then": (when.start, when.end) if when is not None and empty else None,
        "against": opposed,
        "SHOWN": shown,
    }


def _against(bird: "Bowerbird", ids: "list[str]") -> "dict[str, Entry]":
    """Which other answer contradicts one, by the id of that one."""
    found: dict[str, Entry] = {}
    for one in bird.named(*ids) if len(ids) > 1 else ():
        for how, other in against(bird, one):
            if how == "contradicts" and other.id in ids:
                found.setdefault(one.id, other)
    return found
