"""Where names are bound and where they are read: the references of a file, by one table a language."""

from bowerbird.code.syntax.chains import MOST_STEPS
from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tree_sitter import Node

    from bowerbird.code.syntax.drawing import Drawing

    Special = Callable[[Node, Sequence[Node], Drawing], bool]

# In `binds`: the name is bound only if it is the first child.
FIRST = "1"


class Places(Value):
    """What the nodes around a name say of it, in one language.

    `names` are the types of the nodes that are names. `binds` says below which nodes a name is a local:
    in which field of theirs, as their first child, or anywhere (empty). Below `defines` it is no value if
    it is their field `name`, below `ignored` it never is. Locals are seen in the body of the nearest of
    `own_locals`, or in the whole of it if it is one of `whole`. An expression goes on through `goes_on`
    if it leads there, through `around` wherever it stands, and has a further name in `members`. `calls`
    holds the field of what is called, which is recorded apart. `special` may treat a name itself, and
    then returns True; it gets the nodes around the name, outermost first.
    """

    __slots__ = (
        "around",
        "binds",
        "calls",
        "defines",
        "goes_on",
        "ignored",
        "members",
        "names",
        "own_locals",
        "special",
        "whole",
    )

    def __init__(
        self,
        names: str,
        *,
        binds: "Mapping[str, str]",
        defines: str,
        ignored: str = "",
        own_locals: str,
        members: str,
        calls: "Mapping[str, str]",
        goes_on: str = "",
        around: str = "",
        whole: str = "",
        special: "Special | None" = None,
    ) -> None:
        self.names = frozenset(names.split())
        self.binds = binds
        self.defines = frozenset(defines.split())
        self.ignored = frozenset(ignored.split())
        self.own_locals = frozenset(f"{own_locals} {whole}".split())
        self.whole = frozenset(whole.split())
        self.members = frozenset(members.split())
        self.calls = calls
        self.goes_on = frozenset(goes_on.split())
        self.around = frozenset(around.split())
        self.special = special


def refer(drawing: "Drawing", places: Places) -> None:
    """Records the references of a file, after its definitions, imports and values."""
    drawing.know()
    bound: dict[int, frozenset[int]] = {}
    for node, around in drawing.places(places.names):
        above = around[-1]
        of = above.type
        if of in places.ignored or (of in places.members and above.start_byte != node.start_byte):
            continue
        if of in places.defines and above.child_by_field_name("name") == node:
            continue
        if places.special is not None and places.special(node, around, drawing):
            continue
        if _is_bound(node, above, places, bound):
            local(node, around, drawing, places)
        else:
            _expression(node, around, drawing, places)


def _is_bound(
    node: "Node", above: "Node", places: Places, bound: "dict[int, frozenset[int]]"
) -> bool:
    """Whether a name is bound where it stands. `bound` keeps what each node binds, read once for all."""
    field = places.binds.get(above.type)
    if field is None:
        return False
    if field == FIRST:
        return above.start_byte == node.start_byte
    if field and above.id not in bound:
        bound[above.id] = frozenset(one.id for one in above.children_by_field_name(field))
    return not field or node.id in bound[above.id]


def local(node: "Node", around: "Sequence[Node]", drawing: "Drawing", places: Places) -> None:
    """Records that a name is a local of what is around it, such as its function or loop."""
    owner = next((one for one in reversed(around) if one.type in places.own_locals), None)
    if owner is None:
        return
    inside = owner if owner.type in places.whole else owner.child_by_field_name("body")
    if inside is not None:
        # What stands before a body, as parameters do, is a local of it whatever its scope defines.
        own = inside == owner or node.start_byte < inside.start_byte
        drawing.hide(drawing.text(node), inside, own=own)


def _expression(node: "Node", around: "Sequence[Node]", drawing: "Drawing", places: Places) -> None:
    """Records what an expression refers to: ``a.b.c`` refers to a, a.b and a.b.c."""
    if not drawing.may_refer(drawing.text(node)):
        return
    outer = reversed(around)
    one, above = node, next(outer)
    for _ in range(MOST_STEPS):
        called = _is_called(one, above, places)
        if one.type not in _OWN_OBJECT and not called:  # what is called is recorded apart
            drawing.use(one, "references")
        while called or _goes_on(one, above, places):
            one, above = above, next(outer)
            called = _is_called(one, above, places)
        if above.type not in places.members or above.start_byte != one.start_byte:
            return
        one, above = above, next(outer)


# A method's own object refers to nothing by itself.
_OWN_OBJECT = frozenset(("this", "super", "self"))


def _is_called(node: "Node", above: "Node", places: Places) -> bool:
    field = places.calls.get(above.type)
    return field is not None and above.child_by_field_name(field) == node


def _goes_on(node: "Node", above: "Node", places: Places) -> bool:
    """Whether an expression is continued by the node above it."""
    if above.type in places.around:
        return True
    return above.type in places.goes_on and above.start_byte == node.start_byte
