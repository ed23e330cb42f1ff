/* The sizes of what is drawn on a sheet beside its texts. */
#ifndef PAPER_SHEET_PDF_MEASURES_H
#define PAPER_SHEET_PDF_MEASURES_H

/* Of the page's width. Prose is no wider than the eye finds its way back in, answers' reasons less than that:
 * pages of nothing else would take more ink than was promised. */
#define QUESTION_SHARE      0.83
#define KEY_SHARE           0.66
#define KEY_SHARE_LARGE     0.69 /* its lines stand further apart */
#define PASSAGE_SHARE       0.54
#define PASSAGE_SHARE_LARGE 0.63

/* A question or an intro with more bytes of prose is a passage to read, which is set as reasons are. */
#define PASSAGE 1000

/* In lines of the body. */
#define BULLET_COLUMN 1.0
#define LABEL_GAP     0.15 /* beside the blank that a label ends with */
#define BOX_COLUMN    1.5
#define BOX           0.72 /* to mark a choice */
#define BOX_DROP      0.08 /* of boxes and lines below the baseline */
#define SQUARE        1.5  /* to write a number into */
#define SQUARE_GAP    0.5
#define SLOT          2.0 /* the line before a left text of a match */
#define COLUMN_GAP    1.5
#define RULE_HEIGHT   1.9
#define UNIT_GAP      0.4

#define RULE_SHARE 0.4 /* of the width, where a unit is behind it */
#define LONG_RULE  0.7 /* where none is */

#endif
