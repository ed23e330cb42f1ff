/*
 * test_power_cut [CUTS] [FIRST]: the power is cut at a random call to the disk, and only what was synced is
 * sure to be there (cut_vfs.h). Whatever a store told that it was kept must be there: in the store, which
 * then is whole and as its second log says; and out of the second log alone, where the store goes, too.
 */
#include "../slice.h"
#include "cut_vfs.h"
#include "fixture.h"

#include <quiztutor/heal.h>

#include <sys/wait.h>
#include <unistd.h>

enum { CUTS = 100, CUTS_A_STORE = 8, ANSWERS = 200 /* in one run at most */, CALLS = 400, FIRST_ID = 100 };

static int cuts = CUTS, first_seed = 1;
static struct fixture fixture;
static struct error error;
static int told, next_number; /* attempts FIRST_ID … FIRST_ID + told − 1 were told; the next one's number */

/* The attempt borrows its question's name until the next one is made. */
static struct store_attempt make_attempt(int number)
{
    static char question[16];
    snprintf(question, sizeof question, "q%d", number % 37);
    return fixture_attempt(number, question, number % 3 ? OUTCOME_RIGHT : OUTCOME_WRONG);
}

/* Answers until the power is cut. A new session and a closing now and then, so that all that is stored and
 * tidied comes under the cuts. */
static _Noreturn void work(int pipe_end, long calls, uint32_t seed)
{
    struct store *store;
    struct heal_report report = { 0 };
    fixture.options.vfs = "cut";
    cut_vfs_start();
    cut_vfs_set(calls, seed);
    for (int i = 0; i < ANSWERS;) {
        if (!heal_open(&store, fixture.path, &fixture.options, NULL, &report, &error)) {
            fprintf(stderr, "%s\n", error.message);
            _exit(1);
        }
        if (report.outcome != HEAL_SOUND)
            _exit(2);
        heal_report_finish(&report);
        for (int k = 0; k < 1 + (int)(seed % 7); k++, i++) {
            int number = next_number + i, session_number = 1 + number / 11 % 13 * 2;
            struct store_session session = fixture_session(session_number, session_number + 1,
                                                           session_number % 4 == 1 ? "Ann" : "Berta");
            struct store_attempt attempt = make_attempt(number);
            if (!store_add_attempt(store, &session, &attempt, NULL, &error)) {
                fprintf(stderr, "%s\n", error.message);
                _exit(3);
            }
            if (write(pipe_end, &number, sizeof number) != sizeof number)
                _exit(4);
        }
        store_close(store);
    }
    _exit(0);
}

static bool one_run(long calls, uint32_t seed)
{
    int ends[2], number, status;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(ends[0]);
        work(ends[1], calls, seed);
    }
    close(ends[1]);
    while (read(ends[0], &number, sizeof number) == sizeof number)
        told = number - FIRST_ID + 1;
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!WIFEXITED(status) || (WEXITSTATUS(status) != CUT_STATUS && WEXITSTATUS(status) != 0))
        fail_msg("seed %u, call %ld: ended with %d", seed, calls, status);
    return WEXITSTATUS(status) == CUT_STATUS;
}

static int64_t stored(int from, int count)
{
    char *sql = malloc((size_t)count * 40 + 200), *to = sql;
    assert_non_null(sql);
    to += sprintf(to, "SELECT count(*) FROM attempt WHERE attempt_id IN (x''");
    for (int i = 0; i < count; i++) {
        struct uuid id = fixture_id(from + i);
        char hex[33];
        hash_hex(hex, id.bytes, sizeof id.bytes);
        to += sprintf(to, ",x'%s'", hex);
    }
    strcpy(to, ")");
    int64_t found = fixture_sql(fixture.path, sql);
    free(sql);
    return found;
}

static void expect_all(const char *where, uint32_t seed, enum heal_outcome outcome)
{
    struct store *store;
    struct heal_report report = { 0 };
    fixture.options.vfs = NULL;
    if (!heal_open(&store, fixture.path, &fixture.options, NULL, &report, &error))
        fail_msg("seed %u, %s: %s", seed, where, error.message);
    if (report.outcome != outcome || stored(FIRST_ID, told) != told || report.refused)
        fail_msg("seed %u, %s: outcome %d, %d of %d, %d refused: %s", seed, where, (int)report.outcome,
                 (int)stored(FIRST_ID, told), told, (int)report.refused, report.why);
    assert_true(store_check(store, &error));
    fixture_expect_in_step(store);
    store_close(store);
    heal_report_finish(&report);
    /* what was not told may be there: the next run goes on behind it */
    next_number = FIRST_ID + told;
    while (stored(next_number, 1))
        next_number++;
    told = next_number - FIRST_ID;
}

static void lose_store(void)
{
    static const char *const endings[] = { "-wal", "-shm", "-journal" };
    unlink(fixture.path);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        unlink(fixture_beside(fixture.path, endings[i]));
}

static void test_cuts(void **state)
{
    (void)state;
    int happened = 0, answers = 0;
    for (int i = 0; i < cuts; i++) {
        uint32_t seed = (uint32_t)(first_seed + i);
        if (i % CUTS_A_STORE == 0) {
            if (i)
                fixture_end(&fixture);
            fixture_start(&fixture);
            answers += told;
            told = 0;
            next_number = FIRST_ID;
        }
        happened += one_run(1 + (long)(seed * UINT32_C(2654435761) % CALLS), seed);
        unlink(fixture_beside(fixture.path, "-shm")); /* memory that went with the power */
        if (i % 4 == 1 && told) {                     /* before the store could mend it */
            lose_store();
            expect_all("the second log at once", seed, HEAL_RESTORED);
            continue;
        }
        expect_all("the store", seed, HEAL_SOUND);
        if (i % 4 == 3 && told) {
            lose_store();
            expect_all("the second log", seed, HEAL_RESTORED);
        }
    }
    answers += told;
    fixture_end(&fixture);
    print_message("%d cuts, %d answers\n", happened, answers);
    assert_true(happened * 2 > cuts);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_cuts) };
    cuts = slice_of(count > 1 ? atoi(arguments[1]) : CUTS);
    fixture_in_memory();
    first_seed = count > 2 ? atoi(arguments[2]) : 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
