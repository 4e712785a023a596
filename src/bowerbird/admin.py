"""Maintenance of a store: verbs for people, used once in a while."""

import os
from time import perf_counter

from bowerbird.agent.levels import LATER, THRESHOLDS, VERDICTS
from bowerbird.core.errors import BadInput, BowerbirdError, UnknownName
from bowerbird.core.places import a_path
from bowerbird.core.query import Filter, several
from bowerbird.core.sessions import Sessions
from bowerbird.wiring.settings import stages
from bowerbird.wiring.verb_lock import in_turn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from typing import Any

    from bowerbird.agent.levels import Standing
    from bowerbird.core.damage import BackedUp, Recovered, Restored, Verified
    from bowerbird.core.grounds import Believed, Grounds
    from bowerbird.core.health import CacheState, Finding, Warmed
    from bowerbird.core.history import Erased
    from bowerbird.core.kinds import Kinds
    from bowerbird.core.learned import Evidence, Foretold, Learned
    from bowerbird.core.migrated import Migrated
    from bowerbird.core.ports.composing import Composer
    from bowerbird.core.ports.progress import Progress
    from bowerbird.core.pruned import Pruned
    from bowerbird.core.report import Report
    from bowerbird.core.rescued import Rescued
    from bowerbird.core.types import Entry, Vector
    from bowerbird.wiring.root import Wiring


def optional_stages() -> "dict[str, str]":
    """The stages that can be left out (`without`), and the substitute of each."""
    return stages()


class Admin:
    """The verbs of upkeep over one store; reached as `bird.admin`."""

    def __init__(self, wiring: "Wiring") -> None:
        self._wiring = wiring

    def setting(self, key: str) -> "Any":
        """The effective value of a setting. Raises KeyError for an unknown one."""
        return self._wiring.config[key]

    @property
    def kinds(self) -> "Kinds":
        """The known kinds of memory; `register` adds one."""
        return self._wiring.kinds

    @in_turn
    def check(self) -> None:
        """Validates the settings that only a write would read. Raises BadConfig."""
        self._wiring.allowed()

    @in_turn
    def sessions(
        self,
        id: str | None = None,
        *,
        injection: str | None = None,
        summary: bool = False,
        compare: bool = False,
        limit: int = 20,
    ) -> "Sessions":
        """The last recorded sessions, or one with everything that was injected.

        `id` is a session's or a prefix of it, `injection` the sign of one of its injections: then its
        entries come with their texts. `summary`: the use of memory in that session, or the last one;
        `compare`: the arms of the experiment, and the phase weights that the outcomes support. Raises
        NotFound, BadInput, BadConfig and StoreError.
        """
        recorded = self._wiring.recorded
        if compare:
            return recorded.compared(self._wiring.config)
        if summary:
            level = self._wiring.reviewing.standing().level
            with self._wiring.store().reading():
                lookup = self._wiring.asking.lookup()
                return Sessions((recorded.summarised(id, level, lookup),))
        if id is None:
            return recorded.some(limit)
        if injection is None:
            return Sessions((recorded.one(id),))
        with self._wiring.store().reading():
            return Sessions((recorded.injection(id, injection, self._wiring.asking.lookup()),))

    @in_turn
    def level(self, chosen: int | None = None) -> "Standing":
        """The confidence required for unasked injection here; `chosen`, 1 to 4, sets the level."""
        if chosen is None:
            return self._wiring.reviewing.standing()
        if chosen not in THRESHOLDS:
            raise BadInput(f"level cannot be {chosen}", "give it a whole number from 1 to 4")
        return self._wiring.reviewing.choose(chosen)

    @in_turn
    def judged(self, entry: "Entry", verdict: str) -> None:
        """Records a verdict on a memory, one of agent.levels.VERDICTS or LATER; the level follows them.

        Lessons found in the same way as a rejected one need more evidence from then on.
        """
        if verdict not in (*VERDICTS, LATER):
            raise UnknownName.among("verdict", verdict, [*VERDICTS, LATER])
        self._wiring.reviewing.judged(entry, verdict)

    @in_turn
    def postponed(self) -> "dict[str, int]":
        """The memories left for later, by id; a higher number was left later."""
        return self._wiring.reviewing.postponed()

    @in_turn
    def doctor(self, *, secrets: bool = False) -> "Sequence[Finding]":
        """The results of all checks, each ok, a warning or a problem with its remedy.

        `secrets` also scans every stored text; the result contains kinds and ids, never a secret.
        """
        return tuple(self._wiring.upkeep.doctor(secrets=secrets))

    def watch(
        self,
        *paths: "str | os.PathLike[str]",
        tell: "Callable[[str, Report | BowerbirdError], object]",
        sorts: "Collection[str] | None" = None,
        every: float | None = None,
        stop: "Any" = None,
        began: "Callable[[], object]" = tuple,
    ) -> None:
        """Index changes below some folders until `stop`, an event, is set, or Ctrl-C.

        `began` is called once nothing refuses any more, then `tell` with each indexed folder and the
        report or the error. `sorts` are the types of files whose changes count: notes, code, transcripts;
        None: all. `every` that many seconds everything is indexed.
        Raises BadInput for a missing folder, or where another process watches; MissingExtra.
        """
        folders = [a_path(path) for path in paths]
        self._wiring.watching(folders, sorts, every).run(self._taken_in, tell, stop, began)

    @in_turn
    def refresh(self, *, notes_only: bool = False, talk: str = "", grown: int = 0) -> "Report":
        """Indexes known files that changed and notes beside them; or a `talk` that has `grown` bytes."""
        return self._wiring.indexing.refresh(notes_only=notes_only, talk=talk, grown=grown)

    @in_turn
    def _taken_in(self, paths: "Sequence[str]") -> "Report":
        report = self._wiring.indexing.index([*paths], None)
        report.embedded += self._wiring.indexing.draw_and_read()
        return report

    @in_turn
    def verify(
        self, *, sample: int | None = None, progress: "Progress | None" = None
    ) -> "Verified":
        """Check the file, every row and the word indexes for damage.

        `sample` checks only that many random entries, without the word indexes. Nothing is changed;
        `.damages` lists what was found. Raises BadInput, StoreMissing, StoreOutdated.
        """
        if sample is not None and sample < 1:
            raise BadInput(f"sample cannot be {sample}", "give it a whole number from 1")
        begin = perf_counter()
        done = self._wiring.safety.verify(sample, progress)
        return done.replace(took_ms=round((perf_counter() - begin) * 1000, 3))

    @in_turn
    def backup(
        self,
        path: "str | os.PathLike[str] | None" = None,
        *,
        keep: int | None = None,
        progress: "Progress | None" = None,
    ) -> "BackedUp":
        """Copy a consistent snapshot of the store while others write, and verify the copy.

        Without a path it goes into the folder `backups` beside the store, named by the time, where the
        newest `keep` are kept. Raises BadInput if `path` exists, StoreMissing, and StoreDamaged if the
        copy fails its checksums.
        """
        if keep is not None and (keep < 1 or path is not None):
            raise BadInput(
                f"keep cannot be {keep}",
                "give it a whole number from 1, and no path: only ours are counted",
            )
        target = None if path is None else os.fspath(path)
        return self._wiring.safety.back_up(target, keep, progress)

    @in_turn
    def restore(
        self, path: "str | os.PathLike[str]", *, progress: "Progress | None" = None
    ) -> "Restored":
        """Replaces the store by a backup; the old store is moved aside: `.aside` says where.

        Raises BadInput if there is no such backup, NotAStore, StoreDamaged if it fails its check, and
        StoreBusy if another process, or another object of this one, has the store open.
        """
        return self._wiring.safety.restore(os.fspath(path), progress)

    @in_turn
    def recover(
        self,
        into: "str | os.PathLike[str] | None" = None,
        *,
        progress: "Progress | None" = None,
    ) -> "Recovered":
        """Copy the readable part of a damaged store into a new one, and report what is lost.

        Without a path it is named after the store. The damaged one is not changed. Raises BadInput if the
        path exists, StoreDamaged if nothing can be read.
        """
        goal = None if into is None else os.fspath(into)
        return self._wiring.safety.recover(goal, progress)

    @in_turn
    def erase(self, ids: "Sequence[str]", *, progress: "Progress | None" = None) -> "Erased":
        """Delete memories permanently, all of them or none; they cannot be restored.

        No byte of them is left in the store, unless another process still reads its log. Backups and
        files with the same text are not changed. Raises Denied for an agent, NotFound and BadInput.
        """
        return self._wiring.keeping.erase(several("ids", ids), progress)

    @in_turn
    def prune_if_due(self, every: float, *, actor: str = "") -> "Pruned | None":
        """Prune every project, unless a process did so in the last `every` seconds: then None.

        Of several processes that call it at once, one prunes.
        """
        return self._wiring.keeping.prune_if_due(every, actor)

    @in_turn
    def reindex(self, *, again: bool = False, progress: "Progress | None" = None) -> int:
        """Computes the missing vectors of all entries; returns the number computed.

        Needed after a change of model; `index` does it too. `again` recomputes all. Until it ends,
        entries without a vector are found by their words. Pending parts of the code graph are resolved.
        """
        return self._wiring.indexing.draw_and_read(progress, again=again)

    @in_turn
    def reindex_words(self, *, progress: "Progress | None" = None) -> tuple[int, int]:
        """Rebuild the word indexes from the texts: how many entries they contain now.

        The second number counts entries left out because their text is unreadable. Until it ends, entries
        that are not indexed yet are found by meaning only; others can write meanwhile.
        """
        return self._wiring.safety.reword(progress)

    @in_turn
    def warm(self, *, recent: int | None = None, progress: "Progress | None" = None) -> "Warmed":
        """Embed every entry that has no vector of the current model; how many, and how many there are.

        `recent` embeds only that many of the newest entries, with the rest of their documents. The next
        call resumes an interrupted one. Raises BadInput, ModelError.
        """
        if recent is not None and recent < 1:
            raise BadInput(f"recent cannot be {recent}", "give it a whole number from 1")
        return self._wiring.indexing.warm(progress, recent)

    @in_turn
    def trust(self, path: "str | os.PathLike[str]" = ".") -> "Believed":
        """Say that the files of a folder, or of the repository that holds it, are the user's own.

        They are `normal` from now on instead of `imported`, those already indexed in this store
        too, as long as the repository has the remote that it has now. Raises Denied for an agent,
        BadInput for no folder, the home folder or another user's, BadConfig, and StoreError.
        """
        self._wiring.acting.who.require_owner("trust")
        return self._wiring.trusting().answer(os.fspath(path), believed=True)

    @in_turn
    def distrust(self, path: "str | os.PathLike[str]" = ".") -> "Believed":
        """Say that they are not, or take back that they are. Raises as `trust` does."""
        self._wiring.acting.who.require_owner("trust")
        return self._wiring.trusting().answer(os.fspath(path), believed=False)

    @in_turn
    def trusted(self) -> "Sequence[Grounds]":
        """Every folder about which the user said something, as it is now. Raises BadConfig."""
        return self._wiring.trusting().whose.answers()

    @in_turn
    def unanswered(self, *paths: "str | os.PathLike[str]") -> "Sequence[Grounds]":
        """The folders of these paths (none: the working directory) without a declaration of trust.

        Repositories with a remote, and folders of your own outside any repository.
        """
        return self._wiring.trusting().whose.unanswered(
            [os.fspath(path) for path in paths] or ["."]
        )

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
        that it reads along. Running it again adds nothing. Raises UnknownName, BadInput, StoreError.
        """
        begin, where = perf_counter(), os.fspath(path)
        done = self._wiring.keeping.migrate(
            what, where, actor, dry_run=dry_run, with_sources=with_sources, progress=progress
        )
        return done.replace(took_ms=round((perf_counter() - begin) * 1000, 3))

    @in_turn
    def learn(
        self,
        *paths: "str | os.PathLike[str]",
        dry_run: bool = False,
        ended: bool = True,
        sort: str = "",
        composer: "Composer | None" = None,
        progress: "Progress | None" = None,
    ) -> "Learned":
        """Learn memories from recorded sessions, each session once.

        `paths` are transcripts of agents, journals of hooks or archives of either, or folders of them. A
        memory belongs to the project of its session, and its metadata says what it was learned from.
        `dry_run` only reports what would be proposed. For sessions that have not `ended`, the lessons so
        far are recorded. `sort` is the type of the sessions; empty: detected. `composer` rewrites
        lessons, if there is one. Raises BadInput for a path that does not exist, and StoreError.
        """
        begin = perf_counter()
        asked = [a_path(path) for path in paths]
        for path in asked:
            if not os.path.exists(path):
                raise BadInput(f"nothing is at {path}", "name a transcript, or a folder of them")
        done = self._wiring.learning(
            dry_run=dry_run, ended=ended, sort=sort, composer=composer
        ).learn(asked, progress)
        return done.replace(took_ms=round((perf_counter() - begin) * 1000, 3))

    @in_turn
    def foretold(self, *paths: "str | os.PathLike[str]") -> "Foretold":
        """How well co-access statistics of earlier sessions predict the changes of later ones."""
        return self._wiring.foretold([a_path(path) for path in paths])

    @in_turn
    def evidence(self, id: str) -> "Evidence":
        """The evidence of a memory: sessions, commit, and transcript lines that still exist.

        Raises NotFound and BadInput.
        """
        return self._wiring.evidence(id)

    @in_turn
    def rescue(self, *, daily: bool = False) -> "Rescued":
        """Archives transcripts that agents delete after a while.

        Only new and changed ones are written, compressed and redacted, into a folder of the user's data.
        `daily`: at most once a day. Opens no store.
        """
        return self._wiring.upkeep.rescue(daily=daily)

    @in_turn
    def cache_state(self) -> "CacheState":
        """The cache of vectors from embedding servers."""
        return self._wiring.indexing.cache_state()

    @in_turn
    def prune_cache(self, *, older_than: str | None = None) -> int:
        """Removes cached vectors; returns how many. None: all of them.

        `older_than` is an age such as 30d: those not used for that long. Raises BadInput.
        """
        before = self._wiring.asking.narrowed(Filter(), {"since": older_than}).since
        return self._wiring.indexing.prune_cache(before)

    @in_turn
    def build_index(self, *, progress: "Progress | None" = None) -> int | None:
        """Build the HNSW index beside a large store now; how many vectors it holds.

        Resident objects build it aside by themselves, and use it, from 2,000,000 entries on. None
        where there is nothing to build or another process is at it. Raises MissingExtra without
        usearch.
        """
        return self._wiring.indexing.build_index(progress)

    @in_turn
    def embed(self, texts: "Sequence[str]") -> "Sequence[Vector]":
        """The vectors of some texts, by the store's model."""
        return self._wiring.embedder().embed(texts)

    @in_turn
    def embed_query(self, text: str) -> "Vector":
        """The vector of a query, with equal weights for all words."""
        return self._wiring.embedder().embed_query(text)
