"""Processes one file: leaves it, writes it, or removes its document."""

import os

from bowerbird.core.document import Document
from bowerbird.core.errors import PluginFailed
from bowerbird.core.origins import trust_of
from bowerbird.core.report import Report, Skipped
from bowerbird.host.places import kept_by_agent
from bowerbird.ingest.bounds import Meaning
from bowerbird.ingest.contents import read
from bowerbird.ingest.linking import outline_of
from bowerbird.ingest.redaction import Redaction, read_safely
from bowerbird.ingest.session_folder import session_folder
from bowerbird.ingest.trail import Trail, judged_by_folder
from bowerbird.ingest.walk import reason

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bowerbird.guard.redact import Allow
    from bowerbird.ingest.batch import Batch
    from bowerbird.ingest.chunk import Size
    from bowerbird.ingest.contents import Contents
    from bowerbird.ingest.file_project import FileProjects
    from bowerbird.ingest.known_files import Before, Known
    from bowerbird.ingest.sessions import Sessions
    from bowerbird.ingest.sources.reading import Part, Reading, Source
    from bowerbird.ingest.trail import ReadingFor
    from bowerbird.ingest.walk import Found

    BroughtIn = Callable[[str, Sequence[str]], bool]

# The origin of a file that a session brought in, or wrote after it had read text of others.
_FROM_OUTSIDE = "tool_external"


def nothing_brought_in(_path: str, _roots: "Sequence[str]") -> bool:
    """For where no session is known."""
    return False


class Step:
    """Processes one file after the other, and counts the results."""

    def __init__(
        self,
        file_projects: "FileProjects",
        known: "Known",
        batch: "Batch",
        sessions: "Sessions",
        size: "Size",
        most: int,
        allow: "Allow",
        reading_for: "ReadingFor" = judged_by_folder,
        brought_in: "BroughtIn" = nothing_brought_in,
        sources: "Sequence[Source]" = (),
    ) -> None:
        """`reading_for` returns what judges the calls of a session that was held in a folder.

        `brought_in` says of a file whether a session brought it in from outside. `sources` are readers
        of packages, which are asked before the built-in ones.
        """
        self._sources = sources
        self._reading_for = reading_for
        self._brought_in = brought_in
        self.report = Report()
        self.skipped: list[Skipped] = []
        self._file_projects, self._known, self._batch = file_projects, known, batch
        self._sessions = sessions
        self._size = size
        self._most_bytes = most
        self.redaction = Redaction(allow)

    def take(self, file: "Found") -> None:
        """Leaves a file that is unchanged, else writes it, or removes it if it is no text any more."""
        assigned = self._file_projects.of_file(file.path)
        project = self._known.number(assigned.project)
        origin = assigned.origin(file.owner)
        if self._brought_in(file.path, (assigned.project.root or "",)):
            origin = _FROM_OUTSIDE
        before = self._known.pop(project, file.path, at_home=assigned.at_home)
        if before is not None and before.trust not in (None, trust_of(origin)):
            # Turns of a transcript differ in trust: where that of the file changes, it is read again.
            before = before.unread() if kept_by_agent(file.path) else before
        parts = self._known.parts(project, file.path)
        if before is not None and before.surely_is(file):
            self._stays(project, {**parts, file.path: before}, origin)
            return
        try:
            contents = read(file, self._most_bytes)
        except OSError as error:
            # It may be unchanged, so its document stays.
            self.skipped.append(Skipped(file.path, reason(error)))
            return
        if isinstance(contents, Skipped):
            self.skipped.append(contents)
            self.drop((project, path) for path in (file.path, *parts) if before is not None)
            return
        self.report.bytes_read += contents.size
        if before is not None and before.hash == contents.hash:
            self._batch.touch(project, file.path, contents.size, contents.modified)
            self._stays(project, {**parts, file.path: before}, origin)
            return
        try:
            self._index(file, contents, project, origin, before, parts)
        except PluginFailed as error:
            # Its document stays as it is, and the other files are read.
            self.skipped.append(Skipped(file.path, f"{error.message}; {error.remedy}"))

    def _index(
        self,
        file: "Found",
        contents: "Contents",
        project: int,
        origin: str,
        before: "Before | None",
        parts: "dict[str, Before]",
    ) -> None:
        """Reads a file and writes its documents. Raises PluginFailed."""
        # The path is not redacted: it has to lead to the file.
        name = self.redaction(self._file_projects.name_of(file.path))
        trail = Trail(file.path, _folder_of, self._reading_for, len(contents.text))
        source, reading = read_safely(
            file.path, name, contents.text, self._size, self.redaction, trail, self._sources
        )
        reading = self._known.without_erased(file.path, reading)
        document = Document(
            path=file.path,
            name=name,
            source=source,
            hash=contents.hash,
            size=contents.size,
            modified=contents.modified,
            title=reading.title,
            session=reading.session,
            tags=reading.tags,
            outline=outline_of(reading, source),
        )
        fuller, lesser = self._sessions.settled(project, document, reading.pieces)
        if fuller:
            self.skipped.append(Skipped(file.path, f"the session of {fuller}, which holds as much"))
            self.drop((project, path) for path in (file.path, *parts) if before is not None)
            return
        if left_out := contents.cut or reading.left_out:
            self.report.cut += (Skipped(file.path, left_out),)
        meaning = Meaning(len(contents.text))
        self._take_parts(project, origin, document, reading.parts, parts, meaning)
        # After its parts: a file whose hash is stored is not read again, and a run may stop anywhere.
        self._put(project, origin, document, reading, before, meaning, lesser)
        for left_out in filter(None, (meaning.left_out, trail.left_out)):
            self.report.cut += (Skipped(file.path, left_out),)

    def _stays(self, project: int, known: "dict[str, Before]", origin: str) -> None:
        for path, before in known.items():
            self._batch.update_trust(project, path, before.trust, origin)
        self.report.unchanged += len(known)

    def _put(
        self,
        project: int,
        origin: str,
        document: Document,
        reading: "Reading",
        before: "Before | None",
        meaning: Meaning,
        instead_of: "Sequence[str]" = (),
    ) -> None:
        kept, carrying = meaning.of(reading.pieces)
        self._batch.replace(
            project,
            origin,
            document,
            reading.pieces[:kept],
            carrying,
            new=before is None,
            instead_of=instead_of,
        )
        self.report.unknown_records += reading.unknown

    def _take_parts(
        self,
        project: int,
        origin: str,
        whole: Document,
        parts: "Iterable[Part]",
        known: "dict[str, Before]",
        meaning: Meaning,
    ) -> None:
        """Updates the documents of a collection to its current content."""
        for part in parts:
            path = os.path.join(whole.path, part.key)
            before = known.pop(path, None)
            if before is not None and before.hash == part.hash:
                self._stays(project, {path: before}, origin)
                continue
            reading = self._known.without_erased(path, part.reading)
            document = whole.replace(
                path=path,
                name=os.path.join(whole.name, part.key),
                hash=part.hash,
                size=part.size,
                title=reading.title,
                session=reading.session,
                outline=None,
            )
            self._put(project, origin, document, reading, before, meaning)
            if left_out := reading.left_out:
                self.report.cut += (Skipped(path, left_out),)
        self.drop((project, path) for path in known)

    def drop(self, gone: "Iterable[tuple[int, str]]") -> None:
        """Removes documents, each given by project id and path."""
        for project, path in gone:
            self._batch.remove(project, path)


def _folder_of(path: str) -> str:
    """The folder in which the session of a transcript was held, else the transcript's own."""
    found = session_folder(path)
    return found.folder if found is not None else os.path.dirname(path)
