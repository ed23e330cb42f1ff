#include "sheet_private.h"

#include <quiztutor/message.h>
#include <string.h>

static bool refuse(struct error *error, const char *what)
{
    return error_set(error, ERROR_INPUT, tr("can't be stored: bad %s"), what);
}

static bool is_word(const char *text)
{
    return store_is_text(text) && *text && strlen(text) <= SHEET_RECORD_TEXT;
}

bool sheet_validate(const struct sheet_record *record, struct error *error)
{
    if (!is_word(record->id) || !is_word(record->body) || !is_word(record->size))
        return refuse(error, "sheet.id");
    if (record->tag && !store_is_text(record->tag))
        return refuse(error, "sheet.tag");
    return true;
}

bool sheet_unknown_learner(struct error *error)
{
    return error_set(error, ERROR_NOT_FOUND, "%s", tr("no such learner in the store"));
}

bool sheet_copy_source(struct sheet_source *source, struct arena *arena, const struct hash *content,
                       const char *name, const void *bytes, ptrdiff_t length, struct error *error)
{
    char *copy = arena_alloc(arena, length + 1);
    const char *called = arena_text(arena, name, (ptrdiff_t)strlen(name));
    if (!copy || !called)
        return error_memory(error);
    if (length > 0)
        memcpy(copy, bytes, (size_t)length);
    copy[length] = '\0';
    *source = (struct sheet_source){ *content, called, copy, length };
    return true;
}

bool sheet_copy_record(struct sheet_record *record, struct arena *arena, struct error *error)
{
    const char **texts[] = { &record->id, &record->body, &record->size, &record->tag };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *text = *texts[i];
        *texts[i] = text ? arena_text(arena, text, (ptrdiff_t)strlen(text)) : NULL;
        if (text && !*texts[i])
            return error_memory(error);
    }
    return true;
}

bool store_keep_sheets(struct store *store, const struct sheet_source *source,
                       const struct sheet_record *records, int count, struct error *error)
{
    struct hash is;
    if (source->length < 0 || source->length > PACK_FILE || !source->name)
        return refuse(error, "sheet.pack");
    hash_of(&is, source->bytes, source->length);
    if (memcmp(&is, &source->content, sizeof is) != 0)
        return refuse(error, "sheet.content");
    for (int i = 0; i < count; i++) {
        if (memcmp(&records[i].content, &source->content, sizeof is) != 0)
            return refuse(error, "sheet.content");
        if (!sheet_validate(&records[i], error))
            return false;
    }
    return count < 1 || store->ops->sheets->keep(store, source, records, count, error);
}

int store_find_sheet(struct store *store, const char *id, const char *body, const struct uuid *learner,
                     struct arena *arena, struct sheet_record *record, struct sheet_source *source,
                     struct error *error)
{
    memset(record, 0, sizeof *record);
    memset(source, 0, sizeof *source);
    int found = store->ops->sheets->find(store, id, body, learner, arena, record, source, error);
    if (found <= 0) {
        memset(record, 0, sizeof *record);
        memset(source, 0, sizeof *source);
    }
    return found;
}

bool store_add_papers(struct store *store, const struct sheet_paper *papers, int count, struct error *error)
{
    if (count > SHEET_RECORD_LINES)
        return error_set(error, ERROR_INPUT, tr("more than %d sheets at once"), (int)SHEET_RECORD_LINES);
    for (int i = 0; i < count; i++) {
        const struct store_session *session = papers[i].session;
        if (!store_validate_session(session, error))
            return false;
        if (strcmp(session->kind, "paper") != 0 || papers[i].count < 1)
            return refuse(error, "session.kind");
        for (int k = 0; k < papers[i].count; k++)
            if (!store_validate_attempt(&papers[i].attempts[k], error))
                return false;
    }
    return count < 1 || store->ops->sheets->add_papers(store, papers, count, error);
}

struct looking {
    const char *id;
    bool found;
};

static bool look_at_id(void *context, const char *element)
{
    struct looking *looking = context;
    looking->found = element && strcmp(element, looking->id) == 0;
    return false;
}

int store_find_paper(struct store *store, const struct uuid *learner, const char *id, int64_t *at,
                     int *utc_offset_s, struct error *error)
{
    struct store_value of = store_value_uuid(learner);
    struct looking looking = { .id = id };
    struct rows *rows;
    int step;
    if (!rows_open(&rows, store, QUERY_PAPERS, &of, 1, error))
        return -1;
    while (!looking.found && (step = rows_step(rows, error)) == 1) {
        const char *options = rows_text(rows, 1);
        *at = rows_integer(rows, 2);
        *utc_offset_s = (int)rows_integer(rows, 3);
        if (options && !store_json_each(store, options, "$.sheet", look_at_id, &looking, error)) {
            step = -1;
            break;
        }
    }
    rows_close(rows);
    return looking.found ? 1 : step;
}

bool sheet_is_new(struct store *store, const struct sheet_paper *paper, struct error *error)
{
    const struct store_learner *learner = &paper->session->learner;
    int64_t at;
    int utc_offset_s;
    int before =
        paper->once ? store_find_paper(store, &learner->id, paper->once, &at, &utc_offset_s, error) : 0;
    if (before > 0)
        error_set(error, ERROR_INPUT, tr("%s was marked for %s in the meantime. Nothing was stored"),
                  paper->once, learner->name);
    return before == 0;
}
