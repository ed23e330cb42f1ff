/* `quiztutor` and `quiztutor practise`: choosing packs, store and front end. */
#include "front.h"
#include "opening.h"

#include <quiztutor/day.h>
#include <quiztutor/message.h>
#include <quiztutor/roster.h>
#include <quiztutor/terminal.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum front { FRONT_SCREENS, FRONT_PLAIN, FRONT_JSONL };

/* All that a run needs, and ends. */
struct run {
    struct application application;
    const struct pack **packs;
    ptrdiff_t pack_count, pack_capacity;
    enum front front;
    bool lists; /* the bare program: the library */
    struct store_scheduling scheduling;
    struct opening opening; /* of the store, while the packs are read */
};

static enum front run_choose_front(const struct invocation *invocation)
{
    if (invocation->options->values[OPTION_JSONL])
        return FRONT_JSONL;
    return front_has_screens(invocation) ? FRONT_SCREENS : FRONT_PLAIN;
}

/* What an exam takes and does not take. */
static bool run_exam_wishes(struct run *run, const struct options *given, struct error *error)
{
    static const enum option_id not_in_exams[] = { OPTION_MODE, OPTION_UNTIL };
    int64_t minutes;
    run->application.exam = given->values[OPTION_EXAM] != NULL;
    if (given->values[OPTION_MINUTES] && !run->application.exam)
        return error_set(error, ERROR_USAGE, "%s", tr("--minutes is for exams: it needs --exam"));
    if (!run->application.exam)
        return true;
    for (size_t i = 0; i < sizeof not_in_exams / sizeof *not_in_exams; i++)
        if (given->values[not_in_exams[i]])
            return error_set(error, ERROR_USAGE, tr("--exam and --%s exclude each other"),
                             option_rows[not_in_exams[i]].name);
    if (!given->values[OPTION_MINUTES])
        return true;
    if (!option_number(given, OPTION_MINUTES, 1, 1440, &minutes, error))
        return false;
    run->application.exam_minutes = (int)minutes;
    return true;
}

/* The day that is planned towards: today at the earliest. */
static bool run_until(struct run *run, const struct invocation *invocation, struct error *error)
{
    const char *text = invocation->options->values[OPTION_UNTIL];
    int64_t now = clock_wall(&run->application.clock);
    int64_t today = clock_day(now, clock_offset(&run->application.clock, now),
                              (int)invocation->settings->number[SETTING_DAY_STARTS]);
    if (!text)
        return true;
    if (!day_read(&run->application.options.until, text))
        return error_set(error, ERROR_USAGE, tr("--until takes a day as in 2027-01-31, not \"%s\""), text);
    if (run->application.options.until < today)
        return error_set(error, ERROR_USAGE, tr("--until takes a day to come; %s is past"), text);
    return true;
}

/* The wishes on the command line. */
static bool run_wishes(struct run *run, const struct invocation *invocation, struct error *error)
{
    const struct options *given = invocation->options;
    struct practice_options *options = &run->application.options;
    static const enum option_id not_on_resume[] = { OPTION_SEED, OPTION_MODE, OPTION_LIMIT, OPTION_TAG,
                                                    OPTION_UNTIL };
    int64_t number;
    for (size_t i = 0; given->values[OPTION_RESUME] && i < sizeof not_on_resume / sizeof *not_on_resume; i++)
        if (given->values[not_on_resume[i]])
            return error_set(error, ERROR_USAGE, tr("--resume goes on as the session began: leave out --%s"),
                             option_rows[not_on_resume[i]].name);
    if (given->values[OPTION_RESUME] && given->values[OPTION_RESTART])
        return error_set(error, ERROR_USAGE, "%s", tr("--resume and --restart exclude each other"));
    if (given->values[OPTION_PLAIN] && given->values[OPTION_JSONL])
        return error_set(error, ERROR_USAGE, "%s", tr("--plain and --jsonl exclude each other"));
    if (given->values[OPTION_MODE] && !plan_mode_read(&options->mode, given->values[OPTION_MODE]))
        return error_set(error, ERROR_USAGE,
                         tr("--mode takes due, new, mistakes, starred or all, not \"%s\""),
                         given->values[OPTION_MODE]);
    if (given->values[OPTION_LIMIT]) {
        if (!option_number(given, OPTION_LIMIT, 1, PACK_QUESTIONS, &number, error))
            return false;
        options->limit = (int)number;
    }
    if (given->values[OPTION_SEED]) {
        if (!option_number(given, OPTION_SEED, 1, UINT32_MAX, &number, error))
            return false;
        options->seed = (uint32_t)number;
    }
    options->tag = given->values[OPTION_TAG];
    run->application.wish = given->values[OPTION_RESUME]    ? WISH_RESUME
                            : given->values[OPTION_RESTART] ? WISH_RESTART
                                                            : WISH_ASK;
    return run_exam_wishes(run, given, error) && run_until(run, invocation, error);
}

/* What the settings say. */
static void run_settings(struct run *run, const struct invocation *invocation)
{
    static const char *const origins[] = {
        [FRONT_SCREENS] = "screen", [FRONT_PLAIN] = "plain", [FRONT_JSONL] = "jsonl"
    };
    const struct settings *settings = invocation->settings;
    struct application *application = &run->application;
    struct practice_options *options = &application->options;
    options->learner = settings->text[SETTING_LEARNER] ? settings->text[SETTING_LEARNER] : "learner";
    options->learner_is_login = strcmp(settings->origin[SETTING_LEARNER], "default") == 0;
    options->origin = origins[run->front];
    options->new_per_day = (int)settings->number[SETTING_NEW_PER_DAY];
    options->day_starts = (int)settings->number[SETTING_DAY_STARTS];
    options->certainty =
        invocation->options->values[OPTION_CERTAINTY] != NULL || settings->number[SETTING_CERTAINTY] != 0;
    options->scheduling = &run->scheduling;
    options->roster_closed = strcmp(settings->text[SETTING_ROSTER], "closed") == 0;
    application->theme = front_theme(settings);
    application->signs = front_signs(settings);
}

/* The pack of an exam may be chosen in the library, but somebody must be there to choose. */
static bool run_may_choose(const struct run *run, const struct invocation *invocation, struct error *error)
{
    if (!run->application.exam || invocation->argument_count || run->front == FRONT_SCREENS ||
        (run->front == FRONT_PLAIN && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)))
        return true;
    return error_set(error, ERROR_USAGE, "%s", tr("--exam needs a PACK"));
}

static bool run_find_packs(struct run *run, const struct invocation *invocation, struct error *error)
{
    for (int i = 0; i < invocation->argument_count; i++) {
        struct diagnostics list;
        diagnostics_init(&list);
        bool found = library_find(run->application.library, invocation->arguments[i], &run->packs,
                                  &run->pack_count, &run->pack_capacity, &list, error);
        if (list.errors) {
            struct buffer out;
            buffer_init(&out);
            diagnostics_print(&list, &out);
            fputs(buffer_get(&out), stderr);
            buffer_finish(&out);
        }
        diagnostics_finish(&list);
        if (!found)
            return false;
    }
    return true;
}

/* Whether something of a pack is due for a learner now: the first row of the index says so. −1: an error. */
static int run_is_due(struct run *run, const struct practice *learner, const struct pack *pack,
                      struct error *error)
{
    struct store_value parameters[] = { store_value_uuid(&learner->record.learner.id),
                                        store_value_text(pack->id),
                                        store_value_integer(practice_today(learner, NULL)),
                                        store_value_integer(clock_wall(&learner->clock)) };
    struct rows *rows;
    if (!rows_open(&rows, run->application.store, QUERY_DUE, parameters, 4, error))
        return -1;
    int step;
    while ((step = rows_step(rows, error)) == 1 && pack_find(pack, rows_text(rows, 0)) < 0)
        continue; /* gone from the pack */
    rows_close(rows);
    return step;
}

/* Without PACK: all packs of the library with something due. */
static bool run_find_due(struct run *run, struct error *error)
{
    struct application *application = &run->application;
    const struct library_entry *entries;
    struct practice learner;
    int count = 0;
    bool done = practice_init(&learner, application->store, application->clock, &application->options, error);
    if (done && learner.learner_known)
        done = library_list(application->library, &entries, &count, error);
    for (int i = 0; done && i < count; i++) {
        if (!entries[i].pack || entries[i].shadowed_by)
            continue;
        int due = run_is_due(run, &learner, entries[i].pack, error);
        done = due >= 0;
        if (due == 1)
            done = library_find(application->library, entries[i].pack->id, &run->packs, &run->pack_count,
                                &run->pack_capacity, NULL, error);
    }
    practice_finish(&learner);
    return done;
}

static bool run_open_store(struct run *run, struct error *error)
{
    struct store **store = &run->application.store;
    const struct store_options options = { .clock = run->application.clock, .scheduling = &run->scheduling };
    if (!opening_join(&run->opening, store, error)) {
        /* a mere list of what there is makes no store: without one, nothing was done yet */
        bool only_lists = run->front == FRONT_PLAIN && run->lists && !isatty(STDIN_FILENO);
        bool made =
            error->code == ERROR_NOT_FOUND && (only_lists ? store_open_memory(store, &options, error)
                                                          : opening_make(&run->opening, store, error));
        if (!made)
            return false;
    }
    if (run->opening.pulled.code)
        fprintf(stderr, tr("quiztutor: the roster that was fetched can't be taken over: %s\n"),
                run->opening.pulled.message);
    const char *warning = store_warning(run->application.store);
    if (warning)
        fprintf(stderr, "quiztutor: %s\n", warning);
    return true;
}

/* Whom the roster has as practising line by line gets no screens, whoever starts the program. */
static bool run_heed_roster(struct run *run, struct error *error)
{
    struct application *application = &run->application;
    struct store_learner learner;
    struct error missing = { 0 };
    struct arena arena;
    if (run->front != FRONT_SCREENS)
        return true;
    arena_init(&arena);
    bool found = store_find_learner(application->store, application->options.learner, &arena, &learner, NULL,
                                    &missing);
    arena_finish(&arena);
    application->large = found && learner.plain == ROSTER_LARGE;
    if (found && learner.plain == ROSTER_LINES) {
        run->front = FRONT_PLAIN;
        application->options.origin = "plain";
        terminal_forgo();
    }
    if (!found && missing.code != ERROR_NOT_FOUND)
        *error = missing;
    return found || missing.code == ERROR_NOT_FOUND;
}

static bool run_front(struct run *run, int *ending_signal, struct error *error)
{
    struct application *application = &run->application;
    switch (run->front) {
    case FRONT_SCREENS:
        return screens_run(application, ending_signal, error);
    case FRONT_PLAIN:
        return application->options.pack_count ? lines_run(application, false, error)
                                               : lines_library(application, error);
    case FRONT_JSONL:
        break;
    }
    return lines_run(application, true, error);
}

static int run_all(const struct invocation *invocation, bool practise)
{
    struct run run = { .application = { .clock = clock_system() } };
    struct error error = { 0 };
    int ending_signal = 0, status = STATUS_DONE;
    presenter_init(&run.application.presenter);
    bool done = run_wishes(&run, invocation, &error);
    if (done) {
        run.front = run_choose_front(invocation);
        run_settings(&run, invocation);
        run.lists = !practise;
        done = run_may_choose(&run, invocation, &error) &&
               command_scheduling(invocation->settings, &run.scheduling, &error);
    }
    if (done) {
        opening_start(&run.opening, invocation->settings->text[SETTING_STORE], run.application.clock,
                      &run.scheduling);
        if (run.front == FRONT_SCREENS)
            terminal_expect(); /* a key pressed while packs are read must not end the program */
    }
    done = done && command_library(invocation, &run.application.library, &error) &&
           run_find_packs(&run, invocation, &error) && run_open_store(&run, &error) &&
           run_heed_roster(&run, &error);
    /* an exam that is to be gone on with is handed in before its learner's eyes, should its time be up */
    bool resumes_exam = run.application.exam && run.application.wish == WISH_RESUME;
    if (done && !resumes_exam)
        application_hand_in(run.application.store, run.application.clock);
    if (done && practise && !invocation->argument_count && !run.application.exam)
        done = run_find_due(&run, &error);
    run.application.options.packs = run.packs;
    run.application.options.pack_count = (int)run.pack_count;
    done = done && run_front(&run, &ending_signal, &error);
    if (done && resumes_exam)
        application_hand_in(run.application.store, run.application.clock);
    if (!done)
        status = command_fail(&error);
    presenter_finish(&run.application.presenter);
    opening_finish(&run.opening);
    store_close(run.application.store);
    library_destroy(run.application.library);
    memory_free(run.packs);
    if (ending_signal) { /* the terminal is restored and all is kept: now end as the signal asked */
        signal(ending_signal, SIG_DFL);
        raise(ending_signal);
    }
    return status;
}

int command_home(const struct invocation *invocation)
{
    return run_all(invocation, false);
}

int command_practise(const struct invocation *invocation)
{
    return run_all(invocation, true);
}
