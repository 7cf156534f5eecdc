-- Runs wait in line for what they need alone, where they were refused before.
DROP INDEX one_running_run_a_testbed;
-- Since when the run is in line for its resources; null once it has started.
ALTER TABLE runs ADD COLUMN queued_at INTEGER;
-- Who asked for it: the line is fair between persons.
ALTER TABLE runs ADD COLUMN person TEXT NOT NULL DEFAULT '';
-- What it needs alone, as testbeds/resources.ts describes it.
ALTER TABLE runs ADD COLUMN needs TEXT NOT NULL DEFAULT '{"own":"testbed:","shared":[]}';
-- When solving: the ids of the steps after this run's.
ALTER TABLE runs ADD COLUMN remaining TEXT NOT NULL DEFAULT '[]';

-- The database refuses a second holder of a resource.
CREATE TABLE holds (
  resource TEXT PRIMARY KEY,
  run_id TEXT NOT NULL REFERENCES runs (id)
) STRICT;

CREATE INDEX holds_by_run ON holds (run_id);

INSERT INTO holds SELECT 'testbed:' || testbed, id FROM runs WHERE state = 'running';
