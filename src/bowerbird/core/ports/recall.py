"""The port through which hooks query memory."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from bowerbird.core.answers import Hits
from bowerbird.core.types import Entry


class Recall(Protocol):
    """Answers questions of one project. Knows nothing of sessions, budgets or what was shown before."""

    def query(
        self,
        text: str,
        *,
        limit: int,
        min_score: float,
        without: Sequence[str],
        min_trust: str,
        fast: bool = False,
        kinds: Sequence[str] = (),
        memories_only: bool = False,
        coming: bool = True,
    ) -> Hits:
        """The entries that answer a question, best first; those that are `coming` do not hold yet."""
        ...

    def list(
        self,
        *,
        kinds: Sequence[str],
        limit: int,
        memories_only: bool,
        min_trust: str,
        path: str | None = None,
        since: int | None = None,
        sources: Sequence[str] = (),
        coming: bool = True,
    ) -> Iterable[Entry]:
        """Entries of one kind or another, newest first."""
        ...

    def get(self, id: str) -> Entry:
        """One entry by its id. Raises NotFound."""
        ...
