/*
 * Folding the log of some learners at the centre, in the transaction that is open, as SQLite's rebuild does:
 * the same functions decide. Learners come in an order of the server's choice, each one's answers by
 * question.
 */
#ifndef QUIZTUTOR_STORE_POSTGRES_FOLD_H
#define QUIZTUTOR_STORE_POSTGRES_FOLD_H

#include "postgres_sums.h"
#include "postgres_texts.h"
#include "tally.h"

/* A question of the learner being folded; its texts are in the arena. */
struct folded {
    const char *pack, *question;
    struct fold fold;
    int64_t regraded; /* of its answers that count */
};

struct folded_pack {
    const char *pack;
    struct summary_sums sums;
    struct summary_span span;
    int64_t sessions;
};

/* When an answer of theirs was given, and how far from UTC. */
struct folded_moment {
    int64_t at, seq;
    int utc_offset_s;
};

/* What is starred or suspended, by the newest event. */
struct folded_mark {
    struct uuid learner;
    const char *pack, *question; /* in the folding's arena of marks */
    bool star, on;
    ptrdiff_t place; /* of its event */
};

struct folding {
    struct postgres_store *store;
    struct postgres_rows *rows; /* the answers */
    struct postgres_sums sums;
    struct postgres_texts *texts;
    struct tally tally;
    struct fsrs_parameters parameters;
    struct arena arena, marks_arena;
    bool begun;
    struct uuid learner; /* being folded, and the question */
    const char *pack, *question;
    struct fold fold;
    int64_t regraded;
    struct fold_rules rules;
    struct summary_ids undone; /* sessions with an answer to it that was taken back */
    struct folded *questions;
    struct folded_pack *packs;
    struct folded_moment *moments;
    struct folded_mark *marks;
    ptrdiff_t question_count, question_capacity, pack_count, pack_capacity, moment_count, moment_capacity,
        mark_count, mark_capacity;
};

bool postgres_folding_init(struct folding *folding, struct postgres_store *store, struct error *error);
void postgres_folding_finish(struct folding *folding);
/* Folds the learners' answers and gathers their rows, writing them as they become many. */
bool postgres_folding_run(struct folding *folding, struct postgres_array *learners, struct error *error);

/* postgres_marks.c: reads them for these learners; takes those of a question, which then are gone; and makes
 * questions of those that are left (never answered). */
bool postgres_marks_read(struct folding *folding, struct postgres_array *learners, struct error *error);
void postgres_marks_take(struct folding *folding, const struct uuid *learner, const char *pack,
                         const char *question, struct store_schedule *is);
void postgres_marks_rest(struct folding *folding);

#endif
