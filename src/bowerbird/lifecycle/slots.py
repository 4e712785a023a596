"""Whether two texts give the same attribute of the same subject another value, in whatever order.

Each text is read without the words that date it, announce a change, or only connect a subject with its
value. If what is left differs in a single value of one sort, and in nothing else, the later text replaces
the earlier one: “the database listens on port 5432”, “since March the port of the database is 6432”.
"""

from itertools import pairwise

from bowerbird.core.memories import UNDECIDED, Verdict
from bowerbird.core.pattern import late
from bowerbird.core.text import fold
from bowerbird.core.value import Record
from bowerbird.lifecycle.dated import begins, without_dates
from bowerbird.lifecycle.prepared import prepared
from bowerbird.lifecycle.word_classes import (
    ADOPTS,
    BESIDES,
    BOUNDS,
    CHANGED,
    CHANGES,
    CONNECTS,
    EXCEPTS,
    FROM,
    OPPOSITES,
    PRONOUNS,
    REJECTS,
    SHIFTS,
    TO,
    TURNS,
    UNITS,
    UNSURE,
)
from bowerbird.lifecycle.wording import cues, root, wording

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from bowerbird.lifecycle.wording import Word, Wording

# Words beside a new value, which may restrict it: “for customers of the old plan”.
MOST_MORE = 2
# Within so many words of a value stands what says that it is over: “from”, “instead of the old”.
_NEAR = 3
# From one word of a value to the next: “9 to 5”.
BESIDE = 2
# A value is at most so many words: “Mr Brandt”, “Canal Street 7”.
LONGEST_VALUE = 3
NUMBER, DAY, NAME, WORD = "number", "day", "name", "word"
_CUES = frozenset(word for cue in CHANGES for word in cue.split())
_CONNECTS = frozenset(map(root, CONNECTS | SHIFTS | CHANGED))
_WENT = frozenset("went rose fell swapped turned".split())
# The words by which a text announces a change.
TURNED = CHANGED | _WENT
# Before a value that is over.
_LEAVES = (
    FROM
    | frozenset("instead than longer left quit dropped replaced rid place off".split())
    | frozenset("statt anstatt plutot lugar vez".split())
)
_TAKES = frozenset("took takes over ubernimmt ubernommen".split())


class Slot(Record):
    """A text without dates, announcements and connecting words.

    `words` are all words that are left of it, `content` those of its subject and its value. `changes` are
    the words by which it announces a change, `since` whether it says from when on it holds.
    """

    words: "tuple[Word, ...]"
    content: "tuple[Word, ...]"
    roots: frozenset[str]
    changes: frozenset[str]
    cues: int
    since: bool
    denies: bool
    of_us: bool

    def contents_of(self, words: "Iterable[Word]") -> "list[Word]":
        """Those of some of its own words that are of its content."""
        # By identity: comparing each word of a page with each of its content by their fields took most
        # of the time of importing pages.
        content = set(map(id, self.content))
        return [word for word in words if id(word) in content]


@prepared
def slot(text: str) -> Slot:
    """Reads a text as the attribute of a subject and its value."""
    read = wording(without_dates(text))
    content = tuple(
        word
        for word in read.words
        if not word.small
        and word.text not in _CUES
        and word.text not in TURNS
        and word.root not in _CONNECTS
    )
    return Slot(
        read.words,
        content,
        frozenset(word.root for word in read.words),
        frozenset(word.text for word in read.words if word.text in TURNED),
        cues(read.words),
        begins(text),
        any(word.negates for word in read.words),
        bool(read.words) and read.words[0].text in PRONOUNS,
    )


def replaces(old: str, new: str) -> Verdict:
    """Whether `new` announces another value for what `old` says.

    `supersedes` if they differ in nothing else, `contradicts` if the newer one says more beside it.
    """
    return _replaced(_kept(old), new) if _announces(new) else UNDECIDED


@prepared
def _announces(new: str) -> bool:
    """Whether a text may state another value for what others say: most do not."""
    told, no, over = _correcting(new)
    said = slot(told)
    return bool(no or over or said.since or said.cues or said.changes)


def _replaced(left: Slot, new: str) -> Verdict:
    told, corrects = _corrected(left, new)
    said = slot(told)
    if not (corrects or said.since or said.cues or said.changes):
        return UNDECIDED
    right = _instead(_left_with(said, left), left)
    again = right.cues == left.cues != 0  # “… on port 6380 now”, then “… on port 6381 now”
    says = right.cues > left.cues or bool(right.changes - left.changes)
    announces = corrects or bool(right.since) or says or again
    if not announces or not left.content or not right.content or left.denies:
        return UNDECIDED
    words = wording(told).words
    # “No longer” restricts nothing.
    texts = {word.text for before, word in pairwise((*words[:1], *words)) if not before.negates}
    if not (BESIDES | UNSURE | EXCEPTS).isdisjoint(texts) or new.rstrip().endswith("?"):
        return UNDECIDED
    exchanged = _exchanged(left, said)
    if exchanged:
        return Verdict("supersedes", f"it says that this changed: {exchanged}")
    lost = [word for word in left.content if not within(word, right)]
    came = [word for word in right.content if not within(word, left)]
    if corrects and came and came[0] is right.content[0] and came[0].text.endswith("ly"):
        came = came[1:]  # “Actually, …”
    over = _left_behind(left, right) if not lost else []
    value, more = _values(lost or over, came)
    named = (
        ""
        if value
        else _another_name(left, right, lost, came) or _shortened(left, right, lost, came)
    )
    if named:
        return Verdict("contradicts", f"it seems to say that this changed: {named}")
    if not value or not _same_subject(left, right, lost or over, value):
        return UNDECIDED
    if right.denies and not over:
        return UNDECIDED  # “no longer runs on 80”, without what came instead
    ours, theirs = (" ".join(word.text for word in some) for some in (lost or over, value))
    reason = f"it says that this changed: “{ours}” before, “{theirs}” now"
    if more or (_sort_of(value[0]) == WORD and not _in_the_same_place(left, right, lost, value)):
        return Verdict(
            "contradicts", f"it seems to say that this changed: “{ours}” before, “{theirs}” now"
        )
    return Verdict("supersedes", reason)


@prepared
def _kept(text: str) -> Slot:
    """What an older text says, without the value that it gave up itself."""
    return _instead(_left_with(slot(text)))


def _left_with(said: Slot, before: Slot | None = None) -> Slot:
    """A text without the value that it gives up for another: “no longer called Alpha, but Beta”.

    Only where one clause of it denies, and the other value is all that follows; and only a value of what
    was said `before`.
    """
    denied, turn = _denied(said)
    if turn == len(said.words):
        return said
    value = said.contents_of(said.words[turn:])
    given_up = said.contents_of(said.words[denied:turn])
    if not value or not given_up:
        return said
    over = given_up[-len(value) :]
    if len(value) > 1 or [*map(_sort_of, over)] != [*map(_sort_of, value)]:
        over = _side_by_side(said, given_up)
        if len(over) > LONGEST_VALUE or NUMBER in map(_sort_of, (*over, *value)):
            return said
    if before is not None and any(word.root not in before.roots for word in over):
        return said
    texts = [word.text for word in said.words[:turn]]
    if any(word.negates for word in said.words[turn:]) or value[0].text in texts:
        return said
    gone = {word.root for word in over}
    content = tuple(word for word in said.content if word.root not in gone)
    return said.replace(content=content, roots=said.roots - gone, denies=False)


def _exchanged(left: Slot, said: Slot) -> str:
    """The value of the older text that a newer one gives up by name, and what it names instead.

    “Für die CI nicht mehr GitHub Actions, sondern Buildkite”: of which sort they are does not matter, nor
    what the older text did with it. Empty where either text says more than that.
    """
    at, turn = _denied(said)
    over = said.contents_of(said.words[at:turn])
    roots = {word.root for word in over}
    # “Niet meer bij Azure, maar bij OVH.”
    value = [one for one in said.contents_of(said.words[turn:]) if one.root not in roots]
    if not over or not 0 < len(value) <= LONGEST_VALUE or _side_by_side(said, value) != value:
        return ""
    if any(word.negates for word in said.words[turn:]) or any(within(one, left) for one in value):
        return ""
    of_them = roots | {word.root for word in value}
    subject = [word for word in said.content if word.root not in of_them]
    if not all(within(word, left) for word in (*subject, *over)):
        return ""
    # “We no longer use pnpm but yarn”: of nothing but what the older text says of us, too.
    if not subject and {word.root for word in left.content} != roots:
        return ""
    # A verb, which stands before the value: what follows one may restrict it (“in staging”).
    rest = [word for word in left.content if not within(word, said)]
    begins = next(at for at, word in enumerate(left.words) if word.root in roots)
    if len(rest) > 1 or any(_sort_of(one) != WORD or one in left.words[begins:] for one in rest):
        return ""
    ours, theirs = (" ".join(word.text for word in some) for some in (over, value))
    return f"“{ours}” before, “{theirs}” now"


def _denied(said: Slot) -> tuple[int, int]:
    """Where a text denies a value, and where it turns to another one; behind its end if it does not."""
    texts = [word.text for word in said.words]
    # The last one: “não roda mais na porta 80, mas na 81”.
    turn = max((at for at, text in enumerate(texts) if text in TURNS), default=len(texts))
    denied = (at for at, word in enumerate(said.words) if word.negates or word.text in _HALF)
    return next(denied, turn), turn


def _instead(said: Slot, left: Slot | None = None) -> Slot:
    """A text without the value that it names as the former one: “uses pnpm instead of npm”.

    Of a newer text only a value at the end of the older one.
    """
    at = max((n for n, word in enumerate(said.words) if word.text in _FORMER), default=0)
    if not at:
        return said
    some = [word for word in said.contents_of(said.words[at:]) if word.text not in _FORMER]
    over = _side_by_side(said, some)
    before = {word.root for word in said.words[:at]}
    if not 0 < len(over) <= LONGEST_VALUE or any(word.root in before for word in over):
        return said
    roots = [word.root for word in over]
    if left is not None and [word.root for word in left.content[-len(over) :]] != roots:
        return said
    content = tuple(word for word in said.content if word.root not in roots)
    return said.replace(content=content, roots=said.roots.difference(roots))


# Before a value that another one took the place of.
_FORMER = frozenset(
    "instead rather statt anstatt anstelle plutot lieu vez lugar plaats invece".split()
)


def _side_by_side(said: Slot, some: "list[Word]") -> "list[Word]":
    """The first of some words, and those that follow it without another between."""
    at = map(said.words.index, some)  # no further than the run goes
    run = next((n for n, (one, other) in enumerate(pairwise(at), 1) if other != one + 1), len(some))
    return some[:run]


_NO = frozenset("no nein nee non nao".split())


def _corrected(left: Slot, new: str) -> tuple[str, bool]:
    """A newer text without what corrects an older one, and whether something does."""
    told, no, over = _correcting(new)
    last = tuple(word.root for word in left.content[-len(over) :])
    corrects = no or (over == last and 0 < len(over) < len(left.content))
    return (told, True) if corrects else (new, False)


@prepared
def _correcting(new: str) -> tuple[str, bool, tuple[str, ...]]:
    """A text without what corrects another one, whether that is a “no”, else the roots of what it denies.

    “No, it is green”; “my favourite colour is green, not red”.
    """
    no, comma, told = new.partition(",")
    if comma and fold(no).strip() in _NO:
        return told.strip(), True, ()
    told, comma, denied = new.rpartition(",")
    if not comma or not any(word.negates for word in wording(new).words):
        return new, False, ()
    over = slot(denied)
    denies = bool(over.content and over.words[0].negates)
    return told, False, tuple(word.root for word in over.content) if denies else ()


def opposes(old: str, new: str) -> Verdict:
    """`contradicts` if one of two texts turns down what the other one says, or says its opposite.

    “We use Redux”, “we decided against Redux”; “enable strict mode”, “disable strict mode”.
    """
    left, right = _asked(old), _asked(new)
    if min(len(left.roots), len(right.roots)) < FEWEST_ASKED - 1 or old.rstrip().endswith("?"):
        return UNDECIDED
    lost, came = left.roots - right.roots, right.roots - left.roots
    if left.rejects == right.rejects:
        if len(lost) != 1 or len(came) != 1:
            return UNDECIDED
        pair = [*(word for word in left.words if root(word) in lost)]
        other = [*(word for word in right.words if root(word) in came)]
        if len(pair) == len(other) == 1 and _are_opposites(pair[0], other[0]):
            reason = f"opposites: “{pair[0]}” and “{other[0]}”"
            return Verdict("contradicts", reason, clear=True)
        return UNDECIDED
    rejected, wanted = (left, right) if left.rejects else (right, left)
    if rejected.roots - wanted.roots or 2 * len(rejected.roots) < len(wanted.roots):
        return UNDECIDED
    reason = "one of the two turns down what the other one says"
    return Verdict("contradicts", reason, clear=not lost and not came)


class _Asked(Record):
    """What a text asks for, or says, and whether it turns that down."""

    words: tuple[str, ...]
    roots: frozenset[str]
    rejects: bool


@prepared
def _asked(text: str) -> _Asked:
    read = wording(without_dates(text))
    contrast = _is_contrast(read)
    rejects = [
        word
        for clause in (read.clauses[:1] if contrast else read.clauses)
        for word in clause
        if (word.negates or word.text in REJECTS) and word.text not in _HALF
    ]
    # What is denied beside it is not asked for: “use spaces, not tabs”.
    kept = tuple(
        word.text
        for at, clause in enumerate(read.clauses)
        if not (contrast and at and any(word.negates for word in clause))
        for word in clause
        if not (word.small or word.negates or word.text in REJECTS or word.text in ADOPTS)
        and not word.text.endswith("ly")
    )
    return _Asked(kept, frozenset(map(root, kept)), len(rejects) % 2 == 1)


# “Ne … jamais” is one negation.
_HALF = frozenset(("ne", "n"))


def _is_contrast(read: "Wording") -> bool:
    """Whether a further clause only names what is not meant: “with argon2, not bcrypt”."""
    first = [word for word in read.clauses[0] if not word.small] if read.clauses else []
    return len(read.clauses) > 1 and len(first) >= FEWEST_ASKED


def _are_opposites(one: str, other: str) -> bool:
    """Whether two words exclude each other, by the list or by a prefix: “reversible”, “irreversible”."""
    if not _BOUNDS.isdisjoint((one, other)):
        return False
    short, long = sorted((one, other), key=len)
    prefixed = len(short) >= SHORTEST_PREFIXED and long[: -len(short)] in _PREFIXES
    return OPPOSITES.get(one) == other or (prefixed and long.endswith(short))


# Hold together.
_BOUNDS = BOUNDS | {"minimum", "maximum", "first", "last"}
# Words that two texts which oppose each other share at least, the one turned down among them.
FEWEST_ASKED = 2
SHORTEST_PREFIXED = 5
_PREFIXES = frozenset("un in im ir il non non- dis a de".split())


def of_two_labels(old: str, new: str) -> bool:
    """Whether both texts begin with a label, and not the same: “bo: is a vegetarian”, “cy: is not”.

    Not if a label says that something changed (“update: …”) or when (“2026-05-04: …”), names a kind of
    text (“decision: …”), or stands in the other text.
    """
    ours, theirs = _label(old), _label(new)
    if not ours or not theirs:
        return False
    return ours.isdisjoint(wording(new).roots) and theirs.isdisjoint(wording(old).roots)


@prepared
def _label(text: str) -> frozenset[str]:
    """The roots of the words of a text's label; none if it names no subject."""
    found = _LABEL.match(text)
    if not found:
        return frozenset()
    said = wording(found[1])
    dated = any(word.number or word.day for word in said.words)
    names = len(said.words) <= _LONGEST_LABEL and not dated and not any(said.changing)
    return said.roots if names and said.texts.isdisjoint(_KINDS) else frozenset()


# Before a colon.
_LABEL = late(r"\s*([^\s:.,;!?][^:.,;!?\n]{0,38}):\s")
# What is written before a note of any subject.
_KINDS = frozenset(
    "decision fact rule preference note notes todo tip hint warning important lesson gotcha fyi ps"
    " entscheidung regel notiz hinweis wichtig decision regle nota importante".split()
)
# A label has at most so many words: what is longer is a sentence.
_LONGEST_LABEL = 3


def of_others(old: str, new: str) -> bool:
    """Whether two texts name different subjects: neither begins with what the other one mentions.

    “The admin password is rotated every 90 days”, “The API key is rotated every 30 days”.
    """
    left, right = slot(old), slot(new)
    if not left.content or not right.content or left.of_us or right.of_us:
        return False
    first, other = left.content[0], right.content[0]
    named = not (first.number or other.number or first.day or other.day)
    # Of words alone, others may mean the same: “our premises”, “the office”.
    measured = all(any(word.number or word.day for word in one.content) for one in (left, right))
    return named and measured and first.root not in right.roots and other.root not in left.roots


def _another_name(left: Slot, right: Slot, lost: "list[Word]", came: "list[Word]") -> str:
    """The two names in which texts differ beside a word or two; empty if it is not so.

    “Our mail provider is Mailgun”, “mail switched to Postmark”: a person decides.
    """
    ours, theirs = ([word for word in some if _sort_of(word) == NAME] for some in (lost, came))
    if len(ours) != 1 or len(theirs) != 1 or len(lost) + len(came) - 2 > MOST_MORE:
        return ""
    rest = [word for word in (*lost, *came) if word not in (*ours, *theirs)]
    first_shared = (
        bool(left.content) and left.content[0] not in lost and right.content[0] not in came
    )
    if not right.changes or not first_shared:
        return ""
    if any(_sort_of(word) != WORD or word in came for word in rest):
        return ""
    return f"“{ours[0].text}” before, “{theirs[0].text}” now"


def _shortened(left: Slot, right: Slot, lost: "list[Word]", came: "list[Word]") -> str:
    """The two numbers of a text and of a shorter one that names only its subject; empty if none.

    “CI runs on Python 3.12”, “CI is on 3.13 now”: of which sort the number is, is left out.
    """
    ours = [word for word in lost if _sort_of(word) == NUMBER]
    theirs = [word for word in came if _sort_of(word) == NUMBER]
    # Whatever else is new may make it another measure: “CI takes 12 minutes now”.
    new = [word for word in right.words if not (word.small or word.text in _CUES)]
    if len(ours) != 1 or [word for word in new if not within(word, left)] != theirs:
        return ""
    if not theirs or left.content[0] in lost or right.content[0] in came:
        return ""
    return f"“{ours[0].text}” before, “{theirs[0].text}” now"


def within(word: "Word", other: Slot) -> bool:
    """Whether another text has a word in some form, or its number."""
    return word.root in other.roots or bool(
        word.number and any(word.number == one.number for one in other.content)
    )


def _left_behind(left: Slot, right: Slot) -> "list[Word]":
    """The value at the end of the older text, if the newer one says that this one is over."""
    value: list[Word] = []
    for word in reversed(left.content):
        if _sort_of(word) == (_sort_of(value[-1]) if value else _sort_of(word)):
            value.append(word)
        else:
            break
    value = value[:LONGEST_VALUE]
    roots = {word.root for word in value}
    texts = [word.text for word in right.words]
    at = [place for place, word in enumerate(right.words) if word.root in roots]
    before = {text for place in at for text in texts[max(0, place - _NEAR) : place]}
    behind = {text for place in at for text in texts[place + 1 : place + 1 + _NEAR]}
    over = not before.isdisjoint(_LEAVES) or not behind.isdisjoint(CHANGED)
    return value[::-1] if over and len(value) < len(left.content) else []


def _values(lost: "list[Word]", came: "list[Word]") -> "tuple[list[Word], list[Word]]":
    """Of the words that came, the value that takes the place of the lost one, and all others.

    No value if the two are of different sorts, or if more than one value was lost.
    """
    sorts = {_sort_of(word) for word in lost} - {""}
    if len(sorts) != 1 or len(lost) > LONGEST_VALUE:
        return [], []
    sort = sorts.pop()
    value = [word for word in came if _sort_of(word) in {sort, ""}]
    more = [word for word in came if word not in value]
    fits = 0 < len(value) <= LONGEST_VALUE and any(_sort_of(word) == sort for word in value)
    if not fits or len(more) > MOST_MORE or (sort == WORD and max(len(lost), len(value)) > 1):
        return [], []
    # What restricts a value follows it: “Alba's parents moved to …” is about others.
    if any(
        _sort_of(word) not in {WORD, NAME} or came.index(word) < came.index(value[0])
        for word in more
    ):
        return [], []
    return value, more


def _sort_of(word: "Word") -> str:
    if word.number:
        return NUMBER
    if word.text in UNITS:
        return ""
    if word.day:
        return DAY
    return NAME if word.is_name or not word.text.isalpha() else WORD


def _same_subject(left: Slot, right: Slot, lost: "list[Word]", value: "list[Word]") -> bool:
    """Whether what the two texts share names the subject, and the values stand together."""
    shared = [word for word in left.content if word not in lost]
    if not any(_sort_of(word) in {NAME, WORD} for word in shared):
        return False
    # The subject comes first: whoever else is named there is another one. “We use X for Y”.
    first, begins_with = left.content[0], right.content[0]
    if first in lost and not left.of_us:
        return False
    if begins_with in value and not right.of_us and not _is_handed_over(right):
        return False
    return _together(left, lost) and _together(right, value)


def _is_handed_over(right: Slot) -> bool:
    return not {word.text for word in right.words}.isdisjoint(_TAKES)


def _together(whole: Slot, value: "list[Word]") -> bool:
    """Whether the words of a value stand side by side, as “9 to 5” does; “berth 2 takes 12” are two."""
    at = [place for place, word in enumerate(whole.words) if word in value]
    return all(after - before <= BESIDE for before, after in pairwise(at))


def _in_the_same_place(left: Slot, right: Slot, lost: "list[Word]", value: "list[Word]") -> bool:
    """Whether two words that are no names follow the same word, or the later one what it changed to."""
    ours, theirs = _before(left, lost[0]) if lost else "", _before(right, value[0])
    last = right.content[-1] in value and (not lost or left.content[-1] in lost)
    return last and (ours == theirs or (theirs in TO and bool(right.changes)))


def _before(whole: Slot, word: "Word") -> str:
    at = whole.words.index(word)
    return whole.words[at - 1].text if at else ""
