/*
 * `quiztutor schedule fit`: fits the scheduler's parameters to the earlier answers of a learner, or of
 * everyone, and keeps them when they predict the later answers better than the parameters in force.
 */
#include "command.h"
#include "stopping.h"

#include <quiztutor/fit.h>
#include <quiztutor/json.h>
#include <quiztutor/message.h>

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FITTED_SHARE 0.8 /* of the usable answers, in time; the rest is what parameters are judged by */

/* All that is known of one fit. */
struct job {
    struct store *store;
    const char *name; /* the learner's; NULL: everyone */
    struct uuid id;   /* zero for everyone */

    struct fit_history *histories;
    ptrdiff_t *starts; /* of the histories, in answers */
    struct fit_answer *answers;
    ptrdiff_t count, history_room, start_room, answer_count, answer_room;

    int64_t usable, split;
    struct fsrs_parameters old, fitted;
    int origin; /* of the old ones: 2 own, 1 everyone's, 0 defaults */
    struct fit_figures before, after;
    bool better;
    bool shows; /* progress, on a terminal */
    int percent;
};

static bool job_stopped(struct error *error)
{
    return error_set(error, ERROR_INTERRUPTED, "%s", tr("stopped: nothing was changed"));
}

/* One history more; false without memory or when told to end. */
static bool job_take(void *context, const struct uuid *learner, const char *pack_id, const char *question_id,
                     const struct store_answer *answers, int count)
{
    struct job *job = context;
    (void)learner, (void)pack_id, (void)question_id;
    if (stopping_asked() ||
        !memory_grow(&job->histories, &job->history_room, job->count + 1, sizeof *job->histories) ||
        !memory_grow(&job->starts, &job->start_room, job->count + 1, sizeof *job->starts) ||
        !memory_grow(&job->answers, &job->answer_room, job->answer_count + count, sizeof *job->answers))
        return false;
    job->starts[job->count] = job->answer_count;
    job->histories[job->count++].count = count;
    for (int i = 0; i < count; i++) {
        int64_t days = i && answers[i].day > answers[i - 1].day ? answers[i].day - answers[i - 1].day : 0;
        job->answers[job->answer_count++] =
            (struct fit_answer){ answers[i].grade, days < FSRS_LONGEST ? (int)days : FSRS_LONGEST,
                                 answers[i].at };
    }
    return true;
}

static bool job_read(struct job *job, struct error *error)
{
    struct error why = { 0 };
    ptrdiff_t seen = job->count;
    if (!store_histories(job->store, job->name ? &job->id : NULL, job_take, job, &why)) {
        if (stopping_asked())
            return job_stopped(error);
        *error = why;
        return why.code ? false : error_memory(error);
    }
    if (stopping_asked())
        return job_stopped(error);
    for (ptrdiff_t i = seen; i < job->count; i++)
        job->histories[i].answers = job->answers + job->starts[i];
    job->usable = fit_usable(job->histories, job->count);
    return true;
}

/* One line on the terminal, written over and over. */
static void job_show(struct job *job, int percent)
{
    if (!job->shows || percent == job->percent)
        return;
    job->percent = percent;
    fprintf(stderr, "\r");
    fprintf(stderr, ntr("fitting to %lld answer: %d %%", "fitting to %lld answers: %d %%", job->usable),
            (long long)job->usable, percent);
}

static void job_show_end(const struct job *job)
{
    if (job->percent >= 0)
        fprintf(stderr, "\n");
}

static bool job_progress(void *context, double done)
{
    job_show(context, (int)(done * 100));
    return !stopping_asked();
}

static bool job_fit(struct job *job, struct error *error)
{
    if (!store_parameters(job->store, &job->id, &job->old, &job->origin, error))
        return false;
    if (!fit_split(job->histories, job->count, FITTED_SHARE, &job->split))
        return error_memory(error);
    job->percent = -1;
    job_show(job, 0);
    bool done =
        fit_parameters(&job->fitted, job->histories, job->count, job->split, job_progress, job, error);
    job_show_end(job);
    if (!done)
        return false;
    if (!fit_measure(&job->before, &job->old, job->histories, job->count, job->split, INT64_MAX) ||
        !fit_measure(&job->after, &job->fitted, job->histories, job->count, job->split, INT64_MAX))
        return error_memory(error);
    job->better = job->after.log_loss < job->before.log_loss;
    return true;
}

static void json_figures(struct json *json, const char *key, const char *origin,
                         const struct fsrs_parameters *parameters, const struct fit_figures *figures)
{
    json_key(json, key);
    json_open(json, '{');
    json_key(json, "parameters");
    json_text(json, origin);
    json_key(json, "log_loss");
    json_number(json, figures->log_loss);
    json_key(json, "rmse_bins");
    json_number(json, figures->rmse_bins);
    json_key(json, "auc");
    json_number(json, figures->auc);
    json_key(json, "weights");
    json_open(json, '[');
    for (int i = 0; i < FSRS_WEIGHTS; i++)
        json_number(json, parameters->weights[i]);
    json_close(json, ']');
    json_close(json, '}');
}

static bool job_enough(const struct job *job)
{
    return job->usable >= FIT_LEAST;
}

/* What the fit found, for --json and to be kept beside the parameters. */
static void job_json(const struct job *job, struct buffer *out)
{
    static const char *const origins[] = { "default", "everyone", "own" };
    struct json json;
    json_init(&json, out);
    json_open(&json, '{');
    json_key(&json, "learner");
    json_text(&json, job->name);
    json_key(&json, "usable");
    json_integer(&json, job->usable);
    json_key(&json, "needed");
    json_integer(&json, FIT_LEAST);
    if (job_enough(job)) {
        json_key(&json, "fitted_to");
        json_integer(&json, job->usable - job->before.answers);
        json_key(&json, "held_out");
        json_integer(&json, job->before.answers);
        json_key(&json, "held_out_since");
        json_integer(&json, job->split);
        json_figures(&json, "old", origins[job->origin], &job->old, &job->before);
        json_figures(&json, "new", "fitted", &job->fitted, &job->after);
    }
    json_key(&json, "kept");
    json_bool(&json, job->better);
    json_close(&json, '}');
}

static bool job_keep(struct job *job, struct error *error)
{
    struct buffer report;
    if (!job->better)
        return true;
    if (stopping_asked())
        return job_stopped(error);
    buffer_init(&report);
    job_json(job, &report);
    bool done = !report.failed ? store_set_parameters(job->store, job->name ? &job->id : NULL, &job->fitted,
                                                      buffer_get(&report), error)
                               : error_memory(error);
    buffer_finish(&report);
    return done;
}

/* A figure's line: its name, old, new, and which way is better. */
static void print_figure(const char *name, int width, double before, double after, const char *better)
{
    printf("%s%*s  %8.4f  %8.4f  %s\n", name, width - text_columns(name), "", before, after, better);
}

/* Text flush right in eight columns, after two. */
static void print_right(const char *text)
{
    int pad = 8 - text_columns(text);
    printf("  %*s%s", pad > 0 ? pad : 0, "", text);
}

static void print_table(const struct job *job)
{
    const char *const names[] = { tr("log loss"), "RMSE(bins)", "AUC" };
    int width = 0;
    for (int i = 0; i < 3; i++)
        width = text_columns(names[i]) > width ? text_columns(names[i]) : width;
    printf("%*s", width, "");
    print_right(tr("old"));
    print_right(tr("new"));
    printf("\n");
    print_figure(names[0], width, job->before.log_loss, job->after.log_loss, tr("lower is better"));
    print_figure(names[1], width, job->before.rmse_bins, job->after.rmse_bins, tr("lower is better"));
    print_figure(names[2], width, job->before.auc, job->after.auc, tr("higher is better"));
    printf("\n%s\n%s\n%s\n\n",
           tr("log loss: minus the logarithm of the chance that was given to what\n"
              "  happened, on average over the answers."),
           tr("RMSE(bins): how far the share predicted to be recalled is from the share that\n"
              "  was, over bins of like answers (days since the last one, answers so far,\n"
              "  lapses so far); the root of the mean square, each bin as heavy as it is large."),
           tr("AUC: how often, of one answer that was recalled and one that was not, the\n"
              "  recalled one had been given the higher chance; 0.5 is what guessing reaches."));
}

static void print_day(char *text, size_t size, int64_t at)
{
    struct clock clock = clock_system();
    time_t seconds = (time_t)(at / 1000 + clock_offset(&clock, at));
    struct tm day;
    *text = '\0';
    if (gmtime_r(&seconds, &day))
        strftime(text, size, "%Y-%m-%d", &day);
}

static void print_found(const struct job *job)
{
    static const char *const origins[] = {
        N_("The old parameters are the defaults of FSRS-6."),
        N_("The old parameters are those fitted to everyone's answers."),
        N_("The old parameters are those fitted to this learner's answers before."),
    };
    char day[32];
    print_day(day, sizeof day, job->split);
    printf(ntr("%lld usable answer: fitted to the first %lld,\njudged by the %lld from %s on.",
               "%lld usable answers: fitted to the first %lld,\njudged by the %lld from %s on.", job->usable),
           (long long)job->usable, (long long)(job->usable - job->before.answers),
           (long long)job->before.answers, day);
    printf("\n%s\n\n", tr(origins[job->origin]));
    print_table(job);
}

/* What comes of it. */
static void print_verdict(const struct job *job)
{
    if (!job->better)
        printf("%s\n", tr("The new parameters do not predict better: nothing was changed."));
    else if (job->name)
        printf(tr("The new parameters predict better. They are kept for %s, and the schedules\n"
                  "were made anew with them: some questions will be due sooner or later.\n"),
               job->name);
    else
        printf("%s\n", tr("The new parameters predict better. They are kept for everyone without their own,\n"
                          "and the schedules were made anew with them: some questions will be due sooner\n"
                          "or later."));
}

static void print_too_few(const struct job *job)
{
    printf(ntr("%lld usable answer, and a fit needs %d: nothing was changed.\n",
               "%lld usable answers, and a fit needs %d: nothing was changed.\n", job->usable),
           (long long)job->usable, FIT_LEAST);
    printf("%s\n", tr("Usable is an answer that was given at least a day after the one before it to the\n"
                      "same question. The first answer to a question, further ones on the same day, and\n"
                      "what was left out or taken back do not count."));
}

/* Whose answers: everyone's, unless a learner is named on the command line. */
static bool job_whose(struct job *job, const struct invocation *invocation, struct arena *arena,
                      struct error *error)
{
    const char *given = invocation->options->values[OPTION_LEARNER], *nearest = NULL;
    struct store_learner learner;
    if (!given)
        return true;
    if (!store_find_learner(job->store, given, arena, &learner, &nearest, error)) {
        if (error->code == ERROR_NOT_FOUND && nearest)
            error_set(error, ERROR_NOT_FOUND, tr("no learner \"%s\" in the store; did you mean \"%s\"?"),
                      given, nearest);
        return false;
    }
    job->name = learner.name;
    job->id = learner.id;
    return true;
}

static bool job_run(struct job *job, bool json, struct error *error)
{
    struct buffer out;
    if (!job_read(job, error))
        return false;
    if (job_enough(job) && !job_fit(job, error))
        return false;
    if (!json && job_enough(job))
        print_found(job);
    else if (!json)
        print_too_few(job);
    if (!job_keep(job, error))
        return false;
    if (!json) {
        if (job_enough(job))
            print_verdict(job);
        return true;
    }
    buffer_init(&out);
    job_json(job, &out);
    bool done = out.failed ? error_memory(error) : true;
    if (done)
        printf("%s\n", buffer_get(&out));
    buffer_finish(&out);
    return done;
}

int command_schedule_fit(const struct invocation *invocation)
{
    struct job job = { .percent = -1, .shows = isatty(STDERR_FILENO) == 1 };
    struct arena arena;
    struct error error = { 0 };
    arena_init(&arena);
    stopping_watch();
    bool done = command_open_store(invocation, &job.store, &error);
    if (done)
        application_hand_in(job.store, clock_system());
    done = done && job_whose(&job, invocation, &arena, &error) &&
           job_run(&job, invocation->options->values[OPTION_JSON] != NULL, &error);
    store_close(job.store);
    memory_free(job.histories);
    memory_free(job.starts);
    memory_free(job.answers);
    arena_finish(&arena);
    int status = done ? STATUS_DONE : command_fail(&error);
    stopping_end(!done && error.code == ERROR_INTERRUPTED);
    return status;
}
