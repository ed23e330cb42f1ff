/* Rows from elsewhere, as if they had been stored here. */
#include "sqlite_merging.h"
#include "sqlite_roster.h"

#include <quiztutor/message.h>

#include <stdio.h>
#include <string.h>

bool merge_failed(struct merge *merge)
{
    *merge->mine = true;
    return false;
}

void merge_tell(struct merge *merge, const char *what, const struct uuid *id, const char *why)
{
    char text[37], line[sizeof(struct error) + 100];
    uuid_format(text, id);
    snprintf(line, sizeof line, "%s %s: %s", what, text, why);
    merge->tell(merge->context, line);
}

bool merge_refuse(struct merge *merge, const struct elsewhere_row *row, const char *why)
{
    static const char *const kinds[] = { N_("session"), N_("answer"), N_("event") };
    merge->count->refused++;
    merge_tell(merge, tr(kinds[row->kind]), &row->id, why);
    return true;
}

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
        return merge_failed(merge);
    }
    place->fate = row->open ? FATE_RUNNING : FATE_REFUSED;
    merge->count->running += row->open;
    if (row->open)
        return true;
    if (!merge_learner(merge, row, &refused))
        return false;
    if (refused)
        return true;
    place->here = intake->writing.learner;
    int there = intake_is_there(intake, INTAKE_SESSION, &row->id, &whose, merge->error);
    if (there < 0)
        return merge_failed(merge);
    if (there > 0 && !uuid_equal(&whose, &intake->writing.learner))
        return merge_refuse(merge, row, tr("is another learner's here"));
    place->fate = FATE_TAKEN;
    if (there > 0) {
        /* handed in at both places, by copies of one store: the answers would be there twice */
        int same = intake_is_there(intake, INTAKE_EVENT, &row->event, NULL, merge->error);
        int closed = intake_is_there(intake, INTAKE_HANDED_IN, &row->id, NULL, merge->error);
        if (same < 0 || closed < 0)
            return merge_failed(merge);
        if (closed > 0 && same == 0)
            place->fate = FATE_CLOSED;
        return true;
    }
    intake->writing.session = &row->is_session;
    bool done = writing_add_session(&intake->writing, merge->error);
    intake->writing.session = NULL;
    merge->count->sessions += done;
    return done || merge_failed(merge);
}

/* The session a row belongs to: NULL where it is not to be taken, for which reason it was told. */
static struct id_place *session_of(struct merge *merge, const struct elsewhere_row *row, bool *done)
{
    struct id_place *place = id_map_place(&merge->sessions, &row->session);
    *done = true;
    if (!place) {
        error_memory(merge->error);
        *done = merge_failed(merge);
        return NULL;
    }
    if (!place->fate) {
        place->fate = FATE_REFUSED;
        merge_tell(merge, tr("session"), &row->session, tr("is not in that store"));
    }
    if (place->fate == FATE_TAKEN)
        return place;
    if (place->fate == FATE_CLOSED)
        merge_refuse(merge, row, tr("its exam was handed in here, by itself"));
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
        return merge_failed(merge);
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
        return merge_failed(merge);
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
        return merge_failed(merge);
    if (there > 0) {
        merge->count->before++;
        return true;
    }
    struct id_place *session = session_of(merge, row, &done);
    if (!session)
        return done;
    if (!merge_learner(merge, row, &refused))
        return false;
    if (refused)
        return true;
    if (!uuid_equal(&session->here, &writing->learner))
        return merge_refuse(merge, row, tr("its session is another learner's"));
    if (!settle_text(merge, &attempt))
        return false;
    struct store_session is_session = { .id = row->session };
    writing->session = &is_session;
    writing->attempt = &attempt;
    done = intake_touch(intake, merge->error) && writing_add_attempt(writing, merge->error);
    writing->session = NULL;
    writing->attempt = NULL;
    merge->count->attempts += done;
    return done || merge_failed(merge);
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
        return merge_failed(merge);
    if (there == 0)
        *why = tr("its answer is not here");
    else if (!uuid_equal(&whose, &merge->intake->writing.learner))
        *why = tr("its answer is another learner's");
    return true;
}

/* Who was erased there is noted, for somebody to decide about. The mark stands in the learner's place. */
static bool take_erased(struct merge *merge, const struct elsewhere_row *row)
{
    struct intake *intake = merge->intake;
    bool known;
    if (uuid_is_zero(&row->learner))
        return merge_refuse(merge, row, tr("it tells of nobody"));
    if (!sqlite_roster_is_erased(&intake->writing.store->base, &row->learner, &known, merge->error))
        return merge_failed(merge);
    if (known)
        return true;
    if (!memory_grow(&intake->marks, &intake->mark_capacity, intake->mark_count + 1, sizeof *intake->marks)) {
        error_memory(merge->error);
        return merge_failed(merge);
    }
    intake->marks[intake->mark_count++] = (struct intake_mark){ .mark = row->learner,
                                                                .event = row->is_event.id,
                                                                .device = row->device,
                                                                .at = row->is_event.at,
                                                                .utc_offset_s = row->is_event.utc_offset_s };
    merge->count->erasures++;
    return true;
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
    if (!uuid_is_zero(&row->learner) && !merge_learner(merge, row, &refused))
        return false;
    if (refused)
        return true;
    if (!check_attempt(merge, row, &why))
        return false;
    if (why)
        return merge_refuse(merge, row, why);
    writing->session = uuid_is_zero(&row->session) ? NULL : &session;
    done = intake_event(merge->intake, &row->is_event, &added, merge->error);
    writing->session = NULL;
    merge->count->events += done && added;
    return done || merge_failed(merge);
}

bool merge_row(struct merge *merge, const struct elsewhere_row *row)
{
    struct writing *writing = &merge->intake->writing;
    struct uuid device = writing->device, boot = writing->boot;
    struct error why = { 0 };
    const char *fault = fault_of(row, &why);
    if (fault || uuid_is_zero(&row->id))
        return merge_refuse(merge, row, fault ? fault : tr("it has no id"));
    writing->device = row->device;
    writing->boot = row->boot;
    bool done = row->kind == ELSEWHERE_SESSION   ? take_session(merge, row)
                : row->kind == ELSEWHERE_ATTEMPT ? take_attempt(merge, row)
                                                 : take_event(merge, row);
    writing->device = device;
    writing->boot = boot;
    return done;
}
