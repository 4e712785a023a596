"""The hits of a question in the shape that was asked for: whole, a line each, or places alone."""

from bowerbird.core.answers import Hit
from bowerbird.core.text import count_tokens, summarise
from bowerbird.core.types import SHORT_ID
from bowerbird.core.value import Record, Remark, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bowerbird.core.answers import Hits
    from bowerbird.core.types import Entry
    from bowerbird.core.value import Table

SHAPES = ("full", "compact", "digest")
# Characters of a digest's few words; with file and lines about ten tokens a hit.
DIGEST_CHARS = 32
# Characters of a compact hit's summary; with place and cost about thirty tokens.
COMPACT_CHARS = 64


class Place(Value):
    """Where a hit stands, or its short id, and a few words of it."""

    __slots__ = ("end_line", "id", "path", "start_line", "summary", "trust")
    TABLE: "Table" = (
        *(("id", "text"), ("path", "text-"), ("start_line", "whole-"), ("end_line", "whole-")),
        *(("trust", "text"), ("summary", "text")),
    )

    def __init__(self, hit: Hit) -> None:
        entry = hit.entry
        self.id = entry.id[:SHORT_ID]
        self.path, self.start_line, self.end_line = hit.path, hit.start_line, hit.end_line
        self.trust = entry.trust
        self.summary = few_words(entry, DIGEST_CHARS)


class Line(Value):
    """A hit in a line, and what the whole would cost in tokens."""

    __slots__ = (
        *(
            "end_line",
            "id",
            "kind",
            "path",
            "relevance",
            "start_line",
            "summary",
            "tokens",
            "trust",
        ),
    )
    TABLE = (
        *(("id", "text"), ("kind", "text"), ("path", "text?"), ("start_line", "whole?")),
        *(("end_line", "whole?"), ("relevance", "score"), ("trust", "text"), ("summary", "text")),
        ("tokens", "whole"),
    )

    def __init__(self, hit: Hit) -> None:
        entry = hit.entry
        self.id, self.kind = entry.id, entry.kind
        self.path, self.start_line, self.end_line = hit.path, hit.start_line, hit.end_line
        self.relevance = hit.relevance
        self.trust = entry.trust
        self.summary = few_words(entry, COMPACT_CHARS)
        self.tokens = count_tokens(entry.text)


class Answer(Record):
    """The hits of a question, best first, in the shape that was asked for; none is an answer.

    `wide` says that every project was searched, `budget` is the cap in tokens that was asked for, or 0.
    """

    hits: "Hits"
    shape: str = "full"
    explain: bool = False
    wide: bool = False
    budget: int = 0
    TABLE = (
        *(("query", "text", "hits.query"), ("results", [Hit, Line, Place])),
        *(("total_found", "whole", "hits.total_found"), ("took_ms", "ms", "hits.took_ms")),
        *(("model_used", "text", "hits.model"), ("corrected", "words", "hits.corrected")),
        *(("budget", "whole-", "cap"), ("spent", "whole-", "cost")),
        *(("degraded", "texts", "hits.trace.degraded"), ("trace", "data-")),
        ("remarks", [Remark], "hits.trace.remarks"),
    )

    @property
    def results(self) -> "Sequence[Value]":
        """The hits, whole or in short."""
        if self.shape == "full":
            return self.hits.hits
        return tuple(map(Line if self.shape == "compact" else Place, self.hits))

    @property
    def spent(self) -> int:
        """The tokens of all hits' texts."""
        return sum(count_tokens(hit.text) for hit in self.hits)

    @property
    def cap(self) -> int | None:
        """The budget, where one was given."""
        return self.budget or None

    @property
    def cost(self) -> int | None:
        """What is spent of it."""
        return self.spent if self.budget else None

    @property
    def trace(self) -> "dict[str, Any] | None":
        """The stages, and what each added to the score of each hit, where that was asked for."""
        if not self.explain:
            return None
        trace = self.hits.trace
        return {
            "stages": [stage.as_dict() for stage in trace.stages],
            "hits": [
                {
                    "id": hit.id,
                    "score": hit.score,
                    "contributions": trace.contributions(hit.entry.row),
                }
                for hit in self.hits
            ],
        }


def few_words(entry: "Entry", limit: int) -> str:
    """The summary of a memory, the heading or first sentence of a passage, cut at a word."""
    if entry.summary:
        return summarise(entry.summary, limit)
    if entry.context and entry.text.startswith("#"):
        return summarise(entry.context.rpartition(" > ")[2], limit)
    return summarise(entry.text, limit)
