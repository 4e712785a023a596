"""Embedders by name, each imported when it is requested."""

from bowerbird.core.errors import BadConfig, UnknownName

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.config import Config
    from bowerbird.core.ports.models import Embedder, Reader, Vocabulary
    from bowerbird.core.ports.thinking import Reranker
    from bowerbird.models.cache import CachedEmbedder, Embeddings
    from bowerbird.models.embed.onnx import OnnxEmbedder
    from bowerbird.models.embed.plugged import PluggedEmbedder
    from bowerbird.models.embed.remote import RemoteEmbedder

# The default address of each provider; compatible servers are configured by address alone.
ENDPOINTS = {
    "openai": "https://api.openai.com/v1",
    "ollama": "http://127.0.0.1:11434/v1",
    "compatible": "",
}
BUILTIN = "builtin"
# The package's contextual model: used for the second look on memories, or for everything if configured.
CONTEXTUAL = "contextual"
# The models that are part of the package.
PACKAGED = (BUILTIN, CONTEXTUAL)
# The provider name of a model in a local folder.
FOLDER = "onnx"

# The settings of `embed` that the embedder of a package is made with.
_GIVEN = ("model", "endpoint", "key", "dims", "timeout")


def embedder(config: "Config") -> "Embedder":
    """The configured embedder.

    Raises UnknownName and BadConfig, and ModelError if it cannot be loaded.
    """
    if config["embed.provider"] == BUILTIN:
        from bowerbird.models.embed.static import StaticEmbedder

        return StaticEmbedder.builtin()
    if config["embed.provider"] == CONTEXTUAL:
        return contextual()
    return other_embedder(config)


def vocabulary() -> "Vocabulary":
    """The vocabulary of the package's model. Raises ModelError if it cannot be read."""
    from bowerbird.models.embed.static import StaticEmbedder

    return StaticEmbedder.builtin()


def contextual(*, single: bool = False) -> "Reader":
    """The package's contextual model; `single`: numpy has one thread in this process."""
    from bowerbird.models.embed.contextual import ContextualEmbedder

    return ContextualEmbedder.builtin(single=single)


def other_embedder(config: "Config") -> "RemoteEmbedder | OnnxEmbedder | PluggedEmbedder":
    """The configured embedder if it is not the built-in one.

    Raises UnknownName and BadConfig.
    """
    name, model = config["embed.provider"], config["embed.model"]
    if name == FOLDER:
        if not model:
            raise BadConfig("embed.model is not set", "name the folder of a model")
        from bowerbird.models.embed.onnx import OnnxEmbedder

        return OnnxEmbedder(model)
    if name not in ENDPOINTS:
        return _plugged(name, config)
    address = config["embed.endpoint"] or ENDPOINTS[name]
    if not address:
        raise BadConfig("embed.endpoint is not set", "give it an address that ends in /v1")
    if not model:
        raise BadConfig("embed.model is not set", f"name a model that {name} has")
    from bowerbird.models.embed.remote import RemoteEmbedder
    from bowerbird.models.http import Endpoint

    return RemoteEmbedder(
        name,
        model,
        Endpoint(address, config["embed.key"]),
        wanted_dims=config["embed.dims"],
        timeout=config["embed.timeout"],
    )


def _plugged(name: str, config: "Config") -> "PluggedEmbedder":
    """The embedder of an installed package. Raises UnknownName if none has one of that name."""
    from bowerbird.core.plugins import EMBEDDERS
    from bowerbird.host.plugins import names

    known = names(EMBEDDERS)
    if name not in known:
        raise UnknownName.among("embedding provider", name, [*PACKAGED, FOLDER, *ENDPOINTS, *known])
    from bowerbird.models.embed.plugged import PluggedEmbedder

    return PluggedEmbedder(name, {key: config[f"embed.{key}"] for key in _GIVEN})


def reranker(name: str) -> "Reranker":
    """The reranker of an installed package; one that cannot be made reports that to each query."""
    from bowerbird.models.plugged_reranker import PluggedReranker

    return PluggedReranker(name)


def cached(inner: "Embedder", kept: "Embeddings") -> "CachedEmbedder":
    """An embedder that requests from `inner` only vectors that are not in the cache."""
    from bowerbird.models.cache import CachedEmbedder

    return CachedEmbedder(inner, kept)
