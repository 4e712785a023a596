-- The tables of the first release.
--
-- Narrow tables contain what is scanned (`facet`, `vector`), `entry` the wide and cold text: a scan
-- of 100,000 sketches takes 12 ms on the narrow table and 47 on a wide one.

-- Facts about this file: replica, clock, generation, totals.
CREATE TABLE meta (key TEXT PRIMARY KEY, value ANY) WITHOUT ROWID;

CREATE TABLE project (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    root TEXT
);

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

-- The identity of whoever made a vector; two identities are never compared.
CREATE TABLE model (
    id INTEGER PRIMARY KEY,
    provider TEXT NOT NULL,
    name TEXT NOT NULL,
    dims INTEGER NOT NULL,
    revision TEXT NOT NULL,
    UNIQUE (provider, name, dims, revision)
);

-- `generation` is of the transaction that wrote a document or looked at it last: what came before what,
-- whatever the clock said. `name` is the part of the path whose words find it: below its project, else
-- below the folder that was named.
CREATE TABLE document (
    id INTEGER PRIMARY KEY,
    project INTEGER NOT NULL REFERENCES project (id),
    path TEXT NOT NULL,
    source TEXT NOT NULL,
    title TEXT NOT NULL,
    session TEXT NOT NULL,
    hash BLOB NOT NULL,
    size INTEGER NOT NULL,
    modified INTEGER NOT NULL,
    indexed INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    name TEXT NOT NULL,
    UNIQUE (project, path)
);
CREATE INDEX document_path ON document (path);

-- What every candidate is filtered by, and the bits it is found by. `created` is when the thing was
-- said or written; `trust` and `state` are positions in core.types.TRUSTS and STATES; `place` is the
-- middle of the passage, in characters from the start of its document.
CREATE TABLE facet (
    id INTEGER PRIMARY KEY,
    project INTEGER NOT NULL,
    family TEXT NOT NULL,
    kind TEXT NOT NULL,
    trust INTEGER NOT NULL,
    state INTEGER NOT NULL,
    created INTEGER NOT NULL,
    document INTEGER REFERENCES document (id),
    ordinal INTEGER NOT NULL,
    place INTEGER NOT NULL,
    sketch BLOB
);
CREATE INDEX facet_document ON facet (document, ordinal) WHERE document IS NOT NULL;
-- What status counts, and whether anything at all is not active (0): mostly nothing is.
CREATE INDEX facet_count ON facet (family, state, project, kind);
CREATE INDEX facet_ended ON facet (state) WHERE state <> 0;

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

CREATE TABLE entry (
    id INTEGER PRIMARY KEY REFERENCES facet (id) ON DELETE CASCADE,
    uid TEXT NOT NULL UNIQUE,
    hash BLOB NOT NULL,
    text TEXT NOT NULL,
    context TEXT NOT NULL,
    speaker TEXT NOT NULL,
    summary TEXT NOT NULL,
    origin TEXT NOT NULL,
    start_line INTEGER,
    end_line INTEGER
);

-- `norm` is the length of the vector before quantising, `window` the length of its sum with its
-- neighbours' vectors (core.neighbourhood): the cosine with that sum needs no further vector.
CREATE TABLE vector (
    id INTEGER NOT NULL REFERENCES facet (id) ON DELETE CASCADE,
    model INTEGER NOT NULL REFERENCES model (id),
    int8 BLOB NOT NULL,
    norm REAL NOT NULL,
    window REAL NOT NULL,
    PRIMARY KEY (model, id)
) WITHOUT ROWID;
CREATE INDEX vector_entry ON vector (id);

-- What the contextual model read of a memory, and of its words, one by one; `meta` says which model.
CREATE TABLE contextual (
    id INTEGER PRIMARY KEY REFERENCES facet (id) ON DELETE CASCADE,
    int8 BLOB NOT NULL,
    words BLOB
);

-- Vectors of models behind a server, kept even if the entries are deleted.
CREATE TABLE embedding (
    model TEXT NOT NULL, hash BLOB NOT NULL, "values" BLOB NOT NULL, norm REAL NOT NULL,
    hits INTEGER NOT NULL, used INTEGER NOT NULL, PRIMARY KEY (model, hash)
) WITHOUT ROWID;
CREATE INDEX embedding_used ON embedding (used, hits);

-- The word indexes keep no copy of the text. `document_index` holds the whole of each document that
-- has more than one passage, by its number.
CREATE VIRTUAL TABLE word_index USING fts5 (
    text, context, path, tags,
    content = '', contentless_delete = 1,
    tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE VIRTUAL TABLE document_index USING fts5 (
    text,
    content = '', contentless_delete = 1,
    tokenize = 'porter unicode61 remove_diacritics 2'
);

-- In how many entries a folded word stands; kept in the transaction that writes the entries.
CREATE TABLE word (
    term TEXT PRIMARY KEY,
    entries INTEGER NOT NULL
) WITHOUT ROWID;

-- What only memories have. `hash` is of the normal form of the text (core.normal). Times in UTC
-- milliseconds; valid_from and valid_to say when the belief held, taint that something external was
-- read before it was formed.
CREATE TABLE memory (
    id INTEGER PRIMARY KEY REFERENCES facet (id) ON DELETE CASCADE,
    head TEXT NOT NULL,
    hash BLOB NOT NULL,
    scope TEXT NOT NULL,
    audience TEXT NOT NULL,
    source TEXT NOT NULL,
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    taint INTEGER NOT NULL,
    importance REAL NOT NULL,
    confidence REAL NOT NULL,
    decay_rate REAL NOT NULL,
    half_life REAL,
    pinned INTEGER NOT NULL,
    verified INTEGER NOT NULL,
    needs_review INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    accessed INTEGER NOT NULL,
    expires INTEGER,
    valid_from INTEGER,
    valid_to INTEGER,
    keywords TEXT NOT NULL,
    files TEXT NOT NULL,
    modules TEXT NOT NULL,
    metadata TEXT NOT NULL,
    payload TEXT,
    replica TEXT NOT NULL,
    hlc TEXT NOT NULL
);
CREATE INDEX memory_hash ON memory (hash);
-- Few memories expire, so that every query may ask for those that have.
CREATE INDEX memory_expires ON memory (expires) WHERE expires IS NOT NULL;

-- Immutable; more than one head means a conflict that a person settles.
CREATE TABLE version (
    uid TEXT PRIMARY KEY,
    memory TEXT NOT NULL,
    parents TEXT NOT NULL,
    hash BLOB NOT NULL,
    text TEXT NOT NULL,
    fields TEXT NOT NULL,
    actor TEXT NOT NULL,
    reason TEXT NOT NULL,
    created INTEGER NOT NULL,
    replica TEXT NOT NULL,
    hlc TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX version_memory ON version (memory);

CREATE TABLE tag (
    entry INTEGER NOT NULL REFERENCES facet (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    present INTEGER NOT NULL,
    replica TEXT NOT NULL,
    hlc TEXT NOT NULL,
    PRIMARY KEY (entry, name)
) WITHOUT ROWID;
CREATE INDEX tag_name ON tag (name);

-- One row a replica, merged by maximum; the sum is the count.
CREATE TABLE access (
    memory TEXT NOT NULL,
    replica TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (memory, replica)
) WITHOUT ROWID;

-- What a session has used, so that it counts once; kept for some days.
CREATE TABLE session_access (
    session TEXT NOT NULL,
    memory TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (session, memory)
) WITHOUT ROWID;

CREATE TABLE relation (
    source TEXT NOT NULL,
    target TEXT NOT NULL,
    kind TEXT NOT NULL,
    strength REAL NOT NULL,
    confidence REAL NOT NULL,
    automatic INTEGER NOT NULL,
    present INTEGER NOT NULL,
    created INTEGER NOT NULL,
    replica TEXT NOT NULL,
    hlc TEXT NOT NULL,
    PRIMARY KEY (source, target, kind)
) WITHOUT ROWID;
CREATE INDEX relation_target ON relation (target);

-- Outlives its memory; `seq` is the order of events, whatever the clock says. What was done in one go
-- has one `operation`; `before` and `after` are versions, or relations as JSON; `undoes` names the
-- operation that was taken back.
CREATE TABLE audit (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    operation TEXT NOT NULL,
    action TEXT NOT NULL,
    entry TEXT NOT NULL,
    actor TEXT NOT NULL,
    reason TEXT NOT NULL,
    before TEXT,
    after TEXT,
    undoes TEXT
);
CREATE INDEX audit_entry ON audit (entry);
CREATE INDEX audit_operation ON audit (operation);
CREATE INDEX audit_undoes ON audit (undoes) WHERE undoes IS NOT NULL;

-- What was erased, without its text, so that a stale peer or import cannot bring it back.
CREATE TABLE tombstone (
    uid TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    reason TEXT NOT NULL,
    replica TEXT NOT NULL,
    hlc TEXT NOT NULL
) WITHOUT ROWID;

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

-- What another tool's index says of a document's names, as `code.scip` packs it.
CREATE TABLE scip (
    document INTEGER PRIMARY KEY REFERENCES document (id) ON DELETE CASCADE,
    text BLOB NOT NULL
);

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

-- A checksum of each row of the tables in `nouns.registry`, by the number of the table there.
CREATE TABLE seal (
    part INTEGER NOT NULL,
    key ANY NOT NULL,
    crc INTEGER NOT NULL,
    PRIMARY KEY (part, key)
) WITHOUT ROWID;

-- An entry as the word index is given it, when it is written and when it comes back.
CREATE VIEW word_row AS SELECT
    e.id AS id,
    searchable(e.text) AS text,
    searchable(e.context || ' ' || e.speaker) AS context,
    (SELECT searchable(d.name) FROM facet f JOIN document d ON d.id = f.document
        WHERE f.id = e.id) AS path,
    (SELECT searchable(coalesce(group_concat(t.name, ' '), '')) FROM tag t
        WHERE t.entry = e.id AND t.present = 1) AS tags
FROM entry e;

-- Whoever writes entries indexes their words as well, all at once: a trigger made FTS5 write out every
-- passage by itself, which took a fifth of the time of indexing.
CREATE TRIGGER entry_unindexed AFTER DELETE ON entry BEGIN
    DELETE FROM word_index WHERE rowid = old.id;
END;

CREATE TRIGGER document_unindexed AFTER DELETE ON document BEGIN
    DELETE FROM document_index WHERE rowid = old.id;
END;

INSERT INTO project (id, uid, name, root) VALUES (0, '', 'global', NULL);
INSERT INTO meta (key, value) VALUES ('generation', 0), ('entries', 0), ('words', 0);
-- Asks for the seals of the row above.
INSERT INTO meta (key, value) VALUES ('seals_anew', 'project');
