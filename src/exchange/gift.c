/* GIFT: blocks of lines, their comments, categories, names and texts. What is between the braces is for
 * gift_answer.c. The format is as Moodle reads it (docs.moodle.org, "GIFT format"). */
#include "gift_private.h"

#include "html.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- slices ---- */

bool gift_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == GIFT_COMMENT;
}

struct gift_slice gift_trim(struct gift_slice slice)
{
    while (slice.length && gift_space(slice.start[0]))
        slice.start++, slice.length--;
    while (slice.length && gift_space(slice.start[slice.length - 1]))
        slice.length--;
    return slice;
}

ptrdiff_t gift_find(struct gift_slice slice, const char *what)
{
    size_t size = strlen(what), length = (size_t)slice.length;
    const char *found = NULL;
    if (length)
        found = size == 1 ? memchr(slice.start, *what, length) : memmem(slice.start, length, what, size);
    return found ? found - slice.start : -1;
}

static bool begins(struct gift_slice slice, const char *what)
{
    ptrdiff_t length = (ptrdiff_t)strlen(what);
    return slice.length >= length && memcmp(slice.start, what, (size_t)length) == 0;
}

static struct gift_slice behind(struct gift_slice slice, ptrdiff_t bytes)
{
    return (struct gift_slice){ slice.start + bytes, slice.length - bytes };
}

void gift_place(const struct gift *gift, const char *at, int *line, int *column)
{
    *line = gift->line;
    *column = 1;
    for (const char *c = buffer_get(&gift->block); c < at; c++) {
        if (*c == '\n' || *c == GIFT_COMMENT)
            ++*line, *column = 1;
        else if (*c >= GIFT_COLON && *c <= GIFT_BACKSLASH)
            *column += 2; /* an escape */
        else
            *column += ((unsigned char)*c & 0xc0) != 0x80;
    }
}

void gift_refuse(struct gift *gift, const char *at, const char *format, ...)
{
    char text[600];
    int column;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    gift_place(gift, at, &gift->import->open.line, &column);
    import_leave_out(gift->import, tr("column %d: %s"), column, text);
}

/* ---- texts ---- */

/* Appends the slice with its escapes resolved. */
static void unescape(struct buffer *out, struct gift_slice slice)
{
    static const char meant[] = { 0, ':', '#', '=', '{', '}', '~', '\n', '\\' };
    for (ptrdiff_t i = 0; i < slice.length; i++) {
        char c = slice.start[i];
        if (c >= GIFT_COLON && c <= GIFT_BACKSLASH)
            buffer_char(out, meant[(int)c]);
        else if (c != GIFT_COMMENT)
            buffer_char(out, c);
    }
}

/* Takes "[html]" and its like off the start. */
static enum gift_format take_format(struct gift_slice *slice, enum gift_format usual)
{
    static const char *const names[] = { "[moodle]", "[html]", "[plain]", "[markdown]" };
    if (!slice->length || *slice->start != '[')
        return usual;
    for (int i = 0; i < 4; i++)
        if (begins(*slice, names[i])) {
            *slice = gift_trim(behind(*slice, (ptrdiff_t)strlen(names[i])));
            return (enum gift_format)i;
        }
    return usual;
}

/* "**strong**" is emphasis in light markup. */
static const char *markdown(struct import *import, const char *text, ptrdiff_t length)
{
    struct buffer out;
    bool other = false;
    buffer_init(&out);
    for (ptrdiff_t i = 0; i < length; i++) {
        bool first = i == 0 || text[i - 1] == '\n';
        if (text[i] == '*' && i + 1 < length && text[i + 1] == '*')
            continue;
        other = other || (first && strchr("#>|", text[i])) || text[i] == '[';
        buffer_char(&out, text[i]);
    }
    if (other)
        import_change(import, "%s", tr("Markdown beyond emphasis and code stands as it is written"));
    const char *kept = import_text(import, buffer_get(&out), out.length);
    import->failed = import->failed || out.failed;
    buffer_finish(&out);
    return kept;
}

static bool holds_tags(const char *text, ptrdiff_t length)
{
    if (!memchr(text, '<', (size_t)length))
        return false;
    return memmem(text, (size_t)length, "</", 2) || memmem(text, (size_t)length, "<br", 3) ||
           memmem(text, (size_t)length, "<img", 4);
}

static const char *by_format(struct gift *gift, enum gift_format format, enum gift_text kind,
                             const char *text, ptrdiff_t length)
{
    static const enum html_form forms[] = {
        HTML_TEXT, HTML_TEXT, HTML_CARD, HTML_BARE, HTML_BARE, HTML_TEXT
    };
    struct import *import = gift->import;
    if (format == GIFT_HTML && kind == GIFT_FIGURED)
        return html_text_figure(import, text, length, HTML_TEXT, &gift->figure);
    if (format == GIFT_HTML)
        return html_text(import, text, length, forms[kind]);
    bool bare = kind == GIFT_BARE || kind == GIFT_TYPED || kind == GIFT_RIGHT;
    if (format == GIFT_MARKDOWN && !bare)
        return markdown(import, text, length);
    if (format == GIFT_MOODLE && length && holds_tags(text, length))
        import_change(import, "%s", tr("HTML in a text that is not marked [html] stands as it is written"));
    return bare ? import_text(import, text, length) : import_plain(import, text, length);
}

const char *gift_text(struct gift *gift, struct gift_slice slice, enum gift_text kind)
{
    slice = gift_trim(slice);
    gift->figure = NULL;
    enum gift_format format = kind == GIFT_RIGHT ? GIFT_PLAIN : take_format(&slice, gift->format);
    if (kind == GIFT_TYPED)
        format = GIFT_PLAIN;
    if (!slice.length)
        return NULL;
    unsigned escapes = 0;
    for (ptrdiff_t i = 0; i < slice.length; i++)
        escapes |= (unsigned char)slice.start[i] < 0x20;
    if (!escapes)
        return by_format(gift, format, kind, slice.start, slice.length);
    buffer_clear(&gift->scratch);
    unescape(&gift->scratch, slice);
    gift->import->failed = gift->import->failed || gift->scratch.failed;
    return by_format(gift, format, kind, buffer_get(&gift->scratch), gift->scratch.length);
}

/* ---- blocks ---- */

/* "[id:…]" and "[tag:…]" in a comment. */
static void read_comment(struct gift *gift, const char *line, ptrdiff_t length)
{
    struct gift_slice rest = { line, length };
    for (ptrdiff_t at; (at = gift_find(rest, "[")) >= 0;) {
        rest = behind(rest, at + 1);
        bool id = begins(rest, "id:"), tag = begins(rest, "tag:");
        if (!id && !tag)
            continue;
        ptrdiff_t end = gift_find(rest, "]");
        while (end > 0 && rest.start[end - 1] == '\\') {
            ptrdiff_t more = gift_find(behind(rest, end + 1), "]");
            end = more < 0 ? -1 : end + 1 + more;
        }
        if (end < 0)
            break; /* none of those that follow ends */
        ptrdiff_t skip = id ? 3 : 4;
        struct buffer *plain = &gift->scratch;
        buffer_clear(plain);
        for (ptrdiff_t i = skip; i < end; i++)
            if (rest.start[i] != '\\' || rest.start[i + 1] != ']')
                buffer_char(plain, rest.start[i]);
        const char *text = import_text_line(gift->import, buffer_get(plain), plain->length);
        if (id && text)
            gift->id = text;
        else if (text && gift->tag_count < (int)(sizeof gift->tags / sizeof *gift->tags))
            gift->tags[gift->tag_count++] = text;
        rest = behind(rest, end);
    }
}

/* Adds a line to the block, escapes as single bytes. */
static void add_line(struct gift *gift, const char *line, ptrdiff_t length)
{
    static const char escaped[] = ":#={}~n\\";
    struct buffer *out = &gift->block;
    unsigned other = 0;
    for (ptrdiff_t i = 0; i < length; i++)
        other |= (unsigned char)line[i] < 0x20 || line[i] == '\\';
    if (!other) {
        buffer_add(out, line, length);
        length = 0;
    }
    for (ptrdiff_t i = 0; i < length; i++) {
        ptrdiff_t run = i;
        while (run < length && line[run] != '\\' && ((unsigned char)line[run] >= 0x20 || line[run] == '\t'))
            run++;
        buffer_add(out, line + i, run - i);
        i = run;
        if (i == length)
            break;
        const char *found =
            line[i] == '\\' && i + 1 < length && line[i + 1] ? strchr(escaped, line[i + 1]) : NULL;
        if (found) {
            buffer_char(out, (char)(GIFT_COLON + (found - escaped)));
            i++;
        } else if (line[i] == '\\') {
            buffer_char(out, '\\');
        } else if (line[i] != '\r') {
            gift->dropped = true;
        }
    }
    buffer_char(out, '\n');
}

struct lines {
    const char *at, *end;
    int number; /* of the line at `at` */
};

static bool next_line(struct lines *lines, struct gift_slice *line)
{
    if (lines->at >= lines->end)
        return false;
    const char *lf = memchr(lines->at, '\n', (size_t)(lines->end - lines->at));
    line->start = lines->at;
    line->length = (lf ? lf : lines->end) - lines->at;
    while (line->length && line->start[line->length - 1] == '\r')
        line->length--;
    return true;
}

static void pass(struct lines *lines)
{
    const char *lf = memchr(lines->at, '\n', (size_t)(lines->end - lines->at));
    lines->at = lf ? lf + 1 : lines->end;
    lines->number++;
}

/* Reads the lines up to a blank one, or to one that names a category; false at the file's end. */
static bool read_block(struct gift *gift, struct lines *lines)
{
    struct gift_slice line;
    bool begun = false;
    buffer_clear(&gift->block);
    gift->id = NULL;
    gift->tag_count = 0;
    gift->dropped = false;
    gift->line = lines->number;
    for (; next_line(lines, &line); pass(lines)) {
        struct gift_slice words = gift_trim(line);
        if (!words.length && begun)
            break;
        if (words.length >= 2 && words.start[0] == '/' && words.start[1] == '/') {
            read_comment(gift, words.start, words.length);
            buffer_char(&gift->block, GIFT_COMMENT);
            continue;
        }
        if (begun && begins(words, "$CATEGORY:"))
            break;
        if (!words.length)
            buffer_char(&gift->block, '\n');
        else
            add_line(gift, line.start, line.length);
        if (begins(words, "$CATEGORY:")) {
            pass(lines);
            return true;
        }
        begun = begun || words.length;
    }
    gift->import->failed = gift->import->failed || gift->block.failed;
    return begun;
}

/* "$course$/top/Week 1/Day 2" is "Week 1 / Day 2"; a doubled slash stands for one. */
static void read_category(struct gift *gift, struct gift_slice path)
{
    struct buffer title;
    int roots = 0; /* "$course$", then "top" */
    buffer_init(&title);
    path = gift_trim(path);
    while (path.length) {
        ptrdiff_t end = 0;
        while (end < path.length &&
               (path.start[end] != '/' || (end + 1 < path.length && path.start[end + 1] == '/')))
            end += path.start[end] == '/' ? 2 : 1;
        end = end < path.length ? end : path.length;
        struct gift_slice part = gift_trim((struct gift_slice){ path.start, end });
        bool context =
            roots == 0 && part.length > 1 && part.start[0] == '$' && part.start[part.length - 1] == '$';
        bool root = context || (roots == 1 && part.length == 3 && begins(part, "top"));
        roots = root ? roots + 1 : 2;
        path = behind(path, end < path.length ? end + 1 : end);
        if (root || !part.length)
            continue;
        buffer_text(&title, title.length ? " / " : "");
        struct gift_slice piece = part;
        for (ptrdiff_t slash; (slash = gift_find(piece, "//")) >= 0; piece = behind(piece, slash + 2))
            unescape(&title, (struct gift_slice){ piece.start, slash + 1 });
        unescape(&title, piece);
    }
    import_section(gift->import, buffer_get(&title));
    gift->import->failed = gift->import->failed || title.failed;
    buffer_finish(&title);
}

/* ---- questions ---- */

/* The answers' braces; false after the question was left out. */
static bool find_braces(struct gift *gift, struct gift_slice text, ptrdiff_t *open, ptrdiff_t *close)
{
    *open = gift_find(text, "{");
    *close = gift_find(text, "}");
    if (*open < 0 && *close < 0) {
        import_leave_out(gift->import, "%s", tr("a description: there is nothing to answer"));
        return false;
    }
    if (*open < 0 || (*close >= 0 && *close < *open)) {
        gift_refuse(gift, text.start + *close, "%s",
                    tr("a } without its {; write \\} for a brace in a text"));
        return false;
    }
    if (*close < 0) {
        gift_refuse(gift, text.start + *open, "%s", tr("the { has no }; a blank line ends a question"));
        return false;
    }
    ptrdiff_t second = gift_find(behind(text, *open + 1), "{");
    ptrdiff_t stray = gift_find(behind(text, *close + 1), "}");
    if (second >= 0 || stray >= 0) {
        int line, column;
        gift_place(gift, text.start + (second >= 0 ? *open + 1 + second : *close + 1 + stray), &line,
                   &column);
        gift_refuse(gift, text.start + *open,
                    tr("another brace follows at %d:%d; write \\{ and \\} for braces in a text, and a blank "
                       "line between two questions"),
                    line, column);
        return false;
    }
    return true;
}

static void read_stem(struct gift *gift, struct question *question, struct gift_slice text, ptrdiff_t open,
                      ptrdiff_t close)
{
    struct gift_slice before = { text.start, open }, after = behind(text, close + 1);
    before = gift_trim(before);
    gift->format = take_format(&before, GIFT_MOODLE);
    if (!gift_trim(after).length) {
        question->prompt = gift_text(gift, before, GIFT_FIGURED);
        question->figure = gift->figure;
        return;
    }
    struct buffer whole; /* a word is missing: a line stands where the answers stood */
    buffer_init(&whole);
    before.length = text.start + open - before.start;
    buffer_add(&whole, before.start, before.length);
    buffer_text(&whole, "_____");
    buffer_add(&whole, after.start, after.length);
    gift->import->failed = gift->import->failed || whole.failed;
    question->prompt = gift_text(gift, (struct gift_slice){ buffer_get(&whole), whole.length }, GIFT_FIGURED);
    question->figure = gift->figure;
    buffer_finish(&whole);
}

static void read_question(struct gift *gift, struct gift_slice text)
{
    struct import *import = gift->import;
    struct question question;
    int line, column;
    ptrdiff_t open, close;
    const char *name = NULL;
    gift_place(gift, text.start, &line, &column);
    gift->format = GIFT_PLAIN;
    if (begins(text, "::")) {
        struct gift_slice rest = behind(text, 2);
        ptrdiff_t end = gift_find(rest, "::");
        if (end >= 0) {
            name = gift_text(gift, (struct gift_slice){ rest.start, end }, GIFT_BARE);
            text = gift_trim(behind(rest, end + 2));
        }
    }
    import_open(import, &question, line, name);
    if (gift->dropped)
        import_change(import, "%s", tr("control characters were dropped"));
    open = gift_find(text, "{");
    if (!name) {
        struct gift_slice stem = { text.start, open < 0 ? text.length : open };
        stem = gift_trim(stem);
        take_format(&stem, GIFT_PLAIN);
        import->open.name = gift_text(gift, stem, GIFT_BARE);
    }
    if (!find_braces(gift, text, &open, &close))
        return;
    read_stem(gift, &question, text, open, close);
    if (!name)
        import->open.name = question.prompt;
    question.id = gift->id;
    if (gift->tag_count) {
        ptrdiff_t room = gift->tag_count * (ptrdiff_t)sizeof *gift->tags;
        const char **tags = arena_alloc(&import->arena, room);
        import->failed = import->failed || !tags;
        if (tags)
            memcpy(tags, gift->tags, (size_t)room);
        question.tags = (struct text_list){ tags, tags ? gift->tag_count : 0 };
    }
    gift_answer(gift, &question, gift_trim((struct gift_slice){ text.start + open + 1, close - open - 1 }));
}

/* Whether a text marked [html] holds an element that becomes light markup: then all texts are in it. */
static bool holds_marks(struct gift_slice text)
{
    static const char *const names[] = { "b", "i",    "em",   "strong", "cite", "dfn", "var",
                                         "u", "mark", "code", "kbd",    "samp", "tt",  "pre" };
    for (ptrdiff_t at; (at = gift_find(text, "<")) >= 0;) {
        text = behind(text, at + 1);
        ptrdiff_t length = 0;
        while (length < text.length && ((text.start[length] | 32) >= 'a' && (text.start[length] | 32) <= 'z'))
            length++;
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if ((ptrdiff_t)strlen(names[i]) == length &&
                strncasecmp(names[i], text.start, (size_t)length) == 0)
                return true;
    }
    return false;
}

/* Looks at each block that has such a text, from there to the blank line behind it. */
static bool needs_markup(const char *bytes, ptrdiff_t length)
{
    struct gift_slice rest = { bytes, length };
    if (gift_find(rest, "[markdown]") >= 0)
        return true;
    for (ptrdiff_t at; (at = gift_find(rest, "[html]")) >= 0;) {
        rest = behind(rest, at);
        ptrdiff_t end = 0, lf;
        bool blank = false;
        while (end < rest.length && !blank) {
            lf = gift_find(behind(rest, end), "\n");
            lf = lf < 0 ? rest.length - end : lf + 1;
            blank = end && !gift_trim((struct gift_slice){ rest.start + end, lf }).length;
            end += lf;
        }
        if (holds_marks((struct gift_slice){ rest.start, end }))
            return true;
        rest = behind(rest, end);
    }
    return false;
}

bool gift_read(struct import *import, const char *bytes, ptrdiff_t length, struct error *error)
{
    struct gift gift = { .import = import };
    if (!exchange_check_text(&bytes, &length, error))
        return false;
    struct lines lines = { bytes, bytes + length, 1 };
    buffer_init(&gift.block);
    buffer_init(&gift.scratch);
    import->markup = needs_markup(bytes, length);
    while (!import->failed && read_block(&gift, &lines)) {
        struct gift_slice text = gift_trim((struct gift_slice){ buffer_get(&gift.block), gift.block.length });
        if (begins(text, "$CATEGORY:"))
            read_category(&gift, behind(text, 10));
        else if (text.length)
            read_question(&gift, text);
    }
    buffer_finish(&gift.block);
    buffer_finish(&gift.scratch);
    return !import->failed || error_memory(error);
}

/* Braces with answers in them, in the first lines. */
bool gift_recognise(const char *bytes, ptrdiff_t length)
{
    struct gift_slice look = { bytes, length < EXCHANGE_LOOK ? length : EXCHANGE_LOOK };
    for (ptrdiff_t at; (at = gift_find(look, "{")) >= 0;) {
        if (at == 0 || look.start[at - 1] != '\\') {
            struct gift_slice inside = gift_trim(behind(look, at + 1));
            if (inside.length && strchr("=~#TtFf}%", inside.start[0]))
                return gift_find(inside, "}") >= 0;
        }
        look = behind(look, at + 1);
    }
    return begins((struct gift_slice){ bytes, length }, "$CATEGORY:");
}
