"""A process that dies during its work: at a given operation of the disk, or by a signal."""

import os
import select
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from faults.layer import Layer, Operation

CHANGING = {"write", "sync", "truncate", "delete", "open", "rename", "make", "mode"}
# At the operation: before it, within it (half of what it writes is written), and behind it.
MOMENTS = ("before", "within", "behind")


class Dying:
    """Kills its own process at the n-th operation that writes."""

    def __init__(self, number: int, moment: str) -> None:
        self._number = number
        self._moment = moment
        self.seen = 0

    def __call__(self, operation: Operation, run: Callable[..., Any]) -> Any:
        """Run the operation, or kill the process."""
        if operation.kind not in CHANGING:
            return run()
        self.seen += 1
        if self.seen != self._number:
            return run()
        if self._moment == "within" and operation.kind == "write":
            run(operation.data[: len(operation.data) // 2])
        elif self._moment == "behind":
            run()
        return _die()


def _die() -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


class Child:
    """A forked process that works and writes lines; `killed` and `failed` tell how it ended."""

    def __init__(
        self, work: Callable[[Callable[[str], None]], None], dying: Dying | None = None
    ) -> None:
        reading, writing = os.pipe()
        self.pid = os.fork()
        if not self.pid:
            os.close(reading)
            _work(work, dying, writing)
        os.close(writing)
        self._reading = reading
        self._left = b""
        self.killed = self.failed = False

    def lines(self, until: Callable[[str], float | None] | None = None) -> Iterator[str]:
        """Its lines, until it ends.

        `until` is called with each line: it returns the seconds until the kill, or None.
        """
        while True:
            head, found, rest = self._left.partition(b"\n")
            if found:
                self._left = rest
                line = head.decode()
                wait = until(line) if until else None
                if wait is not None:
                    select.select([], [], [], wait)
                    os.kill(self.pid, signal.SIGKILL)
                    until = None
                yield line
                continue
            some = os.read(self._reading, 65_536)
            if not some:
                break
            self._left += some
        os.close(self._reading)
        code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        self.killed, self.failed = code == -signal.SIGKILL, code > 0


def _work(
    work: Callable[[Callable[[str], None]], None], dying: Dying | None, writing: int
) -> NoReturn:
    def report(line: str) -> None:
        os.write(writing, line.encode() + b"\n")

    code = 0
    try:
        layer = Layer(dying) if dying else None
        work(report)
        if layer and dying:
            report(f"operations {dying.seen}")
    except BaseException:  # noqa: BLE001 a forked process has no caller to raise to
        traceback.print_exc()
        sys.stderr.flush()
        code = 1
    os._exit(code)
