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

/* Why there is nothing to ask, and how to practise anyway: one line. */
const char *begin_nothing(const struct practice *practice);

#endif
