#include <quiztutor/memory.h>
#include <quiztutor/table.h>

#include <string.h>

/* Past the end of line that stands at `at` (LF, CRLF or a bare CR); `at` itself where none does. */
static const char *line_end(const char *at, const char *end)
{
    if (at < end && *at == '\r')
        at++;
    else if (at < end && *at == '\n')
        return at + 1;
    else
        return at;
    return at < end && *at == '\n' ? at + 1 : at;
}

void table_init(struct table *table, const char *text, ptrdiff_t length, char separator)
{
    *table = (struct table){ .at = text, .end = text + length, .separator = separator, .line = 1 };
    buffer_init(&table->text);
}

void table_finish(struct table *table)
{
    memory_free(table->starts);
    buffer_finish(&table->text);
    table->starts = NULL;
}

static bool at_cell_end(const struct table *table, const char *at)
{
    return at == table->end || *at == table->separator || *at == '\n' || *at == '\r';
}

static void cell_plain(struct table *table)
{
    const char *start = table->at;
    while (!at_cell_end(table, table->at))
        table->at++;
    buffer_add(&table->text, start, table->at - start);
}

/* What stands between quotation marks, line ends counted. */
static void cell_add(struct table *table, const char *text, const char *end)
{
    buffer_add(&table->text, text, end - text);
    while (text < end) {
        const char *behind = line_end(text, end);
        table->line += behind > text;
        text = behind > text ? behind : text + 1;
    }
}

static const char *skip_blanks(const struct table *table, const char *at)
{
    if (table->blanks)
        while (at < table->end && *at == ' ' && table->separator != ' ')
            at++;
    return at;
}

/*
 * A mark that is neither doubled nor at the cell's end: the cell was not meant to be quoted, so it is read
 * again as it stands, unless it went over several lines; then the mark is taken as text. Each cell is read
 * twice at most: when a cell is read again, no later one can open as far as this one went, since an even run
 * of marks opens and closes at once and an odd one ended this cell.
 */
static void cell_quoted(struct table *table)
{
    const char *opened = table->at;
    int line = table->line;
    ptrdiff_t length = table->text.length;
    table->at++;
    for (;;) {
        const char *quote =
            table->at < table->end ? memchr(table->at, '"', (size_t)(table->end - table->at)) : NULL;
        if (!quote) {
            table->unclosed = line;
            cell_add(table, table->at, table->end);
            table->at = table->end;
            return;
        }
        cell_add(table, table->at, quote);
        table->at = quote + 1;
        if (table->at < table->end && *table->at == '"') {
            buffer_char(&table->text, '"');
            table->at++;
            continue;
        }
        const char *behind = skip_blanks(table, table->at);
        if (at_cell_end(table, behind)) {
            table->at = behind;
            return;
        }
        table->stray = true;
        if (table->line == line) {
            table->at = opened;
            table->text.length = length;
            cell_plain(table);
            return;
        }
        buffer_char(&table->text, '"');
    }
}

static void cell_read(struct table *table)
{
    const char *at = skip_blanks(table, table->at);
    if (table->count < TABLE_COLUMNS) {
        if (!memory_grow(&table->starts, &table->capacity, table->count + 2, sizeof *table->starts)) {
            table->failed = true;
            return;
        }
        table->starts[table->count++] = table->text.length;
    } else {
        table->too_wide = true;
        table->text.length = table->starts[table->count - 1]; /* memory is not spent on what is refused */
    }
    if (at < table->end && *at == '"') {
        table->at = at;
        cell_quoted(table);
    } else {
        cell_plain(table);
    }
    buffer_char(&table->text, '\0');
}

bool table_next(struct table *table)
{
    table->count = 0;
    table->too_wide = table->stray = false;
    table->unclosed = 0;
    table->first_line = table->line;
    buffer_clear(&table->text);
    if (table->at >= table->end || table->failed)
        return false;
    for (;;) {
        cell_read(table);
        table->failed = table->failed || table->text.failed;
        if (table->failed)
            return false;
        if (table->at == table->end || *table->at != table->separator)
            break;
        table->at++;
    }
    table->starts[table->count] = table->text.length;
    if (table->at < table->end) {
        table->at = line_end(table->at, table->end);
        table->line++;
    }
    return true;
}

const char *table_cell(const struct table *table, int cell, ptrdiff_t *length)
{
    if (cell < 0 || cell >= table->count) {
        *length = 0;
        return "";
    }
    *length = table->starts[cell + 1] - table->starts[cell] - 1;
    return buffer_get(&table->text) + table->starts[cell];
}

bool table_blank(const struct table *table)
{
    for (ptrdiff_t i = 0; i < table->text.length; i++)
        if (table->text.data[i] && !strchr(" \t\r\n", table->text.data[i]))
            return false;
    return true;
}
