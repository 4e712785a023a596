"""What is about disks is tried on one, wherever other tests keep what they write."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

# As it was before the run's own folder took its place.
DISK = tempfile.gettempdir()


@pytest.fixture
def tmp_path(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the disk, which what a test starts takes for temporary files, too."""
    with tempfile.TemporaryDirectory(prefix="faults-", dir=DISK) as folder:
        monkeypatch.setenv("TMPDIR", folder)
        yield Path(folder)
