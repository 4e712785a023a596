"""Which definitions belong to a class beside its own: impl blocks, and methods defined outside of it."""

from bowerbird.code.modules import siblings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.code.files import File, World


def parts_of(file: "File", index: int) -> "list[tuple[File, int]]":
    """The parts of a class: its definition and, in Rust, its impl blocks."""
    one = file.outline.definitions[index]
    parts = [(file, index)]
    if file.outline.language == "rust":
        same = file.definitions.get(one.parent, {}).get(one.name, ())
        parts += [(file, other) for other in same if other != index]
        # Inherent impls take precedence over trait impls.
        parts.sort(key=lambda part: bool(file.bases.get(part[1])))
    return parts


def beside(world: "World", file: "File", owner: int, name: str) -> "tuple[int, int] | None":
    """A method of Go or C++ defined outside of its type, in this file or one of the same package."""
    if file.outline.language not in {"go", "cpp"}:
        return None
    of = file.outline.definitions[owner].name
    together = siblings(world, file)
    if file.outline.language == "cpp":
        together = world.by_stem.get(file.stem, [])
    for document in (file.document, *together):
        other = world.file(document)
        for index, one in enumerate(other.outline.definitions if other is not None else ()):
            if one.name == name and one.traits.rpartition(".")[2].removeprefix("of ") == of:
                return document, index
    return None
