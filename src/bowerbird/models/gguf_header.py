"""What a GGUF file says of its model: read from its first bytes, without llama.cpp."""

import os
import struct

from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO

# How a model makes one vector of its tokens' (llama.cpp's enumeration). A generating model has none;
# with RANK it makes a score of a question and a text.
NONE, RANK = 0, 4
_MAGIC = b"GGUF"
# The numbers by their type in the file.
_NUMBERS = {
    0: "B",
    1: "b",
    2: "H",
    3: "h",
    4: "I",
    5: "i",
    6: "f",
    7: "?",
    10: "Q",
    11: "q",
    12: "d",
}
_STRING = 8
# Names and other texts of a header are shorter; a damaged file may name any length.
_LONGEST = 1 << 20
# Tensors begin at multiples of so many bytes, if the file does not say of how many.
_ALIGNED = 32
# The tokens, which come last and are long.
_LAST = "tokenizer."


class GgufHeader(Record):
    """The architecture, the numbers of a vector, the tokens that it reads, and the way of pooling.

    `pooling` is None if the file does not say; 0 stands for a number that it does not say.
    """

    architecture: str
    dims: int
    tokens: int
    pooling: int | None

    @property
    def embeds(self) -> bool:
        """Whether it was made to embed texts."""
        return self.pooling not in (None, NONE, RANK)

    @property
    def reranks(self) -> bool:
        """Whether it was made to score a question with a text."""
        return self.pooling == RANK


def header(path: str) -> GgufHeader | None:
    """What a file says; None if it is no GGUF file. Raises OSError."""
    with open(path, "rb") as file:
        try:
            return _header(file)
        except (struct.error, ValueError, KeyError, OverflowError):
            return None


def is_cut(path: str) -> bool:
    """Whether a GGUF file ends before its last tensor begins, as a download that was broken off does.

    False for what is no GGUF file, or has another header. Raises OSError.
    """
    size = os.path.getsize(path)
    with open(path, "rb") as file:
        try:
            return file.read(4) == _MAGIC and _last_tensor(file) >= size
        except struct.error:
            return file.tell() >= size
        except (ValueError, KeyError, OverflowError):
            return False


def _last_tensor(file: "BinaryIO") -> int:
    """The byte at which the last tensor begins, behind the list of all."""
    _version, tensors, count = struct.unpack("<IQQ", file.read(20))
    if tensors > _LONGEST:
        raise ValueError(tensors)
    aligned = _ALIGNED
    for _ in range(count):
        name = _text(file)
        (kind,) = struct.unpack("<I", file.read(4))
        if kind == _STRING:
            _text(file)
        elif kind in _NUMBERS:
            number = _number(file, kind)
            aligned = int(number) if name == "general.alignment" else aligned
        else:
            _skip_list(file)
    last = 0
    for _ in range(tensors):
        _text(file)
        (dimensions,) = struct.unpack("<I", file.read(4))
        *_, offset = struct.unpack(f"<{dimensions}QIQ", file.read(8 * dimensions + 12))
        last = max(last, offset)
    return file.tell() + -file.tell() % aligned + last


def _header(file: "BinaryIO") -> GgufHeader | None:
    if file.read(4) != _MAGIC:
        return None
    _version, _tensors, count = struct.unpack("<IQQ", file.read(20))
    said: dict[str, Any] = {}
    for _ in range(count):
        name = _text(file)
        if name.startswith(_LAST):
            break
        (kind,) = struct.unpack("<I", file.read(4))
        if kind == _STRING:
            said[name] = _text(file)
        elif kind in _NUMBERS:
            said[name] = _number(file, kind)
        else:
            _skip_list(file)
    architecture = str(said["general.architecture"])
    dims, tokens, pooling = (
        said.get(f"{architecture}.{one}")
        for one in ("embedding_length", "context_length", "pooling_type")
    )
    return GgufHeader(
        architecture, int(dims or 0), int(tokens or 0), None if pooling is None else int(pooling)
    )


def _text(file: "BinaryIO") -> str:
    (length,) = struct.unpack("<Q", file.read(8))
    if length > _LONGEST:
        raise ValueError(length)
    return file.read(length).decode("utf-8", "replace")


def _number(file: "BinaryIO", kind: int) -> "Any":
    shape = "<" + _NUMBERS[kind]
    return struct.unpack(shape, file.read(struct.calcsize(shape)))[0]


def _skip_list(file: "BinaryIO") -> None:
    kind, count = struct.unpack("<IQ", file.read(12))
    if count > _LONGEST:
        raise ValueError(count)
    if kind in _NUMBERS:
        file.seek(count * struct.calcsize("<" + _NUMBERS[kind]), os.SEEK_CUR)
        return
    for _ in range(count):
        if kind != _STRING:
            raise ValueError(kind)
        (length,) = struct.unpack("<Q", file.read(8))
        file.seek(length, os.SEEK_CUR)
