#include "form.h"

#include <quiztutor/message.h>
#include <quiztutor/number.h>
#include <quiztutor/text.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of the white space at the start of text[0..length), 0 for none; line breaks are the caller's. */
static int space_at_start(const char *text, ptrdiff_t length)
{
    static const struct {
        const char *bytes;
        int length;
    } wide[] = { { "\xc2\xa0", 2 },
                 { "\xe3\x80\x80", 3 },
                 { "\xe2\x80\xaf", 3 },
                 { "\xe2\x81\x9f", 3 },
                 { "\xe1\x9a\x80", 3 } };
    if (length < 1)
        return 0;
    if (*text == ' ' || *text == '\t')
        return 1;
    unsigned char first = (unsigned char)*text;
    if (first != 0xc2 && (first < 0xe1 || first > 0xe3))
        return 0;
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        if (length >= wide[i].length && memcmp(text, wide[i].bytes, (size_t)wide[i].length) == 0)
            return wide[i].length;
    /* U+2000 to 200A */
    if (length >= 3 && memcmp(text, "\xe2\x80", 2) == 0 && (unsigned char)text[2] <= 0x8a)
        return 3;
    return 0;
}

static int space_at_end(const char *text, ptrdiff_t length)
{
    if (length < 1)
        return 0;
    unsigned char last = (unsigned char)text[length - 1];
    if (last < 0x80)
        return last == ' ' || last == '\t';
    ptrdiff_t start = length - 1;
    while (start > 0 && length - start < 4 && ((unsigned char)text[start] & 0xc0) == 0x80)
        start--;
    int bytes = space_at_start(text + start, length - start);
    return bytes == length - start ? bytes : 0;
}

static void trim_end(const char *text, ptrdiff_t *length)
{
    for (int space; (space = space_at_end(text, *length)) > 0;)
        *length -= space;
}

static void trim_start(const char **text, ptrdiff_t *length)
{
    for (int space; (space = space_at_start(*text, *length)) > 0;) {
        *text += space;
        *length -= space;
    }
}

/* Goes through the lines of a text: the next one is at *text, of the returned length. */
static ptrdiff_t line_length(const char *text, const char *end)
{
    const char *lf = memchr(text, '\n', (size_t)(end - text));
    return (lf ? lf : end) - text;
}

static bool is_fence(const char *line, ptrdiff_t length)
{
    return length >= 3 && memcmp(line, "```", 3) == 0;
}

static void add_paragraphs(struct buffer *out, bool literal, bool markup, const char *text, const char *end)
{
    bool gap = false, code = false;
    for (ptrdiff_t whole; text < end; text += whole + 1) {
        const char *line = text;
        ptrdiff_t length = whole = line_length(text, end), kept;
        trim_end(line, &length);
        kept = length;
        trim_start(&line, &length);
        bool fence = markup && is_fence(line, length);
        if (code && !fence) {
            buffer_char(out, '\n');
            buffer_add(out, text, kept);
            continue;
        }
        code = code != fence;
        if (length == 0) {
            gap = true;
            continue;
        }
        bool closes = fence && !code;
        if (out->length > 0)
            buffer_add(out, "\n\n", closes || (literal && !gap) ? 1 : 2);
        buffer_add(out, line, length);
        gap = false;
    }
    while (code && out->length > 0 && out->data[out->length - 1] == '\n')
        out->length--; /* of a block that is never closed */
}

bool form_has_code(const char *text, ptrdiff_t length)
{
    return memmem(text, (size_t)length, "```", 3) != NULL;
}

static void add_figure(struct buffer *out, const char *text, const char *end)
{
    bool begun = false;
    int blank = 0;
    for (ptrdiff_t whole; text < end; text += whole + 1) {
        ptrdiff_t length = whole = line_length(text, end);
        trim_end(text, &length);
        if (length == 0) {
            blank += begun;
            continue;
        }
        if (begun)
            buffer_char(out, '\n');
        for (; blank > 0; blank--)
            buffer_char(out, '\n');
        buffer_add(out, text, length);
        begun = true;
    }
}

const char *form_text(struct arena *arena, struct buffer *scratch, enum form form, bool literal,
                      const char *text, ptrdiff_t length)
{
    if (length == 0)
        return "";
    const char *lf = memchr(text, '\n', (size_t)length);
    if (!lf || (lf == text + length - 1)) { /* one line, the usual case: no working copy */
        if (lf)
            length--;
        trim_end(text, &length);
        if (form != FORM_FIGURE)
            trim_start(&text, &length);
        return length > 0 ? arena_text(arena, text, length) : "";
    }
    buffer_clear(scratch);
    if (form == FORM_FIGURE)
        add_figure(scratch, text, text + length);
    else
        add_paragraphs(scratch, literal, literal && form == FORM_MARKUP, text, text + length);
    if (scratch->failed)
        return NULL;
    return scratch->length > 0 ? arena_text(arena, scratch->data, scratch->length) : "";
}

/*
 * True for a code point that normalisation neither changes nor joins to its neighbours, as far as can be told
 * without tables: ASCII, Latin-1, Latin Extended, Cyrillic, Han, Hangul syllables. False means "not known".
 */
static bool is_stable(int32_t code)
{
    return (code >= 0 && code < 0x300) || (code >= 0x400 && code <= 0x482) ||
           (code >= 0x48a && code <= 0x52f) || (code >= 0x4e00 && code <= 0x9fff) ||
           (code >= 0xac00 && code <= 0xd7a3);
}

static bool is_ascii_space(int32_t code)
{
    return code == ' ' || code == '\t' || code == '\n';
}

/* A code point that stays itself in the compared form, whatever stands next to it. */
static bool decides(const char *at)
{
    int32_t code = (unsigned char)at[0], next;
    int bytes = 1;
    if (code >= 0x80)
        bytes = text_decode(at, (ptrdiff_t)strnlen(at, 4), &code);
    if (code == 0 || code == 0xa0 || is_ascii_space(code) || !is_stable(code))
        return false;
    if ((unsigned char)at[bytes] < 0x80)
        return true;
    text_decode(at + bytes, (ptrdiff_t)strnlen(at + bytes, 4), &next);
    return is_stable(next);
}

bool form_same(const char *one, const char *other)
{
    ptrdiff_t at = 0;
    while (one[at] && one[at] == other[at])
        at++;
    if (one[at] == other[at])
        return true;
    while (at > 0 && (((unsigned char)one[at] & 0xc0) == 0x80 || ((unsigned char)other[at] & 0xc0) == 0x80))
        at--;
    if (decides(one + at) && decides(other + at))
        return false;
    return text_same(one, other);
}

bool form_number(const char *text, double *value)
{
    struct number number;
    if (number_read(&number, text, (ptrdiff_t)strlen(text), false) != NUMBER_FINE)
        return false;
    *value = number.value;
    return true;
}

/* "1,000", "-12,500.5": three digits behind each comma, and a number that does not begin with 0. */
static bool is_grouped(const char *text)
{
    text += strspn(text, "+-");
    size_t length = strspn(text, "0123456789");
    bool grouped = length >= 1 && length <= 3 && text[0] != '0' && text[length] == ',';
    for (text += length; *text == ','; text += length + 1) {
        length = strspn(text + 1, "0123456789");
        grouped = grouped && length == 3;
    }
    return grouped;
}

const char *form_comma_hint(const char *text)
{
    return is_grouped(text) ? tr("digits are never grouped: write 1000; a decimal sign is a point")
                            : tr("the decimal sign is a point: 0.5");
}

bool form_is_id(const char *text)
{
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-");
    return length >= 1 && length <= 64 && text[length] == '\0' && text[0] != '-';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool form_is_language(const char *text)
{
    bool first = true, letters;
    if (strlen(text) > 64)
        return false;
    for (;; first = false) {
        int length = 0;
        letters = true;
        for (; is_letter(text[length]) || (text[length] >= '0' && text[length] <= '9'); length++)
            letters = letters && is_letter(text[length]);
        bool lone = first && length == 1 && strchr("xXiI", *text) && text[1] == '-';
        if (length < 1 || length > 8 || (first && !lone && (length < 2 || !letters)))
            return false;
        text += length;
        if (!*text)
            return true;
        if (*text++ != '-')
            return false;
    }
}
