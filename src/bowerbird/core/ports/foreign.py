"""Ports to what came from outside and stayed on the disk."""

from collections.abc import Collection, Iterable, Sequence
from typing import Protocol

from bowerbird.core.foreign_file import ForeignFile


class ForeignFiles(Protocol):
    """The files that sessions brought in or wrote after reading text of others.

    Knows nothing of disks and of projects' places: a file is known by its project and its path there.
    """

    @property
    def any(self) -> bool:
        """Whether any file is recorded."""
        ...

    def found(self, name: str) -> Sequence[ForeignFile]:
        """The files and folders of that name, without the path before it, the last record last."""
        ...

    def note(self, files: Sequence[ForeignFile]) -> bool:
        """Record files; returns whether that was done."""
        ...


class Outside(Protocol):
    """What came from outside, inside the store. Knows nothing of side files' readers.

    Every writing transaction takes in first what was recorded beside the store.
    """

    def note_shown(self, reader: str, trust: str, at: int) -> None:
        """Record that a reader, by the hash of its name, was shown a trust. Inside a transaction."""
        ...

    def prune_shown(self) -> None:
        """Drop all but the last readers that were shown anything. Inside a transaction."""
        ...

    def files(self) -> list[ForeignFile]:
        """The files that came from outside and are not settled, oldest first."""
        ...

    def add(self, files: Iterable[ForeignFile]) -> None:
        """Store files. Inside a transaction."""
        ...

    def settle(self, files: Iterable[ForeignFile], now: int, how: str) -> int:
        """These files are the user's own from now on; their number. Inside a transaction."""
        ...

    def write_copy(self) -> None:
        """Tell those who ask without opening the store what is kept in it. Inside a transaction."""
        ...


class ForeignNames(Protocol):
    """The names that sessions of a project first heard from others. Knows nothing of texts."""

    @property
    def any(self) -> bool:
        """Whether there are any."""
        ...

    def known(self, project: str, names: Collection[str]) -> set[str]:
        """Those of some names that came to a project, by its uid, from others."""
        ...

    def add(self, project: int, names: Collection[str], at: int) -> None:
        """Store names, those of a project by its number. Inside a transaction."""
        ...

    def drop(self, project: int, names: Collection[str]) -> None:
        """These names are the user's own from now on. Inside a transaction."""
        ...
