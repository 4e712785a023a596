-- Verdicts and digests of sessions are in every copy of the store.

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
