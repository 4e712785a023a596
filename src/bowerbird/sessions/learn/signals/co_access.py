"""Co-access: the files that change along with another one.

Definition: for a file that the session edited, the highest ranked files by the kept numbers
(`numbers.py`), where `_LIKELY` is reached and both were touched in `SESSIONS` or more sessions. A file
and its own test do not count, as that is obvious. Source: reads, edits, and the commits that git listed.
"""

from bowerbird.sessions.learn.committed_files import landed_within
from bowerbird.sessions.learn.numbers import WIDE, Numbers, first
from bowerbird.sessions.learn.steps import Digest, Lesson
from bowerbird.sessions.learn.touched_files import stem, touched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.sessions.learn.steps import RecordedSession

NAME = "co_access"
SESSIONS = 3
# From 156 sessions of a Go project; how often a later session touched both: benchmarks/learning.md.
_LIKELY = 0.8


def lessons(session: "RecordedSession", past: "Sequence[Digest]") -> list[Lesson]:
    """Return a lesson for each file and a file that changes along with it."""
    own = Digest(session.id, touched=touched(session), commits=landed_within(session))
    sessions = [*past, own]
    often = [
        path for path in own.edited if sum(path in one.touched for one in sessions) >= SESSIONS
    ]
    if not often or len(own.edited) > WIDE:
        return []
    numbers = Numbers(sessions)
    found = []
    for path in often:
        likely = numbers.likely(path)
        for other in first(likely):
            both = [one.session for one in sessions if {path, other} <= one.touched.keys()]
            if likely[other] >= _LIKELY and len(both) >= SESSIONS and stem(path) != stem(other):
                found.append(_lesson(path, other, tuple(both), likely[other]))
    return found


def _lesson(one: str, other: str, both: tuple[str, ...], likely: float) -> Lesson:
    return Lesson(
        NAME,
        f"{one} {other}",
        "prefetch_pattern",
        f"Whoever changes `{one}` mostly goes on to `{other}`: sessions touch both.",
        sessions=both,
        files=(one,),
        strength=min(1.0, likely * len(both) / (len(both) + 1)),
        payload={"always_read_files": [one, other], "session_count": len(both)},
    )
