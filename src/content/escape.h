/*
 * YAML's escapes in double quotes can make any character, so the raw bytes don't tell all: the text is
 * checked again once they are resolved, and a forbidden one is reported at the escape that makes it.
 */
#ifndef CONTENT_ESCAPE_H
#define CONTENT_ESCAPE_H

#include "reader.h"

/* False after a report. */
bool escape_check(struct report *report, const struct node *node);

#endif
