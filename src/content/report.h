/*
 * Reports: from a place in a source to a diagnostic in the caller's list, with the source line beside it. One
 * report stands for one file being read; it borrows the source and the list.
 */
#ifndef CONTENT_REPORT_H
#define CONTENT_REPORT_H

#include "source.h"

#include <quiztutor/diagnostic.h>

/* From 1; the end is one past the last code point, and the start where unknown. */
struct place {
    int line, column, end_line, end_column;
};

enum { REPORT_HINT = 400, REPORT_QUOTE = 80 };

struct report {
    struct source *source; /* NULL: no source lines */
    struct diagnostics *list;
    const char *file;
    int errors; /* of this file */
    int faults_told;
    struct place last;            /* of the last error */
    struct diagnostics_mark mark; /* what was told before the last node was handed out */
    int errors_at_mark;
    char hint[REPORT_HINT];
};

void report_init(struct report *report, struct source *source, struct diagnostics *list, const char *file);

/* Makes a hint in the report's own room: use it at once, in the report_error that follows. */
const char *report_hint(struct report *report, const char *format, ...)
    __attribute__((format(printf, 2, 3), cold));

void report_error(struct report *report, const struct place *place, const char *rule, const char *hint,
                  const char *format, ...) __attribute__((format(printf, 5, 6), cold));
void report_warning(struct report *report, const struct place *place, const char *rule, const char *hint,
                    const char *format, ...) __attribute__((format(printf, 5, 6), cold));

/* What is told from here on may follow from a slip in what comes next: report_withdraw takes it back. */
void report_mark(struct report *report);
void report_withdraw(struct report *report) __attribute__((cold));

/* Tells the character faults found in the source since the last time. */
void report_faults(struct report *report) __attribute__((cold));

/* A short form of a text from the file, in double quotes, cut to about 40 code points; for messages. */
const char *report_quote(char quote[static REPORT_QUOTE], const char *text, ptrdiff_t length)
    __attribute__((cold));

struct place place_at(int line, int column, int columns);

#endif
