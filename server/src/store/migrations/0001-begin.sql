CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  lab_id TEXT NOT NULL,
  testbed TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE runs (
  id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions (id),
  testbed TEXT NOT NULL,
  lab_id TEXT NOT NULL,
  step_id TEXT NOT NULL,
  state TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  params TEXT NOT NULL,
  incarnation TEXT NOT NULL,
  solve_to TEXT,
  -- The process that performs the run, as store/owner.ts writes it.
  owner TEXT NOT NULL,
  -- What the history shows of it, written when it ends.
  summary TEXT
) STRICT;

-- Single flight: the database refuses a second running run on a testbed.
CREATE UNIQUE INDEX one_running_run_a_testbed ON runs (testbed) WHERE state = 'running';
CREATE INDEX runs_by_session ON runs (session_id, started_at, id);
CREATE INDEX runs_by_start ON runs (started_at, id);

CREATE TABLE events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  run_id TEXT NOT NULL REFERENCES runs (id),
  at INTEGER NOT NULL,
  event TEXT NOT NULL
) STRICT;

CREATE INDEX events_by_run ON events (run_id, seq);

CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events
BEGIN
  SELECT RAISE(ABORT, 'events are append-only');
END;

CREATE TRIGGER events_are_never_deleted BEFORE DELETE ON events
BEGIN
  SELECT RAISE(ABORT, 'events are append-only');
END;

-- The settings that a testbed had before they were first changed, for Restore.
CREATE TABLE snapshots (
  testbed TEXT NOT NULL,
  incarnation TEXT NOT NULL,
  setting TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (testbed, incarnation)
) STRICT;
