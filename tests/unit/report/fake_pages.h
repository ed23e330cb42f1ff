/*
 * Pages without pango and cairo, for tests of what is put on them: every character is as wide as any other,
 * lines are broken between words. Each text and line that is put is looked at: it must lie between the
 * margins and on no other text, structure must nest. What was put can be read page by page.
 */
#ifndef TESTS_FAKE_PAGES_H
#define TESTS_FAKE_PAGES_H

#include <quiztutor/buffer.h>
#include <quiztutor/page.h>

enum { FAKE_PAGES = 400, FAKE_TEXTS = 4000 };

struct fake_text {
    char text[64]; /* its beginning */
    double x, y, width, height;
};

extern struct fake {
    bool right_to_left; /* of the next document */
    int pages;          /* begun */
    bool ended;
    struct buffer text;                 /* all that was put, a line each; a form feed before each page */
    struct fake_text texts[FAKE_TEXTS]; /* of the page that is open */
    int text_count;
    int tags, bars, paths;
} fake;

void fake_reset(void);

#endif
