"""Anchors: the files and symbols that a memory is about, and what changed in them since it was made."""

import time

from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# Unchanged; moved; changed or removed.
FRESH = "fresh"
MOVED = "moved"
STALE = "stale"
# The reason why an anchor is stale if its file was deleted.
DELETED = "was deleted"
# The path of an anchor to a folder ends with this, and that to all files of a type begins with this.
FOLDER = "/"
OF_TYPE = "*."
# The path of an anchor that stands for a memory that was marked as stale by hand, at `modified`.
BY_HAND = ""
# The share of its confidence that a memory loses if all of its files changed, or were removed. Of 14,989
# sentences in docstrings of five Python packages .83 are unchanged in the next major version where the
# file changed (.83 of 8,214 where the code that they describe did; .99 of 5,677 where it did not), of
# 1,587 none where the function or file was removed, and of comments there .16 to .32 elsewhere
# (benchmarks/graph.md).
LOST_BY_CHANGE = 0.2
LOST_BY_DELETION = 0.7


class Anchor(Record):
    """A file, or a symbol in it, with its content hash at the time the memory was written.

    `path` is below the project's folder, else whole; `name` is empty for the file. A folder (`src/`) and
    a type of files (`*.sql`) stand for all files that fall under them, and have no content. `hash` is
    of its text, `size` and `modified` (UTC milliseconds) of the file, `first` a checksum of a symbol's
    first line and `lines` how many it has. Once it is checked, `state` is fresh, moved (`now` says where
    to) or stale (`reason` says why), and `line` is where a symbol begins.
    """

    path: str
    name: str = ""
    hash: str = ""
    size: int = 0
    modified: int = 0
    first: int = 0
    lines: int = 0
    state: str = ""
    line: int | None = None
    now: str = ""
    reason: str = ""
    TABLE = (
        ("path", "text"),
        ("name", "text-"),
        ("state", "text"),
        ("line", "whole?"),
        ("now", "text-"),
        ("reason", "text-"),
    )

    @property
    def row(self) -> tuple[str, str, str, int, int, int, int]:
        """Its stored form."""
        text = (self.path, self.name, self.hash)
        return (*text, self.size, self.modified, self.first, self.lines)

    def __str__(self) -> str:
        if self.path == BY_HAND:
            return self.reason
        target = f"{self.path}:{self.name}" if self.name else self.path
        if self.state == MOVED:
            return f"{target} moved to {self.now}"
        return f"{target} {self.reason}" if self.state == STALE else target


def is_place(path: str) -> bool:
    """Whether a path of an anchor stands for many files: a folder, or a type of files."""
    return path.endswith(FOLDER) or path.startswith(OF_TYPE)


def falling_under(path: str) -> list[str]:
    """The paths of anchors that a file falls under: its own, its folders', and its type's."""
    parts = path.split(FOLDER)
    folders = [FOLDER.join(parts[:end]) + FOLDER for end in range(len(parts) - 1, 0, -1)]
    _, dot, ending = parts[-1].rpartition(".")
    return [path, *folders, *([f"{OF_TYPE}{ending}"] if dot else [])]


def marked(anchor: Anchor) -> Anchor:
    """An anchor that stands for a mark by hand, checked."""
    day = time.strftime("%Y-%m-%d", time.gmtime(anchor.modified // 1000))
    return anchor.replace(state=STALE, reason=f"was marked as stale on {day}")


def confidence_factor(anchors: "Iterable[Anchor]") -> float:
    """The factor of a memory's confidence, by the share of its anchored files that changed.

    Since its commit, if it has one, else since it was written. The loss is proportional to that share.
    """
    lost: dict[str, float] = {}
    for one in anchors:
        gone = LOST_BY_DELETION if one.reason == DELETED else LOST_BY_CHANGE
        loses = gone if one.state == STALE else 0.0
        lost[one.path] = max(lost.get(one.path, 0.0), loses)
    if BY_HAND in lost:
        return 1.0 - LOST_BY_DELETION
    return 1.0 - sum(lost.values()) / len(lost) if lost else 1.0


def astray(anchors: "Sequence[Anchor]") -> list[str]:
    """The warnings for anchors that moved or changed."""
    return [str(one) for one in anchors if one.state in {MOVED, STALE}]


class Tied(Record):
    """A memory with its anchors and its current confidence."""

    id: str
    kind: str
    summary: str
    confidence: float
    trust: str
    anchors: "tuple[Anchor, ...]"
    TABLE = (
        ("id", "text"),
        ("type", "text", "kind"),
        ("summary", "text"),
        ("confidence", "score"),
        ("trust", "text"),
        ("anchors", [Anchor]),
    )


class Strayed(Record):
    """The memories whose files or symbols changed, moved or were removed, lowest confidence first.

    `total` counts them, also those beyond the limit; `tied` counts all memories with anchors.
    """

    memories: "tuple[Tied, ...]" = ()
    total: int = 0
    tied: int = 0
    notes: "tuple[str, ...]" = ()
    TABLE = ("*", ("memories", [Tied]))

    @property
    def trusts(self) -> list[str]:
        """The trust of each memory."""
        return [one.trust for one in self.memories]
