/* The second log, kept up: it follows the store. */
#include "roster_private.h"
#include "sqlite_record.h"
#include "sqlite_store.h"
#include "store_file.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void sqlite_second_disconnect(struct sqlite_store *store)
{
    for (int i = 0; i < SECOND_STATEMENTS; i++)
        sqlite3_finalize(store->second.statements[i]);
    memset(store->second.statements, 0, sizeof store->second.statements);
}

static void forget(struct second *second)
{
    frames_close(&second->frames);
    id_map_finish(&second->texts);
    second->end = 0;
    second->erasing = false;
    memset(&second->mark, 0, sizeof second->mark);
}

void sqlite_second_finish(struct sqlite_store *store)
{
    forget(&store->second);
}

/* How far the store itself is. */
static int read_mark(struct sqlite_store *store, struct second_mark *here)
{
    sqlite3_stmt *statement;
    int result = second_statement(store, SECOND_META, &statement);
    if (result != SQLITE_OK)
        return result;
    result = sqlite3_step(statement);
    if (result == SQLITE_ROW) {
        sqlite_read_uuid(statement, 0, &here->owner.store_id);
        here->owner.changes = sqlite3_column_int64(statement, 1);
        here->owner.version = store->around->schema->version;
        here->seq = sqlite3_column_int64(statement, 2) - 1;
        here->change = sqlite3_column_int64(statement, 3);
    }
    sqlite3_reset(statement);
    return result == SQLITE_ROW ? SQLITE_OK : result == SQLITE_DONE ? SQLITE_CORRUPT : result;
}

static bool is_same(const struct second_owner *one, const struct second_owner *other)
{
    return uuid_equal(&one->store_id, &other->store_id) && one->changes == other->changes &&
           one->version == other->version;
}

/* ---- what the file holds ---- */

static bool note_record(struct second *second, const struct record *record, bool first)
{
    const struct record_value *value = &record->values[0];
    bool there;
    switch (record->kind) {
    case RECORD_LOG:
        if (!first)
            break;
        record_uuid(record, 0, &second->mark.owner.store_id);
        second->mark.owner.changes = record->values[1].integer;
        second->mark.owner.version = record->values[2].integer;
        break;
    case RECORD_TEXT:
    case RECORD_SOURCE:
        return value->length != sizeof(struct hash) || second_note_text(second, value->data, &there);
    case RECORD_PERSON:
    case RECORD_SHEET:
    case RECORD_PARAMETERS:
        if (value->integer > second->mark.change)
            second->mark.change = value->integer;
        break;
    case RECORD_ERASING:
        second->erasing = true;
        break;
    default:
        break;
    }
    return true;
}

static int note_frame(struct second *second, const struct frame *frame)
{
    struct record record;
    for (ptrdiff_t at = 0; record_next(frame->data, frame->length, &at, &record);)
        if (!note_record(second, &record, frame->at == 0))
            return SQLITE_NOMEM;
    second->end = frame->next;
    second->mark.seq = frame->seq;
    return SQLITE_OK;
}

/* Goes on behind what is known: another process may have added to it. */
static int scan(struct second *second)
{
    struct buffer buffer;
    struct frame frame;
    int result;
    buffer_init(&buffer);
    while ((result = frames_read(&second->frames, second->end, &buffer, &frame)) == SQLITE_ROW) {
        result = note_frame(second, &frame);
        if (result != SQLITE_OK)
            break;
    }
    buffer_finish(&buffer);
    return result == SQLITE_DONE ? SQLITE_OK : result;
}

static const char *path_of(struct sqlite_store *store, const char *ending, struct buffer *buffer)
{
    buffer_clear(buffer);
    buffer_print(buffer, "%s%s", store->path, ending);
    return buffer->failed ? NULL : buffer_get(buffer);
}

/* Opens it where it is not open, or is no longer what is under its name. SQLITE_CANTOPEN: there is none. */
static int open_it(struct sqlite_store *store)
{
    struct second *second = &store->second;
    struct buffer buffer;
    if (second->frames.file && !frames_replaced(&second->frames))
        return scan(second);
    forget(second);
    if (store_file_is_missing(store->path, SECOND_ENDING))
        return SQLITE_CANTOPEN;
    buffer_init(&buffer);
    const char *path = path_of(store, SECOND_ENDING, &buffer);
    int result = path ? frames_open(&second->frames, store->vfs, path, false) : SQLITE_NOMEM;
    buffer_finish(&buffer);
    return result == SQLITE_OK ? scan(second) : result == SQLITE_CANTOPEN ? SQLITE_IOERR : result;
}

/* ---- the file made anew ---- */

static int begin_anew(struct frames *frames, const struct second_owner *here, int64_t *end)
{
    struct buffer first;
    buffer_init(&first);
    record_add_log(&first, &here->store_id, here->changes, here->version);
    int result = first.failed ? SQLITE_NOMEM : frames_write(frames, end, 0, buffer_get(&first), first.length);
    buffer_finish(&first);
    return result;
}

static int fill_anew(struct sqlite_store *store, struct frames *frames, const struct second_owner *here)
{
    int64_t end = 0;
    id_map_finish(&store->second.texts);
    int result = begin_anew(frames, here, &end);
    if (result == SQLITE_OK)
        result = second_add_changes(store, frames, &end, 0);
    if (result == SQLITE_OK)
        result = second_add_rows(store, frames, &end, 0);
    return result == SQLITE_OK ? frames_sync(frames) : result;
}

/* Made beside, then named: there always is a whole one. */
static int make_anew(struct sqlite_store *store, const struct second_owner *here)
{
    struct buffer from, to;
    struct frames frames = { 0 };
    buffer_init(&from);
    buffer_init(&to);
    const char *fresh = path_of(store, "-rewriting", &from), *path = path_of(store, SECOND_ENDING, &to);
    forget(&store->second);
    int result = fresh && path ? frames_open(&frames, store->vfs, fresh, true) : SQLITE_NOMEM;
    bool made = result == SQLITE_OK;
    if (made)
        result = fill_anew(store, &frames, here);
    frames_close(&frames);
    if (result == SQLITE_OK && (rename(fresh, path) != 0 || !sqlite_sync_folder(path)))
        result = SQLITE_IOERR;
    if (made && result != SQLITE_OK)
        unlink(fresh);
    id_map_finish(&store->second.texts);
    if (result == SQLITE_OK)
        result = open_it(store);
    buffer_finish(&from);
    buffer_finish(&to);
    return result;
}

/* ---- following ---- */

static int add_behind(struct sqlite_store *store, const struct second_mark *here)
{
    struct second *second = &store->second;
    int64_t end = second->end;
    if (second->mark.seq > here->seq || second->mark.change > here->change)
        return SQLITE_CORRUPT;
    if (second->mark.seq == here->seq && second->mark.change == here->change)
        return SQLITE_OK;
    int result = SQLITE_OK;
    if (second->mark.change < here->change)
        result = second_add_changes(store, &second->frames, &end, second->mark.change);
    if (result == SQLITE_OK && second->mark.seq < here->seq)
        result = second_add_rows(store, &second->frames, &end, second->mark.seq);
    if (result == SQLITE_OK)
        result = frames_sync(&second->frames);
    if (result == SQLITE_OK) {
        second->end = end;
        second->mark.seq = here->seq;
        second->mark.change = here->change;
    } else {
        forget(second); /* what it holds of this is not known */
    }
    return result;
}

static int follow(struct sqlite_store *store)
{
    struct second *second = &store->second;
    struct second_mark here = { 0 };
    int result = open_it(store);
    if (result == SQLITE_CANTOPEN && !second->wanted) {
        second->kept = false; /* it was taken away */
        return SQLITE_OK;
    }
    if (result != SQLITE_OK && result != SQLITE_CANTOPEN)
        return result;
    result = read_mark(store, &here);
    if (result != SQLITE_OK)
        return result;
    bool goes_on = second->frames.file && is_same(&second->mark.owner, &here.owner) && !second->erasing;
    return goes_on ? add_behind(store, &here) : make_anew(store, &here.owner);
}

void sqlite_second_follow(struct sqlite_store *store)
{
    if (store->second.kept && !store->second.paused)
        store->second.behind = follow(store) != SQLITE_OK;
}

bool sqlite_second_clean(struct sqlite_store *store, struct error *error)
{
    if (!store->second.kept)
        return true;
    int result = follow(store);
    store->second.behind = result != SQLITE_OK;
    return result == SQLITE_OK || sqlite_error(store, result, error);
}

bool sqlite_second_look(struct sqlite_store *store, struct second_mark *here)
{
    memset(here, 0, sizeof *here);
    return open_it(store) == SQLITE_OK && store->second.end > 0 && read_mark(store, here) == SQLITE_OK;
}

/* ---- who is erased ---- */

bool sqlite_second_erase(struct sqlite_store *store, const struct uuid *learner, struct error *error)
{
    struct second *second = &store->second;
    struct uuid mark;
    struct buffer row;
    if (!second->kept || second->paused)
        return true;
    int result = open_it(store);
    if (result == SQLITE_CANTOPEN)
        return true; /* nobody can come back out of it */
    buffer_init(&row);
    roster_mark(&mark, learner);
    record_add_erasing(&row, &mark);
    if (result == SQLITE_OK && row.failed)
        result = SQLITE_NOMEM;
    second->erasing = true; /* from here on it may be there */
    if (result == SQLITE_OK)
        result = frames_write(&second->frames, &second->end, second->mark.seq, buffer_get(&row), row.length);
    if (result == SQLITE_OK)
        result = frames_sync(&second->frames);
    buffer_finish(&row);
    return result == SQLITE_OK || sqlite_error(store, result, error);
}

void sqlite_second_withdraw(struct sqlite_store *store)
{
    if (!store->second.erasing || lock_take(&store->lock, store->around->lock_wait_ms) != 0)
        return; /* the next call that stores something does it */
    sqlite_second_follow(store);
    lock_give(&store->lock);
}

/* ---- what comes back ---- */

/* The store has lost rows where the newest one is older than that of its second log. */
static bool has_lost(struct sqlite_store *store)
{
    const struct second_mark *there = &store->second.mark;
    struct second_mark here;
    return sqlite_second_look(store, &here) && uuid_equal(&here.owner.store_id, &there->owner.store_id) &&
           here.owner.version == there->owner.version &&
           (there->owner.changes > here.owner.changes ||
            (there->owner.changes == here.owner.changes &&
             (there->seq > here.seq || there->change > here.change)));
}

void sqlite_second_ready(struct sqlite_store *store)
{
    struct second *second = &store->second;
    struct heal_report report = { 0 };
    struct buffer buffer;
    if (!second->kept || second->ready || second->paused)
        return;
    second->ready = true;
    if (!has_lost(store))
        return;
    buffer_init(&buffer);
    const char *path = path_of(store, SECOND_ENDING, &buffer);
    if (path && sqlite_second_take(store, path, &report, NULL)) {
        second->taken = report.taken;
        second->attempts = report.attempts;
        bool wanted = second->wanted;
        sqlite_second_renew(store, NULL);
        second->wanted = wanted;
    }
    heal_report_finish(&report);
    buffer_finish(&buffer);
}

bool sqlite_second_renew(struct sqlite_store *store, struct error *error)
{
    struct second *second = &store->second;
    struct second_mark here = { 0 };
    second->kept = second->wanted = second->ready = true;
    second->paused = false;
    int number = lock_take(&store->lock, store->around->lock_wait_ms);
    if (number)
        return sqlite_lock_error(store, number, error);
    int result = read_mark(store, &here);
    if (result == SQLITE_OK)
        result = make_anew(store, &here.owner);
    second->behind = result != SQLITE_OK;
    lock_give(&store->lock);
    return result == SQLITE_OK || sqlite_error(store, result, error);
}

int sqlite_second_owner(const char *vfs, const char *path, struct second_owner *owner)
{
    struct second second = { .kept = true };
    struct buffer buffer;
    struct frame frame;
    buffer_init(&buffer);
    int result = frames_open(&second.frames, vfs, path, false);
    if (result == SQLITE_OK)
        result = frames_read(&second.frames, 0, &buffer, &frame);
    if (result == SQLITE_ROW)
        result = note_frame(&second, &frame);
    *owner = second.mark.owner;
    forget(&second);
    buffer_finish(&buffer);
    if (sqlite_error_code(result, 0) == ERROR_MEMORY)
        return -1;
    return result == SQLITE_OK && !uuid_is_zero(&owner->store_id);
}

bool sqlite_second_init(struct sqlite_store *store, bool wanted, bool paused, struct error *error)
{
    struct second *second = &store->second;
    if (store->read_only)
        return true;
    second->wanted = wanted;
    second->paused = paused;
    second->kept = wanted || !store_file_is_missing(store->path, SECOND_ENDING);
    if (!wanted || paused)
        return true;
    sqlite_second_ready(store);
    int number = lock_take(&store->lock, store->around->lock_wait_ms);
    if (number)
        return sqlite_lock_error(store, number, error);
    sqlite_second_follow(store);
    lock_give(&store->lock);
    return true;
}

void heal_log_look(struct store *base, struct heal_log *log)
{
    struct sqlite_store *store = (struct sqlite_store *)base;
    struct stat status;
    struct buffer buffer;
    memset(log, 0, sizeof *log);
    if (base->ops != &sqlite_store_ops || store->read_only)
        return;
    buffer_init(&buffer);
    const char *path = path_of(store, SECOND_ENDING, &buffer);
    log->kept = store->second.kept;
    log->behind = store->second.behind;
    if (path && stat(path, &status) == 0)
        log->size = status.st_size;
    buffer_finish(&buffer);
}
