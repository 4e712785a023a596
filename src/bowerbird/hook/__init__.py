"""Hooks: handles each event of an agent's session within a time limit.

An event is recorded first, without opening the store. Then `injecting.py` selects what to add to the
agent's context, if anything. `afterwards.py` does what no caller waits for. Imports are inside functions,
so that recording loads neither `bird` nor the wiring of a store.
"""

import time

from bowerbird.core.config import FULL, OFF
from bowerbird.core.events import (
    CALLED,
    COMPACTED,
    ENDED,
    FAILED,
    GAVE,
    PROMPTED,
    STARTED,
    STOPPED,
)
from bowerbird.sessions.observe import health
from bowerbird.wiring.hooking import Hooking, patience, state_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from contextlib import AbstractContextManager
    from typing import Any, Protocol

    from bowerbird.bird import Bowerbird
    from bowerbird.core.events import Event
    from bowerbird.core.injected import Injection
    from bowerbird.core.types import Project
    from bowerbird.sessions.levels import LevelState

    Above = Callable[[], tuple[str, ...]]

    class Server(Protocol):
        """Another process that has the store open, and answers hooks."""

        def ask(self, hook: "Hook", error: str) -> "tuple[bool, Injection | None]":
            """Whether it answered, and what to inject. `error` is the output of a failed call."""
            ...


UNKNOWN = health.UNKNOWN
# Parts of commands that build, test, lint, format or generate (agent.learn.commands): in a pipe, their
# failure may be hidden by the exit code.
_CHECKS = (
    "lint,test,build,fmt,format,check,vet,compile,make,black,biome,clippy,flake8,gen,jest,mocha,mypy,ninja"
    ",nox,php,pre-commit,prettier,prove,proto,pyright,rspec,rubocop,ruff,tox,tsc,bats,pest,ava,verify"
    ", run "
).split(",")


class Hook:
    """One event of one agent."""

    def __init__(
        self,
        event: "Event",
        flags: "dict[str, Any]",
        above: "Above",
        hooking: "Hooking | None" = None,
    ) -> None:
        """`above` identifies the parent processes, as other interfaces do for the same agent.

        `hooking` overrides the settings of this process.
        """
        self.event = event
        self.above = above
        self._flags = flags
        self.hooking = hooking or Hooking.from_environment(flags)
        self.now = time.time_ns() // 1_000_000
        # The output of a failed call, as far as the settings allow to look at it.
        self._error = ""
        # Where the event brought in what others wrote; empty if it did not.
        self._foreign = ""
        self._found_secrets: dict[str, str] | None = None

    def record(self) -> None:
        """Records the event, as far as the settings allow. Raises OSError."""
        event, hooking = self.event, self.hooking
        health.fired(hooking.state, event.agent, event.name, self.now)
        self._taint()
        if event.what == STARTED and event.session:
            hooking.begin(self.project, self.session, self.now)
        capture = hooking.config["agent.capture"]
        if capture == OFF or not event.session:
            return
        from bowerbird.sessions.observe.record import line

        clean = hooking.cleaner(event.cwd, self._secrets)
        recorded = line(event, self.now, capture, clean, external=self._foreign)
        if event.what == FAILED or (recorded.get("error") and _may_have_failed(recorded)):
            self._note_failure(recorded)
        if event.what == STARTED:
            recorded |= {"project": self.project, "branch": self.branch}
            if arm := self._arm:
                recorded["arm"] = arm
        if event.what == ENDED and self.has_more and hooking.config["agent.learn"] == "on":
            # Where this work is cut off, the end of another session does it.
            recorded["due"] = True
        hooking.journal.add(self.session, recorded)

    def _note_failure(self, recorded: "dict[str, Any]") -> None:
        """Marks a call that failed; all counts of failed calls use the mark."""
        from bowerbird.sessions.inject.failure import failure

        if self.event.what == FAILED:
            from bowerbird.sessions.learn.failures import failed
        else:
            # Reads the reports of test runners, too.
            from bowerbird.sessions.learn.test_runs import failed
        output = failure(self.event, failed)
        if output is not None:
            recorded["failed"] = True
            self._error = output if recorded.get("error") else ""

    def _taint(self) -> None:
        """After it read what others wrote, the session has lower trust, at every interface."""
        event, hooking = self.event, self.hooking
        if not event.session:
            return
        quoting = event.what == PROMPTED and any(mark in event.text for mark in "\n[@")
        if quoting or event.what in (CALLED, FAILED):
            from bowerbird.hook.judging import judged, without_secrets

            found = judged(self)
            self._foreign = found.why
            if self._foreign:
                hooking.taint((event.session, *self.above()))
            if found.wrote and (self._foreign or hooking.read_outside(event.session)):
                wrote = without_secrets(found.wrote, self._secrets)
                hooking.brought_in().note(wrote, event.session, self.now)
        elif event.what == STARTED and (hooking.tainted(event.session) or self._is_told_foreign()):
            # The session continues in another process, by which other interfaces identify it; or its
            # agent reads instructions that came from outside.
            hooking.taint((event.session, *self.above()))

    def _is_told_foreign(self) -> bool:
        """Whether a file of instructions that the agent reads by itself came from outside."""
        if not self.hooking.has_noted:
            return False
        from bowerbird.sessions.inject.instruction_files import paths

        return any(map(self.hooking.brought_in().has, paths(self.root)))

    def injection(self, server: "Server | None" = None) -> "Injection | None":
        """What to inject now; None if there is nothing to search for.

        `server` answers for another process that has the store open, if there is one: the answer is the
        same, and faster. Raises StoreError.
        """
        if self.hooking.config["agent.inject"] == "off" or not self.event.session:
            return None
        if self._arm and not self._arm_injects:
            return None
        if server is not None:
            answered, injection = server.ask(self, self._error)
            if answered:
                return injection
        from bowerbird.hook.injecting import Injecting

        return Injecting(self).injection(self._error)

    @property
    def _secrets(self) -> "dict[str, str]":
        """The secrets that the command of a call holds, each with its mark."""
        if self._found_secrets is None:
            from bowerbird.core.tool_calls import command

            typed = command(self.event.given)
            self._found_secrets = self.hooking.secrets_in(typed, self.event.cwd) if typed else {}
        return self._found_secrets

    @property
    def searches(self) -> bool:
        """Whether this event searches the store, rather than only the session's own records."""
        event = self.event
        if event.what == STARTED:
            return event.why != COMPACTED
        if event.what not in (CALLED, FAILED):
            return event.what == PROMPTED
        from bowerbird.sessions.observe.calls import kind_of, paths

        if self._error or isinstance(event.given.get("pattern"), str):
            return True
        return kind_of(event.tool) in ("read", "edit") and bool(paths(event.given))

    @property
    def _arm_injects(self) -> bool:
        from bowerbird.sessions.experiment.arms import speaks

        return speaks(self._arm, self.event.what)

    @property
    def _arm(self) -> str:
        """The experiment's arm of this session; empty if there is no experiment."""
        if self.hooking.config["agent.experiment"] != "on":
            return ""
        from bowerbird.sessions.experiment.arms import arm

        return arm(self.event.session, self.project)

    def gave(self, injection: "Injection", nonce: str, tokens: int) -> None:
        """Records what is injected. Raises OSError."""
        items = [
            {"id": item.id, "kind": item.kind, "citation": item.citation}
            | {"relevance": round(item.relevance, 2), "tokens": item.tokens}
            | {"reason": injection.reasons.get(item.id, "")}
            for item in injection.items
        ]
        event = self.event
        line: dict[str, Any] = {"at": self.now, "agent": event.agent, "event": event.name}
        line |= {"what": GAVE, "why": injection.why, "nonce": nonce, "tokens": tokens}
        line |= {"items": items, "lines": len(injection.lines)}
        self.hooking.journal.add(self.session, line)

    @property
    def has_more(self) -> bool:
        """Whether work remains that no caller waits for: see `afterwards`."""
        event, config = self.event, self.hooking.config
        if event.what == STARTED:
            return config["index.at_start"] == "on" and event.why != COMPACTED
        if config["agent.capture"] != FULL or not event.session:
            return False
        return event.what == ENDED or (event.what == STOPPED and config["agent.learn"] == "on")

    @property
    def _has_store(self) -> bool:
        import os

        return os.path.exists(self.hooking.path)

    def farewell(self) -> str:
        """A line for the user about the memories that were used in a session that ends, and that wait.

        And about secrets that they typed. At level 3 it says nothing of those used, at level 4 nothing.
        """
        from bowerbird.sessions.levels import AUTONOMOUS, STANDARD
        from bowerbird.sessions.summary import farewell, secrets_typed, summary

        level = self.level_state().level
        if self.hooking.config["agent.inject"] == "off" or level >= AUTONOMOUS:
            return ""
        lines = [*self.hooking.journal.lines(self.session)]
        shown = lines if level <= STANDARD else []
        found = summary(self.event.session, shown)
        return farewell(found, self._waiting(), secrets_typed(lines))

    def _waiting(self) -> int:
        """The number of memories that wait for review; 0 if there is no store."""
        if not self._has_store:
            return 0
        from bowerbird.hook.injecting import waiting

        with self.bird() as bird:
            return waiting(bird)

    def afterwards(self) -> None:
        """Indexes a session and learns from it, in the background.

        Raises StoreError, BadInput and OSError.
        """
        from bowerbird.hook.afterwards import index_notes, overtaken, take_in_left, work_of

        if self.event.what == STARTED:
            index_notes(self)
            return
        with self.hooking.journal.turn():
            if not overtaken(self):
                work_of(self)
            take_in_left(self)

    def question(self, environment: "Mapping[str, str]") -> str:
        """What to ask the agent at the end of a turn; empty if nothing. Raises OSError."""
        if self.hooking.config["learn.ask"] == OFF:
            return ""
        from bowerbird.hook.asking import question

        return question(self, environment)

    def warning(self, *, quoting: bool) -> str:
        """A line for the user, as a session starts, about settings that are wrong; else empty.

        `quoting` says what is wrong: only to people, since a checkout's file may have written it.
        """
        faults = self.hooking.faults
        if not faults or self.event.what != STARTED or self.event.why == COMPACTED:
            return ""
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        what = f": {faults[0].message}{more}" if quoting else ""
        return f"Bowerbird goes on without a wrong setting{what}. Run bower doctor for the remedy."

    @property
    def may_think(self) -> bool:
        """Whether a session has ended and a language model may have something to read."""
        return self.event.what == ENDED and bool(self.hooking.config["llm.provider"])

    def think(self) -> None:
        """Works off what waits for the language model, in the background. Raises StoreError."""
        with self.bird() as bird:
            bird.admin.think()

    def bird(self, settings: "dict[str, Any] | None" = None) -> "AbstractContextManager[Bowerbird]":
        """The store, opened for the event's project."""
        from bowerbird.bird import Bowerbird

        store, project = (self._flags.get(name) for name in ("store", "project"))
        return Bowerbird.open(store, project=project, settings=settings, faults=[])

    def level_state(self) -> "LevelState":
        """The level of this project."""
        from bowerbird.sessions.levels import level_state

        hooking, project = self.hooking, self.project
        sessions, pinned = hooking.journal.counted(project), hooking.config["agent.level"]
        return level_state(sessions, hooking.outcomes_of(project), pinned)

    @property
    def place(self) -> "Project":
        """The project of the agent's working directory, without looking into the store."""
        from bowerbird.host.places import project_of

        return project_of(self.event.cwd or ".")

    @property
    def project(self) -> str:
        """The uid of that project."""
        return self.place.uid

    @property
    def branch(self) -> str:
        """The branch that is checked out; empty if none."""
        from bowerbird.host.repository import Repository

        return Repository(self.root or ".").branch()

    @property
    def root(self) -> str:
        """The folder of that project, or the working directory if there is none."""
        return self.place.root or self.event.cwd

    def of(self, event: "Event") -> "Hook":
        """The same of another event."""
        return Hook(event, self._flags, self.above, self.hooking)

    @property
    def session(self) -> str:
        """The name of the session in the journal."""
        return f"{self.event.agent}-{self.event.session}"


def _may_have_failed(line: "dict[str, Any]") -> bool:
    """Whether an output needs a closer look: most outputs that mention errors report none."""
    return "exit" in line or any(one in line.get("command", "") for one in _CHECKS)


def box(seconds: float) -> float:
    """The seconds that an event may take on this machine."""
    return seconds * patience()


def note_failure(agent: str, event: str, why: str, *, late: bool = False) -> None:
    """Records for doctor that an event was not answered or recorded, or `late`. Never raises."""
    try:  # noqa: SIM105 contextlib is a fifth of a bare interpreter
        health.failed(state_folder(), agent, event, time.time_ns() // 1_000_000, why, late=late)
    except Exception:  # noqa: BLE001, S110 whatever is wrong, there is nobody left to tell
        pass
