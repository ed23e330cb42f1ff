/*
 * What schedules are made with beside the log: a store's own copy of struct store_scheduling. And the number
 * of the scheduler: whoever changes what the same log leads to raises it, and every store then makes its
 * schedules and summaries anew when it is opened.
 */
#ifndef QUIZTUTOR_STORE_SCHEDULING_H
#define QUIZTUTOR_STORE_SCHEDULING_H

#include <quiztutor/memory.h>
#include <quiztutor/store.h>

enum { SCHEDULER_VERSION = 2 };

struct scheduling {
    int day_starts;
    double retention;
    struct store_retention *by_pack;
    int by_pack_count;
    struct arena texts;
};

/* Copies what is given (NULL: the defaults); false without memory. */
bool scheduling_init(struct scheduling *scheduling, const struct store_scheduling *given);
void scheduling_finish(struct scheduling *scheduling);

double scheduling_retention(const struct scheduling *scheduling, const char *pack_id);

#endif
