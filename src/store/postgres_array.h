/*
 * A list of values as one value of a statement, in PostgreSQL's binary form, for unnest: many rows in one
 * statement, also where row security rules COPY out. An array without memory says so when it is put.
 */
#ifndef QUIZTUTOR_STORE_POSTGRES_ARRAY_H
#define QUIZTUTOR_STORE_POSTGRES_ARRAY_H

#include "postgres_connection.h"

enum postgres_element {
    POSTGRES_INTEGER, /* bigint */
    POSTGRES_REAL,
    POSTGRES_TEXT,
    POSTGRES_ID,
    POSTGRES_BYTES,
    POSTGRES_ELEMENTS
};

struct postgres_array {
    enum postgres_element element;
    struct buffer bytes;
    int32_t count;
};
void postgres_array_init(struct postgres_array *array, enum postgres_element element);
void postgres_array_clear(struct postgres_array *array); /* keeps its room */
void postgres_array_finish(struct postgres_array *array);
/* One more, of the array's element. */
void postgres_array_integer(struct postgres_array *array, int64_t value);
void postgres_array_real(struct postgres_array *array, double value);
void postgres_array_text(struct postgres_array *array, const char *text); /* NULL: null */
void postgres_array_uuid(struct postgres_array *array, const struct uuid *uuid);
void postgres_array_hash(struct postgres_array *array, const struct hash *hash); /* zero: null */
void postgres_array_null(struct postgres_array *array);
/* The array's bytes are its own until the query was made. False without memory. */
bool postgres_put_array(struct postgres_values *values, struct postgres_array *array, struct error *error);
const char *postgres_array_type(enum postgres_element element); /* "bigint[]" */

#endif
