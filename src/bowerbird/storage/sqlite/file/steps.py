"""The tables, as named migrations in the order in which they were released: each a file in `sql/`.

A released step is frozen: it calls nothing that may change later. What follows from the rows, such as
seals, a step does not make itself: it asks for it by a row in `meta`, and today's code builds it from
today's tables when the last step is taken (`care.migrations`).
"""

import os

import apsw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_FOLDER = os.path.join(os.path.dirname(__file__), "sql")


def _step(name: str) -> "Callable[[apsw.Connection], None]":
    def take(connection: apsw.Connection) -> None:
        with open(os.path.join(_FOLDER, f"{name}.sql"), encoding="utf-8") as file:
            connection.execute(file.read())

    take.__name__ = name
    return take


MIGRATIONS = (
    _step("m001_first_schema"),
    _step("m002_sealed_graph"),
    _step("m003_names_from_outside"),
    _step("m004_unjudged_pairs"),
    _step("m005_sessions"),
    _step("m006_keys"),
    _step("m007_language_models"),
    _step("m008_later_facts"),
    _step("m009_file_changes"),
    _step("m010_teams"),
    _step("m011_pages"),
    _step("m012_single_sign_on"),
    _step("m013_lookups"),
)
