/*
 * Writes a pack as a table, a row for each question, as csv_column.h lays it out: only the columns that one
 * of its questions needs. It begins with a byte order mark and its rows end in CRLF, since that is what
 * spreadsheets read as UTF-8. Texts stand in the cells as they are, so that they come back as they were; one
 * that a spreadsheet would take for a formula is told.
 */
#include "csv_column.h"
#include "export_head.h"
#include "tolerance.h"

#include <quiztutor/exchange.h>
#include <quiztutor/message.h>
#include <quiztutor/number.h>

#include <stdio.h>
#include <string.h>

struct writing {
    struct export *export;
    struct buffer out; /* the rows; the head row is known only behind them */
    struct buffer cells[CSV_COLUMNS][CSV_NUMBERED + 1];
    bool needed[CSV_COLUMNS][CSV_NUMBERED + 1];
    int numbers; /* the highest number of a column so far */
};

static struct buffer *cell(struct writing *writing, enum csv_column column, int number)
{
    writing->numbers = number > writing->numbers ? number : writing->numbers;
    return &writing->cells[column][number];
}

static void put(struct writing *writing, enum csv_column column, int number, const char *text)
{
    if (text)
        buffer_text(cell(writing, column, number), text);
}

static void put_list(struct writing *writing, enum csv_column column, const struct text_list *list)
{
    for (int i = 0; i < list->count; i++)
        csv_list_add(cell(writing, column, 0), list->items[i]);
}

static void put_number(struct writing *writing, enum csv_column column, double value)
{
    char text[NUMBER_PLAIN];
    number_plain(text, value);
    put(writing, column, 0, text);
}

/* ---- the key ---- */

static void put_choices(struct writing *writing, const struct question *question)
{
    static const char *const pins[] = { NULL, "first", "last" };
    struct buffer *correct = cell(writing, CSV_CORRECT, 0);
    for (int i = 0; i < question->key.choices.count; i++) {
        const struct choice *choice = &question->key.choices.items[i];
        put(writing, CSV_CHOICE, i + 1, choice->text);
        put(writing, CSV_FEEDBACK, i + 1, choice->feedback);
        put(writing, CSV_MISCONCEPTION, i + 1, choice->misconception);
        put(writing, CSV_CHOICE_ID, i + 1, choice->id);
        put(writing, CSV_PIN, i + 1, pins[choice->pin]);
        if (choice->correct)
            buffer_print(correct, "%s%c", correct->length ? "|" : "", 'A' + i);
    }
}

static void put_wrongs(struct writing *writing, const struct question *question,
                       const struct known_wrong *wrongs, int count)
{
    for (int i = 0; i < count && i < CSV_NUMBERED; i++) {
        put(writing, CSV_CHOICE, i + 1, wrongs[i].value);
        put(writing, CSV_FEEDBACK, i + 1, wrongs[i].feedback);
        put(writing, CSV_MISCONCEPTION, i + 1, wrongs[i].misconception);
    }
    if (count > CSV_NUMBERED)
        export_loss(writing->export, question, tr("known wrong answers beyond the first %d are left out"),
                    CSV_NUMBERED);
}

static void put_number_key(struct writing *writing, const struct question *question)
{
    const struct number_key *key = &question->key.number;
    char tolerance[TOLERANCE_TEXT];
    put(writing, CSV_CORRECT, 0, key->answer);
    if (tolerance_write(tolerance, key))
        put(writing, CSV_TOLERANCE, 0, tolerance);
    put(writing, CSV_UNIT, 0, key->unit);
    if (key->significant_figures)
        buffer_print(cell(writing, CSV_SIGNIFICANT_FIGURES, 0), "%d", key->significant_figures);
    put_wrongs(writing, question, key->wrongs, key->wrong_count);
}

static void put_text_key(struct writing *writing, const struct question *question)
{
    const struct text_key *key = &question->key.text;
    struct buffer *ignore = cell(writing, CSV_IGNORE, 0);
    put_list(writing, CSV_CORRECT, &key->accept);
    for (unsigned bit = IGNORE_CASE; bit <= IGNORE_SPACES; bit <<= 1)
        if (key->ignore & bit && key->ignore != (IGNORE_CASE | IGNORE_SPACES))
            csv_list_add(ignore, text_ignore_name((enum text_ignore)bit));
    if (!key->ignore)
        buffer_text(ignore, "nothing");
    put_wrongs(writing, question, key->wrongs, key->wrong_count);
}

static void put_match(struct writing *writing, const struct match_key *key)
{
    int number = 1;
    for (int i = 0; i < key->lefts.count; i++, number++) {
        put(writing, CSV_CHOICE, number, key->lefts.items[i]);
        put(writing, CSV_MATCH, number, key->rights.items[key->pairs[i]]);
    }
    for (int i = key->paired; i < key->rights.count; i++, number++)
        put(writing, CSV_MATCH, number, key->rights.items[i]);
}

static void put_key(struct writing *writing, const struct question *question)
{
    switch (question->type) {
    case QUESTION_SINGLE_CHOICE:
    case QUESTION_MULTIPLE_CHOICE:
        put_choices(writing, question);
        break;
    case QUESTION_TRUE_FALSE:
        put(writing, CSV_CORRECT, 0, question->key.truth ? "true" : "false");
        break;
    case QUESTION_NUMBER:
        put_number_key(writing, question);
        break;
    case QUESTION_TEXT:
        put_text_key(writing, question);
        break;
    case QUESTION_ORDER:
        for (int i = 0; i < question->key.order.count; i++)
            put(writing, CSV_CHOICE, i + 1, question->key.order.items[i]);
        break;
    case QUESTION_MATCH:
        put_match(writing, &question->key.match);
        break;
    case QUESTION_RECALL:
        put(writing, CSV_CORRECT, 0, question->key.recall);
        break;
    case QUESTION_TYPES:
        break;
    }
}

/* ---- a row ---- */

static void put_section(struct writing *writing, const struct question *question, int place)
{
    const struct pack *pack = writing->export->pack;
    if (!question->section)
        return;
    const struct section *section = &pack->sections[question->section - 1];
    put(writing, CSV_SECTION, 0, section->title);
    if (place != section->first)
        return;
    put(writing, CSV_INTRO, 0, section->intro);
    put(writing, CSV_INTRO_FIGURE, 0, section->intro_figure);
    if (section->pick != section->count)
        buffer_print(cell(writing, CSV_PICK, 0), "%d", section->pick);
}

static void put_texts(struct writing *writing, const struct question *question)
{
    put(writing, CSV_ID, 0, question->id);
    put(writing, CSV_TYPE, 0, question_type_name(question->type));
    put(writing, CSV_PROMPT, 0, question->prompt);
    put(writing, CSV_FIGURE, 0, question->figure);
    put(writing, CSV_EXPLANATION, 0, question->explanation);
    put(writing, CSV_EXPLANATION_FIGURE, 0, question->explanation_figure);
    put(writing, CSV_SOURCE, 0, question->source);
    put(writing, CSV_FEEDBACK, 0, question->feedback);
    put(writing, CSV_MISCONCEPTION, 0, question->misconception);
    put_list(writing, CSV_TAGS, &question->tags);
    for (int i = 0; i < question->hints.count && i < CSV_NUMBERED; i++)
        put(writing, CSV_HINT, i + 1, question->hints.items[i]);
    if (question->hints.count > CSV_NUMBERED)
        export_loss(writing->export, question, tr("hints beyond the first %d are left out"), CSV_NUMBERED);
    if (question->marks != 1)
        put_number(writing, CSV_MARKS, question->marks);
    if (question->marking != MARKING_ALL_OR_NOTHING)
        put(writing, CSV_MARKING, 0, marking_rule_name(question->marking));
    if (!question->shuffle)
        put(writing, CSV_SHUFFLE, 0, "false");
    if (question->markup)
        put(writing, CSV_MARKUP, 0, "light");
}

static void add_cell(struct buffer *out, const char *text)
{
    if (!strpbrk(text, ",\"\r\n") && *text != ' ' && (!*text || text[strlen(text) - 1] != ' ')) {
        buffer_text(out, text);
        return;
    }
    buffer_char(out, '"');
    for (; *text; text++) {
        if (*text == '"')
            buffer_char(out, '"');
        buffer_char(out, *text);
    }
    buffer_char(out, '"');
}

/* A number is none, though it begins with a sign. */
static bool is_formula(const char *text)
{
    struct number number;
    return *text && strchr("=+-@", *text) &&
           number_read(&number, text, (ptrdiff_t)strlen(text), true) != NUMBER_FINE;
}

/* The cells of the row, kept one behind the other with a byte that no text holds, until it is known which
 * columns there are. */
static void end_row(struct writing *writing, const struct question *question)
{
    bool formula = false;
    for (int column = 0; column < CSV_COLUMNS; column++)
        for (int number = 0; number <= writing->numbers; number++) {
            struct buffer *text = &writing->cells[column][number];
            if (!text->length)
                continue;
            writing->needed[column][number] = true;
            formula = formula || is_formula(text->data);
            buffer_print(&writing->out, "%c%c", column + 1, number + 1);
            buffer_add(&writing->out, text->data, text->length + 1);
            writing->export->failed = writing->export->failed || text->failed;
            buffer_clear(text);
        }
    buffer_char(&writing->out, '\0');
    writing->export->failed = writing->export->failed || writing->out.failed;
    if (formula)
        export_loss(
            writing->export, question, "%s",
            tr("one of its cells begins like a formula: have the spreadsheet take all columns as text"));
}

/* ---- the table ---- */

static void add_head(struct writing *writing, struct buffer *out)
{
    bool more = false;
    buffer_text(out, "\xef\xbb\xbf");
    for (int column = 0; column < CSV_COLUMNS; column++)
        for (int number = 0; number <= writing->numbers; number++) {
            if (!writing->needed[column][number])
                continue;
            buffer_print(out, "%s%s", more ? "," : "", csv_column_name((enum csv_column)column));
            if (number)
                buffer_print(out, " %d", number);
            more = true;
        }
    buffer_text(out, "\r\n");
}

static void add_rows(struct writing *writing, struct buffer *out)
{
    const char *at = buffer_get(&writing->out), *end = at + writing->out.length;
    while (at < end) {
        bool more = false;
        for (int column = 0; column < CSV_COLUMNS; column++)
            for (int number = 0; number <= writing->numbers; number++) {
                if (!writing->needed[column][number])
                    continue;
                if (more)
                    buffer_char(out, ',');
                more = true;
                if (at[0] != column + 1 || at[1] != number + 1)
                    continue;
                add_cell(out, at + 2);
                at += 2 + strlen(at + 2) + 1;
            }
        buffer_text(out, "\r\n");
        at++;
    }
}

static void tell_head(struct export *export)
{
    const struct pack *pack = export->pack;
    export_loss(export, NULL, "%s", tr("its title and the rest of its head have no place in a table"));
    export_id_loss(export);
    if (pack->shuffle == SHUFFLE_NONE)
        export_loss(export, NULL, "%s", tr("that its questions keep their order is left out"));
}

bool csv_write(struct export *export, struct error *error)
{
    const struct pack *pack = export->pack;
    struct writing *writing = memory_zero(sizeof *writing);
    if (!writing)
        return error_memory(error);
    writing->export = export;
    tell_head(export);
    for (int i = 0; i < pack->question_count && !export->failed; i++) {
        const struct question *question = export_instance(export, &pack->questions[i]);
        if (!question)
            break;
        put_section(writing, question, i);
        put_texts(writing, question);
        put_key(writing, question);
        end_row(writing, &pack->questions[i]);
    }
    if (!export->failed) {
        add_head(writing, &export->out);
        add_rows(writing, &export->out);
    }
    for (int column = 0; column < CSV_COLUMNS; column++)
        for (int number = 0; number <= CSV_NUMBERED; number++)
            buffer_finish(&writing->cells[column][number]);
    buffer_finish(&writing->out);
    memory_free(writing);
    export->failed = export->failed || export->out.failed;
    return !export->failed || error_memory(error);
}
