/* How a practice begins, whatever the front end: anew, resumed, or the old one dropped first. Private to app.
 */
#ifndef QUIZTUTOR_BEGIN_H
#define QUIZTUTOR_BEGIN_H

#include <quiztutor/application.h>

/* Carries out `wish` (not WISH_ASK): finds what is unfinished, resumes or drops it, and begins. *anew tells
 * that WISH_RESUME found nothing. */
bool begin_practice(struct practice *practice, enum resume_wish wish, bool *anew, struct error *error);

/* "3 of 12 answered, begun on 2026-11-30 at 14:05", in the local time of then. */
void begin_describe(const struct practice_unfinished *unfinished, char *text, int size);

/* When something is due next, and how to practise anyway: one line. */
void begin_nothing(const struct practice *practice, char *text, int size);

/* What is said of a plan: a backlog that is spread, new ones that wait, what can be reached by a day, keys
 * that were overturned. Empty where there is nothing to say. */
void begin_waiting(const struct session_model *session, char *text, int size);
void begin_until(const struct session_model *session, char *text, int size);
void begin_resets(const struct session_model *session, char *text, int size);

/* What is odd about the clock, once each; false when nothing is new. */
bool begin_clock(struct practice *practice, char *text, int size);

enum { BEGIN_TEXT = 320 };

#endif
