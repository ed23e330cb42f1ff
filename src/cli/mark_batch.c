/* A class marked at once, from a table of sheets: all of them are stored, or none. */
#include "file.h"
#include "learner.h"
#include "mark.h"

#include <quiztutor/exchange.h>
#include <quiztutor/line.h>
#include <quiztutor/message.h>
#include <quiztutor/table.h>

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { BATCH_BYTES = 16 * 1024 * 1024 };
enum column { COLUMN_ID, COLUMN_LEARNER, COLUMN_ANSWERS, COLUMNS };
static const char *const column_names[COLUMNS] = { "id", "learner", "answers" };

/* One line of the table. */
struct entry {
    int line;
    struct printed printed;
    struct filled filled;
};

struct batch {
    struct mark *mark;
    const char *path;
    struct table table;
    int places[COLUMNS]; /* of a column in the table + 1; 0: it has none */
    struct entry **entries;
    ptrdiff_t count, capacity;
    int refused;
};

static void tell(struct batch *batch, int line, const char *why)
{
    struct buffer shown;
    buffer_init(&shown);
    text_visible(&shown, batch->path, (ptrdiff_t)strlen(batch->path));
    buffer_print(&shown, ":%d: ", line);
    text_visible(&shown, why, (ptrdiff_t)strlen(why));
    fprintf(stderr, "%s\n", buffer_get(&shown));
    buffer_finish(&shown);
    batch->refused++;
}

static int find_column(const char *text, ptrdiff_t length)
{
    for (int i = 0; i < COLUMNS; i++)
        if ((ptrdiff_t)strlen(column_names[i]) == length &&
            strncasecmp(column_names[i], text, (size_t)length) == 0)
            return i;
    return -1;
}

/* Reads the head with this separator: how many columns it has that are known. */
static int try_head(struct batch *batch, const char *bytes, ptrdiff_t length, char separator)
{
    struct table *table = &batch->table;
    int known = 0;
    table_finish(table);
    table_init(table, bytes, length, separator);
    table->blanks = true;
    memset(batch->places, 0, sizeof batch->places);
    if (!table_next(table))
        return 0;
    for (int cell = 0; cell < table->count; cell++) {
        ptrdiff_t cell_length;
        const char *text = table_cell(table, cell, &cell_length);
        text_trim(&text, &cell_length);
        int column = find_column(text, cell_length);
        if (column >= 0 && !batch->places[column]) {
            batch->places[column] = cell + 1;
            known++;
        }
    }
    return known;
}

static bool read_head(struct batch *batch, const char *bytes, ptrdiff_t length, struct error *error)
{
    static const char separators[] = { ',', ';', '\t' };
    for (size_t i = 0; i < sizeof separators; i++)
        if (try_head(batch, bytes, length, separators[i]) == COLUMNS && batch->table.count == COLUMNS)
            return true;
    if (batch->table.failed)
        return error_memory(error);
    return error_set(error, ERROR_INPUT, tr("%s:1: the first line names the columns: %s"), batch->path,
                     "id,learner,answers");
}

/* A cell without the blanks around it, in the arena; NULL without memory. */
static const char *take_cell(struct batch *batch, enum column column)
{
    ptrdiff_t length;
    const char *cell = table_cell(&batch->table, batch->places[column] - 1, &length);
    text_trim(&cell, &length);
    return arena_text(&batch->mark->arena, cell, length);
}

static bool is_there_before(const struct batch *batch, const struct entry *entry, int *line)
{
    for (ptrdiff_t i = 0; i < batch->count; i++) {
        const struct entry *other = batch->entries[i];
        *line = other->line;
        if (strcmp(other->printed.id, entry->printed.id) == 0 &&
            uuid_equal(&other->filled.learner.id, &entry->filled.learner.id))
            return true;
    }
    return false;
}

static bool read_cells(struct batch *batch, struct entry *entry, struct error *error)
{
    struct mark *mark = batch->mark;
    const char *id = take_cell(batch, COLUMN_ID), *name = take_cell(batch, COLUMN_LEARNER),
               *answers = take_cell(batch, COLUMN_ANSWERS);
    struct store_learner learner;
    struct sheet_id read;
    char why[MARK_DOUBT];
    int line;
    if (!id || !name || !answers)
        return error_memory(error);
    if (!*name)
        return error_set(error, ERROR_INPUT, "%s", tr("there is no learner in this line"));
    if (!sheet_id_read(&read, id, error) ||
        !learner_find_paper(mark->store, name, &mark->arena, &learner, error) ||
        !printed_find(&mark->shelf, &entry->printed, id, &learner.id, error))
        return false;
    if (!filled_init(&entry->filled, &entry->printed, &learner, clock_wall(&mark->clock)))
        return error_memory(error);
    if (!mark_doubt(mark, &entry->filled, why, error))
        return false;
    if (*why)
        return error_set(error, ERROR_INPUT, "%s", why);
    if (is_there_before(batch, entry, &line))
        return error_set(error, ERROR_INPUT, tr("line %d has the same sheet of the same learner"), line);
    return filled_read_line(&entry->filled, answers, error);
}

static bool is_of_the_line(enum error_code code)
{
    return code == ERROR_INPUT || code == ERROR_NOT_FOUND;
}

/* A line more; one with a fault is told and counted. False: an error that ends it. */
static bool take_line(struct batch *batch, struct error *error)
{
    struct error why = { 0 };
    const struct table *table = &batch->table;
    if (batch->count == SHEET_RECORD_LINES)
        return error_set(error, ERROR_INPUT, tr("%s has more than %d sheets: part it"), batch->path,
                         (int)SHEET_RECORD_LINES);
    struct entry *entry = memory_zero(sizeof *entry);
    if (!entry || !memory_grow(&batch->entries, &batch->capacity, batch->count + 1, sizeof(struct entry *))) {
        memory_free(entry);
        return error_memory(error);
    }
    entry->line = table->first_line;
    bool done = false;
    if (table->unclosed)
        error_set(&why, ERROR_INPUT, "%s", tr("a quotation mark is never closed"));
    else if (table->count > COLUMNS)
        error_set(&why, ERROR_INPUT,
                  tr("there are %d cells, not %d: answers with a comma belong in quotation marks"),
                  table->count, (int)COLUMNS);
    else if (table->count < COLUMNS)
        error_set(&why, ERROR_INPUT, tr("there are not %d cells in this line: id, learner and answers"),
                  (int)COLUMNS);
    else
        done = read_cells(batch, entry, &why);
    if (done) {
        batch->entries[batch->count++] = entry;
        return true;
    }
    filled_finish(&entry->filled);
    printed_finish(&entry->printed);
    memory_free(entry);
    if (!is_of_the_line(why.code)) {
        *error = why;
        return false;
    }
    tell(batch, table->first_line, why.message);
    return true;
}

static bool read_lines(struct batch *batch, struct error *error)
{
    while (table_next(&batch->table))
        if (!table_blank(&batch->table) && !take_line(batch, error))
            return false;
    if (batch->table.failed)
        return error_memory(error);
    if (batch->refused)
        return error_set(error, ERROR_INPUT,
                         ntr("nothing was stored: %d line of %s is refused",
                             "nothing was stored: %d lines of %s are refused", batch->refused),
                         batch->refused, batch->path);
    return batch->count || error_set(error, ERROR_INPUT, tr("%s has no sheets in it"), batch->path);
}

/* The sum of each. */
static bool show(struct batch *batch, struct error *error)
{
    struct buffer out;
    buffer_init(&out);
    for (ptrdiff_t i = 0; i < batch->count; i++) {
        mark_sum(&out, &batch->entries[i]->filled);
        buffer_char(&out, '\n');
    }
    bool done = out.failed ? error_memory(error) : line_write(STDOUT_FILENO, &out, error);
    buffer_finish(&out);
    return done;
}

static bool agree(struct batch *batch, struct error *error)
{
    char question[200];
    int count = (int)batch->count;
    if (batch->mark->invocation->options->values[OPTION_YES])
        return true;
    if (!mark_can_ask(batch->mark))
        return error_set(error, ERROR_INPUT, "%s", tr("nothing was stored: --yes stores what is shown"));
    snprintf(question, sizeof question, ntr("Store %d sheet?", "Store %d sheets?", count), count);
    return learner_agree(batch->mark->invocation, question, error);
}

static bool store_all(struct batch *batch, struct error *error)
{
    struct filled **all = memory_alloc((batch->count + 1) * (ptrdiff_t)sizeof(struct filled *));
    if (!all)
        return error_memory(error);
    for (ptrdiff_t i = 0; i < batch->count; i++)
        all[i] = &batch->entries[i]->filled;
    bool done = filled_store(all, (int)batch->count, batch->mark->store, &batch->mark->clock, error);
    memory_free(all);
    if (done)
        fprintf(stderr, "quiztutor: %s\n", tr("stored"));
    return done;
}

static bool read_batch(struct batch *batch, struct buffer *bytes, struct error *error)
{
    if (!file_read(bytes, batch->path, BATCH_BYTES, error))
        return false;
    const char *text = buffer_get(bytes);
    ptrdiff_t length = bytes->length;
    if (!exchange_check_text(&text, &length, error))
        return error_prefix(error, batch->path);
    return read_head(batch, text, length, error) && read_lines(batch, error);
}

bool mark_batch(struct mark *mark, const char *path, struct error *error)
{
    struct batch batch = { .mark = mark, .path = path };
    struct buffer bytes;
    buffer_init(&bytes);
    bool done = read_batch(&batch, &bytes, error);
    for (ptrdiff_t i = 0; done && i < batch.count; i++)
        done = mark_tell_changed(mark, &batch.entries[i]->printed, error);
    done = done && show(&batch, error) && agree(&batch, error) && store_all(&batch, error);
    for (ptrdiff_t i = 0; i < batch.count; i++) {
        filled_finish(&batch.entries[i]->filled);
        printed_finish(&batch.entries[i]->printed);
        memory_free(batch.entries[i]);
    }
    memory_free(batch.entries);
    table_finish(&batch.table);
    buffer_finish(&bytes);
    return done;
}
