/* Who was erased elsewhere: found here, and erased here, too, once somebody agreed. */
#include "sqlite_intake.h"
#include "sqlite_roster.h"

#include <quiztutor/roster.h>
#include <quiztutor/text.h>

#include <stdlib.h>
#include <string.h>

static int compare_marks(const void *one, const void *other)
{
    return memcmp(one, other, sizeof(struct uuid)); /* a mark begins with it */
}

static const struct intake_mark *find_mark(const struct intake *intake, const struct uuid *id)
{
    struct intake_mark key = { 0 };
    roster_mark(&key.mark, id);
    return bsearch(&key, intake->marks, (size_t)intake->mark_count, sizeof key, compare_marks);
}

/* By their own id, or what leads to them from elsewhere, unless they came later: a login is given again. A
 * name alone could be that of another. */
static bool is_erased(const struct intake *intake, sqlite3_stmt *statement)
{
    static const char *const kinds[] = { "login", "external" };
    struct uuid id;
    sqlite_read_uuid(statement, 1, &id);
    bool erased = find_mark(intake, &id) != NULL;
    int64_t created_at = sqlite3_column_int64(statement, 5);
    for (int i = 0; i < 2 && !erased && !intake->own; i++) {
        const char *text = (const char *)sqlite3_column_text(statement, 3 + i);
        if (text)
            intake_learner_id(&id, kinds[i], text);
        const struct intake_mark *mark = text ? find_mark(intake, &id) : NULL;
        erased = mark && created_at <= mark->at;
    }
    return erased;
}

static bool add_known(struct intake_erasures *erasures, sqlite3_stmt *statement, ptrdiff_t *capacity)
{
    struct store_learner learner = { 0 };
    sqlite_read_uuid(statement, 0, &learner.id);
    for (ptrdiff_t i = 0; i < erasures->known_count; i++)
        if (uuid_equal(&erasures->known[i].id, &learner.id))
            return true;
    const char *name = (const char *)sqlite3_column_text(statement, 2);
    learner.name = name ? arena_text(&erasures->arena, name, (ptrdiff_t)strlen(name)) : NULL;
    if (!learner.name ||
        !memory_grow(&erasures->known, capacity, erasures->known_count + 1, sizeof *erasures->known))
        return false;
    erasures->known[erasures->known_count++] = learner;
    return true;
}

/* Whoever was merged into another is that one. */
static bool list_known(struct intake_erasures *erasures, struct intake *intake, struct error *error)
{
    struct sqlite_store *store = intake->writing.store;
    sqlite3_stmt *statement = NULL;
    ptrdiff_t capacity = 0;
    int found = 0;
    int result =
        sqlite3_prepare_v2(store->db,
                           "SELECT whole.learner_id, part.learner_id, whole.name, part.login,"
                           " part.external_id, part.created_at FROM learner AS part JOIN learner AS whole"
                           " ON whole.learner_id = coalesce(part.merged_into, part.learner_id)"
                           " ORDER BY whole.name_key, whole.learner_id",
                           -1, &statement, NULL);
    bool done = result == SQLITE_OK || sqlite_error(store, result, error);
    while (done && (found = sqlite_look_up(store, statement, error)) > 0)
        done =
            !is_erased(intake, statement) || add_known(erasures, statement, &capacity) || error_memory(error);
    sqlite3_finalize(statement);
    return done && found == 0;
}

bool intake_erasures_list(struct intake_erasures *erasures, struct intake *intake, struct error *error)
{
    *erasures = (struct intake_erasures){ 0 };
    arena_init(&erasures->arena);
    if (!intake->mark_count)
        return true;
    qsort(intake->marks, (size_t)intake->mark_count, sizeof *intake->marks, compare_marks);
    ptrdiff_t size = intake->mark_count * (ptrdiff_t)sizeof *intake->marks;
    erasures->marks = arena_alloc(&erasures->arena, size);
    if (!erasures->marks)
        return error_memory(error);
    memcpy(erasures->marks, intake->marks, (size_t)size);
    erasures->mark_count = intake->mark_count;
    return list_known(erasures, intake, error);
}

void intake_erasures_finish(struct intake_erasures *erasures)
{
    memory_free(erasures->known);
    arena_finish(&erasures->arena);
    *erasures = (struct intake_erasures){ 0 };
}

/* The events as they stand in the other store. */
static bool note_down(struct intake *intake, const struct intake_erasures *erasures, struct error *error)
{
    struct writing *writing = &intake->writing;
    struct uuid device = writing->device;
    bool done = true;
    for (ptrdiff_t i = 0; done && i < erasures->mark_count; i++) {
        const struct intake_mark *mark = &erasures->marks[i];
        struct store_event event = {
            .id = mark->event, .kind = "erased", .at = mark->at, .utc_offset_s = mark->utc_offset_s
        };
        bool known;
        done = sqlite_roster_is_erased(&writing->store->base, &mark->mark, &known, error);
        writing->learner = mark->mark;
        writing->device = mark->device;
        done = done && (known || intake_event(intake, &event, NULL, error));
    }
    writing->device = device;
    return done;
}

bool intake_erase(struct store *store, const struct intake_erasures *erasures, struct error *error)
{
    struct roster_count gone;
    struct intake *intake;
    struct error late = { 0 };
    bool needed;
    if (!erasures->mark_count)
        return true;
    for (ptrdiff_t i = 0; i < erasures->known_count; i++) {
        struct error why = { 0 };
        if (roster_erase(store, &erasures->known[i].id, &gone, &why) || why.code == ERROR_NOT_FOUND)
            continue; /* gone before: by an earlier try */
        if (error)
            *error = why;
        return false;
    }
    /* only now: what is noted down is not asked about any more */
    if (!intake_begin(&intake, store, error))
        return false;
    bool done = note_down(intake, erasures, error);
    bool ended = intake_end(intake, done, &late);
    if (done && !ended)
        *error = late;
    return done && ended && roster_clean(store, &needed, error);
}
