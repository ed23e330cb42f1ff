/* What `schedule show` knows of one question of one learner. */
#ifndef QUIZTUTOR_SCHEDULE_KNOWN_H
#define QUIZTUTOR_SCHEDULE_KNOWN_H

#include "output.h"

#include <quiztutor/grade.h>
#include <quiztutor/json.h>

/* Whose schedules, by which rules, and when it is now. */
struct whose {
    const char *learner;
    struct uuid id;
    struct fsrs_parameters parameters;
    int fitted; /* 2 own, 1 everyone's, 0 the published ones */
    int64_t now, today;
    int starts, offset; /* minutes after midnight; seconds east of UTC */
};

struct known {
    const struct pack *pack;
    const struct question *question;
    double retention; /* wanted for the pack */
    struct store_schedule is;
    int graded_anew; /* answers whose newest grading is not what the learner was told */
    bool overturned; /* the key was, since the last answer */
};

/* The chance to know it today; it must be scheduled. */
double known_chance(const struct known *known, const struct whose *whose);
bool known_is_scheduled(const struct known *known);
bool known_is_due(const struct known *known, const struct whose *whose);
bool known_is_mastered(const struct known *known);

/* "new", "learning", "review", "relearning": for scripts. */
const char *known_phase(const struct known *known);

/* Everything in words, with the curve. */
void known_explain(const struct known *known, const struct whose *whose, struct output *output);

#endif
