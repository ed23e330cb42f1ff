#include "fixture.h"
#include "schema.h"

#include <fcntl.h>
#include <ftw.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

void fixture_start(struct fixture *fixture)
{
    memset(fixture, 0, sizeof *fixture);
    assert_true(hash_start());
    const char *base = getenv("TMPDIR");
    snprintf(fixture->folder, sizeof fixture->folder, "%s/quiztutor-store-XXXXXX",
             base && *base ? base : "/tmp");
    assert_non_null(mkdtemp(fixture->folder));
    snprintf(fixture->path, sizeof fixture->path, "%s/store.db", fixture->folder);
    fixture->time.wall = INT64_C(1700000000000);
    fixture->options.clock = clock_fake(&fixture->time);
    fixture->around = surroundings_system;
}

void fixture_in_memory(void)
{
    if (access("/dev/shm", W_OK | X_OK) == 0)
        setenv("TMPDIR", "/dev/shm", 0);
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status, (void)type, (void)walk;
    return remove(path);
}

void fixture_end(struct fixture *fixture)
{
    nftw(fixture->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

struct store *fixture_open(struct fixture *fixture)
{
    struct store *store;
    if (!sqlite_store_open(&store, fixture->path, &fixture->options, &fixture->around, &fixture->error))
        fail_msg("open: %s", fixture->error.message);
    return store;
}

struct uuid fixture_id(int number)
{
    struct uuid id = { { 0 } };
    for (int i = 0; i < 4; i++)
        id.bytes[i] = (unsigned char)(number >> (24 - 8 * i));
    if (number)
        memcpy(id.bytes + 4, "fixture-----", 12);
    return id;
}

struct store_session fixture_session(int number, int learner, const char *name)
{
    return (struct store_session){
        .id = fixture_id(number),
        .learner = { .id = fixture_id(learner), .name = name },
        .kind = "practice",
        .origin = "plain",
        .seed = 4294967295u,
        .options = "{\"limit\":null,\"mode\":\"due\",\"packs\":[\"tour\"],\"tag\":null}",
        .plan = "[[\"tour\",\"q1\",\"r1\"],[\"tour\",\"q2\",\"r2\"]]",
        .started_at = 1000 + number,
        .utc_offset_s = -3600,
    };
}

struct store_attempt fixture_attempt(int number, const char *question, enum outcome outcome)
{
    struct store_attempt attempt = {
        .id = fixture_id(number),
        .pack_id = "tour",
        .question_id = question,
        .revision = "r1",
        .body = "{\"prompt\":\"Why?\"}",
        .seed = 7,
        .showing = 1,
        .shown = "{\"choices\":[2,1]}",
        .response = outcome == OUTCOME_OMITTED ? NULL : "[1]",
        .verdict = { .outcome = outcome,
                     .share = outcome == OUTCOME_RIGHT,
                     .mark = outcome == OUTCOME_RIGHT,
                     .marks = 1 },
        .elapsed_ms = 1500,
        .answered_at = 2000 + number,
        .utc_offset_s = 3600,
        .origin = "plain",
    };
    hash_of(&attempt.content, question, (ptrdiff_t)strlen(question));
    return attempt;
}

struct store_event fixture_event(int number, const char *kind, int attempt)
{
    return (struct store_event){
        .id = fixture_id(number),
        .kind = kind,
        .attempt_id = fixture_id(attempt),
        .body = "{\"question\":[\"tour\",\"q1\"]}",
        .at = 3000 + number,
        .utc_offset_s = 0,
    };
}

void fixture_add(struct store *store, struct store_session *session, const struct store_attempt *attempt)
{
    struct error error;
    if (!store_add_attempt(store, session, attempt, NULL, &error))
        fail_msg("add: %s", error.message);
}

void fixture_tell(struct store *store, struct store_session *session, const struct store_event *event)
{
    struct error error;
    if (!store_add_event(store, session, event, NULL, &error))
        fail_msg("event: %s", error.message);
}

static void print_id(struct buffer *out, const struct uuid *id)
{
    int number = id->bytes[0] << 24 | id->bytes[1] << 16 | id->bytes[2] << 8 | id->bytes[3];
    struct uuid same = fixture_id(number);
    if (uuid_equal(id, &same))
        buffer_print(out, "#%d", number);
    else
        buffer_text(out, "#?");
}

static void print_cell(struct buffer *out, struct rows *rows, int column)
{
    struct uuid id;
    rows_uuid(rows, column, &id);
    if (rows_is_null(rows, column))
        buffer_char(out, '-');
    else if (!uuid_is_zero(&id))
        print_id(out, &id);
    else if (rows_text(rows, column))
        buffer_text(out, rows_text(rows, column));
    else
        buffer_print(out, "%g", rows_real(rows, column));
}

char *fixture_query(struct store *store, enum store_query query, const struct store_value *parameters,
                    int count, struct error *error)
{
    struct buffer out;
    struct rows *rows;
    int step;
    buffer_init(&out);
    if (!rows_open(&rows, store, query, parameters, count, error))
        return NULL;
    while ((step = rows_step(rows, error)) > 0) {
        for (int i = 0; i < query_rows[query].columns; i++) {
            if (i)
                buffer_char(&out, '|');
            print_cell(&out, rows, i);
        }
        buffer_char(&out, '\n');
    }
    rows_close(rows);
    char *text = step < 0 ? NULL : memory_text(buffer_get(&out));
    if (step == 0 && (!text || out.failed)) {
        error_memory(error);
        memory_free(text);
        text = NULL;
    }
    buffer_finish(&out);
    return text;
}

int64_t fixture_sql(const char *path, const char *sql)
{
    sqlite3 *db;
    int64_t value = -1;
    assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL), SQLITE_OK);
    sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    const char *rest = sql;
    while (*rest) {
        sqlite3_stmt *statement;
        if (sqlite3_prepare_v2(db, rest, -1, &statement, &rest) != SQLITE_OK)
            fail_msg("%s: %s", sql, sqlite3_errmsg(db));
        int result = statement ? sqlite3_step(statement) : SQLITE_DONE;
        if (result == SQLITE_ROW)
            value = sqlite3_column_int64(statement, 0);
        else if (result != SQLITE_DONE)
            fail_msg("%s: %s", sql, sqlite3_errmsg(db));
        sqlite3_finalize(statement);
    }
    sqlite3_close(db);
    return value;
}

void fixture_make_old(const char *path, int version)
{
    struct uuid ids[] = { fixture_id(1), fixture_id(2), fixture_id(10) };
    char hex[3][33], sql[4000];
    for (int i = 0; i < 3; i++)
        hash_hex(hex[i], ids[i].bytes, sizeof ids[i].bytes);
    for (int i = 0; i < version; i++)
        fixture_sql(path, schema_current.migrations[i]);
    fixture_sql(path, schema_current.views);
    snprintf(
        sql, sizeof sql,
        "PRAGMA journal_mode = WAL; PRAGMA user_version = %d;"
        "INSERT INTO meta(one, store_id, device_id, next_seq) VALUES(1, randomblob(16), randomblob(16), 3);"
        "INSERT INTO learner(learner_id, name, name_key, created_at) VALUES(x'%s', 'Anna', 'anna', 7);"
        "INSERT INTO session SELECT x'%s', 1, learner_id, device_id, 'practice', 'plain', 7, '{}', '[]',"
        " 1001, 3600 FROM learner, meta;"
        "INSERT INTO attempt SELECT 2, x'%s', session_id, learner_id, device_id, NULL, 'tour', 'q1', 'r1',"
        " NULL, 7, 1, NULL, '[1]', 'right', 1, 1, NULL, 0, 1500, 2010, 3600, 'plain'%s FROM session;",
        version, hex[1], hex[0], hex[2], version >= 3 ? ", 1" : "");
    fixture_sql(path, sql);
}

void fixture_expect_in_step(struct store *store)
{
    struct store_rebuild report;
    struct error error;
    if (!store_rebuild(store, &report, &error))
        fail_msg("rebuild: %s", error.message);
    if (report.different || report.moved)
        fail_msg("%d schedules are not as the log says, %d are moved; the first: %s", (int)report.different,
                 (int)report.moved, report.first);
}

unsigned char *fixture_read(const char *path, ptrdiff_t *length)
{
    FILE *file = fopen(path, "rb");
    *length = -1;
    if (!file)
        return NULL;
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *length = ftell(file);
    rewind(file);
    unsigned char *bytes = malloc((size_t)*length + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, (size_t)*length, file), *length);
    fclose(file);
    return bytes;
}

void fixture_write(const char *path, const void *bytes, ptrdiff_t length)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, (size_t)length), length);
    close(fd);
}

const char *fixture_beside(const char *path, const char *ending)
{
    static char name[FIXTURE_PATH + 64];
    snprintf(name, sizeof name, "%s%s", path, ending);
    return name;
}
