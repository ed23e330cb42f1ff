/*
 * The queue of what is due: the order in which questions are put before a learner. The store hands over the
 * QUEUE_MOST that are overdue the longest; they are ordered by retrievability, what is likeliest to be
 * forgotten first, and topics are interleaved so that the same one does not come twice in a row where another
 * can go between. Pure, and the same for the same input.
 */
#ifndef QUIZTUTOR_QUEUE_H
#define QUIZTUTOR_QUEUE_H

#include <stdbool.h>

enum { QUEUE_MOST = 200 /* due questions a day: a backlog beyond them is spread over the days after */ };

struct queue_item {
    double retrievability; /* 0 to 1, today (or on the day planned towards) */
    const char *topic;     /* the first tag, else the pack's id */
    int place;             /* in the plan's order (1): breaks ties */
    int index;             /* the caller's */
};

/* Puts the items in the order they are asked in. False without memory. */
bool queue_order(struct queue_item *items, int count);

#endif
