-- What a judge has yet to compare survives the process that wrote it.

-- Pairs of a new memory with a stored one that wait for a judge.
CREATE TABLE unjudged (
    memory TEXT NOT NULL,
    other TEXT NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (memory, other)
) WITHOUT ROWID;
