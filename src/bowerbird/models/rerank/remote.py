"""A reranking model behind a server: Cohere, Jina, Voyage, Cloudflare, TEI, llama.cpp and vLLM."""

from bowerbird.core.errors import ModelError
from bowerbird.models.breaker import Breaker
from bowerbird.models.providers import is_local
from bowerbird.models.rerank.wires import WIRES, took

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bowerbird.models.embed.remote import Counted
    from bowerbird.models.gguf import GgufEndpoint
    from bowerbird.models.http import Endpoint


class RemoteScorer:
    """Scores from a server, in one request for all texts of a question."""

    def __init__(
        self,
        provider: str,
        model: str,
        endpoint: "Endpoint | GgufEndpoint",
        patience: float,
        counted: "Counted | None" = None,
    ) -> None:
        """`patience`: seconds for a request. `counted` is told what each took, and its error."""
        self._counted = counted
        self._provider = provider
        self._model = model
        self._endpoint = endpoint
        self._wire = WIRES[provider]
        self._patience = patience
        self._breaker = Breaker(endpoint.host)
        self.name = f"{provider}/{model}@{endpoint.name}"
        self.local = is_local(endpoint, model)

    def scores(self, question: str, texts: "Sequence[str]") -> "Sequence[float]":
        """How well each text answers a question. Raises ModelError."""
        self._breaker.check()
        body = self._wire.body(self._model, question, list(texts))
        try:
            answer = self._endpoint.post(self._wire.path(self._model), body, self._patience)
            scores = self._read(answer, len(texts))
        except ModelError as error:
            self._breaker.failed(error)
            if self._counted is not None:
                self._counted(0, 0.0, str(error))
            raise
        self._breaker.answered()
        if self._counted is not None:
            tokens, dollars = took(self._model, answer)
            self._counted(tokens, 0.0 if self.local else dollars, "")
        return scores

    def _read(self, answer: "Any", count: int) -> list[float]:
        """The scores of a response. Raises ModelError if it has not one for each text."""
        scores = self._wire.scores(answer, count)
        if scores is None:
            raise ModelError(
                f"{self._endpoint.host} does not answer with a score for each text",
                f"check rerank.endpoint: it must speak the API of {self._provider}, and its model must"
                " be a reranker",
            )
        return scores

    def close(self) -> None:
        """Close the connections to the server."""
        self._endpoint.close()
