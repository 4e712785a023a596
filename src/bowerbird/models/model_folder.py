"""The files of models in the models folder: ONNX folders and GGUF files."""

import json
import os

from bowerbird.core.model_choice import EMBED, RERANK, WRITE, ModelChoice
from bowerbird.models.gguf_header import header, is_cut
from bowerbird.models.onnx_folder import WEIGHTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

ONNX, GGUF = ("onnx", "gguf")
_ENDING = ".gguf"
# How transformers calls a network with a score as its output.
_SCORES = "ForSequenceClassification"


def model_files(folder: str) -> "Iterator[ModelChoice]":
    """The models in a folder, by name; none if it does not exist."""
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return
    for name in names:
        found = model_at(os.path.join(folder, name))
        if found is not None:
            yield found


def model_at(path: str) -> ModelChoice | None:
    """The model in a GGUF file or an ONNX folder; None if there is none."""
    name = os.path.basename(path)
    return _gguf(name, path) if name.lower().endswith(_ENDING) else _onnx(name, path)


def _gguf(name: str, path: str) -> ModelChoice | None:
    try:
        said, size, cut = header(path), os.path.getsize(path), is_cut(path)
    except OSError:
        return None
    note = "its end is missing: fetch it again" if cut else ""
    if said is None:
        note = note or "no GGUF file, or a damaged one"
        return ModelChoice(f"{GGUF}/{name}", EMBED, GGUF, path, size_bytes=size, note=note)
    role = RERANK if said.reranks else EMBED if said.embeds else WRITE
    dims = 0 if role == RERANK else said.dims
    return ModelChoice(f"{GGUF}/{name}", role, GGUF, path, dims=dims, size_bytes=size, note=note)


def _onnx(name: str, path: str) -> ModelChoice | None:
    weights = [file for one in WEIGHTS if os.path.isfile(file := os.path.join(path, one))]
    if not weights:
        return None
    said = _settings(os.path.join(path, "config.json"))
    kinds = said.get("architectures")
    scores = isinstance(kinds, list) and any(str(one).endswith(_SCORES) for one in kinds)
    dims = said.get("hidden_size")
    return ModelChoice(
        f"{ONNX}/{name}",
        RERANK if scores else EMBED,
        ONNX,
        path,
        dims=dims if isinstance(dims, int) and not scores else 0,
        size_bytes=os.path.getsize(weights[0]),
    )


def _settings(path: str) -> "dict[str, object]":
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
