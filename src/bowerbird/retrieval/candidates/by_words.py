"""Candidates by words: full-text search, with BM25 normalised to the query's maximum."""

from itertools import accumulate

from bowerbird.core.language import beginnings
from bowerbird.core.text import words
from bowerbird.retrieval.analyse import SATURATION, inverse_frequency
from bowerbird.retrieval.fuse import shares

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from bowerbird.core.ports.reading import CandidateSource, Words
    from bowerbird.core.query import Filter, Query
    from bowerbird.core.trace import Trace
    from bowerbird.core.types import Entry
    from bowerbird.retrieval.analyse import Question

# Size of the candidate list. Up to 17,000 passages 200 lose nothing; the double also supplies neighbours.
POOL = 400
# If common words are not searched by themselves: how many rows the rare words may match together, and how
# many common words add to the score of those rows. Without the bound 47 of 160 prompts at 100,000 entries
# had 136 entries injected; with it all but one of those, and one other. A query takes 33 to 60 ms without
# it and 22 to 32 ms with it.
MOST_ROWS = 3_000
MOST_BESIDE = 6
# Entries to inspect for the exact form of a word: those with other forms may rank before it.
LOOKED_AT = 50
# The shortest word that is searched as a prefix if no entry contains any word of the query.
SHORTEST_BEGUN = 4
# The last part of an abbreviation in the plural, split at its capitals: a letter and an s.
_PLURALS = frozenset(f"{letter}s" for letter in "abcdefghijklmnopqrstuvwxyz")


def by_words(
    source: "CandidateSource", question: "Question", query: "Query", trace: "Trace"
) -> dict[int, float]:
    """BM25 by row as a share of the highest that the query can reach, 0 to 1."""
    if not question.terms:
        trace.skip("lexical", "the question holds no word")
        return {}
    if "lexical" in query.without:
        return {}
    trace.words = tuple(question.terms)
    note = "words: " + " ".join(question.terms)
    wanted = query.candidates(POOL)
    rare, common = [*question.phrases], list[str]()
    if "common words" in query.without:
        rare, common = by_rarity(rare, source.row_counts(rare))
    rows = source.lexical(rare, query.filter, wanted) if rare else []
    if common:
        both = dict([*rows, *source.lexical(rare, query.filter, wanted, common)])
        rows = sorted(both.items(), key=lambda item: -item[1])[:wanted]
    begun = [f"{term}*" for term in question.terms if len(term) >= SHORTEST_BEGUN]
    if not rows and begun and "beginnings" not in query.without:
        rows = source.lexical(begun, query.filter, wanted)
        note = "nothing holds the words; " + " ".join(begun)
    found = shares(rows, question.achievable)
    trace.ran("lexical", len(found), note)
    return found


def by_rarity(phrases: "Sequence[str]", counts: "Sequence[int]") -> "tuple[list[str], list[str]]":
    """The rarest phrases, up to MOST_ROWS matches in total, and the MOST_BESIDE that follow by rarity."""
    ranked = sorted(one for one in zip(counts, phrases, strict=True) if one[0])
    rows = list(accumulate(count for count, _ in ranked))
    some = max(1, sum(row <= MOST_ROWS for row in rows))
    found = [phrase for _, phrase in ranked]
    return found[:some], found[some : some + MOST_BESIDE]


def contains_exactly(source: "CandidateSource", filter: "Filter") -> "Callable[[str], bool]":
    """Return a predicate: whether an entry that passes the filter contains a word in exactly this form.

    The index finds all forms with the same stem, and the exact form may occur in another project
    only; if every entry passes, an entry with a counted word does.
    """

    def stands(word: str) -> bool:
        return source.passes_all(filter) or any(
            word in _written(entry) for entry in source.containing(word, filter, LOOKED_AT)
        )

    return stands


def _written(entry: "Entry") -> set[str]:
    return set(words(" ".join((entry.text, entry.context, entry.path or "", *entry.tags))))


def query_words(
    known: "Words",
    asked: "tuple[str, ...]",
    names: "Mapping[str, Sequence[str]]",
    counts: "Mapping[str, int]",
) -> tuple[str, ...]:
    """The distinct words of a query, in order; `names` are those in camel case, with their parts.

    The index stores a name in camel case both as one word and as its parts. If any entry has it as
    one word, the query's parts are replaced by it: "GitHub" also finds "github".
    """
    wholes: dict[str, str] = {}
    for name, parts in names.items():
        # "APIs" has the parts "ap" and "is"; if no entry contains the first, any form of the whole will
        # do.
        plural = parts[-1] in _PLURALS and parts[0] not in counts
        if name in counts or (plural and known.known_forms([name])[0]):
            wholes |= dict.fromkeys(parts, name)
    return tuple(dict.fromkeys(wholes.get(word, word) for word in asked))


def prefix_counts(
    known: "Words", asked: tuple[str, ...], language: str, query: "Query", trace: "Trace"
) -> dict[str, int]:
    """Counts of words by prefix, for languages that the index does not stem and for prefix operators."""
    found = beginnings(asked, language)
    if query.filter.matching is not None:
        found = tuple(dict.fromkeys((*found, *query.filter.matching.beginnings)))
    if not found or "beginnings" in query.without:
        return {}
    trace.ran("beginnings", 0, "also looked for: " + " ".join(found))
    return known.starting(found)


def by_document(
    source: "CandidateSource", question: "Question", wanted: "Collection[int]"
) -> dict[int, float]:
    """BM25 of whole documents of several passages, as a share of the maximum, by document."""
    if not question.terms or not wanted:
        return {}
    found, counts, total = source.wholes(question.terms, wanted)
    return shares(found, SATURATION * sum(inverse_frequency(count, total) for count in counts))
