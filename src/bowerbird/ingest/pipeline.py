"""From paths to entries: walk, see what changed, read, cut, embed, write."""

import time

from bowerbird.core.answers import Report, Skipped
from bowerbird.core.types import Document
from bowerbird.guard.redact import ALLOW_NOTHING
from bowerbird.ingest.batch import Batch, stoppable
from bowerbird.ingest.chunk import Size
from bowerbird.ingest.contents import read
from bowerbird.ingest.known import Known
from bowerbird.ingest.places import Places
from bowerbird.ingest.progress import told
from bowerbird.ingest.redacted import Redaction, read_safely
from bowerbird.ingest.walk import Walk, real_roots, reason

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bowerbird.core.config import Config
    from bowerbird.core.ports import Embedder, Progress, Store
    from bowerbird.core.types import Project
    from bowerbird.guard.redact import Allow
    from bowerbird.ingest.walk import Found


class Ingest:
    """Takes files and folders in. Knows nothing of where the store rests or which model reads."""

    def __init__(
        self,
        store: "Store",
        embedder: "Embedder",
        config: "Config",
        project_for: "Callable[[str], Project]",
        allow: "Allow" = ALLOW_NOTHING,
    ) -> None:
        self._allow = allow
        self._store = store
        self._embedder = embedder
        self._size = Size(config["index.chunk_tokens"], config["index.chunk_overlap"])
        self._most_bytes = config["index.max_megabytes"] * 1_000_000
        self._project_for = project_for

    def index(self, paths: list[str], progress: "Progress | None" = None) -> Report:
        """Bring the store to what the files say: new ones in, changed ones anew, gone ones out.

        `progress` is told in bytes. Raises BadInput for a path that does not exist, before anything
        is read, the store's errors, and Stopped for Ctrl-C; a file that cannot be taken in is skipped.
        """
        began = time.perf_counter()
        since = self._store.generation()
        roots = real_roots(paths)
        places = Places(self._project_for, roots)
        walk = Walk(self._store.path)
        files = [file for root in roots for file in walk.files(root, places.of(root).project.root)]
        for file in files:
            places.of_file(file.path)
        known = Known(self._store, [*roots, *walk.linked], places.projects())
        batch = Batch(self._store, self._embedder, since)
        step = _Step(places, known, batch, self._size, self._most_bytes, self._allow)
        with told(progress, sum(file.size for file in files)) as done, stoppable(batch):
            for file in files:
                step.take(file)
                done(file.size, file.path)
            step.drop(known.left(roots, walk, since))
            batch.write()
            batch.settle()
        report = step.report
        report.project = ", ".join(sorted({place.name for place in places.projects().values()}))
        report.skipped = (*walk.skipped, *step.skipped, *known.kept)
        report.redacted = dict(step.redaction.found)
        report.added, report.changed, report.removed = batch.added, batch.changed, batch.removed
        report.unchanged += batch.met
        report.passages = batch.passages
        report.embedded, report.unread = batch.embedded, batch.unread
        report.took_ms = (time.perf_counter() - began) * 1000
        return report


class _Step:
    """What is done with one file after the other, and the count of it."""

    def __init__(
        self,
        places: Places,
        known: Known,
        batch: Batch,
        size: Size,
        most_bytes: int,
        allow: "Allow",
    ) -> None:
        self.report = Report()
        self.skipped: list[Skipped] = []
        self._places = places
        self._known = known
        self._batch = batch
        self._size = size
        self._most_bytes = most_bytes
        self.redaction = Redaction(allow)

    def take(self, file: "Found") -> None:
        """Leave a file as it is known, put it in, or take it out because it is no text any more."""
        place = self._places.of_file(file.path)
        project = self._known.number(place.project)
        at_home = place.origin == "tool_internal"
        before = self._known.pop(project, file.path, at_home=at_home)
        if before is not None and before.surely_is(file):
            self.report.unchanged += 1
            return
        try:
            contents = read(file, self._most_bytes)
        except OSError as error:
            # It may hold what it held: what is known of it stays.
            self.skipped.append(Skipped(file.path, reason(error)))
            return
        if isinstance(contents, Skipped):
            self.skipped.append(contents)
            if before is not None:
                self.drop([(project, file.path)])
            return
        self.report.bytes_read += contents.size
        if before is not None and before.hash == contents.hash:
            self._batch.touch(project, file.path, contents.size, contents.modified)
            self.report.unchanged += 1
            return
        name = self._places.name_of(file.path)
        source, reading = read_safely(file.path, name, contents.text, self._size, self.redaction)
        document = Document(
            path=file.path,
            name=name,
            source=source,
            hash=contents.hash,
            size=contents.size,
            modified=contents.modified,
            title=reading.title,
            session=reading.session,
        )
        self._batch.replace(project, place, document, reading.pieces, new=before is None)
        self.report.unknown_records += reading.unknown

    def drop(self, gone: "list[tuple[int, str]]") -> None:
        """Take documents out, each named by the number of its project and its path."""
        for project, path in gone:
            self._batch.remove(project, path)
