/*
 * Planning towards a day: how many new questions a day meet them all in time, and what will be remembered on
 * that day. Pure: it plays the days until then, one session a day with every answer right, through the
 * scheduler.
 */
#ifndef QUIZTUTOR_UNTIL_H
#define QUIZTUTOR_UNTIL_H

#include <quiztutor/schedule.h>

struct until_question {
    struct schedule schedule; /* zeroed: new */
    const struct schedule_rules *rules;
};

struct until_plan {
    int days;      /* learning days left, today included, the day itself not: at least 1 */
    int unmet;     /* questions that are new today */
    int new_a_day; /* to meet them all in the first seven tenths of the days, at most the learner's limit */
    int needed_a_day;  /* the fewest a day that meet them all before the day */
    int reached;       /* questions that will have been met by then */
    double remembered; /* expected number remembered on the day, of those reached */
};

/* New questions are met in the order given. Fuzz is left out; days are those of the schedules (clock_day). */
void until_make(struct until_plan *plan, const struct until_question *questions, int count, int64_t today,
                int64_t day, int new_per_day);

/* Writes a day as YYYY-MM-DD. */
void until_write(char text[static 16], int64_t day);

#endif
