-- What grows with a run's length is found without reading it: 0 changes the run's state, 1 is a line of its output,
-- 2 is a live sample, 3 is the end of a command that succeeded. Old streams had `interval.taken` for a sample.
ALTER TABLE events ADD COLUMN kind INTEGER GENERATED ALWAYS AS (
  CASE event ->> '$.type'
    WHEN 'command.started' THEN 1
    WHEN 'command.output' THEN 1
    WHEN 'command.ended' THEN iif(event ->> '$.exitCode' IS 0, 3, 1)
    WHEN 'sample.taken' THEN 2
    WHEN 'interval.taken' THEN 2
    ELSE 0
  END
) VIRTUAL;
CREATE INDEX events_by_kind ON events (run_id, kind, seq);
