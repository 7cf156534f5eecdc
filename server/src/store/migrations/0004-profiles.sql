-- Plans that were kept under a name, to run them again from the Bench page.
CREATE TABLE profiles (
  name TEXT PRIMARY KEY,
  plan TEXT NOT NULL,
  saved_at INTEGER NOT NULL
) STRICT;
