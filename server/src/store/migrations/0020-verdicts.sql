-- The history leaves out playbacks of recordings until somebody asks for them.
CREATE INDEX runs_by_recorded ON runs ((testbed GLOB 'recording*'), started_at, id);
-- The latest verdict of a session is found without reading its other runs.
CREATE INDEX runs_by_verdict ON runs (session_id, started_at, id) WHERE summary ->> '$.verdict' IS NOT NULL;
