"""The hits of a question in the requested shape: brief, whole, one line each, or locations only."""

from bowerbird.core.answers import Hit
from bowerbird.core.excerpt import best_line, cut, quoted
from bowerbird.core.text import count_tokens, one_line, summarise
from bowerbird.core.types import SHORT_ID
from bowerbird.core.value import Record, Remark, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from bowerbird.core.answers import Hits, Linked
    from bowerbird.core.details import Details
    from bowerbird.core.types import Entry
    from bowerbird.core.value import Table

SHAPES = ("brief", "full", "compact", "digest", "cited")
# Characters of a digest's few words; with file and lines about ten tokens a hit.
DIGEST_CHARS = 32
# Characters of a compact hit's line; with place and cost about thirty tokens.
COMPACT_CHARS = 64
# Tokens of a brief hit's text: with their other fields ten hits stay below 2,500.
BRIEF_TOKENS = 150
# Sentences of a hit that are quoted, and characters of its label (core.memories.LONGEST_CITATION, which
# a cold query does not load).
QUOTES = 2
LONGEST_CITATION = 40
# Brackets would end a citation early.
_BRACKETS = str.maketrans("[]", "()")


def _said(name: str) -> "Callable[[Linked], Any]":
    """A field of another memory, if this shape has it; else it is elsewhere in the answer."""
    return lambda one: getattr(one, name) if one.text else None


LINKED: "Table" = (
    ("relation", "text"),
    ("id", "text"),
    ("kind", "text-", _said("kind")),
    ("text", "text-"),
    ("trust", "text-", _said("trust")),
    ("speaker", "text-", _said("speaker")),
    ("created", "moment-", _said("created")),
)


class Short(Record):
    """A hit in less than its whole text; the table of each shape lists its fields."""

    hit: Hit


class Brief(Short):
    """A shortened hit: the part that matched, and the location of the whole text.

    `cut` says that there is more of it.
    """

    TABLE: "Table" = (
        ("id", "text", "hit.id"),
        ("kind", "text", "hit.kind"),
        ("text", "text", lambda one: brief(one.hit)),
        ("cut", "flag", lambda one: brief(one.hit) != one.hit.text),
        ("relevance", "share", "hit.relevance"),
        ("trust", "text", "hit.entry.trust"),
        ("valid_from", "moment-", "hit.entry.valid_from"),
        ("valid_to", "moment-", "hit.entry.valid_to"),
        ("path", "text-", "hit.path"),
        ("start_line", "whole-", "hit.start_line"),
        ("end_line", "whole-", "hit.end_line"),
        ("context", "text-", "hit.entry.context"),
        ("speaker", "text-", "hit.entry.speaker"),
        ("audience", "text-", "hit.entry.audience"),
        ("disputed", "text-", "hit.entry.disputed"),
        ("project", "text-", "hit.entry.project"),
        ("tags", "texts-", "hit.entry.tags"),
        ("review", "text-", "hit.entry.review"),
        ("created", "moment", "hit.entry.created"),
        ("also_in", "texts-", "hit.also"),
        ("linked", [LINKED, "-"], "hit.linked"),
    )


class Place(Short):
    """The location of a hit, or its short id, and a few words of the line that matched."""

    TABLE: "Table" = (
        ("id", "text", lambda one: one.hit.id[:SHORT_ID]),
        ("path", "text-", "hit.path"),
        ("start_line", "whole-", "hit.start_line"),
        ("end_line", "whole-", "hit.end_line"),
        ("relevance", "share", "hit.relevance"),
        ("trust", "text", "hit.entry.trust"),
        ("valid_from", "moment-", "hit.entry.valid_from"),
        ("valid_to", "moment-", "hit.entry.valid_to"),
        ("speaker", "text-", "hit.entry.speaker"),
        ("audience", "text-", "hit.entry.audience"),
        ("disputed", "text-", "hit.entry.disputed"),
        ("line", "text", lambda one: matched(one.hit, DIGEST_CHARS)),
        ("linked", [LINKED, "-"], "hit.linked"),
    )


class Line(Short):
    """A hit as the line that matched, and the tokens of the whole text."""

    TABLE: "Table" = (
        ("id", "text", "hit.id"),
        ("kind", "text", "hit.kind"),
        ("path", "text?", "hit.path"),
        ("start_line", "whole?", "hit.start_line"),
        ("end_line", "whole?", "hit.end_line"),
        ("relevance", "share", "hit.relevance"),
        ("trust", "text", "hit.entry.trust"),
        ("valid_from", "moment-", "hit.entry.valid_from"),
        ("valid_to", "moment-", "hit.entry.valid_to"),
        ("speaker", "text-", "hit.entry.speaker"),
        ("audience", "text-", "hit.entry.audience"),
        ("disputed", "text-", "hit.entry.disputed"),
        ("line", "text", lambda one: matched(one.hit, COMPACT_CHARS)),
        ("tokens", "whole", lambda one: count_tokens(one.hit.entry.text)),
        ("also_in", "texts-", "hit.also"),
        ("linked", [LINKED, "-"], "hit.linked"),
    )


_SPAN: "Table" = (("from", "whole", lambda span: span[0]), ("to", "whole", lambda span: span[1]))


class Cited(Record):
    """A hit to quote: the sentences that match, as `spans` of its text, and what they are worth.

    `citation` is what an agent repeats when it uses a memory; of a passage it is file and lines.
    `confidence` has faded by now, and is None for a passage, as nobody stated one.
    """

    hit: Hit
    details: "Details | None"
    TABLE: "Table" = (
        ("id", "text", "hit.id"),
        ("kind", "text", "hit.kind"),
        ("text", "text", "hit.text"),
        ("spans", [_SPAN]),
        ("citation", "text"),
        ("relevance", "share", "hit.relevance"),
        ("trust", "text", "hit.entry.trust"),
        ("valid_from", "moment-", "hit.entry.valid_from"),
        ("valid_to", "moment-", "hit.entry.valid_to"),
        ("speaker", "text-", "hit.entry.speaker"),
        ("audience", "text-", "hit.entry.audience"),
        ("disputed", "text-", "hit.entry.disputed"),
        ("verified", "flag", lambda one: bool(one.details and one.details.fields.verified)),
        ("confidence", "share?", lambda one: one.details and one.details.current_confidence),
        ("files", "texts", lambda one: one.details.fields.files if one.details else ()),
        ("path", "text-", "hit.path"),
        ("start_line", "whole-", "hit.start_line"),
        ("end_line", "whole-", "hit.end_line"),
        ("project", "text-", "hit.entry.project"),
        ("review", "text-", "hit.entry.review"),
        ("created", "moment", "hit.entry.created"),
        ("also_in", "texts-", "hit.also"),
        ("linked", [LINKED, "-"], "hit.linked"),
    )

    @property
    def spans(self) -> "list[tuple[int, int]]":
        """The positions of the sentences that match."""
        return quoted(self.hit.text, self.hit.matched, QUOTES)

    @property
    def citation(self) -> str:
        """Its label: of a memory its own, or its first words."""
        if self.hit.path is not None:
            return f"{self.hit.path}:{self.hit.start_line}-{self.hit.end_line}"
        own = self.details.fields.citation if self.details is not None else ""
        words = one_line(own or summarise(self.hit.text, LONGEST_CITATION)).translate(_BRACKETS)
        return f"[Memory #{self.hit.id[:SHORT_ID]}: {words}]"


_SHAPED = {"brief": Brief, "compact": Line, "digest": Place}


class Answer(Record):
    """The hits of a query, best first, in the requested shape; an empty list is a valid answer.

    `wide` says that every project was searched, `budget` is the requested cap in tokens, or 0. `beyond`
    counts the hits that an empty answer has in other projects, `waiting` those in what waits for review
    where nothing is certain, both if the owner of the store asked. `details`
    are those of the memories, by id, for the shape that shows them.
    """

    hits: "Hits"
    shape: str = "brief"
    explain: bool = False
    wide: bool = False
    budget: int = 0
    beyond: int = 0
    waiting: int = 0
    details: "dict[str, Details | None] | None" = None
    TABLE = (
        ("query", "text", "hits.query"),
        ("results", [Brief, Hit, Line, Place, Cited]),
        ("total_found", "whole", "hits.total_found"),
        ("weak", "whole", "hits.weak"),
        ("unsure", "flag", "hits.unsure"),
        ("took_ms", "ms", "hits.took_ms"),
        ("model_used", "text", "hits.model"),
        ("corrected", "words", "hits.corrected"),
        ("budget", "whole-", "cap"),
        ("spent", "whole-", "cost"),
        ("degraded", "texts", "hits.trace.degraded"),
        ("trace", "data-"),
        ("remarks", [Remark], "hits.trace.remarks"),
    )

    @property
    def results(self) -> "Sequence[Value]":
        """The hits, complete or shortened."""
        if self.shape == "cited":
            known = self.details or {}
            return [Cited(hit, known.get(hit.id)) for hit in self.distinct]
        return (
            tuple(map(_SHAPED[self.shape], self.distinct))
            if self.shape in _SHAPED
            else self.hits.hits
        )

    @property
    def distinct(self) -> "Sequence[Hit]":
        """The hits; of those on the same subject only the first carries the other's text."""
        said: set[str] = set()
        once: list[Hit] = []
        for hit in self.hits:
            linked = tuple(one.replace(text="") if one.id in said else one for one in hit.linked)
            said.update(one.id for one in linked if one.text)
            once.append(hit.replace(linked=linked) if linked else hit)
        return once

    @property
    def spent(self) -> int:
        """The tokens of all hits' texts."""
        return sum(count_tokens(hit.text) for hit in self.hits)

    @property
    def cap(self) -> int | None:
        """The budget, if one was given."""
        return self.budget or None

    @property
    def cost(self) -> int | None:
        """The tokens used of it."""
        return self.spent if self.budget else None

    @property
    def trace(self) -> "dict[str, Any] | None":
        """The stages with their contributions to each score, if requested."""
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


def brief(hit: Hit) -> str:
    """The matching part of a hit, at most `BRIEF_TOKENS`: usually the whole memory."""
    return cut(hit.text, hit.matched, BRIEF_TOKENS)


def matched(hit: Hit, limit: int) -> str:
    """The line that matched, cut around the match; without a match, a summary."""
    if not hit.matched:
        return few_words(hit.entry, limit)
    return best_line(hit.text, hit.matched, limit)


def few_words(entry: "Entry", limit: int) -> str:
    """The summary of a memory, the heading or first sentence of a passage, cut at a word."""
    if entry.summary:
        return summarise(entry.summary, limit)
    if entry.context and entry.text.startswith("#"):
        return summarise(entry.context.rpartition(" > ")[2], limit)
    return summarise(entry.text, limit)
