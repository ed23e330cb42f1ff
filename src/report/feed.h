/*
 * Feeds a writer the rows of a table, held or streaming, one at a time. The first rows of a streaming table
 * can be looked at beforehand: they are copied, and come again as its first.
 */
#ifndef REPORT_FEED_H
#define REPORT_FEED_H

#include <quiztutor/report.h>

enum { FEED_SAMPLE = 256 }; /* rows that tell how wide a streaming table is */

struct feed {
    const struct report_table *table;
    struct report_cell *cells; /* of a streaming table: room for a row, behind the sample's */
    int at;                    /* rows handed out of those held, or of the sample */
    int sampled;
    bool ended;
    struct arena arena;
};

bool feed_open(struct feed *feed, const struct report_table *table, struct error *error);
void feed_close(struct feed *feed);

/* How many rows can be looked at with feed_row before any was taken; −1 with an error. All of a table that is
 * held. */
int feed_sample(struct feed *feed, struct error *error);
const struct report_cell *feed_row(const struct feed *feed, int row);

/* 1: *row is the next row, valid until the next call; 0: there is none; −1: an error. */
int feed_next(struct feed *feed, const struct report_cell **row, struct error *error);

#endif
