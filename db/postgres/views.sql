-- The views of db/sqlite/views.sql, by the same names and columns (here with the school). They run with the rights of
-- who asks: row security stays in force.

-- The attempts that count: all but those taken back.
CREATE VIEW counted_attempt WITH (security_invoker = true) AS
  SELECT * FROM attempt
   WHERE NOT EXISTS(SELECT FROM event WHERE event.school = attempt.school AND event.attempt_id = attempt.attempt_id
                      AND event.kind = 'undone');

-- Schedules that an earlier scheduler made are to be made anew: called by whoever has a later one.
CREATE FUNCTION outdate(made_by integer) RETURNS void LANGUAGE sql SECURITY DEFINER
SET search_path = quiztutor, pg_temp AS $$
  INSERT INTO behind(school, learner_id, since_seq)
    SELECT learner.school, learner_id, 0 FROM learner JOIN school USING(school)
     WHERE school = own_school() AND schedule_version BETWEEN 1 AND made_by - 1 ORDER BY learner_id
    ON CONFLICT(school, learner_id) DO UPDATE SET since_seq = 0;
  UPDATE school SET schedule_version = made_by WHERE school = own_school() AND schedule_version < made_by;
$$;
