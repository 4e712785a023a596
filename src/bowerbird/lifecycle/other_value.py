"""What takes the place of a text when a later sentence says that its value is another one now. Pure.

A number takes the place of the other one in the earlier words, if those say more; a name does where the
rest of the earlier words is about something else. Otherwise the later sentence stands for itself.
"""

import re

from bowerbird.core.pattern import late
from bowerbird.lifecycle.prepared import prepared
from bowerbird.lifecycle.slots import TURNED, slot, within
from bowerbird.lifecycle.word_classes import (
    BESIDES,
    EXCEPTING,
    EXCEPTS,
    OPENERS,
    TO,
    UNITS,
    UNSURE,
)
from bowerbird.lifecycle.wording import wording

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.lifecycle.slots import Slot
    from bowerbird.lifecycle.wording import Word

# "It's Tom who reviews them": somebody else did.
_CLEFT = late(
    r"(?i)^(?:(?:no|nein|non|actually)\W+)*(?:it['’]?s|it is|c['’]est|es|è)\s+([^,;]{2,40}?)\s"
    r"(?:who|that|qui|quien|che|que)\b"
)
# Of which there is one: "the product owner is Ines Castro".
_THE_ONE = late(
    r"(?i:the|our|der|die|das|unser\w*|le|la|notre|el|nuestr\w|il|nostr\w|o|a|nosso|nossa|onze|ons)\s"
    r"[^,;.]{2,40}?\s(?i:is|ist|heißt|est|es|è|é)\s(?i:now |jetzt )?[A-Z]\w"
)
_TAKES = frozenset("took takes taking over ubernimmt ubernommen reprend reprise".split())
CLAUSE = late(r"[,;:]\s|\s[–—-]\s")
TOKEN = late(r"[^\s,;:!?()\"“”]*[^\s,;:!?()\"“”.]")
# What a text says one after the other.
PARTS = late(r"[,;.]\s+|\s[–—-]\s+")
# Opens an example or a reason, or refers to what stands before it.
_REFERS = frozenset("like such eg it they this these those wie comme como come zoals".split())
_WHY = frozenset("because since so weil denn car parce porque perche omdat want".split())
_EXCEPTS = tuple(EXCEPTING)
_AS_WELL = late(r"(?i)\sas well\b")
# Sentences, and their clauses.
_PART = late(r"[,;:.!]\s|\s[–—-]\s")
# A value is at most so many words ("Aylin Demir"), and a shorter clause states nothing.
LONGEST = 3
_FEWEST = 3
# What states something has a subject and what it says of it: “Tom signs”.
_FEWEST_SAID = 2
# The name that is over, and the one in its place.
_BOTH = 2
# Before a means or an agent.
MEANS = frozenset("with by through via using mit durch uber avec par con por met".split())
_DAY = "day"
# A word before the day of a month, which may be a weekday: `wording` says so.
_WEEKDAY = late(
    r"\b(?P<day>[^\W\d]{3,}),?\s+(?P<then>(?:the|le|el|il|o)\s+"
    r"(?P<date>\d\d?(?:st|nd|rd|th)?))(?!\w)",
    re.IGNORECASE,
)


def put_in(sentence: str, before: str) -> str:
    """Return an earlier text with the value that a sentence says it has now; empty if it is not put in.

    Nor is it where the sentence says something else besides, which would be lost.
    """
    if rest := without_ended(sentence, before):
        return f"{rest.rstrip(' .')}. {sentence}"
    texts, left = wording(sentence).texts, slot(before)
    if sentence.rstrip().endswith("?") or not (BESIDES | UNSURE).isdisjoint(texts):
        return ""
    if any(word.negates for word in left.words):
        return ""
    # Which "max number of uploads was doubled to 20" changes, its words do not say.
    text = other_value(sentence, before, left, in_its_place=True)
    if text in ("", sentence):
        return ""
    told = slot(text)
    others = [slot(one) for one in _PART.split(sentence)]
    # What reports the change says nothing else: "Ops moved the staging box, …".
    silent = (one.changes or all(within(word, told) for word in one.content) for one in others)
    return text if all(silent) else ""


def without_ended(sentence: str, before: str) -> str:
    """Return an earlier text without the one part of it that a sentence says is over; empty if none is.

    It says that the subject of the part changed, and what is so now: "the lock table is gone, we use
    native locking now". Or it says of what is excepted what the text says of the rest: "legacy/vpc is
    frozen as well now".
    """
    excepting, over = _excepting(before), _over(sentence)
    if not excepting and not over:  # nearly all pairs, each text of which is read once
        return ""
    parts = PARTS.split(before)
    texts = wording(sentence).texts
    if len(parts) < _BOTH or sentence.rstrip().endswith("?") or not UNSURE.isdisjoint(texts):
        return ""
    found = [at for at in excepting if _excepts(parts[at], parts[:at], sentence)]
    found = found or _ended(parts, over)
    return without_part(before, found[0]) if len(found) == 1 else ""


def without_part(text: str, at: int) -> str:
    """Return a text without a part, and what follows that and belongs to it: "like LAR-123: …"."""
    cuts = [0, *(one.end() for one in PARTS.finditer(text)), len(text)]
    behind = next(
        (n for n in range(at + 1, len(cuts) - 1) if not leans(text[cuts[n] : cuts[n + 1]])),
        len(cuts) - 1,
    )
    before, after = text[: cuts[at]].rstrip(" ,;–—-"), text[cuts[behind] :].strip()
    if not before:
        return after[:1].upper() + after[1:]
    return f"{before}, {after}" if after else f"{before.rstrip('.')}."


def leans(part: str) -> bool:
    """Return whether a part says nothing without the one before it."""
    first = wording(part).words[:1]
    return not first or first[0].text in EXCEPTS | _REFERS | _WHY


@prepared
def _excepting(text: str) -> tuple[int, ...]:
    """Return the numbers of a text's parts that except something."""
    if wording(text).texts.isdisjoint(EXCEPTING):
        return ()
    first = (wording(part).words[:1] for part in PARTS.split(text))
    return tuple(at for at, words in enumerate(first) if words and words[0].text in EXCEPTING)


def _excepts(part: str, rule: "Sequence[str]", sentence: str) -> bool:
    """Return whether a sentence says of what a part excepts from a rule what the rule says."""
    clause, *others = CLAUSE.split(_AS_WELL.sub("", sentence))
    right = slot(clause)
    # "No exceptions any more" says nothing else.
    if not all(one.text.startswith(_EXCEPTS) for other in others for one in slot(other).content):
        return False
    excepted = [one.root for one in slot(part).content if one.text not in EXCEPTING]
    content = [one for one in right.content if one.text not in BESIDES]
    said, told = content[len(excepted) :], slot(" ".join(rule[:1]))
    begins = bool(excepted) and [one.root for one in content[: len(excepted)]] == excepted
    holds = bool(said) and all(within(one, told) for one in said) and right.denies == told.denies
    return begins and holds and announces(right)


@prepared
def _over(sentence: str) -> tuple[str, ...]:
    """Return the roots of a subject of which one clause says that it changed, another what is so now."""
    if TURNED.isdisjoint(wording(sentence).texts):  # most: before their clauses are read
        return ()
    clauses = [slot(one) for one in CLAUSE.split(sentence)]
    for said in clauses:
        now = any(one.cues for one in clauses if one is not said)
        if said.denies or not said.changes or not now:
            continue
        turn = next(at for at, one in enumerate(said.words) if one.text in said.changes)
        subject = tuple(one.root for one in said.contents_of(said.words[:turn]))
        # "By the way" restricts nothing; "dropped in staging" does.
        if subject and len(said.words) <= turn + _BOTH:
            return subject
    return ()


def _ended(parts: "Sequence[str]", over: tuple[str, ...]) -> list[int]:
    """Return the parts that say something of a subject that is over."""
    if not over:
        return []
    roots = [tuple(one.root for one in slot(part).content) for part in parts]
    of_it = [at for at, some in enumerate(roots) if some[: len(over)] == over]
    # The first part says what all are about: “au 12, rue des Lilas”.
    return [at for at in of_it if at > 0 and len(roots[at]) > len(over)]


def left_behind(sentence: str, before: str) -> str:
    """Return the clauses of an earlier text of whose subjects a later sentence says nothing."""
    told, kept = slot(sentence), []
    for clause in _PART.split(before):
        content = slot(clause).content
        if len(content) >= _FEWEST_SAID and not any(within(word, told) for word in content):
            kept.append(clause.strip())
    return "; ".join(kept)


def other_value(sentence: str, before: str, left: "Slot", *, in_its_place: bool = False) -> str:
    """Return what takes the place of a text whose one value a sentence says is another one now.

    `in_its_place`: only if a clause says it of nothing else than the text.
    """
    plain, cleft = _CLEFT.subn(r"\1", sentence)
    clauses = [one for one in CLAUSE.split(plain) if len(one.split()) >= _FEWEST]
    for clause in clauses or [plain]:
        right = slot(clause)
        texts = {one.text for one in right.words}
        if any(one.negates for one in right.words) or not EXCEPTS.isdisjoint(texts):
            return ""
        if found := _other_in(clause, sentence, before, left, cleft=bool(cleft)):
            return found
    return "" if in_its_place else _renumbered(sentence, before, left)


def _renumbered(sentence: str, before: str, left: "Slot") -> str:
    """Return a text with the number that a sentence says is to be instead; empty if it does not.

    It says that something changed and of what, and leads to its one number: "change of plan on line
    length, the team voted for 100".
    """
    right = slot(sentence)
    numbers, former = ([one for one in some.words if one.number] for some in (right, left))
    if not right.changes or not len(numbers) == len(former) == 1:
        return ""
    place = right.words.index(numbers[0])
    leads = place > 0 and right.words[place - 1].text in TO | {"for", "pour", "por", "per", "voor"}
    shared = any(within(one, left) for one in right.content if not one.number)
    units = [{one.text for one in some.words} & UNITS for some in (right, left)]
    fits = leads and place == len(right.words) - 1 and units[0] <= units[1]
    return with_value(before, former[0].text, numbers[0].text) if shared and fits else ""


def _other_in(clause: str, sentence: str, before: str, left: "Slot", *, cleft: bool) -> str:
    """Return the same for one clause of the sentence."""
    right = slot(clause)
    takes = any(one.text in _TAKES for one in right.words)
    told = cleft or takes or bool(_THE_ONE.match(clause))
    if not (told or announces(right)):
        return ""
    content = [one for one in right.content if one.text not in _TAKES]
    came = [one for one in content if not within(one, left) and one.text not in UNITS]
    shared = [one for one in content if within(one, left)]
    if not shared or not 0 < len(came) <= LONGEST or not _together(right.words, came):
        return ""
    if all(one.number for one in came):
        # Not that of a name: "stg-2.petal.internal".
        numbers = [one for one in left.words if one.number and not _is_named(one.text)]
        fits = len(numbers) == len(came) == 1
        whole = slot(sentence)
        says_more = any(one not in numbers and not within(one, whole) for one in left.content)
        text = with_value(before, numbers[0].text, came[0].text) if fits else ""
        return text if says_more or not text else sentence
    leads = came[0] is content[0]
    named = clause.lstrip()[:1].isupper() and leads
    if not all(one.is_name or (named and one is came[0]) for one in came):
        return ""
    if cleft or takes or leads:
        if within(left.content[0], right) or not before[:1].isupper():
            return ""
        # What else the text says still holds: "Luis does the designs, tokens live in Figma".
        names = [some[0] for some in (tokens_of(before, left), tokens_of(clause, right)) if some]
        more = leads and len(came) == 1 and len(CLAUSE.split(before)) > 1
        both = more and len(names) == _BOTH and before.startswith(names[0])
        return with_value(before, *names) if both else sentence
    lost = [one for one in left.content[1:] if one.is_name and not within(one, right)]
    if not 0 < len(lost) <= LONGEST:
        return ""
    place, theirs = (_leads_to(some.words, one[0]) for some, one in ((right, came), (left, lost)))
    return sentence if place in ("", theirs) else ""


def _is_named(text: str) -> bool:
    return any(map(str.isalpha, text)) and "." in text


def _together(words: "Sequence[Word]", value: "Sequence[Word]") -> bool:
    at = [place for place, one in enumerate(words) if any(one is other for other in value)]
    return at[-1] - at[0] < len(at)


def _leads_to(words: "Sequence[Word]", value: "Word") -> str:
    """Return the sort of preposition before a value: of a means, or itself; empty if there is none."""
    at = next(place for place, one in enumerate(words) if one is value)
    before = words[at - 1].text if at else ""
    return "by" if before in MEANS else before if before in OPENERS else ""


def announces(right: "Slot") -> bool:
    """Return whether a text says that something is otherwise now."""
    return bool(right.changes or right.cues or right.since)


def tokens_of(text: str, read: "Slot") -> "list[str]":
    """Return the words of a text that are of its subject or its value, as they are written."""
    content = {one.text for one in read.content}
    return [
        token
        for token in TOKEN.findall(text)
        if (words := wording(token).words) and all(one.text in content for one in words)
    ]


def with_value(text: str, old: str, new: str) -> str:
    """Return a text with another value in the place of one.

    Without the weekday before a day of the month: Thursday the 12th is no Thursday the 20th.
    """
    dated = _WEEKDAY.search(text)
    if dated is not None and dated["date"] == old and wording(dated["day"]).words[0].day == _DAY:
        text = text[: dated.start()] + text[dated.start("then") :]
    return re.sub(rf"(?<![\w/]){re.escape(old)}(?![\w/])", lambda _: new, text)
