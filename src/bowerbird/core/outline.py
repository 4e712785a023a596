"""The outline of a source file: definitions, imports, names and calls, all unresolved.

A *chain* is an expression as far as names go: ``self.store.open()`` is ``self.store.open()`` without its
arguments, ``rows[0]`` is ``rows[]``; a type is the chain of its class, ``list[Row]`` is ``Row[]``; the
argument of ``Page(size=1)`` is ``Page.size=``.
"""

from sys import intern

from bowerbird.core import plainjson
from bowerbird.core.value import Record, Value, fresh

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Self

# Version of the rules for outlines and their resolution: outlines of older versions are extracted again.
RULES = 11
# The parent of top-level definitions of a file, and the scope of its top-level code.
MODULE = -1
# The language of documents, and the kind of their uses.
NOTE = "note"
LINKS = "links"
# Kinds of definitions that have members.
HOLDERS = frozenset(("class", "module"))
# The trait of a definition whose name is not in scope around it, such as a key of an object.
KEY = "key"
# The name of the binding that holds a function's return type.
GIVES = "()"
# How a name is bound to a class of which its value is tested to be an instance.
TESTED = "tested"
# The chain of an object literal: its keys are bound as `name.key` beside its own name, what it spreads as
# `name.*`.
KEYS = "#keys"


def _first(chain: str) -> str:
    return chain.partition(".")[0].partition("(")[0].partition("[")[0]


class Definition(Value):
    """A function, method, class, constant, or a module within a file.

    Lines are 1-based and inclusive, `line` is that of its name.

    `parent` is the place of the enclosing definition, `traits` are words such as property or static.
    """

    __slots__ = ("end_line", "kind", "line", "name", "parent", "start_line", "traits")

    def __init__(
        self,
        kind: str,
        name: str,
        parent: int,
        start_line: int,
        end_line: int,
        line: int,
        traits: str = "",
    ) -> None:
        self.kind = kind
        self.name = name
        self.parent = parent
        self.start_line = start_line
        self.end_line = end_line
        self.line = line
        self.traits = traits


class Import(Value):
    """A name that comes from another file; `name` is empty for the module itself and * for all of it.

    `local` is empty where nothing is bound. `exported` is the name by which it is re-exported, if it is.
    """

    __slots__ = ("column", "exported", "line", "local", "module", "name", "scope")

    def __init__(
        self,
        scope: int,
        local: str,
        module: str,
        name: str,
        line: int,
        column: int = 0,
        exported: str = "",
    ) -> None:
        self.scope = scope
        self.local = local
        self.module = module
        self.name = name
        self.line = line
        self.column = column
        self.exported = exported


class Binding(Value):
    """The value or type of a name in `owner`: a chain that is resolved in `scope`."""

    __slots__ = ("chain", "how", "name", "owner", "scope")

    def __init__(self, owner: int, name: str, chain: str, scope: int, how: str) -> None:
        self.owner = owner
        self.name = name
        self.chain = chain
        self.scope = scope
        self.how = how


class Use(Value):
    """A chain that `owner` calls, inherits from or refers to, resolved in `scope`, and its position.

    The two differ in the head of a definition: defaults, types and decorators do not see its locals.
    """

    __slots__ = ("chain", "column", "kind", "line", "owner", "scope")

    def __init__(
        self, owner: int, chain: str, kind: str, line: int, column: int, scope: int
    ) -> None:
        self.owner = owner
        self.chain = chain
        self.kind = kind
        self.line = line
        self.column = column
        self.scope = scope


class Outline(Record):
    """The outline of one file.

    `module` is the package that the file declares, in languages that have this.
    """

    language: str
    module: str = ""
    definitions: "list[Definition]" = fresh(list)
    imports: "list[Import]" = fresh(list)
    bindings: "list[Binding]" = fresh(list)
    uses: "list[Use]" = fresh(list)

    def qualified(self, index: int) -> str:
        """The names of a definition and its enclosing definitions, joined by dots.

        A method outside its type (trait ``of Type``) is prefixed with the type's name.
        """
        names = []
        while index != MODULE:
            one = self.definitions[index]
            names.append(one.name)
            if one.traits.startswith("of "):
                names.append(one.traits[3:])
            index = one.parent
        return ".".join(reversed(names))

    def changed(self, before: "Outline | None") -> "set[str]":
        """The names of which other files may see something else than in an earlier version."""
        now = self.seen()
        then = before.seen() if before is not None else {}
        if before is None or (before.language, before.module) != (self.language, self.module):
            return {name for _, name in now.keys() | then.keys()}
        return {key[1] for key in now.keys() | then.keys() if now.get(key) != then.get(key)}

    def seen(self) -> "dict[tuple[str, str], list[tuple[str, ...]]]":
        """What other files can see: of what and by which name it is asked for, and what it says."""
        found: dict[tuple[str, str], list[tuple[str, ...]]] = {}
        for owner, name, said in self._seen():
            found.setdefault((self.qualified(owner), name), []).append(said)
        return found

    def _seen(self) -> "Iterator[tuple[int, str, tuple[str, ...]]]":
        given = {
            (one.owner, _first(one.chain)) for one in self.bindings if one.name.startswith(GIVES)
        }
        for one in self.definitions:
            yield one.parent, one.name, (one.kind, one.traits)
            if "default" in one.traits:
                yield MODULE, "default", (one.name,)
        for binding in self.bindings:
            owner, said = binding.owner, (binding.name, binding.chain, binding.how)
            if owner == MODULE or self.definitions[owner].kind in HOLDERS:
                yield owner, binding.name, said
            elif binding.name.startswith(GIVES) or (owner, binding.name) in given:
                # What a function returns is asked of it by its own name, a key of that by the key's.
                one = self.definitions[owner]
                yield one.parent, one.name, said
                yield owner, binding.name, said
        for use in self.uses:
            if use.kind == "inherits" and use.owner != MODULE:
                one = self.definitions[use.owner]
                yield one.parent, one.name, ("inherits", use.chain)
        for brought in self.imports:
            said = (brought.module, brought.name, brought.exported)
            for name in {brought.local, brought.exported} - {""} if brought.scope == MODULE else ():
                yield MODULE, name, said

    def packed(self) -> str:
        """Serialises it for a store."""
        import json  # start-up: only what draws an outline writes one

        several = (self.definitions, self.imports, self.bindings, self.uses)
        rows = [[list(one.raw_dict().values()) for one in some] for some in several]
        return json.dumps([self.language, self.module, *rows], separators=(",", ":"))

    @classmethod
    def unpacked(cls, text: str, *, uses: bool = True) -> "Self":
        """The inverse of `packed`; without `uses`, which are most of it, but for base classes."""
        language, module, *rows = plainjson.loads(text)
        if not uses:
            rows[-1] = [row for row in rows[-1] if row[_KIND] == "inherits"]
        kinds: tuple[Any, ...] = (Definition, Import, Binding, Use)
        made = [
            [_decoded(kind, row) for row in some] for kind, some in zip(kinds, rows, strict=True)
        ]
        return cls(language, module, *made)


# The place of a use's kind in its row.
_KIND = Use.__slots__.index("kind")


def _decoded(kind: "Any", row: "list[Any]") -> "Any":
    """A value from its fields in the order of its slots, which is not that of its arguments.

    Names recur in every outline of a project, and many outlines are in memory together, so each name is
    interned.
    """
    row = [intern(one) if isinstance(one, str) else one for one in row]
    return kind(**dict(zip(kind.__slots__, row, strict=True)))
