"""The seams between the rooms, imported for type checking only."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from bowerbird.core.clock import Clock
from bowerbird.core.history import Change, Relation, Version
from bowerbird.core.life import Life
from bowerbird.core.memories import Belief, Details, Fields
from bowerbird.core.query import Filter
from bowerbird.core.types import Entry, Facts, Incoming, ModelIdentity, Project, Vector
from bowerbird.core.upkeep import Aging, Audit, Contextual, Vectors


class Embedder(Protocol):
    """Turns texts into vectors. Knows nothing of stores, entries or projects."""

    # Whether it reads whole sentences, as they were written, rather than words each for itself.
    sentences: bool

    @property
    def identity(self) -> ModelIdentity:
        """Who makes the vectors. Raises ModelError where nobody knows yet."""
        ...

    def ready(self) -> None:
        """Make sure that the identity is known. Raises ModelError."""
        ...

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector a text, in order."""
        ...

    def embed_query(self, text: str, word_weight: Callable[[str], float] | None = None) -> Vector:
        """The vector of a question; `word_weight` gives each folded word its weight (0 to 1)."""
        ...


class Candidates(Protocol):
    """Nominates rows by one signal each. Knows nothing of fusion, texts or thresholds."""

    def lexical(
        self, phrases: Sequence[str], filter: Filter, limit: int
    ) -> list[tuple[int, float]]:
        """Rows that hold any of some phrases, with BM25, best first."""
        ...

    def dense(
        self, vector: Vector, model: int, filter: Filter, limit: int, entries: int
    ) -> list[tuple[int, float]]:
        """Rows with cosines, best first."""
        ...

    def cosines(self, vector: Vector, model: int, rows: Sequence[int]) -> dict[int, float]:
        """Cosines of given rows."""
        ...

    def wholes(
        self, words: Sequence[str], wanted: Collection[int]
    ) -> tuple[list[tuple[int, float]], list[int], int]:
        """Some documents as wholes: BM25 by document, counts by word, and how many there are."""
        ...

    def around(
        self, rows: Sequence[int], cosines: Mapping[int, float], vector: Vector | None, model: int
    ) -> tuple[list[tuple[int, int, float]], dict[int, float], dict[int, float]]:
        """Who of some rows stands beside whom, how closely; and what a vector finds around each.

        That is its cosine with the row's neighbourhood and, apart, the sum of its cosines, by closeness,
        with those neighbours that `cosines` leaves out.
        """
        ...

    def positions(self, rows: Sequence[int]) -> tuple[dict[int, int], set[int]]:
        """The positions of those of some rows that are passages, and those that are program code."""
        ...

    def facts(self, rows: Sequence[int]) -> Facts:
        """What ranking asks of some rows, in one reading."""
        ...

    def related(self, rows: Sequence[int], filter: Filter) -> list[tuple[int, int, float]]:
        """Memory, related memory that passes the filter, and the strength between them."""
        ...

    def lives(self, rows: Sequence[int]) -> dict[int, Life]:
        """What time and use made of those that are memories."""
        ...


class Words(Protocol):
    """Counts entries by word. Knows nothing of queries."""

    def totals(self) -> tuple[int, int]:
        """Entries, and the sum of all words' counts."""
        ...

    def counts(self, terms: Iterable[str]) -> dict[str, int]:
        """In how many entries each word stands; absent ones are left out."""
        ...

    def counted(self, terms: Iterable[str]) -> tuple[dict[str, int], int, int]:
        """The counts of some words and both totals, in one reading."""
        ...

    def holds_form_of(self, term: str) -> bool:
        """Whether any entry holds a word of the same stem."""
        ...

    def beginning_with(self, letter: str, shortest: int, longest: int) -> dict[str, int]:
        """Words by first letter and length, with counts."""
        ...

    def starting(self, beginnings: Sequence[str]) -> dict[str, int]:
        """How often words stand in entries that begin so."""
        ...


class Entries(Protocol):
    """Reads whole entries. Knows nothing of ranking."""

    def load(self, rows: Sequence[int]) -> dict[int, Entry]:
        """Entries by row."""
        ...

    def get(self, id: str, projects: tuple[str, ...] | None = None) -> list[Entry]:
        """Entries by id or the start of one, of some projects alone where they are given."""
        ...

    def removed(self, id: str) -> tuple[str, str] | None:
        """The id and the end of a memory that is there no more."""
        ...

    def at(self, document: int, line: int) -> Entry | None:
        """The passage of a document that holds a line; None after its last."""
        ...

    def list(self, filter: Filter, limit: int, offset: int = 0) -> list[Entry]:
        """Entries that pass a filter, newest first."""
        ...


class Documents(Protocol):
    """Keeps indexed files. Knows nothing of where their text came from or how it was cut."""

    def known(
        self, under: str
    ) -> dict[tuple[int, str], tuple[bytes, int, int, int, int, str | None]]:
        """Project and path to hash, size, modified and indexed times, generation, and trust."""
        ...

    def at(self, path: str, end: str) -> list[tuple[int, str, str]]:
        """Number, path and project of the documents at a path, else of those that end so."""
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


class Memories(Protocol):
    """Keeps beliefs and their versions. Knows nothing of how a draft was judged."""

    def same_text(
        self, projects: Sequence[int], hash: bytes, states: Sequence[str], now: int
    ) -> int | None:
        """The row of the memory with the same normal form."""
        ...

    def add(
        self, project: int, belief: Belief, vector: Vector, model: int | None, change: Change
    ) -> str:
        """Write a new memory; its id. Where no model has read it (None), it waits to be read."""
        ...

    def revise(self, id: str, fields: Fields, change: Change) -> Version:
        """Give a memory other fields, as a new version."""
        ...

    def touch(self, id: str) -> None:
        """Note that a memory was told again."""
        ...

    def head(self, id: str) -> Version:
        """The version that a memory stands at."""
        ...

    def version(self, version: str) -> Version | None:
        """One version."""
        ...

    def versions(self, id: str) -> tuple[Version, ...]:
        """All versions of a memory, oldest first."""
        ...

    def details(self, rows: Sequence[int]) -> dict[int, Details]:
        """What only memories have, by row."""
        ...


class Relations(Protocol):
    """Keeps how memories hang together. Knows nothing of what they say."""

    def get(self, source: str, target: str, kind: str) -> Relation | None:
        """One relation."""
        ...

    def of(self, id: str) -> tuple[Relation, ...]:
        """The relations from and to a memory."""
        ...

    def parse(self, text: str | None) -> Relation | None:
        """A relation as the audit kept it."""
        ...

    def put(self, relation: Relation, change: Change) -> None:
        """Write a relation."""
        ...

    def remove(self, relation: Relation, change: Change) -> None:
        """Take a relation away."""
        ...


class Projects(Protocol):
    """Keeps projects and the names they go by. Knows nothing of repositories."""

    def row(self, uid: str) -> int | None:
        """The local number of a project, or None."""
        ...

    def all(self) -> Sequence[Project]:
        """Every project that the store knows."""
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

    def ensure(self, project: Project) -> int:
        """The local number of a project, written down with its aliases."""
        ...


class Store(Protocol):
    """One open store. Knows nothing of configuration or of who asks."""

    path: str
    clock: Clock

    @property
    def damaged(self) -> set[int]:
        """The rows that could not be read, and were left out, since the last reading began."""
        ...

    @property
    def candidates(self) -> Candidates:
        """Rows by signal."""
        ...

    @property
    def words(self) -> Words:
        """Counts by word."""
        ...

    @property
    def entries(self) -> Entries:
        """Whole entries."""
        ...

    @property
    def vectors(self) -> Vectors:
        """Vectors and their renewal."""
        ...

    @property
    def contextual(self) -> Contextual:
        """What the contextual model read of memories."""
        ...

    @property
    def documents(self) -> Documents:
        """Indexed files."""
        ...

    @property
    def memories(self) -> Memories:
        """Curated beliefs."""
        ...

    @property
    def relations(self) -> Relations:
        """How they hang together."""
        ...

    @property
    def audit(self) -> Audit:
        """Who did what to them."""
        ...

    @property
    def aging(self) -> Aging:
        """What time did to them."""
        ...

    def transaction(self) -> AbstractContextManager[None]:
        """One writing transaction."""
        ...

    def rehearsal(self) -> AbstractContextManager[None]:
        """A writing transaction that is never kept."""
        ...

    def reading(self) -> AbstractContextManager[None]:
        """One moment of the store for all that is read inside."""
        ...

    @property
    def projects(self) -> Projects:
        """What entries belong to."""
        ...

    def ensure_model(self, identity: ModelIdentity) -> int:
        """The local number of a model, written down when new."""
        ...

    def model_row(self, identity: ModelIdentity) -> int | None:
        """The local number of a model, or None."""
        ...

    def generation(self) -> int:
        """Counts what was written, by anybody."""
        ...

    def expired_between(self, then: int, now: int) -> bool:
        """Whether a memory's day came in that time."""
        ...

    def meta(self, key: str) -> Any:
        """A fact about this file."""
        ...

    def tally(self, key: str) -> None:
        """Count one more of something."""
        ...


class Progress(Protocol):
    """Is told how far a long work has come. Knows nothing of terminals."""

    def start(self, what: str, total: int) -> None:
        """A work of `total` units begins."""
        ...

    def advance(self, units: int, label: str = "") -> None:
        """So many more units are done."""
        ...

    def finish(self) -> None:
        """The work is over, well or not."""
        ...
