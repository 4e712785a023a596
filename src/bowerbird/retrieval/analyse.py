"""What a question asks for: its words, how rare each is in this store, and who is asking.

Pure: the counts are handed in.
"""

import math

from bowerbird.core.language import content_words
from bowerbird.core.text import PAIR, is_unspaced, words
from bowerbird.core.value import Value
from bowerbird.retrieval.intent import Intent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

FIRST_PERSON = frozenset("i me my mine myself we our ours us".split())
# FTS5's BM25 saturates at (k1 + 1) times a word's inverse document frequency, with k1 = 1.2.
SATURATION = 2.2
# Smooth inverse frequency (Arora et al. 2017): a word's weight in the question's vector is
# a / (a + p). Flat between 1e-3 and 1e-2 on development sets.
SMOOTH = 3e-3
# In stores above this size words in more than this share of entries are left out: a row costs FTS5 a
# microsecond. It costs answers too: of Cranfield, asked so, nDCG@10 is .498 instead of .528; a share
# of .2 would leave .524.
COMMON_FROM = 20_000
COMMON_SHARE = 0.1
# A pasted page is a question too: of its terms, those that tell most are asked.
MOST_TERMS = 48
# Words beside an identifier up to which the question is after it: "where is X defined?".
MOST_BESIDE = 2
# Of scripts without spaces every pair of characters is asked, and those that straddle two words
# stand nowhere: an unknown pair counts this share of an unknown word.
UNKNOWN_PAIR = 0.1
# The size of the smallest stores that were measured: smaller ones count as these. Of three entries nobody
# can tell which words are rare: of three, eight and twenty of XQuAD .83, .87 and .93 of the answers then
# reach .25 (.76, .87 and .92), and of the questions without one none, .01 and .04, as before.
SMALLEST = 100
# What stands behind the name of a definition in the context of its passage.
DEFINED = ("function", "method", "class", "module")
# What stands between the parts of a name.
_PARTING = ("::", "#", "/", ".")
# Words beside a name by which its definition is asked for.
_DEFINING = frozenset(
    "class classes constant const declaration declared def define defined defines definition enum fn func"
    " function implementation implemented interface method module struct trait type".split()
)
_NONE: "Mapping[str, int]" = {}


class Question(Value):
    """A query's text, analysed.

    `terms` are the words looked for, `beginnings` first letters that are looked for too, `achievable`
    the BM25 that a perfect entry would reach, `first_person` whether the asker speaks of themselves,
    `information` how much each term tells (never 0, so that it holds in the smallest store), `weights`
    how much each word counts in the question's vector, `intent` what its wording is after, `entries`
    the size of the store. `now` and `phase` are those of the query.
    """

    __slots__ = (
        "achievable",
        "beginnings",
        "entries",
        "first_person",
        "information",
        "intent",
        "now",
        "phase",
        "terms",
        "weights",
        "words",
    )

    def __init__(
        self,
        words: tuple[str, ...],
        terms: tuple[str, ...],
        achievable: float,
        first_person: bool,
        information: dict[str, float],
        weights: dict[str, float],
        intent: Intent,
        beginnings: tuple[str, ...] = (),
        entries: int = 0,
        now: int | None = None,
        phase: str | None = None,
    ) -> None:
        self.entries = entries
        self.now = now
        self.phase = phase
        self.words = words
        self.terms = terms
        self.achievable = achievable
        self.first_person = first_person
        self.information = information
        self.weights = weights
        self.intent = intent
        self.beginnings = beginnings

    @property
    def phrases(self) -> tuple[str, ...]:
        """What is looked for: terms, what should stand together, and beginnings, marked by ``*``.

        What stands together finds an identifier among its parts' crowd.
        """
        beginnings = (f"{letters}*" for letters in self.beginnings)
        return (*self.terms, *self.intent.together, *beginnings)

    @property
    def names_one(self) -> bool:
        """Whether an identifier is what is asked for: few other words stand beside it."""
        parts = set(words(" ".join(self.intent.identifiers)))
        return bool(parts) and sum(term not in parts for term in self.terms) <= MOST_BESIDE

    @property
    def spelt(self) -> tuple[str, ...]:
        """The things in code that the question names, each by its own name alone.

        One word may be such a name too, by itself or beside words that ask for a definition.
        """
        named = self.intent.identifiers
        if not named:
            left = [term for term in self.terms if term not in _DEFINING]
            named = tuple(left if len(left) == 1 else ())
        return tuple(dict.fromkeys(filter(None, map(own_name, named))))

    @property
    def named(self) -> tuple[str, ...]:
        """The same in small letters."""
        return tuple(one.lower() for one in self.spelt)

    @property
    def defining(self) -> tuple[str, ...]:
        """What stands beside the definition of what is named, as words; nothing where users are wanted.

        The index holds a name that its cases part as one word too, and that is where the kind stands.
        """
        if self.intent.calling:
            return ()
        runs = (" ".join(one.replace("_", " ").split()) for one in self.named)
        return tuple(f"{run} {kind}" for run in runs if run for kind in DEFINED)

    def defines(self, context: str) -> bool:
        """Whether the passage in that context defines what is named, and nothing with a longer name."""
        way, _, kind = context.lower().rpartition(" ")
        return kind in DEFINED and own_name(way.rpartition(" ")[2]) in self.named

    def definitions(self, contexts: "Mapping[int, str]", other_case: float) -> dict[int, float]:
        """Which rows define what is named, by their contexts: 1, or `other_case` beside one so spelt."""
        found = {row: context for row, context in contexts.items() if self.defines(context)}
        written = set(map(own_name, self.intent.written))
        spelt = {row for row, one in found.items() if own_name(one.split(" ")[-2]) in written}
        return {row: 1.0 if row in spelt or not spelt else other_case for row in found}

    def weight(self, word: str) -> float:
        """How much a word counts in the question's vector."""
        return self.weights.get(word, 1.0)


def own_name(name: str) -> str:
    """The last part of a name in code: ``tornado.web.Application()`` is ``Application``."""
    for mark in _PARTING:
        name = name.rstrip("()").rpartition(mark)[2]
    return name


def information(count: int, total: int) -> float:
    """How much a word tells: ln(1 + (N - n + .5) / (n + .5)), as Lucene weighs it."""
    return math.log(1 + (max(total - count, 0) + 0.5) / (count + 0.5))


def distinct_words(text: str) -> tuple[str, ...]:
    """The words of a question in order, each once."""
    return tuple(dict.fromkeys(words(text)))


def inverse_frequency(count: int, total: int) -> float:
    """The rarity of a word in `count` of `total` entries, as FTS5's bm25() computes it."""
    return max(math.log((max(total - count, 0) + 0.5) / (count + 0.5)), 1e-6)


def analyse(
    every: tuple[str, ...],
    counts: "Mapping[str, int]",
    entries: int,
    total_words: int,
    intent: Intent | None = None,
    beginnings: "Mapping[str, int]" = _NONE,
) -> Question:
    """The question behind some distinct words, for a store with these word counts.

    `counts` needs these words only; `total_words` is the sum over all words; `intent` what the
    wording of the whole text says; `beginnings` how often words begin with what is looked for too.
    """
    intent = intent or Intent(language="en")
    terms = content_words(every, intent.language)
    if entries > COMMON_FROM:
        terms = _rare(terms, counts, entries) or terms
        beginnings = {a: count for a, count in beginnings.items() if count < COMMON_SHARE * entries}
    if len(terms) > MOST_TERMS:
        # What stands nowhere comes last: it finds nothing, however rare it is.
        telling = sorted(terms, key=lambda term: counts.get(term, entries + 1))
        terms = tuple(telling[:MOST_TERMS])
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
    """The terms without the common ones; none where all that are known are common."""
    rare = tuple(term for term in terms if counts.get(term, 0) < COMMON_SHARE * entries)
    return rare if any(term in counts for term in rare) else ()


def _is_stray(term: str, counts: "Mapping[str, int]") -> bool:
    """Whether a term is a pair of an unspaced script that stands in no entry."""
    return term not in counts and len(term) == PAIR and is_unspaced(term)


def together_told(question: Question) -> str:
    """What should stand side by side, for the trace."""
    return "side by side: " + "; ".join(question.intent.together)


def period_told(question: Question) -> str:
    """The time that is asked about, for the trace."""
    return (
        f"of the time asked about: {question.intent.period.words if question.intent.period else ''}"
    )


def life_told(question: Question) -> str:
    """What the life of a memory counts, for the trace."""
    told = "age, use, source and confidence of memories"
    return f"{told}, for {question.phase}" if question.phase else told
