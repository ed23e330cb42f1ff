/*
 * What the files of the table screen share: its cells, how its columns are laid out, and its keys.
 */
#ifndef VIEW_TABLE_H
#define VIEW_TABLE_H

#include "layout.h"
#include "signs.h"
#include <quiztutor/view.h>

enum { TABLE_GAP = 2, TABLE_BAR = 8, TABLE_COLUMNS = 64, TABLE_HEADING = 2 /* lines */ };

const struct table_cell *table_cell_at(const struct table_model *model, int row, int column);

/* Where the columns stand in a window; those that have no room are hidden. A cell is its value, what stands
 * beside it, a line of small bars or a bar, and the sign of what stands out, as far as there is room. */
struct table_layout {
    int count; /* columns, TABLE_COLUMNS at most */
    struct table_slot {
        bool hidden;
        int left, width;
    } slots[TABLE_COLUMNS];
    bool beside, bars;   /* there is room for them */
    int hidden, heading; /* how many columns; lines of the headings */
};

/* Of columns that don't all fit those of the highest rank go first, never the first column, the one under the
 * cursor, nor, while others do, the one that is sorted by. */
void table_lay_out(struct table_layout *layout, const struct table_model *model,
                   const struct table_place *place, int width);

/* Where the first line of a heading ends that may fill `width` columns: its bytes; *next: where the rest
 * begins. */
ptrdiff_t table_break(const char *text, int width, ptrdiff_t *next);

/* Columns that a heading needs where it has TABLE_HEADING lines. */
int table_heading(const char *text);

/* What a key does: true when it was one of the table's own. */
bool table_update(struct view *view, enum action action, int32_t key, struct effect *effect);

/* Takes what is typed as the filter; shows all rows again. The cursor stays on its row where that is shown.
 */
void table_filter(struct view *view, const char *filter);

/* The sign of a value from 0 to 1 in a line of small bars, a column wide. */
const char *table_spark(enum sign_set set, double value);

/* A chart, on lines of its own: a bar for each value. The same in one line, of a chart that is a line. */
struct page;
void table_lay_chart(struct flow *flow, const struct page *page, const struct table_chart *chart);
void table_lay_line(struct flow *flow, const struct page *page, const struct table_chart *chart);

/* "label text", or why there is none. */
const char *table_fact(struct flow *flow, const struct page *page, const struct table_fact *fact);

#endif
