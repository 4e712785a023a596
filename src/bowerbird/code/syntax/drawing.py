"""Builds an outline: first the definitions, then the names used inside each."""

from bisect import bisect_right

from bowerbird.code.syntax.chains import chain, type_chains
from bowerbird.code.syntax.grammar import query
from bowerbird.core.outline import MODULE, TESTED, Binding, Definition, Import, Outline, Use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from tree_sitter import Node

    from bowerbird.code.syntax.grammar import Parsed

# Maximum entries of one file: a generated one of ten thousand functions has as many calls.
_MOST = 50_000
# Maximum open matches of one pattern; only hostile texts need more.
_MOST_OPEN = 10_000
# Deeper nodes of a tree are ignored: fifty thousand nested brackets take a minute.
_DEEPEST = 300


class Drawing:
    """Collects the definitions and names of one tree. Lines are counted from 1, columns from 0."""

    def __init__(self, parsed: "Parsed", *, is_open: bool = False) -> None:
        """`is_open`: names of other files are in scope without an import, as those of a package are."""
        self.outline = Outline(parsed.grammar.language)
        self._is_open = is_open
        self._parsed = parsed
        self.text = parsed.text
        self._starts: list[int] = []
        self._bodies: list[int] = []
        self._ends: list[int] = []
        # Names by which the file can refer to a definition or import; and those of locals with a value.
        self._known: frozenset[str] = frozenset()
        self._named: set[tuple[int, str]] = set()
        self._valued: frozenset[str] = frozenset()
        # Where each use begins; and the parts of the text in which a name is a local.
        self._at: list[int] = []
        self._hidden: dict[str, set[tuple[int, int]]] = {}
        # Of each definition, how many of its name and scope are before it.
        self._of_name: list[int] = []
        # Names of functions that are not their own.
        self._shared: set[tuple[int, str]] = set()

    def matches(self, patterns: str) -> "Iterator[tuple[int, dict[str, Node]]]":
        """For each match, the index of the pattern and the first node of each capture.

        Captures whose name begins with ``_`` are for the conditions of the patterns alone.
        """
        from tree_sitter import QueryCursor  # start-up: only needed to read code

        grammar = self._parsed.grammar
        compiled = query(grammar.wheel, grammar.function, patterns)
        cursor = QueryCursor(compiled, match_limit=_MOST_OPEN)
        cursor.set_max_start_depth(_DEEPEST)
        for pattern, captures in cursor.matches(self._parsed.root):
            yield (pattern, {name: nodes[0] for name, nodes in captures.items() if name[0] != "_"})

    def places(self, types: "Collection[str]") -> "Iterator[tuple[Node, list[Node]]]":
        """The nodes of some types in the order of the text, with the nodes around each, outermost first.

        The list changes with the next one. It is kept because a node finds its parent from the root:
        names in a chain of 250 steps took longer than all else.
        """
        around: list[Node] = []
        left = [iter(self._parsed.root.children)]
        around.append(self._parsed.root)
        while left:
            node = next(left[-1], None)
            if node is None:
                left.pop()
                around.pop()
                continue
            if node.type in types and node.is_named:
                yield node, around
            if node.child_count and len(around) < _DEEPEST:
                around.append(node)
                left.append(iter(node.children))

    def nodes(self, patterns: str) -> "list[Node]":
        """The nodes of the capture ``@at``, in the order of the text."""
        from tree_sitter import QueryCursor  # start-up: only needed to read code

        grammar = self._parsed.grammar
        cursor = QueryCursor(
            query(grammar.wheel, grammar.function, patterns), match_limit=_MOST_OPEN
        )
        cursor.set_max_start_depth(_DEEPEST)
        found = cursor.captures(self._parsed.root).get("at", [])
        return sorted(found, key=lambda node: node.start_byte)

    def define(self, found: "list[tuple[str, str, Node, Node, int, str]]") -> None:
        """Records definitions: kind, name, node, the name's node, first line, traits.

        A definition inside another one's node is its child.
        """
        found.sort(key=lambda one: (one[2].start_byte, -one[2].end_byte))
        open_: list[tuple[int, int]] = []
        definitions = self.outline.definitions
        for kind, name, node, named, first, traits in found[:_MOST]:
            start, end = node.start_byte, node.end_byte
            while open_ and open_[-1][0] <= start:
                open_.pop()
            parent = open_[-1][1] if open_ else MODULE
            inside = definitions[parent].kind if parent != MODULE else ""
            if kind == "constant" and inside in {"function", "method"}:
                continue
            of_class = kind == "function" and inside == "class"
            self._starts.append(_whole(node).start_byte)
            body = node.child_by_field_name("body")
            self._bodies.append(start if body is None else body.start_byte)
            self._ends.append(end)
            index = len(definitions)
            last = node.end_point[0] + (node.end_point[1] > 0)
            line = named.start_point[0] + 1
            shown_kind = "method" if of_class else kind
            definitions.append(
                Definition(shown_kind, name, parent, first, max(last, line), line, traits)
            )
            if kind != "constant":
                open_.append((end, index))

    def scope(self, node: "Node", *, outside: bool = False) -> int:
        """The innermost function or class around a node; with `outside`, not the node itself."""
        start = node.start_byte
        index = bisect_right(self._starts, start) - 1
        definitions = self.outline.definitions
        # The definitions are sorted by start: the one that contains a position is the last that begins
        # before it, or one of its parents.
        while index != MODULE and (
            self._ends[index] <= start
            or definitions[index].kind == "constant"
            or (outside and self._starts[index] == start)
        ):
            index = definitions[index].parent
        return index

    def is_at(self, index: int, node: "Node") -> bool:
        """Whether a definition is that of a node."""
        return index != MODULE and self._starts[index] == node.start_byte

    def key_chain(self, index: int) -> str:
        """The chain of a key that is a definition: which it is of its name and scope, and its name."""
        if not self._of_name:
            counted: dict[tuple[int, str], int] = {}
            for one in self.outline.definitions:
                before = counted.get((one.parent, one.name), 0)
                counted[one.parent, one.name] = before + 1
                self._of_name.append(before)
        return f"#key{self._of_name[index]}:{self.outline.definitions[index].name}"

    def modules(self, scope: int) -> int:
        """How many modules of the file enclose a scope."""
        definitions, found = self.outline.definitions, 0
        while scope != MODULE:
            found += definitions[scope].kind == "module"
            scope = definitions[scope].parent
        return found

    def holder(self, scope: int) -> int:
        """The class whose members a scope can access through its own object; MODULE if none."""
        definitions = self.outline.definitions
        while scope != MODULE and definitions[scope].kind != "class":
            scope = definitions[scope].parent
        return scope

    def use(self, node: "Node", kind: str) -> None:
        """Records the use of an expression's chain."""
        self.use_chain(chain(node, self.text), kind, node, self.scope(node))

    def use_chain(self, found: str, kind: str, node: "Node", owner: int) -> None:
        """Records the use of a chain."""
        if found and len(self.outline.uses) < _MOST:
            row, column = _end_name(node)
            scope = self.sees(owner, node)
            self.outline.uses.append(Use(owner, found, kind, row + 1, column, scope))
            self._at.append(node.start_byte)

    def sees(self, owner: int, node: "Node") -> int:
        """The scope whose names a node sees: that around its definition if it is in the head of that."""
        if owner != MODULE and node.start_byte < self._bodies[owner]:
            return self.outline.definitions[owner].parent
        return owner

    def hide(self, name: str, inside: "Node", *, own: bool) -> None:
        """Records that a name is a local in a part of the text, so that it is none of the module's.

        Unless it is the part's `own`, it may be what the scope around it defines.
        """
        if name not in self._known and not self._is_open:
            return
        if own or (self.scope(inside), name) not in self._named:
            self._hidden.setdefault(name, set()).add((inside.start_byte, inside.end_byte))

    def share(self, node: "Node") -> None:
        """Records that a name is not a local of its function but the module's."""
        self._shared.add((self.scope(node), self.text(node)))

    def _give_shared(self) -> None:
        """Gives the module what its functions share with it."""
        for owner, name in self._shared:
            if owner != MODULE and name in self._hidden:
                start, end = self._starts[owner], self._ends[owner]
                self._hidden[name] = {
                    one for one in self._hidden[name] if not start <= one[0] < end
                }
        if self._shared:
            self.outline.bindings = [
                one.replace(owner=MODULE) if (one.owner, one.name) in self._shared else one
                for one in self.outline.bindings
            ]

    def _is_unknown(self, use: "Use", bound: "Collection[tuple[int, str]]") -> bool:
        """Whether the first name of a use that is a local has no known value."""
        name, scope = _first(use.chain), use.scope
        while scope != MODULE:
            if (scope, name) in bound:
                return False
            scope = self.outline.definitions[scope].parent
        return use.scope != MODULE or (MODULE, name) not in bound

    def know(self) -> None:
        """Notes what can be referred to, after all definitions, imports and values were recorded."""
        outline = self.outline
        self._named = {(one.parent, one.name) for one in outline.definitions} | {
            (one.scope, one.local) for one in outline.imports
        }
        self._known = frozenset(name for _, name in self._named)
        self._valued = frozenset(one.name for one in outline.bindings)

    def may_refer(self, name: str) -> bool:
        """Whether a name may stand for something of this project."""
        opened = self._is_open or "*" in self._known
        return opened or name in self._known or name in self._valued or name in _OBJECT

    def bind(self, owner: int, name: str, value: "Node", scope: int) -> None:
        """Records the assignment of a value to a name; of several that it may be, each."""
        for one in _alternatives(value):
            self.bind_chain(owner, name, chain(one, self.text), scope)

    def bind_chain(self, owner: int, name: str, found: str, scope: int) -> None:
        """Records the assignment of a chain to a name."""
        if found:
            self._bind(owner, name, found, scope, "value")

    def bind_type(self, owner: int, name: str, written: str, scope: int) -> None:
        """Records the type of a name, of a union each."""
        for found in type_chains(written):
            self._bind(owner, name, found, scope, "type")

    def bind_tested(self, name: "Node", kinds: "Iterable[Node]") -> None:
        """Records the classes of which a value is tested to be an instance."""
        scope = self.scope(name)
        for kind in kinds:
            found = chain(kind, self.text)
            if found:
                self._bind(scope, self.text(name), found, scope, TESTED)

    def _bind(self, owner: int, name: str, found: str, scope: int, how: str) -> None:
        if (found != name or owner != scope) and len(self.outline.bindings) < _MOST:
            self.outline.bindings.append(Binding(owner, name, found, scope, how))

    def bring(self, one: Import) -> None:
        """Records an import."""
        if len(self.outline.imports) < _MOST:
            self.outline.imports.append(one)

    def done(self, builtins: "Collection[str]" = ()) -> Outline:
        """The outline, without references to names that nothing in the file defines.

        A plain reference is kept if the file defines or imports its name; a member of the own object if
        the file defines that name or has a class whose base may define it.
        """
        outline = self.outline
        self._give_shared()
        own = {one.name for one in outline.definitions}
        known = {one.local for one in outline.imports} | own
        inherits = any(one.kind == "inherits" for one in outline.uses)
        valued = {one.name for one in outline.bindings}
        outline.bindings = [
            one
            for one in outline.bindings
            if (first := _first(one.chain)) not in builtins or first in known or first in valued
        ]
        valued = {one.name for one in outline.bindings}
        bound = {(one.owner, one.name) for one in outline.bindings}
        hidden = {name: _merged(some) for name, some in self._hidden.items()}
        kept = []
        for one, at in zip(outline.uses, self._at, strict=True):
            spans = hidden.get(_first(one.chain))
            if spans and _holds(spans, at) and self._is_unknown(one, bound):
                continue
            first, _, rest = one.chain.partition(".")
            first = _first(first)
            told = (
                first in known
                or (rest and first in valued)
                or (first in _OBJECT and rest and (inherits or _first(rest) in own))
                or first.startswith("#")
                or ((self._is_open or "*" in known) and first not in builtins)
            )
            if (one.kind == "references" and not told) or (
                first in builtins and first not in known and first == one.chain
            ):
                continue
            kept.append(one)
        outline.uses = kept
        return outline


# Names by which the methods of a class refer to their object, in all languages.
_OBJECT = frozenset(("self", "cls", "this", "super"))


def _merged(spans: "Iterable[tuple[int, int]]") -> "list[tuple[int, int]]":
    """Spans in their order, those that overlap as one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def _holds(spans: "list[tuple[int, int]]", at: int) -> bool:
    """Whether a position is in one of the spans, which do not overlap."""
    place = bisect_right(spans, at, key=lambda span: span[0]) - 1
    return place >= 0 and at < spans[place][1]


# Expressions with one of several values, and which of their children are these.
_EITHER = {
    "conditional_expression": (0, 2),
    "ternary_expression": (1, 2),
    "boolean_operator": (0, 1),
}


def _alternatives(value: "Node") -> "list[Node]":
    """The expressions of which a value is one, such as both sides of ``a or b``."""
    places = _EITHER.get(value.type)
    children = value.named_children if places else []
    if not places or len(children) <= places[-1]:
        return [value]
    return [children[place] for place in places]


def _whole(node: "Node") -> "Node":
    """A definition with its decorators."""
    outer = node.parent
    return outer if outer is not None and outer.type == "decorated_definition" else node


def _first(found: str) -> str:
    """The first name of a chain."""
    return found.partition(".")[0].partition("(")[0].partition("[")[0]


def _end_name(node: "Node") -> tuple[int, int]:
    """Where the last name of an expression begins: for a call of ``a.b`` that is b."""
    for field in ("attribute", "property", "field", "name"):
        named = node.child_by_field_name(field)
        if named is not None:
            return named.start_point
    return node.start_point
