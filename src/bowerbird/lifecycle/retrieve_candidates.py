"""Retrieves the stored memories that a new one is compared with: the nearest by words and by vectors."""

from bowerbird.core.errors import ModelError
from bowerbird.core.text import words
from bowerbird.core.value import Record
from bowerbird.guard.redact import without_marks
from bowerbird.lifecycle.keywords import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from bowerbird.core.history import Moment
    from bowerbird.core.memories import Alignment
    from bowerbird.core.ports.models import Aligner
    from bowerbird.core.ports.store import Store
    from bowerbird.core.query import Filter
    from bowerbird.core.types import Entry, Vector

# Candidates of each signal. A duplicate is among the first few; the rest are for related memories.
NEAREST = 12
# The rarest words find duplicates; more words cost a scan and find no more.
MOST_TERMS = 12
# From this number of entries on, words in more than half of them are not searched: BM25 weighs them by a
# millionth, so that they would read thousands of rows and return any twelve.
MANY = 1_000

# A text replaces the memory nearest to it: of 48 replacements among 430 other memories all were detected
# on the nearest one; on others only two false ones. So only memories within this cosine of the nearest,
# by the contextual model, are aligned word by word, up to this number: each costs about 8 ms.
AS_NEAR = 0.05
MOST_ALIGNED = 3
# Memories below this cosine are not aligned. Texts of other languages are embedded as translations, whose
# cosines are too low: the texts themselves decide (`NEAR` in `weighing.py`).
FOUND = 0.3
# An aligned memory's cosine exceeds the mean of the next CROWD by at least this: so it does for 47 of
# those replacements (the other one: .09), and for none of eight wrong flags among 480 memories that
# replace nothing. In French, which the contextual model reads badly, all notes of a project have similar
# cosines. Among 40 notes of one project, 168 of the 169 that are detected without those notes are still
# detected, and none of the notes is flagged (benchmarks/pairs.md).
MARGIN = 0.1
CROWD = 5


class Candidate(Record):
    """A stored memory and how similar it is to the belief.

    `cosine` is by the embedder, `understood` the cosine by the contextual model, 0 if unknown.
    `alignment` is the word alignment with the belief, None if not computed. `nearest`: no other candidate
    is more similar.
    """

    entry: "Entry"
    cosine: float
    understood: float
    alignment: "Alignment | None" = None
    nearest: bool = True

    @property
    def similarity(self) -> float:
        """The larger of the two cosines."""
        return max(self.cosine, self.understood)


def with_alignment(
    candidates: list[Candidate], text: str, aligner: "Aligner | None"
) -> list[Candidate]:
    """Returns the candidates, the nearest ones with their word alignment to a text."""
    if aligner is None:
        return candidates
    by_understood = sorted(candidates, key=lambda one: -one.understood)
    others = [one.understood for one in by_understood[1 : 1 + CROWD] if one.understood]
    least = max(FOUND, by_understood[0].understood - AS_NEAR) if by_understood else FOUND
    if len(others) == CROWD:
        least = max(least, sum(others) / CROWD + MARGIN)
    chosen = [one for one in by_understood[:MOST_ALIGNED] if one.understood >= least]
    if not chosen:
        return candidates
    try:
        alignments = aligner.aligned(
            without_marks(text), [without_marks(one.entry.text) for one in chosen]
        )
    except ModelError:
        return candidates
    found = {one.entry.row: alignment for one, alignment in zip(chosen, alignments, strict=True)}
    return [one.replace(alignment=found.get(one.entry.row)) for one in candidates]


def retrieve_candidates(
    store: "Store",
    text: str,
    state: str,
    vector: "Vector",
    understood: "Vector | None",
    filter: "Filter",
    moment: "Moment",
) -> list[Candidate]:
    """Returns memories within a filter that may be about the subject of a text, the nearest first.

    `vector` is the text's by the embedder, `understood` by the contextual model.
    """
    states = ("active", "quarantined") if state == "quarantined" else ("active",)
    filter = filter.replace(states=states)
    model = moment.model if vector.norm else None
    known = None if model is None else vector
    words_only = known is None and understood is None
    chosen = _rarest(text, moment.counts, moment.entries, words_only=words_only)
    rows = [row for row, _ in store.candidates.lexical(chosen, filter, NEAREST)] if chosen else []
    near = store.nearest.find(known, model, understood, filter, NEAREST, rows, moment.entries)
    found = sorted((Candidate(*one) for one in near), key=lambda one: -one.similarity)
    return [*found[:1], *(one.replace(nearest=False) for one in found[1:])]


def _rarest(text: str, counts: "Mapping[str, int]", size: int, *, words_only: bool) -> list[str]:
    """Returns the rarest words of a text; frequent ones too if there are no vectors (`words_only`)."""
    chosen = list(terms(text) or dict.fromkeys(words(text)))
    if size >= MANY and not words_only:
        chosen = [term for term in chosen if 2 * counts.get(term, 0) <= size]
    if len(chosen) > MOST_TERMS:
        chosen = sorted(chosen, key=lambda term: counts.get(term, 0))[:MOST_TERMS]
    return chosen
