-- What learners type at a kiosk beside their names, and the tries at it.
CREATE TABLE pin(
  learner_id BLOB PRIMARY KEY REFERENCES learner,
  kept TEXT NOT NULL                   -- Argon2id
) STRICT, WITHOUT ROWID;

-- Wrong ones in a row, counted before they are looked at; no row: none.
CREATE TABLE pin_try(
  who BLOB PRIMARY KEY,                -- a learner's id, or 16 zero bytes: at the tutor's code
  failures INTEGER NOT NULL,
  wait_ms INTEGER NOT NULL,            -- from the moment of the newest, which is this:
  since_steady INTEGER NOT NULL,       -- ms since that machine's start
  at INTEGER NOT NULL,                 -- ms since 1970 UTC, for another machine only
  device_id BLOB,
  boot_id BLOB                         -- which start of the machine; NULL: not known
) STRICT, WITHOUT ROWID;
