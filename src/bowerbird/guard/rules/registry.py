"""The modules of rules by their names, each loaded when a text calls for one of its rules."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.guard.rule import Rule


def rules_of(module: str) -> "tuple[Rule, ...]":
    """The rules that a module holds, in their order."""
    rules: tuple[Rule, ...] = __import__(f"bowerbird.guard.rules.{module}", fromlist=["x"]).SHAPES
    return rules
