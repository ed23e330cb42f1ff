-- What a machine sent is taken in: everything that can be in a few statements over the whole batch, each of which
-- judges its rows itself (fault.sql). What is left over by them is looked at afterwards: it was there before, is of a
-- learner who was erased, or is parked with the reason. An error that a row raises takes that statement back; the
-- texts are then looked at one by one, and should that not be all, the batch is halved until the row is found.
-- Locks are taken in one order by everybody: the store's row, the school's log, then rows by their ids.
-- taken and before count rows of the log, parked and erased any rows, brought those that others lean on.

-- How many rows of each kind there are, from one place to another.
CREATE FUNCTION count_rows(of_batch uuid, lo integer, hi integer, OUT learners bigint, OUT texts bigint,
                           OUT sessions bigint, OUT attempts bigint, OUT events bigint, OUT others bigint)
LANGUAGE sql STABLE AS $$
  SELECT count(*) FILTER (WHERE kind = 'l'), count(*) FILTER (WHERE kind = 't'), count(*) FILTER (WHERE kind = 's'),
         count(*) FILTER (WHERE kind = 'a'), count(*) FILTER (WHERE kind = 'e'),
         count(*) FILTER (WHERE kind NOT IN ('l', 't', 's', 'a', 'e'))
    FROM inbox WHERE batch = of_batch AND place BETWEEN lo AND hi
$$;

-- fresh: none of the attempts should be there before; an error where one is.
CREATE FUNCTION take(in_school integer, of_batch uuid, base bigint, gone uuid[], fresh boolean, lo integer, hi integer,
                     OUT taken bigint, OUT before bigint, OUT parked bigint, OUT erased bigint, OUT brought bigint)
LANGUAGE plpgsql AS $$
DECLARE
  many record := count_rows(of_batch, lo, hi);
  took bigint;
  rest record;
BEGIN
  taken := 0; before := 0; parked := 0; erased := 0; brought := 0;
  IF many.learners > 0 THEN
    took := take_learners(in_school, of_batch, gone, lo, hi);
    brought := brought + took;
    IF took < many.learners THEN
      rest := left_learners(in_school, of_batch, gone, lo, hi);
      parked := parked + rest.parked; erased := erased + rest.erased;
    END IF;
  END IF;
  IF many.texts > 0 THEN
    took := take_texts(in_school, of_batch, lo, hi);
    brought := brought + took;
    IF took < many.texts THEN
      parked := parked + left_texts(in_school, of_batch, lo, hi);
    END IF;
  END IF;
  IF many.sessions > 0 THEN
    took := take_sessions(in_school, of_batch, base, lo, hi);
    taken := taken + took; brought := brought + took;
    IF took < many.sessions THEN
      rest := left_sessions(in_school, of_batch, gone, lo, hi);
      parked := parked + rest.parked; erased := erased + rest.erased;
      before := before + many.sessions - took - rest.parked - rest.erased;
    END IF;
  END IF;
  IF many.attempts > 0 THEN
    took := take_attempts(in_school, of_batch, base, fresh, lo, hi);
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
  IF many.others > 0 THEN
    parked := parked + left_unknown(in_school, of_batch, lo, hi);
  END IF;
END $$;

-- Rows from one place to another; should one of them raise an error, it is found by halving, and parked with that.
CREATE FUNCTION take_apart(in_school integer, of_batch uuid, base bigint, gone uuid[], lo integer, hi integer,
                           OUT taken bigint, OUT before bigint, OUT parked bigint, OUT erased bigint,
                           OUT brought bigint) LANGUAGE plpgsql AS $$
DECLARE
  middle CONSTANT integer := lo + (hi - lo) / 2;
  why text;
  half record;
BEGIN
  BEGIN
    SELECT t.* INTO taken, before, parked, erased, brought
      FROM take(in_school, of_batch, base, gone, false, lo, hi) AS t;
    RETURN;
  EXCEPTION WHEN data_exception OR integrity_constraint_violation OR program_limit_exceeded THEN
    why := SQLERRM;
  END;
  taken := 0; before := 0; parked := 0; erased := 0; brought := 0;
  IF lo < hi THEN
    FOR half IN SELECT part.* FROM (VALUES(lo, middle), (middle + 1, hi)) AS range(low, high),
                LATERAL take_apart(in_school, of_batch, base, gone, range.low, range.high) AS part LOOP
      taken := taken + half.taken; before := before + half.before;
      parked := parked + half.parked; erased := erased + half.erased; brought := brought + half.brought;
    END LOOP;
    RETURN;
  END IF;
  SELECT count(park(in_school, i, why, false)) INTO parked FROM inbox AS i WHERE batch = of_batch AND place = lo;
END $$;

-- Parks rows whose texts can't be read, and takes them out of the batch. Of those of learners who were erased only the
-- texts go: what leans on them is to be known for theirs.
CREATE FUNCTION take_out(in_school integer, of_batch uuid, gone uuid[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  parked integer[];
  theirs integer[];
BEGIN
  WITH bad AS MATERIALIZED (
    SELECT i, unreadable(i) AS why,
           (i.learner_id = ANY(gone) OR i.kind = 'l' AND (i.id = ANY(gone) OR i.merged_into = ANY(gone))) IS TRUE
             AS erased
      FROM inbox AS i WHERE batch = of_batch
  )
  SELECT array_agg((i).place) FILTER (WHERE erased),
         array_agg(CASE WHEN NOT erased AND park(in_school, i, why, false) THEN (i).place END)
    INTO theirs, parked FROM bad WHERE why IS NOT NULL;
  UPDATE inbox SET word = NULL, pack_id = NULL, question_id = NULL, revision = NULL, content = NULL, shown = NULL,
         response = NULL, outcome = NULL, origin = NULL, options = NULL, plan = NULL, body = NULL, name = NULL,
         name_key = NULL, login = NULL, external_id = NULL, groups = NULL
   WHERE batch = of_batch AND place = ANY(theirs);
  DELETE FROM inbox WHERE batch = of_batch AND place = ANY(parked);
  RETURN cardinality(array_remove(parked, NULL));
END $$;

-- Whose schedules and summaries a batch leaves behind: those of who answered, and of whose answers something is said.
CREATE FUNCTION note_behind(in_school integer, of_batch uuid, base bigint) RETURNS void LANGUAGE plpgsql
SET enable_sort = off AS $$
BEGIN
  INSERT INTO behind(school, learner_id, since_seq)
  SELECT in_school, whose.learner_id, base
    FROM (SELECT l.remains AS learner_id
            FROM (SELECT DISTINCT learner_id FROM inbox WHERE batch = of_batch AND kind IN ('a', 'e')) AS i
           CROSS JOIN LATERAL (SELECT coalesce(l.merged_into, l.learner_id) AS remains FROM learner AS l
                                WHERE l.school = in_school AND l.learner_id = i.learner_id OFFSET 0) AS l
          UNION
          SELECT a.learner_id
            FROM (SELECT DISTINCT attempt_id FROM inbox WHERE batch = of_batch AND kind = 'e') AS i
           CROSS JOIN LATERAL (SELECT a.learner_id FROM attempt AS a
                                WHERE a.school = in_school AND a.attempt_id = i.attempt_id OFFSET 0) AS a) AS whose
   ORDER BY whose.learner_id
  ON CONFLICT(school, learner_id) DO UPDATE SET since_seq = EXCLUDED.since_seq
    WHERE behind.since_seq > EXCLUDED.since_seq;
END $$;

CREATE FUNCTION take_batch(in_school integer, of_batch uuid, fresh boolean, last integer, OUT base bigint,
                           OUT taken bigint, OUT before bigint, OUT parked bigint, OUT erased bigint,
                           OUT brought bigint) LANGUAGE plpgsql AS $$
DECLARE
  gone CONSTANT uuid[] := erased_in(in_school, of_batch);
  unread bigint;
BEGIN
  base := nextval('log_seq');
  BEGIN
    SELECT t.* INTO taken, before, parked, erased, brought
      FROM take(in_school, of_batch, base, gone, fresh, 1, last) AS t;
  EXCEPTION WHEN data_exception OR integrity_constraint_violation OR program_limit_exceeded THEN
    unread := coalesce(take_out(in_school, of_batch, gone), 0);
    SELECT t.taken, t.before, t.parked + unread, t.erased, t.brought INTO taken, before, parked, erased, brought
      FROM take_apart(in_school, of_batch, base, gone, 1, last) AS t;
  END;
  IF taken > 0 THEN
    PERFORM note_behind(in_school, of_batch, base);
  END IF;
END $$;
