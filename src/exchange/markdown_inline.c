/*
 * A paragraph of Markdown made a text: escapes and entities resolved, emphasis and code as light markup or
 * plain, links with their address behind them. The time is linear: which signs of emphasis belong together is
 * found out in one pass, and no search for an end is made twice.
 */
#include "html_token.h"
#include "markdown.h"

#include <quiztutor/markup.h>
#include <quiztutor/message.h>

#include <string.h>

enum { LONGEST_RUN = 16, LONGEST_LINK = 2000 };

struct run { /* of stars or underscores */
    ptrdiff_t at;
    int length;
    bool opens, closes; /* it can */
    bool begins, ends;  /* it does */
};

struct inline_text {
    struct import *import;
    struct buffer *out;
    const char *text;
    ptrdiff_t length;
    bool marked; /* as light markup */
    struct run *runs;
    ptrdiff_t count, capacity;
    ptrdiff_t absent[LONGEST_RUN + 1]; /* from here on no run of so many backticks follows */
    int emphasis;                      /* how many are open */
    ptrdiff_t opened_at, closed_at;    /* where the last one was opened and closed in `out` */
    ptrdiff_t link, words_end;         /* the next "](", and that of the link at hand; -1: none */
    ptrdiff_t close;                   /* the next ">"; length: none */
    struct buffer entity;
};

static bool is_punctuation(char c)
{
    return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
           (c >= '{' && c <= '~');
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_word(char c)
{
    return !is_blank(c) && !is_punctuation(c);
}

static int run_length(const struct inline_text *in, ptrdiff_t at)
{
    ptrdiff_t end = at;
    while (end < in->length && in->text[end] == in->text[at])
        end++;
    return end - at < 1000 ? (int)(end - at) : 1000;
}

/* Where the code that a run of backticks opens is closed by a run as long, -1 if nowhere. */
static ptrdiff_t code_end(struct inline_text *in, ptrdiff_t at, int run)
{
    if (run > LONGEST_RUN || at + run >= in->absent[run])
        return -1;
    for (ptrdiff_t end = at + run; end < in->length;) {
        const char *found = memchr(in->text + end, '`', (size_t)(in->length - end));
        if (!found)
            break;
        end = found - in->text;
        int other = run_length(in, end);
        if (other == run)
            return end;
        end += other;
    }
    in->absent[run] = at + run;
    return -1;
}

/* ---- which stars belong together ---- */

static void add_run(struct inline_text *in, ptrdiff_t at, int length)
{
    char before = at > 0 ? in->text[at - 1] : ' ';
    char after = at + length < in->length ? in->text[at + length] : ' ';
    struct run run = { .at = at, .length = length, .opens = !is_blank(after), .closes = !is_blank(before) };
    if (in->text[at] == '_') {
        run.opens = run.opens && !is_word(before);
        run.closes = run.closes && !is_word(after);
    }
    if (length > 3)
        run.opens = run.closes = false;
    if (!memory_grow(&in->runs, &in->capacity, in->count + 1, sizeof *in->runs)) {
        in->import->failed = true;
        return;
    }
    in->runs[in->count++] = run;
}

static void find_runs(struct inline_text *in)
{
    for (ptrdiff_t at = 0; at < in->length && !in->import->failed;) {
        char c = in->text[at];
        int run = c == '`' || c == '*' || c == '_' ? run_length(in, at) : 1;
        if (c == '\\' && at + 1 < in->length) {
            run = 2;
        } else if (c == '`') {
            ptrdiff_t end = code_end(in, at, run);
            at = end < 0 ? at : end;
        } else if (c == '*' || c == '_') {
            add_run(in, at, run);
        }
        at += run;
    }
}

/* A run closes the nearest one of its sign and length that opens; what opened in between stays text. */
static void match_runs(struct inline_text *in)
{
    ptrdiff_t *open = memory_alloc((in->count + 1) * (ptrdiff_t)sizeof *open), depth = 0;
    int waiting[2][4] = { { 0 } }; /* of each sign and length among the open ones */
    if (!open) {
        in->import->failed = true;
        return;
    }
    for (ptrdiff_t i = 0; i < in->count; i++) {
        struct run *run = &in->runs[i];
        int sign = in->text[run->at] == '_', size = run->length <= 3 ? run->length : 0;
        bool nothing_between =
            depth && in->runs[open[depth - 1]].at + in->runs[open[depth - 1]].length == run->at;
        if (size && run->closes && waiting[sign][size] && !nothing_between) {
            struct run *other;
            do {
                other = &in->runs[open[--depth]];
                waiting[in->text[other->at] == '_'][other->length]--;
            } while (in->text[other->at] != in->text[run->at] || other->length != run->length);
            other->begins = run->ends = true;
        } else if (size && run->opens) {
            open[depth++] = i;
            waiting[sign][size]++;
        }
    }
    memory_free(open);
}

/* ---- what is put out ---- */

static void put_sign(struct inline_text *in, char c)
{
    if (in->marked && (c == '*' || c == '`'))
        buffer_char(in->out, '\\');
    buffer_char(in->out, c);
}

static void put_emphasis(struct inline_text *in, const struct run *run)
{
    in->emphasis += run->begins ? 1 : -1;
    if (!in->marked || in->emphasis != (run->begins ? 1 : 0))
        return;
    if (run->begins && in->closed_at == in->out->length && in->out->length) {
        in->out->data[--in->out->length] = '\0'; /* two that touch are one */
        return;
    }
    if (run->ends && in->opened_at == in->out->length) {
        in->out->data[--in->out->length] = '\0'; /* nothing stands in it */
        return;
    }
    buffer_char(in->out, '*');
    if (run->ends)
        in->closed_at = in->out->length;
    else
        in->opened_at = in->out->length;
}

static void put_code(struct inline_text *in, ptrdiff_t at, int run, ptrdiff_t end)
{
    ptrdiff_t from = at + run, to = end;
    const char *text = in->text;
    bool padded = to - from > 2 && is_blank(text[from]) && is_blank(text[to - 1]);
    bool tick = padded && (text[from + 1] == '`' || text[to - 2] == '`');
    if (padded && !(tick && in->marked)) {
        from++;
        to--;
    }
    if (in->marked)
        buffer_add(in->out, text + at, run);
    for (ptrdiff_t i = from; i < to; i++)
        buffer_char(in->out, text[i] == '\n' || text[i] == '\r' ? ' ' : text[i]);
    if (in->marked)
        buffer_add(in->out, text + at, run);
}

/* The end of a line: a space, unless two spaces or a backslash before it make it hard. */
static ptrdiff_t put_line_end(struct inline_text *in, ptrdiff_t at)
{
    ptrdiff_t blanks = 0, behind = at + 1;
    while (in->out->length > 0 && in->out->data[in->out->length - 1] == ' ') {
        in->out->data[--in->out->length] = '\0';
        blanks++;
    }
    while (behind < in->length && (in->text[behind] == ' ' || in->text[behind] == '\t'))
        behind++;
    buffer_char(in->out, blanks >= 2 ? '\n' : ' ');
    return behind - at;
}

static void put_escaped(struct inline_text *in, const char *text, ptrdiff_t length)
{
    for (ptrdiff_t i = 0; i < length; i++)
        put_sign(in, text[i]);
}

/* The next "](" from `at` on that is followed by an address in one line; `length` where there is none. Found
 * once and kept, since every bracket asks for it. */
static ptrdiff_t next_link(struct inline_text *in, ptrdiff_t at)
{
    const char *text = in->text, *end = text + in->length;
    while (in->link < at) {
        const char *found = memmem(text + at, (size_t)(in->length - at), "](", 2);
        at = found ? found - text : in->length;
        const char *stop = found && end - found > LONGEST_LINK ? found + LONGEST_LINK : end;
        const char *close = found ? memchr(found, ')', (size_t)(stop - found)) : NULL;
        if (!found || (close && !memchr(found, '\n', (size_t)(close - found)) && text[at - 1] != '\\'))
            in->link = at;
        else
            at++;
    }
    return in->link;
}

/* Where the words end that the bracket at `at` begins, -1 if it begins no link. */
static ptrdiff_t link_words(struct inline_text *in, ptrdiff_t at)
{
    ptrdiff_t end = next_link(in, at + 1);
    if (end == in->length || end - at > LONGEST_LINK ||
        memchr(in->text + at + 1, '[', (size_t)(end - at - 1)))
        return -1;
    return end;
}

/* "](address "title")" behind a link's words: the address is kept in brackets. */
static ptrdiff_t put_address(struct inline_text *in, ptrdiff_t at)
{
    const char *start = in->text + at + 2;
    const char *close = memchr(start, ')', (size_t)(in->length - at - 2));
    ptrdiff_t length = close - start;
    const char *blank = memchr(start, ' ', (size_t)length);
    buffer_text(in->out, " (");
    put_escaped(in, start, blank ? blank - start : length);
    buffer_char(in->out, ')');
    return length + 3;
}

/* "![words](file)": a picture, whose words stay in brackets. */
static ptrdiff_t put_picture(struct inline_text *in, ptrdiff_t at)
{
    ptrdiff_t end = link_words(in, at + 1);
    if (end < 0)
        return 0;
    const char *file = in->text + end + 2, *words = in->text + at + 2;
    const char *close = memchr(file, ')', (size_t)(in->length - end - 2));
    ptrdiff_t shown = close - file < 200 ? close - file : 200;
    import_change(in->import, tr("the picture %.*s is left out"), (int)shown, file);
    if (in->text + end > words) {
        buffer_char(in->out, '[');
        put_escaped(in, words, in->text + end - words);
        buffer_char(in->out, ']');
    }
    return close - (in->text + at) + 1;
}

/* "<br>", "<https://…>"; other tags stay as they stand, noted. */
static ptrdiff_t put_tag(struct inline_text *in, ptrdiff_t at)
{
    static const char *const breaks[] = { "<br>", "<br/>", "<br />" };
    const char *start = in->text + at;
    ptrdiff_t left = in->length - at;
    for (size_t i = 0; i < sizeof breaks / sizeof *breaks; i++) {
        ptrdiff_t size = line_word(start, left, breaks[i]);
        if (size) {
            buffer_char(in->out, '\n');
            return size;
        }
    }
    if (in->close < at) {
        const char *found = memchr(start, '>', (size_t)left);
        in->close = found ? found - in->text : in->length;
    }
    if (in->close == in->length || in->close - at > LONGEST_LINK)
        return 0;
    if (line_word(start, left, "<http://") || line_word(start, left, "<https://")) {
        put_escaped(in, start + 1, in->close - at - 1);
        return in->close - at + 1;
    }
    if (left > 1 && ((start[1] | 0x20) >= 'a' && (start[1] | 0x20) <= 'z')) {
        ptrdiff_t shown = in->close - at < 40 ? in->close - at + 1 : 40;
        import_change(in->import, tr("HTML stays as it stands: %.*s"), (int)shown, start);
    }
    return 0;
}

static ptrdiff_t put_entity(struct inline_text *in, ptrdiff_t at)
{
    buffer_clear(&in->entity);
    ptrdiff_t taken = html_entity(in->text + at, in->length - at, &in->entity);
    put_escaped(in, buffer_get(&in->entity), in->entity.length);
    return taken;
}

static ptrdiff_t put_hard_break(struct inline_text *in, ptrdiff_t at)
{
    ptrdiff_t taken = 2;
    while (in->out->length > 0 && in->out->data[in->out->length - 1] == ' ')
        in->out->data[--in->out->length] = '\0';
    buffer_char(in->out, '\n');
    while (at + taken < in->length && (in->text[at + taken] == ' ' || in->text[at + taken] == '\t'))
        taken++;
    return taken;
}

static ptrdiff_t put_one(struct inline_text *in, ptrdiff_t at)
{
    const char *text = in->text;
    ptrdiff_t taken = 0;
    char c = text[at], next = '\0';
    if (at + 1 < in->length)
        next = text[at + 1];
    if (c == '\\' && next == '\n')
        return put_hard_break(in, at);
    if (c == '\\' && is_punctuation(next)) {
        put_sign(in, next);
        return 2;
    }
    if (c == '\n')
        return put_line_end(in, at);
    if (c == '!' && next == '[')
        taken = put_picture(in, at);
    else if (c == '<')
        taken = put_tag(in, at);
    else if (c == '&')
        taken = put_entity(in, at);
    else if (c == ']' && at == in->words_end)
        taken = put_address(in, at);
    else if (c == '[') {
        ptrdiff_t end = link_words(in, at);
        if (end >= 0) {
            in->words_end = end;
            return 1;
        }
    }
    if (!taken)
        put_sign(in, c);
    return taken ? taken : 1;
}

void markdown_inline(struct import *import, struct buffer *out, const char *text, ptrdiff_t length,
                     enum markdown_style style)
{
    struct inline_text in = { .import = import,
                              .out = out,
                              .text = text,
                              .length = length,
                              .marked = import->markup && style == MARKDOWN_MARKED,
                              .opened_at = -1,
                              .closed_at = -1,
                              .link = -1,
                              .words_end = -1,
                              .close = -1 };
    for (int i = 0; i <= LONGEST_RUN; i++)
        in.absent[i] = length;
    find_runs(&in);
    match_runs(&in);
    for (int i = 0; i <= LONGEST_RUN; i++)
        in.absent[i] = length;
    ptrdiff_t next = 0;
    for (ptrdiff_t at = 0; at < length && !import->failed;) {
        while (next < in.count && in.runs[next].at < at)
            next++;
        if (next < in.count && in.runs[next].at == at) {
            const struct run *run = &in.runs[next++];
            if (run->begins || run->ends)
                put_emphasis(&in, run);
            else
                put_escaped(&in, text + at, run->length);
            at += run->length;
        } else if (text[at] == '`') {
            int run = run_length(&in, at);
            ptrdiff_t end = code_end(&in, at, run);
            if (end < 0)
                put_escaped(&in, text + at, run);
            else
                put_code(&in, at, run, end);
            at = end < 0 ? at + run : end + run;
        } else {
            at += put_one(&in, at);
        }
    }
    import->failed = import->failed || out->failed || in.entity.failed;
    buffer_finish(&in.entity);
    memory_free(in.runs);
}

bool markdown_marks(const char *bytes, ptrdiff_t length)
{
    struct line_reader lines;
    struct text_line line, info;
    line_reader_init(&lines, bytes, length);
    while (line_reader_next(&lines, &line)) {
        if (markdown_rule(&line))
            continue;
        if (markdown_fence(&line, &info)) {
            if (info.length && !line_word(info.text, info.length, "figure"))
                return true;
            struct text_line open = line;
            bool figure = info.length > 0;
            while (line_reader_next(&lines, &line) && !markdown_fence_ends(&line, &open))
                ;
            if (!figure)
                return true;
            continue;
        }
        if (markdown_bullet(&line, &info))
            line = info;
        for (ptrdiff_t i = 0; i < line.length; i++) {
            char c = line.text[i];
            if (c == '\\')
                i++;
            else if (c == '`')
                return true;
            else if ((c == '*' || c == '_') && i + 1 < line.length && !is_blank(line.text[i + 1]) &&
                     (c == '*' || i == 0 || !is_word(line.text[i - 1])))
                return true;
        }
    }
    return false;
}
