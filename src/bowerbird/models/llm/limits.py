"""Daily limits and the circuit breaker of language models, shared by all processes over one store.

A request is recorded before it is sent, with what it may cost at most, so that processes that ask at the
same moment see each other: together they do not exceed a limit. Its end corrects the record. A process
that is killed meanwhile leaves the higher number.
"""

from bowerbird.core.errors import ModelError, ModelWaits
from bowerbird.core.life import DAY
from bowerbird.core.model_use import ANSWERED, ASKED, DROPPED, FAILED, NOT_LANGUAGE, Use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Protocol

    from bowerbird.core.clock import Clock
    from bowerbird.core.thinking import Said

    class Uses(Protocol):
        """Records uses of models. Knows nothing of limits."""

        def note(self, use: Use) -> bool:
            """Record a use; whether that worked."""
            ...

        def since(self, at: int) -> Iterator[Use]:
            """The uses since a time, in order."""
            ...


# After so many failures in a row a model is left alone, the first time for so many milliseconds, then for
# twice as long after each further failure, up to the longest. One process tries it then.
FAILURES = 3
FIRST_PAUSE_MS = 30_000
LONGEST_PAUSE_MS = 3_600_000


class Limits:
    """What may still be asked today, and of whom."""

    def __init__(
        self, uses: "Uses", clock: "Clock", *, tokens: int, dollars: float, patience: float
    ) -> None:
        """`tokens` and `dollars` are the limits of a day (UTC), 0: none. `patience` is in seconds."""
        self._uses = uses
        self._clock = clock
        self._tokens = tokens
        self._dollars = dollars
        self._patience_ms = round(patience * 1000)

    def check(self, model: str) -> None:
        """Raises ModelWaits while a model is left alone after failures."""
        now = self._clock()
        failures, last, tried = 0, 0, 0
        for use in self._uses.since(now - DAY):
            if use.model != model or use.task in NOT_LANGUAGE:
                continue
            if use.kind == ANSWERED:
                failures = tried = 0
            elif use.kind == FAILED:
                failures, last, tried = failures + 1, use.at, 0
            else:  # a request that was refused, or not sent after all, has ended too
                tried = use.at if use.kind == ASKED else 0
        if failures < FAILURES:
            return
        pause = min(FIRST_PAUSE_MS << min(failures - FAILURES, 10), LONGEST_PAUSE_MS)
        left = last + pause - now
        if left > 0:
            message = f"{model} failed {failures} times and is left alone for {left / 1000:.0f} s"
            raise ModelWaits(message, "see bower doctor for its error, or wait")
        if tried > last and now - tried < self._patience_ms:
            raise ModelWaits(f"{model} is being tried by another process", "ask again later")

    def reserve(self, model: str, task: str, read: int, written: int, cost: float) -> Use:
        """Record that a request is about to be sent. Raises ModelWaits if a limit is reached."""
        now = self._clock()
        asked = Use(now, ASKED, model, task, read, written, cost)
        if not self._uses.note(asked):
            remedy = "make the store's folder writable"
            raise ModelError("what models are asked cannot be recorded beside the store", remedy)
        tokens, dollars = 0, 0.0
        for use in self._uses.since(now - now % DAY):
            if use.task in NOT_LANGUAGE:
                continue
            tokens += use.read + use.written
            dollars += use.cost
        if self._tokens and tokens > self._tokens:
            what, setting = f"{self._tokens:,} tokens", "llm.daily_tokens"
        elif self._dollars and dollars > self._dollars:
            what, setting = f"{self._dollars:g} dollars", "llm.daily_dollars"
        else:
            return asked
        self._uses.note(asked.replace(kind=DROPPED, read=-read, written=-written, cost=-cost))
        message = f"today's {what} for language models are used up"
        raise ModelWaits(message, f"raise {setting}, or wait until midnight UTC")

    def answered(self, asked: Use, said: "Said", cost: float) -> None:
        """Record what an answer took, in place of what was reserved for it."""
        self._uses.note(
            asked.replace(
                at=self._clock(),
                kind=ANSWERED,
                read=said.read - asked.read,
                written=said.written - asked.written,
                cost=cost - asked.cost,
            )
        )

    def failed(self, asked: Use, error: ModelError, *, refused: bool) -> None:
        """Record a failure. A request that was `refused` says nothing of the server's health."""
        kind = DROPPED if refused else FAILED
        nothing = {"read": -asked.read, "written": -asked.written, "cost": -asked.cost}
        said = f"{error.message}; {error.remedy}" if error.remedy else error.message
        self._uses.note(asked.replace(at=self._clock(), kind=kind, error=said, **nothing))
