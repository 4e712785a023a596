"""The models of a running Ollama."""

from bowerbird.core.errors import ModelError
from bowerbird.core.model_choice import EMBED, WRITE, ModelChoice
from bowerbird.models.providers import is_local

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.models.http import Endpoint

OLLAMA = "ollama"
# Seconds in which a server on this machine answers such a question, or is not there.
_PATIENCE = 2.0


def ollama_models(endpoint: "Endpoint") -> list[ModelChoice]:
    """The models that it has, by name. Raises ModelError if it is not running."""
    said = endpoint.get("/api/tags", _PATIENCE)
    listed = said.get("models") if isinstance(said, dict) else None
    models = [one for one in listed or () if isinstance(one, dict) and one.get("name")]
    return [_model(endpoint, one) for one in sorted(models, key=lambda one: str(one["name"]))]


def _model(endpoint: "Endpoint", one: "dict[str, object]") -> ModelChoice:
    name, size = str(one["name"]), one.get("size")
    role, dims = WRITE, 0
    try:
        said = endpoint.post("/api/show", {"model": name}, _PATIENCE)
        facts = said.get("model_info") or {}
        if "embedding" in (said.get("capabilities") or ()):
            role = EMBED
            lengths = [facts[key] for key in facts if key.endswith(".embedding_length")]
            dims = int(lengths[0]) if lengths else 0
    except (ModelError, AttributeError, TypeError, ValueError):
        pass  # an old server: it says less
    return ModelChoice(
        f"{OLLAMA}/{name}",
        role,
        OLLAMA,
        name,
        local=is_local(endpoint, name),
        dims=dims,
        size_bytes=size if isinstance(size, int) else 0,
    )
