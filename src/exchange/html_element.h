/* What becomes of each HTML element: one table, sorted by name. */
#ifndef QUIZTUTOR_EXCHANGE_HTML_ELEMENT_H
#define QUIZTUTOR_EXCHANGE_HTML_ELEMENT_H

#include <stdbool.h>

enum html_role {
    ROLE_INLINE,    /* its words only */
    ROLE_PARAGRAPH, /* parted from what is around it by a blank line */
    ROLE_LINE,      /* on lines of its own */
    ROLE_BREAK,     /* <br> */
    ROLE_LIST,
    ROLE_NUMBERED,
    ROLE_ITEM,
    ROLE_TABLE,
    ROLE_ROW,
    ROLE_CELL,
    ROLE_EMPHASIS,
    ROLE_CODE,
    ROLE_PRE,
    ROLE_SUPER,
    ROLE_SUB,
    ROLE_QUOTE,
    ROLE_READING, /* of ruby: in brackets */
    ROLE_STRUCK,  /* kept, noted */
    ROLE_PICTURE,
    ROLE_SOUND,
    ROLE_FILM,
    ROLE_FRAME,
    ROLE_FIELD,
    ROLE_DROP, /* with what it holds */
    ROLE_MATH,
    ROLE_FRACTION,
    ROLE_ROOT,
    ROLE_RADICAL, /* mroot: what, which */
    ROLE_MATH_SUPER,
    ROLE_MATH_SUB,
    ROLE_MATH_BOTH, /* msubsup */
    ROLE_FENCED,
    ROLE_MATH_ROW,
    ROLE_MATH_CELL,
    ROLE_MATH_TEXT,
    ROLE_ANNOTATION,
};

struct html_element {
    const char *name;
    enum html_role role;
    bool empty; /* has no end tag */
};

/* NULL: an element that HTML does not know. */
const struct html_element *html_element(const char *name);

#endif
