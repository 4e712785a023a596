"""What a note leads to, as an outline that is kept beside it, and as the edges that follow from that."""

from bowerbird.core.graph import RULE, Edge
from bowerbird.core.outline import LINKS, MODULE, NOTE, Binding, Outline, Use
from bowerbird.ingest.links import Link, Notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from bowerbird.ingest.sources.reading import Reading

# How a target that names a note from anywhere is told from a path.
_OPEN, _CLOSE = "[[", "]]"
_ALIAS = "alias"


def outline_of(reading: "Reading") -> Outline | None:
    """What a file says of itself: code as it was drawn, else what it leads to and its other names.

    None for a conversation, and for a collection: nothing leads to those by their paths.
    """
    if reading.outline is not None:
        return reading.outline
    return None if reading.session else noted(reading.links, reading.aliases)


def noted(links: "Iterable[Link]", aliases: "Iterable[str]" = ()) -> Outline:
    """The outline of a note."""
    uses = [Use(MODULE, _written(one), LINKS, one.line, 0) for one in links]
    names = [Binding(MODULE, alias, "", MODULE, _ALIAS) for alias in aliases]
    return Outline(NOTE, bindings=names, uses=uses)


def _written(link: Link) -> str:
    return f"{_OPEN}{link.target}{_CLOSE}" if link.wiki else link.target


class Linking:
    """The notes of one project, and which of its documents their links mean."""

    def __init__(
        self, paths: "Mapping[int, str]", outline: "Callable[[int], Outline | None]"
    ) -> None:
        """`paths` are those of all documents, whatever they are."""
        self._paths = paths
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
