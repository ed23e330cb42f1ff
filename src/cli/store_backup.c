/* `quiztutor store backup` and `store restore`. */
#include "learner.h"

#include <quiztutor/backup.h>
#include <quiztutor/heal.h>
#include <quiztutor/line.h>
#include <quiztutor/message.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { KEEP = 14 /* rotating backups, where it is not said */ };

static int write_line(struct buffer *out)
{
    struct error error = { 0 };
    bool done = out->failed ? error_memory(&error) : line_write(STDOUT_FILENO, out, &error);
    buffer_finish(out);
    return done ? STATUS_DONE : command_fail(&error);
}

static void print_backup(struct buffer *out, const char *path)
{
    text_visible(out, path, (ptrdiff_t)strlen(path));
    buffer_print(out, ": %s\n", tr("the store as it is now"));
}

/* One file, as named. */
static bool copy_store(const struct invocation *invocation, struct store *store, struct buffer *out,
                       struct error *error)
{
    bool known;
    if (!backup_write(store, invocation->arguments[0], &known, error))
        return false;
    if (!known)
        fprintf(stderr, "quiztutor: %s\n",
                tr("the store can't be written, so it does not know of this backup: erasing a learner will "
                   "not find it"));
    print_backup(out, invocation->arguments[0]);
    return true;
}

static bool rotate(const struct invocation *invocation, struct store *store, struct buffer *out,
                   struct error *error)
{
    int64_t keep = KEEP;
    int removed;
    char *made;
    const struct options *options = invocation->options;
    if (options->values[OPTION_KEEP] && !option_number(options, OPTION_KEEP, 1, BACKUPS_MOST, &keep, error))
        return false;
    if (!backup_rotate(store, options->values[OPTION_ROTATE], (int)keep, &made, &removed, error))
        return false;
    print_backup(out, made);
    if (removed)
        buffer_print(out, ntr("%d older backup was removed\n", "%d older backups were removed\n", removed),
                     removed);
    memory_free(made);
    return true;
}

/* Either a file or a folder is named. */
static bool settle_backup(const struct invocation *invocation, struct error *error)
{
    bool rotating = invocation->options->values[OPTION_ROTATE] != NULL;
    if (rotating == (invocation->arguments[0] != NULL))
        return error_set(error, ERROR_USAGE, "%s",
                         tr("store backup takes a FILE, or a folder: store backup --rotate FOLDER"));
    if (!rotating && invocation->options->values[OPTION_KEEP])
        return error_set(error, ERROR_USAGE, tr("--%s goes with --%s"), "keep", "rotate");
    return true;
}

int command_store_backup(const struct invocation *invocation)
{
    static const enum option_id options[] = { OPTION_ROTATE, OPTION_KEEP, OPTIONS };
    struct store *store = NULL;
    struct error error = { 0 };
    struct buffer out;
    buffer_init(&out);
    bool rotating = invocation->options->values[OPTION_ROTATE] != NULL;
    bool done = learner_takes(invocation, options, &error) && settle_backup(invocation, &error) &&
                learner_open(invocation, false, &store, &error) &&
                (rotating ? rotate : copy_store)(invocation, store, &out, &error);
    store_close(store);
    if (done)
        return write_line(&out);
    buffer_finish(&out);
    return command_fail(&error);
}

static void print_restored(struct buffer *out, const struct backup_restored *restored, struct arena *arena)
{
    buffer_print(out, ntr("%lld learner", "%lld learners", restored->learners),
                 (long long)restored->learners);
    buffer_text(out, ", ");
    buffer_print(out, ntr("%lld answer", "%lld answers", restored->attempts), (long long)restored->attempts);
    buffer_text(out, tr(" restored\n"));
    if (restored->erased)
        buffer_print(out,
                     ntr("%lld learner of the backup was erased since, and is not in it any more\n",
                         "%lld learners of the backup were erased since, and are not in it any more\n",
                         restored->erased),
                     (long long)restored->erased);
    if (restored->kept)
        buffer_print(out, tr("what was there before is kept: %s\n"), learner_shown(arena, restored->kept));
}

int command_store_restore(const struct invocation *invocation)
{
    static const enum option_id options[] = { OPTIONS };
    const char *path = invocation->settings->text[SETTING_STORE];
    struct store_scheduling scheduling;
    struct store_options opening = { .clock = clock_system(), .scheduling = &scheduling };
    struct backup_restored restored = { 0 };
    struct error error = { 0 };
    struct arena arena;
    struct buffer out;
    if (!path)
        error_set(&error, ERROR_NOT_FOUND, "%s",
                  tr("there is no home folder to keep a store in; name one with --store FILE"));
    bool done = path && learner_takes(invocation, options, &error) &&
                command_scheduling(invocation->settings, &scheduling, &error) &&
                backup_restore(path, invocation->arguments[0], &opening, &restored, &error);
    if (!done)
        return command_fail(&error);
    if (restored.damaged)
        fprintf(
            stderr, "quiztutor: %s\n",
            tr("the store that was there is damaged: who was erased from it since the backup is not known"));
    arena_init(&arena);
    buffer_init(&out);
    print_restored(&out, &restored, &arena);
    int status = write_line(&out);
    arena_finish(&arena);
    memory_free(restored.kept);
    return status;
}
