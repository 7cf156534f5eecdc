-- When participants asked for help, at which step, and how that ended. The session has the person and the lab.
CREATE TABLE hands (
  id INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  step_id TEXT NOT NULL,
  raised_at INTEGER NOT NULL,
  -- Null while the hand is up.
  lowered_at INTEGER,
  lowered_by TEXT
) STRICT;

CREATE INDEX hands_by_session ON hands (session_id);
