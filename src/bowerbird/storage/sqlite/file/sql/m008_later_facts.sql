-- What holds only from a later day is told apart without reading the others.

-- Few memories hold only from a day to come, so that every query may ask for those that do.
CREATE INDEX memory_valid_from ON memory (valid_from) WHERE valid_from IS NOT NULL;
