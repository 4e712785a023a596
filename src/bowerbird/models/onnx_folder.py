"""The tokenizer and the network of a model in a folder, run by onnxruntime."""

import os

from bowerbird.core.errors import ModelError
from bowerbird.host.installed import adding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

WEIGHTS = ("model.onnx", os.path.join("onnx", "model.onnx"))


class OnnxNetwork:
    """A tokenizer and a network, loaded. Raises ModelError if that fails."""

    def __init__(self, folder: str, weights: str, longest: int) -> None:
        """`longest`: the tokens of a text, or of a pair of texts, that are read."""
        try:
            import onnxruntime  # start-up: an extra, and 95 ms
            import tokenizers  # start-up: an extra
        except ImportError as error:
            message = f"to read with {folder}, packages are missing"
            raise ModelError(message, adding("onnx")) from error
        try:
            tokenizer = tokenizers.Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
            tokenizer.enable_truncation(longest)
            tokenizer.enable_padding()
            self._session: Any = onnxruntime.InferenceSession(
                weights, providers=["CPUExecutionProvider"]
            )
        except Exception as error:
            # The errors of a broken file differ by library and version.
            raise ModelError(f"{folder} cannot be loaded: {error}", "export it again") from error
        self._tokenizer = tokenizer

    def outputs(
        self, texts: "Sequence[str | tuple[str, str]]"
    ) -> "tuple[dict[str, NDArray[np.float32]], NDArray[np.int64]]":
        """The outputs for texts, or pairs of texts, by name in their order, and the tokens' mask."""
        import numpy as np  # start-up: loaded with the model

        encoded = self._tokenizer.encode_batch(texts)
        mask = np.array([one.attention_mask for one in encoded], np.int64)
        inputs = {
            "input_ids": np.array([one.ids for one in encoded], np.int64),
            "attention_mask": mask,
            "token_type_ids": np.array([one.type_ids for one in encoded], np.int64),
        }
        wanted = [one.name for one in self._session.get_inputs()]
        names = [one.name for one in self._session.get_outputs()]
        found = self._session.run(None, {name: inputs[name] for name in wanted if name in inputs})
        return dict(zip(names, found, strict=True)), mask
