#include "feed.h"

#include <string.h>

static ptrdiff_t row_size(const struct feed *feed)
{
    return (ptrdiff_t)sizeof(struct report_cell) * feed->table->column_count;
}

bool feed_open(struct feed *feed, const struct report_table *table, struct error *error)
{
    *feed = (struct feed){ .table = table };
    arena_init(&feed->arena);
    if (!table->next)
        return true;
    feed->cells = memory_alloc(row_size(feed) * (FEED_SAMPLE + 1));
    return feed->cells ? true : error_memory(error);
}

void feed_close(struct feed *feed)
{
    memory_free(feed->cells);
    arena_finish(&feed->arena);
}

static struct report_cell *room(const struct feed *feed, int row)
{
    return feed->cells + (ptrdiff_t)row * feed->table->column_count;
}

static int read_row(struct feed *feed, int row, struct error *error)
{
    if (feed->ended)
        return 0;
    memset(room(feed, row), 0, (size_t)row_size(feed));
    int read = feed->table->next(feed->table->context, room(feed, row), error);
    feed->ended = read != 1;
    return read;
}

/* What the cell points to, copied; false without memory. */
static bool keep(struct feed *feed, struct report_cell *cell)
{
    bool kept = true;
    if (cell->text)
        kept = (cell->text = arena_text(&feed->arena, cell->text, (ptrdiff_t)strlen(cell->text)));
    if (cell->why)
        kept = (cell->why = arena_text(&feed->arena, cell->why, (ptrdiff_t)strlen(cell->why))) && kept;
    if (cell->trend_count > 0) {
        ptrdiff_t size = (ptrdiff_t)sizeof *cell->trend * cell->trend_count;
        double *trend = arena_alloc(&feed->arena, size);
        if (trend)
            memcpy(trend, cell->trend, (size_t)size);
        cell->trend = trend;
        kept = trend && kept;
    }
    return kept;
}

int feed_sample(struct feed *feed, struct error *error)
{
    if (!feed->table->next)
        return feed->table->row_count;
    while (feed->sampled < FEED_SAMPLE) {
        int read = read_row(feed, feed->sampled, error);
        if (read < 0)
            return -1;
        if (read == 0)
            break;
        for (int i = 0; i < feed->table->column_count; i++)
            if (!keep(feed, room(feed, feed->sampled) + i)) {
                error_memory(error);
                return -1;
            }
        feed->sampled++;
    }
    return feed->sampled;
}

const struct report_cell *feed_row(const struct feed *feed, int row)
{
    if (feed->table->next)
        return room(feed, row);
    return feed->table->rows + (ptrdiff_t)row * feed->table->column_count;
}

int feed_next(struct feed *feed, const struct report_cell **row, struct error *error)
{
    if (feed->at < (feed->table->next ? feed->sampled : feed->table->row_count)) {
        *row = feed_row(feed, feed->at++);
        return 1;
    }
    if (!feed->table->next)
        return 0;
    int read = read_row(feed, FEED_SAMPLE, error);
    *row = room(feed, FEED_SAMPLE);
    return read;
}
