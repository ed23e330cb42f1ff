/*
 * Marking: from an answer to a share, an outcome and a mark. The rules are rows of a table; the formulas are in
 * PACK-FORMAT "Marking rules". Pure.
 */
#ifndef QUIZTUTOR_MARKING_H
#define QUIZTUTOR_MARKING_H

#include <quiztutor/response.h>

enum outcome { OUTCOME_RIGHT, OUTCOME_PARTLY, OUTCOME_WRONG, OUTCOME_OMITTED, OUTCOMES };

/* The store's words: right, partly, wrong, omitted; and back (false for an unknown word). */
const char *outcome_name(enum outcome outcome);
bool outcome_read(enum outcome *outcome, const char *name);

struct verdict {
    enum outcome outcome;
    double share;       /* 0 to 1 */
    double mark, marks; /* mark = share × marks */
};

void marking_mark(struct verdict *verdict, const struct question *question, const struct answer *answer);

/*
 * Appends what the answer got wrong, in the author's words: each picked wrong choice's feedback in pack order, or the
 * question's own, parted by blank lines. Adds nothing for a right answer or where the author wrote none.
 */
void marking_feedback(struct buffer *out, const struct question *question, const struct answer *answer);

#endif
