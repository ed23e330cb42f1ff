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

/* The same of an exam that is open, with the time left; and until when it stays open, and how to go on with
 * it: a sentence. */
void begin_describe_exam(const struct sitting_open *open, char *text, int size);
void begin_leave_exam(const struct sitting *sitting, char *text, int size);

/* One of the same packs runs in another process: what is said before a second one is begun. */
const char *begin_exam_elsewhere(void);

/* The exam that --resume is about runs in another process: the error that ends the run. False. */
bool begin_fail_elsewhere(struct error *error);

/* What a tutor is told who would end it while an answer is not stored. */
const char *begin_stake(void);

/* Says in a line of `out`, or where that is NULL on standard error, which in a kiosk is the journal's. */
void begin_say(struct buffer *out, const char *text);

/* Says so what there is to say once a practice or an exam was begun: a new learner, questions that left. */
void begin_tell(const struct practice *practice, struct buffer *out);
void begin_tell_exam(const struct sitting *sitting, struct buffer *out);

/* Who is told: in lines the words of the command line help, on the screens there are keys. */
enum begin_front { BEGIN_LINES, BEGIN_SCREENS };

/* Why there is nothing to ask, when something is due next, and in lines how to practise anyway: one line.
 * Tells whether there are questions to practise anyway. */
bool begin_nothing(const struct practice *practice, enum begin_front front, char *text, int size);

/* What is said of a plan: a backlog that is spread and new ones that wait (in lines), what can be reached by
 * a day, keys that were overturned. Empty where there is nothing to say. */
void begin_waiting(const struct session_model *session, char *text, int size);
void begin_until(const struct session_model *session, enum begin_front front, char *text, int size);
void begin_resets(const struct session_model *session, char *text, int size);

/* What is odd about the clock, once each; false when nothing is new. */
bool begin_clock(struct practice *practice, char *text, int size);

enum { BEGIN_TEXT = 320 };

#endif
