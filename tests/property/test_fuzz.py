"""What reads what others wrote, asked with some random inputs; `make fuzz` asks with 200,000 each."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[2] / "benchmarks"))

from fuzz import PARSERS, failures

INPUTS = 100


@pytest.mark.parametrize("parser", PARSERS)
def test_only_declared_errors_come_out(parser: str) -> None:
    assert not list(failures(parser, INPUTS, seed=0))
