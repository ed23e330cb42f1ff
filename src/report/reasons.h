/*
 * Why figures are not available: each reason once, numbered in the order they come up, for footnotes.
 */
#ifndef REPORT_REASONS_H
#define REPORT_REASONS_H

#include <quiztutor/memory.h>

enum { REASONS_MOST = 99 };

struct reasons {
    struct arena arena;
    const char *texts[REASONS_MOST];
    int count;
    bool more; /* there were others, which have no number */
};

void reasons_init(struct reasons *reasons);
void reasons_finish(struct reasons *reasons);

/* Its number, from 1; 0 where there is no room for it; −1 without memory. */
int reasons_number(struct reasons *reasons, const char *why);

#endif
