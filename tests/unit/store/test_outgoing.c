/* Rows of a store as they are sent: their order, what is in them, and what stands for the log so far; and
 * addresses of central stores. */
#include "fixture.h"

#include <quiztutor/central.h>
#include <quiztutor/outgoing.h>

static struct fixture fixture;

static int start(void **state)
{
    (void)state;
    fixture_start(&fixture);
    return 0;
}

static int end(void **state)
{
    (void)state;
    fixture_end(&fixture);
    return 0;
}

/* Two sessions of two learners, in the order in which they were stored: answers of one question, and one that
 * was taken back. */
static void make(void)
{
    struct store *store = fixture_open(&fixture);
    struct store_session one = fixture_session(1, 2, "Ana"), other = fixture_session(3, 4, "Ben");
    struct store_attempt first = fixture_attempt(10, "q1", OUTCOME_RIGHT),
                         second = fixture_attempt(11, "q2", OUTCOME_WRONG),
                         third = fixture_attempt(12, "q1", OUTCOME_OMITTED);
    struct store_event undone = fixture_event(20, "undone", 11);
    fixture_add(store, &one, &first);
    fixture_add(store, &other, &second);
    fixture_tell(store, &other, &undone);
    fixture_add(store, &one, &third);
    store_close(store);
}

static struct outgoing *open_at(int64_t since)
{
    struct outgoing *outgoing;
    if (!outgoing_open(&outgoing, fixture.path, since, &fixture.error))
        fail_msg("%s", fixture.error.message);
    return outgoing;
}

/* The kinds of all rows, a letter each; *last: seq of the last one. */
static void read_kinds(struct outgoing *outgoing, char *kinds, size_t room, int64_t *last)
{
    struct outgoing_row row;
    size_t count = 0;
    int step;
    *last = 0;
    while ((step = outgoing_step(outgoing, &row, &fixture.error)) > 0 && count + 1 < room) {
        kinds[count++] = "ltsae"[row.kind];
        assert_true(row.seq == 0 ? row.kind <= OUTGOING_TEXT : row.seq > *last);
        *last = row.seq ? row.seq : *last;
    }
    kinds[count] = '\0';
    assert_int_equal(step, 0);
    assert_int_equal(outgoing_step(outgoing, &row, &fixture.error), 0); /* the end stays the end */
}

static void test_order(void **state)
{
    (void)state;
    char kinds[64];
    int64_t last;
    make();
    struct outgoing *outgoing = open_at(0);
    read_kinds(outgoing, kinds, sizeof kinds, &last);
    assert_string_equal(kinds, "llstastaea");
    /* after the newest: the learners alone, who are few */
    outgoing_start(outgoing, last);
    read_kinds(outgoing, kinds, sizeof kinds, &last);
    assert_string_equal(kinds, "ll");
    outgoing_start(outgoing, 3);
    read_kinds(outgoing, kinds, sizeof kinds, &last);
    assert_string_equal(kinds, "lltaeta");
    outgoing_close(outgoing);
}

static void test_follows(void **state)
{
    (void)state;
    char kinds[64];
    int64_t last;
    make();
    struct outgoing *outgoing = open_at(0);
    read_kinds(outgoing, kinds, sizeof kinds, &last);
    /* what is stored meanwhile comes next, and nothing keeps who stores it waiting */
    struct store *store = fixture_open(&fixture);
    struct store_session session = fixture_session(1, 2, "Ana");
    struct store_attempt attempt = fixture_attempt(13, "q3", OUTCOME_RIGHT);
    fixture_add(store, &session, &attempt);
    struct outgoing_row row;
    assert_int_equal(outgoing_step(outgoing, &row, &fixture.error), 1);
    assert_int_equal(row.kind, OUTGOING_TEXT);
    assert_int_equal(outgoing_step(outgoing, &row, &fixture.error), 1);
    struct uuid id = fixture_id(13);
    assert_true(uuid_equal(&row.id, &id));
    assert_int_equal(row.seq, last + 1);
    assert_int_equal(fixture_sql(fixture.path, "PRAGMA wal_checkpoint(TRUNCATE)"),
                     0); /* 0: nobody in the way */
    store_close(store);
    outgoing_close(outgoing);
}

static bool is_text(const struct outgoing_bytes *bytes, const char *text)
{
    return text ? bytes->data && bytes->length == (ptrdiff_t)strlen(text) &&
                      memcmp(bytes->data, text, strlen(text)) == 0
                : !bytes->data && bytes->length == 0;
}

static void test_values(void **state)
{
    (void)state;
    struct outgoing_row row;
    struct uuid id = fixture_id(10);
    make();
    fixture_sql(fixture.path, "UPDATE learner SET login = 'ana', external_id = 'x', time_factor = 1.5, plain "
                              "= 2 WHERE name = 'Ana'");
    fixture_sql(fixture.path,
                "INSERT INTO member SELECT 'größe', learner_id, 'Größe' FROM learner WHERE name = 'Ana'");
    struct outgoing *outgoing = open_at(0);
    for (int learners = 0, seen = 0; outgoing_step(outgoing, &row, &fixture.error) > 0;) {
        if (row.kind == OUTGOING_LEARNER && is_text(&row.name, "Ana")) {
            assert_true(is_text(&row.name_key, "ana") && is_text(&row.login, "ana") &&
                        is_text(&row.external_id, "x"));
            assert_true(is_text(&row.groups, "[[\"größe\",\"Größe\"]]"));
            assert_true(row.time_factor > 1.49 && row.time_factor < 1.51 && row.plain == 2);
            learners++;
        } else if (row.kind == OUTGOING_LEARNER) {
            assert_true(is_text(&row.login, NULL) && is_text(&row.external_id, NULL) &&
                        is_text(&row.groups, "[]"));
        } else if (row.kind == OUTGOING_ATTEMPT && uuid_equal(&row.id, &id)) {
            assert_true(is_text(&row.outcome, "right") && is_text(&row.question, "q1"));
            assert_int_equal(row.content.length, sizeof(struct hash));
            seen++;
        }
        assert_true(learners <= 1 && seen <= 1);
    }
    outgoing_close(outgoing);
}

/* Bytes that no text should have go as they are: the server judges them. */
static void test_bytes(void **state)
{
    (void)state;
    struct outgoing_row row;
    make();
    fixture_sql(fixture.path,
                "INSERT INTO event(seq, event_id, kind, device_id, body, at, utc_offset_s) SELECT next_seq, "
                "randomblob(16),"
                " 'hinted', device_id, CAST(x'61ff0062' AS TEXT), -5, 9223372036854775807 FROM meta");
    struct outgoing *outgoing = open_at(0);
    int found = 0;
    while (outgoing_step(outgoing, &row, &fixture.error) > 0)
        if (row.kind == OUTGOING_EVENT && is_text(&row.word, "hinted")) {
            assert_int_equal(row.body.length, 4);
            assert_memory_equal(row.body.data, "a\377\0b", 4);
            assert_true(row.at == -5 && row.utc_offset_s == INT64_MAX);
            found++;
        }
    assert_int_equal(found, 1);
    outgoing_close(outgoing);
}

static int64_t changes_at(int64_t seq)
{
    int64_t changes;
    struct outgoing *outgoing = open_at(0);
    assert_true(outgoing_changes(outgoing, seq, &changes, &fixture.error));
    outgoing_close(outgoing);
    return changes;
}

static void test_changes(void **state)
{
    (void)state;
    int64_t waiting;
    make();
    int64_t before = changes_at(4);
    assert_true(changes_at(4) == before);
    assert_true(changes_at(3) != before);
    assert_true(outgoing_waiting(fixture.path, 4, &waiting, &fixture.error));
    assert_int_equal(waiting, 2);
    /* one more row changes nothing of what was before it */
    fixture_sql(
        fixture.path,
        "INSERT INTO event(seq, event_id, kind, device_id, at, utc_offset_s) SELECT next_seq, randomblob(16),"
        " 'kiosk', device_id, 1, 0 FROM meta");
    assert_true(changes_at(4) == before);
    /* rows that were erased or merged do, and so does another row of that number */
    fixture_sql(fixture.path, "UPDATE meta SET log_changes = log_changes + 1");
    assert_true(changes_at(4) != before);
    fixture_sql(fixture.path, "UPDATE meta SET log_changes = log_changes - 1");
    assert_true(changes_at(4) == before);
    int64_t newest = fixture_sql(fixture.path, "SELECT max(seq) FROM event"), was = changes_at(newest);
    fixture_sql(fixture.path,
                "UPDATE meta SET erasing = 1; DELETE FROM event WHERE seq = (SELECT max(seq) FROM event);"
                " UPDATE meta SET erasing = 0");
    assert_true(changes_at(newest) != was);
    fixture_sql(
        fixture.path,
        "INSERT INTO event(seq, event_id, kind, device_id, at, utc_offset_s) SELECT next_seq, randomblob(16),"
        " 'kiosk', device_id, 1, 0 FROM meta");
    assert_true(changes_at(newest) != was);
}

/* Many more rows than are read at a time, texts that change, and one that is larger than all of them may be.
 */
static void test_many(void **state)
{
    (void)state;
    char sql[600];
    struct outgoing_row row;
    int64_t attempts = 0, texts = 0, last = 0;
    bool large = false;
    make();
    fixture_sql(fixture.path, "UPDATE meta SET next_seq = 100000");
    fixture_sql(fixture.path, "INSERT INTO question_text SELECT randomblob(32), 'tour', 'q' || value, 'r', "
                              "hex(randomblob(300)) FROM"
                              " (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n "
                              "WHERE value < 700) SELECT value FROM n)");
    snprintf(sql, sizeof sql,
             "INSERT INTO attempt(seq, attempt_id, session_id, learner_id, device_id, pack_id, question_id, "
             "revision, content, seed,"
             " response, outcome, mark, marks, answered_at, utc_offset_s, origin) SELECT 10000 + "
             "row_number() OVER (), randomblob(16),"
             " (SELECT session_id FROM session LIMIT 1), (SELECT learner_id FROM session LIMIT 1), "
             "randomblob(16), 'tour', question_id,"
             " 'r', content, 1, CASE question_id WHEN 'q7' THEN hex(randomblob(3000000)) END, 'wrong', 0, 1, "
             "1, 0, 'screen' FROM"
             " question_text, (SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3) WHERE body NOT LIKE '{%%'");
    fixture_sql(fixture.path, sql);
    struct outgoing *outgoing = open_at(9999);
    while (outgoing_step(outgoing, &row, &fixture.error) > 0) {
        attempts += row.kind == OUTGOING_ATTEMPT;
        texts += row.kind == OUTGOING_TEXT;
        large = large || row.response.length == 6000000;
        assert_true(row.seq == 0 || row.seq > last);
        last = row.seq ? row.seq : last;
    }
    outgoing_close(outgoing);
    assert_int_equal(attempts, 2100);
    assert_true(texts >= 700 && texts < 900); /* those whose places are shared go twice */
    assert_true(large);
}

static void test_memory(void **state)
{
    (void)state;
    make();
    bool done = false;
    for (long at = 1; !done && at < 400; at++) {
        struct outgoing *outgoing = NULL;
        struct outgoing_row row;
        int step = -1;
        memory_fail_after(at);
        if (outgoing_open(&outgoing, fixture.path, 0, &fixture.error))
            while ((step = outgoing_step(outgoing, &row, &fixture.error)) > 0)
                continue;
        memory_fail_after(0);
        done = step == 0;
        if (!done)
            assert_int_equal(fixture.error.code, ERROR_MEMORY);
        outgoing_close(outgoing);
    }
    assert_true(done);
}

static void test_none(void **state)
{
    (void)state;
    struct outgoing *outgoing;
    int64_t waiting;
    assert_false(outgoing_open(&outgoing, fixture.path, 0, &fixture.error));
    assert_int_equal(fixture.error.code, ERROR_NOT_FOUND);
    assert_null(outgoing);
    assert_false(outgoing_waiting(fixture.path, 0, &waiting, &fixture.error));
    outgoing_close(NULL);
}

/* ---- addresses ---- */

static const char *said(const char *address)
{
    static struct buffer text;
    buffer_finish(&text);
    central_address_say(&text, address);
    return buffer_get(&text);
}

static void test_addresses(void **state)
{
    (void)state;
    static const struct {
        const char *address, *said; /* NULL: refused */
    } rows[] = {
        { "postgresql://lab@db.school/quiz", "postgresql://lab@db.school/quiz" },
        { "postgres://lab@db.school:5432/quiz?sslmode=verify-full&sslrootcert=/etc/x.crt",
          "postgres://lab@db.school:5432/quiz" },
        { "postgresql://", "postgresql://" },
        { "postgresql:///", "postgresql:///" },
        { "postgresql:///?service=centre", "postgresql:///?service=centre" },
        { "postgresql:///quiz?host=/run/postgresql&service=centre&user=x",
          "postgresql:///quiz?service=centre" },
        { "postgresql://lab@[::1]:5432/quiz", "postgresql://lab@[::1]:5432/quiz" },
        { "postgresql://one:1,other:2,third/quiz", "postgresql://one:1,other:2,third/quiz" },
        { "postgresql://me%40school@db/quiz", "postgresql://me%40school@db/quiz" },
        { "postgresql://lab@db/quiz?passfile=/etc/x", "postgresql://lab@db/quiz" },
        { "postgresql://lab:pw@db/quiz", NULL },
        { "postgresql://lab:@db/quiz", NULL },
        { "postgresql://lab%3apw@db/quiz", NULL },
        { "postgresql://lab%3Apw@db/quiz", NULL },
        { "postgresql://lab:12@34@db/quiz", NULL },
        { "postgresql://lab:p/w@db/quiz", NULL },
        { "postgresql://lab:12/w@db/quiz", NULL },
        { "postgresql://lab:12?w@db/quiz", NULL },
        { "postgresql://lab:pw", NULL },
        { "postgresql://db:123456/quiz", NULL },
        { "postgresql://[::1/quiz", NULL },
        { "postgresql://lab@db/quiz?password=pw", NULL },
        { "postgresql://lab@db/quiz?sslmode=disable&Password=pw", NULL },
        { "postgresql://lab@db/quiz?%70%61%73%73%77%6f%72%64=pw", NULL },
        { "postgresql://lab@db/quiz?sslpassword=pw", NULL },
        { "postgresql://lab@db/quiz?pw", NULL },
        { "postgresql://lab@db/quiz?user=a@b", NULL },
        { "postgresql://lab@db/quiz#x", NULL },
        { "postgresql://lab@db/quiz x", NULL },
        { "postgresql://lab@db/quiz\n", NULL },
        { "POSTGRESQL://lab@db/quiz", NULL },
        { "host=db password=pw", NULL },
        { "", NULL },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool good = central_address_check(rows[i].address, &fixture.error);
        if (good != (rows[i].said != NULL))
            fail_msg("%s: %d", rows[i].address, good);
        assert_string_equal(said(rows[i].address), rows[i].said ? rows[i].said : "postgresql://");
        if (!good) {
            assert_int_equal(fixture.error.code, ERROR_INPUT);
            assert_null(strstr(fixture.error.message, "pw"));
        }
    }
    said("postgresql://");
    assert_true(central_is_address("PostgreSQL://x") && central_is_address("postgres://"));
    assert_false(central_is_address("postgresql:/x") || central_is_address("store.db") ||
                 central_is_address(""));
}

/* Whatever stands there: no reading behind the end, and an error repeats nothing of it. */
static void test_addresses_by_chance(void **state)
{
    (void)state;
    static const char pieces[] = ":/?@#%&=[],.3aSECRET%3a%40";
    unsigned seed = 1;
    for (int round = 0; round < 20000; round++) {
        char text[64] = "postgresql://", *copy;
        size_t length = strlen(text);
        for (int i = 0; i < 12; i++) {
            seed = seed * 1103515245 + 12345;
            text[length++] = pieces[(seed >> 16) % (sizeof pieces - 1)];
        }
        text[length] = '\0';
        copy = memory_text(text); /* where a sanitizer sees its end */
        if (!central_address_check(copy, &fixture.error))
            assert_null(strstr(fixture.error.message, text + strlen("postgresql://")));
        said(copy);
        memory_free(copy);
    }
    said("postgresql://");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_order, start, end),
        cmocka_unit_test_setup_teardown(test_follows, start, end),
        cmocka_unit_test_setup_teardown(test_values, start, end),
        cmocka_unit_test_setup_teardown(test_bytes, start, end),
        cmocka_unit_test_setup_teardown(test_changes, start, end),
        cmocka_unit_test_setup_teardown(test_many, start, end),
        cmocka_unit_test_setup_teardown(test_memory, start, end),
        cmocka_unit_test_setup_teardown(test_none, start, end),
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_addresses_by_chance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
