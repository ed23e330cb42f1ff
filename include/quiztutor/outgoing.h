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
    struct outgoing_bytes groups; /* JSON list of names */
    int64_t seed, showing, hints, at, utc_offset_s, retried, plain;
    bool has_certainty, has_elapsed;
    int64_t certainty, elapsed_ms;
    double mark, marks, time_factor;
};

struct outgoing;

/* `since`: rows of the log with a greater seq. Opened `reading`; other processes may store meanwhile. */
bool outgoing_open(struct outgoing **outgoing, const char *path, int64_t since, struct error *error);
void outgoing_close(struct outgoing *outgoing);
/* 1: a row, 0: the end, −1: an error. */
int outgoing_step(struct outgoing *outgoing, struct outgoing_row *row, struct error *error);
void outgoing_store_id(const struct outgoing *outgoing, struct uuid *store_id);
int64_t outgoing_changes(const struct outgoing *outgoing); /* meta.log_changes: rows were erased or merged */
/* Rows of the log after `since`, for progress and for --status. */
bool outgoing_waiting(const char *path, int64_t since, int64_t *count, struct error *error);

#endif
