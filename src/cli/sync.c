/* `quiztutor sync`: a store and its centre are brought into step. */
#include "sync.h"
#include "stopping.h"
#include "tools.h"

#include <quiztutor/message.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { ROLES = 64 /* that are named at once */ };

/* ---- words ---- */

static bool report_progress(void *context, const struct sync_count *count)
{
    struct sync_round *round = context;
    struct clock clock = clock_system();
    round->count = *count;
    if (round->shows && count->total > 0) {
        double seconds = (double)(clock_steady(&clock) - round->began) / 1000;
        double rate = seconds > 0.5 ? (double)count->sent / seconds : 0;
        int64_t left = rate >= 1 ? (int64_t)((double)(count->total - count->sent) / rate) : 0;
        putc('\r', stderr);
        fprintf(stderr, tr("%lld of %lld rows"), (long long)count->sent, (long long)count->total);
        if (rate >= 1)
            fprintf(stderr, tr(", %lld a second, %lld:%02lld left"), (long long)rate, (long long)(left / 60),
                    (long long)(left % 60));
        fputs("\033[K", stderr);
        round->shown = true;
    }
    return !stopping_asked();
}

static void clear_progress(struct sync_round *round)
{
    if (round->shown)
        fputs("\r\033[K", stderr);
    round->shown = false;
}

void sync_words(struct buffer *out, const struct sync_round *round, bool summaries)
{
    const struct sync_count *count = &round->count;
    if (summaries) {
        buffer_print(
            out, ntr("%lld learner brought up to date", "%lld learners brought up to date", round->summaries),
            (long long)round->summaries);
        return;
    }
    if (count->no_store)
        buffer_text(out, tr("nothing to send, since there is no store yet"));
    else if (count->total == 0)
        buffer_text(out, tr("nothing waited to be sent"));
    else
        buffer_print(out, tr("%lld of %lld rows sent"), (long long)count->sent, (long long)count->total);
    if (count->again)
        buffer_text(out, tr(" (all of them looked at again: another centre, or another log)"));
    if (count->taken.parked)
        buffer_print(out,
                     ntr("; %lld can't be taken and is kept there, aside",
                         "; %lld can't be taken and are kept there, aside", count->taken.parked),
                     (long long)count->taken.parked);
    if (count->taken.erased)
        buffer_print(out,
                     ntr("; %lld of erased learners dropped", "; %lld of erased learners dropped",
                         count->taken.erased),
                     (long long)count->taken.erased);
    if (count->taken.notices)
        buffer_print(out,
                     ntr("; %lld notice for a tutor", "; %lld notices for a tutor", count->taken.notices),
                     (long long)count->taken.notices);
    if (count->pulled)
        buffer_print(out, ntr("; %lld change fetched", "; %lld changes fetched", count->pulled),
                     (long long)count->pulled);
}

/* ---- rounds ---- */

static bool store_path(const struct invocation *invocation, const char **path, struct error *error)
{
    *path = invocation->settings->text[SETTING_STORE];
    return *path || error_set(error, ERROR_NOT_FOUND, "%s",
                              tr("there is no home folder to keep a store in; name one with --store FILE"));
}

static bool round_sync(struct sync_round *round, struct error *error)
{
    struct clock clock = clock_system();
    struct sync_options options = {
        .address = round->address,
        .clock = clock,
        .progress = report_progress,
        .context = round,
        .learners = round->learners,
    };
    if (!store_path(round->invocation, &options.store_path, error))
        return false;
    round->began = clock_steady(&clock);
    bool done = sync_run(&options, &round->count, error);
    clear_progress(round);
    if (!done && error->code == ERROR_NOT_FOUND && central_can())
        error_set(error, ERROR_NOT_FOUND,
                  tr("there is no store at %s yet: practise first, or name another with --store FILE"),
                  options.store_path);
    return done;
}

static bool round_summaries(struct sync_round *round, struct error *error)
{
    return central_summaries(round->address, &round->summaries, error);
}

static int once(struct sync_round *round, sync_work *work, bool summaries)
{
    struct error error = { 0 };
    struct buffer words;
    bool done = work(round, &error);
    bool stopped = stopping_asked();
    buffer_init(&words);
    if (done || round->count.sent > 0)
        sync_words(&words, round, summaries);
    if (words.length > 0)
        printf("%s\n", buffer_get(&words));
    buffer_finish(&words);
    fflush(stdout);
    int status = done ? STATUS_DONE : command_fail(&error);
    stopping_end(stopped);
    return status;
}

/* ---- setting up ---- */

static bool init(const struct invocation *invocation, const char *address, struct error *error)
{
    const struct options *options = invocation->options;
    const char *machines[ROLES], *tutors[ROLES], *role;
    struct store_scheduling scheduling;
    struct central_setup setup = { .school = options->values[OPTION_SCHOOL],
                                   .machines = machines,
                                   .tutors = tutors,
                                   .scheduling = &scheduling };
    for (int at = 0; (role = option_next(options, OPTION_MACHINE, &at)) && setup.machine_count < ROLES;)
        machines[setup.machine_count++] = role;
    for (int at = 0; (role = option_next(options, OPTION_TUTOR, &at)) && setup.tutor_count < ROLES;)
        tutors[setup.tutor_count++] = role;
    if ((setup.machine_count || setup.tutor_count) && !setup.school)
        return error_set(error, ERROR_USAGE,
                         tr("whose school is it? --school NAME goes with --machine and --tutor"));
    return command_scheduling(invocation->settings, &scheduling, error) &&
           central_init(address, &setup, error);
}

static void say_ready(const struct invocation *invocation)
{
    const struct options *options = invocation->options;
    puts(tr("the central store is ready"));
    if (options->values[OPTION_MACHINE] || options->values[OPTION_TUTOR])
        puts(tr("roles that are new have no password yet: psql sets one with \\password ROLE"));
}

/* ---- the command ---- */

/* "60s", "5m", "1h", or seconds; in ms. */
static bool read_every(const char *text, int64_t *every, struct error *error)
{
    size_t digits = strspn(text, "0123456789");
    const char *unit = text + digits;
    int64_t seconds = 0, each = *unit == 'm' ? 60 : *unit == 'h' ? 3600 : 1;
    for (size_t i = 0; i < digits && seconds <= 86400; i++)
        seconds = seconds * 10 + (text[i] - '0');
    bool good = digits > 0 && (!*unit || (strchr("smh", *unit) && !unit[1]));
    seconds *= each;
    if (!good || seconds < 1 || seconds > 86400)
        return error_set(error, ERROR_USAGE,
                         tr("--every takes a time from 1s to 24h, as in 60s, 5m or 1h, not \"%s\""), text);
    *every = seconds * 1000;
    return true;
}

/* What goes together. */
static bool check(const struct invocation *invocation, struct error *error)
{
    static const enum option_id whole[] = { OPTION_INIT, OPTION_SUMMARIES, OPTION_PACKS, OPTION_STATUS };
    const char *const *values = invocation->options->values;
    const char *first = NULL;
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        if (!values[whole[i]])
            continue;
        if (first)
            return error_set(error, ERROR_USAGE, tr("--%s and --%s are two jobs; one at a time"), first,
                             option_rows[whole[i]].name);
        first = option_rows[whole[i]].name;
    }
    if (!values[OPTION_INIT] && (values[OPTION_SCHOOL] || values[OPTION_MACHINE] || values[OPTION_TUTOR]))
        return error_set(error, ERROR_USAGE, tr("--school, --machine and --tutor go with --init"));
    if (values[OPTION_EVERY] && first && !values[OPTION_SUMMARIES])
        return error_set(error, ERROR_USAGE, tr("--every does not go with --%s"), first);
    if (values[OPTION_JSON] && !values[OPTION_STATUS])
        return error_set(error, ERROR_USAGE, tr("--json goes with --status"));
    if (invocation->argument_count != (values[OPTION_STATUS] ? 0 : 1))
        return error_set(error, ERROR_USAGE,
                         values[OPTION_STATUS]
                             ? tr("sync --status takes no address")
                             : tr("sync needs an address: postgresql://ROLE@HOST/DATABASE"));
    return values[OPTION_STATUS] || central_address_check(invocation->arguments[0], error);
}

static int run(const struct invocation *invocation, int64_t every)
{
    const char *const *values = invocation->options->values;
    struct hash learners = { { 0 } };
    struct sync_round round = { .invocation = invocation,
                                .address = invocation->arguments[0],
                                .learners = every ? &learners : NULL,
                                .shows = !every && isatty(STDERR_FILENO) == 1 };
    bool summaries = values[OPTION_SUMMARIES] != NULL;
    sync_work *work = summaries ? round_summaries : round_sync;
    stopping_watch();
    central_set_stop(stopping_asked);
    return every ? sync_every(&round, work, every, summaries) : once(&round, work, summaries);
}

int command_sync(const struct invocation *invocation)
{
    const char *const *values = invocation->options->values;
    struct error error = { 0 };
    int64_t every = 0;
    if (!check(invocation, &error) ||
        (values[OPTION_EVERY] && !read_every(values[OPTION_EVERY], &every, &error)))
        return command_fail(&error);
    if (values[OPTION_STATUS])
        return sync_status(invocation);
    if (!central_can() && !tools_need(invocation, true, tr("a central store"), "libpq", &error))
        return command_fail(&error);
    if (values[OPTION_INIT]) {
        if (!init(invocation, invocation->arguments[0], &error))
            return command_fail(&error);
        say_ready(invocation);
        return STATUS_DONE;
    }
    if (values[OPTION_PACKS])
        return sync_packs(invocation, invocation->arguments[0], &error) ? STATUS_DONE : command_fail(&error);
    return run(invocation, every);
}
