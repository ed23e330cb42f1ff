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
};

struct plan_options {
    enum plan_mode mode;
    uint32_t seed;
    int limit;       /* 0: none */
    int new_left;    /* new questions still allowed today, under MODE_DUE without a limit */
    const char *tag; /* NULL: any */
};

/*
 * histories[i] has a row for each question of packs[i], in pack order (NULL: nothing seen). Fills *entries
 * (heap, memory_free) and *count. False without memory.
 */
bool plan_make(struct session_entry **entries, int *count, const struct pack *const *packs,
               const struct plan_history *const *histories, int pack_count,
               const struct plan_options *options);

#endif
