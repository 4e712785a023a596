"""The clock, injected wherever time matters, so that tests and replays control it; days in words."""

import time
from contextlib import contextmanager
from contextvars import ContextVar

from bowerbird.core.calendar import ENGLISH_MONTHS
from bowerbird.core.errors import BowerbirdError, ModelError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeVar

    Clock = Callable[[], int]
    Result = TypeVar("Result")


# Seconds that whoever writes waits for the vector of each text: what is stored without one is found by
# its words, and embedded later. Less than a question waits (10 s), where an answer depends on it, and
# more than the 4 to 6 s in which a GGUF file of 100 MB was loaded and read a text on two busy cores.
VECTOR_SECONDS = 8.0
# What is left of no time: 0 would be no limit.
_LEAST = 0.001
# Seconds for a request to end after its time: llama.cpp in this process, closed while one goes on, waits
# until its answer is written, and holds the interpreter meanwhile (more than 280 s were measured).
_ENDING = 0.5


def system_clock() -> int:
    """Now, in UTC milliseconds."""
    return time.time_ns() // 1_000_000


def day(at: int, zone: "Callable[[float], time.struct_time]" = time.gmtime) -> str:
    """A time (UTC milliseconds) as a date, in UTC or in another time zone."""
    when = zone(at // 1000)
    return f"{when.tm_mday} {ENGLISH_MONTHS[when.tm_mon - 1].title()} {when.tm_year}"


# The time (of `time.monotonic`) by which whoever waits in this thread must have gone on; None: any.
_ends: "ContextVar[float | None]" = ContextVar("ends", default=None)


@contextmanager
def soon(seconds: float) -> "Iterator[None]":
    """Gives all that models are asked inside so many seconds together, whatever their own limits."""
    before = _ends.set(time.monotonic() + seconds)
    try:
        yield
    finally:
        _ends.reset(before)


def waited(seconds: float = 0.0) -> float:
    """The seconds that a model is waited for: its own limit, or what is left of `soon`; 0: no limit."""
    end = _ends.get()
    if end is None:
        return seconds
    left = max(end - time.monotonic(), _LEAST)
    return min(seconds, left) if seconds else left


def within(seconds: float, call: "Callable[[], Result]") -> "Result":
    """The result of a model's call that is given some seconds; 0: no limit, and no thread.

    Raises ModelError after that, and for every error of such a call. A request to a server ends with that
    time; another call that takes too long goes on in its thread, and its result is dropped.
    """
    if not seconds:
        return call()
    from threading import Thread  # start-up: only slow models are given a time

    results: list[Result] = []
    errors: list[Exception] = []

    def run() -> None:
        try:
            with soon(seconds):
                results.append(call())
        except Exception as error:  # noqa: BLE001 - raised below, as what a step can be left out for
            errors.append(error)

    thread = Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    thread.join(_ENDING)
    for error in errors:
        if isinstance(error, BowerbirdError):
            raise ModelError(error.message, error.remedy) from error
        raise ModelError(f"it failed: {type(error).__name__}", "use another model") from error
    if not results:
        raise ModelError(f"not done within {seconds:g} s", "ask again, or use a faster model")
    return results[0]
