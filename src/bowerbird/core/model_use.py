"""What models were asked, what it cost, and who is asked for what."""

from bowerbird.core.value import Record

TYPE_CHECKING = False

# What a line records: a request that is about to be sent, with what it may cost at most; its answer; its
# failure; or that it was not sent after all. Numbers of the last three are what changes by them.
ASKED, ANSWERED, FAILED, DROPPED = ("asked", "answered", "failed", "dropped")

# The tasks of models that write no text: limits of language models do not count them.
NOT_LANGUAGE = frozenset(("embed", "rerank"))


class Use(Record):
    """One line about one request to a model; lines of a request add up to what it cost.

    `read` and `written` are tokens, `cost` is in dollars, `at` in UTC milliseconds.
    """

    at: int
    kind: str
    model: str
    task: str = ""
    read: int = 0
    written: int = 0
    cost: float = 0.0
    error: str = ""


class ModelRole(Record):
    """What does one kind of work: which model, where, what it is sent, and what happened today.

    `leaves` says what leaves the machine; empty: nothing. `instead` is what answers without it.
    """

    role: str
    model: str
    where: str
    leaves: str = ""
    instead: str = ""
    requests: int = 0
    tokens: int = 0
    cost: float = 0.0
    limit: int = 0
    failures: int = 0
    error: str = ""
    TABLE = (
        ("role", "text"),
        ("model", "text"),
        ("where", "text"),
        ("leaves", "text"),
        ("requests", "whole"),
        ("tokens", "whole"),
        ("cost", "number"),
        ("limit", "whole"),
        ("failures", "whole"),
        ("error", "text-"),
        ("instead", "text"),
    )

    def line(self) -> str:
        """The role in a line, for people."""
        leaves = f"leaves this machine: {self.leaves}" if self.leaves else "nothing leaves"
        parts = [f"{self.role}: {self.model}, on {self.where}; {leaves}"]
        if self.requests:
            limit = f" of {self.limit:,}" if self.limit else ""
            today = f"today {self.requests:,} requests, {self.tokens:,}{limit} tokens"
            unknown = (
                f", price unknown{' (llm.price)' if self.limit else ''}" if self.leaves else ""
            )
            parts.append(today + (f", {self.cost:.4f} dollars" if self.cost else unknown))
        if self.failures:
            parts.append(f"{self.failures:,} failures")
        return "; ".join(parts)
