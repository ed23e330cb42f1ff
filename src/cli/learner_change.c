/* `quiztutor learner rename`, `merge` and `erase`. */
#include "learner.h"

#include <quiztutor/backup.h>
#include <quiztutor/central.h>
#include <quiztutor/intake.h>
#include <quiztutor/line.h>
#include <quiztutor/message.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What one call works with, and ends. */
struct changing {
    const struct invocation *invocation;
    struct store *store;
    struct arena arena;
    struct buffer out;
};

static void changing_begin(struct changing *changing, const struct invocation *invocation)
{
    *changing = (struct changing){ .invocation = invocation };
    arena_init(&changing->arena);
    buffer_init(&changing->out);
}

static int changing_end(struct changing *changing, bool done, struct error *error)
{
    if (done && changing->out.length)
        done = changing->out.failed ? error_memory(error) : line_write(STDOUT_FILENO, &changing->out, error);
    buffer_finish(&changing->out);
    store_close(changing->store);
    arena_finish(&changing->arena);
    return done ? STATUS_DONE : command_fail(error);
}

static bool rename_one(struct changing *changing, struct error *error)
{
    static const enum option_id options[] = { OPTIONS };
    const char *const *names = changing->invocation->arguments;
    struct store_learner learner;
    if (!learner_takes(changing->invocation, options, error) ||
        !learner_open(changing->invocation, false, &changing->store, error) ||
        !learner_find(changing->store, names[0], &changing->arena, &learner, error) ||
        !roster_rename(changing->store, &learner.id, names[1], error))
        return false;
    const char *before = learner_shown(&changing->arena, learner.name);
    if (!learner_find(changing->store, names[1], &changing->arena, &learner, error))
        return false;
    buffer_print(&changing->out, tr("%s is now called %s\n"), before,
                 learner_shown(&changing->arena, learner.name));
    return true;
}

int command_learner_rename(const struct invocation *invocation)
{
    struct changing changing;
    struct error error = { 0 };
    changing_begin(&changing, invocation);
    bool done = rename_one(&changing, &error);
    return changing_end(&changing, done, &error);
}

/* "3 sessions, 120 answers" */
static const char *counted(struct changing *changing, const struct roster_count *count)
{
    struct buffer text;
    buffer_init(&text);
    buffer_print(&text, ntr("%lld session", "%lld sessions", count->sessions), (long long)count->sessions);
    buffer_text(&text, ", ");
    buffer_print(&text, ntr("%lld answer", "%lld answers", count->attempts), (long long)count->attempts);
    const char *kept = text.failed ? NULL : arena_text(&changing->arena, buffer_get(&text), text.length);
    buffer_finish(&text);
    return kept ? kept : "?";
}

static bool merge_two(struct changing *changing, struct error *error)
{
    static const enum option_id options[] = { OPTION_YES, OPTIONS };
    const char *const *names = changing->invocation->arguments;
    struct store_learner from, into;
    struct roster_count moved;
    if (!learner_takes(changing->invocation, options, error) ||
        !learner_open(changing->invocation, false, &changing->store, error) ||
        !learner_find(changing->store, names[0], &changing->arena, &from, error) ||
        !learner_find(changing->store, names[1], &changing->arena, &into, error))
        return false;
    const char *one = learner_shown(&changing->arena, from.name),
               *other = learner_shown(&changing->arena, into.name);
    const char *question =
        arena_print(&changing->arena, tr("Take all that %s did as done by %s from now on?"), one, other);
    if (!question)
        return error_memory(error);
    if (!uuid_equal(&from.id, &into.id) && !learner_agree(changing->invocation, question, error))
        return false;
    if (!roster_merge(changing->store, &from.id, &into.id, &moved, error))
        return false;
    buffer_print(&changing->out, tr("%s is %s now: %s moved\n"), one, other, counted(changing, &moved));
    return true;
}

int command_learner_merge(const struct invocation *invocation)
{
    struct changing changing;
    struct error error = { 0 };
    changing_begin(&changing, invocation);
    bool done = merge_two(&changing, &error);
    return changing_end(&changing, done, &error);
}

/* Backups that are known, with what is to be done about each. */
struct backups {
    struct changing *changing;
    const char **there;
    ptrdiff_t count, capacity;
    bool failed;
};

static bool take_backup(void *context, const char *path, bool there)
{
    struct backups *backups = context;
    struct arena *arena = &backups->changing->arena;
    backup_tidy(path); /* it would keep who is erased, and nobody knows of it */
    if (!there) {
        fprintf(stderr,
                tr("quiztutor: the backup %s is not there any more: where it was moved, it must be erased by "
                   "hand\n"),
                learner_shown(arena, path));
        return true;
    }
    const char *kept = arena_text(arena, path, (ptrdiff_t)strlen(path));
    backups->failed = !kept || !memory_grow(&backups->there, &backups->capacity, backups->count + 1,
                                            sizeof *backups->there);
    if (!backups->failed)
        backups->there[backups->count++] = kept;
    return !backups->failed;
}

/* Replaces the backups, or says which there are. All are tried. */
static bool renew_backups(struct backups *backups, struct error *error)
{
    struct changing *changing = backups->changing;
    bool renew = changing->invocation->options->values[OPTION_BACKUPS] != NULL, done = true;
    if (backups->count && !renew)
        buffer_text(&changing->out, tr("These backups may still hold what is erased. Write each anew with "
                                       "quiztutor store backup FILE:\n"));
    for (ptrdiff_t i = 0; i < backups->count; i++) {
        const char *shown = learner_shown(&changing->arena, backups->there[i]);
        struct error why = { 0 };
        if (!renew) {
            buffer_print(&changing->out, "  %s\n", shown);
        } else if (backup_renew(changing->store, backups->there[i], &why)) {
            buffer_print(&changing->out, tr("backup written anew: %s\n"), shown);
        } else {
            command_fail(&why);
            *error = why;
            done = false;
        }
    }
    return done;
}

static bool look_after_backups(struct changing *changing, struct error *error)
{
    struct backups backups = { .changing = changing };
    bool done = backup_each(changing->store, take_backup, &backups, error);
    if (done && backups.failed)
        done = error_memory(error);
    if (done && !renew_backups(&backups, error)) {
        done = error_set(error, ERROR_IO, "%s",
                         tr("not all backups could be written anew; the learner is erased from the store"));
    }
    memory_free(backups.there);
    return done;
}

/* Finishes what an earlier run began. */
static bool clean(struct changing *changing, bool *needed, struct error *error)
{
    struct error why = { 0 };
    if (roster_clean(changing->store, needed, &why))
        return true;
    return error_set(error, why.code,
                     tr("erased, but the file could not be written anew and may still hold it: %s; run the "
                        "command once more then"),
                     why.message);
}

static bool erase_found(struct changing *changing, const struct store_learner *learner, struct error *error)
{
    struct roster_count gone;
    bool needed;
    const char *name = learner_shown(&changing->arena, learner->name);
    const char *question =
        arena_print(&changing->arena, tr("Erase %s and all that they did, for good?"), name);
    if (!question)
        return error_memory(error);
    if (!learner_agree(changing->invocation, question, error) ||
        !roster_erase(changing->store, &learner->id, &gone, error) || !clean(changing, &needed, error))
        return false;
    buffer_print(&changing->out, tr("%s is erased: %s\n"), name, counted(changing, &gone));
    if (central_is_address(changing->invocation->settings->text[SETTING_STORE]))
        buffer_text(&changing->out, tr("Machines erase what they have of them after their next sync.\n"));
    return look_after_backups(changing, error);
}

/* Whether somebody of this name, login or external id was erased before: what was left to do then is done
 * now. */
static bool was_erased(struct changing *changing, const char *given, bool *erased, struct error *error)
{
    const char *why;
    char *name = text_learner_name(given, &why), *key = name ? text_fold(name) : NULL;
    const struct {
        const char *kind, *text;
    } ways[] = { { "name", key }, { "login", given }, { "external", given } };
    bool done = true;
    for (size_t i = 0; done && !*erased && i < sizeof ways / sizeof *ways; i++) {
        struct uuid id;
        if (!ways[i].text)
            continue;
        intake_learner_id(&id, ways[i].kind, ways[i].text);
        done = roster_is_erased(changing->store, &id, erased, error);
    }
    memory_free(name);
    memory_free(key);
    return done;
}

static bool erase_one(struct changing *changing, struct error *error)
{
    static const enum option_id options[] = { OPTION_YES, OPTION_BACKUPS, OPTIONS };
    const char *name = changing->invocation->arguments[0];
    struct store_learner learner;
    bool needed = false, erased = false;
    if (!learner_takes(changing->invocation, options, error) ||
        !learner_open(changing->invocation, false, &changing->store, error) ||
        !clean(changing, &needed, error))
        return false;
    if (learner_find(changing->store, name, &changing->arena, &learner, error))
        return erase_found(changing, &learner, error);
    struct error why;
    if (error->code != ERROR_NOT_FOUND || !was_erased(changing, name, &erased, &why) || !(needed || erased))
        return false;
    if (erased)
        buffer_print(&changing->out, tr("%s was erased before\n"), learner_shown(&changing->arena, name));
    else
        buffer_text(&changing->out, tr("An erasing that was interrupted is finished now.\n"));
    return look_after_backups(changing, error);
}

int command_learner_erase(const struct invocation *invocation)
{
    struct changing changing;
    struct error error = { 0 };
    changing_begin(&changing, invocation);
    bool done = erase_one(&changing, &error);
    return changing_end(&changing, done, &error);
}
