"""Embedders: texts in, vectors out."""

import mmap
import os
import struct
from weakref import WeakValueDictionary

from bowerbird.core import plainjson
from bowerbird.core.errors import ModelError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

REMEDY = "reinstall the package"
_MAGIC_BYTES = 8
# The maps that anyone in this process has, by the file that each is of.
_MAPS: "WeakValueDictionary[tuple[int, ...], mmap.mmap]" = WeakValueDictionary()


def shared_map(path: "str | Path") -> mmap.mmap:
    """Memory-map a file to be read, once a process: each map holds a descriptor until it is collected.

    Raises OSError, and ValueError if the file is empty.
    """
    with open(path, "rb") as file:
        at = os.fstat(file.fileno())
        key = (at.st_dev, at.st_ino, at.st_size, at.st_mtime_ns)
        found = _MAPS.get(key)
        if found is None:
            found = _MAPS[key] = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return found


def mapped(path: "str | Path", magic: bytes, what: str) -> "tuple[mmap.mmap, dict[str, Any]]":
    """Memory-map a model's file; returns the map and its header.

    The file begins with eight bytes of `magic`, the length of the header (uint32, little-endian) and the
    header, JSON. Raises ModelError if it is missing, truncated or not `what` it should be.
    """
    try:
        data = shared_map(path)
    except (OSError, ValueError) as error:
        raise ModelError(f"cannot read the model {path}: {error}", REMEDY) from error
    if data[:_MAGIC_BYTES] != magic:
        raise ModelError(f"{path} is not {what}", REMEDY)
    try:
        (size,) = struct.unpack_from("<I", data, _MAGIC_BYTES)
        start = _MAGIC_BYTES + struct.calcsize("<I")
        return data, plainjson.loads(data[start : start + size].decode())
    except (struct.error, ValueError) as error:
        raise ModelError(f"{path} is cut short", REMEDY) from error
