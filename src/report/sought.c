/* The tag and the revision that a filter names: there, or told with the nearest. A misspelt one would be an
 * empty report, as if nobody had practised. */
#include "build.h"

#include <quiztutor/body.h>
#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <string.h>

enum { SOUGHT_NAMES = 10000 }; /* different ones that a name is compared with */

struct sought {
    struct build *build;
    const char *tag, *revision; /* NULL: found, or not asked for */
    const char **tags, **revisions;
    int tag_count, revision_count;
    struct arena arena; /* holds the names */
    bool failed;
};

/* Once each; a few are looked for among a few. */
static void add_name(struct sought *sought, const char **names, int *count, const char *name)
{
    for (int i = 0; i < *count; i++)
        if (strcmp(names[i], name) == 0)
            return;
    if (*count == SOUGHT_NAMES)
        return;
    names[*count] = arena_text(&sought->arena, name, (ptrdiff_t)strlen(name));
    sought->failed = sought->failed || !names[*count];
    *count += names[*count] != NULL;
}

static void take_tags(struct sought *sought, const struct text_list *tags)
{
    for (int i = 0; i < tags->count && sought->tag; i++)
        if (strcmp(tags->items[i], sought->tag) == 0)
            sought->tag = NULL;
        else
            add_name(sought, sought->tags, &sought->tag_count, tags->items[i]);
}

static void take_revision(struct sought *sought, const char *revision)
{
    if (!sought->revision)
        return;
    if (strcmp(revision, sought->revision) == 0)
        sought->revision = NULL;
    else
        add_name(sought, sought->revisions, &sought->revision_count, revision);
}

/* Questions as they were asked. */
static bool look_in_texts(struct sought *sought, struct store *store)
{
    struct rows *rows;
    struct error *error = sought->build->error;
    int found = 0;
    if (!rows_open(&rows, store, QUERY_TEXTS, NULL, 0, error))
        return false;
    while ((sought->tag || sought->revision) && !sought->failed && (found = rows_step(rows, error)) > 0) {
        struct question question;
        struct arena arena;
        bool is;
        if (rows_text(rows, 2))
            take_revision(sought, rows_text(rows, 2));
        if (!sought->tag || !rows_text(rows, 3))
            continue;
        arena_init(&arena);
        if (!body_read(&question, rows_text(rows, 3), &arena, &is))
            sought->failed = true;
        else if (is)
            take_tags(sought, &question.tags);
        arena_finish(&arena);
    }
    rows_close(rows);
    return found >= 0;
}

/* Answers that were loaded have a revision, and no text. */
static bool look_in_log(struct sought *sought, struct store *store)
{
    const struct store_value null = store_value_null();
    const struct store_value of[] = {
        null, null, null, null, null, null, store_value_text(sought->revision)
    };
    struct rows *rows;
    if (!rows_open(&rows, store, QUERY_ATTEMPT_LOG, of, 7, sought->build->error))
        return false;
    int found = rows_step(rows, sought->build->error);
    rows_close(rows);
    if (found > 0)
        sought->revision = NULL;
    return found >= 0;
}

/* As the library has it today: its tags are what a filter looks at first. */
static bool look_in_pack(struct build *build, void *context, const char *id)
{
    struct sought *sought = context;
    const struct pack *pack = build_pack(build, id);
    for (int i = 0; pack && i < pack->question_count; i++) {
        char revision[PACK_REVISION + 1];
        sought->failed = sought->failed || !question_revision(&pack->questions[i], revision);
        if (!sought->failed)
            take_revision(sought, revision);
        take_tags(sought, &pack->questions[i].tags);
    }
    return !sought->failed;
}

static bool look(struct sought *sought)
{
    struct build *build = sought->build;
    bool done = true;
    for (int i = 0; done && i < build->store_count; i++)
        done = look_in_texts(sought, build->stores[i]);
    if (done && (sought->tag || sought->revision))
        done = build_each_pack(build, look_in_pack, sought);
    for (int i = 0; done && sought->revision && i < build->store_count; i++)
        done = look_in_log(sought, build->stores[i]);
    if (sought->failed)
        return error_memory(build->error);
    return done;
}

static bool tell(struct sought *sought)
{
    struct error *error = sought->build->error;
    const char *near;
    if (sought->tag) {
        near = text_nearest(sought->tag, sought->tags, sought->tag_count);
        return near ? error_set(error, ERROR_NOT_FOUND,
                                tr("no question in the store has the tag \"%s\"; did you mean \"%s\"?"),
                                sought->tag, near)
                    : error_set(error, ERROR_NOT_FOUND, tr("no question in the store has the tag \"%s\""),
                                sought->tag);
    }
    if (!sought->revision)
        return true;
    near = text_nearest(sought->revision, sought->revisions, sought->revision_count);
    return near ? error_set(error, ERROR_NOT_FOUND,
                            tr("no question in the store has the revision \"%s\"; did you mean \"%s\"?"),
                            sought->revision, near)
                : error_set(error, ERROR_NOT_FOUND, tr("no question in the store has the revision \"%s\""),
                            sought->revision);
}

bool build_find_sought(struct build *build)
{
    struct sought sought = { .build = build, .tag = build->filter->tag, .revision = build->filter->revision };
    if (!sought.tag && !sought.revision)
        return true;
    arena_init(&sought.arena);
    sought.tags = arena_alloc(&sought.arena, SOUGHT_NAMES * (ptrdiff_t)sizeof *sought.tags);
    sought.revisions = arena_alloc(&sought.arena, SOUGHT_NAMES * (ptrdiff_t)sizeof *sought.revisions);
    bool done = sought.tags && sought.revisions ? look(&sought) && tell(&sought) : error_memory(build->error);
    arena_finish(&sought.arena);
    return done;
}
