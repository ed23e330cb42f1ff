-- Rows that could not be taken in: how they are kept, and how they come back.

-- The columns of inbox that hold texts.
CREATE FUNCTION text_columns() RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY['word', 'pack_id', 'question_id', 'revision', 'content', 'shown', 'response', 'outcome', 'origin',
               'options', 'plan', 'body', 'name', 'name_key', 'login', 'external_id', 'groups']
$$;

-- A row as JSON that people can read: texts as texts, but for those that are none, or look like bytes.
CREATE FUNCTION came_of(i inbox) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
  came jsonb := jsonb_strip_nulls(to_jsonb(i) - ARRAY['role', 'batch', 'place', 'store_id', 'seq']);
  key text;
  said text;
BEGIN
  FOREACH key IN ARRAY text_columns() LOOP
    IF came ? key AND key <> 'content' THEN
      BEGIN
        said := convert_from((came ->> key)::bytea, 'UTF8');
        IF said NOT LIKE '\\x%' THEN
          came := jsonb_set(came, ARRAY[key], to_jsonb(said));
        END IF;
      EXCEPTION WHEN data_exception THEN
        NULL; -- stays as bytes
      END;
    END IF;
  END LOOP;
  RETURN came;
END $$;

-- The other way round.
CREATE FUNCTION inbox_of(came jsonb) RETURNS inbox LANGUAGE plpgsql STABLE AS $$
DECLARE
  key text;
BEGIN
  FOREACH key IN ARRAY text_columns() LOOP
    IF came ->> key NOT LIKE '\\x%' THEN
      came := jsonb_set(came, ARRAY[key], to_jsonb('\x' || encode(convert_to(came ->> key, 'UTF8'), 'hex')));
    END IF;
  END LOOP;
  RETURN jsonb_populate_record(NULL::inbox, came);
END $$;

CREATE FUNCTION kind_name(kind "char") RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE kind WHEN 'l' THEN 'learner' WHEN 't' THEN 'question_text' WHEN 's' THEN 'session'
                   WHEN 'a' THEN 'attempt' WHEN 'e' THEN 'event' ELSE 'unknown' END
$$;

-- Keeps one row with its reason; a reason from before gives way. True, to be counted.
CREATE FUNCTION park(in_school integer, i inbox, why text, for_something boolean) RETURNS boolean LANGUAGE sql AS $$
  INSERT INTO rejected(school, store_id, kind, machine_seq, id, learner_id, waits, reason, came, at)
  SELECT in_school, i.store_id, kind_name(i.kind), coalesce(i.seq, 0),
         coalesce(CASE i.kind WHEN 't' THEN digest_id(i.content) ELSE i.id END,
                  '00000000-0000-0000-0000-000000000000'),
         CASE i.kind WHEN 'l' THEN i.id ELSE i.learner_id END, for_something, why, came_of(i), now_ms()
  ON CONFLICT(school, store_id, kind, machine_seq, id) DO UPDATE
    SET learner_id = EXCLUDED.learner_id, waits = EXCLUDED.waits, reason = EXCLUDED.reason, came = EXCLUDED.came,
        at = EXCLUDED.at
  RETURNING true
$$;

-- What was sent once more and is in the log now is no longer kept here.
CREATE FUNCTION forget_rejected(in_school integer, of_store uuid) RETURNS void LANGUAGE sql AS $$
  DELETE FROM rejected AS r
   WHERE r.school = in_school AND (of_store IS NULL OR r.store_id = of_store)
     AND (r.kind = 'attempt' AND EXISTS(SELECT FROM attempt AS a WHERE a.school = in_school AND a.attempt_id = r.id)
       OR r.kind = 'session' AND EXISTS(SELECT FROM session AS s WHERE s.school = in_school AND s.session_id = r.id)
       OR r.kind = 'event' AND EXISTS(SELECT FROM event AS e WHERE e.school = in_school AND e.event_id = r.id)
       OR r.kind = 'learner' AND EXISTS(SELECT FROM learner AS l WHERE l.school = in_school AND l.learner_id = r.id))
$$;

-- Tries again what was parked before `since` and waits for something that was not there: of one store, or (NULL) of all
-- of a school. How many are still there.
CREATE FUNCTION retry_in(in_school integer, of_store uuid, since bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  again CONSTANT uuid := gen_random_uuid();
  most CONSTANT integer := 10000;
BEGIN
  WITH chosen AS MATERIALIZED (
    SELECT store_id, kind, machine_seq, id FROM rejected
     WHERE school = in_school AND waits AND at < since AND (of_store IS NULL OR store_id = of_store)
     ORDER BY at LIMIT most FOR UPDATE SKIP LOCKED
  ), gone AS (
    DELETE FROM rejected AS r USING chosen AS c
     WHERE r.school = in_school AND r.store_id = c.store_id AND r.kind = c.kind AND r.machine_seq = c.machine_seq
       AND r.id = c.id
    RETURNING r.*
  ), back AS (
    SELECT gone.store_id AS of_machine, nullif(gone.machine_seq, 0) AS number, inbox_of(gone.came) AS i,
           row_number() OVER (ORDER BY strpos('ltsae', gone.came ->> 'kind'), gone.store_id, gone.machine_seq) AS place
      FROM gone
  )
  INSERT INTO inbox(batch, place, store_id, seq, kind, id, session_id, attempt_id, learner_id, device_id, boot_id,
                    merged_into, word, pack_id, question_id, revision, content, shown, response, outcome, origin,
                    options, plan, body, name, name_key, login, external_id, groups, seed, showing, hints, retried,
                    plain, certainty, elapsed_ms, at, utc_offset_s, mark, marks, time_factor)
  SELECT again, place, of_machine, number, (i).kind, (i).id, (i).session_id, (i).attempt_id, (i).learner_id,
         (i).device_id, (i).boot_id, (i).merged_into, (i).word, (i).pack_id, (i).question_id, (i).revision,
         (i).content, (i).shown, (i).response, (i).outcome, (i).origin, (i).options, (i).plan, (i).body, (i).name,
         (i).name_key, (i).login, (i).external_id, (i).groups, (i).seed, (i).showing, (i).hints, (i).retried,
         (i).plain, (i).certainty, (i).elapsed_ms, (i).at, (i).utc_offset_s, (i).mark, (i).marks, (i).time_factor
    FROM back;
  PERFORM take_batch(in_school, again, false, most);
  DELETE FROM inbox WHERE inbox.batch = again;
  PERFORM forget_rejected(in_school, of_store);
  RETURN (SELECT count(*) FROM rejected WHERE school = in_school AND (of_store IS NULL OR store_id = of_store));
END $$;

-- For a tutor, once what was missing is there.
CREATE FUNCTION retry_rejected() RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
SET search_path = quiztutor, pg_temp AS $$
DECLARE
  in_school integer := school_for('tutor');
BEGIN
  LOCK TABLE behind IN ROW EXCLUSIVE MODE;
  LOCK TABLE tombstone IN EXCLUSIVE MODE; -- a learner among them may have been merged
  RETURN retry_in(in_school, NULL, now_ms() + 1);
END $$;
