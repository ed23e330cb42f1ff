/* One learner: what was seen, what sticks, what comes back when, and what went wrong. */
#include "progress.h"

#include <quiztutor/message.h>

#include <stdlib.h>
#include <string.h>

const char *progress_keep(struct progress *progress, const char *text)
{
    int place = text ? places_add(&progress->texts, text, (ptrdiff_t)strlen(text) + 1, NULL) : -1;
    return place < 0 ? NULL : progress->texts.keys[place].bytes;
}

/* Day 0 was a Thursday. */
int64_t progress_week_of(int64_t day)
{
    int64_t monday = day + 3;
    return (monday - ((monday % 7) + 7) % 7) / 7;
}

struct progress_week *progress_week(struct progress *progress, struct progress_week weeks[PROGRESS_HELD],
                                    int64_t day)
{
    int64_t week = progress_week_of(day), back = progress->held_week - week;
    if (week < progress->first_week)
        progress->first_week = week;
    return back < 0 || back >= PROGRESS_HELD ? NULL : &weeks[PROGRESS_HELD - 1 - back];
}

const struct progress_week *progress_shown(const struct progress *progress,
                                           const struct progress_week weeks[PROGRESS_HELD], int *count)
{
    int64_t past = progress->first_week == INT64_MAX ? 0 : progress->last_week - progress->first_week + 1;
    int after = (int)(progress->held_week - progress->last_week);
    *count = past > PROGRESS_WEEKS ? PROGRESS_WEEKS : past > 0 ? (int)past : 0;
    return &weeks[PROGRESS_HELD - after - *count];
}

/* Today is where the learner is, whom the tutor may be hours ahead of or behind. */
static void settle_today(struct progress *progress)
{
    const struct build *build = progress->build;
    const struct report_filter *filter = build->filter;
    if (progress->work_count && progress->works[0].remembered_at != INT64_MIN)
        progress->today = progress->works[0].today;
    else if (progress->last_at != INT64_MIN)
        progress->today = build_day_of(build, build->now, progress->last_offset_s);
    bool earlier = filter->has_until && filter->until < progress->today;
    progress->last_week = progress_week_of(earlier ? filter->until : progress->today);
    if (progress->last_week > progress->held_week)
        progress->last_week = progress->held_week;
}

bool progress_add_work(struct progress *progress, const struct work *work)
{
    if (!memory_grow(&progress->works, &progress->work_capacity, progress->work_count + 1,
                     sizeof *progress->works))
        return error_memory(progress->build->error);
    struct work *added = &progress->works[progress->work_count];
    *added = *work;
    added->pack = progress_keep(progress, work->pack);
    added->question = progress_keep(progress, work->question);
    if (!added->pack || !added->question)
        return error_memory(progress->build->error);
    progress->work_count++;
    return true;
}

bool progress_add_revision(struct progress *progress, const char *pack, const char *question,
                           const char *revision)
{
    struct buffer key;
    buffer_init(&key);
    buffer_add(&key, pack, (ptrdiff_t)strlen(pack) + 1);
    buffer_add(&key, question, (ptrdiff_t)strlen(question) + 1);
    buffer_text(&key, revision ? revision : "");
    bool added = !key.failed && places_add(&progress->revisions, buffer_get(&key), key.length, NULL) >= 0;
    buffer_finish(&key);
    return added;
}

static int compare_misses(const void *one, const void *other)
{
    const struct progress_miss *a = one, *b = other;
    if (a->at != b->at)
        return a->at > b->at ? -1 : 1;
    return a->seq < b->seq ? 1 : a->seq > b->seq ? -1 : 0;
}

static void sort_misses(struct progress *progress)
{
    if (progress->miss_count)
        qsort(progress->misses, (size_t)progress->miss_count, sizeof *progress->misses, compare_misses);
    if (progress->miss_count > PROGRESS_LOOKED)
        progress->miss_count = PROGRESS_LOOKED;
}

/* Only the newest are kept, however many there are. */
bool progress_add_miss(struct progress *progress, const struct progress_miss *miss)
{
    if (progress->miss_count >= 8 * PROGRESS_LOOKED)
        sort_misses(progress);
    if (!memory_grow(&progress->misses, &progress->miss_capacity, progress->miss_count + 1,
                     sizeof *progress->misses))
        return error_memory(progress->build->error);
    struct progress_miss *added = &progress->misses[progress->miss_count];
    *added = *miss;
    added->pack = progress_keep(progress, miss->pack);
    added->question = progress_keep(progress, miss->question);
    added->response = progress_keep(progress, miss->response);
    if (!added->pack || !added->question || (miss->response && !added->response))
        return error_memory(progress->build->error);
    progress->miss_count++;
    return true;
}

/* Whom it is about: the filter's learner, else the only one there is. */
static bool find_learner(struct progress *progress)
{
    struct build *build = progress->build;
    const struct build_people *people = build->people;
    if (!build->filter->learner)
        return error_set(build->error, ERROR_USAGE, tr("progress is of one learner: name one by --learner"));
    progress->learner = people->learner_id;
    for (int i = 0; build->store_count > 1 && i < people->count; i++) {
        const struct uuid *ids = &people->ids[(ptrdiff_t)i * build->store_count];
        int store = 0;
        if (!people->persons[i].wanted)
            continue;
        while (store + 1 < build->store_count && uuid_is_zero(&ids[store]))
            store++;
        progress->learner = ids[store];
    }
    return true;
}

static void write_fact(struct build *build, const char *name, const char *title, struct report_cell cell)
{
    build_fact(build, &(struct report_fact){ .name = name, .title = title, .cell = cell });
}

static void write_facts(struct progress *progress)
{
    struct build *build = progress->build;
    const char *name = build->people->learner_name;
    struct work_sum sum = { 0 };
    int64_t due = 0, omitted = 0;
    for (int i = 0; i < progress->work_count; i++) {
        work_add(&sum, &progress->works[i]);
        due += progress->works[i].due && !progress->works[i].suspended;
    }
    omitted = sum.tries.count[OUTCOME_OMITTED];
    build->report->title = tr("Progress");
    build->report->subtitle = build_copy(build, name);
    write_fact(build, "learner", tr("learner"), build_text(build_copy(build, name)));
    write_fact(build, "last_seen", tr("last seen"),
               progress->last_at == INT64_MIN ? build_absent(tr("no answers yet"))
                                              : build_moment(progress->last_at, progress->last_offset_s));
    write_fact(build, "sessions", tr("sessions"), build_whole(progress->session_count));
    write_fact(build, "seen", tr("questions seen"), build_whole(sum.questions));
    write_fact(build, work_share_name(build->filter->attempts), tr(work_share_title(build->filter->attempts)),
               work_share_cell(&sum.tries));
    write_fact(build, "omitted", tr("left out"), build_whole(omitted));
    write_fact(build, "undone", tr("taken back"), build_whole(progress->made.undone));
    write_fact(build, "mastered", tr("mastered"), build_whole(sum.mastered));
    write_fact(build, "predicted_recall", tr("predicted recall now"), work_recall_cell(&sum));
    build_fact(build, &(struct report_fact){ .name = "minutes",
                                             .title = tr("time"),
                                             .unit = N_("min"),
                                             .cell = work_minutes_cell(sum.elapsed_ms) });
    write_fact(build, "due", tr("due now"), build_whole(due));
    for (int i = 0; i < progress->work_count; i++)
        progress->made.questions += work_count(&progress->works[i].tries) > 0;
}

static void write_notes(struct progress *progress)
{
    struct build *build = progress->build;
    build_note_made(build, &progress->made);
    build_note(build, tr("Mastered, predicted recall, due and the forecast are as of now, whatever the days. "
                         "Predicted recall: the mean over questions seen, by FSRS-6."));
    if (!progress->log)
        work_note_summaries(build);
    build_note(
        build,
        build_say(
            build,
            ntr("Misconceptions: of the newest miss; put right where the newest answer to its question, "
                "or to another that it could show in, is right.",
                "Misconceptions: of the newest %d misses; put right where the newest answer to their "
                "question, or to another that they could show in, is right.",
                progress->miss_count),
            progress->miss_count));
}

bool build_progress(struct build *build)
{
    const struct report_filter *filter = build->filter;
    struct progress *progress = memory_zero(sizeof *progress);
    if (!progress)
        return error_memory(build->error);
    int64_t until = filter->has_until && filter->until < build->today ? filter->until : build->today;
    *progress = (struct progress){ .build = build,
                                   .log = work_needs_log(build) || filter->pack || filter->pack_count,
                                   .last_at = INT64_MIN,
                                   .today = build->today,
                                   .held_week = progress_week_of(until) + 1,
                                   .first_week = INT64_MAX };
    asked_init(&progress->asked, build);
    places_init(&progress->texts);
    places_init(&progress->sessions);
    places_init(&progress->revisions);
    build_made_start(&progress->made);
    bool done = find_learner(progress);
    if (done && build->store_count == 1)
        asked_expect(&progress->asked, build->stores[0], &progress->learner);
    done = done && (progress->log ? progress_read_log(progress) : progress_read_summaries(progress));
    if (done) {
        settle_today(progress);
        sort_misses(progress);
        progress->made.revisions = progress->revisions.count;
        write_facts(progress);
        done = progress_write_topics(progress) && progress_write_days(progress) &&
               progress_write_misses(progress);
        write_notes(progress);
    }
    places_finish(&progress->revisions);
    places_finish(&progress->sessions);
    places_finish(&progress->texts);
    asked_finish(&progress->asked);
    memory_free(progress->works);
    memory_free(progress->misses);
    memory_free(progress);
    return done;
}
