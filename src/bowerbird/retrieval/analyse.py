"""Query analysis: the query's words, their rarity in this store, and whether the asker means themselves.

Pure: the caller passes the word counts.
"""

import math

from bowerbird.core.language import content_words
from bowerbird.core.text import PAIR, is_unspaced, words
from bowerbird.core.value import Record
from bowerbird.retrieval.intent import Intent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from bowerbird.core.phases import Phase

FIRST_PERSON = frozenset("i me my mine myself we our ours us".split())
# FTS5's BM25 saturates at (k1 + 1) times a word's inverse document frequency, with k1 = 1.2.
SATURATION = 2.2
# Smooth inverse frequency (Arora et al. 2017): a word with probability p has the weight a / (a + p) in
# the query vector. Results are flat for a between 1e-3 and 1e-2 on the development sets.
SMOOTH = 3e-3
# In stores with more entries than this, words that occur in more than this share of them are not
# searched: FTS5 needs 1 µs per matching row. Recall suffers: with this share nDCG@10 on Cranfield is .498
# instead of .528; with .2 it would be .524.
COMMON_FROM = 20_000
COMMON_SHARE = 0.1
# A query may be a pasted page: at most this many terms are searched, the rarest ones.
MOST_TERMS = 48
# The query asks for an identifier itself if it has at most this many other words: "where is X defined?".
MOST_BESIDE = 2
# Scripts without spaces are searched by every pair of adjacent characters. Pairs that straddle two words
# occur nowhere, so an unknown pair has this share of the weight of an unknown word.
UNKNOWN_PAIR = 0.1
# The smallest number of entries that was measured; smaller stores count as this size, since three entries
# do not show which words are rare. On XQuAD with 3, 8 and 20 entries, .83, .87 and .93 of the answers
# then reach a relevance of .25 (before: .76, .87 and .92); of the unanswerable queries 0, .01 and .04, as
# before.
SMALLEST = 100
# The words that follow the name of a definition in the context of its passage.
DEFINED = ("function", "method", "class", "module")
# The separators between the parts of a qualified name.
_PARTING = ("::", "#", "/", ".")
# Words that ask for the definition of the name beside them.
_DEFINING = frozenset(
    "class classes constant const declaration declared def define defined defines definition enum fn func"
    " function implementation implemented interface method module struct trait type".split()
)
_NONE: "Mapping[str, int]" = {}


class Question(Record):
    """The analysed text of a query.

    `terms` are the words to search, `beginnings` prefixes to search as well, `achievable` the BM25 of
    a perfect match, `first_person` whether the asker speaks of themselves, `information` the
    information of each term (above 0 even in the smallest store), `weights` the weight of each word
    in the query vector, `intent` what the wording asks for, `entries` the number of entries in the
    store. `now` and `phase` are those of the query.
    """

    words: tuple[str, ...]
    terms: tuple[str, ...]
    achievable: float
    first_person: bool
    information: dict[str, float]
    weights: dict[str, float]
    intent: Intent
    beginnings: tuple[str, ...] = ()
    entries: int = 0
    now: int | None = None
    phase: "Phase | None" = None

    @property
    def phrases(self) -> tuple[str, ...]:
        """The phrases to search: terms, adjacent words, and prefixes, marked by a final ``*``.

        Searching adjacent words finds an identifier among the many entries that contain its parts.
        """
        beginnings = (f"{letters}*" for letters in self.beginnings)
        return (*self.terms, *self.intent.together, *beginnings)

    @property
    def asks_identifier(self) -> bool:
        """Whether the query asks for an identifier itself: it has few other words."""
        parts = set(words(" ".join(self.intent.identifiers)))
        return bool(parts) and sum(term not in parts for term in self.terms) <= MOST_BESIDE

    @property
    def spelt(self) -> tuple[str, ...]:
        """The names of code in the query, each without its qualifiers.

        A single word counts as such a name, alone or beside words that ask for a definition.
        """
        named = self.intent.identifiers
        if not named:
            left = [term for term in self.terms if term not in _DEFINING]
            named = tuple(left if len(left) == 1 else ())
        return tuple(dict.fromkeys(filter(None, map(own_name, named))))

    @property
    def named(self) -> tuple[str, ...]:
        """The names in `spelt`, in lower case."""
        return tuple(one.lower() for one in self.spelt)

    @property
    def defining(self) -> tuple[str, ...]:
        """Phrases that occur in the context of a definition of the named code.

        Empty if the query asks for the users of that code. The index stores a name in camel case also
        as one word, followed by the kind of definition.
        """
        if self.intent.calling:
            return ()
        runs = (" ".join(one.replace("_", " ").split()) for one in self.named)
        return tuple(f"{run} {kind}" for run in runs if run for kind in DEFINED)

    def defines(self, context: str) -> bool:
        """Whether a passage with this context defines the named code, and not a longer name."""
        way, _, kind = context.lower().rpartition(" ")
        return kind in DEFINED and own_name(way.rpartition(" ")[2]) in self.named

    def definitions(self, contexts: "Mapping[int, str]", other_case: float) -> dict[int, float]:
        """The rows whose context defines the named code: 1.0, or `other_case` next to an exact match."""
        found = {row: context for row, context in contexts.items() if self.defines(context)}
        written = set(map(own_name, self.intent.written))
        spelt = {row for row, one in found.items() if own_name(one.split(" ")[-2]) in written}
        return {row: 1.0 if row in spelt or not spelt else other_case for row in found}

    def weight(self, word: str) -> float:
        """The weight of a word in the query vector."""
        return self.weights.get(word, 1.0)


def own_name(name: str) -> str:
    """The last part of a qualified name: ``tornado.web.Application()`` gives ``Application``."""
    for mark in _PARTING:
        name = name.rstrip("()").rpartition(mark)[2]
    return name


def information(count: int, total: int) -> float:
    """Lucene's idf of a word in n=`count` of N=`total` entries: ln(1 + (N - n + .5) / (n + .5))."""
    return math.log(1 + (max(total - count, 0) + 0.5) / (count + 0.5))


def distinct_words(text: str) -> tuple[str, ...]:
    """The distinct words of a text, in order."""
    return tuple(dict.fromkeys(words(text)))


def inverse_frequency(count: int, total: int) -> float:
    """The idf of a word in `count` of `total` entries, as FTS5's bm25() computes it: at least 1e-6."""
    return max(math.log((max(total - count, 0) + 0.5) / (count + 0.5)), 1e-6)


def analyse(
    every: tuple[str, ...],
    counts: "Mapping[str, int]",
    entries: int,
    total_words: int,
    intent: Intent | None = None,
    beginnings: "Mapping[str, int]" = _NONE,
) -> Question:
    """Analyse the distinct words of a query.

    `counts` gives the number of entries that contain each of these words; `entries` is the size of
    the store, `total_words` the sum over all words; `intent` what the wording of the text asks for;
    `beginnings` maps each prefix to the number of entries that contain a word with it.
    """
    intent = intent or Intent(language="en")
    terms = content_words(every, intent.language)
    if entries > COMMON_FROM:
        terms = _rare(terms, counts, entries) or terms
        beginnings = {a: count for a, count in beginnings.items() if count < COMMON_SHARE * entries}
    if len(terms) > MOST_TERMS:
        # Words that the store does not contain come last: they find nothing, however rare they are.
        by_rarity = sorted(terms, key=lambda term: counts.get(term, entries + 1))
        terms = tuple(by_rarity[:MOST_TERMS])
    shares = {term: UNKNOWN_PAIR if _is_stray(term, counts) else 1.0 for term in terms}
    most = sum(
        share * inverse_frequency(counts.get(term, 0), entries) for term, share in shares.items()
    )
    most += sum(inverse_frequency(count, entries) for count in beginnings.values())
    return Question(
        words=every,
        terms=terms,
        achievable=SATURATION * most,
        first_person=not FIRST_PERSON.isdisjoint(every),
        information={
            term: share * information(counts.get(term, 0), max(entries, SMALLEST))
            for term, share in shares.items()
        },
        weights={
            word: SMOOTH / (SMOOTH + counts.get(word, 0) / max(total_words, 1)) for word in every
        },
        intent=intent,
        beginnings=tuple(beginnings),
        entries=entries,
    )


def _rare(terms: tuple[str, ...], counts: "Mapping[str, int]", entries: int) -> tuple[str, ...]:
    """The terms without common ones; empty if every term that the store contains is common."""
    rare = tuple(term for term in terms if counts.get(term, 0) < COMMON_SHARE * entries)
    return rare if any(term in counts for term in rare) else ()


def _is_stray(term: str, counts: "Mapping[str, int]") -> bool:
    """Whether a term is a pair of characters of an unspaced script that occurs in no entry."""
    return term not in counts and len(term) == PAIR and is_unspaced(term)
