"""The modules of rules by name, each loaded when a text needs one of its rules."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.guard.rule import Rule


def rules_of(module: str) -> "tuple[Rule, ...]":
    """The rules of a module, in order."""
    rules: tuple[Rule, ...] = __import__(f"bowerbird.guard.rules.{module}", fromlist=["x"]).SHAPES
    return rules
