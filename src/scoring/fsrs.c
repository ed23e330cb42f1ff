#include <quiztutor/fsrs.h>

#include <math.h>

enum { DIFFICULTY_LEAST = 1, DIFFICULTY_MOST = 10 };
static const double stability_least = 0.001, stability_most = FSRS_LONGEST;

const struct fsrs_parameters fsrs_defaults = { { 0.212,  1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194,
                                                 0.001,  1.8722, 0.1666, 0.796,  1.4835, 0.0614, 0.2629,
                                                 1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542 } };

const struct fsrs_bound fsrs_bounds[FSRS_WEIGHTS] = {
    { 0.001, 100 }, { 0.001, 100 },  { 0.001, 100 }, { 0.001, 100 },  /* first stabilities */
    { 1, 10 },      { 0.001, 4 },    { 0.001, 4 },   { 0.001, 0.75 }, /* difficulty */
    { 0, 4.5 },     { 0, 0.8 },      { 0.001, 3.5 },                  /* after recall */
    { 0.001, 5 },   { 0.001, 0.25 }, { 0.001, 0.9 }, { 0, 4 },        /* after forgetting */
    { 0, 1 },       { 1, 6 },                                         /* Hard and Easy */
    { 0, 2 },       { 0, 2 },        { 0.01, 0.8 },                   /* the same day */
    { 0.1, 0.8 },                                                     /* decay */
};

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

void fsrs_clip(struct fsrs_parameters *parameters)
{
    for (int i = 0; i < FSRS_WEIGHTS; i++) {
        double *weight = &parameters->weights[i];
        *weight = isfinite(*weight) ? clamp(*weight, fsrs_bounds[i].low, fsrs_bounds[i].high)
                                    : fsrs_defaults.weights[i];
    }
}

/* D0(G) = w4 − e^(w5 · (G − 1)) + 1, not yet brought into its range: the mean reversion takes it as it is. */
static double first_difficulty(const double *w, enum grade grade)
{
    return w[4] - exp(w[5] * ((int)grade - 1)) + 1;
}

struct fsrs_memory fsrs_first(const struct fsrs_parameters *parameters, enum grade grade)
{
    const double *w = parameters->weights;
    return (struct fsrs_memory){
        .stability = clamp(w[grade - 1], stability_least, stability_most),
        .difficulty = clamp(first_difficulty(w, grade), DIFFICULTY_LEAST, DIFFICULTY_MOST),
    };
}

static double factor(const double *w)
{
    return exp(log(0.9) / -w[20]) - 1;
}

double fsrs_retrievability(const struct fsrs_parameters *parameters, double stability, double days)
{
    const double *w = parameters->weights;
    return pow(1 + factor(w) * days / stability, -w[20]);
}

/* D' = D − w6 · (G − 3) · (10 − D) / 9, drawn towards D0(Easy) by w7. */
static double next_difficulty(const double *w, double difficulty, enum grade grade)
{
    double moved = difficulty - w[6] * ((int)grade - 3) * (10 - difficulty) / 9;
    return clamp(w[7] * first_difficulty(w, GRADE_EASY) + (1 - w[7]) * moved, DIFFICULTY_LEAST,
                 DIFFICULTY_MOST);
}

/* S' = S · e^(w17 · (G − 3 + w18)) · S^−w19; Hard, Good and Easy never lower it. */
static double same_day_stability(const double *w, double stability, enum grade grade)
{
    double growth = pow(stability, -w[19]) * exp(w[17] * ((int)grade - 3 + w[18]));
    return stability * (grade >= GRADE_HARD && growth < 1 ? 1 : growth);
}

/* S' = w11 · D^−w12 · ((S + 1)^w13 − 1) · e^(w14 · (1 − R)), at most S / e^(w17 · w18). */
static double forgotten_stability(const double *w, const struct fsrs_memory *memory, double retrievability)
{
    double most = memory->stability / exp(w[17] * w[18]);
    double after = w[11] * pow(memory->difficulty, -w[12]) * (pow(memory->stability + 1, w[13]) - 1) *
                   exp(w[14] * (1 - retrievability));
    after = clamp(after, stability_least, stability_most);
    return most < stability_least ? stability_least : most < after ? most : after;
}

/* S' = S · (1 + e^w8 · (11 − D) · S^−w9 · (e^(w10 · (1 − R)) − 1) · w15 if Hard · w16 if Easy). */
static double recalled_stability(const double *w, const struct fsrs_memory *memory, double retrievability,
                                 enum grade grade)
{
    double growth = exp(w[8]) * (11 - memory->difficulty) * pow(memory->stability, -w[9]) *
                    (exp(w[10] * (1 - retrievability)) - 1);
    if (grade == GRADE_HARD)
        growth *= w[15];
    if (grade == GRADE_EASY)
        growth *= w[16];
    return memory->stability * (1 + growth);
}

struct fsrs_memory fsrs_next(const struct fsrs_parameters *parameters, struct fsrs_memory memory,
                             enum grade grade, double days)
{
    const double *w = parameters->weights;
    double stability;
    if (days <= 0) {
        stability = same_day_stability(w, memory.stability, grade);
    } else {
        double retrievability = fsrs_retrievability(parameters, memory.stability, days);
        stability = grade == GRADE_AGAIN ? forgotten_stability(w, &memory, retrievability)
                                         : recalled_stability(w, &memory, retrievability, grade);
    }
    return (struct fsrs_memory){
        .stability = clamp(stability, stability_least, stability_most),
        .difficulty = next_difficulty(w, memory.difficulty, grade),
    };
}

int fsrs_interval(const struct fsrs_parameters *parameters, double stability, double retention)
{
    const double *w = parameters->weights;
    double days = stability * (pow(retention, -1 / w[20]) - 1) / factor(w);
    return (int)clamp(round(days), 1, FSRS_LONGEST);
}

void fsrs_fuzz(int interval, int elapsed, int *least, int *most)
{
    static const struct {
        double start, end, share;
    } ranges[] = { { 2.5, 7, 0.15 }, { 7, 20, 0.1 }, { 20, INFINITY, 0.05 } };
    double delta = 1;
    for (int i = 0; i < 3; i++)
        delta += ranges[i].share * fmax(fmin(interval, ranges[i].end) - ranges[i].start, 0);
    double low = fmax(2, round(interval - delta)), high = fmin(round(interval + delta), FSRS_LONGEST);
    if (interval > elapsed)
        low = fmax(low, elapsed + 1);
    *most = (int)high;
    *least = (int)fmin(low, high);
}
