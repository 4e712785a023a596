"""Co-access: files that change together.

Definition: two files that were edited in the same session in `SESSIONS` sessions and more, and in
`_SHARE` and more of the sessions that edited either. A file and its own test do not count, as
everybody knows. Source: edits.
"""

from itertools import combinations

from bowerbird.agent.learn.steps import Lesson
from bowerbird.agent.learn.touching import stem, touched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.agent.learn.steps import Digest, RecordedSession

NAME = "co_access"
SESSIONS = 3
_SHARE = 0.5
# Sessions that edit more files than this rename or reformat: they tell nothing of any two.
_WIDE = 25


def lessons(session: "RecordedSession", past: "Sequence[Digest]") -> list[Lesson]:
    """A lesson two files."""
    own = [path for path, one in touched(session).items() if one.edits]
    if not 1 < len(own) <= _WIDE:
        return []
    holding: dict[str, set[str]] = {path: {session.id} for path in own}
    for one in past:
        for path in one.edited if len(one.edited) <= _WIDE else ():
            if path in holding:
                holding[path].add(one.session)
    # Of 97 later sessions that edited one of two such files of a Go project 31 % edited the other one,
    # and 44 % read or edited it; the strictest bounds that leave any pair reach 62 %.
    found = []
    for name, other in combinations(sorted(own), 2):
        both, either = holding[name] & holding[other], holding[name] | holding[other]
        share = len(both) / len(either)
        if len(both) >= SESSIONS and share >= _SHARE and stem(name) != stem(other):
            found.append(_lesson(name, other, both, share))
    return found


def _lesson(one: str, other: str, both: set[str], share: float) -> Lesson:
    return Lesson(
        *(NAME, f"{one} {other}", "prefetch_pattern"),
        f"`{one}` and `{other}` change together: whoever edits one of them looks at the other, too.",
        sessions=tuple(sorted(both)),
        files=(one, other),
        strength=min(1.0, share * len(both) / (len(both) + 1)),
        payload={"always_read_files": [one, other], "session_count": len(both)},
    )
