"""The candidates of a query with the data that ranks them, and the ranking as it is computed."""

from bowerbird.core.value import Record, fresh
from bowerbird.retrieval import fuse
from bowerbird.retrieval.asking import LENT
from bowerbird.retrieval.candidates.by_meaning import by_meaning, nearest, of_code
from bowerbird.retrieval.candidates.by_words import by_document
from bowerbird.retrieval.candidates.second_look import NONE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from bowerbird.core.life import Life
    from bowerbird.core.ports.reading import CandidateSource
    from bowerbird.core.query import Query
    from bowerbird.core.trace import Trace
    from bowerbird.core.types import Entry, Facts
    from bowerbird.retrieval.analyse import Question
    from bowerbird.retrieval.candidates.by_meaning import Meaning
    from bowerbird.retrieval.candidates.second_look import Look
    from bowerbird.retrieval.relevance import Calibration

# Passages to read that define or use what a query names; a common name has more than an answer can show.
MOST_NAMED = 100


class Candidates(Record):
    """The candidate rows of one query, in columns by row.

    `lexical` (share of the maximal BM25) and `cosines` contain every retrieved row, `adjacent` the pairs
    of them that are near in one document, with the steps between; the other columns only the pool, which
    is the rows that are ranked. `own` is a row's score by its own words and vector. `windows` is the
    cosine of its neighbourhood (None if no vectors are compared), `pairs` are neighbouring rows of the
    pool with their closeness, `unfound` is the sum of cosine times closeness over neighbours that were
    not retrieved. `wholes` is the BM25 share of a row's document, `verbatim` the rows that contain a
    phrase of the query, `defined` those that may define what it names, `users` those whose code uses it,
    with the confidence of the edge. `code` are the rows weighted as code, `compared` is whether vectors
    were compared at all.
    """

    lexical: "Mapping[int, float]"
    cosines: "Mapping[int, float]"
    facts: "Facts"
    code: "Collection[int]"
    own: dict[int, float]
    adjacent: "Collection[tuple[int, int, int]]"
    pairs: "Collection[tuple[int, int, float]]"
    windows: "Mapping[int, float] | None"
    unfound: "Mapping[int, float]"
    wholes: "Mapping[int, float]"
    verbatim: "Collection[int]"
    compared: bool
    defined: "Collection[int]" = ()
    users: "Mapping[int, float]" = fresh(dict)


class Ranking(Record):
    """The state of ranking one query; mappings are by row.

    `scores` are the current scores, `before` those before each stage so far, by its name. `found` are the
    candidates. Stages read in addition: `entries` (of the best rows), the result of the second look
    (`look`), `relations` as (memory, related memory, strength), `edges` of code likewise, and `lives`
    of memories. `tied` are memories that are about a file which the query names. `asked` are turns that
    ask what the query asks, `answering` passages after them, with the row of that turn and the distance.
    """

    found: Candidates
    calibration: "Calibration"
    scores: "Mapping[int, float]" = fresh(dict)
    before: "Mapping[str, Mapping[int, float]]" = fresh(dict)
    entries: "Mapping[int, Entry]" = fresh(dict)
    look: "Look" = NONE
    relations: "Collection[tuple[int, int, float]]" = ()
    lives: "Mapping[int, Life]" = fresh(dict)
    edges: "Collection[tuple[int, int, float]]" = ()
    asked: "Mapping[int, Entry]" = fresh(dict)
    answering: "Mapping[int, tuple[int, int]]" = fresh(dict)
    tied: "Collection[int]" = ()

    def relevance(self, entry: "Entry", score: float) -> float:
        """The relevance of a passage with a score.

        The words of a turn that asks what the query asks are no part of an answer; a passage after it is
        judged together with it.
        """
        row, calibration = entry.row, self.calibration
        if row in self.asked:
            return calibration.relevance(score, 0.0)
        found = calibration.relevance(score, calibration.held(entry))
        if row in self.answering:
            turn, step = self.answering[row]
            both = min(calibration.held(entry) + calibration.held(self.asked[turn]), 1.0)
            found = max(found, LENT**step * calibration.relevance(score, both))
        return found

    @property
    def memories(self) -> list[int]:
        """The ranked rows that are memories, including those reached by a relation only."""
        documents = self.found.facts.documents
        if len(self.scores) == len(documents) and None not in documents.values():
            return []  # passages all of them
        return [row for row in self.scores if documents.get(row) is None]


def gather(
    source: "CandidateSource",
    question: "Question",
    lexical: "Mapping[int, float]",
    meaning: "Meaning | None",
    query: "Query",
    trace: "Trace",
) -> Candidates:
    """Add candidates by vector to those `lexical` by words, choose the pool, and read its columns."""
    near = nearest(source, meaning, query, question.entries)
    adjacent, code = source.adjacent([*{**lexical, **near}])
    cosines = by_meaning(source, meaning, near, lexical, trace)
    code = set() if "code weights" in query.without else {row for row in code if row in cosines}
    cosines |= of_code(source, meaning, code)
    scores = fuse.own(lexical, cosines, code)
    defined = _holding(source, question.defining, "defined", MOST_NAMED, query)
    users = _users(source, question, query)
    own = pool(scores, adjacent, query)
    own |= {row: scores.get(row, 0.0) for row in (*defined, *users) if row in scores}
    facts = source.facts(list(own))
    code = {row for row in code if row in own}
    compared = meaning if "window" not in query.without else None
    pairs, windows, unfound = _around(source, own, cosines, compared, code)
    return Candidates(
        lexical,
        cosines,
        facts,
        code,
        own,
        adjacent,
        pairs,
        None if compared is None else windows,
        unfound,
        _wholes(source, question, lexical, facts, query),
        _holding(source, question.intent.together, "together", len(own), query),
        meaning is not None,
        defined,
        users,
    )


def pool(
    scores: dict[int, float], adjacent: "Collection[tuple[int, int, int]]", query: "Query"
) -> dict[int, float]:
    """The rows to rank: the best by their own score plus the neighbour potential."""
    estimate = scores if "beside" in query.without else fuse.neighbour_potential(scores, adjacent)
    chosen = fuse.best(estimate, query.candidates(fuse.POOL, fuse.FOR_A_HIT))
    return {row: scores[row] for row in chosen}


def _around(
    source: "CandidateSource",
    own: "Mapping[int, float]",
    cosines: "Mapping[int, float]",
    meaning: "Meaning | None",
    code: "Collection[int]",
) -> "tuple[list[tuple[int, int, float]], dict[int, float], dict[int, float]]":
    """Neighbouring pairs, neighbourhood cosines and unfound neighbours; code with equal word weights."""
    if meaning is None:
        return source.around(list(own), cosines, None, 0)
    text = [row for row in own if row not in code]
    pairs, windows, unfound = source.around(text, cosines, meaning.vector, meaning.model)
    if code:
        rows = [row for row in own if row in code]
        more = source.around(rows, cosines, meaning.evenly(), meaning.model)
        return pairs + more[0], windows | more[1], unfound | more[2]
    return pairs, windows, unfound


def _wholes(
    source: "CandidateSource",
    question: "Question",
    lexical: "Mapping[int, float]",
    facts: "Facts",
    query: "Query",
) -> dict[int, float]:
    """The BM25 share of each row's document; for a document of one passage, the passage's own."""
    if "document" in query.without:
        return {}
    documents = facts.documents
    wanted = {document for document in documents.values() if document is not None}
    found = by_document(source, question, wanted)
    return {
        row: found[document] if document in found else lexical.get(row, 0.0)
        for row, document in documents.items()
    }


def _users(source: "CandidateSource", question: "Question", query: "Query") -> dict[int, float]:
    """Rows whose code uses what the query names, with confidence, if it asks for users."""
    if not question.intent.calling or not question.spelt or "users" in query.without:
        return {}
    return dict(source.speaking_of(question.spelt, query.filter, MOST_NAMED))


def _holding(
    source: "CandidateSource", phrases: "Sequence[str]", stage: str, most: int, query: "Query"
) -> set[int]:
    if not phrases or stage in query.without:
        return set()
    return {row for row, _ in source.lexical(phrases, query.filter, most)}
