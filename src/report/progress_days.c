/* What days tell: the trend by week, the forecast of what comes due, and days in a row. */
#include "progress.h"

#include <quiztutor/day.h>
#include <quiztutor/message.h>

#include <math.h>
#include <stdlib.h>

static void write_weeks(struct progress *progress)
{
    struct build *build = progress->build;
    int count;
    const struct progress_week *weeks = progress_shown(progress, progress->weeks, &count);
    if (count < 1)
        return;
    double *shares = build_room(build, count * (ptrdiff_t)sizeof *shares),
           *minutes = build_room(build, count * (ptrdiff_t)sizeof *minutes);
    const char **labels = build_room(build, count * (ptrdiff_t)sizeof *labels);
    if (!shares || !minutes || !labels)
        return;
    for (int i = 0; i < count; i++) {
        const struct progress_week *week = &weeks[i];
        char monday[BUILD_DAY];
        build_iso_day(monday, (progress->last_week - count + 1 + i) * 7 - 3);
        labels[i] = build_copy(build, monday);
        shares[i] = week->tries > 0 ? week->right / week->tries : NAN;
        minutes[i] = (double)week->elapsed_ms / 60000;
    }
    build_chart(build, &(struct report_chart){ .name = "weeks",
                                               .title = tr("Right, week by week (from Monday)"),
                                               .line = true,
                                               .share = true,
                                               .labels = labels,
                                               .values = shares,
                                               .count = count });
    build_chart(build, &(struct report_chart){ .name = "week_minutes",
                                               .title = tr("Time, week by week"),
                                               .unit = N_("min"),
                                               .labels = labels,
                                               .values = minutes,
                                               .count = count });
}

/* What is overdue counts for today. */
static void write_forecast(struct progress *progress)
{
    struct build *build = progress->build;
    double *due = build_room(build, PROGRESS_AHEAD * (ptrdiff_t)sizeof *due);
    const char **labels = build_room(build, PROGRESS_AHEAD * (ptrdiff_t)sizeof *labels);
    if (!due || !labels)
        return;
    for (int i = 0; i < progress->work_count; i++) {
        const struct work *work = &progress->works[i];
        int64_t ahead = work->due_day - progress->today;
        if (work->graded && !work->suspended && ahead < PROGRESS_AHEAD)
            due[ahead > 0 ? ahead : 0]++;
    }
    for (int i = 0; i < PROGRESS_AHEAD; i++) {
        char day[BUILD_DAY];
        build_iso_day(day, progress->today + i);
        labels[i] = build_copy(build, day);
    }
    build_chart(build, &(struct report_chart){ .name = "forecast",
                                               .title = tr("Coming due, day by day"),
                                               .labels = labels,
                                               .values = due,
                                               .count = PROGRESS_AHEAD });
}

enum { EARLIEST = 1000000 /* days before 1970: all there are */ };

struct days {
    int64_t *items;
    ptrdiff_t count, capacity;
};

static bool read_practised(struct progress *progress, int store, struct days *days)
{
    struct build *build = progress->build;
    const struct uuid id = work_learner_in(build, &progress->learner, store);
    const struct store_value parameters[] = { store_value_uuid(&id), store_value_integer(-EARLIEST) };
    struct rows *rows;
    int found;
    if (uuid_is_zero(&id))
        return true;
    if (!rows_open(&rows, build->stores[store], QUERY_PROGRESS_DAYS, parameters, 2, build->error))
        return false;
    while ((found = rows_step(rows, build->error)) > 0) {
        if (!rows_integer(rows, 1)) /* all were left out */
            continue;
        if (!memory_grow(&days->items, &days->capacity, days->count + 1, sizeof *days->items)) {
            rows_close(rows);
            return error_memory(build->error);
        }
        days->items[days->count++] = rows_integer(rows, 0);
    }
    rows_close(rows);
    return found == 0;
}

static int compare_days(const void *one, const void *other)
{
    int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;
    return (a > b) - (a < b);
}

/* Days in a row, up to today or yesterday; a day ahead belongs to them: it was begun further east than where
 * they answered last. */
static void write_streak(struct progress *progress, const struct days *days)
{
    struct build *build = progress->build;
    int64_t today = progress->today, run = 0, streak = 0, longest = 0;
    for (ptrdiff_t i = 0; i < days->count; i++) {
        int64_t day = days->items[i];
        if (i && day == days->items[i - 1])
            continue;
        run = i && day == days->items[i - 1] + 1 ? run + 1 : 1;
        longest = run > longest ? run : longest;
        if (day >= today - 1 && day <= today + 1 && run > streak)
            streak = run;
    }
    build_fact(build, &(struct report_fact){
                          .name = "streak", .title = tr("days in a row"), .cell = build_whole(streak) });
    build_fact(build, &(struct report_fact){ .name = "longest_streak",
                                             .title = tr("most days in a row"),
                                             .cell = build_whole(longest) });
}

bool progress_write_days(struct progress *progress)
{
    struct days days = { 0 };
    bool done = true;
    write_weeks(progress);
    write_forecast(progress);
    for (int i = 0; done && i < progress->build->store_count; i++)
        done = read_practised(progress, i, &days);
    if (done) {
        if (days.count)
            qsort(days.items, (size_t)days.count, sizeof *days.items, compare_days);
        write_streak(progress, &days);
    }
    memory_free(days.items);
    return done;
}
