-- The files without a number hold no data: functions, views and rights. They are run after every migration, in the
-- order of their names, so that a change here needs no more than a new numbered file beside them (an empty one will
-- do). First all that is left of the last time goes, with the triggers and policies that lean on it.
SET LOCAL check_function_bodies = off;

DO $$
DECLARE
  old text;
BEGIN
  FOR old IN SELECT oid::regclass FROM pg_class WHERE relnamespace = 'quiztutor'::regnamespace AND relkind = 'v' LOOP
    EXECUTE format('DROP VIEW IF EXISTS %s CASCADE', old);
  END LOOP;
  FOR old IN SELECT oid::regprocedure FROM pg_proc WHERE pronamespace = 'quiztutor'::regnamespace LOOP
    EXECUTE format('DROP FUNCTION IF EXISTS %s CASCADE', old);
  END LOOP;
END $$;
