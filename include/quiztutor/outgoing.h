/*
 * Rows of a store as they are sent to a central one: in an order in which each only needs earlier ones. First
 * the learners (all of them: few), then the log after a mark by seq, each session, attempt and event; the
 * text of a question right before the first attempt of this reading that names it. The store is only read.
 */
#ifndef QUIZTUTOR_OUTGOING_H
#define QUIZTUTOR_OUTGOING_H

#include <quiztutor/store.h>

enum outgoing_kind { OUTGOING_LEARNER, OUTGOING_TEXT, OUTGOING_SESSION, OUTGOING_ATTEMPT, OUTGOING_EVENT };

/* Bytes as the store has them, NUL or bad UTF-8 included: the server judges. data NULL: null. */
struct outgoing_bytes {
    const void *data;
    ptrdiff_t length;
};

/* What a kind has not is zero or null. Lives until the next step. */
struct outgoing_row {
    enum outgoing_kind kind;
    int64_t seq; /* of the log; 0 of a learner or a text */
    struct uuid id, session, attempt, learner, device, boot, merged_into; /* zero: null */
    struct outgoing_bytes word;                                           /* kind of a session or an event */
    struct outgoing_bytes pack, question, revision, content, shown, response, outcome, origin;
    struct outgoing_bytes options, plan, body;
    struct outgoing_bytes name, name_key, login, external_id;
    struct outgoing_bytes groups; /* JSON [[key, name],…] */
    int64_t seed, showing, hints, at, utc_offset_s, retried, plain;
    bool has_certainty, has_elapsed;
    int64_t certainty, elapsed_ms;
    double mark, marks, time_factor;
};

struct outgoing;

/* `since`: rows of the log with a greater seq. Opened `reading`; other processes may store meanwhile, and
 * never wait for this one: nothing of the store is held between two steps. */
bool outgoing_open(struct outgoing **outgoing, const char *path, int64_t since, struct error *error);
void outgoing_close(struct outgoing *outgoing); /* NULL is fine */
/* Begins anew, with the learners, and the log after `since`. */
void outgoing_start(struct outgoing *outgoing, int64_t since);
/* 1: a row, 0: the end, −1: an error. */
int outgoing_step(struct outgoing *outgoing, struct outgoing_row *row, struct error *error);
void outgoing_store_id(const struct outgoing *outgoing, struct uuid *store_id);
/* A number that stands for the log up to seq: it is another one once rows were erased or merged
 * before the reading began (meta.log_changes), or once the row of that number is another, or gone, as in a
 * store that was mended or brought back from a backup. Then what was sent up to there says nothing of what is
 * to be sent. */
bool outgoing_changes(struct outgoing *outgoing, int64_t seq, int64_t *changes, struct error *error);
/* Rows of the log after `since`, for progress and for --status. */
bool outgoing_count(struct outgoing *outgoing, int64_t since, int64_t *count, struct error *error);
bool outgoing_waiting(const char *path, int64_t since, int64_t *count, struct error *error);

#endif
