/* JSON is read by SQLite, on the store's own connection, or on one in memory for the store that has none. */
#include "sqlite_log.h"

#include <quiztutor/message.h>

struct json_reader {
    sqlite3 *db;
};

static bool json_error(int result, struct error *error)
{
    if (result == SQLITE_NOMEM)
        return error_memory(error);
    return error_set(error, ERROR_INPUT, tr("this JSON can't be read: %s"), sqlite3_errstr(result));
}

bool sqlite_json_each(sqlite3 *db, const char *json, const char *path, store_visit *visit, void *context,
                      struct error *error)
{
    sqlite3_stmt *statement = NULL;
    int result = sqlite3_prepare_v2(db, "SELECT value FROM json_each(?1, ?2)", -1, &statement, NULL);
    if (result == SQLITE_OK)
        result = sqlite3_bind_text(statement, 1, json, -1, SQLITE_STATIC);
    if (result == SQLITE_OK)
        result = sqlite3_bind_text(statement, 2, path, -1, SQLITE_STATIC);
    bool wanted = true;
    while (result == SQLITE_OK || result == SQLITE_ROW) {
        result = sqlite3_step(statement);
        if (result != SQLITE_ROW)
            break;
        const char *element = (const char *)sqlite3_column_text(statement, 0);
        if (!element && sqlite3_column_type(statement, 0) != SQLITE_NULL) {
            result = SQLITE_NOMEM;
            break;
        }
        wanted = visit(context, element);
        if (!wanted)
            break;
    }
    sqlite3_finalize(statement);
    if (result != SQLITE_DONE && result != SQLITE_ROW)
        return json_error(result & 0xff, error);
    return true;
}

static bool reader_open(struct json_reader **reader, struct error *error)
{
    if (*reader)
        return true;
    struct json_reader *made = memory_zero(sizeof *made);
    if (!made)
        return error_memory(error);
    int result = sqlite3_open_v2(":memory:", &made->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
    if (result != SQLITE_OK) {
        json_reader_destroy(made);
        return json_error(result & 0xff, error);
    }
    *reader = made;
    return true;
}

bool json_reader_each(struct json_reader **reader, const char *json, const char *path, store_visit *visit,
                      void *context, struct error *error)
{
    return reader_open(reader, error) && sqlite_json_each((*reader)->db, json, path, visit, context, error);
}

bool json_reader_overturned(struct json_reader **reader, const char *old_body, const char *body,
                            bool *overturned, struct error *error)
{
    if (!reader_open(reader, error))
        return false;
    int result = sqlite_key_overturned((*reader)->db, old_body, body, overturned);
    return result == SQLITE_OK || json_error(result & 0xff, error);
}

static bool add_column(struct buffer *text, sqlite3_stmt *statement, int column)
{
    const char *read = (const char *)sqlite3_column_text(statement, column);
    buffer_clear(text);
    buffer_text(text, read ? read : "");
    return read && !text->failed;
}

bool json_reader_mark(struct json_reader **reader, const char *body, bool *is, struct buffer *pack,
                      struct buffer *question, bool *on, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    *is = false;
    if (!body)
        return true;
    if (!reader_open(reader, error))
        return false;
    int result = sqlite3_prepare_v2((*reader)->db, SQLITE_MARK, -1, &statement, NULL);
    if (result == SQLITE_OK)
        result = sqlite3_bind_text(statement, 1, body, -1, SQLITE_STATIC);
    if (result == SQLITE_OK)
        result = sqlite3_step(statement);
    *is = result == SQLITE_ROW;
    if (*is && (!add_column(pack, statement, 0) || !add_column(question, statement, 1)))
        result = SQLITE_NOMEM;
    *on = *is && sqlite3_column_int(statement, 2);
    sqlite3_finalize(statement);
    return result == SQLITE_ROW || result == SQLITE_DONE || json_error(result & 0xff, error);
}

bool json_reader_grading(struct json_reader **reader, const char *body, struct grading *grading,
                         struct error *error)
{
    sqlite3_stmt *statement = NULL;
    if (!body)
        return true;
    if (!reader_open(reader, error))
        return false;
    int result = sqlite3_prepare_v2((*reader)->db, "SELECT " SQLITE_GRADE("?1", "NULL", "?2", "?3"), -1,
                                    &statement, NULL);
    if (result == SQLITE_OK)
        result = sqlite3_bind_text(statement, 1, body, -1, SQLITE_STATIC);
    sqlite3_bind_double(statement, 2, grading->mark);
    sqlite3_bind_double(statement, 3, grading->marks);
    if (result == SQLITE_OK)
        result = sqlite3_step(statement);
    if (result == SQLITE_ROW) {
        const char *outcome = (const char *)sqlite3_column_text(statement, 0);
        if (outcome)
            outcome_read(&grading->outcome, outcome);
        grading->mark = sqlite3_column_double(statement, 1);
        grading->marks = sqlite3_column_double(statement, 2);
    }
    sqlite3_finalize(statement);
    return result == SQLITE_ROW || json_error(result & 0xff, error);
}

bool json_reader_text(struct json_reader **reader, const char *body, const char *path, bool *is,
                      struct buffer *text, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    *is = false;
    if (!body)
        return true;
    if (!reader_open(reader, error))
        return false;
    int result = sqlite3_prepare_v2((*reader)->db, "SELECT ?1 ->> ?2", -1, &statement, NULL);
    if (result == SQLITE_OK)
        result = sqlite3_bind_text(statement, 1, body, -1, SQLITE_STATIC);
    if (result == SQLITE_OK)
        result = sqlite3_bind_text(statement, 2, path, -1, SQLITE_STATIC);
    if (result == SQLITE_OK)
        result = sqlite3_step(statement);
    *is = result == SQLITE_ROW && sqlite3_column_type(statement, 0) != SQLITE_NULL;
    if (*is && !add_column(text, statement, 0))
        result = SQLITE_NOMEM;
    sqlite3_finalize(statement);
    return result == SQLITE_ROW || json_error(result & 0xff, error);
}

void json_reader_destroy(struct json_reader *reader)
{
    if (!reader)
        return;
    sqlite3_close_v2(reader->db);
    memory_free(reader);
}
