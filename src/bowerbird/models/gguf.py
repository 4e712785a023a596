"""A GGUF file, run in this process by xllamacpp (llama.cpp), which answers like a server."""

import os
import secrets
from threading import Lock
from typing import NamedTuple

from bowerbird.core.errors import ModelError
from bowerbird.host.installed import adding
from bowerbird.models.fingerprint import fingerprint
from bowerbird.models.gguf_header import header
from bowerbird.models.http import Endpoint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

# Threads wait for each other by spinning: on a machine of two cores where others work too, a text took
# .17 s of one thread, and 1.9 s of two.
_SHARE_OF_CORES = 2
# How a model makes one thing of its tokens': as its file says, by their mean, or a score.
OWN, AVERAGE, RANKING = ("own", "average", "ranking")


class GgufEndpoint:
    """A file in place of a server: it takes the requests of an OpenAI-compatible one. Thread-safe.

    The file is loaded at the first request.
    """

    here = True
    proxy = ""

    def __init__(self, path: str, setting: str, tokens: int) -> None:
        """`setting` is the part of the settings that names the file: ``embed``, ``rerank`` or ``llm``.

        `tokens`: the most of a request, whose memory is taken at once.
        """
        self._path = os.path.abspath(os.path.expanduser(path))
        self._setting = setting
        self._tokens = tokens
        self._running: _Running | None = None
        self._lock = Lock()
        self.model = os.path.basename(path)
        self.host = self.model

    @property
    def name(self) -> str:
        """A fingerprint of the file. Raises ModelError if it cannot be read."""
        try:
            return fingerprint(self._path)
        except OSError as error:
            raise self._unreadable(error) from error

    def post(self, path: str, payload: "Mapping[str, Any]", patience: float) -> "Any":
        """The response to one request, one after another. Raises Refused and ModelError."""
        with self._lock:
            if self._running is None:
                self._running = self._loaded()
        return self._running.endpoint.post(path, payload, patience)

    def close(self) -> None:
        """Release the weights; the next request loads them again."""
        with self._lock:
            if self._running is not None:
                self._running.endpoint.close()
            self._running = None

    def _loaded(self) -> "_Running":
        try:
            said = header(self._path)
        except OSError as error:
            raise self._unreadable(error) from error
        if said is None:
            message = f"{self._path} is no GGUF file, or a damaged one"
            raise ModelError(message, f"set {self._setting}.model to a whole GGUF file")
        if self._setting == "llm":
            return self._served("")
        if self._setting == "embed":
            # Of a model that was made to write, the mean of what it makes of each token.
            return self._served(OWN if said.embeds else AVERAGE)
        if not said.reranks:
            # llama.cpp would give scores that mean nothing.
            raise ModelError(
                f"{self._path} is no reranking model: its header does not say pooling_type = 4 (rank)",
                "set rerank.model to one, such as bge-reranker-v2-m3, converted by a current llama.cpp",
            )
        return self._served(RANKING)

    def _served(self, pooling: str) -> "_Running":
        """The file, answering on a free port of this machine to a key that nobody knows.

        It is asked over that port: a request that takes too long ends when its connection does, while a
        call in this process would go on, and crash the process that ends meanwhile.
        """
        key = secrets.token_hex(16)
        server = loaded(self._path, self._tokens, key, pooling)
        endpoint = Endpoint(f"{server.listening_address}/v1", key, self._setting)
        endpoint.host = self.model
        return _Running(server, endpoint)

    def _unreadable(self, error: OSError) -> ModelError:
        message = f"cannot read the model {self._path}: {(error.strerror or '').lower()}"
        return ModelError(message, f"set {self._setting}.model to a GGUF file of this machine")


class _Running(NamedTuple):
    """A loaded file, and how it is asked."""

    server: "Any"
    endpoint: Endpoint


def loaded(path: str, tokens: int, key: str, pooling: str) -> "Any":
    """The server of a file, with memory for `tokens`, that answers to a key. Raises ModelError.

    `pooling`: how it makes a vector or a score of its tokens; empty: it writes text.
    """
    try:
        import xllamacpp  # start-up: an extra, and it loads llama.cpp
    except ImportError as error:
        raise ModelError(f"to run {path}, a package is missing", adding("gguf")) from error
    params = xllamacpp.CommonParams()
    params.model.path = path
    params.hostnames, params.port = ["127.0.0.1"], 0
    params.api_keys = [key]
    params.n_ctx = tokens
    params.n_parallel = 1
    params.warmup = False
    params.verbosity = -1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = _threads()
    if pooling:
        # A text is read at once.
        params.n_batch = params.n_ubatch = tokens
        params.embedding = True
    kinds = xllamacpp.llama_pooling_type
    if pooling == AVERAGE:
        params.pooling_type = kinds.LLAMA_POOLING_TYPE_MEAN
    elif pooling == RANKING:
        params.pooling_type = kinds.LLAMA_POOLING_TYPE_RANK
    try:
        return xllamacpp.Server(params)
    except Exception as error:  # it raises whatever llama.cpp says
        message = f"{path} cannot be loaded: {error}"
        raise ModelError(message, "use a whole GGUF file of a model that fits memory") from error


def _threads() -> int:
    return max((os.cpu_count() or 1) // _SHARE_OF_CORES, 1)
