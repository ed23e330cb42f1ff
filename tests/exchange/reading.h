/* A file read by a format's reader, written as a pack and loaded again: what a tutor has after an import. */
#ifndef TESTS_EXCHANGE_READING_H
#define TESTS_EXCHANGE_READING_H

#include <quiztutor/exchange.h>

struct reading {
    struct import import;
    struct pack *pack; /* NULL: no question was taken, or the file was refused */
    struct error error;
};

/* False: the file as a whole was refused (reading->error). Fails the test where what was read does not load.
 */
bool reading_begin(struct reading *reading, exchange_read *reader, const char *bytes, ptrdiff_t length);
bool reading_text(struct reading *reading, exchange_read *reader, const char *text);
void reading_finish(struct reading *reading);

/* The question of this id; fails the test where there is none. */
const struct question *reading_question(const struct reading *reading, const char *id);

/* What the report says of the n-th thing in the file, from 0 ("" for nothing); fails where there is none. */
const char *reading_said(const struct reading *reading, int line);

/* The reader over two megabytes of `unit`, %d in it being a number, between head and tail: fails where that
 * takes time beyond measure. */
void reading_linear(exchange_read *reader, const char *head, const char *unit, const char *tail);

#define assert_says(reading, line, words)                                                                    \
    do {                                                                                                     \
        const char *said = reading_said(reading, line);                                                      \
        if (!strstr(said, words))                                                                            \
            fail_msg("line %d of the report says \"%s\", not \"%s\"", line, said, words);                    \
    } while (0)

#endif
