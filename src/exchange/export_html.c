/* Texts of packs as HTML, for formats that speak it. */
#include <quiztutor/exchange.h>

#include <quiztutor/markup.h>

#include <string.h>

/* One character; of a run of spaces every second one is kept from being run together. */
static void put_char(struct buffer *out, char c, char before)
{
    bool spaced = before == ' ' && out->length && out->data[out->length - 1] == ' ';
    if (c == '&')
        buffer_text(out, "&amp;");
    else if (c == '<')
        buffer_text(out, "&lt;");
    else if (c == '>')
        buffer_text(out, "&gt;");
    else if (c == '"')
        buffer_text(out, "&quot;");
    else if (c == ' ' && spaced)
        buffer_text(out, "&nbsp;");
    else if (c == '\t')
        buffer_text(out, "<span style=\"white-space:pre\">\t</span>");
    else
        buffer_char(out, c);
}

static const char *start_tag(char c)
{
    return c == MARKUP_EMPHASIS ? "<em>" : "<code>";
}

/* A code block's lines, each begun with MARKUP_BLOCK; returns what follows them. */
static const char *put_block(struct buffer *out, const char *text)
{
    buffer_text(out, "<pre><code>");
    for (bool more = true; more;) {
        for (text++; *text && *text != '\n'; text++)
            if (*text > MARKUP_BLOCK || *text < MARKUP_EMPHASIS)
                put_char(out, *text, 0);
        more = text[0] == '\n' && text[1] == MARKUP_BLOCK;
        if (more)
            buffer_char(out, *text++);
    }
    buffer_text(out, "</code></pre>");
    return text;
}

/* A rendered text, from a paragraph's start on. */
static void put_rendered(struct buffer *out, const char *text, bool line)
{
    bool open = false; /* a paragraph */
    char before = 0, tag = 0;
    line = line && !strstr(text, "\n\n");
    while (*text) {
        char c = *text;
        if (c == MARKUP_BLOCK) {
            buffer_text(out, open && !line ? "</p>" : "");
            open = false;
            text = put_block(out, text);
            text += strspn(text, "\n");
            continue;
        }
        if (!open && !line)
            buffer_text(out, "<p>");
        open = true;
        if (c == MARKUP_EMPHASIS || c == MARKUP_CODE) {
            buffer_text(out, start_tag(c));
            tag = c;
        } else if (c == MARKUP_END) {
            buffer_text(out, tag == MARKUP_EMPHASIS ? "</em>" : "</code>");
        } else if (c == '\n' && text[1] == '\n') {
            buffer_text(out, "</p>");
            open = false;
            text++;
        } else if (c == '\n') {
            if (text[1] != MARKUP_BLOCK)
                buffer_text(out, "<br />");
        } else {
            put_char(out, c, before);
        }
        before = c;
        text++;
    }
    buffer_text(out, open && !line ? "</p>" : "");
}

void export_html(struct export *export, struct buffer *out, const char *text, bool line)
{
    if (!export->pack->markup) {
        put_rendered(out, text, line);
        return;
    }
    struct buffer rendered;
    buffer_init(&rendered);
    markup_render(&rendered, text, true);
    put_rendered(out, buffer_get(&rendered), line);
    export->failed = export->failed || rendered.failed;
    buffer_finish(&rendered);
}

void export_html_bare(struct buffer *out, const char *text)
{
    put_rendered(out, text, true);
}

void export_html_figure(struct buffer *out, const char *figure)
{
    buffer_text(out, "<pre>");
    for (; *figure; figure++)
        put_char(out, *figure, 0);
    buffer_text(out, "</pre>");
}
