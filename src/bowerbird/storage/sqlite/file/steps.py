"""The tables, as named migrations in the order in which they were released.

A released step is frozen: it calls nothing that may change later. What follows from the rows, such as
seals, a step does not make itself: it asks for it by a row in `meta`, and today's code builds it from
today's tables when the last step is taken (`care.rebuilt`).
"""

import os

import apsw

_FIRST = os.path.join(os.path.dirname(__file__), "tables.sql")


def m001_first_schema(connection: apsw.Connection) -> None:
    """All tables of the first release."""
    with open(_FIRST, encoding="utf-8") as file:
        connection.execute(file.read())


_M002 = """
INSERT INTO meta (key, value) VALUES ('seals_anew', 'alias model tombstone outline node edge scip')
    ON CONFLICT DO UPDATE SET value = value || ' ' || excluded.value;
"""


def m002_sealed_graph(connection: apsw.Connection) -> None:
    """The code graph, names, models and what erased memories leave are sealed as well."""
    connection.execute(_M002)


_M003 = """
-- Names and runs of words that a session of a project first heard from others, each as a hash: who says
-- one later rests on what they wrote.
CREATE TABLE foreign_name (
    project INTEGER NOT NULL REFERENCES project (id),
    name BLOB NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (project, name)
) WITHOUT ROWID;
"""


def m003_names_from_outside(connection: apsw.Connection) -> None:
    """What a later session repeats of what others wrote is known as theirs."""
    connection.execute(_M003)


_M004 = """
-- Pairs of a new memory with a stored one that wait for a judge.
CREATE TABLE unjudged (
    memory TEXT NOT NULL,
    other TEXT NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (memory, other)
) WITHOUT ROWID;
"""


def m004_unjudged_pairs(connection: apsw.Connection) -> None:
    """What a judge has yet to compare survives the process that wrote it."""
    connection.execute(_M004)


_M005 = """
-- Verdicts of people on memories, and what was injected into each session and used: `line` as it was
-- recorded beside the store, by the token that tells it from all others.
CREATE TABLE outcome (
    id INTEGER PRIMARY KEY,
    token TEXT NOT NULL UNIQUE,
    at INTEGER NOT NULL,
    project TEXT NOT NULL,
    line TEXT NOT NULL
);

-- What is kept of a learned session for later ones: numbers and keys, as JSON.
CREATE TABLE digest (
    id INTEGER PRIMARY KEY,
    session TEXT NOT NULL UNIQUE,
    line TEXT NOT NULL
);
"""


def m005_sessions(connection: apsw.Connection) -> None:
    """Verdicts and digests of sessions are in every copy of the store."""
    connection.execute(_M005)


_M006 = """
-- The versions of memories that their callers name; few have a key. A damaged row has none.
CREATE INDEX version_key ON version (iif(json_valid(fields), fields ->> '$.key', NULL))
    WHERE iif(json_valid(fields), fields ->> '$.key', NULL) > '';
"""


def m006_keys(connection: apsw.Connection) -> None:
    """A memory is found by its caller's key without reading the others."""
    connection.execute(_M006)


_M007 = """
-- What models were asked: `line` as it was recorded beside the store, by the token that tells it from all
-- others.
CREATE TABLE model_use (
    id INTEGER PRIMARY KEY,
    token TEXT NOT NULL UNIQUE,
    at INTEGER NOT NULL,
    line TEXT NOT NULL
);
CREATE INDEX model_use_at ON model_use (at);

-- Sessions that were learned from by rules and that a language model has yet to read.
CREATE TABLE unread_session (
    session TEXT PRIMARY KEY,
    path TEXT NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
"""


def m007_language_models(connection: apsw.Connection) -> None:
    """What a language model was asked is counted for all processes, and what it has yet to read waits."""
    connection.execute(_M007)


_M008 = """
-- Few memories hold only from a day to come, so that every query may ask for those that do.
CREATE INDEX memory_valid_from ON memory (valid_from) WHERE valid_from IS NOT NULL;
"""


def m008_later_facts(connection: apsw.Connection) -> None:
    """What holds only from a later day is told apart without reading the others."""
    connection.execute(_M008)


_M009 = """
-- On how many days of the last year the files that a memory is about changed, as their repository says;
-- none of a memory whose files were not looked at.
CREATE TABLE file_changes (
    memory INTEGER PRIMARY KEY REFERENCES facet (id) ON DELETE CASCADE,
    days INTEGER NOT NULL
);
"""


def m009_file_changes(connection: apsw.Connection) -> None:
    """A memory fades faster, the more often its files change."""
    connection.execute(_M009)


_M010 = """
-- The people who share the store, and hashes of their tokens. Nobody is deleted: the audit names them.
CREATE TABLE member (
    name TEXT PRIMARY KEY,
    role TEXT NOT NULL,
    trust TEXT NOT NULL,
    joined INTEGER NOT NULL,
    gone INTEGER,
    made_by TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE member_token (
    hash TEXT PRIMARY KEY,
    member TEXT NOT NULL,
    label TEXT NOT NULL,
    created INTEGER NOT NULL,
    expires INTEGER,
    revoked INTEGER,
    made_by TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX member_token_member ON member_token (member);
"""


def m010_teams(connection: apsw.Connection) -> None:
    """Who shares a store is known to every server over it."""
    connection.execute(_M010)


_M011 = """
-- Pages of memories in the order in which they were said, with what narrows them most often: of 100,000
-- the newest fifty in 0.1 ms instead of 226. Passages are listed by their documents.
CREATE INDEX facet_listed ON facet (state, created, project, kind, trust) WHERE family = 'memory';
-- Few memories wait, and few were learned from a session; each page counts those that wait.
CREATE INDEX memory_waits ON memory (id) WHERE needs_review = 1;
CREATE INDEX memory_session ON memory (session) WHERE session <> '';
-- The least certain ones first, today and if nobody uses them.
CREATE INDEX memory_confidence ON memory (confidence);
CREATE INDEX memory_fades ON memory (half_life, accessed, confidence) WHERE half_life > 0 AND pinned = 0;
"""


def m011_pages(connection: apsw.Connection) -> None:
    """Pages of many memories are read by an index, not by reading all."""
    connection.execute(_M011)


_M012 = """
-- By what a provider of single sign-on knows a member.
ALTER TABLE member ADD COLUMN login TEXT NOT NULL DEFAULT '';
"""


def m012_single_sign_on(connection: apsw.Connection) -> None:
    """Members sign in by their organisation's provider."""
    connection.execute(_M012)


MIGRATIONS = (
    m001_first_schema,
    m002_sealed_graph,
    m003_names_from_outside,
    m004_unjudged_pairs,
    m005_sessions,
    m006_keys,
    m007_language_models,
    m008_later_facts,
    m009_file_changes,
    m010_teams,
    m011_pages,
    m012_single_sign_on,
)
