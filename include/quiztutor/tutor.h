/*
 * A tutor walks through reports: from the class to a learner, to a question, to its choices, and back; on
 * ncurses screens, or line by line. Each step makes its report anew, and holds no more of it than one table.
 */
#ifndef QUIZTUTOR_TUTOR_H
#define QUIZTUTOR_TUTOR_H

#include <quiztutor/report.h>

struct tutor {
    struct store *const *stores; /* as report_make's */
    int store_count;
    struct library *library;
    struct clock clock;
    enum report_kind kind; /* the report to begin with; by default REPORT_CLASS */
    struct report_filter filter;
    int theme, signs; /* enum terminal_theme; enum sign_set, −1: as the terminal shows them */
    bool lines;       /* line by line, on standard input and output */
    bool ascii;       /* lines: nothing but ASCII can be shown */
    /* writes what is exported to a file, never over one that is there */
    bool (*write)(const char *path, const struct buffer *bytes, struct error *error);
};

/* Whether a report can be walked through: all but those that are written row by row. */
bool tutor_shows(enum report_kind kind);

/*
 * Runs until the tutor leaves. *signal gets the signal that ended the run, for the caller to raise again
 * after its clean-up (0: none). False: *error says why; also where the first report can't be made.
 */
bool tutor_run(const struct tutor *tutor, int *signal, struct error *error);

#endif
