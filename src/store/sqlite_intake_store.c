/* Another store taken in: its log row by row, as if it had been stored here. */
#include "sqlite_elsewhere.h"
#include "sqlite_intake.h"
#include "sqlite_roster.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What was found out of a learner or session of the other store; `here`: the learner's own id here. */
enum fate { FATE_UNKNOWN, FATE_TAKEN, FATE_REFUSED, FATE_RUNNING, FATE_CLOSED };

struct merge {
    struct intake *intake;
    struct elsewhere *elsewhere;
    struct intake_count *count;
    struct id_map learners, sessions;
    intake_tell *tell;
    void *context;
    bool *mine;
    struct error *error;
};

/* An error of this store, or of memory. */
static bool failed(struct merge *merge)
{
    *merge->mine = true;
    return false;
}

static void tell_row(struct merge *merge, const char *what, const struct uuid *id, const char *why)
{
    char text[37], line[sizeof(struct error) + 100];
    uuid_format(text, id);
    snprintf(line, sizeof line, "%s %s: %s", what, text, why);
    merge->tell(merge->context, line);
}

/* Refuses one row, and says why. */
static bool refuse(struct merge *merge, const struct elsewhere_row *row, const char *why)
{
    static const char *const kinds[] = { N_("session"), N_("answer"), N_("event") };
    merge->count->refused++;
    tell_row(merge, tr(kinds[row->kind]), &row->id, why);
    return true;
}

/* ---- learners ---- */

static bool is_plain(const char *text)
{
    enum { LONGEST = 1000 };
    ptrdiff_t length = (ptrdiff_t)strlen(text);
    bool plain = length > 0 && length <= LONGEST && store_is_text(text);
    for (ptrdiff_t at = 0; plain && at < length;) {
        int32_t code;
        at += text_decode(text + at, length - at, &code);
        plain = !text_forbidden(code) && code != '\n' && code != '\t';
    }
    return plain;
}

/* Follows merges there, to a learner of the other store. 1, 0 none, −1 an error. */
static int read_learner(struct merge *merge, struct uuid *id, struct elsewhere_learner *learner)
{
    enum { MERGES = 100 };
    int found = 0;
    for (int i = 0; i < MERGES; i++) {
        found = elsewhere_learner(merge->elsewhere, id, learner, merge->error);
        if (found <= 0 || uuid_is_zero(&learner->into))
            return found;
        *id = learner->into;
    }
    return 0;
}

/* Groups of who is new; the groups of others are this store's affair. */
static bool join(struct merge *merge, const char *name)
{
    struct intake *intake = merge->intake;
    sqlite3_stmt *statement = intake_prepare(intake, INTAKE_JOIN, merge->error);
    char *key = statement ? text_fold(name) : NULL;
    if (statement && !key)
        error_memory(merge->error);
    if (!key)
        return failed(merge);
    sqlite_bind_text(statement, 1, key);
    sqlite_bind_uuid(statement, 2, &intake->writing.learner);
    sqlite_bind_text(statement, 3, name);
    bool done = sqlite_run(intake->writing.store, statement, NULL, merge->error);
    memory_free(key);
    return done || failed(merge);
}

static bool take_groups(struct merge *merge, const struct uuid *id)
{
    const char *name;
    int found = elsewhere_group(merge->elsewhere, id, &name, merge->error);
    for (; found > 0; found = elsewhere_group(merge->elsewhere, NULL, &name, merge->error))
        if (name && is_plain(name) && !join(merge, name))
            return false;
    return found == 0;
}

static bool match_learner(struct merge *merge, const struct uuid *id, const struct elsewhere_learner *learner,
                          struct id_place *place)
{
    const char *why = NULL;
    struct intake_result result = { .fate = INTAKE_TAKEN };
    char *name = learner->name ? text_learner_name(learner->name, &why) : NULL;
    if (!name && why && strcmp(why, tr("out of memory")) == 0) {
        error_memory(merge->error);
        return failed(merge);
    }
    if (!name || uuid_is_zero(id) || (learner->login && !is_plain(learner->login)) ||
        (learner->external_id && !is_plain(learner->external_id)))
        intake_refuse(&result, "%s", !name && why ? why : tr("the learner's row is damaged"));
    struct intake_who who = { .id = *id,
                              .name = name,
                              .login = learner->login,
                              .external_id = learner->external_id,
                              .plain = learner->plain,
                              .time_factor = learner->time_factor };
    bool done = result.fate == INTAKE_REFUSED || intake_learner(merge->intake, &who, &result, merge->error);
    memory_free(name);
    if (!done)
        return failed(merge);
    merge->count->learners += result.new_learner;
    place->here = merge->intake->writing.learner;
    place->fate = result.fate == INTAKE_REFUSED ? FATE_REFUSED : FATE_TAKEN;
    if (place->fate == FATE_REFUSED)
        tell_row(merge, tr("learner"), id, result.why);
    return !result.new_learner || take_groups(merge, id);
}

/* Whose the row is here: into writing.learner. Of a refused learner it is told once. */
static bool settle_learner(struct merge *merge, const struct elsewhere_row *row, bool *refused)
{
    struct id_place *place = id_map_place(&merge->learners, &row->learner);
    struct elsewhere_learner learner;
    struct uuid id = row->learner;
    *refused = false;
    if (!place) {
        error_memory(merge->error);
        return failed(merge);
    }
    if (!place->fate) {
        place->fate = FATE_REFUSED; /* unless all goes well */
        int found = read_learner(merge, &id, &learner);
        if (found < 0)
            return false;
        if (found == 0)
            tell_row(merge, tr("learner"), &id, tr("is not in that store"));
        else if (!match_learner(merge, &id, &learner, place))
            return false;
    }
    *refused = place->fate == FATE_REFUSED;
    merge->count->refused += *refused;
    merge->intake->writing.learner = place->here;
    return true;
}

/* ---- the log ---- */

static const char *fault_of(const struct elsewhere_row *row, struct error *why)
{
    static const struct uuid any = { { 1 } };
    if (row->fault || uuid_is_zero(&row->device)) {
        error_set(why, ERROR_INPUT, tr("can't be stored: bad %s"), row->fault ? row->fault : "device_id");
        return why->message;
    }
    struct store_session session = row->is_session;
    struct store_attempt attempt = row->is_attempt;
    session.learner.id = any;
    session.learner.name = "-"; /* which was looked at by itself */
    attempt.body = "{}";
    bool fits = row->kind == ELSEWHERE_SESSION   ? store_validate_session(&session, why)
                : row->kind == ELSEWHERE_ATTEMPT ? store_validate_attempt(&attempt, why)
                                                 : store_validate_event(&row->is_event, why);
    return fits ? NULL : why->message;
}

static bool take_session(struct merge *merge, const struct elsewhere_row *row)
{
    struct intake *intake = merge->intake;
    struct id_place *place = id_map_place(&merge->sessions, &row->id);
    struct uuid whose;
    bool refused;
    if (!place) {
        error_memory(merge->error);
        return failed(merge);
    }
    place->fate = row->open ? FATE_RUNNING : FATE_REFUSED;
    merge->count->running += row->open;
    if (row->open)
        return true;
    if (!settle_learner(merge, row, &refused))
        return false;
    if (refused)
        return true;
    place->here = intake->writing.learner;
    int there = intake_is_there(intake, INTAKE_SESSION, &row->id, &whose, merge->error);
    if (there < 0)
        return failed(merge);
    if (there > 0 && !uuid_equal(&whose, &intake->writing.learner))
        return refuse(merge, row, tr("is another learner's here"));
    place->fate = FATE_TAKEN;
    if (there > 0) {
        /* handed in at both places, by copies of one store: the answers would be there twice */
        int same = intake_is_there(intake, INTAKE_EVENT, &row->event, NULL, merge->error);
        int closed = intake_is_there(intake, INTAKE_HANDED_IN, &row->id, NULL, merge->error);
        if (same < 0 || closed < 0)
            return failed(merge);
        if (closed > 0 && same == 0)
            place->fate = FATE_CLOSED;
        return true;
    }
    intake->writing.session = &row->is_session;
    bool done = writing_add_session(&intake->writing, merge->error);
    intake->writing.session = NULL;
    merge->count->sessions += done;
    return done || failed(merge);
}

/* The session a row belongs to: NULL where it is not to be taken, for which reason it was told. */
static struct id_place *session_of(struct merge *merge, const struct elsewhere_row *row, bool *done)
{
    struct id_place *place = id_map_place(&merge->sessions, &row->session);
    *done = true;
    if (!place) {
        error_memory(merge->error);
        *done = failed(merge);
        return NULL;
    }
    if (!place->fate) {
        place->fate = FATE_REFUSED;
        tell_row(merge, tr("session"), &row->session, tr("is not in that store"));
    }
    if (place->fate == FATE_TAKEN)
        return place;
    if (place->fate == FATE_CLOSED)
        refuse(merge, row, tr("its exam was handed in here, by itself"));
    else if (place->fate == FATE_REFUSED)
        merge->count->refused++;
    return NULL;
}

/* The attempt's question as it was asked: there already, or taken over; what claims to be another's is not.
 */
static bool settle_text(struct merge *merge, struct store_attempt *attempt)
{
    struct intake *intake = merge->intake;
    struct hash content = attempt->content, is;
    if (!intake_content(intake, &attempt->content, merge->error))
        return failed(merge);
    if (memcmp(&content, &attempt->content, sizeof content) == 0)
        return true; /* not known, or there */
    struct store_text text;
    int found = elsewhere_text(merge->elsewhere, &content, &text, merge->error);
    if (found < 0)
        return false;
    if (found == 0 || !text.body)
        return true;
    hash_of(&is, text.body, (ptrdiff_t)strlen(text.body));
    if (memcmp(&is, &content, sizeof is) != 0 || !store_validate_text(&text, NULL))
        return true;
    if (!writing_add_text(&intake->writing, &text, merge->error))
        return failed(merge);
    attempt->content = content;
    return true;
}

static bool take_attempt(struct merge *merge, const struct elsewhere_row *row)
{
    struct intake *intake = merge->intake;
    struct writing *writing = &intake->writing;
    struct store_attempt attempt = row->is_attempt;
    bool done, refused;
    int there = intake_is_there(intake, INTAKE_ATTEMPT, &row->id, NULL, merge->error);
    if (there < 0)
        return failed(merge);
    if (there > 0) {
        merge->count->before++;
        return true;
    }
    struct id_place *session = session_of(merge, row, &done);
    if (!session)
        return done;
    if (!settle_learner(merge, row, &refused))
        return false;
    if (refused)
        return true;
    if (!uuid_equal(&session->here, &writing->learner))
        return refuse(merge, row, tr("its session is another learner's"));
    if (!settle_text(merge, &attempt))
        return false;
    struct store_session is_session = { .id = row->session };
    writing->session = &is_session;
    writing->attempt = &attempt;
    done = intake_touch(intake, merge->error) && writing_add_attempt(writing, merge->error);
    writing->session = NULL;
    writing->attempt = NULL;
    merge->count->attempts += done;
    return done || failed(merge);
}

/* Whether the attempt that an event is about is there, and the same learner's. */
static bool check_attempt(struct merge *merge, const struct elsewhere_row *row, const char **why)
{
    struct uuid whose;
    *why = NULL;
    if (uuid_is_zero(&row->is_event.attempt_id))
        return true;
    int there =
        intake_is_there(merge->intake, INTAKE_ATTEMPT, &row->is_event.attempt_id, &whose, merge->error);
    if (there < 0)
        return failed(merge);
    if (there == 0)
        *why = tr("its answer is not here");
    else if (!uuid_equal(&whose, &merge->intake->writing.learner))
        *why = tr("its answer is another learner's");
    return true;
}

/* Who was erased there is not to come in here again, and is to go where they are here. The mark stands in the
 * learner's place. */
static bool take_erased(struct merge *merge, const struct elsewhere_row *row)
{
    struct intake *intake = merge->intake;
    bool known;
    if (uuid_is_zero(&row->learner))
        return refuse(merge, row, tr("it tells of nobody"));
    if (!sqlite_roster_is_erased(&intake->writing.store->base, &row->learner, &known, merge->error))
        return failed(merge);
    if (known)
        return true;
    if (!memory_grow(&intake->marks, &intake->mark_capacity, intake->mark_count + 1, sizeof *intake->marks)) {
        error_memory(merge->error);
        return failed(merge);
    }
    intake->marks[intake->mark_count++] = row->learner;
    intake->writing.learner = row->learner;
    return intake_event(intake, &row->is_event, NULL, merge->error) || failed(merge);
}

static bool take_event(struct merge *merge, const struct elsewhere_row *row)
{
    struct writing *writing = &merge->intake->writing;
    bool done = true, refused = false, added;
    const char *why;
    struct store_session session = { .id = row->session };
    if (strcmp(row->is_event.kind, "erased") == 0)
        return take_erased(merge, row);
    if (strcmp(row->is_event.kind, "merged") == 0)
        return true; /* whom this store takes for one is its own affair */
    if (!uuid_is_zero(&row->session) && !session_of(merge, row, &done))
        return done;
    memset(&writing->learner, 0, sizeof writing->learner);
    if (!uuid_is_zero(&row->learner) && !settle_learner(merge, row, &refused))
        return false;
    if (refused)
        return true;
    if (!check_attempt(merge, row, &why))
        return false;
    if (why)
        return refuse(merge, row, why);
    writing->session = uuid_is_zero(&row->session) ? NULL : &session;
    done = intake_event(merge->intake, &row->is_event, &added, merge->error);
    writing->session = NULL;
    merge->count->events += done && added;
    return done || failed(merge);
}

static bool take_row(struct merge *merge, const struct elsewhere_row *row)
{
    struct writing *writing = &merge->intake->writing;
    struct uuid device = writing->device, boot = writing->boot;
    struct error why = { 0 };
    const char *fault = fault_of(row, &why);
    if (fault || uuid_is_zero(&row->id))
        return refuse(merge, row, fault ? fault : tr("it has no id"));
    writing->device = row->device;
    writing->boot = row->boot;
    bool done = row->kind == ELSEWHERE_SESSION   ? take_session(merge, row)
                : row->kind == ELSEWHERE_ATTEMPT ? take_attempt(merge, row)
                                                 : take_event(merge, row);
    writing->device = device;
    writing->boot = boot;
    return done;
}

bool intake_log(struct intake *intake, struct elsewhere *elsewhere, struct intake_count *count,
                intake_tell *tell, void *context, bool *mine, struct error *error)
{
    struct merge merge = { .intake = intake,
                           .elsewhere = elsewhere,
                           .count = count,
                           .tell = tell,
                           .context = context,
                           .mine = mine,
                           .error = error };
    struct elsewhere_row row = { .kind = ELSEWHERE_KINDS };
    int found;
    bool done = true;
    *mine = false;
    while (done && (found = elsewhere_next(elsewhere, &row, error)) != 0)
        done = found > 0 && take_row(&merge, &row);
    id_map_finish(&merge.learners);
    id_map_finish(&merge.sessions);
    return done;
}

/* ---- the file ---- */

/* Looks through it first: of a damaged one nothing is taken. */
static bool take_file(struct intake *intake, const char *path, struct intake_count *count, intake_tell *tell,
                      void *context, bool *mine, struct error *error)
{
    struct sqlite_store *store = intake->writing.store;
    const struct store_options options = { .clock = store->base.clock, .reading = true };
    struct store *other = NULL;
    struct elsewhere elsewhere = { 0 };
    *mine = false;
    bool done = sqlite_store_open(&other, path, &options, store->around, error) &&
                elsewhere_open(&elsewhere, (struct sqlite_store *)other, NULL, error) &&
                sqlite_check(other, error) &&
                intake_log(intake, &elsewhere, count, tell, context, mine, error);
    elsewhere_close(&elsewhere);
    if (other)
        store_close(other);
    return done;
}

enum intake_file intake_store(struct intake *intake, const char *path, struct intake_count *count,
                              intake_tell *tell, void *context, struct error *error)
{
    struct sqlite_store *store = intake->writing.store;
    ptrdiff_t marks = intake->mark_count;
    bool mine = false;
    memset(count, 0, sizeof *count);
    if (!sqlite_exec(store, "SAVEPOINT file", error))
        return INTAKE_FAILED;
    bool done = take_file(intake, path, count, tell, context, &mine, error);
    if (mine)
        return INTAKE_FAILED;
    if (!done) {
        memset(count, 0, sizeof *count);
        intake->mark_count = marks;
        if (!sqlite_exec(store, "ROLLBACK TO file", NULL))
            return INTAKE_FAILED;
    }
    if (!sqlite_exec(store, "RELEASE file", done ? error : NULL))
        return INTAKE_FAILED;
    return done ? INTAKE_FILE_TAKEN : INTAKE_FILE_REFUSED;
}

static int compare_ids(const void *one, const void *other)
{
    return memcmp(one, other, sizeof(struct uuid));
}

bool intake_erased(struct intake *intake, struct uuid **ids, ptrdiff_t *count, struct error *error)
{
    struct sqlite_store *store = intake->writing.store;
    sqlite3_stmt *statement = NULL;
    ptrdiff_t capacity = 0;
    int found = 0;
    *ids = NULL;
    *count = 0;
    if (!intake->mark_count)
        return true;
    qsort(intake->marks, (size_t)intake->mark_count, sizeof *intake->marks, compare_ids);
    int result = sqlite3_prepare_v2(store->db, "SELECT learner_id FROM learner WHERE merged_into IS NULL", -1,
                                    &statement, NULL);
    bool done = result == SQLITE_OK || sqlite_error(store, result, error);
    while (done && (found = sqlite_look_up(store, statement, error)) > 0) {
        struct uuid id, mark;
        sqlite_read_uuid(statement, 0, &id);
        roster_mark(&mark, &id);
        if (!bsearch(&mark, intake->marks, (size_t)intake->mark_count, sizeof mark, compare_ids))
            continue;
        done = memory_grow(ids, &capacity, *count + 1, sizeof **ids) || error_memory(error);
        if (done)
            (*ids)[(*count)++] = id;
    }
    sqlite3_finalize(statement);
    return done && found == 0;
}
