"""Judges a pair of memories by a language model; only what code finds in both texts counts."""

from bowerbird.core.memories import UNDECIDED, Verdict
from bowerbird.core.normal import normal_hash
from bowerbird.core.thinking import NUMBER, PRO, Task, object_of, one_of, text_of
from bowerbird.guard.supported import one_space, shared

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.core.memories import Pair
    from bowerbird.core.ports.thinking import Thinker

# How sure it has to be, by its own word.
LEAST_SURE = 0.9
# Characters of the words that decide it.
LONGEST = 200
# The relations that it may choose, each with what becomes of it here. A person decides on the first two.
_RELATIONS = {
    "replaces": "contradicts",
    "contradicts": "contradicts",
    "refines": "related_to",
    "announces": "",
    "coexists": "",
    "unrelated": "",
}
TASK = Task(
    "judge",
    PRO,
    "You compare an older note with a newer one about a software project. relation says what the"
    " newer one"
    " does to the older: replaces (the older no longer holds because of it), contradicts (both cannot"
    " hold, and nothing says which does), refines (it adds detail, both hold), announces (it says what"
    " will hold later), coexists (both hold), unrelated. If in doubt: coexists. old and new are words"
    " of each note, copied exactly, that decide it; sure is your certainty from 0 to 1.",
    object_of(
        relation=one_of(*_RELATIONS), old=text_of(LONGEST), new=text_of(LONGEST), sure=NUMBER
    ),
    300,
)


class ModelJudge:
    """The judge that asks. It is slow: pairs wait for it in the store's queue."""

    slow = True

    def __init__(self, thinker: "Thinker") -> None:
        self._thinker = thinker

    def judge(self, pair: "Pair") -> Verdict:
        """The relation of the new text to the stored one. Raises ModelError."""
        return verdict(
            self._thinker.ask(TASK, f"Older: {pair.old}\n\nNewer: {pair.new}"), pair.old, pair.new
        )


def verdict(answer: "dict[str, Any]", old: str, new: str) -> Verdict:
    """What an answer decides on two texts; nothing if it is unsure, or not about what they say."""
    relation = _RELATIONS.get(answer["relation"], "")
    quotes = one_space(answer["old"]).lower(), one_space(answer["new"]).lower()
    found = all(
        quote and quote in one_space(text).lower()
        for quote, text in zip(quotes, (old, new), strict=True)
    )
    same = quotes[0] == quotes[1] or normal_hash(old) == normal_hash(new)
    if not relation or answer["sure"] < LEAST_SURE or not found or same or not shared(old, new):
        return UNDECIDED
    words = f"“{one_space(answer['old'])}”, “{one_space(answer['new'])}”"
    return Verdict(relation, f"a language model compared {words}")
