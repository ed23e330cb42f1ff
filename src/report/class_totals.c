/* What is added up of the class: totals and medians, as facts of the whole, and pack by pack. */
#include "class.h"

#include <quiztutor/message.h>

#include <math.h>
#include <stdlib.h>

static int compare_reals(const void *one, const void *other)
{
    double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

static double of_sessions(const struct class_learner *learner)
{
    return (double)learner->sessions;
}

static double of_questions(const struct class_learner *learner)
{
    return (double)learner->sum.questions;
}

static double of_share(const struct class_learner *learner)
{
    int64_t count = work_count(&learner->sum.tries);
    return count ? (double)learner->sum.tries.count[OUTCOME_RIGHT] / (double)count : -1;
}

static double of_mastery(const struct class_learner *learner)
{
    return (double)learner->sum.mastered / (double)learner->sum.questions;
}

static double of_minutes(const struct class_learner *learner)
{
    return (double)learner->sum.elapsed_ms / 60000;
}

static const struct {
    const char *fact, *title, *unit; /* N_(): title */
    enum cell_kind kind;
    double (*figure)(const struct class_learner *learner);
} medians[CLASS_MEDIANS] = {
    [MEDIAN_SESSIONS] = { "median_sessions", N_("median of sessions"), NULL, CELL_REAL, of_sessions },
    [MEDIAN_QUESTIONS] = { "median_questions", N_("median of questions"), NULL, CELL_REAL, of_questions },
    [MEDIAN_SHARE] = { "median_share", N_("median of the share"), NULL, CELL_SHARE, of_share },
    [MEDIAN_MASTERY] = { "median_mastery", N_("median of mastery"), NULL, CELL_SHARE, of_mastery },
    [MEDIAN_MINUTES] = { "median_minutes", N_("median of time"), N_("min"), CELL_REAL, of_minutes },
};

/* Over learners with answers; those whose figure is negative have none. */
static struct report_cell median_of(const struct class_view *view, double *room, enum class_median which)
{
    int count = 0;
    for (int i = 0; i < view->count; i++)
        if (view->learners[i].last_at != INT64_MIN && medians[which].figure(&view->learners[i]) >= 0)
            room[count++] = medians[which].figure(&view->learners[i]);
    if (!count)
        return build_absent(tr("no answers yet"));
    qsort(room, (size_t)count, sizeof *room, compare_reals);
    double median = (room[(count - 1) / 2] + room[count / 2]) / 2;
    bool counts = which == MEDIAN_SESSIONS || which == MEDIAN_QUESTIONS; /* "5" and "5.5", never "5.0" */
    if (counts && median == floor(median))
        return build_whole((int64_t)median);
    return (struct report_cell){ .kind = medians[which].kind, .real = median };
}

static void add_up(struct build *build, const struct class_view *view, struct class_totals *totals)
{
    double *room = memory_alloc(view->count * (ptrdiff_t)sizeof *room);
    *totals = (struct class_totals){ 0 };
    if (!room) {
        build->failed = true;
        return;
    }
    for (int i = 0; i < view->count; i++) {
        const struct class_learner *learner = &view->learners[i];
        work_sum_add(&totals->sum, &learner->sum);
        totals->sessions += learner->sessions;
        totals->active += learner->last_at != INT64_MIN;
        totals->quiet += learner->last_at != INT64_MIN && class_is_quiet(view, learner);
        totals->stuck += learner->sum.stuck > 0;
    }
    for (int i = 0; i < CLASS_MEDIANS; i++)
        totals->medians[i] = median_of(view, room, (enum class_median)i);
    memory_free(room);
}

static void write_fact(struct build *build, const char *name, const char *title, struct report_cell cell)
{
    build_fact(build, &(struct report_fact){ .name = name, .title = title, .cell = cell });
}

void class_write_facts(struct class *class, const struct class_view *view)
{
    struct build *build = class->build;
    struct class_totals all;
    add_up(build, view, &all);
    write_fact(build, "learners", tr("learners"), build_whole(view->count));
    write_fact(build, "with_answers", tr("with answers"), build_whole(all.active));
    write_fact(build, "stuck_learners", tr("stuck somewhere"), build_whole(all.stuck));
    write_fact(build, "quiet_learners", tr("gone quiet"), build_whole(all.quiet));
    write_fact(build, "total_sessions", tr("sessions"), build_whole(all.sessions));
    write_fact(build, "total_questions", tr("questions, each learner's"), build_whole(all.sum.questions));
    write_fact(build, "total_attempts", tr("attempts"), build_whole(all.sum.answers));
    write_fact(build, "total_undone", tr("taken back"), build_whole(class->made.undone));
    write_fact(build, "total_share", tr(work_share_title(build->filter->attempts)),
               work_share_cell(&all.sum.tries));
    write_fact(build, "total_mastery", tr("mastery"), work_mastery_cell(&all.sum));
    build_fact(build, &(struct report_fact){ .name = "total_minutes",
                                             .title = tr("time"),
                                             .unit = N_("min"),
                                             .cell = work_minutes_cell(all.sum.elapsed_ms) });
    for (int i = 0; i < CLASS_MEDIANS; i++)
        build_fact(build, &(struct report_fact){ .name = medians[i].fact,
                                                 .title = tr(medians[i].title),
                                                 .unit = medians[i].unit,
                                                 .cell = all.medians[i],
                                                 .decimals = medians[i].kind == CELL_REAL });
}

/* ---- pack by pack ---- */

enum {
    PACK,
    LEARNERS,
    SESSIONS,
    QUESTIONS,
    SHARE,
    MASTERY,
    MINUTES,
    STUCK,
    QUIET,
    PACK_IDENTITY,
    ATTEMPTS,
    TOTALS
};

static const struct report_column total_columns[TOTALS] = {
    [PACK] = { .name = "pack", .title = N_("pack"), .kind = CELL_TEXT },
    [LEARNERS] = { .name = "learners", .title = N_("learners"), .kind = CELL_WHOLE },
    [SESSIONS] = { .name = "sessions", .title = N_("sessions"), .kind = CELL_WHOLE, .rank = 5 },
    [QUESTIONS] = { .name = "questions", .title = N_("questions"), .kind = CELL_WHOLE, .rank = 3 },
    [SHARE] = { .kind = CELL_SHARE, .bar = true, .interval = true },
    [MASTERY] = { .name = "mastery", .title = N_("mastery"), .kind = CELL_SHARE, .rank = 1 },
    [MINUTES] = { .name = "minutes", .title = N_("time"), .unit = N_("min"), .kind = CELL_REAL, .rank = 4 },
    [STUCK] = { .name = "stuck_learners", .title = N_("stuck"), .kind = CELL_WHOLE, .rank = 2 },
    [QUIET] = { .name = "quiet_learners", .title = N_("gone quiet"), .kind = CELL_WHOLE, .rank = 2 },
    [PACK_IDENTITY] = { .name = "pack_id", .title = N_("pack's id"), .kind = CELL_TEXT, .detail = true },
    [ATTEMPTS] = { .name = "attempts", .title = N_("attempts"), .kind = CELL_WHOLE, .detail = true },
};

enum { MEDIAN_PACK, MEDIAN_FIRST, MEDIAN_IDENTITY = MEDIAN_FIRST + CLASS_MEDIANS, MEDIAN_COLUMNS };

static const struct report_column median_columns[MEDIAN_COLUMNS] = {
    [MEDIAN_PACK] = { .name = "pack", .title = N_("pack"), .kind = CELL_TEXT },
    [MEDIAN_FIRST + MEDIAN_SESSIONS] = { .name = "sessions",
                                         .title = N_("sessions"),
                                         .kind = CELL_REAL,
                                         .decimals = 1,
                                         .rank = 2 },
    [MEDIAN_FIRST + MEDIAN_QUESTIONS] = { .name = "questions",
                                          .title = N_("questions"),
                                          .kind = CELL_REAL,
                                          .decimals = 1 },
    [MEDIAN_FIRST + MEDIAN_SHARE] = { .kind = CELL_SHARE, .bar = true },
    [MEDIAN_FIRST + MEDIAN_MASTERY] = { .name = "mastery", .title = N_("mastery"), .kind = CELL_SHARE },
    [MEDIAN_FIRST + MEDIAN_MINUTES] = { .name = "minutes",
                                        .title = N_("time"),
                                        .unit = N_("min"),
                                        .kind = CELL_REAL,
                                        .decimals = 1,
                                        .rank = 1 },
    [MEDIAN_IDENTITY] = { .name = "pack_id", .title = N_("pack's id"), .kind = CELL_TEXT, .detail = true },
};

/* The columns, with the share's name as the attempts that are used have it. */
static struct report_column *make_columns(struct build *build, const struct report_column *columns, int count,
                                          int share)
{
    struct report_column *made = build_room(build, count * (ptrdiff_t)sizeof *made);
    for (int i = 0; made && i < count; i++)
        made[i] = columns[i];
    if (made) {
        made[share].name = work_share_name(build->filter->attempts);
        made[share].title = work_share_title(build->filter->attempts);
    }
    return made;
}

static void write_totals(const struct class_view *view, const struct class_totals *totals,
                         struct report_cell *cells)
{
    cells[PACK] = build_text(view->title);
    cells[LEARNERS] = build_whole(totals->active);
    cells[SESSIONS] = build_whole(totals->sessions);
    cells[QUESTIONS] = build_whole(totals->sum.questions);
    cells[SHARE] = work_share_cell(&totals->sum.tries);
    cells[MASTERY] = work_mastery_cell(&totals->sum);
    cells[MINUTES] = work_minutes_cell(totals->sum.elapsed_ms);
    cells[STUCK] = build_whole(totals->stuck);
    cells[QUIET] = build_whole(totals->quiet);
    cells[PACK_IDENTITY] = build_text(view->pack);
    cells[ATTEMPTS] = build_whole(totals->sum.answers);
}

void class_write_totals(struct class *class, const struct class_view *views, int count)
{
    struct build *build = class->build;
    struct report_column *columns = make_columns(build, total_columns, TOTALS, SHARE),
                         *median =
                             make_columns(build, median_columns, MEDIAN_COLUMNS, MEDIAN_FIRST + MEDIAN_SHARE);
    struct build_table sums, middles;
    if (!columns || !median)
        return;
    build_table_start(&sums, build, columns, TOTALS);
    build_table_start(&middles, build, median, MEDIAN_COLUMNS);
    for (int i = 1; i <= count; i++) {
        const struct class_view *view = &views[i % count]; /* the whole last */
        struct class_totals totals;
        add_up(build, view, &totals);
        write_totals(view, &totals, build_table_row(&sums, view->pack));
        struct report_cell *cells = build_table_row(&middles, view->pack);
        cells[MEDIAN_PACK] = build_text(view->title);
        cells[MEDIAN_IDENTITY] = build_text(view->pack);
        for (int k = 0; k < CLASS_MEDIANS; k++)
            cells[MEDIAN_FIRST + k] = totals.medians[k];
    }
    build_table_add(&sums, "pack_totals", tr("Totals, pack by pack"), NULL);
    build_table_add(&middles, "pack_medians", tr("Medians over learners, pack by pack"), NULL);
    build_table_finish(&sums);
    build_table_finish(&middles);
}
