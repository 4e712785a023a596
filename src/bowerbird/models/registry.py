"""Embedders and rerankers by name, each imported when it is requested."""

import os
from functools import cache

from bowerbird.core.errors import BadConfig, ModelError, UnknownName

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.config import Config
    from bowerbird.core.ports.models import Embedder, Reader, Vocabulary
    from bowerbird.core.ports.thinking import Thinker
    from bowerbird.models.cache import CachedEmbedder, Embeddings
    from bowerbird.models.embed.onnx import OnnxEmbedder
    from bowerbird.models.embed.plugged import PluggedEmbedder
    from bowerbird.models.embed.remote import Counted, RemoteEmbedder
    from bowerbird.models.gguf import GgufEndpoint
    from bowerbird.models.http import Endpoint
    from bowerbird.models.rerank.plugged import PluggedReranker
    from bowerbird.models.rerank.scored import Kept, Scorer, ScoringReranker, Unusable

    OtherEmbedder = RemoteEmbedder | OnnxEmbedder | PluggedEmbedder

BUILTIN = "builtin"
# The package's contextual model: used for the second look on memories, or for everything if configured.
CONTEXTUAL = "contextual"
# The models that are part of the package.
PACKAGED = (BUILTIN, CONTEXTUAL)
# The provider names of a model in a local folder, and in a local file.
FOLDER = "onnx"
FILE = "gguf"
# The reranker that asks the language model of `llm`.
LANGUAGE = "llm"
# Seconds of a reranker if the settings name none.
SCORING_SECONDS, RATING_SECONDS = 5.0, 20.0

# Tokens of a text that a GGUF file reads: twice as many take four times the memory; passages have 400.
_MOST_TOKENS = 2_048
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


@cache
def contextual(*, single: bool = False) -> "Reader":
    """The package's contextual model; `single`: numpy has one thread in this process.

    All stores of a process share it, and with it what it has just read.
    """
    from bowerbird.models.embed.contextual import ContextualEmbedder

    return ContextualEmbedder.builtin(single=single)


def other_embedder(config: "Config", counted: "Counted | None" = None) -> "OtherEmbedder":
    """The configured embedder if it is not the built-in one; `counted` is told what requests took.

    Raises UnknownName and BadConfig.
    """
    name, model = config["embed.provider"], config["embed.model"]
    if name == FOLDER:
        if not model:
            raise BadConfig("embed.model is not set", "name the folder of a model")
        from bowerbird.models.embed.onnx import OnnxEmbedder

        return OnnxEmbedder(model)
    from bowerbird.models.embed.wires import WIRES

    if name not in WIRES:
        return _plugged(name, config, [*PACKAGED, FOLDER, *WIRES])
    if not model:
        raise BadConfig("embed.model is not set", f"name a model that {name} has")
    from bowerbird.models.embed.remote import RemoteEmbedder

    return RemoteEmbedder(
        name,
        os.path.basename(model) if name == FILE else model,
        _endpoint(name, "embed", config),
        wanted_dims=config["embed.dims"],
        timeout=config["embed.timeout"],
        batch=config["embed.batch"],
        counted=counted,
    )


def _plugged(name: str, config: "Config", ours: list[str]) -> "PluggedEmbedder":
    """The embedder of an installed package. Raises UnknownName if none has one of that name."""
    from bowerbird.core.plugins import EMBEDDERS
    from bowerbird.host.plugins import names

    known = names(EMBEDDERS)
    if name not in known:
        raise UnknownName.among("embedding provider", name, [*ours, *known])
    from bowerbird.models.embed.plugged import PluggedEmbedder

    return PluggedEmbedder(name, {key: config[f"embed.{key}"] for key in _GIVEN})


def reranker(
    config: "Config",
    kept: "Kept",
    counted: "Counted | None" = None,
    thinker: "Thinker | None" = None,
) -> "ScoringReranker | PluggedReranker | Unusable":
    """The configured reranker; one that cannot be used reports that to each query.

    `kept` keeps scores, `counted` is told what requests took, `thinker` has the language models. Raises
    UnknownName and BadConfig.
    """
    from bowerbird.models.rerank.wires import WIRES

    name = config["rerank.provider"]
    if name not in (FOLDER, LANGUAGE, *WIRES):
        from bowerbird.models.rerank.plugged import PluggedReranker

        return PluggedReranker(name, [FOLDER, LANGUAGE, *WIRES])
    if not config["rerank.model"] and name not in ("tei", LANGUAGE):
        raise BadConfig("rerank.model is not set", f"name a reranking model of {name}")
    from bowerbird.models.rerank.scored import ScoringReranker, Unusable

    try:
        scorer = _rating(config, thinker) if name == LANGUAGE else _scorer(name, config, counted)
    except ModelError as error:
        return Unusable(error)
    return ScoringReranker(scorer, kept, config["rerank.most"], _patience(config))


def _patience(config: "Config") -> float:
    """The seconds of a reranker: somebody waits."""
    usual = RATING_SECONDS if config["rerank.provider"] == LANGUAGE else SCORING_SECONDS
    return float(config["rerank.timeout"] or usual)


def _rating(config: "Config", thinker: "Thinker | None") -> "Scorer":
    if thinker is None:
        raise ModelError(
            "rerank.provider = llm, and no language model is set", "set llm.provider and llm.model"
        )
    from bowerbird.models.llm.rating import RatingScorer

    return RatingScorer(thinker, f"{config['llm.provider']}/{config['llm.model']}")


def _scorer(name: str, config: "Config", counted: "Counted | None") -> "Scorer":
    model = config["rerank.model"]
    if name == FOLDER:
        from bowerbird.models.rerank.onnx import OnnxScorer

        return OnnxScorer(model)
    from bowerbird.models.rerank.remote import RemoteScorer

    address = _endpoint(name, "rerank", config)
    model = os.path.basename(model) if name == FILE else model
    return RemoteScorer(name, model, address, _patience(config), counted)


def _endpoint(name: str, role: str, config: "Config") -> "Endpoint | GgufEndpoint":
    """What answers the requests of a role: a server, or a file in its place. Raises BadConfig."""
    if name == FILE:
        from bowerbird.models.embed.known import known
        from bowerbird.models.gguf import GgufEndpoint

        path = config[f"{role}.model"]
        tokens = min(known(os.path.basename(path)).tokens, _MOST_TOKENS)
        return GgufEndpoint(path, role, tokens)
    from bowerbird.models.providers import endpoint

    return endpoint(name, role, config[f"{role}.endpoint"], config[f"{role}.key"])


def cached(inner: "Embedder", kept: "Embeddings") -> "CachedEmbedder":
    """An embedder that requests from `inner` only vectors that are not in the cache."""
    from bowerbird.models.cache import CachedEmbedder

    return CachedEmbedder(inner, kept)
