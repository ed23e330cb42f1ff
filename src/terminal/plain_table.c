/* A tutor's table in plain lines: each row is a sentence that names its columns. */
#include <quiztutor/message.h>
#include <quiztutor/plain.h>

#include <math.h>

enum { RANKS = 3 /* columns of a higher rank are told of one row at a time */ };

static const struct table_cell *cell_at(const struct table_model *table, int row, int column)
{
    return &table->cells[(ptrdiff_t)row * table->column_count + column];
}

static void put_value(struct buffer *out, const struct table_cell *cell)
{
    if (cell->why)
        buffer_text(out, tr("not available"));
    else
        buffer_text(out, cell->text ? cell->text : tr("nothing"));
    if (cell->beside)
        buffer_print(out, " %s", cell->beside);
    if (cell->stands_out)
        buffer_text(out, " !");
}

static void put_fact(struct buffer *out, const struct table_fact *fact, bool why)
{
    if (fact->why && why)
        buffer_print(out, tr("%s: not available, %s"), fact->label, fact->why);
    else
        buffer_print(out, "%s: %s", fact->label,
                     fact->why    ? tr("not available")
                     : fact->text ? fact->text
                                  : tr("nothing"));
}

void plain_table(struct buffer *out, const struct table_model *table)
{
    enum { FACTS = 8 };
    buffer_print(out, "\n%s", table->title ? table->title : "");
    if (table->subtitle)
        buffer_print(out, ": %s", table->subtitle);
    buffer_char(out, '\n');
    for (int i = 0; i < table->fact_count && i < FACTS; i++) {
        buffer_text(out, i ? ", " : "");
        put_fact(out, &table->facts[i], false);
    }
    buffer_text(out, table->fact_count ? "\n" : "");
    if (table->tables > 1) {
        buffer_print(out, tr("Table %d of %d"), table->table + 1, table->tables);
        buffer_print(out, table->name ? ": %s\n" : "\n", table->name);
    }
    int shown = table->work->shown;
    if (shown < table->row_count)
        buffer_print(out, tr("%d of %d rows\n"), shown, table->row_count);
    else if (shown > 0)
        buffer_print(out, ntr("%d row\n", "%d rows\n", shown), shown);
    else
        buffer_print(out, "%s\n", table->empty ? table->empty : tr("nothing"));
}

void plain_table_rows(struct buffer *out, const struct table_model *table, int from, int most)
{
    for (int shown = from; shown < table->work->shown && shown < from + most; shown++) {
        int row = table->work->order[shown];
        buffer_print(out, "  %d) ", shown + 1);
        for (int i = 0; i < table->column_count; i++) {
            const struct table_cell *cell = cell_at(table, row, i);
            if (i > 0 && (table->columns[i].rank > RANKS || (!cell->text && !cell->why)))
                continue;
            if (i > 0)
                buffer_print(out, ", %s ", table->columns[i].heading);
            put_value(out, cell);
        }
        buffer_char(out, '\n');
    }
}

void plain_table_row(struct buffer *out, const struct table_model *table, int shown)
{
    int row = table->work->order[shown];
    for (int i = 0; i < table->column_count; i++) {
        const struct table_cell *cell = cell_at(table, row, i);
        if (cell->why) {
            buffer_print(out, tr("%s: not available, %s"), table->columns[i].heading, cell->why);
        } else {
            buffer_print(out, "%s: ", table->columns[i].heading);
            put_value(out, cell);
        }
        buffer_char(out, '\n');
    }
}

void plain_table_notes(struct buffer *out, const struct table_model *table)
{
    for (int i = 0; i < table->note_count; i++)
        buffer_print(out, "%s\n", table->notes[i]);
    for (int i = 0; i < table->fact_count; i++) {
        put_fact(out, &table->facts[i], true);
        buffer_char(out, '\n');
    }
    for (int i = 0; i < table->chart_count; i++) {
        const struct table_chart *chart = &table->charts[i];
        buffer_print(out, "%s:\n", chart->title);
        for (int k = 0; k < chart->count; k++)
            buffer_print(out, "  %s: %s\n", chart->labels[k],
                         chart->texts[k] ? chart->texts[k] : tr("nothing"));
    }
}

void plain_table_columns(struct buffer *out, const struct table_model *table, const struct table_place *place)
{
    buffer_print(out, "  0) %s%s\n", tr("as the report has them"),
                 place->sort >= 0  ? ""
                 : place->reversed ? tr(", now, reversed")
                                   : tr(", now"));
    for (int i = 0; i < table->column_count; i++)
        buffer_print(out, "  %d) %s%s\n", i + 1, table->columns[i].heading,
                     place->sort != i  ? ""
                     : place->reversed ? tr(", now, reversed")
                                       : tr(", now"));
}
