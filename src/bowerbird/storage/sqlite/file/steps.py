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


_M002 = """
INSERT INTO meta (key, value) VALUES ('seals_anew', 'alias model tombstone outline node edge scip')
    ON CONFLICT DO UPDATE SET value = value || ' ' || excluded.value;
"""


def m002_sealed_graph(connection: apsw.Connection) -> None:
    """The code graph, names, models and what erased memories leave are sealed as well."""
    connection.execute(_M002)


MIGRATIONS = (m001_first_schema, m002_sealed_graph)
