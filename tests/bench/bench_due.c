/*
 * Handing over what is due, the longest overdue first: of 1,000,000 questions that are all due, against of
 * 1,000. Both stores are opened anew for each run, as at the start of a session. Runs of both take turns; the
 * medians of their fastest are compared. usage: bench_due [QUESTIONS [ALLOWED]]; status 1 when the large one
 * takes more than ALLOWED (2) times as long.
 */
#include <quiztutor/store.h>

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { QUESTIONS = 1000000, FEW = 1000, PACK = 1000, TAKEN = 200, RUNS = 11, TURNS = 10, TODAY = 20000 };

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "bench_due: %s\n", what);
    exit(2);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static struct store *open_store(const char *path)
{
    struct store *store;
    struct error error;
    struct store_options options = { .clock = clock_system() };
    if (!store_open(&store, path, &options, &error))
        die(error.message);
    return store;
}

/* Schedules without a log, written directly: one learner, packs of PACK questions but for the first, which
 * has all that its PACKs leave; due days scattered over four years, in no order. */
#define SCHEDULE                                                                                             \
    "learner_id, pack_id, question_id, revision, content, phase, step, stability, difficulty, answers, "     \
    "lapses, run, run_day, last_at, last_day, due_day, due_at, interval_days, retention, outcome, "          \
    "answered_at, counted, right_answers, last_seq, starred, suspended"

static const char *const fill =
    "PRAGMA synchronous = OFF; BEGIN;"
    "INSERT INTO learner(learner_id, name, name_key, created_at) VALUES(x'00000000000000000000000000000007', "
    "'Ann', 'ann', "
    "0);"
    "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < :count - 1)"
    " INSERT INTO schedule(" SCHEDULE
    ") SELECT learner_id, 'pack', printf('question-%07d', i * 7919 % :count),"
    "  'a1b2c3d4e5f60718', randomblob(32), 2, 0, 1.0 + i % 300 / 7.0, 5.5, 3, 0, 2, 18000, 1700000000000 + i,"
    "  18000, 20000 - i % 1400, 0, 12, 0.9, 'right', 1700000000000 + i, 3, 2, i, 0, 0 FROM n, learner;"
    "COMMIT; PRAGMA wal_checkpoint(TRUNCATE);";

static void make_store(const char *path, int count)
{
    sqlite3 *db;
    const char *rest = fill;
    store_close(open_store(path));
    if (sqlite3_open(path, &db) != SQLITE_OK)
        die("can't make the store");
    while (*rest) {
        sqlite3_stmt *statement;
        if (sqlite3_prepare_v2(db, rest, -1, &statement, &rest) != SQLITE_OK)
            die(sqlite3_errmsg(db));
        int place = sqlite3_bind_parameter_index(statement, ":count");
        if (place)
            sqlite3_bind_int(statement, place, count);
        int result = statement ? sqlite3_step(statement) : SQLITE_DONE;
        if (result != SQLITE_DONE && result != SQLITE_ROW)
            die(sqlite3_errmsg(db));
        sqlite3_finalize(statement);
    }
    sqlite3_close(db);
    sync();
}

static int64_t sum; /* so that nothing is left out */

/* ms for the TAKEN longest overdue */
static double take(struct store *store)
{
    struct uuid learner = { { 0 } };
    struct error error;
    struct rows *rows;
    learner.bytes[15] = 7;
    struct store_value due[] = { store_value_uuid(&learner), store_value_text("pack"),
                                 store_value_integer(TODAY), store_value_integer(INT64_C(1800000000000)) };
    double start = now();
    if (!rows_open(&rows, store, QUERY_DUE, due, 4, &error))
        die(error.message);
    for (int i = 0; i < TAKEN; i++) {
        struct store_schedule is;
        if (rows_step(rows, &error) != 1)
            die("too few are due");
        rows_schedule(rows, &is);
        sum += is.schedule.due_day + (int64_t)strlen(rows_text(rows, 0));
    }
    rows_close(rows);
    return now() - start;
}

/* The fastest of some turns, each on a store opened anew or on one that is open. */
static double fastest(const char *path, bool anew)
{
    double least = 1e9;
    struct store *store = anew ? NULL : open_store(path);
    if (store)
        take(store);
    for (int i = 0; i < TURNS; i++) {
        struct store *fresh = anew ? open_store(path) : store;
        double time = take(fresh);
        least = time < least ? time : least;
        if (anew)
            store_close(fresh);
    }
    store_close(store);
    return least;
}

static int by_size(const void *one, const void *other)
{
    double a = *(const double *)one, b = *(const double *)other;
    return a < b ? -1 : a > b;
}

static double median(double *values)
{
    qsort(values, RUNS, sizeof *values, by_size);
    return values[RUNS / 2];
}

static double compare(const char *large, const char *small, bool anew, int count)
{
    double many[RUNS], few[RUNS];
    for (int run = 0; run < RUNS; run++) {
        many[run] = fastest(large, anew);
        few[run] = fastest(small, anew);
    }
    double ratio = median(many) / median(few);
    printf("%d due of %d, %s: %.4f ms, of %d: %.4f ms, ratio %.3f\n", TAKEN, count,
           anew ? "store just opened" : "store in use", median(many), FEW, median(few), ratio);
    return ratio;
}

int main(int argument_count, char **arguments)
{
    int count = argument_count > 1 ? atoi(arguments[1]) : QUESTIONS;
    double allowed = argument_count > 2 ? atof(arguments[2]) : 2;
    char folder[400], large[500], small[500], path[600];
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/quiztutor-bench-XXXXXX", base && *base ? base : "/tmp");
    if (count < FEW || !hash_start() || !mkdtemp(folder))
        die("can't begin");
    snprintf(large, sizeof large, "%s/large", folder);
    snprintf(small, sizeof small, "%s/small", folder);
    make_store(large, count);
    make_store(small, FEW);
    double opened = compare(large, small, true, count), used = compare(large, small, false, count);
    static const char *const endings[] = { "", "-wal", "-shm", "-lock", "-reserve" };
    for (int i = 0; i < 10; i++) {
        snprintf(path, sizeof path, "%s%s", i < 5 ? large : small, endings[i % 5]);
        unlink(path);
    }
    rmdir(folder);
    return opened > allowed || used > allowed || sum == 0;
}
