-- Each page of the history is read from an index, in its order, whatever filter it has.
CREATE INDEX runs_by_lab ON runs (lab_id, started_at, id);
CREATE INDEX runs_by_state ON runs (state, started_at, id);
CREATE INDEX runs_by_measured ON runs ((summary ->> '$.measured' IS NOT NULL), started_at, id);
