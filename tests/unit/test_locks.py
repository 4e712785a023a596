"""Locks between processes: one has it, others wait or are told, and it ends with its process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import bowerbird
from bowerbird.host.locks import lock, opened_folder, opened_to_lock, unlock

_HOLD = """
import os, sys
from bowerbird.host.locks import lock, opened_to_lock
handle = opened_to_lock(sys.argv[1])
assert lock(handle)
print("held", flush=True)
sys.stdin.read()
"""


def test_a_lock_of_another_process_is_seen_and_ends_with_it(tmp_path: Path) -> None:
    path = str(tmp_path / "some.lock")
    handle = opened_to_lock(path)
    with subprocess.Popen(
        [sys.executable, "-c", _HOLD, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        assert not lock(handle, wait=False)
        assert not lock(handle, wait=False, shared=True)
        other.kill()
    assert lock(handle, wait=False)
    unlock(handle)
    os.close(handle)


def test_a_folder_is_locked_and_stays_as_it_is(tmp_path: Path) -> None:
    one, other = opened_folder(str(tmp_path)), opened_folder(str(tmp_path))
    assert lock(one)
    assert not lock(other, wait=False)
    os.close(one)
    assert lock(other)
    os.close(other)
    if sys.platform != "win32":  # there a folder is locked by a file in it
        assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="a shared lock is an exclusive one there")
def test_a_shared_lock_lets_others_share(tmp_path: Path) -> None:
    path = str(tmp_path / "some.lock")
    one, other = opened_to_lock(path), opened_to_lock(path)
    assert lock(one, shared=True)
    assert lock(other, wait=False, shared=True)
    assert not lock(other, wait=False)
    os.close(one)
    os.close(other)


def test_a_link_is_refused_where_it_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "target")
    with pytest.raises(OSError):  # noqa: PT011 its words are the system's
        opened_to_lock(str(tmp_path / "link"), links=False)


def test_no_other_module_locks() -> None:
    root = Path(bowerbird.__file__).parent
    found = [one for one in root.rglob("*.py") if "import fcntl" in one.read_text("utf-8")]
    assert found == [root / "host" / "locks.py"]
