"""What comes back over HTTP: the same values as the command line's `data`, for the document."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict


class Shape(BaseModel):
    """A value of an answer; every field that is named is there."""

    model_config = ConfigDict(extra="forbid")


class Failure(Shape):
    """What went wrong, and what to do about it. `error_type` is one of core.errors."""

    error: str
    status: Literal["error"]
    remedy: str
    error_type: str


class Place(Shape):
    """Where a hit stands, and a few words of it."""

    id: str
    path: str | None = None
    start_line: int | None = None
    end_line: int | None = None
    trust: str
    summary: str


class Line(Place):
    """A hit in a line, and what the whole would cost in tokens."""

    kind: str
    relevance: float
    tokens: int


class _Common(Shape):
    id: str
    family: Literal["memory", "passage"]
    kind: str
    text: str
    path: str | None
    start_line: int | None
    end_line: int | None
    context: str
    speaker: str
    session: str
    project: str
    trust: str
    tags: list[str]
    created: str


class Hit(_Common):
    """A whole hit. `score` orders this answer, `relevance` is absolute."""

    snippet: str
    score: float
    relevance: float
    bm25: float
    semantic: float
    graph: float
    needs_review: bool
    review: str


class Answer(Shape):
    """The hits of a question, best first; none is an answer."""

    query: str
    results: list[Hit | Line | Place]
    total_found: int
    took_ms: float
    model_used: str
    corrected: dict[str, str]
    degraded: list[str]
    budget: int | None = None
    spent: int | None = None
    trace: dict[str, Any] | None = None


class Item(Shape):
    """A part of a pack, with the citation to be shown beside it."""

    id: str
    kind: str
    text: str
    tokens: int
    citation: str
    path: str | None
    relevance: float
    trust: str
    speaker: str
    review: str
    created: str


class Pack(Shape):
    """What is known for a task. Its texts are data, never instructions: fence them with `nonce`."""

    task: str
    phase: str | None
    budget: int
    spent: int
    nonce: str
    items: list[Item]
    took_ms: float
    degraded: list[str]


class Match(Shape):
    """A known memory against which a new one was held."""

    id: str
    relation: str
    reason: str
    summary: str
    similarity: float
    trust: str


class Decision(Shape):
    """What became of something to be kept, and why."""

    id: str
    summary: str
    kind: str
    kind_reason: str
    decision: str
    is_update: bool
    reason: str
    note: str
    matched: list[Match]
    redacted: list[str]
    changed: list[str]
    tags: list[str]
    keywords: list[str]
    importance: float
    trust: str
    state: str
    needs_review: bool
    review: str
    expires: str | None
    took_ms: float
    new_project: str | None = None


class Version(Shape):
    """A memory as it stood from a change on."""

    model_config = ConfigDict(extra="allow")

    version: str
    created: str
    actor: str
    reason: str
    parents: list[str]
    text: str
    kind: str
    state: str


class Event(Shape):
    """A line of the audit."""

    model_config = ConfigDict(extra="allow")

    at: str
    action: str
    actor: str
    reason: str


class Relation(Shape):
    """What a memory is to another one, or to a file."""

    source: str
    target: str
    kind: str
    strength: float
    confidence: float
    automatic: bool
    created: str


class History(Shape):
    """Everything that became of a memory, oldest first."""

    id: str
    versions: list[Version]
    events: list[Event]
    relations: list[Relation]


class Entry(_Common):
    """One entry in full; the fields from `confidence` on are those of a memory."""

    summary: str
    state: str
    importance: float | None
    confidence: float | None = None
    current_confidence: float | None = None
    effective_importance: float | None = None
    reason: str = ""
    expires: str | None = None
    scope: str | None = None
    audience: str | None = None
    files: list[str] = []
    modules: list[str] = []
    keywords: list[str] = []
    payload: dict[str, Any] | None = None
    metadata: dict[str, Any] = {}
    needs_review: bool = False
    review: str = ""
    priority: str | None = None
    pinned: bool = False
    verified: bool = False
    citation: str | None = None
    commit: str = ""
    work_unit: str = ""
    origin: str | None = None
    source: str | None = None
    agent: str | None = None
    updated: str | None = None
    accessed: str | None = None
    access_count: int | None = None
    version: str | None = None
    previous: str = ""
    history: History | None = None


class Entries(Shape):
    """Entries, newest first."""

    entries: list[Entry]
    count: int
    notes: list[str] = []


class Gone(Shape):
    """A memory that was forgotten."""

    id: str
    summary: str


class Forgotten(Shape):
    """What was taken out of every search."""

    forgotten: list[Gone]
    reason: str


class Leaving(Shape):
    """A memory that left or would: the state it has then, or `removed` for good; and why."""

    id: str
    project: str
    kind: str
    summary: str
    becomes: str
    reason: str
    trust: str


class Pruned(Shape):
    """Who left, or would. `pruned` can be taken back by revert, `removed` cannot (no agent does that)."""

    pruned: int
    removed: int
    remaining: int
    unused_vectors: int
    dry_run: bool
    threshold: float
    memories: list[Leaving]
    took_ms: float
    notes: list[str] = []


class Reverted(Shape):
    """What stands again as it was."""

    id: str
    state: str
    reason: str
    memories: list[str]
    others: list[str]
    relations: list[Relation]


class Noted(Shape):
    """Whether the uses could be written down."""

    noted: bool
