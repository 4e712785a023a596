"""The list of tables against the tables that there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw
import pytest

from bowerbird import Bowerbird
from bowerbird.storage.sqlite.care.migrations import take_steps
from bowerbird.storage.sqlite.file.steps import MIGRATIONS
from bowerbird.storage.sqlite.nouns.registry import TABLES, Table

if TYPE_CHECKING:
    from pathlib import Path

# What FTS5 keeps behind an index, and SQLite behind a counter.
_BEHIND = ("_data", "_idx", "_docsize", "_config", "_content", "sqlite_sequence")


@pytest.fixture
def raw(store_path: str) -> apsw.Connection:
    with Bowerbird.open(store_path, project="shop") as bird:
        bird.remember("The depot opens at seven")
    return apsw.Connection(store_path)


def test_every_table_is_a_noun_and_every_noun_a_table(raw: apsw.Connection) -> None:
    names = [name for (name,) in raw.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    assert sorted(name for name in names if not name.endswith(_BEHIND)) == sorted(
        table.name for table in TABLES
    )


def test_each_noun_names_the_step_that_made_its_table(tmp_path: Path) -> None:
    connection = apsw.Connection(str(tmp_path / "new.db"))
    made = {table.name: table.migration for table in TABLES}
    for end, step in enumerate(MIGRATIONS, 1):
        take_steps(connection, "", end - 1, 0, "replica", MIGRATIONS[:end])
        names = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        there = {name for (name,) in names if not name.endswith(_BEHIND)}
        wanted = {step.__name__ for step in MIGRATIONS[:end]}
        assert there == {name for name, by in made.items() if by in wanted}, step.__name__
    connection.close()


def test_a_row_is_known_by_what_the_table_says(raw: apsw.Connection) -> None:
    for table in TABLES:
        found = raw.execute(f"SELECT name FROM pragma_table_info('{table.name}') WHERE pk > 0")
        key = {name for (name,) in found}
        assert key == {*table.key} or table.key == ("rowid",), table.name


def test_the_numbers_in_seals_are_those_that_stores_hold() -> None:
    numbers = {table.seal: table.name for table in TABLES if table.seal is not None}
    assert [numbers[number] for number in range(len(numbers))] == [
        "entry",
        "facet",
        "vector",
        "memory",
        "version",
        "tag",
        "relation",
        "document",
        "project",
        "access",
        "audit",
        "contextual",
        "anchor",
        "shown",
        "foreign_file",
        "alias",
        "model",
        "tombstone",
        "outline",
        "node",
        "edge",
        "scip",
        "outcome",
        "digest",
        "member",
        "member_token",
    ]


ORPHANS = [(table, orphan) for table in TABLES for orphan in table.orphans]


@pytest.mark.parametrize(("table", "orphan"), ORPHANS, ids=[expected for _, expected in ORPHANS])
def test_a_condition_holds_of_no_row_of_a_sound_store(
    raw: apsw.Connection, table: Table, orphan: str
) -> None:
    sql = f"SELECT count(*) FROM {table.name} t WHERE {table.orphans[orphan]}"
    assert next(raw.execute(sql))[0] == 0


@pytest.mark.parametrize(
    ("damage", "expected"),
    [
        ("DELETE FROM entry", "facets without an entry"),
        ("DELETE FROM version", "memories without their version"),
        ("UPDATE vector SET model = 9", "vectors of no model"),
        ("UPDATE facet SET project = 9", "facets of no project"),
        ("UPDATE alias SET project = 9", "names of no project"),
        ("DELETE FROM document", "passages of no document"),
    ],
)
def test_what_points_at_nothing_is_reported(
    raw: apsw.Connection, store_path: str, damage: str, expected: str
) -> None:
    raw.pragma("foreign_keys", False)
    raw.execute("UPDATE facet SET document = 1")
    raw.execute("INSERT INTO alias VALUES (1, 'remote:x', 0, '')")
    raw.execute(
        "INSERT INTO document (id, project, path, source, title, session, hash, size, modified,"
        " indexed, generation, name) VALUES (1, 0, '/a', 'text', '', '', x'', 0, 0, 0, 0, 'a')"
    )
    raw.execute(damage)
    raw.close()
    with Bowerbird.open(store_path) as bird:
        found = [one.found for one in bird.admin.doctor() if one.check == "orphans"]
    assert len(found) == 1
    assert f"1 {expected}" in found[0]
