/*
 * One durable answer in a store of 300,000, its schedule and all sums for reports with it, against the least
 * that could be done: BEGIN IMMEDIATE, one prepared insert of the same row and one of the question's schedule
 * into the same tables with the same indexes and pragmas, COMMIT. Runs of both take turns; the smallest of
 * each are compared. Before that the schedules and sums of all answers are made anew, as for a log of an
 * older release, and the time is told. usage: bench_attempt [ROWS [ALLOWED [second]]]; status 1 when an
 * answer takes more than ALLOWED (1.6) times as long. second: the store keeps a second log, as a kiosk's
 * does.
 */
#include <quiztutor/store.h>

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ROWS = 300000, RUNS = 11, ANSWERS = 100, QUESTIONS = 300 };

#define ATTEMPT                                                                                              \
    "seq, attempt_id, session_id, learner_id, device_id, boot_id, pack_id, question_id, revision, content, " \
    "seed, showing, shown, response, outcome, mark, marks, certainty, hints, elapsed_ms, answered_at, "      \
    "utc_offset_s, origin"
#define SCHEDULE                                                                                             \
    "learner_id, pack_id, question_id, revision, content, phase, step, stability, difficulty, answers, "     \
    "lapses, run, run_day, last_at, last_day, due_day, due_at, interval_days, retention, outcome, "          \
    "answered_at, counted, right_answers, last_seq, starred, suspended"

static const char *const fill =
    "PRAGMA synchronous = OFF; BEGIN;"
    "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 299)"
    " INSERT INTO learner(learner_id, name, name_key, created_at)"
    " SELECT randomblob(16), 'learner ' || i, 'learner ' || i, i FROM n;"
    "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 14999)"
    " INSERT INTO session SELECT unhex_id(i), i + 1, (SELECT learner_id FROM learner WHERE name = 'learner ' "
    "|| (i % 300)),"
    " (SELECT device_id FROM meta), 'practice', 'screen', i, '{}', '[]', i, 0 FROM n;"
    "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < :rows - 1)"
    " INSERT INTO attempt(" ATTEMPT
    ") SELECT 20001 + i, unhex_id(i + 1000000), session.session_id, session.learner_id,"
    " session.device_id, NULL, 'pack-' || (i % 7), 'question-' || (i % 300), 'a1b2c3d4', NULL, i, 1,"
    " '{\"choices\":[3,1,4,2]}', '[3]', 'right', 1, 1, NULL, 0, 9000, 1700000000000 + i * 1000, 3600, "
    "'screen'"
    " FROM n JOIN session ON session.session_id = unhex_id(i * 15000 / :rows);"
    "UPDATE meta SET next_seq = 20001 + :rows; COMMIT; PRAGMA wal_checkpoint(TRUNCATE);";

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "bench_attempt: %s\n", what);
    exit(2);
}

/* Ids that ascend with time, as UUIDs version 7 do. */
static void unhex_id(sqlite3_context *context, int count, sqlite3_value **values)
{
    unsigned char id[16] = { 1 };
    sqlite3_int64 number = sqlite3_value_int64(values[0]);
    uint64_t noise = (uint64_t)number * UINT64_C(0x9e3779b97f4a7c15);
    (void)count;
    for (int i = 0; i < 7; i++)
        id[1 + i] = (unsigned char)(number >> (48 - 8 * i));
    memcpy(id + 8, &noise, sizeof noise);
    sqlite3_result_blob(context, id, sizeof id, SQLITE_TRANSIENT);
}

static void run_sql(sqlite3 *db, const char *sql, int rows)
{
    const char *rest = sql;
    while (*rest) {
        sqlite3_stmt *statement;
        if (sqlite3_prepare_v2(db, rest, -1, &statement, &rest) != SQLITE_OK)
            die(sqlite3_errmsg(db));
        int place = sqlite3_bind_parameter_index(statement, ":rows");
        if (place)
            sqlite3_bind_int(statement, place, rows);
        int result = statement ? sqlite3_step(statement) : SQLITE_DONE;
        if (result != SQLITE_DONE && result != SQLITE_ROW)
            die(sqlite3_errmsg(db));
        sqlite3_finalize(statement);
    }
}

static bool second_log; /* the store keeps one beside it, as a kiosk's does */

static struct store *open_store(const char *path)
{
    struct store *store;
    struct error error;
    struct store_options options = { .clock = clock_system(), .second_log = second_log };
    if (!store_open(&store, path, &options, &error))
        die(error.message);
    return store;
}

static void make_store(const char *path, int rows)
{
    sqlite3 *db;
    store_close(open_store(path));
    if (sqlite3_open(path, &db) != SQLITE_OK ||
        sqlite3_create_function(db, "unhex_id", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, unhex_id, NULL,
                                NULL))
        die("can't make the store");
    run_sql(db, fill, rows);
    sqlite3_close(db);
    sync();
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static struct store_session session = {
    .learner = { .name = "Ann", .login = "ann" },
    .kind = "practice",
    .origin = "screen",
    .seed = 4000000000u,
    .options = "{\"limit\":null,\"mode\":\"due\",\"packs\":[\"pack-1\"],\"tag\":null}",
    .plan = "[]"
};

static void make_attempt(struct store_attempt *attempt, int number)
{
    static char question[32];
    snprintf(question, sizeof question, "question-%d", number * 7 % QUESTIONS);
    *attempt =
        (struct store_attempt){ .pack_id = "pack-1",
                                .question_id = question,
                                .revision = "a1b2c3d4",
                                .body = "{\"prompt\":\"Which one?\",\"choices\":[\"a\",\"b\",\"c\",\"d\"]}",
                                .seed = 4000000000u,
                                .showing = 1,
                                .shown = "{\"choices\":[3,1,4,2]}",
                                .response = "[3]",
                                .verdict = { OUTCOME_RIGHT, 1, 1, 1 },
                                .elapsed_ms = 9000,
                                .answered_at = INT64_C(1800000000000) + number,
                                .utc_offset_s = 3600,
                                .origin = "screen" };
    uuid_make(&attempt->id, attempt->answered_at);
    hash_of(&attempt->content, question, (ptrdiff_t)strlen(question));
}

/* ms for an answer, through the store */
static double run_ours(struct store *store, int number)
{
    struct error error;
    struct store_attempt attempt;
    make_attempt(&attempt, number);
    double start = now();
    if (!store_add_attempt(store, &session, &attempt, NULL, &error))
        die(error.message);
    return now() - start;
}

struct bare {
    sqlite3 *db;
    sqlite3_stmt *begin, *insert, *upsert, *commit;
    sqlite3_int64 seq;
    struct uuid learner, session, device, boot;
};

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) != SQLITE_OK)
        die(sqlite3_errmsg(db));
    return statement;
}

static void read_id(sqlite3 *db, const char *sql, struct uuid *id)
{
    sqlite3_stmt *statement = prepare(db, sql);
    if (sqlite3_step(statement) != SQLITE_ROW || sqlite3_column_bytes(statement, 0) != sizeof id->bytes)
        die("no such row");
    memcpy(id->bytes, sqlite3_column_blob(statement, 0), sizeof id->bytes);
    sqlite3_finalize(statement);
}

static void bare_open(struct bare *bare, const char *path)
{
    if (sqlite3_open_v2(path, &bare->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        die("can't open the bare one");
    run_sql(bare->db,
            "PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA "
            "mmap_size = 0;"
            "PRAGMA recursive_triggers = ON; PRAGMA temp_store = MEMORY; PRAGMA secure_delete = ON;"
            "PRAGMA cache_size = -4096; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 1000",
            0);
    bare->begin = prepare(bare->db, "BEGIN IMMEDIATE");
    bare->commit = prepare(bare->db, "COMMIT");
    bare->insert = prepare(bare->db, "INSERT INTO attempt(" ATTEMPT
                                     ") VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13,"
                                     " ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23)");
    bare->upsert = prepare(
        bare->db, "INSERT INTO schedule(" SCHEDULE
                  ") VALUES(?1, ?2, ?3, ?4, ?5, 2, 0, ?6, 5.5, 4, 0, 2, 19000, ?7, 20000, ?8,"
                  " 0, 12, 0.9, 'right', ?7, 4, 3, ?9, 0, 0) ON CONFLICT(learner_id, pack_id, question_id)"
                  " DO UPDATE SET revision = ?4, content = ?5, phase = 2, step = 0, stability = ?6,"
                  " difficulty = 5.5, answers = 4, lapses = 0, run = 2, run_day = 19000, last_at = ?7,"
                  " last_day = 20000, due_day = ?8, due_at = 0, interval_days = 12, retention = 0.9,"
                  " outcome = 'right', answered_at = ?7, counted = 4, right_answers = 3, last_seq = ?9");
    read_id(bare->db, "SELECT learner_id FROM learner WHERE name = 'Ann'", &bare->learner);
    read_id(bare->db,
            "SELECT session_id FROM session WHERE learner_id = (SELECT learner_id FROM learner WHERE name = "
            "'Ann')",
            &bare->session);
    read_id(bare->db, "SELECT device_id FROM meta", &bare->device);
    bare->boot = bare->device;
    bare->seq = 1000000000;
}

static void bind_id(sqlite3_stmt *statement, int place, const struct uuid *id)
{
    sqlite3_bind_blob(statement, place, id->bytes, sizeof id->bytes, SQLITE_STATIC);
}

static void bind_text(sqlite3_stmt *statement, int place, const char *text)
{
    sqlite3_bind_text(statement, place, text, -1, SQLITE_STATIC);
}

static void step(sqlite3 *db, sqlite3_stmt *statement)
{
    if (sqlite3_step(statement) != SQLITE_DONE)
        die(sqlite3_errmsg(db));
    sqlite3_reset(statement);
}

static void bare_schedule(struct bare *bare, const struct store_attempt *attempt, int number)
{
    sqlite3_stmt *upsert = bare->upsert;
    bind_id(upsert, 1, &bare->learner);
    bind_text(upsert, 2, attempt->pack_id);
    bind_text(upsert, 3, attempt->question_id);
    bind_text(upsert, 4, attempt->revision);
    sqlite3_bind_blob(upsert, 5, attempt->content.bytes, sizeof attempt->content.bytes, SQLITE_STATIC);
    sqlite3_bind_double(upsert, 6, 3.5 + number / 7.0);
    sqlite3_bind_int64(upsert, 7, attempt->answered_at);
    sqlite3_bind_int64(upsert, 8, 20834 + number % 30);
    sqlite3_bind_int64(upsert, 9, bare->seq);
    step(bare->db, upsert);
}

static double run_bare(struct bare *bare, int number)
{
    struct store_attempt attempt;
    sqlite3_stmt *insert = bare->insert;
    make_attempt(&attempt, number);
    double start = now();
    step(bare->db, bare->begin);
    sqlite3_bind_int64(insert, 1, bare->seq++);
    bind_id(insert, 2, &attempt.id);
    bind_id(insert, 3, &bare->session);
    bind_id(insert, 4, &bare->learner);
    bind_id(insert, 5, &bare->device);
    bind_id(insert, 6, &bare->boot);
    bind_text(insert, 7, attempt.pack_id);
    bind_text(insert, 8, attempt.question_id);
    bind_text(insert, 9, attempt.revision);
    sqlite3_bind_blob(insert, 10, attempt.content.bytes, sizeof attempt.content.bytes, SQLITE_STATIC);
    sqlite3_bind_int64(insert, 11, attempt.seed);
    sqlite3_bind_int(insert, 12, attempt.showing);
    bind_text(insert, 13, attempt.shown);
    bind_text(insert, 14, attempt.response);
    bind_text(insert, 15, "right");
    sqlite3_bind_double(insert, 16, attempt.verdict.mark);
    sqlite3_bind_double(insert, 17, attempt.verdict.marks);
    sqlite3_bind_int(insert, 19, attempt.hints);
    sqlite3_bind_int64(insert, 20, attempt.elapsed_ms);
    sqlite3_bind_int64(insert, 21, attempt.answered_at);
    sqlite3_bind_int(insert, 22, attempt.utc_offset_s);
    bind_text(insert, 23, attempt.origin);
    step(bare->db, insert);
    bare_schedule(bare, &attempt, number);
    step(bare->db, bare->commit);
    return now() - start;
}

static void bare_close(struct bare *bare)
{
    sqlite3_finalize(bare->begin);
    sqlite3_finalize(bare->insert);
    sqlite3_finalize(bare->upsert);
    sqlite3_finalize(bare->commit);
    sqlite3_close(bare->db);
}

static void copy(const char *from, const char *to)
{
    static char bytes[1 << 16];
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    size_t length;
    if (!in || !out)
        die("can't copy the store");
    while ((length = fread(bytes, 1, sizeof bytes, in)) > 0) {
        if (fwrite(bytes, 1, length, out) != length)
            die("can't copy the store");
    }
    fclose(in);
    if (fflush(out) != 0 || fsync(fileno(out)) != 0 || fclose(out) != 0)
        die("can't copy the store");
}

static void clean(const char *folder)
{
    static const char *const names[] = { "ours", "bare" }, *const endings[] = { "",         "-wal",
                                                                                "-shm",     "-lock",
                                                                                "-reserve", "-attempts" };
    char path[600];
    for (size_t i = 0; i < 2; i++) {
        for (size_t j = 0; j < sizeof endings / sizeof *endings; j++) {
            snprintf(path, sizeof path, "%s/%s%s", folder, names[i], endings[j]);
            unlink(path);
        }
    }
    rmdir(folder);
}

/* The store knows the session and every question's text, as in the midst of a session. */
static int warm(struct store *store)
{
    for (int i = 0; i < QUESTIONS; i++)
        run_ours(store, i);
    return QUESTIONS;
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

int main(int count, char **arguments)
{
    int rows = count > 1 ? atoi(arguments[1]) : ROWS;
    double allowed = count > 2 ? atof(arguments[2]) : 1.6;
    second_log = count > 3 && strcmp(arguments[3], "second") == 0;
    char folder[400], ours_path[500], bare_path[500];
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/quiztutor-bench-XXXXXX", base && *base ? base : "/tmp");
    if (rows < 1000 || !hash_start() || !mkdtemp(folder))
        die("can't begin");
    snprintf(ours_path, sizeof ours_path, "%s/ours", folder);
    snprintf(bare_path, sizeof bare_path, "%s/bare", folder);
    make_store(ours_path, rows);
    uuid_make(&session.id, INT64_C(1800000000000));
    uuid_make(&session.learner.id, INT64_C(1800000000000));
    double begun = now();
    struct store *store = open_store(ours_path);
    double anew = now() - begun;
    int number = warm(store);
    store_close(store);
    copy(ours_path, bare_path);
    store = open_store(ours_path);
    struct bare bare = { 0 };
    bare_open(&bare, bare_path);
    double ours[RUNS], least[RUNS];
    warm(store);
    for (int run = -1; run < RUNS; run++) { /* the first does not count */
        double fast = 1e9, faster = 1e9;
        for (int i = 0; i < ANSWERS; i++, number++) {
            double one = run_ours(store, number), other = run_bare(&bare, number);
            fast = one < fast ? one : fast;
            faster = other < faster ? other : faster;
        }
        ours[run < 0 ? 0 : run] = fast;
        least[run < 0 ? 0 : run] = faster;
    }
    double ratio = median(ours) / median(least);
    store_close(store);
    bare_close(&bare);
    clean(folder);
    printf("schedules of %d answers made anew in %.2f s\n", rows, anew / 1e3);
    printf("one durable answer in %d: %.4f ms, bare %.4f ms, ratio %.3f (at most %.2f)\n", rows, median(ours),
           median(least), ratio, allowed);
    return ratio > allowed;
}
