/* A table of attempts: its head, its rows one by one, and an id for each that has none. */
#include "load_row.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    bool needed;
    bool derived; /* follows from other columns and is not read */
} columns[LOAD_COLUMNS] = {
    [LOAD_ATTEMPT] = { .name = "attempt" },
    [LOAD_SESSION] = { .name = "session" },
    [LOAD_LEARNER] = { .name = "learner", .needed = true },
    [LOAD_LEARNER_ID] = { .name = "learner_id" },
    [LOAD_LOGIN] = { .name = "login" },
    [LOAD_EXTERNAL_ID] = { .name = "external_id" },
    [LOAD_DEVICE] = { .name = "device" },
    [LOAD_PACK] = { .name = "pack", .needed = true },
    [LOAD_QUESTION] = { .name = "question", .needed = true },
    [LOAD_REVISION] = { .name = "revision" },
    [LOAD_CONTENT] = { .name = "content" },
    [LOAD_SEED] = { .name = "seed" },
    [LOAD_SHOWING] = { .name = "showing" },
    [LOAD_SHOWN] = { .name = "shown" },
    [LOAD_RESPONSE] = { .name = "response" },
    [LOAD_OUTCOME] = { .name = "outcome" },
    [LOAD_MARK] = { .name = "mark", .needed = true },
    [LOAD_MARKS] = { .name = "marks", .needed = true },
    [LOAD_GRADED] = { .name = "graded" },
    [LOAD_CERTAINTY] = { .name = "certainty" },
    [LOAD_HINTS] = { .name = "hints" },
    [LOAD_RETRIED] = { .name = "retried" },
    [LOAD_HELPED] = { .name = "helped", .derived = true },
    [LOAD_ELAPSED_MS] = { .name = "elapsed_ms" },
    [LOAD_ANSWERED_AT] = { .name = "answered_at" },
    [LOAD_ORIGIN] = { .name = "origin" },
    [LOAD_KIND] = { .name = "kind" },
    [LOAD_SEQ] = { .name = "seq", .derived = true },
    [LOAD_UNDONE] = { .name = "undone" },
};

/* How often a row was met whose cells have this hash; in a table of open addressing. */
struct load_count {
    struct hash hash;
    int64_t count; /* 0: a free place */
};

const char *load_column_name(enum load_column column)
{
    return columns[column].name;
}

/* Takes white space from both ends, and the one ' that stands before what a spreadsheet would run. */
static void plain_cell(const char **text, ptrdiff_t *length)
{
    text_trim(text, length);
    if (*length > 1 && **text == '\'' && strchr("=+-@\t'", (*text)[1])) {
        ++*text;
        --*length;
    }
}

const char *load_table_cell(struct load_table *load, enum load_column column)
{
    ptrdiff_t length;
    const char *text = table_cell(&load->table, load->cells[column], &length);
    plain_cell(&text, &length);
    return length ? arena_text(&load->arena, text, length) : "";
}

/* ---- the head ---- */

/* Small letters and _ for what parts words; "" for what is too long to be a column's name. */
enum { NAME_LONGEST = 40 };
static void fold_name(char name[static NAME_LONGEST], const char *text, ptrdiff_t length)
{
    plain_cell(&text, &length);
    name[0] = '\0';
    if (length >= NAME_LONGEST)
        return;
    for (ptrdiff_t i = 0; i < length; i++) {
        char c = text[i];
        name[i] = (char)(c >= 'A' && c <= 'Z' ? c + 32 : c == ' ' || c == '-' ? '_' : c);
    }
    name[length] = '\0';
}

static int find_column(const char *name)
{
    for (int i = 0; i < LOAD_COLUMNS; i++)
        if (strcmp(columns[i].name, name) == 0)
            return i;
    return -1;
}

/* The separator under which the first row has most columns that are known. */
static bool find_separator(struct load_table *load, const char *bytes, ptrdiff_t length, struct error *error)
{
    static const char separators[] = { ',', ';', '\t' };
    int most = -1;
    char best = ',';
    for (size_t i = 0; i < sizeof separators; i++) {
        struct table *table = &load->table;
        table_finish(table);
        table_init(table, bytes, length, separators[i]);
        table->blanks = true;
        while (table_next(table) && table_blank(table))
            ;
        int known = 0;
        for (int cell = 0; cell < table->count; cell++) {
            char name[NAME_LONGEST];
            ptrdiff_t cell_length;
            const char *text = table_cell(table, cell, &cell_length);
            fold_name(name, text, cell_length);
            known += find_column(name) >= 0;
        }
        if (table->failed)
            return error_memory(error);
        if (known > most)
            most = known, best = separators[i];
    }
    table_finish(&load->table);
    table_init(&load->table, bytes, length, best);
    load->table.blanks = true;
    load->comma = best == ';';
    return true;
}

static bool unknown_column(const struct load_table *load, int cell, struct error *error)
{
    const char *names[LOAD_COLUMNS];
    ptrdiff_t length;
    char name[NAME_LONGEST];
    const char *text = table_cell(&load->table, cell, &length);
    fold_name(name, text, length);
    for (int i = 0; i < LOAD_COLUMNS; i++)
        names[i] = columns[i].name;
    const char *nearest = *name ? text_nearest(name, names, LOAD_COLUMNS) : NULL;
    if (!*name)
        return error_set(error, ERROR_INPUT, tr("line %d: column %d has no name that is known"),
                         load->table.first_line, cell + 1);
    if (!nearest)
        return error_set(
            error, ERROR_INPUT,
            tr("line %d: there is no column \"%s\"; columns are called as by report attempts --to "
               "csv"),
            load->table.first_line, name);
    return error_set(error, ERROR_INPUT, tr("line %d: there is no column \"%s\"; is \"%s\" meant?"),
                     load->table.first_line, name, nearest);
}

static bool take_column(struct load_table *load, int cell, struct error *error)
{
    char name[NAME_LONGEST];
    ptrdiff_t length;
    const char *text = table_cell(&load->table, cell, &length);
    fold_name(name, text, length);
    int column = find_column(name);
    if (column < 0)
        return unknown_column(load, cell, error);
    if (load->cells[column] >= 0)
        return error_set(error, ERROR_INPUT, tr("line %d: there are two columns \"%s\""),
                         load->table.first_line, name);
    load->cells[column] = cell;
    if (columns[column].needed && cell > load->last)
        load->last = cell;
    return true;
}

static bool read_head(struct load_table *load, struct error *error)
{
    bool there;
    while ((there = table_next(&load->table)) && table_blank(&load->table))
        ;
    if (load->table.failed)
        return error_memory(error);
    if (!there)
        return error_set(error, ERROR_INPUT, "%s", tr("it is empty: there is no head row"));
    if (load->table.too_wide)
        return error_set(error, ERROR_INPUT, tr("line %d: more than %d columns"), load->table.first_line,
                         TABLE_COLUMNS);
    for (int cell = 0; cell < load->table.count; cell++)
        if (!take_column(load, cell, error))
            return false;
    for (int i = 0; i < LOAD_COLUMNS; i++)
        if (columns[i].needed && load->cells[i] < 0)
            return error_set(error, ERROR_INPUT, tr("line %d: there is no column \"%s\""),
                             load->table.first_line, columns[i].name);
    return true;
}

bool load_table_start(struct load_table *load, const char *bytes, ptrdiff_t length, struct error *error)
{
    memset(load, 0, sizeof *load);
    arena_init(&load->arena);
    table_init(&load->table, bytes, length, ',');
    for (int i = 0; i < LOAD_COLUMNS; i++)
        load->cells[i] = -1;
    load->clock = clock_system();
    load->now = clock_wall(&load->clock);
    hash_of(&load->source, bytes, length);
    return find_separator(load, bytes, length, error) && read_head(load, error);
}

void load_table_finish(struct load_table *load)
{
    table_finish(&load->table);
    arena_finish(&load->arena);
    memory_free(load->counts);
}

/* ---- ids ---- */

static struct load_count *find_count(struct load_count *counts, ptrdiff_t capacity, const struct hash *hash)
{
    size_t at;
    memcpy(&at, hash->bytes, sizeof at);
    for (at &= (size_t)capacity - 1;; at = (at + 1) & ((size_t)capacity - 1))
        if (!counts[at].count || memcmp(&counts[at].hash, hash, sizeof *hash) == 0)
            return &counts[at];
}

/* Twice as many places, a power of two. */
static bool more_counts(struct load_table *load)
{
    ptrdiff_t capacity = load->capacity ? load->capacity * 2 : 1024;
    struct load_count *counts = memory_zero(capacity * (ptrdiff_t)sizeof *counts);
    if (!counts)
        return false;
    for (ptrdiff_t i = 0; i < load->capacity; i++)
        if (load->counts[i].count)
            *find_count(counts, capacity, &load->counts[i].hash) = load->counts[i];
    memory_free(load->counts);
    load->counts = counts;
    load->capacity = capacity;
    return true;
}

/* What the row says, whatever the order of the columns; how often it was said before makes it another one. */
static bool make_id(struct load_table *load, struct uuid *id, struct error *error)
{
    struct buffer said;
    struct hash hash;
    buffer_init(&said);
    for (int i = 0; i < LOAD_COLUMNS; i++) {
        ptrdiff_t length;
        const char *text = table_cell(&load->table, load->cells[i], &length);
        plain_cell(&text, &length);
        if (!length || columns[i].derived)
            continue;
        buffer_print(&said, "%s %td ", columns[i].name, length);
        buffer_add(&said, text, length);
        buffer_char(&said, '\n');
    }
    bool done = !said.failed && (load->count * 2 < load->capacity || more_counts(load));
    if (done) {
        hash_of(&hash, buffer_get(&said), said.length);
        struct load_count *met = find_count(load->counts, load->capacity, &hash);
        load->count += !met->count;
        met->hash = hash;
        met->count++;
        char count[32];
        snprintf(count, sizeof count, "%lld", (long long)met->count);
        intake_id(id, "attempt", hash.bytes, sizeof hash.bytes, count, (ptrdiff_t)strlen(count));
    }
    buffer_finish(&said);
    return done || error_memory(error);
}

/* ---- rows ---- */

static bool refuse(struct intake_result *result, const char *why)
{
    snprintf(result->why, sizeof result->why, "%s", why);
    result->fate = INTAKE_REFUSED;
    return false;
}

/* What is wrong with the record as such. */
static bool check_record(const struct load_table *load, struct intake_result *result)
{
    const struct table *table = &load->table;
    int named = 0;
    for (int i = 0; i < LOAD_COLUMNS; i++)
        named = load->cells[i] >= named ? load->cells[i] + 1 : named;
    if (table->unclosed)
        return refuse(result, tr("a quotation mark opens here and is never closed: the rest was not read"));
    if (table->stray)
        return refuse(result, tr("a quotation mark stands inside a cell: double it, and quote the cell"));
    if (table->too_wide)
        return refuse(result, tr("it has more cells than there are columns"));
    if (table->count <= load->last)
        return refuse(result, tr("it has fewer cells than there are columns"));
    for (int cell = 0; cell < table->count; cell++) {
        ptrdiff_t length;
        const char *text = table_cell(table, cell, &length);
        if (memchr(text, '\0', (size_t)length))
            return refuse(result, tr("it holds a NUL character"));
        text_trim(&text, &length);
        if (cell >= named && length)
            return refuse(result, tr("it has more cells than there are columns"));
    }
    return true;
}

int load_table_next(struct load_table *load, struct intake_row *row, struct intake_result *result,
                    struct error *error)
{
    struct error own = { 0 };
    bool there;
    while ((there = table_next(&load->table)) && table_blank(&load->table) && !load->table.unclosed)
        ;
    if (load->table.failed) {
        error_memory(error);
        return -1;
    }
    if (!there)
        return 0;
    arena_finish(&load->arena);
    arena_init(&load->arena);
    memset(result, 0, sizeof *result);
    if (!check_record(load, result))
        return 2;
    if (!load_row_read(load, row, result, &own)) {
        if (own.code && error)
            *error = own;
        return own.code ? -1 : 2;
    }
    if (uuid_is_zero(&row->attempt.id) && !make_id(load, &row->attempt.id, error))
        return -1;
    return 1;
}
