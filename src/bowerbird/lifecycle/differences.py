"""In what two texts differ: two dozen numbers, each of which means something.

What is new in the later text, whether it tells of a change, what a reader who compares them would
look at: another number, name or day, for a subject that is the same or another one. How they are
weighed stands in `weighing.py`.
"""

from itertools import pairwise

from bowerbird.core.value import Value
from bowerbird.lifecycle.grammar import (
    ALL,
    BESIDES,
    CHANGED,
    CHANGES,
    EXCEPTS,
    FROM,
    ORDINALS,
    PERFECT,
    PLACES,
    TO,
    WAS,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from bowerbird.core.types import Alignment
    from bowerbird.lifecycle.wording import Word, Wording

# A number so near to the beginning names what is told of: “Room 3 seats …”.
NAMING = 4
# So much of what they share counts as all of it.
HALF = 2
# Words behind “from” among which stands what came instead.
REACH = 7
# What a word of change is about stands so many words away.
CLOSE_BY = 4
# More of the same tells no more.
MOST_CUES = 3
MOST_CLAUSES = 4


class Differences(Value):
    """The numbers by name, in the order in which they are weighed."""

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
        numbers = _lost_and_new(_numbers(old), _numbers(new))
        names = _names(old) - new.roots, _names(new) - old.roots
        kinds = (all(numbers), all(names), _another_day(old, new))
        self.cues = float(min(max(cues(new.words) - cues(old.words), 0), MOST_CUES))
        # A clause that tells of a change is about what is known.
        self.changed_known = float(any(_changed(clause, old) for clause in new.clauses))
        self.past_more = float(min(_past(new), HALF) - min(_past(old), HALF))
        self.happened_to_known = float(_happened_to(new, old))
        self.from_known = float(_from_known(new, old))
        self.over = float(_over(new, old))
        ordinals = old.texts & ORDINALS, new.texts & ORDINALS
        self.beside = float(not BESIDES.isdisjoint(new.texts) or all(_lost_and_new(*ordinals)))
        # One thing is another one: more than one tell of another subject.
        self.another = float(sum(kinds) == 1)
        self.new_number = float(bool(numbers[1]) and not _numbers(old))
        self.same_name = float(bool((_names(old) & new.roots) | (_names(new) & old.roots)))
        self.new_value = float(bool(numbers[1] or names[1]))
        self.first_number = float(names_by(old, numbers[0]) and names_by(new, numbers[1]))
        self.not_new = float(any(word.negates for word in new.words))
        self.new_all = float(not ALL.isdisjoint(new.texts))
        self.excepts = float(not EXCEPTS.isdisjoint(new.texts)) - float(
            not EXCEPTS.isdisjoint(old.texts)
        )
        self.placed = float(bool(new.words) and new.words[0].text in PLACES)
        # What is told of comes first and what of it last: the same subject, the same value.
        ends = [
            (text.content[0].root, text.content[-1].root) for text in (old, new) if text.content
        ]
        self.same_first = float(len(ends) > 1 and ends[0][0] == ends[1][0])
        self.same_last = float(len(ends) > 1 and ends[0][1] == ends[1][1])
        self.held = _share(old.content, new.roots)
        self.clauses = float(min(len(new.clauses), MOST_CLAUSES))
        # Where in the newer text what is new stands: what is told of comes first, what of it last.
        strange = [at for at, word in enumerate(new.content) if word.root not in old.roots]
        last = max(1, len(new.content) - 1)
        self.came_late = sum(strange) / len(strange) / last if strange else 1 / HALF


def cues(words: "tuple[Word, ...]") -> int:
    """How many words or phrases tell of a change; each counts once."""
    texts = [word.text for word in words]
    said = f" {' '.join(texts)} "
    # “No longer than an hour” compares, and what “stopped after an hour” happened once.
    found = sum(
        f" {cue} " in said and f" {cue} than " not in said and f" {cue} after " not in said
        for first in _CUES_BY_FIRST.keys() & texts
        for cue in map(" ".join, _CUES_BY_FIRST[first])
    )
    # Parts that stand apart: “ne … plus”, “kein … mehr”.
    return found + any(
        not first.isdisjoint(texts) and last in texts for first, last in _APART if last in texts
    )


_CUES_BY_FIRST: "dict[str, list[list[str]]]" = {}
for _cue in (cue.split() for cue in CHANGES):
    _CUES_BY_FIRST.setdefault(_cue[0], []).append(_cue)
_APART = (
    (frozenset({"ne", "n"}), "plus"),
    (frozenset({"kein", "keine", "keinen", "keinem", "keiner"}), "mehr"),
    (frozenset({"no"}), "mas"),
    (frozenset({"non"}), "piu"),
    (frozenset({"niet", "geen"}), "meer"),
    (frozenset({"nao"}), "mais"),
    (frozenset({"nie"}), "juz"),
)


def _changed(clause: "tuple[Word, ...]", old: "Wording") -> bool:
    if not cues(clause) and not any(word.text in CHANGED for word in clause):
        return False
    known = {word.root for word in old.content}
    return any(word.root in known for word in clause if not word.small)


def _past(text: "Wording") -> int:
    """How many words tell of something that happened: “has moved” are two, “has two nurses” none."""
    found = 0
    for clause in text.clauses:
        behind = False
        for word in reversed(clause):
            if word.past or word.text in WAS or (behind and word.text in PERFECT):
                found += 1
            behind = behind or word.past
    return found


def _happened_to(new: "Wording", old: "Wording") -> bool:
    """Whether a verb of what happened stands right beside a word of the older text."""
    known = {word.root for word in old.content}
    for clause in new.clauses:
        content = [word for word in clause if not word.small]
        for one, other in pairwise(content):
            if (one.past and one.root not in known and other.root in known) or (
                other.past and other.root not in known and one.root in known
            ):
                return True
    return False


def _from_known(new: "Wording", old: "Wording") -> bool:
    """Whether the newer text tells of something “from” what the older one says “to” something else."""
    known = {word.root for word in old.content}
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
    """Whether a word of change stands close to what the older text tells last, its value."""
    value = {word.root for word in old.content[len(old.content) // HALF :]}
    for clause in new.clauses:
        told = [at for at, word in enumerate(clause) if word.text in CHANGED or _cue_at(clause, at)]
        known = [at for at, word in enumerate(clause) if word.root in value and not word.small]
        if any(abs(one - other) <= CLOSE_BY for one in told for other in known):
            return True
    return False


def _cue_at(clause: "tuple[Word, ...]", at: int) -> bool:
    """Whether a word or phrase that tells of a change begins there."""
    return any(
        all(word.text == part for word, part in zip(clause[at:], cue, strict=False))
        for cue in _CUES_BY_FIRST.get(clause[at].text, ())
        if len(cue) <= len(clause) - at
    )


def _numbers(text: "Wording") -> "frozenset[str]":
    return frozenset(word.number for word in text.words if word.number)


def _names(text: "Wording") -> "frozenset[str]":
    return frozenset(word.root for word in text.words if word.is_name)


def _lost_and_new(
    old: "frozenset[str]", new: "frozenset[str]"
) -> "tuple[frozenset[str], frozenset[str]]":
    return old - new, new - old


def _another_day(old: "Wording", new: "Wording") -> bool:
    """Whether both tell a day, or both a month, and not the same."""
    days = [
        {(word.day, word.text.removesuffix("s")) for word in text.words if word.day}
        for text in (old, new)
    ]
    lost = {kind for kind, _ in days[0] - days[1]}
    return not lost.isdisjoint(kind for kind, _ in days[1] - days[0])


def names_by(text: "Wording", numbers: "AbstractSet[str]") -> bool:
    """Whether one of some numbers stands near the beginning behind what it numbers: “Room 3”."""
    first = text.clauses[0][:NAMING] if text.clauses else ()
    return any(
        word.number in numbers and not before.small and not before.number
        for before, word in pairwise(first)
    )


def _share(words: "tuple[Word, ...]", roots: "frozenset[str]") -> float:
    return sum(word.root in roots for word in words) / len(words) if words else 0.0


class Matches(Value):
    """What a contextual model adds: how each word of one text is met in the other."""

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
        # Of the older text, what the newer one does not say: a value that is another one now.
        worst = old[:WORST] or [1.0]
        self.unmet = sum(worst) / len(worst)
        # Of the newer one, what is strange to the older; the last of a few: all add something.
        self.strange = (sorted(new)[:WORST] or [1.0])[-1]
        self.opening = min(new[: max(1, len(new) // HALF)], default=1.0)
        told = [value for word, value in alignment.old if word not in small]
        told = told or [value for _, value in alignment.old]
        self.old_first, self.old_last = told[0], told[-1]
        self.new_first, self.new_last = new[0], new[-1]
        self.announcing = alignment.announced
        self.opposing = alignment.opposed
        self.like_a_change = alignment.changed
        self.like_an_event = alignment.happened
        self.near = min(alignment.near, NEAREST)
        self.far = max(0.0, FAR - alignment.near)


# So many of the words that are met worst.
WORST = 3
# Above, nearness says no more on whether they are about the same; below FAR, they are not.
NEAREST = 0.75
FAR = 0.55
