-- What a language model was asked is counted for all processes, and what it has yet to read waits.

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
