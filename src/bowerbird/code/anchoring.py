"""Anchors memories to the files and symbols that they are about, and checks whether these changed."""

import os
from zlib import crc32

from bowerbird.code.fingerprint import fingerprint
from bowerbird.code.naming import parted, spoken_of
from bowerbird.core.anchors import DELETED, FOLDER, FRESH, MOVED, OF_TYPE, STALE, Anchor, is_place
from bowerbird.core.graph import document_of
from bowerbird.core.ids import content_hash
from bowerbird.host.foreign import whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bowerbird.code.git_objects import History
    from bowerbird.core.graph import Node
    from bowerbird.core.outline import Outline
    from bowerbird.core.ports.files import Documents

    Draw = Callable[[str, bytes], Outline | None]

# Maximum anchors of one memory, and maximum names of its text that are looked up.
MOST = 12
_NAMES = 20
# Larger files are not source code and are not read.
_MOST_BYTES = 10_000_000
# Maximum candidates read to find where a symbol moved.
_MOST_NODES = 8
# A file modified more than this number of days after the memory was written should be reviewed.
_DAYS = 30
_DAY = 86_400_000
# Begins the hash of a symbol that is a fingerprint of its code; others are of its lines.
_CODE = "code:"


class Anchoring:
    """Computes and checks anchors in one project, from its folder and the graph of its index."""

    def __init__(
        self,
        documents: "Documents",
        projects: "Sequence[str]",
        root: str | None,
        *,
        unindexed: bool,
        history: "History | None" = None,
        draw: "Draw | None" = None,
    ) -> None:
        """`unindexed`: also accept files below the folder that are not in the index.

        With the `history` of the folder an anchor refers to a file's content at the memory's commit
        rather than the current one; `draw` returns the outline of a file's content, without which what
        became of a symbol is told by its lines alone.
        """
        self._documents = documents
        self._history = history
        self._draw = draw
        self._graph = documents.graph
        self._projects = projects
        self._root = root
        self._unindexed = unindexed

    def taken(
        self, files: "Iterable[str]", text: str, commit: str = "", *, everywhere: bool = False
    ) -> list[Anchor]:
        """The anchors of a memory with these files and this text, at most `MOST`.

        If the text names a symbol of a file, the anchor is the symbol instead of the file. Ambiguous
        names give no anchor. With a `commit` it is anchored to the content at that commit, as far as git
        knows it. `everywhere`: the memory is used in other projects too, so paths are absolute.
        """
        spoken = spoken_of(text)
        names = spoken[1]
        tied: dict[tuple[str, str], Anchor] = {}
        for said in files:
            path, name = parted(said)
            if is_place(path):
                tied |= self._place(path, everywhere=everywhere)
                continue
            where = self._where(path, commit)
            if where is None:
                continue
            symbols = self._symbols(where, [name] if name else names[:_NAMES])
            for node in symbols or (None,):
                self._tie(tied, where, node, commit, everywhere=everywhere)
        for where, node in () if tied else self._spoken(*spoken):
            self._tie(tied, where, node, commit, everywhere=everywhere)
        return list(tied.values())[:MOST]

    def _place(self, path: str, *, everywhere: bool) -> "dict[tuple[str, str], Anchor]":
        """The anchor to a type of files, or to a folder of the project; none if that is not there."""
        if path.startswith(OF_TYPE):
            return {(path, ""): Anchor(path)}
        if not self._unindexed or not self._root:
            return {}
        where = os.path.realpath(os.path.join(self._root, path))
        below = self._below(where)
        if not os.path.isdir(where) or below == where:
            return {}
        known = (where if everywhere else below) + FOLDER
        return {(known, ""): Anchor(known)}

    def _tie(
        self,
        tied: "dict[tuple[str, str], Anchor]",
        where: str,
        node: "Node | None",
        commit: str,
        *,
        everywhere: bool,
    ) -> None:
        path = where if everywhere else self._below(where)
        then = self._at(commit, where)
        try:
            data, found = whole(where, _MOST_BYTES), os.stat(where)
        except OSError:
            if then is not None:
                tied[path, ""] = _of_file(path, then)
            return
        modified = found.st_mtime_ns // 1_000_000
        if node is None or not self._is_indexed(node, len(data), modified):
            anchor = _of_file(path, data, modified)
        else:
            lines = _lines(data)[node.start_line - 1 : node.end_line]
            if not lines:
                return
            anchor = _of_symbol(path, node.name, lines, len(data), modified)
        if then is not None:
            anchor = self._as_it_was(anchor, then, data)
        tied[anchor.path, anchor.name] = anchor

    def _at(self, commit: str, path: str) -> bytes | None:
        """The content of a file at a commit; None if unknown."""
        return self._history.at(commit, path) if self._history is not None and commit else None

    def _as_it_was(self, anchor: Anchor, then: bytes, data: bytes) -> Anchor:
        """The anchor itself, or one to the content at the commit if that differs."""
        # The line endings of a checkout may differ from those in git.
        if then == data or then == data.replace(b"\r\n", b"\n"):
            return anchor
        if not anchor.name:
            return _of_file(anchor.path, then)
        lines = _lines(then)
        if _found(lines, anchor) is not None:
            return anchor
        outline = self._draw(anchor.path, then) if self._draw is not None else None
        for index, one in enumerate(outline.definitions if outline is not None else ()):
            if outline is not None and outline.qualified(index) == anchor.name:
                stood = lines[one.start_line - 1 : one.end_line]
                return _of_symbol(anchor.path, anchor.name, stood, len(then)) if stood else anchor
        return anchor  # the symbol was added later

    def _spoken(
        self, files: "Sequence[str]", names: "Sequence[str]"
    ) -> "Iterator[tuple[str, Node | None]]":
        """The indexed symbols with one of these names; if there are none, the indexed files."""
        some = False
        for name in names[:_NAMES]:
            found = self._graph.at("", name, self._projects)
            if len({(one.path, one.name) for one in found}) == 1:
                some = True
                yield found[0].path, found[0]
        for file in () if some else files[:_NAMES]:
            there = [one for one in self._documents.at("", file) if one[2] in self._projects]
            if len(there) == 1:
                yield there[0][1], None

    def _where(self, path: str, commit: str) -> str | None:
        """The absolute path of a file of the project; None if it is ambiguous or not in the project."""
        if not path or "\0" in path:
            return None
        here = path if os.path.isabs(path) or not self._root else os.path.join(self._root, path)
        here = os.path.realpath(here)
        end = "" if os.path.isabs(path) else path.removeprefix("./")
        found = [one for one in self._documents.at(here, end) if one[2] in self._projects]
        if len(found) == 1:
            return found[0][1]
        inside = self._root and here.startswith(os.path.join(os.path.realpath(self._root), ""))
        if found or not self._unindexed or not inside:
            return None
        known = os.path.isfile(here) or self._at(commit, here) is not None
        return here if known else None

    def _symbols(self, where: str, names: "Iterable[str]") -> "list[Node]":
        """The nodes with these names in a file; ambiguous names are left out."""
        symbols = []
        for name in names:
            found = self._graph.at(where, name, self._projects)
            exact = [one for one in found if one.name == name] or found
            symbols += exact[:1] if len({one.name for one in exact}) == 1 else []
        return symbols

    def _is_indexed(self, node: "Node", size: int, modified: int) -> bool:
        """Whether a file is unchanged since indexing, so that the line numbers of its nodes are valid."""
        document = document_of(node.id)
        _, *state = self._graph.states([document]).get(document, ("", -1, -1))
        return state == [size, modified]

    def _below(self, where: str) -> str:
        above = os.path.join(os.path.realpath(self._root), "") if self._root else ""
        return where[len(above) :] if above and where.startswith(above) else where

    def checked(self, anchor: Anchor, written: int) -> Anchor | None:
        """The anchor with its current state; None if unknown because there is no folder.

        A file whose size and modification time are equal counts as unchanged; any other is read.
        `written`: when the memory was written (UTC milliseconds).
        """
        where = anchor.path
        if where.startswith(OF_TYPE):
            return anchor.replace(state=FRESH)
        if not os.path.isabs(where):
            if not self._root or not os.path.isdir(self._root):
                return None
            where = os.path.join(self._root, where)
        if is_place(anchor.path):
            there = os.path.isdir(where)
            return anchor.replace(state=FRESH if there else STALE, reason="" if there else DELETED)
        try:
            found = os.stat(where)
            modified = found.st_mtime_ns // 1_000_000
            if (found.st_size, modified) == (anchor.size, anchor.modified):
                return anchor.replace(state=FRESH)
            data = whole(where, _MOST_BYTES)
        except OSError:
            return self._elsewhere(anchor, where) or anchor.replace(state=STALE, reason=DELETED)
        if not anchor.name and content_hash(data).hex() == anchor.hash:
            return anchor.replace(state=FRESH)
        if not anchor.name:
            if anchor.first and anchor.first == _checksum(data, anchor.path):
                return anchor.replace(state=FRESH)
            return anchor.replace(state=STALE, reason=_changed(modified, written))
        return self._symbol(anchor, where, data, _changed(modified, written))

    def _symbol(self, anchor: Anchor, where: str, data: bytes, changed: str) -> Anchor:
        """What became of a symbol whose file has changed."""
        lines = _lines(data)
        line = _found(lines, anchor)
        if line is not None:
            return anchor.replace(state=FRESH, line=line)
        defined = self._defined(anchor.path, data)
        for name, start, end in defined:
            if name == anchor.name:
                if _is_code(anchor, lines[start - 1 : end], name):
                    return anchor.replace(state=FRESH, line=start)
                return self._elsewhere(anchor, where) or anchor.replace(state=STALE, reason=changed)
        for name, start, end in defined:
            if _is_code(anchor, lines[start - 1 : end], name):
                now = f"{anchor.path}:{name}"
                return anchor.replace(state=MOVED, now=now, line=start)
        gone = DELETED if defined else changed
        return self._elsewhere(anchor, where) or anchor.replace(state=STALE, reason=gone)

    def _defined(self, path: str, data: bytes) -> "list[tuple[str, int, int]]":
        """The definitions of a content: names, first and last lines; none if it is no code."""
        outline = self._draw(path, data) if self._draw is not None else None
        if outline is None:
            return []
        return [
            (outline.qualified(index), one.start_line, one.end_line)
            for index, one in enumerate(outline.definitions)
        ]

    def _elsewhere(self, anchor: Anchor, where: str) -> Anchor | None:
        """The anchor with the indexed place to which its content moved; None if there is none."""
        if not anchor.name:
            same = self._documents.same(bytes.fromhex(anchor.hash), anchor.size, self._projects)
            stands = [path for path in same if path != where and _is(path, anchor)]
            return self._moved(anchor, stands[0], None) if stands else None
        last = anchor.name.rpartition(".")[2]
        there = self._graph.at("", last, self._projects)
        for node in [one for one in there if one.path != where][:_MOST_NODES]:
            try:
                lines = _lines(whole(node.path, _MOST_BYTES))
            except OSError:
                continue
            line = _found(lines, anchor)
            if line is None and _is_code(
                anchor, lines[node.start_line - 1 : node.end_line], node.name
            ):
                line = node.start_line
            if line is not None:
                return self._moved(anchor, node.path, node, line)
        named = [one for one in there if one.path != where and one.name == anchor.name]
        if len(named) == 1 and not self._graph.at(where, anchor.name, self._projects):
            now = f"{self._below(named[0].path)}:{named[0].name}"
            return anchor.replace(state=STALE, reason=f"moved to {now} and changed")
        return None

    def _moved(
        self, anchor: Anchor, path: str, node: "Node | None", line: int | None = None
    ) -> Anchor:
        below = self._below(path)
        now = f"{below}:{node.name}" if node is not None else below
        return anchor.replace(state=MOVED, now=now, line=line)


def _is(path: str, anchor: Anchor) -> bool:
    """Whether a file has the content of an anchor's file: it may have changed since indexing."""
    try:
        data = whole(path, _MOST_BYTES)
    except OSError:
        return False
    return content_hash(data).hex() == anchor.hash


def _of_file(path: str, data: bytes, modified: int = 0) -> Anchor:
    """An anchor to a whole file; without a modification time each check reads the file."""
    return Anchor(path, "", content_hash(data).hex(), len(data), modified, _checksum(data, path))


def _checksum(data: bytes, path: str) -> int:
    """A checksum of a file's code, without its comments and formatting; 0 if it is no code."""
    return crc32(fingerprint(data, path).encode())


def _changed(modified: int, written: int) -> str:
    """The reason why an anchor to a changed content is stale."""
    days = (modified - written) // _DAY
    return "changed" + (f" {days} days after it was written: look at it" if days > _DAYS else "")


def _of_symbol(
    path: str, name: str, lines: "Sequence[bytes]", size: int, modified: int = 0
) -> Anchor:
    code = fingerprint(b"\n".join(lines), path, name)
    hash = _CODE + code if code else _hash(lines)
    return Anchor(path, name, hash, size, modified, crc32(lines[0]), len(lines))


def _is_code(anchor: Anchor, lines: "Sequence[bytes]", name: str) -> bool:
    """Whether a definition by some name is the code of an anchor."""
    return anchor.hash == _CODE + fingerprint(b"\n".join(lines), anchor.path, name)


def _lines(data: bytes) -> list[bytes]:
    """The lines of a text without leading and trailing white space, so indentation does not count."""
    return [line.strip() for line in data.splitlines()]


def _hash(lines: "Sequence[bytes]") -> str:
    return content_hash(b"\n".join(lines)).hex()


def _found(lines: "Sequence[bytes]", anchor: Anchor) -> int | None:
    """The line (from 1) on which a symbol's text begins; None if it is not found."""
    for number, line in enumerate(lines):
        if crc32(line) != anchor.first:
            continue
        some = lines[number : number + anchor.lines]
        if _is_code(anchor, some, anchor.name) or _hash(some) == anchor.hash:
            return number + 1
    return None
