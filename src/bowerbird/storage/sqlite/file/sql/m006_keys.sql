-- A memory is found by its caller's key without reading the others.

-- The versions of memories that their callers name; few have a key. A damaged row has none.
CREATE INDEX version_key ON version (iif(json_valid(fields), fields ->> '$.key', NULL))
    WHERE iif(json_valid(fields), fields ->> '$.key', NULL) > '';
