"""Disputes of memories in a store that several people share, as values.

Times are UTC milliseconds.
"""

from bowerbird.core.value import Record

# What a dispute leaves of a memory's confidence while it is open.
LEFT = 0.8
# The audit's actions of a dispute, which no revert takes back.
OPENED, COMMENTED, CLOSED = "disputed", "commented", "dispute_closed"
ACTIONS = (OPENED, COMMENTED, CLOSED)
# How a steward closes one: the memory holds, or it is retired.
KEPT, WRONG = "kept", "wrong"
VERDICTS = (KEPT, WRONG)


class Remark(Record):
    """A line of the thread: who opened, commented or closed, and what they said."""

    at: int
    actor: str
    action: str
    text: str
    TABLE = (("action", "text"), ("actor", "text"), ("at", "moment"), ("text", "text"))


class Dispute(Record):
    """A memory with the thread of its disputes, the oldest line first.

    Args:
        id, text, author, trust, state, confidence: of the memory as it is now.
        disputed: who disputes it; empty: the dispute is closed, or there was none.
        thread: what was said.
    """

    id: str
    text: str
    author: str
    trust: str
    state: str
    confidence: float
    disputed: str
    thread: tuple[Remark, ...] = ()
    TABLE = (
        ("author", "text"),
        ("confidence", "score"),
        ("disputed", "text"),
        ("id", "text"),
        ("state", "text"),
        ("text", "text"),
        ("thread", [Remark]),
        ("trust", "text"),
    )


class Disputes(Record):
    """The open disputes, the oldest first."""

    disputes: tuple[Dispute, ...] = ()
    TABLE = ("*",)
