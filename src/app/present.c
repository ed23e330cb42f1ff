/* Texts of packs as models hold them. */
#include "presenter_private.h"

#include <quiztutor/markup.h>

#include <string.h>

struct present present_in(const struct presenter *presenter, struct arena *arena)
{
    return (struct present){ .arena = arena, .styled = presenter->styled, .bare = presenter->bare };
}

bool present_text(struct arena *arena, const struct buffer *text, const char **copy)
{
    *copy = NULL;
    if (text->failed)
        return false;
    if (text->length)
        *copy = arena_text(arena, buffer_get(text), text->length);
    return !text->length || *copy;
}

const char *present_rendered(struct present *present, bool markup, const char *text)
{
    struct buffer rendered;
    if (!markup || !text)
        return text;
    buffer_init(&rendered);
    markup_render(&rendered, text, present->styled);
    const char *copy =
        rendered.failed ? NULL : arena_text(present->arena, buffer_get(&rendered), rendered.length);
    buffer_finish(&rendered);
    present->failed |= !copy;
    return copy;
}

const char *present_copied(struct present *present, const struct question *question, const char *text)
{
    if (!text || !question->origin)
        return text;
    const char *copy = arena_text(present->arena, text, (ptrdiff_t)strlen(text));
    present->failed |= !copy;
    return copy;
}

const char *present_words(struct present *present, const struct question *question, const char *text)
{
    return question->markup ? present_rendered(present, true, text) : present_copied(present, question, text);
}
