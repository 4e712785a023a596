"""Reads and decodes the text of a file, or tells why it has none."""

import os
from importlib import import_module
from sys import getsizeof

from bowerbird.core.ids import content_hash
from bowerbird.core.report import Skipped
from bowerbird.core.value import Record
from bowerbird.host.foreign import opened
from bowerbird.host.installed import adding
from bowerbird.ingest.bounds import LINES_CUT, MOST_LINES, MOST_TIMES_PACKED, REMEDY, WIDTH
from bowerbird.ingest.encoded import without_encoded
from bowerbird.ingest.paged.pages import BrokenError, MissingError
from bowerbird.ingest.paged.registry import PAGED, to_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, BinaryIO

    from bowerbird.ingest.walk import Found

# Bytes at the start of a file that decide whether it is text: no NUL, and valid UTF-8.
_HEAD = 8192
# Old sessions of some agents are compressed in place, and so are the transcripts in our archive.
_ZSTD = ".jsonl.zst"
_GZIP = ".jsonl.gz"
COMPRESSED = (_ZSTD, _GZIP)
# Codex's index of session names; the sessions are read from files of their own.
_SESSIONS = "session_index.jsonl"
# Compressed bytes per step: zstd expands a byte to at most 32 KB, and an excess must be noticed in time.
_PACKED = 1 << 7
# `wbits` for zlib: the largest window, in a gzip frame.
_WITH_GZIP_HEADER = 31
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")


class _UnreadableError(OSError):
    """A compressed file that cannot be read now."""

    def __init__(self, reason: str) -> None:
        super().__init__(0, reason)


class Contents(Record):
    """The content of a file; size and time were taken before the first byte was read.

    `cut` says how much of the text this is, if not all, and that encoded data were taken out.
    """

    text: str
    hash: bytes
    size: int
    modified: int
    cut: str = ""


def read(file: "Found", most: int) -> Contents | Skipped:
    """Reads and decodes a file of at most `most` bytes, and hashes its content.

    Returns Skipped for a file without text. Raises OSError if the file cannot be read now, which says
    nothing about its content.
    """
    try:
        handle = opened(file.path)
        with os.fdopen(handle, "rb") as stream:
            status = os.fstat(handle)
            # Checked on the open file: it may have grown since it was found.
            if status.st_size > most:
                return Skipped(file.path, _too_large(most))
            data = _data(file.path, stream, status.st_size, most)
    except FileNotFoundError:
        return Skipped(file.path, "it is gone")
    if data is None:
        if status.st_size * MOST_TIMES_PACKED < most:
            return Skipped(file.path, f"unpacked it is over {MOST_TIMES_PACKED} times as large")
        return Skipped(file.path, _too_large(most))
    hash = content_hash(data)
    contents = _paged(file.path, data) if file.path.lower().endswith(PAGED) else _text(data)
    del data  # the next steps copy the text
    if isinstance(contents, str):
        return Skipped(file.path, contents)
    text, cut = _within(contents[0], int(most * WIDTH))
    text, encoded = without_encoded(text)
    if os.path.basename(file.path) == _SESSIONS and '"thread_name"' in text[:_HEAD]:
        return Skipped(file.path, "an agent's list of its sessions")
    modified = status.st_mtime_ns // 1_000_000
    left_out = "; ".join(filter(None, (cut or contents[1], encoded)))
    return Contents(text, hash, status.st_size, modified, left_out)


def _data(path: str, stream: "BinaryIO", size: int, most: int) -> bytes | None:
    """The bytes of a file; of a binary one the first. None if it is too large when decompressed."""
    if path.endswith(COMPRESSED):
        return _decompress(stream, path, min(most, size * MOST_TIMES_PACKED))
    data = stream.read(_HEAD)
    if path.lower().endswith(PAGED) or not _is_binary(data):
        data += stream.read(max(0, size - len(data)))
    return data


def _text(data: bytes) -> tuple[str, str] | str:
    """The text with its hash, or the reason why the bytes are no text."""
    if _is_binary(data[:_HEAD]):
        return "binary"
    text = _decode(data)
    return "not UTF-8 text" if text is None else (text, "")


def _paged(path: str, data: bytes) -> tuple[str, str] | str:
    """The text of a PDF or word file with how much was cut off, or the reason why it has none.

    Raises _UnreadableError if the library that parses it is not installed.
    """
    try:
        text, cut = to_text(path)(data)
    except BrokenError as error:
        return str(error)
    except MissingError as error:
        reason = f"a PDF; to read it: {adding('documents')}"
        raise _UnreadableError(reason) from error
    return text, f"the first {len(text):,} characters are read; {REMEDY}" if cut else ""


def beginning(path: str, most: int) -> bytes:
    """About the first `most` bytes of a file, decompressed. Raises OSError."""
    with os.fdopen(opened(path), "rb") as stream:
        if not path.endswith(COMPRESSED):
            return stream.read(most)
        frame = _frames(path)()
        data = b""
        try:
            while len(data) < most and not frame.eof and (part := stream.read(_PACKED)):
                data += frame.decompress(part)
        except Exception as error:
            raise _UnreadableError("broken compressed data") from error
        return data[:most]


def _within(text: str, most: int) -> tuple[str, str]:
    """The start of a text that fits `most` bytes of memory, in bounded lines, and how much that is."""
    taken = getsizeof(text)
    if taken > most:
        text = text[: len(text) * most // taken]
    if len(text) < MOST_LINES or text.count("\n") < MOST_LINES:
        kept = f"the first {len(text):,} characters are read; {REMEDY}" if taken > most else ""
        return text, kept
    at = -1
    for _ in range(MOST_LINES):
        at = text.index("\n", at + 1)
    return text[:at], LINES_CUT


def _decompress(stream: "BinaryIO", path: str, most: int) -> bytes | None:
    """Decompresses a file; None if the result is too large. Raises _UnreadableError."""
    new_frame = _frames(path)
    try:
        return _unpacked(stream, new_frame, most)
    except Exception as error:
        # Each library raises its own exception for corrupt data.
        reason = f"broken {'gzip' if path.endswith(_GZIP) else 'zstd'} data"
        raise _UnreadableError(reason) from error


def _frames(path: str) -> "Callable[[], Any]":
    """The factory of a frame's decompressor, selected by the file's extension."""
    if not path.endswith(_GZIP):
        return _zstd()
    unpacker = import_module("zlib").decompressobj
    return lambda: unpacker(wbits=_WITH_GZIP_HEADER)


def _zstd() -> "Callable[[], Any]":
    """The factory of a zstd decompressor; the standard library has one from Python 3.14 on."""
    try:
        decompressor: Callable[[], Any] = import_module("compression.zstd").ZstdDecompressor
    except ImportError:
        pass
    else:
        return decompressor
    try:
        library = import_module("zstandard")
    except ImportError as error:
        reason = f"compressed with zstd; to read it: {adding('zstd')}"
        raise _UnreadableError(reason) from error
    return lambda: library.ZstdDecompressor().decompressobj()


def _unpacked(stream: "BinaryIO", new_frame: "Callable[[], Any]", most: int) -> bytes | None:
    """Decompresses the frames of a file in turn; None for more than `most` bytes.

    Raises EOFError if the file ends within a frame: it is still being written, or was cut off.
    """
    data = bytearray()
    frame = new_frame()
    while part := stream.read(_PACKED):
        while part:
            frame = new_frame() if frame.eof else frame
            data += frame.decompress(part)
            part = frame.unused_data if frame.eof else b""
        if len(data) > most:
            return None
    if not frame.eof:
        raise EOFError
    return bytes(data)


def _too_large(most: int) -> str:
    return f"larger than {most / 1e6:g} MB (index.max_megabytes)"


def _is_binary(head: bytes) -> bool:
    return b"\0" in head and not head.startswith(_WIDE_MARKS)


def _decode(data: bytes) -> str | None:
    """The text; None if the first bytes are not UTF-8. Invalid bytes after them are replaced."""
    if data.startswith(_WIDE_MARKS):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return None if error.start < _HEAD else data.decode("utf-8-sig", "replace")
