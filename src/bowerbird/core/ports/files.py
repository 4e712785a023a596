"""Indexed files, what they belong to, and their vectors."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol

from bowerbird.core.health import CacheState
from bowerbird.core.ports.graph import Graph
from bowerbird.core.types import Incoming, Project, Vector


class Documents(Protocol):
    """Keeps indexed files. Knows nothing of where their text came from or how it was cut."""

    @property
    def graph(self) -> Graph:
        """What touches what in source code."""
        ...

    def known(
        self, under: str
    ) -> dict[tuple[int, str], tuple[bytes, int, int, int, int, str | None]]:
        """Project and path to hash, size, modified and indexed times, generation, and trust."""
        ...

    def begin(self, key: str) -> int:
        """Write down, once, that something is so from this generation on, and give that one."""
        ...

    def at(self, path: str, end: str) -> list[tuple[int, str, str]]:
        """Number, path and project of the documents at a path, else of those that end so."""
        ...

    def same(self, hash: bytes, size: int, projects: Sequence[str]) -> list[str]:
        """The paths of some projects' documents that hold this content."""
        ...

    def sessions(self) -> list[tuple[int, str, str]]:
        """Project, session and path of every document of one."""
        ...

    def opening(self, project: int, path: str) -> tuple[bytes, int, tuple[int, int]] | None:
        """Hash and time of the first passage of a document; how many it has, and characters."""
        ...

    def replace_all(self, incoming: Sequence[Incoming], model: int) -> None:
        """Put documents in the place of the old ones."""
        ...

    def believe(self, project: int, path: str, origin: str, trust: str) -> bool:
        """Give a document's passages another origin and trust; False if it is not there."""
        ...

    def touch(self, project: int, path: str, size: int, modified: int) -> None:
        """The same content was seen again."""
        ...

    def remove(self, project: int, path: str) -> bool:
        """Take a document out."""
        ...

    def merge(self, *, begin: bool) -> bool:
        """Begin to merge them, or go on; whether anything was left to do."""
        ...


class Projects(Protocol):
    """Keeps projects and the names they go by. Knows nothing of repositories."""

    def row(self, uid: str) -> int | None:
        """The local number of a project, or None."""
        ...

    def all(self) -> Sequence[Project]:
        """Every project that the store knows."""
        ...

    def commit(self, projects: Sequence[str]) -> str:
        """The commit that was checked out when something was last written for one of these."""
        ...

    def known_as(self, aliases: Sequence[str]) -> Sequence[tuple[str, str, str]]:
        """Uid, alias and commit of the projects with one of these aliases, the last known first."""
        ...

    def without_remote(self) -> Sequence[tuple[str, str, str]]:
        """Uid, place and commit of those that are known by places alone."""
        ...

    def recorded(self, project: Project) -> int | None:
        """The local number of a project of which everything is written down, or None."""
        ...

    def ensure(self, project: Project, known: int | None = None) -> int:
        """The local number of a project, written down with its aliases."""
        ...


class Vectors(Protocol):
    """Finds entries without a vector of one model. Knows nothing of how vectors are made."""

    def unread(self, model: int, after: int = 0) -> int:
        """How many there are behind a place."""
        ...

    def before_newest(self, count: int) -> int:
        """The row after which the last written stand, as many as asked for."""
        ...

    def next_unread(self, model: int, limit: int, after: int) -> tuple[Sequence[Any], int]:
        """Some behind a place with `text`, `context` and `speaker`, and where they end."""
        ...

    def write(self, read: Sequence[Any], vectors: Sequence[Vector], model: int) -> int:
        """Put the vectors of those that still say the same; how many those were."""
        ...

    def forget(self, model: int, limit: int) -> bool:
        """Forget some of this model's vectors; whether that was all."""
        ...

    def dims_of(self, provider: str, name: str, revision: str) -> int:
        """The dimensions of the vectors that a model made last; 0 where there are none."""
        ...

    def others(self, model: int) -> bool:
        """Whether the store knows any other model."""
        ...

    def drop_others(self, model: int, limit: int) -> bool:
        """Forget some of every other model's vectors; whether that was all."""
        ...

    def counts(self, model: int | None) -> tuple[int, int, int]:
        """Vectors of this model, entries that have none of it, and vectors of others."""
        ...


class Cached(Protocol):
    """Kept vectors of texts that a model behind a server has read. Knows nothing of entries."""

    def known(self, model: str, hashes: Collection[bytes]) -> dict[bytes, Vector]:
        """Those that are kept, by the hash of their texts."""
        ...

    def keep(self, model: str, vectors: Mapping[bytes, Vector], used: Collection[bytes]) -> None:
        """Keep some, and note which were used."""
        ...

    def state(self) -> CacheState:
        """How many there are, and of which models."""
        ...

    def prune(self, before: int | None, most: int = -1) -> int:
        """Remove vectors last used before a time in UTC milliseconds (None: any), up to a number."""
        ...
