/*
 * What a cell says: to people, rounded and in their units, and to programs, in full. A number that is none
 * (not finite) counts as absent, so that no writer can show it.
 */
#ifndef REPORT_CELL_H
#define REPORT_CELL_H

#include <quiztutor/buffer.h>
#include <quiztutor/report.h>

enum { CELL_BAR = 10, CELL_STAMP = 40 };

bool cell_is_absent(const struct report_cell *cell);
const char *cell_why(const struct report_cell *cell); /* translated, never NULL */

/* Columns of this kind are aligned to the right. */
bool cell_is_number(enum cell_kind kind);

/* "min", "%": translated, to stand in a heading; NULL: none. */
const char *cell_unit(enum cell_kind kind, const char *unit);

/*
 * To people, without the unit: "83", "0.97", "6 min 40 s", "2026-11-30 10:55". Nothing for what is absent,
 * has nothing to say or is a text. `unit` is the untranslated one of its column.
 */
void cell_say(struct buffer *out, const struct report_cell *cell, const char *unit, int decimals);

/* "52–95", or nothing. */
void cell_say_interval(struct buffer *out, const struct report_cell *cell, int decimals, bool ascii);
bool cell_has_interval(const struct report_cell *cell);

/* "83%", "4 min": where no heading tells the unit. */
void cell_say_unit(struct buffer *out, const struct report_cell *cell, const char *unit, int decimals);

/* A number with its decimals, never "-0". */
void cell_say_number(struct buffer *out, double value, int decimals);

/* From 0 to 1, of a share or a per cent; NAN for none. */
double cell_share(const struct report_cell *cell);

/* ISO 8601: 2026-11-30T10:55:00.000+01:00, and 2026-11-30. */
void cell_moment(char stamp[static CELL_STAMP], const struct report_cell *cell);
void cell_day(char stamp[static CELL_STAMP], int64_t day);

#endif
