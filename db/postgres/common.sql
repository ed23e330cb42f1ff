-- What the other files lean on. A function that runs with the owner's rights (SECURITY DEFINER) has its search_path
-- fixed, so that none of its caller's own making is found in it.

-- The school of the tutor who is logged in; NULL for everybody else. Row security asks it once a query.
CREATE FUNCTION own_school() RETURNS integer LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = quiztutor, pg_temp AS $$
  SELECT school FROM role WHERE name = session_user AND duty = 'tutor'
$$;

-- The school of the role that is logged in, which must be there for this.
CREATE FUNCTION school_for(wanted text) RETURNS integer LANGUAGE plpgsql STABLE AS $$
DECLARE
  found_school integer;
  found_duty text;
BEGIN
  SELECT school, duty INTO found_school, found_duty FROM role WHERE name = session_user;
  IF found_school IS NULL THEN
    RAISE 'the role "%" has no school in this central store', session_user USING ERRCODE = 'QT002',
      HINT = 'sync --init makes roles for machines and tutors';
  ELSIF found_duty <> wanted THEN
    RAISE 'the role "%" is there for a %, not for a %', session_user, found_duty, wanted USING ERRCODE = 'QT002';
  END IF;
  RETURN found_school;
END $$;

CREATE FUNCTION check_protocol(spoken integer) RETURNS void LANGUAGE plpgsql STABLE AS $$
DECLARE
  first integer;
  last integer;
BEGIN
  SELECT oldest, newest INTO first, last FROM meta;
  IF spoken IS NULL OR spoken < first THEN
    RAISE 'the central store takes protocol % to %, this machine speaks %: update this machine', first, last, spoken
      USING ERRCODE = 'QT001';
  ELSIF spoken > last THEN
    RAISE 'the central store takes protocol % to %, this machine speaks %: update the central store', first, last,
      spoken USING ERRCODE = 'QT001';
  END IF;
END $$;

-- ms since 1970.
CREATE FUNCTION now_ms() RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint
$$;

-- A day for people, of whatever a clock said.
CREATE FUNCTION day_of(at bigint) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN at BETWEEN -62135596800000 AND 253402300799999
              THEN to_char(to_timestamp(at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD')
              ELSE 'no day of any calendar' END
$$;

-- Half of a digest, as an id.
CREATE FUNCTION digest_id(bytes bytea) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT encode(substr(sha256(bytes), 1, 16), 'hex')::uuid
$$;

-- By which a learner who was erased is known again: as roster_mark makes it.
CREATE FUNCTION mark_of(learner uuid) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT encode(substr(sha256('quiztutor erased'::bytea || uuid_send(learner)), 1, 16), 'hex')::uuid
$$;

-- The number of this transaction's change to what a school's machines pull. The school's row stays locked until the
-- transaction ends, so that changes are seen in the order of their numbers.
CREATE FUNCTION bump(of_school integer) RETURNS bigint LANGUAGE sql AS $$
  UPDATE school SET changed = changed + 1, changed_by = pg_current_xact_id()
   WHERE school = of_school AND changed_by IS DISTINCT FROM pg_current_xact_id();
  SELECT changed FROM school WHERE school = of_school
$$;

-- Whoever takes rows in holds the school's log together with others, whoever erases or merges holds it alone: by a table
-- for each school, with nothing in it. One lock for all would let a machine that hangs in the midst of its transaction
-- stop every school; advisory locks could be held by anybody.
CREATE FUNCTION make_hold() RETURNS trigger LANGUAGE plpgsql SET search_path = quiztutor, pg_temp AS $$
BEGIN
  EXECUTE format('CREATE TABLE quiztutor.hold_%s(nothing integer)', NEW.school);
  EXECUTE format('ALTER TABLE quiztutor.hold_%s ENABLE ROW LEVEL SECURITY', NEW.school);
  RETURN NULL;
END $$;

CREATE TRIGGER school_hold AFTER INSERT ON school FOR EACH ROW EXECUTE FUNCTION make_hold();

CREATE FUNCTION hold_log(of_school integer, alone boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('LOCK TABLE quiztutor.hold_%s IN %s MODE', of_school,
                 CASE WHEN alone THEN 'EXCLUSIVE' ELSE 'ROW SHARE' END);
END $$;

-- A row of the log never changes, but inside the functions that erase a learner or make one of two.
CREATE FUNCTION stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('quiztutor.erasing', true) IS DISTINCT FROM 'yes' THEN
    RAISE '% is append-only', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER session_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON session EXECUTE FUNCTION stay();
CREATE TRIGGER attempt_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON attempt EXECUTE FUNCTION stay();
CREATE TRIGGER event_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON event EXECUTE FUNCTION stay();
CREATE TRIGGER question_text_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON question_text EXECUTE FUNCTION stay();

-- Whoever changes what machines pull need not think of its number.
CREATE FUNCTION number_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = quiztutor, pg_temp AS $$
BEGIN
  NEW.changed := bump(NEW.school);
  RETURN NEW;
END $$;

CREATE TRIGGER learner_new BEFORE INSERT ON learner FOR EACH ROW WHEN (NEW.changed = 0)
  EXECUTE FUNCTION number_change();
CREATE TRIGGER learner_other BEFORE UPDATE ON learner FOR EACH ROW WHEN (NEW.changed = OLD.changed)
  EXECUTE FUNCTION number_change();
CREATE TRIGGER pin_other BEFORE INSERT OR UPDATE ON pin FOR EACH ROW EXECUTE FUNCTION number_change();

-- A learner's groups go with the learner's row.
CREATE FUNCTION number_member() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = quiztutor, pg_temp AS $$
DECLARE
  of_school integer := CASE TG_OP WHEN 'DELETE' THEN OLD.school ELSE NEW.school END;
  of_learner uuid := CASE TG_OP WHEN 'DELETE' THEN OLD.learner_id ELSE NEW.learner_id END;
  number bigint := bump(of_school);
BEGIN
  UPDATE learner SET changed = number WHERE school = of_school AND learner_id = of_learner AND changed <> number;
  RETURN NULL;
END $$;

CREATE TRIGGER member_other AFTER INSERT OR UPDATE OR DELETE ON member FOR EACH ROW EXECUTE FUNCTION number_member();
