"""Entries that hold the question's words."""

from itertools import accumulate

from bowerbird.core.language import beginnings
from bowerbird.core.text import together, words
from bowerbird.retrieval.analyse import SATURATION, distinct_words, inverse_frequency
from bowerbird.retrieval.fuse import shares

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from bowerbird.core.ports.reading import CandidateSource, Entries, Words
    from bowerbird.core.query import Filter, Query
    from bowerbird.core.trace import Trace
    from bowerbird.core.types import Entry
    from bowerbird.retrieval.analyse import Question

# 200 lost nothing up to 17,000 passages; twice that feeds the neighbours too.
POOL = 400
# Rows that are weighed where common words find none by themselves, and how many of those weigh beside
# the rare ones. Of 160 prompts at 100,000 entries 47 were given 136 entries without that bound, and with
# it all but one of those and one other; it took 33 to 60 ms, so much 22 to 32.
MOST_ROWS, MOST_BESIDE = 3_000, 6
# Entries that are looked at for a word just as it is written: those with other forms may come first.
LOOKED_AT = 50
# Letters of a word that is looked for as the beginning of one, where nothing holds any word asked for.
SHORTEST_BEGUN = 4
# How an abbreviation ends in the plural: its last letter, and an s.
_PLURALS = frozenset(f"{letter}s" for letter in "abcdefghijklmnopqrstuvwxyz")


def by_words(
    source: "CandidateSource", question: "Question", query: "Query", trace: "Trace"
) -> dict[int, float]:
    """Rows by the share of the achievable BM25, 0 to 1."""
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
        rare, common = by_rarity(rare, source.held_by(rare))
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
    """The rarest phrases, which stand in MOST_ROWS rows together at most; and the next MOST_BESIDE."""
    ranked = sorted(one for one in zip(counts, phrases, strict=True) if one[0])
    rows = list(accumulate(count for count, _ in ranked))
    some = max(1, sum(row <= MOST_ROWS for row in rows))
    found = [phrase for _, phrase in ranked]
    return found[:some], found[some : some + MOST_BESIDE]


def standing(
    source: "CandidateSource", entries: "Entries", filter: "Filter"
) -> "Callable[[str], bool]":
    """Tells of a word whether any entry that passes the filter holds it, just as it is written.

    The index finds every form that shares the stem; the very form may be another project's alone.
    """

    def stands(word: str) -> bool:
        rows = [row for row, _ in source.lexical((word,), filter, LOOKED_AT)]
        return any(word in _written(entry) for entry in entries.load(rows).values())

    return stands


def _written(entry: "Entry") -> set[str]:
    return set(words(" ".join((entry.text, entry.context, entry.path or "", *entry.tags))))


def asked_words(known: "Words", text: str) -> tuple[str, ...]:
    """The words of a question in order, each once.

    Somebody's GitHub is somebody else's github. The index knows each by both, so that a name whose
    parts a question tells by their case is one word where any entry writes it as one.
    """
    asked = distinct_words(text)
    names = together(text)
    if not names:
        return asked
    counts = known.counts((*names, *asked))
    wholes: dict[str, str] = {}
    for name, parts in names.items():
        # Where nobody writes "APIs", a part of it is no word, and any form of the whole will do.
        plural = parts[-1] in _PLURALS and parts[0] not in counts
        if name in counts or (plural and known.forms_held([name])):
            wholes |= dict.fromkeys(parts, name)
    return tuple(dict.fromkeys(wholes.get(word, word) for word in asked))


def other_forms(
    known: "Words", asked: tuple[str, ...], language: str, query: "Query", trace: "Trace"
) -> dict[str, int]:
    """How often words begin as those that the index does not stem, or were asked for so."""
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
    """Some whole documents of several passages by the same share, among themselves."""
    if not question.terms:
        return {}
    found, counts, total = source.wholes(question.terms, wanted)
    return shares(found, SATURATION * sum(inverse_frequency(count, total) for count in counts))
