-- Every context that somebody chose, the latest with the largest number: each is a testbed of its own.
ALTER TABLE contexts RENAME TO single_contexts;
CREATE TABLE contexts (
  chosen INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  context TEXT NOT NULL,
  UNIQUE (kind, context)
) STRICT;
INSERT INTO contexts (kind, context) SELECT testbed, context FROM single_contexts;
DROP TABLE single_contexts;

-- Rows name their testbed by its id, of which the context is a part. `testbed_id` writes one (store/migrate.ts).
-- A session was in the context that its runs read, or else in the one that was chosen.
UPDATE sessions SET testbed = testbed_id('kubernetes', coalesce(
  (SELECT event ->> '$.facts.cluster.context' FROM events JOIN runs ON runs.id = events.run_id
   WHERE runs.session_id = sessions.id AND event ->> '$.type' = 'facts.read'
   AND event ->> '$.facts.cluster.context' IS NOT NULL ORDER BY events.seq DESC LIMIT 1),
  (SELECT context FROM contexts WHERE kind = 'kubernetes')
)) WHERE testbed = 'kubernetes';

-- What was played back says of which recording it was.
UPDATE sessions SET testbed = testbed_id('recording', coalesce(
  (SELECT substr(incarnation, length('recording-') + 1) FROM runs
   WHERE runs.session_id = sessions.id AND incarnation LIKE 'recording-_%' ORDER BY started_at DESC, id DESC LIMIT 1),
  (SELECT context FROM contexts WHERE kind = 'recording')
)) WHERE testbed = 'recording';

UPDATE runs SET testbed = (SELECT testbed FROM sessions WHERE sessions.id = runs.session_id)
WHERE testbed IN ('kubernetes', 'recording');

UPDATE snapshots SET testbed = coalesce(
  (SELECT testbed FROM runs WHERE runs.incarnation = snapshots.incarnation ORDER BY started_at DESC LIMIT 1),
  testbed_id(testbed, (SELECT context FROM contexts WHERE kind = snapshots.testbed))
) WHERE testbed IN ('kubernetes', 'recording');
