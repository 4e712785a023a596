"""Curated beliefs: a memory is the head of its immutable versions, and every move is audited.

Only a manual edit gives a memory another text: any other new text is another memory.
"""

from bowerbird.core import plainjson
from bowerbird.core.history import Version
from bowerbird.core.hlc import replica_of
from bowerbird.core.ids import new_id, text_hash
from bowerbird.core.memories import Fields
from bowerbird.core.text import together, words
from bowerbird.core.types import ALIVE, FORGOTTEN, MEMORY, STATES, TRUSTS
from bowerbird.core.who import name_of
from bowerbird.storage.sqlite.nouns.audit import head_of, heads_of
from bowerbird.storage.sqlite.nouns.entries import NEXT_ROW, altered, anchor, reread, take_rows
from bowerbird.storage.sqlite.nouns.sketch import sketch, sketches
from bowerbird.storage.sqlite.nouns.words import (
    count,
    count_terms,
    delete_entries,
    is_indexed,
    uncount,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager
    from typing import Any

    import apsw

    from bowerbird.core.exchange import Held
    from bowerbird.core.history import Change
    from bowerbird.core.memories import Belief
    from bowerbird.core.types import Vector
    from bowerbird.storage.sqlite.nouns.stamps import Stamps

# Columns of a memory that its fields fill, in the order of `_columns`.
_FIELDS = (
    "scope",
    "audience",
    "confidence",
    "pinned",
    "verified",
    "needs_review",
    "expires",
    "valid_from",
    "valid_to",
    "keywords",
    "files",
    "modules",
    "metadata",
    "payload",
)
_ADD_MEMORY = (
    "INSERT INTO memory (id, head, hash, source, agent, session, taint, importance, decay_rate,"
    f" half_life, updated, accessed, replica, hlc, {', '.join(_FIELDS)})"
    f" VALUES ({', '.join('?' * (14 + len(_FIELDS)))})"
)
_FACET = "?, ?, ?, ?, ?, ?, NULL, 0, 0, ?"
_ADD_ENTRY = "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL)"
_ADD_VECTOR = "INSERT INTO vector VALUES (?, ?, ?, ?, ?)"
_ADD_CONTEXTUAL = "INSERT INTO contextual (id, int8, words) VALUES (?, ?, ?)"
_REVISE_MEMORY = (
    "UPDATE memory SET head = ?, updated = ?, replica = ?, hlc = ?,"
    f" half_life = nullif(coalesce(?, half_life), 0), {' = ?, '.join(_FIELDS)} = ? WHERE id = ?"
)
# All that a state decides of a memory: the day on which it leaves search.
_SET_MEMORY = (
    "UPDATE memory SET head = ?, updated = ?, replica = ?, hlc = ?, expires = ? WHERE id = ?"
)


class Memories:
    """Memories of all projects, written with their version and their audit line at once."""

    def __init__(self, connection: "apsw.Connection", stamps: "Stamps") -> None:
        self._connection = connection
        self._stamps = stamps

    def add(
        self,
        project: int,
        belief: "Belief",
        vector: "Vector",
        model: int | None,
        change: "Change",
        understood: "Vector | None" = None,
    ) -> str:
        """Write a new memory with its first version and return its id. Inside a transaction.

        Where no model has read it (None) it waits to be read. `understood` is what the contextual model
        of this store made of it.
        """
        now = self._stamps.now()
        uid, version, stamp = new_id(now), new_id(now), self._stamps.next()
        fields = belief.fields
        said = set(words(belief.text))
        row = self._add_facet(project, belief, vector, belief.occurred or now)
        self._stamps.count(row, len(said))
        self._add_tags(row, fields.tags, stamp)
        if fields.anchors:
            anchor(self._connection, row, fields.anchors)
        self._add_entry(row, uid, belief)
        self._add_memory(row, version, belief, now, stamp)
        self._add_vectors(row, vector, model, understood)
        self._write_version(version, uid, (), belief.text, fields, change, now, stamp)
        self._index((row, belief.text, fields))
        count_terms(self._connection, said)
        self._stamps.audit(change, uid, None, version)
        return uid

    def _add_facet(self, project: int, belief: "Belief", vector: "Vector", said: int) -> int:
        """What narrows a search, and the sketch that finds it by meaning; its row."""
        drawn = sketch(vector.values) if vector.norm else None
        ((row,),) = self._connection.execute(
            f"INSERT INTO facet VALUES ({NEXT_ROW}, {_FACET}) RETURNING id",
            _facet(project, belief, said, drawn),
        )
        return int(row)

    def _add_entry(self, row: int, uid: str, belief: "Belief") -> None:
        """What an answer shows, and the words by which it is found."""
        self._connection.execute(_ADD_ENTRY, _entry(row, uid, belief))

    def _add_memory(self, row: int, version: str, belief: "Belief", now: int, stamp: str) -> None:
        """What only memories have."""
        replica = self._stamps.replica
        self._connection.execute(
            _ADD_MEMORY,
            _memory(row, version, belief, now, now, replica, stamp, belief.occurred or now),
        )

    def _add_vectors(
        self, row: int, vector: "Vector", model: int | None, understood: "Vector | None"
    ) -> None:
        """What the models made of its text, as far as they have read it."""
        if model is not None:
            self._connection.execute(
                _ADD_VECTOR, (row, model, vector.values, vector.norm, vector.norm)
            )
        if understood is not None:
            self._connection.execute(_ADD_CONTEXTUAL, (row, understood.values, understood.words))

    def revise(
        self,
        of: "str | Version",
        fields: "Fields | Callable[[Fields], Fields | None]",
        change: "Change",
        text: str | None = None,
        hash: bytes = b"",
    ) -> Version:
        """Give a memory other fields, and with a text that too, as a new version, in a transaction.

        The memory is identified by its id or its head. A function makes the new fields from the current
        ones, or returns None to keep them.
        """
        head, stood = head_of(self._connection, self._stamps, of)
        self._stamps.last_head = None
        # What an earlier version of the code made of the fields may be another context.
        id, (row, known, summary, kind, state, _) = head.memory, stood
        text = head.text if text is None else text
        old = head.fields
        revised = fields(old) if callable(fields) else fields
        if revised is None:
            return head
        fields = revised
        now, stamp = self._stamps.now(), self._stamps.next()
        context = context_of(text, fields)
        version = self._write_version(new_id(now), id, (head.id,), text, fields, change, now, stamp)
        if (fields.kind, STATES.index(fields.state)) != (kind, state):
            self._connection.execute(
                "UPDATE facet SET kind = ?, state = ? WHERE id = ?",
                (fields.kind, STATES.index(fields.state), row),
            )
        if (fields.summary, context) != (summary, known):
            self._connection.execute(
                "UPDATE entry SET summary = ?, context = ? WHERE id = ?",
                (fields.summary, context, row),
            )
        put = (version.id, now, self._stamps.replica, stamp, fields.half_life)
        self._connection.execute(
            _REVISE_MEMORY, (*put, *_columns(fields, self._said(row, fields)), row)
        )
        if fields.anchors != old.anchors:
            anchor(self._connection, row, fields.anchors)
        if fields.tags != old.tags:
            self._put_tags(row, fields.tags, stamp)
        if text != head.text:
            self._reword(row, head.text, text, hash)
        found_by = (text, fields.tags, context) != (head.text, old.tags, known)
        self._reindex(row, text, old, fields, changed=found_by)
        self._stamps.audit(change, id, head.id, version.id)
        return version

    def _said(self, row: int, fields: Fields) -> int:
        """When a memory was said, as far as that matters for how long it is found."""
        if fields.valid_to is None or fields.state not in ALIVE:
            return 0
        ((said,),) = self._connection.execute("SELECT created FROM facet WHERE id = ?", (row,))
        return int(said)

    def set_state(self, heads: "Sequence[tuple[int, Version, Change]]", state: str) -> None:
        """Give memories, each a row, its head and a change, a state in which their words stay indexed.

        Each as a new version, all written together. Inside a transaction.
        """
        self._stamps.last_head = None
        now, replica, kept = self._stamps.now(), self._stamps.replica, []
        with self.together():
            for row, head, change in heads:
                fields, stamp = head.fields.replace(state=state), self._stamps.next()
                own = (new_id(now), head.memory, (head.id,), head.text, fields, change, now, stamp)
                version = self._write_version(*own)
                ends = _leaves(fields, self._said(row, fields))
                kept.append((version.id, now, replica, stamp, ends, row))
                self._stamps.audit(change, head.memory, head.id, version.id)
        write = self._connection.executemany
        write("UPDATE facet SET state = ? WHERE id = ?",
              [(STATES.index(state), row) for row, *_ in heads])  # fmt: skip
        write(_SET_MEMORY, kept)

    def move(self, id: str, project: int) -> None:
        """Put a memory into another project. Inside a transaction."""
        altered(self._connection, self._row(id))
        self._connection.execute(
            "UPDATE facet SET project = ? WHERE id = (SELECT id FROM entry WHERE uid = ?)",
            (project, id),
        )

    def personal(self, projects: "Sequence[str]") -> list[str]:
        """The memories in some projects that are personal by their audience."""
        found = self._connection.execute(
            "SELECT e.uid FROM memory m JOIN facet f ON f.id = m.id JOIN entry e ON e.id = m.id"
            " JOIN project p ON p.id = f.project WHERE m.audience = 'personal'"
            " AND p.uid IN (SELECT value FROM json_each(?))",
            (plainjson.escaped(list(projects)),),
        )
        return [str(id) for (id,) in found]

    def _reword(self, row: int, old: str, new: str, hash: bytes) -> None:
        """Put another text; what models made of the old one goes."""
        altered(self._connection, row)
        if is_indexed(self._connection, row):
            uncount(self._connection, [old])
            count(self._connection, [new])
        self._connection.execute(
            "UPDATE entry SET text = ?, hash = ? WHERE id = ?", (new, text_hash(new), row)
        )
        self._connection.execute("UPDATE memory SET hash = ? WHERE id = ?", (hash, row))
        self._connection.execute("UPDATE facet SET sketch = NULL WHERE id = ?", (row,))
        reread(self._connection, row)
        for table in ("vector", "contextual"):
            self._connection.execute(f"DELETE FROM {table} WHERE id = ?", (row,))

    def receive(
        self,
        taken: "Sequence[tuple[Held, Belief, int, Vector]]",
        model: int | None,
        arrival: "Change",
    ) -> None:
        """Write memories as another copy of the store holds them, in place of those with their ids.

        Each once, with its current version, its project and the vector of its text. Inside a transaction.
        What models made of the same text stays.
        """
        connection = self._connection
        known = self._make_room([held.id for held, *_ in taken])
        new = len(taken) - len(known)
        first = take_rows(connection, new) if new else 0
        free = iter(range(first, first + new))
        rows = [known[held.id][0] if held.id in known else next(free) for held, *_ in taken]
        drawn = iter(sketches([vector.values for *_, vector in taken if vector.norm]))
        each = [
            (row, *one, next(drawn) if one[3].norm else None)
            for row, one in zip(rows, taken, strict=True)
        ]
        self._stamps.saw(max(held.current.hlc for held, *_ in taken))
        write = connection.executemany
        write(
            f"INSERT INTO facet VALUES (?, {_FACET})",
            [(row, *_facet(project, belief, held.said, drawing))
             for row, held, belief, project, _, drawing in each],
        )  # fmt: skip
        write(_ADD_ENTRY, [_entry(row, held.id, belief) for row, held, belief, *_ in each])
        write(_ADD_MEMORY, [_taken_over(row, held, belief) for row, held, belief, *_ in each])
        if model is not None:
            write(
                _ADD_VECTOR,
                [(row, model, vector.values, vector.norm, vector.norm)
                 for row, _, _, _, vector, _ in each],
            )  # fmt: skip
        write(
            _ADD_CONTEXTUAL,
            [(row, *known[held.id][2:]) for row, held, belief, *_ in each
             if held.id in known and known[held.id][1] == belief.text
             and known[held.id][2] is not None],
        )  # fmt: skip
        for row, _, belief, *_ in each:
            if belief.fields.anchors:
                anchor(connection, row, belief.fields.anchors)
        write(
            "INSERT INTO tag VALUES (?, ?, ?, ?, ?)",
            [(row, name, int(on), replica_of(stamp), stamp)
             for row, held, *_ in each for name, on, stamp in held.tags],
        )  # fmt: skip
        write(
            "INSERT OR REPLACE INTO access VALUES (?, ?, ?)",
            [
                (held.id, replica, count)
                for held, *_ in taken
                for replica, count in held.uses.items()
            ],
        )
        write(
            "DELETE FROM version WHERE memory = ? AND uid NOT IN (SELECT value FROM json_each(?))",
            [(held.id, plainjson.escaped([one.id for one in held.versions]))
             for held, *_ in taken if held.id in known],
        )  # fmt: skip
        write(
            "INSERT OR REPLACE INTO version VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [_version_row(version) for held, *_ in taken for version in held.versions],
        )
        kept = [
            (row, belief.text, belief.fields)
            for row, _, belief, *_ in each
            if belief.fields.state != FORGOTTEN
        ]
        self._index(*kept)
        count(connection, [text for _, text, _ in kept])
        for held, *_ in taken:
            self._stamps.audit(arrival, held.id, None, None)

    def _make_room(self, ids: "Sequence[str]") -> "dict[str, tuple[Any, ...]]":
        """Take out the memories with these ids: row, text, and what the contextual model made of it."""
        found = self._connection.execute(
            "SELECT e.uid, e.id, e.text, c.int8, c.words FROM entry e"
            " LEFT JOIN contextual c ON c.id = e.id WHERE e.uid IN (SELECT value FROM json_each(?))",
            (plainjson.escaped(list(ids)),),
        )
        known = {uid: tuple(rest) for uid, *rest in found}
        if known:
            altered(self._connection)
            reread(self._connection, *(row for row, *_ in known.values()))
        delete_entries(self._connection, [row for row, *_ in known.values()])
        return known

    def set_trust(self, id: str, trust: str) -> None:
        """Set a memory's trust. Inside a transaction."""
        key = (TRUSTS.index(trust), self._row(id))
        altered(self._connection, key[1])
        self._connection.execute("UPDATE facet SET trust = ? WHERE id = ?", key)

    def touch(self, id: str) -> None:
        """Record that a memory was submitted again. Inside a transaction."""
        self._connection.execute(
            "UPDATE memory SET accessed = max(accessed, ?) WHERE id = ?",
            (self._stamps.now(), self._row(id)),
        )

    def head(self, id: str) -> Version:
        """The current version of a memory; the id must exist."""
        return head_of(self._connection, self._stamps, id)[0]

    def heads(self, ids: "Sequence[str]") -> list[Version]:
        """The current versions of memories, in the order of their ids, all of which must exist."""
        return heads_of(self._connection, self._stamps, ids)

    def contradicted(self, head: Version) -> bool:
        """Whether a relation says that another memory and the one at a head contradict."""
        return bool(head_of(self._connection, self._stamps, head)[1][-1])

    def together(self) -> "AbstractContextManager[None]":
        """Versions made inside are written together at its end. Inside a transaction."""
        return self._stamps.together()

    def _row(self, id: str) -> int:
        return int(next(self._connection.execute("SELECT id FROM entry WHERE uid = ?", (id,)))[0])

    def _put_tags(self, row: int, names: "Sequence[str]", stamp: str) -> None:
        """Make these the tags; the others stay as absent, so that peers hear of it."""
        self._connection.execute(
            "UPDATE tag SET present = 0, replica = ?, hlc = ? WHERE entry = ? AND present = 1"
            " AND name NOT IN (SELECT value FROM json_each(?))",
            (self._stamps.replica, stamp, row, plainjson.escaped(list(names))),
        )
        self._add_tags(row, names, stamp)

    def _add_tags(self, row: int, names: "Sequence[str]", stamp: str) -> None:
        self._connection.executemany(
            "INSERT INTO tag VALUES (?, ?, 1, ?, ?) ON CONFLICT (entry, name) DO UPDATE"
            " SET present = 1, replica = excluded.replica, hlc = excluded.hlc WHERE present = 0",
            ((row, name, self._stamps.replica, stamp) for name in names),
        )

    def _reindex(self, row: int, text: str, old: Fields, new: Fields, *, changed: bool) -> None:
        """Keep the word index and the counts in step: neither holds deleted entries.

        `changed`: its words changed.
        """
        stays = new.state != FORGOTTEN
        if not changed and stays and old.state != FORGOTTEN:
            return
        was = is_indexed(self._connection, row)
        altered(self._connection, row)
        if was:
            self._connection.execute("DELETE FROM word_index WHERE rowid = ?", (row,))
        if stays:
            self._index((row, text, new))
        if was and not stays:
            uncount(self._connection, [text])
        if stays and not was:
            count(self._connection, [text])

    def _index(self, *memories: tuple[int, str, Fields]) -> None:
        """Index the words of memories: their entries and tags must be stored."""
        self._connection.executemany(
            "INSERT INTO word_index (rowid, text, context, path, tags)"
            " SELECT id, text, context, path, tags FROM word_row WHERE id = ?",
            [(row,) for row, *_ in memories],
        )

    def _write_version(
        self,
        uid: str,
        memory: str,
        parents: tuple[str, ...],
        text: str,
        fields: Fields,
        change: "Change",
        now: int,
        stamp: str,
    ) -> "Version":
        version = Version(
            uid, memory, parents, text, fields, change.actor, change.reason, now, stamp
        )
        self._stamps.add_version(memory, _version_row(version))
        return version


def _facet(project: int, belief: "Belief", said: int, drawn: bytes | None) -> "tuple[Any, ...]":
    """The columns of a facet behind its row."""
    fields = belief.fields
    trust, state = TRUSTS.index(belief.trust), STATES.index(fields.state)
    return project, MEMORY, fields.kind, trust, state, said, drawn


def _entry(row: int, uid: str, belief: "Belief") -> "tuple[Any, ...]":
    text, fields = belief.text, belief.fields
    context = context_of(text, fields)
    return row, uid, text_hash(text), text, context, fields.author, fields.summary, belief.origin


def _memory(
    row: int,
    version: str,
    belief: "Belief",
    now: int,
    accessed: int,
    replica: str,
    stamp: str,
    said: int,
) -> "tuple[Any, ...]":
    return (
        row,
        version,
        belief.hash,
        belief.source,
        name_of(belief.actor),
        belief.session,
        int(belief.tainted),
        belief.importance,
        belief.decay_rate,
        belief.half_life,
        now,
        accessed,
        replica,
        stamp,
        *_columns(belief.fields, said),
    )


def _taken_over(row: int, held: "Held", belief: "Belief") -> "tuple[Any, ...]":
    """What only memories have, of one that another copy of the store gave."""
    head = held.current
    replica = replica_of(head.hlc)
    return _memory(row, head.id, belief, head.created, held.accessed, replica, head.hlc, held.said)


def _version_row(version: "Version") -> "tuple[Any, ...]":
    """The row of a version; its replica is the one of its stamp."""
    return (
        version.id,
        version.memory,
        plainjson.escaped(version.parents),
        text_hash(version.text),
        version.text,
        plainjson.spaced(version.fields.raw_dict()),
        version.actor,
        version.reason,
        version.created,
        replica_of(version.hlc),
        version.hlc,
    )


def _columns(fields: Fields, said: int) -> "tuple[Any, ...]":
    """What the columns `_FIELDS` hold of the fields of a memory that was `said` at a moment."""
    lists = (fields.keywords, fields.files, fields.modules, fields.metadata)
    return (
        fields.scope,
        fields.audience,
        fields.confidence,
        int(fields.pinned),
        int(fields.verified),
        int(fields.needs_review),
        _leaves(fields, said),
        fields.valid_from,
        fields.valid_to,
        *map(plainjson.spaced, lists),
        _json_or_none(fields.payload),
    )


def _leaves(fields: Fields, said: int) -> int | None:
    """When a memory is no longer found: it expires, or what it says has ended by then.

    What was over when it was said is still told of, as it was so.
    """
    ends = fields.valid_to if fields.state in ALIVE else None
    ends = None if ends is not None and ends <= said else ends
    return min((at for at in (fields.expires, ends) if at is not None), default=None)


def context_of(text: str, fields: Fields) -> str:
    """The texts by which a memory is found in addition to its own."""
    said = {*words(text), *together(text)}
    parts = (*fields.keywords, fields.summary, *fields.files, *fields.modules)
    return ", ".join(one for one in parts if not said.issuperset(words(one)))


def _json_or_none(value: "Any") -> str | None:
    return None if value is None else plainjson.spaced(value)
