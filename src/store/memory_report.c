/* What reports read, over lists in memory: nothing is summed up beforehand. */
#include "memory_rows.h"
#include "summary.h"

#include <stdlib.h>
#include <string.h>

bool memory_is_member(const struct memory_store *store, const struct store_value *group,
                      const struct uuid *learner)
{
    for (ptrdiff_t i = 0; group->type != VALUE_NULL && i < store->member_count; i++) {
        if (strcmp(store->members[i].key, group->data) == 0 &&
            uuid_equal(&store->members[i].learner, learner))
            return true;
    }
    return group->type == VALUE_NULL;
}

bool memory_fits_id(const struct store_value *value, const struct uuid *id)
{
    return value->type == VALUE_NULL || memory_is_id(value, id);
}

bool memory_fits_text(const struct store_value *value, const char *text)
{
    return value->type == VALUE_NULL || strcmp(value->data, text) == 0;
}

const struct memory_learner *memory_learner_of(const struct memory_store *store, const struct uuid *id)
{
    for (ptrdiff_t i = 0; i < store->learner_count; i++) {
        if (uuid_equal(&store->learners[i].id, id))
            return &store->learners[i];
    }
    return NULL;
}

static int by_key(const void *one, const void *other)
{
    const struct memory_learner *const *a = one, *const *b = other;
    int order = strcmp((*a)->key, (*b)->key);
    return order ? order : memcmp(&(*a)->id, &(*b)->id, sizeof(struct uuid));
}

/* All learners by name; NULL without memory. */
static const struct memory_learner **learners(struct answering *of)
{
    const struct memory_store *store = of->store;
    const struct memory_learner **sorted = arena_alloc(
        &of->rows->arena, (store->learner_count + 1) * (ptrdiff_t)sizeof(const struct memory_learner *));
    for (ptrdiff_t i = 0; sorted && i < store->learner_count; i++)
        sorted[i] = &store->learners[i];
    if (sorted)
        qsort(sorted, (size_t)store->learner_count, sizeof(const struct memory_learner *), by_key);
    else
        error_memory(of->error);
    return sorted;
}

/* Sessions of the learner with a counted answer, in the pack (NULL: in any). */
static bool count_sessions(struct answering *of, const struct uuid *learner, const char *pack, int64_t *count)
{
    const struct memory_store *store = of->store;
    struct summary_ids ids = { 0 };
    bool done = true;
    for (ptrdiff_t i = 0; done && i < store->attempt_count; i++) {
        const struct memory_attempt *attempt = &store->attempts[i];
        if (uuid_equal(&attempt->learner, learner) && (!pack || strcmp(attempt->pack_id, pack) == 0) &&
            memory_counts(store, attempt))
            done = ids_add(&ids, &attempt->session);
    }
    ids_settle(&ids);
    *count = ids.count;
    ids_finish(&ids);
    return done || error_memory(of->error);
}

/* Of the learner's newest answer at this moment; null where there is none. */
static struct store_value offset_at(const struct memory_store *store, const struct uuid *learner, int64_t at)
{
    for (ptrdiff_t i = store->attempt_count; i-- > 0;) {
        const struct memory_attempt *attempt = &store->attempts[i];
        if (attempt->answered_at == at && uuid_equal(&attempt->learner, learner))
            return store_value_integer(attempt->utc_offset_s);
    }
    return store_value_null();
}

/* The columns from CLASS_LAST_AT on; *questions tells whether there are any. */
static bool class_cells(struct answering *of, const struct uuid *learner, const char *pack,
                        struct store_value *cells, int64_t *met)
{
    struct summary_sums sums = { 0 };
    struct summary_span span;
    struct memory_question *questions;
    ptrdiff_t count;
    int64_t sessions = 0;
    span_start(&span);
    bool done = count_sessions(of, learner, pack, &sessions) &&
                memory_questions(of->store, learner, pack, &questions, &count, of->error);
    if (!done)
        return false;
    for (ptrdiff_t i = 0; done && i < count; i++) {
        struct fold fold;
        done = memory_fold(of->store, &questions[i], &fold, of->error);
        sums_add(&sums, &fold, 1);
        span_add(&span, &fold);
    }
    memory_free(questions);
    *met = sums.questions;
    *cells++ = *met ? store_value_integer(span.last) : store_value_null();
    *cells++ = *met ? store_value_integer(span.first) : store_value_null();
    *cells++ = store_value_integer(sessions);
    *cells++ = store_value_integer(sums.questions);
    *cells++ = store_value_integer(sums.attempts);
    for (int i = 0; i < OUTCOMES; i++)
        *cells++ = store_value_integer(sums.firsts[i]);
    *cells++ = memory_real((double)sums.shares / (double)SUMMARY_WHOLE);
    *cells++ = store_value_integer(sums.elapsed_ms);
    *cells++ = store_value_integer(sums.mastered);
    *cells++ = store_value_integer(sums.stuck);
    *cells++ = *met ? offset_at(of->store, learner, span.last) : store_value_null();
    *cells = *met ? offset_at(of->store, learner, span.first) : store_value_null();
    return done;
}

static bool class_rows(struct answering *of)
{
    const struct memory_learner **sorted = learners(of);
    int64_t met;
    for (ptrdiff_t i = 0; sorted && i < of->store->learner_count; i++) {
        struct store_value cells[CLASS_COLUMNS] = { 0 };
        if (!memory_is_member(of->store, &of->parameters[0], &sorted[i]->id))
            continue;
        cells[CLASS_LEARNER] = store_value_uuid(&sorted[i]->id);
        cells[CLASS_NAME] = store_value_text(sorted[i]->name);
        cells[CLASS_LOGIN] = store_value_text(sorted[i]->login);
        cells[CLASS_EXTERNAL_ID] = store_value_text(sorted[i]->external_id);
        if (!class_cells(of, &sorted[i]->id, of->parameters[1].data, cells + CLASS_LAST_AT, &met) ||
            !memory_add_row(of, cells))
            return false;
    }
    return sorted;
}

static bool packs(struct answering *of)
{
    enum { COLUMNS = 1 + CLASS_COLUMNS - CLASS_LAST_AT };
    struct memory_question *questions;
    struct uuid learner;
    ptrdiff_t count;
    int64_t met;
    struct store_value cells[COLUMNS] = { 0 };
    memcpy(&learner, of->parameters[0].data, sizeof learner);
    if (!class_cells(of, &learner, NULL, cells + 1, &met) || (met && !memory_add_row(of, cells)) ||
        !memory_questions(of->store, &learner, NULL, &questions, &count, of->error))
        return false;
    bool done = true;
    for (ptrdiff_t i = 0; done && i < count; i++) {
        if (i && strcmp(questions[i].pack_id, questions[i - 1].pack_id) == 0)
            continue;
        cells[0] = store_value_text(questions[i].pack_id);
        done = class_cells(of, &learner, questions[i].pack_id, cells + 1, &met) &&
               (!met || memory_add_row(of, cells));
    }
    memory_free(questions);
    return done;
}

struct stuck {
    struct memory_question question;
    const struct memory_learner *learner;
    struct fold fold;
};

static int by_misses(const void *one, const void *other)
{
    const struct stuck *a = one, *b = other;
    if (a->fold.summary.misses != b->fold.summary.misses)
        return a->fold.summary.misses > b->fold.summary.misses ? -1 : 1;
    int order = by_key(&(const struct memory_learner *){ a->learner },
                       &(const struct memory_learner *){ b->learner });
    if (order == 0)
        order = strcmp(a->question.pack_id, b->question.pack_id);
    return order ? order : strcmp(a->question.question_id, b->question.question_id);
}

static bool stuck_row(struct answering *of, const struct stuck *stuck)
{
    const struct store_schedule *is = &stuck->fold.is;
    struct store_value cells[] = { store_value_uuid(&stuck->question.learner),
                                   store_value_text(stuck->learner->name),
                                   store_value_text(stuck->question.pack_id),
                                   store_value_text(stuck->question.question_id),
                                   store_value_integer(stuck->fold.summary.misses),
                                   store_value_integer(is->counted),
                                   store_value_text(outcome_name(is->last)),
                                   store_value_integer(is->answered_at),
                                   store_value_hash(&is->content) };
    return memory_add_row(of, cells);
}

static bool stuck_rows(struct answering *of)
{
    const struct store_value *parameters = of->parameters;
    struct memory_question *questions;
    ptrdiff_t count, kept = 0;
    if (!memory_questions(of->store, NULL, NULL, &questions, &count, of->error))
        return false;
    struct stuck *stuck = arena_alloc(&of->rows->arena, (count + 1) * (ptrdiff_t)sizeof *stuck);
    bool done = stuck || error_memory(of->error);
    for (ptrdiff_t i = 0; done && i < count; i++) {
        const struct memory_question *question = &questions[i];
        if (!memory_fits_id(&parameters[0], &question->learner) ||
            !memory_is_member(of->store, &parameters[1], &question->learner) ||
            !memory_fits_text(&parameters[2], question->pack_id))
            continue;
        stuck[kept].question = *question;
        stuck[kept].learner = memory_learner_of(of->store, &question->learner);
        done = memory_fold(of->store, question, &stuck[kept].fold, of->error);
        kept += stuck[kept].fold.summary.misses >= SUMMARY_STUCK;
    }
    if (done && kept)
        qsort(stuck, (size_t)kept, sizeof *stuck, by_misses);
    for (ptrdiff_t i = 0; done && i < kept; i++)
        done = stuck_row(of, &stuck[i]);
    memory_free(questions);
    return done;
}

/* All counted answers of the learner, question by question in the order of the log. */
static bool collect_days(struct answering *of, const struct uuid *learner, struct summary_days *days)
{
    struct memory_store *store = of->store;
    for (ptrdiff_t i = 0; i < store->attempt_count; i++) {
        const struct memory_attempt *attempt = &store->attempts[i];
        struct fold before = { 0 };
        struct summary_day day;
        struct fold_answer answer = { .outcome = attempt->outcome,
                                      .helped = memory_is_helped(store, attempt),
                                      .at = attempt->answered_at,
                                      .utc_offset_s = attempt->utc_offset_s,
                                      .elapsed_ms = attempt->elapsed_ms };
        const char *kind;
        if (!uuid_equal(&attempt->learner, learner) || !memory_counts(store, attempt))
            continue;
        for (ptrdiff_t k = 0; k < i; k++) {
            const struct memory_attempt *earlier = &store->attempts[k];
            if (!uuid_equal(&earlier->learner, learner) || strcmp(earlier->pack_id, attempt->pack_id) != 0 ||
                strcmp(earlier->question_id, attempt->question_id) != 0 || !memory_counts(store, earlier))
                continue;
            before.is.seen = true;
            before.summary.given += earlier->outcome != OUTCOME_OMITTED;
        }
        if (!memory_grading(store, attempt, &answer.graded, &kind, of->error))
            return false;
        day_of(&day, &before, &answer, store->base.scheduling.day_starts);
        if (!days_add(days, &day, 1))
            return error_memory(of->error);
    }
    return true;
}

static bool day_rows(struct answering *of)
{
    struct summary_days days = { 0 };
    struct uuid learner;
    memcpy(&learner, of->parameters[0].data, sizeof learner);
    bool done = collect_days(of, &learner, &days);
    for (ptrdiff_t i = 0; done && i < days.count; i++) {
        const struct summary_day *day = &days.items[i];
        struct store_value cells[] = { store_value_integer(day->day),
                                       store_value_integer(day->given),
                                       store_value_integer(day->right),
                                       store_value_integer(day->firsts),
                                       memory_real((double)day->shares / (double)SUMMARY_WHOLE),
                                       store_value_integer(day->elapsed_ms),
                                       store_value_integer(day->fresh) };
        done = day->day < of->parameters[1].integer || memory_add_row(of, cells);
    }
    days_finish(&days);
    return done;
}

static bool kept_rows(struct answering *of)
{
    struct memory_question *questions;
    struct uuid learner;
    ptrdiff_t count;
    memcpy(&learner, of->parameters[0].data, sizeof learner);
    if (!memory_questions(of->store, &learner, NULL, &questions, &count, of->error))
        return false;
    bool done = true;
    for (ptrdiff_t i = 0; done && i < count; i++) {
        struct store_value cells[KEPT_COLUMNS] = { 0 };
        struct fold *fold = arena_alloc(&of->rows->arena, sizeof *fold);
        done = fold ? memory_fold(of->store, &questions[i], fold, of->error) : error_memory(of->error);
        if (!done || !fold_is_kept(fold))
            continue;
        const struct summary *summary = &fold->summary;
        memory_known_cells(&questions[i], fold, cells);
        cells[KEPT_PACK] = store_value_text(questions[i].pack_id);
        if (summary->first) {
            cells[KEPT_FIRST_OUTCOME] = store_value_text(outcome_name(summary->first_outcome));
            cells[KEPT_FIRST_SHARE] = memory_real(summary->first_share);
        }
        if (fold->is.seen) {
            cells[KEPT_FIRST_AT] = store_value_integer(summary->first_at);
            cells[KEPT_FIRST_REVISION] = store_value_text(summary->first_revision);
            cells[KEPT_FIRST_OFFSET] = offset_at(of->store, &learner, summary->first_at);
        }
        if (summary->marked)
            cells[KEPT_BEST_SHARE] = memory_real(summary->best_share);
        cells[KEPT_MISSES] = store_value_integer(summary->misses);
        cells[KEPT_ELAPSED_MS] = store_value_integer(summary->elapsed_ms);
        cells[KEPT_MASTERED] = store_value_integer(summary->mastered);
        done = memory_add_row(of, cells);
    }
    memory_free(questions);
    return done;
}

static bool kept_texts(struct answering *of)
{
    struct memory_question *questions;
    struct uuid learner;
    ptrdiff_t count;
    memcpy(&learner, of->parameters[0].data, sizeof learner);
    if (!memory_questions(of->store, &learner, NULL, &questions, &count, of->error))
        return false;
    bool done = true;
    for (ptrdiff_t i = 0; done && i < count; i++) {
        struct store_value cells[KEPT_COLUMNS] = { 0 };
        struct fold *fold = arena_alloc(&of->rows->arena, sizeof *fold);
        done = fold ? memory_fold(of->store, &questions[i], fold, of->error) : error_memory(of->error);
        if (!done || !fold_is_kept(fold))
            continue;
        memory_known_cells(&questions[i], fold, cells);
        const struct store_value content = cells[KNOWN_CONTENT];
        struct store_value row[] = { content, store_value_text(questions[i].pack_id),
                                     store_value_text(questions[i].question_id), store_value_null() };
        for (ptrdiff_t k = 0; content.type == VALUE_BLOB && k < of->store->body_count; k++)
            if (memcmp(content.data, &of->store->bodies[k].content, sizeof(struct hash)) == 0)
                row[3] = store_value_text(of->store->bodies[k].body);
        done = memory_add_row(of, row);
    }
    memory_free(questions);
    return done;
}

static int by_member(const void *one, const void *other)
{
    const struct memory_member *const *a = one, *const *b = other;
    int order = strcmp((*a)->key, (*b)->key);
    return order ? order : memcmp(&(*a)->learner, &(*b)->learner, sizeof(struct uuid));
}

static bool groups(struct answering *of)
{
    const struct memory_store *store = of->store;
    ptrdiff_t count = store->member_count;
    const struct memory_member **sorted =
        arena_alloc(&of->rows->arena, (count + 1) * (ptrdiff_t)sizeof(const struct memory_member *));
    if (!sorted)
        return error_memory(of->error);
    for (ptrdiff_t i = 0; i < count; i++)
        sorted[i] = &store->members[i];
    qsort(sorted, (size_t)count, sizeof(const struct memory_member *), by_member);
    for (ptrdiff_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && strcmp(sorted[i]->key, sorted[next]->key) == 0;)
            next++;
        struct store_value cells[] = { store_value_text(sorted[i]->key), store_value_text(sorted[i]->name),
                                       store_value_integer(next - i) };
        if (!memory_add_row(of, cells))
            return false;
    }
    return true;
}

static bool group_members(struct answering *of)
{
    const struct memory_learner **sorted = learners(of);
    for (ptrdiff_t i = 0; sorted && i < of->store->learner_count; i++) {
        struct store_value cells[] = { store_value_uuid(&sorted[i]->id), store_value_text(sorted[i]->name),
                                       store_value_text(sorted[i]->login),
                                       store_value_text(sorted[i]->external_id) };
        if (memory_is_member(of->store, &of->parameters[0], &sorted[i]->id) && !memory_add_row(of, cells))
            return false;
    }
    return sorted;
}

bool memory_report(struct answering *of, int query)
{
    switch (query) {
    case QUERY_CLASS:
        return class_rows(of);
    case QUERY_STUCK:
        return stuck_rows(of);
    case QUERY_PROGRESS_PACKS:
        return packs(of);
    case QUERY_PROGRESS_DAYS:
        return day_rows(of);
    case QUERY_LEARNER_SCHEDULES:
        return kept_rows(of);
    case QUERY_TEXTS_KEPT:
        return kept_texts(of);
    case QUERY_GROUPS:
        return groups(of);
    case QUERY_GROUP_MEMBERS:
        return group_members(of);
    default:
        return memory_attempts(of, query);
    }
}
