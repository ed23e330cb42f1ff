#include "csv_column.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <stdio.h>
#include <string.h>

enum numbering { NUMBER_NONE, NUMBER_MAY, NUMBER_MUST };

struct column_row {
    const char *name;
    enum numbering numbering;
};

static const struct column_row column_rows[CSV_COLUMNS] = {
    [CSV_ID] = { "id", NUMBER_NONE },
    [CSV_SECTION] = { "section", NUMBER_NONE },
    [CSV_INTRO] = { "intro", NUMBER_NONE },
    [CSV_INTRO_FIGURE] = { "intro figure", NUMBER_NONE },
    [CSV_PICK] = { "pick", NUMBER_NONE },
    [CSV_TYPE] = { "type", NUMBER_NONE },
    [CSV_PROMPT] = { "prompt", NUMBER_NONE },
    [CSV_FIGURE] = { "figure", NUMBER_NONE },
    [CSV_CHOICE] = { "choice", NUMBER_MUST },
    [CSV_MATCH] = { "match", NUMBER_MUST },
    [CSV_FEEDBACK] = { "feedback", NUMBER_MAY },
    [CSV_MISCONCEPTION] = { "misconception", NUMBER_MAY },
    [CSV_PIN] = { "pin", NUMBER_MUST },
    [CSV_CHOICE_ID] = { "choice id", NUMBER_MUST },
    [CSV_CORRECT] = { "correct", NUMBER_NONE },
    [CSV_TOLERANCE] = { "tolerance", NUMBER_NONE },
    [CSV_UNIT] = { "unit", NUMBER_NONE },
    [CSV_SIGNIFICANT_FIGURES] = { "significant figures", NUMBER_NONE },
    [CSV_IGNORE] = { "ignore", NUMBER_NONE },
    [CSV_EXPLANATION] = { "explanation", NUMBER_NONE },
    [CSV_EXPLANATION_FIGURE] = { "explanation figure", NUMBER_NONE },
    [CSV_HINT] = { "hint", NUMBER_MAY },
    [CSV_TAGS] = { "tags", NUMBER_NONE },
    [CSV_MARKS] = { "marks", NUMBER_NONE },
    [CSV_MARKING] = { "marking", NUMBER_NONE },
    [CSV_SHUFFLE] = { "shuffle", NUMBER_NONE },
    [CSV_SOURCE] = { "source", NUMBER_NONE },
    [CSV_MARKUP] = { "markup", NUMBER_NONE },
};

/* Other words that tables have for a column. */
static const struct {
    const char *name;
    enum csv_column column;
} other_names[] = {
    { "question", CSV_PROMPT },
    { "answer", CSV_CORRECT },
    { "option", CSV_CHOICE },
    { "tag", CSV_TAGS },
};

const char *csv_column_name(enum csv_column column)
{
    return column_rows[column].name;
}

bool csv_column_numbered(enum csv_column column)
{
    return column_rows[column].numbering != NUMBER_NONE;
}

enum { NAME = 40 };

/* Lower case, one blank for "_", "-" and runs of blanks, the number behind it taken off. */
static bool plain_name(char plain[static NAME], const char *name, int *number)
{
    int length = 0, digits = 0;
    *number = 0;
    for (; *name; name++) {
        bool blank = *name == ' ' || *name == '_' || *name == '-' || *name == '\t';
        if (blank && (length == 0 || plain[length - 1] == ' '))
            continue;
        if (length >= NAME - 1)
            return false;
        plain[length++] = blank ? ' ' : *name >= 'A' && *name <= 'Z' ? (char)(*name - 'A' + 'a') : *name;
    }
    while (length > 0 && plain[length - 1] == ' ')
        length--;
    while (length > digits && plain[length - 1 - digits] >= '0' && plain[length - 1 - digits] <= '9')
        digits++;
    if (digits > 2)
        return false;
    for (int i = length - digits; i < length; i++)
        *number = *number * 10 + plain[i] - '0';
    if (digits && *number == 0)
        return false;
    length -= digits;
    while (length > 0 && plain[length - 1] == ' ')
        length--;
    plain[length] = '\0';
    return length > 0;
}

bool csv_column_find(const char *name, enum csv_column *column, int *number)
{
    char plain[NAME];
    int found = -1;
    if (!plain_name(plain, name, number))
        return false;
    for (int i = 0; i < CSV_COLUMNS; i++)
        if (strcmp(plain, column_rows[i].name) == 0)
            found = i;
    for (size_t i = 0; i < sizeof other_names / sizeof *other_names; i++)
        if (strcmp(plain, other_names[i].name) == 0)
            found = (int)other_names[i].column;
    if (found < 0)
        return false;
    *column = (enum csv_column)found;
    enum numbering numbering = column_rows[found].numbering;
    return *number ? numbering != NUMBER_NONE : numbering != NUMBER_MUST;
}

static bool must_be_numbered(const char *name)
{
    for (int i = 0; i < CSV_COLUMNS; i++)
        if (strcmp(name, column_rows[i].name) == 0)
            return column_rows[i].numbering == NUMBER_MUST;
    return false;
}

static bool refuse(const struct table *table, const char *name, struct error *error)
{
    const char *names[CSV_COLUMNS];
    char plain[NAME], shown[NAME + 8];
    int number;
    for (int i = 0; i < CSV_COLUMNS; i++)
        names[i] = column_rows[i].name;
    const char *near = plain_name(plain, name, &number) ? text_nearest(plain, names, CSV_COLUMNS) : NULL;
    ptrdiff_t cut = 0, length = (ptrdiff_t)strlen(name);
    int width;
    for (ptrdiff_t bytes; cut < NAME - 8 && (bytes = text_cell(name + cut, length - cut, &width)) > 0;)
        cut += bytes;
    snprintf(shown, sizeof shown, "%.*s%s", cut < NAME ? (int)cut : NAME - 8, name, cut < length ? "…" : "");
    if (near && must_be_numbered(near))
        return error_set(error, ERROR_INPUT,
                         tr("line %d: there is no column \"%s\"; is \"%s\" with a number meant, \"%s 1\"?"),
                         table->first_line, shown, near, near);
    if (near)
        return error_set(error, ERROR_INPUT, tr("line %d: there is no column \"%s\"; is \"%s\" meant?"),
                         table->first_line, shown, near);
    return error_set(error, ERROR_INPUT,
                     tr("line %d: there is no column \"%s\"; delete it, or name it as one of those that are "
                        "known: id, section, type, prompt, choice 1, correct, explanation and others"),
                     table->first_line, shown);
}

bool csv_columns_read(struct csv_columns *columns, const struct table *table, struct error *error)
{
    enum csv_column column;
    int number;
    ptrdiff_t length;
    memset(columns, 0, sizeof *columns);
    columns->count = table->count;
    if (table->too_wide)
        return error_set(error, ERROR_INPUT, tr("line %d: more than %d columns"), table->first_line,
                         TABLE_COLUMNS);
    for (int i = 0; i < table->count; i++) {
        const char *name = table_cell(table, i, &length);
        if (strspn(name, " \t\r\n") == (size_t)length)
            continue; /* an empty head: its cells must be empty, too */
        if ((ptrdiff_t)strlen(name) != length || !csv_column_find(name, &column, &number))
            return refuse(table, name, error);
        if (columns->cell[column][number])
            return error_set(error, ERROR_INPUT, tr("line %d: the column \"%s\" is there twice"),
                             table->first_line, name);
        columns->cell[column][number] = (short)(i + 1);
        columns->named[i] = true;
        columns->column[i] = (unsigned char)column;
        columns->number[i] = (unsigned char)number;
        columns->numbers = number > columns->numbers ? number : columns->numbers;
    }
    return true;
}

/* ---- the separator ---- */

static int known_names(const char *text, ptrdiff_t length, char separator)
{
    struct table table;
    enum csv_column column;
    int number, known = 0;
    bool prompt = false;
    ptrdiff_t size;
    table_init(&table, text, length, separator);
    table.blanks = true;
    while (table_next(&table) && table_blank(&table))
        ;
    for (int i = 0; i < table.count; i++)
        if (csv_column_find(table_cell(&table, i, &size), &column, &number)) {
            known++;
            prompt = prompt || column == CSV_PROMPT;
        }
    table_finish(&table);
    return prompt ? known : 0;
}

enum { HEAD_BYTES = 65536 }; /* of the head row, at most */

char csv_separator(const char **text, ptrdiff_t *length, int *lines)
{
    const char *at = *text;
    *lines = 0;
    if (*length >= 6 && strncmp(at, "sep=", 4) == 0 && (at[5] == '\n' || at[5] == '\r')) {
        ptrdiff_t behind = at[5] == '\r' && *length > 6 && at[6] == '\n' ? 7 : 6;
        *text += behind;
        *length -= behind;
        *lines = 1;
        return at[4];
    }
    static const char separators[] = ",;\t";
    ptrdiff_t head = *length < HEAD_BYTES ? *length : HEAD_BYTES;
    int best = 0;
    char found = 0;
    for (const char *separator = separators; *separator; separator++) {
        int known = known_names(at, head, *separator);
        if (known > best) {
            best = known;
            found = *separator;
        }
    }
    return best > 1 ? found : 0;
}

/* ---- lists ---- */

bool csv_list_next(const char **at, struct buffer *out)
{
    const char *c = *at;
    buffer_clear(out);
    if (!c)
        return false;
    for (; *c && *c != '|'; c++) {
        if (*c == '\\' && (c[1] == '|' || c[1] == '\\'))
            c++;
        buffer_char(out, *c);
    }
    *at = *c ? c + 1 : NULL;
    return true;
}

void csv_list_add(struct buffer *list, const char *text)
{
    if (list->length)
        buffer_char(list, '|');
    for (; *text; text++) {
        if (*text == '|' || (*text == '\\' && (text[1] == '|' || text[1] == '\\' || !text[1])))
            buffer_char(list, '\\');
        buffer_char(list, *text);
    }
}
