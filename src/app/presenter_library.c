/* The library, and packs in its place. */
#include "presenter_private.h"

#include <quiztutor/application.h>
#include <quiztutor/grade.h>
#include <quiztutor/message.h>

#include <string.h>

static const char *present_list(struct arena *arena, const struct text_list *list)
{
    struct buffer out;
    const char *text = NULL;
    buffer_init(&out);
    for (int i = 0; i < list->count; i++)
        buffer_print(&out, "%s%s", i ? ", " : "", list->items[i]);
    present_text(arena, &out, &text);
    buffer_finish(&out);
    return text;
}

/* What is asked about all packs alike. */
struct present_asked {
    struct store *store;
    const struct store_learner *learner;
    struct present_now now;
};

struct present_now present_now(const struct clock *clock, int day_starts)
{
    int64_t at = clock_wall(clock);
    int offset = clock_offset(clock, at);
    return (struct present_now){ at, clock_day(at, offset, day_starts), day_starts, offset };
}

const char *present_learner(struct arena *arena, const struct store_learner *learner)
{
    return arena_print(arena, "%s", learner->name ? learner->name : "");
}

bool present_is_due(const struct store_schedule *known, const struct present_now *now)
{
    return !known->suspended && schedule_is_due(&known->schedule, now->at, now->today);
}

enum { DAY_MS = 86400000, MINUTE_MS = 60000, FARTHEST_DAY = 1000000000 };

int64_t present_due_at(const struct store_schedule *known, const struct present_now *now)
{
    const struct schedule *schedule = &known->schedule;
    if (known->suspended || schedule->phase == PHASE_NEW || schedule->due_day > FARTHEST_DAY)
        return INT64_MAX;
    return schedule->due_at
               ? schedule->due_at
               : schedule->due_day * DAY_MS + now->starts * (int64_t)MINUTE_MS - now->offset * (int64_t)1000;
}

int present_until(char day[static DAY_TEXT], int64_t due_at, const struct present_now *now)
{
    int64_t left = due_at > now->at ? due_at - now->at : 1;
    day_words(day, clock_day(due_at, now->offset, now->starts), now->today);
    return left > 60 * MINUTE_MS ? 0 : (int)((left + MINUTE_MS - 1) / MINUTE_MS);
}

/* "due Thursday", "due in 5 minutes" */
static bool present_row_until(struct arena *arena, struct library_row *row, int64_t due_at,
                              const struct present_now *now)
{
    char day[DAY_TEXT];
    if (row->due || due_at == INT64_MAX)
        return true;
    int minutes = present_until(day, due_at, now);
    if (minutes)
        row->until = arena_print(arena, ntr("due in %d minute", "due in %d minutes", minutes), minutes);
    else
        row->until = arena_print(arena, tr("due %s"), day);
    return row->until != NULL;
}

/* What the learner did in a pack, in one pass. */
static bool present_known(struct arena *arena, struct library_row *row, const struct pack *pack,
                          const struct present_asked *asked, struct error *error)
{
    struct store_value parameters[] = { store_value_uuid(&asked->learner->id), store_value_text(pack->id) };
    struct rows *rows;
    int64_t next = INT64_MAX;
    int step;
    if (!rows_open(&rows, asked->store, QUERY_KNOWN, parameters, 2, error))
        return false;
    while ((step = rows_step(rows, error)) == 1) {
        struct store_schedule known;
        int place = pack_find(pack, rows_text(rows, 0));
        rows_schedule(rows, &known);
        if (place < 0)
            continue;
        if (known.schedule.phase == PHASE_NEW) { /* what was only left out is new */
            row->fresh -= known.suspended;
            continue;
        }
        row->fresh--;
        row->seen++;
        row->right += known.last == OUTCOME_RIGHT;
        row->mastered += schedule_mastered(&known.schedule, grade_guess(&pack->questions[place]));
        int64_t due_at = present_due_at(&known, &asked->now);
        if (present_is_due(&known, &asked->now))
            row->due++;
        else if (due_at < next)
            next = due_at;
    }
    rows_close(rows);
    if (step < 0)
        return false;
    return present_row_until(arena, row, next, &asked->now) || error_memory(error);
}

static bool present_row(struct presenter *presenter, struct library_row *row,
                        const struct library_entry *entry, const struct present_asked *asked,
                        struct error *error)
{
    struct arena *arena = &presenter->library_arena;
    const struct pack *pack = entry->pack;
    row->path = entry->path;
    row->problem = entry->problem;
    if (!pack)
        return true;
    row->id = pack->id;
    row->title = pack->title;
    row->strapline = pack->strapline;
    struct present present = present_in(presenter, arena);
    row->description = present_rendered(&present, pack->markup, pack->description);
    if (present.failed)
        return error_memory(error);
    row->subject = pack->subject;
    row->licence = present_list(arena, &pack->licence);
    row->authors = present_list(arena, &pack->authors);
    row->questions = row->fresh = pack->question_count;
    return uuid_is_zero(&asked->learner->id) || present_known(arena, row, pack, asked, error);
}

/* A pack whose namesake comes first in the folders: listed, so that nobody wonders where it is. */
static bool present_shadowed(struct presenter *presenter, struct library_row *row,
                             const struct library_entry *entry, struct error *error)
{
    struct buffer path, problem;
    buffer_init(&path);
    buffer_init(&problem);
    text_visible(&path, entry->shadowed_by, (ptrdiff_t)strlen(entry->shadowed_by));
    buffer_print(&problem, tr("shadowed by %s, which has the same id"), buffer_get(&path));
    row->path = entry->path;
    row->problem =
        problem.failed ? NULL : arena_text(&presenter->library_arena, buffer_get(&problem), problem.length);
    buffer_finish(&problem);
    buffer_finish(&path);
    return row->problem || error_memory(error);
}

bool presenter_library(struct presenter *presenter, struct library *library, struct store *store,
                       const struct store_learner *learner, const struct clock *clock, int day_starts,
                       struct error *error)
{
    const struct present_asked asked = { store, learner, present_now(clock, day_starts) };
    struct library_model *model = &presenter->library;
    const struct library_entry *entries;
    int count;
    arena_finish(&presenter->library_arena);
    *model = (struct library_model){ .learner = present_learner(&presenter->library_arena, learner) };
    if (!model->learner)
        return error_memory(error);
    if (!library_list(library, &entries, &count, error))
        return false;
    struct library_row *rows = arena_alloc(&presenter->library_arena, (count + 1) * (ptrdiff_t)sizeof *rows);
    if (!rows)
        return error_memory(error);
    model->rows = rows;
    for (int i = 0; i < count; i++) {
        struct library_row *row = &rows[model->count];
        if (entries[i].shadowed_by ? !present_shadowed(presenter, row, &entries[i], error)
                                   : !present_row(presenter, row, &entries[i], &asked, error))
            return false;
        model->count++;
    }
    return true;
}

bool presenter_packs(struct presenter *presenter, const struct practice *practice, struct error *error)
{
    const struct practice_options *options = &practice->options;
    const struct present_asked asked = { practice->store, &practice->record.learner,
                                         present_now(&practice->clock, options->day_starts) };
    struct library_model *model = &presenter->library;
    arena_finish(&presenter->library_arena);
    *model = (struct library_model){ .learner = present_learner(&presenter->library_arena,
                                                                &practice->record.learner) };
    struct library_row *rows =
        arena_alloc(&presenter->library_arena, (options->pack_count + 1) * (ptrdiff_t)sizeof *rows);
    if (!rows || !model->learner)
        return error_memory(error);
    model->rows = rows;
    for (int i = 0; i < options->pack_count; i++) {
        struct library_entry entry = { .path = options->packs[i]->path, .pack = options->packs[i] };
        if (!present_row(presenter, &rows[i], &entry, &asked, error))
            return false;
        model->count++;
    }
    return true;
}

bool presenter_offers(struct presenter *presenter, const struct guard_offer *offers, int count,
                      struct store *store, const struct store_learner *learner, const struct clock *clock,
                      int day_starts, struct error *error)
{
    const struct present_asked asked = { store, learner, present_now(clock, day_starts) };
    struct library_model *model = &presenter->library;
    struct arena *arena = &presenter->library_arena;
    arena_finish(arena);
    *model = (struct library_model){ .learner = present_learner(arena, learner) };
    struct library_row *rows = arena_alloc(arena, (count + 1) * (ptrdiff_t)sizeof *rows);
    if (!rows || !model->learner)
        return error_memory(error);
    model->rows = rows;
    for (; model->count < count; model->count++) {
        const struct guard_offer *offer = &offers[model->count];
        struct library_row *row = &rows[model->count];
        struct library_entry entry = { .path = offer->pack->path, .pack = offer->pack };
        if (!present_row(presenter, row, &entry, &asked, error))
            return false;
        row->path = NULL; /* nobody's business here */
        row->exam = offer->exam ? arena_print(arena, "%s", offer->exam) : NULL;
        if (offer->exam && !row->exam)
            return error_memory(error);
    }
    return true;
}
