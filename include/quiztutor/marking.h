/*
 * Marking: from an answer to a share, an outcome and a mark. The rules are rows of a table; the formulas are
 * in PACK-FORMAT "Marking rules". Pure.
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
 * Appends what the author says to who gave this answer: the feedback of each picked choice in pack order,
 * parted by blank lines, or the question's own after a wrong answer. Adds nothing where the author wrote
 * none.
 */
void marking_feedback(struct buffer *out, const struct question *question, const struct answer *answer);

#endif
