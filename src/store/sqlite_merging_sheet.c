/* The record of what was printed elsewhere: so that its sheets can be marked here. */
#include "sheet_private.h"
#include "sqlite_merging.h"
#include "sqlite_sheet.h"

#include <string.h>

struct sheets {
    struct merge *merge;
    sqlite3_stmt *read, *source, *there, *put; /* the first two of the other store */
};

static sqlite3_stmt *prepare(struct sqlite_store *store, const char *sql, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    int result = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL);
    if (result != SQLITE_OK)
        sqlite_error(store, result, error);
    return statement;
}

static bool begin(struct sheets *sheets)
{
    struct merge *merge = sheets->merge;
    struct sqlite_store *here = merge->intake->writing.store, *other = merge->elsewhere->store;
    sheets->read = prepare(other, "SELECT " SHEET_COLUMNS " FROM sheet ORDER BY printed", merge->error);
    sheets->source = sheets->read ? prepare(other,
                                            "SELECT name, pack FROM sheet_content WHERE content = ?1"
                                            " AND length(name) > 0",
                                            merge->error)
                                  : NULL;
    if (!sheets->source)
        return false;
    sheets->there = prepare(here, "SELECT 1 FROM sheet_content WHERE content = ?1", merge->error);
    sheets->put = sheets->there ? sheet_prepare_put(here, merge->error) : NULL;
    return sheets->put || merge_failed(merge);
}

static void end(struct sheets *sheets)
{
    sqlite3_finalize(sheets->read);
    sqlite3_finalize(sheets->source);
    sqlite3_finalize(sheets->there);
    sqlite3_finalize(sheets->put);
}

/* The file, there already or taken over where it is what it is said to be; *is tells. */
static bool take_source(struct sheets *sheets, const struct hash *content, bool *is)
{
    struct merge *merge = sheets->merge;
    struct sqlite_store *here = merge->intake->writing.store;
    struct hash hash;
    sqlite_bind_hash(sheets->there, 1, content);
    int found = sqlite_look_up(here, sheets->there, merge->error);
    sqlite3_reset(sheets->there);
    *is = found > 0;
    if (found != 0)
        return found > 0 || merge_failed(merge);
    sqlite3_reset(sheets->source);
    sqlite_bind_hash(sheets->source, 1, content);
    found = sqlite_look_up(merge->elsewhere->store, sheets->source, merge->error);
    if (found <= 0)
        return found == 0;
    struct sheet_source source = { .content = *content,
                                   .name = (const char *)sqlite3_column_text(sheets->source, 0),
                                   .bytes = sqlite3_column_blob(sheets->source, 1),
                                   .length = sqlite3_column_bytes(sheets->source, 1) };
    if (!source.name || source.length > PACK_FILE)
        return true;
    hash_of(&hash, source.bytes, source.length);
    *is = memcmp(&hash, content, sizeof hash) == 0;
    return !*is || sheet_put_source(here, &source, merge->error) || merge_failed(merge);
}

/* What is damaged, or of a learner who is refused, is left out: nothing of the log is lost with it. */
static bool take(struct sheets *sheets)
{
    struct merge *merge = sheets->merge;
    struct sheet_record record;
    bool refused = false, is = false;
    sheet_read(sheets->read, &record);
    if (!sheet_validate(&record, NULL) || record.printed_at < 0)
        return true;
    if (!uuid_is_zero(&record.learner)) {
        const struct elsewhere_row row = { .learner = record.learner };
        if (!merge_learner(merge, &row, &refused))
            return false;
        record.learner = merge->intake->writing.learner;
        merge->count->refused -= refused; /* rows of the log are counted there */
    }
    if (refused || !take_source(sheets, &record.content, &is))
        return refused;
    return !is || sheet_put(merge->intake->writing.store, sheets->put, &record, merge->error) ||
           merge_failed(merge);
}

bool merge_sheets(struct merge *merge)
{
    struct sheets sheets = { .merge = merge };
    int found = 0;
    bool done = begin(&sheets);
    while (done && (found = sqlite_look_up(merge->elsewhere->store, sheets.read, merge->error)) > 0)
        done = take(&sheets);
    end(&sheets);
    return done && found == 0;
}
