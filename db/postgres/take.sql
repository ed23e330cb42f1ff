-- A batch as a whole. taken and before count rows of the log, parked and erased any rows.

CREATE FUNCTION take(in_school integer, of_batch uuid, base bigint, gone uuid[], lo integer, hi integer,
                     OUT taken bigint, OUT before bigint, OUT parked bigint, OUT erased bigint)
LANGUAGE plpgsql AS $$
DECLARE
  many record;
  took bigint;
  rest record;
BEGIN
  SELECT count(*) FILTER (WHERE kind = 'l') AS learners, count(*) FILTER (WHERE kind = 't') AS texts,
         count(*) FILTER (WHERE kind = 's') AS sessions, count(*) FILTER (WHERE kind = 'a') AS attempts,
         count(*) FILTER (WHERE kind = 'e') AS events, count(*) AS rows
    INTO many FROM inbox WHERE batch = of_batch AND place BETWEEN lo AND hi;
  taken := 0; before := 0; parked := 0; erased := 0;
  IF many.learners > 0 THEN
    took := take_learners(in_school, of_batch, gone, lo, hi);
    IF took < many.learners THEN
      rest := left_learners(in_school, of_batch, gone, lo, hi);
      parked := parked + rest.parked; erased := erased + rest.erased;
    END IF;
  END IF;
  IF many.texts > 0 THEN
    took := take_texts(in_school, of_batch, lo, hi);
    IF took < many.texts THEN
      parked := parked + left_texts(in_school, of_batch, lo, hi);
    END IF;
  END IF;
  IF many.sessions > 0 THEN
    took := take_sessions(in_school, of_batch, base, lo, hi);
    taken := taken + took;
    IF took < many.sessions THEN
      rest := left_sessions(in_school, of_batch, gone, lo, hi);
      parked := parked + rest.parked; erased := erased + rest.erased;
      before := before + many.sessions - took - rest.parked - rest.erased;
    END IF;
  END IF;
  IF many.attempts > 0 THEN
    took := take_attempts(in_school, of_batch, base, lo, hi);
    taken := taken + took;
    IF took < many.attempts THEN
      rest := left_attempts(in_school, of_batch, gone, lo, hi);
      parked := parked + rest.parked; erased := erased + rest.erased;
      before := before + many.attempts - took - rest.parked - rest.erased;
    END IF;
  END IF;
  IF many.events > 0 THEN
    took := take_events(in_school, of_batch, base, gone, lo, hi);
    taken := taken + took;
    IF took < many.events THEN
      rest := left_events(in_school, of_batch, gone, lo, hi);
      parked := parked + rest.parked; erased := erased + rest.erased;
      before := before + many.events - took - rest.parked - rest.erased;
    END IF;
  END IF;
  IF many.rows > many.learners + many.texts + many.sessions + many.attempts + many.events THEN
    parked := parked + left_unknown(in_school, of_batch, lo, hi);
  END IF;
END $$;

-- Rows from one place to another; should one of them raise an error, it is found by halving, and parked with that.
CREATE FUNCTION take_apart(in_school integer, of_batch uuid, base bigint, gone uuid[], lo integer, hi integer,
                           OUT taken bigint, OUT before bigint, OUT parked bigint, OUT erased bigint)
LANGUAGE plpgsql AS $$
DECLARE
  middle CONSTANT integer := lo + (hi - lo) / 2;
  why text;
  half record;
BEGIN
  BEGIN
    SELECT * INTO taken, before, parked, erased FROM take(in_school, of_batch, base, gone, lo, hi);
    RETURN;
  EXCEPTION WHEN data_exception OR integrity_constraint_violation OR program_limit_exceeded THEN
    why := SQLERRM;
  END;
  taken := 0; before := 0; parked := 0; erased := 0;
  IF lo < hi THEN
    FOR half IN SELECT part.* FROM (VALUES(lo, middle), (middle + 1, hi)) AS range(low, high),
                LATERAL take_apart(in_school, of_batch, base, gone, range.low, range.high) AS part LOOP
      taken := taken + half.taken; before := before + half.before;
      parked := parked + half.parked; erased := erased + half.erased;
    END LOOP;
    RETURN;
  END IF;
  SELECT count(park(in_school, i, why, false)) INTO parked FROM inbox AS i WHERE batch = of_batch AND place = lo;
END $$;

-- Parks rows whose texts can't be read, and takes them out of the batch; those of learners who were erased just go.
CREATE FUNCTION take_out(in_school integer, of_batch uuid, gone uuid[], OUT parked bigint, OUT erased bigint)
LANGUAGE plpgsql AS $$
DECLARE
  places integer[];
BEGIN
  WITH bad AS MATERIALIZED (
    SELECT i, unreadable(i) AS why,
           (i.learner_id = ANY(gone) OR i.kind = 'l' AND (i.id = ANY(gone) OR i.merged_into = ANY(gone))) IS TRUE AS theirs
      FROM inbox AS i WHERE batch = of_batch
  )
  SELECT array_agg((i).place), count(*) FILTER (WHERE theirs),
         count(CASE WHEN NOT theirs THEN park(in_school, i, why, false) END)
    INTO places, erased, parked FROM bad WHERE why IS NOT NULL;
  DELETE FROM inbox WHERE batch = of_batch AND place = ANY(places);
END $$;

-- Whose schedules and summaries a batch leaves behind: those of who answered, and of whose answers something is said.
CREATE FUNCTION note_behind(in_school integer, of_batch uuid, base bigint) RETURNS void LANGUAGE sql AS $$
  INSERT INTO behind(school, learner_id, since_seq)
  SELECT in_school, whose.learner_id, base
    FROM (SELECT coalesce(l.merged_into, l.learner_id) AS learner_id
            FROM (SELECT DISTINCT learner_id FROM inbox WHERE batch = of_batch AND kind IN ('a', 'e')) AS i
            JOIN learner AS l ON l.school = in_school AND l.learner_id = i.learner_id
          UNION
          SELECT a.learner_id
            FROM inbox AS i JOIN attempt AS a ON a.school = in_school AND a.attempt_id = i.attempt_id
           WHERE i.batch = of_batch AND i.kind = 'e' AND i.attempt_id IS NOT NULL) AS whose
   ORDER BY whose.learner_id
  ON CONFLICT(school, learner_id) DO UPDATE SET since_seq = EXCLUDED.since_seq
    WHERE behind.since_seq > EXCLUDED.since_seq
$$;

CREATE FUNCTION take_batch(in_school integer, of_batch uuid, OUT base bigint, OUT taken bigint, OUT before bigint,
                           OUT parked bigint, OUT erased bigint) LANGUAGE plpgsql AS $$
DECLARE
  gone CONSTANT uuid[] := erased_in(in_school, of_batch);
  last CONSTANT integer := (SELECT coalesce(max(place), 0) FROM inbox WHERE batch = of_batch);
  unread record;
BEGIN
  base := nextval('log_seq');
  BEGIN
    SELECT t.taken, t.before, t.parked, t.erased INTO taken, before, parked, erased
      FROM take(in_school, of_batch, base, gone, 1, last) AS t;
  EXCEPTION WHEN data_exception OR integrity_constraint_violation OR program_limit_exceeded THEN
    unread := take_out(in_school, of_batch, gone);
    SELECT t.taken, t.before, t.parked + unread.parked, t.erased + unread.erased INTO taken, before, parked, erased
      FROM take_apart(in_school, of_batch, base, gone, 1, last) AS t;
  END;
  IF taken > 0 THEN
    PERFORM note_behind(in_school, of_batch, base);
  END IF;
END $$;
