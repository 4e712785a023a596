"""The clock, injected wherever time matters, so that tests and replays control it; days in words."""

import time

from bowerbird.core.calendar import ENGLISH_MONTHS
from bowerbird.core.errors import BowerbirdError, ModelError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    Clock = Callable[[], int]
    Result = TypeVar("Result")


def system_clock() -> int:
    """Now, in UTC milliseconds."""
    return time.time_ns() // 1_000_000


def day(at: int, zone: "Callable[[float], time.struct_time]" = time.gmtime) -> str:
    """A time (UTC milliseconds) as a date, in UTC or in another time zone."""
    when = zone(at // 1000)
    return f"{when.tm_mday} {ENGLISH_MONTHS[when.tm_mon - 1].title()} {when.tm_year}"


def within(seconds: float, call: "Callable[[], Result]") -> "Result":
    """The result of a model's call that is given some seconds; 0: no limit, and no thread.

    Raises ModelError after that, and for every error of such a call. One that takes too long goes on in
    its thread, and its result is dropped.
    """
    if not seconds:
        return call()
    from threading import Thread  # start-up: only slow models are given a time

    results: list[Result] = []
    errors: list[Exception] = []

    def run() -> None:
        try:
            results.append(call())
        except Exception as error:  # noqa: BLE001 - raised below, as what a step can be left out for
            errors.append(error)

    thread = Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    for error in errors:
        if isinstance(error, BowerbirdError):
            raise ModelError(error.message, error.remedy) from error
        raise ModelError(f"it failed: {type(error).__name__}", "use another model") from error
    if not results:
        raise ModelError(f"not done within {seconds:g} s", "ask again, or use a faster model")
    return results[0]
