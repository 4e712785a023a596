"""The features by which two texts are compared.

What is new in the later text, whether it states a change, and what differs: a number, a name or a day,
for the same or another subject. `weighing.py` weighs them.
"""

from itertools import pairwise

from bowerbird.core.value import Value
from bowerbird.lifecycle.word_classes import (
    ALL,
    BESIDES,
    EXCEPTS,
    FROM,
    ORDINALS,
    PREPOSITIONS,
    TO,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from bowerbird.core.memories import Alignment
    from bowerbird.lifecycle.wording import Word, Wording

# A number within this number of words from the start names the subject: “Room 3 seats …”.
NAMING = 4
# The divisor for the first or second half of a text.
HALF = 2
# More words about the past than this count no more.
MOST_PAST = 2
# Words after “from” among which the new value is searched.
REACH = 7
# The object of a word of change is within this number of words.
CLOSE_BY = 4
# More cues of a change than this count no more.
MOST_CUES = 3
MOST_CLAUSES = 4


class Differences(Value):
    """The features by name, in the order of their weights."""

    __slots__ = (
        "another",
        "beside",
        "came_late",
        "changed_known",
        "clauses",
        "cues",
        "excepts",
        "first_number",
        "from_known",
        "happened_to_known",
        "held",
        "new_all",
        "new_number",
        "new_value",
        "not_new",
        "over",
        "past_more",
        "placed",
        "same_first",
        "same_last",
        "same_name",
    )

    def __init__(self, old: "Wording", new: "Wording") -> None:
        numbers = _lost_and_new(old.numbers, new.numbers)
        names = old.names - new.roots, new.names - old.roots
        kinds = (all(numbers), all(names), _another_day(old, new))
        self.cues = float(min(max(new.cues - old.cues, 0), MOST_CUES))
        # Whether a clause that states a change is about something known.
        self.changed_known = float(
            any(
                changes and not old.content_roots.isdisjoint(roots)
                for changes, roots in zip(new.changing, new.clause_roots, strict=True)
            )
        )
        self.past_more = float(min(new.past, MOST_PAST) - min(old.past, MOST_PAST))
        self.happened_to_known = float(_happened_to(new, old))
        self.from_known = float(_from_known(new, old))
        self.over = float(_over(new, old))
        ordinals = old.texts & ORDINALS, new.texts & ORDINALS
        self.beside = float(not BESIDES.isdisjoint(new.texts) or all(_lost_and_new(*ordinals)))
        # A single difference is another value; more than one suggest another subject.
        self.another = float(sum(kinds) == 1)
        self.new_number = float(bool(numbers[1]) and not old.numbers)
        self.same_name = float(bool((old.names & new.roots) | (new.names & old.roots)))
        self.new_value = float(bool(numbers[1] or names[1]))
        self.first_number = float(names_by(old, numbers[0]) and names_by(new, numbers[1]))
        self.not_new = float(any(word.negates for word in new.words))
        self.new_all = float(not ALL.isdisjoint(new.texts))
        self.excepts = float(not EXCEPTS.isdisjoint(new.texts)) - float(
            not EXCEPTS.isdisjoint(old.texts)
        )
        self.placed = float(bool(new.words) and new.words[0].text in PREPOSITIONS)
        # The subject comes first and the value last: the same subject, the same value.
        ends = [
            (text.content[0].root, text.content[-1].root) for text in (old, new) if text.content
        ]
        self.same_first = float(len(ends) > 1 and ends[0][0] == ends[1][0])
        self.same_last = float(len(ends) > 1 and ends[0][1] == ends[1][1])
        self.held = _share(old.content, new.roots)
        self.clauses = float(min(len(new.clauses), MOST_CLAUSES))
        # The position of what is new in the newer text: the subject comes first, the value last.
        strange = [at for at, word in enumerate(new.content) if word.root not in old.roots]
        last = max(1, len(new.content) - 1)
        self.came_late = sum(strange) / len(strange) / last if strange else 1 / HALF


def _happened_to(new: "Wording", old: "Wording") -> bool:
    """Whether a verb in the past is next to a word of the older text."""
    known = old.content_roots
    for clause in new.clauses:
        content = [word for word in clause if not word.small]
        for one, other in pairwise(content):
            if (one.past and one.root not in known and other.root in known) or (
                other.past and other.root not in known and one.root in known
            ):
                return True
    return False


def _from_known(new: "Wording", old: "Wording") -> bool:
    """Whether the newer text reports a change “from” the older value “to” another."""
    known = old.content_roots
    for clause in new.clauses:
        for at, word in enumerate(clause):
            if word.text not in FROM:
                continue
            near = clause[at + 1 : at + REACH]
            to = next((index for index, one in enumerate(near) if one.text in TO), 0)
            left = {one.root for one in near[:to] if not one.small}
            came = {one.root for one in near[to:] if not one.small}
            if left & known and came - known:
                return True
    return False


def _over(new: "Wording", old: "Wording") -> bool:
    """Whether a word of change is near the last content word of the older text, its value."""
    value = {word.root for word in old.content[len(old.content) // HALF :]}
    for clause, changes in zip(new.clauses, new.changes, strict=True):
        if not changes:
            continue
        known = [at for at, word in enumerate(clause) if word.root in value and not word.small]
        if any(abs(one - other) <= CLOSE_BY for one in changes for other in known):
            return True
    return False


def _lost_and_new(
    old: "frozenset[str]", new: "frozenset[str]"
) -> "tuple[frozenset[str], frozenset[str]]":
    return old - new, new - old


def _another_day(old: "Wording", new: "Wording") -> bool:
    """Whether both texts contain a day, or both a month, and not the same."""
    days = [
        {(word.day, word.text.removesuffix("s")) for word in text.words if word.day}
        for text in (old, new)
    ]
    lost = {kind for kind, _ in days[0] - days[1]}
    return not lost.isdisjoint(kind for kind, _ in days[1] - days[0])


def names_by(text: "Wording", numbers: "AbstractSet[str]") -> bool:
    """Whether one of some numbers follows a noun near the start: “Room 3”."""
    first = text.clauses[0][:NAMING] if text.clauses else ()
    return any(
        word.number in numbers and not before.small and not before.number
        for before, word in pairwise(first)
    )


def _share(words: "tuple[Word, ...]", roots: "frozenset[str]") -> float:
    return sum(word.root in roots for word in words) / len(words) if words else 0.0


class Matches(Value):
    """The features of the contextual model: how well each word of one text is matched in the other."""

    __slots__ = (
        "announcing",
        "far",
        "like_a_change",
        "like_an_event",
        "near",
        "new_first",
        "new_last",
        "old_first",
        "old_last",
        "opening",
        "opposing",
        "strange",
        "unmet",
    )

    def __init__(self, alignment: "Alignment", small: "frozenset[str]") -> None:
        old = sorted(value for _, value in alignment.old)
        new = [value for word, value in alignment.new if word not in small]
        new = new or [value for _, value in alignment.new]
        # Of the older text, the words that the newer one matches worst: a value that changed.
        worst = old[:WORST] or [1.0]
        self.unmet = sum(worst) / len(worst)
        # Of the newer text, the last of the words that are matched worst: all texts add something.
        self.strange = (sorted(new)[:WORST] or [1.0])[-1]
        self.opening = min(new[: max(1, len(new) // HALF)], default=1.0)
        kept = [value for word, value in alignment.old if word not in small]
        kept = kept or [value for _, value in alignment.old]
        self.old_first, self.old_last = kept[0], kept[-1]
        self.new_first, self.new_last = new[0], new[-1]
        self.announcing = alignment.announced
        self.opposing = alignment.opposed
        self.like_a_change = alignment.changed
        self.like_an_event = alignment.happened
        self.near = min(alignment.near, NEAREST)
        self.far = max(0.0, FAR - alignment.near)


# The number of worst-matched words that count.
WORST = 3
# Above this cosine, nearness does not matter for being about the same subject; below FAR, they are not.
NEAREST = 0.75
FAR = 0.55
