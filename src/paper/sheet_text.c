/* A sheet as text, for pipes and mail. */
#include <quiztutor/markup.h>
#include <quiztutor/sheet.h>
#include <quiztutor/text.h>

#include <stdio.h>
#include <string.h>

enum { INDENT = 3, RULE = 30, GAP = 2, SLOT = 5 /* "____ " */ };

/* Text still to be put, as lines of at most `width` columns. */
struct wrap {
    const char *at;
    int width;
};

/* Where a cell stands between its neighbours. */
static bool is_opening(int32_t code)
{
    return strchr("([{", code < 0x80 ? (int)code : 'x') || code == 0x300c || code == 0x300e ||
           code == 0xff08 || code == 0x3010;
}

static bool is_closing(int32_t code)
{
    static const int32_t closing[] = { 0x3001, 0x3002, 0x300d, 0x300f, 0x3011, 0x30fb, 0x30fc,
                                       0xff01, 0xff09, 0xff0c, 0xff0e, 0xff1a, 0xff1b, 0xff1f };
    for (size_t i = 0; i < sizeof closing / sizeof *closing; i++)
        if (closing[i] == code)
            return true;
    return code < 0x80 && strchr(")]},.;:!?%", (int)code);
}

/* Between two cells of which one is wide a line may break, as in Japanese; not after an opening bracket, not
 * before what closes, and not inside an emoji joined of several. */
static bool breaks_between(int32_t before, bool joined, int before_columns, int32_t code, int columns)
{
    return (before_columns == 2 || columns == 2) && !joined && !is_opening(before) && !is_closing(code);
}

static bool ends_joined(const char *text, ptrdiff_t end)
{
    return end >= 3 && memcmp(text + end - 3, "\xe2\x80\x8d", 3) == 0; /* ZERO WIDTH JOINER */
}

/* The next line: its bytes from *line on, without blanks at its end; false when there is none. */
static bool wrap_next(struct wrap *wrap, const char **line, ptrdiff_t *length)
{
    const char *text = wrap->at;
    ptrdiff_t all = (ptrdiff_t)strcspn(text, "\n"), at = 0, end = -1, next = -1;
    int used = 0, before_columns = 0, columns;
    int32_t before = 0, code;
    if (!*text)
        return false;
    for (ptrdiff_t cell; at < all; at += cell, used += columns, before = code, before_columns = columns) {
        cell = text_cell(text + at, all - at, &columns);
        text_decode(text + at, all - at, &code);
        if (at > 0 && text[at] != ' ' &&
            (before == ' ' || breaks_between(before, ends_joined(text, at), before_columns, code, columns)))
            end = next = at;
        if (at > 0 && used + columns > wrap->width && text[at] != ' ') {
            if (end < 0)
                end = next = at;
            break;
        }
    }
    if (at >= all) {
        end = all;
        next = all + (text[all] == '\n');
    }
    while (end > 0 && text[end - 1] == ' ')
        end--;
    *line = text;
    *length = end;
    wrap->at = text + next;
    return true;
}

struct page {
    struct buffer *out;
    struct buffer words, others; /* a block's texts as they can be shown */
    bool boxes;
    int indent; /* of what stands below a question's number: as wide as that is */
};

/* A text without styles, and without anything that drives a terminal. */
static const char *plain(struct buffer *words, const char *text)
{
    buffer_clear(words);
    for (const char *at = text ? text : ""; *at;) {
        ptrdiff_t length = 0;
        while (at[length] && at[length] != '\n' &&
               (at[length] < MARKUP_EMPHASIS || at[length] > MARKUP_BLOCK))
            length++;
        text_visible(words, at, length);
        at += length;
        if (*at == '\n')
            buffer_char(words, '\n');
        at += *at != '\0';
    }
    return buffer_get(words);
}

static void put_line(struct buffer *out, int indent, const char *line, ptrdiff_t length)
{
    if (length)
        buffer_print(out, "%*s", indent, "");
    buffer_add(out, line, length);
    buffer_char(out, '\n');
}

/* A label, and the text beside it. */
static void put_text(struct page *page, const char *label, int indent, const char *text)
{
    struct wrap wrap = { plain(&page->words, text), SHEET_COLUMNS - indent };
    const char *line;
    ptrdiff_t length;
    bool first = true;
    while (wrap_next(&wrap, &line, &length)) {
        if (first)
            buffer_print(page->out, "%*s", indent, label);
        put_line(page->out, first ? 0 : indent, line, length);
        first = false;
    }
    if (first && *label) { /* a number alone, above what can't stand beside it */
        buffer_text(page->out, label);
        while (page->out->length && page->out->data[page->out->length - 1] == ' ')
            page->out->data[--page->out->length] = '\0';
        buffer_char(page->out, '\n');
    }
}

static void put_figure(struct page *page, int indent, const char *text)
{
    for (const char *at = plain(&page->words, text); *at;) {
        ptrdiff_t length = (ptrdiff_t)strcspn(at, "\n");
        put_line(page->out, indent, at, length);
        at += length + (at[length] == '\n');
    }
}

static int columns_of(const char *text, ptrdiff_t length)
{
    int total = 0, columns;
    for (ptrdiff_t at = 0; at < length; total += columns)
        at += text_cell(text + at, length - at, &columns);
    return total;
}

/* "____ left text          1) right text" */
static void put_pair(struct page *page, const struct sheet_block *block)
{
    int half = (SHEET_COLUMNS - page->indent - GAP) / 2;
    char label[16] = "";
    if (block->other)
        snprintf(label, sizeof label, "%d) ", block->number);
    int indent = (int)strlen(label);
    struct wrap left = { plain(&page->words, block->text), half - SLOT };
    struct wrap right = { plain(&page->others, block->other), half - indent };
    for (bool first = true;; first = false) {
        const char *one = "", *other = "";
        ptrdiff_t length = 0, rest = 0;
        bool has_left = wrap_next(&left, &one, &length), has_right = wrap_next(&right, &other, &rest);
        if (!has_left && !has_right)
            break;
        int used = 0;
        if (has_left) {
            buffer_print(page->out, "%*s%*s", page->indent, "", SLOT, first ? "____ " : "");
            buffer_add(page->out, one, length);
            used = page->indent + SLOT + columns_of(one, length);
        }
        if (has_right) {
            buffer_print(page->out, "%*s%*s", page->indent + half + GAP - used, "", indent,
                         first ? label : "");
            buffer_add(page->out, other, rest);
        }
        buffer_char(page->out, '\n');
    }
}

static void put_boxes(struct page *page, int count)
{
    buffer_print(page->out, "%*s", page->indent, "");
    for (int i = 0; i < count; i++) {
        if (i && i % 16 == 0) /* boxes are four columns each */
            buffer_print(page->out, "\n%*s", page->indent, "");
        else if (i)
            buffer_char(page->out, ' ');
        buffer_text(page->out, "[ ]");
    }
    buffer_char(page->out, '\n');
}

/* A line to write on, and the unit behind it. */
static void put_rule(struct page *page, const char *unit)
{
    char label[16 + RULE + 2];
    int at = snprintf(label, 16, "%*s", page->indent, "");
    memset(label + at, '_', RULE);
    memcpy(label + at + RULE, " ", 2);
    put_text(page, label, (int)strlen(label), unit);
}

/* "12. ", and the text behind it. */
static void put_numbered(struct page *page, const struct sheet_block *block)
{
    char label[16] = "";
    if (block->number)
        page->indent = snprintf(label, sizeof label, "%d. ", block->number);
    put_text(page, label, page->indent, block->text);
}

/* What kinds have an empty line above them: what begins something. */
static bool stands_apart(const struct sheet_block *block, const struct sheet_block *before)
{
    if (!before)
        return false;
    if (block->kind == SHEET_LINE)
        return before->kind != SHEET_LINE;
    if (block->kind == SHEET_FIGURE)
        return true;
    return block->kind <= SHEET_PROMPT || block->kind == SHEET_KEY || before->kind == SHEET_FIGURE;
}

static void put_block(struct page *page, const struct sheet_block *block)
{
    char label[32];
    switch (block->kind) {
    case SHEET_NOTE:
    case SHEET_HEADING:
    case SHEET_LINE:
    case SHEET_NAME:
    case SHEET_INTRO:
        put_text(page, "", 0, block->text);
        page->indent = INDENT;
        break;
    case SHEET_FIGURE:
        put_figure(page, page->indent, block->text);
        break;
    case SHEET_PROMPT:
    case SHEET_KEY:
        put_numbered(page, block);
        break;
    case SHEET_BULLET:
        snprintf(label, sizeof label, "%*s%s", page->indent, "", page->boxes ? "[ ] " : "• ");
        put_text(page, label, page->indent + (page->boxes ? 4 : 2), block->text);
        break;
    case SHEET_TRUTH:
        put_text(page, "", page->indent, block->text);
        break;
    case SHEET_RULE:
        put_rule(page, block->text);
        break;
    case SHEET_ITEM:
        snprintf(label, sizeof label, "%*s%d) ", page->indent, "", block->number);
        put_text(page, label, (int)strlen(label), block->text);
        break;
    case SHEET_BOXES:
        put_boxes(page, block->number);
        break;
    case SHEET_PAIR:
        put_pair(page, block);
        break;
    }
}

/* Left what is said, right the ID; on two lines where they don't fit on one. */
static void put_footer(struct page *page, const char *text, const char *id)
{
    const char *left = plain(&page->words, text);
    int room = SHEET_COLUMNS - text_columns(left) - (int)strlen(id);
    buffer_char(page->out, '\n');
    if (room >= GAP) {
        buffer_print(page->out, "%s%*s%s\n", left, room, "", id);
        return;
    }
    put_text(page, "", 0, text);
    buffer_print(page->out, "%*s\n", SHEET_COLUMNS, id);
}

bool sheet_text(struct buffer *out, const struct sheet_flow *flow, const struct sheet_look *look, bool key,
                struct error *error)
{
    struct page page = { .out = out, .boxes = look->boxes, .indent = INDENT };
    int from = key ? flow->key : 0, to = key ? flow->count : flow->key;
    buffer_init(&page.words);
    buffer_init(&page.others);
    for (int i = from; i < to; i++) {
        if (stands_apart(&flow->blocks[i], i > from ? &flow->blocks[i - 1] : NULL))
            buffer_char(out, '\n');
        put_block(&page, &flow->blocks[i]);
        out->failed = out->failed || page.words.failed || page.others.failed;
    }
    if (to > from)
        put_footer(&page, key ? flow->key_footer : flow->footer, flow->id);
    out->failed = out->failed || page.words.failed;
    buffer_finish(&page.words);
    buffer_finish(&page.others);
    return !out->failed || error_memory(error);
}
