"""Reads an index in the SCIP format (scip.proto): which name is defined where. Pure.

scip-python, scip-typescript, scip-java, rust-analyzer and others write it; their compilers resolve names
that an outline alone cannot.
"""

import json
import zlib

from bowerbird.core.errors import BadInput
from bowerbird.core.outline import MODULE
from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bowerbird.code.files import World

    # Line (from 1) and column of a name; then path, line and name of its definition. The path is empty if
    # that is outside of the index.
    Row = tuple[int, int, str, int, str]
    # Line, column, symbol, and whether this is its definition.
    Said = tuple[int, int, str, bool]

# Field numbers of the messages: index, metadata, document, occurrence.
_METADATA = 1
_DOCUMENTS = 2
_ROOT = 3
_PATH = 1
_OCCURRENCES = 2
_RANGE = 1
_SYMBOL = 2
_ROLES = 3
_DEFINITION = 1
# Wire types of protocol buffers.
_VARINT = 0
_FIXED64 = 1
_LENGTH = 2
_FIXED32 = 5
_MORE = 128
_LOW = 127
# A symbol begins with its scheme, manager, package and version.
_PACKAGE = 4
_CONSTRUCTOR = "`<constructor>`()."


class Index(Record):
    """A parsed index: the root folder of its paths, and the rows of each file."""

    root: str
    files: "dict[str, list[Row]]"


def read(data: bytes) -> Index:
    """Parse an index. Raises BadInput for invalid bytes."""
    try:
        return _read(data)
    except (ValueError, IndexError, TypeError) as error:
        raise BadInput(
            "this is no SCIP index", "make one with scip-python, scip-typescript or another tool"
        ) from error


def _read(data: bytes) -> Index:
    root, documents = "", []
    for number, value in _fields(data):
        if number == _METADATA:
            root = dict(_fields(_bytes(value))).get(_ROOT, b"").decode()  # type: ignore[union-attr]
        elif number == _DOCUMENTS:
            documents.append(_document(_bytes(value)))
    if not documents:
        raise ValueError
    return Index(root.removeprefix("file://"), _rows(documents))


def _rows(documents: "list[tuple[str, list[Said]]]") -> "dict[str, list[Row]]":
    """The rows of each file: the names in it that are defined elsewhere."""
    defined = _defined(documents)
    own = {_package(symbol) for symbol in defined}
    files: dict[str, list[Row]] = {}
    for path, occurrences in documents:
        rows = files.setdefault(path, [])
        for line, column, symbol, definition in occurrences:
            if definition or symbol.startswith("local "):
                continue
            if symbol in defined:
                rows.append((line, column, *defined[symbol], _name(symbol)))
            elif _package(symbol) not in own:
                rows.append((line, column, "", 0, _name(symbol)))
    return files


def _defined(documents: "list[tuple[str, list[Said]]]") -> dict[str, tuple[str, int]]:
    """The definition of each symbol; that of a constructor is its class."""
    defined: dict[str, tuple[str, int]] = {}
    for path, occurrences in documents:
        for line, _, symbol, definition in occurrences:
            if definition and not symbol.startswith("local "):
                defined.setdefault(symbol, (path, line))
    for symbol in list(defined):
        if symbol.removesuffix(_CONSTRUCTOR) in defined:
            defined[symbol] = defined[symbol.removesuffix(_CONSTRUCTOR)]
    return defined


def _package(symbol: str) -> tuple[str, ...]:
    return tuple(symbol.split(" ")[:_PACKAGE])


def _document(data: bytes) -> "tuple[str, list[Said]]":
    path, occurrences = "", []
    for number, value in _fields(data):
        if number == _PATH:
            path = _bytes(value).decode()
        elif number == _OCCURRENCES:
            found = dict(_fields(_bytes(value)))
            encoded_range = _bytes(found[_RANGE])
            line, after = _varint(encoded_range, 0)
            column, _ = _varint(encoded_range, after)
            roles = found.get(_ROLES, 0)
            symbol = _bytes(found.get(_SYMBOL, b"")).decode()
            occurrences.append((line + 1, column, symbol, bool(int(roles) & _DEFINITION)))
    return path, occurrences


def _name(symbol: str) -> str:
    """A symbol's name: its last descriptor without the suffix."""
    last = symbol.removesuffix(_CONSTRUCTOR).rstrip(".#:/!").removesuffix("()")
    for mark in ("#", "/", ".", "`"):
        last = last.rpartition(mark)[2]
    return last


def _bytes(value: "bytes | int") -> bytes:
    if not isinstance(value, bytes):
        raise TypeError
    return value


def _fields(data: bytes) -> "Iterator[tuple[int, bytes | int]]":
    """The fields of one message: number, and bytes or an integer."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        wire = key & 7
        if wire == _VARINT:
            value, at = _varint(data, at)
            yield key >> 3, value
            continue
        size = {_FIXED64: 8, _FIXED32: 4}.get(wire, 0)
        if wire == _LENGTH:
            size, at = _varint(data, at)
        elif not size:
            raise ValueError
        if at + size > len(data):
            raise ValueError
        yield key >> 3, data[at : at + size]
        at += size


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & _LOW) << shift
        at += 1
        if byte < _MORE:
            return value, at
        shift += 7


def packed(rows: "list[Row]") -> bytes:
    """The rows of a file, serialised for a store."""
    return zlib.compress(json.dumps(rows, separators=(",", ":")).encode(), 6)


def exact(text: bytes, world: "World") -> "Mapping[tuple[int, int], tuple[int, int] | None]":
    """The document and definition of each resolved name, by location; None if external.

    A name without a node, such as a variable, is left out: the outline may resolve it further.
    """
    found: dict[tuple[int, int], tuple[int, int] | None] = {}
    for line, column, path, defined, name in json.loads(zlib.decompress(text)):
        if not path:
            found[line, column] = None
            continue
        target = _node(world, path, defined, name)
        if target is not None:
            found[line, column] = target
    return found


def _node(world: "World", path: str, line: int, name: str) -> "tuple[int, int] | None":
    """The definition of a name on a line; if the file has changed, the only one with that name."""
    world.ask(path, name)
    document = world.by_path.get(path)
    file = world.file(document) if document is not None else None
    if file is None:
        return None
    named = [index for index, one in enumerate(file.outline.definitions) if one.name == name]
    there = [index for index in named if file.outline.definitions[index].line == line] or named
    if len(there) != 1 or there[0] == MODULE:
        return None
    return file.document, there[0]
