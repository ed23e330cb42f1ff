/* A second log taken in: what it has and the store has not, by ids; so once is as good as twice. */
#include "roster_private.h"
#include "sqlite_intake.h"
#include "sqlite_roster.h"
#include "sqlite_second_state.h"

#include <quiztutor/message.h>
#include <stdio.h>
#include <string.h>

enum { MANY = 1000000 /* rows of a learner: what follows from them is made anew at the end */ };
enum { NUMBER = 99 /* place of a row's own number */ };
enum { NAMES = 100 /* of learners who would be called the same */ };

/* One learner of two, said by an event `merged` that came back. */
struct again {
    struct uuid from, into;
};

struct taking {
    struct sqlite_store *store;
    struct intake *intake;
    struct second_state state; /* what is no row */
    sqlite3_stmt *by_id[RECORD_KINDS], *insert[RECORD_KINDS], *merged;
    struct again *again;
    ptrdiff_t again_count, again_capacity;
    struct heal_report *report;
    struct error *error;
};

static bool prepare_one(struct taking *taking, sqlite3_stmt **statement, const char *sql)
{
    int result = sqlite3_prepare_v2(taking->store->db, sql, -1, statement, NULL);
    return result == SQLITE_OK || sqlite_error(taking->store, result, taking->error);
}

/* ?1 …, then the row's number; of a learner a name that nobody has. */
static bool prepare(struct taking *taking)
{
    static const char learner[] =
        "INSERT INTO learner(learner_id, name, name_key, login, external_id, created_at, time_factor, plain)"
        " VALUES(?1, ?2 || ?9, ?3 || ?9, CASE WHEN EXISTS(SELECT 1 FROM learner WHERE login = ?4) THEN NULL "
        "ELSE"
        " ?4 END, CASE WHEN EXISTS(SELECT 1 FROM learner WHERE external_id = ?5) THEN NULL ELSE ?5 END, ?6, "
        "?7,"
        " ?8)";
    bool done = prepare_one(taking, &taking->insert[RECORD_LEARNER], learner) &&
                prepare_one(taking, &taking->merged, "SELECT ?1 ->> '$.from'");
    for (int kind = RECORD_LEARNER; done && kind < RECORD_ROWS; kind++) {
        const struct record_row *row = &record_rows[kind];
        char sql[900], places[300] = "";
        sqlite3_snprintf(sizeof sql, sql, "SELECT 1 FROM %s WHERE %s = ?1", row->table, row->key);
        done = prepare_one(taking, &taking->by_id[kind], sql);
        for (int i = 1; i <= row->count; i++) {
            size_t length = strlen(places);
            snprintf(places + length, sizeof places - length, "%s?%d", i > 1 ? ", " : "", i);
        }
        const char *numbered = row->learner >= 0 ? ", seq" : "", *number = row->learner >= 0 ? ", ?99" : "";
        sqlite3_snprintf(sizeof sql, sql, "INSERT INTO %s(%s%s) VALUES(%s%s)", row->table, row->columns,
                         numbered, places, number);
        if (done && kind != RECORD_LEARNER)
            done = prepare_one(taking, &taking->insert[kind], sql);
    }
    return done;
}

static void finish(struct taking *taking)
{
    for (int i = 0; i < RECORD_KINDS; i++) {
        sqlite3_finalize(taking->by_id[i]);
        sqlite3_finalize(taking->insert[i]);
    }
    sqlite3_finalize(taking->merged);
    memory_free(taking->again);
    second_state_finish(&taking->state);
}

/* 1 there, 0 not, −1 an error. */
static int is_there(struct taking *taking, const struct record *record)
{
    sqlite3_stmt *statement = taking->by_id[record->kind];
    record_bind(statement, record, 1);
    int found = sqlite_look_up(taking->store, statement, taking->error);
    sqlite3_reset(statement);
    return found;
}

/* Steps an insertion; *refused: the store does not take this row. */
static bool insert(struct taking *taking, sqlite3_stmt *statement, bool *refused)
{
    int result = sqlite3_step(statement);
    *refused = (result & 0xff) == SQLITE_CONSTRAINT || (result & 0xff) == SQLITE_MISMATCH;
    bool done = result == SQLITE_DONE || *refused || sqlite_error(taking->store, result, taking->error);
    sqlite3_reset(statement);
    return done;
}

/* Somebody may have got the name since the backup was made: then a number behind it tells them apart. */
static bool take_learner(struct taking *taking, const struct record *record)
{
    sqlite3_stmt *statement = taking->insert[RECORD_LEARNER];
    struct uuid id, mark;
    bool erased, refused = true, done = true;
    record_uuid(record, 0, &id);
    roster_mark(&mark, &id);
    if (!sqlite_roster_is_erased(&taking->store->base, &mark, &erased, taking->error) || erased)
        return erased;
    for (int i = 1; done && refused && i < NAMES; i++) {
        char number[16] = "";
        if (i > 1)
            snprintf(number, sizeof number, " (%d)", i);
        record_bind(statement, record, record_rows[RECORD_LEARNER].count);
        sqlite_bind_text(statement, 9, number);
        done = insert(taking, statement, &refused);
    }
    taking->report->refused += done && refused;
    return done;
}

/* Somebody of this mark is to be erased, once all is there. */
static bool add_mark(struct taking *taking, const struct uuid *mark)
{
    struct intake *intake = taking->intake;
    if (!memory_grow(&intake->marks, &intake->mark_capacity, intake->mark_count + 1, sizeof *intake->marks))
        return error_memory(taking->error);
    intake->marks[intake->mark_count++] = (struct intake_mark){ .mark = *mark };
    return true;
}

/* What the row asks for beyond being there. */
static bool mind_event(struct taking *taking, const struct record *record)
{
    const struct record_value *kind = &record->values[record_rows[RECORD_EVENT].event_kind];
    struct uuid learner;
    record_uuid(record, record_rows[RECORD_EVENT].learner, &learner);
    if (kind->length == 6 && memcmp(kind->data, "erased", 6) == 0 && !add_mark(taking, &learner))
        return false;
    if (kind->length != 6 || memcmp(kind->data, "merged", 6) != 0)
        return true;
    struct again again = { .into = learner };
    sqlite3_stmt *statement = taking->merged;
    const struct record_value *body = &record->values[6];
    sqlite3_bind_text(statement, 1, body->type == SQLITE_TEXT ? body->data : NULL, body->length,
                      SQLITE_STATIC);
    int found = sqlite_look_up(taking->store, statement, taking->error);
    const char *from = found > 0 ? (const char *)sqlite3_column_text(statement, 0) : NULL;
    bool is = from && uuid_read(&again.from, from);
    sqlite3_reset(statement);
    if (!is)
        return found >= 0;
    if (!memory_grow(&taking->again, &taking->again_capacity, taking->again_count + 1, sizeof *taking->again))
        return error_memory(taking->error);
    taking->again[taking->again_count++] = again;
    return true;
}

/* Schedules and sums of whom the row is are made anew at the end. */
static bool touch(struct taking *taking, const struct record *record)
{
    struct uuid learner;
    record_uuid(record, record_rows[record->kind].learner, &learner);
    if (uuid_is_zero(&learner))
        return true;
    struct id_place *place = id_map_place(&taking->intake->touched, &learner);
    if (!place)
        return error_memory(taking->error);
    place->count = MANY;
    return true;
}

static bool take_row(struct taking *taking, const struct record *record)
{
    sqlite3_stmt *statement = taking->insert[record->kind];
    int64_t seq;
    bool refused;
    if (record_rows[record->kind].learner >= 0) {
        if (!writing_next_seq(&taking->intake->writing, &seq, taking->error))
            return false;
        sqlite3_bind_int64(statement, NUMBER, seq);
    }
    record_bind(statement, record, record_rows[record->kind].count);
    if (!insert(taking, statement, &refused))
        return false;
    taking->report->refused += refused;
    if (refused || record->kind == RECORD_TEXT)
        return true;
    taking->report->taken++;
    taking->report->attempts += record->kind == RECORD_ATTEMPT;
    return (record->kind == RECORD_EVENT ? mind_event(taking, record) : true) && touch(taking, record);
}

static bool take_record(struct taking *taking, const struct record *record)
{
    struct uuid mark;
    switch (record->kind) {
    case RECORD_LOG:
        return true;
    case RECORD_ERASING: /* it was cut off: the store may have come to it or not */
        record_uuid(record, 0, &mark);
        return add_mark(taking, &mark);
    case RECORD_PERSON:
    case RECORD_SHEET:
    case RECORD_SOURCE:
    case RECORD_PARAMETERS:
        return second_state_note(&taking->state, record);
    default:
        break;
    }
    int there = is_there(taking, record);
    if (there)
        return there > 0;
    return record->kind == RECORD_LEARNER ? take_learner(taking, record) : take_row(taking, record);
}

static bool take_frame(struct taking *taking, const struct frame *frame)
{
    struct record record;
    bool done = true;
    for (ptrdiff_t at = 0; done && record_next(frame->data, frame->length, &at, &record);)
        done = take_record(taking, &record);
    return done;
}

static bool take_frames(struct taking *taking, struct frames *frames)
{
    struct buffer buffer;
    struct frame frame;
    bool done = true, skipped = false;
    int result = SQLITE_DONE;
    buffer_init(&buffer);
    for (int64_t next = 0; done; next = frame.next) {
        result = frames_find(frames, next, &buffer, &frame, &skipped);
        taking->report->missing = taking->report->missing || skipped;
        if (result != SQLITE_ROW)
            break;
        done = take_frame(taking, &frame);
    }
    buffer_finish(&buffer);
    return done && (result == SQLITE_DONE || sqlite_error(taking->store, result, taking->error));
}

/* A merge gives who remains what the other had, though they may have been changed since; who is erased had a
 * name that another may have got. */
static bool settle_again(struct taking *taking)
{
    struct writing writing = { .store = taking->store };
    if (!writing_begin(&writing, taking->error))
        return false;
    if (!second_state_settle(&taking->state, &taking->report->roster)) {
        sqlite_rollback(taking->store);
        return false;
    }
    return sqlite_commit(taking->store, taking->error);
}

/* Who was erased, or made one with another, since the backup. */
static bool settle_learners(struct taking *taking, const struct intake_erasures *erased)
{
    struct roster_count counted;
    bool done = true;
    for (ptrdiff_t i = 0; done && i < erased->known_count; i++)
        done = sqlite_roster_erase(&taking->store->base, &erased->known[i].id, &counted, taking->error);
    for (ptrdiff_t i = 0; done && i < taking->again_count; i++) {
        struct again *again = &taking->again[i];
        int64_t both = 0;
        sqlite3_stmt *statement = NULL;
        done = prepare_one(taking, &statement,
                           "SELECT count(*) FROM learner WHERE learner_id IN (?1, ?2)"
                           " AND merged_into IS NULL");
        if (done) {
            sqlite_bind_uuid(statement, 1, &again->from);
            sqlite_bind_uuid(statement, 2, &again->into);
            done = sqlite_look_up(taking->store, statement, taking->error) > 0;
            both = sqlite3_column_int64(statement, 0);
        }
        sqlite3_finalize(statement);
        if (done && both == 2)
            done = sqlite_roster_merge(&taking->store->base, &again->from, &again->into, &counted,
                                       taking->error);
    }
    return done && (!(taking->again_count || erased->known_count) || settle_again(taking));
}

static bool take(struct taking *taking, struct frames *frames)
{
    struct intake_erasures erased = { 0 };
    if (!sqlite_intake_begin(&taking->intake, &taking->store->base, taking->error))
        return false;
    taking->intake->own = true;
    bool done = prepare(taking) && second_state_begin(&taking->state, taking->store, taking->error) &&
                take_frames(taking, frames) && second_state_settle(&taking->state, &taking->report->roster) &&
                intake_erasures_list(&erased, taking->intake, taking->error);
    for (int i = 0; i < RECORD_KINDS; i++) { /* a commit would wait for them */
        sqlite3_reset(taking->by_id[i]);
        sqlite3_reset(taking->insert[i]);
    }
    second_state_reset(&taking->state);
    done = intake_end(taking->intake, done, taking->error) && done && settle_learners(taking, &erased);
    intake_erasures_finish(&erased);
    return done;
}

bool sqlite_second_take(struct sqlite_store *store, const char *path, struct heal_report *report,
                        struct error *error)
{
    struct taking taking = { .store = store, .report = report, .error = error };
    struct frames frames;
    int result = frames_open(&frames, store->vfs, path, false);
    if (result != SQLITE_OK)
        return sqlite_error(store, result, error);
    bool paused = store->second.paused;
    store->second.paused = true;
    bool done = take(&taking, &frames);
    store->second.paused = paused;
    finish(&taking);
    frames_close(&frames);
    return done;
}
