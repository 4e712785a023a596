"""What of a session a language model may read: lines of words and work, numbered as in the transcript.

The person's words, the agent's messages, commits, commands that failed with their errors and those that
worked, edited files. Not what tools returned, what memory injected, or what others wrote.
"""

from bowerbird.core.events import PROMPTED, SAID
from bowerbird.core.text import count_tokens, one_line
from bowerbird.core.value import Record
from bowerbird.sessions.learn.commands import cut_short
from bowerbird.sessions.learn.commit_messages import landed_commits
from bowerbird.sessions.learn.steps import once
from bowerbird.sessions.learn.turns import turns
from bowerbird.sessions.observe.calls import command, kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.sessions.learn.steps import RecordedSession, Step

# Who or what a line is of.
USER, AGENT, COMMIT, FAILED, WORKED, EDITED = (
    "user",
    "agent",
    "commit",
    "failed",
    "worked",
    "edited",
)
# Characters of a line by its kind: what a person typed counts most.
_LONGEST = {USER: 1_500, AGENT: 1_200, COMMIT: 800, FAILED: 400, WORKED: 300, EDITED: 120}
# Tokens of all lines; of more, the work goes first, then what the agent said.
MOST = 6_000
_LAST_TO_GO = (EDITED, WORKED, AGENT, FAILED, COMMIT, USER)
# A command that worked is told only within so many steps after one that failed.
_NEAR = 12


class Line(Record):
    """A line of a session: its number, who it is of, its text, and whether it follows text of others."""

    line: int
    who: str
    text: str
    outside: bool = False


@once
def session_lines(session: "RecordedSession") -> list[Line]:
    """Return the lines of a session in order, within `MOST` tokens."""
    closing = {turn.closing.line for turn in turns(session) if turn.closing is not None}
    commits = {one.step.line: one for one in landed_commits(session) if one.subject}
    found: list[Line] = []
    edited: set[str] = set()
    failed_at = -_NEAR
    for at, step in enumerate(session.steps):
        if step.event.sub or step.foreign or step.repeats:
            continue
        who, text = _told(step, closing)
        if step.line in commits:
            commit = commits[step.line]
            who, text = COMMIT, "\n\n".join(filter(None, (commit.subject, commit.body)))
        elif who == EDITED:
            text = ", ".join(path for path in step.paths if path not in edited)
            edited.update(step.paths)
        elif who == FAILED:
            failed_at = at
        elif who == WORKED and at - failed_at > _NEAR:
            continue
        if text:
            found.append(Line(step.line, who, cut_short(text, _LONGEST[who]), outside=step.outside))
    return _within(found)


def _told(step: "Step", closing: "set[int]") -> tuple[str, str]:
    """Who a step is of and what it says; nothing if no model needs it."""
    event = step.event
    if event.what == PROMPTED:
        return USER, event.text.strip()
    if event.what == SAID:
        return AGENT, event.text.strip() if step.line in closing else ""
    kind = kind_of(event.tool)
    if kind == "edit" and not step.failed:
        return EDITED, ""
    if kind != "shell":
        return "", ""
    ran = one_line(command(event.given))
    if step.failed:
        return FAILED, f"{ran}: {one_line(step.error)}" if step.error else ran
    return WORKED, ran


def _within(lines: list[Line]) -> list[Line]:
    """Lines that fit together, without the oldest of the least telling kinds."""
    left = sum(count_tokens(one.text) for one in lines) - MOST
    gone: set[int] = set()
    for who in _LAST_TO_GO:
        for at, one in enumerate(lines):
            if left > 0 and one.who == who:
                gone.add(at)
                left -= count_tokens(one.text)
    return [one for at, one in enumerate(lines) if at not in gone]
