/*
 * Reports of a large store, against one full scan of its attempts in the same run: first what is read, then
 * whole commands of the program, start and writing included. A class of 30 and one learner's progress, which
 * come from sums, take at most a hundredth of the scan, items of a pack of 100 questions at most the whole of
 * it, and no report more than 64 MB. The store is made here: learners practise ten questions of a pack at a
 * time, in turns; one answer in a hundred is taken back, one in a thousand graded anew. The smallest of RUNS
 * are compared. What is read is held to its bound at any size; whole commands are at 10,000,000 only: of a
 * tenth of that a scan takes little longer than some programs to start, and there they may take BESIDE ms
 * more.
 *
 * usage: bench_reports PROGRAM [ATTEMPTS [FOLDER]]: FOLDER keeps the store, or has one from before; status 1
 * when something takes longer, or more memory, than allowed.
 */
#include <quiztutor/store.h>

#include <fcntl.h>
#include <spawn.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ATTEMPTS = 1000000, EACH = 500, SESSION = 10, PACKS = 20, QUESTIONS = 100, GROUP = 30, RUNS = 5 };
enum { BATCH = 200000, UNDONE = 100, GRADED = 1000, LARGE = 10000000, LOG_MOST = 1000000, BESIDE = 40 };

static const double class_allowed = 0.01, progress_allowed = 0.01, items_allowed = 1, megabytes_allowed = 64;

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "bench_reports: %s\n", what);
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

/* Ids that ascend, as UUIDs version 7 do, told apart by their kind. */
static struct uuid make_id(int kind, int64_t number)
{
    struct uuid id = { { 0 } };
    uint64_t noise = (uint64_t)number * UINT64_C(0x9e3779b97f4a7c15);
    id.bytes[0] = (unsigned char)kind;
    for (int i = 0; i < 7; i++)
        id.bytes[1 + i] = (unsigned char)(number >> (48 - 8 * i));
    memcpy(id.bytes + 8, &noise, sizeof noise);
    return id;
}
enum { ID_LEARNER = 1, ID_SESSION, ID_ATTEMPT, ID_EVENT };

static uint64_t dice = 7;
static int draw(int below)
{
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    return (int)(dice % (uint64_t)below);
}

struct filling {
    sqlite3 *db;
    sqlite3_stmt *learner, *member, *text, *session, *attempt, *event;
    struct uuid device;
    struct hash contents[PACKS * QUESTIONS];
    int64_t seq, attempts, events;
};

static void run(sqlite3 *db, const char *sql)
{
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        die(sqlite3_errmsg(db));
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
        die(sqlite3_errmsg(db));
    return statement;
}

static void step(sqlite3_stmt *statement)
{
    if (sqlite3_step(statement) != SQLITE_DONE)
        die(sqlite3_errmsg(sqlite3_db_handle(statement)));
    sqlite3_reset(statement);
}

static void bind_id(sqlite3_stmt *statement, int place, const struct uuid *id)
{
    sqlite3_bind_blob(statement, place, id->bytes, sizeof id->bytes, SQLITE_TRANSIENT);
}

static void bind_text(sqlite3_stmt *statement, int place, const char *text)
{
    sqlite3_bind_text(statement, place, text, -1, SQLITE_TRANSIENT);
}

static void name_pack(char *text, int pack)
{
    snprintf(text, 16, "pack-%02d", pack);
}

static void name_question(char *text, int question)
{
    snprintf(text, 24, "question-%03d", question);
}

static void add_texts(struct filling *filling)
{
    char pack[16], question[24], body[400];
    for (int i = 0; i < PACKS * QUESTIONS; i++) {
        name_pack(pack, i / QUESTIONS);
        name_question(question, i % QUESTIONS);
        snprintf(
            body, sizeof body,
            "{\"choices\":[{\"correct\":true,\"text\":\"one of %d\"},{\"correct\":false,\"text\":\"two\"},"
            "{\"correct\":false,\"text\":\"three\"},{\"correct\":false,\"text\":\"four\"}],\"explanation\":"
            "\"It follows from the first.\",\"prompt\":\"Which of these is it, in case %d?\",\"type\":"
            "\"single-choice\"}",
            i, i);
        hash_of(&filling->contents[i], body, (ptrdiff_t)strlen(body));
        sqlite3_bind_blob(filling->text, 1, filling->contents[i].bytes, 32, SQLITE_TRANSIENT);
        bind_text(filling->text, 2, pack);
        bind_text(filling->text, 3, question);
        bind_text(filling->text, 4, body);
        step(filling->text);
    }
}

static void add_learners(struct filling *filling, int learners)
{
    char name[32];
    for (int i = 0; i < learners; i++) {
        struct uuid id = make_id(ID_LEARNER, i);
        snprintf(name, sizeof name, "learner %05d", i);
        bind_id(filling->learner, 1, &id);
        bind_text(filling->learner, 2, name);
        step(filling->learner);
        if (i % (learners / GROUP) == 0 && i / (learners / GROUP) < GROUP) {
            bind_id(filling->member, 1, &id);
            step(filling->member);
        }
    }
}

static void add_event(struct filling *filling, const char *kind, const struct uuid *attempt,
                      const struct uuid *session, const struct uuid *learner, const char *body, int64_t at)
{
    struct uuid id = make_id(ID_EVENT, filling->events++);
    sqlite3_bind_int64(filling->event, 1, filling->seq++);
    bind_id(filling->event, 2, &id);
    bind_text(filling->event, 3, kind);
    bind_id(filling->event, 4, session);
    bind_id(filling->event, 5, attempt);
    bind_id(filling->event, 6, learner);
    bind_id(filling->event, 7, &filling->device);
    bind_text(filling->event, 8, body);
    sqlite3_bind_int64(filling->event, 9, at);
    step(filling->event);
}

static void add_attempt(struct filling *filling, const struct uuid *session, const struct uuid *learner,
                        int pack, int showing, int64_t at)
{
    static const char *const responses[] = { "[1]", "[2]", "[3]", "[4]" };
    static const char *const outcomes[] = { "right", "wrong", "wrong", "wrong" };
    char pack_id[16], question_id[24];
    int question = draw(QUESTIONS), response = draw(10) < 6 ? 0 : draw(4);
    struct uuid id = make_id(ID_ATTEMPT, filling->attempts++);
    sqlite3_stmt *into = filling->attempt;
    name_pack(pack_id, pack);
    name_question(question_id, question);
    sqlite3_bind_int64(into, 1, filling->seq++);
    bind_id(into, 2, &id);
    bind_id(into, 3, session);
    bind_id(into, 4, learner);
    bind_id(into, 5, &filling->device);
    bind_text(into, 6, pack_id);
    bind_text(into, 7, question_id);
    sqlite3_bind_blob(into, 8, filling->contents[pack * QUESTIONS + question].bytes, 32, SQLITE_TRANSIENT);
    sqlite3_bind_int64(into, 9, draw(1000000000));
    sqlite3_bind_int(into, 10, showing);
    bind_text(into, 11, responses[response]);
    bind_text(into, 12, outcomes[response]);
    sqlite3_bind_double(into, 13, response == 0);
    sqlite3_bind_int(into, 14, 2000 + draw(40000));
    sqlite3_bind_int64(into, 15, at);
    step(into);
    if (draw(UNDONE) == 0)
        add_event(filling, "undone", &id, session, learner, NULL, at + 100);
    if (draw(GRADED) == 0)
        add_event(filling, "regraded", &id, session, learner,
                  "{\"mark\":1,\"marks\":1,\"outcome\":\"right\"}", at + 200);
}

/* One session of each learner, in turns. */
static void add_round(struct filling *filling, int learners, int round)
{
    static int64_t last;
    for (int i = 0; i < learners; i++) {
        struct uuid learner = make_id(ID_LEARNER, i),
                    session = make_id(ID_SESSION, (int64_t)round * learners + i);
        int pack = draw(PACKS);
        int64_t at = INT64_C(1600000000000) + round * INT64_C(200000000) + i * INT64_C(5000);
        bind_id(filling->session, 1, &session);
        sqlite3_bind_int64(filling->session, 2, filling->seq++);
        bind_id(filling->session, 3, &learner);
        bind_id(filling->session, 4, &filling->device);
        sqlite3_bind_int64(filling->session, 5, at);
        step(filling->session);
        for (int k = 0; k < SESSION; k++)
            add_attempt(filling, &session, &learner, pack, 1 + (k > 7), at + 1000 * k);
        if (filling->seq - last > BATCH) {
            run(filling->db, "COMMIT; BEGIN");
            last = filling->seq;
        }
    }
}

/* Indexes are made afterwards, in order, which is many times as fast; sums when the store is opened. */
static void fill(const char *path, int attempts)
{
    struct filling filling = { .seq = 1 };
    int learners = attempts / EACH, count = 0;
    char *indexes[64];
    if (sqlite3_open(path, &filling.db) != SQLITE_OK)
        die("can't fill the store");
    run(filling.db, "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; PRAGMA cache_size = -200000");
    sqlite3_stmt *list =
        prepare(filling.db, "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS"
                            " NOT NULL AND tbl_name IN ('attempt', 'session', 'event')");
    char drops[4000] = "";
    while (sqlite3_step(list) == SQLITE_ROW) {
        indexes[count++] = strdup((const char *)sqlite3_column_text(list, 1));
        strcat(strcat(strcat(drops, "DROP INDEX "), (const char *)sqlite3_column_text(list, 0)), ";");
    }
    sqlite3_finalize(list);
    run(filling.db, drops);
    filling.learner = prepare(filling.db, "INSERT INTO learner(learner_id, name, name_key, created_at)"
                                          " VALUES(?1, ?2, ?2, 0)");
    filling.member = prepare(filling.db, "INSERT INTO member VALUES('class', ?1, 'Class')");
    filling.text =
        prepare(filling.db, "INSERT INTO question_text VALUES(?1, ?2, ?3, 'a1b2c3d4e5f60718', ?4)");
    filling.session =
        prepare(filling.db, "INSERT INTO session VALUES(?1, ?2, ?3, ?4, 'practice', 'screen', 7,"
                            " '{\"limit\":10,\"mode\":\"due\",\"packs\":[\"pack-01\"],\"tag\":null}',"
                            " '[]', ?5, 3600)");
    filling.attempt = prepare(
        filling.db,
        "INSERT INTO attempt(seq, attempt_id, session_id, learner_id, device_id, pack_id, question_id,"
        " revision, content, seed, showing, shown, response, outcome, mark, marks, elapsed_ms,"
        " answered_at, utc_offset_s, origin) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, 'a1b2c3d4e5f60718',"
        " ?8, ?9, ?10, '{\"choices\":[3,1,4,2]}', ?11, ?12, ?13, 1, ?14, ?15, 3600, 'screen')");
    filling.event =
        prepare(filling.db, "INSERT INTO event(seq, event_id, kind, session_id, attempt_id, learner_id,"
                            " device_id, body, at, utc_offset_s) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8,"
                            " ?9, 3600)");
    run(filling.db, "BEGIN");
    add_texts(&filling);
    add_learners(&filling, learners);
    for (int i = 0; i < EACH / SESSION; i++)
        add_round(&filling, learners, i);
    sqlite3_stmt *seq = prepare(filling.db, "UPDATE meta SET next_seq = ?1");
    sqlite3_bind_int64(seq, 1, filling.seq);
    step(seq);
    run(filling.db, "COMMIT");
    sqlite3_stmt *all[] = { filling.learner, filling.member, filling.text, filling.session,
                            filling.attempt, filling.event,  seq };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        sqlite3_finalize(all[i]);
    for (int i = 0; i < count; i++) {
        run(filling.db, indexes[i]);
        free(indexes[i]);
    }
    sqlite3_close(filling.db);
    sync();
}

static int64_t touched; /* so that nothing is left out */

/* ms for a query with all its rows read; *count of them. */
static double read_all(struct store *store, enum store_query query, const struct store_value *parameters,
                       int count, int columns, int64_t *rows_read)
{
    struct rows *rows;
    struct error error;
    int result;
    double start = now();
    if (!rows_open(&rows, store, query, parameters, count, &error))
        die(error.message);
    while ((result = rows_step(rows, &error)) > 0) {
        for (int i = 0; i < columns; i++) {
            const char *text = rows_text(rows, i);
            touched += text ? *text : i;
        }
        ++*rows_read;
    }
    rows_close(rows);
    if (result < 0)
        die(error.message);
    return now() - start;
}

static double scan(const char *path)
{
    sqlite3 *db;
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK)
        die("can't scan the store");
    run(db, "PRAGMA mmap_size = 0; PRAGMA cache_size = -4096; PRAGMA cell_size_check = ON");
    double start = now();
    sqlite3_stmt *statement = prepare(db, "SELECT count(*), sum(mark) FROM attempt");
    if (sqlite3_step(statement) != SQLITE_ROW)
        die(sqlite3_errmsg(db));
    touched += sqlite3_column_int64(statement, 0);
    double taken = now() - start;
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return taken;
}

enum measure { MEASURE_CLASS, MEASURE_CLASS_PACK, MEASURE_PROGRESS, MEASURE_ITEMS, MEASURES };

static double measure(struct store *store, enum measure which, int64_t *rows)
{
    struct uuid id = make_id(ID_LEARNER, 77);
    const struct store_value null = store_value_null(), learner = store_value_uuid(&id),
                             group = store_value_text("class"), pack = store_value_text("pack-07");
    struct store_value two[] = { group, which == MEASURE_CLASS_PACK ? pack : null };
    struct store_value days[] = { learner, store_value_integer(0) };
    struct store_value misses[] = { learner, null, store_value_integer(20) };
    struct store_value attempts[] = { pack, null, null, null, null, null, null };
    struct store_value undone[] = { two[1], null, group }, taken_back[] = { null, learner, null };
    switch (which) {
    case MEASURE_CLASS:
    case MEASURE_CLASS_PACK:
        return read_all(store, QUERY_CLASS, two, 2, CLASS_COLUMNS, rows) +
               read_all(store, QUERY_UNDONE_COUNTS, undone, 3, 3, rows);
    case MEASURE_PROGRESS:
        return read_all(store, QUERY_PROGRESS_PACKS, &learner, 1, 14, rows) +
               read_all(store, QUERY_PROGRESS_DAYS, days, 2, 7, rows) +
               read_all(store, QUERY_LEARNER_SCHEDULES, &learner, 1, KEPT_COLUMNS, rows) +
               read_all(store, QUERY_UNDONE_COUNTS, taken_back, 3, 3, rows) +
               read_all(store, QUERY_MISSES, misses, 3, ATTEMPT_COLUMNS + 1, rows);
    case MEASURE_ITEMS:
    case MEASURES:
        break;
    }
    return read_all(store, QUERY_ATTEMPTS, attempts, 7, ATTEMPT_COLUMNS, rows);
}

/* MB, at most, since the last call. */
static double peak(void)
{
    char line[200];
    double most = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "VmHWM:", 6) == 0)
            most = strtod(line + 6, NULL) / 1024;
    if (file)
        fclose(file);
    file = fopen("/proc/self/clear_refs", "w");
    if (file) {
        fputs("5", file);
        fclose(file);
    }
    return most;
}

static bool compare(const char *path)
{
    static const char *const names[] = { "a class of 30", "the same in one pack", "progress of one learner",
                                         "attempts at a pack of 100 questions" };
    const double allowed[] = { class_allowed, class_allowed, progress_allowed, items_allowed };
    double whole = 1e300, best[MEASURES] = { 1e300, 1e300, 1e300, 1e300 };
    int64_t rows[MEASURES];
    bool fast = true;
    peak();
    struct store *store = open_store(path);
    for (int i = 0; i < RUNS; i++) {
        double one = scan(path);
        whole = one < whole ? one : whole;
        for (int k = 0; k < MEASURES; k++) {
            rows[k] = 0;
            one = measure(store, (enum measure)k, &rows[k]);
            best[k] = one < best[k] ? one : best[k];
        }
    }
    store_close(store);
    printf("one scan of all attempts: %.1f ms; at most %.1f MB held\n", whole, peak());
    for (int k = 0; k < MEASURES; k++) {
        printf("%s: %lld rows in %.2f ms, %.2f %% of it (at most %.0f %%)\n", names[k], (long long)rows[k],
               best[k], 100 * best[k] / whole, 100 * allowed[k]);
        fast = fast && best[k] <= allowed[k] * whole;
    }
    return fast;
}

/* ---- whole commands ---- */

enum { WORDS = 8 };

static const struct command {
    const char *what, *words[WORDS]; /* after `report` */
    double allowed;                  /* of a scan; 0: what it takes is only told */
    bool log; /* it walks through all attempts: run once, of a store that is not too large */
} commands[] = {
    { "class of 30", { "class", "--group", "class" }, 0.01, false },
    { "progress", { "progress", "--learner", "learner 00077" }, 0.01, false },
    { "items", { "items", "--pack", "pack-07" }, 1, false },
    { "class of everybody", { "class" }, 0, false },
    { "problems", { "problems" }, 0, false },
    { "class since a day", { "class", "--since", "2020-12-01" }, 0, true },
    { "items of all packs", { "items", "--to", "json" }, 0, true },
    { "misconceptions", { "misconceptions" }, 0, true },
    { "grades", { "grades", "--for", "moodle" }, 0, true },
    { "attempts, CSV", { "attempts", "--to", "csv" }, 0, true },
};
enum { COMMANDS = sizeof commands / sizeof *commands };

/* ms; *megabytes is raised to what it held at most. */
static double run_command(const char *program, const char *path, const struct command *command,
                          double *megabytes)
{
    extern char **environ;
    const char *words[WORDS + 5] = { program, "report" };
    char *arguments[WORDS + 5];
    int count = 2, status;
    struct rusage usage;
    pid_t child;
    for (int i = 0; i < WORDS && command->words[i]; i++)
        words[count++] = command->words[i];
    words[count++] = "--store";
    words[count++] = path;
    for (int i = 0; i < count; i++)
        arguments[i] = strdup(words[i]);
    arguments[count] = NULL;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    double start = now();
    if (posix_spawn(&child, program, &actions, NULL, arguments, environ) != 0 ||
        wait4(child, &status, 0, &usage) != child || status != 0)
        die("a report failed");
    double taken = now() - start;
    posix_spawn_file_actions_destroy(&actions);
    for (int i = 0; i < count; i++)
        free(arguments[i]);
    double held = (double)usage.ru_maxrss / 1024;
    *megabytes = held > *megabytes ? held : *megabytes;
    return taken;
}

static bool compare_commands(const char *program, const char *path, int attempts)
{
    double whole = 1e300, best[COMMANDS], megabytes[COMMANDS] = { 0 };
    bool good = true;
    for (int i = 0; i < RUNS; i++) {
        double one = scan(path);
        whole = one < whole ? one : whole;
        for (int k = 0; k < COMMANDS; k++) {
            bool once = commands[k].log || commands[k].allowed == 0;
            if ((i && once) || (commands[k].log && attempts > LOG_MOST))
                continue;
            one = run_command(program, path, &commands[k], &megabytes[k]);
            best[k] = !i || one < best[k] ? one : best[k];
        }
    }
    printf("whole commands, and one scan in %.1f ms:\n", whole);
    for (int k = 0; k < COMMANDS; k++) {
        const struct command *is = &commands[k];
        double most = is->allowed * whole + (attempts < LARGE ? BESIDE : 0);
        if (is->log && attempts > LOG_MOST)
            continue;
        printf("%s: %.1f ms, %.2f %% of it", is->what, best[k], 100 * best[k] / whole);
        if (is->allowed > 0)
            printf(" (at most %.1f ms)", most);
        printf("; %.1f MB (at most %.0f)\n", megabytes[k], megabytes_allowed);
        good = good && (is->allowed == 0 || best[k] <= most) && megabytes[k] <= megabytes_allowed;
    }
    return good;
}

static void make(const char *path, int attempts)
{
    double begun = now();
    store_close(open_store(path));
    fill(path, attempts);
    double filled = now();
    store_close(open_store(path));
    printf("%d attempts of %d learners: made in %.1f s, sums and schedules in %.1f s\n", attempts,
           attempts / EACH, (filled - begun) / 1e3, (now() - filled) / 1e3);
}

int main(int count, char **arguments)
{
    int attempts = count > 2 ? atoi(arguments[2]) : ATTEMPTS;
    char folder[400], path[500], beside[600];
    const char *base = getenv("TMPDIR");
    bool kept = count > 3;
    snprintf(folder, sizeof folder, "%s/quiztutor-bench-XXXXXX", base && *base ? base : "/tmp");
    if (count < 2 || attempts < GROUP * EACH || !hash_start() || (!kept && !mkdtemp(folder)))
        die("usage: bench_reports PROGRAM [ATTEMPTS [FOLDER]]");
    snprintf(path, sizeof path, "%s/store.db", kept ? arguments[3] : folder);
    if (access(path, F_OK) != 0)
        make(path, attempts);
    bool fast = compare(path);
    fast = compare_commands(arguments[1], path, attempts) && fast;
    static const char *const endings[] = { "", "-wal", "-shm", "-lock", "-reserve" };
    for (size_t i = 0; !kept && i < sizeof endings / sizeof *endings; i++) {
        snprintf(beside, sizeof beside, "%s%s", path, endings[i]);
        unlink(beside);
    }
    if (!kept)
        rmdir(folder);
    return fast ? 0 : 1;
}
