"""The port to a store's rows as they stand."""

from collections.abc import Sequence
from typing import Protocol

from bowerbird.core.exchange import Row


class Tables(Protocol):
    """All rows of a store, by table. Knows nothing of what they mean.

    What follows from other rows is left out. Writes inside a transaction.
    """

    @property
    def names(self) -> tuple[str, ...]:
        """The tables, those first that rows of others point to."""
        ...

    def rows(
        self, table: str, after: Row | None = None, last: Row | None = None, most: int = -1
    ) -> dict[Row, Row]:
        """Up to `most` rows behind a key, up to another one, by their keys and in their order."""
        ...

    def put(self, table: str, rows: Sequence[Row]) -> None:
        """Write rows in place of those with their keys."""
        ...

    def drop(self, table: str, keys: Sequence[Row]) -> None:
        """Delete the rows with these keys."""
        ...

    def words(self) -> list[Row]:
        """In how many entries each word occurs, as counted when the index was made."""
        ...

    def is_empty(self) -> bool:
        """Whether nothing was ever kept here."""
        ...

    def moving(self) -> str:
        """The copy of the store that this one is half moved from, or empty."""
        ...

    def set_moving(self, replica: str) -> None:
        """Note that it is half moved from a copy of the store; with an empty name, that it is whole."""
        ...

    def set_former(self, names: dict[str, str]) -> None:
        """Note the names that this copy had, each with the last stamp under it."""
        ...
