-- The roster: two learners who are made one, learners who are erased, and the backups that must not outlive them.

-- A row of the log never changes, but for whose it is, inside the transaction that makes one learner of two, or erases
-- one (meta.erasing = 2).
DROP TRIGGER session_keep;
DROP TRIGGER attempt_keep;
DROP TRIGGER event_keep;
CREATE TRIGGER session_keep BEFORE UPDATE ON session WHEN coalesce((SELECT erasing FROM meta), 0) <> 2
  BEGIN SELECT RAISE(ABORT, 'session is append-only'); END;
CREATE TRIGGER attempt_keep BEFORE UPDATE ON attempt WHEN coalesce((SELECT erasing FROM meta), 0) <> 2
  BEGIN SELECT RAISE(ABORT, 'attempt is append-only'); END;
CREATE TRIGGER event_keep BEFORE UPDATE ON event WHEN coalesce((SELECT erasing FROM meta), 0) <> 2
  BEGIN SELECT RAISE(ABORT, 'event is append-only'); END;

-- Of who was erased: events whose learner_id is a digest of an id, or of a name, so that it is known again where it comes
-- in from elsewhere.
CREATE INDEX event_erased ON event(learner_id) WHERE kind = 'erased';

-- 1: a learner was erased since the file was last written anew; what was theirs may still be read in it.
ALTER TABLE meta ADD COLUMN unclean INTEGER NOT NULL DEFAULT 0;

-- Copies of this store, by absolute path (bytes, as the system has it).
CREATE TABLE backup(
  path BLOB PRIMARY KEY,
  made_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
