-- Whose session it is: a principal's id. Until now there was one principal: every person with the printed link.
ALTER TABLE sessions ADD COLUMN owner TEXT NOT NULL DEFAULT 'owner';
CREATE INDEX sessions_by_owner ON sessions (owner);
