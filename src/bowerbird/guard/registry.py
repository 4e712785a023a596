"""Loads the rules for texts that need them, since loading takes milliseconds."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.guard.detection import Detection


def scan(text: str) -> "list[Detection]":
    """The secrets in a text, in order, none overlapping another."""
    from bowerbird.guard.scan import scan as close

    return close(text)


def kinds() -> list[str]:
    """The names of all kinds of secrets, sorted."""
    from bowerbird.guard.detection import PRIVATE_KEY
    from bowerbird.guard.rules.whole import RULES

    return sorted({rule.kind for rule in RULES} | {PRIVATE_KEY})
