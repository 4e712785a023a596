"""Shared by many signals: gives a lesson for what occurs in enough sessions. Pure."""

from bowerbird.sessions.learn.steps import Lesson

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bowerbird.sessions.learn.steps import Digest, Mark, RecordedSession

    # Returns the text of the lesson, or "" for none; takes the key, its mark in this session, and the
    # numbers of all sessions.
    Describe = Callable[[str, Mark, Sequence[int]], str]


def recurring(
    signal: str,
    kind: str,
    needed: int,
    session: "RecordedSession",
    past: "Sequence[Digest]",
    marks: "Mapping[str, Mark]",
    describe: "Describe",
) -> list[Lesson]:
    """Return a lesson for each of the `marks` of this session that `needed` sessions contain."""
    found = []
    for key, mark in marks.items():
        if mark.outside:
            continue
        before = [one for one in past if key in one.marks.get(signal, {})]
        enough = len(before) + 1 >= needed or any(_beside(session, one) for one in before)
        numbers = [*(one.marks[signal][key] for one in before), mark.number]
        text = describe(key, mark, numbers) if enough else ""
        if text:
            found.append(
                Lesson(
                    signal,
                    key,
                    kind,
                    text,
                    mark.lines,
                    sessions=(*(one.session for one in before), session.id),
                    files=mark.files,
                    strength=min(1.0, (len(before) + 1) / (2 * needed)),
                )
            )
    return found


# Separates the session id from the sub-agent's own id in the id of a sub-agent's digest.
OF_SUB_AGENT = "/"


def _beside(session: "RecordedSession", one: "Digest") -> bool:
    """Return whether another agent of the same session met it, too: then one session is enough."""
    return one.session.startswith(session.id + OF_SUB_AGENT)


def median(numbers: "Sequence[int]") -> int:
    """Return the median; the lower of two."""
    return sorted(numbers)[(len(numbers) - 1) // 2]
