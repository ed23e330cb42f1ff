/* YAML as people write it: block style, quotes only where they are needed, figures and whatever has several
 * lines in literal style. Every text comes back exactly as it was. */
#include "shape.h"

#include <string.h>

enum { STEP = 2, KEY_LONGEST = 500 }; /* columns a level; bytes of a key that may stand before its colon */

static void put_indent(struct shape *shape, int depth)
{
    static const char blanks[] = "                                                                ";
    buffer_add(shape->out, blanks, STEP * depth);
}

static struct shape_level *level(struct shape *shape)
{
    return &shape->levels[shape->depth];
}

/* A text that YAML could take for something else: a key, a comment, the start of a list. */
static bool needs_quotes(const char *text, ptrdiff_t length, bool flow)
{
    static const char *const glued[] = { "correct:", "wrong:", "feedback:", "misconception:", "id:", "pin:" };
    unsigned char first = (unsigned char)*text;
    if (!first || strchr("-?:,[]{}#&*!|>'\"%@`", first) || strcmp(text, "<<") == 0)
        return true;
    if (flow && strpbrk(text, ",?[]{}:"))
        return true;
    if (memchr(text, '\t', (size_t)length))
        return true;
    for (const char *at = text; (at = memchr(at, '#', (size_t)(text + length - at))) != NULL; at++)
        if (at[-1] == ' ')
            return true;
    const char *colon = memchr(text, ':', (size_t)length);
    if (!colon)
        return false;
    for (size_t i = 0; i < sizeof glued / sizeof *glued; i++)
        if (strncmp(text, glued[i], strlen(glued[i])) == 0)
            return true;
    for (; colon; colon = strchr(colon + 1, ':'))
        if (colon[1] == ' ' || !colon[1])
            return true;
    return false;
}

/* One line, plain or in single quotes. */
static void put_line(struct shape *shape, const char *text, bool flow)
{
    ptrdiff_t length = (ptrdiff_t)strlen(text);
    if (!needs_quotes(text, length, flow)) {
        buffer_add(shape->out, text, length);
        return;
    }
    buffer_char(shape->out, '\'');
    for (const char *quote; (quote = memchr(text, '\'', (size_t)length)) != NULL;) {
        buffer_add(shape->out, text, quote - text + 1);
        buffer_char(shape->out, '\'');
        length -= quote - text + 1;
        text = quote + 1;
    }
    buffer_add(shape->out, text, length);
    buffer_char(shape->out, '\'');
}

/* Line by line, below what it belongs to, which stands at shape->depth. */
static void put_literal(struct shape *shape, const char *text)
{
    buffer_text(shape->out, *text == ' ' || *text == '\t' ? "|2\n" : "|\n");
    while (*text) {
        const char *end = strchr(text, '\n');
        ptrdiff_t length = end ? end - text : (ptrdiff_t)strlen(text);
        if (length) {
            put_indent(shape, shape->depth);
            buffer_add(shape->out, text, length);
        }
        buffer_char(shape->out, '\n');
        text += length + (end != NULL);
    }
}

/* Goes to where the next value stands: behind its key, or behind a dash of its own. */
static void begin(struct shape *shape)
{
    struct shape_level *here = level(shape);
    if (shape->after_key)
        buffer_char(shape->out, ' ');
    if (here->flow && here->list) {
        buffer_text(shape->out, here->begun ? ", " : "");
    } else if (here->list) {
        put_indent(shape, shape->depth - 1);
        buffer_text(shape->out, "- ");
    }
    here->begun = true;
    shape->after_key = false;
}

static void end(struct shape *shape)
{
    if (!level(shape)->flow)
        buffer_char(shape->out, '\n');
}

static void yaml_open(struct shape *shape, bool list, bool flow)
{
    bool first = shape->depth == 0, item = level(shape)->list;
    if (flow || item) {
        begin(shape);
    } else if (shape->after_key) {
        buffer_char(shape->out, '\n');
        shape->after_key = false;
    }
    shape->after_dash = item && !flow && !first;
    shape->depth++;
    *level(shape) = (struct shape_level){ .list = list, .flow = flow };
    if (flow)
        buffer_char(shape->out, list ? '[' : '{');
}

static void yaml_close(struct shape *shape)
{
    struct shape_level was = *level(shape);
    shape->depth--;
    if (!was.flow)
        return;
    buffer_char(shape->out, was.list ? ']' : '}');
    end(shape);
}

static void yaml_key(struct shape *shape, const char *key)
{
    struct shape_level *here = level(shape);
    bool dash = shape->after_dash;
    shape->after_dash = false;
    if (here->flow)
        buffer_text(shape->out, here->begun ? ", " : "");
    else if (!dash)
        put_indent(shape, shape->depth - 1);
    here->begun = true;
    shape->after_key = true;
    if (strchr(key, '\n')) {
        buffer_text(shape->out, "? ");
        put_literal(shape, key);
        put_indent(shape, shape->depth - 1);
    } else if (strlen(key) > KEY_LONGEST) {
        buffer_text(shape->out, "? ");
        put_line(shape, key, false);
        buffer_char(shape->out, '\n');
        put_indent(shape, shape->depth - 1);
    } else {
        put_line(shape, key, false);
    }
    buffer_char(shape->out, ':');
}

static void yaml_text(struct shape *shape, const char *text, bool figure)
{
    begin(shape);
    if (strchr(text, '\n') || figure) {
        put_literal(shape, text);
        return;
    }
    put_line(shape, text, level(shape)->flow);
    end(shape);
}

static void yaml_word(struct shape *shape, const char *word)
{
    begin(shape);
    buffer_text(shape->out, word);
    end(shape);
}

const struct shape_rows shape_yaml = { yaml_open, yaml_close, yaml_key, yaml_text, yaml_word };

bool exchange_write_pack(struct buffer *out, const struct pack *pack)
{
    struct shape shape = { .rows = &shape_yaml, .out = out };
    shape_pack(&shape, pack);
    return !out->failed;
}
