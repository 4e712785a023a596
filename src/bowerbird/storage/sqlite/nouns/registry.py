"""The tables by noun: the key of a row, its seal, what it is removed with, and when it is an orphan.

The DDL of a table is in the step that it names (`steps`) and in later ones that change it, because steps
are frozen; the doctor compares every store with what they make (`ddl`). Everything else about a table is
here, once: seals, `verify`, the doctor, `recover` and removal iterate over this list.
Conditions refer to a row as `t`.
"""

from bowerbird.core.value import Record, fresh


class Table(Record):
    """One table.

    `migration` is the step that holds its DDL, `key` the columns that name a row. `seal` is its number
    in every seal (None: its rows are not sealed); numbers are never reused. `copied`: `recover`
    copies its rows, others are rebuilt. `of_entry` selects the rows that an entry's answer uses, by its
    number; `hurt` names the part of an entry that is damaged if such a row is. `removed` selects the rows
    removed with a memory, by its id, if no foreign key does so. `orphans` says when a row points at
    nothing, each in the doctor's words.
    """

    name: str
    key: tuple[str, ...]
    seal: int | None = None
    copied: bool = True
    of_entry: str = ""
    hurt: str = "fields"
    removed: str = ""
    orphans: "dict[str, str]" = fresh(dict)
    migration: str = "m001_first_schema"


_NO_FACET = "NOT EXISTS (SELECT 1 FROM facet f WHERE f.id = t.id)"
_NO_PROJECT = "t.project NOT IN (SELECT id FROM project)"
_NO_DOCUMENT = "t.document NOT IN (SELECT id FROM document)"
_UNKNOWN = "t.{0} NOT IN (SELECT uid FROM entry) AND t.{0} NOT IN (SELECT uid FROM tombstone)"

# In this order they are taken over into another store: what others point to first.
TABLES = (
    Table("project", ("id",), 8),
    Table("alias", ("id",), 15, orphans={"names of no project": _NO_PROJECT}),
    Table("model", ("id",), 16),
    Table(
        "document",
        ("id",),
        7,
        of_entry="t.id = (SELECT document FROM facet WHERE id = ?)",
        hurt="file",
        orphans={"documents of no project": _NO_PROJECT},
    ),
    Table(
        "facet",
        ("id",),
        1,
        of_entry="t.id = ?",
        hurt="facets",
        orphans={
            "facets without an entry": "NOT EXISTS (SELECT 1 FROM entry e WHERE e.id = t.id)",
            "facets of no project": _NO_PROJECT,
            "passages of no document": "t.document IS NOT NULL"
            " AND t.document NOT IN (SELECT id FROM document)",
            "facets of memories without one": "t.family = 'memory'"
            " AND NOT EXISTS (SELECT 1 FROM memory m WHERE m.id = t.id)",
        },
    ),
    Table(
        "entry",
        ("id",),
        0,
        of_entry="t.id = ?",
        hurt="text",
        orphans={"entries without a facet": _NO_FACET},
    ),
    Table(
        "memory",
        ("id",),
        3,
        of_entry="t.id = ?",
        orphans={
            "memories without a facet": _NO_FACET,
            "memories without their version": "t.head NOT IN (SELECT uid FROM version)",
        },
    ),
    Table(
        "vector",
        ("id", "model"),
        2,
        of_entry="t.id = ?",
        hurt="vector",
        orphans={
            "vectors of no entry": _NO_FACET,
            "vectors of no model": "t.model NOT IN (SELECT id FROM model)",
        },
    ),
    Table(
        "contextual",
        ("id",),
        11,
        copied=False,
        of_entry="t.id = ?",
        hurt="vector",
        orphans={"second vectors of no memory": _NO_FACET},
    ),
    Table(
        "version",
        ("uid",),
        4,
        of_entry="t.memory = (SELECT uid FROM entry WHERE id = ?)",
        removed="t.memory = ?1",
        orphans={"versions of no memory": _UNKNOWN.format("memory")},
    ),
    Table(
        "tag",
        ("entry", "name"),
        5,
        of_entry="t.entry = ?",
        orphans={"tags of no entry": "NOT EXISTS (SELECT 1 FROM facet f WHERE f.id = t.entry)"},
    ),
    Table(
        "relation",
        ("source", "target", "kind"),
        6,
        removed="t.source = ?1 OR t.target = ?1",
        orphans={"relations from nothing": f"t.present = 1 AND {_UNKNOWN.format('source')}"},
    ),
    Table(
        "unjudged",
        ("memory", "other"),
        removed="t.memory = ?1 OR t.other = ?1",
        orphans={
            "pairs to judge of no memory": f"{_UNKNOWN.format('memory')} OR {_UNKNOWN.format('other')}"
        },
        migration="m004_unjudged_pairs",
    ),
    Table(
        "access",
        ("memory", "replica"),
        9,
        removed="t.memory = ?1",
        orphans={"counts of no memory": _UNKNOWN.format("memory")},
    ),
    Table("session_access", ("session", "memory"), copied=False, removed="t.memory = ?1"),
    Table("tombstone", ("uid",), 17),
    Table("shown", ("reader",), 13),
    Table(
        "foreign_file",
        ("project", "path", "session"),
        14,
        orphans={"files from outside of no project": _NO_PROJECT},
    ),
    Table(
        "foreign_name",
        ("project", "name"),
        orphans={"names from outside of no project": _NO_PROJECT},
        migration="m003_names_from_outside",
    ),
    Table("outcome", ("id",), 22, migration="m005_sessions"),
    Table("digest", ("id",), 23, migration="m005_sessions"),
    Table("model_use", ("id",), migration="m007_language_models"),
    Table("unread_session", ("session",), migration="m007_language_models"),
    Table("member", ("name",), 24, migration="m010_teams"),
    Table(
        "member_token",
        ("hash",),
        25,
        orphans={"tokens of no member": "t.member NOT IN (SELECT name FROM member)"},
        migration="m010_teams",
    ),
    Table("audit", ("seq",), 10),
    Table("embedding", ("model", "hash")),
    Table(
        "outline",
        ("document",),
        18,
        copied=False,
        hurt="graph",
        orphans={"outlines of no document": _NO_DOCUMENT},
    ),
    Table(
        "node",
        ("id",),
        19,
        copied=False,
        hurt="graph",
        orphans={"nodes of no document": _NO_DOCUMENT},
    ),
    Table(
        "edge",
        ("id",),
        20,
        copied=False,
        hurt="graph",
        orphans={
            "edges of no document": _NO_DOCUMENT,
            "edges from no node": "t.source NOT IN (SELECT id FROM node)",
        },
    ),
    Table(
        "lookups",
        ("document",),
        copied=False,
        orphans={"lookups of no document": _NO_DOCUMENT},
        migration="m013_lookups",
    ),
    Table(
        "anchor",
        ("memory", "path", "name"),
        12,
        of_entry="t.memory = ?",
        orphans={
            "anchors of no memory": "NOT EXISTS (SELECT 1 FROM facet f WHERE f.id = t.memory)"
        },
    ),
    Table(
        "file_changes",
        ("memory",),
        copied=False,
        orphans={
            "file changes of no memory": "NOT EXISTS (SELECT 1 FROM facet f WHERE f.id = t.memory)"
        },
        migration="m009_file_changes",
    ),
    Table(
        "scip",
        ("document",),
        21,
        copied=False,
        hurt="graph",
        orphans={"other tools' words of no document": _NO_DOCUMENT},
    ),
    Table(
        "word_index",
        ("rowid",),
        copied=False,
        orphans={
            "indexed words of no entry": "NOT EXISTS (SELECT 1 FROM facet f WHERE f.id = t.rowid)"
        },
    ),
    Table(
        "document_index",
        ("rowid",),
        copied=False,
        orphans={
            "indexed wholes of no document": "NOT EXISTS"
            " (SELECT 1 FROM document d WHERE d.id = t.rowid)"
        },
    ),
    Table("word", ("term",), copied=False),
    Table("tally", ("project", "family", "kind", "state"), copied=False),
    Table("meta", ("key",), copied=False),
    Table("migration", ("name",), copied=False),
    Table("seal", ("part", "key"), copied=False),
)
BY_NAME = {table.name: table for table in TABLES}
