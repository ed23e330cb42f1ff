/* An intake: its transaction, and rows of a table. */
#include "sqlite_intake.h"

#include <quiztutor/message.h>

#include <string.h>

static const char *const statements[INTAKE_STATEMENTS] = {
    [INTAKE_BY_EXTERNAL] = "SELECT learner_id FROM learner WHERE external_id = ?1",
    [INTAKE_BY_NAME] = "SELECT learner_id, login, external_id, merged_into IS NOT NULL FROM learner"
                       " WHERE name_key = ?1 ORDER BY merged_into IS NOT NULL LIMIT 100",
    [INTAKE_LEARNER] = "SELECT login, external_id FROM learner WHERE learner_id = ?1",
    [INTAKE_NAME] = "SELECT name FROM learner WHERE learner_id = ?1",
    [INTAKE_ADD_LEARNER] =
        "INSERT INTO learner(learner_id, name, name_key, login, external_id, created_at, time_factor, plain)"
        " VALUES(?1, ?2, ?3, CASE WHEN EXISTS(SELECT 1 FROM learner WHERE login = ?4) THEN NULL ELSE ?4 END,"
        " ?5, ?6, ?7, ?8)",
    [INTAKE_SESSION] = "SELECT learner_id FROM session WHERE session_id = ?1",
    [INTAKE_ATTEMPT] = "SELECT learner_id FROM attempt WHERE attempt_id = ?1",
    [INTAKE_TEXT] = "SELECT 1 FROM question_text WHERE content = ?1",
    [INTAKE_GRADED] = "SELECT 1 FROM event WHERE attempt_id = ?1 AND kind = ?2",
    [INTAKE_HANDED_IN] = "SELECT 1 FROM event WHERE session_id = ?1 AND kind = 'handed-in'",
    [INTAKE_JOIN] = "INSERT OR IGNORE INTO member(group_key, learner_id, group_name) VALUES(?1, ?2, ?3)",
    [INTAKE_EVENT] = "SELECT 1 FROM event WHERE event_id = ?1",
};

sqlite3_stmt *intake_prepare(struct intake *intake, enum intake_statement which, struct error *error)
{
    struct sqlite_store *store = intake->writing.store;
    sqlite3_stmt **statement = &intake->statements[which];
    if (!*statement) {
        int result = sqlite3_prepare_v2(store->db, statements[which], -1, statement, NULL);
        if (result != SQLITE_OK)
            sqlite_error(store, result, error);
    }
    return *statement;
}

bool sqlite_intake_begin(struct intake **out, struct store *base, struct error *error)
{
    *out = NULL;
    struct intake *intake = memory_zero(sizeof *intake);
    if (!intake)
        return error_memory(error);
    intake->writing.store = (struct sqlite_store *)base;
    if (!writing_begin(&intake->writing, error)) {
        memory_free(intake);
        return false;
    }
    /* what many rows touch lies all over the file: it is read and written once only */
    sqlite_exec(intake->writing.store, "PRAGMA cache_size = -65536", NULL);
    *out = intake;
    return true;
}

/* Rows of one learner that are followed one by one; from there on it is quicker to make all anew. */
enum { FEW = 32 };

bool intake_touch(struct intake *intake, struct error *error)
{
    struct id_place *place = id_map_place(&intake->touched, &intake->writing.learner);
    if (!place)
        return error_memory(error);
    intake->writing.later = ++place->count > FEW && !uuid_is_zero(&intake->writing.learner);
    return true;
}

static bool make_again(struct intake *intake, struct error *error)
{
    for (ptrdiff_t i = 0; i < intake->touched.capacity; i++) {
        const struct id_place *place = &intake->touched.places[i];
        if (place->count > FEW && !uuid_is_zero(&place->id) &&
            !sqlite_schedule_again(intake->writing.store, &place->id, error))
            return false;
    }
    return true;
}

bool intake_end(struct intake *intake, bool keep, struct error *error)
{
    if (!intake)
        return true;
    struct sqlite_store *store = intake->writing.store;
    bool done = !keep || make_again(intake, error);
    keep = keep && done;
    for (int i = 0; i < INTAKE_STATEMENTS; i++)
        sqlite3_finalize(intake->statements[i]);
    if (keep)
        done = sqlite_commit(store, error);
    else
        sqlite_rollback(store);
    sqlite_exec(store, "PRAGMA cache_size = -4096", NULL); /* as sqlite_open.c has it */
    if (keep && done)
        writing_done(&intake->writing, NULL);
    memory_free(intake->marks);
    id_map_finish(&intake->touched);
    memory_free(intake);
    return done;
}

int intake_is_there(struct intake *intake, enum intake_statement which, const struct uuid *id,
                    struct uuid *found, struct error *error)
{
    sqlite3_stmt *statement = intake_prepare(intake, which, error);
    if (!statement)
        return -1;
    sqlite_bind_uuid(statement, 1, id);
    int there = sqlite_look_up(intake->writing.store, statement, error);
    if (there > 0 && found)
        sqlite_read_uuid(statement, 0, found);
    sqlite3_reset(statement);
    return there;
}

bool intake_event(struct intake *intake, const struct store_event *event, bool *added, struct error *error)
{
    int there = intake_is_there(intake, INTAKE_EVENT, &event->id, NULL, error);
    if (added)
        *added = there == 0;
    if (there != 0)
        return there > 0;
    intake->writing.event = event;
    bool done = intake_touch(intake, error) && writing_add_event(&intake->writing, error);
    intake->writing.event = NULL;
    return done;
}

/* Says of the row's attempt that it was taken back, or voided, where the store does not know yet. */
static bool add_word(struct intake *intake, const struct intake_row *row, const char *kind, bool *added,
                     struct error *error)
{
    const struct store_attempt *attempt = &row->attempt;
    sqlite3_stmt *statement = intake_prepare(intake, INTAKE_GRADED, error);
    if (!statement)
        return false;
    sqlite_bind_uuid(statement, 1, &attempt->id);
    sqlite_bind_text(statement, 2, kind);
    int there = sqlite_look_up(intake->writing.store, statement, error);
    sqlite3_reset(statement);
    if (there != 0)
        return there > 0;
    struct store_event event = { .kind = kind,
                                 .attempt_id = attempt->id,
                                 .at = attempt->answered_at,
                                 .utc_offset_s = attempt->utc_offset_s };
    intake_id(&event.id, kind, attempt->id.bytes, sizeof attempt->id.bytes, "", 0);
    return intake_event(intake, &event, added, error);
}

static bool add_words(struct intake *intake, const struct intake_row *row, bool *added, struct error *error)
{
    *added = false;
    return (!row->undone || add_word(intake, row, "undone", added, error)) &&
           (!row->voided || add_word(intake, row, "voided", added, error));
}

/* An exam that was not handed in would be taken for one that is running. */
static bool hand_in(struct intake *intake, const struct intake_row *row, struct error *error)
{
    const struct uuid *session = &intake->writing.session->id;
    struct store_event event = { .kind = "handed-in",
                                 .at = row->attempt.answered_at,
                                 .utc_offset_s = row->attempt.utc_offset_s };
    intake_id(&event.id, "handed-in", session->bytes, sizeof session->bytes, "", 0);
    return intake_event(intake, &event, NULL, error);
}

/* The session of the row, made where it is not there. */
static bool settle_session(struct intake *intake, const struct intake_row *row, struct store_session *session,
                           struct intake_result *result, struct error *error)
{
    struct writing *writing = &intake->writing;
    const struct store_attempt *attempt = &row->attempt;
    struct uuid whose;
    *session = (struct store_session){
        .id = row->session,
        .kind = row->kind,
        .origin = "import",
        .seed = 1,
        .options = "{\"limit\":null,\"mode\":\"all\",\"packs\":[],\"tag\":null}",
        .plan = "[]",
        .started_at = attempt->answered_at,
        .utc_offset_s = attempt->utc_offset_s,
    };
    if (uuid_is_zero(&session->id))
        intake_id(&session->id, "session", row->source.bytes, sizeof row->source.bytes,
                  writing->learner.bytes, sizeof writing->learner.bytes);
    int there = intake_is_there(intake, INTAKE_SESSION, &session->id, &whose, error);
    if (there < 0)
        return false;
    if (there > 0 && !uuid_equal(&whose, &writing->learner))
        return intake_refuse(result, "%s", tr("its session is another learner's"));
    writing->session = session;
    return there > 0 || (writing_add_session(writing, error) &&
                         (strcmp(row->kind, "exam") != 0 || hand_in(intake, row, error)));
}

bool intake_content(struct intake *intake, struct hash *content, struct error *error)
{
    static const struct hash unknown;
    if (memcmp(content, &unknown, sizeof unknown) == 0)
        return true;
    sqlite3_stmt *statement = intake_prepare(intake, INTAKE_TEXT, error);
    if (!statement)
        return false;
    sqlite_bind_hash(statement, 1, content);
    int there = sqlite_look_up(intake->writing.store, statement, error);
    sqlite3_reset(statement);
    if (there == 0)
        *content = unknown;
    return there >= 0;
}

static bool add_attempt(struct intake *intake, const struct intake_row *row, struct intake_result *result,
                        struct error *error)
{
    struct writing *writing = &intake->writing;
    struct store_attempt attempt = row->attempt;
    struct store_session session;
    struct intake_who who = {
        .id = row->learner, .name = row->name, .login = row->login, .external_id = row->external_id
    };
    struct uuid here = writing->device;
    bool added;
    if (!intake_learner(intake, &who, result, error))
        return false;
    if (result->fate == INTAKE_REFUSED)
        return true;
    attempt.body = NULL;
    if (!intake_content(intake, &attempt.content, error))
        return false;
    if (!uuid_is_zero(&row->device))
        writing->device = row->device;
    writing->boot = (struct uuid){ 0 };
    writing->attempt = &attempt;
    bool done = settle_session(intake, row, &session, result, error) &&
                (result->fate == INTAKE_REFUSED ||
                 (intake_touch(intake, error) && writing_add_attempt(writing, error) &&
                  add_words(intake, row, &added, error)));
    writing->attempt = NULL;
    writing->session = NULL;
    writing->device = here;
    return done;
}

bool intake_row(struct intake *intake, const struct intake_row *row, struct intake_result *result,
                struct error *error)
{
    struct writing *writing = &intake->writing;
    bool added;
    *result = (struct intake_result){ .fate = INTAKE_TAKEN };
    if (!intake_row_fits(row, result))
        return true;
    int there = intake_is_there(intake, INTAKE_ATTEMPT, &row->attempt.id, &writing->learner, error);
    if (there < 0)
        return false;
    result->fate = there > 0 ? INTAKE_BEFORE : INTAKE_TAKEN;
    if (there == 0)
        return add_attempt(intake, row, result, error);
    if (!add_words(intake, row, &added, error))
        return false;
    if (added)
        result->fate = INTAKE_TAKEN;
    return true;
}
