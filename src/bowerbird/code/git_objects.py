"""Files as they stood at a commit, what it changed, and how often they did, from git's objects alone.

A commit that is missing (rebased, not fetched, of another repository) gives None.
"""

import os
from itertools import islice

from bowerbird.host.git_objects import ALIKE, HEX_LENGTHS, UNREADABLE, Damaged, Objects
from bowerbird.host.repository import Repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# Abbreviations have at least four digits.
_SHORTEST = 4
_HEX = frozenset("0123456789abcdef")
# Commits looked at for changes: those of a year of most projects, read in a second.
_MOST_COMMITS = 5_000
# And for one with a known message: those of a session stand at the end.
_MOST_CALLED = 300
# The mode of a folder in a tree.
_TREE = b"40000"
_DAY_S = 86_400


class History:
    """The objects of the repository to whose working tree a folder belongs."""

    def __init__(self, folder: str) -> None:
        tree = os.path.realpath(folder)
        while not os.path.lexists(os.path.join(tree, ".git")) and tree != os.path.dirname(tree):
            tree = os.path.dirname(tree)
        self.tree = tree
        self._objects = Objects(tuple(Repository(tree).objects()))
        self._folded: dict[str, dict[bytes, str]] = {}
        # The objects among them that are trees themselves.
        self._trees: set[str] = set()

    def at(self, commit: str, path: str) -> bytes | None:
        """The content of a file (absolute path) at a commit, whole or abbreviated; None if unknown."""
        below = os.path.relpath(path, self.tree)
        if below.startswith(os.pardir):
            return None
        try:
            name = _tree(self._head(commit.lower()))
            *folders, last = (os.fsencode(part) for part in below.split(os.sep))
            for folder in folders:
                name = self._folder(name).get(folder, "")
            kind, data = self._objects.read(self._folder(name).get(last, ""))
        except UNREADABLE:
            return None
        return data if kind == b"blob" else None

    def days_changed(self, paths: "Iterable[str]", since: int) -> dict[str, int]:
        """On how many days since a moment (UTC milliseconds) each of some absolute paths changed.

        As the first parents of what is checked out tell it; a file that came or went changed too. What
        cannot be read, as beyond the end of a shallow clone, tells nothing.
        """
        found = dict.fromkeys(paths, 0)
        below = {path: os.path.relpath(path, self.tree) for path in found}
        inside = {path: name for path, name in below.items() if not name.startswith(os.pardir)}
        later: dict[str, str] | None = None
        for tree in self._days(since // 1000) if inside else ():
            try:
                now = {path: self._stands(tree, name) for path, name in inside.items()}
            except UNREADABLE:
                break
            if later is not None:
                for path in inside:
                    found[path] += now[path] != later[path]
            later = now
        return found

    def called(self, subject: str, since: int) -> str:
        """The newest commit since a moment (UTC milliseconds) whose message begins with a line.

        Among the last commits that the first parents of what is checked out tell; empty if there is none.
        """
        for name, at, _, message in islice(self._commits(), _MOST_CALLED):
            if 1000 * (at + 1) <= since:
                break
            if message.decode("utf-8", "replace").partition("\n")[0].strip() == subject:
                return name
        return ""

    def changed(self, commit: str, most: int) -> list[str] | None:
        """The files below the working tree that a commit changed from its first parent.

        None if it is unknown, or if they are more than `most`.
        """
        try:
            head = self._head(commit.lower())
            parent = _parent(head)
            before = _tree(self._head(parent)) if parent else ""
            found = [*islice(self._differing(_tree(head), before), most + 1)]
        except (*UNREADABLE, RecursionError):
            return None
        return [os.fsdecode(path) for path in found] if len(found) <= most else None

    def _differing(self, one: str, other: str, above: bytes = b"") -> "Iterator[bytes]":
        """The paths of the files that differ in two trees; of no tree (an empty name) all do."""
        ours, theirs = (self._folder(tree) if tree else {} for tree in (one, other))
        for name in sorted({*ours, *theirs}):
            both = ours.get(name, ""), theirs.get(name, "")
            if both[0] == both[1]:
                continue
            folders = [tree if tree in self._trees else "" for tree in both]
            if any(folders):
                yield from self._differing(folders[0], folders[1], above + name + b"/")
            if any(file and file not in self._trees for file in both):
                yield above + name

    def _commits(self) -> "Iterator[tuple[str, int, str, bytes]]":
        """What is checked out and its first parents: name, time in seconds, tree, and message."""
        name = Repository(self.tree).head()
        for _ in range(_MOST_COMMITS):
            try:
                kind, data = self._objects.read(name)
                head, _, message = data.partition(b"\n\n")
                lines = head.split(b"\n")
                at, tree, parent = _moment(lines), _tree(lines), _parent(lines)
            except UNREADABLE:
                return
            if kind != b"commit":
                return
            yield name, at, tree, message
            name = parent

    def _days(self, since: int) -> "Iterator[str]":
        """The tree at the end of each day with a commit back to `since` (seconds), and that before it."""
        day = None
        for _, at, tree, _ in self._commits():
            if at // _DAY_S != day:
                yield tree
                day = at // _DAY_S
            if at < since:
                return

    def _stands(self, tree: str, below: str) -> str:
        """The object of a path in a tree; empty if it is not there."""
        for part in os.fsencode(below).split(os.fsencode(os.sep)):
            tree = self._folder(tree).get(part, "") if tree else ""
        return tree

    def _head(self, commit: str) -> list[bytes]:
        """The lines of the head of a commit, whole or abbreviated."""
        if not _HEX.issuperset(commit) or not _SHORTEST <= len(commit) <= max(HEX_LENGTHS):
            raise Damaged
        for name in islice(self._objects.names(commit), ALIKE):
            kind, data = self._objects.read(name)
            if kind == b"commit" and data.startswith(b"tree "):
                return data.partition(b"\n\n")[0].split(b"\n")
        raise Damaged

    def _folder(self, tree: str) -> dict[bytes, str]:
        """The objects of a tree, by name."""
        if tree not in self._folded:
            kind, data = self._objects.read(tree)
            if kind != b"tree":
                raise Damaged
            found, at, length = {}, 0, len(tree) // 2
            while at < len(data):
                end = data.index(b"\0", at)
                mode, _, name = data[at:end].partition(b" ")
                at = end + 1 + length
                found[name] = data[end + 1 : at].hex()
                if mode == _TREE:
                    self._trees.add(found[name])
            self._folded[tree] = found
        return self._folded[tree]


def _tree(head: list[bytes]) -> str:
    """The tree of a commit, from the lines of its head."""
    return head[0].removeprefix(b"tree ").decode("ascii")


def _parent(head: list[bytes]) -> str:
    """The first parent of a commit, from the lines of its head; empty if it has none."""
    parents = (line for line in head if line.startswith(b"parent "))
    return next(parents, b"parent ").removeprefix(b"parent ").decode("ascii")


def _moment(head: list[bytes]) -> int:
    """When a commit was made, in seconds, from the lines of its head."""
    made = next((line for line in head if line.startswith(b"committer ")), b"")
    return int(made.rsplit(b" ", 2)[1])
