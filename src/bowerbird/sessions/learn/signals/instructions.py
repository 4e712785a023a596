"""Instructions: what a person tells an agent that is to last: rules, preferences, facts, decisions.

Definition: a sentence that a person typed, as a prompt or when stopping a call, which is recognised as
a lasting statement (`lasting_statements.py`), or gives another value to something that they said before;
what a person explicitly asks to remember; and what the agent proposed in its last message, or a question
named, if the prompt accepts or chooses it for good (`accepted_proposals.py`). Not what the agent stored
itself in the same turn, and not what its author took back in one of the next prompts.
Source: prompts; those of sub-agents are written by agents and do not count. Messages before them.
"""

import os
import re

from bowerbird.core.anchors import FOLDER, OF_TYPE
from bowerbird.core.events import PROMPTED, SAID
from bowerbird.core.language import content_words
from bowerbird.core.origins import TAUGHT
from bowerbird.core.text import words
from bowerbird.core.tool_calls import command
from bowerbird.sessions.learn.accepted_proposals import accepted, chosen_of
from bowerbird.sessions.learn.corrected_values import value_instead
from bowerbird.sessions.learn.lasting_statements import (
    TAKES_BACK,
    Statement,
    holds_everywhere,
    if_corrected,
    statements,
)
from bowerbird.sessions.learn.own_memories import stored_texts
from bowerbird.sessions.learn.prompt_sentences import as_sentence, typed_sentences
from bowerbird.sessions.learn.retractions import named_by, retracted
from bowerbird.sessions.learn.steps import Lesson, once

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.sessions.learn.steps import Digest, RecordedSession, Step

NAME = "instructions"
# The kind of what is told again when a file or a folder is touched.
_TRAP = "gotcha"
# Of a session that goes on, only the last prompts are read, as each end of a turn reads them again; and
# so many prompts later a person may still take back what they said.
_LAST = 3
_SOON = 2
# A stored text and a statement are the same if they share this part of the shorter one's content words.
_SAME = 0.5
# Messages and calls before a prompt, of which it may correct a value.
_MOST_OF_A_REPLY = 8
# Words of a prompt that only corrects the one before it.
_LONGEST_CORRECTION = 10
# A longer prompt takes back nothing but what it says itself.
_LONGEST_RETRACTION = 200


def lessons(session: "RecordedSession", _past: "Sequence[Digest]") -> list[Lesson]:
    """Return a lesson for each statement, in its author's words."""
    found: dict[str, Lesson] = {}
    for at, said, back in _stated(session):
        stored = stored_texts(session.steps[at + 1 :])
        for one in () if back else said:
            text = as_sentence(one.text)
            if any(_alike(text, other) for other in stored):
                continue
            everywhere = holds_everywhere(one.text, session.steps[at].event.text)
            said_by = [_message(session, at)] if one.accepts else []
            files = _files(one.about, session.folder)
            found[key(text)] = Lesson(
                NAME,
                key(text),
                # "Run specs with bin/rspec" names no folder, and warns of none.
                _TRAP if one.trap and files else one.kind,
                text,
                lines=tuple(step.line for step in (*said_by, session.steps[at]) if step),
                sessions=(session.id,),
                strength=1.0,
                source=TAUGHT,
                asked=one.asked,
                tentative=one.tentative and not everywhere,
                accepted=bool(one.accepts),
                outside=any(step.outside for step in said_by if step),
                files=files,
                ends=one.ends,
                everywhere=everywhere,
            )
    return [*found.values()]


def taken_back(session: "RecordedSession") -> frozenset[str]:
    """Return the keys of the statements that their author took back in the same session."""
    return frozenset(
        key(as_sentence(one.text)) for _, said, back in _stated(session) if back for one in said
    )


@once
def taken(session: "RecordedSession") -> "dict[int, tuple[str, ...]]":
    """Return the keys of what was stated in each line, taken back or not: no other signal quotes it.

    Of what was accepted there, both the proposal and the words that accept it. None of a prompt that
    states nothing; one that is missing was not read, as the session goes on.
    """
    read = {session.steps[at].line: () for at in _prompts(session)}
    return read | {
        session.steps[at].line: tuple(
            key(text)
            for one in said
            for text in (as_sentence(one.text), one.accepts, _correction(session.steps[at], one))
            if text
        )
        for at, said, _ in _stated(session)
    }


@once
def _stated(session: "RecordedSession") -> "list[tuple[int, list[Statement], bool]]":
    """Return the prompts that state something: the step, the statements, and whether they were retracted.

    A retraction counts for the statement that it names, or for the last prompt before it that stated
    something.
    """
    found: list[tuple[int, list[Statement], bool]] = []
    since, before = 0, ""
    for at in _prompts(session):
        text = session.steps[at].event.text
        since += 1
        short = len(text.split()) <= _LONGEST_CORRECTION
        weakly = if_corrected(before, session.encode) if short and before else []
        before = text
        for _, subject, by_words in retracted([text]):
            _take_back(found, subject, by_words)
        if _retracts(text) and found and since <= _SOON:
            found[-1] = (*found[-1][:2], True)
        elif said := _said(session, at, found[-1][1] if found and since == 1 else weakly):
            better = {one.instead for one in said}
            if found:
                left = [one for one in found[-1][1] if one.text not in better]
                found[-1] = (found[-1][0], left, found[-1][2])
            found.append((at, said, False))
            since = 0
    return found


def _take_back(
    found: "list[tuple[int, list[Statement], bool]]", subject: str, by_words: bool
) -> None:
    """Mark the statement that a subject names as retracted, and no other of its prompt."""
    said = [one for _, some, back in found if not back for one in some]
    meant = named_by(subject, said, in_part=by_words)
    for at, (step, some, _) in enumerate(found):
        if meant in some:
            found[at] = (step, [one for one in some if one is not meant], False)
            found.insert(at, (step, [meant], True))
            return


def _correction(step: "Step", stated: "Statement") -> str:
    """Return the words of a prompt that only corrects what was said; empty if it says more."""
    text = step.event.text
    return text if (stated.instead or stated.ends) and len(typed_sentences(text)) == 1 else ""


def _prompts(session: "RecordedSession") -> list[int]:
    """Return the steps of the prompts that are read: all, or the last of a session that goes on."""
    prompts = [
        at
        for at, step in enumerate(session.steps)
        if step.event.what == PROMPTED and not step.event.sub
    ]
    return prompts[-_LAST:] if session.goes_on else prompts


def _said(
    session: "RecordedSession", at: int, just_said: "Sequence[Statement]"
) -> "list[Statement]":
    """Return what a prompt states, and what it accepts; `just_said` is what the one before it states."""
    text = session.steps[at].event.text
    reply = _reply(session, at)
    asked = _asked(session, at)
    said = statements(text, session.encode, session.said_before, reply, just_said, asked)
    message = _message(session, at)
    if message is None:
        return said
    typed = typed_sentences(text)
    if len(typed) == 1 and (instead := value_instead(typed[0], message.event.text)):
        return [Statement(instead, "requirement", accepts=text)]
    proposal = accepted(message.event.text, text, session.encode)
    if proposal is None or proposal.kind != "decision":
        chosen = chosen_of(asked, message.event.text, text, session.encode)
        if chosen is not None:
            # It has the words of the answer.
            return [chosen, *(one for one in said if key(one.text) not in key(chosen.text))]
    if proposal is None:
        return said
    # The words that pick an option say nothing without it.
    picks = key(proposal.accepts) if proposal.kind == "decision" else ""
    return [proposal, *(one for one in said if not picks or key(one.text) not in picks)]


def _message(session: "RecordedSession", at: int) -> "Step | None":
    """Return the agent's last message before a prompt; None if it said nothing since the one before."""
    for step in reversed(session.steps[:at]):
        if step.event.sub:
            continue
        if step.event.what == SAID:
            return step
        if step.event.what == PROMPTED:
            break
    return None


def _reply(session: "RecordedSession", at: int) -> str:
    """Return what the agent wrote and ran between a prompt and the one before it."""
    said: list[str] = []
    for step in reversed(session.steps[:at]):
        if step.event.what == PROMPTED and not step.event.sub:
            break
        if not step.event.sub and (step.event.tool or step.event.what == SAID):
            said.append(command(step.event.given) if step.event.tool else step.event.text)
    return "\n".join(said[:_MOST_OF_A_REPLY])


def _asked(session: "RecordedSession", at: int) -> str:
    """Return the prompt before another one; empty if that is the first."""
    for step in reversed(session.steps[:at]):
        if step.event.what == PROMPTED and not step.event.sub:
            return step.event.text
    return ""


def _files(about: "Sequence[str]", folder: str) -> "tuple[str, ...]":
    """Return what a statement is about: files and folders that are there, and types of files.

    They are relative to the folder of the session.
    """
    found = []
    for named in about if folder else ():
        path = os.path.normpath(os.path.join(folder, named))
        is_there = os.path.isdir if named.endswith(FOLDER) else os.path.isfile
        if named.startswith(OF_TYPE):
            found.append(named)
        elif path.startswith(folder.rstrip(os.sep) + os.sep) and is_there(path):
            ends = FOLDER if named.endswith(FOLDER) else ""
            found.append(os.path.relpath(path, folder) + ends)
    return tuple(found)


def _retracts(prompt: str) -> bool:
    return len(prompt) <= _LONGEST_RETRACTION and bool(TAKES_BACK.search(prompt))


def key(text: str) -> str:
    """Return the key of a statement: its words."""
    return " ".join(re.findall(r"\w+", text.lower()))


def _alike(one: str, other: str) -> bool:
    """Return whether one of two texts has half of the content words of the other."""
    few, many = sorted(({*content_words(tuple(words(text)))} for text in (one, other)), key=len)
    return len(few & many) >= _SAME * len(few) > 0
