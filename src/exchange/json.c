/* The pack's own keys as JSON, indented. JSON is YAML: the loader takes it, too. */
#include "shape.h"

#include <quiztutor/json.h>

static void put_break(struct shape *shape, int depth)
{
    static const char blanks[] = "                                                                ";
    buffer_char(shape->out, '\n');
    buffer_add(shape->out, blanks, 2 * depth);
}

/* Goes to where the next key, or item of a list, stands. */
static void next(struct shape *shape)
{
    struct shape_level *here = &shape->levels[shape->depth];
    if (here->begun)
        buffer_text(shape->out, here->flow ? ", " : ",");
    if (!here->flow && shape->depth)
        put_break(shape, shape->depth);
    here->begun = true;
}

static void begin(struct shape *shape)
{
    if (!shape->after_key)
        next(shape);
    shape->after_key = false;
}

static void put_text(struct shape *shape, const char *text)
{
    struct json json;
    json_init(&json, shape->out);
    json_text(&json, text);
}

static void json_shape_open(struct shape *shape, bool list, bool flow)
{
    begin(shape);
    shape->depth++;
    shape->levels[shape->depth] = (struct shape_level){ .list = list, .flow = flow };
    buffer_char(shape->out, list ? '[' : '{');
}

static void json_shape_close(struct shape *shape)
{
    struct shape_level was = shape->levels[shape->depth--];
    if (was.begun && !was.flow)
        put_break(shape, shape->depth);
    buffer_char(shape->out, was.list ? ']' : '}');
}

static void json_shape_key(struct shape *shape, const char *key)
{
    next(shape);
    put_text(shape, key);
    buffer_text(shape->out, ": ");
    shape->after_key = true;
}

static void json_shape_text(struct shape *shape, const char *text, bool figure)
{
    (void)figure;
    begin(shape);
    put_text(shape, text);
}

static void json_shape_word(struct shape *shape, const char *word)
{
    begin(shape);
    buffer_text(shape->out, word);
}

const struct shape_rows shape_json = { json_shape_open, json_shape_close, json_shape_key, json_shape_text,
                                       json_shape_word };

bool json_write(struct export *export, struct error *error)
{
    struct shape shape = { .rows = &shape_json, .out = &export->out };
    shape_pack(&shape, export->pack);
    buffer_char(&export->out, '\n');
    return !export->out.failed || error_memory(error);
}
