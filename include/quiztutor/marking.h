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
 * The listed wrong response that a typed text or number is; NULL: none, or it is right. A number is matched
 * by the answer's tolerance about the wrong value (a share of |that value| where it is one), and is the
 * nearest of those that take it in.
 */
const struct known_wrong *marking_known_wrong(const struct question *question, const struct answer *answer);

/* Whether a typed text is wrong by one edit only, of an accepted answer of five letters or more, and is no
 * listed response: the learner is told to check the spelling, once. One edit is a character more, less or
 * other, or two neighbours changed about, between the forms that are compared. */
bool marking_near_miss(const struct question *question, const struct answer *answer);

/* What is told beside the verdict, and changes nothing: fewer significant figures than asked for. Translated,
 * a sentence; NULL: nothing. `room` is where it is written. */
enum { MARKING_NOTE = 200 };
const char *marking_note(char room[static MARKING_NOTE], const struct question *question,
                         const struct answer *answer);

/*
 * Appends what the author says to who gave this answer: the feedback of each picked choice in pack order,
 * parted by blank lines, that of a listed wrong response, or the question's own after an answer not fully
 * right. Adds nothing where the author wrote none.
 */
void marking_feedback(struct buffer *out, const struct question *question, const struct answer *answer);

#endif
