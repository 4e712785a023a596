"""Maintenance: what leaves a store in forms that others read, and what comes in from elsewhere."""

from time import perf_counter

from bowerbird.core.errors import UnknownName
from bowerbird.core.exchange import FORMS
from bowerbird.core.query import several
from bowerbird.core.types import known_trust
from bowerbird.host.places import a_path
from bowerbird.wiring.verb_lock import in_turn

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence

    from bowerbird.core.exchange import Exported
    from bowerbird.core.history import Relocated
    from bowerbird.core.migrated import Imported, Offered
    from bowerbird.core.ports.progress import Progress
    from bowerbird.core.syncing import Synced
    from bowerbird.verbs.root import Wiring


class Exchange:
    """Exports and imports."""

    _wiring: "Wiring"

    @in_turn
    def export_lines(self) -> "Iterator[str]":
        """The store as JSON lines; with a named project, what belongs to it. Raises StoreMissing."""
        return self._wiring.exporting.lines()

    @in_turn
    def export(
        self,
        path: "str | os.PathLike[str]",
        form: str = "",
        *,
        all_projects: bool = False,
        budget: "int | None" = None,
        personal: bool = False,
        progress: "Progress | None" = None,
    ) -> "Exported":
        """Write what is remembered to a path.

        `form` is jsonl (lossless: every version, relation, count and change), markdown (a folder of
        notes, one for each active memory), rules (a kept block of a CLAUDE.md or AGENTS.md, of at most
        `budget` tokens) or archive (a copy of the store with its vectors); empty: by the path's name.
        jsonl and archive hold the whole store, jsonl only the project that was named, if one was; the
        others hold this project and global memories, or `all_projects`. A block in a file of a repository
        holds what is `personal` (global, or said of “I”) only if asked for. Raises BadInput, UnknownName,
        StoreError.
        """
        if form and form not in FORMS:
            raise UnknownName.among("form", form, list(FORMS))
        begin = perf_counter()
        done = self._wiring.exporting.export(
            a_path(path), form, budget, progress, everywhere=all_projects, personal=personal
        )
        return done.replace(took_ms=round((perf_counter() - begin) * 1000, 3))

    @in_turn
    def importable(self) -> "Sequence[Offered]":
        """What of other tools on this machine can be imported."""
        return self._wiring.importing.offered()

    @in_turn
    def importer_at(self, what: str, path: str = "") -> "tuple[str, str]":
        """The importer and the path that are meant: `what` may be either.

        An importer without a path looks where its tool keeps its data. Raises BadInput.
        """
        return self._wiring.importing.named(what, path)

    @in_turn
    def import_from(
        self,
        path: "str | os.PathLike[str]" = ".",
        what: str = "",
        *,
        trust: str = "",
        dry_run: bool = False,
        with_sources: bool = False,
        into: str = "",
        mine: bool = False,
        actor: str = "",
        progress: "Progress | None" = None,
    ) -> "Imported":
        """Take in what is at a path: an export, another store, or the memory of another tool.

        `what` names the importer; empty: by what is there. Exports and stores are merged: the same
        contents in either order give the same store, and a second time nothing changes. `trust` limits
        that of their memories. Notes of other tools go through admission, with the trust of imports, or
        with that of the user's own files if a person says that they are `mine`. They come into the
        project `into`, or the one that was opened by name; else into this folder's if they lie in it:
        what lies elsewhere is global. Raises UnknownName, BadInput, StoreError.
        """
        if trust:
            known_trust(trust)
        begin = perf_counter()
        wiring = self._wiring
        done = wiring.importing.bring(
            wiring.keeping,
            what,
            a_path(path),
            trust,
            actor,
            progress,
            dry_run=dry_run,
            with_sources=with_sources,
            into=into,
            mine=mine,
        )
        return done.replace(took_ms=round((perf_counter() - begin) * 1000, 3))

    @in_turn
    def move(
        self, ids: "Sequence[str]", project: str, *, reason: str = "", actor: str = ""
    ) -> "Relocated":
        """Put memories into the project of that name, or `global`; `revert` of each takes it back.

        They keep their id, history and dates. Raises NotFound, BadInput and Denied.
        """
        return self._wiring.keeping.move(several("ids", ids), project, reason, actor)

    @in_turn
    def sync(
        self,
        target: str = "",
        *,
        passphrase: str = "",
        personal: bool = False,
        deletions: bool = False,
        dry_run: bool = False,
        progress: "Progress | None" = None,
    ) -> "Synced":
        """Synchronise with other copies of the store through a place (empty: the one that is set).

        What others wrote there is merged, as `import_from` does, then what is new here is written,
        encrypted. A folder that is set up now gets `passphrase`, or a new one, which the answer has.
        `personal` memories leave if asked for or set. If other copies deleted more than a tenth of the
        memories it stops, unless `deletions` says that this was meant. A `dry_run` lists what would
        leave. Raises BadInput, PassphraseNeeded, StoreError, MissingExtra.
        """
        begin = perf_counter()
        wiring = self._wiring
        done = wiring.syncing.run(
            wiring.keeping,
            target,
            passphrase,
            progress,
            personal=personal,
            deletions=deletions,
            dry_run=dry_run,
        )
        return done.replace(took_ms=round((perf_counter() - begin) * 1000, 3))

    @in_turn
    def sync_if_due(self) -> "Synced | None":
        """Synchronise through the folder that is set, unless a process did so just now: then None."""
        wiring = self._wiring
        if not wiring.syncing.due(wiring.config["sync.every"]):
            return None
        return self.sync()
