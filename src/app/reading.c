#include "reading.h"

#include <quiztutor/grade.h>
#include <string.h>

/* The one number that a query of this learner since a moment answers with. */
static bool reading_count(struct reading *reading, enum store_query query, int64_t since, int64_t *count,
                          struct error *error)
{
    struct store_value parameters[] = { store_value_uuid(&reading->practice->record.learner.id),
                                        store_value_integer(since) };
    struct rows *rows;
    *count = 0;
    if (!rows_open(&rows, reading->practice->store, query, parameters, 2, error))
        return false;
    int step = rows_step(rows, error);
    if (step == 1)
        *count = rows_integer(rows, 0);
    rows_close(rows);
    return step >= 0;
}

/* Whether the key of a known question was overturned since it was last answered. */
static bool reading_overturned(struct reading *reading, const struct question *question,
                               const struct store_schedule *known, bool *overturned, struct error *error)
{
    char revision[PACK_REVISION + 1];
    struct buffer body;
    *overturned = false;
    if (!known->seen || !*known->revision)
        return true;
    if (!question_revision(question, revision))
        return error_memory(error);
    if (strcmp(revision, known->revision) == 0)
        return true;
    buffer_init(&body);
    bool done = question_body(question, &body) && !body.failed
                    ? store_key_overturned(reading->practice->store, &known->content, buffer_get(&body),
                                           overturned, error)
                    : error_memory(error);
    buffer_finish(&body);
    return done;
}

/* What one row of QUERY_KNOWN or QUERY_DUE says. */
static bool reading_take(struct reading *reading, const struct question *question,
                         const struct store_schedule *known, struct plan_history *history,
                         struct error *error)
{
    const struct schedule *schedule = &known->schedule;
    *history = (struct plan_history){
        .seen = known->seen,
        .last = known->last,
        .answered_at = known->answered_at,
        .starred = known->starred,
        .suspended = known->suspended,
        .graded = schedule->phase != PHASE_NEW,
        .due = schedule_is_due(schedule, reading->now, reading->today),
        .due_day = schedule->due_day,
        .due_at = schedule->due_at,
    };
    if (history->due)
        history->retrievability = schedule_retrievability(schedule, &reading->parameters, reading->target);
    return reading_overturned(reading, question, known, &history->overturned, error);
}

/* All that is known of a pack's questions. Where a day is planned towards, `until` gets the schedules. */
static bool reading_scan(struct reading *reading, int pack_place, struct until_question *until,
                         struct error *error)
{
    const struct pack *pack = reading->practice->options.packs[pack_place];
    struct store_value parameters[] = { store_value_uuid(&reading->practice->record.learner.id),
                                        store_value_text(pack->id) };
    struct rows *rows;
    if (!rows_open(&rows, reading->practice->store, QUERY_KNOWN, parameters, 2, error))
        return false;
    int step;
    while ((step = rows_step(rows, error)) == 1) {
        struct store_schedule known;
        int place = pack_find(pack, rows_text(rows, 0));
        if (place < 0)
            continue; /* gone from the pack: an orphan */
        rows_schedule(rows, &known);
        struct plan_history *history = &reading->histories[pack_place][place];
        if (!reading_take(reading, &pack->questions[place], &known, history, error)) {
            step = -1;
            break;
        }
        if (until && !history->overturned)
            until[place].schedule = known.schedule;
    }
    rows_close(rows);
    return step == 0;
}

/* The longest overdue of a large pack: as many as could be asked, the rest counted up to a bound. */
static bool reading_due(struct reading *reading, int pack_place, int wanted, int *counted,
                        struct error *error)
{
    const struct pack *pack = reading->practice->options.packs[pack_place];
    struct store_value parameters[] = { store_value_uuid(&reading->practice->record.learner.id),
                                        store_value_text(pack->id), store_value_integer(reading->today),
                                        store_value_integer(reading->now) };
    struct rows *rows;
    if (!rows_open(&rows, reading->practice->store, QUERY_DUE, parameters, 4, error))
        return false;
    int step = 0, taken = 0;
    while ((taken < wanted || *counted <= PRACTICE_COUNTED) && (step = rows_step(rows, error)) == 1) {
        struct store_schedule known;
        int place = pack_find(pack, rows_text(rows, 0));
        if (place < 0 || !plan_has_tag(&pack->questions[place], reading->wishes.tag))
            continue;
        ++*counted;
        if (taken++ >= wanted) {
            reading->uncounted++;
            continue;
        }
        rows_schedule(rows, &known);
        if (!reading_take(reading, &pack->questions[place], &known, &reading->histories[pack_place][place],
                          error)) {
            step = -1;
            break;
        }
    }
    rows_close(rows);
    return step >= 0;
}

/* Finds up to *wanted new questions of a large pack, in the order they would be asked in. */
static bool reading_new(struct reading *reading, int pack_place, int *wanted, struct error *error)
{
    const struct pack *pack = reading->practice->options.packs[pack_place];
    struct plan_history *histories = reading->histories[pack_place];
    bool done = false;
    int *order = memory_alloc((pack->question_count + 1) * (ptrdiff_t)sizeof *order);
    if (!order)
        return error_memory(error);
    showing_question_order(pack, reading->wishes.seed, order);
    for (int i = 0; i<pack->question_count && * wanted> 0; i++) {
        const struct question *question = &pack->questions[order[i]];
        struct store_schedule known;
        if (histories[order[i]].due || !plan_has_tag(question, reading->wishes.tag) ||
            !showing_is_picked(pack, order, i))
            continue;
        int found = store_schedule(reading->practice->store, &reading->practice->record.learner.id, pack->id,
                                   question->id, &known, error);
        if (found < 0)
            goto out;
        if (known.schedule.phase != PHASE_NEW || known.suspended)
            continue;
        histories[order[i]].graded = false;
        --*wanted;
    }
    done = true;
out:
    memory_free(order);
    return done;
}

/* Packs too large to be read whole: what is due by index, new ones one by one, and only as many as are asked.
 * Behind a backlog that is longer than what is counted no new ones are begun. */
static bool reading_lean(struct reading *reading, struct error *error)
{
    const struct practice_options *options = &reading->practice->options;
    const struct plan_options *wishes = &reading->wishes;
    int counted = 0, due = wishes->limit ? wishes->limit : wishes->due_left;
    for (int i = 0; i < options->pack_count; i++) {
        for (int k = 0; k < options->packs[i]->question_count; k++)
            reading->histories[i][k].graded = true; /* neither due nor new, until it is found to be */
        if (!reading_due(reading, i, due, &counted, error))
            return false;
    }
    reading->more = counted > PRACTICE_COUNTED;
    int fresh = wishes->limit ? wishes->limit - counted : reading->more ? 0 : wishes->new_left;
    for (int i = 0; i < options->pack_count && fresh > 0; i++)
        if (!reading_new(reading, i, &fresh, error))
            return false;
    return true;
}

bool reading_init(struct reading *reading, struct practice *practice, const struct plan_options *wishes,
                  struct error *error)
{
    *reading = (struct reading){ .practice = practice, .wishes = *wishes };
    arena_init(&reading->arena);
    const struct practice_options *options = &practice->options;
    const struct store_scheduling *scheduling = options->scheduling;
    ptrdiff_t room = options->pack_count + 1, questions = 1;
    reading->parameters = fsrs_defaults;
    reading->now = clock_wall(&practice->clock);
    reading->today = practice_today(practice, NULL);
    reading->target = options->until > reading->today ? options->until : reading->today;
    reading->rules = arena_alloc(&reading->arena, room * (ptrdiff_t)sizeof *reading->rules);
    if (practice->learner_known)
        reading->histories = arena_alloc(&reading->arena, room * (ptrdiff_t)sizeof *reading->histories);
    if (!reading->rules || (practice->learner_known && !reading->histories))
        return error_memory(error);
    for (int i = 0; i < options->pack_count; i++) {
        const struct pack *pack = options->packs[i];
        double retention = scheduling ? scheduling->retention : 0.9;
        for (int k = 0; scheduling && k < scheduling->by_pack_count; k++)
            if (strcmp(scheduling->by_pack[k].pack, pack->id) == 0)
                retention = scheduling->by_pack[k].retention;
        reading->rules[i] = (struct schedule_rules){ .parameters = &reading->parameters,
                                                     .retention = retention,
                                                     .day_starts = options->day_starts };
        questions += pack->question_count;
        if (!reading->histories)
            continue;
        reading->histories[i] =
            arena_alloc(&reading->arena, (pack->question_count + 1) * (ptrdiff_t)sizeof **reading->histories);
        if (!reading->histories[i])
            return error_memory(error);
    }
    if (options->until)
        reading->until = arena_alloc(&reading->arena, questions * (ptrdiff_t)sizeof *reading->until);
    return !options->until || reading->until || error_memory(error);
}

/* What was asked and met today already leaves less of both rations. */
static bool reading_rations(struct reading *reading, struct error *error)
{
    int64_t began, met, reviewed;
    practice_today(reading->practice, &began);
    if (!reading_count(reading, QUERY_NEW, began, &met, error) ||
        !reading_count(reading, QUERY_REVIEWED, began, &reviewed, error))
        return false;
    struct plan_options *wishes = &reading->wishes;
    wishes->new_left = met < wishes->new_left ? wishes->new_left - (int)met : 0;
    wishes->due_left = reviewed < wishes->due_left ? wishes->due_left - (int)reviewed : 0;
    return true;
}

/* Reads schedules and plans towards the day: new ones as many as that takes. */
static bool reading_until(struct reading *reading, struct error *error)
{
    struct practice *practice = reading->practice;
    const struct practice_options *options = &practice->options;
    struct until_question *at = reading->until, *kept = reading->until;
    for (int i = 0; i < options->pack_count; i++) {
        const struct pack *pack = options->packs[i];
        struct until_question *questions = at;
        for (int k = 0; k < pack->question_count; k++)
            questions[k] = (struct until_question){ .rules = &reading->rules[i] };
        if (practice->learner_known && !reading_scan(reading, i, questions, error))
            return false;
        for (int k = 0; k < pack->question_count; k++)
            if (plan_has_tag(&pack->questions[k], options->tag) &&
                !(reading->histories && reading->histories[i][k].suspended))
                *kept++ = questions[k];
        at += pack->question_count;
    }
    practice->planned.questions = (int)(kept - reading->until);
    until_make(&practice->planned.until, reading->until, practice->planned.questions, reading->today,
               options->until, options->new_per_day);
    reading->wishes.new_left = practice->planned.until.new_a_day;
    return true;
}

bool reading_read(struct reading *reading, struct error *error)
{
    struct practice *practice = reading->practice;
    const struct practice_options *options = &practice->options;
    int64_t questions = 0;
    for (int i = 0; i < options->pack_count; i++)
        questions += options->packs[i]->question_count;
    if (practice->learner_known &&
        !store_parameters(practice->store, &practice->record.learner.id, &reading->parameters, NULL, error))
        return false;
    if (options->until && !reading_until(reading, error))
        return false;
    if (!practice->learner_known)
        return true;
    if (options->mode == MODE_DUE && !options->limit && !reading_rations(reading, error))
        return false;
    if (options->until)
        return true;
    if (options->mode == MODE_DUE && questions > PRACTICE_SCAN)
        return reading_lean(reading, error);
    for (int i = 0; i < options->pack_count; i++)
        if (!reading_scan(reading, i, NULL, error))
            return false;
    return true;
}

int reading_resets(const struct reading *reading, const struct session_entry *entries, int count)
{
    const struct practice_options *options = &reading->practice->options;
    int resets = 0;
    for (int i = 0; reading->histories && i < count; i++)
        for (int k = 0; k < options->pack_count; k++)
            if (options->packs[k] == entries[i].pack)
                resets += reading->histories[k][entries[i].question - entries[i].pack->questions].overturned;
    return resets;
}

void reading_finish(struct reading *reading)
{
    arena_finish(&reading->arena);
}
