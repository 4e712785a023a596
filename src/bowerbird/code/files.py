"""The files of one project for name resolution: outlines with their names indexed by scope."""

import os

from bowerbird.core.lookups import FUNCTIONS, lookup
from bowerbird.core.outline import KEY, MODULE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bowerbird.core.outline import Binding, Import, Outline, Use

# Languages in which members of the enclosing class are visible without a qualifier.
OPEN_CLASSES = frozenset(("java", "cpp", "c", "csharp", "kotlin", "ruby", "scala", "swift"))


class File:
    """One file's outline, with its names by scope."""

    def __init__(self, document: int, path: str, outline: "Outline") -> None:
        self.document = document
        self.path = path
        self.outline = outline
        self.folder, self.base = os.path.split(path)
        self.stem = self.base.partition(".")[0]
        self.definitions: dict[int, dict[str, list[int]]] = {}
        # What is in scope comes first.
        for index in sorted(range(len(outline.definitions)), key=self.is_key):
            one = outline.definitions[index]
            self.definitions.setdefault(one.parent, {}).setdefault(one.name, []).append(index)
        self._sort_imports()
        self.bindings: dict[int, dict[str, list[Binding]]] = {}
        for binding in outline.bindings:
            self.bindings.setdefault(binding.owner, {}).setdefault(binding.name, []).append(binding)
        self.bases: dict[int, list[str]] = {}
        for use in outline.uses:
            if use.kind == "inherits" and use.owner != MODULE:
                self.bases.setdefault(use.owner, []).append(use.chain)

    def _sort_imports(self) -> None:
        self.imports: dict[int, dict[str, Import]] = {}
        self.stars: list[Import] = []
        self.exports: dict[str, Import] = {}
        self.exported_stars: list[Import] = []
        for brought in self.outline.imports:
            if brought.local == "*":
                self.stars.append(brought)
            elif brought.local:
                self.imports.setdefault(brought.scope, {}).setdefault(brought.local, brought)
            if brought.exported == "*":
                self.exported_stars.append(brought)
            elif brought.exported:
                self.exports.setdefault(brought.exported, brought)

    def holder(self, scope: int) -> int:
        """The class that encloses a scope, or MODULE."""
        definitions = self.outline.definitions
        while scope != MODULE and definitions[scope].kind != "class":
            scope = definitions[scope].parent
        return scope

    def is_key(self, index: int) -> bool:
        """Whether a definition's name is not in scope around it."""
        return KEY in self.outline.definitions[index].traits.split()

    def constructs(self, owner: int, name: str) -> bool:
        """Whether a name is that of a constructor, in its class or outside: it refers to the class."""
        if self.outline.language not in OPEN_CLASSES:
            return False
        definitions = self.outline.definitions
        if (
            owner != MODULE
            and definitions[owner].kind == "class"
            and definitions[owner].name == name
        ):
            return True
        indexes = self.definitions.get(owner, {}).get(name, ())
        traits = [definitions[index].traits for index in indexes]
        return bool(traits) and all(
            one.startswith("of ") and one[3:].rpartition(".")[2] == name for one in traits
        )


class World:
    """All files of a project that have an outline; each is read when it is first requested."""

    def __init__(
        self,
        paths: "Mapping[int, str]",
        read: "Callable[[int], Outline | None]",
        aliases: "Callable[[str, str], list[str]]",
        named: "Callable[[str], list[tuple[int, int]]] | None" = None,
        heads: "Callable[[int], Outline | None] | None" = None,
    ) -> None:
        """`aliases` returns the paths that a module name stands for in the project's configuration.

        `named` returns the functions and methods of a name; without it all files are read for them.
        `heads` reads an outline whose uses are not needed, but for base classes.
        """
        self.paths = paths
        self.aliases = aliases
        self._read = read
        self._heads = heads or read
        self._files: dict[int, File | None] = {}
        self.by_path = {path: document for document, path in paths.items()}
        self.by_stem: dict[str, list[int]] = {}
        self.folders: dict[str, list[int]] = {}
        for document, path in paths.items():
            folder, base = os.path.split(path)
            self.folders.setdefault(folder, []).append(document)
            stem = base.partition(".")[0]
            if stem in {"__init__", "index", "mod"}:
                self.by_stem.setdefault(os.path.basename(folder), []).append(document)
            self.by_stem.setdefault(stem, []).append(document)
        self._modules: dict[str, list[int]] | None = None
        self._named = named
        self._functions: dict[str, list[tuple[int, int]]] | None = None if named is None else {}
        # What was asked while the current file is resolved.
        self.asked: set[int] = set()

    def ask(self, place: str, name: str) -> None:
        """Notes that what is resolved depends on a name at a place (`core.lookups`)."""
        self.asked.add(lookup(place, name))

    def file(self, document: int) -> File | None:
        """The file of a document, without its uses; None if its outline cannot be read."""
        if document not in self._files:
            self._take(document, self._heads(document))
        return self._files[document]

    def uses(self, document: int) -> "list[Use]":
        """The uses of names in a file: most of its outline, so they are read on request only."""
        outline = self._read(document)
        if document not in self._files:
            return self._take(document, outline)
        return outline.uses if outline is not None else []

    def _take(self, document: int, outline: "Outline | None") -> "list[Use]":
        path = self.paths.get(document)
        if outline is None or path is None:
            self._files[document] = None
            return []
        file = self._files[document] = File(document, path, outline)
        # The uses of 1,789 files of CPython's library would take 76 MB.
        file.outline = outline.replace(uses=[])
        return outline.uses

    @property
    def modules(self) -> "dict[str, list[int]]":
        """The documents that declare a package, by its name. Reads all files."""
        if self._modules is None:
            self._modules = {}
            for document in self.paths:
                file = self.file(document)
                if file is not None and file.outline.module:
                    self._modules.setdefault(file.outline.module, []).append(document)
        return self._modules

    def functions(self, name: str) -> "list[tuple[int, int]]":
        """The functions and methods of a name: documents and their places in the outlines."""
        self.ask(FUNCTIONS, name)
        if self._functions is None:
            self._functions = {}
            for document in self.paths:
                file = self.file(document)
                for index, one in enumerate(file.outline.definitions if file is not None else ()):
                    if one.kind in {"function", "method"}:
                        self._functions.setdefault(one.name, []).append((document, index))
        if self._named is not None and name not in self._functions:
            self._functions[name] = [one for one in self._named(name) if one[0] in self.paths]
        return self._functions.get(name, [])
