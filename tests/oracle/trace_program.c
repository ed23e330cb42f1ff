/*
 * Runs the scheduler over histories on standard input, for comparing it with others. A line `p RETENTION W0 …
 * W20` sets parameters; a line `h G@D G@D …` is a history of grades and whole days since the answer before,
 * answered with `STABILITY DIFFICULTY INTERVAL DAYS` for each, DAYS being the interval before it was rounded;
 * a line `b COUNT` takes COUNT times 3@1 and answers with nothing: for measuring.
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

static double exact_days(double stability)
{
    double decay = -parameters.weights[20];
    return stability * (pow(rules.retention, 1 / decay) - 1) / (pow(0.9, 1 / decay) - 1);
}

static void run_history(char *line)
{
    struct schedule schedule = { 0 };
    int64_t at = 43200000;
    for (char *word = strtok(line, " \n"); word; word = strtok(NULL, " \n")) {
        at += strtol(word + 2, NULL, 10) * (int64_t)86400000;
        schedule_answer(&schedule, &rules, &(struct schedule_answer){ (enum grade)(*word - '0'), at, 0, 0 });
        printf("%.17g %.17g %d %.17g ", schedule.memory.stability, schedule.memory.difficulty,
               schedule.interval, exact_days(schedule.memory.stability));
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
