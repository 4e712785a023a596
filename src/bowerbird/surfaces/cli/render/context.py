"""How the context of a task reads: the envelope, for a person and for a prompt alike."""

from bowerbird.surfaces.recalled import recalled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.surfaces.cli.call import Outcome
    from bowerbird.surfaces.cli.page import Page


def text(outcome: "Outcome", page: "Page") -> str:
    """The envelope, texts as they are."""
    return recalled(outcome.value, outcome.value.nonce)


def markdown(outcome: "Outcome", page: "Page") -> str:
    """The envelope, each text between fences."""
    return recalled(outcome.value, outcome.value.nonce, fenced=True)
