"""Many erased memories that name the same: each quotation is still found, and nothing else."""

from __future__ import annotations

import json

import pytest

from bowerbird.lifecycle.remnants import Remnants

AREAS = [f"area{number}" for number in range(30)]
TEXTS = [f"The gauge of {area} is read at noon by number {at}" for at, area in enumerate(AREAS)]


@pytest.mark.parametrize("shared", [3, 12, 30])
def test_every_quotation_is_found(shared: int) -> None:
    erased = TEXTS[:shared]
    remnants = Remnants(erased, counts={"gauge": 1})
    for text in erased:
        assert remnants.quoted(f"Who said “{text}”?")
        assert remnants.holds(json.dumps({"author": "", "summary": text.upper()}))
    assert not remnants.quoted("The gauge was mended, and somebody reads at night")
    assert not remnants.holds("By noon the report is read of each area")
