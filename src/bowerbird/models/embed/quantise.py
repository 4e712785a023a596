"""Numbers of a model as the vectors that the store keeps."""

from array import array
from math import sqrt

from bowerbird.core.types import Vector

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

# Embeddings have no larger values, and the sum of squares of smaller ones is finite.
_LARGEST = 1e100


def quantised(numbers: "Sequence[float]") -> Vector:
    """A vector of floats as int8 values with its norm."""
    norm = sqrt(sum(number * number for number in numbers))
    if norm == 0.0:
        return Vector(bytes(len(numbers)), 0.0)
    step = 127 / max(map(abs, numbers))
    return Vector(array("b", [round(number * step) for number in numbers]).tobytes(), norm)


def is_vector(value: "Any") -> bool:
    """Whether a JSON value is a vector: a list of finite numbers."""
    if not isinstance(value, list) or not value:
        return False
    return all(type(one) in {float, int} and abs(one) < _LARGEST for one in value)
