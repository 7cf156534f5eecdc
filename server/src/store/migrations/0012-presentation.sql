-- What a presenter shows now. One per server; it ends with its session.
CREATE TABLE presentation (
  only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  step_id TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  step_since INTEGER NOT NULL,
  blank INTEGER NOT NULL,
  path_wide INTEGER NOT NULL,
  autopilot INTEGER NOT NULL,
  pace REAL NOT NULL
) STRICT;
