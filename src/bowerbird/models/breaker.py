"""Leaves a server alone for a while after failures, so that nobody waits for it each time."""

from time import monotonic

from bowerbird.core.errors import ModelError
from bowerbird.models.http import Refused

# After this number of consecutive failures no request is made for this number of seconds.
MOST_FAILURES = 2
REST_SECONDS = 30.0


class Breaker:
    """The failures of one server in this process."""

    def __init__(self, host: str) -> None:
        self._host = host
        self._failures = 0
        self._resting_until = 0.0

    def check(self) -> None:
        """Raises ModelError while the server is left alone."""
        rest = self._resting_until - monotonic()
        if rest > 0:
            message = f"{self._host} failed {self._failures} times in a row"
            raise ModelError(message, f"it is asked again in {rest:.0f} s")

    def failed(self, error: ModelError) -> None:
        """Count a failure. A text that is too long is none: the server is up, and answers."""
        if isinstance(error, Refused) and error.too_long:
            return
        self._failures += 1
        if self._failures >= MOST_FAILURES:
            self._resting_until = monotonic() + REST_SECONDS

    def answered(self) -> None:
        """Forget earlier failures."""
        self._failures = 0
