-- A memory fades faster, the more often its files change.

-- On how many days of the last year the files that a memory is about changed, as their repository says;
-- none of a memory whose files were not looked at.
CREATE TABLE file_changes (
    memory INTEGER PRIMARY KEY REFERENCES facet (id) ON DELETE CASCADE,
    days INTEGER NOT NULL
);
