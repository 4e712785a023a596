"""A reranker in a local folder: a cross-encoder exported to ONNX, such as bge-reranker.

Reads ``tokenizer.json`` and ``model.onnx`` or ``onnx/model.onnx``. Downloads nothing.
"""

import os
from math import isfinite

from bowerbird.core.errors import ModelError
from bowerbird.models.fingerprint import fingerprint
from bowerbird.models.onnx_folder import WEIGHTS, OnnxNetwork

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# Tokens of a question and a text together, and pairs in a batch.
_LONGEST = 512
_TOGETHER = 10


class OnnxScorer:
    """A model in a folder, loaded with the first question."""

    local = True

    def __init__(self, folder: str) -> None:
        """Raises ModelError if the folder holds no such model."""
        self._folder = os.path.abspath(os.path.expanduser(folder))
        found = [
            path for name in WEIGHTS if os.path.isfile(path := os.path.join(self._folder, name))
        ]
        if not found:
            raise ModelError(
                f"{self._folder} holds no {WEIGHTS[0]}",
                "set rerank.model to the folder of a cross-encoder exported to ONNX",
            )
        self._weights = found[0]
        self._network: OnnxNetwork | None = None
        self.name = f"onnx/{os.path.basename(self._folder)}@{fingerprint(self._weights)}"

    def scores(self, question: str, texts: "Sequence[str]") -> "Sequence[float]":
        """How well each text answers a question. Raises ModelError."""
        if self._network is None:
            self._network = OnnxNetwork(self._folder, self._weights, _LONGEST)
        scores: list[float] = []
        for start in range(0, len(texts), _TOGETHER):
            pairs = [(question, text) for text in texts[start : start + _TOGETHER]]
            try:
                outputs, _ = self._network.outputs(pairs)
            except Exception as error:  # the library's own errors have no common class
                message = f"{self._folder} cannot read: {error}"
                raise ModelError(message, "export it again, or name another model") from error
            logits = outputs.get("logits", next(iter(outputs.values())))
            if logits.ndim != 2 or logits.shape[1] != 1:  # noqa: PLR2004 (texts, 1): a score of each
                raise ModelError(
                    f"{self._folder} is no reranker: it gives {list(logits.shape)} numbers for"
                    f" {len(pairs)} texts, and should give one for each",
                    "set rerank.model to a cross-encoder with one output",
                )
            scores += [float(one) for one in logits[:, 0]]
        if not all(map(isfinite, scores)):
            raise ModelError(f"{self._folder} gives scores that are no numbers", "export it again")
        return scores

    def close(self) -> None:
        """Release the weights; the next question loads them again."""
        self._network = None
