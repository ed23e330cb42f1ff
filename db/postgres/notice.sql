-- What a person should look at.

CREATE FUNCTION add_notice(in_school integer, of_store uuid, of_what text, of_whom uuid, in_words text, many bigint)
RETURNS void LANGUAGE sql AS $$
  INSERT INTO notice(school, store_id, what, about, detail, first_at, last_at, times)
  VALUES(in_school, of_store, of_what, of_whom, in_words, now_ms(), now_ms(), many)
  ON CONFLICT(school, store_id, what, about) DO UPDATE
    SET detail = EXCLUDED.detail, last_at = EXCLUDED.last_at, times = notice.times + EXCLUDED.times
$$;

-- Rows of the log that a batch has brought, as the log has them now.
CREATE FUNCTION brought(in_school integer, of_batch uuid, base bigint)
RETURNS TABLE(id uuid, device_id uuid, at bigint, machine_seq bigint) LANGUAGE sql STABLE AS $$
  SELECT i.id, a.device_id, a.answered_at, a.machine_seq
    FROM inbox AS i JOIN attempt AS a ON a.school = in_school AND a.attempt_id = i.id AND a.seq = base + i.place
   WHERE i.batch = of_batch AND i.kind = 'a'
  UNION ALL
  SELECT i.id, s.device_id, s.started_at, s.machine_seq
    FROM inbox AS i JOIN session AS s ON s.school = in_school AND s.session_id = i.id AND s.seq = base + i.place
   WHERE i.batch = of_batch AND i.kind = 's'
  UNION ALL
  SELECT i.id, e.device_id, e.at, e.machine_seq
    FROM inbox AS i JOIN event AS e ON e.school = in_school AND e.event_id = i.id AND e.seq = base + i.place
   WHERE i.batch = of_batch AND i.kind = 'e'
$$;

-- Before 2020 there was no such program, and after tomorrow nobody has answered yet.
CREATE FUNCTION clock_earliest() RETURNS bigint LANGUAGE sql IMMUTABLE AS $$ SELECT 1577836800000 $$;
CREATE FUNCTION clock_latest() RETURNS bigint LANGUAGE sql STABLE AS $$ SELECT now_ms() + 86400000 $$;

CREATE FUNCTION notice_clock(in_school integer, of_store uuid, of_batch uuid, base bigint) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  wrong record;
  flagged bigint := 0;
BEGIN
  FOR wrong IN SELECT device_id, count(*) AS many, min(at) AS first, max(at) AS last
                 FROM brought(in_school, of_batch, base)
                WHERE at NOT BETWEEN clock_earliest() AND clock_latest() GROUP BY device_id ORDER BY device_id LOOP
    PERFORM add_notice(in_school, of_store, 'clock', wrong.device_id,
                       CASE WHEN day_of(wrong.first) = day_of(wrong.last)
                            THEN format('its clock said %s', day_of(wrong.first))
                            ELSE format('its clock said %s to %s', day_of(wrong.first), day_of(wrong.last)) END,
                       wrong.many);
    flagged := flagged + wrong.many;
  END LOOP;
  RETURN flagged;
END $$;

-- A number of a store's log that was passed before comes with something new, which was not parked then: there are two
-- stores of this id.
CREATE FUNCTION notice_copy(in_school integer, of_store uuid, of_batch uuid, base bigint, passed bigint) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  copied record;
  flagged bigint := 0;
BEGIN
  FOR copied IN SELECT device_id, count(*) AS many, min(machine_seq) AS first, max(machine_seq) AS last
                  FROM brought(in_school, of_batch, base) AS b
                 WHERE machine_seq <= passed
                   AND NOT EXISTS(SELECT FROM rejected AS r WHERE r.school = in_school AND r.store_id = of_store
                                    AND r.machine_seq = b.machine_seq AND r.id = b.id)
                 GROUP BY device_id ORDER BY device_id LOOP
    PERFORM add_notice(in_school, of_store, 'copied store', copied.device_id,
                       format('two stores bear this id: rows %s to %s came twice, with other answers', copied.first,
                              copied.last), copied.many);
    flagged := flagged + copied.many;
  END LOOP;
  RETURN flagged;
END $$;

-- Somebody whom a machine has erased is erased here by a tutor only: a machine's word could be anybody's.
CREATE FUNCTION notice_erased(in_school integer, of_store uuid, of_batch uuid, base bigint) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  told record;
  flagged bigint := 0;
BEGIN
  FOR told IN SELECT l.learner_id
                FROM inbox AS i
                JOIN event AS e ON e.school = in_school AND e.event_id = i.id AND e.seq = base + i.place
                JOIN learner AS l ON l.school = in_school AND mark_of(l.learner_id) = i.learner_id
               WHERE i.batch = of_batch AND i.kind = 'e' AND i.word = 'erased' ORDER BY 1 LOOP
    PERFORM add_notice(in_school, of_store, 'erased', told.learner_id,
                       'erased on a machine, but not here: a tutor may erase them here too', 1);
    flagged := flagged + 1;
  END LOOP;
  RETURN flagged;
END $$;
