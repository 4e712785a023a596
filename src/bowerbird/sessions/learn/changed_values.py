"""Which of a person's earlier words a later sentence replaces, though it is put in other words. Pure.

Either it names the value that is over ("PAY, not BIL", "statt Tom macht es Aylin"), in whatever language;
or it says that something changed, is about nothing that the earlier one is not about, and has one other
value of the same sort in the same place: "Lena is responsible for the releases", "Ines took over
releases". A number takes the place of the other one in the earlier words, if those say more. One that
names nothing of the earlier one ("we're on pnpm now") replaces it if a model reads both so. One in
another language ("the retro is on Thursdays", "die Retro ist jetzt freitags") is compared in English.
"""

import re

from bowerbird.core.language import language
from bowerbird.core.text import fold, words
from bowerbird.lifecycle.other_value import (
    CLAUSE,
    LONGEST,
    MEANS,
    PARTS,
    TOKEN,
    announces,
    other_value,
    tokens_of,
    with_value,
    without_part,
)
from bowerbird.lifecycle.slots import slot, within
from bowerbird.lifecycle.word_classes import (
    BESIDES,
    EXCEPTING,
    EXCEPTS,
    TO,
    UNITS,
    UNSURE,
)
from bowerbird.lifecycle.wording import wording
from bowerbird.sessions.substance import FORMER, alike, given_up

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Protocol, TypeVar

    from bowerbird.lifecycle.slots import Slot
    from bowerbird.lifecycle.wording import Word

    class Said(Protocol):
        """Something that a person said before."""

        @property
        def text(self) -> str:
            """In their words."""

    AnySaid = TypeVar("AnySaid", bound=Said)
    # The cosines of a text with each of some others, as a model reads them.
    Near = Callable[[str, Sequence[str]], Sequence[float]]
    # A text word by word in English.
    Read = Callable[[str], str]

# A value of several words, such as a command.
_LONGEST_PHRASE = 4
# Words of a change that names nothing of what it changes: a value, and a verb.
_FEW = 2
# The least cosines of two sentences, and of two words by themselves, for a change that shares no word;
# how much further off a word is if one is a name and the other is not, and how much nearer it is than
# the words of every other memory. Of 38 such changes beside nine other memories 5 reach them, all right;
# of 34 statements of something new none, nor any of 98 prompts beside twelve memories of other authors.
_SENTENCES_NEAR = 0.28
_WORDS_NEAR = 0.43
_NAMED = 0.15
# The least cosine of what may have been said for the moment with a memory of the same: then it is told
# beside that. Of nine changes that an author wrote without a word of the older statement three were
# tentative, with .39 to .49.
_SAME_SUBJECT = 0.38
_NEARER = 0.16
# Words of the older text that a change in another language may leave out: "the API rate limit".
_LEFT_OUT = 1
# Of so many memories, the newest, the sentences are compared so, and the words of the nearest: each text
# takes about 10 ms.
_MOST_READ = 60
_MOST_COMPARED = 10
# Before what something was changed to; these words are English, too, or lead to where it is.
_LEADS = (TO | MEANS) - {"in", "na", "do"}


def changed_value(sentence: str, said: "Sequence[AnySaid]") -> "tuple[AnySaid, str] | None":
    """Return which of `said` a sentence replaces, and the text that takes its place; None if none.

    None either if it might be several.
    """
    # “5 was too few” adds nothing.
    texts = wording(re.sub(_OVER.format(r"\d+"), "", fold(sentence))).texts
    if sentence.rstrip().endswith("?") or not (BESIDES | UNSURE).isdisjoint(texts):
        return None
    if (placed := _in_place_of(sentence, said)) is not None:
        return placed
    former = FORMER.search(sentence)
    found = []
    for one in said:
        left = slot(one.text)
        if any(word.negates for word in left.words):
            continue
        if former is not None:
            text = _without(sentence, former["value"], one.text, left)
        else:
            text = other_value(sentence, one.text, left)
        if text:
            found.append((one, text))
    if not found:
        found = [(one, text) for one in said if (text := _renumbered(sentence, one.text))]
    return found[0] if len(found) == 1 else None


def _renumbered(sentence: str, before: str) -> str:
    """Return a text with another number in the one part of it that a sentence is about; empty if in none.

    "The staging db moved yesterday, its port is 5434 now" is about one of two ports. A sentence that says
    of the old number why it is over need not say that something changed.
    """
    right = slot(sentence)
    # A day, a time and a number with a name are no other value.
    numbers = {one.text for one in right.words if one.number and one.text.isdigit()}
    found: list[tuple[int, str, str]] = []
    whole = slot(before)
    clauses = [slot(one) for one in CLAUSE.split(sentence)]
    says = next((one for one in clauses if any(word.number for word in one.words)), right)
    # "The limit for admins is 50 MB" is about something else.
    of_it = all(word.number or within(word, whole) for word in says.content)
    for part in PARTS.split(before):
        left = slot(part)
        own = [one for one in left.words if one.number]
        if len(own) != 1 or left.denies or not own[0].text.isdigit():
            continue
        old, new = own[0].text, numbers - {own[0].text}
        about = [one for one in left.content if not one.number]
        shared = sum(any(alike(one.root, other.root) for other in right.content) for one in about)
        over = old in numbers and re.search(_OVER.format(re.escape(old)), fold(sentence))
        same = of_it and _FEW <= shared == len(about)
        told = over or (old not in numbers and announces(right) and same)
        if told and shared and len(new) == 1 and abs(len(*new) - len(old)) <= 1:
            found.append((shared, old, next(iter(new))))
    best = sorted(found, reverse=True)[:_FEW]
    if not best or [shared for shared, _, _ in best].count(best[0][0]) > 1:
        return ""
    _, former, now = best[0]
    return with_value(before, former, now) if before.count(former) == 1 else ""


# What a number is that is over: "5 was too few", "30 ist zu kurz", "5 n'est pas assez".
_OVER = (
    r"(?<![\w.]){}\b(?:\s\w+)?\s(?:was|were|is|are|isn['’]?t|wasn['’]?t|war|waren|ist|sind"
    r"|etait|est|n'est|era|es|e)\s(?:\w+\s)?(?:too|not|never|far|enough|zu|nicht|trop|pas|demasiad\w+|muy|poc\w+|troppo|te)\b"
)


def says_all_of(sentence: str, said: "Sequence[AnySaid]") -> "tuple[AnySaid, str] | None":
    """Return which of `said` a sentence says again with an exception, or with what is so now as well.

    "We deploy every day except friday now" for "we deploy every day"; None if none, or several.
    """
    right = slot(sentence)
    excepts = not EXCEPTING.isdisjoint(one.text for one in right.words)
    if not (excepts or announces(right)) or sentence.rstrip().endswith("?"):
        return None
    told = [one.root for one in right.content]
    found = []
    for one in said:
        left = slot(one.text)
        roots = [word.root for word in left.content]
        again = len(roots) >= _FEW and told[: len(roots)] == roots and len(told) > len(roots)
        if again and (excepts or left.denies == right.denies):
            found.append(one)
    return (found[0], sentence) if len(found) == 1 else None


def with_exception(sentence: str, said: "Sequence[AnySaid]") -> "tuple[AnySaid, str] | None":
    """Return which of `said` forbids what a sentence allows in a case, and its text with that exception.

    "Never use raw SQL" and "raw SQL is fine in the reports folder"; None if none, or several.
    """
    allowed = PERMITTED.match(sentence)
    if allowed is None or len(allowed["case"].split()) < _FEW:
        return None
    subject = slot(allowed["subject"]).content
    found = []
    for one in said:
        forbids = slot(one.text)
        held = all(any(alike(word.root, its.root) for its in forbids.content) for word in subject)
        if subject and held and any(word.negates for word in forbids.words):
            found.append(one)
    if len(found) != 1:
        return None
    rule, exception = found[0].text.rstrip(" ."), sentence.rstrip(" .")
    return found[0], f"{rule}, except: {exception[0].lower()}{exception[1:]}"


# What is allowed, and in which case.
PERMITTED = re.compile(
    r"(?P<subject>[^,;:.?!]{2,60}?) (?:is|are) (?:\w+ly |still |also )?(?:fine|ok(?:ay)?|allowed"
    r"|permitted|acceptable|all right|alright)\b(?!\s(?:again|now)\b)(?: to \w+)?(?P<case>[^?]*)$",
    re.IGNORECASE,
)


def other_of_its_sort(
    sentence: str, said: "Sequence[AnySaid]", near: "Near"
) -> "tuple[AnySaid, str] | None":
    """Return which of `said` a change that shares no word with it replaces; None if none.

    With it comes its text with the other value; empty if that is no name in the place of a name.
    """
    right = slot(next((one for one in CLAUSE.split(sentence) if announces(slot(one))), ""))
    texts = wording(sentence).texts
    if any(one.negates for one in right.words):
        return None
    if sentence.rstrip().endswith("?") or not (BESIDES | UNSURE | EXCEPTS).isdisjoint(texts):
        return None
    values = tokens_of(sentence, right)
    if not 0 < len(values) <= _FEW or any(one.number for one in right.content):
        return None
    entries = [one for one in said[:_MOST_READ] if not slot(one.text).denies]
    if any(within(word, slot(one.text)) for one in entries for word in right.content):
        return None
    cosines = near(sentence, [one.text for one in entries])
    nearest = sorted(zip(cosines, entries, strict=True), key=lambda some: -some[0])
    compared = nearest[:_MOST_COMPARED]
    words = [
        (of, token)
        for of, (_, one) in enumerate(compared)
        for token in tokens_of(one.text, slot(one.text))
    ]
    best = [(-1.0, "", "")] * len(compared)
    for value in values:
        for (of, token), cosine in zip(words, near(value, [one for _, one in words]), strict=True):
            named = token[:1].isupper() == value[:1].isupper()
            best[of] = max(best[of], (cosine - _NAMED * (not named), token, value))
    first, second = sorted([*best, (0.0, "", ""), (0.0, "", "")], reverse=True)[:2]
    if first[0] < _WORDS_NEAR or first[0] - second[0] < _NEARER:
        return None
    cosine, entry = compared[best.index(first)]
    _, over, value = first
    names = over[:1].isupper() and value[:1].isupper() and not entry.text.startswith(over)
    text = with_value(entry.text, over, value) if names else ""
    return (entry, text) if cosine >= _SENTENCES_NEAR else None


def in_another_language(sentence: str, said: "Sequence[AnySaid]", read: "Read") -> "AnySaid | None":
    """Return which of `said`, in another language, a sentence gives another number or day; None if none.

    In English the words of one are among those of the other. A word that both languages spell alike is
    none of another one: "das Upload-Limit" is not "the download limit".
    """
    right = slot(sentence)
    texts = wording(sentence).texts
    value = _one_value(right)
    if value is None or not announces(right) or any(one.negates for one in right.words):
        return None
    if sentence.rstrip().endswith("?") or not (BESIDES | UNSURE | EXCEPTS).isdisjoint(texts):
        return None
    spoken = language(sentence, tuple(words(sentence)))
    found, now = [], None
    for one in said[:_MOST_READ]:
        former = _one_value(slot(one.text))
        if former is None or not _of_one_sort(former, value):
            continue
        if slot(one.text).denies or language(one.text, tuple(words(one.text))) == spoken:
            continue
        now = _subject(sentence, value, read) if now is None else now
        before = _subject(one.text, former, read)
        if now and now <= before and len(before - now) <= _LEFT_OUT:
            found.append(one)
    return found[0] if len(found) == 1 else None


def _one_value(read: "Slot") -> "Word | None":
    """Return the one number or day of a text; None if it has none, or several."""
    values = [one for one in read.content if one.number or one.day]
    return values[0] if len(values) == 1 else None


def _of_one_sort(one: "Word", other: "Word") -> bool:
    """Return whether two values are days, times of day, or other numbers, and not the same one."""
    sorts = [(bool(word.day), ":" in word.text) for word in (one, other)]
    return sorts[0] == sorts[1] and (one.number, one.day and one.root) != (
        other.number,
        other.day and other.root,
    )


def _subject(text: str, value: "Word", read: "Read") -> frozenset[str]:
    """Return the roots of what a text is about in English, without its value and units."""
    # A day by itself may be read as something else: "freitags" as "free tags".
    tokens = [one for one in text.split() if value.text not in map(_text_of, wording(one).words)]
    content = slot(read(" ".join(tokens))).content
    return frozenset(one.root for one in content if one.text not in UNITS)


def _text_of(word: "Word") -> str:
    return word.text


def reports_change(sentence: str) -> bool:
    """Return whether a sentence reports that something was changed to what has a name.

    "I switched CI over to Buildkite yesterday", "gestern habe ich die Logs auf Loki umgestellt".
    """
    clause = CLAUSE.split(sentence)[0]
    read = slot(clause)
    if not read.changes or read.denies or sentence.rstrip().endswith("?"):
        return False
    tokens = clause.split()
    leads = (at for at, one in enumerate(tokens[:-1], 1) if _bare(one) in _LEADS)
    return any(at > 1 and _is_name(tokens[at]) for at in leads)


def _is_name(token: str) -> bool:
    """Return whether a word is spelled as a name: "Loki", "date-fns"; a path or a number is none."""
    bare = token.strip("`'\"“”„.,;:!?()")
    if not bare or bare[0].isdigit() or not {"/", ".", "_"}.isdisjoint(bare):
        return False
    return not (bare.isalpha() and bare.islower())


def is_about(sentence: str, said: "Sequence[Said]", near: "Near") -> bool:
    """Return whether a sentence is about the same as one of `said`, in whatever words."""
    cosines = near(sentence, [one.text for one in said[:_MOST_READ]])
    return max(cosines, default=0.0) >= _SAME_SUBJECT


def _without(sentence: str, value: str, before: str, left: "Slot") -> str:
    """Return what takes the place of a text that holds the value that is over; empty if it does not.

    The sentence must name another value of its sort, and something else that the text is about.
    """
    over = fold(value)
    held = [one for one in TOKEN.findall(before) if over in (fold(one), fold(one).split("-")[0])]
    if len(held) != 1 or all(word.small for word in wording(value).words):
        return ""
    sort = _sort(value)
    tokens = [one for one in TOKEN.findall(sentence) if over != fold(one)]
    known = {word.root for word in left.content}
    words = [(one, word) for one in tokens for word in wording(one).words[:1] if not word.small]
    about = [word for _, word in words if any(alike(word.root, one) for one in known)]
    came = [
        one
        for one, word in words
        if not any(alike(word.root, other) for other in known) and _sort(one) == sort
    ]
    # "Doch nicht PDF, Rechnungen gehen als Mail raus": the first word leads to what is denied.
    if len({*came}) == _FEW and sentence.startswith(f"{came[0]} ") and not sentence[:1].isupper():
        led = FORMER.match(sentence[len(came[0]) :].lstrip())
        came = came[1:] if led else came
    first = tokens[:1] == came[:1] and sort == _NAME
    came = came if len(came) == 1 or not first else came[1:]
    if not about or not came or (sort != _NAME and len({*came}) > 1):
        return ""
    return with_value(before, held[0], came[0]) if sort == _NUMBER else sentence


def _in_place_of(sentence: str, said: "Sequence[AnySaid]") -> "tuple[AnySaid, str] | None":
    """Return the one of `said` that asks for what a sentence gives up from now on, and what holds then.

    "From now on `make check` instead of make test" ends "tests always with `make test`, never with pytest
    itself", but for the rest of it. None unless it is the only one.
    """
    right = slot(sentence)
    announced = right.cues >= _FEW or bool(right.changes or right.since)
    for former in FORMER.finditer(sentence):
        # "No more pnpm" says itself that it held, and "now at 4:30 instead of 3:15" whose number it was.
        words_from = " ".join(sentence[former.start() :].split()[: LONGEST + 1])
        said_over = slot(CLAUSE.split(words_from)[0])
        number = former["value"][:1].isdigit() and right.cues > 0
        # "No more vouchers" alone names nothing that holds instead.
        rest = [one for one in right.content if one not in said_over.content]
        if not (announced or number or (said_over.cues and said_over.denies and rest)):
            continue
        tail = CLAUSE.split(sentence[former.start("value") :])[0]
        tokens = [*map(_bare, tail.split())][:_LONGEST_PHRASE]
        for many in range(len(tokens), 0, -1):
            value = tokens[:many]
            if all(word.small for word in wording(" ".join(value)).words):
                continue
            held = [one for one in said if _asks_for(one.text, value)]
            if many == 1:
                # What more is said in another clause, such as what is not wanted, is told with it.
                held = [
                    one
                    for one in held
                    if _is_of_little(one.text, value[0]) or (number and _shares(right, one.text))
                ]
            if held:
                over = held[0] if len(held) == 1 else None
                if over is None:
                    return None
                return over, _with_the_rest(sentence, over.text, value)
    return None


def _asks_for(text: str, value: "list[str]") -> bool:
    """Return whether a text holds a value and does not deny it or give it up."""
    if any(fold(value[0]) == _bare(one) for one in given_up(text)):
        return False
    tokens = [*map(_bare, text.split())]
    places = [at for at in range(len(tokens)) if tokens[at : at + len(value)] == value]
    denied = {one.text for one in wording(text).words if one.negates}
    return bool(places) and not any(
        not denied.isdisjoint(tokens[max(0, at - _FEW) : at]) for at in places
    )


def _shares(read: "Slot", text: str) -> bool:
    """Return whether a text says one of the words of a sentence, besides its numbers."""
    return any(within(one, slot(text)) for one in read.content if not one.number)


def _is_of_little(text: str, value: str) -> bool:
    """Return whether the clause of a text that holds a value is about hardly anything else."""
    clauses = (one for one in CLAUSE.split(text) if value in map(_bare, one.split()))
    return len(slot(next(clauses, text)).content) <= LONGEST


def _bare(token: str) -> str:
    return fold(token).strip("`'\"“”„.,;:!?()")


def _with_the_rest(sentence: str, text: str, value: "list[str]") -> str:
    """Return a sentence with what an earlier text says besides the part whose value it gives up."""
    parts = PARTS.split(text)
    held = [at for at, part in enumerate(parts) if value[0] in map(_bare, part.split())]
    rest = without_part(text, held[0]) if len(parts) > 1 and len(held) == 1 else ""
    return f"{sentence.rstrip(' .')}. {rest[0].upper()}{rest[1:]}" if rest else sentence


def told_with(sentence: str, subject: str) -> str:
    """Return a sentence with the subject of what it takes the place of: "tabs: from now on spaces"."""
    return f"{subject}: {sentence}"


def holds_with(sentence: str, text: str) -> bool:
    """Return whether a text is a sentence that was kept with what belongs to it."""
    said, kept = fold(sentence).rstrip(" ."), fold(text).rstrip(" .")
    return kept.startswith(f"{said}. ") or kept.endswith(f": {said}")


_NUMBER, _NAME, _WORD = "number", "name", "word"


def _sort(token: str) -> str:
    """Return the sort of a value by its spelling: a number, a name, or a word."""
    if any(char.isdigit() for char in token):
        return _NUMBER
    return _NAME if token[:1].isupper() else _WORD
