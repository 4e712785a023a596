"""The tables, as named migrations in the order in which they were released.

A released step is frozen: it calls nothing that may change later. What follows from the rows, such as
seals, a step does not make itself: it asks for it by a row in `meta`, and today's code builds it from
today's tables when the last step is taken (`care.rebuilt`).
"""

import apsw

from bowerbird.storage.sqlite.file.tables import FIRST


def m001_first_schema(connection: apsw.Connection) -> None:
    """All tables of the first release."""
    connection.execute(FIRST)


MIGRATIONS = (m001_first_schema,)
