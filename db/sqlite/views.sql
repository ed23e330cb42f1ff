-- The views, made anew at the end of every migration: they hold no data, so a change here needs no more than a new
-- numbered file beside this one (an empty one will do).
DROP VIEW IF EXISTS counted_attempt;

-- The attempts that count: all but those taken back.
CREATE VIEW counted_attempt AS
  SELECT * FROM attempt
   WHERE NOT EXISTS(SELECT 1 FROM event WHERE event.attempt_id = attempt.attempt_id AND event.kind = 'undone');
