"""The file format of a model's layers: named arrays of numbers, memory-mapped.

Layout, little-endian, every array aligned to 64 bytes:

    0    8   magic ``BOWERTF1``
    8    4   uint32: length of the header
    12   n   header: JSON, ASCII
    ...      arrays, at the offsets the header gives

Header: ``name``, ``revision`` (the first 12 hex digits of the SHA-256 of all that follows it) and
``arrays``, name to [offset, dtype, shape]. The scales of an int8 matrix ``x``, one float32 per row, are
in the array ``x.scales``. `scripts/model_files.py` writes it.
"""

from bowerbird.core.errors import ModelError
from bowerbird.models.embed import REMEDY, mapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from numpy.typing import NDArray

MAGIC = b"BOWERTF1"


class TensorFile:
    """An open file of arrays."""

    def __init__(self, path: "str | Path") -> None:
        """Map the file. Raises ModelError if it is missing, truncated or of another format."""
        self._map, header = mapped(path, MAGIC, "a file of layers")
        self.name: str = header["name"]
        self.revision: str = header["revision"]
        self._arrays: dict[str, tuple[int, str, list[int]]] = header["arrays"]
        if any(self._end(name) > len(self._map) for name in self._arrays):
            raise ModelError(f"{path} is cut short", REMEDY)

    def _end(self, name: str) -> int:
        offset, dtype, shape = self._arrays[name]
        size = int(dtype[-1])
        for length in shape:
            size *= length
        return offset + size

    def has(self, name: str) -> bool:
        """Whether it has an array of this name."""
        return name in self._arrays

    def floats(self, name: str) -> "NDArray[Any]":
        """An int8 matrix with the scale of each row, as floats."""
        values: NDArray[Any] = self.array(name) * self.array(f"{name}.scales")[:, None]
        return values

    def array(self, name: str) -> "NDArray[Any]":
        """One array, as stored in the file. Loads numpy."""
        import numpy as np  # start-up: whoever only asks for the name never needs it

        offset, dtype, shape = self._arrays[name]
        count = (self._end(name) - offset) // int(dtype[-1])
        return np.frombuffer(self._map, np.dtype(dtype), count, offset).reshape(shape)
