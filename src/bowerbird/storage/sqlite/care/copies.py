"""Where copies of a store lie: backups in its series, former files, and those made elsewhere.

The last are noted in a file beside the store, a path a line, because nothing else leads to them.
"""

import json
import os
from contextlib import suppress

from bowerbird.host.foreign import head, whole
from bowerbird.host.places import append_to, make_folder, write_lines
from bowerbird.storage.sqlite.care.migrations import UNFINISHED
from bowerbird.storage.sqlite.file.location import COPIES, RESTORED
from bowerbird.storage.sqlite.file.schema import APPLICATION_ID

FOLDER = "backups"
END = ".db"
_LARGEST = 1_000_000
_JOURNALS = ("-wal", "-shm", "-journal")
# SQLite's header, and where it has the number of the application.
_SQLITE = b"SQLite format 3\0"
_HEADER = 100
_ID = 68


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
