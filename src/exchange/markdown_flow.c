/* Lines of Markdown made one text: paragraphs, lists, code. */
#include "markdown.h"

#include <quiztutor/markup.h>
#include <quiztutor/message.h>

#include <string.h>

struct flow {
    struct import *import;
    struct buffer *out;
    enum markdown_style style;
    const char **figure;  /* NULL: no room for one */
    struct buffer raw;    /* the paragraph at hand, its lines joined by line ends */
    bool apart;           /* a blank line stands before what comes next */
    bool listed;          /* the paragraph at hand is an item of a list, or a row of a table */
    ptrdiff_t remark_end; /* the next line that holds "-->", found once; -1: not looked for */
};

static void begin_text(struct flow *flow)
{
    if (flow->out->length)
        buffer_text(flow->out, flow->apart ? "\n\n" : "\n");
    flow->apart = false;
}

static void end_paragraph(struct flow *flow)
{
    if (flow->raw.length) {
        begin_text(flow);
        markdown_inline(flow->import, flow->out, flow->raw.data, flow->raw.length, flow->style);
    }
    flow->import->failed = flow->import->failed || flow->raw.failed;
    buffer_clear(&flow->raw);
    flow->listed = false;
}

static void add_raw(struct flow *flow, const struct text_line *line)
{
    if (flow->raw.length)
        buffer_char(&flow->raw, '\n');
    buffer_add(&flow->raw, line->text, line->length);
}

/* ---- code ---- */

static void put_code_line(struct flow *flow, const struct text_line *line, bool escaped)
{
    begin_text(flow);
    if (escaped)
        markup_escape(flow->out, line->text, line->length);
    else
        buffer_add(flow->out, line->text, line->length);
}

/* Whether a line of the block would end the one it is put into. */
static bool holds_fence(const struct text_line *lines, ptrdiff_t from, ptrdiff_t to)
{
    for (ptrdiff_t i = from; i < to; i++)
        if (line_word(line_trim(lines[i]).text, line_trim(lines[i]).length, "```"))
            return true;
    return false;
}

static void put_fence(struct flow *flow)
{
    begin_text(flow);
    buffer_text(flow->out, "```");
}

/* Lines [from, to) as a block of code; only fenced ones keep the spaces at the start of lines. */
static void put_code(struct flow *flow, const struct text_line *lines, ptrdiff_t from, ptrdiff_t to,
                     int outdent)
{
    bool marked = flow->import->markup && flow->style == MARKDOWN_MARKED, indented = false;
    bool fenced = marked && !holds_fence(lines, from, to);
    if (fenced)
        put_fence(flow);
    for (ptrdiff_t i = from; i < to; i++) {
        struct text_line line = markdown_outdent(lines[i], outdent);
        indented = indented || markdown_indent(&line) > 0;
        put_code_line(flow, &line, marked && !fenced);
    }
    if (fenced)
        put_fence(flow);
    if (indented && !fenced)
        import_change(flow->import,
                      tr("the spaces at the start of the code in line %d are left out; a block ```figure "
                         "keeps them"),
                      lines[from].number);
}

static void put_figure(struct flow *flow, const struct text_line *lines, ptrdiff_t from, ptrdiff_t to,
                       int outdent)
{
    struct buffer text;
    buffer_init(&text);
    for (ptrdiff_t i = from; i < to; i++) {
        struct text_line line = markdown_outdent(lines[i], outdent);
        if (i > from)
            buffer_char(&text, '\n');
        buffer_add(&text, line.text, line.length);
    }
    if (!text.failed && text.length)
        *flow->figure = import_text_figure(flow->import, text.data, text.length);
    flow->import->failed = flow->import->failed || text.failed;
    buffer_finish(&text);
}

/* The block that a fence at `at` opens; returns the line behind it. */
static ptrdiff_t read_fence(struct flow *flow, const struct text_line *lines, ptrdiff_t at, ptrdiff_t count)
{
    struct text_line info;
    ptrdiff_t end = at + 1;
    int outdent = markdown_indent(&lines[at]);
    markdown_fence(&lines[at], &info);
    while (end < count && !markdown_fence_ends(&lines[end], &lines[at]))
        end++;
    if (end == count)
        import_change(flow->import, tr("the block that opens in line %d is not closed"), lines[at].number);
    end_paragraph(flow);
    bool figure = info.length == 6 && line_word(info.text, info.length, "figure");
    if (figure && flow->figure && !*flow->figure) {
        put_figure(flow, lines, at + 1, end, outdent);
        return end + 1;
    }
    if (figure)
        import_change(flow->import, tr("the figure in line %d is taken as code: there is no room for it"),
                      lines[at].number);
    put_code(flow, lines, at + 1, end, outdent);
    return end + 1;
}

static ptrdiff_t read_indented(struct flow *flow, const struct text_line *lines, ptrdiff_t at,
                               ptrdiff_t count)
{
    ptrdiff_t end = at;
    while (end < count && (markdown_indent(&lines[end]) >= 4 || markdown_blank(&lines[end])))
        end++;
    while (end > at && markdown_blank(&lines[end - 1]))
        end--;
    put_code(flow, lines, at, end, 4);
    return end;
}

/* ---- lines ---- */

/* A remark <!-- … --> that begins a line and ends one is passed over, also of several lines. The line behind
 * it. */
static ptrdiff_t skip_remark(struct flow *flow, const struct text_line *lines, ptrdiff_t at, ptrdiff_t count)
{
    struct text_line line = line_trim(lines[at]);
    if (!line_word(line.text, line.length, "<!--"))
        return at;
    ptrdiff_t end = flow->remark_end < at ? at : flow->remark_end;
    while (end < count && !memmem(lines[end].text, (size_t)lines[end].length, "-->", 3))
        end++;
    flow->remark_end = end;
    if (end == count)
        return at;
    line = line_trim(lines[end]);
    return memcmp(line.text + line.length - 3, "-->", 3) == 0 ? end + 1 : at;
}

static void read_line(struct flow *flow, const struct text_line *line)
{
    struct text_line text;
    bool item = markdown_bullet(line, &text) || markdown_number(line, &text);
    bool row = line_trim(*line).length && line_trim(*line).text[0] == '|';
    if (markdown_heading(line, &text)) {
        import_change(flow->import, tr("the heading in line %d is taken as a paragraph"), line->number);
        end_paragraph(flow);
        flow->apart = true;
        add_raw(flow, &text);
        end_paragraph(flow);
        flow->apart = true;
        return;
    }
    if (item || row || flow->listed) {
        bool goes_on = flow->listed && !item && !row;
        if (!goes_on)
            end_paragraph(flow);
        flow->listed = true;
    }
    struct text_line bare = *line; /* two spaces at its end make it a hard break */
    while (bare.length && (bare.text[0] == ' ' || bare.text[0] == '\t')) {
        bare.text++;
        bare.length--;
    }
    add_raw(flow, &bare);
}

void markdown_flow(struct import *import, struct buffer *out, const struct text_line *lines, ptrdiff_t count,
                   enum markdown_style style, const char **figure)
{
    struct flow flow = {
        .import = import, .out = out, .style = style, .figure = figure, .apart = true, .remark_end = -1
    };
    struct text_line info;
    for (ptrdiff_t at = 0; at < count && !import->failed;) {
        const struct text_line *line = &lines[at];
        ptrdiff_t behind = skip_remark(&flow, lines, at, count);
        if (behind > at) {
            at = behind;
        } else if (markdown_fence(line, &info)) {
            at = read_fence(&flow, lines, at, count);
        } else if (markdown_blank(line)) {
            end_paragraph(&flow);
            flow.apart = true;
            at++;
        } else if (markdown_rule(line)) {
            end_paragraph(&flow);
            flow.apart = true;
            at++;
        } else if (markdown_indent(line) >= 4 && !flow.raw.length && flow.apart) {
            at = read_indented(&flow, lines, at, count);
        } else {
            read_line(&flow, line);
            at++;
        }
    }
    end_paragraph(&flow);
    buffer_finish(&flow.raw);
    import->failed = import->failed || out->failed;
}
