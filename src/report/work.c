#include "work_private.h"

#include <quiztutor/grade.h>
#include <quiztutor/message.h>

static void try_once(struct work_tries *tries, enum outcome outcome, double share)
{
    tries->count[outcome]++;
    tries->shares += share;
}

void work_start(struct work *work, const struct attempt *attempt)
{
    *work = (struct work){ .pack = attempt->pack,
                           .question = attempt->question,
                           .store = attempt->store,
                           .tried_at = INT64_MIN,
                           .last = OUTCOME_OMITTED,
                           .last_at = INT64_MIN,
                           .remembered_at = INT64_MIN };
}

void work_take(struct work *work, const struct attempt *attempt)
{
    bool missed = attempt->outcome == OUTCOME_WRONG || attempt->outcome == OUTCOME_PARTLY;
    work->answers++;
    work->misses += missed && !attempt->voided;
    work->elapsed_ms += attempt->elapsed_ms > 0 ? attempt->elapsed_ms : 0;
    work->last = attempt->outcome;
    if (attempt->answered_at >= work->last_at) {
        work->last_at = attempt->answered_at;
        work->last_offset_s = attempt->utc_offset_s;
    }
    work->store = attempt->store;
    work->content = attempt->content;
    if (!attempt->chosen)
        return;
    try_once(&work->tries, attempt->outcome, attempt->share);
    if (work->tried_at == INT64_MIN) {
        work->tried_at = attempt->answered_at;
        work->tried_offset_s = attempt->utc_offset_s;
    }
}

static void recall(struct work *work, const struct build *build, const struct store_schedule *known,
                   const struct fsrs_parameters *parameters, int utc_offset_s)
{
    const struct schedule *schedule = &known->schedule;
    work->today = build_day_of(build, build->now, utc_offset_s);
    work->graded = schedule->phase != PHASE_NEW;
    work->suspended = known->suspended;
    work->recall = work->graded ? schedule_retrievability(schedule, parameters, work->today) : 0;
    work->due = work->graded && schedule_is_due(schedule, build->now, work->today);
    work->due_day = schedule->due_day;
}

static const double guess_unknown = 0.5; /* as the store's summaries take it */

bool work_remember(struct work *work, struct asked *asked, int store, const struct store_schedule *known,
                   const struct fsrs_parameters *parameters, int utc_offset_s)
{
    const struct build *build = asked->build;
    const struct question *question;
    if (!asked_find(asked, build->stores[store], &known->content, work->pack, work->question, &question))
        return false;
    recall(work, build, known, parameters, utc_offset_s);
    work->mastered = schedule_mastered(&known->schedule, question ? grade_guess(question) : guess_unknown);
    return true;
}

void work_of_kept(struct work *work, const struct build *build, struct rows *rows,
                  const struct fsrs_parameters *parameters, int utc_offset_s, bool *is)
{
    struct store_schedule known;
    enum outcome first;
    rows_schedule(rows, &known);
    *is = known.counted > 0;
    *work = (struct work){ .pack = rows_text(rows, KEPT_PACK),
                           .question = rows_text(rows, 0),
                           .content = known.content,
                           .answers = known.counted,
                           .misses = (int)rows_integer(rows, KEPT_MISSES),
                           .tried_at = INT64_MIN,
                           .tried_offset_s = (int)rows_integer(rows, KEPT_FIRST_OFFSET),
                           .elapsed_ms = rows_integer(rows, KEPT_ELAPSED_MS),
                           .last = known.last,
                           .last_at = known.answered_at,
                           .last_offset_s = utc_offset_s,
                           .remembered_at = known.answered_at };
    if (!*is)
        return;
    if (outcome_read(&first, rows_text(rows, KEPT_FIRST_OUTCOME))) {
        try_once(&work->tries, first, rows_real(rows, KEPT_FIRST_SHARE));
        work->tried_at = rows_integer(rows, KEPT_FIRST_AT);
    }
    recall(work, build, &known, parameters, utc_offset_s);
    work->mastered = rows_integer(rows, KEPT_MASTERED) != 0;
}

int64_t work_count(const struct work_tries *tries)
{
    int64_t count = 0;
    for (int i = 0; i < OUTCOMES; i++)
        count += tries->count[i];
    return count;
}

void work_add(struct work_sum *sum, const struct work *work)
{
    sum->questions++;
    sum->answers += work->answers;
    sum->mastered += work->mastered;
    sum->stuck += work->misses >= WORK_STUCK;
    sum->elapsed_ms += work->elapsed_ms;
    for (int i = 0; i < OUTCOMES; i++)
        sum->tries.count[i] += work->tries.count[i];
    sum->tries.shares += work->tries.shares;
    if (work->graded) {
        sum->recalled++;
        sum->recall += work->recall;
    }
}

void work_sum_add(struct work_sum *sum, const struct work_sum *other)
{
    sum->questions += other->questions;
    sum->answers += other->answers;
    sum->mastered += other->mastered;
    sum->stuck += other->stuck;
    sum->recalled += other->recalled;
    sum->recall += other->recall;
    sum->elapsed_ms += other->elapsed_ms;
    for (int i = 0; i < OUTCOMES; i++)
        sum->tries.count[i] += other->tries.count[i];
    sum->tries.shares += other->tries.shares;
}

struct report_cell work_share_cell(const struct work_tries *tries)
{
    return build_share_of((double)tries->count[OUTCOME_RIGHT], work_count(tries),
                          tr("no answers that count"));
}

struct report_cell work_mastery_cell(const struct work_sum *sum)
{
    return sum->questions ? build_share((double)sum->mastered / (double)sum->questions)
                          : build_absent(tr("no answers yet"));
}

struct report_cell work_recall_cell(const struct work_sum *sum)
{
    return sum->recalled ? build_share(sum->recall / (double)sum->recalled)
                         : build_absent(tr("nothing was learnt yet"));
}

struct report_cell work_minutes_cell(int64_t elapsed_ms)
{
    return build_real((double)elapsed_ms / 60000);
}

static const struct {
    const char *name, *title;
} shares[] = {
    [ATTEMPTS_FIRST] = { "first_try_share", N_("right at first") },
    [ATTEMPTS_LAST] = { "last_try_share", N_("right at last") },
    [ATTEMPTS_BEST] = { "best_try_share", N_("right at best") },
    [ATTEMPTS_ALL] = { "all_tries_share", N_("right of all") },
};

const char *work_share_name(enum report_attempts attempts)
{
    return shares[attempts].name;
}

const char *work_share_title(enum report_attempts attempts)
{
    return shares[attempts].title;
}

bool work_needs_log(const struct build *build)
{
    const struct report_filter *filter = build->filter;
    return build->store_count > 1 || filter->has_since || filter->has_until || filter->session ||
           filter->revision || filter->tag || filter->attempts != ATTEMPTS_FIRST;
}

void work_note_summaries(struct build *build)
{
    build_note(build,
               tr("Marks, shares and misses are by the newest grading; only whether the newest answer to a "
                  "question was right is as its learner was told when it was given."));
}

const char *work_subtitle(struct build *build)
{
    return build_packs_titles(build);
}

const char *work_outcome(enum outcome outcome)
{
    static const char *const words[OUTCOMES] = { N_("right"), N_("partly"), N_("wrong"), N_("left out") };
    return tr(words[outcome]);
}
