"""Maintenance: keeping the index up to date with files and models."""

from bowerbird.core.errors import BadInput
from bowerbird.core.given import require_texts
from bowerbird.core.narrow import moment_of
from bowerbird.host.places import a_path
from bowerbird.wiring.verb_lock import in_turn

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Collection, Sequence
    from typing import Any

    from bowerbird.core.errors import BowerbirdError
    from bowerbird.core.health import CacheState, Warmed
    from bowerbird.core.model_choice import Fetched, Models
    from bowerbird.core.ports.progress import Progress
    from bowerbird.core.report import Report
    from bowerbird.core.types import Vector
    from bowerbird.verbs.root import Wiring


class Indexing:
    """Upkeep of the indexes: of files, words and vectors."""

    _wiring: "Wiring"

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
        require_texts((), "paths", paths, {})
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
    def build_index(self, *, progress: "Progress | None" = None) -> int | None:
        """Build the HNSW index beside a large store now; how many vectors it holds.

        Resident objects build it aside by themselves, and use it, from 2,000,000 entries on. None
        where there is nothing to build or another process is at it. Raises MissingExtra without
        usearch.
        """
        return self._wiring.indexing.build_index(progress)

    @in_turn
    def models(self, *, measure: bool = False) -> "Models":
        """The models that could embed, rerank or write here; `measure` embeds bundled texts with each."""
        return self._wiring.choosing.models(measure=measure)

    @in_turn
    def use_model(
        self,
        name: str,
        role: str = "",
        endpoint: str = "",
        *,
        wait: bool = False,
        progress: "Progress | None" = None,
    ) -> "Models":
        """Make a model that of its role (embed, rerank or write) in the user's configuration file.

        By a new embedder the store is embedded anew in the background, or here with `wait`; the present
        model answers meanwhile. `endpoint` is the address of its server, where it has to be named.

        Raises UnknownName, BadInput, BadConfig and ModelError.
        """
        return self._wiring.choosing.use(name, role, endpoint, progress, wait=wait)

    @in_turn
    def fetch_model(
        self, name: str, sha256: str = "", progress: "Progress | None" = None
    ) -> "Fetched":
        """Download a model, or the GGUF file at an address, and check it by its checksum.

        Raises BadInput, and ModelError if the download fails or is another file.
        """
        return self._wiring.choosing.fetch(name, sha256, progress)

    @in_turn
    def cache_state(self) -> "CacheState":
        """The cache of vectors from embedding servers."""
        return self._wiring.indexing.cache_state()

    @in_turn
    def prune_cache(self, *, older_than: str | None = None) -> int:
        """Removes cached vectors; returns how many. None: all of them.

        `older_than` is an age such as 30d: those not used for that long. Raises BadInput.
        """
        before = moment_of(older_than, self._wiring.now())
        return self._wiring.indexing.prune_cache(before)

    @in_turn
    def embed(self, texts: "Sequence[str]") -> "Sequence[Vector]":
        """The vectors of some texts, by the store's model."""
        return self._wiring.embedder().embed(texts)

    @in_turn
    def embed_query(self, text: str) -> "Vector":
        """The vector of a query, with equal weights for all words."""
        return self._wiring.embedder().embed_query(text)
