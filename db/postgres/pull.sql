-- What changed after `since`: all of one moment (STABLE: its statements see what the caller's saw), and the server's row,
-- which comes first, tells up to which change that is. Should that be an older one than `since`, the server was brought
-- back from a backup, and everything is told.
CREATE FUNCTION pull(since bigint, protocol integer)
RETURNS TABLE(version bigint, kind text, id uuid, body text) LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = quiztutor, pg_temp SET jit = off AS $$
#variable_conflict use_column
DECLARE
  in_school CONSTANT integer := school_for('machine');
BEGIN
  PERFORM check_protocol(protocol);
  IF since > (SELECT changed FROM school WHERE school = in_school) THEN
    since := 0;
  END IF;
  RETURN QUERY
  SELECT item.version, item.kind, item.id, item.body::text FROM (
    SELECT 0 AS place, s.changed AS version, 'server' AS kind, m.server_id AS id,
           json_build_object('school', s.name, 'schema', m.version, 'oldest', m.oldest, 'newest', m.newest) AS body
      FROM school AS s, meta AS m WHERE s.school = in_school
    UNION ALL
    SELECT 1, l.changed, 'learner', l.learner_id,
           json_build_object('name', l.name, 'login', l.login, 'external_id', l.external_id,
                             'time_factor', l.time_factor, 'plain', l.plain,
                             'groups', coalesce((SELECT json_agg(g.group_name ORDER BY g.group_key) FROM member AS g
                                                  WHERE g.school = in_school AND g.learner_id = l.learner_id), '[]'),
                             'created_at', l.created_at)
      FROM learner AS l WHERE l.school = in_school AND l.changed > since AND l.merged_into IS NULL
    UNION ALL
    SELECT 2, l.changed, 'merged', l.learner_id, json_build_object('into', l.merged_into)
      FROM learner AS l WHERE l.school = in_school AND l.changed > since AND l.merged_into IS NOT NULL
    UNION ALL
    SELECT 3, p.changed, 'pin', p.learner_id, json_build_object('kept', p.kept)
      FROM pin AS p WHERE p.school = in_school AND p.changed > since
    UNION ALL
    SELECT 4, p.changed, 'pack', digest_id('quiztutor pack'::bytea || convert_to(p.pack_id, 'UTF8')),
           json_build_object('pack', p.pack_id, 'hash', encode(p.hash, 'hex'))
      FROM pack AS p WHERE p.school = in_school AND p.changed > since
    UNION ALL
    SELECT 5, t.changed, 'erased', t.mark, json_build_object('at', t.at)
      FROM tombstone AS t WHERE t.school = in_school AND t.changed > since
  ) AS item
  ORDER BY item.place, item.version, item.id;
END $$;
