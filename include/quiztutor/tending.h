/*
 * What a tutor does at a kiosk to exams and sessions. Each is stored in one transaction, as an event of its
 * own that names nobody: `extended` {"minutes":10}, and `kiosk` with a body that says what:
 * {"what":"exam","pack":"p","open":false}, {"what":"reopened","session":id,"minutes":10}, or what
 * tending_tell is given. Handing in for somebody is sitting_hand_in_open.
 */
#ifndef QUIZTUTOR_TENDING_H
#define QUIZTUTOR_TENDING_H

#include <quiztutor/store.h>

enum { TENDING_MINUTES = 600 }; /* that can be added at once, at most */

/* Adds minutes (1 to TENDING_MINUTES) to an exam that is open (QUERY_EXAMS); who sits at it learns of it
 * within seconds. ERROR_INPUT where it is handed in. */
bool tending_extend(struct store *store, const struct clock *clock, const struct uuid *session, int minutes,
                    struct error *error);

/*
 * Lets a learner go on with an exam that was handed in (QUERY_HANDED_IN), for so many minutes more than were
 * used (0: as long as it takes, only where it had no limit). What was handed in is taken back, and the exam
 * goes on as another session, *as, of the same questions and answers, which the learner's next sitting finds
 * open. Done twice is done once.
 */
bool tending_reopen(struct store *store, const struct clock *clock, const struct uuid *session, int minutes,
                    struct uuid *as, struct error *error);

/* Locks the exam of a pack on this store, or opens it, whatever the config's times say. */
bool tending_set_exam(struct store *store, const struct clock *clock, const char *pack_id, bool open,
                      struct error *error);
/* 1: opened by a tutor, 0: locked, −1: neither was said since the moment `since` (ms since 1970); −2: an
 * error. */
int tending_exam(struct store *store, const char *pack_id, int64_t since, struct error *error);

/* Any other use of the tutor's menu: {"what":what}, of a session or (NULL) of none. */
bool tending_tell(struct store *store, const struct clock *clock, const char *what,
                  const struct uuid *session, struct error *error);

#endif
