"""Ports to what is kept of sessions."""

from typing import Protocol


class Digests(Protocol):
    """What is kept of each learned session for later ones. Knows nothing of what a digest says."""

    def all(self) -> dict[str, str]:
        """The digest of every session, by its id, in the order in which they were first kept."""
        ...

    def put(self, session: str, line: str) -> None:
        """Keep the digest of a session in place of an earlier one. Inside a transaction."""
        ...


class UnreadSessions(Protocol):
    """Keeps sessions until a language model has read them. Knows nothing of models."""

    def put(self, session: str, path: str) -> None:
        """Add a session with the path of its transcript. Inside a transaction."""
        ...

    def next(self, limit: int) -> list[tuple[str, str]]:
        """The sessions to read next, each with its path; those that failed least first."""
        ...

    def count(self) -> int:
        """How many wait."""
        ...

    def failed(self, session: str, most: int) -> None:
        """Count a failure, and drop the session after so many. Inside a transaction."""
        ...

    def take(self, session: str) -> bool:
        """Remove a session; whether it was still there. Inside a transaction."""
        ...
