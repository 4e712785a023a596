"""Which known memories a new one is held against: the nearest by words and by meaning."""

from bowerbird.core.errors import ModelError
from bowerbird.core.query import Filter
from bowerbird.core.text import words
from bowerbird.core.types import MEMORY
from bowerbird.core.value import Value
from bowerbird.lifecycle.keywords import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from bowerbird.core.history import Moment
    from bowerbird.core.memories import Belief
    from bowerbird.core.ports.models import Aligner
    from bowerbird.core.ports.store import Store
    from bowerbird.core.types import Alignment, Entry, Vector

# Of each signal. A duplicate stands among the first few; the rest is for what came close.
NEAREST = 12
# The rarest words find what says the same; more of them cost a scan and find no more.
MOST_TERMS = 12
# From this number of entries on a word in more than half of them finds no candidates: BM25 gives it a
# millionth, so that it finds any twelve, and reads each of thousands for that.
MANY = 1_000

# What is replaced is what a text is nearest to: of 48 replacements told among 430 other memories all
# were flagged of the nearest, and of the others two that hold beside. Only those that are so little
# further away by the contextual model are compared word by word, up to this number: each costs some 8 ms.
AS_NEAR, MOST_ALIGNED = 0.05, 3
# Nor what is further away than this. Texts of other languages are found by their words in English, which
# brings them less near than they are: the texts as they stand decide (`NEAR` in `weighing.py`).
FOUND = 0.3
# To those that come next it is nearer by so much, on average of so many: 47 of those replacements are
# (one by .09), and none of the eight that were told of 480 memories which replace nothing. In French,
# which the contextual model reads badly, all notes of a project are as near to one another. Among 40
# notes of one project 168 of 169 that seven authors' pairs have noticed alone are noticed still, and no
# note beside them is flagged (benchmarks/pairs.md).
STANDS_OUT, CROWD = 0.1, 5


class Candidate(Value):
    """A known memory, and how near it is by the embedder and by the contextual model, 0 where unknown.

    `alignment` is how its words meet those of the belief, None where nobody looked; `nearest`: no other
    one is nearer.
    """

    __slots__ = ("alignment", "cosine", "entry", "nearest", "understood")

    def __init__(
        self,
        entry: "Entry",
        cosine: float,
        understood: float,
        alignment: "Alignment | None" = None,
        *,
        nearest: bool = True,
    ) -> None:
        self.nearest = nearest
        self.alignment = alignment
        self.entry = entry
        self.cosine = cosine
        self.understood = understood

    @property
    def similarity(self) -> float:
        """How near it is by whichever finds it nearer."""
        return max(self.cosine, self.understood)


def aligned(candidates: list[Candidate], text: str, aligner: "Aligner | None") -> list[Candidate]:
    """The same ones; how the words of the nearest meet those of a text stands beside them."""
    if aligner is None:
        return candidates
    by_understood = sorted(candidates, key=lambda one: -one.understood)
    others = [one.understood for one in by_understood[1 : 1 + CROWD] if one.understood]
    least = max(FOUND, by_understood[0].understood - AS_NEAR) if by_understood else FOUND
    if len(others) == CROWD:
        least = max(least, sum(others) / CROWD + STANDS_OUT)
    looked_at = [one for one in by_understood[:MOST_ALIGNED] if one.understood >= least]
    if not looked_at:
        return candidates
    try:
        met = aligner.aligned(text, [one.entry.text for one in looked_at])
    except ModelError:
        return candidates
    found = {one.entry.row: alignment for one, alignment in zip(looked_at, met, strict=True)}
    return [one.replace(alignment=found.get(one.entry.row)) for one in candidates]


def retrieve_candidates(
    store: "Store",
    belief: "Belief",
    vector: "Vector",
    understood: "Vector | None",
    projects: tuple[str, ...],
    now: int,
    moment: "Moment",
) -> list[Candidate]:
    """Memories of these projects that may say the same, the nearest first.

    `vector` is what the embedder made of the belief, `understood` what the contextual model did.
    """
    states = ("active", "quarantined") if belief.fields.state == "quarantined" else ("active",)
    filter = Filter(projects=projects, families=(MEMORY,), states=states, now=now)
    model = moment.model if vector.norm else None
    known = None if model is None else vector
    alone = known is None and understood is None
    asked = _telling(belief.text, moment.counts, moment.entries, alone=alone)
    rows = [row for row, _ in store.candidates.lexical(asked, filter, NEAREST)] if asked else []
    near = store.nearest.find(known, model, understood, filter, NEAREST, rows, moment.entries)
    found = sorted((Candidate(*one) for one in near), key=lambda one: -one.similarity)
    return [*found[:1], *(one.replace(nearest=False) for one in found[1:])]


def _telling(text: str, counts: "Mapping[str, int]", size: int, *, alone: bool) -> list[str]:
    """The rarest words of a text; `alone`: nothing but words nominates."""
    asked = list(terms(text) or dict.fromkeys(words(text)))
    if size >= MANY and not alone:
        asked = [term for term in asked if 2 * counts.get(term, 0) <= size]
    if len(asked) > MOST_TERMS:
        asked = sorted(asked, key=lambda term: counts.get(term, 0))[:MOST_TERMS]
    return asked
