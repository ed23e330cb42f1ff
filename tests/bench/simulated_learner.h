/*
 * Learners whose memories are known, for comparing schedulers: two models that have nothing in common. All
 * times are seconds; a session's day and the seconds within it count.
 */
#ifndef QUIZTUTOR_SIMULATED_LEARNER_H
#define QUIZTUTOR_SIMULATED_LEARNER_H

#include <quiztutor/fsrs.h>
#include <quiztutor/random.h>

/*
 * MODEL_FSRS: FSRS-6 with parameters of the learner's own, drawn at half a published standard deviation about
 * the defaults; no scheduler is told them.
 * MODEL_ACTR: base-level activation with a decay that depends on the activation at the time of practice
 * (Pavlik and Anderson 2005, "Practice and forgetting effects on vocabulary memory"), with their figures:
 * m = ln Σ t_i^−d_i, d_i = c·e^m_i + a, recall 1 / (1 + e^((τ − m) / s)), time between sessions counted at h.
 */
enum model { MODEL_FSRS, MODEL_ACTR, MODELS };
extern const char *const model_names[MODELS];

struct memory {
    bool met;       /* asked at least once */
    bool known;     /* half of the questions: learnt in class the day before */
    int64_t day;    /* of the last answer */
    double seconds; /* of that day */
    struct fsrs_memory fsrs;
    struct trace {
        float at; /* in the learner's own time */
        float decay;
    } * traces;
    int count, room;
};

struct learner {
    enum model model;
    struct fsrs_parameters parameters;
    struct random_stream random;
    double own_time; /* MODEL_ACTR: seconds, those between sessions counted at h */
    int64_t day;
    double seconds;
};

void learner_init(struct learner *learner, enum model model, uint64_t seed);
double learner_chance(struct learner *learner); /* 0 ≤ it < 1 */

/* Time goes on to a moment; a new day begins a new session. */
void learner_go(struct learner *learner, int64_t day, double seconds);

void memory_begin(struct memory *memory, struct learner *learner);
void memory_end(struct memory *memory);

/* The chance of a right answer now, and what an answer and seeing the explanation leave behind. */
double memory_recall(const struct memory *memory, const struct learner *learner);
bool memory_practise(struct memory *memory, struct learner *learner, bool right);

#endif
