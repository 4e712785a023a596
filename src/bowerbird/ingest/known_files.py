"""The documents that were stored before this run, to detect changed and deleted files."""

import os

from bowerbird.core.erased import erased_until
from bowerbird.core.report import Skipped
from bowerbird.core.value import Record
from bowerbird.guard.redact import ALLOW_NOTHING, redact
from bowerbird.host.places import project_of
from bowerbird.ingest.ignore import was_named
from bowerbird.ingest.sources.code import is_code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.core.ports.store import Store
    from bowerbird.core.types import Project
    from bowerbird.guard.redact import Allow
    from bowerbird.ingest.sources.reading import Reading
    from bowerbird.ingest.walk import Found, Walk

# A file that changed this shortly before it was indexed may have changed again with the same time stamp:
# two seconds are the coarsest clock of a file system in use (FAT). In milliseconds.
RACY = 2000


UNMOUNTED = (
    "empty since before it was indexed, as when a drive is not mounted: what is known of it stays;"
    " to drop that, remove the folder and index it again"
)


class Before(Record):
    """A document as it was indexed; times are UTC milliseconds, `generation` is the store's.

    `trust` is the highest of its passages; None if it has none.
    """

    hash: bytes
    size: int
    modified: int
    indexed: int
    generation: int
    trust: str | None

    def unread(self) -> "Before":
        """The same as of a file whose content is unknown."""
        return self.replace(size=-1, hash=b"")

    def surely_is(self, file: "Found") -> bool:
        """Whether size and time alone prove that a file is unchanged."""
        same = self.size == file.size and self.modified == file.modified
        return same and self.indexed - self.modified >= RACY

    def outlived(self, emptied: int) -> bool:
        """Whether this was indexed below a folder that has been empty since before then.

        Then the file was not deleted there, which would have changed the folder's time: something else
        was mounted.
        """
        return self.indexed - emptied >= RACY


class Known:
    """The stored documents at or below some paths, in all projects."""

    def __init__(
        self,
        store: "Store",
        paths: "Sequence[str]",
        projects: "dict[str, Project]",
        allow: "Allow" = ALLOW_NOTHING,
        *,
        again: bool = False,
        cut_since: int = 0,
    ) -> None:
        """With `again` no file counts as unchanged, nor does code that was written before `cut_since`."""
        self._store = store
        self._again = again
        self._cut_since = cut_since
        self.kept: list[Skipped] = []
        self._numbers = {uid: _number(store, project, allow) for uid, project in projects.items()}
        self._at_home: set[str] = set()
        self._erased: tuple[frozenset[tuple[str, str, int]], dict[str, int]] | None = None
        self._roots: dict[int, str] | None = None
        self._documents = {
            document: Before(*facts)
            for path in paths
            for document, facts in store.documents.known(path).items()
        }

        # Documents of a collection have paths below its path, like files below a folder.
        self._parts: dict[tuple[int, str], list[str]] = {}
        for project, path in self._documents:
            whole = (project, os.path.dirname(path))
            if whole in self._documents:
                self._parts.setdefault(whole, []).append(path)

    def without_erased(self, path: str, reading: "Reading") -> "Reading":
        """What was read of a file, without the turns that a person erased."""
        if not reading.session:
            return reading
        if self._erased is None:
            erasing = self._store.erasing
            self._erased = erasing.noted_turns(), erasing.noted_sessions()
        turns, sessions = self._erased
        until = erased_until(sessions, reading.session)
        name = transcript_of(path)
        kept = [
            piece
            for piece in reading.pieces
            if (reading.session, name, piece.start_line) not in turns
            and (not until or (piece.occurred or 0) > until)
        ]
        return reading if len(kept) == len(reading.pieces) else reading.replace(pieces=kept)

    def number(self, project: "Project") -> int:
        """The store's id of a project."""
        return self._numbers[project.uid]

    def pop(self, project: int, path: str, *, at_home: bool) -> Before | None:
        """Removes and returns what is known of a file; `at_home`: it is in the project's repository."""
        if at_home:
            self._at_home.add(path)
        before = self._documents.pop((project, path), None)
        if before is None:
            return None
        old = before.generation < self._cut_since and is_code(path)
        return before.unread() if old or self._again else before

    def parts(self, project: int, path: str) -> dict[str, Before]:
        """The documents of a collection, by path; they count as met."""
        parts = self._parts.pop((project, path), [])
        met = {part: self._documents.pop((project, part), None) for part in parts}
        return {
            part: before.replace(hash=b"") if self._again else before
            for part, before in met.items()
            if before is not None
        }

    def left(self, roots: "Sequence[str]", walk: "Walk", since: int) -> list[tuple[int, str]]:
        """The documents to remove, by project and path: those for which no file was met.

        Documents at or below what could not be read stay, and so do those that were once named themselves
        or found through a link and still exist. Those written since the generation `since`, when the walk
        began, stay too: another process found them, perhaps after the walk had passed. So do those below
        a folder that looks like an unmounted drive, which are reported in `kept`.

        Of projects that were not met, only those documents are removed that no longer exist, or whose
        place belongs to another project now; of the global one, those that are in a project's repository
        now.
        """
        return [
            (project, path)
            for (project, path), before in self._documents.items()
            if before.generation < since
            and path not in walk.unread
            and not any(_below(path, folder) for folder in walk.unread)
            and self._is_gone(project, path, roots)
            and not self._is_unmounted(path, before, walk)
        ]

    def _is_gone(self, project: int, path: str, roots: "Sequence[str]") -> bool:
        if project == 0 and path in self._at_home:
            return True
        if project in self._numbers.values():
            return not (os.path.isfile(path) and _was_named(path, roots))
        return not os.path.exists(path) or self._is_of_another(project, path)

    def _is_of_another(self, project: int, path: str) -> bool:
        """Whether the place of a file belongs to another project now.

        A project with a name given by the user has no place, and keeps its files.
        """
        if self._roots is None:
            every = self._store.projects.all()
            rows = ((self._store.projects.row(one.uid), one.root) for one in every)
            self._roots = {row: root for row, root in rows if row is not None and root}
        root = self._roots.get(project)
        if root is None or not _below(path, root):
            return False
        now = self._store.projects.row(project_of(path).uid)
        return now in self._numbers.values() and now != project

    def _is_unmounted(self, path: str, before: Before, walk: "Walk") -> bool:
        for folder, emptied in walk.empty.items():
            if _below(path, folder) and before.outlived(emptied):
                skipped = Skipped(folder, UNMOUNTED)
                if skipped not in self.kept:
                    self.kept.append(skipped)
                return True
        return False


def transcript_of(path: str) -> str:
    """The name of a transcript, also from the path of its archive."""
    return os.path.basename(path).removesuffix(".gz")


def _number(store: "Store", project: "Project", allow: "Allow") -> int:
    """The store's id of a project; only an unknown project costs a transaction."""
    known = store.projects.recorded(project)
    if known is not None:
        return known
    with store.transaction():
        return store.projects.ensure(project.replace(name=redact(project.name, allow).text))


def _was_named(path: str, roots: "Sequence[str]") -> bool:
    return all(was_named(path, root) for root in roots if _below(path, root))


def _below(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip(os.sep) + os.sep)
