-- Recordings that were imported. The text is the file's own; it is read, and brought up to date, when it is played back.
CREATE TABLE recordings (
  id TEXT PRIMARY KEY,
  view TEXT NOT NULL,
  text TEXT NOT NULL,
  imported_at INTEGER NOT NULL
) STRICT;
