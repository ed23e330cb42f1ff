/* What stands behind "Answer:": true or false, a number with its tolerance and unit, texts. */
#include "markdown.h"
#include "tolerance.h"

#include <quiztutor/message.h>
#include <quiztutor/number.h>

#include <string.h>
#include <strings.h>

const char *markdown_plain(struct import *import, const char *text, ptrdiff_t length, bool one_line)
{
    struct buffer plain;
    buffer_init(&plain);
    markdown_inline(import, &plain, text, length, MARKDOWN_PLAIN);
    const char *kept = NULL;
    if (!plain.failed && plain.length)
        kept = one_line ? import_text_line(import, plain.data, plain.length)
                        : import_text(import, plain.data, plain.length);
    import->failed = import->failed || plain.failed;
    buffer_finish(&plain);
    return kept;
}

/* The end of a text in quotation marks that begins at `at`; NULL where it is none: something but the
 * separator follows. */
static const char *quoted_end(const char *at, const char *end, char separator)
{
    for (at++; at < end && *at != '"'; at++)
        if (*at == '\\' && at + 1 < end)
            at++;
    if (at >= end)
        return NULL;
    const char *behind = at + 1;
    while (behind < end && (*behind == ' ' || *behind == '\t' || *behind == '\n'))
        behind++;
    return behind == end || *behind == separator ? at : NULL;
}

bool markdown_list_next(const char **at, const char *end, char separator, struct text_line *item,
                        bool *quoted)
{
    const char *from = *at, *to;
    if (!from)
        return false;
    while (from < end && (*from == ' ' || *from == '\t' || *from == '\n'))
        from++;
    to = from < end && *from == '"' ? quoted_end(from, end, separator) : NULL;
    *quoted = to != NULL;
    if (to) {
        *item = (struct text_line){ .text = from + 1, .length = to - from - 1 };
        to = memchr(to, separator, (size_t)(end - to));
        *at = to ? to + 1 : NULL;
        return true;
    }
    for (to = from; to < end && *to != separator; to++)
        if (*to == '\\' && to + 1 < end)
            to++;
    *item = line_trim((struct text_line){ .text = from, .length = to - from });
    *at = to < end ? to + 1 : NULL;
    return true;
}

/* ---- numbers ---- */

/* Where "±", "+/-" or "+-" stands; its bytes in *size. */
static const char *find_bounds(const char *text, ptrdiff_t *size)
{
    static const char *const signs[] = { "±", "+/-", "+-" };
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        const char *found = strstr(text, signs[i]);
        if (found) {
            *size = (ptrdiff_t)strlen(signs[i]);
            return found;
        }
    }
    return NULL;
}

static ptrdiff_t word_length(const char *text)
{
    return (ptrdiff_t)strcspn(text, " \t\n");
}

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " \t\n");
}

/* Digits, and directly behind them or after a blank a unit in one word. Length of the digits. */
static ptrdiff_t digits_length(const char *text)
{
    ptrdiff_t length = word_length(text);
    struct number number;
    while (length > 0 && number_read(&number, text, length, true) != NUMBER_FINE)
        length--;
    return length < NUMBER_LONGEST * 4 ? length : 0;
}

/* Whether the text was meant as a number, and is none that a pack can hold. */
static bool number_fault(struct import *import, const char *text, ptrdiff_t length)
{
    struct number number;
    enum number_fault fault = number_read(&number, text, length, false);
    if (fault != NUMBER_COMMA && fault != NUMBER_GROUPED && fault != NUMBER_TOO_LARGE)
        return false;
    import_leave_out(
        import,
        tr("Answer: %s is no number that is taken here; write it with a point and without groups, "
           "or in quotation marks if it is a text"),
        text);
    return true;
}

static bool read_tolerance(struct import *import, struct number_key *key, const char *text, const char **unit)
{
    ptrdiff_t length = word_length(text);
    const char *rest = skip_blanks(text + length);
    if (*rest == '%' && (rest[1] == ' ' || !rest[1])) { /* 5 % */
        length = rest + 1 - text;
        rest = skip_blanks(rest + 1);
    }
    *unit = rest;
    if (tolerance_read(key, text, length, false))
        return true;
    import_leave_out(import, tr("behind ± a number or per cent must stand, not \"%s\""), text);
    return false;
}

enum answer_kind { ANSWER_TEXT, ANSWER_NUMBER, ANSWER_FAULT };

static enum answer_kind read_number(struct import *import, struct number_key *key, const char *text)
{
    struct number number;
    ptrdiff_t size = 0, length;
    const char *bounds = find_bounds(text, &size), *unit;
    length = bounds ? bounds - text : word_length(text);
    while (length > 0 && strchr(" \t", text[length - 1]))
        length--;
    if (number_fault(import, text, length))
        return ANSWER_FAULT;
    if (bounds) {
        if (number_read(&number, text, length, false) != NUMBER_FINE)
            return ANSWER_TEXT;
        if (!read_tolerance(import, key, skip_blanks(bounds + size), &unit))
            return ANSWER_FAULT;
    } else {
        length = digits_length(text);
        unit = skip_blanks(text + length);
        if (!length || number_read(&number, text, length, false) != NUMBER_FINE ||
            word_length(unit) != (ptrdiff_t)strlen(unit) || (unit == text + length && *unit && *unit != '%'))
            return ANSWER_TEXT;
    }
    key->answer = arena_text(&import->arena, text, length);
    key->unit = *unit ? unit : NULL;
    key->value = number.value;
    import->failed = import->failed || !key->answer;
    return ANSWER_NUMBER;
}

/* ---- texts ---- */

static bool read_texts(struct import *import, struct question *question, const char *text, ptrdiff_t length)
{
    ptrdiff_t most = 1;
    struct text_line item;
    bool quoted;
    int count = 0;
    for (ptrdiff_t i = 0; i < length; i++)
        most += text[i] == '|';
    const char **items = arena_alloc(&import->arena, most * (ptrdiff_t)sizeof *items);
    for (const char *at = text;
         items && count < most && markdown_list_next(&at, text + length, '|', &item, &quoted);) {
        const char *kept = markdown_plain(import, item.text, item.length, false);
        if (kept)
            items[count++] = kept;
    }
    import->failed = import->failed || !items;
    question->type = QUESTION_TEXT;
    question->key.text =
        (struct text_key){ .accept = { items, count }, .ignore = IGNORE_CASE | IGNORE_SPACES };
    return items != NULL;
}

static void read_ignore(struct markdown_reading *reading, const char *value)
{
    unsigned ignore = 0;
    for (ptrdiff_t length; *value; value += length) {
        value += strspn(value, " ,");
        length = (ptrdiff_t)strcspn(value, " ,");
        unsigned found = 0;
        for (unsigned bit = IGNORE_CASE; bit <= IGNORE_SPACES; bit <<= 1) {
            const char *name = text_ignore_name((enum text_ignore)bit);
            if ((ptrdiff_t)strlen(name) == length && line_word(value, length, name))
                found = bit;
        }
        if (length && !found && !(length == 7 && line_word(value, length, "nothing"))) {
            markdown_leave_out(reading,
                               tr("Ignore: write case, accents, punctuation, spaces or nothing, not \"%s\""),
                               value);
            return;
        }
        ignore |= found;
    }
    reading->question.key.text.ignore = ignore;
}

bool markdown_answer(struct import *import, struct question *question, const char *text, ptrdiff_t length)
{
    struct text_line item;
    bool quoted;
    const char *at = text;
    if (!markdown_list_next(&at, text + length, '|', &item, &quoted) || (item.length == 0 && !at)) {
        import_leave_out(import, "%s", tr("nothing stands behind \"Answer:\""));
        return false;
    }
    const char *only = at || quoted ? NULL : markdown_plain(import, item.text, item.length, true);
    if (only && (strcasecmp(only, "true") == 0 || strcasecmp(only, "false") == 0)) {
        question->type = QUESTION_TRUE_FALSE;
        question->key.truth = (only[0] | 0x20) == 't';
        return true;
    }
    if (only) {
        struct number_key key = { 0 };
        enum answer_kind kind = read_number(import, &key, only);
        if (kind == ANSWER_NUMBER) {
            question->type = QUESTION_NUMBER;
            question->key.number = key;
        }
        if (kind != ANSWER_TEXT)
            return kind == ANSWER_NUMBER;
        if (strcasecmp(only, "yes") == 0 || strcasecmp(only, "no") == 0)
            import_change(import, tr("\"%s\" is taken as a text; write true or false if that is meant"),
                          only);
    }
    return read_texts(import, question, text, length);
}

void markdown_typed(struct markdown_reading *reading, enum markdown_label label, const char *value)
{
    struct question *question = &reading->question;
    struct number_key *key = &question->key.number;
    const char *rest = "";
    bool number = question->type == QUESTION_NUMBER && reading->typed;
    if (label == LABEL_IGNORE ? !reading->typed || number : !number) {
        import_change(reading->import, tr("\"%s: %s\" is left out, it has no place in %s"),
                      markdown_label_word(label), value, question_type_name(question->type));
        return;
    }
    if (label == LABEL_UNIT) {
        key->unit = value;
    } else if (label == LABEL_TOLERANCE) {
        if (!read_tolerance(reading->import, key, value, &rest))
            reading->left_out = true;
        else if (*rest)
            markdown_leave_out(reading, tr("Tolerance: write a number or per cent, not \"%s\""), value);
    } else if (label == LABEL_FIGURES) {
        struct number figures;
        if (number_read(&figures, value, (ptrdiff_t)strlen(value), false) == NUMBER_FINE &&
            figures.value >= 1 && figures.value <= PACK_FIGURES && figures.value == (int)figures.value)
            key->significant_figures = (int)figures.value;
        else
            markdown_leave_out(reading, tr("Significant figures: write a whole number from 1 to %d"),
                               PACK_FIGURES);
    } else {
        read_ignore(reading, value);
    }
}
