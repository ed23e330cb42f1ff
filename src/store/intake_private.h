/* What implementations of intake.h share. */
#ifndef QUIZTUTOR_STORE_INTAKE_PRIVATE_H
#define QUIZTUTOR_STORE_INTAKE_PRIVATE_H

#include "store_private.h"

#include <quiztutor/intake.h>

/* Refuses, with a translated sentence. Always true. */
bool intake_refuse(struct intake_result *result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Whether the row says what a store can hold; if not, it is refused. */
bool intake_row_fits(const struct intake_row *row, struct intake_result *result);

#endif
