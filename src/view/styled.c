#include "styled.h"

#include <quiztutor/markup.h>

#include <string.h>

static const char style_bytes[] = { MARKUP_EMPHASIS, MARKUP_CODE, MARKUP_END, MARKUP_BLOCK, '\0' };

/* What a byte of markup.h makes of what follows; a block begins a line, and ends with it. */
static enum styled_kind kind_of(char byte)
{
    switch (byte) {
    case MARKUP_EMPHASIS:
        return STYLED_EMPHASIS;
    case MARKUP_CODE:
        return STYLED_CODE;
    case MARKUP_BLOCK:
        return STYLED_BLOCK;
    default:
        return STYLED_PLAIN;
    }
}

struct styled styled_take(struct arena *arena, const char *text)
{
    ptrdiff_t length = (ptrdiff_t)strlen(text), used = 0;
    bool styles = strpbrk(text, style_bytes) != NULL;
    if (!styles && !memchr(text, '\t', (size_t)length))
        return (struct styled){ text, length, NULL };
    char *letters = arena_text(arena, text, length);
    unsigned char *kinds = styles ? arena_alloc(arena, length + 1) : NULL;
    if (!letters || (styles && !kinds))
        return (struct styled){ "", 0, NULL };
    enum styled_kind kind = STYLED_PLAIN;
    for (ptrdiff_t at = 0; at < length; at++) {
        if (text[at] >= MARKUP_EMPHASIS && text[at] <= MARKUP_BLOCK) {
            kind = kind == STYLED_BLOCK ? kind : kind_of(text[at]);
            continue;
        }
        letters[used] = text[at] == '\t' && kind != STYLED_BLOCK ? ' ' : text[at];
        if (kinds)
            kinds[used] = (unsigned char)kind;
        if (text[at] == '\n' && kind == STYLED_BLOCK)
            kind = STYLED_PLAIN;
        used++;
    }
    letters[used] = '\0';
    return (struct styled){ letters, used, kinds };
}

enum styled_kind styled_at(const struct styled *styled, ptrdiff_t at)
{
    return styled->kinds && at < styled->length ? (enum styled_kind)styled->kinds[at] : STYLED_PLAIN;
}

enum grid_role styled_role(enum grid_role role, enum styled_kind kind)
{
    switch (kind) {
    case STYLED_EMPHASIS:
        return role == ROLE_STRONG ? ROLE_STRONG_EMPHASIS : ROLE_EMPHASIS;
    case STYLED_CODE:
    case STYLED_BLOCK:
        return ROLE_CODE;
    default:
        return role;
    }
}

ptrdiff_t styled_run(const struct styled *styled, ptrdiff_t at, ptrdiff_t length)
{
    if (!styled->kinds)
        return length;
    struct grid_cell cell;
    ptrdiff_t run = 0;
    for (ptrdiff_t bytes; run < length && styled_at(styled, at + run) == styled_at(styled, at); run += bytes)
        if ((bytes = grid_cell_next(&cell, styled->text + at + run, length - run)) <= 0)
            break;
    return run > 0 ? run : length;
}
