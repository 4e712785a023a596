"""What a question reads of a store."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from bowerbird.core.life import Life
from bowerbird.core.query import Filter
from bowerbird.core.types import Entry, Facts, Link, Vector


class CandidateSource(Protocol):
    """Nominates rows by one signal each. Knows nothing of fusion, texts or thresholds."""

    def lexical(
        self, phrases: Sequence[str], filter: Filter, limit: int, beside: Sequence[str] = ()
    ) -> list[tuple[int, float]]:
        """Rows that hold any of some phrases, with BM25, best first.

        Where phrases `beside` them are given, only rows that hold any of those too, weighed by all.
        """
        ...

    def held_by(self, phrases: Sequence[str]) -> list[int]:
        """In how many rows each phrase stands in any form, whatever the filter."""
        ...

    def dense(
        self, vector: Vector, model: int, filter: Filter, limit: int, entries: int
    ) -> list[tuple[int, float]]:
        """Rows with cosines, best first."""
        ...

    def tier(self, entries: int, model: int | None) -> str:
        """How the nearest vectors of a model are found in a store with so many entries."""
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

    def speaking_of(
        self, names: Sequence[str], filter: Filter, limit: int
    ) -> list[tuple[int, float]]:
        """Passages of code that call, import or refer to what has one of some names, with how surely."""
        ...

    def linked(self, rows: Sequence[int], filter: Filter) -> list[Link]:
        """What memories that pass the filter say about the same as some rows, or said before."""
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

    def forms_held(self, terms: Iterable[str]) -> set[str]:
        """Those words of whose stem any entry holds a form."""
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

    def named(self, ids: Sequence[str], projects: tuple[str, ...]) -> list[Entry]:
        """Entries of some projects by their whole ids."""
        ...

    def saying(
        self,
        hash: bytes,
        projects: Sequence[str],
        now: int,
        states: Sequence[str],
        also: Sequence[str] = (),
    ) -> Entry | None:
        """The memory with a normal form; one in a state of `also` where no other has it."""
        ...

    def removed(self, id: str) -> tuple[str, str] | None:
        """The id and the end of a memory that is there no more."""
        ...

    def at(self, document: int, line: int) -> Entry | None:
        """The passage of a document that holds a line; None after its last."""
        ...

    def touching(self, rows: Sequence[int]) -> list[tuple[int, int, float]]:
        """Row, passage whose code it uses or that uses it, and how strongly they hang together."""
        ...

    def active(self) -> dict[tuple[str, str, str], int]:
        """How many active ones there are, by project, family and kind."""
        ...

    def total(self) -> int:
        """How many there are, whatever their state."""
        ...

    def documents(self, projects: Sequence[str]) -> int:
        """How many documents these projects have."""
        ...

    def average_importance(self, projects: Sequence[str]) -> float:
        """The mean importance of these projects' active memories; 0 where there are none."""
        ...

    def drawn(self, projects: Sequence[str]) -> Sequence[tuple[str, int, int, bool, int, int]]:
        """Path, size, modified time, whether resolved, nodes and edges of the files in the graph."""
        ...

    def anchored(self, projects: Sequence[str]) -> list[Entry]:
        """The memories of some projects in force that are tied to a file."""
        ...

    def texts(self) -> Iterator[tuple[str, str]]:
        """Everything that is written of each entry and of each older version, with its id."""
        ...

    def list(self, filter: Filter, limit: int, offset: int = 0) -> list[Entry]:
        """Entries that pass a filter, newest first."""
        ...
