#include <quiztutor/markup.h>

#include <string.h>

enum { LONGEST_RUN = 16 }; /* backticks in a row that may open code; longer runs stand for themselves */

/* A paragraph being rendered. The positions make the whole linear: no search for a partner is made twice. */
struct inline_text {
    const char *text;
    ptrdiff_t length;
    ptrdiff_t absent[LONGEST_RUN + 1]; /* from here on no run of so many backticks follows */
    bool no_star;                      /* no star that could close emphasis follows */
};

static ptrdiff_t run_at(const struct inline_text *paragraph, ptrdiff_t at)
{
    ptrdiff_t end = at;
    while (end < paragraph->length && paragraph->text[end] == paragraph->text[at])
        end++;
    return end - at;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

static bool is_blank(const char *text, ptrdiff_t length)
{
    for (ptrdiff_t i = 0; i < length; i++)
        if (!is_space(text[i]))
            return false;
    return true;
}

/* Where the code that a run of backticks opens is closed by a run as long, -1 if nowhere or nothing stands
 * between them. */
static ptrdiff_t code_end(struct inline_text *paragraph, ptrdiff_t at, ptrdiff_t run)
{
    ptrdiff_t from = at + run, end = from;
    if (run > LONGEST_RUN || from >= paragraph->absent[run])
        return -1;
    while (end < paragraph->length) {
        const char *found = memchr(paragraph->text + end, '`', (size_t)(paragraph->length - end));
        if (!found)
            break;
        end = found - paragraph->text;
        ptrdiff_t other = run_at(paragraph, end);
        if (other == run)
            return is_blank(paragraph->text + from, end - from) ? -1 : end;
        end += other;
    }
    paragraph->absent[run] = from;
    return -1;
}

static bool is_escape(const struct inline_text *paragraph, ptrdiff_t at)
{
    return paragraph->text[at] == '\\' && at + 1 < paragraph->length &&
           (paragraph->text[at + 1] == '*' || paragraph->text[at + 1] == '`');
}

/* Where the emphasis that the star at `at` opens is closed, -1 if nowhere: by a lone star behind something
 * that is no space. What is escaped and what stands in code closes nothing. */
static ptrdiff_t emphasis_end(struct inline_text *paragraph, ptrdiff_t at)
{
    const char *text = paragraph->text;
    ptrdiff_t i = at + 1;
    if (paragraph->no_star || i >= paragraph->length || is_space(text[i]))
        return -1;
    while (i < paragraph->length) {
        if (is_escape(paragraph, i)) {
            i += 2;
        } else if (text[i] == '`') {
            ptrdiff_t run = run_at(paragraph, i), end = code_end(paragraph, i, run);
            i = (end < 0 ? i : end) + run;
        } else if (text[i] == '*') {
            ptrdiff_t run = run_at(paragraph, i);
            if (run == 1 && !is_space(text[i - 1]))
                return i;
            i += run;
        } else {
            i++;
        }
    }
    paragraph->no_star = true;
    return -1;
}

static void put_sign(struct buffer *out, enum markup_byte sign, bool styled)
{
    if (styled)
        buffer_char(out, (char)sign);
}

/* Styles do not nest: emphasis ends before code in it, and begins again behind. */
static void put_code(struct buffer *out, const char *text, ptrdiff_t length, bool emphasis, bool more,
                     bool styled)
{
    bool begun = emphasis && out->length > 0 && out->data[out->length - 1] == MARKUP_EMPHASIS;
    if (styled && begun)
        out->data[--out->length] = '\0'; /* nothing stood in it yet */
    else if (emphasis)
        put_sign(out, MARKUP_END, styled);
    put_sign(out, MARKUP_CODE, styled);
    buffer_add(out, text, length);
    put_sign(out, MARKUP_END, styled);
    if (emphasis && more)
        put_sign(out, MARKUP_EMPHASIS, styled);
}

static void render_paragraph(struct buffer *out, const char *text, ptrdiff_t length, bool styled)
{
    struct inline_text paragraph = { .text = text, .length = length };
    ptrdiff_t closes = -1; /* the star that ends the emphasis at hand */
    for (int i = 0; i <= LONGEST_RUN; i++)
        paragraph.absent[i] = length;
    for (ptrdiff_t at = 0; at < length;) {
        if (is_escape(&paragraph, at)) {
            buffer_char(out, text[at + 1]);
            at += 2;
        } else if (text[at] == '`') {
            ptrdiff_t run = run_at(&paragraph, at), end = code_end(&paragraph, at, run);
            if (end < 0) {
                buffer_add(out, text + at, run);
                at += run;
                continue;
            }
            put_code(out, text + at + run, end - at - run, closes >= 0, end + run != closes, styled);
            at = end + run;
            if (at == closes) { /* the code has ended it */
                at++;
                closes = -1;
            }
        } else if (text[at] == '*') {
            ptrdiff_t run = run_at(&paragraph, at);
            ptrdiff_t end = run == 1 && closes < 0 ? emphasis_end(&paragraph, at) : -1;
            if (end >= 0) {
                put_sign(out, MARKUP_EMPHASIS, styled);
                closes = end;
            } else if (at == closes) {
                put_sign(out, MARKUP_END, styled);
                closes = -1;
            } else {
                buffer_add(out, text + at, run);
            }
            at += run;
        } else {
            ptrdiff_t plain = 1;
            while (at + plain < length && !strchr("\\`*", text[at + plain]))
                plain++;
            buffer_add(out, text + at, plain);
            at += plain;
        }
    }
}

/* Lines of a text, one after the other. */
struct lines {
    const char *end;
    bool first;    /* nothing has been put out yet */
    bool no_fence; /* no line that could close a block follows */
};

static ptrdiff_t line_length(const char *text, const char *end)
{
    const char *found = memchr(text, '\n', (size_t)(end - text));
    return (found ? found : end) - text;
}

/* ``` alone, or where a block may begin, with a word behind it. */
static bool is_fence(const char *text, ptrdiff_t length, bool opening)
{
    ptrdiff_t at = 0;
    while (at < length && is_space(text[at]))
        at++;
    if (length - at < 3 || memcmp(text + at, "```", 3) != 0)
        return false;
    at += 3;
    while (at < length && is_space(text[at]))
        at++;
    while (opening && at < length && !is_space(text[at]) && text[at] != '`')
        at++;
    while (at < length && is_space(text[at]))
        at++;
    return at == length;
}

/* The line that closes the block whose first fence is at `text`; NULL if there is none, or nothing in it. */
static const char *block_end(struct lines *lines, const char *text)
{
    const char *at = text + line_length(text, lines->end), *start = at;
    while (!lines->no_fence && at < lines->end) {
        at++;
        ptrdiff_t length = line_length(at, lines->end);
        if (is_fence(at, length, false))
            return at > start + 1 ? at : NULL;
        at += length;
    }
    lines->no_fence = true;
    return NULL;
}

static void begin_line(struct lines *lines, struct buffer *out)
{
    if (!lines->first)
        buffer_char(out, '\n');
    lines->first = false;
}

/* The block's lines; returns what follows its last fence. */
static const char *render_block(struct lines *lines, struct buffer *out, const char *text, const char *last,
                                bool styled)
{
    ptrdiff_t length = line_length(text, lines->end);
    for (text += length + 1; text < last; text += length + 1) {
        length = line_length(text, lines->end);
        begin_line(lines, out);
        put_sign(out, MARKUP_BLOCK, styled);
        buffer_add(out, text, length);
    }
    return last + line_length(last, lines->end);
}

/* The end of the paragraph that begins at `text`: an empty line, a block, the end. */
static const char *paragraph_end(struct lines *lines, const char *text, const char **last)
{
    const char *end = text;
    for (;;) {
        end += line_length(end, lines->end);
        if (end == lines->end)
            return end;
        ptrdiff_t length = line_length(end + 1, lines->end);
        *last = is_fence(end + 1, length, true) ? block_end(lines, end + 1) : NULL;
        if (length == 0 || *last)
            return end;
        end++;
    }
}

void markup_render(struct buffer *out, const char *text, bool styled)
{
    struct lines lines = { .end = text + strlen(text), .first = true };
    const char *last = is_fence(text, line_length(text, lines.end), true) ? block_end(&lines, text) : NULL;
    for (const char *at = text; at < lines.end;) {
        const char *end;
        if (last) {
            end = render_block(&lines, out, at, last, styled);
            last = NULL;
            if (end < lines.end && is_fence(end + 1, line_length(end + 1, lines.end), true))
                last = block_end(&lines, end + 1);
        } else {
            end = paragraph_end(&lines, at, &last);
            begin_line(&lines, out);
            render_paragraph(out, at, end - at, styled);
        }
        if (end < lines.end && end + 1 == lines.end) /* a line break at the very end */
            begin_line(&lines, out);
        at = end + 1;
    }
}

void markup_escape(struct buffer *out, const char *text, ptrdiff_t length)
{
    for (ptrdiff_t at = 0; at < length; at++) {
        if (text[at] == '*' || text[at] == '`')
            buffer_char(out, '\\');
        buffer_char(out, text[at]);
    }
}
