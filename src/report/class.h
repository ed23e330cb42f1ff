/*
 * What `class` tells of each learner, gathered before it is put into lines. Private to the report.
 */
#ifndef REPORT_CLASS_H
#define REPORT_CLASS_H

#include "people.h"
#include "work.h"

enum {
    CLASS_QUIET = 14,       /* days without an answer, from which on a learner has gone quiet */
    CLASS_HELD = 2000,      /* learners, up to which the table is held; more are made line by line */
    CLASS_STUCK_MOST = 1000 /* lines of who is stuck where */
};

struct class_learner {
    struct uuid id; /* as in struct attempt */
    const char *name, *login, *external_id;
    int64_t last_at; /* ms; INT64_MIN: nothing was answered */
    int last_offset_s;
    int64_t sessions, undone;
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

struct class
{
    struct build *build;
    struct asked asked;
    struct class_learner *learners;
    ptrdiff_t learner_capacity;
    int learner_count;
    struct places ids; /* of learners, by id: the place is that of `learners` */
    struct class_stuck *stuck;
    ptrdiff_t stuck_capacity;
    int stuck_count;
    struct places texts; /* of `stuck`, each once */
    struct build_made made;
};

/* class_log.c: all by the log, for what the summaries don't tell. */
bool class_read_log(struct class *class);

/* class_table.c */
bool class_write(struct class *class);

/* The learner's place, made where there was none; −1 without memory. */
int class_learner(struct class *class, const struct uuid *id);

/* Adds a line of who is stuck; its texts are kept. False without memory. */
bool class_add_stuck(struct class *class, const struct class_stuck *stuck);

#endif
