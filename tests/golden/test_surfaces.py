"""The interfaces match the recorded goldens: see scripts/goldens.py."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def test_the_interfaces_answer_as_was_written_down() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "goldens.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
