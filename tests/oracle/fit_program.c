/*
 * Fits and measures for tests/oracle/fit.mjs: histories on standard input ("answers", then for each "grade
 * days milliseconds"), numbers on standard output.
 *
 *   fit_program fit UNTIL             the 21 fitted weights
 *   fit_program measure SINCE W…      answers, log loss, RMSE(bins), AUC from SINCE on
 *   fit_program predict SINCE W…      the chance of recall of each predicted answer from SINCE on
 */
#include <quiztutor/fit.h>
#include <quiztutor/memory.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HISTORIES = 1 << 20, ANSWERS = 1 << 20 };

static struct fit_history *histories;
static ptrdiff_t count;

static bool read_history(void)
{
    int answers;
    if (scanf("%d", &answers) != 1 || answers < 1 || answers > ANSWERS || count == HISTORIES)
        return false;
    struct fit_answer *list = calloc((size_t)answers, sizeof *list);
    for (int i = 0; list && i < answers; i++) {
        int grade;
        if (scanf("%d %d %" SCNd64, &grade, &list[i].days, &list[i].at) != 3)
            exit(2);
        list[i].grade = (enum grade)grade;
    }
    histories[count++] = (struct fit_history){ list, answers };
    return list != NULL;
}

static int print_fit(int64_t until)
{
    struct fsrs_parameters fitted;
    struct error error;
    if (!fit_parameters(&fitted, histories, count, until, NULL, NULL, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    for (int i = 0; i < FSRS_WEIGHTS; i++)
        printf("%.17g\n", fitted.weights[i]);
    return 0;
}

static struct fsrs_parameters read_weights(char **weights)
{
    struct fsrs_parameters parameters;
    for (int i = 0; i < FSRS_WEIGHTS; i++)
        parameters.weights[i] = strtod(weights[i], NULL);
    return parameters;
}

static int print_figures(int64_t since, const struct fsrs_parameters *parameters)
{
    struct fit_figures figures;
    if (!fit_measure(&figures, parameters, histories, count, since, INT64_MAX))
        return 1;
    printf("%" PRId64 "\n%.17g\n%.17g\n%.17g\n", figures.answers, figures.log_loss, figures.rmse_bins,
           figures.auc);
    return 0;
}

static int print_predictions(int64_t since, const struct fsrs_parameters *parameters)
{
    for (ptrdiff_t h = 0; h < count; h++) {
        struct fsrs_memory memory = { 0 };
        for (int i = 0; i < histories[h].count; i++) {
            const struct fit_answer *answer = &histories[h].answers[i];
            if (i && answer->days > 0 && answer->at >= since)
                printf("%.17g\n", fsrs_retrievability(parameters, memory.stability, answer->days));
            memory = i ? fsrs_next(parameters, memory, answer->grade, answer->days)
                       : fsrs_first(parameters, answer->grade);
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    int status = 2;
    histories = calloc(HISTORIES, sizeof *histories);
    while (histories && read_history())
        ;
    if (argc == 3 && strcmp(argv[1], "fit") == 0)
        status = print_fit(strtoll(argv[2], NULL, 10));
    if (argc == 3 + FSRS_WEIGHTS) {
        struct fsrs_parameters parameters = read_weights(argv + 3);
        int64_t since = strtoll(argv[2], NULL, 10);
        if (strcmp(argv[1], "measure") == 0)
            status = print_figures(since, &parameters);
        else if (strcmp(argv[1], "predict") == 0)
            status = print_predictions(since, &parameters);
    }
    for (ptrdiff_t i = 0; i < count; i++)
        free((void *)(uintptr_t)histories[i].answers);
    free(histories);
    return status;
}
