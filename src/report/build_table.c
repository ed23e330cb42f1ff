/* Tables that grow row by row. */
#include "build.h"

#include <string.h>

void build_table_start(struct build_table *table, struct build *build, const struct report_column *columns,
                       int column_count)
{
    *table = (struct build_table){ .build = build, .columns = columns, .column_count = column_count };
}

/* Where there is no room a row is written over the one before; without any, into a row of the arena's, or
 * one that all tables share. */
static struct report_cell *no_row(struct build_table *table)
{
    static _Thread_local struct report_cell nowhere[BUILD_COLUMNS];
    table->build->failed = true;
    memset(nowhere, 0, sizeof nowhere);
    return nowhere;
}

struct report_cell *build_table_row(struct build_table *table, const char *opens)
{
    ptrdiff_t at = (ptrdiff_t)table->row_count * table->column_count;
    if (table->row_count >= BUILD_ROWS ||
        !memory_grow(&table->cells, &table->cell_capacity, at + table->column_count, sizeof *table->cells) ||
        !memory_grow(&table->opens, &table->open_capacity, table->row_count + 1, sizeof *table->opens))
        return no_row(table);
    struct report_cell *cells = table->cells + at;
    for (int i = 0; i < table->column_count; i++)
        cells[i] = build_nothing();
    table->opens[table->row_count++] = opens;
    return cells;
}

/* Merges two runs of places in order. */
static void merge(const struct build_table *table, int *places, int *room, int middle, int count,
                  int (*order)(const struct report_cell *, const struct report_cell *))
{
    int one = 0, other = middle;
    for (int i = 0; i < count; i++) {
        bool first =
            other >= count ||
            (one < middle && order(table->cells + (ptrdiff_t)places[one] * table->column_count,
                                   table->cells + (ptrdiff_t)places[other] * table->column_count) <= 0);
        room[i] = first ? places[one++] : places[other++];
    }
    memcpy(places, room, (size_t)count * sizeof *places);
}

void build_table_sort(struct build_table *table,
                      int (*order)(const struct report_cell *one, const struct report_cell *other))
{
    int rows = table->row_count, columns = table->column_count;
    if (rows < 2)
        return;
    int *places = memory_alloc(2 * rows * (ptrdiff_t)sizeof *places);
    struct report_cell *cells = memory_alloc((ptrdiff_t)rows * columns * (ptrdiff_t)sizeof *cells);
    const char **opens = memory_alloc(rows * (ptrdiff_t)sizeof *opens);
    if (places && cells && opens) {
        for (int i = 0; i < rows; i++)
            places[i] = i;
        for (int run = 1; run < rows; run *= 2)
            for (int at = 0; at + run < rows; at += 2 * run)
                merge(table, places + at, places + rows, run, at + 2 * run < rows ? 2 * run : rows - at,
                      order);
        for (int i = 0; i < rows; i++) {
            memcpy(cells + (ptrdiff_t)i * columns, table->cells + (ptrdiff_t)places[i] * columns,
                   (size_t)columns * sizeof *cells);
            opens[i] = table->opens[places[i]];
        }
        memcpy(table->cells, cells, (size_t)rows * (size_t)columns * sizeof *cells);
        memcpy(table->opens, opens, (size_t)rows * sizeof *opens);
    } else {
        table->build->failed = true;
    }
    memory_free(places);
    memory_free(cells);
    memory_free(opens);
}

void build_table_add(struct build_table *table, const char *name, const char *title, const char *empty)
{
    build_table_join(table, name, title, empty, false);
}

void build_table_join(struct build_table *table, const char *name, const char *title, const char *empty,
                      bool continues)
{
    struct build *build = table->build;
    ptrdiff_t cells = (ptrdiff_t)table->row_count * table->column_count * (ptrdiff_t)sizeof *table->cells,
              opens = table->row_count * (ptrdiff_t)sizeof *table->opens;
    struct report_table added = { .name = name,
                                  .title = title,
                                  .empty = empty,
                                  .columns = table->columns,
                                  .column_count = table->column_count,
                                  .continues = continues };
    if (table->row_count) {
        struct report_cell *rows = build_room(build, cells);
        const char **opened = build_room(build, opens);
        if (!rows || !opened)
            return;
        memcpy(rows, table->cells, (size_t)cells);
        memcpy(opened, table->opens, (size_t)opens);
        added.rows = rows;
        added.opens = opened;
        added.row_count = table->row_count;
    }
    build_add_table(build, &added);
}

void build_table_finish(struct build_table *table)
{
    memory_free(table->cells);
    memory_free(table->opens);
    table->cells = NULL;
    table->opens = NULL;
    table->row_count = 0;
    table->cell_capacity = table->open_capacity = 0;
}
