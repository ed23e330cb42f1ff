-- Rows that could not be taken in: how they are kept, and how they come back.

-- Bytes as JSON has them: as the text that they are; those that look like bytes themselves, as bytes.
CREATE FUNCTION said(bytes bytea) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN substr(bytes, 1, 2) = '\x5c78'::bytea THEN '\x' || encode(bytes, 'hex')
              ELSE convert_from(bytes, 'UTF8') END
$$;

-- The other way round.
CREATE FUNCTION meant(text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN $1 LIKE '\\x%' THEN $1 ELSE '\x' || encode(convert_to($1, 'UTF8'), 'hex') END
$$;

-- A row as JSON that people can read. Where a text is none, that one stays as bytes.
CREATE FUNCTION came_of(i inbox) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
  came jsonb := jsonb_strip_nulls(to_jsonb(i) - ARRAY['role', 'batch', 'place', 'store_id', 'seq']);
  key text;
BEGIN
  BEGIN
    RETURN jsonb_strip_nulls(came || jsonb_build_object(
      'word', said(i.word), 'pack_id', said(i.pack_id), 'question_id', said(i.question_id),
      'revision', said(i.revision), 'shown', said(i.shown), 'response', said(i.response), 'outcome', said(i.outcome),
      'origin', said(i.origin), 'options', said(i.options), 'plan', said(i.plan), 'body', said(i.body),
      'name', said(i.name), 'name_key', said(i.name_key), 'login', said(i.login), 'external_id', said(i.external_id),
      'groups', said(i.groups)));
  EXCEPTION WHEN data_exception THEN
    NULL;
  END;
  FOREACH key IN ARRAY ARRAY['word', 'pack_id', 'question_id', 'revision', 'shown', 'response', 'outcome', 'origin',
                             'options', 'plan', 'body', 'name', 'name_key', 'login', 'external_id', 'groups'] LOOP
    BEGIN
      IF came ? key THEN
        came := jsonb_set(came, ARRAY[key], to_jsonb(said((came ->> key)::bytea)));
      END IF;
    EXCEPTION WHEN data_exception THEN
      NULL;
    END;
  END LOOP;
  RETURN came;
END $$;

-- The other way round.
CREATE FUNCTION inbox_of(came jsonb) RETURNS inbox LANGUAGE sql STABLE AS $$
  SELECT jsonb_populate_record(NULL::inbox, came || jsonb_build_object(
      'word', meant(came ->> 'word'), 'pack_id', meant(came ->> 'pack_id'),
      'question_id', meant(came ->> 'question_id'), 'revision', meant(came ->> 'revision'),
      'shown', meant(came ->> 'shown'), 'response', meant(came ->> 'response'), 'outcome', meant(came ->> 'outcome'),
      'origin', meant(came ->> 'origin'), 'options', meant(came ->> 'options'), 'plan', meant(came ->> 'plan'),
      'body', meant(came ->> 'body'), 'name', meant(came ->> 'name'), 'name_key', meant(came ->> 'name_key'),
      'login', meant(came ->> 'login'), 'external_id', meant(came ->> 'external_id'),
      'groups', meant(came ->> 'groups')))
$$;

CREATE FUNCTION kind_name(kind "char") RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE kind WHEN 'l' THEN 'learner' WHEN 't' THEN 'question_text' WHEN 's' THEN 'session'
                   WHEN 'a' THEN 'attempt' WHEN 'e' THEN 'event' ELSE 'unknown' END
$$;

-- Of a row whose texts are too large for one jsonb (256 MB, and bytes take twice their room there), the start of each.
CREATE FUNCTION start_of(i inbox) RETURNS inbox LANGUAGE plpgsql STABLE AS $$
DECLARE
  most CONSTANT integer := 1000;
BEGIN
  i.word := substr(i.word, 1, most);
  i.pack_id := substr(i.pack_id, 1, most);
  i.question_id := substr(i.question_id, 1, most);
  i.revision := substr(i.revision, 1, most);
  i.content := substr(i.content, 1, most);
  i.shown := substr(i.shown, 1, most);
  i.response := substr(i.response, 1, most);
  i.outcome := substr(i.outcome, 1, most);
  i.origin := substr(i.origin, 1, most);
  i.options := substr(i.options, 1, most);
  i.plan := substr(i.plan, 1, most);
  i.body := substr(i.body, 1, most);
  i.name := substr(i.name, 1, most);
  i.name_key := substr(i.name_key, 1, most);
  i.login := substr(i.login, 1, most);
  i.external_id := substr(i.external_id, 1, most);
  i.groups := substr(i.groups, 1, most);
  RETURN i;
END $$;

CREATE FUNCTION bytes_of(i inbox) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT sum(length(part))
    FROM unnest(ARRAY[i.word, i.pack_id, i.question_id, i.revision, i.content, i.shown, i.response, i.outcome, i.origin,
                      i.options, i.plan, i.body, i.name, i.name_key, i.login, i.external_id, i.groups]) AS part
$$;

-- Keeps one row with its reason; a reason from before gives way. True, to be counted. What is too large to be kept whole
-- can't be tried again from here: its machine still has it.
CREATE FUNCTION park(in_school integer, i inbox, why text, for_something boolean) RETURNS boolean LANGUAGE sql AS $$
  INSERT INTO rejected(school, store_id, kind, machine_seq, id, learner_id, waits, reason, came, at)
  SELECT in_school, i.store_id, kind_name(i.kind), coalesce(i.seq, 0),
         coalesce(CASE i.kind WHEN 't' THEN digest_id(i.content) ELSE i.id END,
                  '00000000-0000-0000-0000-000000000000'),
         CASE i.kind WHEN 'l' THEN i.id ELSE i.learner_id END, for_something AND NOT large.so,
         why || CASE WHEN large.so THEN '; too large to be kept here: this is the start of it' ELSE '' END,
         came_of(CASE WHEN large.so THEN start_of(i) ELSE i END), now_ms()
    FROM (SELECT coalesce(bytes_of(i), 0) > 100000000 AS so) AS large
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

-- What a parked row still waits for, as its reason; NULL: nothing, or its learner was erased.
CREATE FUNCTION waits_for(in_school integer, r rejected) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN EXISTS(SELECT FROM tombstone AS t WHERE t.school = in_school AND t.mark = mark_of(r.learner_id)) THEN NULL
    WHEN r.learner_id IS NOT NULL AND NOT EXISTS(SELECT FROM learner AS l WHERE l.school = in_school
                                                   AND l.learner_id = r.learner_id) THEN 'its learner is not known'
    WHEN r.came ? 'session_id' AND NOT EXISTS(SELECT FROM session AS s WHERE s.school = in_school
                                                AND s.session_id = (r.came ->> 'session_id')::uuid)
      THEN 'its session is not known'
    WHEN r.came ? 'content' AND NOT EXISTS(SELECT FROM question_text AS q WHERE q.school = in_school
                                             AND q.content = (r.came ->> 'content')::bytea)
      THEN 'the text of its question is missing'
  END
$$;

-- Puts parked rows that wait for nothing any more into the inbox again; how many.
CREATE FUNCTION put_again(in_school integer, of_store uuid, since bigint, of_batch uuid) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  most CONSTANT integer := 10000;
  many bigint;
BEGIN
  WITH chosen AS MATERIALIZED (
    SELECT store_id, kind, machine_seq, id FROM rejected AS r
     WHERE school = in_school AND waits AND at < since AND (of_store IS NULL OR store_id = of_store)
       AND waits_for(in_school, r) IS NULL
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
  SELECT of_batch, place, of_machine, number, (i).kind, (i).id, (i).session_id, (i).attempt_id, (i).learner_id,
         (i).device_id, (i).boot_id, (i).merged_into, (i).word, (i).pack_id, (i).question_id, (i).revision,
         (i).content, (i).shown, (i).response, (i).outcome, (i).origin, (i).options, (i).plan, (i).body, (i).name,
         (i).name_key, (i).login, (i).external_id, (i).groups, (i).seed, (i).showing, (i).hints, (i).retried,
         (i).plain, (i).certainty, (i).elapsed_ms, (i).at, (i).utc_offset_s, (i).mark, (i).marks, (i).time_factor
    FROM back;
  GET DIAGNOSTICS many = ROW_COUNT;
  RETURN many;
END $$;

-- Tries again what was parked before `since` and waited for something that is there now: of one store, or (NULL) of all
-- of a school; sessions bring their attempts after them. How many rows are still parked.
CREATE FUNCTION retry_in(in_school integer, of_store uuid, since bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  again uuid := gen_random_uuid();
  many bigint;
BEGIN
  FOR turn IN 1 .. 1000 LOOP -- enough for all, and never for ever
    many := put_again(in_school, of_store, since, again);
    EXIT WHEN many = 0;
    PERFORM take_batch(in_school, again, false, many::integer);
    DELETE FROM inbox WHERE batch = again;
  END LOOP;
  UPDATE rejected AS r SET reason = waits_for(in_school, r)
   WHERE r.school = in_school AND r.waits AND r.at < since AND (of_store IS NULL OR r.store_id = of_store)
     AND r.reason <> waits_for(in_school, r);
  PERFORM forget_rejected(in_school, of_store);
  RETURN (SELECT count(*) FROM rejected WHERE school = in_school AND (of_store IS NULL OR store_id = of_store));
END $$;

-- For a tutor, once what was missing is there.
CREATE FUNCTION retry_rejected() RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
SET search_path = quiztutor, pg_temp AS $$
DECLARE
  in_school integer := school_for('tutor');
BEGIN
  PERFORM hold_log(in_school, true); -- a learner among them may have been merged
  RETURN retry_in(in_school, NULL, now_ms() + 1);
END $$;
