#include "kiosk_backup.h"
#include "command.h"

#include <quiztutor/heal.h>
#include <quiztutor/kiosk_config.h>
#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <stdio.h>
#include <string.h>

static const int64_t hour_ms = 3600000,
                     slack_ms = 600000; /* slack: the timer that asks does not ask on the minute */

static bool read_config(struct kiosk_config **config, const char *path, const struct clock *clock)
{
    struct kiosk_watch *watch = NULL;
    struct diagnostics list;
    struct error error = { 0 };
    struct buffer told;
    diagnostics_init(&list);
    buffer_init(&told);
    bool done = kiosk_config_load(config, &watch, path, clock, &list, &error);
    if (!done && list.count) {
        diagnostics_print(&list, &told);
        fputs(buffer_get(&told), stderr);
    } else if (!done) {
        command_fail(&error);
    }
    kiosk_watch_destroy(watch);
    buffer_finish(&told);
    diagnostics_finish(&list);
    return done;
}

static bool rotate(const struct kiosk_config *config, struct settings *settings, const struct clock *clock,
                   struct error *error)
{
    struct store_scheduling scheduling;
    struct store_options options = { .clock = *clock, .existing_only = true, .scheduling = &scheduling };
    struct store *store = NULL;
    struct buffer shown;
    char *made = NULL;
    int removed = 0;
    if (!command_scheduling(settings, &scheduling, error))
        return false;
    scheduling.day_starts =
        config->day_starts; /* as the kiosk has it: another one would have all schedules made anew */
    bool done = store_open(&store, config->store, &options, error) &&
                backup_rotate(store, config->backups.folder, config->backups.keep, &made, &removed, error);
    store_close(store);
    if (!done)
        return false;
    buffer_init(&shown);
    text_visible(&shown, made, (ptrdiff_t)strlen(made));
    printf("%s: %s\n", buffer_get(&shown), tr("the store as it is now"));
    if (removed)
        printf(ntr("%d older backup was removed\n", "%d older backups were removed\n", removed), removed);
    buffer_finish(&shown);
    memory_free(made);
    return true;
}

int kiosk_backup_run(struct settings *settings, const char *path)
{
    struct clock clock = clock_system();
    struct kiosk_config *config = NULL;
    struct error error = { 0 };
    bool is_due = false;
    if (!read_config(&config, path, &clock))
        return STATUS_FAILED;
    bool done = true;
    if (!config->backups.folder)
        puts(tr("the configuration asks for no backups"));
    else if ((done = backup_due(config->store, config->backups.folder,
                                config->backups.hours * hour_ms - slack_ms, clock_wall(&clock), &is_due,
                                &error)) &&
             !is_due)
        puts(tr("no backup is due yet"));
    else if (done)
        done = rotate(config, settings, &clock, &error);
    kiosk_config_destroy(config);
    if (done)
        return STATUS_DONE;
    if (error.code == ERROR_NOT_FOUND) { /* a kiosk that nobody has used yet */
        puts(tr("there is no store yet"));
        return STATUS_DONE;
    }
    return command_fail(&error);
}
