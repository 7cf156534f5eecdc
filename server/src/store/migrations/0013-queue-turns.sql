-- A paused queue starts only the instructor's runs.
CREATE TABLE queue (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  paused INTEGER NOT NULL CHECK (paused IN (0, 1))
) STRICT;
INSERT INTO queue (id, paused) VALUES (1, 0);

-- When the instructor moved a queued run to the front; null for the others.
ALTER TABLE runs ADD COLUMN jumped_at INTEGER;
