"""What is done at each step of an agent's session: the same as `bird.py` for a door that has no time.

An event is recorded first, without opening the store; then, where there may be something to say, what
is to be put before the agent is looked for. Imports stand in functions so that what is only recorded
loads neither the bird nor the wiring of a store.
"""

import time

from bowerbird.agent.observe import health
from bowerbird.core.config import FULL, OFF
from bowerbird.core.events import (
    CALLED,
    COMPACTING,
    ENDED,
    FAILED,
    GAVE,
    PROMPTED,
    STARTED,
    STOPPED,
)
from bowerbird.wiring.hooking import Hooking, patience, state_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from bowerbird.agent.levels import Standing
    from bowerbird.bird import Bowerbird
    from bowerbird.core.events import Event
    from bowerbird.core.injected import Injection, Line
    from bowerbird.core.types import Entry

    Above = Callable[[], tuple[str, ...]]

# How a session says that it goes on behind a compaction.
_COMPACTED = "compact"
# A line of the journal that tells what was given.
_GIVEN = b'"what":"' + GAVE.encode() + b'"'
# Lines that tell of calls.
_CALLS = tuple(f'"what":"{what}"'.encode() for what in (CALLED, FAILED))
# Parts of the commands that build, test, lint or format, which a pipe's code may hide the failure of.
_CHECKS = ("lint", "test", "build", "fmt", "format", "check", "vet", "compile", "make", " run ")
# What agents write of a session.
_TRANSCRIPTS = (".jsonl", ".json")
_KILOBYTE = 1_000
# Kinds of memory whose texts tell what stands in a file, and that may have a moment of their own.
_OF_FILES = ("module_insight", "context_cost")
_TIMED = ("error_pattern", "procedure", "gotcha", *_OF_FILES)


class Hook:
    """One event of one agent."""

    def __init__(self, event: "Event", flags: "dict[str, Any]", above: "Above") -> None:
        """`above` names the processes above this one, as doors of the same agent name theirs.

        Raises BadConfig.
        """
        self.event = event
        self._above = above
        self._flags = flags
        self._hooking = Hooking(flags)
        self._now = time.time_ns() // 1_000_000
        # Whether a call may have failed, by what it returned.
        self._wrong = False
        self._given_ids: list[str] = []

    def record(self) -> None:
        """Write down what happened, as far as the settings let it. Raises OSError."""
        event, hooking = self.event, self._hooking
        health.fired(hooking.state, event.agent, event.name, self._now)
        self._taint()
        if event.what == STARTED and event.session:
            hooking.begin(self._place, self._session, self._now)
        capture = hooking.config["agent.capture"]
        if capture == OFF or not event.session:
            return
        from bowerbird.agent.observe.record import line

        recorded = line(event, self._now, capture, hooking.cleaner(event.cwd))
        self._wrong = bool(recorded.get("error")) and _may_have_failed(recorded)
        if event.what == STARTED:
            recorded |= {"project": self._place, "branch": self._branch}
            if arm := self._arm:
                recorded["arm"] = arm
        hooking.journal.add(self._session, recorded)

    def _taint(self) -> None:
        """From an external read on a session is believed less, through every door."""
        event, hooking = self.event, self._hooking
        if not event.session:
            return
        if event.what in (CALLED, FAILED):
            from bowerbird.agent.observe.calls import external

            if external(event):
                hooking.taint((event.session, *self._above()))
        elif event.what == STARTED and hooking.tainted(event.session):
            # It goes on in another process, which other doors know the session by.
            hooking.taint(self._above())

    def injection(self) -> "Injection | None":
        """What is to be put before the agent now; None where there is nothing to look for.

        Raises StoreError.
        """
        event = self.event
        if self._hooking.config["agent.inject"] == "off" or not event.session:
            return None
        if self._arm and not self._speaks(event.what):
            return None
        if event.what == STARTED:
            return self._compacted() if event.why == _COMPACTED else self._brief()
        if event.what == COMPACTING:
            return self._compacted()
        if event.what == PROMPTED:
            return self._for_prompt()
        return self._at_call() if event.what in (CALLED, FAILED) else None

    @property
    def _arm(self) -> str:
        """The arm of this session in its user's experiment; empty where there is none."""
        if self._hooking.config["agent.experiment"] != "on":
            return ""
        from bowerbird.agent.experiment.arms import arm

        return arm(self.event.session, self._place)

    def _speaks(self, what: str) -> bool:
        from bowerbird.agent.experiment.arms import speaks

        return speaks(self._arm, what)

    def _brief(self) -> "Injection":
        from bowerbird.agent.inject.asking import brief

        with self._bird() as bird:
            note = self._hooking.drawing(self._place, bird.unfinished)
            return brief(bird, self._seen(), self._left_open(), self._sure(), note)

    def _for_prompt(self) -> "Injection":
        from bowerbird.agent.inject.asking import NARROW, for_prompt

        with self._bird(NARROW) as bird:
            return for_prompt(bird, self.event.text, self._seen(), self._sure(self.event.text))

    def _at_call(self) -> "Injection | None":
        """For the result of a call: its error's cure, its file's traps, what steps before it brought."""
        from bowerbird.agent.observe.calls import kind_of, paths

        event = self.event
        touched = paths(event.given) if kind_of(event.tool) in ("read", "edit") else []
        searched = isinstance(event.given.get("pattern"), str)
        if not (touched or searched or self._wrong):
            return None
        from bowerbird.agent.inject.asking import NARROW
        from bowerbird.agent.inject.between import FIRST_STEP
        from bowerbird.agent.inject.failure import failure
        from bowerbird.agent.inject.recent import LOOKED_AT, recent
        from bowerbird.agent.inject.stepping import Stepping

        error = failure(event) if self._wrong else ""
        number, last = self._hooking.journal.last(self._session, LOOKED_AT, holding=_CALLS)
        if not (touched or error or (searched and number >= FIRST_STEP)):
            return None
        began = self._hooking.journal.began(self._session)
        with self._bird(NARROW) as bird:
            step = Stepping(bird, event, self._seen(), self._sure())
            return step.injection(error, touched, recent(number, last), began)

    def _compacted(self) -> "Injection":
        from bowerbird.agent.inject.asking import after_compaction
        from bowerbird.agent.inject.recent import LOOKED_AT, recent
        from bowerbird.agent.observe.record import cut
        from bowerbird.agent.observe.transcript import last_said

        event, hooking = self.event, self._hooking
        clean = hooking.cleaner(event.cwd)
        said = last_said(
            event.transcript,
            lambda text: cut(text, len(text), clean),
            people_only=hooking.tainted(event.session),
        )
        last = recent(*hooking.journal.last(self._session, LOOKED_AT, holding=_CALLS))
        with self._bird() as bird:
            return after_compaction(bird, said, self._given(), last.paths, self._sure())

    def gave(self, injection: "Injection", nonce: str, tokens: int) -> None:
        """Write down what is handed over. Raises OSError."""
        items = [
            {"id": item.id, "kind": item.kind, "citation": item.citation}
            | {"relevance": round(item.relevance, 2), "tokens": item.tokens}
            | {"reason": injection.reasons.get(item.id, "")}
            for item in injection.items
        ]
        event = self.event
        line: dict[str, Any] = {"at": self._now, "agent": event.agent, "event": event.name}
        line |= {"what": GAVE, "why": injection.why, "nonce": nonce, "tokens": tokens}
        line |= {"items": items, "lines": len(injection.lines)}
        self._hooking.journal.add(self._session, line)
        self._given_ids = [item.id for item in injection.items]

    def count(self) -> None:
        """Count what was handed over as used. Raises StoreError."""
        if self._given_ids:
            with self._bird() as bird:
                bird.used(self._given_ids, self.event.session)

    @property
    def has_more(self) -> bool:
        """Whether something is left to be done that nobody waits for: see `afterwards`."""
        event, config = self.event, self._hooking.config
        if event.what == STARTED:
            return config["index.at_start"] == "on" and event.why != _COMPACTED and self._has_store
        if config["agent.capture"] != FULL or not event.session:
            return False
        return event.what == ENDED or (event.what == STOPPED and config["agent.learn"] == "on")

    @property
    def _has_store(self) -> bool:
        import os

        return os.path.exists(self._hooking.path)

    def farewell(self) -> str:
        """What memory was to a session that ends, in a line for its user; empty from level 3 on."""
        from bowerbird.agent.levels import STANDARD
        from bowerbird.agent.summary import farewell, summary

        if self._hooking.config["agent.inject"] == "off" or self._standing().level > STANDARD:
            return ""
        return farewell(summary(self.event.session, self._hooking.journal.lines(self._session)))

    def afterwards(self) -> None:
        """Take in what was said in a session that has ended, so that the next one can ask for it.

        Of one that begins, the notes of its project that changed.
        What it taught is learned, unless the settings say no; of one that goes on it is noted at the end
        of a turn. Once a day the talks that the agent is going to delete are archived, too.
        Raises StoreError and BadInput.
        """
        import os

        if self.event.what == STARTED:
            with self._bird() as bird:
                bird.admin.refresh(notes_only=True)
            return
        transcript = self.event.transcript
        if not (transcript.endswith(_TRANSCRIPTS) and os.path.exists(transcript)):
            # An agent that keeps none: what its hooks recorded is read instead.
            transcript = ""
        learns = self._hooking.config["agent.learn"] == "on"
        path = transcript or self._hooking.journal.path(self._session)
        if self.event.what == STOPPED:
            grown = self._hooking.config["index.at_growth"] * _KILOBYTE
            with self._bird() as bird:
                bird.admin.learn(path, ended=False)
                if transcript and grown:
                    bird.admin.refresh(talk=transcript, grown=grown)
            return
        # What sub-agents said stands in a folder that is called like the file.
        below = transcript.rpartition(".")[0]
        with self._bird() as bird:
            if transcript:
                bird.index(*filter(os.path.exists, (transcript, below)))
            bird.admin.rescue(daily=True)
            if learns and os.path.exists(path):
                bird.admin.learn(path)
            self._credit(bird, transcript)

    def _credit(self, bird: "Bowerbird", transcript: str) -> None:
        """Write down what was handed over, and let be surer what nobody corrected for long."""
        from bowerbird.agent.crediting import due, raise_by_use
        from bowerbird.agent.experiment.phases import phases
        from bowerbird.agent.levels import USED
        from bowerbird.agent.observe.transcript import spoken
        from bowerbird.agent.outcomes import Outcomes
        from bowerbird.agent.summary import cited_in, summary

        hooking, project, session = self._hooking, self._place, self.event.session
        cited = cited_in(spoken(transcript))
        lines = [*hooking.journal.lines(self._session)]
        summed = summary(session, lines, cited)
        if not summed.given:
            return
        phase = phases(lines)
        outcomes, given = Outcomes(hooking.path), [one.id for one in summed.given]
        earned = due(outcomes.of(project), session, given)
        used: dict[str, Any] = {"session": session, "given": given}
        used["cited"] = [one.id for one in summed.given if one.cited]
        used["told"] = [(one.kind, phase.get(one.id, "")) for one in summed.given]
        outcomes.add(project, hooking.journal.counted(project), USED, self._now, **used)
        for id in earned:
            raise_by_use(bird, id)

    def _bird(self, settings: "dict[str, Any] | None" = None) -> "Bowerbird":
        from bowerbird.bird import Bowerbird

        store, project = (self._flags.get(name) for name in ("store", "project"))
        return Bowerbird.open(store, project=project, settings=settings)

    def _given(self) -> list[str]:
        from bowerbird.agent.inject.past import given

        return given(self._hooking.journal.lines(self._session, holding=_GIVEN))

    def _seen(self) -> frozenset[str]:
        """What this session was handed, by its hooks and at any other door.

        Of its process only since it began: what an earlier session of that was handed is gone from its
        agent's sight.
        """
        given = frozenset(self._given())
        if not self._hooking.handing:
            return given
        began = self._hooking.journal.began(self._session)
        return given | self._hooking.handed((self.event.session, *self._above()), began)

    def _sure(self, prompt: str = "") -> "Callable[[Entry], bool]":
        """Whether a memory is sure enough for the level of this project, and its moment is now."""
        threshold = self._standing().above

        def sure(entry: "Entry") -> bool:
            if entry.details is not None and entry.details.fields.confidence <= threshold:
                return False
            if entry.anchors or entry.kind in _OF_FILES:
                from bowerbird.agent.inject.standing import believed, outlived

                if outlived(entry, self._root) or believed(entry) <= threshold:
                    return False
            if not prompt or entry.kind not in _TIMED:
                return True
            from bowerbird.agent.inject.moment import waits

            return not waits(entry, prompt)

        return sure

    def _standing(self) -> "Standing":
        """The level of this project."""
        from bowerbird.agent.levels import standing

        hooking, project = self._hooking, self._place
        sessions, pinned = hooking.journal.counted(project), hooking.config["agent.level"]
        return standing(sessions, hooking.outcomes(project), pinned)

    def _left_open(self) -> "list[Line]":
        """What the last session of this project did not come to the end of.

        Nothing of one that had read what outsiders wrote.
        """
        from bowerbird.agent.inject.past import last_of, left_open

        name, lines = last_of(self._hooking.journal, self._place, self._session, self._now)
        return [] if name and self._hooking.tainted(name) else left_open(lines, self._branch)

    @property
    def _place(self) -> str:
        """The project that the agent works in, told by its folder alone."""
        from bowerbird.core.places import project_of

        return project_of(self.event.cwd or ".").uid

    @property
    def _branch(self) -> str:
        """The branch that is checked out there; empty where none is."""
        from bowerbird.core.repository import Repository

        return Repository(self._root or ".").branch()

    @property
    def _root(self) -> str:
        """The folder of that project; of none, the one that the agent works in."""
        from bowerbird.core.places import project_of

        return project_of(self.event.cwd or ".").root or self.event.cwd

    @property
    def _session(self) -> str:
        return f"{self.event.agent}-{self.event.session}"


def _may_have_failed(line: "dict[str, Any]") -> bool:
    """Whether it is worth a closer look: most outputs that speak of errors tell of none."""
    return "exit" in line or any(one in line.get("command", "") for one in _CHECKS)


def box(seconds: float) -> float:
    """The seconds that an event may take on this machine."""
    return seconds * patience()


def note_failure(agent: str, event: str, why: str) -> None:
    """An event was not answered or not recorded; for the doctor. It never raises."""
    try:  # noqa: SIM105 contextlib is a fifth of a bare interpreter
        health.failed(state_folder(), agent, event, time.time_ns() // 1_000_000, why)
    except Exception:  # noqa: BLE001, S110 whatever is wrong, there is nobody left to tell
        pass
