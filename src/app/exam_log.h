/*
 * What the store's log says of one exam, whatever its packs say today: its plan, the newest answer to each
 * question, its time. Enough to hand it in. Private to app.
 */
#ifndef QUIZTUTOR_EXAM_LOG_H
#define QUIZTUTOR_EXAM_LOG_H

#include <quiztutor/sitting.h>

struct exam_log_question {
    const char *pack, *question, *revision;
    double marks;
    struct hash content; /* as planned, or as answered */
    int section;

    bool answered;        /* there is an `answered` event; these are the newest one's: */
    const char *response; /* JSON as stored, NULL: left blank */
    const char *shown;    /* JSON or NULL */
    enum outcome outcome;
    double mark, share;
    int certainty;
    uint32_t seed;
    int64_t elapsed_ms, spent_ms, at;
    int utc_offset_s;
    bool flagged;

    bool handed_in; /* there is an attempt */
    struct uuid attempt;
};

struct exam_log {
    struct arena arena;
    struct exam_log_question *questions;
    int count;
    int newest; /* the question answered last, −1: none */
    int found;  /* the one looked up last */

    uint32_t seed;
    const char *options, *origin;
    int64_t started_at;
    int utc_offset_s;
    struct sitting_allowance allowance;
    struct exam_time time;
    bool certainty;
    double pass;

    int64_t last_at; /* ms since 1970 of the newest row, at least started_at */
    int64_t last_seq;
    bool handed_in, by_time; /* by_time: since its time was up */
    int64_t used_ms;
};

/* exam_log_finish is due either way. ERROR_NOT_FOUND where there is no such exam. */
bool exam_log_read(struct exam_log *log, struct store *store, const struct clock *clock,
                   const struct uuid *session, struct error *error);
void exam_log_finish(struct exam_log *log);

/* The one number at a path of a JSON text; `fallback` where there is none. */
double exam_log_number(struct store *store, const char *json, const char *path, double fallback);

/* Writes the body of an `answered` event: its members stand in the order that exam_log_read takes them in, so
 * further ones go to the end. */
struct exam_log_event {
    const char *pack;
    const struct showing *showing;
    const struct answer *answer;
    const struct verdict *verdict;
    const struct hash *content;
    int certainty;
    int64_t elapsed_ms, spent_ms;
    int utc_offset_s;
    bool has_boot;
    struct uuid boot;
    int64_t steady;
};
void exam_log_write(struct buffer *out, const struct exam_log_event *event);

/* The same of an answer as the log has it, for another session: without the moment of a clock, which would
 * count the time between the two. */
void exam_log_write_again(struct buffer *out, const struct exam_log_question *question);

/* Hands the exam `record` in. `by_time`: since its time is up; else only when the learner says so. True as
 * well where it was handed in before. */
bool exam_log_hand_in(struct store *store, const struct clock *clock, struct store_session *record,
                      bool by_time, struct error *error);

#endif
