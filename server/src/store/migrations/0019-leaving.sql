-- When somebody logged out of their last browser; their results keep a name.
ALTER TABLE principals ADD COLUMN left_at INTEGER;

-- From where they joined: an IPv4 address, or the network of an IPv6 address. Null for those who joined before this.
ALTER TABLE principals ADD COLUMN network TEXT;

-- Logins of the owner of the link that were ended. Their cookies follow from the token, so only the ends are kept.
CREATE TABLE ended_logins (
  id TEXT PRIMARY KEY,
  ended_at INTEGER NOT NULL
) STRICT;
