"""Writes the files of the built-in models, which `bowerbird.models.embed` reads."""

from __future__ import annotations

import array
import hashlib
import json
import struct
from binascii import crc32
from typing import TYPE_CHECKING, Any

from bowerbird.models.embed import tensorfile, tokentable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

# Where arrays and sections begin, and the space reserved for the header of a file of arrays, so that its
# length does not change offsets.
_ALIGNMENT = 64
_ROOM = 16_384


def write_tensors(path: str | Path, name: str, arrays: Mapping[str, NDArray[Any]]) -> str:
    """Write a file of arrays (int8 and float32) and return its revision."""
    body, layout = bytearray(), {}
    for key, values in arrays.items():
        dtype = {"int8": "i1", "float32": "<f4"}[values.dtype.name]
        layout[key] = [_ROOM + len(body), dtype, list(values.shape)]
        data = values.tobytes()
        body += data + bytes(-len(data) % _ALIGNMENT)
    revision = hashlib.sha256(body).hexdigest()[:12]
    header = json.dumps({"name": name, "revision": revision, "arrays": layout}).encode()
    start = tensorfile.MAGIC + struct.pack("<I", len(header)) + header
    with open(path, "wb") as file:
        file.write(start + bytes(_ROOM - len(start)) + body)
    return revision


def write_table(
    path: str | Path,
    name: str,
    rows: Mapping[str, Sequence[float]],
) -> str:
    """Write a token table of pieces with their rows of floats, and return its revision.

    All rows must have the same length.
    """
    slots = 1 << max(4, (2 * len(rows) - 1).bit_length())
    index = array.array("I", bytes(4 * slots))
    starts = array.array("I", [0])
    text, table, scales = bytearray(), bytearray(), array.array("f")
    dims = 0
    for number, (piece, row) in enumerate(rows.items(), 1):
        encoded = piece.encode()
        slot = crc32(encoded) & (slots - 1)
        while index[slot]:
            slot = (slot + 1) & (slots - 1)
        index[slot] = number
        text += encoded
        starts.append(len(text))
        dims = len(row)
        scale = max(map(abs, row)) / 127 or 1.0
        scales.append(scale)
        table += array.array("b", [round(value / scale) for value in row]).tobytes()
    sections = {
        "table": bytes(table),
        "scales": scales.tobytes(),
        "slots": index.tobytes(),
        "starts": starts.tobytes(),
        "text": bytes(text),
    }
    # Offsets are relative to a fixed position of the header, so its own length does not matter.
    room = 1024
    body, layout = bytearray(), {}
    for section, data in sections.items():
        layout[section] = [room + len(body), len(data)]
        body += data + bytes(-len(data) % _ALIGNMENT)
    revision = hashlib.sha256(body).hexdigest()[:12]
    header = json.dumps(
        {
            "name": name,
            "dims": dims,
            "rows": len(rows),
            "slots": slots,
            "revision": revision,
            "sections": layout,
        }
    ).encode()
    start = tokentable.MAGIC + struct.pack("<I", len(header)) + header
    with open(path, "wb") as file:
        file.write(start + bytes(room - len(start)) + body)
    return revision
