"""A GGUF file, run in this process by xllamacpp (llama.cpp), which answers like a server."""

import os
import secrets
from threading import Lock

from bowerbird.core.errors import ModelError
from bowerbird.host.installed import adding
from bowerbird.models.fingerprint import fingerprint
from bowerbird.models.http import refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class GgufEndpoint:
    """A file in place of a server: it takes the requests of an OpenAI-compatible one. Thread-safe.

    The file is loaded at the first request. `rerank`: it is a reranking model.
    """

    here = True
    proxy = ""

    def __init__(self, path: str, setting: str, tokens: int, *, rerank: bool = False) -> None:
        """`setting` is the part of the settings that names the file, such as ``embed``.

        `tokens`: the most of a request, whose memory is taken at once.
        """
        self._path = os.path.abspath(os.path.expanduser(path))
        self._setting = setting
        self._tokens = tokens
        self._rerank = rerank
        self._server: Any = None
        self._lock = Lock()
        self.model = os.path.basename(path)
        self.host = self.model

    @property
    def name(self) -> str:
        """A fingerprint of the file. Raises ModelError if it cannot be read."""
        try:
            return fingerprint(self._path)
        except OSError as error:
            message = f"cannot read the model {self._path}: {(error.strerror or '').lower()}"
            remedy = f"set {self._setting}.model to a GGUF file of this machine"
            raise ModelError(message, remedy) from error

    def post(self, _path: str, payload: "Mapping[str, Any]", _patience: float) -> "Any":
        """The response to one request, one after another. Raises ModelError."""
        with self._lock:
            if self._server is None:
                self._server = self._loaded()
            ask = self._server.handle_rerank if self._rerank else self._server.handle_embeddings
            answer = ask(dict(payload))
        error = answer.get("error") if isinstance(answer, dict) else None
        if isinstance(error, dict):
            raise refusal(self.host, self._setting, int(error.get("code") or 500), str(error))
        return answer

    def close(self) -> None:
        """Release the weights; the next request loads them again."""
        with self._lock:
            self._server = None

    def _loaded(self) -> "Any":
        _ = self.name
        try:
            import xllamacpp  # start-up: an extra, and it loads llama.cpp
        except ImportError as error:
            message = f"to run {self._path}, a package is missing"
            raise ModelError(message, adding("gguf")) from error
        params = xllamacpp.CommonParams()
        params.model.path = self._path
        # It listens as well, on a free port of this machine with a key that nobody knows.
        params.hostnames, params.port = ["127.0.0.1"], 0
        params.api_keys = [secrets.token_hex(16)]
        params.n_ctx = params.n_batch = params.n_ubatch = self._tokens
        params.n_parallel = 1
        params.warmup = False
        params.verbosity = -1
        params.embedding = True
        kinds = xllamacpp.llama_pooling_type
        if self._rerank:
            params.pooling_type = kinds.LLAMA_POOLING_TYPE_RANK
        try:
            return xllamacpp.Server(params)
        except Exception as error:  # it raises whatever llama.cpp says
            message = f"{self._path} cannot be loaded: {error}"
            raise ModelError(message, "see whether it is a whole GGUF file of a model") from error
