#include "review_remark.h"

#include <quiztutor/text.h>

#include <string.h>

enum { REMARK_NAMES = 64 }; /* in one comment */

static const char check_word[] = "check:", allow_word[] = "allow";

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_break(char c)
{
    return c == '\n' || c == '\r';
}

/* Blanks, and commas too. */
static ptrdiff_t pass_blanks(const char *text, ptrdiff_t at, ptrdiff_t end, bool commas)
{
    while (at < end && (is_blank(text[at]) || (commas && text[at] == ',')))
        at++;
    return at;
}

static bool speaks_to_us(const struct source *source, ptrdiff_t sign)
{
    const char *text = source->data;
    ptrdiff_t length = sizeof check_word - 1;
    ptrdiff_t at = pass_blanks(text, sign + 1, source->checked, false);
    return source->checked - at >= length && memcmp(text + at, check_word, (size_t)length) == 0;
}

/* The next candidate from `from` on: a # with "check:" behind it, be it a comment or part of a text. */
static void remarks_seek(struct remarks *remarks, ptrdiff_t from)
{
    const struct source *source = remarks->source;
    const char *end = source->data + source->checked, *sign = source->data + from;
    remarks->found = false;
    while (sign < end && (sign = memchr(sign, '#', (size_t)(end - sign)))) {
        if (speaks_to_us(source, sign - source->data)) {
            const char *over = memchr(sign, '\n', (size_t)(end - sign));
            remarks->found = true;
            remarks->offset = sign - source->data;
            remarks->end = (over ? over : end) - source->data;
            source_place(remarks->source, remarks->offset, &remarks->place.line, &remarks->place.column);
            return;
        }
        sign++;
    }
}

void remarks_init(struct remarks *remarks, struct source *source, review_allow *allow, void *context)
{
    memset(remarks, 0, sizeof *remarks);
    remarks->source = source;
    remarks->allow = allow;
    remarks->context = context;
    remarks->last = place_at(1, 1, 0);
    remarks->gap = -1;
    if (source->data)
        remarks_seek(remarks, source->start);
}

static bool is_before(const struct place *one, int line, int column)
{
    return one->line < line || (one->line == line && one->column < column);
}

/* Bytes of a word of the comment. */
static ptrdiff_t word_bytes(const char *text, ptrdiff_t at, ptrdiff_t end)
{
    ptrdiff_t from = at;
    while (at < end && !is_blank(text[at]) && !is_break(text[at]) && text[at] != ',')
        at++;
    return at - from;
}

/* The rules that the comment at hand names. */
static uint32_t remarks_read(struct remarks *remarks)
{
    const char *text = remarks->source->data;
    ptrdiff_t end = remarks->end, at = pass_blanks(text, remarks->offset + 1, end, false);
    at = pass_blanks(text, at + (ptrdiff_t)sizeof check_word - 1, end, false);
    ptrdiff_t length = word_bytes(text, at, end);
    uint32_t mask = 0;
    struct place place = remarks->place;
    bool known = length == sizeof allow_word - 1 && memcmp(text + at, allow_word, (size_t)length) == 0;
    if (!known) { /* some other remark, unless it is nearly the word */
        char word[16] = "";
        if (length > 0 && length < (ptrdiff_t)sizeof word)
            memcpy(word, text + at, (size_t)length);
        if (text_distance(word, allow_word, 1) > 1)
            return 0;
    }
    bool any = false;
    for (int names = 0; known && names < REMARK_NAMES; names++) {
        at = pass_blanks(text, at + length, end, true);
        length = word_bytes(text, at, end);
        if (length == 0)
            break;
        any = true;
        source_place(remarks->source, at, &place.line, &place.column);
        place = place_at(place.line, place.column, (int)(length < 80 ? length : 80));
        uint32_t bit = remarks->allow(remarks->context, &place, text + at, length);
        mask |= bit;
        if (!bit) /* then the rest may be prose */
            break;
    }
    place = place_at(remarks->place.line, remarks->place.column, 1);
    if (!any)
        remarks->allow(remarks->context, &place, known ? "" : NULL, 0);
    return mask;
}

/* Walks from the last text up to the candidate; true when it begins a comment there. */
static bool remarks_walk(struct remarks *remarks)
{
    const char *text = remarks->source->data;
    ptrdiff_t at = remarks->gap, end = remarks->source->checked;
    if (at < 0)
        at = source_offset(remarks->source, remarks->last.end_line, remarks->last.end_column);
    bool comment = false;
    while (at >= 0 && at < remarks->offset) {
        bool begins = at == remarks->source->start || is_blank(text[at - 1]) || is_break(text[at - 1]);
        if (text[at] == '#' && begins) {
            const char *over = memchr(text + at, '\n', (size_t)(end - at));
            at = over ? over - text : end;
            continue;
        }
        remarks->dash = remarks->dash || text[at] == '-';
        at++;
    }
    if (at == remarks->offset)
        comment = at == remarks->source->start || is_blank(text[at - 1]) || is_break(text[at - 1]);
    remarks->gap = comment ? remarks->end : at;
    return comment;
}

/* A comment behind the | or > of a block. */
static bool is_in_header(const struct remarks *remarks, const struct node *node)
{
    bool block = node->kind == NODE_TEXT && (node->style == STYLE_LITERAL || node->style == STYLE_FOLDED);
    if (!block || remarks->place.line != node->place.line)
        return false;
    const char *text = remarks->source->data;
    ptrdiff_t at = remarks->offset;
    if (!is_blank(text[at - 1]))
        return false;
    while (at > 0 && is_blank(text[at - 1]))
        at--;
    return at > 0 && strchr("|>+-0123456789", text[at - 1]) != NULL;
}

void remarks_pass(struct remarks *remarks, const struct node *node, uint32_t *owner, uint32_t *item)
{
    while (remarks->found && is_before(&remarks->place, node->place.line, node->place.column)) {
        if (remarks_walk(remarks)) {
            uint32_t mask = remarks_read(remarks);
            if (remarks->dash)
                remarks->held |= mask;
            else
                *owner |= mask;
        }
        /* a comment goes on to the end of its line */
        remarks_seek(remarks, remarks->gap > remarks->offset ? remarks->end : remarks->offset + 1);
    }
    if (node->kind == NODE_END)
        return;
    *(item ? item : owner) |= remarks->held;
    remarks->held = 0;
    remarks->dash = false;
    if (node->kind != NODE_TEXT && node->kind != NODE_BAD)
        return;
    if (remarks->found && is_before(&remarks->place, node->place.end_line, node->place.end_column)) {
        if (is_in_header(remarks, node))
            *owner |= remarks_read(remarks);
        ptrdiff_t end = source_offset(remarks->source, node->place.end_line, node->place.end_column);
        remarks_seek(remarks, end > remarks->offset ? end : remarks->end);
    }
    remarks->last = node->place;
    remarks->gap = -1;
}
