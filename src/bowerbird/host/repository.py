"""Reads a git repository without git: running git costs time and obeys a foreign checkout's settings."""

import os

from bowerbird.host.foreign import head

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_HEX = frozenset("0123456789abcdef")
_HEX_LENGTHS = (40, 64)
_DIGITS = "0123456789"
# Characters allowed in branch names besides letters and digits.
_IN_BRANCHES = str.maketrans("", "", "/-_.+#@")
# A pack's index (gitformat-pack): a mark and a version, 256 running counts, then sorted names.
# The folder that holds .git where this package runs from a checkout: core, bowerbird, src.
ROOT = os.path.normpath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
# These files are foreign. A line of them is a name or a path, which no system allows to be longer;
# hand-written configurations have kilobytes; a hundred thousand branches take seven megabytes.
_LONGEST_LINE = 8_192
_LARGEST_CONFIG = 1_000_000
_LARGEST_REFS = 16_000_000
# A repository borrows objects from one or two others.
_MOST_ALTERNATES = 64


class Repository:
    """The content of a working tree's `.git`. Fields that cannot be read are empty.

    `unread` lists each existing file that could not be read completely, and why: what it holds, such as
    the remotes, is then unknown. `is_own` says whether its git folder is this tree's: an unpacked archive
    can point at the one of another clone.
    """

    def __init__(self, tree: str) -> None:
        self._tree = tree
        self.unread: dict[str, str] = {}
        marker = os.path.join(tree, ".git")
        led = not os.path.isdir(marker)
        self._own = self._led_to(marker) if led else marker
        # A worktree has its own folder inside the one that it shares with the main working tree.
        shared = self._first_line(os.path.join(self._own, "commondir"))
        self._git = self._own
        if shared and led:
            self._git = os.path.normpath(os.path.join(self._own, shared))
            self.is_own = self._is_worktree()
        elif shared:
            self.is_own = False  # git makes none such
        elif led or os.path.islink(marker):
            self.is_own = is_below(self._own, tree) or self._is_named_by_settings()
        else:
            self.is_own = True

    @property
    def main_tree(self) -> str:
        """The real path of the main working tree, which its worktrees share."""
        if self._git != self._own and os.path.basename(self._git) == ".git":
            return os.path.realpath(os.path.dirname(self._git))
        return os.path.realpath(self._tree)

    @property
    def parts(self) -> tuple[str, ...]:
        """Its tree, its `.git`, and the target of that file in a worktree or submodule."""
        return tuple(
            dict.fromkeys((self._tree, os.path.join(self._tree, ".git"), self._own, self._git))
        )

    def source(self) -> str:
        """The normalised origin of the commits: its remote, a clone, a fetch by address."""
        return self.remote() or self.cloned_from() or self._fetched_from()

    def remote(self) -> str:
        """The normalised remote: the origin, else the first remote in the configuration."""
        urls = self.remotes()
        url = urls.get("origin") or next(iter(urls.values()), "")
        return self._normal(url)

    def remotes(self) -> dict[str, str]:
        """The addresses of the remotes in the configuration, by name."""
        import re  # start-up: a hook that only records needs no remote

        urls: dict[str, str] = {}
        name = ""
        for line in self._lines(os.path.join(self._git, "config"), _LARGEST_CONFIG):
            if line.startswith("["):
                section = re.match(r'\[\s*remote\s+"(.*)"\s*\]', line, re.IGNORECASE)
                name = section[1] if section else ""
            elif name and re.match(r"url\s*=", line, re.IGNORECASE):
                urls.setdefault(name, line.split("=", 1)[1].strip().strip('"'))
        return urls

    def cloned_from(self) -> str:
        """The normalised address it was cloned from, as long as git remembers it."""
        line = self._first_line(os.path.join(self._git, "logs", "HEAD"))
        return self._normal(line.partition("\tclone: from ")[2])

    def _fetched_from(self) -> str:
        source = self._first_line(os.path.join(self._own, "FETCH_HEAD")).rpartition("\t")[2]
        return self._normal(source.rpartition(" of ")[2])

    def _normal(self, url: str) -> str:
        if not url:
            return ""
        url = url[:_LONGEST_LINE]
        path = url.removeprefix("file://")
        # As in git: a colon before any slash ends a host or a scheme.
        if path.startswith("/") or ":" not in url.partition("/")[0]:
            # A folder on this machine; relative paths are made absolute, because two repositories may
            # share one.
            folder = os.path.join(self.main_tree, os.path.expanduser(path))
            return os.path.realpath(folder).removesuffix("/.git").removesuffix(".git")
        return normal_remote(url)

    def head(self) -> str:
        """The commit that is checked out; empty before the first one."""
        head = self._first_line(os.path.join(self._own, "HEAD"))
        name = head.partition("ref: ")[2]
        if name:
            head = self._first_line(os.path.join(self._git, name)) or self._packed(name)
        return head if len(head) in _HEX_LENGTHS and _HEX.issuperset(head) else ""

    def commit_of(self, name: str) -> str:
        """The commit that a name stands for: HEAD, a branch, a tag, or a commit's digits; else empty."""
        if name == "HEAD":
            return self.head()
        if ".." not in name and name.translate(_IN_BRANCHES).isalnum():
            for kind in ("heads", "tags", "remotes"):
                ref = f"refs/{kind}/{name}"
                found = self._first_line(os.path.join(self._git, ref)) or self._packed(ref)
                if found:
                    return found
        return name.lower() if _HEX.issuperset(name.lower()) else ""

    def branch(self) -> str:
        """The branch that is checked out; empty for a detached commit, and for an invalid name."""
        head = self._first_line(os.path.join(self._own, "HEAD"))
        name = head.partition("ref: refs/heads/")[2]
        return name if name.translate(_IN_BRANCHES).isalnum() else ""

    def _packed(self, name: str) -> str:
        """The commit of a branch in packed-refs."""
        packed = self._read(os.path.join(self._git, "packed-refs"), _LARGEST_REFS)
        before, found, _ = f"\n{packed}\n".partition(f" {name}\n")
        return before.rpartition("\n")[2] if found else ""

    def _is_worktree(self) -> bool:
        """Whether the shared git folder has a record of this working tree, as `git worktree` keeps."""
        own = os.path.realpath(self._own)
        if os.path.dirname(own) != os.path.join(os.path.realpath(self._git), "worktrees"):
            return False
        back = self._first_line(os.path.join(own, "gitdir"))
        return bool(back) and self._is_here(os.path.dirname(os.path.join(own, back)))

    def _is_named_by_settings(self) -> bool:
        """Whether the git folder says that this is its working tree, as that of a submodule does."""
        for name in ("config", "config.worktree"):
            inside = False
            for line in self._lines(os.path.join(self._own, name), _LARGEST_CONFIG):
                key, sign, value = line.partition("=")
                if line.startswith("["):
                    inside = line.strip("[] \t").lower() == "core"
                elif inside and sign and key.strip().lower() == "worktree":
                    return self._is_here(os.path.join(self._own, value.strip().strip('"')))
        return False

    def _is_here(self, folder: str) -> bool:
        return os.path.realpath(folder) == os.path.realpath(self._tree)

    @property
    def shared(self) -> str:
        """The folder of its objects, which all its worktrees share."""
        return self._git

    def objects(self) -> "Iterator[str]":
        """The folders of objects: its own, and those of its alternates."""
        own = os.path.join(self._git, "objects")
        yield own
        borrowed = self._lines(os.path.join(own, "info", "alternates"), _LARGEST_CONFIG)
        for line in borrowed[:_MOST_ALTERNATES]:
            yield os.path.join(own, line)

    def _led_to(self, marker: str) -> str:
        """The git folder that the `.git` file of a worktree or submodule points to."""
        target = self._first_line(marker).partition("gitdir:")[2].strip()
        return os.path.join(os.path.dirname(marker), target) if target else marker

    def _first_line(self, path: str) -> str:
        try:
            data = head(path, _LONGEST_LINE)
        except OSError as error:
            self._note(path, error)
            return ""
        return _text(data).partition("\n")[0].strip()

    def _lines(self, path: str, most: int) -> list[str]:
        return [line.strip() for line in self._read(path, most).split("\n")]

    def _read(self, path: str, most: int) -> str:
        """The text of a file, up to a limit."""
        try:
            data = head(path, most + 1)
        except OSError as error:
            self._note(path, error)
            return ""
        if len(data) > most:
            self.unread[path] = f"only its first {most:,} bytes are read"
        return _text(data[:most])

    def _note(self, path: str, error: OSError) -> None:
        if not isinstance(error, (FileNotFoundError, NotADirectoryError)):
            self.unread[path] = (error.strerror or "it cannot be read").lower()


def is_below(path: str, folder: str) -> bool:
    """Whether a path is inside a folder, wherever links lead."""
    return os.path.realpath(path).startswith(os.path.join(os.path.realpath(folder), ""))


def normal_remote(url: str) -> str:
    """``git@host:a/b.git``, ``https://user@host/a/b`` and ``ssh://host/a/b`` as ``host/a/b``."""
    # What follows ``?`` is not part of the name; people put tokens there, as before an ``@``.
    _, scheme, rest = url.partition("?")[0].rpartition("://")
    host, slash, path = rest.partition("/")
    rest = host.rpartition("@")[2] + slash + path
    user, colon, port = host.partition(":")
    if scheme and colon and "@" not in host and "[" not in user and port.strip(_DIGITS):
        # Not a port, so a password that contains a slash.
        rest = path.rpartition("@")[2]
    if not scheme:
        rest = rest.replace(":", "/", 1)
    return rest.removesuffix("/").removesuffix(".git").lower()


def _text(data: bytes) -> str:
    """Decodes bytes so that any of them may be part of a path."""
    return data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\0", "\ufffd")


def own_commit() -> str | None:
    """The commit of the checkout that this package runs from; None for an installed package."""
    return Repository(ROOT).head() or None
