"""From paths to entries: walk, see what changed, read, cut, embed, write."""

import time

from bowerbird.core.answers import Report, Skipped
from bowerbird.core.types import Document
from bowerbird.guard.redact import ALLOW_NOTHING
from bowerbird.ingest.batch import Batch, stoppable
from bowerbird.ingest.chunk import Size
from bowerbird.ingest.contents import read
from bowerbird.ingest.known import Known
from bowerbird.ingest.places import Places, nobodys
from bowerbird.ingest.progress import told
from bowerbird.ingest.redacted import Redaction, read_safely
from bowerbird.ingest.walk import Walk, real_roots, reason

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bowerbird.core.config import Config
    from bowerbird.core.grounds import Grounds
    from bowerbird.core.ports.models import Embedder
    from bowerbird.core.ports.progress import Progress
    from bowerbird.core.ports.store import Store
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
        grounds_for: "Callable[[str], Grounds]" = nobodys,
        freeing: "Callable[[Callable[[], list[int]]], list[int]] | None" = None,
    ) -> None:
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
    ) -> Report:
        """Bring the store to what the files say: new ones in, changed ones anew, gone ones out.

        With `again` unchanged ones too, with `links` what these lead to. `progress` is told bytes. Raises
        BadInput for a missing path before anything is read, the store's errors, and Stopped for Ctrl-C.
        """
        began = time.perf_counter()
        since = self._store.generation()
        roots = real_roots(paths)
        places = Places(self._project_for, self._grounds_for, roots)
        walk = Walk(self._store.path, follow_links=links)
        files = [file for root in roots for file in walk.files(root, places.of(root).project.root)]
        held = [*roots, *walk.linked]
        known = Known(self._store, held, places.meet(files), self._allow, again=again)
        batch = Batch(self._store, self._embedder, since, self._freeing)
        step = _Step(places, known, batch, self._size, self._most_bytes, self._allow)
        with told(progress, sum(file.size for file in files)) as done, stoppable(batch):
            for file in files:
                step.take(file)
                done(file.size, file.path)
            step.drop(known.left(roots, walk, since))
            batch.write()
            batch.settle()
        report = step.report
        places.tell(report)
        report.skipped = (*walk.skipped, *step.skipped, *known.kept)
        report.redacted = dict(step.redaction.found)
        batch.tell(report)
        report.took_ms = (time.perf_counter() - began) * 1000
        return report


class _Step:
    """What is done with one file after the other, and the count of it."""

    def __init__(
        self, places: Places, known: Known, batch: Batch, size: Size, most: int, allow: "Allow"
    ) -> None:
        self.report = Report()
        self.skipped: list[Skipped] = []
        self._places, self._known, self._batch = places, known, batch
        self._size = size
        self._most_bytes = most
        self.redaction = Redaction(allow)

    def take(self, file: "Found") -> None:
        """Leave a file as it is known, put it in, or take it out because it is no text any more."""
        place = self._places.of_file(file.path)
        project = self._known.number(place.project)
        origin = place.origin(file.owner)
        before = self._known.pop(project, file.path, at_home=place.at_home)
        if before is not None and before.surely_is(file):
            self._batch.believe(project, file.path, before.trust, origin)
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
            self.drop([(project, file.path)] if before is not None else [])
            return
        self.report.bytes_read += contents.size
        if before is not None and before.hash == contents.hash:
            self._batch.touch(project, file.path, contents.size, contents.modified)
            self._batch.believe(project, file.path, before.trust, origin)
            self.report.unchanged += 1
            return
        # The path alone stays as it is: it has to lead to the file.
        name = self.redaction(self._places.name_of(file.path))
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
        self._batch.replace(project, origin, document, reading.pieces, new=before is None)
        if told := contents.cut or reading.left_out:
            self.report.cut += (Skipped(file.path, told),)
        self.report.unknown_records += reading.unknown

    def drop(self, gone: "list[tuple[int, str]]") -> None:
        """Take documents out, each named by the number of its project and its path."""
        for project, path in gone:
            self._batch.remove(project, path)
