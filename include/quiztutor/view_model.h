/*
 * View models: all that a front end knows of the domain, in plain texts and numbers. The presenter makes
 * them; the screens, the plain lines and JSON lines show them. Texts belong to the presenter and live until
 * the next model of the same kind is made. NULL is absent.
 */
#ifndef QUIZTUTOR_VIEW_MODEL_H
#define QUIZTUTOR_VIEW_MODEL_H

#include <stdbool.h>
#include <stdint.h>

enum { VIEW_CHOICES = 26 };

struct session_model {
    const char *session; /* UUID */
    const char *learner;
    uint32_t seed;
    const char *mode;
    const char *const *packs; /* ids */
    int pack_count;
    int questions;
    bool resumed;
};

struct question_model {
    const char *pack, *pack_title, *learner; /* id and title of the pack */
    const char *question, *type;             /* id; "single-choice", … */
    int number, of;                          /* place in the plan from 1; questions of the plan */
    int answered;                            /* questions with an answer, for the bar */
    bool again;                              /* a missed question's return */
    const char *prompt, *figure;
    int choice_count;
    const char *choices[VIEW_CHOICES]; /* as shown; "True", "False" translated for people */
    bool many;                         /* more than one may be picked */
    bool truth;                        /* true_false: no letters for choices but t and f */
    int hints_left;
    int hint_count; /* given so far at any showing */
    const char *const *hints;
    bool can_undo;
};

enum verdict_kind { VERDICT_RIGHT, VERDICT_PARTLY, VERDICT_WRONG, VERDICT_SKIPPED };

struct result_model {
    struct question_model question; /* as it was asked */
    enum verdict_kind verdict;
    double mark, marks;
    bool picked[VIEW_CHOICES], right[VIEW_CHOICES]; /* by place as shown */
    const char *attempt;                            /* UUID */
    const char *feedback, *explanation, *explanation_figure, *source;
    int response_count, answer_count;
    const char *response[VIEW_CHOICES], *answer[VIEW_CHOICES]; /* texts, in shown order */
    bool last;                                                 /* nothing is left to ask */
};

struct summary_topic {
    const char *name;
    int right, asked;
};
struct summary_miss {
    const char *prompt, *answer, *response; /* response NULL: skipped */
};
struct summary_model {
    const char *title, *learner;
    int asked, right, partly, wrong, skipped, first_try;
    double mark, marks;
    bool finished;
    int64_t elapsed_ms; /* time spent on questions in this run */
    int of;             /* questions of the plan, for the bar; 0: not known */
    int undone;
    int topic_count, miss_count;
    const struct summary_topic *topics; /* by tag */
    const struct summary_miss *misses;
};

struct library_row {
    const char *id, *title, *strapline, *description, *subject, *licence, *authors, *path;
    const char *problem; /* the pack does not load: why */
    int questions, seen,
        right; /* seen: questions answered at least once; right: of those, the last answer right */
    int due;
};
struct library_model {
    const char *learner;
    int count;
    const struct library_row *rows;
};

#endif
