/* What is written: words, with the white space, line breaks, bullets and marks that stand before them. */
#include "html_engine.h"

#include <quiztutor/markup.h>

#include <string.h>

enum { SPACES = 100, HTML_BACKTICKS = 15 /* that markup takes in a row */ };

void html_put_raw(struct html *html, const char *text)
{
    buffer_text(&html->out, text);
}

/* Takes `length` bytes out of what was written. */
static void take_out(struct buffer *out, ptrdiff_t at, ptrdiff_t length)
{
    memmove(out->data + at, out->data + at + length, (size_t)(out->length - at - length + 1));
    out->length -= length;
}

/* Backticks in a row, at most. */
static int longest_run(const char *text, ptrdiff_t length)
{
    int longest = 0, run = 0;
    for (ptrdiff_t i = 0; i < length; i++) {
        run = text[i] == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

/* Ends the code that began at code_at: with backticks in it, more of them stand around it; where it begins or
 * ends with one, it can't be code. */
static void close_code(struct html *html)
{
    struct buffer *out = &html->out, *code = &html->code_text;
    if (out->failed)
        return;
    ptrdiff_t first = html->code_at + 1, length = out->length - first;
    int run = longest_run(out->data + first, length);
    if (!run) {
        buffer_char(out, '`');
        return;
    }
    buffer_clear(code);
    buffer_add(code, out->data + first, length);
    out->length = html->code_at;
    if (code->failed)
        return;
    bool plain = code->data[0] == '`' || code->data[length - 1] == '`' || run > HTML_BACKTICKS;
    for (int i = 0; i <= run && !plain; i++)
        buffer_char(out, '`');
    if (plain)
        markup_escape(out, code->data, length);
    else
        buffer_add(out, code->data, length);
    for (int i = 0; i <= run && !plain; i++)
        buffer_char(out, '`');
}

/* Ends an emphasis or code that is open in what was written. A backslash before the star would take its
 * meaning: there the emphasis goes. */
void html_close_marks(struct html *html)
{
    struct buffer *out = &html->out;
    if (html->coded)
        close_code(html);
    if (html->marked && !out->failed && out->data[out->length - 1] == '\\') {
        take_out(out, html->mark_at, 1);
    } else if (html->marked) {
        buffer_char(out, '*');
        html->closed_at = out->length;
    }
    html->coded = html->marked = false;
}

void html_break(struct html *html, enum html_break kind)
{
    if (html->pre) {
        if (html->block.length && html->block.data[html->block.length - 1] != '\n')
            buffer_char(&html->block, '\n');
        return;
    }
    if (html->math)
        return;
    if (html->one_line || html->cell || html->script) {
        html_white(html, false);
        return;
    }
    if (kind > html->pending)
        html->pending = kind;
}

void html_white(struct html *html, bool hard)
{
    if (hard)
        html->hard += html->hard < SPACES;
    else if (!html->spaced)
        html->spaces += html->spaces < SPACES;
    html->spaced = !hard;
}

static void put_spaces(struct html *html)
{
    if (!html->hard && html->spaces)
        buffer_char(&html->out, ' ');
    else if (html->hard == 1 && !html->spaces)
        buffer_text(&html->out, "\xc2\xa0");
    else
        for (int i = 0; i < html->hard + html->spaces; i++)
            buffer_char(&html->out, ' ');
}

void html_flush(struct html *html)
{
    html->figure_mark = -1;
    if (html->out.length && html->pending != BREAK_NONE) {
        html_close_marks(html);
        buffer_text(&html->out, html->pending == BREAK_PARAGRAPH ? "\n\n" : "\n");
    } else if (html->out.length && (html->spaces || html->hard)) {
        if (html->coded && !html->code)
            html_close_marks(html);
        put_spaces(html);
    }
    if (html->bullet[0])
        buffer_text(&html->out, html->bullet);
    html->bullet[0] = '\0';
    html->pending = BREAK_NONE;
    html->spaces = html->hard = 0;
    html->spaced = false;
}

/* Opens what the next words stand in; behind a backslash nothing can be opened. */
static void open_marks(struct html *html)
{
    struct buffer *out = &html->out;
    bool backslash = out->length && out->data[out->length - 1] == '\\';
    if (!html->markup || html->script || html->math || backslash)
        return;
    if (html->code && !html->coded) {
        html_close_marks(html);
        html->code_at = out->length;
        buffer_char(out, '`');
        html->coded = true;
    } else if (html->emphasis && !html->code && !html->marked) {
        if (out->length && html->closed_at == out->length) {
            out->data[--out->length] = '\0'; /* goes on with the one just closed */
        } else {
            html->mark_at = out->length;
            buffer_char(out, '*');
        }
        html->marked = true;
    }
}

void html_put(struct html *html, const char *text, ptrdiff_t length)
{
    if (!length)
        return;
    html_flush(html);
    open_marks(html);
    if (html->markup && !html->coded)
        markup_escape(&html->out, text, length);
    else
        buffer_add(&html->out, text, length);
}

void html_put_text(struct html *html, const char *text)
{
    html_put(html, text, (ptrdiff_t)strlen(text));
}

/* A run of text: words and white space, entities resolved by the caller. */
static void put_words(struct html *html, const char *text, ptrdiff_t length)
{
    ptrdiff_t from = 0;
    for (ptrdiff_t at = 0; at < length;) {
        bool space = strchr(" \t\n\r\f", text[at]) && text[at];
        bool hard = at + 1 < length && text[at] == '\xc2' && text[at + 1] == '\xa0';
        if (!space && !hard) {
            at++;
            continue;
        }
        html_put(html, text + from, at - from);
        if (html->tabs && text[at] == '\t')
            html_put(html, "\t", 1);
        else if (!html->math || html->annotation)
            html_white(html, hard);
        at += hard ? 2 : 1;
        from = at;
    }
    html_put(html, text + from, length - from);
}

void html_run(struct html *html, const char *text, ptrdiff_t length)
{
    if (html->drop)
        return;
    struct buffer *plain = &html->scratch;
    const char *entity = memchr(text, '&', (size_t)length);
    if (entity) {
        buffer_clear(plain);
        for (ptrdiff_t at = 0; at < length;) {
            const char *next = memchr(text + at, '&', (size_t)(length - at));
            ptrdiff_t end = next ? next - text : length;
            buffer_add(plain, text + at, end - at);
            at = end;
            if (!next)
                break;
            ptrdiff_t width = html_entity(text + at, length - at, plain);
            if (!width)
                buffer_char(plain, '&');
            at += width ? width : 1;
        }
        text = buffer_get(plain);
        length = plain->length;
    }
    if (html->pre)
        buffer_add(&html->block, text, length);
    else
        put_words(html, text, length);
}

/* Whether lines begin with white space other than what all of them begin with. */
static bool is_indented(const char *text)
{
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if ((*line == ' ' || *line == '\t') && line[strspn(line, " \t\r")] != '\n' &&
            line[strspn(line, " \t\r")])
            return true;
    }
    return false;
}

/* The block that was read, as fenced code, lines or a piece of code. */
void html_block_end(struct html *html)
{
    struct buffer *block = &html->block;
    ptrdiff_t start = 0;
    if (block->length && block->data[0] == '\n')
        start = 1;
    while (block->length > start && strchr(" \t\r\n", block->data[block->length - 1]))
        block->data[--block->length] = '\0';
    if (block->length <= start)
        return;
    const char *text = block->data + start;
    if (html->one_line || html->cell || html->script) {
        html->code++;
        put_words(html, text, block->length - start);
        html->code--;
        html_close_marks(html);
        return;
    }
    html_break(html, BREAK_PARAGRAPH);
    ptrdiff_t mark = html->out.length;
    bool fence = html->markup && !strstr(text, "```");
    html_flush(html);
    if (fence)
        buffer_text(&html->out, "```\n");
    if (html->markup && !fence)
        markup_escape(&html->out, text, block->length - start);
    else
        buffer_add(&html->out, text, block->length - start);
    if (fence)
        buffer_text(&html->out, "\n```");
    html->pending = BREAK_PARAGRAPH;
    html->figure_mark = mark;
    html->figure_code = html->block_code;
    html->figure_indented = !fence && is_indented(text); /* a fenced block keeps its spaces */
    buffer_clear(&html->figure);
    buffer_add(&html->figure, text, block->length - start);
}
