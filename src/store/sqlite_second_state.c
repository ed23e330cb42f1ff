#include "sqlite_second_state.h"

#include "roster_private.h"
#include "sqlite_roster.h"

#include <stdio.h>
#include <string.h>

enum { NAMES = 100 /* of learners who would be called the same */ };

/* `had` is what the store knew before anything came back. Of what is noted twice the newest stays, which
 * comes last. */
static const char begin_sql[] =
    "CREATE TEMP TABLE had AS SELECT change, what, id FROM main.changed;"
    "CREATE TEMP TABLE back_person(change, learner_id PRIMARY KEY, name, name_key, login, external_id,"
    " created_at, time_factor, plain, merged_into, groups, kept);"
    "CREATE TEMP TABLE back_sheet(change, id, body, content, learner_id, size, boxes, large, no_key,"
    " key_only, tag, printed_at);"
    "CREATE TEMP TABLE back_parameters(change, learner_id PRIMARY KEY, weights, report, made_at)";
static const char end_sql[] =
    "DROP TABLE IF EXISTS temp.had; DROP TABLE IF EXISTS temp.back_person;"
    "DROP TABLE IF EXISTS temp.back_sheet; DROP TABLE IF EXISTS temp.back_parameters";

static const char *const keep_sql[RECORD_KINDS] = {
    [RECORD_PERSON] =
        "INSERT OR REPLACE INTO temp.back_person VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,"
        " ?11, ?12)",
    [RECORD_SHEET] = "INSERT INTO temp.back_sheet VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
    [RECORD_SOURCE] =
        "INSERT INTO sheet_content(content, name, pack) VALUES(?1, ?2, ?3) ON CONFLICT DO NOTHING",
    [RECORD_PARAMETERS] = "INSERT OR REPLACE INTO temp.back_parameters VALUES(?1, ?2, ?3, ?4, ?5)",
};

/* Names and logins of all who come back are out of the way first. */
static const char people_sql[] =
    "DELETE FROM temp.back_person WHERE change <= (SELECT change FROM temp.had WHERE what = 'learner'"
    " AND id = learner_id);"
    "UPDATE learner SET login = NULL, external_id = NULL, name_key = lower(hex(learner_id))"
    " WHERE learner_id IN (SELECT learner_id FROM temp.back_person);"
    "INSERT INTO learner(learner_id, name, name_key, created_at) SELECT learner_id, name,"
    " lower(hex(learner_id)), created_at FROM temp.back_person"
    " WHERE learner_id NOT IN (SELECT learner_id FROM learner)";

/* A number behind the name (?2) where somebody else has it by now; who was merged while the store knew of
 * them is merged by the event that says so, which moves what is theirs. */
static const char person_sql[] =
    "UPDATE learner SET name = back.name || ?2, name_key = back.name_key || ?2,"
    " login = CASE WHEN EXISTS(SELECT 1 FROM learner AS other WHERE other.login = back.login) THEN NULL"
    " ELSE back.login END, external_id = CASE WHEN EXISTS(SELECT 1 FROM learner AS other"
    " WHERE other.external_id = back.external_id) THEN NULL ELSE back.external_id END,"
    " created_at = back.created_at, time_factor = back.time_factor, plain = back.plain,"
    " merged_into = CASE WHEN learner.merged_into IS NULL AND EXISTS(SELECT 1 FROM temp.had"
    " WHERE what = 'learner' AND had.id = back.learner_id) THEN NULL"
    " ELSE (SELECT other.learner_id FROM learner AS other WHERE other.learner_id = back.merged_into) END"
    " FROM temp.back_person AS back WHERE back.learner_id = ?1 AND learner.learner_id = ?1";

static const char belongings_sql[] =
    "DELETE FROM member WHERE learner_id IN (SELECT learner_id FROM temp.back_person);"
    "INSERT OR IGNORE INTO member(group_key, group_name, learner_id) SELECT entry.value ->> 0,"
    " entry.value ->> 1, learner_id FROM temp.back_person, json_each(groups) AS entry;"
    "DELETE FROM pin WHERE learner_id IN (SELECT learner_id FROM temp.back_person);"
    "INSERT INTO pin(learner_id, kept) SELECT learner_id, kept FROM temp.back_person WHERE kept IS NOT NULL";

#define SAME_SHEET                                                                                           \
    " sheet.id = back.id AND sheet.content = back.content AND sheet.learner_id IS back.learner_id"           \
    " AND sheet.size = back.size AND sheet.boxes = back.boxes AND sheet.large = back.large"                  \
    " AND sheet.no_key = back.no_key AND sheet.key_only = back.key_only AND sheet.tag IS back.tag"
static const char sheets_sql[] =
    "DELETE FROM temp.back_sheet WHERE learner_id NOT IN (SELECT learner_id FROM learner)"
    " OR content NOT IN (SELECT content FROM sheet_content);"
    "DELETE FROM temp.back_sheet AS back WHERE EXISTS(SELECT 1 FROM sheet WHERE" SAME_SHEET
    " AND sheet.printed_at >= back.printed_at);"
    "UPDATE sheet SET printed_at = back.printed_at FROM temp.back_sheet AS back WHERE" SAME_SHEET ";"
    "INSERT OR IGNORE INTO sheet(id, body, content, learner_id, size, boxes, large, no_key, key_only, tag,"
    " printed_at) SELECT id, body, content, learner_id, size, boxes, large, no_key, key_only, tag, printed_at"
    " FROM temp.back_sheet ORDER BY printed_at DESC;"
    "DELETE FROM sheet_content WHERE content NOT IN (SELECT content FROM sheet)";

/* All schedules are made anew by them when the store is opened next. */
static const char parameters_sql[] =
    "DELETE FROM temp.back_parameters WHERE change <= (SELECT change FROM temp.had WHERE what = 'parameters'"
    " AND id = learner_id);"
    "DELETE FROM parameters WHERE learner_id IN (SELECT learner_id FROM temp.back_parameters);"
    "INSERT INTO parameters(learner_id, weights, report, made_at) SELECT learner_id, weights, report, made_at"
    " FROM temp.back_parameters WHERE weights IS NOT NULL;"
    "UPDATE meta SET parameters_made = parameters_made + 1, schedule_version = 0"
    " WHERE EXISTS(SELECT 1 FROM temp.back_parameters)";

bool second_state_begin(struct second_state *state, struct sqlite_store *store, struct error *error)
{
    *state = (struct second_state){ .store = store, .error = error };
    if (!sqlite_exec(store, end_sql, error) || !sqlite_exec(store, begin_sql, error))
        return false;
    for (int kind = RECORD_ROWS; kind < RECORD_KINDS; kind++) {
        int result = keep_sql[kind]
                         ? sqlite3_prepare_v2(store->db, keep_sql[kind], -1, &state->keep[kind], NULL)
                         : SQLITE_OK;
        if (result != SQLITE_OK)
            return sqlite_error(store, result, error);
    }
    return true;
}

/* Whoever this store erased does not come back. */
static bool is_erased(struct second_state *state, const struct record *record, bool *erased)
{
    struct uuid id, mark;
    *erased = false;
    if (record->kind != RECORD_PERSON && record->kind != RECORD_PARAMETERS)
        return true;
    record_uuid(record, 1, &id);
    roster_mark(&mark, &id);
    return sqlite_roster_is_erased(&state->store->base, &mark, erased, state->error);
}

bool second_state_note(struct second_state *state, const struct record *record)
{
    sqlite3_stmt *statement = state->keep[record->kind];
    bool erased;
    if (!statement)
        return true;
    if (!is_erased(state, record, &erased) || erased)
        return erased;
    record_bind(statement, record, record_rows[record->kind].count);
    return sqlite_run(state->store, statement, NULL, state->error);
}

/* Under the name that they had, or one that nobody has. */
static bool settle_person(struct second_state *state, sqlite3_stmt *update, const struct uuid *id)
{
    bool refused = true, done = true;
    for (int i = 1; done && refused && i < NAMES; i++) {
        char number[16] = "";
        if (i > 1)
            snprintf(number, sizeof number, " (%d)", i);
        sqlite_bind_uuid(update, 1, id);
        sqlite_bind_text(update, 2, number);
        int result = sqlite3_step(update);
        refused = (result & 0xff) == SQLITE_CONSTRAINT;
        done = result == SQLITE_DONE || refused || sqlite_error(state->store, result, state->error);
        sqlite3_reset(update);
    }
    return done;
}

static bool settle_each(struct second_state *state, sqlite3_stmt *people, sqlite3_stmt *update)
{
    struct sqlite_store *store = state->store;
    bool done = true;
    int found;
    while (done && (found = sqlite_look_up(store, people, state->error)) > 0) {
        struct uuid id;
        sqlite_read_uuid(people, 0, &id);
        done = settle_person(state, update, &id);
    }
    return done && found == 0;
}

static bool settle_people(struct second_state *state)
{
    struct sqlite_store *store = state->store;
    sqlite3_stmt *people = NULL, *update = NULL;
    if (!sqlite_exec(store, people_sql, state->error))
        return false;
    int result = sqlite3_prepare_v2(store->db, "SELECT learner_id FROM temp.back_person", -1, &people, NULL);
    if (result == SQLITE_OK)
        result = sqlite3_prepare_v2(store->db, person_sql, -1, &update, NULL);
    bool done =
        result == SQLITE_OK ? settle_each(state, people, update) : sqlite_error(store, result, state->error);
    sqlite3_finalize(people);
    sqlite3_finalize(update);
    return done && sqlite_exec(store, belongings_sql, state->error);
}

bool second_state_settle(struct second_state *state, int64_t *settled)
{
    static const char count[] = "SELECT (SELECT count(*) FROM temp.back_person)"
                                " + (SELECT count(*) FROM temp.back_sheet)"
                                " + (SELECT count(*) FROM temp.back_parameters)";
    struct sqlite_store *store = state->store;
    store->parameters.valid = false;
    return settle_people(state) && sqlite_exec(store, sheets_sql, state->error) &&
           sqlite_exec(store, parameters_sql, state->error) &&
           sqlite_integer(store, count, settled, state->error);
}

void second_state_reset(struct second_state *state)
{
    for (int i = 0; i < RECORD_KINDS; i++)
        sqlite3_reset(state->keep[i]);
}

void second_state_finish(struct second_state *state)
{
    for (int i = 0; i < RECORD_KINDS; i++) {
        sqlite3_finalize(state->keep[i]);
        state->keep[i] = NULL;
    }
    if (state->store)
        sqlite3_exec(state->store->db, end_sql, NULL, NULL, NULL);
}
