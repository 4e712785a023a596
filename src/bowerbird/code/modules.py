"""Resolves module names to files, for each language."""

import os
import sys

from bowerbird.core.lookups import FILES
from bowerbird.core.outline import MODULE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.code.files import File, World

# Languages whose files declare a package, in which they see each other's names.
PACKAGED = frozenset(("java", "csharp", "kotlin", "php", "scala"))
# Languages in which the files of a folder see each other's names, and their suffix.
TOGETHER = {"go": ".go", "swift": ".swift"}
# What may follow a path by which a file requires another.
_REQUIRED_ENDS = {
    "bash": ("", ".sh"),
    "lua": (".lua", "/init.lua"),
    "php": ("",),
    "ruby": ("", ".rb"),
}
_LINKED = frozenset(("c", "cpp"))
# Folders that projects install their modules from.
_SOURCES = frozenset(("src", "lib", "python", "source"))
_PYTHON_ENDS = (".py", ".pyi")
_SCRIPT_ENDS = (".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
# Imports name the compiled file; these are the extensions of its source.
_COMPILED = {".js": (".ts", ".tsx"), ".jsx": (".tsx",), ".mjs": (".mts",), ".cjs": (".cts",)}


def module_of(world: "World", file: "File", name: str) -> int | None:
    """The document that a module name means in a file; None if it is not in the project."""
    by_language = {
        "python": _python,
        "script": _script,
        "c": _included,
        "cpp": _included,
        "rust": _rust,
        **dict.fromkeys(_REQUIRED_ENDS, _required),
    }
    world.ask(FILES, name.rpartition("/")[2].strip(".").rpartition(".")[2])
    if "/" in name:
        world.ask(FILES, name.rpartition("/")[2].partition(".")[0])
    find = by_language.get(file.outline.language)
    return find(world, file, name) if find is not None else None


def package_of(world: "World", file: "File", name: str) -> list[int]:
    """The documents of a package, by its name, in languages that have this."""
    if file.outline.language in PACKAGED:
        world.ask(FILES, name)
        return world.modules.get(name, [])
    if file.outline.language != "go":
        return []
    world.ask(FILES, name.rpartition("/")[2])
    ways = world.aliases(file.path, name)
    if ways:
        found = [one for way in ways for one in world.folders.get(way, ())]
        return [one for one in found if _is_go_source(world.paths[one])]
    last = name.rpartition("/")[2]
    best: list[int] = []
    longest = 0
    for folder, documents in world.folders.items():
        if os.path.basename(folder) != last or not any(
            world.paths[one].endswith(".go") for one in documents
        ):
            continue
        same = _same_end(folder.split(os.sep), name.split("/"))
        # A package of the standard library has a name of one part and no folder in the project.
        if same > longest and (same > 1 or "." in name.partition("/")[0]):
            best, longest = documents, same
    return [one for one in best if _is_go_source(world.paths[one])]


def _is_go_source(path: str) -> bool:
    """Test files belong to a package but are not visible to those that import it."""
    return path.endswith(".go") and not path.endswith("_test.go")


def linked(world: "World", file: "File", name: str) -> "tuple[int, int] | None":
    """The function of another file that a C or C++ file means by a name which a header declares.

    A linker finds it by its name alone; of several (of tests, platforms or programs beside each other) it
    is the one whose file is called like a header that is included, else none.
    """
    if file.outline.language not in _LINKED:
        return None
    found = []
    for document, index in world.functions(name):
        other = world.file(document)
        if other is not None and other.outline.language in _LINKED:
            one = other.outline.definitions[index]
            if one.parent == MODULE and one.kind == "function" and "static" not in one.traits:
                found.append((document, index))
    if len(found) > 1:
        stems = {star.module.rpartition("/")[2].partition(".")[0] for star in file.stars}
        found = [
            one for one in found if os.path.basename(world.paths[one[0]]).partition(".")[0] in stems
        ]
    return found[0] if len(found) == 1 else None


def siblings(world: "World", file: "File") -> list[int]:
    """The documents whose names are visible in a file without an import."""
    end = TOGETHER.get(file.outline.language)
    if end is not None:
        return [
            one
            for one in world.folders.get(file.folder, ())
            if one != file.document and world.paths[one].endswith(end)
        ]
    if file.outline.language in PACKAGED and file.outline.module:
        return [one for one in world.modules.get(file.outline.module, ()) if one != file.document]
    return []


def submodule(world: "World", file: "File", name: str) -> int | None:
    """The document of a module or package inside a Python package; None if there is none."""
    if file.stem != "__init__":
        return None
    world.ask(FILES, name)
    return _python_at(world, os.path.join(file.folder, name))


def above(world: "World", file: "File", base: str) -> list[int]:
    """The documents of this file name in the folder of a file and in those above it, nearest first."""
    world.ask(FILES, base.partition(".")[0])
    found, folder = [], file.folder
    while True:
        document = world.by_path.get(os.path.join(folder, base))
        if document is not None:
            found.append(document)
        outer = os.path.dirname(folder)
        if outer == folder:
            return found
        folder = outer


def _same_end(one: "list[str]", other: "list[str]") -> int:
    count = 0
    while count < min(len(one), len(other)) and one[-1 - count] == other[-1 - count]:
        count += 1
    return count


def _python_at(world: "World", way: str) -> int | None:
    for end in (*_PYTHON_ENDS, f"{os.sep}__init__.py", f"{os.sep}__init__.pyi"):
        found = world.by_path.get(way + end)
        if found is not None:
            return found
    return None


def _python(world: "World", file: "File", name: str) -> int | None:
    bare = name.lstrip(".")
    parts = bare.split(".") if bare else []
    if name.startswith("."):
        folder = file.folder
        for _ in range(len(name) - len(bare) - 1):
            folder = os.path.dirname(folder)
        if not parts:
            return world.by_path.get(os.path.join(folder, "__init__.py"))
        return _python_at(world, os.path.join(folder, *parts))
    best, closest = None, -1
    for document in world.by_stem.get(parts[-1], ()) if parts else ():
        path = world.paths[document]
        if not path.endswith(_PYTHON_ENDS):
            continue
        steps = path.rpartition(".")[0].split(os.sep)
        if steps[-1] == "__init__":
            steps.pop()
        if steps[-len(parts) :] != parts:
            continue
        root = os.sep.join(steps[: -len(parts)])
        # A package above the first name would be part of the import, so this is another module.
        if os.path.join(root, "__init__.py") in world.by_path:
            continue
        close = len(os.path.commonpath([root or os.sep, file.folder]))
        if close > closest and _is_importable(world, file, root, parts[0]):
            best, closest = document, close
    return best


def _is_importable(world: "World", file: "File", root: str, first: str) -> bool:
    """Whether a file can import what is below a folder by its first name alone.

    Python looks in the folder of what is run and in what is installed: a file `json.py` of another folder
    is neither, but a package may be installed, and tests add folders to the path.
    """
    if root == file.folder or (file.folder + os.sep).startswith(root.rstrip(os.sep) + os.sep):
        return True
    if first in sys.stdlib_module_names:
        return False
    is_module = any(os.path.join(root, first + end) in world.by_path for end in _PYTHON_ENDS)
    tests = file.stem.startswith("test_") or file.stem == "conftest"
    return not is_module or tests or os.path.basename(root) in _SOURCES


def _script(world: "World", file: "File", name: str) -> int | None:
    if name.startswith("."):
        return _script_at(world, os.path.normpath(os.path.join(file.folder, name)))
    for way in world.aliases(file.path, name):
        found = _script_at(world, os.path.normpath(way))
        if found is not None:
            return found
    return None


def _script_at(world: "World", way: str) -> int | None:
    stem, end = os.path.splitext(way)
    ways = [way, *(way + one for one in _SCRIPT_ENDS)]
    ways += [stem + one for one in _COMPILED.get(end, ())]
    ways += [os.path.join(way, "index" + one) for one in _SCRIPT_ENDS]
    return next((world.by_path[one] for one in ways if one in world.by_path), None)


def _included(world: "World", file: "File", name: str) -> int | None:
    near = world.by_path.get(os.path.normpath(os.path.join(file.folder, name)))
    if near is not None:
        return near
    steps = name.split("/")
    found = [
        one
        for one in world.by_stem.get(steps[-1].partition(".")[0], ())
        if world.paths[one].split(os.sep)[-len(steps) :] == steps
    ]
    return min(found, key=lambda one: len(world.paths[one])) if found else None


def _required(world: "World", file: "File", name: str) -> int | None:
    """The file that another one requires by its path: beside it, else wherever a path ends so."""
    if file.outline.language == "lua":
        name = name.replace(".", "/")
    for end in _REQUIRED_ENDS[file.outline.language]:
        found = _included(world, file, os.path.normpath(name + end).lstrip("./"))
        near = world.by_path.get(os.path.normpath(os.path.join(file.folder, name + end)))
        if near is not None or found is not None:
            return found if near is None else near
    return None


def _rust(world: "World", file: "File", name: str) -> int | None:
    parts = name.split(".")
    # The folder of a file's submodules.
    below = file.folder if file.stem in {"mod", "lib", "main"} else file.path.removesuffix(".rs")
    if parts[0] == "crate":
        folder = file.folder
        while os.path.basename(folder) not in {"src", ""}:
            folder = os.path.dirname(folder)
        parts = parts[1:]
        if not parts:
            roots = (os.path.join(folder, one) for one in ("lib.rs", "main.rs"))
            return next((world.by_path[one] for one in roots if one in world.by_path), None)
    elif parts[0] == "super":
        folder = os.path.dirname(below)
        parts = parts[1:]
    elif parts[0] == "self":
        folder, parts = below, parts[1:]
    else:
        folder = below
    way = os.path.join(folder, *parts)
    if not parts:
        return world.by_path.get(folder + ".rs") or world.by_path.get(
            os.path.join(folder, "mod.rs")
        )
    return world.by_path.get(way + ".rs") or world.by_path.get(os.path.join(way, "mod.rs"))
