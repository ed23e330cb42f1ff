/*
 * Runs the scheduler over histories on standard input, for comparing it with others. A line `p RETENTION W0 …
 * W20` sets parameters; a line `h G@D G@D …` is a history of grades and whole days since the answer before,
 * answered with `STABILITY DIFFICULTY INTERVAL NEAR` for each, NEAR telling how near to a half day the
 * interval was before it was rounded, as a share of it; a line `b COUNT` takes COUNT times 3@1 and answers
 * with nothing: for measuring.
 */
#include <quiztutor/schedule.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct fsrs_parameters parameters;
static struct schedule_rules rules = { &parameters, 0.9, 0, false };

static void read_parameters(char *line)
{
    rules.retention = strtod(line, &line);
    for (int i = 0; i < FSRS_WEIGHTS; i++)
        parameters.weights[i] = strtod(line, &line);
}

static double near_half(double stability)
{
    double decay = -parameters.weights[20];
    double days = stability * (pow(rules.retention, 1 / decay) - 1) / (pow(0.9, 1 / decay) - 1);
    return fabs(days - floor(days) - 0.5) / fmax(days, 1);
}

/* In review the intervals of Hard, Good and Easy are kept apart, so each of them may decide. */
static double nearest_half(const struct schedule *before, int64_t day, const struct schedule *after,
                           enum grade grade)
{
    if (before->phase != PHASE_REVIEW || grade == GRADE_AGAIN)
        return near_half(after->memory.stability);
    double nearest = 1;
    for (int i = GRADE_HARD; i <= GRADE_EASY; i++) {
        double gone = (double)(day - before->last_day);
        struct fsrs_memory memory = fsrs_next(&parameters, before->memory, (enum grade)i, gone);
        nearest = fmin(nearest, near_half(memory.stability));
    }
    return nearest;
}

static void run_history(char *line)
{
    struct schedule schedule = { 0 };
    int64_t at = 43200000;
    for (char *word = strtok(line, " \n"); word; word = strtok(NULL, " \n")) {
        at += strtol(word + 2, NULL, 10) * (int64_t)86400000;
        struct schedule before = schedule;
        enum grade grade = (enum grade)(*word - '0');
        schedule_answer(&schedule, &rules, &(struct schedule_answer){ grade, at, 0, 0 });
        printf("%.17g %.17g %d %.17g ", schedule.memory.stability, schedule.memory.difficulty,
               schedule.interval, nearest_half(&before, schedule.last_day, &schedule, grade));
    }
    putchar('\n');
}

static void run_many(long count)
{
    struct schedule schedule = { 0 };
    int64_t at = 0;
    for (long i = 0; i < count; i++) {
        if (i % 20 == 0)
            schedule = (struct schedule){ 0 };
        at += 86400000;
        schedule_answer(&schedule, &rules, &(struct schedule_answer){ GRADE_GOOD, at, 0, 0 });
    }
    printf("%.17g\n", schedule.memory.stability);
}

int main(void)
{
    char *line = NULL;
    size_t room = 0;
    parameters = fsrs_defaults;
    while (getline(&line, &room, stdin) > 0) {
        if (*line == 'p')
            read_parameters(line + 1);
        else if (*line == 'h')
            run_history(line + 1);
        else if (*line == 'b')
            run_many(strtol(line + 1, NULL, 10));
    }
    free(line);
    return ferror(stdin) || fflush(stdout) != 0;
}
