/* The learner's own screen. */
#include "progress.h"

#include <quiztutor/grade.h>
#include <quiztutor/queue.h>

enum {
    PACE_ANSWERS = 5,  /* answers that make a pace of one's own */
    PACE_LEAST = 3000, /* ms: faster ones and slower ones say little of the next answers */
    PACE_MOST = 120000,
    PACE_DAYS = 30, /* days back that it is taken from */
    DAY_MS = 86400000,
};

/* Marks of all packs' questions, for mastery by topic. */
struct marks {
    struct progress_mark *items;
    ptrdiff_t count, capacity;
};

/* What is known of a question that is in its pack. */
static void progress_take(struct progress *progress, const struct store_schedule *known)
{
    struct progress_model *model = progress->model;
    bool graded = known->schedule.phase != PHASE_NEW; /* what was only left out is new */
    progress->seen += graded;
    if (known->suspended)
        return;
    progress->missed += known->seen && known->last != OUTCOME_RIGHT;
    if (!graded)
        return;
    int64_t due_at = present_due_at(known, &progress->now),
            ahead = known->schedule.due_day - progress->now.today;
    if (present_is_due(known, &progress->now)) {
        model->due++;
        ahead = 0;
    } else if (due_at < progress->next) {
        progress->next = due_at;
    }
    if (ahead <= PROGRESS_DAYS)
        model->coming[ahead > 0 ? ahead : 0].due++;
}

/* The pack to go on with for new questions: of those begun the one known best, else the first. */
static void progress_offer(struct progress *progress, const struct pack *pack, int fresh, int met)
{
    if (!fresh || (progress->go_on && met <= progress->met_there))
        return;
    progress->go_on = pack;
    progress->fresh = fresh;
    progress->met_there = met;
}

enum { MARK_SEEN = 1, MARK_MASTERED = 2, MARK_SUSPENDED = 4 };

static bool progress_known(struct progress *progress, const struct pack *pack, unsigned char *states,
                           struct error *error)
{
    struct store_value parameters[] = { store_value_uuid(&progress->learner->id),
                                        store_value_text(pack->id) };
    struct rows *rows;
    int step;
    if (uuid_is_zero(&progress->learner->id))
        return true;
    if (!rows_open(&rows, progress->store, QUERY_KNOWN, parameters, 2, error))
        return false;
    while ((step = rows_step(rows, error)) == 1) {
        struct store_schedule known;
        int place = pack_find(pack, rows_text(rows, 0));
        if (place < 0)
            continue; /* gone from the pack: an orphan */
        rows_schedule(rows, &known);
        progress_take(progress, &known);
        bool mastered = schedule_mastered(&known.schedule, grade_guess(&pack->questions[place]));
        states[place] =
            (unsigned char)((known.schedule.phase != PHASE_NEW ? MARK_SEEN : 0) |
                            (mastered ? MARK_MASTERED : 0) | (known.suspended ? MARK_SUSPENDED : 0));
    }
    rows_close(rows);
    return step == 0;
}

static bool progress_pack(struct progress *progress, const struct pack *pack, struct marks *marks,
                          struct error *error)
{
    int fresh = 0, met = 0;
    unsigned char *states = memory_zero(pack->question_count + 1);
    bool done = states ? progress_known(progress, pack, states, error) : error_memory(error);
    progress->packs++;
    for (int i = 0; done && i < pack->question_count; i++) {
        const struct text_list *tags = &pack->questions[i].tags;
        met += (states[i] & MARK_SEEN) != 0;
        if (states[i] & MARK_SUSPENDED)
            continue;
        fresh += !(states[i] & MARK_SEEN);
        if (!memory_grow(&marks->items, &marks->capacity, marks->count + tags->count, sizeof *marks->items))
            done = error_memory(error);
        for (int k = 0; done && k < tags->count; k++)
            marks->items[marks->count++] =
                (struct progress_mark){ tags->items[k], (states[i] & MARK_SEEN) != 0,
                                        (states[i] & MARK_MASTERED) != 0 };
    }
    if (done)
        progress_offer(progress, pack, fresh, met);
    memory_free(states);
    return done;
}

/* One day of those that are shown, or that the pace is taken from. */
static void progress_take_day(struct progress *progress, struct rows *rows, int64_t *answered,
                              int64_t *elapsed)
{
    int64_t back = progress->now.today - rows_integer(rows, 0);
    *answered += rows_integer(rows, 1);
    *elapsed += rows_integer(rows, 3);
    if (back < 0 || back >= PROGRESS_DAYS)
        return;
    struct progress_day *shown = &progress->model->past[PROGRESS_DAYS - 1 - back];
    shown->answered = (int)rows_integer(rows, 1);
    shown->right = (int)rows_integer(rows, 2);
    shown->minutes = (int)((rows_integer(rows, 3) + 59999) / 60000);
}

static bool progress_days(struct progress *progress, struct error *error)
{
    struct store_value parameters[] = { store_value_uuid(&progress->learner->id),
                                        store_value_integer(progress->now.today - PACE_DAYS) };
    struct rows *rows;
    int64_t answered = 0, elapsed = 0;
    int step;
    if (!rows_open(&rows, progress->store, QUERY_DAYS, parameters, 2, error))
        return false;
    while ((step = rows_step(rows, error)) == 1)
        progress_take_day(progress, rows, &answered, &elapsed);
    rows_close(rows);
    if (answered >= PACE_ANSWERS && elapsed > 0)
        progress->pace = elapsed / answered;
    if (progress->pace < PACE_LEAST)
        progress->pace = PACE_LEAST;
    if (progress->pace > PACE_MOST)
        progress->pace = PACE_MOST;
    return step == 0;
}

/* Days in a row; and since when there were days of practice, for as many of the past as are shown. A day
 * ahead belongs to the run: it was begun further east. Days beyond it are a clock's that was set back. */
static bool progress_streaks(struct progress *progress, struct error *error)
{
    struct progress_model *model = progress->model;
    struct store_value learner = store_value_uuid(&progress->learner->id);
    int64_t today = progress->now.today, first = 0, last = 0;
    struct rows *rows;
    int run = 0, step;
    if (!rows_open(&rows, progress->store, QUERY_PRACTISED, &learner, 1, error))
        return false;
    while ((step = rows_step(rows, error)) == 1) {
        int64_t day = rows_integer(rows, 0);
        if (!run)
            first = day;
        run = run && day == last + 1 ? run + 1 : 1;
        last = day;
        if (run > model->longest)
            model->longest = run;
        if (day >= today - 1 && day <= today + 1 && run > model->streak)
            model->streak = run;
    }
    rows_close(rows);
    if (step < 0 || !run)
        return step == 0;
    model->day_count = first > today - PROGRESS_DAYS + 1 ? (int)(today - first) + 1 : PROGRESS_DAYS;
    if (model->day_count < 1) /* the clock went back: all answers lie ahead */
        model->day_count = 1;
    for (int i = 0; i < model->day_count; i++)
        model->past[i] = model->past[PROGRESS_DAYS - model->day_count + i];
    return true;
}

/* How many more of those seen before today has room for. */
static bool progress_left(struct progress *progress, struct error *error)
{
    const struct present_now *now = &progress->now;
    int64_t began = now->today * DAY_MS + now->starts * (int64_t)60000 - now->offset * (int64_t)1000,
            reviewed = 0;
    struct store_value parameters[] = { store_value_uuid(&progress->learner->id),
                                        store_value_integer(began) };
    struct rows *rows;
    if (!rows_open(&rows, progress->store, QUERY_REVIEWED, parameters, 2, error))
        return false;
    int step = rows_step(rows, error);
    if (step == 1)
        reviewed = rows_integer(rows, 0);
    rows_close(rows);
    progress->left = reviewed < QUEUE_MOST ? QUEUE_MOST - (int)reviewed : 0;
    return step >= 0;
}

static bool progress_past(struct progress *progress, struct error *error)
{
    if (uuid_is_zero(&progress->learner->id))
        return true;
    return progress_days(progress, error) && progress_streaks(progress, error) &&
           progress_left(progress, error);
}

static bool progress_label(struct arena *arena, struct progress_day *days, int count, int64_t first)
{
    for (int i = 0; i < count; i++) {
        char text[DAY_TEXT];
        day_short(text, first + i);
        days[i].label = arena_print(arena, "%s", text);
        if (!days[i].label)
            return false;
    }
    return true;
}

bool presenter_progress(struct presenter *presenter, struct library *library, struct store *store,
                        const struct store_learner *learner, const struct clock *clock, int day_starts,
                        struct error *error)
{
    struct progress_model *model = &presenter->progress;
    struct progress progress = {
        .arena = &presenter->progress_arena,
        .model = model,
        .store = store,
        .learner = learner,
        .now = present_now(clock, day_starts),
        .next = INT64_MAX,
        .pace = PROGRESS_PACE_MS,
    };
    const struct library_entry *entries;
    struct marks marks = { 0 };
    int count;
    arena_finish(&presenter->progress_arena);
    *model = (struct progress_model){ .learner = present_learner(progress.arena, learner) };
    if (!library_list(library, &entries, &count, error))
        return false;
    bool done = model->learner || error_memory(error);
    for (int i = 0; done && i < count; i++)
        if (entries[i].pack && !entries[i].shadowed_by)
            done = progress_pack(&progress, entries[i].pack, &marks, error);
    done = done && progress_past(&progress, error);
    if (done && !(progress_topics(&progress, marks.items, marks.count) && progress_next(&progress) &&
                  progress_label(progress.arena, model->past, model->day_count,
                                 progress.now.today - model->day_count + 1) &&
                  progress_label(progress.arena, model->coming, PROGRESS_DAYS + 1, progress.now.today)))
        done = error_memory(error);
    memory_free(marks.items);
    return done;
}
