/* One learner by the log. */
#include "progress.h"

#include <string.h>

static void take_days(struct progress *progress, const struct attempt *attempt)
{
    struct progress_week *week = progress_week(progress, progress->weeks, attempt->day);
    build_made_day(&progress->made, attempt->day);
    if (!week)
        return;
    week->elapsed_ms += attempt->elapsed_ms > 0 ? attempt->elapsed_ms : 0;
    week->tries += attempt->chosen;
    week->right += attempt->chosen && attempt->outcome == OUTCOME_RIGHT;
}

static bool take_attempt(void *context, const struct attempt *attempt)
{
    struct progress *progress = context;
    bool missed = attempt->outcome == OUTCOME_WRONG || attempt->outcome == OUTCOME_PARTLY;
    if ((attempt->chosen &&
         !progress_add_revision(progress, attempt->pack, attempt->question, attempt->revision)) ||
        places_add(&progress->sessions, &attempt->session, sizeof attempt->session, NULL) < 0)
        return error_memory(progress->build->error);
    if (attempt->answered_at >= progress->last_at) {
        progress->last_at = attempt->answered_at;
        progress->last_offset_s = attempt->utc_offset_s;
    }
    take_days(progress, attempt);
    progress->made.attempts += attempt->chosen;
    progress->made.regraded += attempt->graded;
    if (!missed || attempt->voided)
        return true;
    return progress_add_miss(progress, &(struct progress_miss){ .pack = attempt->pack,
                                                                .question = attempt->question,
                                                                .response = attempt->response,
                                                                .content = attempt->content,
                                                                .store = attempt->store,
                                                                .outcome = attempt->outcome,
                                                                .graded = attempt->graded,
                                                                .share = attempt->share,
                                                                .at = attempt->answered_at,
                                                                .seq = attempt->seq,
                                                                .utc_offset_s = attempt->utc_offset_s });
}

static bool take_work(void *context, const struct work *work, const struct uuid *learner)
{
    (void)learner; /* there is one only */
    return progress_add_work(context, work);
}

bool progress_read_log(struct progress *progress)
{
    const struct work_visitor visitor = { progress, take_attempt, take_work, &progress->made.undone };
    bool done = work_read_log(progress->build, &progress->asked, &visitor);
    progress->session_count = progress->sessions.count;
    progress->made.learners = progress->last_at != INT64_MIN;
    return done;
}
