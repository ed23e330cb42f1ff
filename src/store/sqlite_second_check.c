/* The store held against its second log, row by row. */
#include "sqlite_record.h"
#include "sqlite_store.h"

#include <quiztutor/message.h>
#include <string.h>

struct checking {
    struct sqlite_store *store;
    sqlite3_stmt *by_id[RECORD_KINDS];
    struct buffer row;
    int64_t *lost;
    struct error *error;
};

static bool prepare(struct checking *checking)
{
    for (int kind = RECORD_TEXT; kind < RECORD_ROWS; kind++) {
        const struct record_row *row = &record_rows[kind];
        char sql[700];
        sqlite3_snprintf(sizeof sql, sql, "SELECT %s FROM %s WHERE %s = ?1", row->columns, row->table,
                         row->key);
        int result = sqlite3_prepare_v2(checking->store->db, sql, -1, &checking->by_id[kind], NULL);
        if (result != SQLITE_OK)
            return sqlite_error(checking->store, result, checking->error);
    }
    return true;
}

static bool check_record(struct checking *checking, const struct record *record)
{
    sqlite3_stmt *statement = checking->by_id[record->kind];
    if (!statement)
        return true;
    record_bind(statement, record, 1);
    int found = sqlite_look_up(checking->store, statement, checking->error);
    bool same = true;
    if (found > 0) {
        buffer_clear(&checking->row);
        record_add(&checking->row, record->kind, statement, 0);
        same = checking->row.length == record->length &&
               memcmp(buffer_get(&checking->row), record->bytes, (size_t)record->length) == 0;
    }
    *checking->lost += found == 0;
    sqlite3_reset(statement);
    if (checking->row.failed)
        return error_memory(checking->error);
    if (!same)
        return error_set(checking->error, ERROR_DAMAGED,
                         tr("%s: the store is damaged: a row of %s is not as its second log has it"),
                         checking->store->shown, record_rows[record->kind].table);
    return found >= 0;
}

static bool check_frames(struct checking *checking)
{
    struct frames *frames = &checking->store->second.frames;
    struct buffer buffer;
    struct frame frame;
    struct record record;
    bool done = true, skipped;
    int result = SQLITE_ROW;
    buffer_init(&buffer);
    for (int64_t next = 0; done; next = frame.next) {
        result = frames_find(frames, next, &buffer, &frame, &skipped);
        if (result != SQLITE_ROW)
            break;
        for (ptrdiff_t at = 0; done && record_next(frame.data, frame.length, &at, &record);)
            done = check_record(checking, &record);
    }
    buffer_finish(&buffer);
    return done && (result == SQLITE_DONE || sqlite_error(checking->store, result, checking->error));
}

bool sqlite_second_check(struct sqlite_store *store, int64_t *lost, struct error *error)
{
    struct checking checking = { .store = store, .lost = lost, .error = error };
    struct second_mark here;
    const struct second_mark *there = &store->second.mark;
    *lost = 0;
    /* one of before rows were changed or the store was another says nothing of this one */
    if (!sqlite_second_look(store, &here) || !uuid_equal(&here.owner.store_id, &there->owner.store_id) ||
        here.owner.version != there->owner.version || here.owner.changes > there->owner.changes)
        return true;
    *lost += there->change > here.change && here.owner.changes == there->owner.changes;
    buffer_init(&checking.row);
    bool done = prepare(&checking) && check_frames(&checking);
    for (int i = 0; i < RECORD_KINDS; i++)
        sqlite3_finalize(checking.by_id[i]);
    buffer_finish(&checking.row);
    return done;
}
