"""Values that a person corrects in so few words that the subject is missing: "no, 6500". Pure.

The subject is that of something they said before, if they deny its value ("6500, not 6432"), or if the
agent or their last prompt has just named it. The result is what they said before, with the other value in
its place. A word takes the place of the word with which the sentence changes least in how it is said,
by vectors of a model: of "Lena signs off the invoices" and "it's Tom" that is the name.
"""

import re
from operator import mul

from bowerbird.core.excerpt import stem
from bowerbird.core.language import content_words
from bowerbird.core.text import fold, sentences, words
from bowerbird.core.value import Record
from bowerbird.lifecycle.other_value import with_value
from bowerbird.lifecycle.word_classes import CALENDAR, CHANGED, CHANGES, NUMBERS
from bowerbird.lifecycle.wording import wording

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Protocol, TypeVar

    Manner = Callable[[Sequence[str]], Sequence[Sequence[float]]]

    class Said(Protocol):
        """Something that a person said before."""

        @property
        def text(self) -> str:
            """In their words."""

    AnySaid = TypeVar("AnySaid", bound=Said)

# In words; longer sentences name their subject.
_LONGEST = 10
_TOKEN = re.compile(r"[^\s,;!?()\"“”]*[^\s,;!?()\"“”.:]")
_CONTRACTED = re.compile(r"['’](?:s|re|ve|ll|m|d)\b")
# Behind a value, since when it holds; and before it, what happened to what the agent named: "that moved
# to", "we raised it to", "Tom does that". Who says "skip it" gives no value.
_SINCE = re.compile(r"\s(?:since|as of|as from|starting|seit|depuis|desde)\s.+$", re.IGNORECASE)
_THAT = r"(?:that|it|they|them|this|these|those|das|es|ça|eso)"
_HAPPENED = re.compile(
    rf"^(?:(?:no|ok|please|let['’]?s)\W+)*(?:{_THAT}\s+([^\W\d]+)\s|(?:we|i)\s+([^\W\d]+)\s+{_THAT}\s"
    rf"|([^\W\d]+)\s+{_THAT}\s+(?:to|auf|en|a)\s)",
    re.IGNORECASE,
)
_LETS = re.compile(r"^(?:let['’]?s|please|bitte)\s+", re.IGNORECASE)
_NO = re.compile(r"(?:no|nope|not|nein|nicht|non|pas|nee|não)\b", re.IGNORECASE)
# What leads to a value, and names at most its subject: "the limit went up, it's 8000 now".
_BEFORE = re.compile(r"^[^,;:]*[,;:–—]\s*(?=(?:it|they|that)(?:['’]| is | are ))", re.IGNORECASE)
# Before a number that holds again: "back to 500".
_BACK_TO = re.compile(
    r"^(?:(?:no|nope|wait|nein|doch|non|ok)\W+)*(?:(?:let['’]s )?(?:go )?back to|zurück (?:auf|zu)"
    r"|wieder(?: zurück)?(?: auf| bei)?|retour à|on revient à|de vuelta a|volvemos a)\s+(?=\d\S*\W*$)",
    re.IGNORECASE,
)
_ACTS = re.compile(rf"^(?:no\W+|actually\W+|sorry\W+)*[^\W\d]+ {_THAT}\b", re.IGNORECASE)
# The part of the words of a memory that names it, where the agent and the last prompt say them.
_NAMES = 0.6
# How much nearer the sentence stays with a word in the place of one of its words than of any other: of 28
# values 19 reach it, 18 of them in the right place, and of 66 requests ("no, stop", "it's fine now") 1.
_NEARER = 0.12
# The part of the words alone, and how much further off a word is that is a name and another one is not:
# less at a sentence's begin, where each is a capital.
_ALONE = 0.25
_CAPITAL = 0.15
_FIRST = 0.08
# The least of it for a word that is no name, and the log odds that the correction states something.
_NEAR = 2.22
_STATES = -3.3
# Before a value that is denied.
_DENIES = re.compile(
    r"(?:\b(?:not|instead of|rather than|nicht|statt|pas|no)|,?\s*≠)\s+(\S*[^\s.,;!?])\W*$"
)
# A question that a number answers, in words; and how one begins, without its mark.
_LONGEST_QUESTION = 16
_ASKS = re.compile(
    r"(?i)(?:what|whats|which|how|when|where|after|on which|at which|since when|wie|welche\w*|was|wann"
    r"|auf|quel\w*|combien|cu[aá]nt\w*|qu[eé]|cu[aá]l|quale|quant\w+|qual|hoeveel|welke?)\b"
)
# It denies the agent's number, or says at once what it is.
_PUTS_IN = re.compile(
    r"(?i)(?:no|nope|nah|wrong|actually|not|nein|nicht|falsch|non|faux|nee|não|incorrecto)\b"
    r"|(?:it['’]?s|its|it is|es sind|es ist|c['’]est|son|es)\s\S+.*\b(?:not|nicht|pas|no|non|niet|não)\b"
)
# Options among which a number chooses.
_CHOICE = re.compile(r"(?m)^\s*\(?1[.):]")
# Another number has about as many digits: "2" chooses the second of some options.
_LONGER = 1
# What stands beside a value that is put right, and says nothing itself.
_PUTS_RIGHT = frozenset(
    "actually bad correction make outdated mean meant mistake oops outdated rather sorry typo wait wrong"
    " eigentlich entschuldigung falsch meine meinte quatsch vertippt"
    " desole erreur pardon plutot perdon quise error".split()
)
_CUES = _PUTS_RIGHT | {word for cue in CHANGES for word in cue.split()}
# Which words say that something is otherwise: "now" does at the end, "now the docs" goes on.
_CUE = re.compile(
    rf"\b(?:{'|'.join(sorted(_PUTS_RIGHT))})\b"
    rf"|\S\W.*\b(?:{'|'.join(cue for cue in CHANGES)})\b",
)
_NUMBER = re.compile(r"[v$€£]?\d")
NUMBER, DAY, PATH, NAME, WORD = "number", "day", "path", "name", "word"


class Typed(Record):
    """A `sentence` as it was typed, what reads texts, and the log odds that it `states` something."""

    sentence: str
    manner: "Manner"
    states: "Callable[[], float]"


def corrected_value(
    sentence: str, before: str, said: "Sequence[AnySaid]", typed: "Typed | None" = None
) -> "tuple[AnySaid, str] | None":
    """Return which of `said` a sentence corrects, and its text with the other value; None if none.

    `before` is what the agent wrote and ran since the prompt before, and that prompt; a value of it that
    several memories name is corrected in none. Without `typed` a word is no value.
    """
    sentence = _without_reason(sentence, typed.sentence if typed else sentence)
    if len(sentence.split()) > _LONGEST or "?" in sentence:
        return None
    sentence = _BACK_TO.sub("", _BEFORE.sub("", sentence))
    text = _CONTRACTED.sub("", sentence)
    denial = _DENIES.search(text)
    denied = fold(denial[1]) if denial is not None and denial.start() else ""
    named = {fold(one) for one in _TOKEN.findall(before)}
    found = []
    for entry in said:
        tokens = _TOKEN.findall(entry.text)
        values = _values(text, denied, f"{entry.text} {before}")
        if len(values) != 1:
            continue
        sort = sort_of(values[0])
        if denied:
            old = [one for one in tokens if fold(one) == denied]
        else:
            old = [one for one in tokens if sort_of(one) == sort != WORD and fold(one) in named]
            old = [
                one
                for one in old
                if sort != NUMBER or abs(_digits(one) - _digits(values[0])) <= _LONGER
            ]
        if len({*old}) == 1:
            found.append((entry, with_value(entry.text, old[0], values[0])))
    if len(found) == 1:
        return found[0]
    return _in_its_place(sentence, before, said, typed) if not (found or denied) and typed else None


def _without_reason(sentence: str, typed: str) -> str:
    """Return a sentence without what follows a clause that gives a number: "it's 100 now, we voted"."""
    first, *_ = sentence.partition(", ")
    right = _puts_right(first) or _puts_right(typed.partition(", ")[0]) or _HAPPENED.search(first)
    gives = right and any(map(str.isdigit, first)) and not _DENIES.search(sentence)
    return _LETS.sub("", first) if gives else sentence


def other_answer(sentence: str, asked: str, reply: str) -> str:
    """Return a question with the number that a sentence gives in place of the agent's; empty if none.

    "What's the baud rate of the GPS module", answered with 9600, and "no, 38400": nobody else names the
    subject.
    """
    question = asked.strip().rstrip("? ")
    one = len(sentences(asked)) == 1 and len(question.split()) <= _LONGEST_QUESTION
    short = len(sentence.split()) <= _LONGEST and "?" not in sentence
    if not (one and short and _PUTS_IN.match(sentence)) or _CHOICE.search(reply):
        return ""
    if not (asked.rstrip().endswith("?") or _ASKS.match(asked.strip())):
        return ""
    values = [one for one in _TOKEN.findall(sentence) if sort_of(one) == NUMBER]
    if len({*values}) != 1:
        return ""
    (value, *_) = values
    told = {one for one in _TOKEN.findall(reply) if sort_of(one) == NUMBER and one[-1:].isdigit()}
    near = [one for one in told if abs(_digits(one) - _digits(value)) <= _LONGER]
    if len(near) != 1 or near[0] == value:
        return ""
    return f"{question}: {value}, not {near[0]}"


def value_instead(sentence: str, message: str) -> str:
    """Return what an agent said with the value that a sentence gives in place of its own; empty if none.

    "No, not t3.micro: cache.t4g.small for the staging one" names the agent's value, not what it is of.
    """
    given = _NOT_BUT.match(sentence)
    if given is None or sort_of(given["value"]) == WORD:
        return ""
    held = [
        (line.strip(), token)
        for line in sentences(message)
        for token in dict.fromkeys(_TOKEN.findall(line))
        if token == given["over"] or token.endswith(f".{given['over']}")
    ]
    if len(held) != 1 or len(held[0][0].split()) > _LONGEST_QUESTION:
        return ""
    line, token = held[0]
    text = with_value(_DONE.sub("", line).rstrip(" .:"), token, given["value"])
    return f"{text}: not {given['over']}, {given['value']}{given['rest'].rstrip(' .')}"


# A value that is denied, and the one that it is to be.
_NOT_BUT = re.compile(
    r"(?i)(?:(?:no|nope|nein|non|nee)\W+)?(?:not|nicht|pas|niet) (?P<over>[^\s,;:]*[^\s,;:.])"
    r"\s*[,;:.–—-]+\s+(?:(?:but|use|take|it['’]s|sondern)\s+)?(?P<value>[^\s,;]*[^\s,;.])(?P<rest>[^?]*)$"
)
# How an agent says what it did.
_DONE = re.compile(
    r"(?i)^(?:done\W+)?(?:i(?:['’]ve| have)?|now|we(?:['’]ve)?)\s+(?:now |just )?(?=\w)"
)


def _in_its_place(
    sentence: str, before: str, said: "Sequence[AnySaid]", typed: "Typed"
) -> "tuple[AnySaid, str] | None":
    """Return the one of `said` that was just named, with the value where it fits; None if nowhere."""
    text = _CONTRACTED.sub(" is", sentence)
    happened = _HAPPENED.search(text)
    entry = _named(before, said) if happened is not None or _puts_right(typed.sentence) else None
    if entry is None:
        return None
    values = _values(_SINCE.sub("", text), "", entry.text, happened)
    tokens = [*dict.fromkeys(_TOKEN.findall(entry.text))]
    if len(values) != 1 or values[0] in tokens:
        return None
    value = values[0]
    same = [one for one in tokens if sort_of(one) == sort_of(value)]
    place = ""
    if sort_of(value) != WORD:
        place = same[0] if len(same) == 1 else ""
    elif _gives_a_word(text, value, typed):
        same = [one for one in same if not any(word.small for word in wording(one).words)]
        place = _place(entry.text, same, value, typed.manner)
    return (entry, with_value(entry.text, place, value)) if place else None


def _gives_a_word(text: str, value: str, typed: "Typed") -> bool:
    """Return whether a sentence puts a word right, and asks for nothing."""
    if _ACTS.match(text) or not _puts_right(typed.sentence):
        return False
    return value[0].isupper() or typed.states() >= _STATES


def _puts_right(sentence: str) -> bool:
    """Return whether a sentence says that something is otherwise: "no, …", "… actually", "… now"."""
    changed = any(word.text in CHANGED for word in wording(sentence).words)
    return changed or bool(_NO.match(sentence) or _CUE.search(fold(sentence)))


def _named(before: str, said: "Sequence[AnySaid]") -> "AnySaid | None":
    """Return the one of `said` of whose words most were just said; None if few were, or of several."""
    heard = _stems(before)
    shares = [len(heard & own) / len(own) if (own := _stems(one.text)) else 0.0 for one in said]
    most = max(shares, default=0.0)
    return said[shares.index(most)] if most >= _NAMES and shares.count(most) == 1 else None


def _stems(text: str) -> set[str]:
    return {stem(word) for word in content_words(tuple(words(text)))}


def _place(text: str, tokens: "Sequence[str]", value: str, manner: "Manner") -> str:
    """Return the word of a text that another one replaces; empty if it might be several, or none."""
    vectors = manner([text, value, *(with_value(text, one, value) for one in tokens), *tokens])
    whole, alone = vectors[:2]
    number = len(tokens)
    found = [(0.0, "")]
    for token, put, bare in zip(tokens, vectors[2:][:number], vectors[2:][number:], strict=True):
        near = sum(map(mul, whole, put)) + _ALONE * sum(map(mul, alone, bare))
        if not _alike(token, value, text):
            near -= _CAPITAL
        elif text.startswith(token):
            near -= _FIRST
        found.append((near, token))
    (best, place), (next_best, _) = sorted(found, reverse=True)[:2]
    near = best >= _NEAR or value[0].isupper()
    return place if near and best - next_best >= _NEARER and _alike(place, value, text) else ""


def _alike(token: str, value: str, text: str) -> bool:
    """Return whether two words both begin with a capital, or neither does; the first of a text may."""
    return token[0].isupper() == value[0].isupper() or text.startswith(token)


def sort_of(token: str) -> str:
    """Return the sort of a value: a number, a path, a name as of a host or a package, or a word."""
    if _NUMBER.match(token) or fold(token) in NUMBERS:
        return NUMBER
    if fold(token).removesuffix("s") in CALENDAR:
        return DAY
    if "/" in token:
        return PATH
    return WORD if token.isalpha() else NAME


def _values(
    text: str, denied: str, known_words: str, happened: "re.Match[str] | None" = None
) -> list[str]:
    """Return the words of a sentence that could be a value; none if it says anything else.

    Words that are known may be repeated, such as those of a unit; what `happened` is none.
    """
    known = wording(known_words).roots
    small = {
        word.text
        for word in wording(text).words
        if (word.small and word.number in ("", "1"))
        or word.negates
        or word.text in _CUES
        or word.text in CHANGED
        or word.root in known
    }
    if happened is not None:
        small |= {fold(one) for one in happened.groups() if one}
    tokens = [one for one in _TOKEN.findall(text) if fold(one) not in {*small, denied}]
    tokens = [one for one in tokens if any(map(str.isalnum, one))]
    if sort_of(denied) == NUMBER:
        # Of "make it 12 hours instead of 6" the number alone is a value.
        tokens = [one for one in tokens if sort_of(one) == NUMBER]
    return tokens if len(tokens) == 1 else []


def answers(sentence: str, reply: str) -> bool:
    """Return whether a value is rather the answer to a question of a reply than a correction."""
    asks = "?" in reply or _CHOICE.search(reply) is not None
    return asks and not any(word.negates for word in wording(sentence).words)


def _digits(number: str) -> int:
    return len(NUMBERS.get(fold(number), number).partition(".")[0])
