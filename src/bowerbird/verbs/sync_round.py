"""One synchronisation: what other copies of the store have written is merged, what is new here written.

Each copy writes files of its own into a place that all reach, encrypted, with memories whole as
`lifecycle/receive` takes them. So the order, the number of times and the delay in which files arrive do
not matter; what a place loses or changes is recognised, and read when it is there whole.
"""

import json
import secrets
import zlib
from collections import Counter
from contextlib import suppress

from bowerbird.core.errors import StoreError
from bowerbird.core.exchange import SORTS, Contents, Refused
from bowerbird.core.exchange_lines import lines, parsed
from bowerbird.core.history import Change
from bowerbird.core.ids import content_hash, new_id
from bowerbird.core.origins import SYNCED
from bowerbird.core.syncing import Synced
from bowerbird.core.types import SHORT_ID
from bowerbird.core.value import Advice, Do
from bowerbird.guard.sealing import NotSealed, seal, unseal
from bowerbird.lifecycle.leaving import rows_leaving, stays

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from typing import Any

    from bowerbird.core.exchange import Held, Row
    from bowerbird.core.ports.progress import Progress
    from bowerbird.core.ports.store import Store
    from bowerbird.core.ports.syncing import Hub
    from bowerbird.host.sync_state import Cursor
    from bowerbird.lifecycle.receive import Receiving

# Memories in one file: some hundred kilobytes.
_IN_FILE = 2_000
# After so many files the small ones, in bytes, become one.
_MANY, _SMALL = 64, 100_000
# Bytes of what a file holds, unpacked: more than any that we write.
_LONGEST = 1_000_000_000
# If other copies deleted more than this share of the memories, and at least so many, it stops and asks.
MOST_DELETED, FEWEST_DELETED = 0.1, 3
_DELETED, _ACTIVE = "deleted", "active"
# What lines of deletions hold.
_IS_TOMBSTONE, _IS_DELETED = '"row":"tombstone"', '"state":"deleted"'
_DIGEST_BYTES = 8
# In the lines of an export: what a line is, a memory's id, and what a relation joins.
_ROW, _MEMORY, _RELATION, _TOMBSTONE = "row", "memory", "relation", "tombstone"


class Round:
    """One synchronisation of one copy with one place."""

    def __init__(
        self, store: "Store", hub: "Hub", name: str, key: bytes, cursor: "Cursor", actor: str
    ) -> None:
        """`name` is the place's own, `key` the one that its files are sealed with.

        `actor` is who the audit says took what came.
        """
        self._store = store
        self._exchange = store.exchange
        self._hub = hub
        self._name = name
        self._key = key
        self._cursor = cursor
        self._actor = actor
        self._own = self._exchange.replica()
        self._unread: list[Refused] = []

    def run(
        self,
        receiving: "Receiving",
        progress: "Progress | None" = None,
        *,
        personal: bool,
        deletions: bool,
    ) -> Synced:
        """Reads and merges, then writes. With `deletions` no number of them stops it.

        Raises StoreError if it stopped, OSError if the place cannot be used.
        """
        cursor, there = self._cursor, self._hub.replicas()
        lost = [name for name, files in cursor.taken.items() if files and name not in there]
        own = cursor.taken.get(self._own, set())
        if lost or own.difference(self._hub.files(self._own)) or personal != cursor.personal:
            # What the place has lost of this copy, or of one that is gone, this copy writes again.
            cursor.send_again()
            cursor.personal = personal
        for name in lost:
            del cursor.taken[name]
        try:
            self._read(there, receiving, progress, deletions=deletions)
            receiving.conclude(
                self._came("what several copies of the store say was compared"),
                lambda memory: bool(stays(memory, personal=personal)),
            )
            sent, rows, staying = self._write(personal=personal)
        finally:
            cursor.keep()
        return Synced(
            self._hub.path,
            sent=sent,
            rows=rows,
            staying=staying,
            received=receiving.received(),
            devices=len({*there} - {self._own}),
            unread=tuple(self._unread),
        )

    # Reading.

    def _read(
        self,
        replicas: "Sequence[str]",
        receiving: "Receiving",
        progress: "Progress | None",
        *,
        deletions: bool,
    ) -> None:
        """Merges all files that were not read yet."""
        new = []
        for replica in replicas:
            files = self._hub.files(replica)
            taken = self._cursor.taken.setdefault(replica, set())
            taken.intersection_update(files)
            new += [(replica, name) for name in files if name not in taken]
        if not new:
            return
        if not deletions:
            self._require_few_deletions(new)
        if progress is not None:
            progress.start("merging", len(new))
        for replica, name in new:
            text = self._content(replica, name)
            if text is not None:
                found = parsed(text.split("\n"))
                done = len(receiving.received().refused)
                came = self._came(f"from the copy {replica[:SHORT_ID]} of the store")
                refused = receiving.run(found.contents, came).refused[done:]
                self._took(
                    replica, name, found.contents, receiving.marks, (*found.refused, *refused)
                )
            if progress is not None:
                progress.advance(1)
        if progress is not None:
            progress.finish()

    def _came(self, reason: str) -> Change:
        """How what another copy wrote comes."""
        return Change(new_id(self._store.clock()), SYNCED, self._actor, reason)

    def _content(self, replica: str, name: str) -> str | None:
        """What a file holds; None if it cannot be read, which is noted."""
        try:
            return self._unsealed(replica, name)
        except NotSealed:
            why = "it is incomplete, or was changed by somebody without the passphrase"
        except OSError as error:
            why = (error.strerror or str(error)).lower()
        self._unread.append(Refused(f"{replica}/{name}", why))
        return None

    def _unsealed(self, replica: str, name: str) -> str:
        """What a file holds. Raises NotSealed, OSError."""
        sealed = self._hub.read(replica, name)
        packed = unseal(self._key, sealed, self._place(replica, name))
        return zlib.decompressobj().decompress(packed, _LONGEST).decode()

    def _took(
        self,
        replica: str,
        name: str,
        contents: Contents,
        marks: "Mapping[str, str]",
        refused: "Sequence[Refused]",
    ) -> None:
        """Notes what the place has of what was merged, so that it is not written again."""
        self._unread += [one.replace(place=f"{replica}/{name}, {one.place}") for one in refused]
        # What refers to memories that are not here yet is read again when they are, and what only a
        # later version reads when that reads it.
        if not refused and self._has_all(contents.rows.get(_RELATION, ())):
            self._cursor.taken[replica].add(name)
        given = {one.id: one for one in contents.memories}
        self._cursor.marks |= {id: marks[id] for id in given.keys() & marks.keys()}
        now = self._exchange.held([*given.keys() - marks.keys()])
        same = [one.id for one in now if one == given[one.id]]
        self._cursor.marks |= self._exchange.marks(same)
        self._cursor.staying.difference_update(given)
        for sort, rows in contents.rows.items():
            self._cursor.rows.update(_digest(sort, row) for row in rows)

    def _has_all(self, relations: "Sequence[Row]") -> bool:
        """Whether what relations join is here, or was erased or pruned."""
        if not relations:
            return True
        joined = {id for source, target, *_ in relations for id in (source, target)}
        joined -= self._exchange.ids()
        return not joined - {row[0] for row in self._exchange.rows("tombstone")}

    def _require_few_deletions(self, files: "Iterable[tuple[str, str]]") -> None:
        """Raises StoreError if other copies deleted too much of what is active here."""
        every = len(self._exchange.ids())
        if every < FEWEST_DELETED:
            return
        ended: set[str] = set()
        for replica, name in files:
            with suppress(NotSealed, OSError):  # told when it is merged
                for line in self._unsealed(replica, name).split("\n"):
                    if _IS_TOMBSTONE in line or _IS_DELETED in line:
                        ended |= _ended(json.loads(line))
        mine = self._exchange.held([*ended]) if ended else []
        deleted = sum(one.current.fields.state == _ACTIVE for one in mine)
        if deleted >= FEWEST_DELETED and deleted > every * MOST_DELETED:
            raise StoreError(
                f"stopped: other devices deleted {deleted:,} of {every:,} memories",
                Advice("if that was meant: ", Do("sync", self._hub.path, deletions=True)),
            )

    # Writing.

    def _write(self, *, personal: bool) -> "tuple[int, int, Counter[str]]":
        """Writes what is new here: how many memories and other rows, and how many stay by the reason."""
        cursor, exchange = self._cursor, self._exchange
        staying: Counter[str] = Counter()
        self._store.take_notes()
        generation = self._store.generation()
        if generation == cursor.generation:
            return 0, 0, staying
        leaving: list[Held] = []
        with self._store.reading():
            marks = exchange.marks()
            changed = [id for id, mark in marks.items() if cursor.marks.get(id) != mark]
            for start in range(0, len(changed), _IN_FILE):
                for memory in exchange.held(changed[start : start + _IN_FILE]):
                    why = stays(memory, personal=personal)
                    if why:
                        staying[why] += 1
                        cursor.staying.add(memory.id)
                    else:
                        cursor.staying.discard(memory.id)
                        leaving.append(memory)
            rows = {sort: exchange.rows(sort) for sort in SORTS if sort != "event"}
        left = marks.keys() - cursor.staying
        gone = cursor.marks.keys() - marks.keys()
        every = rows_leaving(Contents(leaving, rows), left, personal=personal)
        written = self._send(every)
        erased = gone & {row[0] for row in rows["tombstone"] if not row[2]}
        for id in gone:
            del cursor.marks[id]
        cursor.marks |= {id: marks[id] for id in changed}
        self._tidy(erased)
        cursor.generation = generation
        return len(leaving), written, staying

    def _send(self, every: Contents) -> int:
        """Writes memories, and those rows that the place has not; returns the number of such rows."""
        new = {
            sort: [row for row in rows if _digest(sort, row) not in self._cursor.rows]
            for sort, rows in every.rows.items()
        }
        count = sum(map(len, new.values()))
        memories = [*every.memories]
        for start in range(0, len(memories), _IN_FILE):
            batch = memories[start : start + _IN_FILE]
            # Each file alone says of which projects its memories are.
            projects = {one.project for one in batch}
            with_them = {
                "project": [row for row in every.rows["project"] if row[0] in projects],
                "alias": [row for row in every.rows["alias"] if row[1] in projects],
            }
            if start + _IN_FILE >= len(memories):
                with_them = {sort: [*with_them.get(sort, ()), *new[sort]] for sort in new}
            self._write_lines(lines(Contents(batch, with_them)))
        if count and not memories:
            self._write_lines(lines(Contents((), new)))
        for sort, rows in new.items():
            self._cursor.rows.update(_digest(sort, row) for row in rows)
        return count

    def _write_lines(self, given: "Iterable[str]") -> None:
        """Writes a file of this copy."""
        own = self._hub.files(self._own)
        last = int(own[-1].partition("-")[0]) if own else 0
        self._cursor.number = max(self._cursor.number, last) + 1
        name = f"{self._cursor.number:08d}-{secrets.token_hex(4)}.bower"
        packed = zlib.compress("".join(given).encode())
        self._hub.write(self._own, name, seal(self._key, packed, self._place(self._own, name)))
        self._cursor.taken.setdefault(self._own, set()).add(name)

    def _tidy(self, erased: "Collection[str]") -> None:
        """Takes what was erased out of the files of this copy, and makes one of many small ones."""
        names = self._hub.files(self._own)
        if erased:
            for name in names:
                text = self._content(self._own, name)
                kept = [one for one in _lines(text) if not _mentions(one, erased)]
                if len(kept) < len(_lines(text)):
                    if any(_subject(one) for one in kept):
                        self._write_lines(kept)
                    self._hub.remove(self._own, name)
        if self._cursor.number - self._cursor.tidied <= _MANY:
            return
        found: dict[str, str] = {}
        small = []
        for name in self._hub.files(self._own):
            if len(self._hub.read(self._own, name)) < _SMALL:
                text = self._content(self._own, name)
                # Of what stands twice the later one holds all of the earlier one.
                found |= {_subject(one): one for one in _lines(text)}
                small.append(name)
        if len(small) > 1:
            self._write_lines(found.values())
            for name in small:
                self._hub.remove(self._own, name)
        self._cursor.tidied = self._cursor.number

    def _place(self, replica: str, name: str) -> str:
        return f"{self._name}/{replica}/{name}"


def _lines(text: str | None) -> list[str]:
    return [f"{one}\n" for one in (text or "").split("\n") if one]


def _mentions(line: str, ids: "Collection[str]") -> bool:
    """Whether a line is of one of these memories, or of a relation of one."""
    if not any(id in line for id in ids):
        return False
    said = json.loads(line)
    if said.get(_ROW) == _MEMORY:
        return said["id"] in ids
    return said.get(_ROW) == _RELATION and (said["source"] in ids or said["target"] in ids)


def _ended(said: "dict[str, Any]") -> set[str]:
    """The memory that a line ends, if it does."""
    if said.get(_ROW) == _TOMBSTONE:
        return {said["uid"]}
    heads = [one for one in said.get("versions", ()) if one["id"] == said["head"]]
    return {said["id"] for one in heads if one["fields"].get("state") == _DELETED}


def _subject(line: str) -> str:
    """What a line is of: of two with the same one the later stands."""
    said = json.loads(line)
    sort = said.get(_ROW, "")
    if sort == _MEMORY:
        return str(said["id"])
    return sort + json.dumps([said[name] for name in SORTS[sort].key]) if sort in SORTS else ""


def _digest(sort: str, row: "Row") -> str:
    # The store has numbers where lines have true and false.
    plain = [int(one) if isinstance(one, bool) else one for one in row]
    return content_hash(json.dumps([sort, *plain]).encode())[:_DIGEST_BYTES].hex()
