#include "text_page.h"

#include "cell.h"

#include <quiztutor/text.h>

#include <math.h>
#include <string.h>

void text_shown(struct buffer *out, const char *text)
{
    for (;;) {
        ptrdiff_t plain = (ptrdiff_t)strcspn(text, "\n\t\r");
        text_visible(out, text, plain);
        text += plain;
        if (!*text)
            return;
        if (*text == '\n')
            buffer_char(out, '\n');
        else if (*text == '\t')
            buffer_char(out, ' ');
        else if (text[1] != '\n') /* CR LF is one newline */
            text_visible(out, text, 1);
        text++;
    }
}

ptrdiff_t text_break(const char *text, ptrdiff_t length, int width, ptrdiff_t *next)
{
    ptrdiff_t at = 0, word = 0; /* word: where the last one that fits ends */
    int used = 0, columns;
    while (at < length && text[at] != '\n') {
        ptrdiff_t bytes = text_cell(text + at, length - at, &columns);
        bool blank = text[at] == ' ';
        if (blank && at > 0 && text[at - 1] != ' ')
            word = at;
        if (used + columns > width && !(blank && used == width) && at > 0)
            break;
        used += blank && used == width ? 0 : columns;
        at += bytes;
    }
    if (at == length || text[at] == '\n') {
        *next = at < length ? at + 1 : length;
        while (at > 0 && text[at - 1] == ' ')
            at--;
        return at;
    }
    ptrdiff_t end = word > 0 ? word : at;
    *next = end;
    while (*next < length && text[*next] == ' ')
        ++*next;
    if (*next < length && text[*next] == '\n' && *next > end)
        ++*next;
    return end;
}

int text_width(const char *text, ptrdiff_t length)
{
    int total = 0, columns;
    for (ptrdiff_t bytes; (bytes = text_cell(text, length, &columns)) > 0; text += bytes, length -= bytes)
        total += columns;
    return total;
}

/* The widest part between any of `stops`. */
static int widest(const char *text, const char *stops)
{
    int found = 0;
    for (;;) {
        ptrdiff_t length = (ptrdiff_t)strcspn(text, stops);
        int width = text_width(text, length);
        found = width > found ? width : found;
        if (!text[length])
            return found;
        text += length + 1;
    }
}

int text_widest_line(const char *text)
{
    return widest(text, "\n");
}

int text_longest_word(const char *text)
{
    return widest(text, " \n");
}

void text_repeat(struct buffer *out, const char *sign, int times)
{
    for (int i = 0; i < times; i++)
        buffer_text(out, sign);
}

void text_paragraph(struct text_page *page, const char *text, int indent, bool bold)
{
    buffer_clear(&page->text);
    text_shown(&page->text, text);
    const char *rest = buffer_get(&page->text);
    ptrdiff_t length = page->text.length, next;
    bool first = true;
    page->out->failed = page->out->failed || page->text.failed;
    while (length > 0) {
        int margin = first ? 0 : indent;
        ptrdiff_t line = text_break(rest, length, page->columns - margin, &next);
        text_repeat(page->out, " ", line ? margin : 0);
        buffer_text(page->out, bold && page->styles ? "\x1b[1m" : "");
        buffer_add(page->out, rest, line);
        buffer_text(page->out, bold && page->styles ? "\x1b[0m" : "");
        buffer_char(page->out, '\n');
        rest += next;
        length -= next;
        first = false;
    }
}

void text_pair(struct text_page *page, const char *name, const char *value, int width)
{
    struct buffer left, right;
    buffer_init(&left);
    buffer_init(&right);
    text_shown(&left, name);
    text_shown(&right, value);
    const char *one = buffer_get(&left), *two = buffer_get(&right);
    ptrdiff_t names = left.length, values = right.length, next;
    while (names > 0 || values > 0) {
        ptrdiff_t line = text_break(one, names, width - 2, &next);
        buffer_add(page->out, one, line);
        int pad = width - text_width(one, line);
        one += next;
        names -= next;
        line = text_break(two, values, page->columns - width, &next);
        text_repeat(page->out, " ", line ? pad : 0);
        buffer_add(page->out, two, line);
        two += next;
        values -= next;
        buffer_char(page->out, '\n');
    }
    page->out->failed = page->out->failed || left.failed || right.failed;
    buffer_finish(&left);
    buffer_finish(&right);
}

void text_footnote(struct text_page *page, struct buffer *out, int number)
{
    static const char *const raised[] = { "\xe2\x81\xb0", "\xc2\xb9",     "\xc2\xb2",     "\xc2\xb3",
                                          "\xe2\x81\xb4", "\xe2\x81\xb5", "\xe2\x81\xb6", "\xe2\x81\xb7",
                                          "\xe2\x81\xb8", "\xe2\x81\xb9" };
    if (page->ascii) {
        buffer_print(out, "(%d)", number);
        return;
    }
    if (number > 9)
        buffer_text(out, raised[number / 10 % 10]);
    buffer_text(out, raised[number % 10]);
}

void text_absent(struct text_page *page, struct buffer *out, const char *why)
{
    int number = reasons_number(&page->reasons, why);
    buffer_text(out, page->ascii ? "-" : "\xe2\x80\x93");
    if (number < 0)
        page->out->failed = true;
    else if (number > 0)
        text_footnote(page, out, number);
}

void text_bar(struct buffer *out, double share, int width, bool ascii)
{
    int full = isnan(share) ? -1 : (int)lround(share * width);
    if (full < 0) {
        text_repeat(out, " ", width);
        return;
    }
    text_repeat(out, ascii ? "#" : "\xe2\x96\x88", full);
    text_repeat(out, ascii ? "." : "\xe2\x96\x91", width - full);
}

void text_spark(struct buffer *out, const double *values, int count, bool ascii)
{
    for (int i = 0; i < count; i++) {
        double value = values[i] < 0 ? 0 : values[i] > 1 ? 1 : values[i];
        if (isnan(value))
            buffer_char(out, ascii ? '.' : ' ');
        else if (ascii)
            buffer_char(out, (char)('0' + (int)lround(value * 9)));
        else
            buffer_print(out, "\xe2\x96%c", (char)(0x81 + (int)lround(value * 7)));
    }
}
