-- Links that let people in. Of every secret only the SHA-256 hash is kept.
CREATE TABLE invitations (
  id TEXT PRIMARY KEY,
  role TEXT NOT NULL,
  code_hash TEXT NOT NULL,
  -- The person whom it lets in again, on another device; null for a link that lets new people in.
  principal TEXT REFERENCES principals (id),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT;

-- People who joined. Their rows stay when their access is taken back: their results keep a name.
CREATE TABLE principals (
  id TEXT PRIMARY KEY,
  role TEXT NOT NULL,
  name TEXT NOT NULL,
  -- Null for somebody who typed a door's code.
  invitation TEXT REFERENCES invitations (id),
  joined_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  removed_at INTEGER
) STRICT;

CREATE INDEX principals_by_invitation ON principals (invitation);

-- The browsers of a person.
CREATE TABLE logins (
  id TEXT PRIMARY KEY,
  principal TEXT NOT NULL REFERENCES principals (id),
  key_hash TEXT NOT NULL,
  made_at INTEGER NOT NULL
) STRICT;

CREATE INDEX logins_by_principal ON logins (principal);
