"""An embedder behind an OpenAI-compatible address: OpenAI, Ollama, LM Studio, vLLM and others.

Nothing is sent unless the user's own configuration names it (``embed.provider``). Secrets are taken
out of every text before it leaves, also of questions.
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
# What the models read at most: 8,192 tokens of 3 characters.
LONGEST_TEXT = 24_000
# Somebody waits for a question's answer, and words alone answer it too.
QUESTION_SECONDS = 10.0
# After this number of failures in a row no request is made for this number of seconds.
MOST_FAILURES = 2
REST_SECONDS = 30.0
# No embedding holds such a number, and the sum of the squares of a smaller one's is finite.
_LARGEST = 1e100
# A text to learn the number of dimensions by.
_PROBE = "ready"


class RemoteEmbedder:
    """Embeddings from a server. It reads sentences: the weights of single words mean nothing to it."""

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
        """`wanted_dims` are asked for; 0: whatever comes. `timeout`: seconds of one request."""
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
        """Ask there for its dimensions while they are unknown: by provider, name, revision; 0 for none.

        Asked each time, as another process may have made vectors meanwhile.
        """
        self._dims_of = dims_of

    @property
    def identity(self) -> ModelIdentity:
        """Who makes the vectors. Raises ModelError while nobody knows their dimensions."""
        if not self._known():
            raise ModelError(
                f"{self._provider}/{self._model} has read nothing here yet",
                Advice("run: ", Do("reindex")),
            )
        return ModelIdentity(self._provider, self._model, self._dims, self._endpoint.name)

    def ready(self) -> None:
        """Make sure that the identity is known. May ask the server; raises ModelError."""
        if not self._known():
            self._request([_PROBE], self._timeout)

    def _known(self) -> bool:
        """Whether its dimensions are known, by now."""
        if not self._dims and self._dims_of is not None:
            self._dims = self._dims_of(self._provider, self._model, self._endpoint.name)
        return bool(self._dims)

    def close(self) -> None:
        """Close the connections to the server; the next request makes one anew."""
        self._endpoint.close()

    def embed(self, texts: "Sequence[str]") -> list[Vector]:
        """The vectors of many texts, in their order. Raises ModelError if any cannot be had."""
        self._known()  # what answers otherwise than before is refused
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
        """The vector of a question. Raises ModelError."""
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

    def _vectors(self, answer: "dict[str, Any]", count: int) -> list[Vector]:
        """The vectors in the order of the texts. Raises ModelError for anything else."""
        found: dict[int, Vector] = {}
        data = answer.get("data")
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
    """A vector of floats as int8 values and its length."""
    norm = sqrt(sum(number * number for number in numbers))
    if norm == 0.0:
        return Vector(bytes(len(numbers)), 0.0)
    step = 127 / max(map(abs, numbers))
    return Vector(array("b", [round(number * step) for number in numbers]).tobytes(), norm)


def _all_numbers(values: "list[Any]") -> bool:
    return bool(values) and all(type(one) in {float, int} and abs(one) < _LARGEST for one in values)


def _batches(asked: list[int], texts: "Sequence[str]") -> "Iterable[list[int]]":
    """The texts that go together, by their places."""
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
