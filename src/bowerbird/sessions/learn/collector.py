"""Converts the output of transcript readers into the steps of one session."""

import os

from bowerbird.core.events import CALLED, COMPACTING, FAILED, PROMPTED, SAID, STOPPED, Event
from bowerbird.core.types import UNVERIFIED
from bowerbird.guard.heard import Heard
from bowerbird.guard.reading import (
    AGENT,
    CHECK,
    MEMORY,
    PASTED,
    PROGRAM,
    Reading,
)
from bowerbird.guard.shell_line import commands
from bowerbird.guard.typed import typed as typed_part
from bowerbird.ingest.sources.talk import ASSISTANT, PUT_IN, USER, Talk
from bowerbird.ingest.trail import judged_by_folder, replaced_in, said_in
from bowerbird.sessions.learn.failures import said_instead, shown, stopped
from bowerbird.sessions.learn.steps import RecordedSession, Step
from bowerbird.sessions.learn.test_runs import failed
from bowerbird.sessions.observe import calls
from bowerbird.sessions.observe.record import output_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from bowerbird.ingest.trail import ReadingFor

_INTERRUPTED = "interrupted"
# In characters, of a command that is quoted with a person's refusal.
_SHORT_COMMAND = 120
# The key for tool arguments that are not a table: a patch, or a command as text.
_PLAIN = "input"
# Options by which a shell runs a text.
_RUNS = ("-c", "-lc", "-ic")
# How long after a call its files may change.
_LATE_MS = 1_000
# A call that took longer was left open during a pause.
_LONGEST_CALL_MS = 3_600_000
# What stands in place of a branch if none is checked out.
_DETACHED = "HEAD"
# What the agent says.
_TOLD = (SAID, COMPACTING)
# The note of a turn that replaces earlier turns by a summary.
_SUMMARY = "summary"


def _known_by_type(_event: Event) -> str:
    return AGENT


class Collector(Talk):
    """The steps of a session, added in order; `at` in UTC milliseconds, `line` in the transcript.

    It also accepts conversations from the readers of `ingest`, which otherwise turn them into passages.
    """

    def __init__(
        self,
        agent: str = "",
        reading_for: "ReadingFor" = judged_by_folder,
        sub_read: "Callable[[Event], str]" = _known_by_type,
    ) -> None:
        """`sub_read` says what the answer of a sub-agent rests on, as a word of guard.reading."""
        super().__init__()
        self._reading_for = reading_for
        self._reading: Reading | None = None
        self._heard: Heard | None = None
        # Files that the session wrote with words of others, and how.
        self.brought: list[tuple[str, str]] = []
        self._sub_read = sub_read
        self.agent = agent
        self.session = ""
        self.folder = ""
        self.here = ""
        self.branch = self.checked_out = ""
        self.steps: list[Step] = []
        self._calls: dict[str, tuple[str, dict[str, Any], int]] = {}
        self._outside = False

    def session_recorded(self) -> RecordedSession | None:
        """Return the session; None if the transcript has no session id."""
        if not self.session:
            return None
        steps, last = tuple(self.steps), self.checked_out
        session = RecordedSession(
            self.session, self.folder, steps, branch=self.branch, ended_on=last
        )
        session.heard = self.heard
        session.brought, session.windows = tuple(self.brought), tuple(self.reading.windows)
        return session

    def identify(self, session: str, folder: str) -> None:
        """Set the session's id and working directory; the first value of each counts."""
        self.session = self.session or session
        self.folder = self.folder or folder
        self.here = folder or self.here or self.folder

    def on(self, branch: str) -> None:
        """Set the branch that is checked out; one that may be named only before an external read."""
        if branch and branch != _DETACHED:
            self.checked_out = branch
            self.branch = self.branch if self._outside else branch

    def say(self, speaker: str, text: str, line: int, occurred: int | None, note: str = "") -> None:
        """Record a message of a person or of the agent."""
        if text.strip() and _SUMMARY in note:
            self.recapped(text.strip(), occurred or 0, line)
        elif text.strip() and speaker == ASSISTANT:
            self.said(text.strip(), occurred or 0, line)
        elif text.strip() and speaker == USER and note != PUT_IN:
            self.typed(text.strip(), occurred or 0, line)
        else:
            self.put_in(text, occurred or 0, line)

    def call(self, id: str, name: str, arguments: "Any", line: int, occurred: int | None) -> None:
        """Record a tool call."""
        del line  # the line of the result is used
        self.called(id, name, arguments, occurred or 0)

    def result(
        self, id: str, text: str, line: int, occurred: int | None, *, failed: bool = False
    ) -> None:
        """Record the result of a tool."""
        self.returned(id, text, occurred or 0, line, flagged=failed)

    def typed(
        self, text: str, at: int, line: int, sub: str = "", *, one_line: bool = False
    ) -> None:
        """Record a prompt: what a person typed of it. Prompts of sub-agents are kept whole.

        `one_line`: only the first line is known to be typed.
        """
        if stopped(text):
            self.interrupted(at, line, sub)
        elif sub:
            self._event("user", PROMPTED, at, line, sub, text=text)
        else:
            found = typed_part(text, one_line=one_line)
            self.heard.typed(found.text)
            self.heard.others(found.rest)
            event = Event(self.agent, "user", PROMPTED, text=found.text)
            self.add(event, at, line, foreign=PASTED if found.others else "")

    def put_in(self, text: str, at: int, line: int, *, others: bool = False) -> None:
        """Record a text that a program put into a prompt; `others`: it is somebody's message."""
        self.heard.others(text)
        if others:
            self.add(Event(self.agent, "user", PROMPTED), at, line, foreign=PASTED)

    def said(self, text: str, at: int, line: int, sub: str = "") -> None:
        """Record text that the agent wrote."""
        self._event("assistant", SAID, at, line, sub, text=text)

    def recapped(self, text: str, at: int, line: int) -> None:
        """Record the agent's own summary of the session before a compaction.

        What a summary at the beginning rests on is in another transcript, and unknown.
        """
        if not self.steps:
            self.heard.others(text)
        self._event("assistant", COMPACTING, at, line, "", text=text)

    def interrupted(self, at: int, line: int, sub: str = "", call: str = "") -> None:
        """Record that a person stopped the agent; `call` says what it was about to do, if it is known."""
        self._event("user", STOPPED, at, line, sub, call, _INTERRUPTED)

    def called(self, use: str, tool: str, given: "Any", at: int) -> None:
        """Record a tool call; its result has the same `use`."""
        given = given if isinstance(given, dict) else {_PLAIN: given}
        self._calls[use] = (tool, _without_shell(given), at)

    def returned(
        self, use: str, answer: "Any", at: int, line: int, sub: str = "", *, flagged: bool = False
    ) -> None:
        """Record the result of a tool; `flagged`: the agent reports it as an error."""
        tool, given, began = self._calls.pop(use, ("", {}, 0))
        text = output_of(answer)
        if stopped(text):
            self.interrupted(at, line, sub, self._about_to(tool, given))
            # Only the program itself refuses a call: an output may hold the same words.
            refused = flagged and calls.kind_of(tool) not in ("mcp", "web")
            if refused and (said := said_instead(text)):
                self.typed(said, at, line, sub)
            return
        command = calls.command(given) if calls.kind_of(tool) == "shell" else ""
        wrong = failed(command, text, flagged=flagged)
        event = Event(
            self.agent,
            "tool_result",
            FAILED if wrong else CALLED,
            cwd=self.here or self.folder,
            sub=sub,
            tool=tool,
            given=given,
            answer=text,
            use=use,
        )
        took = at - began if began and 0 <= at - began < _LONGEST_CALL_MS else 0
        self.add(event, at, line, error=shown(text) if wrong else "", took=took, failed=wrong)

    def add(
        self,
        event: Event,
        at: int,
        line: int,
        error: str = "",
        took: int = 0,
        *,
        failed: bool = False,
        foreign: str = "",
    ) -> None:
        """Append a step; `foreign` says where it read what others wrote, if that is known already."""
        heard = self.heard
        said = said_in(event.given) if event.tool else event.text
        # What repeats the words of others, or of a program, which may be anybody's, rests on them.
        repeats = bool(event.tool or event.what in _TOLD) and heard.repeats(
            said, replaced_in(event.given)
        )
        repeats = repeats or heard.told_to_run(calls.command(event.given))
        foreign = foreign or self._foreign(event, at)
        self._listen(event, foreign, own=not repeats)
        if foreign and took and calls.kind_of(event.tool) == "shell":
            self.reading.windows.append((at - took, at + _LATE_MS))
        foreign = "" if foreign in (CHECK, PROGRAM) else foreign
        follows, self._outside = self._outside, self._outside or bool(foreign)
        if event.tool and (foreign or follows or repeats):
            self.brought += self.reading.wrote
        paths = tuple(filter(None, (self._within(one) for one in calls.paths(event.given))))
        self.steps.append(
            Step(
                event,
                at,
                line,
                error,
                paths,
                took,
                failed=failed,
                # An edit takes over the code around it, which checks print.
                outside=self._outside or (repeats and calls.kind_of(event.tool) != "edit"),
                follows=follows,
                foreign=foreign,
                repeats=repeats,
            )
        )

    def _foreign(self, event: Event, at: int) -> str:
        if not event.tool:
            return ""
        found = self.reading.foreign(event.tool, event.given, event.cwd or self.folder, at)
        if not found and UNVERIFIED in str(event.answer or "") and _asks_memory(event):
            return MEMORY
        return self._sub_read(event) if found == AGENT else found

    def _listen(self, event: Event, foreign: str, *, own: bool) -> None:
        """Notes the words of a step, by whose they are; `own`: what it says repeats nobody."""
        heard = self.heard
        if not event.tool:
            if event.what in _TOLD and own and not self._outside:
                heard.said(event.text)
            return
        if own:
            heard.said(calls.command(event.given))
        kind = calls.kind_of(event.tool)
        if not own or self.reading.wrote or kind == "edit":
            heard.wrote(said_in(event.given), replaced_in(event.given))
        printed = output_of(event.answer)
        if foreign or self.reading.names_foreign(printed, event.cwd or self.folder):
            heard.others(printed, printed=foreign in (CHECK, PROGRAM))
        elif kind != "own":  # what a memory holds is no evidence of whose it is
            heard.own(printed)

    @property
    def reading(self) -> Reading:
        """What judges the calls of this session."""
        if self._reading is None:
            self._reading = self._reading_for(self.folder)
        return self._reading

    @property
    def heard(self) -> Heard:
        """What the session heard from others."""
        if self._heard is None:
            by = self.reading.heard_by
            self._heard = Heard() if by is None else by(self.reading)
        return self._heard

    def _event(
        self, name: str, what: str, at: int, line: int, sub: str, text: str = "", why: str = ""
    ) -> None:
        self.add(Event(self.agent, name, what, sub=sub, text=text, why=why), at, line)

    def _about_to(self, tool: str, given: "dict[str, Any]") -> str:
        """Return a call that did not run in words; empty if it is neither a short command nor an edit."""
        kind = calls.kind_of(tool)
        command = calls.command(given).strip() if kind == "shell" else ""
        if command and len(command) <= _SHORT_COMMAND and "\n" not in command:
            return f"run `{command}`"
        paths = [one for path in calls.paths(given) if (one := self._within(path))]
        return f"change `{paths[0]}`" if kind == "edit" and paths else ""

    def _within(self, path: str) -> str:
        """Return a path relative to the session's folder; empty if it lies outside."""
        if not os.path.isabs(path):
            return os.path.normpath(path) if not path.startswith("..") else ""
        base = self.folder.rstrip("/") + "/"
        return os.path.normpath(path[len(base) :]) if path.startswith(base) else ""


def _asks_memory(event: Event) -> bool:
    """Whether a call asks this memory, by a tool of its server or by its command."""
    if calls.kind_of(event.tool) == "own":
        return True
    return any(one.words[:1] == ["bower"] for one in commands(calls.command(event.given)))


def _without_shell(given: "dict[str, Any]") -> "dict[str, Any]":
    """Return the arguments with the command alone, for agents that record `bash -lc` around it."""
    command = given.get("command")
    if (
        isinstance(command, list)
        and len(command) == len(("bash", "-lc", "…"))
        and command[1] in _RUNS
    ):
        return {**given, "command": str(command[2])}
    return given
