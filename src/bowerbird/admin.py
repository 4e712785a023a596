"""Looking after a store: what a person does once in a while, not what an agent does all day."""

import os
from time import perf_counter

from bowerbird.core.errors import BadInput
from bowerbird.core.query import Filter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bowerbird.core.health import CacheState, Finding, Warmed
    from bowerbird.core.migrated import Migrated
    from bowerbird.core.ports import Progress
    from bowerbird.core.pruned import Pruned
    from bowerbird.core.types import Vector
    from bowerbird.wiring.root import Wiring


class Admin:
    """The verbs of upkeep over one store; reached as `bird.admin`."""

    def __init__(self, wiring: "Wiring") -> None:
        self._wiring = wiring

    def setting(self, key: str) -> "Any":
        """The value of a setting that is in effect. Raises KeyError for one that there is not."""
        return self._wiring.config[key]

    def check(self) -> None:
        """Look at the settings that only a write would. Raises BadConfig."""
        self._wiring.allowed()

    def doctor(self, *, secrets: bool = False) -> "Sequence[Finding]":
        """What was looked at, each ok, a warning or a problem with what to do about it.

        `secrets` also looks through every stored text for them; kinds and ids are told, no secret.
        """
        return tuple(self._wiring.doctor(secrets=secrets))

    def prune_if_due(self, every: float, *, actor: str = "") -> "Pruned | None":
        """Prune every project, unless a process did so in the last `every` seconds: then None.

        Of several processes that ask at once one is told yes.
        """
        if not self._wiring.claim_prune(round(every * 1000)):
            return None
        return self._wiring.prune(None, actor, dry_run=False, remove=True, everywhere=True)

    def reindex(self, *, progress: "Progress | None" = None) -> int:
        """Let the model read every entry that it has not read yet; how many those were.

        Needed after the model has changed; `index` does it too. Until it ends, what was not read is
        found by its words.
        """
        return self._wiring.reindex(progress)

    def warm(self, *, recent: int | None = None, progress: "Progress | None" = None) -> "Warmed":
        """Let the model read every entry that it has not read yet; how many, and how many there are.

        `recent` leaves it at what was written last, so many entries, with the rest of their documents.
        Stopped, the next call goes on from there. Raises BadInput, ModelError.
        """
        if recent is not None and recent < 1:
            raise BadInput(f"there are no {recent} newest entries", "give a number from 1 on")
        return self._wiring.warm(progress, recent)

    def migrate_brv(
        self,
        path: "str | os.PathLike[str]" = ".",
        *,
        dry_run: bool = False,
        with_sources: bool = False,
        actor: str = "",
        progress: "Progress | None" = None,
    ) -> "Migrated":
        """Make a memory of each note that ByteRover keeps for a project. Running it again adds nothing.

        `path` is the project's folder, its `.brv`, or a context tree; `with_sources` also takes the
        stores of other projects that it reads along. A note that cannot be taken stands in
        `.errors`. Raises BadInput where there is no such store, and StoreError.
        """
        begin = perf_counter()
        done = self._wiring.migrate_brv(
            os.fspath(path), actor, dry_run=dry_run, with_sources=with_sources, progress=progress
        )
        return done.replace(took_ms=round((perf_counter() - begin) * 1000, 3))

    def cache_state(self) -> "CacheState":
        """What is kept of texts that a model behind a server has read."""
        return self._wiring.cache_state()

    def prune_cache(self, *, older_than: str | None = None) -> int:
        """Take such vectors out; how many those were. None: all of them.

        `older_than` is an age such as 30d: those that were not used for so long. Raises BadInput.
        """
        before = self._wiring.narrowed(Filter(), {"since": older_than}).since
        return self._wiring.prune_cache(before)

    def build_index(self, *, progress: "Progress | None" = None) -> int | None:
        """Build the HNSW index beside a large store now; how many vectors it holds.

        Resident objects build it aside by themselves, and use it, from 2,000,000 entries on. None
        where there is nothing to build or another process is at it. Raises MissingExtra without
        usearch.
        """
        return self._wiring.build_index(progress)

    def embed(self, texts: "Sequence[str]") -> "Sequence[Vector]":
        """The vectors of some texts, by the model that this store is read with."""
        return self._wiring.embedder().embed(texts)

    def embed_query(self, text: str) -> "Vector":
        """The vector of a question, every word counting the same."""
        return self._wiring.embedder().embed_query(text)
