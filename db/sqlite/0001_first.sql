-- The first schema. Learners, and the log: session, attempt and event are append-only, and together the one source of
-- truth. Times are ms since 1970 UTC, ids are UUIDs as 16-byte blobs, seq is one counter over the three tables of the
-- log. JSON columns are validated in C: CHECKs and views may not use JSON functions under trusted_schema=OFF.
PRAGMA application_id = 0x51547574;

CREATE TABLE meta(
  one INTEGER PRIMARY KEY CHECK(one = 1),
  store_id BLOB NOT NULL CHECK(length(store_id) = 16),
  device_id BLOB NOT NULL CHECK(length(device_id) = 16),
  machine BLOB,                        -- fingerprint of the machine that device_id was made on, NULL: unknown
  next_seq INTEGER NOT NULL,
  erasing INTEGER NOT NULL DEFAULT 0   -- 1 only inside the transaction that erases a learner
) STRICT;

CREATE TABLE learner(
  learner_id BLOB PRIMARY KEY CHECK(length(learner_id) = 16),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,              -- the name under NFKC case folding
  login TEXT,
  external_id TEXT,
  created_at INTEGER NOT NULL,
  merged_into BLOB REFERENCES learner
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX learner_name ON learner(name_key) WHERE merged_into IS NULL AND external_id IS NULL;
CREATE UNIQUE INDEX learner_login ON learner(login) WHERE login IS NOT NULL;
CREATE UNIQUE INDEX learner_external ON learner(external_id) WHERE external_id IS NOT NULL;
CREATE INDEX learner_key ON learner(name_key);

CREATE TABLE question_text(
  content BLOB PRIMARY KEY CHECK(length(content) = 32),
  pack_id TEXT NOT NULL,
  question_id TEXT NOT NULL,
  revision TEXT NOT NULL,
  body TEXT NOT NULL                   -- JSON: the question as it was asked
) STRICT, WITHOUT ROWID;

CREATE TABLE session(
  session_id BLOB PRIMARY KEY CHECK(length(session_id) = 16),
  seq INTEGER NOT NULL UNIQUE,
  learner_id BLOB NOT NULL REFERENCES learner,
  device_id BLOB NOT NULL,
  kind TEXT NOT NULL CHECK(kind IN ('practice', 'exam', 'paper', 'import')),
  origin TEXT NOT NULL,
  seed INTEGER NOT NULL,
  options TEXT NOT NULL,               -- JSON: {"limit":null,"mode":"due","packs":["tour"],"tag":null}
  plan TEXT NOT NULL,                  -- JSON: [["tour","select","<revision>"],…] in plan order
  started_at INTEGER NOT NULL,
  utc_offset_s INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX session_learner ON session(learner_id, started_at);

CREATE TABLE attempt(
  seq INTEGER PRIMARY KEY,
  attempt_id BLOB NOT NULL UNIQUE CHECK(length(attempt_id) = 16),
  session_id BLOB NOT NULL REFERENCES session,
  learner_id BLOB NOT NULL REFERENCES learner,
  device_id BLOB NOT NULL,
  boot_id BLOB,
  pack_id TEXT NOT NULL,
  question_id TEXT NOT NULL,
  revision TEXT NOT NULL,
  content BLOB REFERENCES question_text,
  seed INTEGER NOT NULL,
  showing INTEGER NOT NULL DEFAULT 1,
  shown TEXT,                          -- JSON: {"choices":[3,1,2]}
  response TEXT,                       -- JSON, in pack order; NULL when omitted
  outcome TEXT NOT NULL CHECK(outcome IN ('right', 'partly', 'wrong', 'omitted')),
  mark REAL NOT NULL,
  marks REAL NOT NULL,
  certainty INTEGER,
  hints INTEGER NOT NULL DEFAULT 0,
  elapsed_ms INTEGER,
  answered_at INTEGER NOT NULL,
  utc_offset_s INTEGER NOT NULL,
  origin TEXT NOT NULL CHECK(origin IN ('screen', 'plain', 'jsonl', 'paper', 'kiosk', 'import'))
) STRICT;
CREATE INDEX attempt_history ON attempt(learner_id, pack_id, question_id);
CREATE INDEX attempt_session ON attempt(session_id);
CREATE INDEX attempt_recent ON attempt(learner_id, answered_at);

CREATE TABLE event(
  seq INTEGER PRIMARY KEY,
  event_id BLOB NOT NULL UNIQUE CHECK(length(event_id) = 16),
  kind TEXT NOT NULL,
  session_id BLOB,
  attempt_id BLOB,
  learner_id BLOB,
  device_id BLOB NOT NULL,
  body TEXT,                           -- JSON
  at INTEGER NOT NULL,
  utc_offset_s INTEGER NOT NULL
) STRICT;
CREATE INDEX event_session ON event(session_id) WHERE session_id IS NOT NULL;
CREATE INDEX event_attempt ON event(attempt_id, kind) WHERE attempt_id IS NOT NULL;

CREATE TRIGGER session_keep BEFORE UPDATE ON session
  BEGIN SELECT RAISE(ABORT, 'session is append-only'); END;
CREATE TRIGGER session_stay BEFORE DELETE ON session WHEN coalesce((SELECT erasing FROM meta), 0) = 0
  BEGIN SELECT RAISE(ABORT, 'session is append-only'); END;
CREATE TRIGGER attempt_keep BEFORE UPDATE ON attempt
  BEGIN SELECT RAISE(ABORT, 'attempt is append-only'); END;
CREATE TRIGGER attempt_stay BEFORE DELETE ON attempt WHEN coalesce((SELECT erasing FROM meta), 0) = 0
  BEGIN SELECT RAISE(ABORT, 'attempt is append-only'); END;
CREATE TRIGGER event_keep BEFORE UPDATE ON event
  BEGIN SELECT RAISE(ABORT, 'event is append-only'); END;
CREATE TRIGGER event_stay BEFORE DELETE ON event WHEN coalesce((SELECT erasing FROM meta), 0) = 0
  BEGIN SELECT RAISE(ABORT, 'event is append-only'); END;
CREATE TRIGGER question_text_keep BEFORE UPDATE ON question_text
  BEGIN SELECT RAISE(ABORT, 'question_text is append-only'); END;
CREATE TRIGGER question_text_stay BEFORE DELETE ON question_text WHEN coalesce((SELECT erasing FROM meta), 0) = 0
  BEGIN SELECT RAISE(ABORT, 'question_text is append-only'); END;
