/*
 * A text in light markup taken apart: its letters, and what each of them is. Layout measures the letters
 * alone. A text without styles is the caller's own, with no copy made.
 */
#ifndef VIEW_STYLED_H
#define VIEW_STYLED_H

#include <quiztutor/grid.h>
#include <quiztutor/memory.h>

enum styled_kind {
    STYLED_PLAIN,
    STYLED_EMPHASIS,
    STYLED_CODE,
    STYLED_BLOCK, /* of a code block, its newline too */
};

struct styled {
    const char *text;
    ptrdiff_t length;
    const unsigned char *kinds; /* enum styled_kind of each byte; NULL: all plain */
};

/* Takes the bytes of markup.h out of `text`. Tabs become spaces, but in code blocks. Without memory the text
 * is empty. */
struct styled styled_take(struct arena *arena, const char *text);

enum styled_kind styled_at(const struct styled *styled, ptrdiff_t at);

/* How a kind looks in what is otherwise of this role. */
enum grid_role styled_role(enum grid_role role, enum styled_kind kind);

/* Bytes from `at` on, at most `length`, that are of one kind: whole cells. */
ptrdiff_t styled_run(const struct styled *styled, ptrdiff_t at, ptrdiff_t length);

#endif
