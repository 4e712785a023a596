"""The context for a task: a pack of items. Times are UTC milliseconds."""

from bowerbird.core.answers import Linked
from bowerbird.core.value import Record, Remark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from bowerbird.core.sessions import SoFar
    from bowerbird.core.trace import Trace
    from bowerbird.core.value import Note


class Item(Record):
    """One memory or passage of a pack.

    `text` may be cut; `citation` is the location of the whole text: file and lines, without invisible
    characters, or the kind and the id for `get`. `tokens` counts the text and the lines about other
    entries; `review` is why a person should review it first, or empty. `also` lists other locations of
    the same text, `linked` other memories on the same subject, newest first, `anchors` the files and
    symbols that it is about. `audience` is `personal` where a store is shared and it is the caller's own,
    else empty. `valid_from` and `valid_to`: from when until when it says that it holds. `instruction`:
    the owner of the store said it in these words, so that an agent follows it; all else is material.
    """

    id: str
    kind: str
    text: str
    tokens: int
    citation: str
    relevance: float
    trust: str
    created: int
    path: str | None = None
    speaker: str = ""
    audience: str = ""
    review: str = ""
    also: tuple[str, ...] = ()
    linked: tuple[Linked, ...] = ()
    anchors: "Sequence[Any]" = ()
    valid_from: int | None = None
    valid_to: int | None = None
    instruction: bool = False
    TABLE = (
        ("id", "text"),
        ("kind", "text"),
        ("instruction", "flag"),
        ("text", "text"),
        ("tokens", "whole"),
        ("citation", "text"),
        ("path", "text?"),
        ("relevance", "score"),
        ("trust", "text"),
        ("speaker", "text"),
        ("audience", "text-"),
        ("review", "text"),
        ("created", "moment"),
        ("valid_from", "moment-"),
        ("valid_to", "moment-"),
        ("also_in", "texts-", "also"),
        ("linked", [Linked, "-"]),
        ("anchors", ["anchor", "-"]),
    )

    @property
    def trusts(self) -> tuple[str, ...]:
        """The trust of the item and of each memory that it mentions."""
        return (self.trust, *(one.trust for one in self.linked))


class PackedFile(Record):
    """A file that other sessions needed for the same task: `often` is always (most of them) or often."""

    path: str
    often: str
    tokens: int
    TABLE = ("*",)


class Pack(Record):
    """The context for a task: items of one file are adjacent, the most relevant file first.

    `spent` of `budget` tokens are used. An empty pack means that nothing relevant is known. `nonce`, set
    when an interface returns the pack, ends its envelope. For a `role` items are ordered by its sections;
    `ratio` is the experienced ratio of steps taken to steps planned, `step_limit` the limit that follows
    for the current plan, `files` are those that other sessions needed. `so_far`: what a session
    that was asked for was given and has left.
    """

    task: str
    items: tuple[Item, ...]
    budget: int
    phase: str | None
    took_ms: float
    trace: "Trace"
    nonce: str = ""
    role: str | None = None
    ratio: float | None = None
    step_limit: int | None = None
    files: tuple[PackedFile, ...] = ()
    so_far: "SoFar | None" = None
    TABLE = (
        ("task", "text"),
        ("phase", "text?"),
        ("budget", "whole"),
        ("spent", "whole"),
        ("nonce", "text"),
        ("items", [Item]),
        ("took_ms", "ms"),
        ("degraded", "texts", "trace.degraded"),
        ("remarks", [Remark], "trace.remarks"),
        ("for", "text-", "role"),
        ("ratio", "number-"),
        ("step_limit", "whole-"),
        ("files", [PackedFile, "-"]),
        ("session", "data-", "so_far"),
    )

    @property
    def notes(self) -> "tuple[Note, ...]":
        """Notes on the answer: what degraded, what is missing."""
        return tuple(note for _, note in self.trace.notes)

    @property
    def spent(self) -> int:
        """The tokens of all items' texts."""
        return sum(item.tokens for item in self.items)

    def __iter__(self) -> "Iterator[Item]":
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)
