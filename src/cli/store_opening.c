/* Opening the store for the commands that look at it or look after it. */
#include "command.h"
#include "tools.h"

#include <quiztutor/central.h>
#include <quiztutor/message.h>

#include <stdio.h>

bool command_scheduling(struct settings *settings, struct store_scheduling *scheduling, struct error *error)
{
    int count = settings->share_count;
    struct store_retention *by_pack =
        count ? arena_alloc(&settings->arena, (ptrdiff_t)sizeof *by_pack * count) : NULL;
    if (count && !by_pack)
        return error_memory(error);
    for (int i = 0; i < count; i++)
        by_pack[i] = (struct store_retention){ settings->shares[i].pack, settings->shares[i].share };
    *scheduling = (struct store_scheduling){
        .day_starts = (int)settings->number[SETTING_DAY_STARTS],
        .retention = settings->number[SETTING_RETENTION],
        .by_pack = by_pack,
        .by_pack_count = count,
    };
    return true;
}

/* What can be told, and done, of a central store; all else is for stores on this machine, which store_open
 * says. */
static bool takes_central(const struct invocation *invocation)
{
    switch (invocation->command - command_rows) {
    case COMMAND_ID_CHECK:
    case COMMAND_ID_REPORT:
    case COMMAND_ID_REGRADE:
    case COMMAND_ID_LEARNER:
        return true;
    default:
        return false;
    }
}

/* In the second program: the first one goes on as that. */
static bool open_central(const struct invocation *invocation, const char *address,
                         const struct store_options *options, struct store **store, struct error *error)
{
    return central_address_check(address, error) &&
           (central_can() || tools_need(invocation, true, tr("a central store"), "libpq", error)) &&
           central_store_open(store, address, options, error);
}

static bool open_store(const struct invocation *invocation, const char *path, struct store_options options,
                       struct store **store, struct error *error)
{
    struct store_scheduling scheduling;
    options.clock = clock_system();
    options.scheduling = &scheduling;
    *store = NULL;
    if (!path)
        return error_set(error, ERROR_NOT_FOUND, "%s",
                         tr("there is no home folder to keep a store in; name one with --store FILE"));
    if (!command_scheduling(invocation->settings, &scheduling, error))
        return false;
    bool central = central_is_address(path) && takes_central(invocation);
    if (central && !open_central(invocation, path, &options, store, error))
        return false;
    if (!central && !store_open(store, path, &options, error)) {
        if (error->code == ERROR_NOT_FOUND)
            error_set(error, ERROR_NOT_FOUND,
                      tr("there is no store at %s yet: practise first, or name another with --store FILE"),
                      path);
        return false;
    }
    const char *warning = store_warning(*store);
    if (warning)
        fprintf(stderr, "quiztutor: %s\n", warning);
    return true;
}

bool command_open_store(const struct invocation *invocation, struct store **store, struct error *error)
{
    return open_store(invocation, invocation->settings->text[SETTING_STORE],
                      (struct store_options){ .existing_only = true }, store, error);
}

bool command_read_store(const struct invocation *invocation, const char *path, struct store **store,
                        struct error *error)
{
    return open_store(invocation, path, (struct store_options){ .existing_only = true, .reading = true },
                      store, error);
}

bool command_make_store(const struct invocation *invocation, struct store **store, struct error *error)
{
    return open_store(invocation, invocation->settings->text[SETTING_STORE], (struct store_options){ 0 },
                      store, error);
}
