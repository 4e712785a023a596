"""What stands beside each candidate lends it support: neighbours, document, speaker, time."""

from bowerbird.retrieval import fuse
from bowerbird.retrieval.candidates.by_words import by_document
from bowerbird.retrieval.voice import (
    AMONG_PEOPLE,
    ASKING,
    OF_CODE,
    WITH_PROGRAM,
    answers,
    by_asker,
    by_name,
    fullness,
    is_person,
    said_by,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from bowerbird.core.ports import Candidates
    from bowerbird.core.query import Filter, Query
    from bowerbird.core.trace import Trace
    from bowerbird.retrieval.analyse import Question
    from bowerbird.retrieval.candidates.by_meaning import Meaning


def worth_a_look(scores: dict[int, float], query: "Query", trace: "Trace") -> dict[int, float]:
    """The rows that are looked at more closely: for themselves, or for who stands beside them."""
    promise = scores if trace.leaves_out("beside") else fuse.promise(scores)
    looked_at = fuse.best(promise, query.candidates(fuse.POOL, fuse.FOR_A_HIT))
    own = {row: scores[row] for row in looked_at}
    trace.ran("own", len(own), "words and meaning of each entry on one scale", own)
    return own


def with_neighbours(
    find: "Candidates",
    scores: dict[int, float],
    cosines: "Mapping[int, float]",
    meaning: "Meaning | None",
    code: "set[int]",
    trace: "Trace",
) -> dict[int, float]:
    """Scores plus the meaning of the passages around, plus a share of their own scores."""
    looks = meaning is not None and not trace.leaves_out("window")
    pairs, windows, others = _around(find, scores, cosines, meaning if looks else None, code)
    own = scores
    if looks:
        scores = fuse.weighed(scores, windows, "window", code)
        trace.ran("window", len(scores), "meaning of the passages around", scores)
    if trace.leaves_out("neighbours"):
        return scores
    scores = fuse.added(scores, fuse.lent(own, pairs, others, code))
    trace.ran("neighbours", len(scores), "scores of the passages around", scores)
    return scores


def _around(
    find: "Candidates",
    scores: "Mapping[int, float]",
    cosines: "Mapping[int, float]",
    meaning: "Meaning | None",
    code: "set[int]",
) -> "tuple[list[tuple[int, int, float]], dict[int, float], dict[int, float]]":
    """What stands around the rows; around code, every word of the question counts the same."""
    if meaning is None:
        return find.around(list(scores), cosines, None, 0)
    text = [row for row in scores if row not in code]
    pairs, windows, others = find.around(text, cosines, meaning.vector, meaning.model)
    if len(text) < len(scores):
        rows = [row for row in scores if row in code]
        more = find.around(rows, cosines, meaning.evenly(), meaning.model)
        return pairs + more[0], windows | more[1], others | more[2]
    return pairs, windows, others


def with_voices(
    find: "Candidates",
    scores: dict[int, float],
    own: "Mapping[int, float]",
    documents: "Mapping[int, int | None]",
    speakers: "Mapping[int, str]",
    lexical: "Mapping[int, float]",
    code: "set[int]",
    question: "Question",
    trace: "Trace",
) -> dict[int, float]:
    """Scores plus the words of the whole document, plus who speaks.

    A memory was written to be understood by itself, so it counts as if a neighbour said the same:
    else the turns of the talk it was taken from would push it down.
    """
    alone = {row: own[row] for row, document in documents.items() if document is None}
    if alone and not trace.leaves_out("curated"):
        scores = fuse.added(scores, alone, fuse.SUPPORT)
        trace.ran("curated", len(alone), "memories stand by themselves", scores)
    if not trace.leaves_out("document"):
        wanted = {document for document in documents.values() if document is not None}
        wholes = by_document(find, question, wanted)
        whole = {
            row: wholes[document] if document in wholes else lexical.get(row, 0.0)
            for row, document in documents.items()
        }
        scores = fuse.weighed(scores, whole, "whole", code)
        trace.ran("document", len(scores), "words of the whole document", scores)
    if not trace.leaves_out("asker"):
        asker = by_asker(question, speakers)
        gained = {row: fuse.ASKER + fuse.ASKER_SHARE * scores[row] for row in asker}
        scores = fuse.added(scores, gained)
    if not trace.leaves_out("named"):
        scores = fuse.added(scores, by_name(question, speakers), fuse.NAMED)
    trace.ran("voice", len(scores), "who speaks, against who asks and who is named", scores)
    return scores


def with_wording(
    find: "Candidates",
    scores: dict[int, float],
    question: "Question",
    filter: "Filter",
    trace: "Trace",
) -> dict[int, float]:
    """Scores plus what holds a phrase as it was written, and what is of the time asked about."""
    together, period = question.intent.together, question.intent.period
    if together and not trace.leaves_out("together"):
        rows = {row: 1.0 for row, _ in find.lexical(together, filter, len(scores))}
        weight = fuse.IDENTIFIED if question.names_one else fuse.TOGETHER
        scores = fuse.added(scores, rows, weight)
        trace.ran("together", len(rows), "side by side: " + "; ".join(together), scores)
    if period and not trace.leaves_out("period"):
        moments = find.moments(list(scores))
        rows = {row: 1.0 for row, moment in moments.items() if moment in period}
        scores = fuse.added(scores, rows, fuse.PERIOD)
        trace.ran("period", len(rows), f"of the time asked about: {period.words}", scores)
    return scores


def with_turns(
    find: "Candidates",
    scores: dict[int, float],
    own: "Mapping[int, float]",
    documents: "Mapping[int, int | None]",
    speakers: "Mapping[int, str]",
    code: "Collection[int]",
    trace: "Trace",
) -> dict[int, float]:
    """Scores of turns and code by how long they are, and of answers by what was asked before."""
    persons = {speaker for speaker in set(speakers.values()) if is_person(speaker)}
    people = {row: speakers[row] for row in said_by(persons, speakers)}
    spoken = [row for row, speaker in speakers.items() if speaker]
    turns = [] if trace.leaves_out("turns") else spoken
    answering = people if people and not trace.leaves_out("answers") else {}
    said = find.sayings(list({*turns, *answering, *code}))
    if answering:
        scores = fuse.added(scores, answers(own, answering, documents, said))
        trace.ran("answers", len(answering), "what is said after somebody asked", scores)
    factors = {row: fullness(said[row][0], OF_CODE) for row in code if row in said}
    for row in turns:
        characters, asks = said[row]
        if row in people:
            factors[row] = fullness(characters, AMONG_PEOPLE) * (ASKING if asks else 1.0)
        else:
            factors[row] = fullness(characters, WITH_PROGRAM)
    if factors:
        scores = {row: score * factors.get(row, 1.0) for row, score in scores.items()}
        trace.ran("turns", len(factors), "turns and code, by their length", scores)
    return scores
