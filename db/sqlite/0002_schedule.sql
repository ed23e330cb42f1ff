-- Schedules. All but `parameters` and learner.time_factor is derived: it can be made again from the log, and is, whenever
-- it was not made by today's scheduler. It is kept up in the transaction that adds to the log.

-- One question of one learner: what is remembered of it and when it is due. There is a row while an answer counts, or
-- while it is starred or suspended. Days are local ones, numbered from 1970-01-01.
CREATE TABLE schedule(
  learner_id BLOB NOT NULL REFERENCES learner,
  pack_id TEXT NOT NULL,
  question_id TEXT NOT NULL,
  revision TEXT NOT NULL,              -- of the newest answer that counts; '' without one
  content BLOB,                        -- the question as it was then, NULL: not known
  phase INTEGER NOT NULL,              -- 0 new (nothing graded yet), 1 learning, 2 review, 3 relearning
  step INTEGER NOT NULL,
  stability REAL NOT NULL,             -- days
  difficulty REAL NOT NULL,            -- 1 to 10
  answers INTEGER NOT NULL,            -- graded ones, since the key was last overturned
  lapses INTEGER NOT NULL,
  run INTEGER NOT NULL,                -- days with a right answer since the last wrong one
  run_day INTEGER NOT NULL,
  last_at INTEGER NOT NULL,            -- ms: the newest graded answer
  last_day INTEGER NOT NULL,
  due_day INTEGER NOT NULL,
  due_at INTEGER NOT NULL,             -- ms, while a step of minutes is running, else 0
  interval_days INTEGER NOT NULL,
  retention REAL NOT NULL,             -- wanted when due_day was reckoned; 0 while new
  outcome TEXT NOT NULL,               -- of the newest answer that counts; '' without one
  answered_at INTEGER NOT NULL,        -- ms
  counted INTEGER NOT NULL,            -- answers that count, omitted ones too
  right_answers INTEGER NOT NULL,
  last_seq INTEGER NOT NULL,           -- of the newest answer that counts
  starred INTEGER NOT NULL DEFAULT 0,
  suspended INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY(learner_id, pack_id, question_id)
) STRICT, WITHOUT ROWID;
-- What can be due; the longest overdue come first, so that whoever takes a few reads no more than those; and with all that is asked of
-- them, for in the table they lie far apart.
CREATE INDEX schedule_due ON schedule(learner_id, pack_id, due_day, due_at, question_id, revision, content, phase, step,
  stability, difficulty, answers, lapses, run, run_day, last_at, last_day, interval_days, outcome, answered_at, counted,
  right_answers, starred, suspended) WHERE suspended = 0 AND phase > 0;

-- The scheduler's parameters, fitted to one learner's answers, or to everyone's (a learner_id of zeroes).
CREATE TABLE parameters(
  learner_id BLOB PRIMARY KEY CHECK(length(learner_id) = 16),
  weights TEXT NOT NULL,               -- JSON: 21 numbers
  report TEXT,                         -- JSON: what the fit was judged by
  made_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What the schedules were made from and with.
ALTER TABLE meta ADD COLUMN schedule_seq INTEGER NOT NULL DEFAULT 0;      -- all of the log below it; less than next_seq
                                                                          -- once a release without schedules has stored
ALTER TABLE meta ADD COLUMN schedule_version INTEGER NOT NULL DEFAULT 0;  -- of the scheduler; 0: none, or several
ALTER TABLE meta ADD COLUMN schedule_day_starts INTEGER NOT NULL DEFAULT 240;
ALTER TABLE meta ADD COLUMN parameters_made INTEGER NOT NULL DEFAULT 0;   -- counts the changes of `parameters`

ALTER TABLE learner ADD COLUMN time_factor REAL NOT NULL DEFAULT 1 CHECK(time_factor BETWEEN 1 AND 10);

-- Exams are looked for at every start.
CREATE INDEX session_exam ON session(learner_id, started_at) WHERE kind = 'exam';

-- An exam is handed in once, and answered no more after that.
CREATE UNIQUE INDEX event_handed_in ON event(session_id) WHERE kind = 'handed-in';
CREATE TRIGGER event_late BEFORE INSERT ON event
  WHEN NEW.kind = 'answered' AND EXISTS(SELECT 1 FROM event WHERE session_id = NEW.session_id AND kind = 'handed-in')
  BEGIN SELECT RAISE(ABORT, 'the exam is handed in'); END;
