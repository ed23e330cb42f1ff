#include "presenting.h"

#include <quiztutor/message.h>

#include <math.h>
#include <string.h>

/* ---- facts, charts, notes ---- */

static struct table_fact take_fact(struct presenting *presenting, const char *title,
                                   const struct report_cell *cell, const char *unit, int decimals)
{
    struct table_fact fact = { .label = title };
    if (report_is_absent(cell)) {
        fact.why = presenting_why(presenting, report_why(cell));
        return fact;
    }
    const char *interval = presenting_interval(presenting, cell, decimals);
    report_say(&presenting->part, cell, unit, decimals, true);
    if (interval)
        buffer_print(&presenting->part, " %s", interval);
    fact.text = presenting_keep(presenting);
    return fact;
}

/* The row of the question whose choices these are. */
static const struct report_cell *find_item(const struct presenting *presenting,
                                           const struct report_table **items)
{
    struct presenting trial = *presenting;
    int found = present_find_table(presenting->report, "items");
    if (found < 0)
        return NULL;
    trial.table = *items = &presenting->report->tables[found];
    for (int i = 0; i < (*items)->row_count; i++) {
        const struct report_cell *row = &(*items)->rows[(ptrdiff_t)i * (*items)->column_count];
        if (presenting_wants(&trial, row))
            return row;
    }
    return NULL;
}

static struct table_fact *facts_room(struct presenting *presenting, int count)
{
    struct table_fact *facts = arena_alloc(&presenting->out->arena, (count + 1) * (ptrdiff_t)sizeof *facts);
    presenting->failed = presenting->failed || !facts;
    presenting->out->model.facts = facts;
    return facts;
}

/* Nothing that has to be said of a question. */
static bool is_no(const struct report_cell *cell)
{
    return cell->kind == CELL_NOTHING || (cell->kind == CELL_TRUTH && !cell->whole) ||
           (cell->kind == CELL_TEXT && !*cell->text);
}

/* What is asked comes first. */
static void take_item(struct presenting *presenting)
{
    struct table_model *model = &presenting->out->model;
    const struct report_table *items;
    const struct report_cell *row = find_item(presenting, &items);
    struct table_fact *facts = row ? facts_room(presenting, items->column_count) : NULL;
    if (!facts)
        return;
    int prompt = presenting_column(items, "prompt");
    for (int i = -1; i < items->column_count; i++) {
        int at = i < 0 ? prompt : i;
        if (at < 0 || (i >= 0 && i == prompt) || is_no(&row[at]) ||
            presenting_knows(presenting, &items->columns[at]))
            continue;
        const struct report_column *column = &items->columns[at];
        facts[model->fact_count++] =
            take_fact(presenting, presenting_or_empty(presenting_show(presenting, tr(column->title))),
                      &row[at], column->unit, column->decimals);
    }
}

/* Those of the details page come last. */
static void take_facts(struct presenting *presenting)
{
    struct table_model *model = &presenting->out->model;
    const struct report *report = presenting->report;
    struct table_fact *facts = facts_room(presenting, report->fact_count);
    for (int detail = 0; facts && detail < 2; detail++)
        for (int i = 0; i < report->fact_count; i++) {
            const struct report_fact *fact = &report->facts[i];
            if (fact->detail == (detail == 1))
                facts[model->fact_count++] =
                    take_fact(presenting, presenting_or_empty(presenting_show(presenting, fact->title)),
                              &fact->cell, fact->unit, fact->decimals);
        }
}

static double highest(const struct report_chart *chart)
{
    double most = chart->share ? 1 : 0;
    for (int i = 0; i < chart->count; i++)
        if (isfinite(chart->values[i]) && chart->values[i] > most)
            most = chart->values[i];
    return most;
}

static void take_chart(struct presenting *presenting, struct table_chart *out,
                       const struct report_chart *chart)
{
    struct arena *arena = &presenting->out->arena;
    ptrdiff_t count = chart->count + 1;
    const char **labels = arena_alloc(arena, count * (ptrdiff_t)sizeof *labels),
               **texts = arena_alloc(arena, count * (ptrdiff_t)sizeof *texts);
    double *values = arena_alloc(arena, count * (ptrdiff_t)sizeof *values), most = highest(chart);
    if (!labels || !texts || !values) {
        presenting->failed = true;
        return;
    }
    for (int i = 0; i < chart->count; i++) {
        struct report_cell cell = { .kind = chart->share ? CELL_SHARE : CELL_REAL, .real = chart->values[i] };
        labels[i] = presenting_or_empty(presenting_show(presenting, chart->labels[i]));
        report_say(&presenting->part, &cell, chart->unit, chart->decimals, true);
        texts[i] = presenting_keep(presenting);
        values[i] = isfinite(chart->values[i]) && most > 0 ? chart->values[i] / most : NAN;
    }
    *out = (struct table_chart){ .title = presenting_or_empty(presenting_show(presenting, chart->title)),
                                 .line = chart->line,
                                 .labels = labels,
                                 .texts = texts,
                                 .values = values,
                                 .count = chart->count };
}

static void take_charts(struct presenting *presenting)
{
    struct table_model *model = &presenting->out->model;
    const struct report *report = presenting->report;
    struct table_chart *charts =
        arena_alloc(&presenting->out->arena, (report->chart_count + 1) * (ptrdiff_t)sizeof *charts);
    presenting->failed = presenting->failed || !charts;
    for (int i = 0; !presenting->failed && i < report->chart_count; i++)
        take_chart(presenting, &charts[model->chart_count++], &report->charts[i]);
    model->charts = charts;
    if (presenting->failed)
        model->chart_count = 0;
}

static void take_notes(struct presenting *presenting, bool more)
{
    struct table_model *model = &presenting->out->model;
    const struct report *report = presenting->report;
    const char **notes =
        arena_alloc(&presenting->out->arena, (report->note_count + 1) * (ptrdiff_t)sizeof *notes);
    presenting->failed = presenting->failed || !notes;
    if (!notes)
        return;
    for (int i = 0; i < report->note_count; i++)
        notes[model->note_count++] = presenting_or_empty(presenting_show(presenting, report->notes[i]));
    if (more) {
        buffer_print(&presenting->part, tr("The first %d rows are shown."), PRESENT_ROWS);
        notes[model->note_count++] = presenting_or_empty(presenting_keep(presenting));
    }
    model->notes = notes;
}

/* ---- all of it ---- */

static void take_titles(struct presenting *presenting)
{
    struct table_model *model = &presenting->out->model;
    const struct report *report = presenting->report;
    const struct present_choices *choices = presenting->choices;
    model->title = choices ? tr("Choices") : presenting_or_empty(presenting_show(presenting, report->title));
    model->subtitle = presenting_show(presenting, choices ? choices->question : report->subtitle);
    model->name = presenting_show(presenting, presenting->table->title);
    model->empty = presenting_show(presenting, presenting->table->empty);
    buffer_print(&presenting->part, "%s.csv", presenting->table->name);
    model->file = presenting_keep(presenting);
}

int present_find_table(const struct report *report, const char *name)
{
    for (int i = 0; i < report->table_count; i++)
        if (strcmp(report->tables[i].name, name) == 0)
            return i;
    return -1;
}

bool present_report(struct presented *presented, const struct report *report, int table,
                    const struct present_choices *choices, bool ascii, struct error *error)
{
    static const struct report_table nothing = { .name = "nothing" };
    *presented = (struct presented){ .worst = -1 };
    arena_init(&presented->arena);
    struct presenting presenting = { .out = presented, .report = report, .choices = choices, .ascii = ascii };
    struct table_model *model = &presented->model;
    bool more = false;
    buffer_init(&presenting.part);
    presenting.table = table >= 0 && table < report->table_count ? &report->tables[table] : &nothing;
    model->work = &presented->work;
    model->table = table;
    model->tables = choices ? 1 : report->table_count;
    take_titles(&presenting);
    presenting_columns(&presenting);
    bool done = presenting.failed || presenting_rows(&presenting, &more, error);
    if (choices)
        take_item(&presenting);
    else
        take_facts(&presenting);
    take_charts(&presenting);
    take_notes(&presenting, more);
    model->cells = presented->cells;
    model->ids = presented->ids;
    model->opens = presented->opens;
    presented->work.order =
        arena_alloc(&presented->arena, (model->row_count + 1) * (ptrdiff_t)sizeof *presented->work.order);
    buffer_finish(&presenting.part);
    if (done && (presenting.failed || !presented->work.order))
        done = error_memory(error);
    if (done)
        view_table_measure(model);
    return done;
}

void presented_finish(struct presented *presented)
{
    memory_free(presented->cells);
    memory_free(presented->ids);
    memory_free(presented->opens);
    memory_free(presented->rows);
    arena_finish(&presented->arena);
    *presented = (struct presented){ 0 };
}
