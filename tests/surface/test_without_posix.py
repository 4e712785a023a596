"""What is done every day, where Python has no more of `os` than on Windows.

Its locks (`host/locks.py`) and its paths are not tried by this.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

# Of `os`, `signal` and `socket` what their documentation says is on Unix alone, and the package names;
# but `statvfs`, which shutil reads here in its place.
_TAKEN = """
import os, signal, socket, subprocess, sys, tempfile
sys.modules |= dict.fromkeys(("grp", "pwd", "resource", "termios", "tty"))
OF = {
    os: "O_CLOEXEC O_DIRECTORY O_NOCTTY O_NOFOLLOW O_NONBLOCK chown fchmod fchown fork geteuid getegid"
    " getgid getloadavg getpgid getuid killpg nice pread pwrite setsid sysconf",
    signal: "ITIMER_PROF SIGALRM SIGHUP setitimer",
    socket: "AF_UNIX",
}
for module, names in OF.items():
    for name in names.split():
        delattr(module, name)
from bowerbird.surfaces.cli.start import main
sys.exit(main())
"""


def _run(home: Path, *arguments: str, given: str = "") -> str:
    done = subprocess.run(
        [sys.executable, "-c", _TAKEN, *arguments],
        cwd=home,
        env={"HOME": str(home), "PATH": ""},
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


def test_memories_notes_and_hooks_need_nothing_of_posix(tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "memory.db"), "--format", "json")
    kept = json.loads(_run(tmp_path, "remember", "The port is 6432", *store))["data"]
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "auth.md").write_text("Redis must be up before the auth tests.\n")
    _run(tmp_path, "index", "notes", *store)
    found = json.loads(_run(tmp_path, "query", "which port?", *store))["data"]["results"]
    assert found[0]["id"] == kept["id"]
    begun = {"session_id": "s1", "cwd": str(tmp_path), "hook_event_name": "SessionStart"}
    _run(tmp_path, "hook", "claude-code", "SessionStart", *store[:2], given=json.dumps(begun))
    _run(tmp_path, "doctor", *store)
    _run(tmp_path, "forget", kept["id"], *store)
    _run(tmp_path, "backup", str(tmp_path / "copy.db"), *store)
    assert "6432" not in _run(tmp_path, "query", "which port?", *store)
