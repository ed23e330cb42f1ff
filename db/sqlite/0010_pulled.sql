-- What this store has taken over of what a sync pulled (STORE-sync): from which server, and up to which of its changes.
CREATE TABLE pulled(
  one INTEGER PRIMARY KEY CHECK(one = 1),
  server BLOB NOT NULL,
  version INTEGER NOT NULL,
  at INTEGER NOT NULL                  -- ms since 1970 UTC
) STRICT;

-- Learners whom it has not taken over, since it can't be told who is meant: tried again each time.
CREATE TABLE pulled_left(
  learner_id BLOB PRIMARY KEY,         -- at the centre
  why TEXT NOT NULL                    -- name, login, external_id: another's here; merged: here, and not there; unfit
) STRICT, WITHOUT ROWID;
