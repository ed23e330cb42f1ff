#include "chart_scale.h"

#include <math.h>

/* Beyond these a drawing's arithmetic would leave the numbers. */
#define LARGEST  1e300
#define SMALLEST 1e-300

enum { MOST_DECIMALS = 9 };

bool chart_drawable(double value)
{
    return fabs(value) < LARGEST; /* false for NAN */
}

struct chart_scale chart_scale_of(const struct report_chart *chart)
{
    struct chart_scale scale = { .high = chart->share ? 1 : 0 };
    for (int i = 0; i < chart->count; i++) {
        if (!chart_drawable(chart->values[i]))
            continue;
        scale.low = fmin(scale.low, chart->values[i]);
        scale.high = fmax(scale.high, chart->values[i]);
    }
    if (scale.high - scale.low < SMALLEST)
        scale.high = scale.low + 1;
    return scale;
}

double chart_scale_step(struct chart_scale *scale, const struct report_chart *chart)
{
    double part = (scale->high - scale->low) / 4, unit = pow(10, floor(log10(part)));
    double step = unit * (part <= unit ? 1 : part <= 2 * unit ? 2 : part <= 5 * unit ? 5 : 10);
    if (chart->share && scale->low >= 0 && scale->high <= 1)
        step = .25;
    scale->low = floor(scale->low / step) * step;
    scale->high = ceil(scale->high / step) * step;
    return step;
}

int chart_scale_decimals(const struct report_chart *chart, double step)
{
    int decimals = chart->decimals;
    while (decimals < MOST_DECIMALS && !chart->share && fabs(step * pow(10, decimals)) < 1)
        decimals++;
    return decimals;
}
