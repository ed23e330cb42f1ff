/*
 * GIFT, Moodle's text format, being read. A question is a block of lines up to a blank one; it is kept with
 * its escapes as single bytes that no text can hold, so that what is left of = ~ # { } : are marks.
 */
#ifndef EXCHANGE_GIFT_PRIVATE_H
#define EXCHANGE_GIFT_PRIVATE_H

#include <quiztutor/exchange.h>

enum gift_byte {
    GIFT_COLON = 1,
    GIFT_HASH,
    GIFT_EQUALS,
    GIFT_OPEN,
    GIFT_CLOSE,
    GIFT_TILDE,
    GIFT_NEWLINE,
    GIFT_BACKSLASH,
    GIFT_COMMENT = 0x0e /* in place of a comment's line, its end included */
};

enum gift_format { GIFT_MOODLE, GIFT_HTML, GIFT_PLAIN, GIFT_MARKDOWN };

struct gift_slice {
    const char *start;
    ptrdiff_t length;
};

struct gift {
    struct import *import;
    struct buffer block, scratch;
    int line;                  /* the block's first */
    enum gift_format format;   /* of the question's text, and of all in it that says no other */
    const char *id, *tags[64]; /* from comments */
    int tag_count;
    const char *figure; /* of the last GIFT_FIGURED; NULL: none */
    bool dropped;       /* control characters */
};

enum { GIFT_ANSWERS = 1100 }; /* of one question, at most */

struct gift_answer {
    char mark;                        /* '=' or '~'; 0: nothing stands before the first one */
    bool weighted;                    /* it has a weight */
    double share;                     /* per cent */
    struct gift_slice text, feedback; /* start NULL: no feedback */
};

/* Which texts are made of a slice. */
enum gift_text {
    GIFT_PROMPT, /* paragraphs */
    GIFT_CHOICE,
    GIFT_BARE,    /* never markup */
    GIFT_TYPED,   /* an answer: plain, what format it may say */
    GIFT_RIGHT,   /* of a pair: plain, whatever it begins with */
    GIFT_FIGURED, /* paragraphs, and in HTML a <pre> at the end, which becomes gift->figure */
};

bool gift_space(char c);
struct gift_slice gift_trim(struct gift_slice slice);
ptrdiff_t gift_find(struct gift_slice slice, const char *what); /* -1: not there */

/* The slice as a text, its escapes resolved, by its own format or the question's; NULL where empty. */
const char *gift_text(struct gift *gift, struct gift_slice slice, enum gift_text kind);

/* Where a byte of the block stands in the file. */
void gift_place(const struct gift *gift, const char *at, int *line, int *column);

/* Leaves the question out because of what stands at `at`, whose line is told. */
void gift_refuse(struct gift *gift, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Makes the key of what stands between the braces, and takes the question or leaves it out. */
void gift_answer(struct gift *gift, struct question *question, struct gift_slice answers);

#endif
