-- The runs that are being pruned from the history. Nothing else of the log can be deleted: a run that has ended is named
-- here, then its events are deleted, the last ones first, and then its row. A run is pruned as a whole.
CREATE TABLE pruning (
  run_id TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE
) STRICT;

CREATE TRIGGER only_ended_runs_are_pruned BEFORE INSERT ON pruning
WHEN (SELECT state FROM runs WHERE id = NEW.run_id) IN ('queued', 'running')
BEGIN
  SELECT RAISE(ABORT, 'only runs that have ended can be pruned');
END;

CREATE TRIGGER pruning_is_finished BEFORE DELETE ON pruning
WHEN EXISTS (SELECT 1 FROM runs WHERE id = OLD.run_id)
BEGIN
  SELECT RAISE(ABORT, 'a run is pruned as a whole');
END;

DROP TRIGGER events_are_never_deleted;
CREATE TRIGGER events_are_never_deleted BEFORE DELETE ON events
WHEN NOT EXISTS (SELECT 1 FROM pruning WHERE run_id = OLD.run_id)
BEGIN
  SELECT RAISE(ABORT, 'events are append-only');
END;
