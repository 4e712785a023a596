"""How likely two texts are told of the same thing that cannot hold twice, by in what they differ.

Two questions of each pair: does the newer text say by itself that the older one is over, and can both
hold? Each is answered by a logistic regression on the numbers of `differences.py`, fitted on pairs that
several authors labelled: `benchmarks/weighing.py` fits it anew, and shows what a fit finds of an author
whose pairs it has not seen.
"""

from collections import Counter
from math import exp

from bowerbird.core.value import Value
from bowerbird.lifecycle.differences import Differences, Matches
from bowerbird.lifecycle.duplicates import UNDECIDED, Verdict
from bowerbird.lifecycle.grammar import BESIDES, CHANGES, SMALL, UNSURE
from bowerbird.lifecycle.wording import identifiers, wording

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.types import Alignment
    from bowerbird.lifecycle.wording import Wording


class Weights:
    """What each number counts, and what is added to all of them."""

    __slots__ = ("base", "counts")

    def __init__(self, base: float, **counts: float) -> None:
        self.base = base
        self.counts = counts

    def odds(self, *numbers: Value) -> float:
        """How likely it is, 0 to 1."""
        total = self.base
        for some in numbers:
            total += sum(self.counts[name] * getattr(some, name) for name in some.__slots__)
        return 1 / (1 + exp(-total))


# That the newer text says by itself that the older one is over.
ANNOUNCED = Weights(
    -6.45,
    another=0.63,
    beside=-1.31,
    came_late=-0.16,
    changed_known=1.27,
    clauses=0.78,
    cues=1.62,
    excepts=-0.72,
    first_number=-1.46,
    from_known=2.15,
    happened_to_known=1.04,
    held=1.09,
    new_all=0.48,
    new_number=-1.88,
    new_value=0.41,
    not_new=-0.16,
    past_more=0.32,
    placed=-0.38,
    same_name=0.26,
    announcing=0.96,
    far=-5.49,
    like_a_change=4.70,
    like_an_event=2.29,
    near=4.71,
    opening=-0.93,
    strange=-0.80,
    unmet=0.19,
)
# The same where no contextual model is at hand.
ANNOUNCED_BY_WORDS = Weights(
    -5.89,
    another=0.67,
    beside=-1.71,
    came_late=-0.62,
    changed_known=1.75,
    clauses=1.13,
    cues=1.65,
    excepts=-0.44,
    first_number=-1.68,
    from_known=2.37,
    happened_to_known=1.53,
    held=1.63,
    new_all=0.39,
    new_number=-1.88,
    new_value=0.49,
    not_new=-0.02,
    past_more=0.45,
    placed=-0.34,
    same_name=0.25,
)
# That not both can hold, of texts of other words.
OPPOSED = Weights(
    -3.26,
    another=0.81,
    beside=-1.35,
    came_late=0.20,
    changed_known=0.49,
    clauses=0.50,
    cues=0.93,
    excepts=-0.53,
    first_number=-3.26,
    from_known=0.89,
    happened_to_known=0.42,
    held=0.51,
    new_all=0.62,
    new_number=-1.06,
    new_value=0.46,
    not_new=-0.96,
    past_more=-0.04,
    placed=-0.70,
    same_name=0.34,
    announcing=0.18,
    far=-5.07,
    like_a_change=2.63,
    like_an_event=2.14,
    near=4.97,
    opening=0.79,
    strange=-1.09,
    unmet=-3.25,
)

# Each alone, and both together: chosen so that of an author left out, on average of six, .74 of the
# announcements are noticed and .88 of the flags are right; a stranger fares worse (benchmarks/pairs.md).
ANNOUNCES = 0.45
OPPOSES = 0.9
ANNOUNCES_TOO = 0.3
OPPOSES_TOO = 0.7
# By words alone: as many flags are right as that allows.
ANNOUNCES_BY_WORDS = 0.7
# By words alone only the nearest memory is flagged, where the shorter text shares so much of what it
# tells: among others 32 of 33 flags that are right stay, 4 of 207 that are wrong.
SAID_AGAIN = 0.25
# So sure, and the other one no less than even, it takes the older one's place: of 460 that hold beside
# none comes so far, by author; from .9 on 1 does. By words alone it only waits.
REPLACES = 0.93
EVEN = 0.5
# So sure, the newer of two holds: of 460 none comes so far, by author, from .9 on 1.
CLEAR = 0.95
# Sharing so many of their words, two texts differ in a word or two: `contradiction.py` knows which.
ALIKE = 0.7
# Further apart by the contextual model, two texts are taken to be about different things.
NEAR = 0.4
# Longer texts tell of more than one thing.
MOST_WORDS = 80
# So many identifiers on either side that the other one lacks make two subjects, whatever they share;
# of fewer, one may be the value of what they share. Of 1,086 labelled pairs ten differ in identifiers and
# share none: nine of those hold beside.
TWO_SUBJECTS = 2
# So many of the words that differ are told.
TOLD = 3
# So many words that tell something may stand beside what is over: what it is now, and a verb.
MOST_NEW = 2


def weighed(
    old: str,
    new: str,
    alignment: "Alignment | None",
    understood: float,
    *,
    nearest: bool = True,
) -> Verdict:
    """Whether `new` says that what `old` tells is over, or tells another thing of the same.

    `alignment` and `understood` are the contextual model's, None and 0 where it is not at hand: then
    the words alone are asked whether the newer text says so by itself, of the `nearest` memory.
    """
    left, right = wording(old), wording(new)
    if max(len(left.words), len(right.words)) > MOST_WORDS or not left.words or not right.words:
        return UNDECIDED
    if new.rstrip().endswith(("?", "？")) or not UNSURE.isdisjoint(right.texts):
        return UNDECIDED
    said = Differences(left, right)
    if _plainly_over(left, right, said):
        return Verdict("supersedes", f"it says that this changed{_told(left, right)}")
    if alignment is None and not understood:
        announced, opposed = ANNOUNCED_BY_WORDS.odds(said), 0.0
        alike = nearest and _shared_content(left, right) >= SAID_AGAIN
        announced = announced if alike and announced >= ANNOUNCES_BY_WORDS else 0.0
    elif alignment is None or understood < NEAR:
        return UNDECIDED  # the model read both, and others are nearer
    else:
        met = Matches(alignment, understood, SMALL)
        announced, opposed = ANNOUNCED.odds(said, met), OPPOSED.odds(said, met)
    says = said.cues or said.from_known
    if _both_deny(left, right, said) or (_two_subjects(old, new) and not says):
        return UNDECIDED
    # What is likely enough, but in no word said to have changed, waits.
    if says and announced >= REPLACES and opposed >= EVEN and BESIDES.isdisjoint(right.texts):
        return Verdict("supersedes", f"it says that this changed{_told(left, right)}")
    together = announced >= ANNOUNCES_TOO and opposed >= OPPOSES_TOO
    if announced >= ANNOUNCES or together:
        return Verdict("contradicts", f"it seems to say that this changed{_told(left, right)}")
    if opposed >= OPPOSES and shared_words(left, right) < ALIKE:
        reason = f"it tells another thing of the same{_told(left, right)}"
        return Verdict("contradicts", reason, clear=opposed >= CLEAR)
    return UNDECIDED


def _two_subjects(old: str, new: str) -> bool:
    """Whether two texts name different things, as two findings of a linter do."""
    ours, theirs = identifiers(old), identifiers(new)
    fewer = min(len(ours - theirs), len(theirs - ours))
    return fewer >= TWO_SUBJECTS or (fewer > 0 and ours.isdisjoint(theirs))


def _plainly_over(old: "Wording", new: "Wording", said: Differences) -> bool:
    """Whether the newer text says the older one again, and that it is over or in one word another.

    “The build now needs Node 22”, “Maria is not our accountant anymore”: too short to be weighed.
    """
    changes = said.cues or (said.from_known and any(word.past for word in new.words))
    if not changes or said.beside:
        return False
    lost = sum(word.root not in new.roots for word in old.content)
    came = [word for word in new.content if word.root not in old.roots and word.text not in _CUES]
    # “Green tea rather than black” says again all that was told, and more exactly: nothing of it is
    # over. And what is new beside another value restricts it: “of partners”.
    replaced = not said.not_new and lost == len(came) == 1
    ended = lost == 0 and said.not_new and len(came) <= MOST_NEW
    if not replaced and not ended:
        return False
    if said.not_new and any(word.negates for word in old.words):
        return False  # “is not sold” and “is no longer sold” hold together
    # “The freezer in the cellar no longer closes”: what is over was not told before.
    denied = [clause for clause in new.clauses if any(word.negates for word in clause)]
    if any(word in clause for word in came for clause in denied):
        return False
    # What is told of stands first: another one there is another subject.
    return len(old.content) - lost > lost and old.content[0].root in new.roots


def _both_deny(old: "Wording", new: "Wording", said: Differences) -> bool:
    """Whether what the newer text denies is nothing that the older one tells.

    “Is not sold” and “is no longer sold” hold together, and “no longer runs on 80” beside “runs on 90”.
    """
    if not said.not_new:
        return False
    if any(word.negates for word in old.words) and said.held == 1:
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


_CUES = frozenset(word for cue in CHANGES for word in cue.split())


def shared_words(old: "Wording", new: "Wording") -> float:
    """Which share of the words of the longer text the other one has as well, in any order."""
    ours, theirs = (Counter(word.root for word in text.words) for text in (old, new))
    return sum((ours & theirs).values()) / max(1, len(old.words), len(new.words))


def _shared_content(old: "Wording", new: "Wording") -> float:
    """Which share of the words that tell something in the shorter text the other one has as well."""
    ours, theirs = ({word.root for word in text.content} for text in (old, new))
    return len(ours & theirs) / max(1, min(len(old.content), len(new.content)))


def _told(old: "Wording", new: "Wording") -> str:
    """The first words that tell something and stand in one of the two alone."""
    differing = (word for word in old.content if word.root not in new.roots)
    ours = [word.text for word in differing][:TOLD]
    differing = (word for word in new.content if word.root not in old.roots)
    theirs = [word.text for word in differing if word.text not in _CUES][:TOLD]
    if not ours or not theirs:
        return ""
    return f": “{' '.join(ours)}” before, “{' '.join(theirs)}” now"
