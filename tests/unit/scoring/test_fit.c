/* Fitting and measuring: figures against an independent program and against arithmetic, gradients against
 * differences, and what the optimiser does with histories that are short, hostile or cut off. */
#include "fit_gradient.h"

#include "golden_fit.h"

#include <quiztutor/memory.h>
#include <quiztutor/random.h>

#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { DAY = 86400000 };

/* Histories that own their answers. */
struct people {
    struct fit_history *histories;
    struct fit_answer *answers;
    ptrdiff_t count, used;
};

static void people_init(struct people *people, int histories, int answers)
{
    *people =
        (struct people){ .histories = calloc((size_t)histories, sizeof *people->histories),
                         .answers = calloc((size_t)histories * (size_t)answers, sizeof *people->answers) };
    assert_non_null(people->histories);
    assert_non_null(people->answers);
}

static void people_finish(struct people *people)
{
    free(people->histories);
    free(people->answers);
}

static struct fit_answer *people_add(struct people *people, int count)
{
    struct fit_answer *first = people->answers + people->used;
    people->histories[people->count++] = (struct fit_history){ first, count };
    people->used += count;
    return first;
}

static double chance(struct random_stream *stream)
{
    return (double)(random_next(stream) >> 11) * 0x1p-53;
}

/* Learners who remember by `truth`: each question asked again at about its time. */
static void people_simulate(struct people *people, const struct fsrs_parameters *truth, int questions,
                            int answers, uint64_t seed)
{
    struct random_stream stream = { seed };
    people_init(people, questions, answers);
    for (int q = 0; q < questions; q++) {
        struct fit_answer *list = people_add(people, answers);
        struct fsrs_memory memory = { 0 };
        int64_t at = (int64_t)random_below(&stream, 100) * DAY;
        for (int i = 0; i < answers; i++) {
            double wait = memory.stability * (0.3 + 1.5 * chance(&stream));
            list[i].days = i ? (int)fmin(fmax(round(wait), 1), 1000) : 0;
            if (i && list[i - 1].grade == GRADE_AGAIN)
                list[i].days = 0;
            at += list[i].days * (int64_t)DAY + 60000;
            list[i].at = at;
            bool right =
                chance(&stream) < (i ? fsrs_retrievability(truth, memory.stability, list[i].days) : 0.6);
            list[i].grade = !right                   ? GRADE_AGAIN
                            : chance(&stream) < 0.15 ? GRADE_HARD
                            : chance(&stream) < 0.85 ? GRADE_GOOD
                                                     : GRADE_EASY;
            memory =
                i ? fsrs_next(truth, memory, list[i].grade, list[i].days) : fsrs_first(truth, list[i].grade);
        }
    }
}

static void assert_usable(const struct fsrs_parameters *parameters)
{
    for (int i = 0; i < FSRS_WEIGHTS; i++) {
        assert_true(isfinite(parameters->weights[i]));
        assert_true(parameters->weights[i] >= fsrs_bounds[i].low);
        assert_true(parameters->weights[i] <= fsrs_bounds[i].high);
    }
    for (int i = 0; i < 3; i++)
        assert_true(parameters->weights[i] <= parameters->weights[i + 1]);
}

static void assert_near(double found, double wanted, double tolerance)
{
    if (!(fabs(found - wanted) <= tolerance * fmax(1, fabs(wanted))))
        fail_msg("%.17g is not %.17g", found, wanted);
}

static struct fit_figures measured(const struct people *people, const struct fsrs_parameters *parameters,
                                   int64_t since)
{
    struct fit_figures figures;
    assert_true(fit_measure(&figures, parameters, people->histories, people->count, since, INT64_MAX));
    return figures;
}

static void test_golden(void **state)
{
    (void)state;
    struct fit_history histories[sizeof golden_counts / sizeof *golden_counts];
    const struct fit_answer *at = golden_answers;
    int count = sizeof golden_counts / sizeof *golden_counts;
    for (int i = 0; i < count; i++) {
        histories[i] = (struct fit_history){ at, golden_counts[i] };
        at += golden_counts[i];
    }
    for (size_t i = 0; i < sizeof golden_figures / sizeof *golden_figures; i++) {
        struct fsrs_parameters parameters;
        struct fit_figures figures;
        memcpy(parameters.weights, golden_figures[i].weights, sizeof parameters.weights);
        assert_true(fit_measure(&figures, &parameters, histories, count, golden_figures[i].since,
                                golden_figures[i].until));
        assert_int_equal(figures.answers, golden_figures[i].answers);
        assert_near(figures.log_loss, golden_figures[i].log_loss, 1e-9);
        assert_near(figures.rmse_bins, golden_figures[i].rmse_bins, 1e-9);
        assert_near(figures.auc, golden_figures[i].auc, 1e-9);
    }
}

/* With a first stability of 10 days, recall after 10 days is 0.9 by definition. */
static void test_by_hand(void **state)
{
    (void)state;
    struct fsrs_parameters parameters = fsrs_defaults;
    parameters.weights[2] = 10;
    const struct fit_answer right[] = { { GRADE_GOOD, 0, 0 }, { GRADE_GOOD, 10, 10 } };
    const struct fit_answer wrong[] = { { GRADE_GOOD, 0, 0 }, { GRADE_AGAIN, 10, 20 } };
    const struct fit_answer sooner[] = { { GRADE_GOOD, 0, 0 }, { GRADE_HARD, 1, 30 } };
    const struct fit_history histories[] = { { right, 2 }, { wrong, 2 }, { sooner, 2 } };
    struct fit_figures figures;
    assert_true(fit_measure(&figures, &parameters, histories, 2, INT64_MIN, INT64_MAX));
    assert_int_equal(figures.answers, 2);
    assert_near(figures.log_loss, -(log(0.9) + log(0.1)) / 2, 1e-12);
    assert_near(figures.rmse_bins, 0.4, 1e-12); /* 0.9 told, one of two recalled, in one bin */
    assert_near(figures.auc, 0.5, 1e-12);       /* both were given the same chance */

    double early = fsrs_retrievability(&parameters, 10, 1); /* in a bin of its own, above the forgotten one */
    assert_true(fit_measure(&figures, &parameters, histories, 3, INT64_MIN, INT64_MAX));
    assert_near(figures.log_loss, -(log(0.9) + log(0.1) + log(early)) / 3, 1e-12);
    assert_near(figures.rmse_bins, sqrt((2 * 0.16 + (1 - early) * (1 - early)) / 3), 1e-12);
    assert_near(figures.auc, 0.75, 1e-12);

    assert_true(fit_measure(&figures, &parameters, histories, 3, 20, 30)); /* `until` itself is left out */
    assert_int_equal(figures.answers, 1);
    assert_near(figures.log_loss, -log(0.1), 1e-12);
    assert_near(figures.auc, 0.5, 0); /* only one outcome */
    assert_true(fit_measure(&figures, &parameters, histories, 3, 31, INT64_MAX));
    assert_int_equal(figures.answers, 0);
    assert_near(figures.log_loss, 0, 0);
}

static void test_usable(void **state)
{
    (void)state;
    const struct fit_answer mixed[] = { { GRADE_NONE, 0, 1 },    { GRADE_GOOD, 5, 2 }, /* the first graded */
                                        { GRADE_AGAIN, 0, 3 },                         /* the same day */
                                        { GRADE_GOOD, 1, 4 },    { GRADE_NONE, 9, 5 },
                                        { (enum grade)9, 3, 6 }, { GRADE_EASY, -3, 7 }, /* the clock */
                                        { GRADE_HARD, 2, 8 } };
    const struct fit_history histories[] = { { mixed, 8 }, { NULL, 0 }, { mixed, 1 }, { mixed + 1, 1 } };
    assert_int_equal(fit_usable(histories, 4), 2);
    assert_int_equal(fit_usable(histories, 0), 0);
    assert_int_equal(fit_usable(NULL, 0), 0);
}

static void test_split(void **state)
{
    (void)state;
    struct people people;
    int64_t at;
    people_init(&people, 10, 2);
    for (int i = 0; i < 10; i++) { /* predicted ones at 100, 110, … in no order */
        struct fit_answer *list = people_add(&people, 2);
        list[0] = (struct fit_answer){ GRADE_GOOD, 0, 5000 + i };
        list[1] = (struct fit_answer){ GRADE_GOOD, 1, 100 + i * 7 % 10 * 10 };
    }
    assert_true(fit_split(people.histories, people.count, 0.8, &at));
    assert_int_equal(at, 180);
    assert_int_equal(measured(&people, &fsrs_defaults, at).answers, 2);
    assert_true(fit_split(people.histories, people.count, 0, &at));
    assert_int_equal(at, 100);
    assert_true(fit_split(people.histories, people.count, 1, &at));
    assert_int_equal(at, 191);
    assert_true(fit_split(people.histories, people.count, 7, &at));
    assert_int_equal(at, 191);
    assert_false(fit_split(people.histories, 0, 0.8, &at));
    memory_fail_after(1);
    assert_false(fit_split(people.histories, people.count, 0.8, &at));
    memory_fail_after(0);
    people_finish(&people);
}

static struct fsrs_parameters random_parameters(struct random_stream *stream)
{
    struct fsrs_parameters parameters = fsrs_defaults;
    for (int i = 0; i < FSRS_WEIGHTS; i++) {
        double width = fmin(fsrs_bounds[i].high - fsrs_bounds[i].low, 1 + fabs(fsrs_defaults.weights[i]));
        parameters.weights[i] += 0.3 * width * (chance(stream) - 0.3);
    }
    fsrs_clip(&parameters);
    return parameters;
}

static int random_steps(struct random_stream *stream, struct fit_step *steps, int most)
{
    int count = 1 + (int)random_below(stream, (uint64_t)most);
    for (int i = 0; i < count; i++) {
        bool same_day = i == 0 || random_below(stream, 3) == 0;
        steps[i].grade = 1 + (int)random_below(stream, 4);
        steps[i].days = same_day ? 0 : 1 + (int)random_below(stream, random_below(stream, 2) ? 10 : 400);
        steps[i].weight = same_day ? 0 : 0.25 + chance(stream);
    }
    return count;
}

/* The gradient against central differences. Where a difference of two sizes disagrees with itself, one of the
 * formulas' kinks lies between, and nothing can be said; that has to stay rare. */
static void test_gradient(void **state)
{
    (void)state;
    struct random_stream stream = { 3 };
    struct fit_step steps[40];
    struct fit_mark tape[40];
    int compared = 0, kinks = 0, met[FSRS_WEIGHTS] = { 0 };
    for (int round = 0; round < 400; round++) {
        struct fsrs_parameters parameters = random_parameters(&stream);
        int count = random_steps(&stream, steps, 40);
        double gradient[FSRS_WEIGHTS] = { 0 };
        double loss = fit_history_loss(&parameters, steps, count, tape, gradient);
        assert_near(fit_history_loss(&parameters, steps, count, tape, NULL), loss, 0);
        for (int i = 0; i < FSRS_WEIGHTS; i++) {
            double slopes[2];
            for (int k = 0; k < 2; k++) {
                double h = (k ? 5e-7 : 1e-6) * fmax(1, fabs(parameters.weights[i]));
                struct fsrs_parameters up = parameters, down = parameters;
                up.weights[i] += h;
                down.weights[i] -= h;
                slopes[k] = (fit_history_loss(&up, steps, count, tape, NULL) -
                             fit_history_loss(&down, steps, count, tape, NULL)) /
                            (2 * h);
            }
            double scale = fmax(1, fabs(slopes[0]));
            if (fabs(slopes[0] - slopes[1]) > 1e-6 * scale) {
                kinks++;
                continue;
            }
            if (fabs(gradient[i] - slopes[0]) > 1e-5 * scale)
                fail_msg("round %d, weight %d: %.12g, by differences %.12g", round, i, gradient[i],
                         slopes[0]);
            compared++;
            met[i] += fabs(gradient[i]) > 1e-3;
        }
    }
    assert_true(kinks * 50 < compared);
    for (int i = 0; i < FSRS_WEIGHTS; i++)
        assert_true(met[i] > 20); /* every weight was put to the test */
}

/* What is fitted to is what is measured: the same memory as fsrs.c has. */
static void test_same_memory(void **state)
{
    (void)state;
    struct random_stream stream = { 4 };
    struct fit_step steps[60];
    struct fit_mark tape[60];
    struct fit_answer answers[60];
    for (int round = 0; round < 300; round++) {
        struct fsrs_parameters parameters = random_parameters(&stream);
        int count = random_steps(&stream, steps, 60);
        for (int i = 0; i < count; i++) {
            steps[i].weight = steps[i].days > 0;
            answers[i] = (struct fit_answer){ (enum grade)steps[i].grade, steps[i].days, i };
        }
        const struct fit_history history = { answers, count };
        struct fit_figures figures;
        assert_true(fit_measure(&figures, &parameters, &history, 1, INT64_MIN, INT64_MAX));
        assert_near(fit_history_loss(&parameters, steps, count, tape, NULL),
                    figures.log_loss * (double)figures.answers, 1e-9);
    }
}

static struct fsrs_parameters somebody(void)
{
    struct fsrs_parameters truth = fsrs_defaults;
    for (int i = 0; i < 4; i++)
        truth.weights[i] *= 6;
    truth.weights[8] -= 1;
    truth.weights[20] = 0.4;
    return truth;
}

static void test_recovers(void **state)
{
    (void)state;
    struct people people;
    struct fsrs_parameters truth = somebody(), fitted, again;
    struct error error;
    int64_t at;
    people_simulate(&people, &truth, 2500, 14, 5);
    assert_true(fit_split(people.histories, people.count, 0.8, &at));
    assert_true(fit_parameters(&fitted, people.histories, people.count, at, NULL, NULL, &error));
    assert_usable(&fitted);
    double true_loss = measured(&people, &truth, at).log_loss;
    double usual_loss = measured(&people, &fsrs_defaults, at).log_loss;
    double loss = measured(&people, &fitted, at).log_loss;
    assert_true(usual_loss > 1.02 * true_loss); /* else there was nothing to find */
    assert_true(loss < 1.005 * true_loss);

    assert_true(fit_parameters(&again, people.histories, people.count, at, NULL, NULL, &error));
    assert_memory_equal(&fitted, &again, sizeof fitted);
    for (ptrdiff_t i = 0; i < people.used; i++) /* what comes after the split is not looked at */
        if (people.answers[i].at >= at)
            people.answers[i].grade = GRADE_AGAIN;
    assert_true(fit_parameters(&again, people.histories, people.count, at, NULL, NULL, &error));
    assert_memory_equal(&fitted, &again, sizeof fitted);
    people_finish(&people);
}

/* `count` histories of two answers, all predicted ones of one grade. */
static void people_pairs(struct people *people, int count, enum grade grade, int days)
{
    people_init(people, count, 2);
    for (int i = 0; i < count; i++) {
        struct fit_answer *list = people_add(people, 2);
        list[0] = (struct fit_answer){ (enum grade)(1 + i % 4), 0, i };
        list[1] = (struct fit_answer){ grade, days, i + days * (int64_t)DAY };
    }
}

static void test_too_few(void **state)
{
    (void)state;
    struct people people;
    struct fsrs_parameters fitted = { { 7 } };
    struct error error;
    people_pairs(&people, FIT_LEAST, GRADE_GOOD, 3);
    assert_false(fit_parameters(&fitted, people.histories, FIT_LEAST - 1, INT64_MAX, NULL, NULL, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_true(fitted.weights[0] == 7);
    assert_false(fit_parameters(&fitted, NULL, 0, INT64_MAX, NULL, NULL, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_true(fit_parameters(&fitted, people.histories, FIT_LEAST, INT64_MAX, NULL, NULL, &error));
    assert_usable(&fitted);
    /* enough in all, none before the split: nothing is known, so nothing moves */
    assert_true(fit_parameters(&fitted, people.histories, FIT_LEAST, 0, NULL, NULL, &error));
    assert_memory_equal(&fitted, &fsrs_defaults, sizeof fitted);
    people_finish(&people);
}

static void test_one_outcome(void **state)
{
    (void)state;
    for (int grade = GRADE_AGAIN; grade <= GRADE_EASY; grade++)
        for (int days = 1; days <= FSRS_LONGEST; days = days * 20 + 1) {
            struct people people;
            struct fsrs_parameters fitted;
            struct error error;
            people_pairs(&people, 300, (enum grade)grade, days);
            assert_true(
                fit_parameters(&fitted, people.histories, people.count, INT64_MAX, NULL, NULL, &error));
            assert_usable(&fitted);
            struct fit_figures figures = measured(&people, &fitted, INT64_MIN);
            assert_near(figures.auc, 0.5, 0);
            assert_true(figures.log_loss <= measured(&people, &fsrs_defaults, INT64_MIN).log_loss);
            people_finish(&people);
        }
}

static void test_hostile(void **state)
{
    (void)state;
    static const int gaps[] = { 1, FSRS_LONGEST, INT32_MAX, INT32_MIN, 0, -1 };
    struct error error;
    for (int kind = 0; kind < 40; kind++) {
        struct random_stream stream = { (uint64_t)kind };
        struct people people;
        struct fsrs_parameters fitted;
        people_init(&people, 21, 10000);
        for (int h = 0; h < 21; h++) { /* twenty short ones, and ten thousand answers to one question */
            int count = h < 20 ? 20 : 10000;
            struct fit_answer *list = people_add(&people, count);
            for (int i = 0; i < count; i++) {
                list[i].grade = kind < 5    ? (enum grade)(kind % 4 + 1)
                                : kind < 10 ? (enum grade)(1 + random_below(&stream, 4))
                                            : (enum grade)((int)random_below(&stream, 9) - 2);
                list[i].days = kind % 5 == 4 ? gaps[random_below(&stream, 6)]
                               : kind % 5    ? gaps[kind % 5 - 1]
                                             : 36500;
                list[i].at = kind % 2 ? i : (int64_t)random_next(&stream);
            }
        }
        bool done = fit_parameters(&fitted, people.histories, people.count, INT64_MAX, NULL, NULL, &error);
        if (fit_usable(people.histories, people.count) < FIT_LEAST) {
            assert_false(done);
        } else {
            assert_true(done);
            assert_usable(&fitted);
            struct fit_figures figures = measured(&people, &fitted, INT64_MIN);
            assert_true(isfinite(figures.log_loss) && isfinite(figures.rmse_bins));
            assert_true(figures.auc >= 0 && figures.auc <= 1);
        }
        people_finish(&people);
    }
}

struct watch {
    double last;
    int calls, stop_at;
};

static bool watch_progress(void *context, double done)
{
    struct watch *watch = context;
    assert_true(done > watch->last && done <= 1);
    watch->last = done;
    return ++watch->calls != watch->stop_at;
}

static void test_progress(void **state)
{
    (void)state;
    struct people people;
    struct fsrs_parameters truth = somebody(), fitted = { { 7 } };
    struct error error;
    struct watch watch = { 0 };
    people_simulate(&people, &truth, 200, 10, 6);
    for (int stop = 1; stop <= 20; stop++) {
        watch = (struct watch){ .stop_at = stop };
        assert_false(fit_parameters(&fitted, people.histories, people.count, INT64_MAX, watch_progress,
                                    &watch, &error));
        assert_int_equal(error.code, ERROR_INTERRUPTED);
        assert_int_equal(watch.calls, stop);
        assert_true(fitted.weights[0] == 7);
    }
    watch = (struct watch){ 0 };
    assert_true(
        fit_parameters(&fitted, people.histories, people.count, INT64_MAX, watch_progress, &watch, &error));
    assert_near(watch.last, 1, 1e-12);
    people_finish(&people);
}

static void test_memory(void **state)
{
    (void)state;
    struct people people;
    struct fsrs_parameters fitted = { { 7 } };
    struct fit_figures figures;
    struct error error;
    people_pairs(&people, 100, GRADE_GOOD, 3);
    int n = 0;
    bool done = false;
    while (!done && n < 100) {
        memory_fail_after(++n);
        done = fit_parameters(&fitted, people.histories, people.count, INT64_MAX, NULL, NULL, &error);
        memory_fail_after(0);
        if (!done) {
            assert_int_equal(error.code, ERROR_MEMORY);
            assert_true(fitted.weights[0] == 7);
        }
    }
    assert_true(done && n > 3);
    for (done = false, n = 0; !done && n < 100;) {
        memory_fail_after(++n);
        done = fit_measure(&figures, &fitted, people.histories, people.count, INT64_MIN, INT64_MAX);
        memory_fail_after(0);
    }
    assert_true(done && n == 3);
    people_finish(&people);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),   cmocka_unit_test(test_by_hand),  cmocka_unit_test(test_usable),
        cmocka_unit_test(test_split),    cmocka_unit_test(test_gradient), cmocka_unit_test(test_same_memory),
        cmocka_unit_test(test_recovers), cmocka_unit_test(test_too_few),  cmocka_unit_test(test_one_outcome),
        cmocka_unit_test(test_hostile),  cmocka_unit_test(test_progress), cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
