/* Answer keys out of what the store keeps of questions (question_body), and whether one overturns another. Of
 * a parametrised question its member "key" decides, the templates: two instances of it have one key. */
#include "sqlite_store.h"

#include <quiztutor/derive.h>
#include <quiztutor/key_change.h>
#include <string.h>

struct reading {
    sqlite3 *db;
    struct arena arena;
    const char *body;
    bool instance; /* the body has a "key" */
    int result;
};

/* A column's text in the arena, NULL for null. */
static const char *keep(struct reading *reading, sqlite3_stmt *statement, int column)
{
    const char *text = (const char *)sqlite3_column_text(statement, column);
    if (!text) {
        if (sqlite3_column_type(statement, column) != SQLITE_NULL)
            reading->result = SQLITE_NOMEM;
        return NULL;
    }
    const char *kept = arena_text(&reading->arena, text, (ptrdiff_t)strlen(text));
    if (!kept)
        reading->result = SQLITE_NOMEM;
    return kept;
}

static sqlite3_stmt *prepare(struct reading *reading, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    reading->result = sqlite3_prepare_v2(reading->db, sql, -1, &statement, NULL);
    if (reading->result == SQLITE_OK)
        reading->result = sqlite3_bind_text(statement, 1, reading->body, -1, SQLITE_STATIC);
    return statement;
}

/* What a statement of two columns gives, both texts. */
struct columns {
    const char **first, **second;
    int count;
};

static bool take_row(struct reading *reading, sqlite3_stmt *statement, int limit, struct columns *columns)
{
    int result =
        reading->result == SQLITE_OK && columns->count < limit ? sqlite3_step(statement) : SQLITE_DONE;
    if (result != SQLITE_ROW) {
        if (result != SQLITE_DONE)
            reading->result = result;
        return false;
    }
    const char *first = keep(reading, statement, 0), *second = keep(reading, statement, 1);
    if (first) {
        columns->first[columns->count] = first;
        columns->second[columns->count++] = second ? second : "";
    }
    return reading->result == SQLITE_OK;
}

/* Reads at most `limit` rows; the statement differs for an instance. */
static void read_columns(struct reading *reading, const char *plain, const char *instance, int limit,
                         struct columns *columns)
{
    ptrdiff_t size = limit * (ptrdiff_t)sizeof *columns->first;
    *columns = (struct columns){ arena_alloc(&reading->arena, size), arena_alloc(&reading->arena, size), 0 };
    if (!columns->first || !columns->second)
        reading->result = SQLITE_NOMEM;
    if (reading->result != SQLITE_OK)
        return;
    sqlite3_stmt *statement = prepare(reading, reading->instance ? instance : plain);
    while (take_row(reading, statement, limit, columns))
        continue;
    sqlite3_finalize(statement);
}

#define TEXTS(path) "SELECT value, NULL FROM json_each(?1, '" path "') WHERE type = 'text'"
#define PAIRS(path) "SELECT value ->> 0, value ->> 1 FROM json_each(?1, '" path "') WHERE type = 'array'"

static void done(struct reading *reading, bool made)
{
    if (!made && reading->result == SQLITE_OK)
        reading->result = SQLITE_NOMEM;
}

static void read_choices(struct reading *reading, struct key *key)
{
    struct columns rows;
    read_columns(reading,
                 "SELECT coalesce(value ->> '$.id', value ->> '$.text'), value ->> '$.correct'"
                 " FROM json_each(?1, '$.choices') WHERE type = 'object'",
                 PAIRS("$.key.choices"), PACK_CHOICES, &rows);
    struct key_text *texts = arena_alloc(&reading->arena, (rows.count + 1) * (ptrdiff_t)sizeof *texts);
    done(reading, texts);
    for (int i = 0; texts && i < rows.count; i++)
        texts[i] = (struct key_text){ rows.first[i], strcmp(rows.second[i], "1") == 0 };
    key->texts = texts;
    key->count = texts ? rows.count : 0;
}

static void read_accepted(struct reading *reading, struct key *key)
{
    struct columns rows, words;
    read_columns(reading, TEXTS("$.text.accept"), TEXTS("$.key.accept"), PACK_LISTED, &rows);
    read_columns(reading, TEXTS("$.text.ignore"), TEXTS("$.key.ignore"), PACK_CHOICES, &words);
    struct key_text *texts = arena_alloc(&reading->arena, (rows.count + 1) * (ptrdiff_t)sizeof *texts);
    done(reading, texts);
    for (int i = 0; texts && i < rows.count; i++)
        texts[i] = (struct key_text){ rows.first[i], true };
    for (int i = 0; i < words.count; i++)
        for (unsigned bit = 1; text_ignore_name((enum text_ignore)bit); bit <<= 1)
            if (strcmp(words.first[i], text_ignore_name((enum text_ignore)bit)) == 0)
                key->ignore |= bit;
    key->texts = texts;
    key->count = texts ? rows.count : 0;
}

static void read_order(struct reading *reading, struct key *key)
{
    struct columns rows;
    read_columns(reading, TEXTS("$.order"), TEXTS("$.key.items"), PACK_CHOICES, &rows);
    const struct text_list items = { rows.first, rows.count };
    if (reading->result == SQLITE_OK)
        done(reading, key_of_order(key, &items, &reading->arena));
}

static void read_match(struct reading *reading, struct key *key)
{
    struct columns rows, more;
    read_columns(reading, PAIRS("$.match.pairs"), PAIRS("$.key.pairs"), PACK_CHOICES, &rows);
    read_columns(reading, TEXTS("$.match.extra"), TEXTS("$.key.extra"), PACK_CHOICES, &more);
    const struct text_list lefts = { rows.first, rows.count }, rights = { rows.second, rows.count },
                           extra = { more.first, more.count };
    if (reading->result == SQLITE_OK)
        done(reading, key_of_match(key, &lefts, &rights, &extra, &reading->arena));
}

static void read_derived(struct reading *reading, struct key *key)
{
    struct columns rows;
    if (!reading->instance)
        return;
    read_columns(reading, "SELECT 1, 1 WHERE 0",
                 "SELECT key, value FROM json_each(?1, '$.key.derive') WHERE type = 'text'", DERIVE_NAMES,
                 &rows);
    struct key_derived *derived = arena_alloc(&reading->arena, (rows.count + 1) * (ptrdiff_t)sizeof *derived);
    done(reading, derived);
    for (int i = 0; derived && i < rows.count; i++)
        derived[i] = (struct key_derived){ rows.first[i], rows.second[i] };
    key->derived = derived;
    key->derived_count = derived ? rows.count : 0;
}

/* Type and value. A body without a type leaves key->type NULL: no key that could be told. */
static void read_head(struct reading *reading, struct key *key)
{
    sqlite3_stmt *statement = prepare(
        reading, "SELECT ?1 ->> '$.type', json_type(?1, '$.key') = 'object',"
                 " CASE json_type(?1, '$.key') WHEN 'object' THEN"
                 "  CASE json_type(?1, '$.key.answer') WHEN 'true' THEN 'true' WHEN 'false' THEN 'false'"
                 "   WHEN 'text' THEN ?1 ->> '$.key.answer' END"
                 " ELSE CASE json_type(?1, '$.truth') WHEN 'true' THEN 'true' WHEN 'false' THEN 'false'"
                 "   ELSE ?1 -> '$.number.value' END END");
    if (reading->result == SQLITE_OK) {
        int result = sqlite3_step(statement);
        if (result == SQLITE_ROW) {
            key->type = keep(reading, statement, 0);
            reading->instance = sqlite3_column_int(statement, 1) != 0;
            key->value = keep(reading, statement, 2);
        } else {
            reading->result = result;
        }
    }
    sqlite3_finalize(statement);
}

static enum question_type type_of(const char *name)
{
    enum question_type type = 0;
    while (type < QUESTION_TYPES && strcmp(question_type_name(type), name) != 0)
        type++;
    return type;
}

static void read_key(struct reading *reading, const char *body, struct key *key)
{
    *key = (struct key){ 0 };
    reading->body = body;
    reading->instance = false;
    read_head(reading, key);
    if (reading->result != SQLITE_OK || !key->type)
        return;
    enum question_type type = type_of(key->type);
    read_derived(reading, key);
    if (type != QUESTION_TRUE_FALSE && type != QUESTION_NUMBER)
        key->value = NULL;
    if (reading->result != SQLITE_OK)
        return;
    if (type == QUESTION_SINGLE_CHOICE || type == QUESTION_MULTIPLE_CHOICE)
        read_choices(reading, key);
    else if (type == QUESTION_TEXT)
        read_accepted(reading, key);
    else if (type == QUESTION_ORDER)
        read_order(reading, key);
    else if (type == QUESTION_MATCH)
        read_match(reading, key);
}

int sqlite_key_overturned(sqlite3 *db, const char *old_body, const char *body, bool *overturned)
{
    struct reading reading = { .db = db };
    struct key old, now = { 0 };
    arena_init(&reading.arena);
    read_key(&reading, old_body, &old);
    if (reading.result == SQLITE_OK)
        read_key(&reading, body, &now);
    *overturned = reading.result == SQLITE_OK && old.type && now.type && key_overturned(&old, &now);
    arena_finish(&reading.arena);
    return reading.result;
}
