"""What the store knew of the files before this run, to tell what changed and what is gone."""

import os

from bowerbird.core.value import Value
from bowerbird.ingest.ignore import was_named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.core.ports import Store
    from bowerbird.core.types import Project
    from bowerbird.ingest.walk import Found

# A file that changed this shortly before it was indexed may have changed again without its time
# telling: two seconds are the coarsest clock of a file system in use (FAT). In milliseconds.
_RACY = 2000


class Before(Value):
    """A document as it was indexed; times in UTC milliseconds."""

    __slots__ = ("hash", "indexed", "modified", "size")

    def __init__(self, hash: bytes, size: int, modified: int, indexed: int) -> None:
        self.hash = hash
        self.size = size
        self.modified = modified
        self.indexed = indexed

    def surely_is(self, file: "Found") -> bool:
        """Whether size and time alone show that a file holds what was indexed."""
        same = self.size == file.size and self.modified == file.modified
        return same and self.indexed - self.modified >= _RACY


class Known:
    """The documents at or below some paths, in every project that these paths lead to."""

    def __init__(
        self, store: "Store", roots: "Sequence[str]", projects: "dict[str, Project]"
    ) -> None:
        self._numbers = {uid: _number(store, project) for uid, project in projects.items()}
        self._documents = {
            (number, path): Before(*facts)
            for number in self._numbers.values()
            for root in roots
            for path, facts in store.documents.known(number, root).items()
        }

    def number(self, project: "Project") -> int:
        """The store's number of a project."""
        return self._numbers[project.uid]

    def pop(self, project: int, path: str) -> Before | None:
        """What is known of a file, which was met now."""
        return self._documents.pop((project, path), None)

    def left(
        self, roots: "Sequence[str]", unread: "Sequence[str]", since: int
    ) -> list[tuple[int, str]]:
        """The documents that no file was met for, by project and path: they are to go.

        Those at or below what could not be looked at stay, and so do those that were once named
        themselves and are still there. What was indexed after `since`, when the walk began, another
        process has met: the walk may have passed by before the file was there.
        """
        return [
            (project, path)
            for (project, path), before in self._documents.items()
            if before.indexed <= since
            and path not in unread
            and not any(_below(path, folder) for folder in unread)
            and not (os.path.isfile(path) and _was_named(path, roots))
        ]


def _number(store: "Store", project: "Project") -> int:
    """The store's number of a project; only an unknown one costs a transaction."""
    known = store.projects.recorded(project)
    if known is not None:
        return known
    with store.transaction():
        return store.projects.ensure(project)


def _was_named(path: str, roots: "Sequence[str]") -> bool:
    return all(was_named(path, root) for root in roots if _below(path, root))


def _below(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip(os.sep) + os.sep)
