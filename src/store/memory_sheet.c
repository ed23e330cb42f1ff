/* The record of printed sheets in the store in memory. */
#include "memory_sheet.h"

#include <quiztutor/message.h>
#include <string.h>

/* Who is there by this id, or was merged into who is; false: nobody. */
static bool settle_learner(const struct memory_store *store, struct uuid *id)
{
    for (ptrdiff_t i = 0; i < store->merged_count; i++)
        if (uuid_equal(&store->merged[i].was.id, id))
            *id = store->merged[i].into; /* who is there: merges lead there at once */
    for (ptrdiff_t i = 0; i < store->learner_count; i++)
        if (uuid_equal(&store->learners[i].id, id))
            return true;
    return false;
}

static bool same_text(const char *one, const char *other)
{
    return one && other ? strcmp(one, other) == 0 : !one && !other;
}

static bool is_same(const struct sheet_record *one, const struct sheet_record *other)
{
    return strcmp(one->id, other->id) == 0 &&
           memcmp(&one->content, &other->content, sizeof one->content) == 0 &&
           uuid_equal(&one->learner, &other->learner) && strcmp(one->size, other->size) == 0 &&
           one->boxes == other->boxes && one->large == other->large && one->no_key == other->no_key &&
           one->key_only == other->key_only && same_text(one->tag, other->tag);
}

static struct sheet_source *source_of(struct memory_store *store, const struct hash *content)
{
    for (ptrdiff_t i = 0; i < store->source_count; i++)
        if (memcmp(&store->sources[i].content, content, sizeof *content) == 0)
            return &store->sources[i];
    return NULL;
}

/* The row of a record: one that is there, or a new one behind the list's end (*count). NULL without memory.
 */
static bool put(struct memory_store *store, const struct sheet_record *record, ptrdiff_t *count,
                struct error *error)
{
    for (ptrdiff_t i = 0; i < *count; i++)
        if (is_same(&store->sheets[i], record)) {
            if (store->sheets[i].printed_at < record->printed_at)
                store->sheets[i].printed_at = record->printed_at;
            return true;
        }
    if (!memory_grow(&store->sheets, &store->sheet_capacity, *count + 1, sizeof *store->sheets))
        return error_memory(error);
    struct sheet_record *row = &store->sheets[*count];
    *row = *record;
    if (!sheet_copy_record(row, &store->texts, error))
        return false;
    (*count)++;
    return true;
}

static bool keep(struct store *base, const struct sheet_source *source, const struct sheet_record *records,
                 int count, struct error *error)
{
    struct memory_store *store = (struct memory_store *)base;
    ptrdiff_t sheets = store->sheet_count;
    bool fresh = !source_of(store, &source->content);
    for (int i = 0; i < count; i++) {
        struct uuid learner = records[i].learner;
        if (!uuid_is_zero(&learner) && !settle_learner(store, &learner))
            return sheet_unknown_learner(error);
    }
    if (fresh && !memory_grow(&store->sources, &store->source_capacity, store->source_count + 1,
                              sizeof *store->sources))
        return error_memory(error);
    if (fresh && !sheet_copy_source(&store->sources[store->source_count], &store->texts, &source->content,
                                    source->name, source->bytes, source->length, error))
        return false;
    for (int i = 0; i < count; i++) {
        struct sheet_record record = records[i];
        settle_learner(store, &record.learner);
        if (!put(store, &record, &sheets, error))
            return false;
    }
    store->sheet_count = sheets;
    store->source_count += fresh;
    return true;
}

/* Whether `one` comes before `other`. */
static bool is_nearer(const struct sheet_record *one, const struct sheet_record *other, const char *id,
                      const struct uuid *learner)
{
    const struct sheet_record *both[] = { one, other };
    int ranks[2];
    for (int i = 0; i < 2; i++) {
        bool theirs = learner && uuid_equal(&both[i]->learner, learner);
        ranks[i] = strcmp(both[i]->id, id) != 0      ? 4
                   : !learner || theirs              ? 0
                   : uuid_is_zero(&both[i]->learner) ? 1
                                                     : 2;
    }
    if (ranks[0] != ranks[1])
        return ranks[0] < ranks[1];
    return one->printed_at >= other->printed_at; /* of two at once the later in the list */
}

static int find(struct store *base, const char *id, const char *body, const struct uuid *learner,
                struct arena *arena, struct sheet_record *record, struct sheet_source *source,
                struct error *error)
{
    struct memory_store *store = (struct memory_store *)base;
    const struct sheet_record *best = NULL;
    for (ptrdiff_t i = 0; i < store->sheet_count; i++) {
        const struct sheet_record *row = &store->sheets[i];
        if (strcmp(row->body, body) == 0 && (!best || is_nearer(row, best, id, learner)))
            best = row;
    }
    if (!best)
        return 0;
    const struct sheet_source *of = source_of(store, &best->content);
    *record = *best;
    bool done = sheet_copy_record(record, arena, error) &&
                sheet_copy_source(source, arena, &of->content, of->name, of->bytes, of->length, error);
    return done ? 1 : -1;
}

const struct sheet_ops memory_sheet_ops = { .keep = keep, .find = find, .add_papers = memory_add_papers };

/* What was printed for both in the same way is one. */
void memory_move_sheets(struct memory_store *store, const struct uuid *from, const struct uuid *into)
{
    for (ptrdiff_t i = store->sheet_count; i-- > 0;) {
        struct sheet_record *row = &store->sheets[i];
        if (!uuid_equal(&row->learner, from))
            continue;
        row->learner = *into;
        for (ptrdiff_t k = 0; k < store->sheet_count; k++)
            if (k != i && is_same(&store->sheets[k], row)) {
                if (store->sheets[k].printed_at < row->printed_at)
                    store->sheets[k].printed_at = row->printed_at;
                memmove(row, row + 1, (size_t)(store->sheet_count - i - 1) * sizeof *row);
                store->sheet_count--;
                break;
            }
    }
}

void memory_drop_sheets(struct memory_store *store, const struct uuid *learner)
{
    ptrdiff_t sheets = 0, sources = 0;
    for (ptrdiff_t i = 0; i < store->sheet_count; i++)
        if (!uuid_equal(&store->sheets[i].learner, learner))
            store->sheets[sheets++] = store->sheets[i];
    store->sheet_count = sheets;
    for (ptrdiff_t i = 0; i < store->source_count; i++) {
        bool used = false;
        for (ptrdiff_t k = 0; !used && k < sheets; k++)
            used = memcmp(&store->sheets[k].content, &store->sources[i].content,
                          sizeof store->sources[i].content) == 0;
        if (used)
            store->sources[sources++] = store->sources[i];
    }
    store->source_count = sources;
}
