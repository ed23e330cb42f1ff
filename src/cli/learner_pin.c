/* `quiztutor learner pin`: sets a learner's PIN, takes it away, or makes a tutor's code. */
#include "learner.h"
#include "typed.h"

#include <quiztutor/line.h>
#include <quiztutor/message.h>
#include <quiztutor/pin.h>

#include <unistd.h>

/* What one call works with, and ends. */
struct pinning {
    struct store *store;
    struct arena arena;
    struct buffer out;
    const char *name; /* fit to be shown */
};

static bool set(struct pinning *pinning, const struct uuid *learner, struct error *error)
{
    struct typed typed;
    const char *prompt = arena_print(&pinning->arena, tr("PIN of %s: "), pinning->name);
    if (!prompt)
        return error_memory(error);
    bool done = typed_read(&typed, prompt, error);
    if (done && !pin_set(pinning->store, learner, typed.bytes, typed.length, error))
        done = error->code == ERROR_INPUT ? error_prefix(error, tr("the PIN can't be used")) : false;
    typed_wipe(&typed);
    if (done)
        buffer_print(&pinning->out, tr("%s has a new PIN\n"), pinning->name);
    return done;
}

static bool clear(struct pinning *pinning, const struct uuid *learner, struct error *error)
{
    bool was;
    if (!pin_clear(pinning->store, learner, &was, error))
        return false;
    buffer_print(&pinning->out, was ? tr("%s has no PIN any more\n") : tr("%s had no PIN\n"), pinning->name);
    return true;
}

static bool run(struct pinning *pinning, const struct invocation *invocation, struct error *error)
{
    static const enum option_id options[] = { OPTION_CLEAR, OPTION_CODE, OPTIONS };
    const char *const *values = invocation->options->values;
    struct store_learner learner;
    if (!learner_takes(invocation, options, error))
        return false;
    if (values[OPTION_CODE] && (values[OPTION_CLEAR] || invocation->argument_count))
        return error_set(error, ERROR_USAGE, "%s",
                         tr("learner pin --code takes nothing else: the code is nobody's"));
    if (values[OPTION_CODE])
        return typed_code_line(error);
    if (!invocation->argument_count)
        return error_set(error, ERROR_USAGE, "%s", tr("learner pin takes NAME, or --code"));
    if (!learner_open(invocation, false, &pinning->store, error) ||
        !learner_find(pinning->store, invocation->arguments[0], &pinning->arena, &learner, error))
        return false;
    pinning->name = learner_shown(&pinning->arena, learner.name);
    bool done = values[OPTION_CLEAR] ? clear(pinning, &learner.id, error) : set(pinning, &learner.id, error);
    if (done)
        done = pinning->out.failed ? error_memory(error) : line_write(STDOUT_FILENO, &pinning->out, error);
    return done;
}

int command_learner_pin(const struct invocation *invocation)
{
    struct pinning pinning = { 0 };
    struct error error = { 0 };
    arena_init(&pinning.arena);
    buffer_init(&pinning.out);
    bool done = run(&pinning, invocation, &error);
    buffer_finish(&pinning.out);
    store_close(pinning.store);
    arena_finish(&pinning.arena);
    return done ? STATUS_DONE : command_fail(&error);
}
