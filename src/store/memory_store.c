#include "memory_pin.h"
#include "memory_sheet.h"
#include "roster_private.h"

#include <quiztutor/message.h>
#include <string.h>

static void memory_close(struct store *base)
{
    struct memory_store *store = (struct memory_store *)base;
    arena_finish(&store->texts);
    memory_free(store->learners);
    memory_free(store->merged);
    memory_free(store->sessions);
    memory_free(store->attempts);
    memory_free(store->events);
    memory_free(store->bodies);
    memory_free(store->parameters);
    memory_free(store->members);
    memory_free(store->sheets);
    memory_free(store->sources);
    memory_free(store->pins);
    scheduling_finish(&store->base.scheduling);
    json_reader_destroy(store->reader);
    memory_free(store);
}

bool memory_counts(const struct memory_store *store, const struct memory_attempt *attempt)
{
    for (ptrdiff_t i = 0; i < store->event_count; i++) {
        if (uuid_equal(&store->events[i].attempt, &attempt->id) &&
            strcmp(store->events[i].kind, "undone") == 0)
            return false;
    }
    return true;
}

/* A copy that lives as long as the store; *failed is set without memory. NULL stays NULL. */
static const char *keep(struct memory_store *store, const char *text, bool *failed)
{
    const char *copy = text ? arena_text(&store->texts, text, (ptrdiff_t)strlen(text)) : NULL;
    if (text && !copy)
        *failed = true;
    return copy;
}

/* Those found below are there, or were merged into who is. */
static struct memory_learner *learner_by_id(const struct memory_store *store, const struct uuid *id)
{
    for (ptrdiff_t i = 0; i < store->learner_count; i++) {
        if (uuid_equal(&store->learners[i].id, id))
            return &store->learners[i];
    }
    for (ptrdiff_t i = 0; i < store->merged_count; i++) {
        if (uuid_equal(&store->merged[i].was.id, id))
            return learner_by_id(store, &store->merged[i].into);
    }
    return NULL;
}

static struct memory_learner *learner_by_key(const struct memory_store *store, const char *key)
{
    for (ptrdiff_t i = 0; i < store->learner_count; i++) {
        if (strcmp(store->learners[i].key, key) == 0)
            return &store->learners[i];
    }
    for (ptrdiff_t i = 0; i < store->merged_count; i++) {
        if (strcmp(store->merged[i].was.key, key) == 0)
            return learner_by_id(store, &store->merged[i].into);
    }
    return NULL;
}

static struct memory_learner *learner_by_login(const struct memory_store *store, const char *login)
{
    for (ptrdiff_t i = 0; login && i < store->learner_count; i++) {
        if (store->learners[i].login && strcmp(store->learners[i].login, login) == 0)
            return &store->learners[i];
    }
    for (ptrdiff_t i = 0; login && i < store->merged_count; i++) {
        if (store->merged[i].was.login && strcmp(store->merged[i].was.login, login) == 0)
            return learner_by_id(store, &store->merged[i].into);
    }
    return NULL;
}

static const struct memory_session *session_by_id(const struct memory_store *store, const struct uuid *id)
{
    for (ptrdiff_t i = store->session_count; i-- > 0;) {
        if (uuid_equal(&store->sessions[i].id, id))
            return &store->sessions[i];
    }
    return NULL;
}

static int memory_find_learner(struct store *base, const char *login, const char *key, struct arena *arena,
                               struct store_learner *learner, struct error *error)
{
    struct memory_store *store = (struct memory_store *)base;
    const struct memory_learner *found = learner_by_login(store, login);
    if (!found)
        found = learner_by_key(store, key);
    if (!found)
        return 0;
    learner->id = found->id;
    learner->time_factor = found->time_factor;
    learner->plain = found->plain;
    learner->name = arena_text(arena, found->name, (ptrdiff_t)strlen(found->name));
    learner->login = found->login ? arena_text(arena, found->login, (ptrdiff_t)strlen(found->login)) : NULL;
    if (learner->name && (learner->login || !found->login))
        return 1;
    error_memory(error);
    return -1;
}

/* What one call adds. Everything is put behind the ends of the lists first; only when nothing can fail any
 * more do they grow over it. */
struct adding {
    struct memory_store *store;
    const struct store_session *session; /* or NULL */
    struct uuid learner;
    bool created; /* the learner */
    ptrdiff_t sessions, attempts, events, bodies;
    int64_t seq;
    bool failed; /* no memory */
};

static void adding_done(struct adding *adding)
{
    struct memory_store *store = adding->store;
    store->learner_count += adding->created;
    store->session_count += adding->sessions;
    store->attempt_count += adding->attempts;
    store->event_count += adding->events;
    store->body_count += adding->bodies;
    store->next_seq = adding->seq;
}

/* The learner of a new session, made where there is none. */
static bool settle_learner(struct adding *adding, const char *key)
{
    struct memory_store *store = adding->store;
    const struct store_learner *learner = &adding->session->learner;
    const struct memory_learner *found = learner_by_id(store, &learner->id);
    if (!found)
        found = learner_by_key(store, key);
    adding->created = !found;
    adding->learner = found ? found->id : learner->id;
    if (found)
        return true;
    if (!memory_grow(&store->learners, &store->learner_capacity, store->learner_count + 1,
                     sizeof *store->learners))
        return false;
    const char *login = learner_by_login(store, learner->login) ? NULL : learner->login;
    double factor = learner->time_factor;
    store->learners[store->learner_count] = (struct memory_learner){
        .id = learner->id,
        .name = keep(store, learner->name, &adding->failed),
        .key = keep(store, key, &adding->failed),
        .login = keep(store, login, &adding->failed),
        .time_factor = factor > 1 ? factor < 10 ? factor : 10 : 1,
    };
    return !adding->failed;
}

/* A practice that went on while its learner was erased must not bring them back. */
static bool was_erased(struct memory_store *store, const struct store_session *session, const char *key)
{
    struct uuid mark;
    bool erased = false;
    roster_mark(&mark, &session->learner.id);
    memory_roster_ops.is_erased(&store->base, &mark, &erased, NULL);
    return erased && !learner_by_id(store, &session->learner.id) && !learner_by_key(store, key);
}

static bool settle_session(struct adding *adding, struct error *error)
{
    struct memory_store *store = adding->store;
    const struct store_session *session = adding->session;
    const struct memory_session *known = session_by_id(store, &session->id);
    if (known) {
        adding->learner = known->learner;
        return true;
    }
    char *key = store_session_key(session, error);
    if (!key)
        return false;
    if (was_erased(store, session, key)) {
        memory_free(key);
        return error_set(error, ERROR_INPUT, "%s", tr("this learner was erased from the store"));
    }
    ptrdiff_t count = store->session_count + adding->sessions;
    bool done = settle_learner(adding, key) &&
                memory_grow(&store->sessions, &store->session_capacity, count + 1, sizeof *store->sessions);
    memory_free(key);
    if (!done)
        return error_memory(error);
    store->sessions[count] = (struct memory_session){
        .id = session->id,
        .learner = adding->learner,
        .seq = adding->seq++,
        .kind = keep(store, session->kind, &adding->failed),
        .origin = keep(store, session->origin, &adding->failed),
        .options = keep(store, session->options, &adding->failed),
        .plan = keep(store, session->plan, &adding->failed),
        .seed = session->seed,
        .started_at = session->started_at,
        .utc_offset_s = session->utc_offset_s,
    };
    adding->sessions++;
    return !adding->failed || error_memory(error);
}

static bool put_text(struct adding *adding, const struct store_text *text)
{
    const struct hash *content = &text->content;
    struct memory_store *store = adding->store;
    ptrdiff_t count = store->body_count + adding->bodies;
    for (ptrdiff_t i = 0; i < count; i++) {
        if (memcmp(&store->bodies[i].content, content, sizeof *content) == 0)
            return true;
    }
    if (!memory_grow(&store->bodies, &store->body_capacity, count + 1, sizeof *store->bodies))
        return false;
    store->bodies[count] = (struct memory_text){ *content, keep(store, text->pack_id, &adding->failed),
                                                 keep(store, text->question_id, &adding->failed),
                                                 keep(store, text->revision, &adding->failed),
                                                 keep(store, text->body, &adding->failed) };
    adding->bodies++;
    return !adding->failed;
}

static bool put_attempt(struct adding *adding, const struct store_attempt *attempt)
{
    struct memory_store *store = adding->store;
    ptrdiff_t count = store->attempt_count + adding->attempts;
    const struct store_text text = { attempt->content, attempt->pack_id, attempt->question_id,
                                     attempt->revision, attempt->body };
    if (!put_text(adding, &text) ||
        !memory_grow(&store->attempts, &store->attempt_capacity, count + 1, sizeof *store->attempts))
        return false;
    store->attempts[count] = (struct memory_attempt){
        .id = attempt->id,
        .session = adding->session->id,
        .learner = adding->learner,
        .seq = adding->seq++,
        .pack_id = keep(store, attempt->pack_id, &adding->failed),
        .question_id = keep(store, attempt->question_id, &adding->failed),
        .revision = keep(store, attempt->revision, &adding->failed),
        .content = attempt->content,
        .response = keep(store, attempt->response, &adding->failed),
        .shown = keep(store, attempt->shown, &adding->failed),
        .origin = keep(store, attempt->origin, &adding->failed),
        .outcome = attempt->verdict.outcome,
        .mark = attempt->verdict.mark,
        .marks = attempt->verdict.marks,
        .seed = attempt->seed,
        .showing = attempt->showing,
        .hints = attempt->hints,
        .retried = attempt->retried,
        .certainty = attempt->certainty,
        .elapsed_ms = attempt->elapsed_ms,
        .answered_at = attempt->answered_at,
        .utc_offset_s = attempt->utc_offset_s,
    };
    adding->attempts++;
    return !adding->failed;
}

/* What a `starred` or `suspended` event marks, read once. */
static bool put_mark(struct adding *adding, struct memory_event *event, struct error *error)
{
    struct memory_store *store = adding->store;
    struct buffer pack, question;
    bool is;
    buffer_init(&pack);
    buffer_init(&question);
    bool done = json_reader_mark(&store->reader, event->body, &is, &pack, &question, &event->on, error);
    if (done && is) {
        event->pack_id = keep(store, buffer_get(&pack), &adding->failed);
        event->question_id = keep(store, buffer_get(&question), &adding->failed);
    }
    buffer_finish(&pack);
    buffer_finish(&question);
    return done;
}

static bool put_event(struct adding *adding, const struct store_event *event, struct error *error)
{
    struct memory_store *store = adding->store;
    ptrdiff_t count = store->event_count + adding->events;
    if (!memory_grow(&store->events, &store->event_capacity, count + 1, sizeof *store->events))
        return error_memory(error);
    struct memory_event *put = &store->events[count];
    *put = (struct memory_event){
        .id = event->id,
        .attempt = event->attempt_id,
        .learner = adding->learner,
        .seq = adding->seq++,
        .at = event->at,
        .utc_offset_s = event->utc_offset_s,
        .kind = keep(store, event->kind, &adding->failed),
        .body = keep(store, event->body, &adding->failed),
    };
    if (adding->session)
        put->session = adding->session->id;
    adding->events++;
    if (adding->failed)
        return error_memory(error);
    if ((strcmp(event->kind, "starred") == 0 || strcmp(event->kind, "suspended") == 0) &&
        !put_mark(adding, put, error))
        return false;
    return !adding->failed || error_memory(error);
}

static bool is_stored(const struct memory_store *store, const struct uuid *attempt, const struct uuid *event)
{
    for (ptrdiff_t i = 0; attempt && i < store->attempt_count; i++) {
        if (uuid_equal(&store->attempts[i].id, attempt))
            return true;
    }
    for (ptrdiff_t i = 0; event && i < store->event_count; i++) {
        if (uuid_equal(&store->events[i].id, event))
            return true;
    }
    return false;
}

static bool is_handed_in(const struct memory_store *store, const struct uuid *session)
{
    for (ptrdiff_t i = 0; i < store->event_count; i++) {
        if (uuid_equal(&store->events[i].session, session) && strcmp(store->events[i].kind, "handed-in") == 0)
            return true;
    }
    return false;
}

static bool comes_late(const struct memory_store *store, const struct store_session *session,
                       const struct store_event *event)
{
    return session && event &&
           (strcmp(event->kind, "answered") == 0 || strcmp(event->kind, "handed-in") == 0) &&
           is_handed_in(store, &session->id);
}

static bool memory_add(struct store *base, struct store_session *session, const struct store_attempt *attempt,
                       const struct store_event *event, bool *created, struct error *error)
{
    struct memory_store *store = (struct memory_store *)base;
    struct adding adding = { .store = store, .session = session, .seq = store->next_seq };
    if (session && !settle_session(&adding, error))
        return false;
    if (is_stored(store, attempt ? &attempt->id : NULL, event ? &event->id : NULL)) {
        *created = false;
        if (session && !adding.sessions)
            session->learner.id = adding.learner;
        return true;
    }
    if (comes_late(store, session, event))
        return error_set(error, ERROR_INPUT, tr("this exam is handed in: it takes no more answers"));
    if (attempt && !put_attempt(&adding, attempt))
        return error_memory(error);
    if (event && !put_event(&adding, event, error))
        return false;
    adding_done(&adding);
    *created = adding.created;
    if (session)
        session->learner.id = adding.learner;
    return true;
}

static bool memory_add_events(struct store *base, const struct store_event *events, ptrdiff_t count,
                              struct error *error)
{
    struct memory_store *store = (struct memory_store *)base;
    struct adding adding = { .store = store, .seq = store->next_seq };
    if (is_stored(store, NULL, &events[0].id))
        return true;
    for (ptrdiff_t i = 0; i < count; i++) {
        if (!put_event(&adding, &events[i], error))
            return false;
    }
    adding_done(&adding);
    return true;
}

static bool memory_add_session(struct store *base, struct store_session *session,
                               const struct store_text *texts, int count, bool *created, struct error *error)
{
    struct memory_store *store = (struct memory_store *)base;
    struct adding adding = { .store = store, .session = session, .seq = store->next_seq };
    if (!settle_session(&adding, error))
        return false;
    for (int i = 0; i < count; i++) {
        if (!put_text(&adding, &texts[i]))
            return error_memory(error);
    }
    adding_done(&adding);
    *created = adding.created;
    session->learner.id = adding.learner;
    return true;
}

static bool put_all(struct adding *adding, struct store_session *session, const struct store_event *events,
                    int count, struct error *error)
{
    adding->session = session;
    if (!settle_session(adding, error))
        return false;
    for (int i = 0; i < count; i++)
        if (!put_event(adding, &events[i], error))
            return false;
    return true;
}

static bool memory_reopen(struct store *base, const struct store_reopening *reopening, struct error *error)
{
    struct memory_store *store = (struct memory_store *)base;
    struct adding adding = { .store = store, .seq = store->next_seq };
    if (is_stored(store, NULL, &reopening->events[0].id))
        return true;
    if (!put_all(&adding, reopening->was, reopening->events, reopening->event_count, error))
        return false;
    if (adding.sessions || adding.created)
        return error_set(error, ERROR_NOT_FOUND, "%s", tr("the exam is not in the store"));
    if (!put_all(&adding, reopening->session, reopening->answers, reopening->answer_count, error))
        return false;
    adding_done(&adding);
    return true;
}

static int64_t newest_of(const struct memory_store *store, const struct uuid *session)
{
    int64_t newest = 0;
    for (ptrdiff_t i = 0; i < store->attempt_count; i++) {
        if (uuid_equal(&store->attempts[i].session, session))
            newest = store->attempts[i].seq;
    }
    for (ptrdiff_t i = 0; i < store->event_count; i++) {
        if (uuid_equal(&store->events[i].session, session) && store->events[i].seq > newest)
            newest = store->events[i].seq;
    }
    return newest;
}

static bool memory_hand_in(struct store *base, struct store_session *session,
                           const struct store_attempt *attempts, int count, const struct store_event *event,
                           int64_t last_seq, bool *already, struct error *error)
{
    struct memory_store *store = (struct memory_store *)base;
    struct adding adding = { .store = store, .session = session, .seq = store->next_seq };
    if (!settle_session(&adding, error))
        return false;
    *already = is_handed_in(store, &session->id);
    if (*already) {
        session->learner.id = adding.learner;
        return true;
    }
    if (newest_of(store, &session->id) > last_seq)
        return error_set(error, ERROR_BUSY, tr("this exam was gone on with elsewhere: look at it again"));
    for (int i = 0; i < count; i++) {
        if (!put_attempt(&adding, &attempts[i]))
            return error_memory(error);
    }
    if (!put_event(&adding, event, error))
        return false;
    adding_done(&adding);
    session->learner.id = adding.learner;
    return true;
}

bool memory_add_papers(struct store *base, const struct sheet_paper *papers, int count, struct error *error)
{
    struct memory_store *store = (struct memory_store *)base;
    struct adding adding = { .store = store, .seq = store->next_seq };
    if (is_stored(store, &papers[0].attempts[0].id, NULL))
        return true;
    for (int i = 0; i < count; i++) {
        adding.session = papers[i].session;
        if (!sheet_is_new(base, &papers[i], error) || !settle_session(&adding, error))
            return false;
        if (adding.created)
            return sheet_unknown_learner(error);
        for (int k = 0; k < papers[i].count; k++)
            if (!put_attempt(&adding, &papers[i].attempts[k]))
                return error_memory(error);
    }
    adding_done(&adding);
    return true;
}

static bool memory_json_each(struct store *base, const char *json, const char *path, store_visit *visit,
                             void *context, struct error *error)
{
    return json_reader_each(&((struct memory_store *)base)->reader, json, path, visit, context, error);
}

static bool memory_hold(struct store *store, const struct uuid *session_id, struct error *error)
{
    (void)store, (void)session_id, (void)error;
    return true; /* no one else can reach this store */
}

static void memory_release(struct store *store, const struct uuid *session_id)
{
    (void)store, (void)session_id;
}

static bool memory_check(struct store *store, struct error *error)
{
    (void)store, (void)error;
    return true;
}

static bool memory_set_member(struct store *base, const struct uuid *learner, const char *key,
                              const char *name, bool in, struct error *error)
{
    struct memory_store *store = (struct memory_store *)base;
    bool failed = false;
    const struct memory_learner *whose = learner_by_id(store, learner);
    learner = whose ? &whose->id : learner;
    for (ptrdiff_t i = 0; i < store->member_count; i++) {
        if (strcmp(store->members[i].key, key) != 0)
            continue;
        name = store->members[i].name;
        if (!uuid_equal(&store->members[i].learner, learner))
            continue;
        if (!in)
            store->members[i] = store->members[--store->member_count];
        return true;
    }
    if (!in)
        return true;
    if (!learner_by_id(store, learner))
        return error_set(error, ERROR_NOT_FOUND, tr("no such learner in the store"));
    if (!memory_grow(&store->members, &store->member_capacity, store->member_count + 1,
                     sizeof *store->members))
        return error_memory(error);
    const struct memory_member member = { keep(store, key, &failed), keep(store, name, &failed), *learner };
    if (failed)
        return error_memory(error);
    store->members[store->member_count++] = member;
    return true;
}

static const struct store_ops memory_ops = {
    .close = memory_close,
    .find_learner = memory_find_learner,
    .add = memory_add,
    .rows_open = memory_rows_open,
    .rows_step = memory_rows_step,
    .rows_value = memory_rows_value,
    .rows_close = memory_rows_close,
    .json_each = memory_json_each,
    .hold = memory_hold,
    .release = memory_release,
    .check = memory_check,
    .add_session = memory_add_session,
    .hand_in = memory_hand_in,
    .reopen = memory_reopen,
    .add_events = memory_add_events,
    .schedule = memory_schedule,
    .overturned = memory_overturned,
    .parameters = memory_parameters,
    .set_parameters = memory_set_parameters,
    .histories = memory_histories,
    .rebuild = memory_rebuild,
    .roster = &memory_roster_ops,
    .sheets = &memory_sheet_ops,
    .pins = &memory_pin_ops,
    .set_member = memory_set_member,
};

bool store_open_memory(struct store **out, const struct store_options *options, struct error *error)
{
    struct memory_store *store = memory_zero(sizeof *store);
    *out = NULL;
    if (!store)
        return error_memory(error);
    store->base.ops = &memory_ops;
    store->base.clock = options && options->clock.wall ? options->clock : clock_system();
    arena_init(&store->texts);
    if (!scheduling_init(&store->base.scheduling, options ? options->scheduling : NULL)) {
        memory_close(&store->base);
        return error_memory(error);
    }
    uuid_make(&store->base.device, clock_wall(&store->base.clock));
    store->next_seq = 1;
    *out = &store->base;
    return true;
}
