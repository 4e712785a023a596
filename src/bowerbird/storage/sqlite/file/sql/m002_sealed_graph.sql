-- The code graph, names, models and what erased memories leave are sealed as well.

INSERT INTO meta (key, value) VALUES ('seals_anew', 'alias model tombstone outline node edge scip')
    ON CONFLICT DO UPDATE SET value = value || ' ' || excluded.value;
