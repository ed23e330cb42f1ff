/*
 * What `class` tells of each learner, gathered before it is put into lines: of all packs that are asked for
 * together, and where several are named, of each apart too. Private to the report.
 */
#ifndef REPORT_CLASS_H
#define REPORT_CLASS_H

#include "people.h"
#include "work.h"

enum {
    CLASS_QUIET = 14,       /* days without an answer, from which on a learner has gone quiet */
    CLASS_HELD = 2000,      /* lines, up to which tables are held; more are made line by line */
    CLASS_LINES = 100000,   /* of all tables, where several packs are told apart */
    CLASS_STUCK_MOST = 1000 /* lines of who is stuck where */
};

struct class_learner {
    struct uuid id; /* as in struct attempt */
    const char *name, *login, *external_id;
    int64_t last_at, first_at; /* ms; INT64_MIN: nothing was answered */
    int last_offset_s, first_offset_s;
    int64_t sessions;
    struct work_sum sum;
};

/* Who is stuck at what. */
struct class_stuck {
    int learner; /* of class->learners */
    const char *pack, *question;
    struct hash content;
    int store, misses;
    enum outcome last;
};

/* One of several packs: learners by the places that they have in the class, as far as they were met; names
 * and ids are those of the class. */
struct class_part {
    const char *pack; /* id */
    struct class_learner *learners;
    ptrdiff_t capacity;
    int count;
};

struct class
{
    struct build *build;
    struct asked asked;
    struct class_learner *learners;
    ptrdiff_t learner_capacity;
    int learner_count;
    struct places ids; /* of learners, by id: the place is that of `learners` */
    struct class_part *parts;
    int part_count;
    struct class_stuck *stuck;
    ptrdiff_t stuck_capacity;
    int stuck_count;
    struct places texts; /* of `stuck`, each once */
    struct build_made made;
};

/* Lines of one table, in the report's arena: also once its building is over. */
struct class_view {
    const struct class_learner *learners; /* the worst first */
    const char *pack;                     /* id; NULL: of all that are asked for */
    const char *title;
    int count, at, day_starts;
    int64_t now, last_day; /* the last day that the filter takes in, or INT64_MAX */
    double share;          /* of all taken together */
};

/* What is added up of a view: totals, and medians over those with answers. */
enum class_median {
    MEDIAN_SESSIONS,
    MEDIAN_QUESTIONS,
    MEDIAN_SHARE,
    MEDIAN_MASTERY,
    MEDIAN_MINUTES,
    CLASS_MEDIANS
};
struct class_totals {
    struct work_sum sum;
    int64_t sessions, active, quiet, stuck; /* stuck: learners */
    struct report_cell medians[CLASS_MEDIANS];
};

/* class_log.c, class_kept.c: all by the log, for what the summaries don't tell; and by the summaries. */
bool class_read_log(struct class *class);
bool class_read_kept(struct class *class);

/* class_kept.c: everybody of the filter's group in the one store; with `summaries` what they did in this pack
 * (NULL: in all), into a part (NULL: the class). */
bool class_read_rows(struct class *class, const char *pack, struct class_part *part, bool summaries);

/* class_table.c */
bool class_write(struct class *class);
bool class_is_quiet(const struct class_view *view, const struct class_learner *learner);

/* class_totals.c: facts of the whole; and a line a pack, the whole last. */
void class_write_facts(struct class *class, const struct class_view *view);
void class_write_totals(struct class *class, const struct class_view *views, int count);

/* class_stuck.c */
bool class_write_stuck(struct class *class);

/* The learner's place, made where there was none; −1 without memory. */
int class_learner(struct class *class, const struct uuid *id);

/* The learner at this place in a part; NULL without memory. */
struct class_learner *class_part_learner(struct class_part *part, int place);

/* Adds a line of who is stuck; its texts are kept. False without memory. */
bool class_add_stuck(struct class *class, const struct class_stuck *stuck);

#endif
