"""Sketches: the two ways of making them agree, and near vectors have near sketches."""

import random

from hypothesis import given
from hypothesis import strategies as st

from bowerbird.storage.sqlite.nouns.sketch import BITS, sketch, sketch_alone, sketches


@given(st.lists(st.binary(min_size=24, max_size=24), min_size=1, max_size=8))
def test_one_and_many_agree(vectors: list[bytes]) -> None:
    assert [sketch_alone(values) for values in vectors] == sketches(vectors)


def distance(a: bytes, b: bytes) -> int:
    return (int.from_bytes(a, "big") ^ int.from_bytes(b, "big")).bit_count()


def test_hamming_distance_follows_the_angle() -> None:
    dice = random.Random(7)
    base = [dice.randint(-100, 100) for _ in range(256)]

    def bent(share: float) -> bytes:
        noise = [dice.randint(-100, 100) for _ in base]
        mixed = [round((1 - share) * x + share * y) for x, y in zip(base, noise, strict=True)]
        return bytes(value & 0xFF for value in mixed)

    start = sketch(bytes(value & 0xFF for value in base))
    distances = [distance(start, sketch(bent(share))) for share in (0.0, 0.2, 0.5, 1.0)]
    assert distances == sorted(distances)
    assert distances[0] == 0
    assert abs(distances[-1] - BITS / 2) < BITS / 8
