"""The index pipeline: walk, detect changes, read, cut, embed, write."""

import time

from bowerbird.guard.redact import ALLOW_NOTHING
from bowerbird.ingest.batch import Batch, stoppable
from bowerbird.ingest.chunk import Size
from bowerbird.ingest.file_project import FileProjects, nobodys
from bowerbird.ingest.known_files import Known
from bowerbird.ingest.progress import reporting
from bowerbird.ingest.sessions import Sessions
from bowerbird.ingest.sources.code import CUT, Code
from bowerbird.ingest.step import Step, nothing_brought_in
from bowerbird.ingest.trail import judged_by_folder
from bowerbird.ingest.walk import Walk, real_roots

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bowerbird.core.config import Config
    from bowerbird.core.grounds import Grounds
    from bowerbird.core.ports.models import Embedder
    from bowerbird.core.ports.progress import Progress
    from bowerbird.core.ports.store import Store
    from bowerbird.core.report import Report
    from bowerbird.core.types import Project
    from bowerbird.guard.redact import Allow
    from bowerbird.ingest.sources.reading import Source
    from bowerbird.ingest.step import BroughtIn
    from bowerbird.ingest.trail import ReadingFor


class Ingest:
    """Indexes files and folders, independently of the backend and the embedder."""

    def __init__(
        self,
        store: "Store",
        embedder: "Embedder",
        config: "Config",
        project_for: "Callable[[str], Project]",
        allow: "Allow" = ALLOW_NOTHING,
        grounds_for: "Callable[[str], Grounds]" = nobodys,
        freeing: "Callable[[Callable[[], list[int]]], list[int]] | None" = None,
        session_project: "Callable[[str, str], Project | None] | None" = None,
        reading_for: "ReadingFor" = judged_by_folder,
        brought_in: "BroughtIn" = nothing_brought_in,
        sources: "Sequence[Source]" = (),
    ) -> None:
        """`reading_for` returns what judges the calls of a session that was held in a folder.

        `brought_in` says of a file whether a session brought it in from outside.
        `sources` are readers of packages, which are asked before the built-in ones.
        `session_project` returns the project of a session, given its folder and remote.
        """
        self._session_project = session_project
        self._sources = sources
        self._reading_for, self._brought_in = reading_for, brought_in
        self._allow, self._freeing = allow, freeing
        self._store, self._embedder = store, embedder
        self._size = Size(config["index.chunk_tokens"], config["index.chunk_overlap"])
        self._most_bytes = config["index.max_megabytes"] * 1_000_000
        self._project_for, self._grounds_for = project_for, grounds_for

    def index(
        self,
        paths: list[str],
        progress: "Progress | None" = None,
        *,
        again: bool = False,
        links: bool = False,
    ) -> "Report":
        """Updates the store to the files: adds new ones, replaces changed ones, removes deleted ones.

        With `again` unchanged ones are replaced too; with `links`, links are followed. `progress`
        receives bytes. Raises BadInput for a missing path before anything is read, the store's errors,
        and Stopped for Ctrl-C.
        """
        began = time.perf_counter()
        since = self._store.generation()
        roots = real_roots(paths)
        file_projects = FileProjects(
            self._project_for, self._grounds_for, roots, self._session_project
        )
        walk = Walk(self._store.path, self._store.sidecars, follow_links=links)
        files = [
            file for root in roots for file in walk.files(root, file_projects.of(root).project.root)
        ]
        walked = [*roots, *walk.linked]
        met, cut = file_projects.meet(files), self._cut_since()
        known = Known(self._store, walked, met, self._allow, again=again, cut_since=cut)
        batch = Batch(self._store, self._embedder, since, self._freeing)
        sessions = Sessions(self._store)
        step = Step(
            file_projects,
            known,
            batch,
            sessions,
            self._size,
            self._most_bytes,
            self._allow,
            self._reading_for,
            self._brought_in,
            self._sources,
        )
        with reporting(progress, sum(file.size for file in files)) as done, stoppable(batch):
            for file in files:
                step.take(file)
                done(file.size, file.path)
            step.drop(known.left(roots, walk, since))
            batch.write()
            batch.settle()
        report = step.report
        file_projects.fill(report)
        report.skipped = (*walk.skipped, *step.skipped, *known.kept)
        report.redacted = dict(step.redaction.found)
        batch.fill(report)
        report.took_ms = (time.perf_counter() - began) * 1000
        return report

    def _cut_since(self) -> int:
        """The generation since which code is cut as it is now: older code is read again."""
        key = f"reader {Code.name} {CUT}"
        known = self._store.meta(key)
        if known is not None:
            return int(known)
        with self._store.transaction():
            return self._store.documents.begin(key)
