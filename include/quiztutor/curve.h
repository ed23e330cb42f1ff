/*
 * A curve over days, falling from 100 per cent, as lines of text: in braille dots, or in ASCII. A dashed line
 * stands at the chance that is wanted, dotted lines go down to the days that are marked. Pure.
 */
#ifndef QUIZTUTOR_CURVE_H
#define QUIZTUTOR_CURVE_H

#include <quiztutor/buffer.h>

enum { CURVE_NARROWEST = 40, CURVE_WIDEST = 100, CURVE_MARKS = 4 };

struct curve_mark {
    double day;
    const char *label; /* stands below the axis */
};

struct curve {
    double (*chance)(const void *context, double day); /* 0 to 1 */
    const void *context;
    double days;                    /* shown, from 0; above 0 */
    double wanted;                  /* chance; 0: none */
    const struct curve_mark *marks; /* in order of their days; those beyond what is shown are left out */
    int mark_count;                 /* at most CURVE_MARKS */
    int columns;                    /* of the whole picture; brought between the narrowest and the widest */
    bool ascii;
};

/* Eleven lines of curve, the axis, and as many lines of labels as it takes. The scale begins at 80, 50 or 0
 * per cent, whatever the curve falls to. */
void curve_draw(struct buffer *out, const struct curve *curve);

#endif
