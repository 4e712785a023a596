"""How the version reads."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.surfaces.cli.call import Outcome
    from bowerbird.surfaces.cli.page import Page


def text(outcome: "Outcome", page: "Page") -> str:
    """``bowerbird 0.1.0 (1a2b3c4)``."""
    commit = outcome.data["commit"]
    return f"bowerbird {outcome.data['version']}" + (f" ({commit[:10]})" if commit else "")
