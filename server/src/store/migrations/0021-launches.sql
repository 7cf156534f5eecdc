-- Labs that people opened from a learning platform (LTI 1.3), and the grades that the platform got.
CREATE TABLE launches (
  issuer TEXT NOT NULL,
  client_id TEXT NOT NULL,
  -- The platform's id of the person.
  subject TEXT NOT NULL,
  deployment TEXT NOT NULL,
  -- The place in a course where the lab is.
  resource TEXT NOT NULL,
  principal TEXT NOT NULL REFERENCES principals (id),
  lab_id TEXT NOT NULL,
  -- The address of the column for grades; null for a place without grades.
  line_item TEXT,
  -- The number of passed steps that the platform knows.
  sent INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (issuer, client_id, subject, deployment, resource)
) STRICT;

CREATE INDEX launches_by_principal ON launches (principal);
