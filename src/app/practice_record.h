/*
 * Turns of a practice as records of the store: their texts, ids and times are fixed once, so that storing can
 * be tried again and again and still be one attempt. Private to app.
 */
#ifndef QUIZTUTOR_PRACTICE_RECORD_H
#define QUIZTUTOR_PRACTICE_RECORD_H

#include <quiztutor/practice.h>

/* Fills practice->pending with an attempt for the current question, or an event about an entry of the plan.
 * False with nothing pending when there is no memory. */
bool practice_record_answer(struct practice *practice, const struct answer *answer, int certainty,
                            struct error *error);
bool practice_record_event(struct practice *practice, enum practice_turn turn, const char *kind, int entry,
                           const char *text, struct error *error);
bool practice_record_mark(struct practice *practice, enum practice_turn turn, int entry, bool on,
                          struct error *error); /* TURN_STAR, TURN_SUSPEND */

/* Makes the session's own texts (options and plan with their revisions), once, before its first record. */
bool practice_describe(struct practice *practice, struct error *error);

/* Looks at the clock as a session begins or goes on: whether it lies behind the newest answer. */
bool practice_start_clock(struct practice *practice, struct error *error);

/* Ends the session on hand; learner and store stay. */
void practice_end_session(struct practice *practice);

#endif
