/* The file itself: the log can't be changed, not even by a stranger; rows hold what they should; queries use
 * indexes. */
#include "fixture.h"

#include "sqlite_store.h"

static struct fixture fixture;
static struct error error;
static struct store *store;

static int start(void **state)
{
    (void)state;
    fixture_start(&fixture);
    store = fixture_open(&fixture);
    struct store_session session = fixture_session(1, 2, "Ann");
    struct store_attempt attempt = fixture_attempt(10, "q1", OUTCOME_RIGHT);
    struct store_event event = fixture_event(11, "hinted", 0);
    fixture_add(store, &session, &attempt);
    fixture_tell(store, &session, &event);
    return 0;
}

static int end(void **state)
{
    (void)state;
    store_close(store);
    fixture_end(&fixture);
    return 0;
}

static int64_t number(const char *sql)
{
    return fixture_sql(fixture.path, sql);
}

static int stranger(const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(fixture.path, &db), SQLITE_OK);
    sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    sqlite3_exec(db, "PRAGMA recursive_triggers = ON", NULL, NULL, NULL);
    int result = sqlite3_exec(db, sql, NULL, NULL, NULL);
    sqlite3_close(db);
    return result;
}

static void test_append_only(void **state)
{
    (void)state;
    static const char *const changes[] = {
        "UPDATE attempt SET mark = 1",
        "DELETE FROM attempt",
        "UPDATE session SET seed = 1",
        "DELETE FROM session",
        "UPDATE event SET kind = 'undone'",
        "DELETE FROM event",
        "UPDATE question_text SET body = '{}'",
        "DELETE FROM question_text",
        "REPLACE INTO event SELECT * FROM event",
        "REPLACE INTO attempt SELECT * FROM attempt",
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        if (stranger(changes[i]) != SQLITE_CONSTRAINT)
            fail_msg("%s", changes[i]);
    }
    assert_int_equal(stranger("UPDATE meta SET erasing = 1; DELETE FROM attempt"), SQLITE_OK);
}

static void test_bad_rows_are_refused(void **state)
{
    (void)state;
    static const char *const inserts[] = {
        "INSERT INTO attempt SELECT 99, x'01', session_id, learner_id, device_id, boot_id, pack_id, "
        "question_id, revision,"
        " content, seed, showing, shown, response, outcome, mark, marks, certainty, hints, elapsed_ms, "
        "answered_at,"
        " utc_offset_s, origin, 0 FROM attempt",
        "INSERT INTO attempt SELECT 99, randomblob(16), session_id, learner_id, device_id, boot_id, pack_id, "
        "question_id,"
        " revision, content, seed, showing, shown, response, 'good', mark, marks, certainty, hints, "
        "elapsed_ms,"
        " answered_at, utc_offset_s, origin, 0 FROM attempt",
        "INSERT INTO meta(one, store_id, device_id, next_seq) SELECT 2, store_id, device_id, 5 FROM meta",
        "INSERT INTO learner(learner_id, name, name_key, created_at) VALUES(randomblob(16), 'ANN', 'ann', 0)",
    };
    for (size_t i = 0; i < sizeof inserts / sizeof *inserts; i++) {
        if (stranger(inserts[i]) != SQLITE_CONSTRAINT)
            fail_msg("%s", inserts[i]);
    }
    assert_int_equal(
        stranger("PRAGMA foreign_keys = ON; INSERT INTO session SELECT randomblob(16), 99, randomblob(16),"
                 " device_id, kind, origin, seed, options, plan, started_at, utc_offset_s FROM session"),
        SQLITE_CONSTRAINT);
}

static void test_every_column(void **state)
{
    (void)state;
    assert_int_equal(
        number("SELECT count(*) FROM attempt JOIN meta USING(device_id) WHERE seq = 2 AND"
               " pack_id = 'tour' AND question_id = 'q1' AND revision = 'r1' AND seed = 7 AND showing = 1"
               " AND shown = '{\"choices\":[2,1]}' AND response = '[1]' AND outcome = 'right' AND mark = 1 "
               "AND retried = 0"
               " AND marks = 1 AND certainty IS NULL AND hints = 0 AND elapsed_ms = 1500"
               " AND answered_at = 2010 AND utc_offset_s = 3600 AND origin = 'plain'"
               " AND length(content) = 32 AND (boot_id IS NULL OR length(boot_id) = 16)"),
        1);
    assert_int_equal(
        number("SELECT count(*) FROM session JOIN meta USING(device_id) WHERE seq = 1 AND kind = 'practice'"
               " AND origin = 'plain' AND seed = 4294967295 AND json_array_length(plan) = 2"
               " AND started_at = 1001 AND utc_offset_s = -3600"),
        1);
    assert_int_equal(
        number("SELECT count(*) FROM event JOIN meta USING(device_id) WHERE seq = 3 AND kind = 'hinted'"
               " AND attempt_id IS NULL AND session_id = (SELECT session_id FROM session) AND at = 3011"
               " AND learner_id = (SELECT learner_id FROM learner)"),
        1);
    assert_int_equal(number("SELECT count(*) FROM question_text JOIN attempt USING(content)"
                            " WHERE body = '{\"prompt\":\"Why?\"}'"),
                     1);
    assert_int_equal(number("SELECT next_seq FROM meta"), 4);
    assert_int_equal(number("SELECT created_at = 1700000000000 AND name_key = 'ann' FROM learner"), 1);
    struct store_session session = fixture_session(1, 2, "Ann");
    struct store_attempt attempt = fixture_attempt(12, "q1", OUTCOME_RIGHT);
    attempt.elapsed_ms = -1;
    attempt.certainty = 3;
    attempt.retried = true;
    fixture_add(store, &session, &attempt);
    assert_int_equal(
        number("SELECT certainty = 3 AND elapsed_ms IS NULL AND retried = 1 FROM attempt WHERE seq = 4"), 1);
    assert_int_equal(number("SELECT count(*) FROM question_text"), 1);
}

static void test_one_transaction_each(void **state)
{
    (void)state;
    /* Were session and answer stored apart, a reader could see the one without the other: a bad answer must
     * leave none. */
    struct store_session session = fixture_session(5, 6, "Bob");
    struct store_attempt attempt = fixture_attempt(10, "q1", OUTCOME_WRONG); /* an id that is taken */
    bool created = true;
    assert_true(store_add_attempt(store, &session, &attempt, &created, &error)); /* it is there already */
    assert_false(created);
    assert_int_equal(number("SELECT count(*) FROM session"), 1);
    assert_int_equal(number("SELECT count(*) FROM learner"), 1);
    assert_int_equal(number("SELECT outcome = 'right' FROM attempt"), 1);
    assert_int_equal(number("SELECT next_seq FROM meta"), 4);
}

static void test_what_was_known_is_gone(void **state)
{
    (void)state;
    struct store_session session = fixture_session(1, 2, "Ann");
    struct store_attempt attempt = fixture_attempt(12, "q1", OUTCOME_RIGHT);
    number("UPDATE meta SET erasing = 1; DELETE FROM attempt; DELETE FROM event; DELETE FROM session;"
           " DELETE FROM question_text; DELETE FROM learner; UPDATE meta SET erasing = 0");
    fixture_add(store, &session, &attempt);
    assert_int_equal(number("SELECT count(*) FROM attempt, session, learner, question_text"), 1);
    assert_true(store_check(store, &error));
}

static void test_merged_learner(void **state)
{
    (void)state;
    number("INSERT INTO learner(learner_id, name, name_key, created_at) "
           "VALUES(x'00000009666978747572652d2d2d2d2d',"
           " 'Anna', 'anna', 0); UPDATE learner SET merged_into = x'00000009666978747572652d2d2d2d2d', login "
           "= 'a1'"
           " WHERE name = 'Ann'");
    struct store_session session = fixture_session(5, 2, "Ann");
    struct store_attempt attempt = fixture_attempt(12, "q1", OUTCOME_RIGHT);
    struct uuid into = fixture_id(9);
    fixture_add(store, &session, &attempt);
    assert_true(uuid_equal(&session.learner.id, &into));
    struct arena arena;
    struct store_learner found;
    arena_init(&arena);
    assert_true(store_find_learner(store, "a1", &arena, &found, NULL, &error));
    assert_true(uuid_equal(&found.id, &into));
    assert_string_equal(found.name, "Anna");
    arena_finish(&arena);
    number(
        "UPDATE learner SET merged_into = x'00000002666978747572652d2d2d2d2d' WHERE name = 'Anna'"); /* in a
                                                                                                        ring
                                                                                                      */
    struct store_session again = fixture_session(7, 9, "Anna");
    struct store_attempt next = fixture_attempt(13, "q1", OUTCOME_RIGHT);
    fixture_add(store, &again, &next);
}

static void test_pragmas(void **state)
{
    (void)state;
    sqlite3 *db = ((struct sqlite_store *)store)->db;
    static const struct {
        const char *name;
        int64_t value;
    } pragmas[] = { { "foreign_keys", 1 },       { "trusted_schema", 0 }, { "cell_size_check", 1 },
                    { "mmap_size", 0 },          { "synchronous", 2 },    { "busy_timeout", 5000 },
                    { "recursive_triggers", 1 }, { "secure_delete", 1 },  { "wal_autocheckpoint", 0 },
                    { "temp_store", 2 } };
    for (size_t i = 0; i < sizeof pragmas / sizeof *pragmas; i++) {
        char sql[64];
        int64_t value = -1;
        snprintf(sql, sizeof sql, "PRAGMA %s", pragmas[i].name);
        sqlite_integer((struct sqlite_store *)store, sql, &value, &error);
        if (value != pragmas[i].value && strcmp(pragmas[i].name, "mmap_size") != 0)
            fail_msg("%s is %d", pragmas[i].name, (int)value);
    }
    int defensive = 0, keeps_log = 0;
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, -1, &defensive);
    sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, -1, &keeps_log);
    assert_int_equal(defensive, 1);
    assert_int_equal(keeps_log, 1);
    assert_true(((struct sqlite_store *)store)->wal);
}

static void test_log_is_put_into_the_file(void **state)
{
    (void)state;
    struct store_session session = fixture_session(1, 2, "Ann");
    int largest = 0;
    for (int i = 0; i < 1500; i++) {
        struct store_attempt attempt = fixture_attempt(100 + i, "q1", OUTCOME_RIGHT);
        fixture_add(store, &session, &attempt);
        int frames = ((struct sqlite_store *)store)->wal_frames;
        largest = frames > largest ? frames : largest;
    }
    assert_true(largest >= 1000 && largest < 1100); /* and begun anew after that */
}

/* How SQLite means to answer a query, in a buffer good for the next call only. */
static const char *plan_of(enum store_query query)
{
    static char plan[8000];
    sqlite3_stmt *statement;
    char sql[8000];
    snprintf(sql, sizeof sql, "EXPLAIN QUERY PLAN %s", sqlite_query_text((int)query));
    assert_int_equal(sqlite3_prepare_v2(((struct sqlite_store *)store)->db, sql, -1, &statement, NULL),
                     SQLITE_OK);
    plan[0] = '\0';
    while (sqlite3_step(statement) == SQLITE_ROW) {
        strcat(plan, (const char *)sqlite3_column_text(statement, 3));
        strcat(plan, "\n");
    }
    sqlite3_finalize(statement);
    return plan;
}

static void expect_plan(enum store_query query, const char *const *parts)
{
    const char *text = plan_of(query);
    static const char *const never[] = {
        "SCAN attempt", "SCAN event", "SCAN session\n", "SCAN early", "AUTOMATIC", "SCAN schedule", NULL
    };
    for (int i = 0; never[i]; i++) {
        if (strstr(text, never[i]))
            fail_msg("query %d: %s in\n%s", (int)query, never[i], text);
    }
    for (; *parts; parts++) {
        if (!strstr(text, *parts))
            fail_msg("query %d: no %s in\n%s", (int)query, *parts, text);
    }
}

static void expect_unsorted(enum store_query query)
{
    const char *text = plan_of(query);
    if (strstr(text, "TEMP B-TREE"))
        fail_msg("query %d sorts:\n%s", (int)query, text);
}

static void test_query_plans(void **state)
{
    (void)state;
    static const char *const undone = "event USING COVERING INDEX event_attempt (attempt_id=? AND kind=?)";
    expect_plan(QUERY_NEW, (const char *[]){ "attempt_recent (learner_id=? AND answered_at>?)",
                                             "attempt_pack (pack_id=? AND learner_id=? AND question_id=?)",
                                             undone, NULL });
    expect_plan(QUERY_UNFINISHED,
                (const char *[]){ "session_learner (learner_id=?)", "attempt_session (session_id=?)",
                                  "event_session (session_id=?)", undone, NULL });
    expect_plan(QUERY_SESSION, (const char *[]){ "session USING PRIMARY KEY (session_id=?)", NULL });
    expect_plan(QUERY_PLAN, (const char *[]){ "session USING PRIMARY KEY (session_id=?)", NULL });
    expect_plan(QUERY_LOG,
                (const char *[]){ "attempt_session (session_id=?)", "event_session (session_id=?)", NULL });
    expect_plan(QUERY_LEARNERS, (const char *[]){ "(learner_id=?)", undone, NULL });
    /* streamed: neither sorted nor looked up one by one */
    expect_plan(QUERY_DUE, (const char *[]){
                               "schedule USING COVERING INDEX schedule_due (learner_id=? AND pack_id=? AND "
                               "due_day<?)",
                               NULL });
    expect_unsorted(QUERY_DUE);
    expect_plan(QUERY_KNOWN,
                (const char *[]){ "schedule USING PRIMARY KEY (learner_id=? AND pack_id=?)", NULL });
    expect_unsorted(QUERY_KNOWN);
    expect_plan(QUERY_COMING, (const char *[]){ "COVERING INDEX schedule_due (learner_id=? AND pack_id=? AND "
                                                "due_day>? AND due_day<?)",
                                                NULL });
    expect_unsorted(QUERY_COMING);
    expect_plan(QUERY_REVIEWED,
                (const char *[]){ "attempt_recent (learner_id=? AND answered_at>?)",
                                  "attempt_pack (pack_id=? AND learner_id=? AND question_id=?)", undone,
                                  NULL });
    expect_plan(QUERY_NEWEST, (const char *[]){ "COVERING INDEX attempt_recent (learner_id=?)", NULL });
    expect_plan(QUERY_DAYS,
                (const char *[]){ "attempt_recent (learner_id=? AND answered_at>?)", undone, NULL });
    expect_plan(QUERY_EXAMS, (const char *[]){ "session USING INDEX session_exam", "event_handed_in", NULL });
}

/* Reports: sums by their keys, attempts by an index that has them in order. */
static void test_report_plans(void **state)
{
    (void)state;
    static const struct {
        int query;
        const char *index;
        bool sorts;
    } plans[] = {
        { QUERY_CLASS, "learner_pack USING PRIMARY KEY (learner_id=? AND pack_id=?)", false },
        { QUERY_CLASS_GROUP, "member USING PRIMARY KEY (group_key=?)", true },
        { QUERY_STUCK_GROUP, "schedule USING PRIMARY KEY (learner_id=? AND pack_id=?)", true },
        { QUERY_STUCK_LEARNER, "learner_pack USING PRIMARY KEY (learner_id=?)", true },
        { QUERY_PROGRESS_PACKS, "learner_pack USING PRIMARY KEY (learner_id=?)", false },
        { QUERY_PROGRESS_DAYS, "learner_day USING PRIMARY KEY (learner_id=? AND day>?)", false },
        { QUERY_LEARNER_SCHEDULES, "schedule USING PRIMARY KEY (learner_id=?)", false },
        { QUERY_TEXTS_KEPT, "schedule USING PRIMARY KEY (learner_id=?)", false },
        { QUERY_MISSES, "attempt_recent (learner_id=?)", false },
        { QUERY_ATTEMPTS, "attempt_history (learner_id=?)", false },
        { QUERY_ATTEMPTS_PACK, "attempt_pack (pack_id=? AND learner_id=?)", false },
        { QUERY_ATTEMPTS_GROUP, "attempt_history (learner_id=?)", false },
        { QUERY_ATTEMPTS_LEARNER, "attempt_history (learner_id=?)", false },
        { QUERY_ANSWERS, "attempt_history (learner_id=?)", false },
        { QUERY_ANSWERS_PACK, "attempt_pack (pack_id=? AND learner_id=?)", false },
        { QUERY_ANSWERS_GROUP, "attempt_history (learner_id=?)", false },
        { QUERY_ANSWERS_LEARNER, "attempt_history (learner_id=?)", false },
        { QUERY_LOG_PACK, "COVERING INDEX attempt_pack (pack_id=?)", true },
        { QUERY_UNDONE_GROUP, "event_undone_learner (learner_id=?)", true },
        { QUERY_UNDONE_LEARNER, "event_undone_learner (learner_id=?)", true },
        { QUERY_GRADED_COUNTS, "event_told", true },
        { QUERY_REPORTED, "event_reported", true },
    };
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        expect_plan((enum store_query)plans[i].query, (const char *[]){ plans[i].index, NULL });
        if (!plans[i].sorts)
            expect_unsorted((enum store_query)plans[i].query);
    }
}

static void test_foreign_damage_is_found(void **state)
{
    (void)state;
    number("PRAGMA foreign_keys = OFF; DELETE FROM learner");
    assert_false(store_check(store, &error));
    assert_int_equal(error.code, ERROR_DAMAGED);
    assert_non_null(strstr(error.message, "learner"));
}

static void test_counter_behind_the_log_is_found(void **state)
{
    (void)state;
    number("UPDATE meta SET next_seq = 2");
    assert_false(store_check(store, &error));
    struct store_session session = fixture_session(1, 2, "Ann");
    struct store_attempt attempt = fixture_attempt(12, "q1", OUTCOME_RIGHT);
    assert_false(store_add_attempt(store, &session, &attempt, NULL, &error));
}

int main(void)
{
#define T(test) cmocka_unit_test_setup_teardown(test, start, end)
    const struct CMUnitTest tests[] = {
        T(test_append_only),
        T(test_bad_rows_are_refused),
        T(test_every_column),
        T(test_one_transaction_each),
        T(test_what_was_known_is_gone),
        T(test_merged_learner),
        T(test_pragmas),
        T(test_log_is_put_into_the_file),
        T(test_query_plans),
        T(test_report_plans),
        T(test_foreign_damage_is_found),
        T(test_counter_behind_the_log_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
