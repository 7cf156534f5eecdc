-- The context that somebody chose for a testbed that has several.
CREATE TABLE contexts (
  testbed TEXT PRIMARY KEY,
  context TEXT NOT NULL
) STRICT;
