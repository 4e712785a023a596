"""Tying a memory to the files and symbols that it is about, and looking what became of them."""

import os
from zlib import crc32

from bowerbird.core.anchors import DELETED, FRESH, MOVED, STALE, Anchor
from bowerbird.core.foreign import whole
from bowerbird.core.graph import document_of
from bowerbird.core.ids import content_hash
from bowerbird.graph.naming import parted, spoken_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bowerbird.core.graph import Node
    from bowerbird.core.outline import Outline
    from bowerbird.core.ports.files import Documents

    Then = Callable[[str], bytes | None]
    Draw = Callable[[str, bytes], Outline | None]

# What one memory is tied to at most, and names of its text that are looked up.
MOST = 12
_NAMES = 20
# Larger files are no source code, and are not read for an answer.
_MOST_BYTES = 10_000_000
# Places that may be where a symbol went to.
_PLACES = 8
# Days by which a file that changed is newer than the memory, from which on somebody should look at it.
_DAYS, _DAY = 30, 86_400_000


class Anchoring:
    """Files of one project, below its folder, and the graph of what is indexed."""

    def __init__(
        self,
        documents: "Documents",
        projects: "Sequence[str]",
        root: str | None,
        *,
        unindexed: bool,
        then: "Then | None" = None,
        draw: "Draw | None" = None,
    ) -> None:
        """`unindexed`: files below the folder count that are not in the index, too.

        `then` gives what a file held at the commit that a memory is of, as far as that is known, and
        `draw` the outline of such a text: it is tied to what stood there, not to what stands now.
        """
        self._documents = documents
        self._then = then
        self._draw = draw
        self._graph = documents.graph
        self._projects = projects
        self._root = root
        self._unindexed = unindexed

    def taken(self, files: "Iterable[str]", text: str, *, everywhere: bool = False) -> list[Anchor]:
        """What a memory is about that names these files, and says this text, as it stands now.

        A symbol of a file that the text names stands for the file. What names nothing for sure ties to
        nothing. `everywhere`: it is read in other projects, and names its files as a whole.
        """
        _, names = spoken_of(text)
        tied: dict[tuple[str, str], Anchor] = {}
        for said in files:
            path, name = parted(said)
            where = self._where(path)
            if where is None:
                continue
            symbols = self._symbols(where, [name] if name else names[:_NAMES])
            for node in symbols or (None,):
                self._tie(tied, where, node, everywhere=everywhere)
        for where, node in () if tied else self._spoken(text):
            self._tie(tied, where, node, everywhere=everywhere)
        return list(tied.values())[:MOST]

    def _tie(
        self,
        tied: "dict[tuple[str, str], Anchor]",
        where: str,
        node: "Node | None",
        *,
        everywhere: bool,
    ) -> None:
        path = where if everywhere else self._below(where)
        then = self._then(where) if self._then is not None else None
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

    def _as_it_was(self, anchor: Anchor, then: bytes, data: bytes) -> Anchor:
        """An anchor to what stands now, or to what stood there then if that is something else."""
        # A checkout may have other ends of lines than what git keeps.
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
        return anchor  # it came later

    def _spoken(self, text: str) -> "Iterator[tuple[str, Node | None]]":
        """What a text names of the index: symbols that one place alone is called, else files."""
        files, names = spoken_of(text)
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

    def _where(self, path: str) -> str | None:
        """The file that is meant, if it is one of the project's."""
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
        known = os.path.isfile(here) or (self._then is not None and self._then(here) is not None)
        return here if known else None

    def _symbols(self, where: str, names: "Iterable[str]") -> "list[Node]":
        """What these names are in a file; one that may be several is none."""
        symbols = []
        for name in names:
            found = self._graph.at(where, name, self._projects)
            exact = [one for one in found if one.name == name] or found
            symbols += exact[:1] if len({one.name for one in exact}) == 1 else []
        return symbols

    def _is_indexed(self, node: "Node", size: int, modified: int) -> bool:
        """Whether a file is as it was indexed, so that lines of its nodes are lines of it."""
        document = document_of(node.id)
        _, *state = self._graph.states([document]).get(document, ("", -1, -1))
        return state == [size, modified]

    def _below(self, where: str) -> str:
        above = os.path.join(os.path.realpath(self._root), "") if self._root else ""
        return where[len(above) :] if above and where.startswith(above) else where

    def checked(self, anchor: Anchor, written: int) -> Anchor | None:
        """An anchor with what became of it; None where that cannot be told, for there is no folder.

        A file of the size and time of then was not touched; any other is read. `written` is when the
        memory was (UTC milliseconds).
        """
        where = anchor.path
        if not os.path.isabs(where):
            if not self._root or not os.path.isdir(self._root):
                return None
            where = os.path.join(self._root, where)
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
        line = _found(_lines(data), anchor) if anchor.name else None
        if line is not None:
            return anchor.replace(state=FRESH, line=line)
        moved = self._elsewhere(anchor, where) if anchor.name else None
        if moved is not None:
            return moved
        days = (modified - written) // _DAY
        late = f" {days} days after it was written: look at it" if days > _DAYS else ""
        return anchor.replace(state=STALE, reason=f"changed{late}")

    def _elsewhere(self, anchor: Anchor, where: str) -> Anchor | None:
        """Where what stood there stands now, if that is indexed."""
        if not anchor.name:
            same = self._documents.same(bytes.fromhex(anchor.hash), anchor.size, self._projects)
            stands = [path for path in same if path != where and _is(path, anchor)]
            return self._moved(anchor, stands[0], None) if stands else None
        last = anchor.name.rpartition(".")[2]
        there = self._graph.at("", last, self._projects)
        for node in [one for one in there if one.path != where][:_PLACES]:
            try:
                line = _found(_lines(whole(node.path, _MOST_BYTES)), anchor)
            except OSError:
                continue
            if line is not None:
                return self._moved(anchor, node.path, node, line)
        return None

    def _moved(
        self, anchor: Anchor, path: str, node: "Node | None", line: int | None = None
    ) -> Anchor:
        below = self._below(path)
        now = f"{below}:{node.name}" if node is not None else below
        return anchor.replace(state=MOVED, now=now, line=line)


def _is(path: str, anchor: Anchor) -> bool:
    """Whether a file holds what an anchor's file held: it may have changed since it was indexed."""
    try:
        data = whole(path, _MOST_BYTES)
    except OSError:
        return False
    return content_hash(data).hex() == anchor.hash


def _of_file(path: str, data: bytes, modified: int = 0) -> Anchor:
    """To a file as a whole; without a time it is read whenever it is looked at."""
    return Anchor(path, "", content_hash(data).hex(), len(data), modified)


def _of_symbol(
    path: str, name: str, lines: "Sequence[bytes]", size: int, modified: int = 0
) -> Anchor:
    return Anchor(path, name, _hash(lines), size, modified, crc32(lines[0]), len(lines))


def _lines(data: bytes) -> list[bytes]:
    """The lines of a text without what stands around them: indentation is no content."""
    return [line.strip() for line in data.splitlines()]


def _hash(lines: "Sequence[bytes]") -> str:
    return content_hash(b"\n".join(lines)).hex()


def _found(lines: "Sequence[bytes]", anchor: Anchor) -> int | None:
    """The line (from 1) on which a symbol's text begins, whatever stands above it by now."""
    for number, line in enumerate(lines):
        if crc32(line) != anchor.first:
            continue
        if _hash(lines[number : number + anchor.lines]) == anchor.hash:
            return number + 1
    return None
