"""File access: what is read first when a part of the code is worked on.

Definition: of the sessions that edited files of a folder, at least `SESSIONS` and at least the share
`_SHARE` touched a file among their first `_FIRST`. Source: reads and edits.
"""

from bowerbird.sessions.learn.steps import Lesson
from bowerbird.sessions.learn.touched_files import modules, touched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bowerbird.sessions.learn.steps import Digest, RecordedSession, Touched

NAME = "file_access"
SESSIONS = 3
_FIRST = 5
_SHARE = 0.6
# Maximum files per folder.
_MOST = 3


def lessons(session: "RecordedSession", past: "Sequence[Digest]") -> list[Lesson]:
    """Return a lesson for each folder that was edited in this session."""
    own = touched(session)
    found = []
    for folder in modules(path for path, one in own.items() if one.edits):
        of_folder = [one for one in past if folder in modules(one.edited)]
        firsts = [_first(one.touched) for one in of_folder] + [_first(own)]
        names = [one.session for one in of_folder] + [session.id]
        if len(firsts) < SESSIONS:
            continue
        counts = {path: sum(path in one for one in firsts) for path in firsts[-1]}
        enough = max(SESSIONS, _SHARE * len(firsts))
        usual = sorted(
            (path for path in counts if counts[path] >= enough), key=lambda p: -counts[p]
        )
        if usual:
            files = tuple(usual[:_MOST])
            listed = " and ".join(f"`{path}`" for path in files)
            holding = tuple(
                name for name, one in zip(names, firsts, strict=True) if files[0] in one
            )
            text = f"Work on `{folder}` usually begins with reading {listed}."
            payload = {
                "always_read_files": [*files],
                "module_trigger": folder,
                "session_count": len(holding),
            }
            found.append(
                Lesson(
                    NAME,
                    folder,
                    "prefetch_pattern",
                    text,
                    sessions=holding,
                    files=files,
                    strength=counts[files[0]] / len(firsts),
                    payload=payload,
                )
            )
    return found


def _first(touched: "Mapping[str, Touched]") -> "frozenset[str]":
    return frozenset([*touched][:_FIRST])
