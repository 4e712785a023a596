"""The probability that a newer text replaces an older one, from their differences.

Two questions about each pair: does the newer text state that the older one is over, and can both hold?
Each is answered by a logistic regression on the features of `differences.py`, fitted on pairs that
several authors labelled: `benchmarks/weighing.py` fits it, and reports its accuracy on an author whose
pairs it has not seen.
"""

from collections import Counter
from functools import cache
from itertools import zip_longest
from math import exp
from operator import mul
from os.path import dirname, join

from bowerbird.core.memories import UNDECIDED, Verdict
from bowerbird.core.pattern import late
from bowerbird.core.value import Value
from bowerbird.lifecycle.contradiction import clauses
from bowerbird.lifecycle.differences import HALF, Differences, Matches
from bowerbird.lifecycle.prepared import prepared
from bowerbird.lifecycle.word_classes import (
    BESIDES,
    CHANGES,
    EXCEPTS,
    FROM,
    NECESSITY,
    NUMBERS,
    SMALL,
    TIMELESS,
    UNSURE,
)
from bowerbird.lifecycle.wording import cues, identifiers, wording

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from bowerbird.core.memories import Alignment
    from bowerbird.lifecycle.wording import Wording


class Regression:
    """A logistic regression on named features and on the products of any two of them.

    Each feature is standardised and clipped to `MOST_DEVIATIONS`. `rows` has the constant first, then a
    row for each feature: its weights with itself and with all later features.
    """

    __slots__ = ("numbers", "rows")

    def __init__(
        self, numbers: list[tuple[str, float, float]], rows: list[tuple[float, ...]]
    ) -> None:
        """`numbers`: name, mean and standard deviation of each feature."""
        self.numbers = numbers
        self.rows = rows

    def odds(self, *numbers: Value) -> float:
        """The probability, 0 to 1."""
        given = {name: getattr(some, name) for some in numbers for name in some.__slots__}
        values = [1.0]
        for name, mean, deviation in self.numbers:
            value = (given[name] - mean) / deviation
            values.append(min(max(value, -MOST_DEVIATIONS), MOST_DEVIATIONS))
        total = 0.0
        for at, row in enumerate(self.rows):
            total += values[at] * sum(map(mul, row, values[at:]))
        return 1 / (1 + exp(-total))


# Standardised features are clipped to this.
MOST_DEVIATIONS = 3.0
# Format of a line: name of the regression, name of the feature, mean, standard deviation, row of weights.
FITTED = join(dirname(__file__), "weighing.txt")
# That the newer text states the end of the older one; the same without a contextual model; and that not
# both can hold, for texts with other words.
ANNOUNCED = "announced"
ANNOUNCED_BY_WORDS = "announced_by_words"
OPPOSED = "opposed"


@cache
def regression(name: str) -> Regression:
    """One of the three regressions that `benchmarks/weighing.py` fits."""
    numbers: list[tuple[str, float, float]] = []
    rows: list[tuple[float, ...]] = []
    with open(FITTED, encoding="ascii") as file:
        for line in file:
            of, number, mean, deviation, *weights = line.split()
            if of == name:
                numbers.append((number, float(mean), float(deviation)))
                rows.append(tuple(map(float, weights)))
    return Regression(numbers[1:], rows)


class Ruled(Value):
    """The features of `OPPOSED` alone: what the word rules say, and how much the texts share.

    `ruled`: the rules find another value, `clear`: in nothing but that; `shared` is the share of words,
    `alike` whether the texts differ in a word or two.
    """

    __slots__ = ("alike", "clear", "ruled", "shared")

    def __init__(self, by_rules: Verdict, old: "Wording", new: "Wording") -> None:
        self.ruled = float(by_rules.relation == "contradicts")
        self.clear = float(by_rules.clear)
        self.shared = shared_words(old, new)
        self.alike = float(self.shared >= ALIKE)


# Thresholds of either probability alone, and of both together: chosen so that of eleven authors, each
# left out, .85 of all flags are right, and .75 of the announcements and .42 of all replacements are
# noticed (benchmarks/pairs.md). Without a word of change only another value of one sort, a number, a name
# or a day, is trusted: from OPPOSES on 20 such flags among 480 pairs of three later authors are right and
# 4 wrong, of other differences above .7 five and six (`OPPOSES_ELSE`).
ANNOUNCES = 0.5
LEAST_OPPOSED = 0.2
OPPOSES = 0.6
OPPOSES_ELSE = 0.95
# Another value in two statements of one person on nearly the same (`SURELY_NEAR`), or that begin with the
# same, counts from here on: of those 480 pairs 17 replacements instead of five, and three that hold
# together instead of one.
OPPOSES_ONESELF = 0.47
ANNOUNCES_TOO = 0.3
OPPOSES_TOO = 0.55
# The threshold without a contextual model: of the same authors' announcements .58 are noticed, at .86.
ANNOUNCES_BY_WORDS = 0.55
# Without a contextual model only the nearest memory is flagged, if it shares this part of the shorter
# text's content words: of flags among others 32 of 33 right ones stay, and 4 of 207 wrong ones.
SAID_AGAIN = 0.25
# From this probability on, if the other is at least even, the newer text supersedes the older: of 790
# pairs that coexist, narrow or are unrelated this applies to two, each author left out. Without a
# contextual model it only flags.
REPLACES = 0.93
EVEN = 0.5
# From this probability on, a much newer text supersedes: of the same 790 pairs two reach it.
CLEAR = 0.95
# Texts that share more of their words differ in a word or two.
ALIKE = 0.7
# Below this cosine of the contextual model two texts are taken to be about different subjects: they are
# not even linked (`judge.py`).
NEAR = 0.47
# Below this cosine, they must share this part of the shorter text's content words. Of 360 notes in stores
# seven were flagged without both bounds, two are with them; of 166 right flags among the pairs they cost
# 3, and five authors' precision rises from .80 to .83.
SURELY_NEAR = 0.6
SHARED = 0.2
# Nor are two about different subjects where a word of change stands beside this part of those words (“no
# need for short sentences any more”): 3 more of 280 replacements of five authors are noticed, and none
# of 560 others, by weights fitted on four of them; of the fifth, who was not, no pair changes.
NAMED = 0.4
# Longer texts state more than one thing.
MOST_WORDS = 80
# Two subjects, if this number of identifiers on either side is missing on the other; with fewer, one may
# be the value that changed. Of 1,086 labelled pairs ten differ in identifiers and share none: nine of
# those coexist.
TWO_SUBJECTS = 2
# Maximum differing words named in a reason.
MOST_NAMED = 3
# Maximum new content words beside a statement that something is over: the new value, and a verb.
MOST_NEW = 2


def weighed(
    old: str,
    new: str,
    alignment: "Alignment | None",
    *,
    understood: float,
    nearest: bool = True,
    values: bool = True,
    by_rules: Verdict = UNDECIDED,
    of_one_person: bool = False,
) -> Verdict:
    """Whether `new` states that `old` is over, or states something incompatible about the same subject.

    `by_rules` is the verdict of the word rules: one of the features if the contextual model compared the
    two, else it stands.

    `alignment` is the contextual model's of the two, None if other memories are nearer; `understood` the
    cosine by which it found the older one, 0 if it did not embed both. Then the words alone decide, for
    the `nearest` memory, whether the newer text states it. Without `values` only a change counts, not
    another statement about the same subject. `of_one_person`: both are a person's own words.
    """
    by_words = alignment is None and not understood
    # If others are nearer, only an explicit change ends a memory: most pairs stop here.
    if alignment is None and not (by_words and nearest) and not may_change(new):
        return by_rules
    left, right = wording(old), wording(new)
    if not _weighable(left, right, new) or (by_words and not _alike(left, right, nearest)):
        return by_rules
    alike = by_words and nearest and _shared_content(left, right) >= SAID_AGAIN
    said = Differences(left, right)
    if _plainly_over(left, right, said):
        return Verdict("supersedes", f"it says that this changed{_differing_words(left, right)}")
    if by_words:
        announced, opposed = regression(ANNOUNCED_BY_WORDS).odds(said) if alike else 0.0, 0.0
        announced = announced if announced >= ANNOUNCES_BY_WORDS else 0.0
    elif alignment is None or (
        _far_apart(left, right, alignment.near) and not _names_what_changed(left, right, said)
    ):
        return by_rules  # both were embedded, and others are nearer
    else:
        met = Matches(alignment, SMALL)
        announced = regression(ANNOUNCED).odds(said, met)
        opposed = regression(OPPOSED).odds(said, met, Ruled(by_rules, left, right))
    says = said.cues or said.from_known
    if _both_deny(left, right, said) or _only_adds(right) or (_two_subjects(old, new) and not says):
        return by_rules
    # A likely replacement without a word of change waits for review.
    if says and announced >= REPLACES and opposed >= EVEN and BESIDES.isdisjoint(right.texts):
        return Verdict("supersedes", f"it says that this changed{_differing_words(left, right)}")
    # A memory found from further away, by its words in English, is flagged only if the text itself states
    # a change.
    same_subject = understood >= NEAR
    # Near each other, with a word of change (“migrations don't need Priya's approval any more”), an even
    # chance is enough: of the same 560 no further one is flagged, of the 280 one.
    least = EVEN if said.cues and understood >= SURELY_NEAR else OPPOSES_TOO
    together = same_subject and announced >= ANNOUNCES_TOO and opposed >= least
    says_so = announced >= ANNOUNCES and (alignment is None or opposed >= LEAST_OPPOSED)
    if says_so or together:
        reason = f"it seems to say that this changed{_differing_words(left, right)}"
        return by_rules if by_rules.relation else Verdict("contradicts", reason)
    if by_rules.relation or not values or not same_subject:
        return by_rules
    oneself = of_one_person and (bool(said.same_first) or understood >= SURELY_NEAR)
    least = OPPOSES_ONESELF if oneself else OPPOSES
    of_one_sort = (
        said.another and not _measures_another(old, new) and not _in_another_case(left, right)
    )
    return _of_values(opposed, left, right, least if of_one_sort else OPPOSES_ELSE)


def _in_another_case(old: "Wording", new: "Wording") -> bool:
    """Whether the older text holds only in a case of which the newer one says less than half the words.

    “If you change anything in terraform/prod, bump the version”, “staging is on version 16.2”.
    """
    case = old.clauses[0]
    if len(old.clauses) == 1 or case[0].text not in EXCEPTS:
        return False
    roots = {word.root for word in case[1:] if not word.small}
    return HALF * len(roots & new.content_roots) < len(roots)


def _measures_another(old: str, new: str) -> bool:
    """Whether the numbers in which two texts differ belong to other things.

    They count something else, in texts that share little and begin with other subjects (“the nightly job
    of auth takes 11 minutes”, “auth answers within 200 ms”); or one stands in a further sentence, which
    shares nothing with the other text.
    """
    left, right = wording(old), wording(new)
    ours, theirs = left.numbers - right.numbers, right.numbers - left.numbers
    if not ours or not theirs:
        return False
    if _stand_apart(old, ours, right) or _stand_apart(new, theirs, left):
        return True
    counted = _counted(left, ours), _counted(right, theirs)
    known = all(counted) and not any("" in some for some in counted)
    same_first = left.content[0].root == right.content[0].root
    held = sum(word.root in right.roots for word in left.content) / len(left.content)
    return known and counted[0].isdisjoint(counted[1]) and not same_first and held < SHARED


def _stand_apart(text: str, numbers: "AbstractSet[str]", other: "Wording") -> bool:
    """Whether some numbers are only in sentences that share no word with another text; others do."""
    read = [wording(one) for one in clauses(text)]
    shares = [not one.content_roots.isdisjoint(other.content_roots) for one in read]
    with_them = [shared for shared, one in zip(shares, read, strict=True) if one.numbers & numbers]
    return any(shares) and bool(with_them) and not any(with_them)


def _counted(text: "Wording", numbers: "AbstractSet[str]") -> set[str]:
    """The roots of what some numbers count; an empty text for a number that no noun follows."""
    return {
        "" if after is None or after.small or after.number else after.root
        for clause in text.clauses
        for word, after in zip_longest(clause, clause[1:])
        if word.number in numbers and (word.text in NUMBERS or word.text.isdigit())
    }


def _of_values(opposed: float, left: "Wording", right: "Wording", least: float) -> Verdict:
    """The verdict on two texts on the same subject, neither of which states a change.

    What the rules find stands before it: they speak on 12 of 2,036 pairs, and see a negation beside
    another sentence (“Der Dienst braucht Redis nicht”), which the weights alone miss.
    """
    if opposed < least:
        return UNDECIDED
    reason = f"it states something else about the same{_differing_words(left, right)}"
    return Verdict("contradicts", reason, clear=opposed >= CLEAR)


def _weighable(left: "Wording", right: "Wording", new: str) -> bool:
    """Whether both texts are short enough, and the newer one is neither a question nor uncertain."""
    if not left.words or not right.words or max(len(left.words), len(right.words)) > MOST_WORDS:
        return False
    return not new.rstrip().endswith(("?", "？")) and UNSURE.isdisjoint(right.texts)


def states_one_thing(text: str) -> bool:
    """Whether a text is short enough to be weighed against others."""
    # Each of these is a word at least.
    return len(_WORD.findall(text)) <= MOST_WORDS and len(wording(text).words) <= MOST_WORDS


_WORD = late(r"[^\W_]\S*")


@prepared
def may_change(text: str) -> bool:
    """Whether a text contains a word that can state a change."""
    read = wording(text)
    return bool(read.cues) or not FROM.isdisjoint(read.texts)


def _far_apart(old: "Wording", new: "Wording", understood: float) -> bool:
    """Whether two texts are taken to be about different things."""
    shares = _shared_content(old, new) >= SHARED
    return understood < NEAR or (understood < SURELY_NEAR and not shares)


def _names_what_changed(old: "Wording", new: "Wording", said: Differences) -> bool:
    """Whether the newer text states a change, and names the words of the older one that it is about."""
    return bool(said.cues) and _shared_content(old, new) >= NAMED


def _two_subjects(old: str, new: str) -> bool:
    """Whether two texts name different identifiers, as two findings of a linter do."""
    ours, theirs = identifiers(old), identifiers(new)
    fewer = min(len(ours - theirs), len(theirs - ours))
    return fewer >= TWO_SUBJECTS or (fewer > 0 and ours.isdisjoint(theirs))


def _alike(old: "Wording", new: "Wording", nearest: bool) -> bool:
    """Whether two texts share what any rule on words alone asks for.

    What is plainly over has the older text's first content word, too.
    """
    if old.content and old.content[0].root in new.roots:
        return True
    return nearest and _shared_content(old, new) >= SAID_AGAIN


def _plainly_over(old: "Wording", new: "Wording", said: Differences) -> bool:
    """Whether the newer text repeats the older one and adds that it is over, or changes one word.

    “The build now needs Node 22”, “Maria is not our accountant anymore”: too short for the regressions.
    """
    changes = said.cues or (said.from_known and any(word.past for word in new.words))
    if not changes or said.beside:
        return False
    lost = sum(word.root not in new.roots for word in old.content)
    came = [word for word in new.content if word.root not in old.roots and word.text not in _CUES]
    # “Green tea rather than black” repeats the whole text more precisely: nothing of it is over. And
    # further words beside another value restrict it: “of partners”.
    replaced = not said.not_new and lost == len(came) == 1
    ended = lost == 0 and said.not_new and len(came) <= MOST_NEW
    if not replaced and not ended:
        return False
    if said.not_new and any(word.negates for word in old.words):
        return False  # “is not sold” and “is no longer sold” are compatible
    # “The freezer in the cellar no longer closes”: what is over was not in the older text.
    denied = [clause for clause in new.clauses if any(word.negates for word in clause)]
    if any(word in clause for word in came for clause in denied):
        return False
    # The subject comes first: another first word is another subject.
    return len(old.content) - lost > lost and old.content[0].root in new.roots


def _both_deny(old: "Wording", new: "Wording", said: Differences) -> bool:
    """Whether the newer text denies nothing that the older one states.

    “Is not sold” and “is no longer sold” are compatible, and so are “runs on 90” and “no longer runs on
    80”.
    """
    if not said.not_new:
        return False
    if any(word.negates for word in old.words) and said.held == 1:
        return True
    # “The freezer in the cellar no longer closes”: where the freezer is stays true.
    if said.held == 1 and not said.new_value and _denies_what_is_strange(old, new):
        return True
    ours = {word.number for word in old.words if word.number}
    came = [word for word in new.words if word.number]
    denied = [clause for clause in new.clauses if any(word.negates for word in clause)]
    known = any(word.number in ours for word in came)
    return (
        bool(ours and came)
        and not known
        and all(any(word in clause for clause in denied) for word in came)
    )


def _only_adds(new: "Wording") -> bool:
    """Whether a change only adds something: “also returns XML from now on”."""
    changed = [{word.text for word in clause} for clause in new.clauses if cues(clause)]
    return bool(changed) and not any((BESIDES - _TOO).isdisjoint(texts) for texts in changed)


# “Far too many” adds nothing.
_TOO = frozenset(("too",))


def _denies_what_is_strange(old: "Wording", new: "Wording") -> bool:
    """Whether the first content word after a negation is not in the older text.

    What need not be any more is over, whatever the word for need.
    """
    for clause in new.clauses:
        negated = False
        for word in clause:
            if negated and not word.small and word.text not in _CUES | NECESSITY:
                return word.root not in old.roots
            negated = negated or word.negates
    return False


_CUES = frozenset(word for cue in CHANGES for word in cue.split())
# What is left of a verb: “we've”, “you'll”.
_SHORTENED = frozenset(("ve", "ll", "re", "d", "m"))


def shared_words(old: "Wording", new: "Wording") -> float:
    """The share of the longer text's words that the other text contains, in any order."""
    ours, theirs = (Counter(word.root for word in text.words) for text in (old, new))
    return sum((ours & theirs).values()) / max(1, len(old.words), len(new.words))


def _shared_content(old: "Wording", new: "Wording") -> float:
    """The share of the shorter text's content words that the other text contains.

    Words of change are no content: two texts that say “now” share nothing by it.
    """
    ours, theirs = (
        {word.root for word in text.content if word.text not in _CUES} for text in (old, new)
    )
    return len(ours & theirs) / max(1, min(len(ours), len(theirs)))


def _differing_words(old: "Wording", new: "Wording") -> str:
    """The first content words that occur in only one of the two texts, without those of time."""
    ours, theirs = (
        [
            word.text
            for word in text.content
            if word.root not in other.roots and word.text not in _CUES | TIMELESS | _SHORTENED
        ][:MOST_NAMED]
        for text, other in ((old, new), (new, old))
    )
    if not ours or not theirs:
        return ""
    return f": “{' '.join(ours)}” before, “{' '.join(theirs)}” now"
