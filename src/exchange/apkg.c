/*
 * The database of one of Anki's packages. Nobody vouches for it: it is read from memory, by a connection that
 * may only SELECT from the tables named here, with limits on every length and on the steps in all.
 * Reference: https://github.com/ankitects/anki/tree/main/rslib/src/storage (schemas 11 and 18)
 */
#include "apkg.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>
#include <sqlite3.h>
#include <string.h>
#include <strings.h>

enum { STEPS_AT_ONCE = 1000, STEPS_FOR_SCHEMA = 1000 * 1000, SQL_LENGTH = 100 * 1000 };

struct apkg_database {
    sqlite3 *db;
    int64_t steps_left;
};

struct apkg_row {
    sqlite3_stmt *statement;
    bool failed; /* no memory for a value */
};

static int authorize(void *context, int action, const char *first, const char *second, const char *schema,
                     const char *trigger)
{
    static const char *const tables[] = {
        "sqlite_master", "col",       "notes", "cards",     "notetypes",
        "fields",        "templates", "decks", "json_each", "pragma_table_xinfo"
    };
    (void)context, (void)schema, (void)trigger;
    if (action == SQLITE_SELECT)
        return SQLITE_OK;
    if (action == SQLITE_FUNCTION && second && strcasecmp(second, "json_extract") == 0)
        return SQLITE_OK;
    if (action == SQLITE_PRAGMA && first && strcasecmp(first, "table_xinfo") == 0)
        return SQLITE_OK;
    for (size_t i = 0; action == SQLITE_READ && first && i < sizeof tables / sizeof *tables; i++)
        if (strcasecmp(first, tables[i]) == 0)
            return SQLITE_OK;
    return SQLITE_DENY;
}

static int count_steps(void *context)
{
    struct apkg_database *database = context;
    database->steps_left -= STEPS_AT_ONCE;
    return database->steps_left < 0;
}

/* Anki's order of names; nothing here asks for that order, but what uses it can't be read without. */
static int compare_names(void *context, int one_length, const void *one, int other_length, const void *other)
{
    (void)context;
    int length = one_length < other_length ? one_length : other_length;
    int order = strncasecmp(one, other, (size_t)length);
    return order ? order : one_length - other_length;
}

static bool fail(struct apkg_database *database, int result, struct error *error)
{
    struct buffer why;
    switch (result & 0xff) {
    case SQLITE_NOMEM:
        return error_memory(error);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_CANTOPEN:
    case SQLITE_IOERR:
        return error_set(error, ERROR_DAMAGED, "%s",
                         tr("the database in the package is damaged; export it from Anki again"));
    case SQLITE_INTERRUPT:
        return error_set(error, ERROR_INPUT, "%s",
                         tr("the database in the package takes too many steps to read"));
    case SQLITE_TOOBIG:
        return error_set(error, ERROR_INPUT,
                         tr("the database in the package holds a text of more than %d MiB"),
                         APKG_TEXT / (1024 * 1024));
    default:
        buffer_init(&why);
        text_visible(&why, sqlite3_errmsg(database->db), (ptrdiff_t)strlen(sqlite3_errmsg(database->db)));
        error_set(error, ERROR_DAMAGED,
                  tr("the database in the package is none of Anki's, or damaged: %.200s"), buffer_get(&why));
        buffer_finish(&why);
        return false;
    }
}

static void limit(sqlite3 *db)
{
    static const struct {
        int what, value;
    } limits[] = {
        { SQLITE_LIMIT_LENGTH, APKG_TEXT },
        { SQLITE_LIMIT_SQL_LENGTH, SQL_LENGTH },
        { SQLITE_LIMIT_COLUMN, 200 },
        { SQLITE_LIMIT_EXPR_DEPTH, 50 },
        { SQLITE_LIMIT_COMPOUND_SELECT, 2 },
        { SQLITE_LIMIT_VDBE_OP, 25000 },
        { SQLITE_LIMIT_ATTACHED, 0 },
        { SQLITE_LIMIT_FUNCTION_ARG, 8 },
        { SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 50 },
        { SQLITE_LIMIT_VARIABLE_NUMBER, 4 },
        { SQLITE_LIMIT_TRIGGER_DEPTH, 1 },
        { SQLITE_LIMIT_WORKER_THREADS, 0 },
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        sqlite3_limit(db, limits[i].what, limits[i].value);
}

static int configure(struct apkg_database *database)
{
    static const struct {
        int option, value;
    } options[] = {
        { SQLITE_DBCONFIG_DEFENSIVE, 1 },       { SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0 },
        { SQLITE_DBCONFIG_ENABLE_VIEW, 0 },     { SQLITE_DBCONFIG_ENABLE_TRIGGER, 0 },
        { SQLITE_DBCONFIG_DQS_DML, 0 },         { SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0 },
        { SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0 }, { SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0 },
    };
    sqlite3 *db = database->db;
    int result = SQLITE_OK;
    for (size_t i = 0; result == SQLITE_OK && i < sizeof options / sizeof *options; i++)
        result = sqlite3_db_config(db, options[i].option, options[i].value, NULL);
    limit(db);
    if (result == SQLITE_OK)
        result = sqlite3_create_collation_v2(db, "unicase", SQLITE_UTF8, NULL, compare_names, NULL);
    sqlite3_progress_handler(db, STEPS_AT_ONCE, count_steps, database);
    /* the two table-valued functions are set up by their first use, which looks like a change to the schema
     */
    static const char first[] =
        "PRAGMA cell_size_check = ON; PRAGMA query_only = ON; PRAGMA temp_store = MEMORY;"
        "SELECT count(*) FROM sqlite_schema;"
        "SELECT 1 FROM pragma_table_xinfo('notes'); SELECT 1 FROM json_each('[]')";
    database->steps_left = STEPS_FOR_SCHEMA;
    if (result == SQLITE_OK)
        result = sqlite3_exec(db, first, NULL, NULL, NULL);
    database->steps_left = APKG_STEPS;
    return result == SQLITE_OK ? sqlite3_set_authorizer(db, authorize, database) : result;
}

static int open_bytes(struct apkg_database *database, char *data, ptrdiff_t size)
{
    enum { HEAD = 100, WRITE_VERSION = 18, READ_VERSION = 19, JOURNAL = 1, WAL = 2 };
    unsigned char *bytes = (unsigned char *)data;
    if (size < HEAD)
        return SQLITE_NOTADB;
    /* one that was made with a write-ahead log is whole without it, but can't be read from memory as such */
    if (bytes[WRITE_VERSION] == WAL && bytes[READ_VERSION] == WAL)
        bytes[WRITE_VERSION] = bytes[READ_VERSION] = JOURNAL;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE;
    int result = sqlite3_open_v2(":memory:", &database->db, flags, NULL);
    if (result == SQLITE_OK)
        result = sqlite3_deserialize(database->db, "main", bytes, size, size, SQLITE_DESERIALIZE_READONLY);
    return result == SQLITE_OK ? configure(database) : result;
}

struct apkg_database *apkg_database_open(char *bytes, ptrdiff_t length, struct error *error)
{
    struct apkg_database *database = memory_zero((ptrdiff_t)sizeof *database);
    if (!database) {
        error_memory(error);
        return NULL;
    }
    int result = open_bytes(database, bytes, length);
    if (result == SQLITE_OK)
        return database;
    fail(database, result, error);
    apkg_database_close(database);
    return NULL;
}

void apkg_database_close(struct apkg_database *database)
{
    if (database)
        sqlite3_close(database->db);
    memory_free(database);
}

bool apkg_database_query(struct apkg_database *database, const char *sql, const char *parameter,
                         apkg_reader *reader, void *context, struct error *error)
{
    struct apkg_row row = { .failed = false };
    bool done = true;
    int result = sqlite3_prepare_v2(database->db, sql, -1, &row.statement, NULL);
    if (result == SQLITE_OK && parameter)
        result = sqlite3_bind_text(row.statement, 1, parameter, -1, SQLITE_STATIC);
    while (result == SQLITE_OK && done && (result = sqlite3_step(row.statement)) == SQLITE_ROW) {
        done = reader(context, &row, error);
        result = row.failed ? SQLITE_NOMEM : SQLITE_OK;
    }
    if (done && result != SQLITE_OK && result != SQLITE_DONE)
        done = fail(database, result, error);
    sqlite3_finalize(row.statement);
    return done;
}

int64_t apkg_row_integer(struct apkg_row *row, int column)
{
    return sqlite3_column_int64(row->statement, column);
}

bool apkg_row_is_blob(struct apkg_row *row, int column)
{
    return sqlite3_column_type(row->statement, column) == SQLITE_BLOB;
}

const char *apkg_row_text(struct apkg_row *row, int column, ptrdiff_t *length)
{
    int type = sqlite3_column_type(row->statement, column);
    const char *text = type == SQLITE_BLOB ? sqlite3_column_blob(row->statement, column)
                                           : (const char *)sqlite3_column_text(row->statement, column);
    *length = text ? sqlite3_column_bytes(row->statement, column) : 0;
    if (!text && type != SQLITE_NULL && type != SQLITE_BLOB)
        row->failed = true;
    return text ? text : "";
}
