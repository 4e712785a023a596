"""Deletes a tenant."""

import os

import psycopg

from bowerbird.storage.postgres.file.connection import connect, translate
from bowerbird.storage.postgres.file.location import address, shown
from bowerbird.storage.postgres.file.schema import shapes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def remove(location: str) -> "Sequence[str]":
    """Delete every row of a tenant in one transaction; other tenants and the tables stay.

    Raises the store errors of `core.errors`.
    """
    connection = connect(location)
    try:
        connection.execute("BEGIN IMMEDIATE")
        # What others point to last.
        for table in reversed(shapes()):
            connection.execute(f"DELETE FROM {table}")
        connection.execute("COMMIT")
    except psycopg.Error as error:
        raise translate(error, location) from error
    finally:
        connection.close()
    gone = shown(address(location))
    os.unlink(location)
    return (gone,)
