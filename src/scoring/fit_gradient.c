#include "fit_gradient.h"

#include <math.h>

#define LEAST_STABILITY 0.001
#define MOST_STABILITY  36500.0
#define LN_09           (-0.10536051565782628) /* ln 0.9 */

/* What depends on the weights alone. */
struct model {
    const double *w;
    double factor, factor_slope; /* 0.9^(−1/w20) − 1, and its derivative by w20 */
    double scale;                /* e^w8 */
    double lapse_cap;            /* e^(w17 · w18) */
    double goal;                 /* the difficulty that all are drawn to: D0(Easy), not held to its range */
};

static struct model model_of(const struct fsrs_parameters *parameters)
{
    const double *w = parameters->weights;
    double power = exp(-LN_09 / w[20]);
    return (struct model){
        .w = w,
        .factor = power - 1,
        .factor_slope = power * LN_09 / (w[20] * w[20]),
        .scale = exp(w[8]),
        .lapse_cap = exp(w[17] * w[18]),
        .goal = w[4] - exp(3 * w[5]) + 1,
    };
}

/* Holds a value to its range, and tells whether it had to. */
static double hold(double value, double low, double high, bool *held)
{
    *held = !(value >= low && value <= high);
    return value > high ? high : value >= low ? value : low;
}

static struct fsrs_memory first_memory(const struct model *model, int grade, struct fit_mark *mark)
{
    const double *w = model->w;
    return (struct fsrs_memory){
        hold(w[grade - 1], LEAST_STABILITY, MOST_STABILITY, &mark->stability_held),
        hold(w[4] - exp(w[5] * (grade - 1)) + 1, 1, 10, &mark->difficulty_held),
    };
}

/* What a recalled answer's grade multiplies the growth by. */
static double bonus(const struct model *model, int grade)
{
    return grade == GRADE_HARD ? model->w[15] : grade == GRADE_EASY ? model->w[16] : 1;
}

/* S after an answer; `gain` is kept for the way back:
 *   same day    S · gain, gain = S^−w19 · e^(w17 (G − 3 + w18)), at least 1 from Hard on
 *   recalled    S (1 + bonus · gain · (e^((1 − R) w10) − 1)), gain = e^w8 (11 − D) S^−w9
 *   forgotten   gain = w11 D^−w12 ((S + 1)^w13 − 1) e^((1 − R) w14), at most S / e^(w17 · w18) */
static double next_stability(const struct model *model, const struct fit_step *step, struct fit_mark *mark)
{
    const double *w = model->w;
    double s = mark->before.stability, d = mark->before.difficulty;
    mark->capped = false;
    if (step->days == 0) {
        mark->gain = pow(s, -w[19]) * exp(w[17] * (step->grade - 3 + w[18]));
        mark->capped = step->grade >= GRADE_HARD && mark->gain < 1;
        return s * (mark->capped ? 1 : mark->gain);
    }
    if (step->grade > GRADE_AGAIN) {
        mark->gain = model->scale * (11 - d) * pow(s, -w[9]);
        return s * (1 + bonus(model, step->grade) * mark->gain * expm1((1 - mark->recall) * w[10]));
    }
    mark->gain = w[11] * pow(d, -w[12]) * (pow(s + 1, w[13]) - 1) * exp((1 - mark->recall) * w[14]);
    mark->capped = s / model->lapse_cap < mark->gain;
    return mark->capped ? s / model->lapse_cap : mark->gain;
}

/* D after an answer: D' = D − w6 (G − 3) (10 − D) / 9, then w7 of the way to D0(Easy). */
static double next_difficulty(const struct model *model, const struct fit_step *step, double d)
{
    const double *w = model->w;
    double moved = d - w[6] * (step->grade - 3) * (10 - d) / 9;
    return w[7] * model->goal + (1 - w[7]) * moved;
}

/* The way there: fills the tape, returns the loss. */
static double forwards(const struct model *model, const struct fit_step *steps, int count,
                       struct fit_mark *tape)
{
    double loss = 0;
    struct fsrs_memory memory = first_memory(model, steps[0].grade, &tape[0]);
    for (int i = 1; i < count; i++) {
        const struct fit_step *step = &steps[i];
        struct fit_mark *mark = &tape[i];
        mark->before = memory;
        if (step->days > 0) {
            mark->base = 1 + model->factor * step->days / memory.stability;
            mark->recall = pow(mark->base, -model->w[20]);
        }
        if (step->weight > 0)
            loss -= step->weight * log(step->grade > GRADE_AGAIN ? mark->recall : 1 - mark->recall);
        memory.stability =
            hold(next_stability(model, step, mark), LEAST_STABILITY, MOST_STABILITY, &mark->stability_held);
        memory.difficulty =
            hold(next_difficulty(model, step, memory.difficulty), 1, 10, &mark->difficulty_held);
    }
    return loss;
}

/* The derivatives of the loss by the memory and by R, on the way back. */
struct slopes {
    double stability, difficulty, recall;
};

/* Through the formula of S: from the slope by S after the answer to those before it. */
static void back_stability(const struct model *model, const struct fit_step *step,
                           const struct fit_mark *mark, double slope, struct slopes *before, double *gradient)
{
    const double *w = model->w;
    double s = mark->before.stability, d = mark->before.difficulty;
    if (step->days == 0) {
        double grown = slope * s * mark->gain;
        if (mark->capped) {
            before->stability += slope;
            return;
        }
        before->stability += slope * mark->gain * (1 - w[19]);
        gradient[19] -= grown * log(s);
        gradient[17] += grown * (step->grade - 3 + w[18]);
        gradient[18] += grown * w[17];
        return;
    }
    if (step->grade > GRADE_AGAIN) {
        double rise = expm1((1 - mark->recall) * w[10]), plain = slope * s * mark->gain;
        double grown = plain * bonus(model, step->grade);
        before->stability += slope * (1 + bonus(model, step->grade) * mark->gain * rise * (1 - w[9]));
        before->difficulty -= grown * rise / (11 - d);
        before->recall -= grown * (rise + 1) * w[10];
        gradient[8] += grown * rise;
        gradient[9] -= grown * rise * log(s);
        gradient[10] += grown * (rise + 1) * (1 - mark->recall);
        if (step->grade == GRADE_HARD)
            gradient[15] += plain * rise;
        if (step->grade == GRADE_EASY)
            gradient[16] += plain * rise;
        return;
    }
    if (mark->capped) {
        double left = slope / model->lapse_cap;
        before->stability += left;
        gradient[17] -= left * s * w[18];
        gradient[18] -= left * s * w[17];
        return;
    }
    double power = pow(s + 1, w[13]), left = slope * mark->gain;
    before->stability += left * w[13] * power / ((s + 1) * (power - 1));
    before->difficulty -= left * w[12] / d;
    before->recall -= left * w[14];
    gradient[11] += left / w[11];
    gradient[12] -= left * log(d);
    gradient[13] += left * power * log(s + 1) / (power - 1);
    gradient[14] += left * (1 - mark->recall);
}

/* Through the forgetting curve and the loss on it. */
static void back_recall(const struct model *model, const struct fit_step *step, const struct fit_mark *mark,
                        struct slopes *before, double *gradient)
{
    double decay = model->w[20], s = mark->before.stability, r = mark->recall;
    double slope = before->recall;
    if (step->weight > 0)
        slope += step->weight * (step->grade > GRADE_AGAIN ? -1 / r : 1 / (1 - r));
    double fall = slope * r * decay / mark->base; /* by the base, turned round */
    before->stability += fall * model->factor * step->days / (s * s);
    gradient[20] -= slope * r * log(mark->base) + fall * model->factor_slope * step->days / s;
}

/* Through the formula of D. */
static void back_difficulty(const struct model *model, const struct fit_step *step,
                            const struct fit_mark *mark, double slope, struct slopes *before,
                            double *gradient)
{
    const double *w = model->w;
    double d = mark->before.difficulty, away = (step->grade - 3) * (10 - d) / 9;
    before->difficulty += slope * (1 - w[7]) * (1 + w[6] * (step->grade - 3) / 9);
    gradient[6] -= slope * (1 - w[7]) * away;
    gradient[7] += slope * (model->goal - (d - w[6] * away));
    gradient[4] += slope * w[7];
    gradient[5] -= slope * w[7] * 3 * (w[4] + 1 - model->goal);
}

static void backwards(const struct model *model, const struct fit_step *steps, int count,
                      const struct fit_mark *tape, double *gradient)
{
    struct slopes after = { 0 };
    for (int i = count - 1; i > 0; i--) {
        struct slopes before = { 0 };
        if (!tape[i].stability_held)
            back_stability(model, &steps[i], &tape[i], after.stability, &before, gradient);
        if (!tape[i].difficulty_held)
            back_difficulty(model, &steps[i], &tape[i], after.difficulty, &before, gradient);
        if (steps[i].days > 0)
            back_recall(model, &steps[i], &tape[i], &before, gradient);
        after = before;
    }
    int grade = steps[0].grade;
    if (!tape[0].stability_held)
        gradient[grade - 1] += after.stability;
    if (!tape[0].difficulty_held) {
        gradient[4] += after.difficulty;
        gradient[5] -= after.difficulty * (grade - 1) * exp(model->w[5] * (grade - 1));
    }
}

double fit_history_loss(const struct fsrs_parameters *parameters, const struct fit_step *steps, int count,
                        struct fit_mark *tape, double *gradient)
{
    struct model model = model_of(parameters);
    if (count < 1)
        return 0;
    double loss = forwards(&model, steps, count, tape);
    if (gradient)
        backwards(&model, steps, count, tape, gradient);
    return loss;
}
