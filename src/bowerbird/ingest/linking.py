"""What a note leads to and names, as an outline that is kept beside it, and as the edges of it."""

import os

from bowerbird.core.graph import DOCUMENTS, RULE, Edge, document_of, place_of
from bowerbird.core.outline import LINKS, MODULE, NOTE, Binding, Outline, Use
from bowerbird.core.places import is_test
from bowerbird.ingest.links import Link, Notes
from bowerbird.ingest.mentions import mentions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bowerbird.core.graph import Node
    from bowerbird.ingest.sources.reading import Reading

    # The definitions of a name, or of the end of a qualified one.
    Called = Callable[[str], Sequence[Node]]

# How a target that names a note from anywhere is told from a path.
_OPEN, _CLOSE = "[[", "]]"
_ALIAS = "alias"
# How sure it is that a name means the one definition that is called so.
_BY_NAME = 0.9


def outline_of(reading: "Reading", source: str) -> Outline | None:
    """What a file says of itself: code as it was drawn, else what it leads to and its other names.

    None for a conversation, and for a collection: nothing leads to those by their paths.
    """
    if reading.outline is not None:
        return reading.outline
    if reading.session:
        return None
    uses = [Use(MODULE, _written(one), LINKS, one.line, 0) for one in reading.links]
    uses += mentions(reading.pieces, source)
    names = [Binding(MODULE, alias, "", MODULE, _ALIAS) for alias in reading.aliases]
    return Outline(NOTE, bindings=names, uses=uses)


def _written(link: Link) -> str:
    return f"{_OPEN}{link.target}{_CLOSE}" if link.wiki else link.target


class Linking:
    """The notes of one project, and which of its documents their links mean."""

    def __init__(
        self,
        paths: "Mapping[int, str]",
        outline: "Callable[[int], Outline | None]",
        called: "Called",
    ) -> None:
        """`paths` are those of all documents, whatever they are."""
        self._paths = paths
        self._called = called
        self._outline = outline
        self._documents = {path: document for document, path in paths.items()}
        aliases = {path: self._aliases(document) for document, path in paths.items()}
        self._notes = Notes(paths.values(), {path: some for path, some in aliases.items() if some})

    def _aliases(self, document: int) -> "Sequence[str]":
        outline = self._outline(document)
        if outline is None or outline.language != NOTE:
            return ()
        return [one.name for one in outline.bindings if one.how == _ALIAS]

    def edges(self, document: int) -> list[Edge]:
        """The edges from a note, one a target; one without leads to nothing that is indexed."""
        outline = self._outline(document)
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
            place = (self._documents[meant], MODULE) if meant else None
            if place is not None and place[0] == document:
                continue
            key = meant or use.chain
            if key in found:
                found[key].count += 1
            else:
                sure = 1.0 if meant else 0.0
                found[key] = Edge(MODULE, place, LINKS, target, RULE, sure, use.line, use.column)
        return list(found.values())

    def _named(self, document: int, use: Use, found: "dict[str, Edge]") -> None:
        """What a note names in backticks, or by a path: the one file or definition that this means."""
        path, is_file, name = use.chain.partition(":")
        home = self._file(document, path) if is_file else None
        place = (home, MODULE) if home is not None else None
        if name or not is_file:
            wanted = name or path
            place = self._definition(wanted, home) if not is_file or home is not None else None
        if place is not None and place[0] == document:
            return
        key = f"{DOCUMENTS} {place or use.chain}"
        if key in found:
            found[key].count += 1
            return
        sure = 0.0 if place is None else 1.0 if is_file else _BY_NAME
        said = (use.line, use.column)
        edge = Edge(MODULE, place, DOCUMENTS, use.chain.rstrip(":"), RULE, sure, *said)
        # By what is waited for: the file's name without endings, or the last name.
        stem = os.path.basename(path).partition(".")[0].lower()
        edge.tail = name.rpartition(".")[2] or (stem if is_file else path.rpartition(".")[2])
        found[key] = edge

    def _file(self, document: int, path: str) -> int | None:
        link = Link(path.removeprefix("./"), "", 0, wiki=True, embeds=False)
        meant = self._notes.meant(link, self._paths[document])
        return self._documents.get(meant)

    def _definition(self, name: str, home: int | None) -> "tuple[int, int] | None":
        """The one definition of a name; of several the one that is not in a test."""
        nodes = [one for one in self._called(name) if home in (None, document_of(one.id))]
        if len({(one.path, one.name) for one in nodes}) > 1:
            nodes = [one for one in nodes if not is_test(one.path)]
        if len({(one.path, one.name) for one in nodes}) != 1:
            return None
        return document_of(nodes[0].id), place_of(nodes[0].id)
