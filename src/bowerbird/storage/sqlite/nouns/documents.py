"""Indexed files: a document is replaced within one transaction, leaving no orphan."""

import os

from bowerbird.core.document import Document, Incoming, Piece
from bowerbird.core.ids import new_id, text_hash
from bowerbird.core.text import searchable
from bowerbird.core.types import PASSAGE, STATES, TRUSTS, UNREAD, Vector
from bowerbird.storage.sqlite.nouns.entries import take_rows
from bowerbird.storage.sqlite.nouns.graph import (
    Graph,
    lookups_for,
    lookups_of,
    names_of,
    unresolve_notes,
)
from bowerbird.storage.sqlite.nouns.neighbourhood_norms import window_lengths
from bowerbird.storage.sqlite.nouns.sketch import sketches
from bowerbird.storage.sqlite.nouns.words import count, uncount

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from typing import Any

    import apsw

    from bowerbird.core.clock import Clock


# The full-text indexes, and the pages of each that one transaction merges: with 2 MB other writers wait
# for tenths of a second.
_INDEXES = ("word_index", "document_index")
_MERGED_PAGES = 500
# The number of the writing transaction: one more than the last.
_GENERATION = "SELECT CAST(value AS BIGINT) FROM meta WHERE key = 'generation'"


class Documents:
    """Documents of a project with their passages, vectors and words."""

    def __init__(self, connection: "apsw.Connection", clock: "Clock") -> None:
        self._connection = connection
        self._clock = clock

    @property
    def graph(self) -> Graph:
        """The code graph."""
        return Graph(self._connection)

    def known(
        self, under: str
    ) -> dict[tuple[int, str], tuple[bytes, int, int, int, int, str | None]]:
        """Every document at or below a path, by project and path.

        Hash, size, modified and indexed times, the generation that wrote it last, and the highest
        trust of its passages; None where it has none.
        """
        found = self._connection.execute(
            "SELECT project, path, hash, size, modified, indexed, generation,"
            " (SELECT max(f.trust) FROM facet f WHERE f.document = d.id) FROM document d"
            " WHERE path = ?1 OR (path >= ?2 AND path < ?3)",
            (under, *_below(under)),
        )
        return {
            (row[0], row[1]): (*row[2:7], None if row[7] is None else TRUSTS[row[7]])
            for row in found
        }

    def begin(self, key: str) -> int:
        """Records in `meta` that something holds from this generation on.

        Returns the recorded generation. Inside a transaction.
        """
        self._connection.execute(
            "INSERT OR IGNORE INTO meta (key, value) SELECT ?, value FROM meta WHERE key = 'generation'",
            (key,),
        )
        return int(
            next(self._connection.execute("SELECT value FROM meta WHERE key = ?", (key,)))[0]
        )

    def at(self, path: str, end: str) -> list[tuple[int, str, str]]:
        """Number, path and project uid of the documents at a path, or whose path ends in `end`."""
        select = "SELECT d.id, d.path, p.uid FROM document d JOIN project p ON p.id = d.project"
        found = list(self._connection.execute(f"{select} WHERE d.path = ?", (path,)))
        if not found and end:
            ending = f"{select} WHERE substr(d.path, -length(?1)) = ?1"
            found = list(self._connection.execute(ending, (os.sep + end,)))
        return [(number, its, uid) for number, its, uid in found]

    def same(self, hash: bytes, size: int, projects: "Sequence[str]") -> list[str]:
        """The paths of some projects' documents with this content."""
        marks = ", ".join("?" * len(projects))
        found = self._connection.execute(
            "SELECT d.path FROM document d JOIN project p ON p.id = d.project"
            f" WHERE d.size = ? AND d.hash = ? AND p.uid IN ({marks}) ORDER BY d.path",
            (size, hash, *projects),
        )
        return [str(path) for (path,) in found]

    def sessions(self) -> list[tuple[int, str, str]]:
        """Project, session and path of every document that belongs to a session."""
        found = self._connection.execute(
            "SELECT project, session, path FROM document WHERE session <> ''"
        )
        return list(found)

    def opening(self, project: int, path: str) -> tuple[bytes, int, tuple[int, int]] | None:
        """Hash and time of a document's first passage; the number of its passages and characters.

        None if there is no such document, or it has no passage.
        """
        row = self._connection.execute(
            "SELECT h.hash, s.created, count(*), sum(length(e.text)) FROM document d"
            " JOIN facet s ON s.document = d.id AND s.ordinal = 0 JOIN entry h ON h.id = s.id"
            " JOIN facet f ON f.document = d.id JOIN entry e ON e.id = f.id"
            " WHERE d.project = ? AND d.path = ? GROUP BY h.hash, s.created",
            (project, path),
        ).fetchone()
        return None if row is None else (row[0], row[1], (row[2], row[3]))

    def replace_all(self, incoming: "Sequence[Incoming]", model: int) -> None:
        """Replaces the documents at these paths. Inside a transaction.

        Passages without vectors wait to be embedded.
        """
        graph = self.graph
        names = [names_of(self._connection, one.project, one.document.path) for one in incoming]
        leading = [self._replaced(one) for one in incoming]
        lookups: dict[int, set[int]] = {}
        now = self._clock()
        bits = iter(sketches([vector.values for one in incoming for vector in one.vectors]))
        row = take_rows(self._connection, sum(len(one.pieces) for one in incoming))
        facets: list[tuple[Any, ...]] = []
        entries: list[tuple[Any, ...]] = []
        vectors: list[tuple[Any, ...]] = []
        texts: list[tuple[Any, ...]] = []
        tags: list[tuple[Any, ...]] = []
        wholes: list[tuple[int, str]] = []
        for one, before, (sought, edges) in zip(incoming, names, leading, strict=True):
            number = self._insert(one, now)
            if one.document.outline is not None:
                graph.put(number, one.document.path, one.document.outline, before)
                graph.lead(number, edges)
            lookups.setdefault(one.project, set()).update(sought)
            facets += _facets(row, number, one, bits)
            entries += _entries(row, one, now)
            vectors += _vectors(row, one, model)
            tags += _tags(row, one)
            words = _texts(row, one)
            if len(words) > 1:
                wholes.append((number, "\n".join(text for _, text, *_ in words)))
            texts += words
            row += len(one.pieces)
        for project, some in lookups.items():
            graph.unresolve(project, some)
        write = self._connection.executemany
        write("INSERT INTO facet VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", facets)
        write("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", entries)
        write("INSERT INTO vector VALUES (?, ?, ?, ?, ?)", vectors)
        write("INSERT INTO tag VALUES (?, ?, 1, '', '')", tags)
        count(self._connection, (piece.text for one in incoming for piece in one.pieces))
        # Last, and in one go: any statement that opens a savepoint, such as one with a trigger, makes
        # FTS5 write what it has gathered as a segment, which has to be merged later.
        self._index(texts, wholes)

    def _index(
        self, texts: "Sequence[tuple[int, str, str, str, str]]", wholes: "Sequence[tuple[int, str]]"
    ) -> None:
        """Index the words of passages by column, and of whole documents."""
        write = self._connection.executemany
        write(
            "INSERT INTO word_index (rowid, text, context, path, tags) VALUES (?, ?, ?, ?, ?)",
            texts,
        )
        write("INSERT INTO document_index (rowid, text) VALUES (?, ?)", wholes)

    def merge(self, *, begin: bool) -> bool:
        """Merges the segments of the indexes, one step; returns whether any was left.

        Inside a transaction. The first step has `begin`; others continue it, and ignore segments written
        in between.
        """
        pages = -_MERGED_PAGES if begin else _MERGED_PAGES
        merged = False
        for index in _INDEXES:
            before = self._connection.total_changes()
            self._connection.execute(
                f"INSERT INTO {index} ({index}, rank) VALUES ('merge', ?)", (pages,)
            )
            # The statement itself counts as one change.
            merged |= self._connection.total_changes() - before > 1
        return merged

    def _insert(self, one: "Incoming", now: int) -> int:
        """Inserts one document; returns its number."""
        document = one.document
        self._connection.execute(
            "INSERT INTO document (project, path, name, source, title, session, hash, size,"
            f" modified, indexed, generation) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ({_GENERATION}))",
            (
                one.project,
                document.path,
                document.name,
                document.source,
                document.title,
                document.session,
                document.hash,
                document.size,
                document.modified,
                now,
            ),
        )
        return int(self._connection.last_insert_rowid())

    def touch(self, project: int, path: str, size: int, modified: int) -> None:
        """Record that a file was checked again and is unchanged. Inside a transaction."""
        self._connection.execute(
            f"UPDATE document SET size = ?, modified = ?, indexed = ?, generation = ({_GENERATION})"
            " WHERE project = ? AND path = ?",
            (size, modified, self._clock(), project, path),
        )

    def set_trust(self, project: int, path: str, origin: str, trust: str) -> bool:
        """Sets origin and trust of a document's passages; False if there is no such document.

        Passages of the lowest trust keep it: they hold what others wrote, wherever the file lies; unless
        the whole file had that trust. Inside a transaction.
        """
        row = self._connection.execute(
            "SELECT id FROM document WHERE project = ? AND path = ?", (project, path)
        ).fetchone()
        if row is None:
            return False
        self._connection.execute(
            "UPDATE facet SET trust = ?1 WHERE document = ?2 AND (trust > 0 OR EXISTS"
            " (SELECT 1 FROM entry e WHERE e.id = facet.id AND e.origin = 'tool_external'))",
            (TRUSTS.index(trust), *row),
        )
        self._connection.execute(
            "UPDATE entry SET origin = ? WHERE id IN (SELECT id FROM facet WHERE document = ?)",
            (origin, *row),
        )
        return True

    def drop_turns(self, rows: "Collection[int]") -> None:
        """Deletes passages, with all that begin on the same lines, as if their files had never held them.

        What stays keeps its vectors. Inside a transaction.
        """
        numbers = {
            number
            for row in rows
            for (number,) in self._connection.execute(
                "SELECT document FROM facet WHERE id = ? AND document IS NOT NULL", (row,)
            )
        }
        for number in sorted(numbers):
            self._write_again(number, rows)

    def _write_again(self, number: int, gone: "Collection[int]") -> None:
        run = self._connection.execute
        (stored,) = run(
            "SELECT project, path, name, source, title, session, hash, size, modified FROM document"
            " WHERE id = ?",
            (number,),
        )
        passages = [
            *run(
                "SELECT f.id, f.trust, f.created, e.text, e.start_line, e.end_line, e.context,"
                " e.speaker, e.origin FROM facet f JOIN entry e ON e.id = f.id WHERE f.document = ?"
                " ORDER BY f.ordinal",
                (number,),
            )
        ]
        lines = {row[4] for row in passages if row[0] in gone}
        passages = [row for row in passages if row[4] not in lines]
        rows = [row[0] for row in passages]
        tags = run(
            "SELECT DISTINCT t.name FROM tag t JOIN facet f ON f.id = t.entry WHERE f.document = ?",
            (number,),
        )
        project, *fields = stored
        path, name, source, title, session, hash, size, modified = fields
        document = Document(
            path,
            name,
            source,
            hash,
            size,
            modified,
            title,
            session,
            tuple(sorted(t for (t,) in tags)),
        )
        pieces = [
            Piece(text, start, end, context, speaker, created, TRUSTS[trust])
            for _, trust, created, text, start, end, context, speaker, _ in passages
        ]
        highest = max((row[1] for row in passages), default=0)
        origin = passages[0][8] if passages else ""
        model, vectors = self._vectors_of(rows)
        incoming = Incoming(project, document, pieces, vectors, origin, TRUSTS[highest])
        self.replace_all([incoming], model)

    def _vectors_of(self, rows: "Sequence[int]") -> "tuple[int, list[Vector]]":
        """The vectors of passages by the newest model that read all of them; none if there is none."""
        by_model: dict[int, dict[int, Vector]] = {}
        for row in rows:
            for model, values, norm in self._connection.execute(
                "SELECT model, int8, norm FROM vector WHERE id = ?", (row,)
            ):
                by_model.setdefault(model, {})[row] = Vector(values, norm)
        for model in sorted(by_model, reverse=True):
            if len(by_model[model]) == len(rows):
                return model, [by_model[model][row] for row in rows]
        return 0, []

    def remove(self, project: int, path: str) -> bool:
        """Deletes a document from every table; False if there is none. Inside a transaction."""
        names = names_of(self._connection, project, path)
        if not self._take_out(project, path):
            return False
        if names:
            unresolve_notes(self._connection, path, names)
            self.graph.unresolve(project, {*lookups_of(path, names), *lookups_for(path)})
        return True

    def _replaced(self, one: "Incoming") -> "tuple[Iterable[int], dict[int, list[int]]]":
        """Deletes what a document replaces.

        Returns the lookups that may have another answer now, and the edges that still lead to it, by
        definition.
        """
        path, outline = one.document.path, one.document.outline
        before = names_of(self._connection, one.project, path)
        row = self._connection.execute(
            "SELECT id FROM document WHERE project = ? AND path = ?", (one.project, path)
        ).fetchone()
        if outline is None or row is None or not before:
            self._take_out(one.project, path)
            names = outline.changed(None) if outline is not None else before
            module = outline.module if outline is not None else ""
            if not names and not before and outline is None:
                return (), {}
            return {*lookups_of(path, names, module), *lookups_for(path, module)}, {}
        changed, edges = self.graph.leading(int(row[0]), outline)
        self._take_out(one.project, path)
        return lookups_of(path, changed, outline.module), edges

    def _take_out(self, project: int, path: str) -> bool:
        row = self._connection.execute(
            "SELECT id FROM document WHERE project = ? AND path = ?", (project, path)
        ).fetchone()
        if row is None:
            return False
        # Only indexed texts: while the index is being rebuilt the others are not counted yet.
        texts = self._connection.execute(
            "SELECT CAST(e.text AS BLOB) FROM facet f JOIN entry e ON e.id = f.id"
            " JOIN word_index_docsize w ON w.id = f.id WHERE f.document = ?",
            row,
        )
        # A damaged text may no longer decode: it is removed all the same, and verify reports its words.
        uncount(self._connection, [bytes(text).decode(errors="replace") for (text,) in texts])
        # The foreign keys delete entries (whose trigger updates the word index) and vectors.
        self._connection.execute("DELETE FROM facet WHERE document = ?", row)
        self._connection.execute("DELETE FROM document WHERE id = ?", row)
        return True


def _facets(
    first: int, number: int, one: "Incoming", bits: "Iterator[bytes]"
) -> "Iterator[tuple[Any, ...]]":
    state, rank = STATES.index("active"), TRUSTS.index(one.trust)
    midpoints = _midpoints(one.pieces)
    vectors = one.vectors or [UNREAD] * len(one.pieces)
    for i, (piece, vector) in enumerate(zip(one.pieces, vectors, strict=True)):
        when = piece.occurred if piece.occurred is not None else one.document.modified
        found = next(bits) if one.vectors else None
        sketch = found if vector.norm else None
        trust = min(rank, TRUSTS.index(piece.trust)) if piece.trust else rank
        kind = (PASSAGE, PASSAGE, trust, state)
        yield first + i, one.project, *kind, when, number, i, midpoints[i], sketch


def _entries(first: int, one: "Incoming", now: int) -> "Iterator[tuple[Any, ...]]":
    for row, piece in enumerate(one.pieces, first):
        said = (piece.text, piece.context, piece.speaker, "", one.origin)
        yield row, new_id(now), text_hash(piece.text), *said, piece.start_line, piece.end_line


def _vectors(first: int, one: "Incoming", model: int) -> "Iterator[tuple[Any, ...]]":
    lengths = window_lengths(one.vectors, _midpoints(one.pieces))
    for row, (vector, length) in enumerate(zip(one.vectors, lengths, strict=True), first):
        yield row, model, vector.values, vector.norm, length


def _tags(first: int, one: "Incoming") -> "Iterator[tuple[int, str]]":
    """One row per passage, without a replica: passages are indexed again with the file."""
    for row in range(first, first + len(one.pieces)):
        for tag in one.document.tags:
            yield row, tag


def _texts(first: int, one: "Incoming") -> list[tuple[int, str, str, str, str]]:
    """The columns of the word index by passage: text, context and speaker, file, tags."""
    name, tags = searchable(one.document.name), searchable(" ".join(sorted(one.document.tags)))
    return [
        (row, searchable(piece.text), searchable(f"{piece.context} {piece.speaker}"), name, tags)
        for row, piece in enumerate(one.pieces, first)
    ]


def _below(folder: str) -> tuple[str, str]:
    """The range of paths inside a folder, for a comparison that an index can serve."""
    start = folder.rstrip(os.sep) + os.sep
    return start, start[:-1] + chr(ord(os.sep) + 1)


def _midpoints(pieces: "Sequence[Piece]") -> list[int]:
    """The middle of each piece, in characters from the start of the first."""
    midpoints, start = [], 0
    for piece in pieces:
        midpoints.append(start + len(piece.text) // 2)
        start += len(piece.text)
    return midpoints
