/* Schedules of the store in memory: folded from the lists whenever they are asked for. */
#include "memory_store.h"

#include <stdlib.h>
#include <string.h>

static bool is_of(const struct memory_attempt *attempt, const struct memory_question *question)
{
    return uuid_equal(&attempt->learner, &question->learner) &&
           strcmp(attempt->question_id, question->question_id) == 0 &&
           strcmp(attempt->pack_id, question->pack_id) == 0;
}

bool memory_is_helped(const struct memory_store *store, const struct memory_attempt *attempt)
{
    const struct memory_question question = { attempt->learner, attempt->pack_id, attempt->question_id };
    for (ptrdiff_t i = 0; attempt->showing > 1 && i < store->attempt_count; i++) {
        const struct memory_attempt *earlier = &store->attempts[i];
        if (earlier->seq < attempt->seq && is_of(earlier, &question) &&
            uuid_equal(&earlier->session, &attempt->session) && !memory_counts(store, earlier))
            return true;
    }
    return false;
}

const char *memory_body(const struct memory_store *store, const struct hash *content)
{
    for (ptrdiff_t i = 0; i < store->body_count; i++) {
        if (memcmp(&store->bodies[i].content, content, sizeof *content) == 0)
            return store->bodies[i].body;
    }
    return NULL;
}

bool memory_overturned(struct store *base, const struct hash *content, const char *body, bool *overturned,
                       struct error *error)
{
    struct memory_store *store = (struct memory_store *)base;
    const char *old = memory_body(store, content);
    return !old || json_reader_overturned(&store->reader, old, body, overturned, error);
}

bool memory_parameters(struct store *base, const struct uuid *learner, struct fsrs_parameters *parameters,
                       int *fitted, struct error *error)
{
    const struct memory_store *store = (struct memory_store *)base;
    (void)error;
    *parameters = fsrs_defaults;
    *fitted = 0;
    for (ptrdiff_t i = 0; i < store->parameters_count; i++) {
        bool everyone = uuid_is_zero(&store->parameters[i].learner);
        if ((everyone && *fitted < 2) || uuid_equal(&store->parameters[i].learner, learner)) {
            *parameters = store->parameters[i].parameters;
            *fitted = everyone ? 1 : 2;
        }
    }
    return true;
}

bool memory_set_parameters(struct store *base, const struct uuid *learner,
                           const struct fsrs_parameters *parameters, const char *report, struct error *error)
{
    struct memory_store *store = (struct memory_store *)base;
    (void)report;
    ptrdiff_t place = 0;
    while (place < store->parameters_count && !uuid_equal(&store->parameters[place].learner, learner))
        place++;
    if (!memory_grow(&store->parameters, &store->parameters_capacity, place + 1, sizeof *store->parameters))
        return error_memory(error);
    store->parameters[place] =
        (struct memory_parameters){ *learner, *parameters, clock_wall(&store->base.clock) };
    store->parameters_count += place == store->parameters_count;
    return true;
}

/* Called for each answer that counts: before it is taken, with whether the key was overturned; after, with
 * its grade. */
typedef bool taking(void *context, const struct fold *fold, bool before, bool overturned, enum grade grade,
                    int64_t at);

static bool is_grading(const char *kind)
{
    return strcmp(kind, "regraded") == 0 || strcmp(kind, "voided") == 0 || strcmp(kind, "accepted") == 0;
}

bool memory_grading(struct memory_store *store, const struct memory_attempt *attempt, struct grading *grading,
                    const char **kind, struct error *error)
{
    *grading = (struct grading){ attempt->outcome, attempt->mark, attempt->marks, false };
    *kind = NULL;
    for (ptrdiff_t i = store->event_count; i-- > 0;) {
        const struct memory_event *event = &store->events[i];
        if (!uuid_equal(&event->attempt, &attempt->id) || !is_grading(event->kind))
            continue;
        *kind = event->kind;
        grading->voided = strcmp(event->kind, "voided") == 0;
        return json_reader_grading(&store->reader, event->body, grading, error);
    }
    return true;
}

static struct fold_answer answer_of(const struct memory_store *store, const struct memory_attempt *attempt)
{
    return (struct fold_answer){
        .seq = attempt->seq,
        .outcome = attempt->outcome,
        .certainty = attempt->certainty,
        .hints = attempt->hints,
        .retried = attempt->retried,
        .self_grade = fold_self_grade(attempt->response),
        .showing = attempt->showing,
        .helped = memory_is_helped(store, attempt),
        .seed = attempt->seed,
        .at = attempt->answered_at,
        .utc_offset_s = attempt->utc_offset_s,
        .revision = attempt->revision,
        .content = attempt->content,
        .elapsed_ms = attempt->elapsed_ms,
    };
}

static bool fold_answers(struct memory_store *store, const struct memory_question *question,
                         const struct fold_rules *rules, struct fold *fold, taking *take, void *context,
                         struct error *error)
{
    for (ptrdiff_t i = 0; i < store->attempt_count; i++) {
        if (!is_of(&store->attempts[i], question) || !memory_counts(store, &store->attempts[i]))
            continue;
        struct fold_answer answer = answer_of(store, &store->attempts[i]);
        const char *kind;
        if (!memory_grading(store, &store->attempts[i], &answer.graded, &kind, error))
            return false;
        const char *body = memory_body(store, &answer.content);
        bool overturned = false;
        if (fold_must_compare(fold, &answer) && body &&
            !memory_overturned(&store->base, &fold->is.content, body, &overturned, error))
            return false;
        if (take && !take(context, fold, true, overturned, GRADE_NONE, answer.at))
            return error_memory(error);
        enum grade grade =
            fold_take(fold, rules, question->pack_id, question->question_id, &answer, overturned);
        if (take && !take(context, fold, false, overturned, grade, answer.at))
            return error_memory(error);
    }
    return true;
}

static bool is_marked(const struct memory_event *event, const struct memory_question *question)
{
    return event->pack_id && uuid_equal(&event->learner, &question->learner) &&
           strcmp(event->pack_id, question->pack_id) == 0 &&
           strcmp(event->question_id, question->question_id) == 0;
}

bool memory_fold(struct memory_store *store, const struct memory_question *question, struct fold *fold,
                 struct error *error)
{
    struct fold_rules rules;
    int fitted;
    memset(fold, 0, sizeof *fold);
    memory_parameters(&store->base, &question->learner, &rules.parameters, &fitted, error);
    rules.retention = scheduling_retention(&store->base.scheduling, question->pack_id);
    rules.day_starts = store->base.scheduling.day_starts;
    if (!fold_answers(store, question, &rules, fold, NULL, NULL, error))
        return false;
    for (ptrdiff_t i = 0; i < store->event_count; i++) {
        const struct memory_event *event = &store->events[i];
        if (is_marked(event, question))
            *(strcmp(event->kind, "starred") == 0 ? &fold->is.starred : &fold->is.suspended) = event->on;
    }
    double guess;
    if (!fold_guess(memory_body(store, &fold->is.content), &guess))
        return error_memory(error);
    fold->summary.mastered = fold->is.seen && schedule_mastered(&fold->is.schedule, guess);
    return true;
}

int memory_schedule(struct store *base, const struct uuid *learner, const char *pack_id,
                    const char *question_id, struct store_schedule *out, struct error *error)
{
    const struct memory_question question = { *learner, pack_id, question_id };
    struct fold fold;
    if (!memory_fold((struct memory_store *)base, &question, &fold, error))
        return -1;
    *out = fold.is;
    return fold_is_kept(&fold);
}

struct questions {
    struct memory_question *items;
    ptrdiff_t count, capacity;
};

static int compare_questions(const void *one, const void *other)
{
    const struct memory_question *a = one, *b = other;
    int order = memcmp(&a->learner, &b->learner, sizeof a->learner);
    if (order == 0)
        order = strcmp(a->pack_id, b->pack_id);
    return order ? order : strcmp(a->question_id, b->question_id);
}

static bool add_question(struct questions *questions, const struct memory_question *question)
{
    if (!memory_grow(&questions->items, &questions->capacity, questions->count + 1, sizeof *questions->items))
        return false;
    questions->items[questions->count++] = *question;
    return true;
}

static bool is_wanted(const struct memory_question *question, const struct uuid *learner, const char *pack_id)
{
    return question->pack_id && !uuid_is_zero(&question->learner) &&
           (!learner || uuid_equal(&question->learner, learner)) &&
           (!pack_id || strcmp(question->pack_id, pack_id) == 0);
}

static void sort_once(struct questions *questions)
{
    ptrdiff_t kept = 0;
    if (questions->count)
        qsort(questions->items, (size_t)questions->count, sizeof *questions->items, compare_questions);
    for (ptrdiff_t i = 0; i < questions->count; i++) {
        if (i == 0 || compare_questions(&questions->items[i], &questions->items[kept - 1]) != 0)
            questions->items[kept++] = questions->items[i];
    }
    questions->count = kept;
}

bool memory_questions(struct memory_store *store, const struct uuid *learner, const char *pack_id,
                      struct memory_question **items, ptrdiff_t *count, struct error *error)
{
    struct questions questions = { 0 };
    bool done = true;
    for (ptrdiff_t i = 0; done && i < store->attempt_count; i++) {
        const struct memory_attempt *attempt = &store->attempts[i];
        const struct memory_question question = { attempt->learner, attempt->pack_id, attempt->question_id };
        done = !is_wanted(&question, learner, pack_id) || add_question(&questions, &question);
    }
    for (ptrdiff_t i = 0; done && i < store->event_count; i++) {
        const struct memory_event *event = &store->events[i];
        const struct memory_question question = { event->learner, event->pack_id, event->question_id };
        done = !is_wanted(&question, learner, pack_id) || add_question(&questions, &question);
    }
    if (!done) {
        memory_free(questions.items);
        questions = (struct questions){ 0 };
    }
    sort_once(&questions);
    *items = questions.items;
    *count = questions.count;
    return done || error_memory(error);
}

struct history {
    const struct memory_question *question;
    struct store_answer *answers;
    ptrdiff_t count, capacity;
    store_history_visit *visit;
    void *context;
    bool stopped;
};

static void hand_out(struct history *history)
{
    const struct memory_question *question = history->question;
    if (history->count && !history->stopped)
        history->stopped = !history->visit(history->context, &question->learner, question->pack_id,
                                           question->question_id, history->answers, (int)history->count);
    history->count = 0;
}

static bool take_history(void *context, const struct fold *fold, bool before, bool overturned,
                         enum grade grade, int64_t at)
{
    struct history *history = context;
    if (before && overturned)
        hand_out(history);
    if (before || grade == GRADE_NONE)
        return true;
    if (!memory_grow(&history->answers, &history->capacity, history->count + 1, sizeof *history->answers))
        return false;
    history->answers[history->count++] = (struct store_answer){ grade, at, fold->is.schedule.last_day };
    return true;
}

bool memory_histories(struct store *base, const struct uuid *learner, store_history_visit *visit,
                      void *context, struct error *error)
{
    struct memory_store *store = (struct memory_store *)base;
    const struct fold_rules rules = { fsrs_defaults, 0.9, base->scheduling.day_starts };
    struct history history = { .visit = visit, .context = context };
    struct memory_question *questions;
    ptrdiff_t count;
    bool done = memory_questions(store, learner, NULL, &questions, &count, error);
    for (ptrdiff_t i = 0; done && !history.stopped && i < count; i++) {
        struct fold fold = { 0 };
        history.question = &questions[i];
        done = fold_answers(store, &questions[i], &rules, &fold, take_history, &history, error);
        if (done)
            hand_out(&history);
    }
    memory_free(questions);
    memory_free(history.answers);
    return done;
}

/* There is nothing that could differ: no row is kept. */
bool memory_rebuild(struct store *base, struct store_rebuild *report, struct error *error)
{
    struct memory_store *store = (struct memory_store *)base;
    struct memory_question *questions;
    ptrdiff_t count;
    const struct uuid *last = NULL;
    bool done = memory_questions(store, NULL, NULL, &questions, &count, error);
    for (ptrdiff_t i = 0; done && i < count; i++) {
        struct fold fold;
        done = memory_fold(store, &questions[i], &fold, error);
        if (!done || !fold_is_kept(&fold))
            continue;
        report->questions++;
        report->answers += fold.is.counted;
        report->learners += !last || !uuid_equal(last, &questions[i].learner);
        last = &questions[i].learner;
    }
    memory_free(questions);
    return done;
}
