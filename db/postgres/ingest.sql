-- What machines may call: ingest, for the rows that they have put into the inbox in the same transaction, and pull.

-- The store's row, locked until the transaction ends; how far its log had come before.
CREATE FUNCTION machine_passed(in_school integer, of_store uuid, speaks integer) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  passed bigint;
BEGIN
  INSERT INTO machine(school, store_id, role, protocol, first_at, last_at, last_seq)
  VALUES(in_school, of_store, session_user, speaks, now_ms(), now_ms(), 0)
  ON CONFLICT(school, store_id) DO UPDATE
    SET role = EXCLUDED.role, protocol = EXCLUDED.protocol, last_at = EXCLUDED.last_at
  RETURNING last_seq INTO passed;
  RETURN passed;
END $$;

CREATE FUNCTION ingest(of_batch uuid, protocol integer)
RETURNS TABLE(taken bigint, before bigint, parked bigint, erased bigint, notices bigint) LANGUAGE plpgsql
SECURITY DEFINER SET search_path = quiztutor, pg_temp SET enable_seqscan = off SET enable_mergejoin = off
SET jit = off SET work_mem = '64MB' AS $$
#variable_conflict use_column
DECLARE
  in_school CONSTANT integer := school_for('machine');
  batch_store uuid;
  head record;
  passed bigint;
  took record;
  started CONSTANT bigint := now_ms();
BEGIN
  PERFORM check_protocol(protocol);
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE 'ingest() is called at isolation level read committed' USING ERRCODE = 'QT003';
  END IF;
  SELECT store_id INTO batch_store FROM inbox WHERE batch = of_batch AND role = session_user LIMIT 1;
  SELECT count(*) AS rows, count(*) FILTER (WHERE store_id = batch_store AND role = session_user) AS same,
         min(place) AS first_place, max(place) AS last_place, min(seq) AS first_seq, max(seq) AS last_seq,
         min(at) FILTER (WHERE kind IN ('s', 'a', 'e')) AS first_at,
         max(at) FILTER (WHERE kind IN ('s', 'a', 'e')) AS last_at,
         bool_or(merged_into IS NOT NULL) AS merged, bool_or(word = 'erased') AS erased
    INTO head FROM inbox WHERE batch = of_batch;
  IF head.rows = 0 THEN
    RETURN QUERY SELECT 0::bigint, 0::bigint, 0::bigint, 0::bigint, 0::bigint;
    RETURN;
  ELSIF head.same < head.rows OR head.first_place < 1 OR head.last_place > 65535 THEN
    RAISE 'a batch holds rows of one store and one role, at places from 1 to 65535' USING ERRCODE = 'QT003';
  END IF;

  passed := machine_passed(in_school, batch_store, protocol);
  -- nobody is erased or merged meanwhile
  PERFORM hold_log(in_school, head.merged AND EXISTS(
    SELECT FROM inbox AS i LEFT JOIN learner AS l ON l.school = in_school AND l.learner_id = i.id
     WHERE i.batch = of_batch AND i.kind = 'l' AND i.merged_into IS NOT NULL AND l.merged_into IS NULL));

  took := take_batch(in_school, of_batch, head.first_seq > passed, head.last_place);
  notices := 0;
  IF head.first_at < clock_earliest() OR head.last_at > clock_latest() THEN
    notices := notices + notice_clock(in_school, batch_store, of_batch, took.base);
  END IF;
  IF head.first_seq <= passed THEN
    notices := notices + notice_copy(in_school, batch_store, of_batch, took.base, passed);
  END IF;
  IF head.erased THEN
    notices := notices + notice_erased(in_school, batch_store, of_batch, took.base);
  END IF;
  -- not by TRUNCATE, quick as it is: nobody could send until this transaction ends, which is the machine's to say
  DELETE FROM inbox WHERE batch = of_batch;
  IF took.brought > 0 AND EXISTS(SELECT FROM rejected AS r WHERE r.school = in_school AND r.store_id = batch_store) THEN
    PERFORM retry_in(in_school, batch_store, started);
  END IF;
  UPDATE machine SET last_seq = greatest(last_seq, coalesce(head.last_seq, 0))
   WHERE machine.school = in_school AND store_id = batch_store;
  RETURN QUERY SELECT took.taken, took.before, took.parked, took.erased, notices;
END $$;
