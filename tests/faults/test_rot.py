"""A few flipped bits of every sort of content; `benchmarks/rot.py` flips as many as are asked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "rot.py"


def test_flipped_bits_are_found() -> None:
    """Of 504 all but four are: in what FTS5 keeps for itself beside the words."""
    ran = subprocess.run(
        [sys.executable, str(SCRIPT), "--flips", "30", "--documents", "8", "--seed", "5"],
        capture_output=True,
        text=True,
        check=True,
    )
    _, found, _, flipped, _ = ran.stdout.splitlines()[-1].split()
    assert flipped == "30"
    assert int(found) >= 28, ran.stdout
