"""An embedder behind an OpenAI-compatible API: OpenAI, Ollama, LM Studio, vLLM and others.

Sends nothing unless the user's own configuration names it (``embed.provider``). Secrets are removed from
every text before it is sent, also from queries.
"""

from array import array
from concurrent.futures import ThreadPoolExecutor
from math import sqrt
from time import monotonic

from bowerbird.core.errors import ModelError
from bowerbird.core.types import ModelIdentity, Vector
from bowerbird.core.value import Advice, Do
from bowerbird.guard.redact import redact
from bowerbird.models.http import Endpoint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

# Texts and characters in one request, and requests under way at once.
TEXTS = 100
CHARACTERS = 200_000
IN_FLIGHT = 10
# Maximum characters sent of a text: models read up to 8,192 tokens of about 3 characters.
LONGEST_TEXT = 24_000
# The time limit of a query: somebody waits for the answer, and words alone can answer it too.
QUESTION_SECONDS = 10.0
# After this number of consecutive failures no request is made for this number of seconds.
MOST_FAILURES = 2
REST_SECONDS = 30.0
# Embeddings have no larger values, and the sum of squares of smaller ones is finite.
_LARGEST = 1e100
# A text that is embedded to learn the number of dimensions.
_PROBE = "ready"


class RemoteEmbedder:
    """Embeddings from a server. The model reads sentences, so weights of single words are ignored."""

    sentences = True

    def __init__(
        self,
        provider: str,
        model: str,
        endpoint: Endpoint,
        *,
        wanted_dims: int = 0,
        timeout: float = 60.0,
    ) -> None:
        """`wanted_dims` are requested; 0: the model's default. `timeout`: seconds per request."""
        self._provider = provider
        self._model = model
        self._endpoint = endpoint
        self._dims = wanted_dims
        self._wanted = wanted_dims
        self._dims_of: Callable[[str, str, str], int] | None = None
        self._timeout = timeout
        self._failures = 0
        self._resting_until = 0.0

    def recall(self, dims_of: "Callable[[str, str, str], int]") -> None:
        """Set the function that looks up the stored dimensions of (provider, name, revision); 0 for none.

        It is called each time while they are unknown, as another process may have stored vectors
        meanwhile.
        """
        self._dims_of = dims_of

    @property
    def identity(self) -> ModelIdentity:
        """The model's identity. Raises ModelError while its dimensions are unknown."""
        if not self._known():
            raise ModelError(
                f"{self._provider}/{self._model} has read nothing here yet",
                Advice("run: ", Do("reindex")),
            )
        return ModelIdentity(self._provider, self._model, self._dims, self._endpoint.name)

    def ready(self) -> None:
        """Ensure that the identity is known. May send a request; raises ModelError."""
        if not self._known():
            self._request([_PROBE], self._timeout)

    def _known(self) -> bool:
        """Whether the dimensions are known; looks them up if not."""
        if not self._dims and self._dims_of is not None:
            self._dims = self._dims_of(self._provider, self._model, self._endpoint.name)
        return bool(self._dims)

    def close(self) -> None:
        """Close the connections to the server; the next request opens a new one."""
        self._endpoint.close()

    def embed(self, texts: "Sequence[str]") -> list[Vector]:
        """The vectors of many texts, in order. Raises ModelError if any is missing."""
        self._known()  # vectors of other dimensions than before are refused
        safe = [redact(text).text[:LONGEST_TEXT] for text in texts]
        asked = [i for i, text in enumerate(safe) if not text.isspace() and text]
        batches = list(_batches(asked, safe))
        if len(batches) == 1:
            answers: Iterable[list[Vector]] = [self._asked(batches[0], safe)]
        else:
            with ThreadPoolExecutor(min(IN_FLIGHT, max(len(batches), 1))) as pool:
                answers = list(pool.map(lambda batch: self._asked(batch, safe), batches))
        self.ready()
        vectors = [Vector(bytes(self._dims), 0.0)] * len(texts)
        for batch, answer in zip(batches, answers, strict=True):
            for i, vector in zip(batch, answer, strict=True):
                vectors[i] = vector
        return vectors

    def embed_query(
        self, text: str, _word_weight: "Callable[[str], float] | None" = None
    ) -> Vector:
        """The vector of a query. Raises ModelError."""
        self._known()
        safe = redact(text).text[:LONGEST_TEXT]
        return self._request([safe], min(QUESTION_SECONDS, self._timeout))[0]

    def _asked(self, batch: list[int], texts: "Sequence[str]") -> list[Vector]:
        return self._request([texts[i] for i in batch], self._timeout)

    def _request(self, texts: list[str], patience: float) -> list[Vector]:
        rest = self._resting_until - monotonic()
        if rest > 0:
            message = f"{self._endpoint.host} failed {self._failures} times in a row"
            raise ModelError(message, f"it is asked again in {rest:.0f} s")
        payload: dict[str, Any] = {"model": self._model, "input": texts, "encoding_format": "float"}
        if self._wanted:
            payload["dimensions"] = self._wanted
        try:
            answer = self._endpoint.post("/embeddings", payload, patience)
            vectors = self._vectors(answer, len(texts))
        except ModelError:
            self._failures += 1
            if self._failures >= MOST_FAILURES:
                self._resting_until = monotonic() + REST_SECONDS
            raise
        self._failures = 0
        return vectors

    def _vectors(self, answer: "Any", count: int) -> list[Vector]:
        """The vectors in the order of the texts. Raises ModelError for an invalid response."""
        found: dict[int, Vector] = {}
        data = answer.get("data") if isinstance(answer, dict) else None
        for index, one in enumerate(data if isinstance(data, list) else ()):
            numbers = one.get("embedding") if isinstance(one, dict) else None
            if not isinstance(numbers, list) or not _all_numbers(numbers):
                break
            at = one.get("index", index)
            found[at if isinstance(at, int) else -1] = quantised(numbers)
        if set(found) != set(range(count)):
            raise ModelError(
                f"{self._endpoint.host} answers with {len(found)} vectors for {count} texts",
                "check embed.endpoint: it must speak OpenAI's /embeddings",
            )
        for vector in found.values():
            self._check(len(vector.values))
        return [found[i] for i in range(count)]

    def _check(self, dims: int) -> None:
        if not self._dims:
            self._dims = dims
        if dims != self._dims:
            raise ModelError(
                f"{self._model} answers with {dims} numbers a text, not {self._dims}",
                Advice(f"if that is meant, set embed.dims = {dims} and run: ", Do("reindex")),
            )


def quantised(numbers: "Sequence[float]") -> Vector:
    """A vector of floats as int8 values with its norm."""
    norm = sqrt(sum(number * number for number in numbers))
    if norm == 0.0:
        return Vector(bytes(len(numbers)), 0.0)
    step = 127 / max(map(abs, numbers))
    return Vector(array("b", [round(number * step) for number in numbers]).tobytes(), norm)


def _all_numbers(values: "list[Any]") -> bool:
    return bool(values) and all(type(one) in {float, int} and abs(one) < _LARGEST for one in values)


def _batches(asked: list[int], texts: "Sequence[str]") -> "Iterable[list[int]]":
    """Batches of texts, as lists of their positions."""
    batch: list[int] = []
    size = 0
    for i in asked:
        if batch and (len(batch) >= TEXTS or size + len(texts[i]) > CHARACTERS):
            yield batch
            batch, size = [], 0
        batch.append(i)
        size += len(texts[i])
    if batch:
        yield batch
