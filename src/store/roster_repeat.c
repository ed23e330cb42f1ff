/*
 * Lines of one roster that are about the same learner. Taken one after the other, the last would win without
 * a word: who shares a login with somebody would take over their name, and who stands there once for each
 * group would be left in the last one.
 */
#include "roster_private.h"

#include <quiztutor/message.h>

#include <stdlib.h>
#include <string.h>

/* What a line is known by, of one kind. */
struct handle {
    const char *text;
    ptrdiff_t place;
};

enum kind { BY_EXTERNAL, BY_LOGIN, BY_NAME, KINDS };

/* Only who has nothing else is known by a name: several may share it. */
static const char *handle_of(const struct roster_entry *entry, enum kind kind)
{
    return kind == BY_EXTERNAL                  ? entry->external_id
           : kind == BY_LOGIN                   ? entry->login
           : entry->external_id || entry->login ? NULL
                                                : entry->key;
}

static int compare_handles(const void *one, const void *other)
{
    const struct handle *a = one, *b = other;
    int order = strcmp(a->text, b->text);
    return order ? order : (a->place > b->place) - (a->place < b->place);
}

static ptrdiff_t collect(struct handle *handles, enum kind kind, const struct roster_entry *entries,
                         const struct roster_result *results, ptrdiff_t count)
{
    ptrdiff_t found = 0;
    for (ptrdiff_t i = 0; i < count; i++) {
        const char *text = results[i].outcome == ROSTER_REFUSED ? NULL : handle_of(&entries[i], kind);
        if (text)
            handles[found++] = (struct handle){ text, i };
    }
    qsort(handles, (size_t)found, sizeof *handles, compare_handles);
    return found;
}

static bool are_two(const struct roster_entry *one, const struct roster_entry *other)
{
    return one->key && other->key && strcmp(one->key, other->key) != 0;
}

static void refuse(struct roster_result *result, enum kind kind, const struct roster_entry *first,
                   const char *text)
{
    roster_refuse(result,
                  kind == BY_LOGIN ? tr("the login \"%s\" is that of \"%s\" in a line above")
                                   : tr("the external_id \"%s\" is that of \"%s\" in a line above"),
                  text, first->name);
}

/* The first line gets the groups of all, and the others its spelling of the name, so that the same roster
 * once more changes nothing. */
static bool join(struct roster_entry *first, struct roster_entry *later, struct arena *arena)
{
    later->only_these = false;
    if (first->name && later->name)
        later->name = first->name; /* one spelling of it */
    if (!first->only_these || !later->group_count)
        return true;
    struct roster_group *groups =
        arena_alloc(arena, (first->group_count + later->group_count) * (ptrdiff_t)sizeof *groups);
    if (!groups)
        return false;
    memcpy(groups, first->groups, (size_t)first->group_count * sizeof *groups);
    memcpy(groups + first->group_count, later->groups, (size_t)later->group_count * sizeof *groups);
    first->groups = groups;
    first->group_count += later->group_count;
    return true;
}

bool roster_repeats(struct roster_entry *entries, struct roster_result *results, ptrdiff_t count,
                    struct arena *arena)
{
    struct handle *handles = arena_alloc(arena, (count + 1) * (ptrdiff_t)sizeof *handles);
    bool done = handles != NULL;
    for (enum kind kind = 0; done && kind < KINDS; kind++) {
        ptrdiff_t found = collect(handles, kind, entries, results, count), first = 0;
        for (ptrdiff_t i = 1; done && i < found; i++) {
            struct roster_entry *above = &entries[handles[first].place], *entry = &entries[handles[i].place];
            if (strcmp(handles[first].text, handles[i].text) != 0)
                first = i;
            else if (are_two(above, entry))
                refuse(&results[handles[i].place], kind, above, handles[i].text);
            else
                done = join(above, entry, arena);
        }
    }
    return done;
}
