#include "command.h"
#include "kiosk.h"
#include "tools.h"

#include <quiztutor/message.h>

#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static const struct command_row *main_find_command(const struct options *options, struct error *error)
{
    if (!options->argument_count)
        return &command_rows[COMMAND_ID_HOME];
    const char *names[2 * COMMANDS];
    int count = 0;
    for (int i = 0; i < COMMANDS; i++) {
        const struct command_row *row = &command_rows[i];
        if (row->name && strcmp(row->name, options->arguments[0]) == 0)
            return row;
        if (row->alias && strcmp(row->alias, options->arguments[0]) == 0)
            return row;
        if (row->name)
            names[count++] = row->name;
        if (row->alias)
            names[count++] = row->alias;
    }
    const char *nearest = text_nearest(options->arguments[0], names, count);
    struct buffer shown;
    buffer_init(&shown);
    text_visible(&shown, options->arguments[0], (ptrdiff_t)strlen(options->arguments[0]));
    if (nearest)
        error_set(error, ERROR_USAGE, tr("no command \"%s\"; did you mean \"%s\"? See quiztutor --help"),
                  buffer_get(&shown), nearest);
    else
        error_set(error, ERROR_USAGE, tr("no command \"%s\"; see quiztutor --help"), buffer_get(&shown));
    buffer_finish(&shown);
    return NULL;
}

/* Every option given must be one that the command takes, and the arguments as many. */
static bool main_check(const struct command_row *command, const struct options *options, struct error *error)
{
    unsigned bit = 1u << (command - command_rows);
    const char *name = command->name ? command->name : "quiztutor";
    int arguments = options->argument_count - (command->name != NULL);
    for (int i = 0; i < OPTIONS; i++)
        if (options->values[i] && !(option_rows[i].commands & bit))
            return error_set(error, ERROR_USAGE, tr("%s has no option --%s"), name, option_rows[i].name);
    if (arguments < command->least)
        return error_set(error, ERROR_USAGE, tr("%s needs an argument: %s"), name, tr(command->arguments));
    if (command->most >= 0 && arguments > command->most)
        return error_set(error, ERROR_USAGE, tr("%s takes no argument \"%s\""), name,
                         options->arguments[options->argument_count - 1]);
    return true;
}

/* Settings from files and environment, then what the command line says. */
static int main_settings(struct settings *settings, const struct options *options)
{
    static const struct {
        enum option_id option;
        enum setting setting;
    } over[] = { { OPTION_STORE, SETTING_STORE },
                 { OPTION_CONTENT, SETTING_CONTENT },
                 { OPTION_LEARNER, SETTING_LEARNER } };
    struct diagnostics list;
    struct error error = { 0 };
    int status = STATUS_DONE;
    diagnostics_init(&list);
    if (!settings_load(settings, &list, &error)) {
        struct buffer out;
        buffer_init(&out);
        diagnostics_print(&list, &out);
        fputs(buffer_get(&out), stderr);
        buffer_finish(&out);
        status = error.code ? command_fail(&error) : STATUS_FAILED;
    }
    for (size_t i = 0; i < sizeof over / sizeof *over && status == STATUS_DONE; i++)
        if (options->values[over[i].option] &&
            !settings_set(settings, over[i].setting, options->values[over[i].option], tr("command line"),
                          &error))
            status = command_fail(&error);
    diagnostics_finish(&list);
    return status;
}

static int main_run(const struct command_row *command, const struct options *options, char **argv)
{
    struct settings settings;
    struct error error;
    int status = STATUS_DONE; /* a kiosk is told by its own file alone */
    if (!kiosk_is_locked())
        status = main_settings(&settings, options);
    else if (!settings_defaults(&settings, &error))
        status = command_fail(&error);
    int skip = command->name != NULL;
    struct invocation invocation = {
        .command = command,
        .options = options,
        .settings = &settings,
        .arguments = options->arguments + skip,
        .argument_count = options->argument_count - skip,
        .argv = argv,
    };
    if (status == STATUS_DONE)
        status = command->run(&invocation);
    settings_finish(&settings);
    return status;
}

static int main_start(int argc, char **argv)
{
    struct options options;
    struct error error = { 0 };
    message_start();
    tools_start();
    if (!hash_start()) {
        error_set(&error, ERROR_IO, "%s", tr("the system gives no random numbers"));
        return command_fail(&error);
    }
    if (!options_parse(&options, argc, argv, &error))
        return command_fail(&error);
    if (options.values[OPTION_JSONL])
        setlocale(LC_MESSAGES, "C"); /* JSON lines never follow the locale */
    if (options.values[OPTION_VERSION]) {
        puts("quiztutor " QUIZTUTOR_VERSION QUIZTUTOR_FEATURES);
        return STATUS_DONE;
    }
    if (options.values[OPTION_PRINT_TABLES]) {
        help_tables();
        return STATUS_DONE;
    }
    if (options.values[OPTION_HELP] && !options.argument_count) {
        help_program();
        return STATUS_DONE;
    }
    const struct command_row *command = main_find_command(&options, &error);
    if (!command)
        return command_fail(&error);
    if (options.values[OPTION_HELP]) {
        help_command(command);
        return STATUS_DONE;
    }
    if (!main_check(command, &options, &error))
        return command_fail(&error);
    return main_run(command, &options, argv);
}

/* What stdio still holds is part of the job: a full disk or a reader that left must not look like success. */
static int main_flush(int status)
{
    struct error error = { 0 };
    errno = 0;
    bool failed = fflush(stdout) != 0;
    if ((!failed && !ferror(stdout)) || status != STATUS_DONE)
        return status;
    error_set(&error, errno == EPIPE ? ERROR_CLOSED : ERROR_IO, tr("the output can't be written: %s"),
              strerror(errno ? errno : EIO));
    return command_fail(&error);
}

int main(int argc, char **argv)
{
    if (kiosk_is_meant(argc, argv)) /* before a key or a signal could end it */
        kiosk_lock();
    signal(SIGPIPE, SIG_IGN); /* a reader that left is a failed write, told as such */
    return main_flush(main_start(argc, argv));
}
