/* Answer keys out of what the store keeps of questions (question_body), and whether one overturns another. */
#include "sqlite_store.h"

#include <quiztutor/key_change.h>
#include <string.h>

struct reading {
    sqlite3 *db;
    struct arena arena;
    struct key_text texts[2][PACK_CHOICES];
    int result;
};

static const char *keep(struct reading *reading, sqlite3_stmt *statement, int column)
{
    const char *text = (const char *)sqlite3_column_text(statement, column);
    if (!text) {
        if (sqlite3_column_type(statement, column) != SQLITE_NULL)
            reading->result = SQLITE_NOMEM;
        return NULL;
    }
    const char *kept = arena_text(&reading->arena, text, (ptrdiff_t)strlen(text));
    if (!kept)
        reading->result = SQLITE_NOMEM;
    return kept;
}

static sqlite3_stmt *prepare(struct reading *reading, const char *sql, const char *body)
{
    sqlite3_stmt *statement = NULL;
    reading->result = sqlite3_prepare_v2(reading->db, sql, -1, &statement, NULL);
    if (reading->result == SQLITE_OK)
        reading->result = sqlite3_bind_text(statement, 1, body, -1, SQLITE_STATIC);
    return statement;
}

static void read_texts(struct reading *reading, const char *body, struct key_text *texts, struct key *key)
{
    sqlite3_stmt *statement = prepare(reading,
                                      "SELECT coalesce(value ->> '$.id', value ->> '$.text'),"
                                      " value ->> '$.correct' FROM json_each(?1, '$.choices')"
                                      " WHERE type = 'object'",
                                      body);
    key->texts = texts;
    while (reading->result == SQLITE_OK && key->count < PACK_CHOICES) {
        int result = sqlite3_step(statement);
        if (result == SQLITE_DONE)
            break;
        if (result != SQLITE_ROW) {
            reading->result = result;
            break;
        }
        const char *text = keep(reading, statement, 0);
        if (text)
            texts[key->count++] = (struct key_text){ text, sqlite3_column_int(statement, 1) != 0 };
    }
    sqlite3_finalize(statement);
}

/* A body without a type leaves key->type NULL: no key that could be told. */
static void read_key(struct reading *reading, const char *body, struct key_text *texts, struct key *key)
{
    memset(key, 0, sizeof *key);
    sqlite3_stmt *statement = prepare(reading, "SELECT ?1 ->> '$.type', ?1 ->> '$.truth'", body);
    if (reading->result == SQLITE_OK) {
        int result = sqlite3_step(statement);
        if (result == SQLITE_ROW) {
            key->type = keep(reading, statement, 0);
            if (sqlite3_column_type(statement, 1) == SQLITE_INTEGER)
                key->value = sqlite3_column_int(statement, 1) ? "true" : "false";
        } else {
            reading->result = result;
        }
    }
    sqlite3_finalize(statement);
    if (reading->result == SQLITE_OK)
        read_texts(reading, body, texts, key);
}

int sqlite_key_overturned(sqlite3 *db, const char *old_body, const char *body, bool *overturned)
{
    struct reading reading = { .db = db };
    struct key old, now;
    arena_init(&reading.arena);
    read_key(&reading, old_body, reading.texts[0], &old);
    if (reading.result == SQLITE_OK)
        read_key(&reading, body, reading.texts[1], &now);
    *overturned = reading.result == SQLITE_OK && old.type && now.type && key_overturned(&old, &now);
    arena_finish(&reading.arena);
    return reading.result;
}
