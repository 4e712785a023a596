"""A git repository, read by hand: running git costs time and obeys a foreign checkout's settings."""

import os
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_HEX = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
# A pack's index (gitformat-pack): a mark and a version, 256 running counts, then sorted names.
_INDEX_MARK = b"\377tOc\0\0\0\2"
_COUNTS = len(_INDEX_MARK)
_NAMES = _COUNTS + 4 * 256


class Repository:
    """What stands in the `.git` of a working tree. What cannot be read is empty."""

    def __init__(self, tree: str) -> None:
        self._tree = tree
        marker = os.path.join(tree, ".git")
        # A worktree has a folder of its own inside the one that it shares with the main tree.
        self._own = marker if os.path.isdir(marker) else _led_to(marker)
        shared = _first_line(os.path.join(self._own, "commondir"))
        self._git = os.path.normpath(os.path.join(self._own, shared)) if shared else self._own

    @property
    def place(self) -> str:
        """The real path of the main working tree, which its worktrees share."""
        if self._git != self._own and os.path.basename(self._git) == ".git":
            return os.path.realpath(os.path.dirname(self._git))
        return os.path.realpath(self._tree)

    def remote(self) -> str:
        """Where it comes from, in normal form: the origin, else whatever remote is named first."""
        urls: dict[str, str] = {}
        name = ""
        for line in _lines(os.path.join(self._git, "config")):
            if line.startswith("["):
                section = re.match(r'\[\s*remote\s+"(.*)"\s*\]', line, re.IGNORECASE)
                name = section[1] if section else ""
            elif name and re.match(r"url\s*=", line, re.IGNORECASE):
                urls.setdefault(name, line.split("=", 1)[1].strip().strip('"'))
        url = urls.get("origin") or next(iter(urls.values()), "")
        return self._normal(url)

    def cloned_from(self) -> str:
        """What it was cloned from, in normal form, as long as git remembers."""
        told = _first_line(os.path.join(self._git, "logs", "HEAD")).partition("\tclone: from ")[2]
        return self._normal(told)

    def _normal(self, url: str) -> str:
        if not url:
            return ""
        path = url.removeprefix("file://")
        # As git tells them apart: a host or a scheme ends with a colon before any slash.
        if path.startswith("/") or ":" not in url.partition("/")[0]:
            # A folder of this machine; two repositories may well name the same relative one.
            folder = os.path.join(self.place, os.path.expanduser(path))
            return os.path.realpath(folder).removesuffix("/.git").removesuffix(".git")
        return normal_remote(url)

    def head(self) -> str:
        """The commit that is checked out; empty before the first one."""
        told = _first_line(os.path.join(self._own, "HEAD"))
        name = told.partition("ref: ")[2]
        if name:
            told = _first_line(os.path.join(self._git, name)) or self._packed(name)
        return told if _HEX.fullmatch(told) else ""

    def _packed(self, name: str) -> str:
        """The commit of a branch that was packed away with others."""
        for line in _lines(os.path.join(self._git, "packed-refs")):
            commit, _, packed = line.partition(" ")
            if packed == name:
                return commit
        return ""

    def holds(self, commit: str) -> bool:
        """Whether a commit was ever made or fetched here and is not cleared away."""
        wanted = bytes.fromhex(commit)
        for objects in self._objects():
            if os.path.exists(os.path.join(objects, commit[:2], commit[2:])):
                return True
            packs = os.path.join(objects, "pack")
            if any(
                _stands_in(os.path.join(packs, name), wanted)
                for name in _names(packs)
                if name.endswith(".idx")
            ):
                return True
        return False

    def _objects(self) -> "Iterator[str]":
        """The folders of objects: its own, and those that it borrows from."""
        own = os.path.join(self._git, "objects")
        yield own
        for line in _lines(os.path.join(own, "info", "alternates")):
            yield os.path.join(own, line)


def _stands_in(index: str, wanted: bytes) -> bool:
    """Whether a pack's index names an object, by bisection in the file."""
    try:
        with open(index, "rb") as file:
            if file.read(_COUNTS) != _INDEX_MARK:
                return False
            counts = file.read(4 * 256)
            first = wanted[0]
            low = int.from_bytes(counts[4 * first - 4 : 4 * first]) if first else 0
            high = int.from_bytes(counts[4 * first : 4 * first + 4])
            while low < high:
                middle = (low + high) // 2
                file.seek(_NAMES + middle * len(wanted))
                name = file.read(len(wanted))
                if name == wanted:
                    return True
                low, high = (middle + 1, high) if name < wanted else (low, middle)
    except OSError:
        pass  # an index that cannot be read names nothing
    return False


def normal_remote(url: str) -> str:
    """``git@host:a/b.git``, ``https://user@host/a/b`` and ``ssh://host/a/b`` as ``host/a/b``."""
    # What follows ``?`` is no part of the name, and people put tokens there, as before an ``@``.
    _, scheme, rest = url.partition("?")[0].rpartition("://")
    host, slash, path = rest.partition("/")
    rest = host.rpartition("@")[2] + slash + path
    if scheme and re.fullmatch(r"[^:@\[]*:.*\D.*", host) and "@" not in host:
        # No port, so a password with a slash in it.
        rest = path.rpartition("@")[2]
    if not scheme:
        rest = rest.replace(":", "/", 1)
    return rest.removesuffix("/").removesuffix(".git").lower()


def _led_to(marker: str) -> str:
    """The git folder that a worktree's or submodule's `.git` file leads to."""
    target = _first_line(marker).partition("gitdir:")[2].strip()
    return os.path.join(os.path.dirname(marker), target) if target else marker


def _first_line(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.readline().strip()
    except OSError:
        return ""


def _lines(path: str) -> list[str]:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return [line.strip() for line in file]
    except OSError:
        return []


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
