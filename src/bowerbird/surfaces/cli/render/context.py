"""How the context of a task reads: the envelope, for a person and for a prompt alike."""

from bowerbird.core.recalled import recalled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.packs import Pack
    from bowerbird.surfaces.cli.page import Page


def text(pack: "Pack", page: "Page") -> str:
    """The envelope, texts as they are."""
    return recalled(pack, pack.nonce)


def markdown(pack: "Pack", page: "Page") -> str:
    """The envelope, each text between fences."""
    return recalled(pack, pack.nonce, fenced=True)
