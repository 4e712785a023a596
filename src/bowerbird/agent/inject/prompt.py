"""What to inject at a prompt: the query for it, and the selection from the answer."""

import re

from bowerbird.agent.inject.selection import BUDGET, ENVELOPE, fitting, trusted
from bowerbird.core.injected import PROMPT, Injection
from bowerbird.core.types import MEMORY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from bowerbird.agent.inject.selection import Sure
    from bowerbird.core.answers import Hit
    from bowerbird.core.ports.recall import Recall
    from bowerbird.core.types import Entry

# Entries for a prompt; the relevance that each must have, and how many words it must share: one common
# word ("can you fix it?") is not enough, and a long prompt shares two with anything. For 540 short
# questions to six projects' memories, the precision of what is injected is .66, .71, .78 and .83 with a
# threshold of .4, .45, .5 and .6, and the share of tasks with an answer .31, .30, .26 and .20; in a store
# of a single memory the right one may have .43. Of 937 recorded prompts 36 % get an entry if two words
# always suffice, 32 % with this rule.
MOST = 5
FLOOR = 0.4
SHARED, SHARED_BY_LONG = 2, 3
# The relevance threshold of a hit that shares more words than that with a short prompt: in a store of a
# few memories the rarity of a word is uncertain, and the right hit has .27 to .31. For the same 540
# questions nothing changes.
FLOOR_OF_MORE = 0.25
_LONG_PROMPT = 20
# Letters by which forms of one word are recognised, and of the shortest word that counts.
_STEM, _FEWEST_LETTERS = 4, 3
# Hits that are examined: most that are rejected are transcripts and code.
_DEPTH = 15
# A shorter prompt ("yes", "go on") is no query. Of a long one, mostly a plan or pasted, only the longest
# words of its beginning are used, and the names after it: each word costs time, and short ones add
# little. Of prompts above 60 words at 10,000 entries 1,000 characters took a median of 40 ms of CPU, this
# many 19; at 100,000 11.5 bare interpreters and 14.5 at p95, this many 9 and 11.4.
_FEWEST_WORDS = 3
_LONGEST_QUESTION = 500
_BEGINNING, _NAMES_BEHIND, _LOOKED_THROUGH, _MOST_WORDS = 350, 100, 4_000, 12
# An identifier.
NAME = re.compile(r"\w*[a-z]\w*[A-Z]\w*|[a-zA-Z]\w*_\w+")
# The second look loads numpy, which takes seven bare interpreters; a prompt has a quarter of a second. A
# hit by meaning alone shares no word with the prompt and would not be injected, so it is not searched
# for; nor is code, and therefore no definition of a name.
_WITHOUT = ("second look", "nearest", "common words", "defined")
# A long prompt has words that are in no entry: searching for misspellings of each took 10 of 60 ms.
_WITHOUT_IN_LONG = (*_WITHOUT, "fuzzy")
# Half of the candidates of a question: of 140 prompts to stores of 10,000 and 100,000 entries none got a
# different result, and ranking took 20 ms per prompt instead of 31.
NARROW = {"query.depth": 0.5}


def for_prompt(memory: "Recall", text: str, seen: "Collection[str]", sure: "Sure") -> Injection:
    """Return what memory knows about a prompt, best first."""
    about = "What may bear on this prompt."
    question = asked(text)
    if len(question.split()) < _FEWEST_WORDS:
        return Injection(PROMPT, about)
    long = len(text.split()) > _LONG_PROMPT
    without = _WITHOUT_IN_LONG if long else _WITHOUT
    hits = memory.query(
        question, limit=_DEPTH, min_score=FLOOR_OF_MORE, min_trust="normal", without=without
    )
    kept = [hit for hit in hits if fits(hit, long=long) and trusted(hit.entry)]
    relevance = {hit.id: hit.relevance for hit in kept}
    found = fitting(_sure(kept, memory, sure), seen, BUDGET - ENVELOPE, MOST, relevance)
    reasons = {one.id: f"relevance {one.relevance:.2f} for the prompt" for one in found}
    return Injection(PROMPT, about, found, reasons=reasons)


def asked(prompt: str) -> str:
    """Return the query for a prompt."""
    text = prompt.strip()
    if len(text.split()) <= _LONG_PROMPT:
        return text[:_LONGEST_QUESTION]
    words = dict.fromkeys(text[:_BEGINNING].split())
    longest = {*sorted(words, key=len, reverse=True)[:_MOST_WORDS]}
    names = dict.fromkeys(NAME.findall(text[_BEGINNING:_LOOKED_THROUGH]))
    return " ".join([*filter(longest.__contains__, words), " ".join(names)[:_NAMES_BEHIND]])


def fits(hit: "Hit", *, long: bool = False) -> bool:
    """Return whether a hit is close enough to a prompt, a short or a `long` one, to be injected."""
    common, least = shared(hit.matched), SHARED_BY_LONG if long else SHARED
    floor = FLOOR if long or common == least else FLOOR_OF_MORE
    return common >= least and hit.relevance >= floor


def shared(words: "Iterable[str]") -> int:
    """Return how many different words are shared, without numbers, short words and forms of one word."""
    known: list[str] = []
    for word in map(str.lower, words):
        begin = word[:_STEM]
        if len(word) >= _FEWEST_LETTERS and not word.isdigit():
            known += [word] * all(one[:_STEM] != begin for one in known)
    return len(known)


def _sure(hits: "Iterable[Hit]", memory: "Recall", sure: "Sure") -> "Iterator[Entry]":
    for hit in hits:
        if hit.entry.family != MEMORY:
            yield hit.entry
        elif sure(entry := memory.get(hit.id)):
            yield entry
