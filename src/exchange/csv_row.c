#include "csv_row.h"

#include <quiztutor/message.h>
#include <quiztutor/number.h>
#include <quiztutor/text.h>

#include <stdio.h>
#include <string.h>

const char *csv_row_cell(struct csv_row *row, enum csv_column column, int number, ptrdiff_t *length)
{
    int cell = row->columns.cell[column][number] - 1;
    if (cell >= 0)
        row->used[cell] = true;
    return table_cell(&row->table, cell, length);
}

static bool is_blank(const char *text, ptrdiff_t length)
{
    for (ptrdiff_t i = 0; i < length; i++)
        if (text[i] != ' ' && text[i] != '\t' && text[i] != '\r' && text[i] != '\n')
            return false;
    return true;
}

bool csv_row_has(struct csv_row *row, enum csv_column column, int number)
{
    ptrdiff_t length;
    const char *cell = table_cell(&row->table, row->columns.cell[column][number] - 1, &length);
    return !is_blank(cell, length);
}

const char *csv_row_text(struct csv_row *row, enum csv_column column, int number)
{
    ptrdiff_t length;
    const char *cell = csv_row_cell(row, column, number, &length);
    return length ? import_text(row->import, cell, length) : NULL;
}

const char *csv_row_marked(struct csv_row *row, enum csv_column column, int number)
{
    ptrdiff_t length;
    const char *cell = csv_row_cell(row, column, number, &length);
    if (!length)
        return NULL;
    return row->marked ? import_text(row->import, cell, length) : import_plain(row->import, cell, length);
}

const char *csv_row_line(struct csv_row *row, enum csv_column column, int number)
{
    ptrdiff_t length;
    const char *cell = csv_row_cell(row, column, number, &length);
    return length ? import_text_line(row->import, cell, length) : NULL;
}

const char *csv_row_figure(struct csv_row *row, enum csv_column column)
{
    ptrdiff_t length;
    const char *cell = csv_row_cell(row, column, 0, &length);
    return length ? import_text_figure(row->import, cell, length) : NULL;
}

struct text_list csv_row_list(struct csv_row *row, enum csv_column column, bool lines)
{
    struct text_list list = { NULL, 0 };
    ptrdiff_t length, most = 1;
    const char *cell = csv_row_cell(row, column, 0, &length);
    for (ptrdiff_t i = 0; i < length; i++)
        most += cell[i] == '|';
    const char **items = length ? arena_alloc(&row->import->arena, most * (ptrdiff_t)sizeof *items) : NULL;
    row->import->failed = row->import->failed || (length && !items);
    for (const char *at = cell; items && csv_list_next(&at, &row->item);) {
        const char *text = lines ? import_text_line(row->import, buffer_get(&row->item), row->item.length)
                                 : import_text(row->import, buffer_get(&row->item), row->item.length);
        if (text && list.count < most)
            items[list.count++] = text;
    }
    row->import->failed = row->import->failed || row->item.failed;
    list.items = items;
    return list;
}

void csv_row_word(struct csv_row *row, enum csv_column column, int number, char word[static CSV_WORD])
{
    ptrdiff_t length;
    int kept = 0;
    const char *cell = csv_row_cell(row, column, number, &length);
    for (; *cell && kept < CSV_WORD - 1; cell++) {
        bool blank = strchr(" \t\r\n_-/", *cell) != NULL;
        if (!blank)
            word[kept++] = *cell >= 'A' && *cell <= 'Z' ? (char)(*cell - 'A' + 'a') : *cell;
        else if (kept && word[kept - 1] != '-')
            word[kept++] = '-';
    }
    while (kept && word[kept - 1] == '-')
        kept--;
    word[kept] = '\0';
}

const char *csv_row_digits(struct csv_row *row, enum csv_column column, int number, double *value)
{
    const char *text = csv_row_line(row, column, number);
    struct import *import = row->import;
    struct number read = { 0, 0 };
    char name[24] = "";
    if (number)
        snprintf(name, sizeof name, " %d", number);
    if (!text)
        text = "";
    ptrdiff_t length = (ptrdiff_t)strlen(text);
    enum number_fault fault = number_read(&read, text, length, row->comma);
    if (fault != NUMBER_FINE) {
        import_leave_out(import,
                         fault == NUMBER_COMMA
                             ? tr("%s%s: \"%.60s\" is no number; the decimal sign is a point")
                             : tr("%s%s: \"%.60s\" is no number"),
                         csv_column_name(column), name, text);
        return NULL;
    }
    *value = read.value;
    const char *comma = strchr(text, ',');
    char *pointed = comma ? arena_text(&import->arena, text, length) : NULL;
    if (!comma)
        return text;
    if (!pointed) {
        import->failed = true;
        return NULL;
    }
    pointed[comma - text] = '.';
    import_change(import, tr("%s is read as %s"), text, pointed);
    return pointed;
}

bool csv_row_number(struct csv_row *row, enum csv_column column, double *value)
{
    return !csv_row_has(row, column, 0) || csv_row_digits(row, column, 0, value) != NULL;
}
