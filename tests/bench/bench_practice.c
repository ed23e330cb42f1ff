/*
 * What practice is worth: simulated learners with known memories practise the same minutes a day by
 * quiztutor's schedules and queue, by SM-2 and by Leitner's boxes, then pause for 30 days; counted is what
 * they still know, and how much that is per minute practised. Two cases: a course of 300 questions with time
 * enough, and more questions than there is time for. Then what the order of overdue questions is worth, after
 * a break. Prints Markdown tables.
 *
 *   bench_practice [LEARNERS]      status 1 when learners by FSRS-6 keep less a minute at retention 0.8 than
 * by others
 *
 * Time: a right answer takes 7 seconds, a wrong one 18 (the explanation is read). A day has one session. All
 * get at most 20 new questions a day, after what is due. Half of the questions were learnt in class the day
 * before. Everything is marked right or wrong; nobody tells how hard it felt.
 */
#include "simulated_learner.h"

#include <quiztutor/fit.h>
#include <quiztutor/queue.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { QUESTIONS = 1500, TOPICS = 8, DAYS = 60, PAUSE = 30, NEW_A_DAY = 20, BREAK = 14, GAP = 3, LOG = 400 };
enum { LEARNERS = 24 };

/* How much there is to learn, and in which time. */
struct course {
    const char *text;
    int questions;
    double minutes; /* a day, at most */
    int away;       /* days without practice in its middle */
};
static const struct course course_all = { "A course of 300 questions, 20 minutes a day", 300, 20, 0 };
static const struct course course_part = { "More than there is time for: 1500 questions, 10 minutes a day",
                                           QUESTIONS, 10, 0 };
static const struct course course_break = {
    "The same with 14 days without practice in the middle, by the order of what is overdue", QUESTIONS, 10,
    BREAK
};
static const double right_seconds = 7, wrong_seconds = 18;

enum method {
    METHOD_OURS,   /* schedule.h with the default parameters, queue.h */
    METHOD_FEWER,  /* the same, wanting only 0.8 recalled when due */
    METHOD_LEAST,  /* 0.7 */
    METHOD_FITTED, /* as the first; after half of the days parameters are fitted to the answers so far */
    METHOD_SM2,
    METHOD_LEITNER,
    METHODS
};
static const char *const method_names[METHODS] = { "quiztutor",
                                                   "quiztutor, retention 0.8",
                                                   "quiztutor, retention 0.7",
                                                   "quiztutor, fitted on day 30",
                                                   "SM-2",
                                                   "Leitner boxes" };
static const double retentions[METHODS] = { 0.9, 0.8, 0.7, 0.9, 0, 0 };

enum order { ORDER_QUEUE, ORDER_LIKELIEST, ORDER_DUE, ORDER_RANDOM, ORDERS };
static const char *const order_names[ORDERS] = { "likeliest forgotten first (the queue's)",
                                                 "likeliest remembered first", "longest overdue first",
                                                 "random" };

/* A question as learner and scheduler have it. */
struct item {
    struct memory memory;
    struct schedule schedule; /* ours */
    int box;                  /* Leitner: 1 to 5, 0 new */
    int repetition;           /* SM-2: n */
    double ease, interval;    /* SM-2: EF, I(n) */
    int64_t due;              /* day; SM-2 and Leitner */
    struct schedule_answer log[LOG];
    int answers;
};

struct run {
    enum method method;
    enum order order;
    int questions;
    struct learner learner;
    struct fsrs_parameters parameters;
    struct item *items;
    int met;               /* items are met in their order */
    double seconds;        /* practised in all */
    int reviews, recalled; /* answers to what was due, and those of them that were right */
};

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "bench_practice: %s\n", what);
    exit(2);
}

static struct schedule_rules rules_of(const struct run *run)
{
    return (struct schedule_rules){ &run->parameters, retentions[run->method], 240, true };
}

/*
 * SM-2 (Wozniak 1990): I(1) = 1, I(2) = 6, I(n) = I(n − 1) · EF; EF from 2.5 by q, never below 1.3; below 3
 * the repetitions begin anew without changing EF. What scored below 4 is repeated at the session's end until
 * it does not, outside the schedule. Quality without self-assessment: 4 right, 1 wrong.
 */
static void sm2_answer(struct item *item, int64_t day, bool right)
{
    int q = right ? 4 : 1;
    if (!item->repetition && !item->due)
        item->ease = 2.5;
    if (q < 3) {
        item->repetition = 0;
    } else {
        item->ease = fmax(1.3, item->ease + 0.1 - (5 - q) * (0.08 + (5 - q) * 0.02));
        item->repetition++;
    }
    item->interval = item->repetition <= 1   ? 1
                     : item->repetition == 2 ? 6
                                             : ceil(item->interval * item->ease);
    item->due = day + (int64_t)item->interval;
}

/* Leitner (1972): right goes a box up, wrong back to the first; box k of 5 comes every 2^(k − 1) days, as in
 * Settles and Meeder (2016). */
static void leitner_answer(struct item *item, int64_t day, bool right)
{
    item->box = !right ? 1 : item->box < 5 ? item->box + 1 : 5;
    item->due = day + ((int64_t)1 << (item->box - 1));
}

/* The answer in the log and the schedule; `again`: repeated within the session. */
static void run_schedule(struct run *run, struct item *item, bool right, bool again)
{
    struct learner *learner = &run->learner;
    struct schedule_answer answer = { .grade = right ? GRADE_GOOD : GRADE_AGAIN,
                                      .at = learner->day * 86400000 + (int64_t)(learner->seconds * 1000),
                                      .draw = learner_chance(learner) };
    struct schedule_rules rules = rules_of(run);
    if (item->answers == LOG)
        die("a question was asked too often");
    item->log[item->answers++] = answer;
    switch (run->method) {
    case METHOD_OURS:
    case METHOD_FEWER:
    case METHOD_LEAST:
    case METHOD_FITTED:
        schedule_answer(&item->schedule, &rules, &answer);
        break;
    case METHOD_SM2:
        if (!again)
            sm2_answer(item, learner->day, right);
        break;
    case METHOD_LEITNER:
        leitner_answer(item, learner->day, right);
        break;
    case METHODS:
        break;
    }
}

static bool run_is_due(const struct run *run, const struct item *item)
{
    int64_t now = run->learner.day * 86400000 + (int64_t)(run->learner.seconds * 1000);
    if (run->method <= METHOD_FITTED)
        return schedule_is_due(&item->schedule, now, run->learner.day);
    return item->due <= run->learner.day;
}

struct candidate {
    struct item *item;
    double key, second;
};

static int compare_candidates(const void *one, const void *other)
{
    const struct candidate *a = one, *b = other;
    if (a->key < b->key || a->key > b->key)
        return a->key < b->key ? -1 : 1;
    if (a->second < b->second || a->second > b->second)
        return a->second < b->second ? -1 : 1;
    return (a->item > b->item) - (a->item < b->item);
}

/* Ours: the longest overdue of all that is due, at most QUEUE_MOST, in the order asked for. */
static int run_order(struct run *run, struct candidate *due, int count)
{
    static const char *const topics[TOPICS] = { "a", "b", "c", "d", "e", "f", "g", "h" };
    struct queue_item queue[QUEUE_MOST];
    struct candidate kept[QUEUE_MOST];
    for (int i = 0; i < count; i++) {
        due[i].key = (double)due[i].item->schedule.due_day;
        due[i].second = (double)due[i].item->schedule.due_at;
    }
    qsort(due, (size_t)count, sizeof *due, compare_candidates);
    count = count < QUEUE_MOST ? count : QUEUE_MOST;
    for (int i = 0; i < count; i++) {
        double chance = schedule_retrievability(&due[i].item->schedule, &run->parameters, run->learner.day);
        int place = (int)(due[i].item - run->items);
        queue[i] = (struct queue_item){ chance, topics[place % TOPICS], place, i };
        due[i].key = run->order == ORDER_LIKELIEST ? -chance
                     : run->order == ORDER_RANDOM  ? learner_chance(&run->learner)
                                                   : due[i].key;
        kept[i] = due[i];
    }
    if (run->order != ORDER_QUEUE) {
        qsort(due, (size_t)count, sizeof *due, compare_candidates);
        return count;
    }
    if (!queue_order(queue, count))
        die("no memory");
    for (int i = 0; i < count; i++)
        due[i] = kept[queue[i].index];
    return count;
}

/* What is due, in the order it is asked in. */
static int run_plan(struct run *run, struct candidate *due)
{
    int count = 0;
    for (int i = 0; i < run->met; i++)
        if (run_is_due(run, &run->items[i]))
            due[count++] = (struct candidate){ &run->items[i], run->items[i].box, (double)run->items[i].due };
    if (run->method <= METHOD_FITTED)
        return run_order(run, due, count);
    qsort(due, (size_t)count, sizeof *due, compare_candidates); /* the lowest box, the longest overdue */
    return count;
}

/* Missed questions that come again in the session. */
struct returns {
    struct item *items[QUESTIONS * 4];
    int shown_at[QUESTIONS * 4]; /* showings when missed */
    int from, to;
};

/* One showing: answered, timed, remembered, scheduled. Tells whether it was right. */
static bool run_show(struct run *run, struct item *item, bool again)
{
    struct learner *learner = &run->learner;
    bool right = learner_chance(learner) < memory_recall(&item->memory, learner);
    double seconds = right ? right_seconds : wrong_seconds;
    learner_go(learner, learner->day, learner->seconds + seconds);
    run->seconds += seconds;
    if (!memory_practise(&item->memory, learner, right))
        die("no memory");
    run_schedule(run, item, right, again);
    return right;
}

static void run_session(struct run *run, int64_t day, double seconds)
{
    static struct candidate due[QUESTIONS];
    static struct returns returns;
    const double start = 18 * 3600;
    learner_go(&run->learner, day, start);
    int count = run_plan(run, due), next = 0, fresh = 0, showings = 0;
    bool returning = run->method != METHOD_LEITNER, at_end = run->method == METHOD_SM2;
    returns.from = returns.to = 0;
    while (run->learner.seconds - start < seconds) {
        double left = seconds - (run->learner.seconds - start);
        bool more = next < count || (fresh < NEW_A_DAY && run->met < run->questions);
        bool waiting = returns.from < returns.to, again = false, review = false;
        if (at_end) /* time is kept for what has to be repeated */
            more = more && left > right_seconds * (returns.to - returns.from);
        struct item *item;
        if (waiting && (!more || (!at_end && showings - returns.shown_at[returns.from] >= GAP))) {
            item = returns.items[returns.from++];
            again = true;
        } else if (next < count) {
            item = due[next++].item;
            review = true;
        } else if (more) {
            fresh++;
            item = &run->items[run->met++];
        } else {
            return;
        }
        bool right = run_show(run, item, again);
        showings++;
        run->reviews += review;
        run->recalled += review && right;
        if (!right && returning && returns.to < QUESTIONS * 4) {
            returns.items[returns.to] = item;
            returns.shown_at[returns.to++] = showings;
        }
    }
}

/* As `schedule fit` and the store do: all answers so far, then every schedule made anew. */
static void run_fit(struct run *run)
{
    struct fit_history *histories = calloc(QUESTIONS, sizeof *histories);
    struct fit_answer *answers = calloc((size_t)QUESTIONS * LOG, sizeof *answers);
    struct fsrs_parameters fitted;
    struct fit_figures before, after;
    int64_t split;
    if (!histories || !answers)
        die("no memory");
    for (int i = 0; i < run->met; i++) {
        const struct item *item = &run->items[i];
        struct fit_answer *list = answers + (ptrdiff_t)i * LOG;
        for (int k = 0; k < item->answers; k++) {
            int64_t day = item->log[k].at / 86400000, last = k ? item->log[k - 1].at / 86400000 : day;
            list[k] = (struct fit_answer){ item->log[k].grade, (int)(day - last), item->log[k].at };
        }
        histories[i] = (struct fit_history){ list, item->answers };
    }
    if (fit_split(histories, run->met, 0.8, &split) &&
        fit_parameters(&fitted, histories, run->met, split, NULL, NULL, NULL) &&
        fit_measure(&before, &run->parameters, histories, run->met, split, INT64_MAX) &&
        fit_measure(&after, &fitted, histories, run->met, split, INT64_MAX) &&
        after.log_loss < before.log_loss) {
        run->parameters = fitted;
        struct schedule_rules rules = rules_of(run);
        for (int i = 0; i < run->met; i++) {
            run->items[i].schedule = (struct schedule){ 0 };
            for (int k = 0; k < run->items[i].answers; k++)
                schedule_answer(&run->items[i].schedule, &rules, &run->items[i].log[k]);
        }
    }
    free(histories);
    free(answers);
}

struct worth {
    double known; /* expected number of right answers, PAUSE days after the last session */
    double minutes;
    double met, recalled; /* questions; share of answers to what was due that were right */
};

/* A whole course. */
static struct worth run_course(enum method method, enum order order, enum model model, uint64_t seed,
                               const struct course *course)
{
    struct run run = {
        .method = method, .order = order, .questions = course->questions, .parameters = fsrs_defaults
    };
    struct worth worth = { 0 };
    const int64_t first = 20000;
    run.items = calloc(QUESTIONS, sizeof *run.items);
    if (!run.items)
        die("no memory");
    learner_init(&run.learner, model, seed);
    learner_go(&run.learner, first, 0);
    run.learner.own_time = 0;
    for (int i = 0; i < course->questions; i++)
        memory_begin(&run.items[i].memory, &run.learner);
    for (int day = 0; day < DAYS; day++) {
        if (method == METHOD_FITTED && day == DAYS / 2)
            run_fit(&run);
        if (day < DAYS / 2 || day >= DAYS / 2 + course->away)
            run_session(&run, first + day, course->minutes * 60);
    }
    learner_go(&run.learner, first + DAYS - 1 + PAUSE, 18 * 3600);
    for (int i = 0; i < course->questions; i++) {
        if (i < run.met)
            worth.known += memory_recall(&run.items[i].memory, &run.learner);
        memory_end(&run.items[i].memory);
    }
    worth.minutes = run.seconds / 60;
    worth.met = run.met;
    worth.recalled = run.reviews ? (double)run.recalled / run.reviews : 0;
    free(run.items);
    return worth;
}

/* Mean and standard deviation. */
struct spread {
    double sum, squares;
    int count;
};

static void spread_add(struct spread *spread, double value)
{
    spread->sum += value;
    spread->squares += value * value;
    spread->count++;
}

static double spread_mean(const struct spread *spread)
{
    return spread->sum / spread->count;
}

static double spread_deviation(const struct spread *spread)
{
    double mean = spread_mean(spread);
    return sqrt(fmax(0, spread->squares / spread->count - mean * mean));
}

/* One row of a table; returns the mean kept per minute. `first`: what each learner keeps a minute by the row
 * that the others are compared with. */
static double print_row(const char *name, enum method method, enum order order, enum model model,
                        const struct course *course, int learners, double *first)
{
    struct spread rate = { 0 }, known = { 0 }, met = { 0 }, recalled = { 0 }, gain = { 0 }, minutes = { 0 };
    for (int i = 0; i < learners; i++) {
        struct worth worth = run_course(method, order, model, (uint64_t)i + 1, course);
        double kept = worth.known / worth.minutes;
        spread_add(&rate, kept);
        spread_add(&known, worth.known);
        spread_add(&met, worth.met);
        spread_add(&recalled, worth.recalled);
        spread_add(&minutes, worth.minutes);
        if (method == METHOD_OURS && order == ORDER_QUEUE)
            first[i] = kept;
        spread_add(&gain, kept / first[i] - 1);
    }
    printf("| %s | %s | %.0f %% | %.0f | %.0f ± %.0f | %.0f %% | %.0f | %.3f ± %.3f | %+.1f %% ± %.1f |\n",
           model_names[model], name, 100 * spread_mean(&recalled), spread_mean(&met), spread_mean(&known),
           spread_deviation(&known), 100 * spread_mean(&known) / spread_mean(&met), spread_mean(&minutes),
           spread_mean(&rate), spread_deviation(&rate), 100 * spread_mean(&gain),
           100 * spread_deviation(&gain));
    return spread_mean(&rate);
}

static void print_head(const struct course *course, const char *what)
{
    printf("\n%s:\n\n"
           "| memory | %s | right when due | met | kept | of those met | minutes | kept per minute | against "
           "quiztutor |\n| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
           course->text, what);
}

/* A table of all methods; whether FSRS at a lower retention is worth more than the old ones to those who
 * remember by it, without which something would be wrong. */
static bool print_methods(const struct course *course, int learners, double *first)
{
    bool best = true;
    print_head(course, "scheduler");
    for (int model = 0; model < MODELS; model++) {
        double kept[METHODS];
        for (int method = 0; method < METHODS; method++)
            kept[method] = print_row(method_names[method], (enum method)method, ORDER_QUEUE,
                                     (enum model)model, course, learners, first);
        if (model == MODEL_FSRS)
            best = kept[METHOD_FEWER] >= kept[METHOD_SM2] && kept[METHOD_FEWER] >= kept[METHOD_LEITNER];
    }
    return best;
}

int main(int argc, char **argv)
{
    int learners = argc > 1 ? atoi(argv[1]) : LEARNERS;
    double *first = learners > 0 ? calloc((size_t)learners, sizeof *first) : NULL;
    if (!first)
        die("usage: bench_practice [LEARNERS]");
    printf("%d learners, %d days of practice, then %d days of none; mean ± standard deviation\n", learners,
           DAYS, PAUSE);
    bool best = print_methods(&course_all, learners, first);
    best = print_methods(&course_part, learners, first) && best;
    print_head(&course_break, "order");
    for (int model = 0; model < MODELS; model++)
        for (int order = 0; order < ORDERS; order++)
            print_row(order_names[order], METHOD_OURS, (enum order)order, (enum model)model, &course_break,
                      learners, first);
    free(first);
    return best ? 0 : 1;
}
