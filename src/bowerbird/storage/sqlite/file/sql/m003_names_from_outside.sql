-- What a later session repeats of what others wrote is known as theirs.

-- Names and runs of words that a session of a project first heard from others, each as a hash: who says
-- one later rests on what they wrote.
CREATE TABLE foreign_name (
    project INTEGER NOT NULL REFERENCES project (id),
    name BLOB NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (project, name)
) WITHOUT ROWID;
