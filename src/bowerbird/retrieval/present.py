"""From a ranking to hits: joined, with matched words, snippets and relevance. Pure."""

from collections import Counter
from itertools import pairwise
from math import inf, nextafter

from bowerbird.core.answers import Hit
from bowerbird.core.clock import within
from bowerbird.core.errors import ModelError
from bowerbird.core.excerpt import LENGTH, Finder, matched_words, snippet
from bowerbird.core.query import ORDERS
from bowerbird.core.text import one_line
from bowerbird.core.types import MEMORY
from bowerbird.core.value import Record, fresh
from bowerbird.retrieval import fuse
from bowerbird.retrieval.linked import ANSWERS_TOO
from bowerbird.retrieval.merge import crowd_of, relevance
from bowerbird.retrieval.relevance import decreasing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bowerbird.core.ports.thinking import Reranker
    from bowerbird.core.query import Query
    from bowerbird.core.trace import Trace
    from bowerbird.core.types import Entry, Link
    from bowerbird.retrieval.analyse import Question
    from bowerbird.retrieval.candidates.gather import Ranking

# Maximum characters of a joined passage of a note, and of one turn of a conversation.
LONGEST_NOTE = 1_500
LONGEST_TURN = 900
# Characters that must agree to detect an overlap; fewer agree by chance.
_PROBE = 20
# An entry is clearly the best above this relevance, or with this lead on the next.
CLEAR = 0.80
CLEAR_LEAD = 0.15
# The first words of texts, compared before whole texts are: of forty passages of a documentation one
# begins with as many words of another; with three words, five do.
_BEGIN = 8


class AsRanked:
    """The rules' reranker: the stages of the ranking have said all that they know."""

    most = 0
    budget_s = 0.0
    unsure_only = False

    def order(self, question: str, texts: "Sequence[str]") -> "Sequence[int]":  # noqa: ARG002
        """The order of the ranking."""
        return range(len(texts))


AS_RANKED = AsRanked()


class Ranked(Record):
    """A ranked query after all reads: the input from which hits are made.

    `corrected` maps misspelt words to their replacements, `model` names the embedder. `links` connect
    the best memories with the `others` on the same subject, by row. `recalled` are the digests of
    sessions that the query asks for. `reordered`: by a reranker.
    """

    query: "Query"
    question: "Question"
    ranking: "Ranking"
    trace: "Trace"
    corrected: dict[str, str]
    model: str
    links: "Sequence[Link]" = ()
    others: "Mapping[int, Entry]" = fresh(dict)
    recalled: "tuple[Hit, ...]" = ()
    reordered: bool = False


def reranked(ranked: Ranked, reranker: "Reranker") -> "Ranking":
    """A ranking with its best entries in a reranker's order; as it is if that fails or takes too long.

    The entries exchange their scores, so that nothing moves among those that the reranker did not read.
    """
    query, ranking, trace = ranked.query, ranked.ranking, ranked.trace
    if not reranker.most or query.fast or "rerank" in query.without:
        return ranking
    scores = {row: ranking.scores[row] for row in ranking.entries}
    rows = [*fuse.best(scores, reranker.most)]
    if reranker.unsure_only and _is_clear(ranking, rows):
        trace.ran("rerank", 0, "not asked: the best one is clear")
        return ranking
    texts = [ranking.entries[row].text for row in rows]
    try:
        order = within(reranker.budget_s, lambda: reranker.order(query.text, texts))
    except ModelError as error:
        trace.skip("rerank", error.message, "; ", error.remedy)
        return ranking
    if sorted(order) != [*range(len(rows))]:
        trace.skip("rerank", "what it returned is no order of the texts; use another model")
        return ranking
    moved: dict[int, float] = {}
    least = inf
    for at, row in zip(order, rows, strict=True):
        # Of equal scores each is the least bit lower than the one before.
        least = min(scores[row], nextafter(least, -inf))
        moved[rows[at]] = least
    trace.ran("rerank", len(rows), "order of the best", moved)
    return ranking.replace(scores={**ranking.scores, **moved})


def holding_first(ranking: "Ranking", query: "Query") -> "Ranking":
    """A ranking with what holds from a later day behind what answers too and holds now."""
    now = query.filter.now if query.sort == ORDERS[0] else None
    entries = {row: one for row, one in ranking.entries.items() if one.family == MEMORY}
    plans = [
        row
        for row, one in entries.items()
        if now is not None and one.valid_from is not None and one.valid_from > now
    ]
    if not plans:
        return ranking
    around, scores = crowd_of(ranking), dict(ranking.scores)
    sure = {row: relevance(ranking, one, around) for row, one in entries.items()}
    for row in sorted(plans, key=lambda row: -scores[row]):
        present = [one for one in entries if one not in plans]
        answers = [scores[one] for one in present if sure[one] >= ANSWERS_TOO * sure[row]]
        scores[row] = min(scores[row], nextafter(min(answers, default=inf), -inf))
    return ranking.replace(scores=scores)


def _is_clear(ranking: "Ranking", rows: "Sequence[int]") -> bool:
    """Whether the best entry is so relevant, or so far ahead, that reordering can only spoil it."""
    around = crowd_of(ranking)
    sure = [relevance(ranking, ranking.entries[row], around) for row in rows[:2]]
    return not sure or sure[0] > CLEAR or sure[0] - sum(sure[1:]) >= CLEAR_LEAD


def present(
    ranking: "Ranking", question: "Question", *, joined: bool, reordered: bool = False
) -> "Iterator[Hit]":
    """Yield hits in order, with a relevance that never rises from one to the next.

    Where a reranker has `reordered` them, each keeps its own: a reranker decides nothing but the order.
    """
    shown, found, entries = Finder(question.terms), ranking.found, ranking.entries
    said, around = ranking.before["life"], crowd_of(ranking)
    best = fuse.best({row: ranking.scores[row] for row in entries}, len(entries))
    ranked = [entries[row] for row in best]
    texts = list(_once(join(ranked) if joined else ranked))
    own = [relevance(ranking, entry, around) for entry, *_ in texts]
    relevances = own if reordered else decreasing(own)
    for (entry, *same), sure in zip(texts, relevances, strict=True):
        row = entry.row
        matched = matched_words(entry.text, shown)
        yield Hit(
            entry=entry,
            score=ranking.scores[row],
            relevance=sure,
            bm25=found.lexical.get(row, 0.0),
            semantic=found.cosines.get(row, 0.0),
            graph=said[row] - found.own.get(row, 0.0),
            matched=matched,
            part=snippet(entry.text, matched) if len(entry.text) > LENGTH else "",
            also=tuple(dict.fromkeys(citation(one) for one in same)),
        )


def citation(entry: "Entry") -> str:
    """The location of an entry: file and lines, or the kind and the id of a memory."""
    if entry.path is None:
        return f"{entry.kind} {entry.id}"
    # File names may contain line breaks, and a model reads the citation.
    return f"{one_line(entry.path)}:{entry.start_line}-{entry.end_line}"


def _once(entries: "Iterable[Entry]") -> "Iterable[list[Entry]]":
    """Group entries with the same text, ignoring white space, at the position of the first one."""
    entries = list(entries)
    # Whole texts are normalised only if their first words agree: all of forty took 3 % of a query's time.
    begun = [" ".join(entry.text.split(None, _BEGIN)[:_BEGIN]) for entry in entries]
    alike = Counter(begun)
    same: dict[str, list[Entry]] = {}
    for entry, begin in zip(entries, begun, strict=True):
        text = begin if alike[begin] == 1 else " ".join(entry.text.split())
        same.setdefault(text, []).append(entry)
    return same.values()


def join(ranked: "Iterable[Entry]") -> "list[Entry]":
    """The entries in order, each joined with those of its neighbours in the list that fit.

    A hit is the smallest span that contains the answer: a passage and its neighbours that were also
    retrieved. With joining, SciFact abstracts in pieces of 900 characters show .705 of the evidence
    within 2,000 tokens instead of .654; with at most one hit per document, .429.
    """
    entries = list(ranked)
    beside = {(entry.document or 0, entry.ordinal): entry for entry in entries}
    used: set[int] = set()
    joined = []
    for entry in entries:
        if entry.row in used:
            continue
        used.add(entry.row)
        span = [entry]
        for step in (1, -1):
            near = beside.get((entry.document or 0, entry.ordinal + step))
            while near is not None and near.row not in used and _fits(span, near):
                used.add(near.row)
                span.insert(len(span) if step > 0 else 0, near)
                near = beside.get((entry.document or 0, near.ordinal + step))
        joined.append(entry if len(span) == 1 else _span(entry, span))
    return joined


def _fits(span: "list[Entry]", near: "Entry") -> bool:
    """Whether a neighbour has the same turn or section and trust, and the joined text is short enough."""
    if (near.context, near.speaker) != (span[0].context, span[0].speaker):
        return False  # all of a transcript may stand on one line
    if near.trust != span[0].trust:
        return False
    if span[0].session and near.start_line != span[0].start_line:
        return False
    longest = LONGEST_TURN if span[0].session else LONGEST_NOTE
    return sum(len(entry.text) for entry in span) + len(near.text) <= longest


def _span(found: "Entry", span: "list[Entry]") -> "Entry":
    """The first entry, with the text and lines of the whole span."""
    text = span[0].text
    for before, after in pairwise(span):
        lines = (after.start_line or 0) - (before.end_line or 0)
        overlaps = lines <= 0 and not found.session
        fresh = _fresh(before.text, after.text) if overlaps else after.text
        between = "" if fresh != after.text else "\n" * lines if lines > 0 else " "
        text += between + fresh
    return found.replace(text=text, start_line=span[0].start_line, end_line=span[-1].end_line)


def _fresh(before: str, after: str) -> str:
    """The later piece without its overlap with the end of the earlier one (`index.chunk_overlap`)."""
    offset = before.find(after[:_PROBE])
    while offset >= 0:
        if after.startswith(before[offset:]):
            return after[len(before) - offset :]
        offset = before.find(after[:_PROBE], offset + 1)
    return after
