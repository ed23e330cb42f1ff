/* The class in lines: the worst on top, totals and medians, who is stuck where, and how it was made. */
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
    [QUIET] = { .name = "quiet", .title = N_("gone quiet"), .kind = CELL_TRUTH, .rank = 1 },
    [LOGIN] = { .name = "login", .title = N_("login"), .kind = CELL_TEXT, .detail = true },
    [EXTERNAL_ID] = { .name = "external_id", .title = N_("external id"), .kind = CELL_TEXT, .detail = true },
    [ATTEMPTS] = { .name = "attempts", .title = N_("attempts"), .kind = CELL_WHOLE, .detail = true },
    [RIGHT] = { .name = "right", .title = N_("right"), .kind = CELL_WHOLE, .detail = true },
    [PARTLY] = { .name = "partly", .title = N_("partly"), .kind = CELL_WHOLE, .detail = true },
    [WRONG] = { .name = "wrong", .title = N_("wrong"), .kind = CELL_WHOLE, .detail = true },
    [OMITTED] = { .name = "omitted", .title = N_("left out"), .kind = CELL_WHOLE, .detail = true },
    [MASTERED] = { .name = "mastered", .title = N_("mastered"), .kind = CELL_WHOLE, .detail = true },
};

/* What lines are made of, in the report's arena: also once its building is over. */
struct view {
    const struct class_learner *learners; /* the worst first */
    int count, at;
    int64_t today; /* or the last day that the filter takes in */
    int day_starts;
    double share; /* of all taken together */
};

static bool is_quiet(const struct view *view, const struct class_learner *learner)
{
    int64_t day = clock_day(learner->last_at, learner->last_offset_s, view->day_starts);
    return view->today - day >= CLASS_QUIET;
}

static void write_done(const struct view *view, const struct class_learner *learner,
                       struct report_cell *cells)
{
    const struct work_sum *sum = &learner->sum;
    cells[LAST_SEEN] = build_moment(learner->last_at, learner->last_offset_s);
    cells[QUIET] = build_truth(is_quiet(view, learner));
    cells[QUIET].stands_out = is_quiet(view, learner);
    cells[STUCK].stands_out = sum->stuck > 0;
    /* surely less than the class: the whole interval lies below */
    cells[SHARE].stands_out = cells[SHARE].kind == CELL_SHARE && cells[SHARE].high < view->share;
}

static void write_line(const struct view *view, const struct class_learner *learner,
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
    if (learner->last_at == INT64_MIN) {
        cells[LAST_SEEN] = build_absent(none);
        cells[QUIET] = build_absent(none);
    } else {
        write_done(view, learner, cells);
    }
}

static int next_line(void *context, struct report_cell *cells, struct error *error)
{
    struct view *view = context;
    (void)error;
    if (view->at == view->count)
        return 0;
    write_line(view, &view->learners[view->at++], cells);
    return 1;
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

static void write_table(struct class *class, struct view *view)
{
    struct build *build = class->build;
    struct report_column *made = make_columns(build);
    const char *empty = tr("No learners.");
    if (!made)
        return;
    if (view->count > CLASS_HELD) {
        build_add_table(build, &(struct report_table){ .name = "class",
                                                       .empty = empty,
                                                       .columns = made,
                                                       .column_count = COLUMNS,
                                                       .row_count = -1,
                                                       .next = next_line,
                                                       .context = view });
        return;
    }
    struct build_table table;
    build_table_start(&table, build, made, COLUMNS);
    for (int i = 0; i < view->count; i++) {
        const struct class_learner *learner = &view->learners[i];
        write_line(view, learner, build_table_row(&table, learner->login ? learner->login : learner->name));
    }
    build_table_add(&table, "class", NULL, empty);
    build_table_finish(&table);
}

/* ---- totals and medians ---- */

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

/* The median over learners with answers; those whose figure is negative have none. */
static void write_median(struct build *build, const struct view *view, const char *name, const char *title,
                         const char *unit, enum cell_kind kind,
                         double (*figure)(const struct class_learner *learner))
{
    int count = 0;
    double *values = memory_alloc(view->count * (ptrdiff_t)sizeof *values);
    if (!values) {
        build->failed = true;
        return;
    }
    for (int i = 0; i < view->count; i++)
        if (view->learners[i].last_at != INT64_MIN && figure(&view->learners[i]) >= 0)
            values[count++] = figure(&view->learners[i]);
    if (count)
        qsort(values, (size_t)count, sizeof *values, compare_reals);
    struct report_fact fact = { .name = name, .title = title, .unit = unit, .decimals = kind == CELL_REAL };
    if (!count)
        fact.cell = build_absent(tr("no answers yet"));
    else
        fact.cell =
            (struct report_cell){ .kind = kind, .real = (values[(count - 1) / 2] + values[count / 2]) / 2 };
    memory_free(values);
    build_fact(build, &fact);
}

static void write_fact(struct build *build, const char *name, const char *title, struct report_cell cell)
{
    build_fact(build, &(struct report_fact){ .name = name, .title = title, .cell = cell });
}

static void write_facts(struct class *class, const struct view *view)
{
    struct build *build = class->build;
    struct work_sum all = { 0 };
    int64_t sessions = 0, active = 0, quiet = 0, stuck = 0;
    for (int i = 0; i < view->count; i++) {
        const struct class_learner *learner = &view->learners[i];
        const struct work_sum *sum = &learner->sum;
        all.questions += sum->questions;
        all.answers += sum->answers;
        all.elapsed_ms += sum->elapsed_ms;
        all.mastered += sum->mastered;
        sessions += learner->sessions;
        active += learner->last_at != INT64_MIN;
        quiet += learner->last_at != INT64_MIN && is_quiet(view, learner);
        stuck += sum->stuck > 0;
        for (int k = 0; k < OUTCOMES; k++)
            all.tries.count[k] += sum->tries.count[k];
    }
    write_fact(build, "learners", tr("learners"), build_whole(view->count));
    write_fact(build, "with_answers", tr("with answers"), build_whole(active));
    write_fact(build, "stuck_learners", tr("stuck somewhere"), build_whole(stuck));
    write_fact(build, "quiet_learners", tr("gone quiet"), build_whole(quiet));
    write_fact(build, "total_sessions", tr("sessions"), build_whole(sessions));
    write_fact(build, "total_questions", tr("questions, each learner's"), build_whole(all.questions));
    write_fact(build, "total_attempts", tr("attempts"), build_whole(all.answers));
    write_fact(build, "total_share", tr(work_share_title(build->filter->attempts)),
               work_share_cell(&all.tries));
    write_fact(build, "total_mastery", tr("mastery"), work_mastery_cell(&all));
    build_fact(build, &(struct report_fact){ .name = "total_minutes",
                                             .title = tr("time"),
                                             .unit = N_("min"),
                                             .cell = work_minutes_cell(all.elapsed_ms) });
    write_median(build, view, "median_sessions", tr("median of sessions"), NULL, CELL_REAL, of_sessions);
    write_median(build, view, "median_questions", tr("median of questions"), NULL, CELL_REAL, of_questions);
    write_median(build, view, "median_share", tr("median of the share"), NULL, CELL_SHARE, of_share);
    write_median(build, view, "median_mastery", tr("median of mastery"), NULL, CELL_SHARE, of_mastery);
    write_median(build, view, "median_minutes", tr("median of time"), N_("min"), CELL_REAL, of_minutes);
}

/* ---- who is stuck where ---- */

static const struct report_column stuck_columns[] = {
    { .name = "learner", .title = N_("learner"), .kind = CELL_TEXT },
    { .name = "pack", .title = N_("pack"), .kind = CELL_TEXT, .rank = 2 },
    { .name = "question", .title = N_("question"), .kind = CELL_TEXT, .rank = 1 },
    { .name = "prompt", .title = N_("asked"), .kind = CELL_TEXT, .rank = 3 },
    { .name = "misses", .title = N_("missed"), .unit = N_("times"), .kind = CELL_WHOLE },
    { .name = "last", .title = N_("newest answer"), .kind = CELL_TEXT },
};

static int compare_stuck(const void *one, const void *other)
{
    const struct class_stuck *a = one, *b = other;
    if (a->misses != b->misses)
        return a->misses > b->misses ? -1 : 1;
    if (a->learner != b->learner)
        return a->learner < b->learner ? -1 : 1;
    int order = strcmp(a->pack, b->pack);
    return order ? order : strcmp(a->question, b->question);
}

static bool write_stuck(struct class *class)
{
    struct build *build = class->build;
    struct build_table table;
    bool done = true;
    int most = class->stuck_count < CLASS_STUCK_MOST ? class->stuck_count : CLASS_STUCK_MOST;
    if (class->stuck_count)
        qsort(class->stuck, (size_t) class->stuck_count, sizeof *class->stuck, compare_stuck);
    build_table_start(&table, build, stuck_columns, sizeof stuck_columns / sizeof *stuck_columns);
    for (int i = 0; done && i < most; i++) {
        const struct class_stuck *stuck = &class->stuck[i];
        const struct question *question;
        done = asked_find(&class->asked, build->stores[stuck->store], &stuck->content, stuck->pack,
                          stuck->question, &question);
        if (!done)
            break;
        const char *id = build_copy(build, stuck->question);
        struct report_cell *cells = build_table_row(&table, id);
        cells[0] = build_text(class->learners[stuck->learner].name);
        cells[1] = build_text(build_copy(build, stuck->pack));
        cells[2] = build_text(id);
        cells[3] = build_text(asked_prompt(build, question, stuck->question));
        cells[4] = build_whole(stuck->misses);
        cells[5] = build_text(work_outcome(stuck->last));
    }
    if (done)
        build_table_add(&table, "stuck_at", tr("Who is stuck at what"), tr("Nobody is stuck."));
    build_table_finish(&table);
    return done;
}

static void write_notes(struct class *class, const struct view *view)
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

bool class_write(struct class *class)
{
    struct build *build = class->build;
    const struct report_filter *filter = build->filter;
    ptrdiff_t size = class->learner_count * (ptrdiff_t)sizeof *class->learners;
    struct class_learner *learners = build_room(build, size);
    struct view *view = build_room(build, (ptrdiff_t)sizeof *view);
    struct work_tries all = { 0 };
    if (!learners || !view)
        return true;
    for (int i = 0; i < class->learner_count; i++)
        for (int k = 0; k < OUTCOMES; k++)
            all.count[k] += class->learners[i].sum.tries.count[k];
    if (class->learner_count)
        memcpy(learners, class->learners, (size_t)size);
    qsort(learners, (size_t) class->learner_count, sizeof *learners, compare_learners);
    *view = (struct view){ .learners = learners,
                           .count = class->learner_count,
                           .today = filter->has_until && filter->until < build->today ? filter->until
                                                                                      : build->today,
                           .day_starts = filter->day_starts };
    view->share = work_count(&all) ? (double)all.count[OUTCOME_RIGHT] / (double)work_count(&all) : 0;
    write_facts(class, view);
    write_table(class, view);
    write_notes(class, view);
    return write_stuck(class); /* by places of learners as they were read */
}
