"""The caller of an operation on a store."""

from collections.abc import Iterable
from typing import Protocol

from bowerbird.core.who import Who


class Acting(Protocol):
    """The caller of an operation on the store. Knows nothing of interfaces."""

    who: Who

    def actor(self, name: str) -> str:
        """The caller's name for the audit; `name` is what a program of the owner's calls itself."""
        ...

    def show(self, trusts: Iterable[str]) -> str:
        """Record that the caller is shown texts of these trust levels; a remark if that failed."""
        ...
