/*
 * test_heal_roster [ROUNDS [FIRST]]: what a store has beside its log, and what becomes of it when the store
 * is damaged. Learners, groups, PINs, sheets and parameters are changed by chance, with backups in between;
 * made anew out of backup and second log, or the log alone, all of it is as it was.
 */
#include "../../slice.h"
#include "fixture.h"
#include "pin_private.h"

#include <quiztutor/heal.h>
#include <quiztutor/roster.h>
#include <quiztutor/sheet_record.h>

#include <sqlite3.h>
#include <unistd.h>

enum { ROUNDS = 30, PEOPLE = 6, STEPS = 30, DUMP = 200000 };

static int rounds = ROUNDS, first_round = 1;
static struct fixture fixture;
static struct error error;
static uint32_t seed;
static int numbers;

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

static int chance(int below)
{
    seed = seed * UINT32_C(1664525) + UINT32_C(1013904223);
    return (int)((seed >> 16) % (uint32_t)below);
}

/* All rows of several queries, in order, into `text`. */
static void dump(char *text)
{
    static const char *const queries[] = {
        ("SELECT 'learner', hex(learner_id), name, name_key, login, external_id, created_at, time_factor, "
         "plain,"
         " hex(merged_into) FROM learner ORDER BY 2"),
        "SELECT 'member', hex(learner_id), group_key, group_name FROM member ORDER BY 2, 3",
        "SELECT 'pin', hex(learner_id), kept FROM pin ORDER BY 2",
        ("SELECT 'sheet', id, body, hex(content), hex(learner_id), size, boxes, large, no_key, key_only, tag,"
         " printed_at FROM sheet ORDER BY 2, 4, 5, 6, 7"),
        "SELECT 'source', hex(content), name, hex(pack) FROM sheet_content ORDER BY 2",
        "SELECT 'parameters', hex(learner_id), weights, report, made_at FROM parameters ORDER BY 2",
        "SELECT 'attempt', hex(attempt_id), hex(learner_id) FROM attempt ORDER BY 2",
        "SELECT 'session', hex(session_id), hex(learner_id) FROM session ORDER BY 2",
    };
    sqlite3 *db;
    char *to = text;
    assert_int_equal(sqlite3_open(fixture.path, &db), SQLITE_OK);
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        sqlite3_stmt *rows;
        assert_int_equal(sqlite3_prepare_v2(db, queries[i], -1, &rows, NULL), SQLITE_OK);
        while (sqlite3_step(rows) == SQLITE_ROW && to < text + DUMP - 2000) {
            for (int column = 0; column < sqlite3_column_count(rows); column++) {
                const char *value = (const char *)sqlite3_column_text(rows, column);
                to += sprintf(to, "%s|", value ? value : "-");
            }
            *to++ = '\n';
        }
        sqlite3_finalize(rows);
    }
    *to = '\0';
    sqlite3_close(db);
}

/* The first line that differs, for the message. */
static void expect_same(const char *before, const char *after)
{
    if (strcmp(before, after) == 0)
        return;
    while (*before && *after) {
        size_t one = strcspn(before, "\n"), other = strcspn(after, "\n");
        if (one != other || memcmp(before, after, one) != 0)
            break;
        before += one + 1;
        after += other + 1;
    }
    fail_msg("seed %d:\n  was %.*s\n  is  %.*s", first_round, (int)strcspn(before, "\n"), before,
             (int)strcspn(after, "\n"), after);
}

/* ---- changes ---- */

/* One who is there and nobody else by now, with their id; false: nobody is. */
static bool some_learner(struct uuid *id)
{
    char sql[200];
    static const char from[] = "FROM learner WHERE merged_into IS NULL";
    snprintf(sql, sizeof sql, "SELECT count(*) %s", from);
    int64_t count = fixture_sql(fixture.path, sql);
    sqlite3 *db;
    sqlite3_stmt *row;
    memset(id, 0, sizeof *id);
    if (count < 1)
        return false;
    snprintf(sql, sizeof sql, "SELECT learner_id %s ORDER BY learner_id LIMIT 1 OFFSET %d", from,
             chance((int)count));
    assert_int_equal(sqlite3_open(fixture.path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &row, NULL), SQLITE_OK);
    bool found = sqlite3_step(row) == SQLITE_ROW;
    if (found)
        memcpy(id->bytes, sqlite3_column_blob(row, 0), sizeof id->bytes);
    sqlite3_finalize(row);
    sqlite3_close(db);
    return found;
}

/* A line that may be about somebody new, or change who is there. */
static void change_roster(struct store *store)
{
    static const char *const groups[] = { "9a", "9B", "Physics" };
    struct roster_result result;
    char name[32], login[32], external[32];
    snprintf(name, sizeof name, "Name %d", chance(PEOPLE));
    snprintf(login, sizeof login, "login%d", chance(PEOPLE));
    snprintf(external, sizeof external, "X-%d", chance(PEOPLE));
    struct roster_line line = { .name = name,
                                .login = chance(3) ? NULL : login,
                                .external_id = chance(3) ? NULL : external,
                                .groups = groups + chance(2),
                                .group_count = chance(3),
                                .only_these = chance(2),
                                .time_factor = chance(2) ? 1 + chance(4) / 4.0 : 0,
                                .plain = chance(4) - 1 };
    assert_true(roster_add(store, &line, &result, 1, &error));
}

static void rename_one(struct store *store, const struct uuid *id)
{
    char name[32];
    snprintf(name, sizeof name, "Name %d", chance(PEOPLE * 2));
    if (!roster_rename(store, id, name, &error))
        assert_int_equal(error.code, ERROR_INPUT);
}

static void set_pin(struct store *store, const struct uuid *id)
{
    char kept[40];
    bool was;
    snprintf(kept, sizeof kept, "$argon2id$%d", chance(1000));
    assert_true(sqlite_pin_ops.set(store, id, chance(3) ? kept : NULL, &was, &error));
}

static void print_sheet(struct store *store, const struct uuid *id)
{
    char bytes[32], sheet[32];
    snprintf(bytes, sizeof bytes, "pack %d", chance(3));
    snprintf(sheet, sizeof sheet, "W1-BODY%d-s%d", chance(2), chance(3));
    struct sheet_source source = { .name = "a.yaml", .bytes = bytes, .length = (ptrdiff_t)strlen(bytes) };
    hash_of(&source.content, source.bytes, source.length);
    struct sheet_record record = { .id = sheet,
                                   .body = "BODY",
                                   .content = source.content,
                                   .learner = chance(3) ? *id : (struct uuid){ { 0 } },
                                   .size = chance(2) ? "a4" : "letter",
                                   .large = chance(2),
                                   .tag = chance(2) ? "hard" : NULL,
                                   .printed_at = 1000 + numbers++ };
    assert_true(store_keep_sheets(store, &source, &record, 1, &error));
}

static void fit(struct store *store, const struct uuid *id)
{
    static const struct uuid everybody;
    struct fsrs_parameters parameters = fsrs_defaults;
    parameters.weights[0] += chance(100) / 1000.0;
    assert_true(store_set_parameters(store, chance(4) ? id : &everybody, &parameters, "{}", &error));
}

static void answer(struct store *store, const struct uuid *id)
{
    struct store_session session = fixture_session(10000 + numbers, 1, "Somebody");
    struct store_attempt attempt = fixture_attempt(20000 + numbers++, "q1", OUTCOME_RIGHT);
    session.learner.id = *id;
    fixture_add(store, &session, &attempt);
}

static void change(struct store *store, const char *backups)
{
    struct uuid id, other;
    struct roster_count count;
    int what = chance(20), removed;
    char *made;
    if (what < 6 || !some_learner(&id))
        change_roster(store);
    else if (what < 9)
        rename_one(store, &id);
    else if (what < 12)
        set_pin(store, &id);
    else if (what < 14)
        print_sheet(store, &id);
    else if (what < 15)
        fit(store, &id);
    else if (what < 17)
        answer(store, &id);
    else if (what < 18 && some_learner(&other) && !uuid_equal(&id, &other))
        assert_true(roster_merge(store, &id, &other, &count, &error));
    else if (what == 18 && chance(2))
        assert_true(roster_erase(store, &id, &count, &error));
    else if (what == 19) {
        assert_true(backup_rotate(store, backups, 3, &made, &removed, &error));
        memory_free(made);
    }
}

/* ---- rounds ---- */

static void damage(void)
{
    ptrdiff_t length;
    fixture_sql(fixture.path, "PRAGMA wal_checkpoint(TRUNCATE)");
    unsigned char *bytes = fixture_read(fixture.path, &length);
    for (ptrdiff_t i = 4096; i < length; i += 97)
        bytes[i] ^= 0x5a;
    fixture_write(fixture.path, bytes, length);
    memory_free(bytes);
}

static struct store *heal(const char *backups, enum heal_outcome outcome)
{
    struct heal_report report = { 0 };
    struct store *store;
    if (!heal_open(&store, fixture.path, &fixture.options, backups, &report, &error))
        fail_msg("seed %d: %s", first_round, error.message);
    if (report.outcome != outcome || report.missing || report.refused)
        fail_msg("seed %d: outcome %d, missing %d, refused %d, %s", first_round, (int)report.outcome,
                 report.missing, (int)report.refused, report.why);
    heal_report_finish(&report);
    return store;
}

/* Damaged, then as it was, twice over: the store that was made anew is looked after like the first. */
static void one_round(char *before, char *after)
{
    char backups[FIXTURE_PATH + 16];
    snprintf(backups, sizeof backups, "%s/backups", fixture.folder);
    struct store *store = heal(backups, HEAL_SOUND);
    for (int part = 0; part < 2; part++) {
        for (int i = 0; i < STEPS; i++)
            change(store, backups);
        store_close(store);
        store = heal(backups, HEAL_SOUND);
        store_close(store);
        dump(before);
        damage();
        store = heal(chance(3) ? backups : NULL, HEAL_RESTORED);
        assert_true(store_check(store, &error));
        fixture_expect_in_step(store);
        dump(after);
        expect_same(before, after);
    }
    store_close(store);
}

static void test_rounds(void **state)
{
    (void)state;
    char *before = malloc(DUMP), *after = malloc(DUMP);
    assert_true(before && after);
    for (int i = 0; i < rounds; i++, first_round++) {
        seed = (uint32_t)first_round * UINT32_C(2654435761);
        fixture_start(&fixture);
        one_round(before, after);
        fixture_end(&fixture);
    }
    free(before);
    free(after);
}

/* Said of a store that is whole but older than its second log, as a copy put back by hand is. */
static void test_older(void **state)
{
    (void)state;
    struct uuid ann = fixture_id(2);
    struct store *store = heal(NULL, HEAL_SOUND);
    ptrdiff_t length;
    bool was;
    struct store_session session = fixture_session(1, 2, "Ann");
    struct store_attempt attempt = fixture_attempt(100, "q1", OUTCOME_RIGHT);
    fixture_add(store, &session, &attempt);
    store_close(store);
    fixture_sql(fixture.path, "PRAGMA wal_checkpoint(TRUNCATE)");
    unsigned char *bytes = fixture_read(fixture.path, &length);
    store = heal(NULL, HEAL_SOUND);
    assert_true(sqlite_pin_ops.set(store, &ann, "$argon2id$1", &was, &error));
    assert_true(roster_rename(store, &ann, "Anna", &error));
    store_close(store);
    unlink(fixture_beside(fixture.path, "-wal"));
    unlink(fixture_beside(fixture.path, "-shm"));
    fixture_write(fixture.path, bytes, length);
    memory_free(bytes);
    store = heal(NULL, HEAL_TAKEN);
    assert_int_equal(fixture_sql(fixture.path, "SELECT count(*) FROM pin"), 1);
    assert_int_equal(fixture_sql(fixture.path, "SELECT count(*) FROM learner WHERE name = 'Anna'"), 1);
    assert_int_equal(fixture_sql(fixture.path, "SELECT count(*) FROM attempt"), 1);
    store_close(store);
    store = heal(NULL, HEAL_SOUND);
    store_close(store);
}

/* Without memory at each of our allocations in turn: it is made anew, or all stays where it is for the next
 * time. */
static void test_memory(void **state)
{
    (void)state;
    char backups[FIXTURE_PATH + 16], command[2 * FIXTURE_PATH];
    char *before = malloc(DUMP), *after = malloc(DUMP);
    ptrdiff_t length, log_length;
    assert_true(before && after);
    snprintf(backups, sizeof backups, "%s/backups", fixture.folder);
    snprintf(command, sizeof command, "rm -rf '%s'-*", fixture.path);
    seed = 7;
    struct store *store = heal(backups, HEAL_SOUND);
    for (int i = 0; i < 3 * STEPS; i++)
        change(store, backups);
    store_close(store);
    dump(before);
    damage();
    unsigned char *bytes = fixture_read(fixture.path, &length);
    unsigned char *log = fixture_read(fixture_beside(fixture.path, "-attempts"), &log_length);
    bool failed = true;
    long n = 1;
    for (; failed && n < 20000; n += n < 40 ? 1 : 13) {
        struct heal_report report = { 0 };
        assert_int_equal(system(command), 0);
        fixture_write(fixture.path, bytes, length);
        fixture_write(fixture_beside(fixture.path, "-attempts"), log, log_length);
        memory_fail_after(n);
        bool done = heal_open(&store, fixture.path, &fixture.options, backups, &report, &error);
        failed = memory_failed();
        memory_fail_after(0);
        heal_report_finish(&report);
        if (!done && error.code != ERROR_MEMORY)
            fail_msg("allocation %ld: %s", n, error.message);
        if (!done)
            assert_true(heal_open(&store, fixture.path, &fixture.options, backups, &report, &error));
        heal_report_finish(&report);
        assert_true(store_check(store, &error));
        store_close(store);
        dump(after);
        expect_same(before, after);
    }
    assert_true(!failed && n > 100);
    memory_free(bytes);
    memory_free(log);
    free(before);
    free(after);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_rounds),
                                        cmocka_unit_test_setup_teardown(test_older, start, end),
                                        cmocka_unit_test_setup_teardown(test_memory, start, end) };
    rounds = slice_of(count > 1 ? atoi(arguments[1]) : ROUNDS);
    first_round = count > 2 ? atoi(arguments[2]) : 1;
    fixture_in_memory();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
