"""What an event adds to an agent's context: memories for a session, a prompt, a call or a compaction."""

import os

from bowerbird.core.events import (
    CALLED,
    COMPACTED,
    COMPACTING,
    FAILED,
    GAVE,
    PROMPTED,
    STARTED,
    STOPPED,
)
from bowerbird.core.types import DIGEST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bowerbird.bird import Bowerbird
    from bowerbird.core.injected import Injection, Line
    from bowerbird.core.types import Entry
    from bowerbird.hook import Hook

# Identifies a journal line of an injection.
_GIVEN = b'"what":"' + GAVE.encode() + b'"'
# Identify journal lines of messages, and of calls.
_SAID = tuple(f'"what":"{what}"'.encode() for what in (PROMPTED, STOPPED))
_CALLS = tuple(f'"what":"{what}"'.encode() for what in (CALLED, FAILED))
# Identify those of a start, and of what takes a conversation out of an agent's context.
_STARTS = (f'"what":"{STARTED}"'.encode(),)
_COMPACTIONS = (f'"what":"{COMPACTING}"'.encode(), f'"why":"{COMPACTED}"'.encode())
# Memories that wait for review are looked at up to here.
_MOST_WAITING = 100


def waiting(bird: "Bowerbird", since: str | None = None) -> int:
    """How many decisions `bower review` asks for in this project.

    0 if only tentative statements wait, or, with `since`, none of that session: those were told before.
    """
    from bowerbird.sessions.inject.selection import is_tentative

    listed = bird.list(waiting=True, limit=_MOST_WAITING)
    held = [one for one in listed if not is_tentative(one)]
    if since is not None and all(one.session != since for one in held):
        return 0
    return bird.admin.to_review() if held else 0


class Injecting:
    """Selects what one event adds."""

    def __init__(self, hook: "Hook") -> None:
        self._hook = hook

    def injection(self, error: str) -> "Injection | None":
        """What to add now; None if there is nothing to search for. `error`: a failed call's output.

        Raises StoreError.
        """
        event = self._hook.event
        if event.what == STARTED:
            return self._compacted() if event.why == COMPACTED else self._brief()
        if event.what == COMPACTING:
            return self._compacted()
        if event.what == PROMPTED:
            return self._for_prompt()
        return self._at_call(error) if event.what in (CALLED, FAILED) else None

    def _brief(self) -> "Injection":
        from bowerbird.sessions.inject.brief import Start, brief
        from bowerbird.sessions.inject.instruction_files import InstructionFiles

        hook = self._hook
        told = InstructionFiles(hook.root, os.path.expanduser("~"))
        last, left = self._left_open()
        # A conversation that goes on holds what was said at its start.
        starts, _ = hook.hooking.journal.last(hook.session, 1, holding=_STARTS)
        resumed = starts > 1
        with hook.bird() as bird:
            note = hook.hooking.drawing(hook.project, bird.unfinished)
            reviews = 0 if resumed else waiting(bird, last)
            start = Start(
                hook.event.session, hook.branch, told, last, left, reviews, resumed, hook.now
            )
            budget = hook.hooking.config["agent.start_budget"]
            return brief(bird, self._seen(), start, self._sure(), note, budget)

    def _for_prompt(self) -> "Injection":
        from bowerbird.sessions.inject.prompt import NARROW, for_prompt

        text = self._hook.event.text
        with self._hook.bird(NARROW) as bird:
            budget = self._hook.hooking.config["agent.prompt_budget"]
            session = self._hook.event.session
            sure, here = self._sure(text), bird.project.uid
            seen = self._seen()
            now = self._hook.now
            return for_prompt(
                bird, text, seen, sure, budget, session, here, recap=_recapped, now=now
            )

    def _at_call(self, error: str) -> "Injection | None":
        """For the result of a call: the cure of its error, warnings on its file, earlier results."""
        from bowerbird.sessions.observe.calls import command, kind_of, paths

        event = self._hook.event
        touched = paths(event.given) if kind_of(event.tool) in ("read", "edit") else []
        searched = isinstance(event.given.get("pattern"), str)
        if not (touched or searched or error):
            return None
        from bowerbird.sessions.inject.after_call import LOOKED_AT, Stepping, recent
        from bowerbird.sessions.inject.between_steps import FIRST_STEP
        from bowerbird.sessions.inject.prompt import NARROW

        number, last = self._hook.hooking.journal.last(
            self._hook.session, LOOKED_AT, holding=_CALLS
        )
        if not (touched or error or (searched and number >= FIRST_STEP)):
            return None
        began = self._hook.hooking.journal.began(self._hook.session)
        with self._hook.bird(NARROW) as bird:
            seen, sure = self._seen(), self._sure()
            cured = None
            if error:
                from bowerbird.sessions.inject.cures import cure

                cured = lambda: cure(bird, error, command(event.given), seen, sure)  # noqa: E731
            step = Stepping(bird, event, seen, sure)
            return step.injection(cured, touched, recent(number, last), began)

    def _compacted(self) -> "Injection":
        from bowerbird.sessions.inject.after_call import LOOKED_AT, recent
        from bowerbird.sessions.inject.compaction import after_compaction
        from bowerbird.sessions.observe.record import cut
        from bowerbird.sessions.observe.transcript import last_recorded, last_said

        event, hooking = self._hook.event, self._hook.hooking
        clean = hooking.cleaner(event.cwd)
        people_only = hooking.tainted(event.session)

        def cleaned(text: str) -> str:
            return cut(text, len(text), clean)

        said = last_said(event.transcript, cleaned, people_only=people_only)
        if not said:
            _, events = hooking.journal.last(self._hook.session, LOOKED_AT, holding=_SAID)
            said = last_recorded(events, cleaned, people_only=people_only)
        last = recent(*hooking.journal.last(self._hook.session, LOOKED_AT, holding=_CALLS))
        with self._hook.bird() as bird:
            return after_compaction(bird, said, self._given(), last.paths, self._sure())

    def _given(self) -> list[str]:
        from bowerbird.sessions.inject.session_history import given

        return given(self._hook.hooking.journal.lines(self._hook.session, holding=_GIVEN))

    def _seen(self) -> frozenset[str]:
        """The entries that this session received, from its hooks and at any other interface.

        Of its process only since the session began: what an earlier session of the process received is no
        longer in the agent's context.
        """
        given = frozenset(self._given())
        if not self._hook.hooking.handing:
            return given
        began = self._hook.hooking.journal.began(self._hook.session)
        return given | self._hook.hooking.handed(
            (self._hook.event.session, *self._hook.above()), began
        )

    def _sure(self, prompt: str = "") -> "Callable[[Entry], bool]":
        """Whether a memory has the confidence that it needs, and applies now.

        The project's level says how much a memory needs that was inferred. What a person or an agent
        stored explicitly needs only what the highest level requires: less says that they doubt it. What
        was said in this very session is in the agent's context.
        """
        above, project = self._hook.level_state().above, self._hook.place
        project = project.replace(root=self._hook.root)
        said_here = self._in_context()
        if prompt:
            from bowerbird.sessions.inject.momentary import withheld_from

            return lambda entry: (
                not (entry.session in said_here or withheld_from(prompt, entry, above, project))
            )
        from bowerbird.sessions.inject.withheld import withheld

        return lambda entry: not (entry.session in said_here or withheld(entry, above, project))

    def _in_context(self) -> tuple[str, ...]:
        """This session, if the agent still has all of it: what was learned of it tells it nothing."""
        event = self._hook.event
        if not event.session or event.what == COMPACTING:
            return ()
        journal = self._hook.hooking.journal
        compacted, _ = journal.last(self._hook.session, 1, holding=_COMPACTIONS)
        return () if compacted else (event.session,)

    def _left_open(self) -> "tuple[str, list[Line]]":
        """The last session of this project, by its agent's name for it, and what it left unfinished.

        Nothing if that session had read external text.
        """
        from bowerbird.sessions.inject.session_history import last_of, left_open

        name, lines = last_of(
            self._hook.hooking.journal, self._hook.project, self._hook.session, self._hook.now
        )
        tainted = name and self._hook.hooking.tainted(name)
        return name, [] if tainted else left_open(lines, self._hook.branch)


def _recapped(entry: "Entry", tokens: int) -> "Entry":
    """Few prompts ask for a time: only they load what digests are made of."""
    if entry.kind != DIGEST:
        return entry
    from bowerbird.sessions.digests import recapped

    return recapped(entry, tokens)
