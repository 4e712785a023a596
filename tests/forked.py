"""Commands and programs in processes of their own, forked from one that has loaded the package.

Most of the CPU of a command that is started anew goes into loading Python and the package: a question
takes 140 ms so, and 12 ms forked. The tests of starting up, and of what a cold command loads, start
theirs anew (`COMMAND`); in all others a command has everything else of its own: streams, environment,
folder, exit code and end.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import io
import json
import os
import pkgutil
import resource
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from threading import Lock, Thread
from typing import IO, TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

COMMAND = [sys.executable, "-m", "bowerbird"]
# What Python or the loader of libraries reads when a process starts: another value needs a new process.
_AT_START = ("PYTHON", "LD_", "LC_", "LANG", "OPENBLAS_", "OMP_")
# What only the bench loads, what is there for type checking alone, adapters to packages that may be
# missing, and the program itself.
_NOT_LOADED = (
    "bowerbird.bench",
    "bowerbird.core.ports",
    "bowerbird.surfaces.adapters.",
    "bowerbird.agents.hermes_provider",
    "bowerbird.__main__",
)
# In bytes: the address of a socket has 104 on macOS and 108 on Linux.
_LONGEST_FOLDER = 70
_LENGTH = struct.Struct("!I")
_STREAMS = 3


class Forks:
    """Runs commands; what forks them is started with the first one and ends with this process."""

    def __init__(self) -> None:
        self._at = ""
        self._starting = Lock()
        self._usual = at_start(os.environ)
        self._server: subprocess.Popen[bytes] | None = None

    def run(
        self,
        arguments: Sequence[str],
        given: bytes = b"",
        environment: Mapping[str, str] | None = None,
        folder: str | os.PathLike[str] | None = None,
        held: Sequence[int] = (),
        most: tuple[int, int] | None = None,
    ) -> subprocess.CompletedProcess[bytes]:
        """What a command left, with `given` on standard input; it inherits the descriptors `held`.

        `most` are the seconds after which it is killed and the bytes that it may take.
        """
        environment = dict(os.environ if environment is None else environment)
        if held or not self.forks(environment):
            return subprocess.run(
                [*COMMAND, *arguments], input=given, capture_output=True, check=False,
                env=environment, cwd=folder, pass_fds=held,
                preexec_fn=lambda: _bound(most),
            )  # fmt: skip
        theirs_in, ours_in = os.pipe()
        ours_out, theirs_out = os.pipe()
        ours_err, theirs_err = os.pipe()
        streams = [theirs_in, theirs_out, theirs_err]
        with self.start(arguments, environment, streams, folder, most=most) as line:
            errors: list[bytes] = []
            reading = Thread(target=lambda: errors.append(_whole(ours_err)))
            writing = Thread(target=_write, args=(ours_in, given))
            reading.start()
            writing.start()
            out = _whole(ours_out)
            reading.join()
            writing.join()
            number_of(line)
            code = ended(line)
        return subprocess.CompletedProcess([*COMMAND, *arguments], code, out, errors[0])

    def open(
        self,
        arguments: Sequence[str],
        environment: Mapping[str, str] | None = None,
        folder: str | os.PathLike[str] | None = None,
        *,
        text: bool = False,
        program: str = "",
    ) -> Running | subprocess.Popen[Any]:
        """A command that goes on, with pipes as its streams, or a program in its place."""
        environment = dict(os.environ if environment is None else environment)
        if not self.forks(environment):
            pipe = subprocess.PIPE
            words = [sys.executable, "-c", program] if program else COMMAND
            return subprocess.Popen(
                [*words, *arguments], stdin=pipe, stdout=pipe, stderr=pipe,
                env=environment, cwd=folder, text=text,
            )  # fmt: skip
        theirs_in, ours_in = os.pipe()
        ours_out, theirs_out = os.pipe()
        ours_err, theirs_err = os.pipe()
        streams = [theirs_in, theirs_out, theirs_err]
        line = self.start(arguments, environment, streams, folder, program=program)
        mode = "" if text else "b"
        return Running(
            line,
            os.fdopen(ours_in, "w" + mode),
            os.fdopen(ours_out, "r" + mode),
            os.fdopen(ours_err, "r" + mode),
        )

    def forks(self, environment: Mapping[str, str]) -> bool:
        """Whether a command of this environment is forked: it began as the process did that forks."""
        # Elsewhere what has loaded a library of linear algebra may not fork.
        return sys.platform == "linux" and at_start(environment) == self._usual

    def start(
        self,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        streams: Sequence[int],
        folder: str | os.PathLike[str] | None = None,
        *,
        most: tuple[int, int] | None = None,
        alone: bool = False,
        program: str = "",
    ) -> socket.socket:
        """Fork a command or a program that takes over three streams, closed here; see `ended`.

        Above one that is `alone` there stands a shell of its own, and nobody who runs the tests.
        """
        where = os.path.abspath(os.fspath(folder or "."))
        asked = {"argv": [*arguments], "environ": {**environment}, "cwd": where, "most": most}
        asked["program"] = program
        line = self._connected()
        text = json.dumps(asked | {"alone": alone}).encode()
        socket.send_fds(line, [_LENGTH.pack(len(text))], streams)
        line.sendall(text)
        for one in streams:
            os.close(one)
        return line

    def _connected(self) -> socket.socket:
        with self._starting:
            self._start()
        line = socket.socket(socket.AF_UNIX)
        line.connect(self._at)
        return line

    def _start(self) -> None:
        if self._server is None:
            self._at = os.path.join(tempfile.mkdtemp(prefix="forks", dir=_short_folder()), "at")
            listening = socket.socket(socket.AF_UNIX)
            listening.bind(self._at)
            listening.listen(64)
            # Standard input closes with this process, however it ends.
            self._server = subprocess.Popen(
                [sys.executable, "-P", os.path.abspath(__file__), str(listening.fileno())],
                stdin=subprocess.PIPE,
                pass_fds=[listening.fileno()],
            )
            listening.close()

    def close(self) -> None:
        """End what forks."""
        if self._server is not None and self._server.stdin is not None:
            self._server.stdin.close()
            self._server.wait()
            os.unlink(self._at)
            os.rmdir(os.path.dirname(self._at))
            self._server = None


def _short_folder() -> str:
    """The folder for temporary files, unless a socket's address there would be too long."""
    usual = tempfile.gettempdir()
    return usual if len(os.fsencode(usual)) <= _LONGEST_FOLDER else "/tmp"


class Running:
    """A command that goes on: what `subprocess.Popen` offers of one."""

    def __init__(self, line: socket.socket, given: IO[Any], out: IO[Any], err: IO[Any]) -> None:
        self._line = line
        self.pid = number_of(line)
        self.stdin = given
        self.stdout = out
        self.stderr = err
        self.returncode: int | None = None

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has been waited for."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def poll(self) -> int | None:
        """Its exit code if it has ended."""
        if self.returncode is None and _ready([self._line], 0):
            self.wait()
        return self.returncode

    def communicate(self) -> tuple[Any, Any]:
        """What it writes until it ends, which learns that nothing more comes."""
        self.stdin.close()
        with self.stdout, self.stderr:
            errors: list[Any] = []
            reading = Thread(target=lambda: errors.append(self.stderr.read()))
            reading.start()
            out = self.stdout.read()
            reading.join()
        self.wait()
        return out, errors[0]

    def wait(self, timeout: float | None = None) -> int:
        """Its exit code, once it has ended."""
        if self.returncode is None:
            self._line.settimeout(timeout)
            with self._line as line:
                self.returncode = ended(line)
        return self.returncode


def number_of(line: socket.socket) -> int:
    """The number of the process of a command that was started."""
    number: int = _LENGTH.unpack(_exactly(line, _LENGTH.size))[0]
    return number


def ended(line: socket.socket) -> int:
    """Wait for a command that was started, and return its exit code."""
    return os.waitstatus_to_exitcode(_LENGTH.unpack(_exactly(line, _LENGTH.size))[0])


def _ready(sources: Sequence[socket.socket | int], wait: float | None = None) -> set[int]:
    """The numbers of those that can be read, or have ended; `select` refuses numbers above 1,023."""
    waiting = select.poll()
    for one in sources:
        waiting.register(one, select.POLLIN)
    return {number for number, _ in waiting.poll(wait)}


def at_start(environment: Mapping[str, str]) -> dict[str, str]:
    """What of an environment counts when a process starts: with another one, a command is not forked."""
    return {name: value for name, value in environment.items() if name.startswith(_AT_START)}


def _bound(most: Sequence[int] | None) -> None:
    """Keep this process within as many seconds and bytes."""
    if most is not None:
        signal.alarm(most[0])
        resource.setrlimit(resource.RLIMIT_AS, (most[1], most[1]))


def _write(into: int, given: bytes) -> None:
    with suppress(BrokenPipeError), open(into, "wb") as file:
        file.write(given)


def _whole(out: int) -> bytes:
    with open(out, "rb") as file:
        return file.read()


def _exactly(line: socket.socket, count: int) -> bytes:
    parts = b""
    while len(parts) < count:
        part = line.recv(count - len(parts))
        if not part:
            raise EOFError("what forks the commands has ended")
        parts += part
    return parts


def _load() -> None:
    """Every module that a command may load, but for what only the bench does."""
    import bowerbird

    for one in pkgutil.walk_packages(bowerbird.__path__, "bowerbird."):
        if not one.name.startswith(_NOT_LOADED):
            importlib.import_module(one.name)
    _compile()


def _compile() -> None:
    """Every pattern that a command compiles when it first uses it: two fifths of a `remember`."""
    from bowerbird.core.pattern import late

    kind = type(late(""))
    for one in gc.get_objects():
        if type(one) is kind:
            one.search  # noqa: B018 looking it up compiles the pattern


def serve(listening: socket.socket) -> str:
    """Fork for every request; returns in each of the forked processes, as what was asked for.

    The result is the program that it runs, empty for a command.
    """
    # Asked who started it, a command looks past shells: to whoever runs the tests.
    _call("sh")
    awake, wakes = socket.socketpair()
    wakes.setblocking(False)
    signal.set_wakeup_fd(wakes.fileno())
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    under_way: dict[int, socket.socket] = {}
    sources = [listening.fileno(), awake.fileno(), sys.stdin.fileno()]
    while True:
        ready = _ready(sources)
        if sys.stdin.fileno() in ready:
            os._exit(0)
        if awake.fileno() in ready:
            awake.recv(64)
            _tell_ended(under_way)
        if listening.fileno() in ready:
            line, _ = listening.accept()
            size, streams, _, _ = socket.recv_fds(line, _LENGTH.size, _STREAMS)
            asked = json.loads(_exactly(line, _LENGTH.unpack(size)[0]))
            child = os.fork()
            if child == 0:
                if asked["alone"]:
                    _under_a_shell(line, streams)
                _become(asked, streams)
                return str(asked["program"])
            if asked["alone"]:
                line.close()
            else:
                line.sendall(_LENGTH.pack(child))
                under_way[child] = line
            for one in streams:
                os.close(one)


def _tell_ended(under_way: dict[int, socket.socket]) -> None:
    with suppress(ChildProcessError):
        while (child := os.waitpid(-1, os.WNOHANG))[0]:
            if child[0] in under_way:
                with under_way.pop(child[0]) as line, suppress(OSError):
                    line.sendall(_LENGTH.pack(child[1]))


def _under_a_shell(line: socket.socket, streams: list[int]) -> None:
    """In a forked process: stand under nobody, and wait there for another, in which this returns."""
    between = os.getpid()
    if os.fork() > 0:
        os._exit(0)
    while os.getppid() == between:
        os.sched_yield()
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    command = os.fork()
    if command > 0:
        for one in streams:
            os.close(one)
        line.sendall(_LENGTH.pack(os.waitpid(command, 0)[1]))
        os._exit(0)


def _become(asked: dict[str, Any], streams: list[int]) -> None:
    """Take on what the process of a command has: streams, environment, folder, arguments, signals."""
    _call("python")
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number, one in enumerate(streams):
        os.dup2(one, number)
    os.closerange(_STREAMS, 256)
    os.environ.clear()
    os.environ.update(asked["environ"])
    time.tzset()
    os.chdir(asked["cwd"])
    _bound(asked["most"])
    sys.argv[1:] = asked["argv"]
    sys.stdin, sys.stdout, sys.stderr = map(_stream, range(_STREAMS), "rww")


def _stream(number: int, mode: str) -> io.TextIOWrapper:
    """A standard stream as Python makes it."""
    like = (sys.stdin, sys.stdout, sys.stderr)[number]
    binary = open(number, mode + "b", closefd=False)  # noqa: SIM115 open to the end
    return io.TextIOWrapper(
        binary, like.encoding, like.errors,
        line_buffering=number == sys.stderr.fileno() or os.isatty(number),
    )  # fmt: skip


def _end(code: int) -> NoReturn:
    """End as Python does, but do not take apart what was loaded.

    That touches every page that is shared with what this process was forked from, so that each is copied:
    45 ms of the CPU of each command, which itself takes 10.
    """
    if threading.active_count() == 1:
        atexit._run_exitfuncs()
        # What cannot be written is left for the interpreter to tell.
        with suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    sys.exit(code)


def _call(name: str) -> None:
    """Give this process a name, where there is a place for it."""
    with suppress(OSError), open("/proc/self/comm", "w", encoding="ascii") as file:
        file.write(name)


if __name__ == "__main__":
    handed = socket.socket(fileno=int(sys.argv[1]))
    sys.argv = [__file__]
    # As a command sets it before it loads numpy.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    _load()
    from bowerbird.surfaces.cli.start import main

    gc.freeze()
    _program = serve(handed)
    if _program:
        exec(_program, {"__name__": "__main__"})
    _end(0 if _program else main())
