"""A reranker by the score of each text, with scores kept beside the store."""

from bowerbird.core.errors import ModelError
from bowerbird.core.ids import content_hash
from bowerbird.core.types import Vector
from bowerbird.guard.redact import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from typing import Protocol

    class Scorer(Protocol):
        """A model that scores texts. Knows nothing of orders, caches or time limits."""

        @property
        def name(self) -> str:
            """What tells it from any model that scores otherwise."""
            ...

        def scores(self, question: str, texts: Sequence[str]) -> Sequence[float]:
            """How well each text answers a question, on a scale of its own. Raises ModelError."""
            ...

        def close(self) -> None:
            """Release connections and weights; the next question takes them again."""
            ...

    class Kept(Protocol):
        """Keeps numbers by model and hash. Knows nothing of what they are."""

        def known(self, model: str, hashes: Collection[bytes]) -> dict[bytes, Vector]:
            """What is kept of some hashes."""
            ...

        def keep(self, model: str, vectors: Mapping[bytes, Vector]) -> None:
            """Keep some."""
            ...


# Characters of a text that are read: most cross-encoders read 512 tokens of question and text together.
LONGEST_TEXT = 2_000


class ScoringReranker:
    """Orders texts by a model's scores, asked for once for each question and text."""

    unsure_only = True

    def __init__(self, scorer: "Scorer", kept: "Kept", most: int, budget_s: float) -> None:
        """`most` texts are ordered, within `budget_s` seconds."""
        self._scorer = scorer
        self._kept = kept
        self.most = most
        self.budget_s = budget_s

    def order(self, question: str, texts: "Sequence[str]") -> "Sequence[int]":
        """The positions of the texts, the best first; equal ones as they were. Raises ModelError."""
        question = redact(question).text
        safe = [redact(text).text[:LONGEST_TEXT] for text in texts]
        hashes = [content_hash(f"{question}\0{text}".encode("utf-8", "replace")) for text in safe]
        name = f"rerank {self._scorer.name}"
        known = self._kept.known(name, hashes)
        # All or none: of some models the scores of one response alone are comparable.
        if len(known) == len(set(hashes)):
            scores: Sequence[float] = [known[hash].norm for hash in hashes]
        else:
            scores = self._scorer.scores(question, safe)
            self._kept.keep(
                name, {hash: Vector(b"", one) for hash, one in zip(hashes, scores, strict=True)}
            )
        return sorted(range(len(texts)), key=lambda at: -scores[at])

    def close(self) -> None:
        """Release what the model holds."""
        self._scorer.close()


class Unusable:
    """A reranker that cannot be used, which each question reports."""

    # One text, so that the attempt is made and reported.
    most, budget_s, unsure_only = 1, 0.0, False

    def __init__(self, error: ModelError) -> None:
        self._error = error

    def order(self, question: str, texts: "Sequence[str]") -> "Sequence[int]":  # noqa: ARG002
        """Raises ModelError."""
        raise self._error

    def close(self) -> None:
        """Does nothing."""
