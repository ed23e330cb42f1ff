/*
 * What the writers of reports share: the pieces on their way to the sink. A writer fills `out` and calls
 * writer_pass now and then; it holds a few rows at most, whatever the length of a table.
 */
#ifndef REPORT_WRITER_H
#define REPORT_WRITER_H

#include <quiztutor/buffer.h>
#include <quiztutor/report.h>

struct writer {
    const struct report *report;
    struct report_look look;
    const struct report_sink *sink;
    struct error *error;
    struct buffer out;
};

/* Hands over what is there once it is worth it. False: the sink refused or memory ran out; the error is set.
 */
bool writer_pass(struct writer *writer);

/* Appends text as UTF-8 in any case: bad bytes become U+FFFD. */
void writer_text(struct buffer *out, const char *text);

/* One file each; what they wrote last is passed on by report_write. */
bool write_text(struct writer *writer);
bool write_csv(struct writer *writer);
bool write_json(struct writer *writer);
bool write_html(struct writer *writer);

/* The one that takes libraries, once it is there. */
void writer_add_pdf(bool (*write)(struct writer *writer));

#endif
