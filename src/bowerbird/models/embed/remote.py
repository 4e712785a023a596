"""An embedder behind a server: OpenAI's, Ollama, Gemini and the others of `wires.py`.

Sends nothing unless the user's own configuration names it (``embed.provider``). Secrets are removed from
every text before it is sent, also from queries.
"""

import json
from concurrent.futures import ThreadPoolExecutor
from zlib import crc32

from bowerbird.core.errors import BadConfig, ModelError
from bowerbird.core.types import ModelIdentity, Vector
from bowerbird.core.value import Advice, Do
from bowerbird.guard.redact import redact
from bowerbird.models.breaker import Breaker
from bowerbird.models.embed.known import known
from bowerbird.models.embed.quantise import is_vector, quantised
from bowerbird.models.embed.wires import WIRES
from bowerbird.models.http import Refused
from bowerbird.models.providers import is_local

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from bowerbird.models.gguf import GgufEndpoint
    from bowerbird.models.http import Endpoint

    # Told what a request took: tokens and dollars, or its error.
    Counted = Callable[[int, float, str], object]

# Characters sent of a text for each token that the model reads: English has four, identifiers three. What
# is still too long the server refuses, and it is halved.
CHARACTERS_A_TOKEN = 3
# Characters of any text that are sent at most: a passage is shorter, a memory seldom longer.
LONGEST_TEXT = 24_000
# A text of fewer characters is not halved again: the server refuses it for another reason.
_SHORTEST_TEXT = 200
# The time limit of a query: somebody waits for the answer, and words alone can answer it too.
QUESTION_SECONDS = 10.0
# Seconds for a request if the settings name none: a model on this machine may have no GPU.
REMOTE_SECONDS, LOCAL_SECONDS = 60.0, 300.0
# A text that is embedded to learn the number of dimensions.
_PROBE = "ready"


class RemoteEmbedder:
    """Embeddings from a server. The model reads sentences, so weights of single words are ignored."""

    sentences = True

    def __init__(
        self,
        provider: str,
        model: str,
        endpoint: "Endpoint | GgufEndpoint",
        *,
        wanted_dims: int = 0,
        timeout: float = 0.0,
        batch: int = 0,
        counted: "Counted | None" = None,
    ) -> None:
        """`wanted_dims`, seconds of `timeout` and texts in a `batch`; 0: as suits the model and server.

        `counted` is told the tokens and dollars of each request, and its error.
        Raises BadConfig if the model cannot be cut to those dimensions.
        """
        self._provider = provider
        self._model = model
        self._endpoint = endpoint
        self._wire = WIRES[provider]
        self._facts = known(model)
        if wanted_dims and self._facts.tokens <= 512 and not self._facts.cuts:  # noqa: PLR2004
            raise BadConfig(
                f"the first {wanted_dims} dimensions of {model} alone are no vector",
                "take embed.dims out, or use a model that can be cut, such as qwen3-embedding",
            )
        self._wanted = wanted_dims or self._facts.dims
        self._dims = wanted_dims
        self._dims_of: Callable[[str, str, str], int] | None = None
        self.local = is_local(endpoint, model)
        self._timeout = timeout or (LOCAL_SECONDS if self.local else REMOTE_SECONDS)
        self._batch = min(batch or self._wire.texts, self._wire.texts)
        self._longest = min(self._facts.tokens * CHARACTERS_A_TOKEN, LONGEST_TEXT)
        self._breaker = Breaker(endpoint.host)
        self._counted = counted

    def recall(self, dims_of: "Callable[[str, str, str], int]") -> None:
        """Set the function that looks up the stored dimensions of (provider, name, revision); 0 for none.

        It is called each time while they are unknown, as another process may have stored vectors
        meanwhile.
        """
        self._dims_of = dims_of

    @property
    def identity(self) -> ModelIdentity:
        """The model's identity. Raises ModelError while its dimensions are unknown.

        Its revision holds the server, and a sum of what makes other vectors of the same text: prefixes,
        fields and pooling.
        """
        if not self._known():
            raise ModelError(
                f"{self._provider}/{self._model} has read nothing here yet",
                Advice("run: ", Do("reindex")),
            )
        return ModelIdentity(self._provider, self._model, self._dims, self._revision())

    def ready(self) -> None:
        """Ensure that the identity is known. May send a request; raises ModelError."""
        if not self._known():
            self._request([_PROBE], self._timeout, question=False)

    def _revision(self) -> str:
        roles = [self._role(question) for question in (True, False)]
        if not any(fields or prefix for fields, prefix in roles):
            return self._endpoint.name
        return f"{self._endpoint.name} {crc32(json.dumps(roles).encode()):08x}"

    def _role(self, question: bool) -> "tuple[dict[str, Any], str]":
        """The fields of a request for a question or for passages, and the prefix of each of them."""
        ours, others = (self._wire.fields(self._model, one) for one in (question, not question))
        prefix = self._facts.query if question else self._facts.text
        return dict(ours), "" if ours != others else prefix

    def _known(self) -> bool:
        """Whether the dimensions are known; looks them up if not."""
        if not self._dims and self._dims_of is not None:
            self._dims = self._dims_of(self._provider, self._model, self._revision())
        return bool(self._dims)

    def close(self) -> None:
        """Close the connections to the server; the next request opens a new one."""
        self._endpoint.close()

    def embed(self, texts: "Sequence[str]") -> list[Vector]:
        """The vectors of many texts, in order. Raises ModelError if any is missing."""
        self._known()  # vectors of other dimensions than before are refused
        safe = [redact(text).text[: self._longest] for text in texts]
        asked = [i for i, text in enumerate(safe) if not text.isspace() and text]
        batches = list(self._batches(asked, safe))
        if len(batches) == 1:
            answers: Iterable[list[Vector]] = [self._asked(batches[0], safe)]
        else:
            most = min(self._wire.in_flight, max(len(batches), 1))
            with ThreadPoolExecutor(most) as pool:
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
        safe = redact(text).text[: self._longest]
        return self._fitted([safe], min(QUESTION_SECONDS, self._timeout), question=True)[0]

    def _batches(self, asked: list[int], texts: "Sequence[str]") -> "Iterable[list[int]]":
        """Batches of texts, as lists of their positions."""
        batch: list[int] = []
        size = 0
        for i in asked:
            full = len(batch) >= self._batch or size + len(texts[i]) > self._wire.characters
            if batch and full:
                yield batch
                batch, size = [], 0
            batch.append(i)
            size += len(texts[i])
        if batch:
            yield batch

    def _asked(self, batch: list[int], texts: "Sequence[str]") -> list[Vector]:
        return self._fitted([texts[i] for i in batch], self._timeout, question=False)

    def _fitted(self, texts: list[str], patience: float, *, question: bool) -> list[Vector]:
        """The vectors of texts, of which the server may find some too long: those are cut, no others."""
        try:
            return self._request(texts, patience, question=question)
        except Refused as refused:
            if not refused.too_long:
                raise
            if len(texts) == 1 and len(texts[0]) < _SHORTEST_TEXT:
                raise
        middle = len(texts) // 2
        if not middle:
            return self._fitted([texts[0][: len(texts[0]) // 2]], patience, question=question)
        parts = texts[:middle], texts[middle:]
        return [one for part in parts for one in self._fitted(part, patience, question=question)]

    def _request(self, texts: list[str], patience: float, *, question: bool) -> list[Vector]:
        self._breaker.check()
        fields, prefix = self._role(question)
        texts = [prefix + text for text in texts]
        body = self._wire.body(self._model, texts, self._wanted, fields)
        try:
            answer = self._endpoint.post(self._wire.path(self._model), body, patience)
            vectors = self._vectors(answer, len(texts))
        except ModelError as error:
            self._breaker.failed(error)
            if self._counted is not None and not (isinstance(error, Refused) and error.too_long):
                self._counted(0, 0.0, str(error))
            raise
        self._breaker.answered()
        if self._counted is not None:
            tokens = self._tokens(answer)
            self._counted(tokens, 0.0 if self.local else tokens * self._facts.price / 1e6, "")
        return vectors

    def _tokens(self, answer: "Any") -> int:
        """The tokens that a response says it took; 0 if it does not."""
        try:
            return int(self._wire.tokens(answer))
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
            return 0

    def _vectors(self, answer: "Any", count: int) -> list[Vector]:
        """The vectors in the order of the texts. Raises ModelError for an invalid response."""
        try:
            found = self._wire.vectors(answer)
        except (KeyError, TypeError, AttributeError):
            found = []
        if not isinstance(found, list) or len(found) != count:
            number = len(found) if isinstance(found, list) else 0
            raise ModelError(
                f"{self._endpoint.host} answers with {number} vectors for {count} texts",
                f"check embed.endpoint: it must speak the API of embed.provider = {self._provider}",
            )
        # One zero is a text without a word that the model knows; nothing but zeros, a broken model.
        if not all(map(is_vector, found)) or not any(map(any, found)):
            raise ModelError(
                f"{self._model} at {self._endpoint.host} answers with something else than finite"
                " numbers, or with zeros alone",
                "see what the server's log says, or use another model",
            )
        cut = self._wanted if self._facts.cuts else 0
        vectors = [quantised(numbers[:cut] if cut else numbers) for numbers in found]
        for vector in vectors:
            self._check(len(vector.values))
        return vectors

    def _check(self, dims: int) -> None:
        if not self._dims:
            self._dims = dims
        if dims != self._dims:
            raise ModelError(
                f"{self._model} answers with {dims} numbers a text, not {self._dims}",
                Advice(
                    "if that is meant, embed the store anew: ",
                    Do("model", "use", f"{self._provider}/{self._model}"),
                ),
            )
