"""Ports that a query reads."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from bowerbird.core.life import Life
from bowerbird.core.query import Filter
from bowerbird.core.types import Entry, Facts, Link, Vector


class CandidateSource(Protocol):
    """Retrieves rows by one signal each. Knows nothing of fusion, texts or thresholds."""

    def lexical(
        self, phrases: Sequence[str], filter: Filter, limit: int, beside: Sequence[str] = ()
    ) -> list[tuple[int, float]]:
        """Rows that contain any of some phrases, with BM25, best first.

        With `beside`, only rows that also contain any of those phrases, scored by all.
        """
        ...

    def containing(self, word: str, filter: Filter, limit: int) -> Sequence[Entry]:
        """The best entries by words that contain a word in any form."""
        ...

    def passes_all(self, filter: Filter) -> bool:
        """Whether every entry passes the filter."""
        ...

    def row_counts(self, phrases: Sequence[str]) -> list[int]:
        """In how many rows each phrase occurs in any form, whatever the filter."""
        ...

    def dense(
        self, vector: Vector, model: int, filter: Filter, limit: int, entries: int
    ) -> list[tuple[int, float]]:
        """The nearest rows with cosines, best first; `entries` is the size of the store."""
        ...

    def tier(self, entries: int, model: int | None) -> str:
        """The search method for the nearest vectors of a model in a store of this many entries."""
        ...

    def cosines(self, vector: Vector, model: int, rows: Sequence[int]) -> dict[int, float]:
        """Cosines of given rows."""
        ...

    def wholes(
        self, words: Sequence[str], wanted: Collection[int]
    ) -> tuple[list[tuple[int, float]], list[int], int]:
        """Whole documents: BM25 by document, document counts by word, and the number of documents."""
        ...

    def around(
        self, rows: Sequence[int], cosines: Mapping[int, float], vector: Vector | None, model: int
    ) -> tuple[list[tuple[int, int, float]], dict[int, float], dict[int, float]]:
        """Which of some rows are neighbours, how close; and the similarity of each neighbourhood.

        The latter is the cosine with the row's neighbourhood and, separately, the sum of the cosines,
        weighted by closeness, with the neighbours that `cosines` lacks.
        """
        ...

    def adjacent(self, rows: Sequence[int]) -> tuple[list[tuple[int, int, int]], set[int]]:
        """Pairs of some rows that are near in one document, and the rows that are program code.

        A pair is a row, a later one, and how many passages that comes after it: at most WIDTH.
        """
        ...

    def facts(self, rows: Sequence[int]) -> Facts:
        """The facts that ranking needs of some rows, in one read."""
        ...

    def histories(
        self, memories: Sequence[int], starts: Collection[int], filter: Filter
    ) -> tuple[list[tuple[int, int, float]], dict[int, Life]]:
        """Relations of those memories that are in `starts`, and age and use of all of them.

        A relation is a memory, a related memory that passes the filter, and the strength; age and use
        are also of those.
        """
        ...

    def speaking_of(
        self, names: Sequence[str], filter: Filter, limit: int
    ) -> list[tuple[int, float]]:
        """Passages of code that call, import or refer to one of some names, with the confidence."""
        ...

    def about(self, files: Sequence[str], filter: Filter, limit: int) -> list[int]:
        """Memories anchored to a file, given by its path or the end of it, the most important first."""
        ...


class Words(Protocol):
    """Reads in how many entries words occur. Knows nothing of queries."""

    @property
    def whole(self) -> bool:
        """Whether the word indexes held every entry at the last `counted`; not while they are rebuilt."""
        ...

    def totals(self) -> tuple[int, int]:
        """Entries, and the sum of all words' counts."""
        ...

    def counts(self, terms: Iterable[str]) -> dict[str, int]:
        """In how many entries each word occurs; absent words are omitted."""
        ...

    def counted(self, terms: Iterable[str], filter: Filter) -> tuple[dict[str, int], int, int]:
        """The counts of some words and both totals, in one read.

        What a query with a filter needs to know of the whole store may be read along.
        """
        ...

    def known_forms(
        self, terms: Iterable[str], others: Iterable[str] = ()
    ) -> tuple[set[str], dict[str, int]]:
        """The words of which some entry contains a form with the same stem; and the counts of others."""
        ...

    def beginning_with(self, letter: str, shortest: int, longest: int) -> dict[str, int]:
        """Words by first letter and length, with counts."""
        ...

    def starting(self, beginnings: Sequence[str]) -> dict[str, int]:
        """For each prefix, the summed counts of the words that begin with it."""
        ...


class Entries(Protocol):
    """Reads whole entries. Knows nothing of ranking."""

    def load(self, rows: Sequence[int]) -> dict[int, Entry]:
        """Entries by row."""
        ...

    def following(self, rows: Sequence[int], count: int, filter: Filter) -> dict[int, Entry]:
        """The next passages after some rows, in their documents, that pass a filter, by row."""
        ...

    def get(self, id: str, projects: tuple[str, ...] | None = None) -> list[Entry]:
        """Entries by id or its first characters, optionally of some projects only."""
        ...

    def named(self, ids: Sequence[str], projects: tuple[str, ...] | None) -> list[Entry]:
        """Entries of some projects by their whole ids."""
        ...

    def saying(
        self,
        hash: bytes,
        projects: Sequence[str],
        now: int,
        states: Sequence[str],
        also: Sequence[str] = (),
        author: str = "",
    ) -> Entry | None:
        """The memory with a normal form; one in a state of `also` only if there is no other.

        If an `author` says it, not that of another author.
        """
        ...

    def said(self, hashes: Sequence[bytes]) -> set[bytes]:
        """Those normal forms that any memory has."""
        ...

    def removed(self, id: str) -> tuple[str, str] | None:
        """The id of a deleted memory, and why it was deleted."""
        ...

    def at(self, document: int, line: int) -> Entry | None:
        """The passage of a document that contains a line; None after its last."""
        ...

    def links(self, rows: Sequence[int], filter: Filter) -> list[Link]:
        """The relations of some rows to memories on the same subject that pass the filter."""
        ...

    def touching(self, rows: Sequence[int]) -> list[tuple[int, int, float]]:
        """Row, passage that it depends on or that depends on it, and the strength of the dependency."""
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

    def anchors(self, projects: Sequence[str]) -> set[tuple[Any, ...]]:
        """The anchors of the active memories of some projects: the project, and the anchor as stored."""
        ...

    def anchored(self, projects: Sequence[str]) -> int:
        """How many active memories of some projects have anchors."""
        ...

    def anchored_to(self, projects: Sequence[str], anchors: set[tuple[Any, ...]]) -> list[int]:
        """The active memories of some projects that have one of some anchors, by row."""
        ...

    def texts(self) -> Iterator[tuple[str, str]]:
        """The whole text of each entry and of each older version, with its id."""
        ...

    def list(self, filter: Filter, limit: int, offset: int = 0) -> list[Entry]:
        """Entries that pass a filter, newest first."""
        ...
