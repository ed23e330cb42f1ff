/* The interface of the roster: brings what is said into its kept form, then hands it to the implementation
 * that the store was opened with. */
#include "roster_private.h"
#include "store_file.h"
#include "store_private.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

void roster_mark(struct uuid *mark, const struct uuid *learner)
{
    static const char purpose[16] = "quiztutor erased";
    unsigned char text[sizeof purpose + sizeof learner->bytes];
    struct hash hash;
    memcpy(text, purpose, sizeof purpose);
    memcpy(text + sizeof purpose, learner->bytes, sizeof learner->bytes);
    hash_of(&hash, text, sizeof text);
    memcpy(mark->bytes, hash.bytes, sizeof mark->bytes);
}

int roster_reading(int64_t stored)
{
    return stored == ROSTER_SCREENS || stored == ROSTER_LARGE ? (int)stored : ROSTER_LINES;
}

void roster_refuse(struct roster_result *result, const char *format, ...)
{
    va_list arguments;
    result->outcome = ROSTER_REFUSED;
    va_start(arguments, format);
    vsnprintf(result->why, sizeof result->why, format, arguments);
    va_end(arguments);
}

bool roster_unknown(struct error *error)
{
    return error_set(error, ERROR_NOT_FOUND, "%s", tr("this learner is not in the store"));
}

bool roster_running(const char *name, struct error *error)
{
    char *shown = store_file_shown(name ? name : "?");
    error_set(error, ERROR_BUSY, tr("%s is practising right now: try again when that has ended"),
              shown ? shown : "?");
    memory_free(shown);
    return false;
}

bool roster_name_taken(const char *name, struct error *error)
{
    char *shown = store_file_shown(name);
    error_set(error, ERROR_INPUT, tr("there is another learner \"%s\"; were they one, merge would do it"),
              shown ? shown : "?");
    memory_free(shown);
    return false;
}

/* One line on its way to its kept form; what lives as long as the call is in the arena. */
struct taking {
    struct arena *arena;
    struct roster_result *result;
    bool failed; /* no memory */
};

static bool usable(const struct taking *taking)
{
    return taking->result->outcome != ROSTER_REFUSED && !taking->failed;
}

static const char *keep(struct taking *taking, char *text)
{
    const char *kept = text ? arena_text(taking->arena, text, (ptrdiff_t)strlen(text)) : NULL;
    memory_free(text);
    taking->failed = taking->failed || !kept;
    return kept;
}

/* As text_learner_name; *why is NULL without memory. */
static char *kept_name(const char *given, const char **why)
{
    *why = NULL;
    char *kept = text_learner_name(given, why);
    if (!kept && *why && strcmp(*why, tr("out of memory")) == 0)
        *why = NULL;
    return kept;
}

/* A name, of a learner or a group, and its key. */
static void take_name(struct taking *taking, const char *given, bool group, const char **name,
                      const char **key)
{
    const char *why;
    if (!given || !usable(taking))
        return;
    char *kept = kept_name(given, &why);
    if (!kept && why) {
        if (group)
            roster_refuse(taking->result, tr("the group's name can't be used: %s"), why);
        else
            roster_refuse(taking->result, tr("the name can't be used: %s"), why);
        return;
    }
    *name = keep(taking, kept);
    *key = *name ? keep(taking, text_fold(*name)) : NULL;
}

/* A login or external id: any text without control characters, trimmed. */
static void take_id(struct taking *taking, const char *given, const char *word, const char **id)
{
    if (!given || !usable(taking))
        return;
    if (!store_is_text(given)) {
        roster_refuse(taking->result, tr("the %s is not UTF-8"), word);
        return;
    }
    ptrdiff_t length = (ptrdiff_t)strlen(given);
    text_trim(&given, &length);
    char *kept = arena_text(taking->arena, given, length);
    taking->failed = taking->failed || !kept;
    for (ptrdiff_t at = 0; kept && at < length;) {
        int32_t code;
        at += text_decode(kept + at, length - at, &code);
        if (code < ' ' || text_forbidden(code)) {
            roster_refuse(taking->result, tr("the %s holds control characters"), word);
            return;
        }
    }
    if (kept && text_graphemes(kept) > ROSTER_LONGEST)
        roster_refuse(taking->result, tr("the %s is longer than %d characters"), word, ROSTER_LONGEST);
    else if (kept && *kept)
        *id = kept;
    else
        roster_refuse(taking->result, tr("the %s is empty"), word);
}

static void take_groups(struct taking *taking, const struct roster_line *line, struct roster_entry *entry)
{
    if (!line->group_count || !usable(taking))
        return;
    entry->groups = arena_alloc(taking->arena, line->group_count * (ptrdiff_t)sizeof *entry->groups);
    taking->failed = taking->failed || !entry->groups;
    for (int i = 0; i < line->group_count && usable(taking); i++) {
        struct roster_group *group = &entry->groups[entry->group_count++];
        take_name(taking, line->groups[i], true, &group->name, &group->key);
    }
}

static void take_line(struct taking *taking, const struct roster_line *line, struct roster_entry *entry)
{
    taking->result->outcome = ROSTER_SAME;
    take_name(taking, line->name, false, &entry->name, &entry->key);
    take_id(taking, line->login, "login", &entry->login);
    take_id(taking, line->external_id, "external_id", &entry->external_id);
    take_groups(taking, line, entry);
    entry->only_these = line->only_these && line->group_count;
    entry->time_factor = line->time_factor;
    entry->plain = line->plain;
    bool unsaid = line->time_factor == 0; /* exactly: any other number is meant */
    if (usable(taking) && !unsaid && !(line->time_factor >= 1 && line->time_factor <= 10))
        roster_refuse(taking->result, "%s", tr("the time factor is a number from 1 to 10"));
    if (usable(taking) && !entry->name && !entry->login && !entry->external_id)
        roster_refuse(taking->result, "%s", tr("it names nobody"));
}

bool roster_keep(const struct roster_line *line, struct roster_entry *entry, struct roster_result *result,
                 struct arena *arena)
{
    struct taking taking = { arena, result, false };
    *entry = (struct roster_entry){ .name = NULL };
    take_line(&taking, line, entry);
    return !taking.failed;
}

bool roster_add(struct store *store, const struct roster_line *lines, struct roster_result *results,
                ptrdiff_t count, struct error *error)
{
    struct arena arena;
    arena_init(&arena);
    memset(results, 0, (size_t)count * sizeof *results);
    struct roster_entry *entries = arena_alloc(&arena, (count + 1) * (ptrdiff_t)sizeof *entries);
    bool done = entries || error_memory(error);
    for (ptrdiff_t i = 0; done && i < count; i++)
        done = roster_keep(&lines[i], &entries[i], &results[i], &arena) || error_memory(error);
    if (done && count > 1)
        done = roster_repeats(entries, results, count, &arena) || error_memory(error);
    done = done && store->ops->roster->add(store, entries, results, count, error);
    arena_finish(&arena);
    return done;
}

bool roster_rename(struct store *store, const struct uuid *learner, const char *name, struct error *error)
{
    const char *why;
    char *kept = kept_name(name, &why);
    if (!kept)
        return why ? error_set(error, ERROR_INPUT, tr("the name can't be used: %s"), why)
                   : error_memory(error);
    char *key = text_fold(kept);
    bool done = key ? store->ops->roster->rename(store, learner, kept, key, error) : error_memory(error);
    memory_free(key);
    memory_free(kept);
    return done;
}

bool roster_merge(struct store *store, const struct uuid *from, const struct uuid *into,
                  struct roster_count *moved, struct error *error)
{
    memset(moved, 0, sizeof *moved);
    if (uuid_equal(from, into))
        return error_set(error, ERROR_INPUT, "%s", tr("both names are the same learner's already"));
    return store->ops->roster->merge(store, from, into, moved, error);
}

bool roster_erase(struct store *store, const struct uuid *learner, struct roster_count *gone,
                  struct error *error)
{
    memset(gone, 0, sizeof *gone);
    return store->ops->roster->erase(store, learner, gone, error);
}

bool roster_clean(struct store *store, bool *needed, struct error *error)
{
    bool own = false;
    bool done = store->ops->roster->clean(store, &own, error);
    if (needed)
        *needed = own;
    return done;
}

bool roster_is_erased(struct store *store, const struct uuid *learner, bool *erased, struct error *error)
{
    struct uuid mark;
    roster_mark(&mark, learner);
    *erased = false;
    return store->ops->roster->is_erased(store, &mark, erased, error);
}
