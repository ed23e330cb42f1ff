/* Learners and groups by their names: folded, else the nearest that is known. */
#include "store_file.h"
#include "store_private.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>
#include <string.h>
#include <strings.h>

/* The folded name, the key that names are compared by. NULL with the reason in *error. */
static char *fold(const char *name, struct error *error)
{
    char *key = text_fold(name);
    if (!key)
        error_memory(error);
    return key;
}

enum { NEAREST_NAMES = 1000 }; /* how many known names an unknown one is compared with */

/* Else the one name that begins so: a first name was given, or half of it. */
static const char *nearest_name(const char *name, const char *const *names, int count)
{
    enum { SHORTEST = 3 };
    const char *nearest = text_nearest(name, names, count);
    size_t length = strlen(name);
    int begun = 0;
    for (int i = 0; i < count && !nearest && length >= SHORTEST && begun < 2; i++)
        begun += strncasecmp(names[i], name, length) == 0;
    for (int i = 0; i < count && begun == 1 && !nearest; i++)
        if (strncasecmp(names[i], name, length) == 0)
            nearest = names[i];
    return nearest;
}

static bool find_nearest(struct store *store, const char *name, struct arena *arena, const char **nearest,
                         struct error *error)
{
    struct rows *rows = NULL;
    const char **names = arena_alloc(arena, NEAREST_NAMES * (ptrdiff_t)sizeof *names);
    int count = 0, step = -1;
    if (!names)
        return error_memory(error);
    if (!store->ops->rows_open(&rows, store, QUERY_NAMES, NULL, 0, error))
        return false;
    while (count < NEAREST_NAMES && (step = rows_step(rows, error)) > 0) {
        const char *known = rows_text(rows, 1);
        names[count] = arena_text(arena, known, (ptrdiff_t)strlen(known));
        if (!names[count++]) {
            step = -1;
            error_memory(error);
            break;
        }
    }
    rows_close(rows);
    if (step < 0)
        return false;
    *nearest = nearest_name(name, names, count);
    return true;
}

static bool unknown_learner(const char *name, struct error *error)
{
    char *shown = store_file_shown(name ? name : "");
    if (!shown)
        return error_memory(error);
    error_set(error, ERROR_NOT_FOUND, tr("no learner \"%s\" in the store"), shown);
    memory_free(shown);
    return false;
}

bool store_find_learner(struct store *store, const char *name, struct arena *arena,
                        struct store_learner *learner, const char **nearest, struct error *error)
{
    if (nearest)
        *nearest = NULL;
    if (!store_is_text(name))
        return unknown_learner(name, error);
    char *key = fold(name, error);
    if (!key)
        return false;
    int found = store->ops->find_learner(store, name, key, arena, learner, error);
    memory_free(key);
    if (found > 0)
        return true;
    if (found < 0 || (nearest && !find_nearest(store, name, arena, nearest, error)))
        return false;
    return unknown_learner(name, error);
}

/* Takes all groups of the store into the arena; the one with this key, or the names' nearest. */
static bool look_for_group(struct store *store, const char *name, const char *key, struct arena *arena,
                           struct store_group *group, const char **nearest, struct error *error)
{
    struct rows *rows = NULL;
    const char **names = arena_alloc(arena, NEAREST_NAMES * (ptrdiff_t)sizeof *names);
    int count = 0, step;
    bool done = names || error_memory(error);
    if (!done || !rows_open(&rows, store, QUERY_GROUPS, NULL, 0, error))
        return false;
    while ((step = rows_step(rows, error)) > 0) {
        const char *known = rows_text(rows, 1);
        bool found = strcmp(rows_text(rows, 0), key) == 0;
        if (!found && count == NEAREST_NAMES)
            continue;
        const char *copy = arena_text(arena, known, (ptrdiff_t)strlen(known));
        done = copy || error_memory(error);
        if (done && found)
            *group = (struct store_group){ arena_text(arena, key, (ptrdiff_t)strlen(key)), copy,
                                           rows_integer(rows, 2) };
        if (!done || found)
            break;
        names[count++] = copy;
    }
    rows_close(rows);
    if (group->name && !group->key)
        done = error_memory(error);
    if (done && step == 0 && nearest)
        *nearest = nearest_name(name, names, count);
    return done && step >= 0;
}

bool store_find_group(struct store *store, const char *name, struct arena *arena, struct store_group *group,
                      const char **nearest, struct error *error)
{
    memset(group, 0, sizeof *group);
    if (nearest)
        *nearest = NULL;
    char *key = store_is_text(name) ? fold(name, error) : NULL;
    if (store_is_text(name) && !key)
        return false;
    int found = key && store->ops->find_group ? store->ops->find_group(store, key, arena, group, error) : 0;
    bool done =
        found >= 0 && (found > 0 || !key || look_for_group(store, name, key, arena, group, nearest, error));
    memory_free(key);
    if (!done || group->key)
        return done;
    char *shown = store_file_shown(name ? name : "");
    if (!shown)
        return error_memory(error);
    error_set(error, ERROR_NOT_FOUND, tr("no group \"%s\" in the store"), shown);
    memory_free(shown);
    return false;
}

bool store_set_member(struct store *store, const struct uuid *learner, const char *group, bool in,
                      struct error *error)
{
    if (!store_is_text(group) || !*group)
        return error_set(error, ERROR_INPUT, tr("can't be stored: bad %s"), "group");
    char *key = fold(group, error);
    bool done = key && store->ops->set_member(store, learner, key, group, in, error);
    memory_free(key);
    return done;
}

char *store_session_key(const struct store_session *session, struct error *error)
{
    return store_validate_session(session, error) ? fold(session->learner.name, error) : NULL;
}
