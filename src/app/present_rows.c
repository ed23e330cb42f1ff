/* The columns and rows of a report's table, and what they open. */
#include "presenting.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <math.h>
#include <string.h>

/* ---- columns ---- */

int presenting_column(const struct report_table *table, const char *name)
{
    for (int i = 0; i < table->column_count; i++)
        if (strcmp(table->columns[i].name, name) == 0)
            return i;
    return -1;
}

static const char *text_of(const struct report_table *table, const struct report_cell *row, const char *name)
{
    int column = presenting_column(table, name);
    return column >= 0 && row[column].kind == CELL_TEXT ? row[column].text : NULL;
}

static bool largest_first(enum cell_kind kind)
{
    return kind == CELL_WHOLE || kind == CELL_MOMENT || kind == CELL_DAY || kind == CELL_SPAN ||
           kind == CELL_TRUTH;
}

bool presenting_knows(const struct presenting *presenting, const struct report_column *column)
{
    return presenting->choices &&
           (strcmp(column->name, "question") == 0 || strcmp(column->name, "pack") == 0);
}

static const char *heading_of(struct presenting *presenting, const struct report_column *column)
{
    const char *unit = report_unit(column->kind, column->unit);
    buffer_print(&presenting->part, unit ? "%s (%s)" : "%s", tr(column->title), unit);
    const char *heading = presenting_keep(presenting);
    return heading ? heading : "";
}

void presenting_columns(struct presenting *presenting)
{
    struct table_model *model = &presenting->out->model;
    const struct report_table *table = presenting->table;
    struct arena *arena = &presenting->out->arena;
    struct table_column *columns = arena_alloc(arena, PRESENT_COLUMNS * (ptrdiff_t)sizeof *columns);
    model->work->widths = arena_alloc(arena, PRESENT_COLUMNS * (ptrdiff_t)sizeof *model->work->widths);
    if (!columns || !model->work->widths) {
        presenting->failed = true;
        return;
    }
    for (int i = 0; i < table->column_count && presenting->count < PRESENT_COLUMNS; i++) {
        const struct report_column *column = &table->columns[i];
        if ((column->detail && !presenting->report->details) || presenting_knows(presenting, column))
            continue;
        columns[presenting->count] = (struct table_column){ .heading = heading_of(presenting, column),
                                                            .right = report_is_number(column->kind),
                                                            .largest_first = largest_first(column->kind),
                                                            .rank = column->rank };
        if (strcmp(table->name, "items") == 0 && strcmp(column->name, "discrimination") == 0)
            presenting->out->worst = presenting->count; /* they stand as in their pack */
        presenting->columns[presenting->count++] = i;
    }
    model->columns = columns;
    model->column_count = presenting->count;
}

/* ---- cells ---- */

static double number_of(const struct report_cell *cell)
{
    switch (cell->kind) {
    case CELL_REAL:
    case CELL_PERCENT:
    case CELL_SHARE:
        return cell->real;
    case CELL_WHOLE:
    case CELL_MOMENT:
    case CELL_DAY:
    case CELL_SPAN:
    case CELL_TRUTH:
        return (double)cell->whole;
    default:
        return NAN;
    }
}

static const char *key_of(struct presenting *presenting, const char *text)
{
    char *folded = text_fold(text);
    const char *key = folded ? folded : "";
    presenting->failed = presenting->failed || !folded;
    key = strcmp(key, text) == 0 ? text : presenting_keep_bytes(presenting, key, (ptrdiff_t)strlen(key));
    memory_free(folded);
    return key;
}

static const double *keep_trend(struct presenting *presenting, const struct report_cell *cell)
{
    ptrdiff_t size = cell->trend_count * (ptrdiff_t)sizeof *cell->trend;
    double *trend = arena_alloc(&presenting->out->arena, size);
    if (trend)
        memcpy(trend, cell->trend, (size_t)size);
    presenting->failed = presenting->failed || !trend;
    return trend;
}

static void take_cell(struct presenting *presenting, struct table_cell *out,
                      const struct report_column *column, const struct report_cell *cell)
{
    *out = (struct table_cell){ .number = NAN, .bar = NAN, .stands_out = cell->stands_out };
    if (report_is_absent(cell)) {
        out->why = presenting_why(presenting, report_why(cell));
    } else {
        report_say(&presenting->part, cell, column->unit, column->decimals, false);
        out->text = presenting_keep(presenting);
        out->number = number_of(cell);
        if (cell->kind == CELL_TEXT && out->text)
            out->key = key_of(presenting, out->text);
        if (column->bar)
            out->bar = (float)report_share(cell);
        if (column->interval)
            out->beside = presenting_interval(presenting, cell, column->decimals);
    }
    if (cell->trend_count > 0) {
        out->trend = keep_trend(presenting, cell);
        out->trend_count = out->trend ? cell->trend_count : 0;
    }
}

/* ---- rows ---- */

static bool same(const char *one, const char *other)
{
    return one && other && strcmp(one, other) == 0;
}

bool presenting_wants(const struct presenting *presenting, const struct report_cell *row)
{
    const struct present_choices *choices = presenting->choices;
    const struct report_table *table = presenting->table;
    return !choices || (same(text_of(table, row, "question"), choices->question) &&
                        (!choices->pack || same(text_of(table, row, "pack"), choices->pack)) &&
                        (!choices->revision || same(text_of(table, row, "revision"), choices->revision)));
}

/* A question before a learner before a pack: it says most. */
static const char *opens_of(struct presenting *presenting, const struct report_cell *row, int place)
{
    const struct report_table *table = presenting->table;
    const char *question = text_of(table, row, "question"), *pack = text_of(table, row, "pack_id"),
               *learner = text_of(table, row, "learner"), *login = text_of(table, row, "login");
    if (presenting->choices)
        return NULL;
    if (!pack)
        pack = text_of(table, row, "pack");
    if (table->opens && table->row_count >= 0 && presenting_column(table, "question") < 0 && learner)
        login = table->opens[place];
    if (question && pack)
        buffer_print(&presenting->part, "%c" PRESENTING_PART "%s" PRESENTING_PART "%s" PRESENTING_PART "%s",
                     OPENS_QUESTION, pack, question, presenting_or_empty(text_of(table, row, "revision")));
    else if (learner && presenting->report->kind != REPORT_PROGRESS)
        buffer_print(&presenting->part, "%c" PRESENTING_PART "%s" PRESENTING_PART "%s", OPENS_LEARNER,
                     login ? login : learner,
                     presenting_or_empty(presenting->report->kind == REPORT_CLASS ? pack : NULL));
    else if (pack)
        buffer_print(&presenting->part, "%c" PRESENTING_PART "%s" PRESENTING_PART "%s", OPENS_PACK, pack,
                     presenting_or_empty(text_of(table, row, "topic")));
    return presenting_keep(presenting);
}

/* What tells a row from others, whatever else its figures come to be. */
static const char *id_of(struct presenting *presenting, const struct report_cell *row, const char *opens)
{
    static const char *const names[] = { "learner",  "login",         "external_id", "pack",
                                         "question", "revision",      "topic",       "tag",
                                         "choice",   "misconception", "flag",        "answered" };
    const struct report_table *table = presenting->table;
    buffer_text(&presenting->part, presenting_or_empty(opens));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (text_of(table, row, names[i]))
            buffer_print(&presenting->part, PRESENTING_PART "%s", text_of(table, row, names[i]));
    int at = presenting_column(table, "at");
    if (at >= 0 && row[at].kind == CELL_MOMENT)
        buffer_print(&presenting->part, PRESENTING_PART "%lld", (long long)row[at].whole);
    return presenting_or_empty(presenting_keep(presenting));
}

static bool make_room(struct presented *out, int columns)
{
    ptrdiff_t rows = out->model.row_count + 1;
    return memory_grow(&out->cells, &out->cell_capacity, rows * columns + 1, sizeof *out->cells) &&
           memory_grow(&out->ids, &out->id_capacity, rows, sizeof *out->ids) &&
           memory_grow(&out->opens, &out->open_capacity, rows, sizeof *out->opens) &&
           memory_grow(&out->rows, &out->row_capacity, rows, sizeof *out->rows);
}

static void take_row(struct presenting *presenting, const struct report_cell *row, int place)
{
    struct presented *out = presenting->out;
    struct table_model *model = &out->model;
    if (!presenting_wants(presenting, row))
        return;
    if (!make_room(out, presenting->count)) {
        presenting->failed = true;
        return;
    }
    struct table_cell *cells = &out->cells[(ptrdiff_t)model->row_count * presenting->count];
    for (int i = 0; i < presenting->count; i++)
        take_cell(presenting, &cells[i], &presenting->table->columns[presenting->columns[i]],
                  &row[presenting->columns[i]]);
    const char *opens = opens_of(presenting, row, place);
    if (opens && !model->opens_what)
        model->opens_what = *opens == OPENS_LEARNER    ? tr("learner")
                            : *opens == OPENS_QUESTION ? tr("choices")
                                                       : tr("questions");
    out->opens[model->row_count] = opens;
    out->ids[model->row_count] = id_of(presenting, row, opens);
    out->rows[model->row_count++] = place;
}

/* A table that is made row by row. False: its error. */
static bool stream_rows(struct presenting *presenting, bool *more, struct error *error)
{
    const struct report_table *table = presenting->table;
    ptrdiff_t size = (table->column_count + 1) * (ptrdiff_t)sizeof(struct report_cell);
    struct report_cell *row = memory_alloc(size);
    int step = row ? 1 : 0;
    presenting->failed = presenting->failed || !row;
    for (int place = 0; step == 1 && !presenting->failed; place++) {
        memset(row, 0, (size_t)size);
        for (int i = 0; i < table->column_count; i++)
            row[i].kind = CELL_NOTHING;
        step = table->next(table->context, row, error);
        if (step == 1 && place == PRESENT_ROWS) {
            *more = true;
            break;
        }
        if (step == 1)
            take_row(presenting, row, place);
    }
    memory_free(row);
    return step >= 0;
}

bool presenting_rows(struct presenting *presenting, bool *more, struct error *error)
{
    const struct report_table *table = presenting->table;
    if (table->row_count < 0)
        return stream_rows(presenting, more, error);
    for (int i = 0; i < table->row_count && !presenting->failed; i++) {
        if (presenting->out->model.row_count == PRESENT_ROWS) {
            *more = true;
            break;
        }
        take_row(presenting, &table->rows[(ptrdiff_t)i * table->column_count], i);
    }
    return true;
}

/* The next part; "" where there are no more. */
static const char *next_part(char **rest)
{
    char *part = strsep(rest, PRESENTING_PART);
    return part ? part : "";
}

bool present_opened(struct opened *opened, const char *opens)
{
    *opened = (struct opened){ .copy = memory_text(opens) };
    if (!opened->copy)
        return false;
    char *rest = opened->copy;
    opened->kind = (enum opens_kind) * next_part(&rest);
    if (opened->kind == OPENS_LEARNER) {
        opened->learner = next_part(&rest);
        opened->pack = next_part(&rest);
        return true;
    }
    opened->pack = next_part(&rest);
    if (opened->kind == OPENS_QUESTION) {
        opened->question = next_part(&rest);
        opened->revision = next_part(&rest);
    } else {
        opened->tag = next_part(&rest);
    }
    return true;
}
