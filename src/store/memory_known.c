/* Queries about what is known, due and done, over lists in memory: slow and plain. */
#include "memory_rows.h"

#include <stdlib.h>
#include <string.h>

void memory_known_cells(const struct memory_question *question, const struct fold *fold,
                        struct store_value *cells)
{
    const struct store_schedule *is = &fold->is;
    const struct schedule *schedule = &is->schedule;
    static const struct hash unknown;
    memset(cells, 0, KNOWN_COLUMNS * sizeof *cells);
    cells[KNOWN_QUESTION] = store_value_text(question->question_id);
    cells[KNOWN_REVISION] = store_value_text(is->revision);
    if (memcmp(&is->content, &unknown, sizeof unknown) != 0)
        cells[KNOWN_CONTENT] = (struct store_value){ .type = VALUE_BLOB,
                                                     .data = is->content.bytes,
                                                     .length = sizeof is->content.bytes };
    cells[KNOWN_PHASE] = store_value_integer(schedule->phase);
    cells[KNOWN_STEP] = store_value_integer(schedule->step);
    cells[KNOWN_STABILITY] = memory_real(schedule->memory.stability);
    cells[KNOWN_DIFFICULTY] = memory_real(schedule->memory.difficulty);
    cells[KNOWN_ANSWERS] = store_value_integer(schedule->answers);
    cells[KNOWN_LAPSES] = store_value_integer(schedule->lapses);
    cells[KNOWN_RUN] = store_value_integer(schedule->run);
    cells[KNOWN_RUN_DAY] = store_value_integer(schedule->run_day);
    cells[KNOWN_LAST_AT] = store_value_integer(schedule->last_at);
    cells[KNOWN_LAST_DAY] = store_value_integer(schedule->last_day);
    cells[KNOWN_DUE_DAY] = store_value_integer(schedule->due_day);
    cells[KNOWN_DUE_AT] = store_value_integer(schedule->due_at);
    cells[KNOWN_INTERVAL] = store_value_integer(schedule->interval);
    cells[KNOWN_OUTCOME] = store_value_text(is->seen ? outcome_name(is->last) : "");
    cells[KNOWN_ANSWERED_AT] = store_value_integer(is->answered_at);
    cells[KNOWN_COUNTED] = store_value_integer(is->counted);
    cells[KNOWN_RIGHT] = store_value_integer(is->right);
    cells[KNOWN_STARRED] = store_value_integer(is->starred);
    cells[KNOWN_SUSPENDED] = store_value_integer(is->suspended);
}

/* A row for each question of the learner that `wanted` wants; its revision is kept in the arena. */
static bool add_known(struct answering *of, bool (*wanted)(const struct answering *, const struct fold *))
{
    struct memory_question *questions;
    struct uuid learner;
    ptrdiff_t count;
    memcpy(&learner, of->parameters[0].data, sizeof learner);
    bool done = memory_questions(of->store, &learner, of->parameters[1].data, &questions, &count, of->error);
    for (ptrdiff_t i = 0; done && i < count; i++) {
        struct store_value cells[KNOWN_COLUMNS];
        struct fold *fold = arena_alloc(&of->rows->arena, sizeof *fold);
        done = fold ? memory_fold(of->store, &questions[i], fold, of->error) : error_memory(of->error);
        if (!done || !wanted(of, fold))
            continue;
        memory_known_cells(&questions[i], fold, cells);
        done = memory_add_row(of, cells);
    }
    memory_free(questions);
    return done;
}

static bool want_kept(const struct answering *of, const struct fold *fold)
{
    (void)of;
    return fold_is_kept(fold);
}

bool memory_known(struct answering *of)
{
    return add_known(of, want_kept);
}

static bool want_due(const struct answering *of, const struct fold *fold)
{
    const struct schedule *schedule = &fold->is.schedule;
    int64_t today = of->parameters[2].integer, now = of->parameters[3].integer;
    return fold->is.seen && !fold->is.suspended && schedule->phase != PHASE_NEW &&
           (schedule->due_day < today || (schedule->due_day == today && schedule->due_at <= now));
}

static int by_due(const void *one, const void *other)
{
    const struct store_value *a = one, *b = other;
    static const int columns[] = { KNOWN_DUE_DAY, KNOWN_DUE_AT };
    for (int i = 0; i < 2; i++) {
        if (a[columns[i]].integer != b[columns[i]].integer)
            return a[columns[i]].integer < b[columns[i]].integer ? -1 : 1;
    }
    return strcmp(a[KNOWN_QUESTION].data, b[KNOWN_QUESTION].data);
}

bool memory_due(struct answering *of)
{
    if (!add_known(of, want_due))
        return false;
    if (of->rows->count)
        qsort(of->rows->cells, (size_t)of->rows->count, KNOWN_COLUMNS * sizeof *of->rows->cells, by_due);
    return true;
}

static bool same_question(const struct memory_attempt *one, const struct memory_attempt *other)
{
    return uuid_equal(&one->learner, &other->learner) && strcmp(one->pack_id, other->pack_id) == 0 &&
           strcmp(one->question_id, other->question_id) == 0;
}

/* Questions with a counted answer at or after `since`, and with one before it or without. */
static bool count_since(struct answering *of, bool before)
{
    const struct memory_store *store = of->store;
    int64_t count = 0, since = of->parameters[1].integer;
    for (ptrdiff_t i = 0; i < store->attempt_count; i++) {
        const struct memory_attempt *one = &store->attempts[i];
        bool had = false, is_first = true;
        if (!memory_is_id(&of->parameters[0], &one->learner) || one->answered_at < since ||
            !memory_counts(store, one))
            continue;
        for (ptrdiff_t j = 0; j < store->attempt_count; j++) {
            const struct memory_attempt *other = &store->attempts[j];
            if (!same_question(one, other) || !memory_counts(store, other))
                continue;
            had = had || other->answered_at < since;
            is_first = is_first && (j >= i || other->answered_at < since);
        }
        count += is_first && had == before;
    }
    struct store_value cell = store_value_integer(count);
    return memory_add_row(of, &cell);
}

bool memory_count_new(struct answering *of)
{
    return count_since(of, false);
}

bool memory_count_reviewed(struct answering *of)
{
    return count_since(of, true);
}

bool memory_newest(struct answering *of)
{
    struct store_value cell = store_value_null();
    for (ptrdiff_t i = 0; i < of->store->attempt_count; i++) {
        const struct memory_attempt *attempt = &of->store->attempts[i];
        if (memory_is_id(&of->parameters[0], &attempt->learner) &&
            (cell.type == VALUE_NULL || attempt->answered_at > cell.integer))
            cell = store_value_integer(attempt->answered_at);
    }
    return memory_add_row(of, &cell);
}

bool memory_later(struct answering *of)
{
    const struct memory_attempt *newest = NULL;
    bool later = false;
    for (ptrdiff_t i = 0; i < of->store->attempt_count; i++) {
        const struct memory_attempt *attempt = &of->store->attempts[i];
        if (!memory_is_id(&of->parameters[0], &attempt->learner))
            continue;
        if (!newest || attempt->answered_at >= newest->answered_at) {
            newest = attempt;
            later = false; /* all that counted were stored before this one */
        } else {
            later = later || attempt->answered_at <= of->parameters[1].integer;
        }
    }
    struct store_value cell = store_value_integer(later);
    return memory_add_row(of, &cell);
}

static int by_due_day(const void *one, const void *other)
{
    const struct store_value *a = one, *b = other;
    return a->integer < b->integer ? -1 : a->integer > b->integer;
}

/* Makes one row of those that are equal in their first column, adding up the second. */
static void add_up(struct memory_rows *rows)
{
    ptrdiff_t kept = 0;
    for (ptrdiff_t i = 0; i < rows->count; i++) {
        struct store_value *row = rows->cells + i * 2, *last = rows->cells + (kept - 1) * 2;
        if (kept && by_due_day(row, last) == 0)
            last[1].integer += row[1].integer;
        else
            memmove(rows->cells + kept++ * 2, row, 2 * sizeof *row);
    }
    rows->count = kept;
}

bool memory_coming(struct answering *of)
{
    int64_t first = of->parameters[2].integer, until = of->parameters[3].integer;
    struct memory_question *questions;
    struct uuid learner;
    ptrdiff_t count;
    memcpy(&learner, of->parameters[0].data, sizeof learner);
    bool done = memory_questions(of->store, &learner, of->parameters[1].data, &questions, &count, of->error);
    for (ptrdiff_t i = 0; done && i < count; i++) {
        struct fold fold;
        done = memory_fold(of->store, &questions[i], &fold, of->error);
        int64_t day = fold.is.schedule.due_day;
        if (!done || !fold.is.seen || fold.is.suspended || fold.is.schedule.phase == PHASE_NEW ||
            day < first || day >= until)
            continue;
        struct store_value cells[] = { store_value_integer(day), store_value_integer(1) };
        done = memory_add_row(of, cells);
    }
    memory_free(questions);
    if (done && of->rows->count)
        qsort(of->rows->cells, (size_t)of->rows->count, 2 * sizeof *of->rows->cells, by_due_day);
    add_up(of->rows);
    return done;
}

static bool is_first(const struct memory_store *store, ptrdiff_t place)
{
    for (ptrdiff_t i = 0; i < place; i++) {
        if (same_question(&store->attempts[i], &store->attempts[place]) &&
            store->attempts[i].outcome != OUTCOME_OMITTED && memory_counts(store, &store->attempts[i]))
            return false;
    }
    return true;
}

static int by_day(const void *one, const void *other)
{
    int64_t a = ((const struct store_value *)one)->integer, b = ((const struct store_value *)other)->integer;
    return a < b ? -1 : a > b;
}

/* The row of a day, made where there is none yet. */
static struct store_value *row_of_day(struct answering *of, int64_t day)
{
    for (ptrdiff_t i = 0; i < of->rows->count; i++) {
        if (of->rows->cells[i * 5].integer == day)
            return of->rows->cells + i * 5;
    }
    struct store_value cells[5];
    for (int i = 0; i < 5; i++)
        cells[i] = store_value_integer(i ? 0 : day);
    return memory_add_row(of, cells) ? of->rows->cells + (of->rows->count - 1) * 5 : NULL;
}

bool memory_days(struct answering *of)
{
    const struct memory_store *store = of->store;
    for (ptrdiff_t i = 0; i < store->attempt_count; i++) {
        const struct memory_attempt *attempt = &store->attempts[i];
        int64_t day =
            clock_day(attempt->answered_at, attempt->utc_offset_s, store->base.scheduling.day_starts);
        if (!memory_is_id(&of->parameters[0], &attempt->learner) || day < of->parameters[1].integer ||
            attempt->outcome == OUTCOME_OMITTED || !memory_counts(store, attempt))
            continue;
        struct store_value *row = row_of_day(of, day);
        if (!row)
            return false;
        row[1].integer++;
        row[2].integer += attempt->outcome == OUTCOME_RIGHT;
        row[3].integer += attempt->elapsed_ms > 0 ? attempt->elapsed_ms : 0;
        row[4].integer += is_first(store, i);
    }
    if (of->rows->count)
        qsort(of->rows->cells, (size_t)of->rows->count, 5 * sizeof *of->rows->cells, by_day);
    return true;
}

static bool is_first_here(const struct memory_store *store, ptrdiff_t place, bool any_learner)
{
    const struct memory_attempt *attempt = &store->attempts[place];
    for (ptrdiff_t i = 0; i < place; i++) {
        const struct memory_attempt *other = &store->attempts[i];
        if (strcmp(other->pack_id, attempt->pack_id) == 0 &&
            strcmp(other->question_id, attempt->question_id) == 0 &&
            (any_learner || uuid_equal(&other->learner, &attempt->learner)) && memory_counts(store, other))
            return false;
    }
    return true;
}

static int by_pack_and_question(const void *one, const void *other)
{
    const struct store_value *a = one, *b = other;
    int order = strcmp(a[0].data, b[0].data);
    return order ? order : strcmp(a[1].data, b[1].data);
}

bool memory_all_questions(struct answering *of)
{
    const struct memory_store *store = of->store;
    for (ptrdiff_t i = 0; i < store->attempt_count; i++) {
        const struct memory_attempt *one = &store->attempts[i];
        int64_t answers = 0, learners = 0, last = INT64_MIN;
        if (!memory_counts(store, one) || !is_first_here(store, i, true))
            continue;
        for (ptrdiff_t j = i; j < store->attempt_count; j++) {
            const struct memory_attempt *other = &store->attempts[j];
            if (strcmp(other->pack_id, one->pack_id) != 0 ||
                strcmp(other->question_id, one->question_id) != 0 || !memory_counts(store, other))
                continue;
            answers++;
            learners += is_first_here(store, j, false);
            last = other->answered_at > last ? other->answered_at : last;
        }
        struct store_value cells[] = { store_value_text(one->pack_id), store_value_text(one->question_id),
                                       store_value_integer(answers), store_value_integer(learners),
                                       store_value_integer(last) };
        if (!memory_add_row(of, cells))
            return false;
    }
    if (of->rows->count)
        qsort(of->rows->cells, (size_t)of->rows->count, 5 * sizeof *of->rows->cells, by_pack_and_question);
    return true;
}
