/* Exams in the store in memory, handed in or not, sheets that were, and what kiosks say. */
#include "memory_rows.h"

#include <stdlib.h>
#include <string.h>

static bool is_of(const struct memory_event *event, const struct memory_session *session, const char *kind)
{
    return uuid_equal(&event->session, &session->id) && strcmp(event->kind, kind) == 0;
}

/* The one value at a path, or NULL, in the arena. */
static bool read_value(struct answering *of, const char *json, const char *path, const char **value)
{
    struct elements elements = { 0 };
    bool done = !json || memory_list(of, &elements, json, path);
    *value = done && elements.count ? elements.items[0] : NULL;
    memory_free(elements.items);
    return done;
}

/* Whether two `answered` events are of the same question. */
static bool same_question(struct answering *of, const char *one, const char *other, bool *same)
{
    const char *texts[4];
    if (!read_value(of, one, "$.question[0]", &texts[0]) ||
        !read_value(of, one, "$.question[1]", &texts[1]) ||
        !read_value(of, other, "$.question[0]", &texts[2]) ||
        !read_value(of, other, "$.question[1]", &texts[3]))
        return false;
    *same = true;
    for (int i = 0; i < 2; i++)
        *same = *same && texts[i] && texts[i + 2] && strcmp(texts[i], texts[i + 2]) == 0;
    return true;
}

/* Whether the event is the newest answer to its question, and no blank. */
static bool is_answer(struct answering *of, const struct memory_session *session, ptrdiff_t place, bool *is)
{
    const struct memory_store *store = of->store;
    const char *response;
    if (!read_value(of, store->events[place].body, "$.response", &response))
        return false;
    *is = response != NULL;
    for (ptrdiff_t i = place + 1; *is && i < store->event_count; i++) {
        bool same;
        if (!is_of(&store->events[i], session, "answered"))
            continue;
        if (!same_question(of, store->events[place].body, store->events[i].body, &same))
            return false;
        *is = !same;
    }
    return true;
}

struct progress {
    int64_t answered, last_seq;
    double extended;
};

static bool look_at_log(struct answering *of, const struct memory_session *session, struct progress *progress)
{
    const struct memory_store *store = of->store;
    memset(progress, 0, sizeof *progress);
    for (ptrdiff_t i = 0; i < store->attempt_count; i++) {
        if (uuid_equal(&store->attempts[i].session, &session->id))
            progress->last_seq = store->attempts[i].seq;
    }
    for (ptrdiff_t i = 0; i < store->event_count; i++) {
        const struct memory_event *event = &store->events[i];
        const char *minutes = NULL;
        bool is = false;
        if (!uuid_equal(&event->session, &session->id))
            continue;
        progress->last_seq = event->seq > progress->last_seq ? event->seq : progress->last_seq;
        if ((is_of(event, session, "answered") && !is_answer(of, session, i, &is)) ||
            (is_of(event, session, "extended") && !read_value(of, event->body, "$.minutes", &minutes)))
            return false;
        progress->answered += is;
        progress->extended += minutes ? strtod(minutes, NULL) : 0;
    }
    return true;
}

static bool is_open(const struct memory_store *store, const struct memory_session *session)
{
    for (ptrdiff_t i = 0; i < store->event_count; i++) {
        if (is_of(&store->events[i], session, "handed-in"))
            return false;
    }
    return strcmp(session->kind, "exam") == 0;
}

static bool add_exam(struct answering *of, const struct memory_session *session)
{
    const struct memory_store *store = of->store;
    struct elements plan = { 0 };
    struct progress progress;
    const char *name = NULL;
    for (ptrdiff_t i = 0; i < store->learner_count; i++) {
        if (uuid_equal(&store->learners[i].id, &session->learner))
            name = store->learners[i].name;
    }
    bool done = memory_list(of, &plan, session->plan, "$") && look_at_log(of, session, &progress);
    memory_free(plan.items);
    if (!done)
        return false;
    struct store_value cells[] = {
        store_value_uuid(&session->id),
        store_value_uuid(&session->learner),
        store_value_text(name),
        store_value_text(session->options),
        store_value_integer(session->started_at),
        store_value_integer(session->utc_offset_s),
        store_value_integer(session->seed),
        store_value_text(session->origin),
        store_value_integer(plan.count),
        store_value_integer(progress.answered),
        memory_real(progress.extended),
        store_value_integer(progress.last_seq),
    };
    return memory_add_row(of, cells);
}

static int by_start(const void *one, const void *other)
{
    const struct memory_session *const *a = one, *const *b = other;
    if ((*a)->started_at != (*b)->started_at)
        return (*a)->started_at < (*b)->started_at ? 1 : -1;
    return (*a)->seq < (*b)->seq ? 1 : -1;
}

bool memory_exams(struct answering *of)
{
    const struct memory_store *store = of->store;
    ptrdiff_t count = 0;
    const struct memory_session **exams = arena_alloc(
        &of->rows->arena, (store->session_count + 1) * (ptrdiff_t)sizeof(const struct memory_session *));
    if (!exams)
        return error_memory(of->error);
    for (ptrdiff_t i = 0; i < store->session_count; i++) {
        const struct memory_session *session = &store->sessions[i];
        if (is_open(store, session) &&
            (of->parameters[0].type == VALUE_NULL || memory_is_id(&of->parameters[0], &session->learner)))
            exams[count++] = session;
    }
    qsort(exams, (size_t)count, sizeof(const struct memory_session *), by_start);
    for (ptrdiff_t i = 0; i < count; i++) {
        if (!add_exam(of, exams[i]))
            return false;
    }
    return true;
}

bool memory_papers(struct answering *of)
{
    const struct memory_store *store = of->store;
    ptrdiff_t count = 0;
    const struct memory_session **papers = arena_alloc(
        &of->rows->arena, (store->session_count + 1) * (ptrdiff_t)sizeof(const struct memory_session *));
    if (!papers)
        return error_memory(of->error);
    for (ptrdiff_t i = 0; i < store->session_count; i++)
        if (strcmp(store->sessions[i].kind, "paper") == 0 &&
            memory_is_id(&of->parameters[0], &store->sessions[i].learner))
            papers[count++] = &store->sessions[i];
    qsort(papers, (size_t)count, sizeof(const struct memory_session *), by_start);
    for (ptrdiff_t i = 0; i < count; i++) {
        struct store_value cells[] = { store_value_uuid(&papers[i]->id), store_value_text(papers[i]->options),
                                       store_value_integer(papers[i]->started_at),
                                       store_value_integer(papers[i]->utc_offset_s) };
        if (!memory_add_row(of, cells))
            return false;
    }
    return true;
}

/* Whether it says of itself that it is this. */
static bool is_what(struct answering *of, const struct memory_event *event, const char *what, bool *is)
{
    const char *text = NULL;
    *is = false;
    if (strcmp(event->kind, "kiosk") != 0)
        return true;
    if (!read_value(of, event->body, "$.what", &text))
        return false;
    *is = text && strcmp(text, what) == 0;
    return true;
}

bool memory_kiosk(struct answering *of)
{
    const struct memory_store *store = of->store;
    for (ptrdiff_t i = store->event_count; i-- > 0;) {
        const struct memory_event *event = &store->events[i];
        struct store_value cells[] = { store_value_text(event->body), store_value_integer(event->at) };
        bool is;
        if (!is_what(of, event, of->parameters[0].data, &is) || (is && !memory_add_row(of, cells)))
            return false;
    }
    return true;
}

static bool is_reopened(struct answering *of, const struct uuid *session, bool *is)
{
    *is = false;
    for (ptrdiff_t i = 0; !*is && i < of->store->event_count; i++)
        if (uuid_equal(&of->store->events[i].session, session) &&
            !is_what(of, &of->store->events[i], "reopened", is))
            return false;
    return true;
}

static bool add_handed_in(struct answering *of, const struct memory_event *event)
{
    const struct memory_store *store = of->store;
    for (ptrdiff_t i = 0; i < store->session_count; i++) {
        const struct memory_session *session = &store->sessions[i];
        bool reopened;
        if (!is_of(event, session, "handed-in") || strcmp(session->kind, "exam") != 0 ||
            !memory_fits_id(&of->parameters[0], &session->learner))
            continue;
        const struct memory_learner *learner = memory_learner_of(store, &session->learner);
        struct store_value cells[] = { store_value_uuid(&session->id),
                                       store_value_uuid(&session->learner),
                                       store_value_text(learner ? learner->name : NULL),
                                       store_value_text(session->options),
                                       store_value_integer(session->started_at),
                                       store_value_integer(session->utc_offset_s),
                                       store_value_integer(event->at) };
        return is_reopened(of, &session->id, &reopened) && (reopened || memory_add_row(of, cells));
    }
    return true;
}

static int by_time(const void *one, const void *other)
{
    const struct memory_event *const *a = one, *const *b = other;
    if ((*a)->at != (*b)->at)
        return (*a)->at < (*b)->at ? 1 : -1;
    return (*a)->seq < (*b)->seq ? 1 : -1;
}

bool memory_handed_in(struct answering *of)
{
    const struct memory_store *store = of->store;
    ptrdiff_t count = 0;
    const struct memory_event **events = arena_alloc(
        &of->rows->arena, (store->event_count + 1) * (ptrdiff_t)sizeof(const struct memory_event *));
    if (!events)
        return error_memory(of->error);
    for (ptrdiff_t i = 0; i < store->event_count; i++)
        if (strcmp(store->events[i].kind, "handed-in") == 0)
            events[count++] = &store->events[i];
    qsort(events, (size_t)count, sizeof(const struct memory_event *), by_time);
    for (ptrdiff_t i = 0; i < count; i++)
        if (!add_handed_in(of, events[i]))
            return false;
    return true;
}
