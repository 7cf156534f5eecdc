-- How long each person's ended runs had a shared resource: the line is fair by that. Of the last hour; older rows are deleted.
CREATE TABLE lane_use (
  ended_at INTEGER NOT NULL,
  person TEXT NOT NULL,
  ms INTEGER NOT NULL
) STRICT;

CREATE INDEX lane_use_by_end ON lane_use (ended_at);
