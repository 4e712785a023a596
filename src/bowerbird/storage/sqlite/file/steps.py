"""The tables, as named migrations in the order in which they were released.

A released step is frozen: it calls nothing that may change later. What follows from the rows, words and
seals, a step does not make itself: it asks for it by a row in `meta`, and today's code builds it from
today's tables when the last step is taken (`rebuilt`).
"""

import os

import apsw

from bowerbird.storage.sqlite.file.tables import FIRST

# Asks for the word indexes and the counts of words; for a seal of each row.
_REBUILD_WORDS = "INSERT OR REPLACE INTO meta (key, value) VALUES ('words_anew', 1)"
_RESEAL = "INSERT OR REPLACE INTO meta (key, value) VALUES ('seals_anew', 1)"


def m001_first_schema(connection: apsw.Connection) -> None:
    """Entries of both families with their facets, vectors, words, versions and audit."""
    connection.execute(FIRST)


_M002 = """
-- By what else a project is known: a remote, or the place of a working tree with the commit that was
-- checked out at the last write, which tells whether it is still the same repository. One place may
-- have had several projects.
CREATE TABLE alias (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL,
    project INTEGER NOT NULL REFERENCES project (id),
    head TEXT NOT NULL,
    UNIQUE (uid, project)
);
CREATE INDEX alias_project ON alias (project);
INSERT INTO alias (uid, project, head)
    SELECT uid, id, '' FROM project WHERE uid GLOB 'remote:*' OR uid GLOB 'path:*';
INSERT OR IGNORE INTO alias (uid, project, head)
    SELECT 'path:' || root, id, '' FROM project WHERE root IS NOT NULL AND uid GLOB 'remote:*';
"""


def m002_aliases(connection: apsw.Connection) -> None:
    """A project stays the same when its remote is added, renamed or removed."""
    connection.execute(_M002)


_M003 = """
-- The generation of the transaction that wrote a document or looked at it last: what came before what,
-- whatever the clock said.
ALTER TABLE document ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;
CREATE INDEX document_path ON document (path);
"""


def m003_document_order(connection: apsw.Connection) -> None:
    """A sequence shows what another process indexed meanwhile."""
    connection.execute(_M003)


def m004_letters(connection: apsw.Connection) -> None:
    """Words outside ASCII are indexed and counted by their bare letters, as questions ask them."""
    connection.execute(_REBUILD_WORDS)


_M005 = """
-- How many entries there are of each sort, so that nobody has to count them. By triggers, so that
-- it is exact whoever writes.
CREATE TABLE tally (
    project INTEGER NOT NULL,
    family TEXT NOT NULL,
    kind TEXT NOT NULL,
    state INTEGER NOT NULL,
    entries INTEGER NOT NULL,
    PRIMARY KEY (project, family, kind, state)
) WITHOUT ROWID;
INSERT INTO tally SELECT project, family, kind, state, count(*) FROM facet GROUP BY 1, 2, 3, 4;

CREATE TRIGGER facet_tallied AFTER INSERT ON facet BEGIN
    INSERT INTO tally VALUES (new.project, new.family, new.kind, new.state, 1)
        ON CONFLICT DO UPDATE SET entries = entries + 1;
END;
CREATE TRIGGER facet_untallied AFTER DELETE ON facet BEGIN
    UPDATE tally SET entries = entries - 1 WHERE project = old.project AND family = old.family
        AND kind = old.kind AND state = old.state;
END;
CREATE TRIGGER facet_moved AFTER UPDATE OF project, family, kind, state ON facet BEGIN
    UPDATE tally SET entries = entries - 1 WHERE project = old.project AND family = old.family
        AND kind = old.kind AND state = old.state;
    INSERT INTO tally VALUES (new.project, new.family, new.kind, new.state, 1)
        ON CONFLICT DO UPDATE SET entries = entries + 1;
END;

-- Whoever writes entries indexes their words as well, all at once: the trigger made FTS5 write out
-- every passage by itself, which took a fifth of the time of taking in.
DROP TRIGGER entry_indexed;
"""


def m005_tally(connection: apsw.Connection) -> None:
    """Counts are kept instead of taken; passages come into the word index together."""
    connection.execute(_M005)


_M006 = """
CREATE TABLE embedding (
    model TEXT NOT NULL, hash BLOB NOT NULL, "values" BLOB NOT NULL, norm REAL NOT NULL,
    hits INTEGER NOT NULL, used INTEGER NOT NULL, PRIMARY KEY (model, hash)
) WITHOUT ROWID;
CREATE INDEX embedding_used ON embedding (used, hits);
"""


def m006_cache(connection: apsw.Connection) -> None:
    """Vectors of models behind a server are kept even if the entries are deleted."""
    connection.execute(_M006)


_M007 = """
-- The part of a path whose words find a file: below its project, else below the folder that was named.
ALTER TABLE document ADD COLUMN name TEXT NOT NULL DEFAULT '';

DROP VIEW word_row;
CREATE VIEW word_row AS SELECT
    e.id AS id,
    searchable(e.text) AS text,
    searchable(e.context || ' ' || e.speaker) AS context,
    (SELECT searchable(d.name) FROM facet f JOIN document d ON d.id = f.document
        WHERE f.id = e.id) AS path,
    (SELECT searchable(coalesce(group_concat(t.name, ' '), '')) FROM tag t
        WHERE t.entry = e.id AND t.present = 1) AS tags
FROM entry e;
"""


def m007_names(connection: apsw.Connection) -> None:
    """The folders above a project are no words of its files, and ß, ø or ł are found as ss, o and l."""
    connection.execute(_M007)
    documents = connection.execute(
        "SELECT d.id, d.path, p.root FROM document d JOIN project p ON p.id = d.project"
    ).fetchall()
    connection.executemany(
        "UPDATE document SET name = ? WHERE id = ?",
        [(_name(str(path), root), number) for number, path, root in documents],
    )
    connection.execute(_REBUILD_WORDS)


def _name(path: str, root: object) -> str:
    """A best guess without the named path: the path below the project, else folder and file."""
    above = f"{root}{os.sep}" if root else ""
    if above and path.startswith(above):
        return path[len(above) :]
    return os.sep.join(path.split(os.sep)[-2:])


_M008 = """
-- A checksum of each row of the tables in `seals`, by the position of the table there.
CREATE TABLE seal (
    part INTEGER NOT NULL,
    key ANY NOT NULL,
    crc INTEGER NOT NULL,
    PRIMARY KEY (part, key)
) WITHOUT ROWID;
"""


def m008_seals(connection: apsw.Connection) -> None:
    """Every row has a checksum, so that silent changes by the disk are detected."""
    connection.execute(_M008)
    connection.execute(_RESEAL)


_M009 = """
-- What the contextual model read of a memory; `meta` says which model.
CREATE TABLE contextual (
    id INTEGER PRIMARY KEY REFERENCES facet (id) ON DELETE CASCADE,
    int8 BLOB NOT NULL
);
"""


def m009_contextual(connection: apsw.Connection) -> None:
    """A second vector of memories; those that there are wait to be read."""
    connection.execute(_M009)


_M010 = """
-- What source code says of itself, as `core.outline` packs it, and by which rules; `resolved` is 0 while
-- its edges wait to be drawn.
CREATE TABLE outline (
    document INTEGER PRIMARY KEY REFERENCES document (id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    text BLOB NOT NULL,
    resolved INTEGER NOT NULL
);
CREATE INDEX outline_waiting ON outline (document) WHERE resolved = 0;

-- Files and what they define.
CREATE TABLE node (
    id INTEGER PRIMARY KEY,
    document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    qualified TEXT NOT NULL,
    start_line INTEGER NOT NULL,
    end_line INTEGER NOT NULL
);
CREATE INDEX node_document ON node (document);
CREATE INDEX node_name ON node (name);

-- Who imports, calls, inherits from or refers to what. Without a target the name leads nowhere in its
-- project; where it has a confidence, it led to what is gone. `tail` is the last part of the name.
CREATE TABLE edge (
    id INTEGER PRIMARY KEY,
    document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
    source INTEGER NOT NULL,
    target INTEGER REFERENCES node (id) ON DELETE SET NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    tail TEXT NOT NULL,
    origin TEXT NOT NULL,
    confidence REAL NOT NULL,
    line INTEGER NOT NULL,
    "column" INTEGER NOT NULL,
    count INTEGER NOT NULL
);
CREATE INDEX edge_document ON edge (document);
CREATE INDEX edge_source ON edge (source);
CREATE INDEX edge_target ON edge (target) WHERE target IS NOT NULL;
CREATE INDEX edge_tail ON edge (tail, document) WHERE target IS NULL;
CREATE INDEX edge_cut ON edge (document) WHERE target IS NULL AND confidence > 0;
"""


def m010_graph(connection: apsw.Connection) -> None:
    """The graph of code; what is indexed already is drawn when the store is read anew."""
    connection.execute(_M010)


_M011 = """
-- What of a project's files a memory is about, and what stood there when it was written: `path` is below
-- the project's folder, else whole; `name` a symbol in it, empty for the file. `first` and `lines` find
-- the symbol's text again: a checksum of its first line, and how many it has.
CREATE TABLE anchor (
    memory INTEGER NOT NULL REFERENCES facet (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    name TEXT NOT NULL,
    hash TEXT NOT NULL,
    size INTEGER NOT NULL,
    modified INTEGER NOT NULL,
    first INTEGER NOT NULL,
    lines INTEGER NOT NULL,
    PRIMARY KEY (memory, path, name)
) WITHOUT ROWID;
CREATE INDEX anchor_path ON anchor (path);

-- What another tool's index says of a document's names, as `graph.scip` packs it.
CREATE TABLE scip (
    document INTEGER PRIMARY KEY REFERENCES document (id) ON DELETE CASCADE,
    text BLOB NOT NULL
);
"""


def m011_anchors(connection: apsw.Connection) -> None:
    """Memories are tied to files and symbols; edges may be another tool's."""
    connection.execute(_M011)


_M012 = """
-- What was read without its words is read anew; 11 stands for the table in the seals.
DELETE FROM contextual;
DELETE FROM seal WHERE part = 11;
ALTER TABLE contextual ADD COLUMN words BLOB;
"""


def m012_words_in_sentences(connection: apsw.Connection) -> None:
    """What the contextual model made of a memory's words, one by one."""
    connection.execute(_M012)


_M013 = """
-- The lowest trust that each reader was shown, by a hash of its name: what it writes is trusted no more.
CREATE TABLE shown (
    reader TEXT PRIMARY KEY,
    trust TEXT NOT NULL,
    at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX shown_at ON shown (at);

-- Files and folders that a session brought in from outside, or wrote after it had read text of others:
-- `path` is below the project's folder, else whole. `settled` is when and `settled_by` how they became
-- the user's own.
CREATE TABLE foreign_file (
    project INTEGER NOT NULL REFERENCES project (id),
    path TEXT NOT NULL,
    session TEXT NOT NULL,
    at INTEGER NOT NULL,
    why TEXT NOT NULL,
    settled INTEGER,
    settled_by TEXT NOT NULL,
    PRIMARY KEY (project, path, session)
) WITHOUT ROWID;
"""


def m013_what_came_from_outside(connection: apsw.Connection) -> None:
    """Who was shown what others wrote, and which files came from there, are in every copy."""
    connection.execute(_M013)


MIGRATIONS = (
    m001_first_schema,
    m002_aliases,
    m003_document_order,
    m004_letters,
    m005_tally,
    m006_cache,
    m007_names,
    m008_seals,
    m009_contextual,
    m010_graph,
    m011_anchors,
    m012_words_in_sentences,
    m013_what_came_from_outside,
)
