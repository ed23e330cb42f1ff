-- What a machine sent is taken in: everything that can be in a few statements over the whole batch, each of which
-- judges its rows itself (fault.sql). What is left over by them is looked at afterwards: it was there before, is of a
-- learner who was erased, or is parked with the reason. An error that a row raises takes that statement back; the
-- texts are then looked at one by one, and should that not be all, the batch is halved until the row is found.
-- Locks are taken in one order by everybody: the store's row, tables behind and tombstone, then rows by their ids.

-- Learners among a batch who were erased.
CREATE FUNCTION erased_in(in_school integer, of_batch uuid) RETURNS uuid[] LANGUAGE plpgsql STABLE AS $$
DECLARE
  gone uuid[] := '{}';
BEGIN
  IF EXISTS(SELECT FROM tombstone WHERE school = in_school) THEN
    SELECT coalesce(array_agg(of.learner), '{}') INTO gone
      FROM (SELECT DISTINCT who.learner
              FROM inbox, unnest(ARRAY[inbox.learner_id, CASE kind WHEN 'l' THEN inbox.id END, merged_into]) AS who(learner)
             WHERE batch = of_batch AND who.learner IS NOT NULL) AS of
      JOIN tombstone AS t ON t.school = in_school AND t.mark = mark_of(of.learner);
  END IF;
  RETURN gone;
END $$;

-- Learners: name, login and groups are taken only from whoever brings them first. How many are new.
CREATE FUNCTION take_learners(in_school integer, of_batch uuid, gone uuid[], lo integer, hi integer) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  fresh uuid[];
  number bigint;
  told record;
BEGIN
  SELECT array_agg(i.id) INTO fresh
    FROM inbox AS i LEFT JOIN learner AS l ON l.school = in_school AND l.learner_id = i.id
   WHERE i.batch = of_batch AND i.kind = 'l' AND i.place BETWEEN lo AND hi AND l.learner_id IS NULL
     AND i.id <> ALL(gone) AND coalesce(i.merged_into, i.id) <> ALL(gone) AND learner_fault(i) IS NULL;
  IF fresh IS NOT NULL THEN
    number := bump(in_school);
    WITH made AS (
      INSERT INTO learner(school, learner_id, name, name_key, login, external_id, created_at, time_factor, plain, changed)
      SELECT DISTINCT ON (i.id) in_school, i.id, convert_from(i.name, 'UTF8'), convert_from(i.name_key, 'UTF8'),
             convert_from(i.login, 'UTF8'), convert_from(i.external_id, 'UTF8'), i.at, coalesce(i.time_factor, 1),
             CASE WHEN i.plain IN (1, 2) THEN i.plain ELSE 0 END, number
        FROM inbox AS i
       WHERE i.batch = of_batch AND i.kind = 'l' AND i.place BETWEEN lo AND hi AND i.id = ANY(fresh)
       ORDER BY i.id
      ON CONFLICT(school, learner_id) DO NOTHING
      RETURNING learner_id
    )
    INSERT INTO member(school, group_key, learner_id, group_name)
    SELECT in_school, pair ->> 0, i.id, pair ->> 1
      FROM made JOIN inbox AS i ON i.id = made.learner_id
      CROSS JOIN jsonb_array_elements(convert_from(i.groups, 'UTF8')::jsonb) AS pair
     WHERE i.batch = of_batch AND i.kind = 'l' AND i.place BETWEEN lo AND hi
     ORDER BY 3, 2
    ON CONFLICT(school, group_key, learner_id) DO NOTHING;
  END IF;
  FOR told IN
    SELECT i.id AS of, i.merged_into AS into_learner, i.store_id AS store
      FROM inbox AS i JOIN learner AS l ON l.school = in_school AND l.learner_id = i.id AND l.merged_into IS NULL
     WHERE i.batch = of_batch AND i.kind = 'l' AND i.place BETWEEN lo AND hi AND i.merged_into IS NOT NULL
     ORDER BY i.place
  LOOP
    PERFORM merge_from_machine(in_school, told.store, told.of, told.into_learner);
  END LOOP;
  RETURN coalesce(cardinality(fresh), 0);
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
     AND NOT EXISTS(SELECT FROM question_text AS q WHERE q.school = in_school AND q.content = i.content)
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
  SELECT in_school, i.id, base + i.place, coalesce(l.merged_into, l.learner_id), i.device_id,
         convert_from(i.word, 'UTF8'), convert_from(i.origin, 'UTF8'), i.seed, convert_from(i.options, 'UTF8'),
         convert_from(i.plan, 'UTF8'), i.at, i.utc_offset_s, i.store_id, i.seq
    FROM inbox AS i JOIN learner AS l ON l.school = in_school AND l.learner_id = i.learner_id
   WHERE i.batch = of_batch AND i.kind = 's' AND i.place BETWEEN lo AND hi AND session_fault(i) IS NULL
   ORDER BY i.id
  ON CONFLICT(school, session_id) DO NOTHING;
  GET DIAGNOSTICS took = ROW_COUNT;
  RETURN took;
END $$;

-- Sessions and texts are looked up once each, not once for every attempt.
CREATE FUNCTION take_attempts(in_school integer, of_batch uuid, base bigint, lo integer, hi integer) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  took bigint;
BEGIN
  WITH whose AS MATERIALIZED (
    SELECT l.learner_id, coalesce(l.merged_into, l.learner_id) AS remains
      FROM (SELECT DISTINCT learner_id FROM inbox WHERE batch = of_batch AND kind = 'a') AS i
      JOIN learner AS l ON l.school = in_school AND l.learner_id = i.learner_id
  ), sessions AS MATERIALIZED (
    SELECT s.session_id
      FROM (SELECT DISTINCT session_id FROM inbox WHERE batch = of_batch AND kind = 'a') AS i
      JOIN session AS s ON s.school = in_school AND s.session_id = i.session_id
  ), texts AS MATERIALIZED (
    SELECT q.content
      FROM (SELECT DISTINCT content FROM inbox WHERE batch = of_batch AND kind = 'a') AS i
      JOIN question_text AS q ON q.school = in_school AND q.content = i.content
  )
  INSERT INTO attempt(school, attempt_id, seq, session_id, learner_id, device_id, boot_id, pack_id, question_id,
                      revision, content, seed, showing, shown, response, outcome, mark, marks, certainty, hints,
                      retried, elapsed_ms, answered_at, utc_offset_s, origin, store_id, machine_seq)
  SELECT in_school, i.id, base + i.place, i.session_id, whose.remains, i.device_id, i.boot_id,
         convert_from(i.pack_id, 'UTF8'), convert_from(i.question_id, 'UTF8'), convert_from(i.revision, 'UTF8'),
         i.content, i.seed, i.showing, convert_from(i.shown, 'UTF8'), convert_from(i.response, 'UTF8'),
         convert_from(i.outcome, 'UTF8'), i.mark, i.marks, i.certainty, coalesce(i.hints, 0), coalesce(i.retried, 0),
         i.elapsed_ms, i.at, i.utc_offset_s, convert_from(i.origin, 'UTF8'), i.store_id, i.seq
    FROM inbox AS i JOIN whose ON whose.learner_id = i.learner_id JOIN sessions ON sessions.session_id = i.session_id
    LEFT JOIN texts ON texts.content = i.content
   WHERE i.batch = of_batch AND i.kind = 'a' AND i.place BETWEEN lo AND hi
     AND (i.content IS NULL OR texts.content IS NOT NULL) AND attempt_fault(i) IS NULL
   ORDER BY i.id
  ON CONFLICT(school, attempt_id) DO NOTHING;
  GET DIAGNOSTICS took = ROW_COUNT;
  RETURN took;
END $$;

-- An event may come before its attempt; one that tells that somebody was erased names a mark, not a learner.
CREATE FUNCTION take_events(in_school integer, of_batch uuid, base bigint, gone uuid[], lo integer, hi integer)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  took bigint;
BEGIN
  INSERT INTO event(school, event_id, seq, kind, session_id, attempt_id, learner_id, device_id, body, at, utc_offset_s,
                    store_id, machine_seq)
  SELECT in_school, i.id, base + i.place, convert_from(i.word, 'UTF8'), i.session_id, i.attempt_id,
         CASE WHEN i.word = 'erased' THEN i.learner_id ELSE coalesce(l.merged_into, l.learner_id) END, i.device_id,
         convert_from(i.body, 'UTF8'), i.at, i.utc_offset_s, i.store_id, i.seq
    FROM inbox AS i LEFT JOIN learner AS l ON l.school = in_school AND l.learner_id = i.learner_id
    LEFT JOIN session AS s ON s.school = in_school AND s.session_id = i.session_id
   WHERE i.batch = of_batch AND i.kind = 'e' AND i.place BETWEEN lo AND hi
     AND (i.learner_id IS NULL OR l.learner_id IS NOT NULL OR i.word = 'erased')
     AND (i.session_id IS NULL OR s.session_id IS NOT NULL) AND event_fault(i) IS NULL
     AND NOT EXISTS(SELECT FROM inbox AS other WHERE cardinality(gone) > 0 AND other.batch = of_batch
                      AND other.kind = 'a' AND other.id = i.attempt_id AND other.learner_id = ANY(gone))
   ORDER BY i.id
  ON CONFLICT(school, event_id) DO NOTHING;
  GET DIAGNOSTICS took = ROW_COUNT;
  RETURN took;
END $$;
