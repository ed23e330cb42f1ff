/*
 * Reports made by hand, which use every kind of cell, chart and table there is, with learners whose names
 * mean harm to spreadsheets and browsers. A sample belongs to the caller, who ends it.
 */
#ifndef TESTS_REPORT_SAMPLES_H
#define TESTS_REPORT_SAMPLES_H

#include <quiztutor/report.h>

/* Nothing in it but a title. */
void sample_bare(struct report *report);

/* All there is. */
void sample_full(struct report *report);

/* Charts at their edges: below zero, none, one, many, nothing finite. */
void sample_charts(struct report *report);

/* A table that streams so many rows; `fails` at its end with an error where asked. */
struct sample_stream {
    struct report report;
    struct report_table table;
    int64_t rows, at;
    bool fails;
    char text[64];
    double trend[4];
};
void sample_streaming(struct sample_stream *stream, int64_t rows, bool fails);

#endif
