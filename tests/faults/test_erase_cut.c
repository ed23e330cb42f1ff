/*
 * test_erase_cut [SEEDS]: the power is cut at each call to the disk in turn while a learner is erased
 * (cut_vfs.h). The store then has them whole or not at all, and what comes of a damaged one out of backup and
 * second log never brings back who is gone; nothing of anybody else is missing.
 */
#include "cut_vfs.h"
#include "fixture.h"

#include <quiztutor/heal.h>
#include <quiztutor/roster.h>

#include <sys/wait.h>
#include <unistd.h>

enum { SEEDS = 1, CALLS = 2000 /* more than erasing makes */, ANN = 12, BERTA = 9, FILES = 4 };
static const char *const endings[FILES] = { "", "-wal", "-attempts", "-lock" };

static int seeds = SEEDS, step = 1;
static struct fixture fixture;
static struct error error;
static char backups[FIXTURE_PATH + 16], *backup;

/* All files of a store, at one moment. */
struct moment {
    unsigned char *bytes[FILES];
    ptrdiff_t length[FILES];
};

static void take(struct moment *moment)
{
    for (int i = 0; i < FILES; i++)
        moment->bytes[i] = fixture_read(fixture_beside(fixture.path, endings[i]), &moment->length[i]);
}

static void put(const struct moment *moment)
{
    unlink(fixture_beside(fixture.path, "-shm"));
    unlink(fixture_beside(fixture.path, "-journal"));
    for (int i = 0; i < FILES; i++) {
        const char *path = fixture_beside(fixture.path, endings[i]);
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

static struct store *open_with(const char *vfs, enum heal_outcome *outcome)
{
    struct heal_report report = { 0 };
    struct store *store;
    fixture.options.vfs = vfs;
    if (!heal_open(&store, fixture.path, &fixture.options, backups, &report, &error))
        return NULL;
    *outcome = report.outcome;
    heal_report_finish(&report);
    return store;
}

static void answer(struct store *store, int session, int learner, const char *name, int from, int count)
{
    struct store_session of = fixture_session(session, learner, name);
    for (int i = from; i < from + count; i++) {
        char question[16];
        snprintf(question, sizeof question, "q%d", i % 5);
        struct store_attempt attempt = fixture_attempt(i, question, OUTCOME_RIGHT);
        fixture_add(store, &of, &attempt);
    }
}

/* Both are in the backup already, and have answered since. */
static int start(void **state)
{
    (void)state;
    enum heal_outcome outcome;
    int removed;
    fixture_start(&fixture);
    snprintf(backups, sizeof backups, "%s/backups", fixture.folder);
    struct store *store = open_with(NULL, &outcome);
    assert_non_null(store);
    answer(store, 1, 2, "Ann", 100, 6);
    answer(store, 3, 4, "Berta", 200, 5);
    assert_true(backup_rotate(store, backups, 3, &backup, &removed, &error));
    answer(store, 1, 2, "Ann", 106, ANN - 6);
    answer(store, 3, 4, "Berta", 205, BERTA - 5);
    store_close(store);
    return 0;
}

static int end(void **state)
{
    (void)state;
    memory_free(backup);
    fixture_end(&fixture);
    return 0;
}

/* What was told before the cut. */
enum told { TOLD_NOTHING, TOLD_ERASED, TOLD_CLEAN };

static _Noreturn void work(int told, long call, uint32_t seed)
{
    enum heal_outcome outcome;
    struct roster_count gone;
    struct uuid berta = fixture_id(4);
    cut_vfs_start();
    struct store *store = open_with("cut", &outcome);
    if (!store)
        _exit(1);
    cut_vfs_set(call, seed);
    if (!roster_erase(store, &berta, &gone, &error) || write(told, "E", 1) != 1)
        _exit(2);
    if (!roster_clean(store, NULL, &error) || write(told, "C", 1) != 1)
        _exit(3);
    store_close(store);
    _exit(0);
}

/* False: it came to its end before that call. */
static bool cut(long call, uint32_t seed, enum told *told)
{
    int ends[2], status;
    char byte;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(ends[0]);
        work(ends[1], call, seed);
    }
    close(ends[1]);
    *told = TOLD_NOTHING;
    while (read(ends[0], &byte, 1) == 1)
        *told = byte == 'E' ? TOLD_ERASED : TOLD_CLEAN;
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!WIFEXITED(status) || (WEXITSTATUS(status) != CUT_STATUS && WEXITSTATUS(status) != 0))
        fail_msg("call %ld, seed %u: ended with %x", call, seed, (unsigned)status);
    return WEXITSTATUS(status) == CUT_STATUS;
}

static bool file_has(const char *path, const char *text)
{
    ptrdiff_t length;
    unsigned char *bytes = fixture_read(path, &length);
    bool found = bytes && memmem(bytes, (size_t)length, text, strlen(text));
    memory_free(bytes);
    return found;
}

/* Whether Berta is there, with all of hers; Ann is, in any case. */
static bool has_berta(const char *where, long call, uint32_t seed)
{
    int64_t ann = fixture_sql(fixture.path, "SELECT count(*) FROM attempt JOIN learner USING (learner_id)"
                                            " WHERE name = 'Ann'");
    int64_t berta = fixture_sql(fixture.path, "SELECT count(*) FROM attempt JOIN learner USING (learner_id)"
                                              " WHERE name = 'Berta'");
    int64_t rows = fixture_sql(fixture.path, "SELECT count(*) FROM attempt");
    if (ann != ANN || (berta && berta != BERTA) || rows != ann + berta)
        fail_msg("%s, call %ld, seed %u: %d and %d of %d", where, call, seed, (int)ann, (int)berta,
                 (int)rows);
    return berta > 0;
}

static bool open_again(const char *where, long call, uint32_t seed, enum heal_outcome wanted)
{
    enum heal_outcome outcome;
    struct store *store = open_with(NULL, &outcome);
    if (!store || outcome != wanted)
        fail_msg("%s, call %ld, seed %u: outcome %d, %s", where, call, seed, (int)outcome, error.message);
    assert_true(store_check(store, &error));
    fixture_expect_in_step(store);
    store_close(store);
    return has_berta(where, call, seed);
}

static void lose_store(void)
{
    unlink(fixture.path);
    unlink(fixture_beside(fixture.path, "-wal"));
    unlink(fixture_beside(fixture.path, "-shm"));
    unlink(fixture_beside(fixture.path, "-journal"));
}

static bool one_cut(const struct moment *before, long call, uint32_t seed)
{
    struct moment after;
    enum told told;
    put(before);
    bool happened = cut(call, seed, &told);
    unlink(fixture_beside(fixture.path, "-shm"));
    take(&after);
    bool there = open_again("the store", call, seed, HEAL_SOUND);
    if (there && told)
        fail_msg("call %ld, seed %u: was told as erased", call, seed);
    if (there != file_has(fixture_beside(fixture.path, "-attempts"), "Berta"))
        fail_msg("call %ld, seed %u: the second log is not as the store", call, seed);
    lose_store(); /* later: the store was sound, so its log says what is so */
    if (open_again("lost later", call, seed, HEAL_RESTORED) != there)
        fail_msg("call %ld, seed %u: lost later, it is otherwise", call, seed);
    put(&after);
    lose_store(); /* by the same cut */
    if (open_again("lost by the cut", call, seed, HEAL_RESTORED) && !there)
        fail_msg("call %ld, seed %u: she came back", call, seed);
    if (!there && file_has(fixture.path, "Berta"))
        fail_msg("call %ld, seed %u: her name came back", call, seed);
    drop(&after);
    return happened;
}

static void test_each_call(void **state)
{
    (void)state;
    struct moment before;
    long cuts = 0;
    take(&before);
    for (int seed = 1; seed <= seeds; seed++) {
        long call = 1;
        for (; call < CALLS && one_cut(&before, call, (uint32_t)seed); call += step)
            cuts++;
        assert_true(call < CALLS && call > 10);
    }
    drop(&before);
    print_message("%ld cuts\n", cuts);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test_setup_teardown(test_each_call, start, end) };
    const char *slice = getenv("TEST_SLICE");
    seeds = count > 1 ? atoi(arguments[1]) : SEEDS;
    step = slice && atoi(slice) > 1 ? atoi(slice) : 1;
    fixture_in_memory();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
