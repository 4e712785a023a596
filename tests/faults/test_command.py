"""A small share of `make faults`: each part by its command, as often as a run of the tests bears."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

BENCHMARKS = os.path.join(os.path.dirname(__file__), "..", "..", "benchmarks")


def run(tmp_path: Path, part: str, count: int) -> tuple[dict[str, Any], str, int]:
    """What a part found, what it said, and its exit code."""
    out = tmp_path / "found.json"
    done = subprocess.run(
        [sys.executable, "-m", "faults", part, f"--count={part}={count}", f"--out={out}"],
        env={**os.environ, "PYTHONPATH": os.path.abspath(BENCHMARKS)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert os.path.exists(out), done.stderr
    (found,) = json.loads(out.read_text()).values()
    return found, done.stderr, done.returncode


@pytest.mark.parametrize(
    ("part", "count", "least"),
    [
        ("kills", 5, {"kills": 5}),
        ("rebuilds", 7, {"killed_in_upgrade": 1}),
        ("commands", 8, {"kills": 8}),
        ("full-disks", 100, {"full": 5}),
        ("learned-cuts", 20, {"control_lost": 1}),
        ("power-cuts", 60, {"cuts": 60, "control_lost": 1}),
        ("failing", 41, {"StoreError": 1}),
        ("versions", 1, {"refused": 2, "raced_acknowledged": 6}),
        ("clocks", 1, {"memories": 32}),
        ("replicas", 2, {"texts": 8}),
    ],
)
def test_nothing_is_lost(tmp_path: Path, part: str, count: int, least: dict[str, int]) -> None:
    found, said, code = run(tmp_path, part, count)
    assert (found["violations"], code) == ([], 0), said
    figures = found["figures"]
    assert {name: figures[name] for name in least if figures[name] < least[name]} == {}
    assert figures.get("lost", 0) == 0
