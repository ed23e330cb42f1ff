/* The class in lines: the worst on top, of several packs each by itself below the whole, and how it was made.
 */
#include "class.h"

#include <quiztutor/message.h>

#include <stdlib.h>
#include <string.h>

enum {
    LEARNER,
    LAST_SEEN,
    SESSIONS,
    QUESTIONS,
    SHARE,
    MASTERY,
    MINUTES,
    STUCK,
    QUIET,
    LOGIN,
    EXTERNAL_ID,
    ATTEMPTS,
    RIGHT,
    PARTLY,
    WRONG,
    OMITTED,
    MASTERED,
    PACK, /* only where several are told apart */
    COLUMNS
};

static const struct report_column columns[COLUMNS] = {
    [LEARNER] = { .name = "learner", .title = N_("learner"), .kind = CELL_TEXT },
    [LAST_SEEN] = { .name = "last_seen", .title = N_("last seen"), .kind = CELL_MOMENT, .rank = 3 },
    [SESSIONS] = { .name = "sessions", .title = N_("sessions"), .kind = CELL_WHOLE, .rank = 5 },
    [QUESTIONS] = { .name = "questions", .title = N_("questions"), .kind = CELL_WHOLE, .rank = 2 },
    [SHARE] = { .kind = CELL_SHARE, .bar = true, .interval = true },
    [MASTERY] = { .name = "mastery", .title = N_("mastery"), .kind = CELL_SHARE, .rank = 1 },
    [MINUTES] = { .name = "minutes", .title = N_("time"), .unit = N_("min"), .kind = CELL_REAL, .rank = 4 },
    [STUCK] = { .name = "stuck", .title = N_("stuck at"), .kind = CELL_WHOLE, .rank = 1 },
    [QUIET] = { .name = "quiet", .title = N_("gone quiet"), .kind = CELL_TRUTH, .leads = true, .rank = 1 },
    [LOGIN] = { .name = "login", .title = N_("login"), .kind = CELL_TEXT, .detail = true },
    [EXTERNAL_ID] = { .name = "external_id", .title = N_("external id"), .kind = CELL_TEXT, .detail = true },
    [ATTEMPTS] = { .name = "attempts", .title = N_("attempts"), .kind = CELL_WHOLE, .detail = true },
    [RIGHT] = { .name = "right", .title = N_("right"), .kind = CELL_WHOLE, .detail = true },
    [PARTLY] = { .name = "partly", .title = N_("partly"), .kind = CELL_WHOLE, .detail = true },
    [WRONG] = { .name = "wrong", .title = N_("wrong"), .kind = CELL_WHOLE, .detail = true },
    [OMITTED] = { .name = "omitted", .title = N_("left out"), .kind = CELL_WHOLE, .detail = true },
    [MASTERED] = { .name = "mastered", .title = N_("mastered"), .kind = CELL_WHOLE, .detail = true },
    [PACK] = { .name = "pack", .title = N_("pack"), .kind = CELL_TEXT, .detail = true },
};

/* By days where the learner is. */
bool class_is_quiet(const struct class_view *view, const struct class_learner *learner)
{
    int64_t day = clock_day(learner->last_at, learner->last_offset_s, view->day_starts),
            today = clock_day(view->now, learner->last_offset_s, view->day_starts);
    return (view->last_day < today ? view->last_day : today) - day >= CLASS_QUIET;
}

static void write_done(const struct class_view *view, const struct class_learner *learner,
                       struct report_cell *cells)
{
    const struct work_sum *sum = &learner->sum;
    cells[LAST_SEEN] = build_moment(learner->last_at, learner->last_offset_s);
    cells[QUIET] = build_truth(class_is_quiet(view, learner));
    cells[QUIET].stands_out = class_is_quiet(view, learner);
    cells[STUCK].stands_out = sum->stuck > 0;
    /* surely less than the class: the whole interval lies below */
    cells[SHARE].stands_out = cells[SHARE].kind == CELL_SHARE && cells[SHARE].high < view->share;
}

/* `parted`: there is a column for the pack. */
static void write_line(const struct class_view *view, const struct class_learner *learner, bool parted,
                       struct report_cell *cells)
{
    const struct work_sum *sum = &learner->sum;
    const char *none = tr("no answers yet");
    cells[LEARNER] = build_text(learner->name);
    cells[LOGIN] = build_text(learner->login);
    cells[EXTERNAL_ID] = build_text(learner->external_id);
    cells[SESSIONS] = build_whole(learner->sessions);
    cells[QUESTIONS] = build_whole(sum->questions);
    cells[SHARE] = work_share_cell(&sum->tries);
    cells[MASTERY] = work_mastery_cell(sum);
    cells[MINUTES] = work_minutes_cell(sum->elapsed_ms);
    cells[STUCK] = build_whole(sum->stuck);
    cells[ATTEMPTS] = build_whole(sum->answers);
    cells[RIGHT] = build_whole(sum->tries.count[OUTCOME_RIGHT]);
    cells[PARTLY] = build_whole(sum->tries.count[OUTCOME_PARTLY]);
    cells[WRONG] = build_whole(sum->tries.count[OUTCOME_WRONG]);
    cells[OMITTED] = build_whole(sum->tries.count[OUTCOME_OMITTED]);
    cells[MASTERED] = build_whole(sum->mastered);
    if (parted)
        cells[PACK] = build_text(view->pack);
    if (learner->last_at == INT64_MIN) {
        cells[LAST_SEEN] = build_absent(none);
        cells[QUIET] = build_absent(none);
    } else {
        write_done(view, learner, cells);
    }
}

static int next_line(void *context, bool parted, struct report_cell *cells)
{
    struct class_view *view = context;
    if (view->at == view->count)
        return 0;
    write_line(view, &view->learners[view->at++], parted, cells);
    return 1;
}

static int next_of_whole(void *context, struct report_cell *cells, struct error *error)
{
    (void)error;
    return next_line(context, false, cells);
}

static int next_of_parted(void *context, struct report_cell *cells, struct error *error)
{
    (void)error;
    return next_line(context, true, cells);
}

/* The share that was right, then who tried more: 0 of 20 says more than 0 of 1. Without any come last. */
static int compare_learners(const void *one, const void *other)
{
    const struct class_learner *a = one, *b = other;
    double n = (double)work_count(&a->sum.tries), m = (double)work_count(&b->sum.tries);
    if ((n > 0) != (m > 0))
        return n > 0 ? -1 : 1;
    double share = (double)a->sum.tries.count[OUTCOME_RIGHT] * m,
           rival = (double)b->sum.tries.count[OUTCOME_RIGHT] * n;
    if (share < rival || share > rival)
        return share < rival ? -1 : 1;
    if (n < m || n > m)
        return n > m ? -1 : 1;
    int order = strcmp(a->name ? a->name : "", b->name ? b->name : "");
    return order ? order : memcmp(&a->id, &b->id, sizeof a->id);
}

/* Their columns, with the share's name as the attempts that are used have it. */
static struct report_column *make_columns(struct build *build)
{
    struct report_column *made = build_room(build, (ptrdiff_t)sizeof columns);
    if (made) {
        memcpy(made, columns, sizeof columns);
        made[SHARE].name = work_share_name(build->filter->attempts);
        made[SHARE].title = work_share_title(build->filter->attempts);
    }
    return made;
}

/* Nothing is held of tables that are long. */
static void write_table(struct build *build, struct class_view *view, const struct report_column *made,
                        bool parted, bool held)
{
    const char *name = view->pack ? "by_pack" : "class", *empty = tr("No learners.");
    int count = parted ? COLUMNS : PACK;
    struct report_table added = { .name = name,
                                  .title = view->title,
                                  .empty = empty,
                                  .columns = made,
                                  .column_count = count,
                                  .row_count = -1,
                                  .next = parted ? next_of_parted : next_of_whole,
                                  .context = view,
                                  .continues = view->pack != NULL };
    struct build_table table;
    if (!held) {
        build_add_table(build, &added);
        return;
    }
    build_table_start(&table, build, made, count);
    for (int i = 0; i < view->count; i++) {
        const struct class_learner *learner = &view->learners[i];
        write_line(view, learner, parted,
                   build_table_row(&table, learner->login ? learner->login : learner->name));
    }
    build_table_join(&table, name, view->title, empty, view->pack != NULL);
    build_table_finish(&table);
}

static void write_notes(struct class *class, const struct class_view *view)
{
    struct build *build = class->build;
    build_note_made(build, &class->made);
    build_note(build, build_say(build,
                                tr("Gone quiet: no answer for %d days or more. Stuck: one question missed %d "
                                   "times or more. Mastery: mastered questions of those answered."),
                                CLASS_QUIET, WORK_STUCK));
    if (!work_needs_log(build))
        work_note_summaries(build);
    if (class->stuck_count >= CLASS_STUCK_MOST)
        build_note(build,
                   build_say(build, tr("Of who is stuck at what the %d worst are shown."), CLASS_STUCK_MOST));
    if (view->count > class->made.learners) {
        int64_t without = view->count - class->made.learners;
        build_note(build,
                   build_say(build,
                             ntr("%lld learner has no answers.", "%lld learners have no answers.", without),
                             (long long)without));
    }
}

/* The lines of the class or (part ≥ 0) of one pack, in order; NULL without memory. The part's own are freed.
 */
static const struct class_learner *sorted(struct class *class, struct class_part *part)
{
    int count = class->learner_count;
    ptrdiff_t size = count * (ptrdiff_t)sizeof *class->learners;
    struct class_learner *learners = build_room(class->build, size);
    if (!learners || (part && count && !class_part_learner(part, count - 1)))
        return NULL;
    if (count)
        memcpy(learners, part ? part->learners : class->learners, (size_t)size);
    for (int i = 0; part && i < count; i++) {
        learners[i].id = class->learners[i].id;
        learners[i].name = class->learners[i].name;
        learners[i].login = class->learners[i].login;
        learners[i].external_id = class->learners[i].external_id;
    }
    if (part) {
        memory_free(part->learners);
        *part = (struct class_part){ .pack = part->pack };
    }
    qsort(learners, (size_t)count, sizeof *learners, compare_learners);
    return learners;
}

static bool make_view(struct class *class, struct class_view *view, struct class_part *part)
{
    struct build *build = class->build;
    const struct report_filter *filter = build->filter;
    struct work_sum all = { 0 };
    *view = (struct class_view){ .learners = sorted(class, part),
                                 .pack = part ? part->pack : NULL,
                                 .count = class->learner_count,
                                 .day_starts = filter->day_starts,
                                 .now = build->now,
                                 .last_day = filter->has_until ? filter->until : INT64_MAX };
    if (part)
        view->title = build_pack_title(build, part->pack);
    else if (class->part_count)
        view->title = tr("All these packs together");
    if (!view->learners)
        return error_memory(build->error);
    for (int i = 0; i < view->count; i++)
        work_sum_add(&all, &view->learners[i].sum);
    int64_t count = work_count(&all.tries);
    view->share = count ? (double)all.tries.count[OUTCOME_RIGHT] / (double)count : 0;
    return true;
}

bool class_write(struct class *class)
{
    struct build *build = class->build;
    int views = 1 + class->part_count;
    int64_t lines = (int64_t)views * class->learner_count;
    struct class_view *view = build_room(build, views * (ptrdiff_t)sizeof *view);
    const struct report_column *made = make_columns(build);
    if (class->part_count && lines > CLASS_LINES)
        return error_set(
            build->error, ERROR_INPUT,
            tr("%d packs of %d learners are too much for one report: name a group, or fewer packs"),
            class->part_count, class->learner_count);
    if (!view || !made)
        return error_memory(build->error);
    for (int i = 0; i < views; i++)
        if (!make_view(class, &view[i], i ? &class->parts[i - 1] : NULL))
            return false;
    class_write_facts(class, &view[0]);
    for (int i = 0; i < views; i++)
        write_table(build, &view[i], made, views > 1, lines <= CLASS_HELD);
    if (views > 1)
        class_write_totals(class, view, views);
    write_notes(class, &view[0]);
    return class_write_stuck(class); /* by places of learners as they were read */
}
