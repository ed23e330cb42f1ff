-- The central store. Every table is by school: it comes first in each primary key, and is what rows are distributed by
-- once one server is outgrown. Names and columns are those of db/sqlite beyond that; ids are uuid, content bytea, times
-- ms since 1970 UTC. seq numbers the rows of the log in the order in which they were taken in, and replaces the one
-- they had on their machine (machine_seq), as store_id tells where they came from.
-- Run by its owner, in one transaction, with search_path = quiztutor. Reports order texts by their bytes: COLLATE "C".

CREATE TABLE meta(
  one integer PRIMARY KEY CHECK(one = 1),
  server_id uuid NOT NULL,
  version integer NOT NULL,            -- of this schema: the newest migration
  oldest integer NOT NULL,             -- protocols that are taken
  newest integer NOT NULL
);
INSERT INTO meta(one, server_id, version, oldest, newest) VALUES(1, gen_random_uuid(), 1, 1, 1);

CREATE TABLE school(
  school integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  name text COLLATE "C" NOT NULL UNIQUE,
  changed bigint NOT NULL DEFAULT 0,   -- counts the changes that machines pull: one for each transaction
  changed_by xid8,                     -- the newest of those
  day_starts integer NOT NULL DEFAULT 240,   -- minutes: what its schedules are made with
  retention double precision NOT NULL DEFAULT 0.9,
  retention_by_pack jsonb NOT NULL DEFAULT '{}',
  schedule_version integer NOT NULL DEFAULT 0
);

-- Who may do what: looked up by session_user, never told by a client.
CREATE TABLE role(
  name text COLLATE "C" PRIMARY KEY,               -- a role of this server
  school integer NOT NULL REFERENCES school,
  duty text NOT NULL CHECK(duty IN ('machine', 'tutor'))
);

-- In steps, so that a batch has a number for each of its rows, in the order of its machine's log.
CREATE SEQUENCE log_seq INCREMENT BY 65536 START WITH 65536;

CREATE TABLE learner(
  school integer NOT NULL,
  learner_id uuid NOT NULL,
  name text COLLATE "C" NOT NULL,
  name_key text COLLATE "C" NOT NULL,
  login text COLLATE "C",
  external_id text COLLATE "C",
  created_at bigint NOT NULL,
  merged_into uuid,
  time_factor double precision NOT NULL DEFAULT 1 CHECK(time_factor BETWEEN 1 AND 10),
  plain integer NOT NULL DEFAULT 0,
  changed bigint NOT NULL DEFAULT 0,   -- school.changed when it changed last
  PRIMARY KEY(school, learner_id)
);
CREATE INDEX learner_key ON learner(school, name_key);
CREATE INDEX learner_login ON learner(school, login) WHERE login IS NOT NULL;
CREATE INDEX learner_external ON learner(school, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX learner_changed ON learner(school, changed);

CREATE TABLE member(
  school integer NOT NULL,
  group_key text COLLATE "C" NOT NULL,
  learner_id uuid NOT NULL,
  group_name text COLLATE "C" NOT NULL,
  PRIMARY KEY(school, group_key, learner_id)
);
CREATE INDEX member_learner ON member(school, learner_id);

CREATE TABLE pin(
  school integer NOT NULL,
  learner_id uuid NOT NULL,
  kept text,                           -- Argon2id, NULL: taken away
  changed bigint NOT NULL,
  PRIMARY KEY(school, learner_id)
);

-- Packs that machines are to have, by the hash of their file.
CREATE TABLE pack(
  school integer NOT NULL,
  pack_id text COLLATE "C" NOT NULL,
  hash bytea CHECK(length(hash) = 32), -- NULL: no longer wanted
  changed bigint NOT NULL,
  PRIMARY KEY(school, pack_id)
);

-- Who was erased: digests of ids, by which a late machine's rows are known; none can be read out of them.
CREATE TABLE tombstone(
  school integer NOT NULL,
  mark uuid NOT NULL,                  -- as roster_mark makes it of a learner's id
  at bigint NOT NULL,
  changed bigint NOT NULL,
  PRIMARY KEY(school, mark)
);

CREATE TABLE question_text(
  school integer NOT NULL,
  content bytea NOT NULL CHECK(length(content) = 32),
  pack_id text COLLATE "C" NOT NULL,
  question_id text COLLATE "C" NOT NULL,
  revision text COLLATE "C" NOT NULL,
  body text NOT NULL,
  PRIMARY KEY(school, content)
);

CREATE TABLE session(
  school integer NOT NULL,
  session_id uuid NOT NULL,
  seq bigint NOT NULL,
  learner_id uuid NOT NULL,
  device_id uuid NOT NULL,
  kind text COLLATE "C" NOT NULL CHECK(kind IN ('practice', 'exam', 'paper', 'import')),
  origin text COLLATE "C" NOT NULL,
  seed bigint NOT NULL,
  options text NOT NULL,
  plan text NOT NULL,
  started_at bigint NOT NULL,
  utc_offset_s integer NOT NULL,
  store_id uuid NOT NULL,
  machine_seq bigint NOT NULL,
  PRIMARY KEY(school, session_id)
);
CREATE INDEX session_learner ON session(school, learner_id, started_at);
CREATE INDEX session_exam ON session(school, learner_id, started_at) WHERE kind = 'exam';

CREATE TABLE attempt(
  school integer NOT NULL,
  attempt_id uuid NOT NULL,
  seq bigint NOT NULL,
  session_id uuid NOT NULL,
  learner_id uuid NOT NULL,
  device_id uuid NOT NULL,
  boot_id uuid,
  pack_id text COLLATE "C" NOT NULL,
  question_id text COLLATE "C" NOT NULL,
  revision text COLLATE "C" NOT NULL,
  content bytea,
  seed bigint NOT NULL,
  showing integer NOT NULL DEFAULT 1,
  shown text,
  response text,
  outcome text COLLATE "C" NOT NULL CHECK(outcome IN ('right', 'partly', 'wrong', 'omitted')),
  mark double precision NOT NULL,
  marks double precision NOT NULL,
  certainty integer,
  hints integer NOT NULL DEFAULT 0,
  retried integer NOT NULL DEFAULT 0,
  elapsed_ms bigint,
  answered_at bigint NOT NULL,
  utc_offset_s integer NOT NULL,
  origin text COLLATE "C" NOT NULL CHECK(origin IN ('screen', 'plain', 'jsonl', 'paper', 'kiosk', 'import')),
  store_id uuid NOT NULL,
  machine_seq bigint NOT NULL,
  PRIMARY KEY(school, attempt_id)
);
-- By learner in the order of the log, and by pack. What else a report wants of an attempt it finds by these.
CREATE INDEX attempt_history ON attempt(school, learner_id, pack_id, question_id, seq);
CREATE INDEX attempt_pack ON attempt(school, pack_id, learner_id, question_id, seq);

CREATE TABLE event(
  school integer NOT NULL,
  event_id uuid NOT NULL,
  seq bigint NOT NULL,
  kind text COLLATE "C" NOT NULL,
  session_id uuid,
  attempt_id uuid,
  learner_id uuid,
  device_id uuid NOT NULL,
  body text,
  at bigint NOT NULL,
  utc_offset_s integer NOT NULL,
  store_id uuid NOT NULL,
  machine_seq bigint NOT NULL,
  PRIMARY KEY(school, event_id)
);
CREATE INDEX event_attempt ON event(school, attempt_id, kind) WHERE attempt_id IS NOT NULL;
CREATE INDEX event_session ON event(school, session_id) WHERE session_id IS NOT NULL;
-- Few events are asked for by kind.
CREATE INDEX event_told ON event(school, attempt_id) WHERE kind IN ('undone', 'regraded', 'voided', 'accepted');
CREATE INDEX event_undone_learner ON event(school, learner_id, attempt_id) WHERE kind = 'undone';
CREATE INDEX event_marks ON event(school, learner_id) WHERE kind IN ('starred', 'suspended');
CREATE INDEX event_reported ON event(school, kind) WHERE kind = 'reported';

-- Schedules and summaries, as db/sqlite has them. They are made from the log by the program (one place holds the
-- formulas); ingest() notes in the statement that takes the rows in whose are behind, and whoever reads them brings
-- those up first.
CREATE TABLE behind(
  school integer NOT NULL,
  learner_id uuid NOT NULL,
  since_seq bigint NOT NULL,           -- from here on their log is not folded yet; 0: make all of it anew
  PRIMARY KEY(school, learner_id)
);

CREATE TABLE schedule(
  school integer NOT NULL,
  learner_id uuid NOT NULL,
  pack_id text COLLATE "C" NOT NULL,
  question_id text COLLATE "C" NOT NULL,
  revision text COLLATE "C" NOT NULL,
  content bytea,
  phase integer NOT NULL,
  step integer NOT NULL,
  stability double precision NOT NULL,
  difficulty double precision NOT NULL,
  answers integer NOT NULL,
  lapses integer NOT NULL,
  run integer NOT NULL,
  run_day bigint NOT NULL,
  last_at bigint NOT NULL,
  last_day bigint NOT NULL,
  due_day bigint NOT NULL,
  due_at bigint NOT NULL,
  interval_days bigint NOT NULL,
  retention double precision NOT NULL,
  outcome text COLLATE "C" NOT NULL,
  answered_at bigint NOT NULL,
  counted integer NOT NULL,
  right_answers integer NOT NULL,
  last_seq bigint NOT NULL,
  starred integer NOT NULL DEFAULT 0,
  suspended integer NOT NULL DEFAULT 0,
  first_outcome text,
  first_share double precision,
  first_at bigint,
  first_offset integer,
  first_revision text,
  best_share double precision,
  misses integer NOT NULL DEFAULT 0,
  elapsed_ms bigint NOT NULL DEFAULT 0,
  given integer NOT NULL DEFAULT 0,
  mastered integer NOT NULL DEFAULT 0,
  regraded integer NOT NULL DEFAULT 0, -- answers that count and were graded anew
  PRIMARY KEY(school, learner_id, pack_id, question_id)
);

CREATE TABLE learner_pack(
  school integer NOT NULL,
  learner_id uuid NOT NULL,
  pack_id text COLLATE "C" NOT NULL,
  questions bigint NOT NULL,
  attempts bigint NOT NULL,
  first_right bigint NOT NULL,
  first_partly bigint NOT NULL,
  first_wrong bigint NOT NULL,
  first_omitted bigint NOT NULL,
  first_shares bigint NOT NULL,
  elapsed_ms bigint NOT NULL,
  mastered bigint NOT NULL,
  stuck bigint NOT NULL,
  sessions bigint NOT NULL,
  first_at bigint NOT NULL,
  last_at bigint NOT NULL,
  first_offset integer,                -- s from UTC, of the answers then
  last_offset integer,
  regraded bigint NOT NULL DEFAULT 0,
  PRIMARY KEY(school, learner_id, pack_id)
);

CREATE TABLE learner_day(
  school integer NOT NULL,
  learner_id uuid NOT NULL,
  day bigint NOT NULL,
  attempts bigint NOT NULL,
  given bigint NOT NULL,
  right_answers bigint NOT NULL,
  firsts bigint NOT NULL,
  first_shares bigint NOT NULL,
  elapsed_ms bigint NOT NULL,
  fresh bigint NOT NULL,
  PRIMARY KEY(school, learner_id, day)
);

-- What machines send, until ingest() has taken it, in the same transaction. Ids are whole or NULL; texts are bytes, since
-- a machine's disk can hold anything: ingest() judges them. PostgreSQL refuses COPY into a table with row security: whose
-- a row is says `role`, which no machine may give (who.sql), so that it is always who is logged in.
CREATE UNLOGGED TABLE inbox(
  role text NOT NULL DEFAULT session_user,
  batch uuid NOT NULL,
  place integer NOT NULL,              -- in the batch, from 1
  store_id uuid NOT NULL,
  seq bigint,                          -- on the machine; NULL of learners and texts
  kind "char" NOT NULL,                -- l learner, t question_text, s session, a attempt, e event
  id uuid,                             -- learner, session, attempt, event
  session_id uuid,
  attempt_id uuid,
  learner_id uuid,
  device_id uuid,
  boot_id uuid,
  merged_into uuid,
  word bytea,                          -- kind of a session or an event
  pack_id bytea,
  question_id bytea,
  revision bytea,
  content bytea,
  shown bytea,
  response bytea,
  outcome bytea,
  origin bytea,
  options bytea,
  plan bytea,
  body bytea,
  name bytea,
  name_key bytea,
  login bytea,
  external_id bytea,
  groups bytea,                        -- JSON: [["key","name"],…]
  seed bigint,
  showing bigint,
  hints bigint,
  retried bigint,
  plain bigint,
  certainty bigint,
  elapsed_ms bigint,
  at bigint,                           -- ms since 1970: answered, started, created
  utc_offset_s bigint,
  mark double precision,
  marks double precision,
  time_factor double precision
);
CREATE INDEX inbox_batch ON inbox(batch);
-- Its rows come and go all the time.
ALTER TABLE inbox SET (autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_insert_threshold = -1, autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_threshold = 2147483647);

-- What could not be taken in, as it came (JSON; texts that are no UTF-8 as \x and hex), and why. Once per row of a
-- machine. What only waits for something that is not there yet is tried again when its machine is next heard of.
CREATE TABLE rejected(
  school integer NOT NULL,
  store_id uuid NOT NULL,
  kind text COLLATE "C" NOT NULL,      -- learner, question_text, session, attempt, event, unknown
  machine_seq bigint NOT NULL,         -- 0 of learners and texts
  id uuid NOT NULL,                    -- zero where it had none
  learner_id uuid,                     -- whose it is
  waits boolean NOT NULL,
  reason text NOT NULL,
  came jsonb NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY(school, store_id, kind, machine_seq, id)
);

-- What a person should look at: clocks that can't be right, stores that are copies of one another, learners whom a
-- machine erased or merged.
CREATE TABLE notice(
  school integer NOT NULL,
  store_id uuid NOT NULL,
  what text COLLATE "C" NOT NULL,      -- clock, copied store, erased, merged
  about uuid NOT NULL,                 -- the device or the learner
  detail text NOT NULL,
  first_at bigint NOT NULL,
  last_at bigint NOT NULL,
  times bigint NOT NULL,
  PRIMARY KEY(school, store_id, what, about)
);

-- Machines as they were last heard of.
CREATE TABLE machine(
  school integer NOT NULL,
  store_id uuid NOT NULL,
  role text NOT NULL,
  protocol integer NOT NULL,
  first_at bigint NOT NULL,
  last_at bigint NOT NULL,
  last_seq bigint NOT NULL,
  PRIMARY KEY(school, store_id)
);
