/*
 * test_flips [PLACES] [FIRST]: one byte of a store is changed, in many places one after the other: of its
 * file, of SQLite's log beside it, of its index, of its second log. It always opens by healing, whole, with
 * each answer as it was; and nothing crashes on the way.
 */
#include "../slice.h"
#include "fixture.h"

#include <quiztutor/heal.h>

#include <sys/stat.h>
#include <unistd.h>

enum { PLACES = 500, HEADER = 100 };
enum file { FILE_STORE, FILE_WAL, FILE_SHM, FILE_LOG, FILES };
static const char *const endings[FILES] = { "", "-wal", "-shm", "-attempts" };

static int places = PLACES, first_place = 0;
static struct fixture fixture;
static struct error error;

/* A store at one moment. */
struct moment {
    unsigned char *bytes[FILES];
    ptrdiff_t length[FILES];
};

static void take(struct moment *moment)
{
    for (int i = 0; i < FILES; i++)
        moment->bytes[i] = fixture_read(*endings[i] ? fixture_beside(fixture.path, endings[i]) : fixture.path,
                                        &moment->length[i]);
}

static void put(const struct moment *moment)
{
    for (int i = 0; i < FILES; i++) {
        const char *path = *endings[i] ? fixture_beside(fixture.path, endings[i]) : fixture.path;
        unlink(path);
        if (moment->length[i] >= 0)
            fixture_write(path, moment->bytes[i], moment->length[i]);
    }
}

static void drop(struct moment *moment)
{
    for (int i = 0; i < FILES; i++)
        memory_free(moment->bytes[i]);
}

/* Everything that was answered, as one number: the log without its numbers, which are given anew. */
static int64_t fingerprint(const char *path)
{
    static const char rows[] =
        "WITH one(row) AS (SELECT hex(attempt_id) || hex(session_id) || hex(learner_id) || hex(boot_id) || "
        "pack_id ||"
        " question_id || revision || hex(content) || seed || showing || coalesce(shown, '-') || "
        "coalesce(response, '-')"
        " || outcome || mark || marks || coalesce(certainty, '-') || hints || coalesce(elapsed_ms, '-') || "
        "answered_at"
        " || utc_offset_s || origin || retried FROM attempt UNION ALL SELECT hex(session_id) || options || "
        "plan ||"
        " seed || kind FROM session UNION ALL SELECT hex(content) || body FROM question_text),"
        " letters(row, at, sum) AS (SELECT row, 1, 7 FROM one UNION ALL SELECT row, at + 1,"
        " (sum * 31 + unicode(substr(row, at, 1))) % 1000000007 FROM letters WHERE at <= length(row))"
        " SELECT sum(sum) + 1000003 * count(*) FROM letters WHERE at = length(row) + 1";
    return fixture_sql(path, rows);
}

static void make(struct moment *tidy, struct moment *busy, int64_t *expected)
{
    struct heal_report report = { 0 };
    struct store *store;
    assert_true(heal_open(&store, fixture.path, &fixture.options, NULL, &report, &error));
    for (int i = 0; i < 24; i++) {
        char question[16];
        struct store_session session = fixture_session(1 + i / 8 * 2, 2 + i / 8 * 2, i / 8 ? "Berta" : "Ann");
        snprintf(question, sizeof question, "q%d", i % 9);
        struct store_attempt attempt =
            fixture_attempt(100 + i, question, i % 3 ? OUTCOME_RIGHT : OUTCOME_PARTLY);
        fixture_add(store, &session, &attempt);
        if (i % 6 == 5) {
            struct store_event event = fixture_event(300 + i, "undone", 100 + i);
            fixture_tell(store, &session, &event);
        }
        if (i == 15) {
            store_close(store);
            assert_true(heal_open(&store, fixture.path, &fixture.options, NULL, &report, &error));
        }
    }
    take(busy);
    store_close(store);
    *expected = fingerprint(fixture.path);
    take(tidy);
    assert_true(busy->length[FILE_WAL] > 0);
}

/* Removes what healing set aside: there would be hundreds of them. */
static void sweep(struct heal_report *report)
{
    static const char *const beside[] = { "", "-wal", "-journal", "-attempts" };
    for (size_t i = 0; report->kept && i < sizeof beside / sizeof *beside; i++)
        unlink(*beside[i] ? fixture_beside(report->kept, beside[i]) : report->kept);
    heal_report_finish(report);
}

static enum heal_outcome flip(const struct moment *moment, enum file file, ptrdiff_t at, unsigned char by,
                              int64_t expected)
{
    struct heal_report report = { 0 };
    struct store *store;
    put(moment);
    moment->bytes[file][at] ^= by;
    fixture_write(*endings[file] ? fixture_beside(fixture.path, endings[file]) : fixture.path,
                  moment->bytes[file], moment->length[file]);
    moment->bytes[file][at] ^= by;
    if (!heal_open(&store, fixture.path, &fixture.options, NULL, &report, &error))
        fail_msg("byte %ld of %s ^ %d: %s", (long)at, endings[file], by, error.message);
    bool sound = store_check(store, &error);
    fixture_expect_in_step(store);
    struct store_session session = fixture_session(9, 10, "Cleo");
    struct store_attempt attempt = fixture_attempt(900, "q1", OUTCOME_RIGHT);
    enum heal_outcome outcome = report.outcome;
    if (!sound || fingerprint(fixture.path) != expected)
        fail_msg("byte %ld of %s ^ %d: outcome %d, %s", (long)at, endings[file], by, (int)outcome,
                 report.why);
    fixture_add(store, &session, &attempt);
    store_close(store);
    sweep(&report);
    return outcome;
}

static void flip_all(const struct moment *moment, enum file file, int count, int64_t expected)
{
    int outcomes[3] = { 0 };
    ptrdiff_t length = moment->length[file];
    for (int i = 0; length > 0 && i < count; i++) {
        /* all of the store's header, then evenly over the rest */
        int k = first_place + i;
        ptrdiff_t at = file == FILE_STORE && i < HEADER && count > 2 * HEADER
                           ? k % length
                           : (ptrdiff_t)((uint64_t)k * UINT64_C(0x9e3779b97f4a7c15) % (uint64_t)length);
        outcomes[flip(moment, file, at, (unsigned char)(1 << k % 8), expected)]++;
    }
    print_message("%s: %d sound, %d given back, %d restored\n", *endings[file] ? endings[file] : "store",
                  outcomes[0], outcomes[1], outcomes[2]);
}

static void test_flips(void **state)
{
    (void)state;
    struct moment tidy, busy;
    int64_t expected;
    fixture_start(&fixture);
    make(&tidy, &busy, &expected);
    flip_all(&tidy, FILE_STORE, places, expected);
    flip_all(&tidy, FILE_LOG, places / 10, expected);
    flip_all(&busy, FILE_STORE, places / 10, expected);
    flip_all(&busy, FILE_WAL, places / 10, expected);
    flip_all(&busy, FILE_SHM, places / 10, expected);
    drop(&tidy);
    drop(&busy);
    fixture_end(&fixture);
}

/* Memory ends at every place of healing: told so, or done; and the next try has it all. */
static void test_memory(void **state)
{
    (void)state;
    struct moment tidy, busy;
    int64_t expected;
    struct heal_report report = { 0 };
    struct store *store;
    fixture_start(&fixture);
    make(&tidy, &busy, &expected);
    memset(tidy.bytes[FILE_STORE] + 8192, 0x33, 4096);
    put(&tidy);
    for (long n = 1, step = slice_of(64) < 64 ? 29 : 7; n < 20000; n += step) {
        memory_fail_after(n);
        bool done = heal_open(&store, fixture.path, &fixture.options, NULL, &report, &error);
        memory_fail_after(0);
        if (done) {
            store_close(store);
            if (report.outcome == HEAL_RESTORED || report.outcome == HEAL_SOUND)
                break;
        } else if (error.code != ERROR_MEMORY) {
            fail_msg("allocation %ld: code %d, %s", n, (int)error.code, error.message);
        }
        sweep(&report);
    }
    sweep(&report);
    assert_true(heal_open(&store, fixture.path, &fixture.options, NULL, &report, &error));
    assert_true(fingerprint(fixture.path) == expected);
    assert_true(store_check(store, &error));
    store_close(store);
    sweep(&report);
    drop(&tidy);
    drop(&busy);
    fixture_end(&fixture);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_flips), cmocka_unit_test(test_memory) };
    places = slice_of(count > 1 ? atoi(arguments[1]) : PLACES);
    first_place = count > 2 ? atoi(arguments[2]) : 0;
    fixture_in_memory();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
