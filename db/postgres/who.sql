-- Who may do what. Machines and tutors are roles of this server, in a group of roles each; which school is theirs,
-- table `role` says. What is not granted here, the schema's owner alone may do.

-- Rights that are the database's, and so in no backup of it: seen to each time somebody sets up.
CREATE FUNCTION close_database() RETURNS void LANGUAGE plpgsql SET search_path = quiztutor, pg_temp AS $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['quiztutor_machine', 'quiztutor_tutor'] LOOP
    IF NOT EXISTS(SELECT FROM pg_roles WHERE rolname = name) THEN
      EXECUTE format('CREATE ROLE %I NOLOGIN', name);
    END IF;
  END LOOP;
  EXECUTE format('REVOKE TEMPORARY, CREATE ON DATABASE %I FROM PUBLIC', current_database());
  REVOKE CREATE ON SCHEMA public FROM PUBLIC;
  IF has_database_privilege('quiztutor_machine', current_database(), 'TEMPORARY, CREATE')
     OR has_schema_privilege('quiztutor_machine', 'public', 'CREATE') THEN
    RAISE 'machines could make tables in this database: its owner is to run this' USING ERRCODE = 'QT005';
  END IF;
END $$;
SELECT close_database();

REVOKE ALL ON ALL TABLES IN SCHEMA quiztutor FROM PUBLIC, quiztutor_machine, quiztutor_tutor;
REVOKE ALL ON ALL SEQUENCES IN SCHEMA quiztutor FROM PUBLIC, quiztutor_machine, quiztutor_tutor;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA quiztutor FROM PUBLIC;
GRANT USAGE ON SCHEMA quiztutor TO quiztutor_machine, quiztutor_tutor;

-- A machine fills the inbox, in its own name: all columns but `role`.
DO $$
BEGIN
  EXECUTE format('GRANT INSERT(%s) ON inbox TO quiztutor_machine',
    (SELECT string_agg(quote_ident(attname), ', ') FROM pg_attribute
      WHERE attrelid = 'inbox'::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'role'));
END $$;
GRANT EXECUTE ON FUNCTION ingest(uuid, integer), pull(bigint, integer) TO quiztutor_machine;

-- A tutor sees the rows of one school. Views run with the rights of who asks them.
DO $$
DECLARE
  of_school text;
BEGIN
  FOR of_school IN SELECT c.relname FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
                    WHERE c.relnamespace = 'quiztutor'::regnamespace AND c.relkind = 'r' AND a.attname = 'school' LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', of_school);
    EXECUTE format('CREATE POLICY own ON %I TO quiztutor_tutor USING(school = (SELECT own_school()))', of_school);
    EXECUTE format('GRANT SELECT ON %I TO quiztutor_tutor', of_school);
  END LOOP;
  FOR of_school IN SELECT relname FROM pg_class WHERE relnamespace = 'quiztutor'::regnamespace AND relkind = 'v' LOOP
    EXECUTE format('GRANT SELECT ON %I TO quiztutor_tutor', of_school);
  END LOOP;
END $$;
GRANT SELECT ON meta TO quiztutor_tutor;
GRANT EXECUTE ON FUNCTION own_school(), outdate(integer), erase_learner(uuid), merge_learner(uuid, uuid),
  set_pack(text, bytea), retry_rejected() TO quiztutor_tutor;
-- whoever reads schedules and summaries brings them up first
GRANT INSERT, UPDATE, DELETE ON schedule, learner_pack, learner_day, behind TO quiztutor_tutor;
-- an answer that is graded again
GRANT INSERT ON event TO quiztutor_tutor;
GRANT USAGE ON SEQUENCE log_seq TO quiztutor_tutor;
-- the roster
GRANT INSERT(school, learner_id, name, name_key, login, external_id, created_at, time_factor, plain),
  UPDATE(name, name_key, login, external_id, time_factor, plain) ON learner TO quiztutor_tutor;
GRANT INSERT, DELETE, UPDATE(group_name) ON member TO quiztutor_tutor;
GRANT INSERT(school, learner_id, kept), UPDATE(kept) ON pin TO quiztutor_tutor;

-- Makes a school where there is none of that name; its number.
CREATE FUNCTION set_school(called text) RETURNS integer LANGUAGE plpgsql
SET search_path = quiztutor, pg_temp AS $$
BEGIN
  INSERT INTO school(name) VALUES(called) ON CONFLICT(name) DO NOTHING;
  RETURN (SELECT school FROM school WHERE name = called);
END $$;

-- Makes a role of the server where there is none of that name (without a password), and says what it is there for.
CREATE FUNCTION set_role(called text, of_school text, for_duty text) RETURNS void LANGUAGE plpgsql
SET search_path = quiztutor, pg_temp AS $$
DECLARE
  number integer := (SELECT school FROM school WHERE name = of_school);
  powerful boolean := (SELECT rolsuper OR rolcreaterole OR rolbypassrls OR pg_has_role(oid, current_user, 'MEMBER')
                         FROM pg_roles WHERE rolname = called);
BEGIN
  IF number IS NULL OR for_duty NOT IN ('machine', 'tutor') THEN
    RAISE 'there is no school "%" in this central store', of_school USING ERRCODE = 'QT002';
  ELSIF powerful THEN
    RAISE 'the role "%" may do more than a % is to: give it one of its own', called, for_duty USING ERRCODE = 'QT002';
  ELSIF EXISTS(SELECT FROM role WHERE name = called AND school <> number) THEN
    RAISE 'the role "%" is another school''s: give this one a role of its own', called USING ERRCODE = 'QT002';
  ELSIF powerful IS NULL THEN
    EXECUTE format('CREATE ROLE %I LOGIN', called);
  END IF;
  EXECUTE format('GRANT %I TO %I', 'quiztutor_' || for_duty, called);
  IF EXISTS(SELECT FROM role WHERE name = called AND duty <> for_duty) THEN
    EXECUTE format('REVOKE %I FROM %I', (SELECT 'quiztutor_' || duty FROM role WHERE name = called), called);
  END IF;
  INSERT INTO role(name, school, duty) VALUES(called, number, for_duty)
    ON CONFLICT(name) DO UPDATE SET duty = EXCLUDED.duty;
END $$;

-- What a school's schedules are made with; those that were made with something else are behind.
CREATE FUNCTION set_scheduling(of_school text, starts integer, wanted double precision, by_pack jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = quiztutor, pg_temp AS $$
DECLARE
  number integer;
BEGIN
  UPDATE school SET day_starts = starts, retention = wanted, retention_by_pack = by_pack
   WHERE name = of_school AND (day_starts, retention, retention_by_pack) IS DISTINCT FROM (starts, wanted, by_pack)
  RETURNING school INTO number;
  INSERT INTO behind(school, learner_id, since_seq)
  SELECT l.school, l.learner_id, 0 FROM learner AS l WHERE l.school = number AND l.merged_into IS NULL
   ORDER BY l.learner_id
  ON CONFLICT(school, learner_id) DO UPDATE SET since_seq = 0;
END $$;

-- After a backup of this database was restored: machines send all they have, and pull all there is, once more.
CREATE FUNCTION restored() RETURNS uuid LANGUAGE sql SET search_path = quiztutor, pg_temp AS $$
  UPDATE meta SET server_id = gen_random_uuid() RETURNING server_id
$$;
REVOKE ALL ON FUNCTION set_school(text), set_role(text, text, text),
  set_scheduling(text, integer, double precision, jsonb), restored() FROM PUBLIC;
