-- What is wrong with a row that a machine sent: words, or NULL. Each is one expression, which PostgreSQL sets into the
-- statement that asks, so that a batch is judged while it is taken in. Texts are checked for being UTF-8, and JSON
-- where JSON belongs, by turning them into it: that raises an error, and the rows are then looked at one by one
-- (unreadable). Lengths are limited by what an index takes.

-- A text that is to be there.
CREATE FUNCTION word_fault(bytes bytea, called text, longest integer) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN bytes IS NULL OR length(bytes) = 0 THEN called || ' is missing'
              WHEN length(bytes) > longest THEN called || ' is longer than ' || longest || ' bytes' END
$$;

-- Evaluated for the error it may raise.
CREATE FUNCTION is_no_json(bytes bytea) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT bytes IS NOT NULL AND convert_from(bytes, 'UTF8')::json IS NULL
$$;

CREATE FUNCTION learner_fault(i inbox) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN i.id IS NULL THEN 'its id is missing'
    WHEN i.name IS NULL OR length(i.name) NOT BETWEEN 1 AND 2000 THEN word_fault(i.name, 'name', 2000)
    WHEN convert_from(i.name, 'UTF8') ~ '[\u0001-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]'
      THEN 'name holds control characters'
    WHEN i.name_key IS NULL OR length(i.name_key) NOT BETWEEN 1 AND 2000 THEN word_fault(i.name_key, 'name_key', 2000)
    WHEN length(i.login) NOT BETWEEN 1 AND 2000 THEN word_fault(i.login, 'login', 2000)
    WHEN length(i.external_id) NOT BETWEEN 1 AND 2000 THEN word_fault(i.external_id, 'external_id', 2000)
    WHEN NOT coalesce(i.time_factor, 1) BETWEEN 1 AND 10 THEN 'time_factor is not from 1 to 10'
    WHEN i.at IS NULL OR NOT i.at BETWEEN -8640000000000000 AND 8640000000000000 THEN 'created_at is no time'
    WHEN is_no_json(i.groups) THEN 'groups is not JSON'
  END
$$;

CREATE FUNCTION text_row_fault(i inbox) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN i.content IS NULL OR length(i.content) <> 32 THEN 'content is no hash'
    WHEN i.pack_id IS NULL OR length(i.pack_id) NOT BETWEEN 1 AND 1000 THEN word_fault(i.pack_id, 'pack_id', 1000)
    WHEN i.question_id IS NULL OR length(i.question_id) NOT BETWEEN 1 AND 1000
      THEN word_fault(i.question_id, 'question_id', 1000)
    WHEN i.revision IS NULL THEN 'revision is missing'
    WHEN i.body IS NULL THEN 'body is missing'
    WHEN is_no_json(i.body) THEN 'body is not JSON'
  END
$$;

CREATE FUNCTION session_fault(i inbox) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN i.id IS NULL THEN 'its id is missing'
    WHEN i.seq IS NULL THEN 'seq is missing'
    WHEN i.learner_id IS NULL THEN 'its learner is missing'
    WHEN i.device_id IS NULL THEN 'its device is missing'
    WHEN i.word IS NULL OR i.word NOT IN ('practice', 'exam', 'paper', 'import')
      THEN 'kind is none of practice, exam, paper, import'
    WHEN i.origin IS NULL OR i.origin NOT IN ('screen', 'plain', 'jsonl', 'paper', 'kiosk', 'import')
      THEN 'origin is none of screen, plain, jsonl, paper, kiosk, import'
    WHEN i.seed IS NULL THEN 'seed is missing'
    WHEN i.options IS NULL THEN 'options is missing'
    WHEN i.plan IS NULL THEN 'plan is missing'
    WHEN i.at IS NULL OR NOT i.at BETWEEN -8640000000000000 AND 8640000000000000 THEN 'started_at is no time'
    WHEN i.utc_offset_s IS NULL OR NOT i.utc_offset_s BETWEEN -86400 AND 86400 THEN 'utc_offset_s is more than a day'
    WHEN is_no_json(i.options) THEN 'options is not JSON'
    WHEN is_no_json(i.plan) THEN 'plan is not JSON'
  END
$$;

CREATE FUNCTION attempt_fault(i inbox) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN i.id IS NULL THEN 'its id is missing'
    WHEN i.seq IS NULL THEN 'seq is missing'
    WHEN i.session_id IS NULL THEN 'its session is missing'
    WHEN i.learner_id IS NULL THEN 'its learner is missing'
    WHEN i.device_id IS NULL THEN 'its device is missing'
    WHEN i.pack_id IS NULL OR length(i.pack_id) NOT BETWEEN 1 AND 1000 THEN word_fault(i.pack_id, 'pack_id', 1000)
    WHEN i.question_id IS NULL OR length(i.question_id) NOT BETWEEN 1 AND 1000
      THEN word_fault(i.question_id, 'question_id', 1000)
    WHEN i.revision IS NULL THEN 'revision is missing'
    WHEN length(i.content) <> 32 THEN 'content is no hash'
    WHEN i.seed IS NULL THEN 'seed is missing'
    WHEN i.showing IS NULL OR NOT i.showing BETWEEN 0 AND 2147483647 THEN 'showing is no count'
    WHEN i.outcome IS NULL OR i.outcome NOT IN ('right', 'partly', 'wrong', 'omitted')
      THEN 'outcome is none of right, partly, wrong, omitted'
    WHEN i.mark IS NULL OR NOT abs(i.mark) < 1e100 THEN 'mark is no number'
    WHEN i.marks IS NULL OR NOT abs(i.marks) < 1e100 THEN 'marks is no number'
    WHEN NOT i.certainty BETWEEN 0 AND 100 THEN 'certainty is not from 0 to 100'
    WHEN NOT coalesce(i.hints, 0) BETWEEN 0 AND 2147483647 THEN 'hints is no count'
    WHEN NOT coalesce(i.retried, 0) BETWEEN 0 AND 1 THEN 'retried is neither 0 nor 1'
    WHEN i.at IS NULL OR NOT i.at BETWEEN -8640000000000000 AND 8640000000000000 THEN 'answered_at is no time'
    WHEN i.utc_offset_s IS NULL OR NOT i.utc_offset_s BETWEEN -86400 AND 86400 THEN 'utc_offset_s is more than a day'
    WHEN i.origin IS NULL OR i.origin NOT IN ('screen', 'plain', 'jsonl', 'paper', 'kiosk', 'import')
      THEN 'origin is none of screen, plain, jsonl, paper, kiosk, import'
    WHEN is_no_json(i.shown) THEN 'shown is not JSON'
    WHEN is_no_json(i.response) THEN 'response is not JSON'
  END
$$;

CREATE FUNCTION event_fault(i inbox) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN i.id IS NULL THEN 'its id is missing'
    WHEN i.seq IS NULL THEN 'seq is missing'
    WHEN i.device_id IS NULL THEN 'its device is missing'
    WHEN i.word IS NULL OR length(i.word) NOT BETWEEN 1 AND 100 THEN word_fault(i.word, 'kind', 100)
    WHEN i.at IS NULL OR NOT i.at BETWEEN -8640000000000000 AND 8640000000000000 THEN 'at is no time'
    WHEN i.utc_offset_s IS NULL OR NOT i.utc_offset_s BETWEEN -86400 AND 86400 THEN 'utc_offset_s is more than a day'
    WHEN is_no_json(i.body) THEN 'body is not JSON'
  END
$$;

-- Of one text, without raising anything.
CREATE FUNCTION text_fault(bytes bytea, called text, json boolean) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  readable boolean := false;
BEGIN
  IF bytes IS NULL THEN
    RETURN NULL;
  ELSIF position('\x00'::bytea IN bytes) > 0 THEN
    RETURN called || ' holds a NUL byte';
  END IF;
  PERFORM convert_from(bytes, 'UTF8');
  readable := true;
  IF json THEN
    PERFORM convert_from(bytes, 'UTF8')::json;
  END IF;
  RETURN NULL;
EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
  RETURN called || CASE WHEN readable THEN ' is not JSON' ELSE ' is not UTF-8' END;
END $$;

CREATE FUNCTION unreadable(i inbox) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    text_fault(i.word, 'kind', false), text_fault(i.pack_id, 'pack_id', false),
    text_fault(i.question_id, 'question_id', false), text_fault(i.revision, 'revision', false),
    text_fault(i.shown, 'shown', true), text_fault(i.response, 'response', true),
    text_fault(i.outcome, 'outcome', false), text_fault(i.origin, 'origin', false),
    text_fault(i.options, 'options', true), text_fault(i.plan, 'plan', true), text_fault(i.body, 'body', true),
    text_fault(i.name, 'name', false), text_fault(i.name_key, 'name_key', false),
    text_fault(i.login, 'login', false), text_fault(i.external_id, 'external_id', false),
    text_fault(i.groups, 'groups', true))
$$;
