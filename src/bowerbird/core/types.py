"""The words of the product as values: what is stored, what is asked, what comes back.

Times are UTC milliseconds. Scores and trusts are defined where they are declared.
"""

from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from bowerbird.core.trace import Trace

# Families of entries.
MEMORY = "memory"
PASSAGE = "passage"

# Trust of an entry, lowest first; comparisons use the order (design, section 8).
TRUSTS = ("low", "imported", "normal", "full")
# States in which an entry can be; only `active` is searched unless another is asked for.
STATES = (
    "active",
    "superseded",
    "merged",
    "compressed",
    "quarantined",
    "deprecated",
    "expired",
    "deleted",
)


class ModelIdentity(Value):
    """Who made a vector. Vectors of two identities are never compared."""

    __slots__ = ("dims", "name", "provider", "revision")

    def __init__(self, provider: str, name: str, dims: int, revision: str) -> None:
        self.provider = provider
        self.name = name
        self.dims = dims
        self.revision = revision

    def __str__(self) -> str:
        return f"{self.provider}/{self.name}@{self.revision} ({self.dims} dims)"


class Vector(Value):
    """An embedding: `dims` int8 values (two's complement bytes) and the length before quantising.

    `norm` is the Euclidean length of the unnormalised vector, so that neighbours can be summed:
    a window is the sum of ``norm * unit``. A text without a known token has norm 0.
    """

    __slots__ = ("norm", "values")

    def __init__(self, values: bytes, norm: float) -> None:
        self.values = values
        self.norm = norm


class Project(Value):
    """A repository or a named folder. `uid` is the same on every machine where that is possible."""

    __slots__ = ("name", "root", "uid")

    def __init__(self, uid: str, name: str, root: str | None) -> None:
        self.uid = uid
        self.name = name
        self.root = root


# What belongs to no project: found from everywhere.
GLOBAL = Project(uid="", name="global", root=None)


class Piece(Value):
    """A passage before it is stored: lines are 1-based and inclusive."""

    __slots__ = ("context", "end_line", "occurred", "speaker", "start_line", "text")

    def __init__(
        self,
        text: str,
        start_line: int,
        end_line: int,
        context: str = "",
        speaker: str = "",
        occurred: int | None = None,
    ) -> None:
        self.text = text
        self.start_line = start_line
        self.end_line = end_line
        self.context = context
        self.speaker = speaker
        self.occurred = occurred


class Document(Value):
    """An indexed file. `source` names its reader, `hash` its content, `session` its conversation."""

    __slots__ = ("hash", "modified", "path", "session", "size", "source", "title")

    def __init__(
        self,
        path: str,
        source: str,
        hash: bytes,
        size: int,
        modified: int,
        title: str = "",
        session: str = "",
    ) -> None:
        self.path = path
        self.source = source
        self.hash = hash
        self.size = size
        self.modified = modified
        self.title = title
        self.session = session


class Draft(Value):
    """A memory somebody proposes; admission decides what becomes of it."""

    __slots__ = ("actor", "importance", "kind", "metadata", "origin", "session", "tags", "text")

    def __init__(
        self,
        text: str,
        kind: str | None = None,
        tags: tuple[str, ...] = (),
        importance: float | None = None,
        metadata: "dict[str, Any] | None" = None,
        origin: str = "agent",
        session: str = "",
        actor: str = "",
    ) -> None:
        self.text = text
        self.kind = kind
        self.tags = tags
        self.importance = importance
        self.metadata = metadata or {}
        self.origin = origin
        self.session = session
        self.actor = actor


class Belief(Value):
    """A memory as admission lets it in: the draft with everything that was missing filled in."""

    __slots__ = (
        "actor",
        "importance",
        "kind",
        "metadata",
        "origin",
        "session",
        "summary",
        "tags",
        "text",
        "trust",
    )

    def __init__(
        self,
        text: str,
        summary: str,
        kind: str,
        tags: tuple[str, ...],
        importance: float,
        metadata: "dict[str, Any]",
        origin: str,
        trust: str,
        session: str,
        actor: str,
    ) -> None:
        self.text = text
        self.summary = summary
        self.kind = kind
        self.tags = tags
        self.importance = importance
        self.metadata = metadata
        self.origin = origin
        self.trust = trust
        self.session = session
        self.actor = actor


class Decision(Value):
    """What admission did with a draft: `action` is created or known."""

    __slots__ = ("decision", "id", "kind", "reason", "summary")

    def __init__(self, id: str, decision: str, kind: str, summary: str, reason: str) -> None:
        self.id = id
        self.decision = decision
        self.kind = kind
        self.summary = summary
        self.reason = reason


class Entry(Value):
    """What retrieval returns: a memory or a passage, as it stands in the store.

    `row` is local to the store file; `id` is the UUIDv7 that means the same everywhere. `ordinal`
    counts the passages of a document from 0.
    """

    __slots__ = (
        "context",
        "created",
        "document",
        "end_line",
        "family",
        "id",
        "importance",
        "kind",
        "ordinal",
        "path",
        "project",
        "row",
        "session",
        "source",
        "speaker",
        "start_line",
        "state",
        "summary",
        "tags",
        "text",
        "trust",
    )

    def __init__(
        self,
        row: int,
        id: str,
        family: str,
        kind: str,
        text: str,
        project: str,
        trust: str,
        state: str,
        created: int,
        context: str = "",
        summary: str = "",
        speaker: str = "",
        document: int | None = None,
        ordinal: int = 0,
        path: str | None = None,
        source: str = "",
        session: str = "",
        start_line: int | None = None,
        end_line: int | None = None,
        tags: tuple[str, ...] = (),
        importance: float | None = None,
    ) -> None:
        self.row = row
        self.id = id
        self.family = family
        self.kind = kind
        self.text = text
        self.project = project
        self.trust = trust
        self.state = state
        self.created = created
        self.context = context
        self.summary = summary
        self.speaker = speaker
        self.document = document
        self.ordinal = ordinal
        self.path = path
        self.source = source
        self.session = session
        self.start_line = start_line
        self.end_line = end_line
        self.tags = tags
        self.importance = importance


class Filter(Value):
    """Which entries may be candidates at all; every field narrows, None and () do not."""

    __slots__ = (
        "families",
        "kinds",
        "min_trust",
        "path",
        "projects",
        "since",
        "states",
        "tags",
        "until",
    )

    def __init__(
        self,
        projects: tuple[str, ...] | None = None,
        families: tuple[str, ...] = (),
        kinds: tuple[str, ...] = (),
        tags: tuple[str, ...] = (),
        states: tuple[str, ...] = ("active",),
        min_trust: str = "low",
        path: str | None = None,
        since: int | None = None,
        until: int | None = None,
    ) -> None:
        self.projects = projects
        self.families = families
        self.kinds = kinds
        self.tags = tags
        self.states = states
        self.min_trust = min_trust
        self.path = path
        self.since = since
        self.until = until


class Query(Value):
    """One question with everything that shapes its answer.

    `budget` is a cap in tokens over the text of all hits, `min_score` a floor on relevance, `fast`
    asks the words alone, `explain` keeps each hit's contributions.
    """

    __slots__ = ("budget", "explain", "fast", "filter", "limit", "min_score", "text")

    def __init__(
        self,
        text: str,
        limit: int = 10,
        budget: int | None = None,
        filter: Filter | None = None,
        min_score: float = 0.0,
        fast: bool = False,
        explain: bool = False,
    ) -> None:
        self.text = text
        self.limit = limit
        self.budget = budget
        self.filter = filter or Filter()
        self.min_score = min_score
        self.fast = fast
        self.explain = explain


class Hit(Value):
    """One answer.

    `score` orders this answer; `relevance` (0 to 1) is absolute and calibrated, every floor reads
    it. `bm25`, `semantic` and `graph` are the parts as they were measured: share of the achievable
    BM25, cosine, and what neighbours and session added. `text` is the whole passage and `snippet`
    at most 700 characters of it.
    """

    __slots__ = ("bm25", "entry", "graph", "matched", "relevance", "score", "semantic", "snippet")

    def __init__(
        self,
        entry: Entry,
        score: float,
        relevance: float,
        bm25: float,
        semantic: float,
        graph: float,
        snippet: str,
        matched: tuple[str, ...],
    ) -> None:
        self.entry = entry
        self.score = score
        self.relevance = relevance
        self.bm25 = bm25
        self.semantic = semantic
        self.graph = graph
        self.snippet = snippet
        self.matched = matched

    @property
    def id(self) -> str:
        """The entry's id, for `get`."""
        return self.entry.id

    @property
    def text(self) -> str:
        """The whole passage or memory."""
        return self.entry.text

    @property
    def path(self) -> str | None:
        """The file the passage stands in; None for a memory."""
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


class Hits(Value):
    """The answer to a query: a sequence of hits with the trace of how they came about."""

    __slots__ = ("hits", "model", "query", "took_ms", "total_found", "trace")

    def __init__(
        self,
        query: str,
        hits: tuple[Hit, ...],
        total_found: int,
        took_ms: float,
        model: str,
        trace: "Trace",
    ) -> None:
        self.query = query
        self.hits = hits
        self.total_found = total_found
        self.took_ms = took_ms
        self.model = model
        self.trace = trace

    def __iter__(self) -> "Iterator[Hit]":
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    def __getitem__(self, index: int) -> Hit:
        return self.hits[index]


class Skipped(Value):
    """A file or record that indexing left out, and why."""

    __slots__ = ("path", "reason")

    def __init__(self, path: str, reason: str) -> None:
        self.path = path
        self.reason = reason


class Report(Value):
    """What an index run did: counts of files, passages written, bytes read, and what was left out."""

    __slots__ = (
        "added",
        "bytes_read",
        "changed",
        "embedded",
        "passages",
        "project",
        "removed",
        "skipped",
        "took_ms",
        "unchanged",
        "unknown_records",
    )

    def __init__(
        self,
        project: str = "",
        added: int = 0,
        changed: int = 0,
        removed: int = 0,
        unchanged: int = 0,
        passages: int = 0,
        embedded: int = 0,
        bytes_read: int = 0,
        unknown_records: int = 0,
        skipped: "tuple[Skipped, ...]" = (),
        took_ms: float = 0.0,
    ) -> None:
        self.project = project
        self.added = added
        self.changed = changed
        self.removed = removed
        self.unchanged = unchanged
        self.passages = passages
        self.embedded = embedded
        self.bytes_read = bytes_read
        self.unknown_records = unknown_records
        self.skipped = skipped
        self.took_ms = took_ms


class Status(Value):
    """What a store holds. Sizes in bytes; `tier` says how nearest vectors are found."""

    __slots__ = (
        "avg_importance",
        "by_type",
        "db_path",
        "index_healthy",
        "model_used",
        "notes",
        "project",
        "total_documents",
        "total_memories",
        "total_passages",
        "total_size_bytes",
        "vector_index_tier",
    )

    def __init__(
        self,
        db_path: str,
        project: str,
        total_memories: int = 0,
        total_passages: int = 0,
        total_documents: int = 0,
        by_type: "dict[str, int] | None" = None,
        avg_importance: float = 0.0,
        total_size_bytes: int = 0,
        index_healthy: bool = True,
        vector_index_tier: str = "exact",
        model_used: str = "",
        notes: tuple[str, ...] = (),
    ) -> None:
        self.db_path = db_path
        self.project = project
        self.total_memories = total_memories
        self.total_passages = total_passages
        self.total_documents = total_documents
        self.by_type = by_type or {}
        self.avg_importance = avg_importance
        self.total_size_bytes = total_size_bytes
        self.index_healthy = index_healthy
        self.vector_index_tier = vector_index_tier
        self.model_used = model_used
        self.notes = notes
