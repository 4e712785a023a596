"""Which definitions belong to a class beside its own: impl blocks, and methods defined outside of it."""

from bowerbird.code.modules import siblings
from bowerbird.core.outline import MODULE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.code.files import File, World


def parts_of(file: "File", index: int) -> "list[tuple[File, int]]":
    """The parts of a class: its definition and what extends it, in Rust its impl blocks."""
    one = file.outline.definitions[index]
    parts = [(file, index)]
    if file.outline.language in {"rust", "swift"}:
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
        if file.outline.definitions[owner].kind == "module":
            return _of_namespace(world, of, name)
    for document in (file.document, *together):
        other = world.file(document)
        for index, one in enumerate(other.outline.definitions if other is not None else ()):
            if one.name == name and one.traits.rpartition(".")[2].removeprefix("of ") == of:
                return document, index
    return None


def _of_namespace(world: "World", of: str, name: str) -> "tuple[int, int] | None":
    """The only function of a namespace of C++ with a name, in whichever file it is defined."""
    found = []
    for document, index in world.functions(name):
        other = world.file(document)
        if other is None or other.outline.language != "cpp":
            continue
        one = other.outline.definitions[index]
        outer = other.outline.definitions[one.parent].name if one.parent != MODULE else ""
        if of in {outer, one.traits.removeprefix("of ")}:
            found.append((document, index))
    return found[0] if len(found) == 1 else None
