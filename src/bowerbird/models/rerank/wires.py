"""What each provider is sent to score texts for a question, and where the scores are in its response.

Scores are compared within one response alone: one gives logits, another numbers from 0 to 1.
"""

from math import isfinite

from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Body = dict[str, Any]


class Wire(Record):
    """How a provider is asked for scores.

    `path` of a model's request, and its `body` of model, question and texts. `found` is the list of
    scored positions in a response, `names` the fields of position and score in each.
    """

    path: "Callable[[str], str]"
    body: "Callable[[str, str, list[str]], Body]"
    found: "Callable[[Any], Any]"
    names: tuple[str, str] = ("index", "relevance_score")

    def scores(self, answer: "Any", count: int) -> "list[float] | None":
        """The scores of the texts in their order; None if the response has not one for each."""
        at, score = self.names
        try:
            found = {one[at]: one[score] for one in self.found(answer)}
            scores = [float(found[place]) for place in range(count)]
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
            return None
        whole = len(found) == count and all(map(isfinite, scores))
        return scores if whole else None


def _documents(model: str, question: str, texts: list[str]) -> "Body":
    return {"model": model, "query": question, "documents": texts, "top_n": len(texts)}


def _voyage(model: str, question: str, texts: list[str]) -> "Body":
    body = {"query": question, "documents": texts, "model": model}
    return body | {"top_k": len(texts), "truncation": True}


def _cloudflare(_model: str, question: str, texts: list[str]) -> "Body":
    contexts = [{"text": text} for text in texts]
    return {"query": question, "contexts": contexts, "top_k": len(texts)}


def _tei(_model: str, question: str, texts: list[str]) -> "Body":
    return {"query": question, "texts": texts, "truncate": True}


# Dollars for a million tokens, and for a request, as published in November 2026; the first that fits.
_PRICES = (
    ("rerank-3-lite", (0.02, 0.0)),
    ("rerank-3", (0.05, 0.0)),
    ("rerank-v4.0-fast", (0.0, 0.002)),
)


def took(model: str, answer: "Any") -> tuple[int, float]:
    """The tokens that a response says it took, 0 if it does not, and their price in dollars."""
    try:
        tokens = int(answer["usage"]["total_tokens"])
    except (KeyError, TypeError, ValueError, OverflowError):
        tokens = 0
    a_million, a_request = next(
        (price for name, price in _PRICES if model.startswith(name)), (0.0, 0.0)
    )
    return tokens, tokens * a_million / 1e6 + a_request


# Cohere's shape, which Jina, vLLM and `llama-server --reranking` speak too.
_RESULTS = Wire(lambda _model: "/rerank", _documents, lambda answer: answer["results"])

WIRES = {
    "cohere": _RESULTS,
    "jina": _RESULTS,
    "compatible": _RESULTS,
    # A file that is run in this process.
    "gguf": _RESULTS,
    "voyage": Wire(lambda _model: "/rerank", _voyage, lambda answer: answer["data"]),
    "cloudflare": Wire(
        lambda model: f"/run/{model}",
        _cloudflare,
        lambda answer: answer["result"]["response"],
        ("id", "score"),
    ),
    "tei": Wire(lambda _model: "/rerank", _tei, lambda answer: answer, ("index", "score")),
}
