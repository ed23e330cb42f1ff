/*
 * The fold that makes a schedule: the counted answers to one question by one learner, taken one by one in the
 * order of the log. What the store keeps of a question is always the fold of its answers, whether it was made
 * in one go or kept up from answer to answer. Pure.
 */
#ifndef QUIZTUTOR_STORE_FOLD_H
#define QUIZTUTOR_STORE_FOLD_H

#include <quiztutor/grade.h>
#include <quiztutor/store.h>

/* The newest grading of an answer: as it was answered, unless it was regraded since. */
struct grading {
    enum outcome outcome;
    double mark, marks;
    bool voided;
};
/* mark / marks within 0 and 1; where there are no marks, whether it is right. 0 where it was voided. */
double grading_share(const struct grading *grading);

/* What reports want of a question, by the newest grading. Schedules go by what the learner was told. */
struct summary {
    bool first; /* the first answer that counts was no replacement, and was not voided */
    enum outcome first_outcome;
    double first_share;
    int64_t first_at; /* of the first answer that counts, in any case */
    char first_revision[17];
    bool marked; /* there is an answer that was not voided */
    double best_share;
    int misses; /* wrong or partly */
    int given;  /* not left out */
    int64_t elapsed_ms;
    bool mastered; /* settled after the fold (schedule_mastered): it takes the question's chance of a guess */
};

struct fold {
    struct store_schedule is;
    struct summary summary;
    int64_t last_seq; /* of the newest answer taken, 0: none */
    double retention; /* wanted when the due day was reckoned, 0: nothing graded yet */
};

struct fold_rules {
    struct fsrs_parameters parameters;
    double retention;
    int day_starts;
};

/* One answer that counts. */
struct fold_answer {
    int64_t seq;
    enum outcome outcome;
    int certainty, hints, showing;
    bool helped; /* not the first showing, and an earlier answer of the session to the question was taken back
                  */
    bool retried;   /* the spelling was to be checked */
    int self_grade; /* of a card (fold_self_grade), else 0 */
    uint32_t seed;
    int64_t at;
    int utc_offset_s;
    const char *revision;
    struct hash content; /* zero: not known */
    struct grading graded;
    int64_t elapsed_ms; /* below 0: not known */
};

/* The grade that a stored response (NULL: none) gives a card, 1 to 4; 0 where it is no card's: no other
 * type's response is a bare number. */
int fold_self_grade(const char *response);

/* Whether the keys must be compared before this answer is taken: the question has changed since the last. */
bool fold_must_compare(const struct fold *fold, const struct fold_answer *answer);

/* Takes one more answer; `overturned`: the key was, so what was learnt starts anew. The answer's grade. */
enum grade fold_take(struct fold *fold, const struct fold_rules *rules, const char *pack_id,
                     const char *question_id, const struct fold_answer *answer, bool overturned);

/* Whether it can be mastered: only then does the chance of a guess matter. */
bool fold_may_be_mastered(const struct fold *fold);

/* The chance of a guess at a question as it was asked, by its body (NULL: not known, or none of a question,
 * which counts as true or false do). False without memory. */
bool fold_guess(const char *body, double *guess);

/* Whether there is anything to keep. */
bool fold_is_kept(const struct fold *fold);

/* To the last bit. */
bool fold_equal(const struct fold *one, const struct fold *other);

#endif
