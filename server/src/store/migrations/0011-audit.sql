-- Who changed what, when, from where. Rows are written and dropped when they are old, never changed.
CREATE TABLE audit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  principal TEXT NOT NULL,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  address TEXT NOT NULL,
  action TEXT NOT NULL,
  target TEXT NOT NULL,
  status INTEGER NOT NULL
) STRICT;

CREATE TRIGGER audit_is_never_changed BEFORE UPDATE ON audit
BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;
