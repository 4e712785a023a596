"""Conclusions: causes and decisions that an agent stated in successful work.

Definition: a self-contained sentence that contains an identifier and states a cause, or a choice with its
reason (`claims.py`), from a turn in which something was done, no check failed at the end and nobody
objected. Excluded are faults that are still present, as they will be fixed, except limitations of
third-party programs; findings of a turn without changes if changes followed; statements before the end of
the work that are not causes; the tidiness of the code; and sentences with an identifier that was changed
in tests only. If one file was changed at an identifier of the sentence, it is added. At most `_MOST` per
session, the strongest first. Source: messages and edits.
"""

import re
from itertools import chain

from bowerbird.core.events import SAID
from bowerbird.sessions.learn.claims import claims, same
from bowerbird.sessions.learn.edits import changes
from bowerbird.sessions.learn.steps import Lesson
from bowerbird.sessions.learn.touched_files import is_test
from bowerbird.sessions.learn.turns import turns
from bowerbird.sessions.observe.calls import kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.sessions.learn.claims import Claim
    from bowerbird.sessions.learn.steps import Digest, RecordedSession, Step
    from bowerbird.sessions.learn.turns import Turn

NAME = "conclusions"
_MOST = 4
# Strength added for a cause, a limitation of a third-party program, a check that passed afterwards, and
# each identifier.
_CAUSE = 0.2
_FOREIGN = 0.1
_TESTED = 0.2
_NAMED = 0.1
_MOST_NAMED = 3
# Quotations in a sentence, and identifiers in them, as opposed to everyday words.
_QUOTED = re.compile(r"`([^`]+)`")
_NAME = re.compile(r"[a-z][A-Z]|\w[_./]\w")
# Turns after one without changes in which its findings are acted upon.
_SOON = 3


def lessons(session: "RecordedSession", _past: "Sequence[Digest]") -> list[Lesson]:
    """Return a lesson for each sentence."""
    found: list[Lesson] = []
    pieces = turns(session)
    for at, turn in enumerate(pieces):
        if turn.refused:
            continue
        changed = turn.edits > 0 or not any(one.edits for one in pieces[at + 1 : at + 1 + _SOON])
        for step in turn.steps:
            if step.event.what != SAID or step.event.sub:
                continue
            for claim in claims(step.event.text):
                if not _lasts(claim, turn, last=step is turn.closing, changed=changed):
                    continue
                strength = 0.2 + _CAUSE * claim.causes + _FOREIGN * claim.foreign
                strength += _TESTED * turn.tested + _NAMED * min(claim.names, _MOST_NAMED)
                files = _changed_at(claim.text, session.steps)
                if files and all(map(is_test, files)):
                    continue
                text = _with_file(claim.text, _changed_at(claim.text, turn.steps))
                key = " ".join(re.findall(r"\w+", claim.text.lower()))
                found.append(
                    Lesson(
                        NAME,
                        key,
                        claim.kind,
                        text,
                        lines=(step.line,),
                        sessions=(session.id,),
                        strength=round(strength, 2),
                        outside=step.outside,
                    )
                )
    kept: list[Lesson] = []
    for lesson in sorted(found, key=lambda one: -one.strength):
        if len(kept) < _MOST and not any(same(lesson.key, other.key) for other in kept):
            kept.append(lesson)
    return kept


def _changed_at(text: str, steps: "Sequence[Step]") -> list[str]:
    """Return the files that were changed at an identifier that a sentence quotes."""
    quoted = [one.partition("(")[0].strip() for one in _QUOTED.findall(text)]
    quoted = [one for one in quoted if _NAME.search(one)]
    found: dict[str, None] = {}
    for step in steps if quoted else ():
        if kind_of(step.event.tool) == "edit" and not step.failed and len(step.paths) == 1:
            texts = "\n".join(chain.from_iterable(changes(step.event.given)))
            if any(one in texts for one in quoted):
                found[step.paths[0]] = None
    return [*found]


def _with_file(text: str, files: "Sequence[str]") -> str:
    """Return a sentence with the file that it is about, if there is one and it does not name it."""
    files = [one for one in files if not is_test(one)]
    if len(files) != 1 or files[0].rpartition("/")[2] in text:
        return text
    return f"{text[:-1]} (`{files[0]}`){text[-1]}"


def _lasts(claim: "Claim", turn: "Turn", *, last: bool, changed: bool) -> bool:
    """Return whether a claim will hold after the session, and adds something to the code."""
    if claim.tidy:
        return False
    if claim.foreign and claim.causes:
        return True
    if not claim.reasoned or not changed or not turn.succeeded:
        return False
    if last:
        return claim.mended or not claim.faulty
    return claim.causes and turn.edits > 0 and not claim.faulty
