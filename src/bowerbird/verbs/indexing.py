"""Wires the verbs that index files and compute vectors."""

import os

from bowerbird.core.errors import ModelError
from bowerbird.wiring.acting import Verbs
from bowerbird.wiring.reach import allowed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from bowerbird.core.health import CacheState, Warmed
    from bowerbird.core.ports.progress import Progress
    from bowerbird.core.report import Report, Skipped
    from bowerbird.ingest.sources.plugged import Plugged


class Indexing(Verbs):
    """The verbs that write passages and vectors."""

    def index(self, paths: "list[str]", progress: "Progress | None", **how: bool) -> "Report":
        """Indexes files. Creates no store if no path exists."""
        self._acting.who.require_local("index")
        from bowerbird.host.reading_facts import ReadingFacts
        from bowerbird.ingest.pipeline import Ingest
        from bowerbird.ingest.removed_paths import remove_gone
        from bowerbird.ingest.walk import real_roots
        from bowerbird.verbs.folder_trust import Trusting
        from bowerbird.verbs.foreign_words import ForeignWords
        from bowerbird.verbs.session_project import SessionProject

        freeing = self._opened.freeing
        paths, gone = freeing(lambda: remove_gone(paths, self._opened.path, self._acting.writer))
        if not paths:
            return gone
        roots = real_roots(paths)
        writer = self._acting.writer()
        new_project = self._reach.new_in(writer)
        sources, unusable = self._sources()
        words = ForeignWords(self._opened, self._reach)
        facts = ReadingFacts(
            os.environ, self._opened.foreign_files, words.known, self._opened.in_vocabulary
        )
        ingest = Ingest(
            writer,
            self._opened.embedder(),
            self._config,
            self._reach.project_of,
            allowed(self._config),
            Trusting(self._opened).whose.of,
            freeing,
            None if self._reach.named else SessionProject(self._opened, self._reach.project_of),
            facts.reading_for,
            facts.brought_in,
            sources,
        )
        report = ingest.index(roots, progress, **how)
        report.removed += gone.removed
        report.skipped += (*gone.skipped, *unusable)
        report.skipped += tuple(left for source in sources for left in source.left_out)
        report.new_project = new_project
        return report

    def _sources(self) -> "tuple[list[Plugged], list[Skipped]]":
        """The readers of packages that the settings name, and those that cannot be used."""
        named = self._config["index.sources"]
        if not named:
            return [], []
        from bowerbird.ingest.sources.plugged import plugged

        return plugged(named)

    def index_and_read(
        self, paths: "list[str]", progress: "Progress | None", **how: bool
    ) -> "Report":
        """Indexes files and computes missing vectors; `unread` says why some could not be computed.

        Of the notes, some are read by the contextual model at once: with ten notes of four facts each, it
        finds 9 of 15 questions in other words first instead of 5. It takes 10 to 60 ms a passage; the
        processes that stay and the ends of sessions read the others.
        """
        report = self.index(paths, progress, **how)
        try:
            report.embedded += self.draw_and_read(progress)
            self._read_notes(progress)
            report.unread = ""
        except ModelError as error:
            report.unread = f"{error.message}; {error.remedy}"
        return report

    def _read_notes(self, progress: "Progress | None") -> None:
        from bowerbird.ingest.reindex import read_passages

        if most := self._config["index.read"]:
            reader = self._opened.contextual()
            read_passages(self._acting.writer(), reader, most, notes=True, progress=progress)

    def draw_and_read(self, progress: "Progress | None" = None, *, again: bool = False) -> int:
        """Resolves the code graph where edges are pending, and computes missing vectors."""
        from bowerbird.verbs.drawing import Drawing

        Drawing(self._config, self._opened, self._reach, self._acting).bring(again=again)
        return self.reindex(progress, again=again)

    def refresh(
        self, *, notes_only: bool = False, talk: str = "", grown: int = 0, most: int | None = None
    ) -> "Report":
        """Indexes changed files of this project that are in the store, and new notes beside them.

        With `notes_only`, only notes, and also those of its repository that never were in the store.
        With `talk`, only that transcript, if it has grown by `grown` bytes since it was indexed. With
        `most`, at most that number of files.
        """
        from bowerbird.core.errors import StoreMissing
        from bowerbird.core.report import Report
        from bowerbird.ingest.changed_files import changed, has_grown

        root = self._reach.project.root
        known: set[str] = set()
        paths: list[str] = []
        try:
            with self._opened.reading() as store:
                if talk:
                    paths = [talk] if has_grown(store, talk, grown) else []
                elif root:
                    paths = changed(store, root, notes_only=notes_only)
                    known = {path for _, path in store.documents.known(root)}
        except StoreMissing:
            pass  # then all notes are new
        if notes_only and root:
            paths += self._new_notes(root, {*known, *paths})
        return self.index(paths[:most], None) if paths else Report()

    def _new_notes(self, root: str, known: "Collection[str]") -> list[str]:
        """The notes of a repository that are not `known`; none of a home folder that is one."""
        from bowerbird.ingest.project_notes import unknown_notes
        from bowerbird.verbs.folder_trust import Trusting

        own = Trusting(self._opened).whose.is_repository(root)
        return unknown_notes(root, known) if own else []

    def reindex(
        self, progress: "Progress | None", newest: int | None = None, *, again: bool = False
    ) -> int:
        """Computes missing vectors, with `again` all. Returns the number of texts.

        A memory that needs both the embedder's and the contextual model's vector counts once.
        """
        from bowerbird.ingest.reindex import forget, read_memories, reindex

        self._opened.require()
        embedder = self._opened.embedder()
        embedder.ready()
        if again:
            forget(self._acting.writer(), embedder)
        read = reindex(
            self._acting.writer(), embedder, progress, newest, outdated=self._opened.is_outdated
        )
        reader = self._opened.contextual()
        return max(read, read_memories(self._acting.writer(), reader, progress))

    def warm(self, progress: "Progress | None", newest: int | None) -> "Warmed":
        """Computes missing vectors of the `newest` entries, and contextual vectors of some passages.

        Then judges the pairs of memories that wait for it. Loads no model if the store is empty.
        """
        from bowerbird.core.health import Warmed
        from bowerbird.ingest.reindex import read_passages
        from bowerbird.verbs.keeping import Keeping

        self._opened.require()
        entries = self._acting.writer().entries
        read = self.reindex(progress, newest) if entries.total() else 0
        if entries.total():
            read_passages(self._acting.writer(), self._opened.contextual())
        Keeping(self._config, self._opened, self._reach, self._acting).judge_later()
        return Warmed(read, entries.total())

    def build_index(self, progress: "Progress | None") -> int | None:
        """Builds the HNSW index beside the store, if the store has vectors of the current model."""
        store = self._opened.reader()
        model = store.model_row(self._opened.embedder().identity)
        return None if model is None else store.upkeep.build_index(model, progress)

    def cache_state(self) -> "CacheState":
        """The size of the vector cache; empty without a store."""
        self._acting.who.require_local("cache")
        from bowerbird.core.errors import StoreMissing
        from bowerbird.core.health import CacheState

        most = self._config["cache.max_entries"]
        try:
            with self._opened.reading() as store:
                return store.embeddings(most).state()
        except StoreMissing:
            return CacheState(max_entries=most)

    def prune_cache(self, before: int | None) -> int:
        """Removes cached vectors unused since `before`, or all. Returns how many."""
        self._acting.who.require_local("cache")
        if before is None:
            self._opened.asked.clear()
        if not self.cache_state().vectors:
            return 0
        return self._opened.freeing(lambda: self._prune_cache(before))

    def _prune_cache(self, before: int | None) -> int:
        from bowerbird.verbs.vector_pruning import emptied

        most = self._config["cache.max_entries"]
        return emptied(self._acting.writer(), most, before, self._opened.path)
