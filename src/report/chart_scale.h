/*
 * The scale of a chart that is drawn: from its lowest value to its highest, zero among them, a share's to 1,
 * and the steps of an axis beside it.
 */
#ifndef REPORT_CHART_SCALE_H
#define REPORT_CHART_SCALE_H

#include <quiztutor/report.h>

struct chart_scale {
    double low, high; /* low < high */
};

/* Neither NAN nor beyond what a drawing can reckon with. */
bool chart_drawable(double value);
struct chart_scale chart_scale_of(const struct report_chart *chart);

/* The smallest of 1, 2, 5, 10, … that parts the scale into at most four steps; widens it to whole ones. */
double chart_scale_step(struct chart_scale *scale, const struct report_chart *chart);

/* Decimals that the steps need; those of the chart at least. */
int chart_scale_decimals(const struct report_chart *chart, double step);

#endif
