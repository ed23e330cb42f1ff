/* `quiztutor kiosk`: the locked-down front end, from its first line on. */
#include "kiosk.h"

#include "command.h"
#include "kiosk_backup.h"
#include "kiosk_check.h"
#include "kiosk_status.h"
#include "typed.h"

#include <quiztutor/kiosk.h>
#include <quiztutor/kiosk_config.h>
#include <quiztutor/lock.h>
#include <quiztutor/message.h>
#include <quiztutor/terminal.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool locked;
static struct error lock_error; /* told once messages can be */

/* `kiosk`, alone or with --config: any other option, wherever it stands and however it is cut short, means
 * something else, or nothing. */
bool kiosk_is_meant(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "kiosk") != 0)
        return false;
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "--config") == 0 && i + 1 < argc)
            i++;
        else if (strncmp(argv[i], "--config=", strlen("--config=")) != 0)
            return false;
    }
    return true;
}

void kiosk_lock(void)
{
    lock_signals();
    locked = lock_process(&lock_error) && lock_environment(&lock_error);
}

bool kiosk_is_locked(void)
{
    return locked;
}

/* The path from / on. */
static char *kiosk_path(const char *given, struct error *error)
{
    char *folder = *given == '/' ? NULL : getcwd(NULL, 0);
    struct buffer out;
    buffer_init(&out);
    if (*given != '/')
        buffer_print(&out, "%s/", folder ? folder : "");
    buffer_text(&out, given);
    free(folder);
    char *path = out.failed ? NULL : memory_text(buffer_get(&out));
    buffer_finish(&out);
    if (!path)
        error_memory(error);
    return path;
}

static bool has_screens(void)
{
    const char *term = getenv("TERM");
    struct error error;
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && !(term && strcmp(term, "dumb") == 0) &&
           terminal_usable(&error);
}

/* What is said there nobody hears: closed at the start, or meant so. */
static bool goes_nowhere(int fd)
{
    struct stat one, nothing;
    return fstat(fd, &one) == 0 && stat("/dev/null", &nothing) == 0 && S_ISCHR(one.st_mode) &&
           one.st_rdev == nothing.st_rdev;
}

static int kiosk_start(const char *path)
{
    struct error nowhere;
    if (goes_nowhere(STDOUT_FILENO)) {
        error_set(&nowhere, ERROR_IO, "%s",
                  tr("standard output is closed: a kiosk needs a terminal to show itself on"));
        return command_fail(&nowhere);
    }
    struct kiosk_setup setup = { .config = path, .clock = clock_system(), .screens = has_screens() };
    struct error error = { 0 };
    enum kiosk_end end = KIOSK_END_STOPPED;
    if (!kiosk_run(&setup, &end, &error))
        return command_fail(&error);
    return end == KIOSK_END_LEFT ? KIOSK_STATUS_LEFT : STATUS_DONE;
}

int command_kiosk(const struct invocation *invocation)
{
    const char *const *given = invocation->options->values;
    struct error error = lock_error;
    if (given[OPTION_CODE] && !given[OPTION_CHECK] && !given[OPTION_STATUS] && !given[OPTION_BACKUP] &&
        !given[OPTION_CONFIG])
        return typed_code_line(&error) ? STATUS_DONE : command_fail(&error);
    if (error.code)
        return command_fail(&error);
    bool looks =
        !!given[OPTION_CHECK] + !!given[OPTION_STATUS] + !!given[OPTION_BACKUP] == 1 && !given[OPTION_CODE];
    if (!locked && !looks) {
        error_set(&error, ERROR_USAGE, "%s",
                  tr("kiosk takes --config FILE, spelt out and with no other option than one of --check, "
                     "--status and --backup"));
        return command_fail(&error);
    }
    char *path = kiosk_path(given[OPTION_CONFIG] ? given[OPTION_CONFIG] : KIOSK_CONFIG, &error);
    if (!path)
        return command_fail(&error);
    bool json = given[OPTION_JSON] != NULL;
    int status = !looks                 ? kiosk_start(path)
                 : given[OPTION_BACKUP] ? kiosk_backup_run(invocation->settings, path)
                 : given[OPTION_CHECK]  ? kiosk_check_run(invocation->settings, path, json)
                                        : kiosk_status_run(invocation->settings, path, json);
    memory_free(path);
    return status;
}
