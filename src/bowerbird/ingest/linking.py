"""Creates the outline of a note, its links and mentions of code, and resolves it to edges."""

import os

from bowerbird.core.graph import DOCUMENTS, RULE, Edge, document_of, index_of
from bowerbird.core.outline import LINKS, MODULE, NOTE, Binding, Outline, Use
from bowerbird.host.places import is_test
from bowerbird.ingest.links import Link, Notes
from bowerbird.ingest.mentions import mentions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from typing import Protocol

    from bowerbird.core.graph import Node
    from bowerbird.ingest.sources.reading import Reading

    # Returns the definitions of a name, or of the last part of a qualified one.
    Called = Callable[[str], Sequence[Node]]

    class Outlines(Protocol):
        """Reads the outline of a document, or what of it is not uses."""

        def __call__(self, document: int, *, uses: bool) -> Outline | None:
            """The outline; None if there is none."""
            ...


# Mark a target that names a note anywhere, in contrast to a path.
_OPEN = "[["
_CLOSE = "]]"
_ALIAS = "alias"
# Confidence that a name means the only definition with that name.
_BY_NAME = 0.9


def outline_of(reading: "Reading", source: str) -> Outline | None:
    """The outline of a file: of code its structure, else its links and aliases.

    None for a conversation or a collection, which cannot be linked to by path.
    """
    if reading.outline is not None:
        return reading.outline
    if reading.session:
        return None
    uses = [Use(MODULE, _written(one), LINKS, one.line, 0, MODULE) for one in reading.links]
    uses += mentions(reading.pieces, source)
    names = [Binding(MODULE, alias, "", MODULE, _ALIAS) for alias in reading.aliases]
    return Outline(NOTE, bindings=names, uses=uses)


def _written(link: Link) -> str:
    return f"{_OPEN}{link.target}{_CLOSE}" if link.wiki else link.target


class Linking:
    """The notes of one project, and to which documents their links resolve."""

    def __init__(
        self,
        paths: "Mapping[int, str]",
        code: "Collection[int]",
        outline: "Outlines",
        called: "Called",
    ) -> None:
        """`paths` are the paths of all documents of the project, `code` those that are no notes."""
        self._paths = paths
        self._called = called
        self._outline = outline
        self._documents = {path: document for document, path in paths.items()}
        aliases = {
            path: self._aliases(document)
            for document, path in paths.items()
            if document not in code
        }
        self._notes = Notes(paths.values(), {path: some for path, some in aliases.items() if some})

    def _aliases(self, document: int) -> "Sequence[str]":
        outline = self._outline(document, uses=False)
        if outline is None or outline.language != NOTE:
            return ()
        return [one.name for one in outline.bindings if one.how == _ALIAS]

    def edges(self, document: int) -> list[Edge]:
        """The edges of a note, one for each target; an edge without a target leads to nothing indexed."""
        outline = self._outline(document, uses=True)
        found: dict[str, Edge] = {}
        for use in outline.uses if outline is not None else ():
            if use.kind == DOCUMENTS:
                self._named(document, use, found)
            if use.kind != LINKS:
                continue
            wiki = use.chain.startswith(_OPEN)
            target = use.chain.removeprefix(_OPEN).removesuffix(_CLOSE) if wiki else use.chain
            link = Link(target, "", use.line, wiki=wiki, embeds=False)
            meant = self._notes.meant(link, self._paths[document])
            found_at = (self._documents[meant], MODULE) if meant else None
            if found_at is not None and found_at[0] == document:
                continue
            key = meant or use.chain
            if key in found:
                found[key].count += 1
            else:
                sure = 1.0 if meant else 0.0
                found[key] = Edge(MODULE, found_at, LINKS, target, RULE, sure, use.line, use.column)
        return list(found.values())

    def _named(self, document: int, use: Use, found: "dict[str, Edge]") -> None:
        """Adds edges for a name in backticks, or a path, that resolves to one file or definition."""
        path, is_file, name = use.chain.partition(":")
        home = self._file(document, path) if is_file else None
        found_at = (home, MODULE) if home is not None else None
        if name or not is_file:
            wanted = name or path
            found_at = self._definition(wanted, home) if not is_file or home is not None else None
        if found_at is not None and found_at[0] == document:
            return
        key = f"{DOCUMENTS} {found_at or use.chain}"
        if key in found:
            found[key].count += 1
            return
        sure = 0.0 if found_at is None else 1.0 if is_file else _BY_NAME
        said = (use.line, use.column)
        edge = Edge(MODULE, found_at, DOCUMENTS, use.chain.rstrip(":"), RULE, sure, *said)
        # Unresolved edges are stored by the file's name without extensions, or by the last name.
        stem = os.path.basename(path).partition(".")[0].lower()
        edge.tail = name.rpartition(".")[2] or (stem if is_file else path.rpartition(".")[2])
        found[key] = edge

    def _file(self, document: int, path: str) -> int | None:
        link = Link(path.removeprefix("./"), "", 0, wiki=True, embeds=False)
        meant = self._notes.meant(link, self._paths[document])
        return self._documents.get(meant)

    def _definition(self, name: str, home: int | None) -> "tuple[int, int] | None":
        """The only definition of a name; of several the only one outside of tests."""
        nodes = [one for one in self._called(name) if home in (None, document_of(one.id))]
        if len({(one.path, one.name) for one in nodes}) > 1:
            nodes = [one for one in nodes if not is_test(one.path)]
        if len({(one.path, one.name) for one in nodes}) != 1:
            return None
        return document_of(nodes[0].id), index_of(nodes[0].id)
