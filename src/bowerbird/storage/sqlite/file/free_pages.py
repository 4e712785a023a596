"""Returns free pages of the file to the disk."""

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
    """Returns all free pages, `pages` per transaction; others may write in between."""
    free = int(connection.pragma("freelist_count"))
    while free:
        with transaction():
            connection.execute(f"PRAGMA incremental_vacuum({pages:d})").fetchall()
        left = int(connection.pragma("freelist_count"))
        if left >= free:
            break  # others are freeing more meanwhile, or the file was created without auto-vacuum
        free = left
