/* Reads a table of questions, a row for each; csv_column.h says what its columns hold. */
#include "csv_row.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <string.h>

/* ---- the parts of a row ---- */

/* The type's word, or QUESTION_TYPES for a row with choices that tells none. */
static bool read_type(struct csv_row *row, struct question *question)
{
    char word[CSV_WORD];
    const char *names[QUESTION_TYPES];
    csv_row_word(row, CSV_TYPE, 0, word);
    question->type = QUESTION_TYPES;
    for (int type = 0; type < QUESTION_TYPES; type++) {
        names[type] = question_type_name((enum question_type)type);
        if (strcmp(names[type], word) == 0)
            question->type = (enum question_type)type;
    }
    if (question->type != QUESTION_TYPES || (!*word && csv_row_has(row, CSV_CHOICE, 1)))
        return true;
    const char *near = *word ? text_nearest(word, names, QUESTION_TYPES) : NULL;
    if (near)
        import_leave_out(row->import, tr("there is no type \"%s\"; is \"%s\" meant?"), word, near);
    else if (*word)
        import_leave_out(row->import,
                         tr("there is no type \"%s\"; write single-choice, multiple-choice, "
                            "true-false, number, text, order, match or recall"),
                         word);
    else
        import_leave_out(row->import, "%s", tr("it has neither a type nor choices"));
    return false;
}

static void read_hints(struct csv_row *row, struct question *question)
{
    const char **items = NULL;
    int count = 0;
    for (int number = 0; number <= row->columns.numbers; number++) {
        const char *hint = csv_row_marked(row, CSV_HINT, number);
        if (hint && !items) {
            items = arena_alloc(&row->import->arena, (CSV_NUMBERED + 1) * (ptrdiff_t)sizeof *items);
            row->import->failed = row->import->failed || !items;
        }
        if (hint && items)
            items[count++] = hint;
    }
    question->hints = (struct text_list){ items, count };
}

static bool read_marking(struct csv_row *row, struct question *question)
{
    char word[CSV_WORD];
    csv_row_word(row, CSV_MARKING, 0, word);
    if (!*word)
        return true;
    for (int rule = 0; rule < MARKING_RULES; rule++)
        if (strcmp(word, marking_rule_name((enum marking_rule)rule)) == 0) {
            question->marking = (enum marking_rule)rule;
            return true;
        }
    import_leave_out(row->import,
                     tr("marking: write all-or-nothing, net-correct or each-decision, not \"%s\""), word);
    return false;
}

static bool read_shuffle(struct csv_row *row, struct question *question)
{
    char word[CSV_WORD];
    csv_row_word(row, CSV_SHUFFLE, 0, word);
    question->shuffle = strcmp(word, "false") != 0 && strcmp(word, "falsch") != 0;
    if (!question->shuffle || !*word || strcmp(word, "true") == 0 || strcmp(word, "wahr") == 0)
        return true;
    import_leave_out(row->import, tr("shuffle: write true or false, not \"%s\""), word);
    return false;
}

/* The section that the row names, and what it says of it; a row without one belongs where the last did. */
static bool read_section(struct csv_row *row)
{
    struct import *import = row->import;
    ptrdiff_t length;
    double pick = 0;
    if (csv_row_has(row, CSV_SECTION, 0))
        import_section(import, csv_row_cell(row, CSV_SECTION, 0, &length));
    if (!import->section)
        return true; /* then intro and pick are told as left out */
    struct section *section = &import->sections[import->section - 1];
    if (csv_row_has(row, CSV_INTRO, 0))
        section->intro = csv_row_marked(row, CSV_INTRO, 0);
    if (csv_row_has(row, CSV_INTRO_FIGURE, 0))
        section->intro_figure = csv_row_figure(row, CSV_INTRO_FIGURE);
    if (!csv_row_number(row, CSV_PICK, &pick))
        return false;
    if (pick != (double)(int)pick || pick < 0 || pick > PACK_QUESTIONS) {
        import_leave_out(import, "%s", tr("pick: write how many questions of the section are asked"));
        return false;
    }
    if (pick > 0)
        section->pick = (int)pick;
    return true;
}

/* Cells that nobody read: they don't go with the type, or stand below no name. */
static void tell_unused(struct csv_row *row, const struct question *question)
{
    const struct csv_columns *columns = &row->columns;
    const char *type = question_type_name(question->type);
    ptrdiff_t length;
    for (int cell = 0; cell < row->table.count && cell < columns->count; cell++) {
        const char *text = table_cell(&row->table, cell, &length);
        if (row->used[cell] || strspn(text, " \t\r\n") == (size_t)length)
            continue;
        const char *name = csv_column_name((enum csv_column)columns->column[cell]);
        if (!columns->named[cell])
            import_change(row->import, tr("cell %d is left out, its column has no name"), cell + 1);
        else if (columns->number[cell])
            import_change(row->import, tr("%s %d is left out, it has no place in %s"), name,
                          columns->number[cell], type);
        else
            import_change(row->import, tr("%s is left out, it has no place in %s"), name, type);
    }
}

/* ---- a row ---- */

static bool row_is_sound(struct csv_row *row)
{
    struct table *table = &row->table;
    ptrdiff_t length;
    if (table->unclosed) {
        import_leave_out(
            row->import,
            tr("a quotation mark opens in line %d and is never closed: all from there to the end "
               "of the file is left out"),
            table->unclosed);
        return false;
    }
    for (int cell = row->columns.count; cell < table->count; cell++) {
        const char *text = table_cell(table, cell, &length);
        if (strspn(text, " \t") == (size_t)length)
            continue;
        import_leave_out(row->import,
                         tr("it has %d cells, but the head row has %d; a text that holds the separator must "
                            "stand in quotation marks"),
                         table->count, row->columns.count);
        return false;
    }
    if (table->too_wide) {
        import_leave_out(row->import, tr("it has more than %d cells"), TABLE_COLUMNS);
        return false;
    }
    if (table->stray)
        import_change(row->import, "%s",
                      tr("a quotation mark within a cell is not doubled: it is taken as text"));
    return true;
}

static void read_texts(struct csv_row *row, struct question *question)
{
    question->figure = csv_row_figure(row, CSV_FIGURE);
    question->explanation = csv_row_marked(row, CSV_EXPLANATION, 0);
    question->explanation_figure = csv_row_figure(row, CSV_EXPLANATION_FIGURE);
    question->source = csv_row_text(row, CSV_SOURCE, 0);
    question->tags = csv_row_list(row, CSV_TAGS, true);
    read_hints(row, question);
}

static bool read_markup(struct csv_row *row)
{
    char word[CSV_WORD];
    csv_row_word(row, CSV_MARKUP, 0, word);
    row->marked = strcmp(word, "light") == 0;
    if (row->marked || !*word || strcmp(word, "none") == 0)
        return true;
    import_leave_out(row->import, tr("markup: write light or none, not \"%s\""), word);
    return false;
}

static void read_row(struct csv_row *row)
{
    struct import *import = row->import;
    struct question question;
    char id[CSV_WORD];
    memset(row->used, 0, sizeof row->used);
    import_open(import, &question, row->table.first_line, NULL);
    if (!row_is_sound(row) || !read_markup(row))
        return;
    question.prompt = csv_row_marked(row, CSV_PROMPT, 0);
    import->open.name = question.prompt;
    if (!read_section(row))
        return;
    question.section = import->section;
    question.id = csv_row_line(row, CSV_ID, 0);
    csv_row_word(row, CSV_ID, 0, id);
    if (question.id && strcmp(question.id, id) != 0 && strlen(question.id) < sizeof id)
        import_change(import, tr("its id was \"%s\""), question.id);
    read_texts(row, &question);
    if (!read_type(row, &question) || !csv_key_read(row, &question) || !read_marking(row, &question) ||
        !read_shuffle(row, &question) || !csv_row_number(row, CSV_MARKS, &question.marks))
        return;
    if (question.type == QUESTION_TRUE_FALSE || question.type == QUESTION_ORDER ||
        question.type == QUESTION_MATCH) {
        question.feedback = csv_row_marked(row, CSV_FEEDBACK, 0);
        question.misconception = csv_row_line(row, CSV_MISCONCEPTION, 0);
    }
    tell_unused(row, &question);
    import_take(import, &question);
}

/* ---- the table ---- */

/* Whether a row has light markup: then all texts are in it, and those of other rows are escaped. */
static bool any_marked(struct csv_row *row)
{
    struct table before = row->table;
    bool found = false;
    if (!row->columns.cell[CSV_MARKUP][0])
        return false;
    table_init(&row->table, before.at, before.end - before.at, before.separator);
    row->table.blanks = true;
    while (!found && table_next(&row->table)) {
        char word[CSV_WORD];
        csv_row_word(row, CSV_MARKUP, 0, word);
        found = strcmp(word, "light") == 0;
    }
    row->import->failed = row->import->failed || row->table.failed;
    table_finish(&row->table);
    row->table = before;
    return found;
}

static bool read_head(struct csv_row *row, struct error *error)
{
    struct table *table = &row->table;
    while (table_next(table))
        if (!table_blank(table))
            break;
    if (!csv_columns_read(&row->columns, table, error))
        return false;
    if (!row->columns.cell[CSV_PROMPT][0])
        return error_set(error, ERROR_INPUT, tr("line %d: the head row has no column \"prompt\""),
                         table->first_line);
    return true;
}

bool csv_read(struct import *import, const char *bytes, ptrdiff_t length, struct error *error)
{
    int lines;
    bool fine = true;
    if (!exchange_check_text(&bytes, &length, error))
        return false;
    struct csv_row *row = memory_zero(sizeof *row);
    if (!row)
        return error_memory(error);
    char separator = csv_separator(&bytes, &length, &lines);
    table_init(&row->table, bytes, length, separator ? separator : ',');
    row->table.line += lines;
    row->table.blanks = true;
    row->import = import;
    row->comma = separator == ';';
    buffer_init(&row->item);
    fine = read_head(row, error);
    if (fine) {
        import->markup = import->markup || any_marked(row);
        while (!import->failed && table_next(&row->table))
            if (!table_blank(&row->table) || row->table.unclosed)
                read_row(row);
    }
    import->failed = import->failed || row->table.failed;
    table_finish(&row->table);
    buffer_finish(&row->item);
    memory_free(row);
    if (import->failed)
        return error_memory(error);
    return fine;
}

bool csv_recognise(const char *bytes, ptrdiff_t length)
{
    int lines;
    if (length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) {
        bytes += 3;
        length -= 3;
    }
    return csv_separator(&bytes, &length, &lines) != 0;
}
