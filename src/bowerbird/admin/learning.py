"""Maintenance: what is learned from recorded sessions and other memories, and how it was received."""

import os
from time import perf_counter

from bowerbird.core.errors import BadInput, UnknownName
from bowerbird.core.query import question
from bowerbird.core.sessions import Sessions
from bowerbird.core.types import GLOBAL, beside
from bowerbird.host.places import a_path
from bowerbird.sessions.levels import LATER, THRESHOLDS, UNDONE, VERDICTS
from bowerbird.verbs.explaining import explained
from bowerbird.verbs.moving import TARGETS
from bowerbird.verbs.timeline import told_of
from bowerbird.wiring.verb_lock import in_turn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.core.learned import Evidence, Learned, Thought
    from bowerbird.core.migrated import Migrated
    from bowerbird.core.ports.progress import Progress
    from bowerbird.core.rescued import Rescued
    from bowerbird.core.sessions import DigestedSession
    from bowerbird.core.types import Entry
    from bowerbird.core.why import Why
    from bowerbird.retrieval.lookup import Lookup
    from bowerbird.sessions.levels import LevelState
    from bowerbird.verbs.root import Wiring


class Learning:
    """What recorded sessions hold, what is learned from them, and verdicts on that."""

    _wiring: "Wiring"

    @in_turn
    def sessions(
        self,
        id: str | None = None,
        *,
        injection: str | None = None,
        summary: bool = False,
        compare: bool = False,
        limit: int = 20,
        here: bool = False,
    ) -> "Sessions":
        """The last recorded sessions, or one with everything that was injected.

        `here`: those of this project. `id` is a session's or a prefix of it, `injection` the sign of
        one of its injections: then its entries come with their texts of then. `summary`: the use of
        memory there, or in this project's last; `compare`: the arms of the experiment, and the phase
        weights that the outcomes support. Raises NotFound, BadInput, BadConfig and StoreError.
        """
        recorded = self._wiring.recorded
        if compare or summary:
            if not self._wiring.opened.exists():
                return self._judged_sessions(id, None, compare=compare)
            with self._wiring.store().reading():
                return self._judged_sessions(id, self._wiring.asking.lookup(), compare=compare)
        if id is None:
            return recorded.some(limit, (self._wiring.reach.project.uid,) if here else None)
        if injection is None:
            return Sessions((recorded.one(id),))
        with self._wiring.store().reading():
            lookup, changes = (
                self._wiring.asking.lookup(),
                self._wiring.keeping.changes(write=False),
            )
            return Sessions((recorded.injection(id, injection, lookup, changes.history),))

    @in_turn
    def digest(self, session: str) -> "DigestedSession | None":
        """A session by its whole name, from its digest; None if it has none."""
        with self._wiring.store().reading():
            return told_of(self._wiring.asking.lookup(), session)

    @in_turn
    def why(self, prompt: str, *, session: str = "") -> "Why":
        """What a hook would inject for a prompt in this project, and why not the nearest other entries.

        `session` is the id of one, or its first characters, whose injections are not repeated. Raises
        BadInput for an empty prompt, and StoreError.
        """
        wiring = self._wiring
        level, reach = wiring.reviewing.level_state(), wiring.reach
        question(prompt, "prompt", 'say what is asked of the agent: "fix the login bug"')
        about = (wiring.store_path, reach.project, reach.seen, level, prompt, session)
        why = explained(wiring.asking, wiring.config, *about)
        if not wiring.opened.exists():
            return why
        return why.replace(waiting=wiring.overview.to_review(everywhere=False))

    def _judged_sessions(
        self, id: str | None, lookup: "Lookup | None", *, compare: bool
    ) -> "Sessions":
        """The comparison, or the summary of one; `lookup` is None as long as there is no store."""
        if compare:
            return self._wiring.recorded.compared(self._wiring.config, lookup)
        level = self._wiring.reviewing.level_state().level
        recorded = self._wiring.recorded
        notes: tuple[str, ...] = ()
        if id is None:
            reach = self._wiring.reach
            id, own = recorded.last({*map(beside, reach.seen)} - {GLOBAL.uid} or {GLOBAL.uid})
            if not own:
                name = reach.project.name
                notes = (f"no session of project {name} was recorded: this is the last of all",)
        return Sessions((recorded.summarised(id, level, lookup),), notes=notes)

    @in_turn
    def level(self, chosen: int | None = None) -> "LevelState":
        """The confidence required for unasked injection here; `chosen`, 1 to 4, sets the level.

        Raises BadInput for another number, Denied for an agent: a level decides what is injected unseen.
        """
        if chosen is None:
            return self._wiring.reviewing.level_state()
        self._wiring.acting.who.require_owner("review")
        if chosen not in THRESHOLDS:
            raise BadInput(f"level cannot be {chosen}", "give it a whole number from 1 to 4")
        return self._wiring.reviewing.choose(chosen)

    @in_turn
    def helped(self) -> dict[str, bool]:
        """The sessions that were injected memories in the last 30 days, each with whether it used one."""
        return self._wiring.overview.helped()

    @in_turn
    def corrected(self) -> "Sequence[str]":
        """The ids of the memories injected in the last 30 days that a person corrected since."""
        return self._wiring.overview.corrected()

    @in_turn
    def citing(self, id: str) -> frozenset[str]:
        """The sessions whose agent said that it used a memory, given by its whole id."""
        return self._wiring.reviewing.citing(id)

    @in_turn
    def judged(self, entry: "Entry", verdict: str) -> None:
        """Records a verdict on a memory, one of levels.VERDICTS, LATER or UNDONE; the level follows them.

        Lessons found in the same way as a rejected one need more evidence from then on.
        """
        if verdict not in (*VERDICTS, LATER, UNDONE):
            raise UnknownName.among("verdict", verdict, [*VERDICTS, LATER, UNDONE])
        self._wiring.reviewing.judged(entry, verdict)

    @in_turn
    def learn(
        self,
        *paths: "str | os.PathLike[str]",
        dry_run: bool = False,
        ended: bool = True,
        sort: str = "",
        progress: "Progress | None" = None,
    ) -> "Learned":
        """Learn memories from recorded sessions, each session once.

        `paths` are transcripts of agents, journals of hooks or archives of either, or folders of them. A
        memory belongs to the project of its session, and its metadata says what it was learned from; it
        has at most the trust of its transcript's file. `dry_run` only reports what would be proposed. For
        sessions that have not `ended`, the lessons so far are recorded. `sort` is the type of the
        sessions; empty: detected. Raises BadInput for a path that does not exist, and StoreError.
        """
        begin = perf_counter()
        asked = [a_path(path) for path in paths]
        for path in asked:
            if not os.path.exists(path):
                raise BadInput(f"nothing is at {path}", "name a transcript, or a folder of them")
        done = self._wiring.learning(dry_run=dry_run, ended=ended, sort=sort).learn(asked, progress)
        return done.replace(took_ms=round((perf_counter() - begin) * 1000, 3))

    @in_turn
    def think(self) -> "Thought":
        """Work off what waits for the language model: pairs to judge, and sessions to read.

        Without a model nothing waits. Raises BadConfig and UnknownName for wrong settings of `llm`, and
        StoreError; that a model cannot be asked is in the result, and what waits is tried again.
        """
        return self._wiring.model_reading.run()

    @in_turn
    def evidence(self, id: str) -> "Evidence":
        """The evidence of a memory: sessions, commit, and transcript lines that still exist.

        Raises NotFound and BadInput.
        """
        return self._wiring.evidence(id)

    @in_turn
    def rescue(self, *, daily: bool = False, dry_run: bool = False) -> "Rescued":
        """Archives transcripts that agents delete after a while.

        Only new and changed ones are written, compressed and redacted, into a folder of the user's data.
        `daily`: at most once a day; `dry_run`: writes nothing. Opens no store.
        """
        return self._wiring.upkeep.rescue(daily=daily, dry_run=dry_run)

    @in_turn
    def migrate(
        self,
        path: "str | os.PathLike[str]" = ".",
        what: str = "from-brv",
        *,
        dry_run: bool = False,
        with_sources: bool = False,
        actor: str = "",
        progress: "Progress | None" = None,
    ) -> "Migrated":
        """Make a memory of each note that another memory keeps for a project, by the importer `what`.

        `path` is the project's folder or its store; `with_sources` also takes other projects' stores
        that it reads along. Running it again adds nothing.

        With ``to-postgres`` and an address, or ``to-file`` and a path, this whole store is copied there
        and compared row by row; it stays as it is. If it is interrupted the next call goes on.
        Raises UnknownName, BadInput, StoreError.
        """
        begin, where = perf_counter(), os.fspath(path)
        if what in TARGETS:
            done = self._wiring.moving.run(what, where, progress)
        else:
            done = self._wiring.keeping.migrate(
                what, where, actor, dry_run=dry_run, with_sources=with_sources, progress=progress
            )
        return done.replace(took_ms=round((perf_counter() - begin) * 1000, 3))
