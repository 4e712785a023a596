"""Maintenance: whether a store is sound, its copies, and what leaves it for good."""

import os
from time import perf_counter

from bowerbird.core.errors import BadInput
from bowerbird.core.query import several
from bowerbird.wiring.verb_lock import in_turn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.core.damage import BackedUp, Recovered, Restored, Verified
    from bowerbird.core.health import Finding
    from bowerbird.core.history import Erased
    from bowerbird.core.ports.progress import Progress
    from bowerbird.core.pruned import Pruned
    from bowerbird.verbs.root import Wiring


class Safety:
    """Checks of a store, its backups, and what is deleted permanently."""

    _wiring: "Wiring"

    @in_turn
    def doctor(self, *, secrets: bool = False) -> "Sequence[Finding]":
        """The results of all checks, each ok, a warning or a problem with its remedy.

        `secrets` also scans every stored text; the result contains kinds and ids, never a secret.
        """
        return tuple(self._wiring.upkeep.doctor(secrets=secrets))

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

        No byte of them is left in the store, unless another process still reads its log. Backups, files
        and other memories that quote them are listed in the answer, not changed. Raises Denied for an
        agent, NotFound and BadInput.
        """
        return self._wiring.keeping.erase(several("ids", ids), progress)

    @in_turn
    def prune_if_due(self, every: float, *, actor: str = "") -> "Pruned | None":
        """Prune every project, unless a process did so in the last `every` seconds: then None.

        Of several processes that call it at once, one prunes.
        """
        return self._wiring.keeping.prune_if_due(every, actor)
