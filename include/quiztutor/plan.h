/*
 * The plan of a session: which questions, in which order (COMMANDS "Practise", steps 1 to 4). A pure function
 * of the packs, the seed, the wishes and what the store knows of each question.
 */
#ifndef QUIZTUTOR_PLAN_H
#define QUIZTUTOR_PLAN_H

#include <quiztutor/session.h>

enum plan_mode { MODE_DUE, MODE_NEW, MODE_MISTAKES, MODE_STARRED, MODE_ALL, PLAN_MODES };
const char *plan_mode_name(enum plan_mode mode);
bool plan_mode_read(enum plan_mode *mode, const char *name);

/* What the learner's log says of one question; `seen` false: never answered. */
struct plan_history {
    bool seen;
    enum outcome last;   /* of the last counted answer */
    int64_t answered_at; /* ms since 1970, of that answer */
    bool starred, suspended;
    bool graded;           /* has a schedule: an answer was not merely omitted */
    bool due;              /* now */
    bool overturned;       /* its key was, since: it starts anew and is due, whatever its schedule says */
    int64_t due_day;       /* of a due one: local day */
    int64_t due_at;        /* ms since 1970 where a step was running, else 0 */
    double retrievability; /* of a due one: today, or on the day planned towards */
};

struct plan_options {
    enum plan_mode mode;
    uint32_t seed;
    int limit;       /* 0: none */
    int due_left;    /* due questions still to ask today, under MODE_DUE without a limit */
    int new_left;    /* new questions still allowed today, likewise */
    const char *tag; /* NULL: any */
};

/* What a plan made of it, under MODE_DUE. */
struct plan_count {
    int due, fresh;               /* asked: due ones, new ones */
    int due_waiting, new_waiting; /* that could be asked, and are not today */
};

bool plan_has_tag(const struct question *question, const char *tag);

/*
 * histories[i] has a row for each question of packs[i], in pack order (NULL: nothing seen). Fills *entries
 * (heap, memory_free), *count and *made (may be NULL). False without memory.
 *
 * Under MODE_DUE come first the overturned ones; then those due, of which the longest overdue are taken where
 * not all are, in the order of queue_order with the first tag as topic; then new ones, among them what was
 * only ever omitted.
 */
bool plan_make(struct session_entry **entries, int *count, struct plan_count *made,
               const struct pack *const *packs, const struct plan_history *const *histories, int pack_count,
               const struct plan_options *options);

#endif
