"""Whether two texts give the same values in the same roles: adopted, or given up.

“We moved from pip to uv” and “use uv, no longer pip” say the same in other words, however much either
sounds like a change.
"""

from bowerbird.core.value import Record
from bowerbird.lifecycle.dated import without_dates
from bowerbird.lifecycle.prepared import prepared
from bowerbird.lifecycle.word_classes import (
    ADOPTS,
    CHANGED,
    CHANGES,
    CONNECTS,
    FROM,
    OPPOSITES,
    PREPOSITIONS,
    REJECTS,
    SHIFTS,
    TO,
    TURNS,
)
from bowerbird.lifecycle.wording import root, wording

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.lifecycle.wording import Word

# Before a value that is given up; “over” in “prefer A over B”, but not in “took over B”.
# Other words for “from”, such as “de”, mostly tell whose something is: they count beside a change.
_LEAVES = (
    REJECTS
    | frozenset("from instead than rather left replaced replaces replacing over".split())
    | frozenset(
        "statt anstatt anstelle ersetzt ersetzen lugar vez remplace remplacent lieu".split()
    )
)
_TAKES = frozenset("take takes took taken taking handed".split())
# What stands before a value that is adopted, and ends what is given up: “replaced A with B”.
_ADOPTS = (
    ADOPTS
    | TO
    | PREPOSITIONS
    | frozenset("with by for but sondern mais sino durch is are ist est".split())
)
_CUES = frozenset(word for cue in CHANGES for word in cue.split())
_SAYS_NOTHING = frozenset(
    map(root, ADOPTS | CONNECTS | CHANGED | SHIFTS | REJECTS | _LEAVES | _CUES)
)


class _Roles(Record):
    """The roots of a text's content words by role, without those that announce a change.

    `leaving` are given up by a verb behind them, if at all: “Tomasz moved to platform”. `values` are the
    names, numbers and days among the adopted (`certain`), and the words to which what adopts them leads.
    `denies`: it gives up something that it does not name. `texts` are all words.
    """

    adopted: frozenset[str]
    leaving: frozenset[str]
    given_up: frozenset[str]
    values: frozenset[str]
    certain: frozenset[str]
    denies: bool
    texts: frozenset[str]


def restates(old: str, new: str) -> bool:
    """Whether `new` gives no value that `old` does not, and none the other role.

    Both give up the same value; or they share a name, a number or a day, give nothing up, and the newer
    one says nothing else. Of 1,145 labelled pairs of which the newer text replaces or opposes the older
    one it holds for one, which only adds to it; of 368 that say the same for 58.
    """
    left, right = _roles(old), _roles(new)
    shared = (left.values | right.values) & left.adopted & right.adopted
    if not shared or not right.values <= left.adopted | left.leaving:
        return False
    if right.given_up & left.adopted or right.adopted & left.given_up:
        return False
    if right.leaving & left.values:
        return False
    if right.given_up & (left.given_up | left.leaving) or right.leaving & left.given_up:
        return True
    if (
        left.denies
        or right.denies
        or right.given_up
        or any(OPPOSITES.get(word) in right.texts for word in left.texts)
    ):
        return False
    return (
        bool(shared & left.certain & right.certain) and right.adopted <= left.adopted | left.leaving
    )


class _Reader:
    """Reads clause by clause which words are adopted, and which are given up."""

    def __init__(self) -> None:
        self.adopted: set[str] = set()
        self.leaving: set[str] = set()
        self.given_up: set[str] = set()
        self.values: set[str] = set()
        self.certain: set[str] = set()
        self.denies = False

    def read(self, clause: "Sequence[Word]") -> None:
        """Adds the words of a clause to their roles."""
        gives_up = given = leads = False
        last: Word | None = None
        before = ""
        leaves = _LEAVES if CHANGED.isdisjoint(word.text for word in clause) else _LEAVES | FROM
        for word in clause:
            if word.negates or (word.text in leaves and before not in _TAKES):
                self.denies |= gives_up and not given
                gives_up, given = True, False
            elif word.text in _ADOPTS:
                leads = True
                gives_up = gives_up and not (given or word.text in TURNS)
            if last is not None and _ends(word.text, before):
                self._leaves(_value(last))
                gives_up = False
            before = word.text
            if _says_nothing(word):
                continue
            if gives_up:
                self.given_up.add(_value(word))
                given = True
            else:
                self._adopts(word, leads=leads)
                # “Zu Mattermost gewechselt”: what a verb at the end leads to does not leave.
                leads, last = False, None if leads else word
        self.denies |= gives_up and not given

    def _leaves(self, value: str) -> None:
        self.leaving.add(value)
        for some in (self.adopted, self.values, self.certain):
            some.discard(value)

    def _adopts(self, word: "Word", *, leads: bool) -> None:
        self.adopted.add(_value(word))
        if _is_certain(word):
            self.certain.add(_value(word))
        elif leads and not word.past:
            self.values.add(_value(word))


@prepared
def _roles(text: str) -> _Roles:
    read, reader = wording(without_dates(text)), _Reader()
    for clause in read.clauses:
        reader.read(clause)
    return _Roles(
        frozenset(reader.adopted),
        frozenset(reader.leaving),
        frozenset(reader.given_up),
        frozenset(reader.values | reader.certain),
        frozenset(reader.certain),
        reader.denies,
        read.texts,
    )


def _ends(text: str, before: str) -> bool:
    """Whether what stands before a word is over by it: “Tomasz left”, “Stripe was dropped”."""
    return text in _ENDS and (text not in _LEAVES or before in _WAS)


def _is_certain(word: "Word") -> bool:
    return bool(word.number or word.day or word.is_name or not word.text.isalpha())


def _says_nothing(word: "Word") -> bool:
    return word.small or word.negates or (not _is_certain(word) and word.root in _SAYS_NOTHING)


def _value(word: "Word") -> str:
    """A number in digits, “eu-west-1” as it is written, else the root of a word."""
    counts = word.text[:1].isdigit() or word.text.isalpha()
    return word.number if word.number and counts else word.root


# Behind what ends, alone or as a passive.
_ENDS = (CHANGED | frozenset(("shut",))) - ADOPTS - _TAKES
_WAS = frozenset("was were been is are got wurde wurden werden ete".split())
