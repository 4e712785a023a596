"""What queries, lists and `status` return.

Times are UTC milliseconds, tokens as core.text counts them.
"""

from bowerbird.core.text import summarise
from bowerbird.core.value import Record, Remark, fresh

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from bowerbird.core.model_use import ModelRole
    from bowerbird.core.overview import Faded
    from bowerbird.core.trace import Trace
    from bowerbird.core.types import Entry
    from bowerbird.core.value import Note


# Characters of a row's text.
ROW_CHARS = 160


class Linked(Record):
    """Another memory on the same subject as a hit.

    `relation` is that of the hit: it `replaces` the other one, or is only `newer` or `older`. `text` is
    the other one's text, cut; empty if the other one is a hit of the same answer. `created` is when it
    got that text, `speaker` its author if that is a member of the team.
    """

    relation: str
    id: str
    kind: str
    text: str
    trust: str
    created: int
    speaker: str = ""
    TABLE = ("*", ("created", "moment"), ("speaker", "text-"))


class Hit(Record):
    """One answer.

    `score` orders this answer; `relevance` (0 to 1) is absolute and calibrated, and thresholds use it.
    `bm25`, `semantic` and `graph` are the measured parts: share of the achievable BM25, cosine, and what
    the entry's surroundings contributed (neighbours, document, speaker, time, relations). `text` is the
    whole passage, `snippet` at most 700 characters of it, and `part` the snippet unless that is the whole
    text, so that no answer contains a text twice. `matched` are its words that match the query. `also`
    lists other locations of the same text: each text is one hit. `linked` are other memories on the
    same subject, newest first. `recalled`: it is the digest of a session that the question asks for.
    """

    entry: "Entry"
    score: float
    relevance: float
    bm25: float
    semantic: float
    graph: float
    matched: tuple[str, ...]
    part: str = ""
    also: tuple[str, ...] = ()
    linked: tuple[Linked, ...] = ()
    recalled: bool = False
    TABLE = (
        ("id", "text"),
        ("family", "text", "entry.family"),
        ("kind", "text"),
        ("text", "text"),
        ("snippet", "text-", "part"),
        ("score", "score"),
        ("relevance", "score"),
        ("bm25", "score"),
        ("semantic", "score"),
        ("graph", "score"),
        ("path", "text?"),
        ("start_line", "whole?"),
        ("end_line", "whole?"),
        ("context", "text", "entry.context"),
        ("speaker", "text", "entry.speaker"),
        ("audience", "text-", "entry.audience"),
        ("session", "text", "entry.session"),
        ("project", "text", "entry.project"),
        ("trust", "text", "entry.trust"),
        ("tags", "texts", "entry.tags"),
        ("needs_review", "flag", "entry.review"),
        ("review", "text", "entry.review"),
        ("disputed", "text-", "entry.disputed"),
        ("created", "moment", "entry.created"),
        ("valid_from", "moment-", "entry.valid_from"),
        ("valid_to", "moment-", "entry.valid_to"),
        ("matched", "texts"),
        ("state", "text", "entry.state"),
        ("summary", "text-", "entry.gist"),
        ("importance", "score-", "entry.importance"),
        ("pinned", "flag", "entry.pinned"),
        ("reader", "text-", "entry.source"),
        ("ordinal", "whole", "entry.ordinal"),
        ("also_in", "texts-", "also"),
        ("linked", [Linked, "-"]),
        ("anchors", ["anchor", "-"], "entry.anchors"),
    )

    @property
    def id(self) -> str:
        """The entry's id, for `get`."""
        return self.entry.id

    @property
    def text(self) -> str:
        """The whole passage or memory."""
        return self.entry.text

    @property
    def snippet(self) -> str:
        """What shows why it was found: at most 700 characters of the text."""
        return self.part or self.entry.text

    @property
    def trusts(self) -> tuple[str, ...]:
        """The trust of the hit, and of each memory linked with it."""
        return (self.entry.trust, *(one.trust for one in self.linked))

    @property
    def path(self) -> str | None:
        """The file that contains the passage; None for a memory."""
        return self.entry.path

    @property
    def start_line(self) -> int | None:
        """First line of the passage, counted from 1; None for a memory."""
        return self.entry.start_line

    @property
    def end_line(self) -> int | None:
        """Last line of the passage, inclusive; None for a memory."""
        return self.entry.end_line

    @property
    def kind(self) -> str:
        """The kind of memory, or `passage`."""
        return self.entry.kind


# Of the questions that have an answer .89 (LoCoMo), .93 (BEAM) and .95 (XQuAD) get a hit of at least this
# relevance; of those without one .16, .26 and .27 (benchmarks/search.md, Questions without an answer).
CERTAIN = 0.3
# The kind of the note that no session is on record of the time that a question names.
NOTHING_THEN = "nothing_then"
# The same of a note that names the sessions of the time asked about that have no digest.
UNDIGESTED = "undigested"


class Hits(Record):
    """The answer to a query: a sequence of hits with the trace of how they were computed.

    `corrected` maps misspelt words of the query to the words that replaced them. `weak` counts the hits
    of low relevance that were left out because there are better ones. `unsure`: there are hits, and none
    of them is likely to be an answer.
    """

    query: str
    hits: tuple[Hit, ...]
    total_found: int
    took_ms: float
    model: str
    trace: "Trace"
    corrected: "dict[str, str]" = fresh(dict)
    weak: int = 0
    TABLE = (
        ("query", "text"),
        ("results", [Hit], "hits"),
        ("total_found", "whole"),
        ("weak", "whole"),
        ("unsure", "flag"),
        ("took_ms", "ms"),
        ("model_used", "text", "model"),
        ("corrected", "words"),
        ("degraded", "texts", "trace.degraded"),
        ("remarks", [Remark], "trace.remarks"),
    )

    @property
    def unsure(self) -> bool:
        """Whether there are hits, and even the most relevant one is below `CERTAIN`."""
        return bool(self.hits) and all(hit.relevance < CERTAIN for hit in self.hits)

    @property
    def notes(self) -> "tuple[Note, ...]":
        """What is to be said beside the hits: what degraded, what is missing."""
        return tuple(note for _, note in self.trace.notes)

    @property
    def nothing_then(self) -> str:
        """What the digests do not tell of the time asked about: its sessions, or that none is known.

        Empty if they tell it, or no time was asked for.
        """
        kinds = (NOTHING_THEN, UNDIGESTED)
        return next((note for note in self.notes if note.kind in kinds), "")

    def __iter__(self) -> "Iterator[Hit]":
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    def __getitem__(self, index: int) -> Hit:
        return self.hits[index]


# The orders of a list: by time, and memories by how sure they are, stated or by now, and by their uses.
SORTS = ("newest", "oldest", "confidence", "fading", "uses")


class Entries(list["Entry"]):
    """Some entries, with `notes` about them.

    `next` continues the list as `after`; empty at its end. `total` counts all that pass; None: not asked.
    """

    __slots__ = ("next", "notes", "total")

    def __init__(
        self,
        entries: "Iterable[Entry]" = (),
        notes: "tuple[Note, ...]" = (),
        next: str = "",
        total: int | None = None,
    ) -> None:
        super().__init__(entries)
        self.notes = notes
        self.next = next
        self.total = total

    def as_dict(self) -> "dict[str, Any]":
        """The entries as every interface serialises a list of them."""
        return Listed(self).as_dict()


class Row(Record):
    """An entry in a line of a list."""

    entry: "Entry"
    TABLE = (
        ("id", "text", "entry.id"),
        ("kind", "text", "entry.kind"),
        ("text", "text", lambda one: one.entry.summary or summarise(one.entry.text, ROW_CHARS)),
        ("modules", "texts", lambda one: one.fields("modules", ())),
        ("files", "texts", lambda one: one.fields("files", ())),
        ("confidence", "share?", lambda one: one.details("current_confidence", None)),
        ("uses", "whole", lambda one: one.details("access_count", 0)),
        ("trust", "text", "entry.trust"),
        ("state", "text", "entry.state"),
        ("needs_review", "flag", "entry.review"),
        ("pinned", "flag", "entry.pinned"),
        ("path", "text?", "entry.path"),
        ("project", "text", "entry.project"),
        ("created", "moment", "entry.created"),
    )

    def details(self, name: str, default: "Any") -> "Any":
        """What only a memory has."""
        return default if self.entry.details is None else getattr(self.entry.details, name)

    def fields(self, name: str, default: "Any") -> "Any":
        """A stored field of a memory."""
        details = self.entry.details
        return default if details is None else getattr(details.fields, name)


class Listed(Record):
    """Entries in an order, in full or a row each; `next` and `total` are those of `Entries`.

    `beyond` counts what other projects hold if there are none here.
    """

    entries: Entries
    shape: str = "full"
    beyond: int = 0
    TABLE = (
        ("entries", ["entry", Row], "shown"),
        ("count", "whole"),
        ("next", "text-"),
        ("total", "whole-"),
        ("notes", "texts-"),
        ("remarks", [Remark], Remark.of),
    )

    @property
    def shown(self) -> "list[Entry] | list[Row]":
        """The entries in their shape."""
        return self.entries if self.shape == "full" else [Row(one) for one in self.entries]

    @property
    def next(self) -> str:
        """Where the list continues; empty at its end."""
        return self.entries.next

    @property
    def total(self) -> int | None:
        """How many pass; None if nobody asked."""
        return self.entries.total

    @property
    def count(self) -> int:
        """The number of entries."""
        return len(self.entries)

    @property
    def notes(self) -> "tuple[Note, ...]":
        """Notes on them, without the one on a missing store, which an empty list implies."""
        return tuple(note for note in self.entries.notes if note.kind != "missing")


class Status(Record):
    """What a store holds. Sizes in bytes; `vector_index_tier` says how nearest vectors are found.

    `measured_recall` is the share of the exact hundred that this tier finds; None unless measured.

    `projects` has uid, name, memories and passages of every project in the store. `pruned` counts by
    outcome what left these projects when they were pruned last, at `pruned_at` (None: never).
    `trusted` are the folders that the user named as their own, `imported` the repositories with passages
    here whose files are not trusted. `journal` counts the sessions that hooks recorded, their bytes, and
    what is captured now; None where there are none. `level` is the confidence required for unasked
    injection in this project, and why (agent.levels.LevelState). `waiting` counts the memories that await
    review; None if it was not the owner who asked. `fading` is None unless requested. `models` says per
    role which model is asked, what leaves the machine for it and what today cost
    (core.model_use.ModelRole); empty if all is built in.
    """

    db_path: str
    project: str
    by_type: "dict[str, int]"
    pruned: "dict[str, int]"
    total_memories: int = 0
    total_passages: int = 0
    total_documents: int = 0
    avg_importance: float = 0.0
    total_size_bytes: int = 0
    index_healthy: bool = True
    vector_index_tier: str = "exact"
    model_used: str = ""
    notes: "tuple[Note, ...]" = ()
    usage_dropped: int = 0
    measured_recall: float | None = None
    projects: "tuple[dict[str, str | int], ...]" = ()
    pruned_at: int | None = None
    trusted: tuple[str, ...] = ()
    imported: tuple[str, ...] = ()
    journal: "dict[str, Any] | None" = None
    graph: "dict[str, Any] | None" = None
    level: "dict[str, Any] | None" = None
    waiting: int | None = None
    models: "tuple[ModelRole, ...]" = ()
    fading: "Faded | None" = None
    TABLE = (
        ("avg_importance", "score"),
        ("by_type", "counts"),
        ("db_path", "text-"),
        ("fading", "faded-"),
        ("imported", "texts"),
        ("index_healthy", "flag"),
        ("journal", "data?"),
        ("graph", "data?"),
        ("level", "data?"),
        ("measured_recall", "number?"),
        ("model_used", "text"),
        ("models", ["model_role", "-"]),
        ("notes", "texts"),
        ("project", "text"),
        ("projects", ["data"]),
        ("pruned", "counts"),
        ("pruned_at", "moment?"),
        ("total_documents", "whole"),
        ("total_memories", "whole"),
        ("total_passages", "whole"),
        ("total_size_bytes", "whole"),
        ("trusted", "texts"),
        ("usage_dropped", "whole"),
        ("vector_index_tier", "text"),
        ("remarks", [Remark], Remark.of),
    )
