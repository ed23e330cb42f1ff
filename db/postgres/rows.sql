-- Rows of each kind. What they lean on is looked up by LATERAL subqueries with OFFSET 0, which PostgreSQL asks for each
-- row by index: it can't know how many rows an inbox holds, and might turn a plain join round, to go through the inbox
-- for each row of a table.

-- Learners among a batch who were erased.
CREATE FUNCTION erased_in(in_school integer, of_batch uuid) RETURNS uuid[] LANGUAGE plpgsql STABLE AS $$
DECLARE
  gone uuid[] := '{}';
BEGIN
  IF EXISTS(SELECT FROM tombstone WHERE school = in_school) THEN
    SELECT coalesce(array_agg(of.learner), '{}') INTO gone
      FROM (SELECT DISTINCT who.learner
              FROM inbox,
                   unnest(ARRAY[inbox.learner_id, CASE kind WHEN 'l' THEN inbox.id END, merged_into]) AS who(learner)
             WHERE batch = of_batch AND who.learner IS NOT NULL) AS of
      JOIN tombstone AS t ON t.school = in_school AND t.mark = mark_of(of.learner);
  END IF;
  RETURN gone;
END $$;

-- Learners: name, login and groups are taken only from whoever brings them first. How many are new.
CREATE FUNCTION take_learners(in_school integer, of_batch uuid, gone uuid[], lo integer, hi integer) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  number bigint;
  took bigint := 0;
  told record;
BEGIN
  IF EXISTS(SELECT FROM inbox AS i
             WHERE i.batch = of_batch AND i.kind = 'l' AND i.place BETWEEN lo AND hi
               AND (SELECT true FROM learner AS l WHERE l.school = in_school AND l.learner_id = i.id) IS NULL
               AND i.id <> ALL(gone) AND coalesce(i.merged_into, i.id) <> ALL(gone) AND learner_fault(i) IS NULL) THEN
    number := bump(in_school);
    INSERT INTO learner(school, learner_id, name, name_key, login, external_id, created_at, time_factor, plain, changed)
    SELECT DISTINCT ON (i.id) in_school, i.id, convert_from(i.name, 'UTF8'), convert_from(i.name_key, 'UTF8'),
           convert_from(i.login, 'UTF8'), convert_from(i.external_id, 'UTF8'), i.at, coalesce(i.time_factor, 1),
           CASE WHEN i.plain BETWEEN 0 AND 2 THEN i.plain ELSE 0 END, number
      FROM inbox AS i
     WHERE i.batch = of_batch AND i.kind = 'l' AND i.place BETWEEN lo AND hi
       AND (SELECT true FROM learner AS l WHERE l.school = in_school AND l.learner_id = i.id) IS NULL
       AND i.id <> ALL(gone) AND coalesce(i.merged_into, i.id) <> ALL(gone) AND learner_fault(i) IS NULL
     ORDER BY i.id
    ON CONFLICT(school, learner_id) DO NOTHING;
    GET DIAGNOSTICS took = ROW_COUNT;
    INSERT INTO member(school, group_key, learner_id, group_name)
    SELECT in_school, pair ->> 0, i.id, pair ->> 1
      FROM inbox AS i CROSS JOIN jsonb_array_elements(convert_from(i.groups, 'UTF8')::jsonb) AS pair
     WHERE i.batch = of_batch AND i.kind = 'l' AND i.place BETWEEN lo AND hi
       AND (SELECT l.changed FROM learner AS l WHERE l.school = in_school AND l.learner_id = i.id) = number
     ORDER BY 3, 2
    ON CONFLICT(school, group_key, learner_id) DO NOTHING;
  END IF;
  FOR told IN
    SELECT i.id AS of, i.merged_into AS into_learner, i.store_id AS store
      FROM inbox AS i
     WHERE i.batch = of_batch AND i.kind = 'l' AND i.place BETWEEN lo AND hi AND i.merged_into IS NOT NULL
       AND (SELECT l.merged_into IS NULL FROM learner AS l WHERE l.school = in_school AND l.learner_id = i.id)
     ORDER BY i.place
  LOOP
    PERFORM merge_from_machine(in_school, told.store, told.of, told.into_learner);
  END LOOP;
  RETURN took;
END $$;

CREATE FUNCTION take_texts(in_school integer, of_batch uuid, lo integer, hi integer) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  took bigint;
BEGIN
  INSERT INTO question_text(school, content, pack_id, question_id, revision, body)
  SELECT DISTINCT ON (i.content) in_school, i.content, convert_from(i.pack_id, 'UTF8'),
         convert_from(i.question_id, 'UTF8'), convert_from(i.revision, 'UTF8'), convert_from(i.body, 'UTF8')
    FROM inbox AS i
   WHERE i.batch = of_batch AND i.kind = 't' AND i.place BETWEEN lo AND hi AND text_row_fault(i) IS NULL
     AND (SELECT true FROM question_text AS q WHERE q.school = in_school AND q.content = i.content) IS NULL
   ORDER BY i.content
  ON CONFLICT(school, content) DO NOTHING;
  GET DIAGNOSTICS took = ROW_COUNT;
  RETURN took;
END $$;

CREATE FUNCTION take_sessions(in_school integer, of_batch uuid, base bigint, lo integer, hi integer) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  took bigint;
BEGIN
  INSERT INTO session(school, session_id, seq, learner_id, device_id, kind, origin, seed, options, plan, started_at,
                      utc_offset_s, store_id, machine_seq)
  SELECT in_school, i.id, base + i.place, whose.remains, i.device_id,
         convert_from(i.word, 'UTF8'), convert_from(i.origin, 'UTF8'), i.seed, convert_from(i.options, 'UTF8'),
         convert_from(i.plan, 'UTF8'), i.at, i.utc_offset_s, i.store_id, i.seq
    FROM inbox AS i
    CROSS JOIN LATERAL (SELECT coalesce(l.merged_into, l.learner_id) AS remains FROM learner AS l
                         WHERE l.school = in_school AND l.learner_id = i.learner_id OFFSET 0) AS whose
   WHERE i.batch = of_batch AND i.kind = 's' AND i.place BETWEEN lo AND hi AND session_fault(i) IS NULL
   ORDER BY i.id
  ON CONFLICT(school, session_id) DO NOTHING;
  GET DIAGNOSTICS took = ROW_COUNT;
  RETURN took;
END $$;

-- Attempts are by far the most of a batch. What they lean on is looked up once for each learner, session and text; the
-- statement is then planned with those lists as constants, which are looked through by hash (by joins PostgreSQL, which
-- can't know how many rows an inbox holds, may hash the rows instead). Where all of them should be new, that one is there
-- before is left to an error, which costs less than asking for each.
CREATE FUNCTION take_attempts(in_school integer, of_batch uuid, base bigint, fresh boolean, lo integer, hi integer)
RETURNS bigint LANGUAGE plpgsql SET enable_sort = off AS $$
DECLARE
  learners uuid[];
  merged uuid[];
  sessions uuid[];
  texts bytea[];
  took bigint;
BEGIN
  SELECT array_agg(l.learner_id), array_agg(l.learner_id) FILTER (WHERE l.merged_into IS NOT NULL) INTO learners, merged
    FROM (SELECT DISTINCT learner_id FROM inbox WHERE batch = of_batch AND kind = 'a') AS i
   CROSS JOIN LATERAL (SELECT * FROM learner AS l
                        WHERE l.school = in_school AND l.learner_id = i.learner_id OFFSET 0) AS l;
  SELECT array_agg(s.session_id) INTO sessions
    FROM (SELECT DISTINCT session_id FROM inbox WHERE batch = of_batch AND kind = 'a') AS i
   CROSS JOIN LATERAL (SELECT s.session_id FROM session AS s
                        WHERE s.school = in_school AND s.session_id = i.session_id OFFSET 0) AS s;
  SELECT array_agg(q.content) INTO texts
    FROM (SELECT DISTINCT content FROM inbox WHERE batch = of_batch AND kind = 'a') AS i
   CROSS JOIN LATERAL (SELECT q.content FROM question_text AS q
                        WHERE q.school = in_school AND q.content = i.content OFFSET 0) AS q;
  EXECUTE $insert$
    INSERT INTO attempt(school, attempt_id, seq, session_id, learner_id, device_id, boot_id, pack_id, question_id,
                        revision, content, seed, showing, shown, response, outcome, mark, marks, certainty, hints,
                        retried, elapsed_ms, answered_at, utc_offset_s, origin, store_id, machine_seq)
    SELECT $1, i.id, $3 + i.place, i.session_id,
           CASE WHEN i.learner_id = ANY($7)
                THEN (SELECT l.merged_into FROM learner AS l WHERE l.school = $1 AND l.learner_id = i.learner_id)
                ELSE i.learner_id END,
           i.device_id, i.boot_id, convert_from(i.pack_id, 'UTF8'), convert_from(i.question_id, 'UTF8'),
           convert_from(i.revision, 'UTF8'), i.content, i.seed, i.showing, convert_from(i.shown, 'UTF8'),
           convert_from(i.response, 'UTF8'), convert_from(i.outcome, 'UTF8'), i.mark, i.marks, i.certainty,
           coalesce(i.hints, 0), coalesce(i.retried, 0), i.elapsed_ms, i.at, i.utc_offset_s,
           convert_from(i.origin, 'UTF8'), i.store_id, i.seq
      FROM inbox AS i
     WHERE i.batch = $2 AND i.kind = 'a' AND i.place BETWEEN $4 AND $5 AND i.learner_id = ANY($6)
       AND i.session_id = ANY($8) AND (i.content IS NULL OR i.content = ANY($9)) AND attempt_fault(i) IS NULL
     ORDER BY i.id
    $insert$ || CASE WHEN NOT fresh THEN 'ON CONFLICT(school, attempt_id) DO NOTHING' ELSE '' END
    USING in_school, of_batch, base, lo, hi, learners, merged, sessions, texts;
  GET DIAGNOSTICS took = ROW_COUNT;
  RETURN took;
END $$;

-- An event may come before its attempt; one that tells that somebody was erased names a mark, not a learner.
CREATE FUNCTION take_events(in_school integer, of_batch uuid, base bigint, gone uuid[], lo integer, hi integer)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  took bigint;
  theirs uuid[] := '{}';
BEGIN
  IF cardinality(gone) > 0 THEN
    theirs := ARRAY(SELECT id FROM inbox WHERE batch = of_batch AND kind = 'a' AND learner_id = ANY(gone));
  END IF;
  INSERT INTO event(school, event_id, seq, kind, session_id, attempt_id, learner_id, device_id, body, at, utc_offset_s,
                    store_id, machine_seq)
  SELECT in_school, i.id, base + i.place, convert_from(i.word, 'UTF8'), i.session_id, i.attempt_id,
         CASE WHEN i.word = 'erased' THEN i.learner_id ELSE whose.remains END, i.device_id,
         convert_from(i.body, 'UTF8'), i.at, i.utc_offset_s, i.store_id, i.seq
    FROM inbox AS i
    LEFT JOIN LATERAL (SELECT coalesce(l.merged_into, l.learner_id) AS remains FROM learner AS l
                         WHERE l.school = in_school AND l.learner_id = i.learner_id OFFSET 0) AS whose ON true
   WHERE i.batch = of_batch AND i.kind = 'e' AND i.place BETWEEN lo AND hi
     AND (i.learner_id IS NULL OR i.word = 'erased' OR whose.remains IS NOT NULL)
     AND (i.session_id IS NULL OR
          (SELECT true FROM session AS s WHERE s.school = in_school AND s.session_id = i.session_id))
     AND event_fault(i) IS NULL
     AND (i.attempt_id IS NULL OR i.attempt_id <> ALL(theirs))
   ORDER BY i.id
  ON CONFLICT(school, event_id) DO NOTHING;
  GET DIAGNOSTICS took = ROW_COUNT;
  RETURN took;
END $$;
