"""What this machine knows of a place to synchronise through: its key, and what went in and out.

Files in the state folder, for their owner only. Without the second one everything is read and written
again, which changes nothing; it is of one copy of a store, so that a restored backup, which is another
copy, begins anew.
"""

import json
import os
import time

from bowerbird.core.ids import content_hash
from bowerbird.host.foreign import whole
from bowerbird.host.places import write_own

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_FOLDER = "sync"
_NAME_BYTES = 8
# Bytes of a file: some 100 for each memory.
_LARGEST = 1_000_000_000


class Cursor:
    """What one copy of a store has read from a place and written there.

    Args:
        taken: the files that were read, by replica.
        marks: of each memory its mark (`Exchange.marks`) when what the place has of it was all.
        staying: the memories among those that never left.
        rows: digests of the other rows that the place has.
        personal: whether personal memories leave, as of the last time.
        number: of the last file that was written; tidied: the one when small files became one.
        generation: of the store when all of it had been written.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        found = _read(path)
        self.taken: dict[str, set[str]] = {
            name: set(files) for name, files in found.get("taken", {}).items()
        }
        self.marks: dict[str, str] = found.get("marks", {})
        self.staying: set[str] = set(found.get("staying", ()))
        self.rows: set[str] = set(found.get("rows", ()))
        self.personal: bool = found.get("personal", False)
        self.number: int = found.get("number", 0)
        self.tidied: int = found.get("tidied", 0)
        self.generation: int = found.get("generation", -1)

    def keep(self) -> None:
        """Write it down. Raises OSError."""
        kept = {
            "taken": {name: sorted(files) for name, files in self.taken.items()},
            "marks": self.marks,
            "staying": sorted(self.staying),
            "rows": sorted(self.rows),
            "personal": self.personal,
            "number": self.number,
            "tidied": self.tidied,
            "generation": self.generation,
        }
        write_own(self._path, json.dumps(kept, separators=(",", ":")))

    def send_again(self) -> None:
        """Everything is written again: the place lost what it had, or more may leave."""
        self.marks, self.staying, self.rows, self.generation = {}, set(), set(), -1


def synchronised_with(state_folder: str) -> list[str]:
    """The places with which stores of this machine were synchronised."""
    folder = os.path.join(state_folder, _FOLDER)
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".json"))
    except FileNotFoundError:
        return []
    found = (_read(os.path.join(folder, name)).get("target") for name in names)
    return [target for target in found if target]


class SyncState:
    """What this machine knows of one place."""

    def __init__(self, state_folder: str, target: str) -> None:
        name = content_hash(target.encode())[:_NAME_BYTES].hex()
        self._folder = os.path.join(state_folder, _FOLDER)
        self._place = os.path.join(self._folder, f"{name}.json")
        self._outcome = os.path.join(self._folder, f"{name}.outcome")
        self._target = target

    def known(self) -> "tuple[str, bytes] | None":
        """The name and the key of the place; None if it was not used yet."""
        found = _read(self._place)
        return (found["name"], bytes.fromhex(found["key"])) if found else None

    def note(self, name: str, key: bytes) -> None:
        """Keep the name and the key of the place. Raises OSError."""
        write_own(self._place, json.dumps({"target": self._target, "name": name, "key": key.hex()}))

    def cursor(self, name: str, replica: str) -> Cursor:
        """What a copy of a store has read and written there."""
        return Cursor(os.path.join(self._folder, f"{name}-{replica}.json"))

    def claim(self, name: str, replica: str, every: float) -> bool:
        """Whether no process synchronised this copy in the last `every` seconds; then this one does."""
        path = os.path.join(self._folder, f"{name}-{replica}.last")
        try:
            if 0 <= time.time() - os.stat(path).st_mtime < every:
                return False
        except FileNotFoundError:
            pass
        write_own(path, "")
        return True

    def note_outcome(self, error: str) -> None:
        """Keep how the last time ended: an error, or empty. Raises OSError."""
        write_own(self._outcome, json.dumps({"at": round(time.time() * 1000), "error": error}))

    def outcome(self) -> tuple[int, str]:
        """When the last time was (UTC milliseconds; 0: never), and the error it ended with."""
        found = _read(self._outcome)
        return found.get("at", 0), found.get("error", "")


def _read(path: str) -> "dict[str, Any]":
    """A file of ours; without any content if it is not there or damaged."""
    try:
        found = json.loads(whole(path, _LARGEST))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
