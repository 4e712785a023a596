-- Who shares a store is known to every server over it.

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
