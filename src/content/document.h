/*
 * What stands before and behind the one document of a file, looked at by its raw bytes: libyaml needs a time
 * that grows with the square of the number of directives, and would go on with a second document.
 */
#ifndef CONTENT_DOCUMENT_H
#define CONTENT_DOCUMENT_H

#include "report.h"

enum { DOCUMENT_READ_AHEAD = 128 * 1024 }; /* more than libyaml takes in before it hands out what it has */

/* Directives other than one %YAML 1.1 or 1.2; false after a report. */
bool document_check_start(struct report *report);

/* Anything but comments from the offset on, where the document ended; false after a report. */
bool document_check_rest(struct report *report, ptrdiff_t begin);

/* More than 1 MiB without a new key, item or text, behind what was read last. */
void document_report_silence(struct report *report, const struct place *last);

#endif
