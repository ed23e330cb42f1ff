#include "markdown_escape.h"

#include "markdown.h"

#include <quiztutor/markup.h>

#include <string.h>

struct escaping {
    struct buffer *out;
    const char *prefix;
    bool cell;
};

static bool is_word_byte(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c & 0x80);
}

static bool is_letter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* Whether the sign must be escaped, wherever it stands in a line. `before` is 0 at its start. */
static bool is_mark(const char *at, char before, bool cell)
{
    switch (*at) {
    case '\\':
    case '*':
    case '`':
        return true;
    case '_':
        return !is_word_byte(before) || !is_word_byte(at[1]);
    case '<':
        return is_letter(at[1]) || (at[1] && strchr("/!?", at[1]));
    case '&':
        return is_letter(at[1]) || at[1] == '#';
    case ']':
        return at[1] == '(';
    case '|':
        return cell;
    default:
        return false;
    }
}

/* What stands at the start of a line, as far as it could begin something: up to which byte it is put out with
 * an escape in it. */
static const char *put_line_start(struct escaping *escaping, const char *at)
{
    ptrdiff_t length = (ptrdiff_t)strcspn(at, "\n");
    struct text_line line = { .text = at, .length = length }, text, label = line;
    const char *word;
    ptrdiff_t digits = (ptrdiff_t)strspn(at, "0123456789");
    if (digits && digits <= 9 && (at[digits] == '.' || at[digits] == ')')) {
        buffer_add(escaping->out, at, digits);
        buffer_char(escaping->out, '\\');
        buffer_char(escaping->out, at[digits]);
        return at + digits + 1;
    }
    if (markdown_label(&label) ||
        markdown_field(&line, &word)) { /* its words hold no sign; the colon is what makes it one */
        const char *colon = memchr(at, ':', (size_t)length);
        if (*at == '*')
            return at;
        buffer_add(escaping->out, at, colon - at);
        buffer_text(escaping->out, "\\:");
        return colon + 1;
    }
    bool begins = markdown_bullet(&line, &text) || markdown_heading(&line, &text) ||
                  markdown_quote(&line, &text) || markdown_rule(&line) || markdown_delimiter(&line) ||
                  markdown_fence(&line, &text) || *at == '|' || *at == '#' || *at == '=' ||
                  (*at == '-' && strspn(at, "-") == (size_t)length);
    if (begins && length && strchr("-+#>=|~_", *at)) {
        buffer_char(escaping->out, '\\');
        buffer_char(escaping->out, *at);
        return at + 1;
    }
    return at;
}

/* A code span: in more backticks than stand in it. */
static const char *put_code(struct escaping *escaping, const char *at)
{
    const char *end = strchr(at, MARKUP_END);
    ptrdiff_t length = end ? end - at : (ptrdiff_t)strlen(at);
    int ticks = 1, run = 0;
    for (ptrdiff_t i = 0; i < length; i++) {
        run = at[i] == '`' ? run + 1 : 0;
        ticks = run >= ticks ? run + 1 : ticks;
    }
    bool padded = length && (at[0] == '`' || at[length - 1] == '`' || at[0] == ' ' || at[length - 1] == ' ');
    for (int i = 0; i < ticks; i++)
        buffer_char(escaping->out, '`');
    buffer_text(escaping->out, padded ? " " : "");
    for (ptrdiff_t i = 0; i < length; i++)
        buffer_char(escaping->out, at[i] == '\n' ? ' ' : at[i]);
    buffer_text(escaping->out, padded ? " " : "");
    for (int i = 0; i < ticks; i++)
        buffer_char(escaping->out, '`');
    return at + length + (end != NULL);
}

static void put_fence(struct escaping *escaping, int ticks)
{
    for (int i = 0; i < ticks; i++)
        buffer_char(escaping->out, '`');
}

/* The lines of a block of code, each begun with MARKUP_BLOCK. */
static const char *put_block(struct escaping *escaping, const char *at)
{
    int ticks = 3, run = 0;
    for (const char *c = at; *c && !(c[0] == '\n' && c[1] != MARKUP_BLOCK); c++) {
        run = *c == '`' ? run + 1 : 0;
        ticks = run >= ticks ? run + 1 : ticks;
    }
    put_fence(escaping, ticks);
    while (*at == MARKUP_BLOCK) {
        ptrdiff_t length = (ptrdiff_t)strcspn(at + 1, "\n");
        buffer_print(escaping->out, "\n%s", escaping->prefix);
        buffer_add(escaping->out, at + 1, length);
        at += 1 + length;
        if (at[0] == '\n' && at[1] == MARKUP_BLOCK)
            at++;
    }
    buffer_print(escaping->out, "\n%s", escaping->prefix);
    put_fence(escaping, ticks);
    return at;
}

/* The end of a line: hard, or of a paragraph; none but a plain one beside a block. */
static const char *put_line_end(struct escaping *escaping, const char *at, bool behind_block)
{
    struct buffer *out = escaping->out;
    if (escaping->cell) {
        buffer_text(out, "<br>");
        return at + 1;
    }
    if (at[1] == '\n') {
        ptrdiff_t length = (ptrdiff_t)strlen(escaping->prefix);
        while (length > 0 && escaping->prefix[length - 1] == ' ')
            length--;
        buffer_char(out, '\n');
        buffer_add(out, escaping->prefix, length);
        at++;
    } else if (!behind_block && at[1] != MARKUP_BLOCK) {
        buffer_char(out, '\\');
    }
    buffer_print(out, "\n%s", escaping->prefix);
    return at + 1;
}

/* Rendered text: with the bytes of styles where it has any. */
static void put_rendered(struct escaping *escaping, const char *at)
{
    bool start = true, block = false;
    char before = 0;
    while (*at) {
        if (*at == '\n') {
            at = put_line_end(escaping, at, block);
            start = true;
            block = false;
            before = 0;
            continue;
        }
        if (*at == MARKUP_BLOCK) {
            at = put_block(escaping, at);
            block = true;
            start = false;
            continue;
        }
        if (start && !escaping->cell) {
            const char *behind = put_line_start(escaping, at);
            start = false;
            if (behind > at) {
                before = behind[-1];
                at = behind;
                continue;
            }
        }
        if (*at == MARKUP_EMPHASIS || *at == MARKUP_END) {
            buffer_char(escaping->out, '*');
            at++;
        } else if (*at == MARKUP_CODE) {
            at = put_code(escaping, at + 1);
        } else {
            if (is_mark(at, before, escaping->cell))
                buffer_char(escaping->out, '\\');
            before = *at;
            buffer_char(escaping->out, *at++);
        }
    }
}

static void escape(struct export *export, const struct escaping *how, const char *text, bool marked)
{
    struct escaping escaping = *how;
    if (!marked || !export->pack->markup) {
        put_rendered(&escaping, text);
        return;
    }
    struct buffer rendered;
    buffer_init(&rendered);
    markup_render(&rendered, text, true);
    put_rendered(&escaping, buffer_get(&rendered));
    export->failed = export->failed || rendered.failed;
    buffer_finish(&rendered);
}

void markdown_escape(struct export *export, struct buffer *out, const char *text, const char *prefix,
                     bool marked)
{
    struct escaping escaping = { .out = out, .prefix = prefix };
    escape(export, &escaping, text, marked);
}

void markdown_escape_cell(struct export *export, struct buffer *out, const char *text)
{
    struct escaping escaping = { .out = out, .prefix = "", .cell = true };
    escape(export, &escaping, text, false);
}

/* A "#" at the end of a heading would be taken off. */
void markdown_escape_heading(struct export *export, struct buffer *out, const char *text)
{
    struct escaping escaping = { .out = out, .prefix = "" };
    ptrdiff_t before = out->length;
    escape(export, &escaping, text, false);
    if (out->length > before && out->data[out->length - 1] == '#') {
        out->data[out->length - 1] = '\\';
        buffer_char(out, '#');
    }
}
