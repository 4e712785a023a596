"""Maintenance: whether a store is sound, its copies, and what leaves it for good."""

import os
from time import perf_counter

from bowerbird.core.erased import Part
from bowerbird.core.errors import BadInput
from bowerbird.core.origins import trust_of
from bowerbird.core.query import several
from bowerbird.core.types import GLOBAL, STATES
from bowerbird.wiring.verb_lock import in_turn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bowerbird.core.damage import BackedUp, Recovered, Restored, Verified
    from bowerbird.core.erased import Erased
    from bowerbird.core.health import Findings
    from bowerbird.core.ports.progress import Progress
    from bowerbird.core.pruned import Pruned
    from bowerbird.verbs.root import Wiring


class Safety:
    """Checks of a store, its backups, and what is deleted permanently."""

    _wiring: "Wiring"

    @in_turn
    def doctor(self, *, secrets: bool = False) -> "Findings":
        """The results of all checks, each ok, a warning or a problem with its remedy.

        `secrets` also scans every stored text; the result contains kinds and ids, never a secret.
        """
        return self._wiring.upkeep.doctor(secrets=secrets)

    @in_turn
    def upgrade(self) -> None:
        """Bring the store to the schema of this version, as the first write does; a backup is made first.

        Raises StoreReadOnly, and Denied for a caller who may not write.
        """
        self._wiring.acting.writer()

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
        self,
        path: "str | os.PathLike[str]",
        *,
        progress: "Progress | None" = None,
        agreed: "Callable[[], None] | None" = None,
        with_erased: bool = False,
    ) -> "Restored":
        """Replaces the store by a backup; the old store is moved aside: `.aside` says where.

        What has been erased from the store since stays erased, unless `with_erased`; `.erased` lists it.
        `agreed` is called once the backup has passed its check; if it raises, nothing is changed.
        Raises BadInput if there is no such backup, NotAStore, StoreDamaged if it fails its check, and
        StoreBusy if another process, or another object of this one, has the store open.
        """
        source = os.fspath(path)
        return self._wiring.safety.restore(source, progress, agreed, with_erased=with_erased)

    @in_turn
    def recover(
        self, into: "str | os.PathLike[str] | None" = None, *, progress: "Progress | None" = None
    ) -> "Recovered":
        """Copy the readable part of a damaged store into a new one, and report what is lost.

        Without a path it is named after the store. The damaged one is not changed. Raises BadInput if the
        path exists, StoreDamaged if nothing can be read.
        """
        goal = None if into is None else os.fspath(into)
        return self._wiring.safety.recover(goal, progress)

    @in_turn
    def erase(
        self,
        ids: "Sequence[str]" = (),
        *,
        session: str = "",
        origin: str = "",
        tags: "Sequence[str]" = (),
        author: str = "",
        all_projects: bool = False,
        whole_project: bool = False,
        everything: bool = False,
        backups: bool = False,
        dry_run: bool = False,
    ) -> "Erased":
        """Delete for good, by one of these, and return a receipt without any text.

        `ids`: memories, all of them or none. `session`: what was learned, recorded and archived of it.
        `origin` (core.origins): its memories and files, and what was derived from them.
        `tags`, `author`: the memories with all of these tags, or said by that author, or both, in every
        state, of the present project and global ones (`all_projects`: of every one), and what was derived
        from them.
        `whole_project`: the present project's memories, files and sessions. `everything`: the store, the
        files beside it and all archives. No byte of it is left in files that Bowerbird wrote, unless
        another process still reads the store's log; the backups and exports that the receipt lists are
        deleted with `backups`. Files and other memories that quote the words, or were replaced by what
        is erased or replaced it, are listed, not changed.
        Raises Denied for an agent, NotFound, BadInput, UnknownName, and StoreBusy for everything that
        another process has open.
        """
        named = several("ids", ids)
        about = several("tags", tags) or author
        if sum(map(bool, (named, session, origin, about, whole_project, everything))) > 1:
            raise BadInput(
                "several things to erase were named",
                "name memories, or one of session, origin, tags and author, project and everything",
            )
        erasing = self._wiring.erasing
        if everything:
            return erasing.erase_everything(backups=backups, dry_run=dry_run)
        changes = self._wiring.keeping.changes()
        if about:
            filter = self._wiring.asking.filter(
                {"tags": tags, "states": STATES, "memories_only": True}, all_projects
            ).replace(now=None)
            if author:
                filter = filter.replace(fields=(("author", (author,)),))
            return erasing.erase_found(changes, filter, backups=backups, dry_run=dry_run)
        if session or origin or whole_project:
            if origin:
                trust_of(origin)
            project = self._wiring.reach.project.uid if whole_project else ""
            if whole_project and project == GLOBAL.uid:
                raise BadInput("no project is meant here", "change to its folder, or say --project")
            part = Part(session, origin, project)
            return erasing.erase_part(changes, part, backups=backups, dry_run=dry_run)
        return erasing.erase(changes, named, backups=backups, dry_run=dry_run)

    @in_turn
    def prune_if_due(self, every: float, *, actor: str = "") -> "Pruned | None":
        """Prune every project, unless a process did so in the last `every` seconds: then None.

        Of several processes that call it at once, one prunes.
        """
        return self._wiring.keeping.prune_if_due(every, actor)
