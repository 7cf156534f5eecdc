-- An imported file in parts, so that none is read or written in one piece, and what its check found.
CREATE TABLE recording_parts (
  recording TEXT NOT NULL REFERENCES recordings (id) ON DELETE CASCADE,
  part INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (recording, part)
) STRICT;

ALTER TABLE recordings ADD COLUMN outline TEXT;
ALTER TABLE recordings ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
-- 0 while its parts are being stored.
ALTER TABLE recordings ADD COLUMN complete INTEGER NOT NULL DEFAULT 1;
UPDATE recordings SET bytes = octet_length(text);

WITH RECURSIVE cut (id, part) AS (
  SELECT id, 0 FROM recordings
  UNION ALL
  SELECT cut.id, part + 1 FROM cut JOIN recordings USING (id) WHERE (part + 1) * 65536 < bytes
)
INSERT INTO recording_parts (recording, part, bytes)
SELECT cut.id, part, substr(CAST(text AS BLOB), part * 65536 + 1, 65536) FROM cut JOIN recordings USING (id);

ALTER TABLE recordings DROP COLUMN text;
