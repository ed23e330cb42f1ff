-- What changes whose the log is: learners who are erased or made one. Both wait until nobody takes rows in.

-- Texts of questions that nobody is asked any more. Mostly somebody else was, under the same names, which is found by
-- index; the log is gone through for what is left, since a text may be that of questions of other names as well.
CREATE FUNCTION forget_texts(in_school integer, gone bytea[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  many bigint;
BEGIN
  gone := ARRAY(SELECT q.content FROM question_text AS q
                 WHERE q.school = in_school AND q.content = ANY(gone)
                   AND NOT EXISTS(SELECT FROM attempt AS a WHERE a.school = in_school AND a.pack_id = q.pack_id
                                    AND a.question_id = q.question_id AND a.content = q.content)
                   AND NOT EXISTS(SELECT FROM session AS s WHERE s.school = in_school AND s.kind = 'exam'
                                    AND strpos(s.plan, encode(q.content, 'hex')) > 0));
  IF cardinality(gone) > 0 THEN
    gone := ARRAY(SELECT g.content FROM unnest(gone) AS g(content)
                   WHERE NOT EXISTS(SELECT FROM attempt AS a WHERE a.school = in_school AND a.content = g.content));
  END IF;
  DELETE FROM question_text AS q WHERE q.school = in_school AND q.content = ANY(gone);
  GET DIAGNOSTICS many = ROW_COUNT;
  RETURN many;
END $$;

-- A learner, and who was merged into them: every row that is theirs, and texts of questions that nobody else was asked.
-- What they did about answers of others, who still have them, stays without them.
CREATE FUNCTION erase_in(in_school integer, learner uuid,
                         OUT sessions bigint, OUT attempts bigint, OUT events bigint, OUT questions bigint)
LANGUAGE plpgsql AS $$
DECLARE
  persons uuid[];
  theirs uuid[];
  gone bytea[];
  number bigint;
BEGIN
  PERFORM hold_log(in_school, true);
  PERFORM set_config('quiztutor.erasing', 'yes', true);
  number := bump(in_school);
  SELECT array_agg(l.learner_id) INTO persons FROM learner AS l
   WHERE l.school = in_school AND (l.learner_id = erase_in.learner OR l.merged_into = erase_in.learner);
  IF persons IS NULL THEN
    RAISE 'this learner is not in the central store' USING ERRCODE = 'QT004';
  END IF;
  DELETE FROM behind AS b WHERE b.school = in_school AND b.learner_id = ANY(persons);
  SELECT coalesce(array_agg(s.session_id), '{}') INTO theirs FROM session AS s
   WHERE s.school = in_school AND s.learner_id = ANY(persons);
  SELECT array_agg(DISTINCT q.content) INTO gone FROM (
    SELECT a.content FROM attempt AS a WHERE a.school = in_school AND a.learner_id = ANY(persons)
    UNION ALL
    SELECT t.content FROM session AS s JOIN question_text AS t ON t.school = in_school
       AND strpos(s.plan, encode(t.content, 'hex')) > 0
     WHERE s.school = in_school AND s.learner_id = ANY(persons) AND s.kind = 'exam') AS q;

  UPDATE event AS e SET learner_id = NULL, session_id = NULL
   WHERE e.school = in_school AND (e.learner_id = ANY(persons) OR e.session_id = ANY(theirs))
     AND EXISTS(SELECT FROM attempt AS a WHERE a.school = in_school AND a.attempt_id = e.attempt_id
                  AND a.learner_id <> ALL(persons));
  DELETE FROM event AS e
   WHERE e.school = in_school
     AND (e.learner_id = ANY(persons) OR e.session_id = ANY(theirs) OR e.attempt_id IN
          (SELECT a.attempt_id FROM attempt AS a WHERE a.school = in_school AND a.learner_id = ANY(persons)));
  GET DIAGNOSTICS events = ROW_COUNT;
  DELETE FROM attempt AS a WHERE a.school = in_school AND a.learner_id = ANY(persons);
  GET DIAGNOSTICS attempts = ROW_COUNT;
  DELETE FROM session AS s WHERE s.school = in_school AND s.learner_id = ANY(persons);
  GET DIAGNOSTICS sessions = ROW_COUNT;
  questions := forget_texts(in_school, gone);

  DELETE FROM schedule AS d WHERE d.school = in_school AND d.learner_id = ANY(persons);
  DELETE FROM learner_pack AS d WHERE d.school = in_school AND d.learner_id = ANY(persons);
  DELETE FROM learner_day AS d WHERE d.school = in_school AND d.learner_id = ANY(persons);
  DELETE FROM rejected AS r WHERE r.school = in_school AND r.learner_id = ANY(persons);
  DELETE FROM notice AS n WHERE n.school = in_school AND n.about = ANY(persons);
  DELETE FROM pin AS p WHERE p.school = in_school AND p.learner_id = ANY(persons);
  DELETE FROM member AS m WHERE m.school = in_school AND m.learner_id = ANY(persons);
  DELETE FROM learner AS l WHERE l.school = in_school AND l.learner_id = ANY(persons);
  INSERT INTO tombstone(school, mark, at, changed)
  SELECT in_school, mark_of(person), now_ms(), number FROM unnest(persons) AS person
  ON CONFLICT(school, mark) DO NOTHING;
  PERFORM set_config('quiztutor.erasing', 'no', true);
END $$;

-- One learner of two: all that `of` did, and all groups, are now of `into_learner`; what that has not is taken over. Says
-- so in an event, as db/sqlite has it.
CREATE FUNCTION merge_in(in_school integer, of uuid, into_learner uuid,
                         OUT sessions bigint, OUT attempts bigint, OUT events bigint)
LANGUAGE plpgsql AS $$
DECLARE
  one learner;
  other learner;
  moved json;
BEGIN
  PERFORM hold_log(in_school, true);
  PERFORM set_config('quiztutor.erasing', 'yes', true);
  PERFORM bump(in_school);
  SELECT * INTO one FROM learner AS l WHERE l.school = in_school AND l.learner_id = of AND l.merged_into IS NULL;
  SELECT * INTO other FROM learner AS l
   WHERE l.school = in_school AND l.learner_id = into_learner AND l.merged_into IS NULL;
  IF one.learner_id IS NULL OR other.learner_id IS NULL THEN
    RAISE 'this learner is not in the central store' USING ERRCODE = 'QT004';
  ELSIF of = into_learner THEN
    RAISE 'these are one and the same learner' USING ERRCODE = 'QT004';
  END IF;
  DELETE FROM behind AS b WHERE b.school = in_school AND b.learner_id = of;
  SELECT coalesce(json_agg(s.session_id ORDER BY s.seq), '[]') INTO moved FROM session AS s
   WHERE s.school = in_school AND s.learner_id = of;
  UPDATE session AS s SET learner_id = into_learner WHERE s.school = in_school AND s.learner_id = of;
  GET DIAGNOSTICS sessions = ROW_COUNT;
  UPDATE attempt AS a SET learner_id = into_learner WHERE a.school = in_school AND a.learner_id = of;
  GET DIAGNOSTICS attempts = ROW_COUNT;
  UPDATE event AS e SET learner_id = into_learner WHERE e.school = in_school AND e.learner_id = of;
  GET DIAGNOSTICS events = ROW_COUNT;
  DELETE FROM schedule AS d WHERE d.school = in_school AND d.learner_id IN (of, into_learner);
  DELETE FROM learner_pack AS d WHERE d.school = in_school AND d.learner_id IN (of, into_learner);
  DELETE FROM learner_day AS d WHERE d.school = in_school AND d.learner_id IN (of, into_learner);

  INSERT INTO member(school, group_key, learner_id, group_name)
  SELECT in_school, m.group_key, into_learner, m.group_name FROM member AS m
   WHERE m.school = in_school AND m.learner_id = of
  ON CONFLICT(school, group_key, learner_id) DO NOTHING;
  DELETE FROM member AS m WHERE m.school = in_school AND m.learner_id = of;
  -- who remains keeps their own PIN
  INSERT INTO pin(school, learner_id, kept)
  SELECT in_school, into_learner, p.kept FROM pin AS p WHERE p.school = in_school AND p.learner_id = of
  ON CONFLICT(school, learner_id) DO NOTHING;
  DELETE FROM pin AS p WHERE p.school = in_school AND p.learner_id = of;

  UPDATE learner AS l SET merged_into = into_learner
   WHERE l.school = in_school AND (l.learner_id = of OR l.merged_into = of);
  UPDATE learner AS l SET login = NULL WHERE l.school = in_school AND l.learner_id = of AND other.login IS NULL;
  UPDATE learner AS l SET external_id = NULL
   WHERE l.school = in_school AND l.learner_id = of AND other.external_id IS NULL;
  UPDATE learner AS l
     SET login = coalesce(other.login, one.login), external_id = coalesce(other.external_id, one.external_id),
         time_factor = greatest(other.time_factor, one.time_factor), plain = greatest(other.plain, one.plain)
   WHERE l.school = in_school AND l.learner_id = into_learner;

  INSERT INTO event(school, event_id, seq, kind, learner_id, device_id, body, at, utc_offset_s, store_id, machine_seq)
  SELECT in_school, gen_random_uuid(), nextval('log_seq'), 'merged', into_learner, server_id,
         json_build_object('from', of, 'sessions', moved)::text, now_ms(), 0, server_id, 0 FROM meta;
  INSERT INTO behind(school, learner_id, since_seq) VALUES(in_school, into_learner, 0)
  ON CONFLICT(school, learner_id) DO UPDATE SET since_seq = 0;
  PERFORM set_config('quiztutor.erasing', 'no', true);
END $$;

-- A machine says that two of its learners are one. Somebody who is merged here already stays where they are.
CREATE FUNCTION merge_from_machine(in_school integer, of_store uuid, of uuid, into_learner uuid) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  remains uuid;
BEGIN
  SELECT coalesce(l.merged_into, l.learner_id) INTO remains FROM learner AS l
   WHERE l.school = in_school AND l.learner_id = into_learner;
  IF remains IS NULL OR remains = of THEN
    RETURN;
  END IF;
  PERFORM merge_in(in_school, of, remains);
  PERFORM add_notice(in_school, of_store, 'merged', of, format('merged on a machine, into the learner %s', remains), 1);
END $$;

-- For tutors.
CREATE FUNCTION erase_learner(learner uuid)
RETURNS TABLE(sessions bigint, attempts bigint, events bigint, questions bigint) LANGUAGE sql SECURITY DEFINER
SET search_path = quiztutor, pg_temp AS $$
  SELECT * FROM erase_in(school_for('tutor'), learner)
$$;

CREATE FUNCTION merge_learner(of uuid, into_learner uuid)
RETURNS TABLE(sessions bigint, attempts bigint, events bigint) LANGUAGE sql SECURITY DEFINER
SET search_path = quiztutor, pg_temp AS $$
  SELECT * FROM merge_in(school_for('tutor'), of, into_learner)
$$;

-- NULL: machines need not have the pack any more.
CREATE FUNCTION set_pack(pack text, hash bytea) RETURNS void LANGUAGE sql SECURITY DEFINER
SET search_path = quiztutor, pg_temp AS $$
  INSERT INTO pack(school, pack_id, hash, changed)
  SELECT s.number, set_pack.pack, set_pack.hash, bump(s.number) FROM (SELECT school_for('tutor') AS number) AS s
  ON CONFLICT(school, pack_id) DO UPDATE SET hash = EXCLUDED.hash, changed = EXCLUDED.changed
$$;
