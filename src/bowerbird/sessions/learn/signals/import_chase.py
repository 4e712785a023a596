"""Import chase: a file that is read right after another one.

Definition: in at least `SESSIONS` sessions, and at least the share `_SHARE` of those that read the first
file, the second one was the next new file, and not the first one's test. Source: reads.
"""

from bowerbird.sessions.learn.steps import Lesson
from bowerbird.sessions.learn.touched_files import stem, touched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bowerbird.sessions.learn.steps import Digest, RecordedSession, Touched

NAME = "import_chase"
SESSIONS = 4
_SHARE = 0.5
# Maximum distance of the two, in files.
_NEXT = 2


def lessons(session: "RecordedSession", past: "Sequence[Digest]") -> list[Lesson]:
    """Return a lesson for each pair of files."""
    own = touched(session)
    found = []
    for name, other in _chases(own):
        met = [one for one in past if name in one.touched]
        if len(met) + 1 < SESSIONS:
            continue
        chased = [one.session for one in met if _chased(one.touched, name, other)]
        enough = max(SESSIONS, _SHARE * (len(met) + 1))
        if len(chased) + 1 >= enough:
            text = f"Whoever reads `{name}` needs `{other}` next."
            found.append(
                Lesson(
                    NAME,
                    f"{name} {other}",
                    "causal_dependency",
                    text,
                    sessions=(*chased, session.id),
                    files=(name, other),
                    strength=(len(chased) + 1) / (len(met) + 1),
                )
            )
    return found


def _chased(touched: "Mapping[str, Touched]", name: str, other: str) -> bool:
    """Return whether a file was read after another one with at most one file between them."""
    if other not in touched or not (touched[name].reads and touched[other].reads):
        return False
    return (name, other) in _chases(touched)


def _chases(touched: "Mapping[str, Touched]") -> "set[tuple[str, str]]":
    names = [path for path, one in touched.items() if one.reads]
    return {
        (name, other)
        for at, name in enumerate(names)
        for other in names[at + 1 : at + 1 + _NEXT]
        if stem(name) != stem(other)
    }
