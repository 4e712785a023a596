-- Pages of many memories are read by an index, not by reading all.

-- Pages of memories in the order in which they were said, with what narrows them most often: of 100,000
-- the newest fifty in 0.1 ms instead of 226. Passages are listed by their documents.
CREATE INDEX facet_listed ON facet (state, created, project, kind, trust) WHERE family = 'memory';
-- Few memories wait, and few were learned from a session; each page counts those that wait.
CREATE INDEX memory_waits ON memory (id) WHERE needs_review = 1;
CREATE INDEX memory_session ON memory (session) WHERE session <> '';
-- The least certain ones first, today and if nobody uses them.
CREATE INDEX memory_confidence ON memory (confidence);
CREATE INDEX memory_fades ON memory (half_life, accessed, confidence) WHERE half_life > 0 AND pinned = 0;
