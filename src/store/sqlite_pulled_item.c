/* Rows of the file as they are applied: statements, and a learner as the centre has them. */
#include "sqlite_applying.h"

#include <string.h>

#define LEARNER_COLUMNS                                                                                      \
    "id, iif(json_type(body, '$.name') = 'text', body ->> '$.name', NULL),"                                  \
    " iif(json_type(body, '$.login') = 'text', body ->> '$.login', NULL),"                                   \
    " iif(json_type(body, '$.external_id') = 'text', body ->> '$.external_id', NULL),"                       \
    " body ->> '$.time_factor', body ->> '$.plain', body ->> '$.created_at', body"

/* The kinds are those of enum central_kind. */
_Static_assert(CENTRAL_LEARNER == 1 && CENTRAL_MERGED == 2 && CENTRAL_PIN == 3 && CENTRAL_ERASED == 5,
               "the statements say so");
static const char *const statements[APPLYING_STATEMENTS] = {
    [APPLYING_LEARNERS] = "SELECT " LEARNER_COLUMNS " FROM item WHERE kind = 1 AND version > ?1 ORDER BY id",
    [APPLYING_LEARNER] = "SELECT " LEARNER_COLUMNS " FROM item WHERE kind = 1 AND id = ?1",
    [APPLYING_GROUPS] = "SELECT value FROM json_each(?1, '$.groups') WHERE type = 'text'",
    [APPLYING_PINS] = "SELECT id, body ->> '$.kept' FROM item WHERE kind = 3 AND version > ?1 ORDER BY id",
    [APPLYING_PIN] = "SELECT id, body ->> '$.kept' FROM item WHERE kind = 3 AND id = ?1",
    [APPLYING_MERGED] =
        "SELECT id, body ->> '$.into' FROM item WHERE kind = 2 AND version > ?1 ORDER BY version, id",
    [APPLYING_INTO] = "SELECT body ->> '$.into' FROM item WHERE kind = 2 AND id = ?1",
    [APPLYING_ERASED] = "SELECT count(*) FROM item WHERE kind = 5 AND version > ?1",
    [APPLYING_IS_ERASED] = "SELECT 1 FROM item WHERE kind = 5 AND id = ?1",
};

static int refuse(struct applying *applying, int result)
{
    pulled_refuse(applying->store_path, result == SQLITE_ERROR ? SQLITE_CORRUPT : result, 0, applying->error);
    return -1;
}

sqlite3_stmt *applying_statement(struct applying *applying, enum applying_statement which)
{
    sqlite3_stmt **statement = &applying->statements[which];
    if (!*statement) {
        int result = sqlite3_prepare_v2(applying->db, statements[which], -1, statement, NULL);
        if (result != SQLITE_OK)
            refuse(applying, result);
    } else {
        sqlite3_reset(*statement);
        sqlite3_clear_bindings(*statement);
    }
    return *statement;
}

int applying_step(struct applying *applying, sqlite3_stmt *statement)
{
    int result = sqlite3_step(statement);
    return result == SQLITE_ROW ? 1 : result == SQLITE_DONE ? 0 : refuse(applying, result);
}

void applying_finish(struct applying *applying)
{
    for (int i = 0; i < APPLYING_STATEMENTS; i++)
        sqlite3_finalize(applying->statements[i]);
    memory_free(applying->left);
    sqlite3_close_v2(applying->db);
}

/* A column's text in the arena, NULL for null. */
static const char *text_of(sqlite3_stmt *statement, int column, struct arena *arena, bool *failed)
{
    const char *text = (const char *)sqlite3_column_text(statement, column);
    const char *kept = text ? arena_text(arena, text, sqlite3_column_bytes(statement, column)) : NULL;
    *failed = *failed || (!kept && (text || sqlite3_column_type(statement, column) != SQLITE_NULL));
    return kept;
}

enum { GROUPS_MOST = 1000 }; /* of one learner */

/* Into the arena; false with the error. */
static bool read_groups(struct applying *applying, const char *body, struct arena *arena,
                        struct roster_line *line, const char *groups[static GROUPS_MOST])
{
    sqlite3_stmt *statement = applying_statement(applying, APPLYING_GROUPS);
    bool failed = false;
    int found = 0;
    if (!statement)
        return false;
    sqlite3_bind_text(statement, 1, body, -1, SQLITE_STATIC);
    while (!failed && line->group_count < GROUPS_MOST && (found = applying_step(applying, statement)) > 0)
        groups[line->group_count++] = text_of(statement, 0, arena, &failed);
    sqlite3_reset(statement);
    line->groups = groups;
    return failed ? error_memory(applying->error) : found >= 0;
}

bool pulled_learner_read(struct applying *applying, sqlite3_stmt *statement, struct arena *arena,
                         struct pulled_learner *learner)
{
    const char *groups[GROUPS_MOST];
    bool failed = false;
    struct roster_result result = { .outcome = ROSTER_ADDED };
    struct roster_line line = {
        .name = text_of(statement, 1, arena, &failed),
        .login = text_of(statement, 2, arena, &failed),
        .external_id = text_of(statement, 3, arena, &failed),
        .time_factor = sqlite3_column_double(statement, 4),
        .plain = roster_reading(sqlite3_column_int64(statement, 5)), /* false, true, or the number */
        .only_these = true,
    };
    *learner = (struct pulled_learner){ .created_at = sqlite3_column_int64(statement, 6) };
    sqlite_read_uuid(statement, 0, &learner->id);
    const char *body = text_of(statement, 7, arena, &failed);
    if (failed || !body)
        return error_memory(applying->error);
    if (!read_groups(applying, body, arena, &line, groups))
        return false;
    if (!roster_keep(&line, &learner->entry, &result, arena))
        return error_memory(applying->error);
    learner->entry.only_these = true; /* of no group where none is said */
    if (result.outcome == ROSTER_REFUSED || !learner->entry.name || uuid_is_zero(&learner->id)) {
        learner->state = LEARNER_LEFT;
        learner->why = LEFT_UNFIT;
    }
    return true;
}

int pulled_learner_find(struct applying *applying, const struct uuid *id, struct arena *arena,
                        struct pulled_learner *learner)
{
    sqlite3_stmt *statement = applying_statement(applying, APPLYING_LEARNER);
    if (!statement)
        return -1;
    sqlite_bind_uuid(statement, 1, id);
    int found = applying_step(applying, statement);
    if (found > 0 && !pulled_learner_read(applying, statement, arena, learner))
        found = -1;
    sqlite3_reset(statement);
    return found;
}
