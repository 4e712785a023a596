"""Stores the code graph: outlines, nodes and edges by document, replaced and deleted with it."""

import os
import zlib

from bowerbird.core.graph import (
    INDEX_BITS,
    RULE,
    Edge,
    Linking,
    Node,
    document_of,
    index_of,
    node_id,
)
from bowerbird.core.lookups import FILES, FUNCTIONS, Sought, lookup
from bowerbird.core.outline import LINKS, MODULE, NOTE, RULES, Outline
from bowerbird.storage.sqlite.nouns.graph_totals import Counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    import apsw

_INDEX = (1 << INDEX_BITS) - 1
# Maximum values passed to one statement.
_AT_ONCE = 5_000
# Functions of one name that are told: nothing is concluded from a name that so many have.
_MOST_NAMED = 200
# To be resolved again: what led to something that is gone; and of documents whose lookups are not known,
# such as notes, what a new definition may be the target of, or makes ambiguous.
_WAITS = (
    "UPDATE outline SET resolved = 0 WHERE resolved = 1 AND document IN"
    " (SELECT document FROM edge WHERE target IS NULL AND"
)
_TWINS = (
    "UPDATE outline SET resolved = 0 WHERE resolved = 1 AND document IN (SELECT e.document FROM node n"
    f" JOIN edge e ON e.target = n.id WHERE e.origin = '{RULE}' AND n.name IN"
)
_UNKNOWN = "AND document NOT IN (SELECT document FROM lookups)"
_NODE = (
    "SELECT n.id, d.path, n.qualified, n.kind, n.start_line, n.end_line FROM node n"
    " JOIN document d ON d.id = n.document"
)


class Graph(Counted):
    """Nodes and edges of a store. Writes require a transaction."""

    def leading(self, document: int, outline: "Outline") -> "tuple[set[str], dict[int, list[int]]]":
        """What changes for others when `outline` replaces that of a document.

        The names of which they may see something else, and the edges from them to each definition, in
        order, that has one in its place.
        """
        before = self.outline(document)
        changed = outline.changed(before)
        # Other notes lead to one by its aliases, which are no lookups.
        if before is None or (changed and outline.language == NOTE):
            return changed, {}
        places = _places(outline)
        moved = {node_id(document, MODULE): MODULE}
        for key, there in _places(before).items():
            moved |= {
                node_id(document, old): new
                for old, new in zip(there, places.get(key, ()), strict=False)
            }
        found: dict[int, list[int]] = {}
        for edge, target in self._connection.execute(
            "SELECT e.id, e.target FROM node n JOIN edge e ON e.target = n.id"
            " WHERE n.document = ?1 AND e.document <> ?1",
            (document,),
        ):
            if target in moved:
                found.setdefault(moved[target], []).append(edge)
        return changed, found

    def lead(self, document: int, leading: "dict[int, list[int]]") -> None:
        """Lets edges from other files lead to the new version of a document."""
        self._connection.executemany(
            "UPDATE edge SET target = ? WHERE id = ?",
            [(node_id(document, place), one) for place, some in leading.items() for one in some],
        )

    def unresolve(self, project: int, lookups: "Iterable[int]") -> None:
        """Lets the documents of a project wait for which a lookup may have another answer now."""
        sought = Sought({*lookups})
        self._connection.execute(f"{_WAITS} confidence > 0)")
        if not sought:
            return
        found = self._connection.execute(
            "SELECT l.document, l.keys FROM lookups l JOIN outline o ON o.document = l.document"
            " JOIN document d ON d.id = l.document WHERE d.project = ? AND o.resolved = 1",
            (project,),
        )
        waiting = [(document,) for document, keys in found if sought.among(keys)]
        self._connection.executemany("UPDATE outline SET resolved = 0 WHERE document = ?", waiting)

    def put(self, document: int, path: str, outline: "Outline", before: "Iterable[str]") -> None:
        """Stores what a new document's outline defines; `before`: the names of its previous version.

        Its edges are pending until they are resolved, and so are those of others that may lead here now.
        """
        packed = zlib.compress(outline.packed().encode(), 6)
        self._connection.execute(
            "INSERT INTO outline VALUES (?, ?, ?, 0)", (document, RULES, packed)
        )
        stem = os.path.basename(path).partition(".")[0]
        folder = os.path.basename(os.path.dirname(path))
        last = max((one.end_line for one in outline.definitions), default=1)
        nodes = [(node_id(document, MODULE), document, "file", stem, "", 1, last)]
        for index, one in enumerate(outline.definitions):
            lines = (one.start_line, one.end_line)
            qualified = outline.qualified(index)
            nodes.append(
                (node_id(document, index), document, one.kind, one.name, qualified, *lines)
            )
        self._connection.executemany("INSERT INTO node VALUES (?, ?, ?, ?, ?, ?, ?)", nodes)
        names = {stem, folder, *(one.name for one in outline.definitions)}
        # Spellings of the same link count as equal.
        names |= {_note_tail(one.name) for one in outline.bindings if outline.language == NOTE}
        every = names | {_note_tail(stem)}
        names = every - set(before)
        # A deleted name may make another unambiguous.
        for some in _some(sorted(every ^ set(before))):
            marks = ", ".join("?" * len(some))
            self._connection.execute(f"{_WAITS} tail IN ({marks})) {_UNKNOWN}", some)
        for some in _some(sorted(names)):
            marks = ", ".join("?" * len(some))
            self._connection.execute(f"{_TWINS} ({marks})) {_UNKNOWN}", some)
        if self._connection.execute("SELECT 1 FROM scip LIMIT 1").fetchone():
            # Line numbers may now identify one of several definitions of a name.
            for some in _some(sorted(every)):
                marks = ", ".join("?" * len(some))
                waiting = f"{_WAITS} tail IN ({marks}) AND document IN (SELECT document FROM scip))"
                self._connection.execute(waiting, some)

    def waiting(self) -> dict[int, list[int]]:
        """The documents whose edges are to be resolved, by project."""
        found: dict[int, list[int]] = {}
        for project, document in self._connection.execute(
            "SELECT d.project, o.document FROM outline o JOIN document d ON d.id = o.document"
            " WHERE o.resolved = 0 ORDER BY o.document"
        ):
            found.setdefault(project, []).append(document)
        return found

    def undrawn(self) -> list[tuple[int, str, bytes, str]]:
        """Files without an outline of the current version: document, path, hash and reader."""
        return list(
            self._connection.execute(
                "SELECT d.id, d.path, d.hash, d.source FROM document d"
                " LEFT JOIN outline o ON o.document = d.id"
                " WHERE d.session = '' AND o.version IS NOT ?",
                (RULES,),
            )
        )

    def forget(self, document: int | None = None) -> None:
        """Deletes the outline, nodes and edges of a document, or of all."""
        where = "" if document is None else " WHERE document = ?"
        for table in ("edge", "node", "lookups", "outline"):
            values = () if document is None else (document,)
            self._connection.execute(f"DELETE FROM {table}{where}", values)

    def paths(self, project: int, *, code: bool) -> dict[int, str]:
        """The path of each document of a project that has an outline: of `code`, or of any file."""
        return dict(
            self._connection.execute(
                "SELECT d.id, d.path FROM outline o JOIN document d ON d.id = o.document"
                " WHERE d.project = ?1 AND (?2 = 0 OR d.source = 'code')",
                (project, code),
            )
        )

    def outline(self, document: int, *, uses: bool = True) -> Outline | None:
        """The outline of a document; None if there is none, or it cannot be read.

        Without `uses` only its base classes are told of them.
        """
        row = self._connection.execute(
            "SELECT text FROM outline WHERE document = ?", (document,)
        ).fetchone()
        try:
            return Outline.unpacked(zlib.decompress(row[0]).decode(), uses=uses) if row else None
        except (ValueError, zlib.error, TypeError):
            return None

    def resolve(self, document: int, edges: "Sequence[Edge]", lookups: bytes | None) -> None:
        """Replaces a document's edges, and what resolving them asked of others, if that is known."""
        known = self._connection.execute(
            "UPDATE outline SET resolved = 1 WHERE document = ? RETURNING 1", (document,)
        ).fetchone()
        if known is None:
            return
        self._connection.execute("DELETE FROM edge WHERE document = ?", (document,))
        self._connection.execute("DELETE FROM lookups WHERE document = ?", (document,))
        if lookups is not None:
            values = (document, lookups)
            self._connection.execute("INSERT INTO lookups VALUES (?, ?)", values)
        self._connection.executemany(
            "INSERT INTO edge (document, source, target, kind, name, tail, origin, confidence, line,"
            ' "column", count) VALUES (?, ?, (SELECT id FROM node WHERE id = ?), ?, ?, ?, ?, ?, ?, ?, ?)',
            [_edge_row(document, one) for one in edges],
        )

    def put_scip(self, document: int, text: bytes) -> None:
        """Stores a SCIP index of a document's names; its edges are pending then."""
        self._connection.execute("INSERT OR REPLACE INTO scip VALUES (?, ?)", (document, text))
        self._connection.execute("UPDATE outline SET resolved = 0 WHERE document = ?", (document,))

    def scip_index(self, document: int) -> bytes | None:
        """The SCIP index of a document's names, if there is one."""
        row = self._connection.execute("SELECT text FROM scip WHERE document = ?", (document,))
        found = row.fetchone()
        return None if found is None else bytes(found[0])

    def at(self, path: str, name: str, projects: "Sequence[str] | None") -> list[Node]:
        """The nodes at a path or path suffix, with a qualified name or its suffix.

        Without a path in any file, without a name the files.
        """
        where, values = [], []
        if path:
            where.append("(d.path = ? OR substr(d.path, -length(?)) = ?)")
            values += [path, os.sep + path, os.sep + path]
        if name:
            last = name.rpartition(".")[2]
            where.append("n.name = ? AND (n.qualified = ? OR substr(n.qualified, -length(?)) = ?)")
            values += [last, name, "." + name, "." + name]
            where.append("n.kind != 'file'")
        else:
            # Nodes of files are named by what precedes the first dot.
            where.append("n.kind = 'file' AND n.name = ?")
            values.append(os.path.basename(path).partition(".")[0])
        if projects is not None:
            marks = ", ".join("?" * len(projects))
            where.append(f"d.project IN (SELECT id FROM project WHERE uid IN ({marks}))")
            values += projects
        found = self._connection.execute(
            f"{_NODE} WHERE {' AND '.join(where)} ORDER BY d.path, n.id LIMIT 200", values
        )
        return [Node(*row) for row in found]

    def within(self, node: int) -> list[int]:
        """A node with all its members."""
        index = node & _INDEX
        document = node >> INDEX_BITS
        if not index:
            found = self._connection.execute("SELECT id FROM node WHERE document = ?", (document,))
        else:
            found = self._connection.execute(
                "SELECT i.id FROM node n JOIN node i ON i.document = n.document AND (i.id = n.id"
                " OR (i.kind != 'file' AND substr(i.qualified, 1, length(n.qualified) + 1)"
                " = n.qualified || '.')) WHERE n.id = ?",
                (node,),
            )
        return [id for (id,) in found]

    def called(self, name: str, project: int) -> list[Node]:
        """The definitions of a project with a name, or whose qualified name ends in it."""
        found = self._connection.execute(
            f"{_NODE} WHERE d.project = ?1 AND n.name = ?2 AND n.kind <> 'file' AND"
            " (n.qualified = ?3 OR substr(n.qualified, -length(?3) - 1) = '.' || ?3)"
            " ORDER BY d.path, n.id LIMIT 20",
            (project, name.rpartition(".")[2], name),
        )
        return [Node(*row) for row in found]

    def functions(self, name: str, project: int) -> list[tuple[int, int]]:
        """The functions and methods of a name in a project's code: document and place in its outline.

        Of a name that very many have, only some.
        """
        found = self._connection.execute(
            "SELECT n.id FROM node n JOIN document d ON d.id = n.document"
            " WHERE n.name = ?1 AND d.project = ?2 AND d.source = 'code'"
            " AND n.kind IN ('function', 'method') ORDER BY n.id LIMIT ?3",
            (name, project, _MOST_NAMED),
        )
        return [(document_of(node), index_of(node)) for (node,) in found]

    def holders(self, nodes: "Sequence[int]") -> dict[int, int]:
        """The container of each definition: a class, a function, a module, or the file."""
        found: dict[int, int] = {}
        for some in _some([one for one in nodes if one & _INDEX]):
            marks = ", ".join("?" * len(some))
            found.update(
                self._connection.execute(
                    "SELECT n.id, coalesce((SELECT p.id FROM node p WHERE p.id < n.id"
                    f" AND p.id > n.id - (n.id & {_INDEX}) AND p.kind <> 'constant'"
                    " AND p.qualified || '.' || n.name = n.qualified ORDER BY p.id DESC LIMIT 1),"
                    f" n.id - (n.id & {_INDEX})) FROM node n WHERE n.id IN ({marks})",
                    some,
                )
            )
        return found

    def folders(self, end: str, projects: "Sequence[str] | None") -> list[str]:
        """The outermost folders with outlined files whose path is `end` or ends in it."""
        part = os.path.join(os.sep, end, "")
        where, values = "", [part]
        if projects is not None:
            marks = ", ".join("?" * len(projects))
            where = f" AND d.project IN (SELECT id FROM project WHERE uid IN ({marks}))"
            values += projects
        found = self._connection.execute(
            "SELECT DISTINCT substr(d.path, 1, instr(d.path, ?1) + length(?1) - 2)"
            " FROM document d JOIN outline o ON o.document = d.id"
            f" WHERE instr(d.path, ?1) > 0{where} ORDER BY 1 LIMIT 200",
            values,
        )
        return [folder for (folder,) in found]

    def below(self, folder: str, projects: "Sequence[str] | None") -> list[int]:
        """The outlined documents in a folder and below it."""
        where, values = "", [os.path.join(folder, ""), os.path.join(folder, "\U0010ffff")]
        if projects is not None:
            marks = ", ".join("?" * len(projects))
            where = f" AND d.project IN (SELECT id FROM project WHERE uid IN ({marks}))"
            values += projects
        found = self._connection.execute(
            "SELECT d.id FROM document d JOIN outline o ON o.document = d.id"
            f" WHERE d.path > ? AND d.path < ?{where} ORDER BY d.path",
            values,
        )
        return [id for (id,) in found]

    def edges(
        self, nodes: "Sequence[int]", *, into: bool, kind: str | None = None
    ) -> list[tuple[int, int, str, str, float, int, int, int]]:
        """The resolved edges into some nodes, or out of them; of one kind if given.

        Source, target, kind, origin, confidence, line, column and count.
        """
        column = "target" if into else "source"
        where = "" if kind is None else " AND kind = ?"
        found: list[Any] = []
        for some in _some(nodes):
            marks = ", ".join("?" * len(some))
            found += self._connection.execute(
                'SELECT source, target, kind, origin, confidence, line, "column", count FROM edge'
                f" WHERE {column} IN ({marks}) AND target IS NOT NULL{where}",
                some if kind is None else (*some, kind),
            )
        return found

    def links(self, document: int, first: int, last: int, most: int) -> list[Linking]:
        """Links in some lines of a document, then links to the document; each list is limited."""
        found = self._connection.execute(
            "SELECT coalesce(d.path, ''), e.name, e.line FROM edge e LEFT JOIN node n ON n.id = e.target"
            " LEFT JOIN document d ON d.id = n.document WHERE e.document = ? AND e.kind = 'links'"
            " AND e.line BETWEEN ? AND ? ORDER BY e.line, e.id LIMIT ?",
            (document, first, last, most),
        )
        out = [Linking(path, line, outward=True, name=name) for path, name, line in found]
        leading = self._connection.execute(
            "SELECT d.path, e.line FROM edge e JOIN document d ON d.id = e.document"
            " WHERE e.target = ? AND e.kind = 'links' ORDER BY d.path, e.line LIMIT ?",
            (node_id(document, MODULE), most),
        )
        return out + [Linking(path, line, outward=False) for path, line in leading]

    def unresolved(self, nodes: "Sequence[int]") -> dict[str, int]:
        """The unresolved names in some nodes, with the number of occurrences."""
        found: dict[str, int] = {}
        for some in _some(nodes):
            marks = ", ".join("?" * len(some))
            for name, count in self._connection.execute(
                f"SELECT name, sum(count) FROM edge WHERE source IN ({marks}) AND target IS NULL"
                " GROUP BY name",
                some,
            ):
                found[name] = found.get(name, 0) + count
        return found

    def nodes(self, ids: "Sequence[int]") -> dict[int, Node]:
        """Nodes by their ids."""
        found: dict[int, Node] = {}
        for some in _some(ids):
            marks = ", ".join("?" * len(some))
            for row in self._connection.execute(f"{_NODE} WHERE n.id IN ({marks})", some):
                found[row[0]] = Node(*row)
        return found

    def states(self, documents: "Sequence[int]") -> dict[int, tuple[str, int, int]]:
        """Path, size and modified time (UTC milliseconds) of documents, as they were indexed."""
        found: dict[int, tuple[str, int, int]] = {}
        for some in _some(documents):
            marks = ", ".join("?" * len(some))
            for id, path, size, modified in self._connection.execute(
                f"SELECT id, path, size, modified FROM document WHERE id IN ({marks})", some
            ):
                found[id] = (path, size, modified)
        return found


def names_of(connection: "apsw.Connection", project: int, path: str) -> list[str]:
    """The names that a document defines."""
    found = connection.execute(
        "SELECT n.name FROM node n JOIN document d ON d.id = n.document"
        " WHERE d.project = ? AND d.path = ?",
        (project, path),
    )
    return [name for (name,) in found]


def unresolve_notes(connection: "apsw.Connection", path: str, names: "Iterable[str]") -> None:
    """Lets documents wait that named a deleted one, or may now mean the only one of these names."""
    for some in _some([_note_tail(path), *names]):
        marks = ", ".join("?" * len(some))
        connection.execute(f"{_WAITS} tail IN ({marks})) {_UNKNOWN}", some)


def lookups_of(path: str, names: "Iterable[str]", module: str = "") -> "Iterator[int]":
    """The lookups that may find, or not find, what a file defines by these names."""
    folder = os.path.dirname(path)
    for name in names:
        yield lookup(path, name)
        yield lookup(folder, name)
        yield lookup(FUNCTIONS, name)
        if module:
            yield lookup(module, name)


def lookups_for(path: str, module: str = "") -> "set[int]":
    """The lookups that may find, or not find, a file."""
    stem = os.path.basename(path).partition(".")[0]
    folder = os.path.basename(os.path.dirname(path))
    return {lookup(FILES, name) for name in (stem, folder, module) if name}


def _places(outline: "Outline") -> "dict[tuple[str, str], list[int]]":
    """The places of the definitions of an outline, by kind and qualified name."""
    found: dict[tuple[str, str], list[int]] = {}
    for place, one in enumerate(outline.definitions):
        found.setdefault((one.kind, outline.qualified(place)), []).append(place)
    return found


def _note_tail(target: str) -> str:
    """The key by which the target of a link is found: its file name without extension, or an alias."""
    return os.path.basename(target.rstrip("/")).partition(".")[0].lower()


def _edge_row(document: int, one: Edge) -> "tuple[Any, ...]":
    target = None if one.target is None else node_id(*one.target)
    tail = one.name.replace("/", ".").rpartition(".")[2]
    said = (one.name, one.tail or (_note_tail(one.name) if one.kind == LINKS else tail))
    where = (one.line, one.column, one.count)
    source = node_id(document, one.source)
    return (document, source, target, one.kind, *said, one.origin, one.confidence, *where)


def _some(values: "Sequence[Any]") -> "Iterable[Sequence[Any]]":
    return (values[at : at + _AT_ONCE] for at in range(0, len(values), _AT_ONCE))
