-- What reports read. Groups of learners; and summaries, which are derived as schedules are: made again from the log
-- whenever they were not made by today's scheduler (meta.schedule_version), and kept up in the transaction that adds to
-- it. An answer touches three b-trees more: learner_pack, learner_day and attempt_pack.

CREATE TABLE member(
  group_key TEXT NOT NULL,             -- the name under NFKC case folding
  learner_id BLOB NOT NULL REFERENCES learner,
  group_name TEXT NOT NULL,
  PRIMARY KEY(group_key, learner_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX member_learner ON member(learner_id);

ALTER TABLE learner ADD COLUMN plain INTEGER NOT NULL DEFAULT 0;  -- 1: line by line, for a screen reader

-- Of each question, by the newest grading of each answer. The first answer is the first one that counts; it has neither
-- outcome nor share where it was voided, or where an earlier answer of its session was taken back.
ALTER TABLE schedule ADD COLUMN first_outcome TEXT;
ALTER TABLE schedule ADD COLUMN first_share REAL;                 -- 0 to 1
ALTER TABLE schedule ADD COLUMN first_at INTEGER;                 -- ms; NULL without an answer that counts
ALTER TABLE schedule ADD COLUMN first_revision TEXT;
ALTER TABLE schedule ADD COLUMN best_share REAL;
ALTER TABLE schedule ADD COLUMN misses INTEGER NOT NULL DEFAULT 0;      -- wrong or partly
ALTER TABLE schedule ADD COLUMN elapsed_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE schedule ADD COLUMN given INTEGER NOT NULL DEFAULT 0;       -- answers that count and were not left out
ALTER TABLE schedule ADD COLUMN mastered INTEGER NOT NULL DEFAULT 0;

-- Sums over the questions of a pack, and with pack_id '' over all. Shares are summed in whole 2^-40, so that the sum does
-- not depend on the order.
CREATE TABLE learner_pack(
  learner_id BLOB NOT NULL REFERENCES learner,
  pack_id TEXT NOT NULL,
  questions INTEGER NOT NULL,          -- with an answer that counts
  attempts INTEGER NOT NULL,           -- that count
  first_right INTEGER NOT NULL,
  first_partly INTEGER NOT NULL,
  first_wrong INTEGER NOT NULL,
  first_omitted INTEGER NOT NULL,
  first_shares INTEGER NOT NULL,
  elapsed_ms INTEGER NOT NULL,
  mastered INTEGER NOT NULL,
  stuck INTEGER NOT NULL,              -- missed three times or more
  sessions INTEGER NOT NULL,           -- with an answer that counts
  first_at INTEGER NOT NULL,           -- ms: of each question's first answer the earliest
  last_at INTEGER NOT NULL,            -- ms: of each question's newest answer the latest
  PRIMARY KEY(learner_id, pack_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE learner_day(
  learner_id BLOB NOT NULL REFERENCES learner,
  day INTEGER NOT NULL,                -- the local one of the answer, from 1970-01-01
  attempts INTEGER NOT NULL,           -- that count
  given INTEGER NOT NULL,              -- and were not left out
  right_answers INTEGER NOT NULL,
  firsts INTEGER NOT NULL,             -- first answers
  first_shares INTEGER NOT NULL,
  elapsed_ms INTEGER NOT NULL,
  fresh INTEGER NOT NULL,              -- questions answered, not left out, for the first time
  PRIMARY KEY(learner_id, day)
) STRICT, WITHOUT ROWID;

-- Items are read by pack.
CREATE INDEX attempt_pack ON attempt(pack_id, learner_id, question_id);

-- Few events are asked for by kind.
CREATE INDEX event_undone ON event(attempt_id) WHERE kind = 'undone';
CREATE INDEX event_told ON event(attempt_id) WHERE kind IN ('undone', 'regraded', 'voided', 'accepted');
CREATE INDEX event_reported ON event(kind) WHERE kind = 'reported';
