"""The server's log: one line of JSON per request on standard error, without any content."""

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from time import perf_counter

from bowerbird.core.errors import BowerbirdError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from starlette.types import Scope


# The public message of an unexpected error, without details.
FAULT = ("internal error", "the server's log says where it happened")


class Log:
    """Writes lines of JSON; a quiet log writes only errors."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._quiet = quiet

    def request(self, scope: "Scope", status: int, seconds: float, token: str) -> None:
        """Log one request: route, method, token's name, status and duration.

        The route is logged instead of the URL, which may hold anything.
        """
        route = getattr(scope.get("endpoint"), "route", "")
        ms = round(seconds * 1000, 1)
        self.event(
            "request", method=scope["method"], route=route, status=status, ms=ms, token=token
        )

    def fault(self, error: BaseException) -> None:
        """Logs an unexpected error: its class and location, not its message."""
        frames = traceback.extract_tb(error.__traceback__)[-3:]
        locations = [
            f"{frame.filename.rpartition('bowerbird/')[2]}:{frame.lineno}" for frame in frames
        ]
        self.failed("fault", error=type(error).__name__, at=locations)

    def work(self, name: str, work: "Callable[[], dict[str, int] | None]") -> "Exception | None":
        """Do some work, and log a line about it if it returns counts; returns what it raised."""
        begin = perf_counter()
        try:
            counts = work()
        except BowerbirdError as error:
            self.failed(name, error=type(error).__name__)
            return error
        except Exception as error:  # noqa: BLE001 the next time it may fare better
            self.fault(error)
            return error
        if counts is not None:
            self.event(name, **counts, ms=round((perf_counter() - begin) * 1000))
        return None

    def hear(self, logger: str) -> None:
        """Logs the errors of a library by their class alone; its other messages are dropped."""
        heard = logging.getLogger(logger)
        heard.handlers[:] = [_Ear(self)]
        heard.propagate = False
        heard.setLevel(logging.ERROR)

    def event(self, event: str, **fields: "Any") -> None:
        """Logs any other event, unless it is quiet."""
        if not self._quiet:
            self.failed(event, **fields)

    def failed(self, event: str, **fields: "Any") -> None:
        """Logs that something failed, though it is quiet."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = json.dumps({"time": now, "event": event, **fields})
        sys.stderr.write(line + "\n")
        sys.stderr.flush()


class _Ear(logging.Handler):
    """Forwards a library's errors to the log."""

    def __init__(self, log: Log) -> None:
        super().__init__(logging.ERROR)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """Logs one record without its message, which may hold anything."""
        if record.exc_info and record.exc_info[1] is not None:
            self._log.fault(record.exc_info[1])
        else:
            self._log.failed("server", at=f"{record.module}:{record.lineno}")
