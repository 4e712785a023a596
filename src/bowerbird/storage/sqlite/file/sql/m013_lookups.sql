-- A changed file resolves again only what its change can be seen by.

-- What resolving the names of a document asked of other files, as `core.lookups` packs it.
CREATE TABLE lookups (
    document INTEGER PRIMARY KEY REFERENCES document (id) ON DELETE CASCADE,
    keys BLOB NOT NULL
);
