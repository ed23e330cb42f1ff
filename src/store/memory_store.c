#include "memory_store.h"

#include <string.h>

static void memory_close(struct store *base)
{
    struct memory_store *store = (struct memory_store *)base;
    arena_finish(&store->texts);
    memory_free(store->learners);
    memory_free(store->sessions);
    memory_free(store->attempts);
    memory_free(store->events);
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

static struct memory_learner *learner_by_id(const struct memory_store *store, const struct uuid *id)
{
    for (ptrdiff_t i = 0; i < store->learner_count; i++) {
        if (uuid_equal(&store->learners[i].id, id))
            return &store->learners[i];
    }
    return NULL;
}

static struct memory_learner *learner_by_key(const struct memory_store *store, const char *key)
{
    for (ptrdiff_t i = 0; i < store->learner_count; i++) {
        if (strcmp(store->learners[i].key, key) == 0)
            return &store->learners[i];
    }
    return NULL;
}

static struct memory_learner *learner_by_login(const struct memory_store *store, const char *login)
{
    for (ptrdiff_t i = 0; login && i < store->learner_count; i++) {
        if (store->learners[i].login && strcmp(store->learners[i].login, login) == 0)
            return &store->learners[i];
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
    learner->name = arena_text(arena, found->name, (ptrdiff_t)strlen(found->name));
    learner->login = found->login ? arena_text(arena, found->login, (ptrdiff_t)strlen(found->login)) : NULL;
    if (learner->name && (learner->login || !found->login))
        return 1;
    error_memory(error);
    return -1;
}

/* The learner of a new session, made where there is none; nothing is counted yet: that is memory_add's. */
static bool settle_learner(struct memory_store *store, const struct store_learner *learner, const char *key,
                           struct uuid *id, bool *created)
{
    bool failed = false;
    const struct memory_learner *found = learner_by_id(store, &learner->id);
    if (!found)
        found = learner_by_key(store, key);
    *created = !found;
    *id = found ? found->id : learner->id;
    if (found)
        return true;
    if (!memory_grow(&store->learners, &store->learner_capacity, store->learner_count + 1,
                     sizeof *store->learners))
        return false;
    const char *login = learner_by_login(store, learner->login) ? NULL : learner->login;
    store->learners[store->learner_count] = (struct memory_learner){
        .id = learner->id,
        .name = keep(store, learner->name, &failed),
        .key = keep(store, key, &failed),
        .login = keep(store, login, &failed),
    };
    return !failed;
}

static bool settle_session(struct memory_store *store, const struct store_session *session,
                           struct uuid *learner, bool *created, bool *fresh, struct error *error)
{
    const struct memory_session *known = session_by_id(store, &session->id);
    *fresh = !known;
    *created = false;
    if (known) {
        *learner = known->learner;
        return true;
    }
    char *key = store_session_key(session, error);
    if (!key)
        return false;
    bool failed = !settle_learner(store, &session->learner, key, learner, created) ||
                  !memory_grow(&store->sessions, &store->session_capacity, store->session_count + 1,
                               sizeof *store->sessions);
    memory_free(key);
    if (failed)
        return error_memory(error);
    store->sessions[store->session_count] = (struct memory_session){
        .id = session->id,
        .learner = *learner,
        .seq = store->next_seq,
        .kind = keep(store, session->kind, &failed),
        .origin = keep(store, session->origin, &failed),
        .options = keep(store, session->options, &failed),
        .plan = keep(store, session->plan, &failed),
        .seed = session->seed,
        .started_at = session->started_at,
        .utc_offset_s = session->utc_offset_s,
    };
    return !failed || error_memory(error);
}

static bool put_attempt(struct memory_store *store, const struct store_attempt *attempt,
                        const struct uuid *session, const struct uuid *learner, int64_t seq)
{
    bool failed = false;
    if (!memory_grow(&store->attempts, &store->attempt_capacity, store->attempt_count + 1,
                     sizeof *store->attempts))
        return false;
    store->attempts[store->attempt_count] = (struct memory_attempt){
        .id = attempt->id,
        .session = *session,
        .learner = *learner,
        .seq = seq,
        .pack_id = keep(store, attempt->pack_id, &failed),
        .question_id = keep(store, attempt->question_id, &failed),
        .response = keep(store, attempt->response, &failed),
        .outcome = attempt->verdict.outcome,
        .mark = attempt->verdict.mark,
        .marks = attempt->verdict.marks,
        .showing = attempt->showing,
        .hints = attempt->hints,
        .answered_at = attempt->answered_at,
    };
    return !failed;
}

static bool put_event(struct memory_store *store, const struct store_event *event, const struct uuid *session,
                      int64_t seq)
{
    bool failed = false;
    if (!memory_grow(&store->events, &store->event_capacity, store->event_count + 1, sizeof *store->events))
        return false;
    store->events[store->event_count] = (struct memory_event){
        .id = event->id,
        .session = *session,
        .attempt = event->attempt_id,
        .seq = seq,
        .kind = keep(store, event->kind, &failed),
        .body = keep(store, event->body, &failed),
    };
    return !failed;
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

/* Everything is put behind the ends of the lists first; only when nothing can fail any more do they grow over
 * it. */
static bool memory_add(struct store *base, struct store_session *session, const struct store_attempt *attempt,
                       const struct store_event *event, bool *created, struct error *error)
{
    struct memory_store *store = (struct memory_store *)base;
    struct uuid learner = { { 0 } }, none = { { 0 } };
    bool fresh = false;
    if (session && !settle_session(store, session, &learner, created, &fresh, error))
        return false;
    if (is_stored(store, attempt ? &attempt->id : NULL, event ? &event->id : NULL)) {
        *created = false;
        if (session && !fresh)
            session->learner.id = learner;
        return true;
    }
    int64_t seq = store->next_seq + fresh;
    const struct uuid *session_id = session ? &session->id : &none;
    if (attempt ? !put_attempt(store, attempt, session_id, &learner, seq)
                : !put_event(store, event, session_id, seq))
        return error_memory(error);
    store->learner_count += *created;
    store->session_count += fresh;
    store->attempt_count += attempt != NULL;
    store->event_count += event != NULL;
    store->next_seq = seq + 1;
    if (session)
        session->learner.id = learner;
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
    uuid_make(&store->base.device, clock_wall(&store->base.clock));
    store->next_seq = 1;
    *out = &store->base;
    return true;
}
