"""An embedder in a local folder: a sentence-transformers model exported to ONNX.

Reads ``tokenizer.json``, ``model.onnx`` or ``onnx/model.onnx``, and if present ``1_Pooling/config.json``,
``sentence_bert_config.json`` and ``config_sentence_transformers.json``. Downloads nothing and runs no
code of the folder.
"""

import json
import os
from zlib import crc32

from bowerbird.core.errors import ModelError
from bowerbird.core.types import ModelIdentity, Vector
from bowerbird.models.embed.known import known
from bowerbird.models.fingerprint import fingerprint
from bowerbird.models.onnx_folder import WEIGHTS, OnnxNetwork

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

# Texts per batch; batches have texts of similar length, so that there is little padding.
TOGETHER = 32
# Maximum tokens of a text if the model does not specify them.
LONGEST = 512


class OnnxEmbedder:
    """A model in a folder. Weights and libraries are loaded with the first text."""

    sentences = True

    def __init__(self, folder: str) -> None:
        """Reads nothing yet: the folder may appear later."""
        self._folder = os.path.abspath(os.path.expanduser(folder))
        self._model: _Folder | None = None
        self._network: OnnxNetwork | None = None

    @property
    def identity(self) -> ModelIdentity:
        """The model's identity. Raises ModelError for a folder without such a model."""
        return self._described.identity

    @property
    def _described(self) -> "_Folder":
        if self._model is None:
            self._model = _Folder(self._folder)
        return self._model

    def recall(self, _dims_of: "Callable[[str, str, str], int]") -> None:
        """Does nothing: the folder specifies the dimensions."""

    def ready(self) -> None:
        """Ensure that the folder exists. Raises ModelError."""
        _ = self.identity

    def close(self) -> None:
        """Release the weights; the next text loads them again."""
        self._network = None

    def embed(self, texts: "Sequence[str]") -> list[Vector]:
        """The vectors of many texts, in order. Raises ModelError."""
        before = self._described.before_text
        return self._read([before + text if text.strip() else "" for text in texts])

    def embed_query(
        self, text: str, _word_weight: "Callable[[str], float] | None" = None
    ) -> Vector:
        """The vector of a query. Raises ModelError."""
        return self._read([self._described.before_question + text])[0]

    def _read(self, texts: list[str]) -> list[Vector]:
        dims = self.identity.dims
        order = sorted((i for i, text in enumerate(texts) if text), key=lambda i: len(texts[i]))
        vectors = [Vector(bytes(dims), 0.0)] * len(texts)
        for start in range(0, len(order), TOGETHER):
            batch = order[start : start + TOGETHER]
            try:
                rows = self._rows([texts[i] for i in batch])
            except ModelError:
                raise
            except Exception as error:
                # The library's own errors have no common class.
                message = str(error).splitlines()[0] if str(error) else type(error).__name__
                raise ModelError(
                    f"{self._folder} cannot read: {message}",
                    "export it again, or name another model",
                ) from error
            if rows.shape[1] != dims:
                raise ModelError(
                    f"{self._folder} makes vectors of {rows.shape[1]} numbers, and says {dims}",
                    "export it again, or name another model",
                )
            for i, vector in zip(batch, _quantised(rows), strict=True):
                vectors[i] = vector
        return vectors

    def _rows(self, texts: list[str]) -> "NDArray[np.float32]":
        """Vectors as floats, of shape (texts, dims)."""
        import numpy as np  # start-up: loaded with the model

        if self._network is None:
            described = self._described
            self._network = OnnxNetwork(self._folder, described.weights, described.longest)
        outputs, mask = self._network.outputs(texts)
        tokens = outputs.get("sentence_embedding", next(iter(outputs.values())))
        if tokens.ndim == 2:  # noqa: PLR2004 (texts, dims): the model has made one vector of each
            return tokens
        if self._described.first_token:
            first: NDArray[np.float32] = tokens[:, 0]
            return first
        weights = mask[:, :, None].astype(np.float32)
        mean: NDArray[np.float32] = (tokens * weights).sum(axis=1) / np.maximum(
            weights.sum(axis=1), 1.0
        )
        return mean


class _Folder:
    """The description of the model in a folder. Raises ModelError if there is none."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.weights = self._there(*WEIGHTS)
        self._there("tokenizer.json")
        pooling = self._settings(os.path.join("1_Pooling", "config.json"))
        self.first_token = bool(pooling.get("pooling_mode_cls_token"))
        dims = pooling.get("word_embedding_dimension")
        dims = dims or self._settings("config.json").get("hidden_size")
        if not isinstance(dims, int) or dims < 1:
            raise ModelError(
                f"{path} does not say how many numbers its vectors have",
                "export it with its config.json or 1_Pooling/config.json",
            )
        longest = self._settings("sentence_bert_config.json").get("max_seq_length")
        self.longest = longest if isinstance(longest, int) and longest > 0 else LONGEST
        by_name = self._settings("config_sentence_transformers.json").get("prompts")
        prompts: dict[str, Any] = by_name if isinstance(by_name, dict) else {}
        name = os.path.basename(path)
        facts = known(name)
        self.before_question = str(prompts.get("query") or facts.query)
        self.before_text = str(prompts.get("document") or prompts.get("passage") or facts.text)
        made = fingerprint(self.weights)
        if self.before_question or self.before_text or self.first_token:
            # What makes other vectors of the same weights.
            ways = (self.before_question, self.before_text, self.first_token)
            made += f" {crc32(json.dumps(ways).encode()):08x}"
        self.identity = ModelIdentity("onnx", name, dims, made)

    def _there(self, *names: str) -> str:
        """The first of these files that exists. Raises ModelError."""
        for name in names:
            path = os.path.join(self._path, name)
            if os.path.isfile(path):
                return path
        raise ModelError(
            f"{self._path} holds no {names[0]}",
            "set embed.model to the folder of a sentence-transformers model exported to ONNX",
        )

    def _settings(self, name: str) -> "dict[str, Any]":
        try:
            with open(os.path.join(self._path, name), encoding="utf-8") as file:
                value = json.load(file)
        except (OSError, ValueError):
            return {}
        return value if isinstance(value, dict) else {}


def _quantised(rows: "NDArray[np.float32]") -> list[Vector]:
    """Rows of floats as int8 values, all of the same norm."""
    import numpy as np  # start-up: loaded with the model

    largest = np.abs(rows).max(axis=1, keepdims=True)
    data = np.rint(rows * (127 / np.where(largest > 0, largest, 1))).astype(np.int8)
    return [
        Vector(values.tobytes(), 1.0 if high else 0.0)
        for values, high in zip(data, largest[:, 0].tolist(), strict=True)
    ]
