"""What `index` refuses leaves nothing behind."""

import os
import subprocess
import sys
from pathlib import Path


def test_a_missing_path_makes_no_store(tmp_path: Path) -> None:
    store = tmp_path / "memory.db"
    done = subprocess.run(
        [sys.executable, "-m", "bowerbird", "--store", str(store), "index", str(tmp_path / "none")],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "HOME": str(tmp_path)},
    )
    assert done.returncode == 2
    assert "there is no file or folder" in done.stdout
    assert list(tmp_path.iterdir()) == []
