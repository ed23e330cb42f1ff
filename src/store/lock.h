/*
 * The lock file beside the store: byte 0 is held by who writes, for one transaction; a byte far up, found
 * from the session's id, by who runs that session. The locks belong to the open file (OFD), so that they part
 * two stores of one process as well as two processes, and a process that dies leaves none behind.
 */
#ifndef QUIZTUTOR_STORE_LOCK_H
#define QUIZTUTOR_STORE_LOCK_H

#include <quiztutor/error.h>
#include <quiztutor/hash.h>

struct lock {
    int fd; /* −1: none, where nothing can be written anyway */
};

/* Both answer 0, or an errno: EAGAIN when another still holds it at the end of the wait. */
int lock_take(const struct lock *lock, int wait_ms);
int lock_hold_session(const struct lock *lock, const struct uuid *session_id);

void lock_give(const struct lock *lock);
void lock_release_session(const struct lock *lock, const struct uuid *session_id);

/* Whether another runs this session (NULL: any session). */
bool lock_is_held(const struct lock *lock, const struct uuid *session_id);

/* Holds all sessions at once, so that none can begin; 0 or an errno. Closing the file gives them back. */
int lock_hold_sessions(const struct lock *lock);

#endif
