/* Choices with what is told of them; known wrong answers; orders and matches. */
#include "markdown.h"

#include <quiztutor/message.h>
#include <quiztutor/number.h>

#include <string.h>
#include <strings.h>

/* What is kept with a choice or a known wrong answer. */
struct aside {
    const char **feedback, **misconception, **id;
    enum pack_pin *pin;
};

/* The one read last; false where there is none. */
static bool last_aside(struct markdown_reading *reading, struct aside *aside)
{
    int last = reading->choice_count - 1;
    if (last < 0)
        return false;
    *aside = (struct aside){ 0 };
    if (reading->typed) {
        aside->feedback = &reading->wrongs[last].feedback;
        aside->misconception = &reading->wrongs[last].misconception;
    } else {
        aside->feedback = &reading->choices[last].feedback;
        aside->misconception = &reading->choices[last].misconception;
        aside->id = &reading->choices[last].id;
        aside->pin = &reading->choices[last].pin;
    }
    return true;
}

/* A line "Misconception: …", "Id: …", "Pin: …" of a quotation. False for another line. */
static bool read_aside(struct markdown_reading *reading, const struct aside *aside,
                       const struct text_line *line)
{
    struct text_line value = *line;
    enum markdown_label label = markdown_label(&value);
    if (label != LABEL_MISCONCEPTION && (!aside->id || (label != LABEL_ID && label != LABEL_PIN)))
        return false;
    const char *word = markdown_plain(reading->import, value.text, value.length, true);
    if (!word)
        import_change(reading->import, tr("nothing stands behind \"%s:\" in line %d"),
                      markdown_label_word(label), line->number);
    else if (label == LABEL_MISCONCEPTION)
        *aside->misconception = word;
    else if (label == LABEL_ID)
        *aside->id = word;
    else if (strcasecmp(word, "first") == 0 || strcasecmp(word, "last") == 0)
        *aside->pin = (word[0] | 0x20) == 'f' ? PIN_FIRST : PIN_LAST;
    else
        import_change(reading->import, tr("Pin: in line %d is left out: write first or last"), line->number);
    return true;
}

void markdown_choice_quote(struct markdown_reading *reading, struct text_line *lines, ptrdiff_t count)
{
    struct import *import = reading->import;
    struct aside aside;
    struct buffer text;
    ptrdiff_t kept = 0;
    if (!last_aside(reading, &aside))
        return;
    for (ptrdiff_t i = 0; i < count; i++) {
        struct text_line value = lines[i];
        for (ptrdiff_t end = markdown_skip_fence(lines, i, count); i < end - 1; i++)
            lines[kept++] = lines[i]; /* nothing in code means anything */
        if (value.text != lines[i].text) {
            lines[kept++] = lines[i];
            continue;
        }
        if (read_aside(reading, &aside, &lines[i]))
            continue;
        lines[kept++] = markdown_label(&value) == LABEL_FEEDBACK ? value : lines[i];
    }
    buffer_init(&text);
    if (*aside.feedback)
        buffer_text(&text, *aside.feedback);
    markdown_flow(import, &text, lines, kept, MARKDOWN_MARKED, NULL);
    *aside.feedback = text.length ? import_text(import, text.data, text.length) : NULL;
    buffer_finish(&text);
}

static void add_wrong(struct markdown_reading *reading, const char *text, bool right, int line)
{
    struct number number = { 0, 0 };
    if (right) {
        markdown_leave_out(reading, tr("line %d: what is right stands behind \"Answer:\""), line);
        return;
    }
    if (reading->question.type == QUESTION_NUMBER &&
        (!text || number_read(&number, text, (ptrdiff_t)strlen(text), false) != NUMBER_FINE)) {
        markdown_leave_out(reading, tr("line %d: a known wrong answer to a number is a number"), line);
        return;
    }
    reading->wrongs[reading->choice_count++] =
        (struct known_wrong){ .value = text ? text : "", .number = number.value };
}

void markdown_choice(struct markdown_reading *reading, struct text_line *lines, ptrdiff_t count, bool right)
{
    struct import *import = reading->import;
    struct buffer text;
    struct text_line inner;
    ptrdiff_t quote = 0, behind;
    int line = lines[0].number;
    reading->key_seen = true;
    if (reading->choice_count == MARKDOWN_WRONGS) {
        markdown_leave_out(reading, tr("it has more than %d choices"), PACK_CHOICES);
        return;
    }
    while (quote < count && !markdown_quote(&lines[quote], &inner)) {
        ptrdiff_t fence = markdown_skip_fence(lines, quote, count);
        quote = fence > quote ? fence : quote + 1;
    }
    buffer_init(&text);
    markdown_flow(import, &text, lines, quote, reading->typed ? MARKDOWN_PLAIN : MARKDOWN_MARKED, NULL);
    const char *kept = text.length ? import_text(import, text.data, text.length) : NULL;
    buffer_finish(&text);
    if (reading->typed)
        add_wrong(reading, kept, right, line);
    else
        reading->choices[reading->choice_count++] = (struct choice){ .text = kept, .correct = right };
    for (behind = quote; behind < count && markdown_quote(&lines[behind], &inner); behind++)
        lines[behind] = inner;
    if (behind > quote)
        markdown_choice_quote(reading, lines + quote, behind - quote);
    while (behind < count && markdown_blank(&lines[behind]))
        behind++;
    if (behind < count)
        import_change(import, tr("line %d, behind what is told of a choice, is left out"),
                      lines[behind].number);
}

/* ---- orders ---- */

/* Items of a list: their lines, outdented, in place; the list's own texts are read once only. */
void markdown_order(struct markdown_reading *reading, const struct markdown_part *part)
{
    struct import *import = reading->import;
    struct text_line *lines = reading->lines, text;
    const char **items = arena_alloc(&import->arena, (PACK_CHOICES + 1) * (ptrdiff_t)sizeof *items);
    int count = 0, base = markdown_indent(&lines[part->from]);
    struct buffer out;
    buffer_init(&out);
    for (ptrdiff_t at = part->from, end; items && at < part->to && count <= PACK_CHOICES; at = end) {
        int columns = markdown_number(&lines[at], &text);
        lines[at] = text;
        for (end = at + 1; end < part->to; end++) {
            ptrdiff_t fence = markdown_skip_fence(lines, end, part->to);
            if (markdown_indent(&lines[end]) <= base + 1 && markdown_number(&lines[end], &text))
                break;
            for (; end < fence - 1; end++)
                lines[end] = markdown_outdent(lines[end], columns);
            lines[end] = markdown_outdent(lines[end], columns);
        }
        buffer_clear(&out);
        markdown_flow(import, &out, lines + at, end - at, MARKDOWN_PLAIN, NULL);
        items[count++] = out.length ? import_text(import, out.data, out.length) : NULL;
    }
    buffer_finish(&out);
    import->failed = import->failed || !items;
    reading->question.type = QUESTION_ORDER;
    reading->question.key.order = (struct text_list){ items, count };
}

/* ---- matches ---- */

static bool begins_with_bar(struct text_line row)
{
    row = line_trim(row);
    return row.length && row.text[0] == '|';
}

/* The two cells of a row, as texts; false where it has another number of them. `bar`: rows begin with one. */
static bool read_row(struct markdown_reading *reading, struct text_line row, bool bar, const char *texts[2])
{
    struct text_line cell;
    int count = 0;
    row = line_trim(row);
    if (bar && begins_with_bar(row)) {
        row.text++;
        row.length--;
    }
    texts[0] = texts[1] = NULL;
    while (markdown_cell(&row, &cell)) {
        if (count < 2)
            texts[count] = markdown_plain(reading->import, cell.text, cell.length, false);
        count += count < 2 || cell.length > 0;
    }
    return count == 2 || (count == 1 && !texts[1]);
}

static bool is_word(const char *text, const char *word)
{
    return text && strcasecmp(text, word) == 0;
}

void markdown_match(struct markdown_reading *reading, const struct markdown_part *part)
{
    struct import *import = reading->import;
    enum { ROWS = 4 * PACK_CHOICES };
    const char **texts = arena_alloc(&import->arena, 3 * ROWS * (ptrdiff_t)sizeof *texts), *row[2];
    int count = 0, extra = 0;
    if (!texts) {
        import->failed = true;
        return;
    }
    const char **lefts = texts, **rights = texts + ROWS, **extras = rights + ROWS;
    bool bar = begins_with_bar(reading->lines[part->from]);
    if (read_row(reading, reading->lines[part->from], bar, row) && (row[0] || row[1]) &&
        (!is_word(row[0], "left") || !is_word(row[1], "right")))
        import_change(import, tr("the heads of its columns, \"%s\" and \"%s\", are left out"),
                      row[0] ? row[0] : "", row[1] ? row[1] : "");
    for (ptrdiff_t at = part->from + 2; at < part->to; at++) {
        if (!read_row(reading, reading->lines[at], bar, row) || !row[1]) {
            markdown_leave_out(reading, tr("line %d: a row of what belongs together has two cells"),
                               reading->lines[at].number);
            return;
        }
        if (count + extra == ROWS) {
            markdown_leave_out(reading, tr("it has more than %d rows"), ROWS);
            return;
        }
        if (row[0]) {
            lefts[count] = row[0];
            rights[count++] = row[1];
        } else {
            extras[extra++] = row[1];
        }
    }
    reading->left_out =
        !import_pairs(import, &reading->question, lefts, rights, count, extras, extra) || reading->left_out;
}
