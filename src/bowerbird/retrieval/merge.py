"""The relevance of ranked entries, and the place of memories among passages by it. Pure."""

from itertools import islice

from bowerbird.core.language import GLOSSED, language
from bowerbird.core.text import words
from bowerbird.core.types import MEMORY, NOTES
from bowerbird.retrieval.candidates.second_look import SURE
from bowerbird.retrieval.relevance import CROWD, TIED, UNRELATED, crowd, noted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from bowerbird.core.types import Entry
    from bowerbird.retrieval.candidates.gather import Ranking

# Memories that share at least this part of their words are variants and do not count as each other's
# crowd: six that differ in a number have a relevance of .97 each, and would have .11 as a crowd. Of 540
# questions none is lost by it.
SAME_WORDS = 0.5
# If the relevances of a memory and of a passage differ by less than this, their scores decide the order
# (benchmarks/memories.md).
AS_SURE = 0.05


def unsure(ranking: "Ranking") -> bool:
    """Whether no entry is certainly relevant before the second look, by what it says itself."""
    scores, answering = ranking.scores, ranking.answering
    return not any(
        row not in answering and ranking.relevance(one, scores[row]) >= SURE
        for row, one in ranking.entries.items()
    )


def merged(ranking: "Ranking") -> "list[int]":
    """The rows in order: memories by their relevance times the factor of their history, among passages.

    Passages keep the order of their scores, which judge them by more than their words. A memory's score
    says less: the second look adds more to it than words and vectors do together, and reads its text
    alone, without keywords, summary and files. With memories by score, the right one is first for .46
    instead of .51 of 180 paraphrased queries, and among three for .68 instead of .70.
    """
    entries, scores, around = ranking.entries, ranking.scores, crowd_of(ranking)
    memories = [row for row, one in entries.items() if one.family == MEMORY]
    others = [row for row, one in entries.items() if one.family != MEMORY]
    said, lived = ranking.before["life"], ranking.before["held"]
    sure = {row: relevance(ranking, one, around) for row, one in entries.items()}
    for row in memories:
        sure[row] *= lived[row] / said[row] if said[row] > 0 else 1.0
    memories.sort(key=lambda row: (-sure[row], -scores[row], row))
    others.sort(key=lambda row: (-scores[row], row))
    # The same for notes that the contextual model compared, among turns and code, which it did not.
    notes = [row for row in others if row in ranking.look.passages and _is_note(entries[row])]
    if notes:
        known = {*notes}
        others = _together(notes, [row for row in others if row not in known], sure, scores)
    return _together(memories, others, sure, scores)


def _together(
    ones: "list[int]",
    others: "list[int]",
    sure: "Mapping[int, float]",
    scores: "Mapping[int, float]",
) -> "list[int]":
    """Two lists of rows as one, by relevance, or by score if that is nearly the same; each in order."""
    rows: list[int] = []
    ones, others = [*ones], [*others]
    while ones and others:
        one, other = ones[0], others[0]
        surer = sure[one] - sure[other]
        first = surer > 0 if abs(surer) > AS_SURE else scores[one] > scores[other]
        rows.append((ones if first else others).pop(0))
    return [*rows, *ones, *others]


def crowd_of(ranking: "Ranking") -> float:
    """The mean score of the memories after the best one, after the second look."""
    looked = ranking.before["relations"]
    apart = islice(_apart(looked, ranking.look.cosines, ranking.entries), 1 + CROWD)
    return crowd(looked[row] for row in apart)


def _apart(
    looked: "Mapping[int, float]", rows: "Iterable[int]", entries: "Mapping[int, Entry]"
) -> "Iterator[int]":
    """The best memory after the second look, and those after it whose words differ enough from it.

    “Test 4 hangs on port 4379” and “Test 5 hangs on port 5379” both answer; neither must lower the
    other's relevance as part of the crowd.
    """
    said: set[str] = set()
    for row in sorted(rows, key=lambda row: -looked[row]):
        theirs = set(words(entries[row].text)) if row in entries else set[str]()
        if not said or len(said & theirs) < SAME_WORDS * len(said | theirs):
            said = said or theirs
            yield row


def _above_notes(ranking: "Ranking", entry: "Entry") -> float | None:
    """How much a note's cosine exceeds that of the crowd; None if it is no note, or was not compared."""
    cosines, entries = ranking.look.passages, ranking.entries
    if entry.row not in cosines or not _is_note(entry):
        return None
    notes = (cosine for row, cosine in cosines.items() if row in entries and _is_note(entries[row]))
    return cosines[entry.row] - crowd(notes, UNRELATED)


def _is_note(entry: "Entry") -> bool:
    return entry.source in NOTES and not entry.session


def relevance(ranking: "Ranking", entry: "Entry", around: float) -> float:
    """The calibrated relevance of a passage or a memory; `around` is the crowd's score.

    It follows from the text, and from the file that the query names: a memory's age and use affect the
    order only.
    """
    found = _by_text(ranking, entry, around)
    return max(found, TIED) if entry.row in ranking.tied else found


def _by_text(ranking: "Ranking", entry: "Entry", around: float) -> float:
    look, row, calibration = ranking.look, entry.row, ranking.calibration
    score = ranking.before["life"][row]
    if entry.family != MEMORY:
        found = ranking.relevance(entry, score)
        above = _above_notes(ranking, entry) if look.passages else None
        return found if above is None else max(found, noted(score, above, look.passages[row]))
    if row not in look.cosines:
        # The calibration of memories was fitted on whole questions, compared by words and vectors.
        whole = calibration.whole and ranking.found.compared
        return calibration.remembered(score) if whole else ranking.relevance(entry, score)
    least = look.met[row][1] if row in look.met else 0.0
    then = ranking.before["relations"][row]
    cosine, held = look.cosines[row], calibration.held(entry)
    seen = calibration.understood(then, around, least, cosine, held, look.compared)
    said = calibration.relevance(ranking.before["second look"].get(row, 0.0), held)
    if said <= seen:
        return seen
    # One or two words, such as a name, are no sentence: a memory that contains them answers. And
    # keywords, summary and files are for finding a memory, but no part of the text that the model reads.
    unread = not calibration.whole or calibration.held_beside(entry)
    return said if unread or _in_another_language(entry.text, look.language) else seen


def _in_another_language(text: str, asked: str) -> bool:
    """Whether the contextual model reads a memory word by word, but not the query, or by another list.

    What it says of these two is less than what the words say that both have, such as names. Of 240
    English questions to German sentences (XQuAD) the right one is first for .76 instead of .75 and
    relevant (.24) for .76 instead of .74; questions that nothing answers are told as often as before.
    """
    its = language(text, tuple(words(text)))
    return its in GLOSSED and its != asked
