"""Corrections: what a person's words changed, with the work that they were about.

Definition: a turn in which a person corrected the agent, passed on a fault, answered its question or
chose among its options, and that they did not reject: their words, what the agent made of them, and its
explanation. Not the words that are told as an instruction (`instructions.py`): one utterance is one
memory. A regression says which of them are likely to be noted (`noteworthy.py`). Source: prompts and
messages.
"""

import re
from math import inf

from bowerbird.core.events import SAID, STOPPED
from bowerbird.core.value import Record
from bowerbird.sessions.learn.explanations import (
    OPTIONS,
    REASON,
    names,
    passages,
    said,
    sentences,
    standing,
)
from bowerbird.sessions.learn.lasting_features import CLASSES
from bowerbird.sessions.learn.noteworthy import MESSAGE, PASSED, WORDS, Span, odds, spans
from bowerbird.sessions.learn.phrasing import same
from bowerbird.sessions.learn.prompt_sentences import LONGEST_PROMPT, typed_sentences
from bowerbird.sessions.learn.signals.choices import MOMENT
from bowerbird.sessions.learn.signals.instructions import taken
from bowerbird.sessions.learn.steps import Lesson, once
from bowerbird.sessions.learn.turns import turns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bowerbird.sessions.learn.steps import Digest, RecordedSession, Step
    from bowerbird.sessions.learn.turns import Turn

NAME = "corrections"
_MOST = 5
# How an agent takes a correction.
_AGREES = re.compile(
    r"(?i)^\W*(?:(?:ah|oh|yes|hm+|perfect|excellent|right)[,!.]? )*(?:you(?:'?re| are| were) (?:\w+ )?"
    r"(?:right|correct)|(?:good|great|excellent|fair|nice|valid) (?:\w+ )?(?:catch|point|call|insight"
    r"|approach)|that'?s a (?:\w+ )?(?:valid|fair|good|great|cleaner|better)|right,"
    r"|that (?:clarifies (?:everything|things|it)?|makes sense)|i (?:misread|misunderstood|missed"
    r"|made that up)|my (?:mistake|bad)|(?:i )?apologi\w+|sorry|got it|understood|agreed|makes sense"
    r"|true,)"
)
_REQUEST = re.compile(
    r"(?i)^(?:(?:and|so|but|also|now|then|ok(?:ay)?|hi|hey|please|yes|no|yeah)\b[\s,.:!–—-]*)*"
    r"(?:(?:can|could|would|will) you\b|please\b|do\b|how\b|what\b|is there\b|are there\b|any ideas"
    r"|i'd like to\b|i want\b|(?:implement|add|fix|update|run|make|create|check|review|commit|look"
    r"|simplify|write|show|explain|continue|move|change|give|tell)\b)"
)
_ASKED = re.compile(r"\?\W*$")
_ASKS = re.compile(
    r"(?i)^(?:\W|so|and|but|also|question|ok)*(?:how|why|what|when|where|which"
    r"|(?:is|are|does|do|did|can|could|would|should|was)(?:n'?t)?)\b.*\?|explain"
)
# A wish, or that something is not as it is wanted.
_WISH = re.compile(
    r"(?i)\b(?:should|needs? to|have to|prefer|rather|let'?s|no need|expected|supposed|meant|wrong"
    r"|still|again|too|fine)\b"
)
_UNSURE = re.compile(r"(?i)\b(?:maybe|perhaps|might)\b")
# Lines of a change, and sentences of which a part is missing.
_CHANGED = re.compile(r"[+-]\s")
_CUT = re.compile(r"[\"“]…[\"”]")
# What a program said: "lint says: 212:7 error 'eta' is assigned …".
_PRINTED = re.compile(
    r"(?i)\b\d+:\d+:?\s+(?:error|warning)\b|^\S+ (?:says?|prints|reports|complains|shows)\b[^:]*:\s"
)
_OPTION = re.compile(
    r"(?i)\b(?:option|approach|variant|choice|number)\s*#?(?P<named>[1-9]|[a-d])\b"
    r"|(?:^|\b(?:do|with|like|prefer|choose|try|think|pick|take)\s+)#?(?P<alone>[1-9])"
    r"(?=\s*(?:[,.!=]|is\b|$))(?![.,]\s*[+\d])"
)
# An answer to several points at once chooses none of them.
_ALL = re.compile(r"(?i)\b(?:all|fix|address|both|issues?|bugs?)\b|\d\.?\s*(?:\+|and|&)\s*\d")
# In characters: of what a person said, of a question or an answer that is quoted, and of a memory.
_MOST_SAID = 330
_LONGEST_ANSWER = 160
_LONGEST_OPTION = 200
_LONGEST = 640
_FEWEST = 20
# In words: of what a person said, and of a statement.
_FEW = 4
_FEW_STATED = 8
_MOST_REPLIED = 3
# Names and reasons that count.
_MOST_COUNTED = 3
# The least log odds of an explanation beside them, and of a correction, and those of the strongest.
EXPLAINS = -0.5
LEAST = 0.2
_STRONGEST = 2.0


class Corrected(Record):
    """A lesson with its log odds, and the passage that it quotes, if it quotes one."""

    odds: float
    lesson: Lesson
    quoted: Span | None = None


def lessons(session: "RecordedSession", _past: "Sequence[Digest]") -> list[Lesson]:
    """Return a lesson for each turn that a person's words changed, the strongest first."""
    found: list[Lesson] = []
    for one in corrected(session).values():
        found = [other for other in found if not same(one.lesson.key, other.key)]
        found.append(one.lesson)
    return sorted(found, key=lambda one: -one.strength)[:_MOST]


@once
def corrected(session: "RecordedSession") -> "dict[int, Corrected]":
    """Return what the words of a person changed, by the number of the turn."""
    found = {}
    for number, named, lesson, quoted in candidates(session):
        # What a person chose among an agent's options is a decision, however short their words are.
        likely = max(odds(WORDS, named), LEAST if named["chooses"] else -inf)
        if likely >= LEAST:
            strong = lesson.replace(strength=min(1.0, (likely - LEAST) / _STRONGEST))
            found[number] = Corrected(likely, strong, quoted)
    return found


def candidates(
    session: "RecordedSession",
) -> "Iterator[tuple[int, dict[str, float], Lesson, Span | None]]":
    """Yield what a person said in each turn: its number, the features, a lesson, what that quotes."""
    before: Turn | None = None
    pieces = turns(session)
    for number, turn in enumerate(pieces):
        messages = [step for step in turn.steps if step.event.what == SAID and not step.event.sub]
        instructed = taken(session).get(turn.steps[0].line)
        read = bool(messages) and not turn.refused
        if instructed is None and session.goes_on:
            read = False  # it was noted when it was among the last prompts
        said_ = _told(turn, before, instructed or ()) if read else None
        before = turn
        if said_ is None:
            continue
        words, kind, named = said_
        why = explained(session, number)
        reply = _reply(messages[0].event.text)
        named |= {
            "agrees": float(bool(_AGREES.match(messages[0].event.text))),
            "replied": float(bool(reply)),
            "explained": float(why is not None),
            "how well": max(-2.0, min(2.0, why.odds)) if why is not None else 0.0,
            "first": float(number == 0),
            "late": number / max(1, len(pieces) - 1),
        }
        yield number, named, *_lesson(turn, messages[0], (words, reply), why, kind, session.id)


def explained(session: "RecordedSession", turn: int) -> Span | None:
    """Return the passage of a turn's messages that is most likely to be noted; None if none is."""
    found = [one for one in spans(session) if one.turn == turn and one.source == MESSAGE]
    best = max(found, key=lambda one: one.odds, default=None)
    return best if best is not None and best.odds >= EXPLAINS else None


def same_words(sentence: str, statement: str) -> bool:
    """Return whether one of two texts contains the other; both are keys."""
    few, many = sorted((f" {sentence} ", f" {statement} "), key=len)
    return few in many


def key(text: str) -> str:
    """Return the words of a text, by which it is recognised."""
    return " ".join(re.findall(r"\w+", text.lower()))


def joined(parts: "Sequence[str]") -> str:
    """Return some texts as sentences."""
    return " ".join(one if one[-1] in ".!?”" else f"{one}." for one in parts)


def _lesson(
    turn: "Turn",
    answer: "Step",
    texts: tuple[str, str],
    why: Span | None,
    kind: str,
    session: str,
) -> tuple[Lesson, Span | None]:
    """Return the words of a turn with the agent's reply to them and its explanation, and that one."""
    words, reply = texts
    parts, lines = [words], {turn.steps[0].line}
    quoted: Span | None = None
    if reply:
        parts.append(reply)
        lines.add(answer.line)
    if why is not None and _adds(why.passage.text, parts):
        parts.append(standing(why.passage))
        lines.add(why.step.line)
        quoted = why
    elif not reply and turn.closing is not None and not turn.broken:
        done = _first(turn.closing.event.text)
        parts += [done] if done else []
        lines |= {turn.closing.line} if done else set()
    text = joined(parts)
    outside = any(step.outside for step in turn.steps if step.line in lines)
    numbers = tuple(sorted(lines))
    return Lesson(NAME, key(text), kind, text, numbers, (session,), outside=outside), quoted


def _adds(text: str, parts: "Sequence[str]") -> bool:
    """Return whether a text fits behind others, and says something else than the last of them."""
    fits = len(" ".join(parts)) + len(text) <= _LONGEST
    return fits and not (len(parts) > 1 and same(key(text), key(parts[-1])))


def _told(
    turn: "Turn", before: "Turn | None", instructed: "Sequence[str]"
) -> "tuple[str, str, dict[str, float]] | None":
    """Return what a person said, with what it answers; its kind, and its features; None if nothing.

    `instructed` are the keys of what they said there for good.
    """
    prompt = turn.steps[0].event.text
    words, states, told = _words(prompt, instructed)
    if not words:
        return None
    closing = before.closing.event.text if before is not None and before.closing is not None else ""
    option = "" if "?" in words else _chosen(words, closing)
    if not option and len(words.split()) < _FEW:
        return None
    answers = not _ASKS.match(prompt.strip())
    question = _question(closing) if answers and not _OPTION.search(words) else ""
    values = {
        "chooses": option,
        "answers": question,
        "states": states,
        "tells": told,
        "asks": "?" in words,
        "few words": len(words.split()) < _FEW_STATED,
        "no name": not names(words),
        "no edits": not turn.edits,
    }
    named = {name: float(bool(value)) for name, value in values.items()}
    named |= {
        "names": min(names(words), _MOST_COUNTED) / _MOST_COUNTED,
        "reasons": min(len(REASON.findall(words)), _MOST_COUNTED) / _MOST_COUNTED,
        "long prompt": min(len(prompt), LONGEST_PROMPT) / LONGEST_PROMPT,
    }
    if option:
        asked = _words(before.steps[0].event.text)[0] if before is not None else ""
        on = f"On “{asked}” the" if 0 < len(asked) <= _LONGEST_ANSWER else "The"
        return f"{on} user chose “{option}”: “{words}”", "decision", named
    if question:
        return f"Asked “{question}”, the user said: “{words}”", "decision", named
    if instructed:
        return None  # the rest of the prompt, without what it led to
    if CLASSES["this moment"].search(words) or _PRINTED.search(words):
        return None  # nobody could judge it later
    last = before.steps[-1].event if before is not None else None
    if last is not None and last.what == STOPPED and last.text:
        return f"When the agent was about to {last.text}, the user said: “{words}”", "gotcha", named
    return f"The user said: “{words}”", "gotcha", named


def _reply(message: str) -> str:
    """Return what an agent says behind its agreement; empty if it does not agree, or says nothing."""
    text = message.partition("\n\n")[0].replace("\n", " ")
    agreed = False
    while found := _AGREES.match(text):
        text, agreed = text[found.end() :].lstrip(" ,.!:–—-"), True
    reply = said(" ".join(sentences(text)[:_MOST_REPLIED])) if agreed else ""
    plain = _says(reply) and not reply.endswith(("…", ":")) and len(reply.split()) >= _FEW_STATED
    return reply[:1].upper() + reply[1:] if plain else ""


def _first(message: str) -> str:
    """Return the first passage of a message that says what was done; empty if none does."""
    texts = (said(one.text) for one in passages(message) if not OPTIONS.search(one.text))
    text = next((text for text in texts if len(text) > _FEWEST), "")
    return text if _says(text) and not PASSED.search(text) else ""


def _says(text: str) -> bool:
    """Return whether a text names something, or gives a reason."""
    return bool(names(text) or REASON.search(text))


def _question(closing: str) -> str:
    """Return what a message asks at its end; empty if it asks nothing."""
    if not _ASKED.search(closing.strip()[-_LONGEST_OPTION:]):
        return ""
    asked = re.findall(r"[^.!?\n]{12,160}\?", re.sub(r"[*#]+", "", closing))
    asked = [one for one in asked if not MOMENT.search(one)]
    named = [one for one in asked if names(one)] or sorted(asked, key=len)
    return " ".join(named[-1].split()) if named else ""


def _chosen(words: str, closing: str) -> str:
    """Return the option of a message that an answer names; empty if there is none."""
    found = _OPTION.search(words) if len(words) < _LONGEST_ANSWER else None
    if found is None or _ALL.search(words):
        return ""
    mark = re.escape(found["named"] or found["alone"])
    option = rf"(?im)^[\W_]*(?:option |approach )?{mark}(?:[.):]|\s*[—–-])\s*(.{{8,}})$"
    lines = [" ".join(re.sub(r"[*#`]{2,}", "", one).split()) for one in re.findall(option, closing)]
    return lines[-1].strip(" *:")[:_LONGEST_OPTION] if lines else ""


def _words(prompt: str, instructed: "Sequence[str]" = ()) -> tuple[str, bool, bool]:
    """Return what a person said in a prompt, up to a length, without what is `instructed`.

    And whether it states a wish or a reason, and whether it says anything but a request.
    """
    kept, states, told = "", False, False
    for one in _typed(prompt):
        if any(same_words(key(one), other) for other in instructed):
            continue
        if len(kept) + len(one) > _MOST_SAID:
            break
        kept = f"{kept} {one}".strip()
        request = bool(_REQUEST.match(one))
        told = told or not request
        plain = not request and not one.endswith("?") and len(one.split()) >= _FEW_STATED
        wish = REASON.search(one) or _WISH.search(one)
        states = states or bool(plain and wish and not _UNSURE.search(one))
    return "" if kept.endswith(":") else kept, states, told


def _typed(prompt: str) -> "Iterator[str]":
    return (
        one for one in typed_sentences(prompt) if not _CHANGED.match(one) and not _CUT.search(one)
    )
