"""Embedders by name, each loaded when it is asked for."""

from bowerbird.core.errors import UnknownName

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.ports import Embedder


def embedder(name: str) -> "Embedder":
    """The embedder of a provider. Raises UnknownName, and ModelError if it cannot be loaded."""
    if name == "builtin":
        from bowerbird.models.embed.static import StaticEmbedder

        return StaticEmbedder.builtin()
    raise UnknownName.among("embedding provider", name, ["builtin"])
