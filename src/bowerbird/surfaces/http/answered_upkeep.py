"""What comes back over HTTP of looking after a store, beside the shapes in `answered`."""

from typing import Literal

from pydantic import ConfigDict

from bowerbird.surfaces.http.answered import Failure, Shape


class Project(Shape):
    """A project and how much it holds."""

    uid: str
    name: str
    memories: int
    passages: int


class Status(Shape):
    """What the store holds."""

    model_config = ConfigDict(extra="allow")

    total_memories: int
    total_passages: int
    total_documents: int
    by_type: dict[str, int]
    avg_importance: float
    total_size_bytes: int
    index_healthy: bool
    db_path: str | None = None
    vector_index_tier: str
    project: str
    projects: list[Project]
    notes: list[str]


class Finding(Shape):
    """One thing that was looked at."""

    model_config = ConfigDict(extra="allow")

    level: str
    remedy: str


class Findings(Shape):
    """What was looked at, and whether it is well."""

    model_config = ConfigDict(extra="allow")

    healthy: bool
    findings: list[Finding]


class Reindexed(Shape):
    """How many entries the model read."""

    read: int


class Warmed(Shape):
    """How many entries the model read now, and how many there are."""

    newly_cached: int
    total: int


class Skipped(Shape):
    """A file that was left out, and why."""

    path: str
    reason: str


class Grounds(Shape):
    """A repository whose files are not believed as the user's own: why, and what changes that."""

    path: str
    trusted: bool
    source: str
    reason: str
    remedy: str


class Report(Shape):
    """What taking in did: counts of files, passages and bytes, and what was left out."""

    added: int
    bytes_read: int
    changed: int
    cut: list[Skipped]
    embedded: int
    imported: list[Grounds]
    passages: int
    project: str
    redacted: dict[str, int]
    removed: int
    skipped: list[Skipped]
    took_ms: float
    unchanged: int
    unknown_records: int
    unread: str
    new_project: str = ""


class Run(Shape):
    """How far taking in has come; `report` once it is done, `error` where it failed."""

    run: int
    state: Literal["running", "done", "failed"]
    paths: list[str]
    began: str
    report: Report | None
    error: Failure | None


class Cache(Shape):
    """What is kept of texts that a model behind a server has read."""

    vectors: int
    hits: int
    size_bytes: int
    max_entries: int
    models: dict[str, int]


class PrunedCache(Cache):
    """What is kept after some of it was taken out."""

    removed: int


class Health(Shape):
    """That the server runs."""

    status: Literal["ok"]
    version: str
