"""The port to a place through which copies of a store reach each other."""

from typing import Protocol


class Hub(Protocol):
    """Keeps files of several replicas. Knows nothing of what is in them, nor of keys.

    Each replica writes under its own name alone, so that no two ever write the same file. What one
    writes may reach the others late, in any order, and in parts.
    """

    @property
    def path(self) -> str:
        """Where it is, for messages."""
        ...

    def header(self) -> bytes | None:
        """What all replicas have to know first; None if the place was not set up."""
        ...

    def set_up(self, header: bytes) -> None:
        """Set the place up. Raises BadInput if somebody else did so meanwhile, or if it cannot be."""
        ...

    def replicas(self) -> list[str]:
        """The names of all replicas that wrote here."""
        ...

    def files(self, replica: str) -> list[str]:
        """The names of a replica's files, in order."""
        ...

    def read(self, replica: str, name: str) -> bytes:
        """A file's bytes. Raises OSError."""
        ...

    def write(self, replica: str, name: str, data: bytes) -> None:
        """Write a file: others see all of it or nothing. Raises OSError."""
        ...

    def remove(self, replica: str, name: str) -> None:
        """Remove a file, if it is there. Raises OSError."""
        ...
