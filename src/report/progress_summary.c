/* One learner by what the store keeps up with each answer: no walk through the log. */
#include "progress.h"

static bool read_totals(struct progress *progress)
{
    enum { BEFORE = CLASS_LAST_AT - 1 }; /* the row begins with the pack, then goes on as a class's */
    struct build *build = progress->build;
    const struct store_value learner = store_value_uuid(&progress->learner);
    struct rows *rows;
    if (!rows_open(&rows, build->stores[0], QUERY_PROGRESS_PACKS, &learner, 1, build->error))
        return false;
    int found = rows_step(rows, build->error);
    if (found == 1 && !rows_is_null(rows, CLASS_LAST_AT - BEFORE)) {
        progress->last_at = rows_integer(rows, CLASS_LAST_AT - BEFORE);
        progress->last_offset_s = (int)rows_integer(rows, CLASS_LAST_OFFSET - BEFORE);
        progress->session_count = rows_integer(rows, CLASS_SESSIONS - BEFORE);
        progress->made.learners = 1;
        progress->made.attempts =
            rows_integer(rows, CLASS_RIGHT - BEFORE) + rows_integer(rows, CLASS_PARTLY - BEFORE) +
            rows_integer(rows, CLASS_WRONG - BEFORE) + rows_integer(rows, CLASS_OMITTED - BEFORE);
    }
    rows_close(rows);
    return found >= 0;
}

static bool take_kept(struct progress *progress, struct rows *rows, const struct fsrs_parameters *parameters)
{
    struct work work;
    bool is;
    work_of_kept(&work, progress->build, rows, parameters, progress->last_offset_s, &is);
    if (!is)
        return true;
    if (work.tried_at != INT64_MIN) {
        if (!progress_add_revision(progress, work.pack, work.question, rows_text(rows, KEPT_FIRST_REVISION)))
            return error_memory(progress->build->error);
        struct progress_week *week = progress_week(
            progress, progress->weeks, build_day_of(progress->build, work.tried_at, work.tried_offset_s));
        if (week) {
            week->tries += (double)work_count(&work.tries);
            week->right += (double)work.tries.count[OUTCOME_RIGHT];
        }
    }
    return progress_add_work(progress, &work);
}

static bool read_questions(struct progress *progress)
{
    struct build *build = progress->build;
    const struct store_value learner = store_value_uuid(&progress->learner);
    struct fsrs_parameters parameters;
    struct rows *rows;
    int found = 0;
    bool done = true;
    if (!store_parameters(build->stores[0], &progress->learner, &parameters, NULL, build->error) ||
        !rows_open(&rows, build->stores[0], QUERY_LEARNER_SCHEDULES, &learner, 1, build->error))
        return false;
    while (done && (found = rows_step(rows, build->error)) != 0)
        done = found > 0 && take_kept(progress, rows, &parameters);
    rows_close(rows);
    return done;
}

static bool read_days(struct progress *progress)
{
    struct build *build = progress->build;
    const struct store_value parameters[] = { store_value_uuid(&progress->learner),
                                              store_value_integer(-1000000) };
    struct rows *rows;
    int found;
    if (!rows_open(&rows, build->stores[0], QUERY_PROGRESS_DAYS, parameters, 2, build->error))
        return false;
    while ((found = rows_step(rows, build->error)) > 0) {
        int64_t day = rows_integer(rows, 0);
        struct progress_week *week = progress_week(progress, progress->weeks, day);
        build_made_day(&progress->made, day);
        if (week)
            week->elapsed_ms += rows_integer(rows, 5);
    }
    rows_close(rows);
    return found == 0;
}

static bool read_misses(struct progress *progress)
{
    struct build *build = progress->build;
    const struct store_value parameters[] = { store_value_uuid(&progress->learner), store_value_null(),
                                              store_value_integer(PROGRESS_LOOKED) };
    struct rows *rows;
    int found;
    bool done = true;
    if (!rows_open(&rows, build->stores[0], QUERY_MISSES, parameters, 3, build->error))
        return false;
    while (done && (found = rows_step(rows, build->error)) != 0) {
        struct progress_miss miss = { .pack = rows_text(rows, ATTEMPT_PACK),
                                      .question = rows_text(rows, ATTEMPT_QUESTION),
                                      .response = rows_text(rows, ATTEMPT_RESPONSE),
                                      .at = rows_integer(rows, ATTEMPT_ANSWERED_AT),
                                      .seq = rows_integer(rows, ATTEMPT_SEQ),
                                      .utc_offset_s = (int)rows_integer(rows, ATTEMPT_UTC_OFFSET_S) };
        double marks = rows_real(rows, ATTEMPT_MARKS);
        miss.graded = !rows_is_null(rows, ATTEMPT_GRADED);
        miss.share = marks > 0 ? rows_real(rows, ATTEMPT_MARK) / marks : 0;
        if (!outcome_read(&miss.outcome, rows_text(rows, ATTEMPT_OUTCOME)))
            miss.outcome = OUTCOME_WRONG;
        rows_hash(rows, ATTEMPT_CONTENT, &miss.content);
        done = found > 0 && progress_add_miss(progress, &miss);
    }
    rows_close(rows);
    return done;
}

bool progress_read_summaries(struct progress *progress)
{
    return read_totals(progress) && read_questions(progress) && read_days(progress) &&
           read_misses(progress) && work_told_kept(progress->build, &progress->made);
}
