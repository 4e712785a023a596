"""Which model `embed.provider = auto` takes: a file or one of a running Ollama, never one elsewhere."""

import os

from bowerbird.core.errors import ModelError
from bowerbird.core.model_choice import EMBED, WRITE, ModelChoice
from bowerbird.models.providers import is_local

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bowerbird.models.http import Endpoint

# Models in the folder, the best first; others come after them.
_FILES = ("embeddinggemma", "bge-base", "bge-small", "gte-small", "minilm")
# Sizes of Ollama's qwen3-embedding with the gigabytes of free memory above which each is taken.
_QWEN = (("qwen3-embedding:8b", 32), ("qwen3-embedding:4b", 8), ("qwen3-embedding:0.6b", 0))
# Sizes of the language model, with the gigabytes of the machine's memory above which each is taken: the
# memory that is free changes, and with it the model would.
_WRITERS = (("qwen3:8b", 32), ("qwen3:4b", 8), ("qwen3:0.6b", 0))
_GIGABYTE = 1 << 30
BUILTIN = "builtin"


def chosen(
    files: "Iterable[ModelChoice]", ollama: "Callable[[], Iterable[ModelChoice]]", free: int
) -> tuple[ModelChoice, str]:
    """The model for a store that none has read yet, and why. `free` is memory in bytes.

    `ollama` asks the server, only if there is no file.
    """
    usable = [one for one in files if one.role == EMBED and not one.note]
    if usable:
        return _best(usable, _FILES), "it is in the models folder, and no model has read the store"
    served = [one for one in ollama() if one.role == EMBED and one.local]
    if served:
        fitting = [name for name, least in _QWEN if free > least * _GIGABYTE]
        return _best(served, fitting), "Ollama runs here, and no model has read the store"
    return ModelChoice(BUILTIN, EMBED, BUILTIN), "there is no other on this machine"


def _best(models: "Sequence[ModelChoice]", order: "Sequence[str]") -> ModelChoice:
    """The first whose name holds the earliest of some parts; else the first of all."""

    def place(one: ModelChoice) -> int:
        name = one.name.lower()
        return next((at for at, part in enumerate(order) if part in name), len(order))

    return min(models, key=place)


def free_memory() -> int:
    """Bytes of memory that a model could take now; half of all where the system does not say."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            for line in file:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) << 10
    except (OSError, ValueError):
        pass
    return all_memory() // 2


def writer(memory: int) -> str:
    """Ollama's language model for a machine with so many bytes of memory, if the settings name none."""
    return next(name for name, least in _WRITERS if memory > least * _GIGABYTE)


def all_memory() -> int:
    """Bytes of this machine's memory."""
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


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
