"""Who acts on a store."""

from collections.abc import Iterable
from typing import Protocol

from bowerbird.core.who import Who


class Acting(Protocol):
    """Whoever acts on the store. Knows nothing of doors."""

    who: Who

    def actor(self, name: str) -> str:
        """Their name for the audit."""
        ...

    def show(self, trusts: Iterable[str]) -> str:
        """They are handed texts that are believed so far."""
        ...
