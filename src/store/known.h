/*
 * What this process has seen in the store, so that an answer need not look for its session and its question's
 * text again. Only a saving: when it has no memory, or too much to remember, it forgets.
 */
#ifndef QUIZTUTOR_STORE_KNOWN_H
#define QUIZTUTOR_STORE_KNOWN_H

#include <quiztutor/hash.h>

struct known_session {
    struct uuid id, learner;
};

struct known {
    struct known_session *sessions;
    ptrdiff_t session_count, session_capacity;
    struct hash *contents; /* open addressing; a zero hash is an empty place */
    ptrdiff_t content_count, content_capacity;
};

void known_init(struct known *known);
void known_finish(struct known *known);
void known_forget(struct known *known);

const struct known_session *known_find_session(const struct known *known, const struct uuid *id);
void known_add_session(struct known *known, const struct uuid *id, const struct uuid *learner);

bool known_has_content(const struct known *known, const struct hash *content);
void known_add_content(struct known *known, const struct hash *content);

#endif
