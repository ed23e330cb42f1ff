/* Lines of Markdown cut into the parts of a question. */
#include "markdown.h"

#include <string.h>

struct cutting {
    struct markdown_parts *parts;
    const struct text_line *lines;
    ptrdiff_t count;
    bool blank; /* a blank line stands before the one at hand */
    bool failed;
};

static struct markdown_part *add(struct cutting *cutting, enum markdown_part_kind kind, ptrdiff_t from,
                                 ptrdiff_t to)
{
    struct markdown_parts *parts = cutting->parts;
    if (!memory_grow(&parts->items, &parts->capacity, parts->count + 1, sizeof *parts->items)) {
        cutting->failed = true;
        return NULL;
    }
    struct markdown_part *part = &parts->items[parts->count++];
    *part = (struct markdown_part){ .kind = kind, .close = !cutting->blank, .from = from, .to = to };
    return part;
}

static bool is_row(const struct cutting *cutting, ptrdiff_t at)
{
    const struct text_line *line = &cutting->lines[at];
    return line->length && memchr(line->text, '|', (size_t)line->length) != NULL;
}

static bool is_table(const struct cutting *cutting, ptrdiff_t at)
{
    return at + 1 < cutting->count && is_row(cutting, at) && markdown_delimiter(&cutting->lines[at + 1]);
}

/* Whether the line begins something of its own, so that it can't go on with a paragraph. */
static bool begins(const struct cutting *cutting, ptrdiff_t at)
{
    struct text_line text = cutting->lines[at];
    return markdown_label(&text) || markdown_heading(&cutting->lines[at], &text) ||
           markdown_fence(&cutting->lines[at], &text) || markdown_bullet(&cutting->lines[at], &text) ||
           markdown_number(&cutting->lines[at], &text) || markdown_quote(&cutting->lines[at], &text) ||
           markdown_rule(&cutting->lines[at]) || is_table(cutting, at);
}

/* Behind the item that begins at `at`: what is indented below it belongs to it, and a line that goes on with
 * its paragraph. */
static ptrdiff_t item_end(const struct cutting *cutting, ptrdiff_t at, int base)
{
    struct text_line info;
    ptrdiff_t end = at + 1, kept = end;
    bool blank = false;
    while (end < cutting->count) {
        const struct text_line *line = &cutting->lines[end];
        if (markdown_blank(line)) {
            blank = true;
            end++;
            continue;
        }
        bool inside = markdown_indent(line) >= base + 2;
        if (!inside && (blank || begins(cutting, end)))
            break;
        end = inside && markdown_fence(line, &info) ? markdown_skip_fence(cutting->lines, end, cutting->count)
                                                    : end + 1;
        kept = end;
        blank = false;
    }
    return kept;
}

/* A whole numbered list; blank lines between its items are fine. */
static ptrdiff_t list_end(const struct cutting *cutting, ptrdiff_t at, int base)
{
    struct text_line text;
    ptrdiff_t end = item_end(cutting, at, base);
    for (;;) {
        ptrdiff_t next = end;
        while (next < cutting->count && markdown_blank(&cutting->lines[next]))
            next++;
        if (next == cutting->count || markdown_indent(&cutting->lines[next]) > base + 1 ||
            !markdown_number(&cutting->lines[next], &text))
            return end;
        end = item_end(cutting, next, base);
    }
}

static ptrdiff_t rows_end(const struct cutting *cutting, ptrdiff_t at)
{
    while (at < cutting->count && is_row(cutting, at))
        at++;
    return at;
}

static ptrdiff_t quote_end(const struct cutting *cutting, ptrdiff_t at)
{
    struct text_line text;
    while (at < cutting->count && markdown_quote(&cutting->lines[at], &text))
        at++;
    return at;
}

/* Labels whose text may be of several paragraphs. */
static bool is_text_label(enum markdown_label label)
{
    return label == LABEL_FRONT || label == LABEL_BACK || label == LABEL_WHY || label == LABEL_HINT ||
           label == LABEL_FEEDBACK || label == LABEL_SOURCE;
}

/* A label goes on until another one, a choice or a quotation; one that holds a single value until a blank
 * line, too. */
static ptrdiff_t label_end(const struct cutting *cutting, ptrdiff_t at, enum markdown_label label)
{
    struct text_line text;
    ptrdiff_t end = at + 1;
    while (end < cutting->count) {
        struct text_line line = cutting->lines[end];
        if (!is_text_label(label) && (markdown_blank(&line) || begins(cutting, end)))
            break;
        if (markdown_fence(&line, &text)) {
            end = markdown_skip_fence(cutting->lines, end, cutting->count);
            continue;
        }
        bool choice = markdown_bullet(&line, &text) && markdown_box(&text);
        if (choice || markdown_quote(&line, &text) || markdown_label(&line))
            break;
        end++;
    }
    while (end > at + 1 && markdown_blank(&cutting->lines[end - 1]))
        end--;
    return end;
}

/* The part that begins at `at`; returns the line behind it. */
static ptrdiff_t cut_one(struct cutting *cutting, ptrdiff_t at)
{
    const struct text_line *line = &cutting->lines[at];
    struct text_line text = *line;
    struct markdown_part *part;
    int columns, base = markdown_indent(line);
    ptrdiff_t end = at + 1;
    enum markdown_label label = markdown_label(&text);
    if (label != LABEL_NONE) {
        end = label_end(cutting, at, label);
        part = add(cutting, PART_LABEL, at, end);
        if (part)
            part->label = label;
    } else if ((columns = markdown_bullet(line, &text)) > 0) {
        end = item_end(cutting, at, base);
        char box = markdown_box(&text);
        part = add(cutting, box ? PART_CHOICE : PART_BULLET, at, end);
        if (part) {
            part->right = box == 'x';
            part->outdent = columns;
        }
    } else if (markdown_number(line, &text)) {
        end = list_end(cutting, at, base);
        add(cutting, PART_NUMBERED, at, end);
    } else if (is_table(cutting, at)) {
        end = rows_end(cutting, at);
        add(cutting, PART_TABLE, at, end);
    } else if (markdown_quote(line, &text)) {
        end = quote_end(cutting, at);
        add(cutting, PART_QUOTE, at, end);
    } else {
        if (markdown_fence(line, &text))
            end = markdown_skip_fence(cutting->lines, at, cutting->count);
        while (end < cutting->count && !markdown_blank(&cutting->lines[end]) && !begins(cutting, end))
            end++;
        part = cutting->parts->count ? &cutting->parts->items[cutting->parts->count - 1] : NULL;
        if (part && part->kind == PART_TEXT)
            part->to = end; /* blank lines between are paragraphs' ends */
        else
            add(cutting, PART_TEXT, at, end);
    }
    return end;
}

/* In a list that holds a box, bullets without one are choices, too. */
static void settle_bullets(struct markdown_parts *parts)
{
    for (ptrdiff_t from = 0, to; from < parts->count; from = to + 1) {
        bool boxes = false;
        for (to = from; to < parts->count; to++) {
            enum markdown_part_kind kind = parts->items[to].kind;
            if (kind != PART_CHOICE && kind != PART_BULLET)
                break;
            boxes = boxes || kind == PART_CHOICE;
        }
        for (ptrdiff_t i = from; boxes && i < to; i++) {
            parts->items[i].boxless = parts->items[i].kind == PART_BULLET;
            parts->items[i].kind = PART_CHOICE;
        }
    }
}

bool markdown_cut(struct markdown_parts *parts, const struct text_line *lines, ptrdiff_t count)
{
    struct cutting cutting = { .parts = parts, .lines = lines, .count = count, .blank = true };
    for (ptrdiff_t at = 0; at < count && !cutting.failed;) {
        if (markdown_blank(&lines[at])) {
            cutting.blank = true;
            at++;
            continue;
        }
        at = cut_one(&cutting, at);
        cutting.blank = at > 0 && at < count && markdown_blank(&lines[at]);
    }
    settle_bullets(parts);
    return !cutting.failed;
}

bool markdown_has_key(const struct text_line *lines, ptrdiff_t count)
{
    struct markdown_parts parts = { NULL, 0, 0 };
    bool found = false;
    if (markdown_cut(&parts, lines, count))
        for (ptrdiff_t i = 0; i < parts.count; i++)
            found = found || parts.items[i].kind == PART_CHOICE || parts.items[i].label == LABEL_ANSWER ||
                    parts.items[i].label == LABEL_BACK;
    memory_free(parts.items);
    return found;
}
