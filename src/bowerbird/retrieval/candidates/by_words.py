"""Entries that hold the question's words."""

from bowerbird.retrieval.analyse import SATURATION, inverse_frequency
from bowerbird.retrieval.fuse import shares
from bowerbird.retrieval.language import beginnings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from bowerbird.core.ports import Candidates, Words
    from bowerbird.core.query import Filter
    from bowerbird.core.trace import Trace
    from bowerbird.retrieval.analyse import Question

# 200 lost nothing up to 17,000 passages; twice that feeds the neighbours too.
POOL = 400


def by_words(
    find: "Candidates", question: "Question", filter: "Filter", trace: "Trace"
) -> dict[int, float]:
    """Rows by the share of the achievable BM25, 0 to 1."""
    if not question.terms:
        trace.skip("lexical", "the question holds no word")
        return {}
    if trace.leaves_out("lexical"):
        return {}
    found = shares(find.lexical(question.phrases, filter, POOL), question.achievable)
    trace.ran("lexical", len(found), "words: " + " ".join(question.terms))
    return found


def standing(find: "Candidates", filter: "Filter") -> "Callable[[str], bool]":
    """Tells of a word whether any entry that passes the filter holds it."""
    return lambda word: bool(find.lexical((word,), filter, 1))


def other_forms(
    known: "Words", asked: tuple[str, ...], language: str, trace: "Trace"
) -> dict[str, int]:
    """How often words begin as those that the index does not stem."""
    found = beginnings(asked, language)
    if not found or trace.leaves_out("beginnings"):
        return {}
    trace.ran("beginnings", 0, "also looked for: " + " ".join(found))
    return known.starting(found)


def by_document(
    find: "Candidates", question: "Question", wanted: "Collection[int]"
) -> dict[int, float]:
    """Some whole documents of several passages by the same share, among themselves."""
    if not question.terms:
        return {}
    found, counts, total = find.wholes(question.terms, wanted)
    return shares(found, SATURATION * sum(inverse_frequency(count, total) for count in counts))
