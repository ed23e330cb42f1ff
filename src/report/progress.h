/*
 * What `progress` tells of one learner, gathered before it is put into tables and charts. Private to the
 * report.
 */
#ifndef REPORT_PROGRESS_H
#define REPORT_PROGRESS_H

#include "people.h"
#include "work.h"

enum {
    PROGRESS_WEEKS = 12,   /* shown at most, up to this one */
    PROGRESS_HELD = 14,    /* this one may be another where the learner is than where the tutor is */
    PROGRESS_AHEAD = 14,   /* days of the forecast */
    PROGRESS_MISSES = 20,  /* shown */
    PROGRESS_LOOKED = 200, /* newest misses that misconceptions are looked for in */
    PROGRESS_WEAKEST = 3,  /* topics named, with this many tries at least */
};

struct progress_miss {
    const char *pack, *question, *response; /* in the report's arena */
    struct hash content;
    int store;
    enum outcome outcome;
    bool graded; /* anew, to this outcome and share */
    double share;
    int64_t at, seq;
    int utc_offset_s;
};

/* Weeks begin on Mondays. */
struct progress_week {
    double right, tries; /* of chosen attempts */
    int64_t elapsed_ms;
};

struct progress {
    struct build *build;
    struct asked asked;
    struct uuid learner; /* as in struct attempt */
    bool log;            /* by the log, for what the summaries don't tell */
    struct work *works;
    ptrdiff_t work_capacity;
    int work_count;
    struct progress_miss *misses; /* the newest first, once they are settled */
    ptrdiff_t miss_capacity;
    int miss_count;
    struct places texts, sessions, revisions;
    int64_t session_count, last_at;
    int last_offset_s;
    int64_t today;     /* where the learner answered last */
    int64_t last_week; /* the one that the trend ends with: today's, or that of the filter's last day */
    int64_t held_week; /* of the last of `weeks` */
    struct progress_week weeks[PROGRESS_HELD];
    int64_t first_week; /* with anything in it; INT64_MAX: none */
    struct build_made made;
};

/* A copy of the text that lives as long as the progress, each once; NULL without memory. */
const char *progress_keep(struct progress *progress, const char *text);

int64_t progress_week_of(int64_t day); /* counted from one in 1970 */
/* Of a local day, among `weeks`; NULL where it lies outside of what is held. */
struct progress_week *progress_week(struct progress *progress, struct progress_week weeks[PROGRESS_HELD],
                                    int64_t day);
/* The weeks that the trend shows, the oldest first; how many. */
const struct progress_week *progress_shown(const struct progress *progress,
                                           const struct progress_week weeks[PROGRESS_HELD], int *count);

/* progress_log.c, progress_summary.c */
bool progress_read_log(struct progress *progress);
bool progress_read_summaries(struct progress *progress);
bool progress_add_work(struct progress *progress, const struct work *work);
/* Of a question with a chosen attempt; false without memory. */
bool progress_add_revision(struct progress *progress, const char *pack, const char *question,
                           const char *revision);
bool progress_add_miss(struct progress *progress, const struct progress_miss *miss);

/* progress_topics.c, progress_days.c, progress_misses.c: false with the build's error. */
bool progress_write_topics(struct progress *progress);
bool progress_write_days(struct progress *progress);
bool progress_write_misses(struct progress *progress);

#endif
