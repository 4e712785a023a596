"""Ports to indexed files, projects, and vectors."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol

from bowerbird.core.document import Incoming
from bowerbird.core.health import CacheState
from bowerbird.core.ports.graph import Graph
from bowerbird.core.types import ModelIdentity, Project, Vector


class Documents(Protocol):
    """Stores indexed files. Knows nothing of where their text came from or how it was split."""

    @property
    def graph(self) -> Graph:
        """The graph of source code."""
        ...

    def known(
        self, under: str
    ) -> dict[tuple[int, str], tuple[bytes, int, int, int, int, str | None]]:
        """Project and path to hash, size, modified and indexed times, generation, and trust."""
        ...

    def begin(self, key: str) -> int:
        """Record once the generation from which something holds, and return the recorded one."""
        ...

    def at(self, path: str, end: str) -> list[tuple[int, str, str]]:
        """Number, path and project of the documents at a path, else of those whose path ends in `end`."""
        ...

    def same(self, hash: bytes, size: int, projects: Sequence[str]) -> list[str]:
        """The paths of documents with this content in some projects."""
        ...

    def sessions(self) -> list[tuple[int, str, str]]:
        """Project, session and path of every document that belongs to a session."""
        ...

    def opening(self, project: int, path: str) -> tuple[bytes, int, tuple[int, int]] | None:
        """Hash and time of a document's first passage, then its number of passages and characters."""
        ...

    def replace_all(self, incoming: Sequence[Incoming], model: int) -> None:
        """Replace documents by their new versions."""
        ...

    def set_trust(self, project: int, path: str, origin: str, trust: str) -> bool:
        """Change origin and trust of a document's passages; False if there is no such document."""
        ...

    def touch(self, project: int, path: str, size: int, modified: int) -> None:
        """Record that a file was seen again with the same content."""
        ...

    def remove(self, project: int, path: str) -> bool:
        """Delete a document; False if there is none."""
        ...

    def drop_turns(self, rows: Collection[int]) -> None:
        """Delete passages, with all that begin on the same lines of their files.

        Inside a transaction.
        """
        ...

    def merge(self, *, begin: bool) -> bool:
        """Start or continue to merge the full-text indexes, one step; whether anything was left to do."""
        ...


class Projects(Protocol):
    """Stores projects with their aliases. Knows nothing of repositories."""

    def row(self, uid: str) -> int | None:
        """The local number of a project, or None."""
        ...

    def all(self) -> Sequence[Project]:
        """Every project that the store knows."""
        ...

    def shared(self) -> bool:
        """Whether others than the store's owner use it."""
        ...

    def commit(self, projects: Sequence[str]) -> str:
        """The commit that was checked out at the last write for one of these projects."""
        ...

    def known_as(self, aliases: Sequence[str]) -> Sequence[tuple[str, str, str]]:
        """Uid, alias and commit of the projects with one of these aliases, the latest first."""
        ...

    def without_remote(self) -> Sequence[tuple[str, str, str]]:
        """Uid, path and commit of the projects that have no remote among their aliases."""
        ...

    def recorded(self, project: Project) -> int | None:
        """The local number of a project if all its aliases are stored, else None."""
        ...

    def ensure(self, project: Project, known: int | None = None) -> int:
        """The local number of a project, stored with its aliases if new."""
        ...

    def pruned(self) -> dict[str, tuple[int, dict[str, int]]]:
        """When each project was pruned last, and what left it then: how many by outcome."""
        ...

    def unresolved_documents(self, projects: Sequence[str], reader: str = "") -> int:
        """How many documents of some projects, or of one reader there, have edges to be resolved yet."""
        ...

    def note_pruned(self, now: int, left: Mapping[str, Mapping[str, int]]) -> None:
        """Record that the projects in `left` were pruned, and what left each."""
        ...


class Vectors(Protocol):
    """Finds entries without a vector of one model. Knows nothing of how vectors are computed."""

    def unread(self, model: int, after: int = 0) -> int:
        """How many there are after a row."""
        ...

    def before_newest(self, count: int) -> int:
        """The row after which the `count` newest entries follow."""
        ...

    def next_unread(self, model: int, limit: int, after: int) -> tuple[Sequence[Any], int]:
        """Some after a row with `text`, `context` and `speaker`, and the last row."""
        ...

    def unread_of(self, model: int, rows: Sequence[int]) -> Sequence[Any]:
        """Those of some memories without a vector of this model."""
        ...

    def write(self, read: Sequence[Any], vectors: Sequence[Vector], model: int) -> int:
        """Store the vectors of entries whose text is unchanged; how many those were."""
        ...

    def forget(self, model: int, limit: int) -> bool:
        """Delete some of this model's vectors; whether that was all."""
        ...

    def dims_of(self, provider: str, name: str, revision: str) -> int:
        """The dimensions of a model's newest vectors; 0 if there are none."""
        ...

    def others(self, model: int) -> bool:
        """Whether the store has vectors of any other model."""
        ...

    def drop_others(self, model: int, limit: int) -> bool:
        """Delete some of every other model's vectors; whether that was all."""
        ...

    def expect(self, model: int | None) -> None:
        """Protect the vectors of a model that is to replace the present one; None ends that."""
        ...

    def expected(self) -> int:
        """The model whose vectors are protected; 0 if there is none."""
        ...

    def stamp(self) -> ModelIdentity | None:
        """The model of the newest vectors, the protected one apart; None if there are none."""
        ...

    def counts(self, model: int | None) -> tuple[int, int, int]:
        """Vectors of this model, entries without one, and vectors of other models."""
        ...


class Cached(Protocol):
    """Cache of vectors from embedding servers. Knows nothing of entries."""

    def known(self, model: str, hashes: Collection[bytes]) -> dict[bytes, Vector]:
        """The cached ones among these, by the hash of their text."""
        ...

    def keep(self, model: str, vectors: Mapping[bytes, Vector], used: Collection[bytes]) -> None:
        """Cache some, and record which were used."""
        ...

    def state(self) -> CacheState:
        """How many are cached, and of which models."""
        ...

    def prune(self, before: int | None, most: int = -1) -> int:
        """Delete up to `most` vectors last used before a time in UTC milliseconds (None: any)."""
        ...
