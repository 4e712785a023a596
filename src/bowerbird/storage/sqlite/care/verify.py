"""Searches for damage: SQLite's own checks, every row against its seal, the words against the texts.

Nothing is changed. Related rows are read in one snapshot, also while others write.
"""

import apsw

from bowerbird.core.damage import Damage, Verified
from bowerbird.core.graph import INDEX_BITS
from bowerbird.core.types import MEMORY
from bowerbird.core.value import Advice, Do
from bowerbird.storage.sqlite.care.integrity import integrity
from bowerbird.storage.sqlite.care.wordcheck import wrong_words
from bowerbird.storage.sqlite.file import connection as sqlite
from bowerbird.storage.sqlite.file.schema import require_current
from bowerbird.storage.sqlite.nouns.registry import BY_NAME
from bowerbird.storage.sqlite.nouns.seals import OF_ENTRY, PARTS, SEALED, key_of, register, seal_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from bowerbird.core.ports.progress import Progress

_BACK = Do("restore", "BACKUP")
_STRUCTURE = Advice("save what can be read: ", Do("recover", into="NEW"), "; or go back: ", _BACK)
_VECTOR = Advice("let the model read everything again: ", Do("reindex", all=True))
_WORDS = Advice("rebuild them from the texts: ", Do("reindex", words=True))
_GRAPH = Advice("draw it again, and let the model read everything again: ", Do("reindex", all=True))
_OLDER = Advice("restore a backup: ", _BACK)
_MEMORY = Advice("restore a backup: ", _BACK, "; or remember it again and forget this one")
# What no memory and no file is the owner of.
_OF_NO_ENTRY = ("project", "audit", "alias", "model", "tombstone", "outcome", "digest")
# The document that a row of the graph was drawn from, by its key.
_DRAWN_FROM = {"node": f"?1 >> {INDEX_BITS}", "edge": "(SELECT document FROM edge WHERE id = ?1)"}
# Entries by project, family, kind and state, as they are counted and as they are.
_COUNTED = "SELECT project, family, kind, state, entries FROM tally WHERE entries <> 0"
_THERE = "SELECT project, family, kind, state, count(*) FROM facet GROUP BY 1, 2, 3, 4"
_MISCOUNTED = (
    f"SELECT * FROM ({_COUNTED} EXCEPT {_THERE}) UNION ALL SELECT * FROM ({_THERE} EXCEPT {_COUNTED})"
    " LIMIT 1"
)
# Reported lines about a file with a broken structure, which has thousands.
_MOST_LINES = 20


def verify(
    path: str, sample: int | None = None, progress: "Progress | None" = None, *, words: bool = True
) -> Verified:
    """Check everything, or a random `sample` of the entries without their word indexes.

    Without `words` those are left out of everything, which is the longest part of it.
    Raises StoreMissing, StoreOutdated and NotAStore; damage is no error here.
    """
    connection = sqlite.connect(path, write=False)
    try:
        require_current(connection, path)
        register(connection)
        connection.pragma(
            "query_only", False
        )  # for temporary tables; nothing of the store is written
        with sqlite.reading(connection, path):
            return _Verifying(connection, progress).all(sample, words=words)
    finally:
        connection.close()


def sealed_wrongly(
    connection: "apsw.Connection", entries: "int | Sequence[int]"
) -> "tuple[int, list[Damage]]":
    """How many rows were examined and what is damaged, of given entries or of a random sample."""
    register(connection)
    looking = _Verifying(connection, None)
    rows = looking.some(entries) if isinstance(entries, int) else entries
    found = [damage for row in rows for damage in looking.entry(row)]
    return looking.rows, found


class _Verifying:
    """One check of a store."""

    def __init__(self, connection: "apsw.Connection", progress: "Progress | None") -> None:
        self._connection = connection
        self._progress = progress
        self._seals = {table: seal_of(connection, table, "t") for table in PARTS}
        self.rows = 0

    def all(self, sample: int | None, *, words: bool) -> Verified:
        """Everything that is hurt, the worst first."""
        structure = list(self.structure())
        entries = self._count("facet", structure)
        if sample is not None:
            rows = self.some(sample)
            found = [damage for row in rows for damage in self.entry(row)]
            return Verified(len(rows), self.rows, (*structure, *found), sampled=True)
        total = sum(self._count(table, structure) for table in PARTS) + entries
        if self._progress is not None:
            self._progress.start("verified", total)
        try:
            found = [damage for table in PARTS for damage in self.table(table)]
            if words:
                found += self.words()
        finally:
            if self._progress is not None:
                self._progress.finish()
        distinct = {(one.hurt, one.entry, one.told): one for one in (*structure, *found)}
        return Verified(entries, self.rows, tuple(distinct.values()))

    def structure(self) -> "Iterator[Damage]":
        """What SQLite says of its file, and FTS5 of its indexes."""
        try:
            for line in integrity(self._connection, _MOST_LINES):
                if line != "ok":
                    index = "fts5" in line.lower() and "_index" in line
                    hurt = ("words", _WORDS) if index else ("structure", _STRUCTURE)
                    yield Damage(hurt[0], "", line, hurt[1])
        except apsw.Error as error:
            yield Damage("structure", "", str(error), _STRUCTURE)

    def _count(self, table: str, structure: "list[Damage]") -> int:
        try:
            return int(next(self._connection.execute(f"SELECT count(*) FROM {table}"))[0])
        except apsw.Error as error:
            structure.append(Damage("structure", "", f"{table}: {error}", _STRUCTURE))
            return 0

    def some(self, count: int) -> list[int]:
        """The row numbers of a random sample of entries."""
        drawn = "SELECT id FROM facet ORDER BY random() LIMIT ?"
        return sorted(row for (row,) in self._connection.execute(drawn, (count,)))

    def entry(self, row: int) -> "Iterator[Damage]":
        """What is hurt of one entry, its words aside."""
        for table, of in OF_ENTRY.items():
            yield from self._wrong(table, of, (row,))
        for table, part in (("entry", 0), ("facet", 1)):
            lost = f"SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM {table} WHERE id = ?)"
            if self._connection.execute(lost, (row,)).fetchone():
                yield self._damage(PARTS[part], row, "it is gone")

    def table(self, table: str) -> "Iterator[Damage]":
        """The rows of a table that do not agree with their seals, and those that are gone."""
        part = PARTS.index(table)
        yield from self._wrong(table, "1", ())
        try:
            lost = self._connection.execute(
                f"SELECT CAST(key AS BLOB) FROM seal WHERE part = {part}"
                f" AND key NOT IN (SELECT {key_of(table, 't')} FROM {table} t)"
            )
            for (key,) in lost:
                yield self._damage(table, _number(table, key), "it is gone")
        except apsw.Error as error:
            yield Damage("structure", "", f"{table}: {error}", _STRUCTURE)
        if self._progress is not None:
            self._progress.advance(self._count(table, []), table)

    def _wrong(self, table: str, of: str, values: "tuple[Any, ...]") -> "Iterator[Damage]":
        """Rows that do not agree with their seals."""
        part, whose = PARTS.index(table), "memory" if table == "version" else SEALED[table][0]
        sql = (
            f"SELECT CAST(t.{whose} AS BLOB), s.crc IS {self._seals[table]}, s.crc IS NULL"
            f" FROM {table} t"
            f" LEFT JOIN seal s ON s.part = {part} AND s.key = {key_of(table, 't')} WHERE {of}"
        )
        try:
            for name, agrees, bare in self._connection.execute(sql, values):
                self.rows += 1
                if not agrees:
                    detail = "it has no seal" if bare else "it is not what was written"
                    yield self._damage(table, _whole(name), detail)
        except apsw.Error as error:
            yield Damage("structure", "", f"{table}: {error}", _STRUCTURE)

    def words(self) -> "Iterator[Damage]":
        """The word indexes against the texts."""
        hurt: dict[tuple[str, int], str] = {}
        try:
            if self._connection.execute(_MISCOUNTED).fetchone():
                yield Damage("words", "", "the counts of list and status are wrong", _WORDS)
            for index, row, word in wrong_words(self._connection, self._progress):
                hurt.setdefault((index, row), word)
        except (apsw.Error, UnicodeDecodeError) as error:
            yield Damage("words", "", str(error), _WORDS)
        for (index, row), word in hurt.items():
            detail = f"its words are indexed wrongly, “{word}” among them" if word else "counts"
            if index == "document_index":
                yield Damage("words", self._path(row), detail, _WORDS)
            elif row:
                yield Damage("words", self._uid(row), detail, _WORDS)
            else:
                yield Damage("words", "", f"{index}: the counts of words are wrong", _WORDS)

    def _damage(self, table: str, row: "int | str", detail: str) -> Damage:
        """Whose row that is, and what heals it."""
        hurt = BY_NAME[table].hurt
        if table == "document":
            path = self._path(int(row or 0))
            return Damage(hurt, path, detail, _read_again(path))
        if hurt == "graph":
            return Damage(hurt, self._drawn_from(table, int(row)), f"{table}: {detail}", _GRAPH)
        if isinstance(row, str) or table in _OF_NO_ENTRY:
            remedy = _OLDER if table in _OF_NO_ENTRY else _MEMORY
            return Damage(hurt, str(row), f"{table}: {detail}", remedy)
        if hurt == "vector":
            return Damage(hurt, self._uid(row), detail, _VECTOR)
        path = self._path_of(row)
        remedy = _read_again(path) if path else _MEMORY
        return Damage(hurt, self._uid(row), detail, remedy)

    def _uid(self, row: int) -> str:
        return self._text("SELECT CAST(uid AS BLOB) FROM entry WHERE id = ?", row) or f"row {row}"

    def _path(self, document: int) -> str:
        sql = "SELECT CAST(path AS BLOB) FROM document WHERE id = ?"
        return self._text(sql, document) or f"document {document}"

    def _drawn_from(self, table: str, key: int) -> str:
        """The path of the file that a row of the graph was drawn from; empty if nothing says it."""
        document = _DRAWN_FROM.get(table, "?1")
        return self._text(f"SELECT CAST(path AS BLOB) FROM document WHERE id = {document}", key)

    def _path_of(self, row: int) -> str:
        """The path of the file that a passage came from; empty for a memory."""
        sql = (
            "SELECT CAST(d.path AS BLOB) FROM facet f JOIN document d ON d.id = f.document"
            f" WHERE f.id = ? AND f.family <> '{MEMORY}'"
        )
        return self._text(sql, row)

    def _text(self, sql: str, row: int) -> str:
        try:
            found: Any = self._connection.execute(sql, (row,)).fetchone()
        except apsw.Error:
            return ""
        return bytes(found[0]).decode(errors="replace") if found and found[0] else ""


def _whole(value: "Any") -> "int | str":
    """A key as it is written: a number where it is one, else the text."""
    text = bytes(value or b"").decode(errors="replace")
    return int(text) if text.lstrip("-").isdecimal() else text


def _number(table: str, key: "Any") -> "int | str":
    """The number or name that the key of a seal begins with."""
    found = _whole(key)
    if table == "vector" and isinstance(found, int):
        return found & ((1 << 48) - 1)
    return _whole(str(found).split(" ")[0].encode())


def _read_again(path: str) -> Advice:
    return Advice("read the file again: ", Do("index", path, again=True))
