/*
 * Reading the log for schedules: the answers to one question after the other, each question's in the order of
 * the log, taken back ones left out. It belongs to the caller, and its statement must not be stepped by
 * anyone else.
 */
#ifndef QUIZTUTOR_STORE_SQLITE_LOG_H
#define QUIZTUTOR_STORE_SQLITE_LOG_H

#include "sqlite_store.h"
#include "tally.h"

#include <quiztutor/buffer.h>

/* What is told of an attempt later. */
#define SQLITE_TOLD "kind IN ('undone', 'regraded', 'voided', 'accepted')"
/* The newest grading of an attempt, to be joined to it; but of one that was taken back the `undone` event: so
 * one look tells both. */
#define SQLITE_GRADING                                                                                       \
    " LEFT JOIN event AS grading INDEXED BY event_told ON grading.attempt_id = attempt.attempt_id AND"       \
    " grading." SQLITE_TOLD " AND grading.seq = (SELECT coalesce(max(iif(kind = 'undone', seq, NULL)),"      \
    " max(seq)) FROM event INDEXED BY event_told WHERE event.attempt_id = grading.attempt_id AND "           \
    "event." SQLITE_TOLD ")"
#define SQLITE_COUNTED "grading.kind IS NOT 'undone'"
/* The grading in either case. */
#define SQLITE_GRADING_ONLY                                                                                  \
    " LEFT JOIN event AS grading INDEXED BY event_told ON grading.attempt_id = attempt.attempt_id AND"       \
    " grading." SQLITE_TOLD " AND grading.seq = (SELECT max(seq) FROM event INDEXED BY event_told WHERE"     \
    " event.attempt_id = grading.attempt_id AND event." SQLITE_TOLD " AND event.kind <> 'undone')"
/* Most answers are graded once: for them no JSON is read. */
#define SQLITE_GRADE(body, outcome, mark, marks)                                                             \
    "CASE WHEN " body " IS NULL THEN " outcome " WHEN " body                                                 \
    " ->> '$.outcome' IN ('right', 'partly', 'wrong', 'omitted') THEN " body                                 \
    " ->> '$.outcome' ELSE " outcome " END, CASE WHEN " body " IS NOT NULL AND json_type(" body              \
    ", '$.mark') IN ('integer', 'real') THEN " body " ->> '$.mark' ELSE " mark " END, CASE WHEN " body       \
    " IS NOT NULL AND json_type(" body ", '$.marks') IN ('integer', 'real') THEN " body                      \
    " ->> '$.marks' ELSE " marks " END"
#define SQLITE_UNDONE                                                                                        \
    "EXISTS(SELECT 1 FROM event INDEXED BY event_undone WHERE event.attempt_id = attempt.attempt_id"         \
    " AND event.kind = 'undone')"

/* What every statement for it begins with. */
#define SQLITE_ANSWERS                                                                                       \
    "SELECT attempt.learner_id, pack_id, question_id, attempt.seq, attempt.session_id, outcome, certainty,"  \
    " hints, showing, seed, answered_at, attempt.utc_offset_s, revision, content, retried,"                  \
    " iif(response GLOB '[1-4]', response + 0, 0), grading.kind IS 'undone'"                                 \
    ", elapsed_ms, grading.kind, " SQLITE_GRADE(                                                             \
        "grading.body", "outcome", "mark",                                                                   \
        "marks") " FROM attempt INDEXED BY attempt_history" SQLITE_GRADING

/* Whether an event's body says what is starred or suspended. */
#define SQLITE_IS_MARK(body)                                                                                 \
    "json_type(" body ", '$.question[0]') = 'text' AND json_type(" body ", '$.question[1]') = 'text' AND"    \
    " json_type(" body ", '$.on') IN ('true', 'false')"
#define SQLITE_MARK                                                                                          \
    "SELECT ?1 ->> '$.question[0]', ?1 ->> '$.question[1]', ?1 ->> '$.on' WHERE " SQLITE_IS_MARK("?1")

struct sqlite_key {
    struct uuid learner;
    struct buffer pack, question;
};
void sqlite_key_init(struct sqlite_key *key);
void sqlite_key_finish(struct sqlite_key *key);
/* From the statement's first three columns; false without memory. */
bool sqlite_key_read(struct sqlite_key *key, sqlite3_stmt *statement);
/* As the index orders them: below 0, 0, above 0. */
int sqlite_key_compare(const struct sqlite_key *one, const struct sqlite_key *other);

struct sqlite_log {
    struct sqlite_store *store;
    sqlite3_stmt *statement;
    bool kept;             /* by the store: not to be finalized */
    int result;            /* of the last step */
    bool taken;            /* the row stood on was handed out */
    struct sqlite_key key; /* the question being read */
    struct uuid *undone;   /* sessions with an answer to it that was taken back */
    ptrdiff_t undone_count, undone_capacity;
    /* where sqlite_log_fold is to put what the answers come to; NULL: nowhere */
    struct summary_days *days;
    struct summary_ids *sessions;
    struct tally *tally;
};

/* All questions, or those of one learner; of one question. Close it whatever this returns. */
bool sqlite_log_open(struct sqlite_log *log, struct sqlite_store *store, const struct uuid *learner,
                     struct error *error);
bool sqlite_log_open_question(struct sqlite_log *log, struct sqlite_store *store, const struct uuid *learner,
                              const char *pack_id, const char *question_id, struct error *error);
void sqlite_log_close(struct sqlite_log *log);

/* The next question, then its next answer: 1 there is one, 0 none, −1 an error. Texts of an answer are valid
 * until the next step. */
int sqlite_log_question(struct sqlite_log *log, struct error *error);
int sqlite_log_answer(struct sqlite_log *log, struct fold_answer *answer, struct error *error);

/* Folds the question's answers into *fold. */
bool sqlite_log_fold(struct sqlite_log *log, const struct fold_rules *rules, struct fold *fold,
                     struct error *error);

#endif
