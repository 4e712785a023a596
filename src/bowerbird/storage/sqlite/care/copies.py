"""Where copies of a store lie: backups in its series, former files, and those made elsewhere.

The last are noted in a file beside the store, a path a line, because nothing else leads to them.
"""

import json
import os
from contextlib import closing, suppress

import apsw

from bowerbird.host.foreign import head, whole
from bowerbird.host.places import append_to, make_folder, write_lines
from bowerbird.storage.sqlite.care.migrations import UNFINISHED
from bowerbird.storage.sqlite.file.location import COPIES, RESTORED
from bowerbird.storage.sqlite.file.schema import APPLICATION_ID

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.erased import Traces

FOLDER = "backups"
END = ".db"
_LARGEST = 1_000_000
_JOURNALS = ("-wal", "-shm", "-journal")
# SQLite's header, and where it has the number of the application.
_SQLITE = b"SQLite format 3\0"
_HEADER = 100
_ID = 68
# A memory stays in the audit when it is gone. Copies of older schemas have these tables, too.
_HOLDS = (
    "SELECT 1 FROM audit WHERE entry IN (SELECT value FROM json_each(:ids))",
    (
        "SELECT 1 FROM entry WHERE uid IN (SELECT value FROM json_each(:ids))"
        " OR text IN (SELECT value FROM json_each(:texts))"
    ),
    "SELECT 1 FROM version WHERE text IN (SELECT value FROM json_each(:texts))",
    (
        "SELECT 1 FROM document WHERE path IN (SELECT value FROM json_each(:paths))"
        " OR session IN (SELECT value FROM json_each(:sessions))"
    ),
    "SELECT 1 FROM memory WHERE session IN (SELECT value FROM json_each(:sessions))",
    "SELECT 1 FROM digest WHERE session IN (SELECT value FROM json_each(:sessions))",
    "SELECT 1 FROM project WHERE uid = :project",
)


def series(path: str) -> tuple[str, str]:
    """The folder of a store's backups, and the prefix of their names."""
    stem = os.path.splitext(os.path.basename(path))[0]
    return os.path.join(os.path.dirname(os.path.abspath(path)), FOLDER), stem


def note_copy(path: str, goal: str) -> None:
    """Note that a copy of a store, or of what it holds, is made at a path. Raises OSError."""
    goal = os.path.abspath(goal)
    if goal in _noted(path):
        return
    make_folder(os.path.dirname(os.path.abspath(path)))
    handle = append_to(path + COPIES)
    try:
        write_lines(handle, json.dumps(goal).encode() + b"\n")
        os.fsync(handle)
    finally:
        os.close(handle)


def copies(path: str) -> list[str]:
    """The copies of a store that are still there."""
    folder, stem = series(path)
    beside, name = os.path.split(os.path.abspath(path))
    found = {
        os.path.join(below, one)
        for below, start in (
            (folder, f"{stem}-"),
            (beside, f"{name}.before-"),
            (beside, name + RESTORED),  # what a killed `restore` left
        )
        if os.path.isdir(below)
        for one in os.listdir(below)
        if one.startswith(start) and one.endswith((END, ".bak", RESTORED, RESTORED + UNFINISHED))
    }
    return sorted(found | {one for one in _noted(path) if os.path.exists(one)})


def copy_holds(copy: str, traces: "Traces") -> bool:
    """Whether a copy holds what is erased; True where that cannot be told, or it is no store."""
    if not is_store(copy) or any(os.path.exists(copy + end) for end in _JOURNALS):
        return True
    name = os.path.abspath(copy).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    values: dict[str, str | None] = {
        name: json.dumps([*getattr(traces, name)]) for name in ("ids", "texts", "paths", "sessions")
    }
    values["project"] = traces.project or None  # global memories have an empty one
    try:
        with closing(apsw.Connection(f"file:{name}?immutable=1", flags=flags)) as connection:
            return any(connection.execute(one, values).fetchone() for one in _HOLDS)
    except apsw.Error:
        return True


def remove_copy(copy: str) -> bool:
    """Deletes a copy, if it is a store; False for any other file. Raises OSError."""
    if not is_store(copy):
        return False
    for end in ("", *_JOURNALS):
        with suppress(FileNotFoundError):
            os.unlink(copy + end)
    return True


def is_store(path: str) -> bool:
    """Whether the header of a file is that of a store. Raises OSError."""
    start = head(path, _HEADER)
    return start.startswith(_SQLITE) and start[_ID : _ID + 4] == APPLICATION_ID.to_bytes(4)


def _noted(path: str) -> list[str]:
    try:
        lines = whole(path + COPIES, _LARGEST).splitlines()
    except OSError:
        return []  # none was made
    found = []
    for line in lines:
        try:
            one = json.loads(line)
        except ValueError:
            continue  # a write that was cut
        if isinstance(one, str) and "\0" not in one:
            found.append(one)
    return found
