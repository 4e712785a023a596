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
