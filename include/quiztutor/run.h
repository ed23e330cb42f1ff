/*
 * One run of a program that stays up (a kiosk): noted in the store when it begins and when it ends, so that
 * the next one knows whether it ended as it should. Events of kind `kiosk`, without names:
 * {"what":"begun","run":id,"unclean":n,…} and {"what":"ended","run":id}.
 */
#ifndef QUIZTUTOR_RUN_H
#define QUIZTUTOR_RUN_H

#include <quiztutor/store.h>

/* Whether the clock can be believed. */
enum clock_doubt {
    CLOCK_FINE,
    CLOCK_BEFORE, /* before 2020 */
    CLOCK_BEHIND, /* more than an hour before the newest row of the store */
    CLOCK_AHEAD,  /* more than a year after it; where there is none: after 2100 */
};
enum { CLOCK_BEHIND_MS = 3600000 };

/* `newest`: ms since 1970 of the newest thing known, 0: nothing is. */
enum clock_doubt clock_judge(int64_t wall, int64_t newest);

struct run {
    struct uuid id;
    int unclean; /* runs on this store before, since the last one that ended well, that did not end and are
                  * not running now */
    int64_t
        last_at; /* ms since 1970: the newest row of the store, 0: none; with unclean, about when it ended */
    bool rebooted; /* unclean: the machine was started anew since */
    enum clock_doubt clock;
};

/* Notes the beginning, durably. The run counts as running until the store closes. */
bool run_begin(struct run *run, struct store *store, struct error *error);
/* Notes the end. Without it, the next run_begin calls this one unclean. */
bool run_end(const struct run *run, struct store *store, struct error *error);

#endif
