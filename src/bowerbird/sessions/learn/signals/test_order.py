"""Test order: where tests are changed before the code.

Definition: of at least `SESSIONS` sessions that edited tests and code of one folder, the share `_SHARE`
began with the tests; the number is 100 where they came first, else 0. The opposite order gives no lesson.
Source: edits.
"""

from bowerbird.sessions.learn.steps import Lesson, Mark, once
from bowerbird.sessions.learn.touched_files import is_test, module, touched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.sessions.learn.steps import Digest, RecordedSession

NAME = "test_order"
SESSIONS = 3
_SHARE = 0.8
_FIRST = 100


@once
def marks(session: "RecordedSession") -> dict[str, Mark]:
    """Return the folders whose tests and code were edited, and which came first."""
    order: dict[str, list[tuple[int, bool]]] = {}
    for path, one in touched(session).items():
        if one.edits:
            order.setdefault(module(path), []).append((one.edited, is_test(path)))
    return {
        folder: Mark(_FIRST if min(some)[1] else 0)
        for folder, some in order.items()
        if len({test for _, test in some}) > 1
    }


def lessons(session: "RecordedSession", past: "Sequence[Digest]") -> list[Lesson]:
    """Return a lesson for each folder with a consistent order."""
    found = []
    for folder, mark in marks(session).items():
        before = [one for one in past if folder in one.marks.get(NAME, {})]
        numbers = [one.marks[NAME][folder] for one in before] + [mark.number]
        share = sum(numbers) / len(numbers) / _FIRST
        if len(numbers) < SESSIONS or share < _SHARE:
            continue
        found.append(
            Lesson(
                NAME,
                folder,
                "task_calibration",
                f"In `{folder}`, tests are changed before the code.",
                sessions=(*(one.session for one in before), session.id),
                strength=share,
                payload={"module": folder, "ratio": round(share, 2), "sample_count": len(numbers)},
            )
        )
    return found
