"""Which model `embed.provider = auto` takes: never one that sends a text to another machine."""

import os

from bowerbird.core.model_choice import EMBED, ModelChoice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

# Models in the folder, the best first; others come after them.
_FILES = ("embeddinggemma", "bge-base", "bge-small", "gte-small", "minilm")
# Sizes of Ollama's qwen3-embedding with the gigabytes of free memory above which each is taken.
_QWEN = (("qwen3-embedding:8b", 32), ("qwen3-embedding:4b", 8), ("qwen3-embedding:0.6b", 0))
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
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
