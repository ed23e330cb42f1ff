#include "build.h"

#include <quiztutor/message.h>
#include <quiztutor/statistics.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void *build_room(struct build *build, ptrdiff_t size)
{
    void *room = arena_alloc(&build->report->arena, size);
    build->failed = build->failed || !room;
    return room;
}

const char *build_copy(struct build *build, const char *text)
{
    if (!text)
        return NULL;
    const char *copy = arena_text(&build->report->arena, text, (ptrdiff_t)strlen(text));
    build->failed = build->failed || !copy;
    return copy ? copy : "";
}

const char *build_say(struct build *build, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char small[512];
    int length = vsnprintf(small, sizeof small, format, arguments);
    va_end(arguments);
    if (length >= 0 && length < (int)sizeof small)
        return build_copy(build, small);
    char *large = length < 0 ? NULL : memory_alloc((ptrdiff_t)length + 1);
    if (!large) {
        build->failed = true;
        return "";
    }
    va_start(arguments, format);
    vsnprintf(large, (size_t)length + 1, format, arguments);
    va_end(arguments);
    const char *copy = build_copy(build, large);
    memory_free(large);
    return copy;
}

struct report_cell build_nothing(void)
{
    return (struct report_cell){ .kind = CELL_NOTHING };
}

struct report_cell build_text(const char *text)
{
    return text ? (struct report_cell){ .kind = CELL_TEXT, .text = text } : build_nothing();
}

struct report_cell build_whole(int64_t number)
{
    return (struct report_cell){ .kind = CELL_WHOLE, .whole = number };
}

struct report_cell build_real(double number)
{
    return (struct report_cell){ .kind = CELL_REAL, .real = number };
}

struct report_cell build_percent(double number)
{
    return (struct report_cell){ .kind = CELL_PERCENT, .real = number };
}

struct report_cell build_share(double share)
{
    return (struct report_cell){ .kind = CELL_SHARE, .real = share };
}

struct report_cell build_moment(int64_t ms, int utc_offset_s)
{
    return (struct report_cell){ .kind = CELL_MOMENT, .whole = ms, .utc_offset_s = utc_offset_s };
}

struct report_cell build_day(int64_t day)
{
    return (struct report_cell){ .kind = CELL_DAY, .whole = day };
}

struct report_cell build_span(int64_t ms)
{
    return (struct report_cell){ .kind = CELL_SPAN, .whole = ms };
}

struct report_cell build_truth(bool truth)
{
    return (struct report_cell){ .kind = CELL_TRUTH, .whole = truth };
}

struct report_cell build_absent(const char *why)
{
    return (struct report_cell){ .kind = CELL_ABSENT, .why = why };
}

struct report_cell build_share_of(double right, int64_t count, const char *why)
{
    if (count <= 0)
        return build_absent(why);
    struct report_cell cell = build_share(right / (double)count);
    cell.has_interval = true;
    statistics_wilson(right, count > INT32_MAX ? INT32_MAX : (int)count, &cell.low, &cell.high);
    return cell;
}

struct report_cell build_out(struct report_cell cell)
{
    cell.stands_out = true;
    return cell;
}

/* ---- lists of the report: in the heap until report_make moves them into the arena ---- */

/* `list` points to the report's own pointer. */
static void append(struct build *build, void *list, int *count, ptrdiff_t *capacity, const void *item,
                   ptrdiff_t size)
{
    char *items;
    if (!memory_grow(list, capacity, *count + 1, size)) {
        build->failed = true;
        return;
    }
    memcpy(&items, list, sizeof items);
    memcpy(items + *count * size, item, (size_t)size);
    (*count)++;
}

/* From the heap into the arena; NULL where that has no room. */
static void settle(struct build *build, void *list, int *count, ptrdiff_t size)
{
    void *items, *kept = NULL;
    memcpy(&items, list, sizeof items);
    if (*count)
        kept = build_room(build, *count * size);
    if (kept)
        memcpy(kept, items, (size_t)(*count * size));
    else
        *count = 0;
    memory_free(items);
    memcpy(list, &kept, sizeof kept);
}

void build_settle(struct build *build)
{
    struct report *report = build->report;
    settle(build, &report->facts, &report->fact_count, sizeof *report->facts);
    settle(build, &report->charts, &report->chart_count, sizeof *report->charts);
    settle(build, &report->tables, &report->table_count, sizeof *report->tables);
    settle(build, &report->notes, &report->note_count, sizeof *report->notes);
}

void build_fact(struct build *build, const struct report_fact *fact)
{
    struct report *report = build->report;
    append(build, &report->facts, &report->fact_count, &build->fact_capacity, fact, sizeof *fact);
}

void build_chart(struct build *build, const struct report_chart *chart)
{
    struct report *report = build->report;
    append(build, &report->charts, &report->chart_count, &build->chart_capacity, chart, sizeof *chart);
}

void build_add_table(struct build *build, const struct report_table *table)
{
    struct report *report = build->report;
    append(build, &report->tables, &report->table_count, &build->table_capacity, table, sizeof *table);
}

void build_note(struct build *build, const char *note)
{
    struct report *report = build->report;
    append(build, &report->notes, &report->note_count, &build->note_capacity, &note, sizeof note);
}
