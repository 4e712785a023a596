"""Records what was changed in agents' files, so that disconnecting restores them byte for byte.

A table in the state folder with one row per file, and a backup of each original file. Without the table
our entries are still recognised by their content; only what they replaced is lost.
"""

import hashlib
import json
import os
from contextlib import contextmanager

from bowerbird.core.errors import BadInput
from bowerbird.core.value import Value
from bowerbird.host import own_files
from bowerbird.host.locks import lock, opened_folder
from bowerbird.host.places import folder, make_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

_TABLE = "agents.json"
_BEFORE = "agents"


class Row(Value):
    """One file: its agent, its original (None: did not exist) and the hash of what we wrote.

    `made` lists the folders created for it.
    """

    __slots__ = ("after", "agent", "before", "made", "path", "scope")

    def __init__(
        self, path: str, agent: str, scope: str, before: bytes | None, after: str, made: "list[str]"
    ) -> None:
        self.path = path
        self.agent = agent
        self.scope = scope
        self.before = before
        self.after = after
        self.made = made


def hashed(data: bytes | None) -> str:
    """A hash of a file's bytes; empty for None."""
    return "" if data is None else hashlib.sha256(data).hexdigest()


class Record:
    """The table. Several processes may change it, so each change is made in a `turn`."""

    def __init__(self, environment: "Mapping[str, str]") -> None:
        """Raises BadInput if the table cannot be read."""
        self._folder = folder("state", environment)
        self._table = os.path.join(self._folder, _TABLE)
        self._rows: dict[str, dict[str, Any]] = {}
        self._read()

    def _read(self) -> None:
        data = own_files.content(self._table)
        try:
            found = json.loads(data) if data else {}
            self._rows = {path: dict(found[path]) for path in found}
        except (ValueError, TypeError) as error:
            raise BadInput(
                f"{self._table} cannot be read: {error}",
                "remove it: connections are then detected in the agents' own files",
            ) from error

    @contextmanager
    def turn(self) -> "Iterator[None]":
        """Hold the table alone, as it is now: waits for other installations that change files.

        Removes what a killed one left behind. Raises BadInput if the folder cannot be written.
        """
        try:
            make_folder(self._folder)
            # A lock of the folder itself leaves no file behind.
            handle = opened_folder(self._folder)
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise BadInput(
                f"{self._folder} cannot be written: {why}", "see to its rights"
            ) from error
        try:
            lock(handle)
            self._read()
            own_files.remove_unfinished(self._folder)
            own_files.remove_unfinished(os.path.join(self._folder, _BEFORE))
            yield
        finally:
            os.close(handle)

    def row(self, path: str) -> Row | None:
        """The record of a file."""
        found = self._rows.get(path)
        if found is None:
            return None
        before = own_files.content(self._backup(path)) if found["kept"] else None
        return Row(path, found["agent"], found["scope"], before, found["after"], found["made"])

    def rows(self) -> list[Row]:
        """The records of all changed files."""
        return [row for path in sorted(self._rows) if (row := self.row(path)) is not None]

    def backup(self, path: str) -> str:
        """The path of a file's backup; empty if the file did not exist."""
        found = self._rows.get(path)
        return self._backup(path) if found and found["kept"] else ""

    def made_above(self, path: str) -> list[str]:
        """The folders above a file that were created for it or for another one, outermost first."""
        folders = {one for row in self._rows.values() for one in row["made"]}
        return sorted((one for one in folders if path.startswith(one + os.sep)), key=len)

    def put(self, row: Row) -> None:
        """Saves the original of a file before it is changed."""
        make_folder(os.path.join(self._folder, _BEFORE))
        if row.before is not None:
            own_files.write(self._backup(row.path), row.before)
        data = row.raw_dict() | {"kept": row.before is not None}
        self._rows[row.path] = {
            name: data[name] for name in ("agent", "scope", "kept", "after", "made")
        }
        self._write()

    def drop(self, path: str) -> None:
        """Deletes the record of a file that was restored."""
        if self._rows.pop(path, None) is not None:
            # First: a row without its backup would say that there was no file before.
            self._write()
            own_files.remove(self._backup(path), [])

    def _backup(self, path: str) -> str:
        name = f"{hashed(os.fsencode(path))[:16]}-{os.path.basename(path)}"
        return os.path.join(self._folder, _BEFORE, name)

    def _write(self) -> None:
        own_files.write(self._table, json.dumps(self._rows, indent=1).encode())
