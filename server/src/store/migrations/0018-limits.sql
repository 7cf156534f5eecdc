-- How much the events of a run take, in bytes: for what a guest may store. Null until it is counted.
ALTER TABLE runs ADD COLUMN bytes INTEGER;
CREATE INDEX runs_by_person ON runs (person);

-- Each role has a part of the audit log of its own.
CREATE INDEX audit_by_role ON audit (role, id);

-- From when on old sessions are removed. A history of an earlier version is kept whole for two weeks: its owner reads of it first.
CREATE TABLE retention (begins_at INTEGER NOT NULL) STRICT;
INSERT INTO retention SELECT iif(EXISTS (SELECT 1 FROM runs), unixepoch() * 1000 + 14 * 86400000, 0);
