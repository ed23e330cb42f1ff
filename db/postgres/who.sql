-- Who may do what. Machines and tutors are roles of this server that belong to a group each; which school is theirs,
-- table `role` says. The owner of the schema alone calls what is in this file.

DO $$
DECLARE
  groups text;
BEGIN
  FOREACH groups IN ARRAY ARRAY['quiztutor_machine', 'quiztutor_tutor'] LOOP
    IF NOT EXISTS(SELECT FROM pg_roles WHERE rolname = groups) THEN
      EXECUTE format('CREATE ROLE %I NOLOGIN', groups);
    END IF;
  END LOOP;
END $$;

-- Makes a school where there is none of that name; its number.
CREATE FUNCTION set_school(called text) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  found_school integer;
BEGIN
  INSERT INTO school(name) VALUES(called) ON CONFLICT(name) DO NOTHING;
  SELECT school INTO found_school FROM school WHERE name = called;
  RETURN found_school;
END $$;

-- Makes a role of the server where there is none of that name (without a password), and says what it is there for.
CREATE FUNCTION set_role(called text, of_school text, for_duty text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS(SELECT FROM pg_roles WHERE rolname = called) THEN
    EXECUTE format('CREATE ROLE %I LOGIN', called);
  END IF;
  EXECUTE format('GRANT %I TO %I', 'quiztutor_' || for_duty, called);
  INSERT INTO role(name, school, duty) SELECT called, school, for_duty FROM school WHERE name = of_school
    ON CONFLICT(name) DO UPDATE SET school = EXCLUDED.school, duty = EXCLUDED.duty;
END $$;
