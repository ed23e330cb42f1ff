/* kiosk_state CONFIG check|status [--json]: what `quiztutor kiosk` calls, without the command line before it.
 */
#include "command.h"
#include "kiosk_status.h"

#include <quiztutor/hash.h>
#include <quiztutor/message.h>
#include <quiztutor/run.h>

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { NOTHING = 9 };

/* What the rest of the command line would say. */
int command_fail(const struct error *error)
{
    fprintf(stderr, "kiosk_state: %s\n", error->message);
    return STATUS_FAILED;
}

static bool add_event(struct store *store, struct error *error)
{
    struct clock clock = clock_system();
    struct store_event event = { .kind = "kiosk", .body = "{\"what\":\"test\"}", .at = clock_wall(&clock) };
    uuid_make(&event.id, event.at);
    return store_add_event(store, NULL, &event, NULL, error);
}

static int stay(const char *path, bool write)
{
    struct store_options options = { .clock = clock_system(), .second_log = true };
    struct store *store = NULL;
    struct error error = { .code = ERROR_NONE };
    struct run run;
    struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
    bool done = store_open(&store, path, &options, &error) && run_begin(&run, store, &error);
    if (done) {
        puts("up");
        fflush(stdout);
    }
    while (done && poll(&input, 1, write ? 0 : -1) == 0)
        done = add_event(store, &error);
    done = done && run_end(&run, store, &error);
    store_close(store);
    return done ? STATUS_DONE : command_fail(&error);
}

int main(int argc, char **argv)
{
    struct settings settings;
    struct error error = { .code = ERROR_NONE };
    message_start();
    if (argc < 3 || !hash_start())
        return NOTHING;
    if (strcmp(argv[2], "run") == 0 || strcmp(argv[2], "write") == 0)
        return stay(argv[1], strcmp(argv[2], "write") == 0);
    if (!settings_defaults(&settings, &error)) {
        settings_finish(&settings);
        return NOTHING;
    }
    bool json = argc > 3 && strcmp(argv[3], "--json") == 0;
    int status = strcmp(argv[2], "check") == 0 ? kiosk_check_run(&settings, argv[1], json)
                                               : kiosk_status_run(&settings, argv[1], json);
    settings_finish(&settings);
    return status;
}
