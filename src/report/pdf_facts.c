/* Facts, three beside each other; those that need more room have a line of their own, below. */
#include "pdf_page.h"

#include "cell.h"

#include <quiztutor/message.h>

#include <math.h>

enum { FACTS_COLUMNS = 3, FACTS_PIECES = 3 };

#define COLUMN_GAP  18.0
#define TREND_WIDTH 40.0
#define BETWEEN     6.0
#define LIGHT       .8

struct fact {
    const char *title, *value;
    const struct report_cell *cell;
    double title_width, value_width, trend_width;
};

static bool read_fact(struct pdf *pdf, const struct report_fact *is, struct fact *fact)
{
    const struct report_cell *cell = &is->cell;
    *fact = (struct fact){ .title = pdf_shown(pdf, is->title), .cell = cell };
    pdf_say(pdf, cell, is->unit, is->decimals, true);
    if (cell_has_interval(cell)) {
        buffer_text(&pdf->text, " (");
        cell_say_interval(&pdf->text, cell, is->decimals, false);
        buffer_char(&pdf->text, ')');
    }
    if (cell->stands_out)
        buffer_text(&pdf->text, " !");
    fact->value = pdf_keep(pdf);
    fact->trend_width = cell->trend_count > 0 ? TREND_WIDTH + BETWEEN : 0;
    return fact->title && fact->value && pdf_natural(pdf, fact->title, PDF_TEXT, &fact->title_width) &&
           pdf_natural(pdf, fact->value, PDF_STRONG, &fact->value_width);
}

static double column_width(const struct pdf *pdf)
{
    return (pdf->width - COLUMN_GAP * (FACTS_COLUMNS - 1)) / FACTS_COLUMNS;
}

static bool is_short(const struct pdf *pdf, const struct fact *fact)
{
    return fact->title_width + BETWEEN + fact->value_width + fact->trend_width <= column_width(pdf);
}

/* The name at one end of its room, the value at the other. */
static void set_short(const struct pdf *pdf, const struct fact *fact, int column, struct pdf_piece *pieces)
{
    double width = column_width(pdf), x = column * (width + COLUMN_GAP);
    double value = width - fact->title_width - BETWEEN - fact->trend_width;
    pieces[0] = (struct pdf_piece){
        .text = fact->title, .size = PDF_TEXT, .x = x, .width = fact->title_width + 1, .share = NAN
    };
    pieces[1] = (struct pdf_piece){ .size = PDF_STRONG,
                                    .x = x + width - TREND_WIDTH,
                                    .width = TREND_WIDTH,
                                    .share = NAN,
                                    .trend = fact->cell->trend,
                                    .trend_count = fact->cell->trend_count };
    pieces[2] = (struct pdf_piece){ .text = fact->value,
                                    .size = PDF_STRONG,
                                    .x = x + width - fact->trend_width - value,
                                    .width = value,
                                    .far_side = true,
                                    .share = NAN };
}

static bool put_row(struct pdf *pdf, struct pdf_piece *pieces, int count)
{
    if (!count)
        return true;
    if (!pdf_row(pdf, pieces, count * FACTS_PIECES, "P", 2))
        return false;
    for (int i = 0; i < count; i++) {
        double width = column_width(pdf), x = i * (width + COLUMN_GAP);
        pdf_rule(pdf, x, pdf->y - 1, x + width, pdf->y - 1, LIGHT);
    }
    return true;
}

static bool wanted(const struct report *report, int i)
{
    return report->details || !report->facts[i].detail;
}

static bool put_short(struct pdf *pdf)
{
    const struct report *report = pdf->writer->report;
    struct pdf_piece pieces[FACTS_COLUMNS * FACTS_PIECES];
    int count = 0;
    pdf_new_row(pdf);
    for (int i = 0; i < report->fact_count; i++) {
        struct fact fact;
        if (!wanted(report, i))
            continue;
        if (!read_fact(pdf, &report->facts[i], &fact))
            return false;
        if (!is_short(pdf, &fact))
            continue;
        set_short(pdf, &fact, count, pieces + (ptrdiff_t)count * FACTS_PIECES);
        if (++count < FACTS_COLUMNS)
            continue;
        if (!put_row(pdf, pieces, count))
            return false;
        pdf_new_row(pdf);
        count = 0;
    }
    return put_row(pdf, pieces, count);
}

static bool put_long(struct pdf *pdf)
{
    const struct report *report = pdf->writer->report;
    double half = (pdf->width - BETWEEN) / 2;
    for (int i = 0; i < report->fact_count; i++) {
        struct fact fact;
        pdf_new_row(pdf);
        if (!wanted(report, i))
            continue;
        if (!read_fact(pdf, &report->facts[i], &fact))
            return false;
        if (is_short(pdf, &fact))
            continue;
        double title = fmin(fact.title_width + 1, half), x = title + BETWEEN;
        struct pdf_piece pieces[] = {
            { .text = fact.title, .size = PDF_TEXT, .width = title, .share = NAN },
            { .text = fact.value,
              .size = PDF_STRONG,
              .x = x,
              .width = pdf->width - x - fact.trend_width,
              .share = NAN },
            { .size = PDF_STRONG,
              .x = pdf->width - TREND_WIDTH,
              .width = TREND_WIDTH,
              .share = NAN,
              .trend = fact.cell->trend,
              .trend_count = fact.cell->trend_count },
        };
        if (!pdf_row(pdf, pieces, 3, "P", 2))
            return false;
    }
    return true;
}

bool pdf_facts(struct pdf *pdf)
{
    if (!pdf->writer->report->fact_count)
        return true;
    if (!put_short(pdf) || !put_long(pdf))
        return false;
    pdf->y += 6;
    return true;
}
