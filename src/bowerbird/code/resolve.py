"""Resolves chains of names through scopes, imports, classes and known types.

A value is a tuple: ``("module", document)``, ``("def", document, place, receiver)``, ``("instance",
document, place)`` of a class, ``("object", document, scope, name)`` of a literal in JavaScript,
``("several", value)`` for a container, ``("either", values)`` for one of several, ``("outside",
name)`` for a name of another project, or ``("fixtures", document, scope)`` for what pytest passes to a
function. None is an unresolved name.
"""

import os

from bowerbird.code.files import OPEN_CLASSES
from bowerbird.code.imports import MOST_STEPS, Imports
from bowerbird.code.modules import above, siblings
from bowerbird.core.outline import GIVES, HOLDERS, KEYS, MODULE, TESTED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from bowerbird.code.files import File, World
    from bowerbird.core.outline import Binding

    Value = tuple[Any, ...]

# Methods that return one item of a container.
_TAKES_ONE = frozenset(
    ("get", "pop", "at", "setdefault", "shift", "find", "__enter__", "first", "last")
)
_GIVES_SEVERAL = frozenset(("values", "copy", "filter", "slice", "reverse", "iter", "concat"))


class Resolver:
    """Resolves chains in one project; the results are cached."""

    def __init__(self, world: "World") -> None:
        self.world = world
        self.imports = Imports(world, self)
        self._looked: dict[tuple[int, int, str], Value | None] = {}
        # What finding it asked of files, where it asked anything.
        self._asked: dict[tuple[int, int, str], frozenset[int]] = {}
        self._open: set[tuple[Any, ...]] = set()

    def follow(self, file: "File", scope: int, chain: str, steps: int = 0) -> "Value | None":
        """The value of a chain in a scope of a file; None if it is unresolved."""
        if steps > MOST_STEPS or not chain or chain[-1] == "=":
            return None
        names = chain.split(".")
        value: Value | None = None
        for count, written in enumerate(names):
            name = written.partition("(")[0].partition("[")[0]
            if count == 0:
                value = self._first(file, scope, name, steps)
            else:
                value = self.member(value, name, steps + 1) if value is not None else None
            marks = written[len(name) :]
            if count == 0 and name == "super" and marks.startswith("()"):
                marks = marks[2:]
            while marks:
                if value is None:
                    return None
                value = self.call(value, steps + 1) if marks[0] == "(" else _one(value)
                marks = marks[2:]
            if value is None:
                return None
            if count < len(names) - 1:
                value = self._read(value, steps)
        return value

    def _read(self, value: "Value", steps: int) -> "Value | None":
        """The value that is read from a property or constant; others are returned as is."""
        if value[0] == "def":
            file = self.world.file(value[1])
            if file is not None and "property" in file.outline.definitions[value[2]].traits:
                return self.call(value, steps + 1)
            if file is not None and file.outline.definitions[value[2]].kind == "constant":
                return self._constant(file, value[2], steps)
        return value

    def _constant(self, file: "File", index: int, steps: int) -> "Value | None":
        one = file.outline.definitions[index]
        return self._bound(file, one.parent, one.name, steps)

    def _first(self, file: "File", scope: int, name: str, steps: int) -> "Value | None":
        if name in {"#self", "this"} or (name == "self" and file.outline.language == "rust"):
            return self._instance(file, scope)
        if name == "#class":
            holder = file.holder(scope)
            return ("def", file.document, holder, None) if holder != MODULE else None
        if name == "super":
            return self._above(file, scope, steps)
        if name.startswith("#key"):
            return _key_of(file, scope, name)
        if name == "#fixture":
            return ("fixtures", file.document, scope)
        return self.look(file, scope, name, steps)

    def _instance(self, file: "File", scope: int) -> "Value | None":
        holder = file.holder(scope)
        if holder != MODULE:
            return ("instance", file.document, holder)
        return None

    def _above(self, file: "File", scope: int, steps: int) -> "Value | None":
        """An instance of the first base of the enclosing class."""
        holder = file.holder(scope)
        for chain in file.bases.get(holder, ()) if holder != MODULE else ():
            base = self.follow(file, file.outline.definitions[holder].parent, chain, steps + 1)
            if base is not None and base[0] == "def":
                return ("instance", base[1], base[2])
        return None

    def look(self, file: "File", scope: int, name: str, steps: int = 0) -> "Value | None":
        """The value of a name in a scope: from it, enclosing scopes, then other files."""
        key = (file.document, scope, name)
        if key in self._looked:
            self.world.asked.update(self._asked.get(key, ()))
            return self._looked[key]
        if key in self._open or steps > MOST_STEPS:
            return None
        self._open.add(key)
        outer, self.world.asked = self.world.asked, set()
        try:
            found = self._look(file, scope, name, steps)
        finally:
            self._open.discard(key)
            asked, self.world.asked = self.world.asked, outer
            outer |= asked
        self._looked[key] = found
        if asked:
            self._asked[key] = frozenset(asked)
        return found

    def _look(self, file: "File", scope: int, name: str, steps: int) -> "Value | None":
        definitions = file.outline.definitions
        here, started = scope, True
        while True:
            of_class = here != MODULE and definitions[here].kind == "class"
            seen = not of_class or started or file.outline.language in OPEN_CLASSES
            if seen:
                found, known = self.in_scope(file, here, name, steps)
                if known:
                    return found
            if of_class and file.outline.language in OPEN_CLASSES:
                value = self.member(("instance", file.document, here), name, steps + 1)
                if value is not None:
                    return value
            if here == MODULE:
                break
            started = False
            here = definitions[here].parent
        return self.imports.beyond(file, name, steps)

    def in_scope(
        self, file: "File", scope: int, name: str, steps: int
    ) -> "tuple[Value | None, bool]":
        """The value of a name in one scope, and whether it is defined there."""
        if scope == MODULE or file.outline.definitions[scope].kind in HOLDERS:
            self.world.ask(file.path, name)
        indexes = file.definitions.get(scope, {}).get(name)
        if indexes and (file.constructs(scope, name) or file.is_key(indexes[0])):
            indexes = None
        if indexes:
            index = indexes[0]
            if file.outline.definitions[index].kind != "constant":
                return ("def", file.document, index, None), True
        brought = file.imports.get(scope, {}).get(name)
        if brought is not None:
            return self.imports.brought(file, brought, steps), True
        if indexes:
            return ("def", file.document, indexes[0], None), True
        if name in file.bindings.get(scope, {}):
            return self._bound(file, scope, name, steps), True
        return None, False

    def _bound(self, file: "File", owner: int, name: str, steps: int) -> "Value | None":
        """The value of a variable or field, from its declared type or else from its assignments."""
        bindings = file.bindings.get(owner, {}).get(name, ())
        found = self._of_how(file, bindings, "type", steps)
        for binding in bindings if not found else ():
            value = self._value(file, binding, steps) if binding.how == "value" else None
            if value is not None:
                found = [value]
                break
        return _either(found + self._of_how(file, bindings, TESTED, steps))

    def _of_how(
        self, file: "File", bindings: "Iterable[Binding]", how: str, steps: int
    ) -> "list[Value]":
        values = (self._value(file, one, steps) for one in bindings if one.how == how)
        return [one for one in values if one is not None]

    def _value(self, file: "File", binding: "Binding", steps: int) -> "Value | None":
        key = ("bound", file.document, binding.owner, binding.name, binding.chain)
        if key in self._open or steps > MOST_STEPS:
            return None
        self._open.add(key)
        try:
            if binding.chain == KEYS:
                return ("object", file.document, binding.owner, binding.name)
            if binding.how in {"type", TESTED}:
                return self.typed(file, binding.scope, binding.chain, steps + 1)
            found = self.follow(file, binding.scope, binding.chain, steps + 1)
            return self._read(found, steps + 1) if found is not None else None
        finally:
            self._open.discard(key)

    def typed(self, file: "File", scope: int, chain: str, steps: int) -> "Value | None":
        """A value of the type that a chain names."""
        if chain.endswith("[]"):
            inner = self.typed(file, scope, chain[:-2], steps)
            return ("several", inner) if inner is not None else None
        if chain in {"Self", "this"}:
            return self._instance(file, scope)
        found = self.follow(file, scope, chain, steps + 1)
        if found is None or found[0] != "def":
            return found if found is not None and found[0] == "outside" else None
        holder = self.world.file(found[1])
        kind = holder.outline.definitions[found[2]].kind if holder is not None else ""
        if kind == "class":
            return ("instance", found[1], found[2])
        if kind == "constant" and holder is not None:  # type alias
            named = self._constant(holder, found[2], steps + 1)
            if named is not None and named[0] == "def":
                return ("instance", named[1], named[2])
        return None

    def member(self, value: "Value", name: str, steps: int = 0) -> "Value | None":
        """A member of a value; None if it is unresolved. Of several values, that of the first."""
        if value[0] == "either":
            members = [self.member(one, name, steps) for one in value[1]]
            known = [one for one in members if one is not None]
            return next((one for one in known if one[0] != "outside"), known[0] if known else None)
        return self._member(value, name, steps)

    def _member(self, value: "Value", name: str, steps: int) -> "Value | None":
        kind = value[0]
        if steps > MOST_STEPS:
            return None
        if kind == "outside":
            return ("outside", f"{value[1]}.{name}")
        if kind == "module":
            return self.imports.handed(value[1], name, steps + 1)
        if kind == "package":
            found = (self.imports.handed(one, name, steps + 1) for one in value[1])
            return next((one for one in found if one is not None), None)
        if kind == "fixtures":
            return self._fixture(value[1], value[2], name, steps + 1)
        if kind == "object":
            return self._key(value, name, steps + 1)
        if kind == "several":
            return _of_several(value, name)
        if kind in {"def", "instance"}:
            if name == "__enter__" and kind == "instance":
                found_enter = self._of_class(value[1], value[2], name, value, steps)
                return found_enter or ("taken", value)
            return self._of_class(value[1], value[2], name, value, steps)
        return None

    def _key(self, literal: "Value", name: str, steps: int) -> "Value | None":
        """What a key of an object literal stands for, or one of what the literal spreads."""
        _, document, owner, of = literal
        file = self.world.file(document)
        if file is not None:
            self.world.ask(file.path, f"{of}.{name}")
        found = self._bound(file, owner, f"{of}.{name}", steps) if file is not None else None
        if found is not None or file is None:
            return found
        for binding in file.bindings.get(owner, {}).get(f"{of}.*", ()):
            whole = self._value(file, binding, steps)
            found = self.member(whole, name, steps + 1) if whole is not None else None
            if found is not None:
                return found
        return None

    def _fixture(self, document: int, scope: int, name: str, steps: int) -> "Value | None":
        """The fixture of a parameter: of the class or file, else of the nearest conftest.py above."""
        file = self.world.file(document)
        if file is None:
            return None
        for owner in (file.holder(scope), MODULE):
            for index in file.definitions.get(owner, {}).get(name, ()):
                if index != scope and self._is_fixture(("def", document, index)):
                    return ("def", document, index, None)
        for home in (document, *above(self.world, file, "conftest.py")):
            found = self.imports.handed(home, name, steps) if home != document else None
            if home == document and name in file.imports.get(MODULE, {}):
                found = self.imports.brought(file, file.imports[MODULE][name], steps)
            if found is not None and self._is_fixture(found):
                return found
        return None

    def _is_fixture(self, value: "Value") -> bool:
        file = self.world.file(value[1]) if value[0] == "def" else None
        return file is not None and "fixture" in file.outline.definitions[value[2]].traits.split()

    def field(self, file: "File", scope: int, chain: str) -> "Value | None":
        """The definition of the constant that a chain ends with, whatever value that has.

        An argument sets a field only in a class that is made from its fields, without `__init__`.
        """
        before, _, name = chain.removesuffix("=").rpartition(".")
        if not before and file.outline.language in OPEN_CLASSES:
            before = "this"
        value = self.follow(file, scope, before) if before else None
        value = self._read(value, 0) if value is not None else None
        if value is None:
            return None
        some = value[1] if value[0] == "either" else (value,)
        fields = (self._field(one, name, chain) for one in some)
        return next((one for one in fields if one is not None), None)

    def _field(self, value: "Value", name: str, chain: str) -> "Value | None":
        if value[0] not in {"def", "instance"}:
            return None
        if chain[-1] == "=" and self.member(value, "__init__") is not None:
            return None
        for home, owner in self._classes(value[1], value[2], 0, set()):
            self.world.ask(home.path, name)
            for index in home.definitions.get(owner, {}).get(name, ()):
                if home.outline.definitions[index].kind == "constant":
                    return ("def", home.document, index, value)
                return None
        return None

    def _of_class(
        self, document: int, index: int, name: str, receiver: "Value", steps: int
    ) -> "Value | None":
        """A member of a class or of one of its bases, nearest first."""
        for home, owner in self._classes(document, index, steps, set()):
            found = self._own(home, owner, name, receiver, steps + 1)
            if found is not None:
                return found
        return None

    def _classes(
        self, document: int, index: int, steps: int, seen: "set[Any]"
    ) -> "Iterator[tuple[File, int]]":
        """The parts of a class, then those of its bases, nearest first."""
        if (document, index) in seen or steps > MOST_STEPS:
            return
        seen.add((document, index))
        file = self.world.file(document)
        if file is None or file.outline.definitions[index].kind not in HOLDERS:
            return
        parts = parts_of(file, index)
        yield from parts
        for home, owner in parts:
            for chain in home.bases.get(owner, ()):
                base = self.follow(home, home.outline.definitions[owner].parent, chain, steps + 1)
                if base is not None and base[0] == "def":
                    yield from self._classes(base[1], base[2], steps + 1, seen)

    def _own(
        self, file: "File", owner: int, name: str, receiver: "Value", steps: int
    ) -> "Value | None":
        """A class's own member: methods take precedence over fields of the same name."""
        self.world.ask(file.path, name)
        if file.constructs(owner, name):
            return None
        indexes = file.definitions.get(owner, {}).get(name)
        if indexes and file.outline.definitions[indexes[0]].kind != "constant":
            return ("def", file.document, indexes[0], receiver)
        outside = beside(self.world, file, owner, name)
        if outside is not None:
            return ("def", *outside, receiver)
        bound = self._bound(file, owner, name, steps)
        if bound is None and indexes:
            return ("def", file.document, indexes[0], receiver)
        return bound

    def call(self, value: "Value", steps: int = 0) -> "Value | None":
        """The value that a call returns."""
        if value[0] == "outside":
            return value
        if value[0] == "either":
            return _either([self.call(one, steps) for one in value[1]])
        if value[0] == "taken":
            inner: Value = value[1]
            return inner
        if value[0] != "def" or steps > MOST_STEPS:
            return None
        file = self.world.file(value[1])
        if file is None:
            return None
        index, receiver = value[2], value[3]
        one = file.outline.definitions[index]
        if one.kind == "class":
            return ("instance", value[1], index)
        for binding in sorted(
            file.bindings.get(index, {}).get(GIVES, ()), key=lambda each: each.how != "type"
        ):
            if binding.chain in {"Self", "this", "self"} and receiver is not None:
                return ("instance", receiver[1], receiver[2])
            found = self._value(file, binding, steps + 1)
            if found is not None:
                return (
                    found if binding.how != "type" else self._bound(file, index, GIVES, steps + 1)
                )
        return None


def _either(values: "Iterable[Value | None]") -> "Value | None":
    """A value that is one of several; the only one if there is one."""
    found = [one for one in values if one is not None]
    return ("either", tuple(found)) if len(found) > 1 else found[0] if found else None


def _one(value: "Value") -> "Value | None":
    """An item of a container."""
    if value[0] == "either":
        return _either(map(_one, value[1]))
    if value[0] == "several":
        inner: Value = value[1]
        return inner
    return None


def _of_several(value: "Value", name: str) -> "Value | None":
    """A method of a container that gives an item, or several."""
    if name in _TAKES_ONE:
        return ("taken", value[1])
    return ("taken", value) if name in _GIVES_SEVERAL else None


def _key_of(file: "File", scope: int, written: str) -> "Value | None":
    """The definition of a key, from its chain: `Drawing.key_chain`."""
    place, _, name = written.removeprefix("#key").partition(":")
    alike = sorted(file.definitions.get(scope, {}).get(name, ()))
    return ("def", file.document, alike[int(place)], None) if int(place) < len(alike) else None


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
    for folder in {os.path.dirname(world.paths[one]) for one in (file.document, *together)}:
        world.ask(folder, name)
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
