"""The rules by module and index, each module loaded when a text needs one of its rules."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.guard.rule import Rule

# The name under which the table lists the rules of providers.tsv.
PROVIDERS = "providers"


def rule_at(module: str, index: int) -> "Rule":
    """The rule at an index of a module."""
    if module == PROVIDERS:
        from bowerbird.guard.rules.providers import provider_rule  # start-up: as below

        return provider_rule(index)
    rules: tuple[Rule, ...] = __import__(f"bowerbird.guard.rules.{module}", fromlist=["x"]).SHAPES
    return rules[index]
