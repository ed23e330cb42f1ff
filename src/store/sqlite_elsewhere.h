/*
 * The log of another store, read row by row in its order: sessions, attempts and events together. What it
 * says is checked as it is read: a file from elsewhere may hold anything. Texts are valid until the next
 * step.
 */
#ifndef QUIZTUTOR_STORE_SQLITE_ELSEWHERE_H
#define QUIZTUTOR_STORE_SQLITE_ELSEWHERE_H

#include "sqlite_store.h"

enum elsewhere_kind { ELSEWHERE_SESSION, ELSEWHERE_ATTEMPT, ELSEWHERE_EVENT, ELSEWHERE_KINDS };

struct elsewhere {
    struct sqlite_store *store;
    sqlite3_stmt *streams[ELSEWHERE_KINDS];
    int results[ELSEWHERE_KINDS]; /* of the last step of each */
    sqlite3_stmt *learner, *text, *groups;
    bool transaction; /* begun here */
    bool one_learner; /* only what is theirs is read */
};

/* One row. */
struct elsewhere_row {
    enum elsewhere_kind kind;
    struct uuid id, learner, session, device, boot; /* of an attempt: its session; zero: none */
    struct store_session is_session;
    struct store_attempt is_attempt; /* without its body */
    struct store_event is_event;
    bool open;         /* a session: an exam that is not handed in */
    struct uuid event; /* a session: its `handed-in` */
    const char *fault; /* what the row can't be, NULL: nothing */
};

/* All of it, or what is one learner's. elsewhere_close in any case. */
bool elsewhere_open(struct elsewhere *elsewhere, struct sqlite_store *store, const struct uuid *learner,
                    struct error *error);
void elsewhere_close(struct elsewhere *elsewhere);

/* 1: a row, 0: the end, −1: an error of the other store. */
int elsewhere_next(struct elsewhere *elsewhere, struct elsewhere_row *row, struct error *error);

/* 1, 0: there is none, −1: an error. Texts are valid until the next call. */
struct elsewhere_learner {
    const char *name, *login, *external_id;
    double time_factor;
    int plain;        /* enum roster_reading */
    struct uuid into; /* was merged into this one; zero: was not */
};
int elsewhere_learner(struct elsewhere *elsewhere, const struct uuid *id, struct elsewhere_learner *learner,
                      struct error *error);
/* The learner's groups one by one: 1 *name, 0 the end, −1 an error; `id` NULL goes on. */
int elsewhere_group(struct elsewhere *elsewhere, const struct uuid *id, const char **name,
                    struct error *error);
int elsewhere_text(struct elsewhere *elsewhere, const struct hash *content, struct store_text *text,
                   struct error *error);

#endif
