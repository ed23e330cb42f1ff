#include "simulated_learner.h"

#include <math.h>
#include <stdlib.h>

const char *const model_names[MODELS] = { "FSRS-6, own parameters", "ACT-R activation" };

#define KNOWN 0.5 /* share of the questions that were learnt in class */

/* Pavlik and Anderson's figures. */
static const double intercept = 0.177, scale = 0.217, threshold = -0.704, noise = 0.255, between = 0.025;

/* Standard deviations between people of the FSRS-6 weights (fsrs-rs, PARAMS_STDDEV). */
static const double spread[FSRS_WEIGHTS] = { 6.43, 9.66, 17.58, 27.85, 0.57, 0.28, 0.6,
                                             0.12, 0.39, 0.18,  0.33,  0.3,  0.09, 0.16,
                                             0.57, 0.25, 1.03,  0.31,  0.32, 0.14, 0.27 };

double learner_chance(struct learner *learner)
{
    return (double)(random_next(&learner->random) >> 11) * 0x1p-53;
}

static double normal(struct learner *learner)
{
    double length = sqrt(-2 * log(1 - learner_chance(learner)));
    return length * cos(2 * 3.14159265358979323846 * learner_chance(learner));
}

void learner_init(struct learner *learner, enum model model, uint64_t seed)
{
    *learner = (struct learner){ .model = model, .random = { seed }, .parameters = fsrs_defaults };
    double *w = learner->parameters.weights, all = exp(0.5 * normal(learner));
    for (int i = 0; i < FSRS_WEIGHTS; i++)
        w[i] = i < 4 ? w[i] * all * exp(0.2 * normal(learner)) : w[i] + 0.5 * spread[i] * normal(learner);
    for (int i = 1; i < 4; i++)
        w[i] = fmax(w[i], w[i - 1]);
    fsrs_clip(&learner->parameters);
}

void learner_go(struct learner *learner, int64_t day, double seconds)
{
    double gone = (double)(day - learner->day) * 86400 + seconds - learner->seconds;
    learner->own_time += day == learner->day ? gone : gone * between;
    learner->day = day;
    learner->seconds = seconds;
}

static double activation(const struct memory *memory, double now)
{
    double sum = 0;
    for (int i = 0; i < memory->count; i++)
        sum += pow(fmax(now - (double)memory->traces[i].at, 1), -(double)memory->traces[i].decay);
    return log(sum); /* −∞ without a trace */
}

static bool memory_leave(struct memory *memory, double now)
{
    if (memory->count == memory->room) {
        int room = memory->room ? memory->room * 2 : 16;
        struct trace *traces = realloc(memory->traces, (size_t)room * sizeof *traces);
        if (!traces)
            return false;
        memory->traces = traces;
        memory->room = room;
    }
    double decay = scale * exp(activation(memory, now)) + intercept;
    memory->traces[memory->count++] = (struct trace){ (float)now, (float)decay };
    return true;
}

void memory_begin(struct memory *memory, struct learner *learner)
{
    *memory = (struct memory){ .known = learner_chance(learner) < KNOWN };
    for (int i = 0; memory->known && learner->model == MODEL_ACTR && i < 8; i++) /* within an hour */
        memory_leave(memory, learner->own_time - 86400 * between - 3600 + i * 450);
}

void memory_end(struct memory *memory)
{
    free(memory->traces);
}

double memory_recall(const struct memory *memory, const struct learner *learner)
{
    if (learner->model == MODEL_ACTR)
        return 1 / (1 + exp((threshold - activation(memory, learner->own_time)) / noise));
    if (!memory->met)
        return memory->known ? 1 : 0;
    double days = (double)(learner->day - memory->day) + (learner->seconds - memory->seconds) / 86400;
    return fsrs_retrievability(&learner->parameters, memory->fsrs.stability, days);
}

bool memory_practise(struct memory *memory, struct learner *learner, bool right)
{
    enum grade grade = right ? GRADE_GOOD : GRADE_AGAIN;
    memory->fsrs = memory->met ? fsrs_next(&learner->parameters, memory->fsrs, grade,
                                           (double)(learner->day - memory->day))
                               : fsrs_first(&learner->parameters, grade);
    memory->met = true;
    memory->day = learner->day;
    memory->seconds = learner->seconds;
    return learner->model == MODEL_FSRS || memory_leave(memory, learner->own_time);
}
