"""Giving what was freed inside of the file back to the disk."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    import apsw


def give_back(
    connection: "apsw.Connection",
    transaction: "Callable[[], AbstractContextManager[None]]",
    pages: int,
) -> None:
    """Give all free pages back, `pages` of them in a transaction; between two of them others write."""
    free = int(connection.pragma("freelist_count"))
    while free:
        with transaction():
            connection.execute(f"PRAGMA incremental_vacuum({pages:d})").fetchall()
        left = int(connection.pragma("freelist_count"))
        if left >= free:
            break  # others have freed more meanwhile, or the file was made without that
        free = left
