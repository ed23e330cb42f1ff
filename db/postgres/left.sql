-- What a statement that took rows in has left over: rows that were there before, rows of learners who were erased, and
-- rows that can't be taken, which are parked.

CREATE FUNCTION left_learners(in_school integer, of_batch uuid, gone uuid[], lo integer, hi integer,
                              OUT erased bigint, OUT parked bigint) LANGUAGE plpgsql AS $$
BEGIN
  SELECT count(*) INTO erased FROM inbox AS i
   WHERE i.batch = of_batch AND i.kind = 'l' AND i.place BETWEEN lo AND hi
     AND (i.id = ANY(gone) OR i.merged_into = ANY(gone));
  SELECT count(park(in_school, i, why, false)) INTO parked
    FROM (SELECT i, coalesce(learner_fault(i), 'it can''t be taken in') AS why
            FROM inbox AS i LEFT JOIN learner AS l ON l.school = in_school AND l.learner_id = i.id
           WHERE i.batch = of_batch AND i.kind = 'l' AND i.place BETWEEN lo AND hi AND l.learner_id IS NULL
             AND (i.id = ANY(gone) OR i.merged_into = ANY(gone)) IS NOT TRUE) AS unfit;
END $$;

CREATE FUNCTION left_texts(in_school integer, of_batch uuid, lo integer, hi integer) RETURNS bigint
LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT count(park(in_school, i, why, false))
    FROM (SELECT i, text_row_fault(i) AS why
            FROM inbox AS i
           WHERE i.batch = of_batch AND i.kind = 't' AND i.place BETWEEN lo AND hi
             AND text_row_fault(i) IS NOT NULL) AS unfit);
END $$;

CREATE FUNCTION left_sessions(in_school integer, of_batch uuid, gone uuid[], lo integer, hi integer,
                              OUT erased bigint, OUT parked bigint) LANGUAGE plpgsql AS $$
BEGIN
  SELECT count(*) FILTER (WHERE why = 'erased'),
         count(CASE WHEN why <> 'erased' THEN park(in_school, i, why, waits) END)
    INTO erased, parked
    FROM (SELECT i, l.learner_id IS NULL AND session_fault(i) IS NULL AS waits,
                 CASE WHEN i.learner_id = ANY(gone) THEN 'erased'
                      ELSE coalesce(session_fault(i), 'its learner is not known') END AS why
            FROM inbox AS i LEFT JOIN session AS s ON s.school = in_school AND s.session_id = i.id
            LEFT JOIN learner AS l ON l.school = in_school AND l.learner_id = i.learner_id
           WHERE i.batch = of_batch AND i.kind = 's' AND i.place BETWEEN lo AND hi AND s.session_id IS NULL) AS unfit;
END $$;

CREATE FUNCTION left_attempts(in_school integer, of_batch uuid, gone uuid[], lo integer, hi integer,
                              OUT erased bigint, OUT parked bigint) LANGUAGE plpgsql AS $$
BEGIN
  SELECT count(*) FILTER (WHERE why = 'erased'),
         count(CASE WHEN why <> 'erased' THEN park(in_school, i, why, waits) END)
    INTO erased, parked
    FROM (SELECT i, attempt_fault(i) IS NULL AS waits,
                 CASE WHEN i.learner_id = ANY(gone) THEN 'erased'
                      ELSE coalesce(attempt_fault(i),
                             CASE WHEN l.learner_id IS NULL THEN 'its learner is not known'
                                  WHEN s.session_id IS NULL THEN 'its session is not known'
                                  ELSE 'the text of its question is missing' END) END AS why
            FROM inbox AS i LEFT JOIN attempt AS a ON a.school = in_school AND a.attempt_id = i.id
            LEFT JOIN learner AS l ON l.school = in_school AND l.learner_id = i.learner_id
            LEFT JOIN session AS s ON s.school = in_school AND s.session_id = i.session_id
           WHERE i.batch = of_batch AND i.kind = 'a' AND i.place BETWEEN lo AND hi AND a.attempt_id IS NULL) AS unfit;
END $$;

-- Of an event that names no learner, its session or attempt can tell whose it is.
CREATE FUNCTION left_events(in_school integer, of_batch uuid, gone uuid[], lo integer, hi integer,
                            OUT erased bigint, OUT parked bigint) LANGUAGE plpgsql AS $$
BEGIN
  SELECT count(*) FILTER (WHERE why = 'erased'),
         count(CASE WHEN why <> 'erased' THEN park(in_school, i, why, waits) END)
    INTO erased, parked
    FROM (SELECT i, event_fault(i) IS NULL AS waits,
                 CASE WHEN i.learner_id = ANY(gone) THEN 'erased'
                      WHEN cardinality(gone) > 0 AND EXISTS(SELECT FROM inbox AS other
                                   WHERE other.batch = of_batch AND other.learner_id = ANY(gone)
                                     AND (other.kind = 's' AND other.id = i.session_id
                                       OR other.kind = 'a' AND other.id = i.attempt_id)) THEN 'erased'
                      ELSE coalesce(event_fault(i),
                             CASE WHEN i.learner_id IS NOT NULL AND l.learner_id IS NULL AND i.word <> 'erased'
                                  THEN 'its learner is not known' ELSE 'its session is not known' END) END AS why
            FROM inbox AS i LEFT JOIN event AS e ON e.school = in_school AND e.event_id = i.id
            LEFT JOIN learner AS l ON l.school = in_school AND l.learner_id = i.learner_id
           WHERE i.batch = of_batch AND i.kind = 'e' AND i.place BETWEEN lo AND hi AND e.event_id IS NULL) AS unfit;
END $$;

-- Rows of a kind that there is not.
CREATE FUNCTION left_unknown(in_school integer, of_batch uuid, lo integer, hi integer) RETURNS bigint
LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT count(park(in_school, i, 'its kind is not known', false))
    FROM (SELECT i FROM inbox AS i
           WHERE i.batch = of_batch AND i.place BETWEEN lo AND hi
             AND i.kind NOT IN ('l', 't', 's', 'a', 'e')) AS unfit);
END $$;
