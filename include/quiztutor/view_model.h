/*
 * View models: all that a front end knows of the domain, in plain texts and numbers. The presenter makes
 * them; the screens, the plain lines and JSON lines show them. Texts belong to the presenter and live until
 * the next model of the same kind is made. NULL is absent. Texts of a pack in light markup hold the bytes of
 * markup.h where they are meant for the screens, and none otherwise.
 */
#ifndef QUIZTUTOR_VIEW_MODEL_H
#define QUIZTUTOR_VIEW_MODEL_H

#include <stdbool.h>
#include <stdint.h>

enum { VIEW_CHOICES = 26 };

/* How a question is answered. */
enum answer_way {
    WAY_CHOICES, /* one or several are picked; true or false too */
    WAY_FIELD,   /* a number or a text is typed */
    WAY_ORDER,   /* items are put in order */
    WAY_MATCH,   /* each left gets one of the targets */
    WAY_RECALL,  /* the back of a card is turned up, and the learner grades it, 1 to 4 */
};

struct session_model {
    const char *session; /* UUID */
    const char *learner;
    uint32_t seed;
    const char *mode;
    const char *const *packs; /* ids */
    int pack_count;
    int questions;
    bool resumed;
    bool by_due;                              /* planned by what is due: the counts below are meant */
    int due, fresh, due_waiting, new_waiting; /* asked now: due and new ones; left for the days after */
    bool more_due;                            /* there are more due than were counted */
    bool limited;                             /* so many were asked for with --limit */
    int reset;         /* questions whose key was overturned: their schedules start anew */
    const char *until; /* "2026-12-18": planned towards that day; NULL: no day */
    int days, reachable, in_all, new_a_day, needed_a_day; /* struct until_plan; in_all: questions */
    double remembered;

    /* an exam */
    bool exam;
    double minutes;       /* the learner's own, 0: no limit */
    const char *deadline; /* "2026-11-30T14:05:00+01:00"; NULL: none */
};

struct question_model {
    const char *pack, *pack_title, *learner; /* id and title of the pack */
    const char *question, *type;             /* id; "single-choice", … */
    int number, of;                          /* place in the plan from 1; questions of the plan */
    int answered;                            /* questions with an answer, for the bar */
    bool again;                              /* a missed question's return */
    const char *prompt, *figure;
    enum answer_way way;
    int choice_count;                  /* choices; items of an order; lefts of a match */
    const char *choices[VIEW_CHOICES]; /* as shown; "True", "False" translated for people */
    int target_count;                  /* of a match: its right texts as shown */
    const char *targets[VIEW_CHOICES];
    bool numeric;            /* a number is typed, not a text */
    const char *unit;        /* behind the field */
    int significant_figures; /* asked for; 0: none */
    const char *back;        /* WAY_RECALL: the other side of the card */
    bool many;               /* more than one may be picked */
    bool truth;              /* true_false: no letters for choices but t and f */
    int hints_left;
    int hint_count; /* given so far at any showing */
    const char *const *hints;
    bool can_undo;
    bool certainty;                             /* asks how sure the learner is before the verdict */
    bool starred, suspended;                    /* marks of this learner on this question */
    const char *section, *intro, *intro_figure; /* of the section it belongs to; NULL: none */

    bool tried; /* by its author, in a preview: nothing is kept */

    /* an exam's question */
    bool exam;
    bool flagged;
    const char *time_left; /* "24 min left", "less than a minute left"; NULL: no limit */
    bool has_response;     /* answered before: given[] is what is kept, by place as shown */
    bool given[VIEW_CHOICES];
    const char *given_text;             /* WAY_FIELD */
    signed char given_at[VIEW_CHOICES]; /* WAY_ORDER: the item (as shown, from 0) put at each place;
                                           WAY_MATCH: the target of each left, -1: none */
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
    const char *response[VIEW_CHOICES]; /* texts: choices in shown order; what was typed, with its unit; items
                                         * in the order given; of each left its target, "" for none; of a card
                                         * the grade's word */
    const char *const *answer; /* texts: choices in shown order; the number; accepted texts; items in right
                                * order; of each left its target; the back of the card */
    signed char given_at[VIEW_CHOICES]; /* as the question's, for WAY_ORDER and WAY_MATCH */
    bool right_at[VIEW_CHOICES]; /* WAY_ORDER: of each place in the order given, whether its item belongs
                                  * there; WAY_MATCH: of each left, whether its target does */
    const char *note;            /* told beside the verdict: fewer figures than asked for */
    bool last;                   /* nothing is left to ask */
    int certainty;               /* as given, 1 to 3; 0: not asked */
    double certainty_mark;       /* −6 to 3, where certainty was given and earns one */
    const char *no_certainty;    /* why it earns none: "a hint was given"; NULL: it does */
    const char *comes_again;     /* "comes again in 4 days"; NULL where there is no schedule */
    int lapses;                  /* times forgotten, where help is offered now; else 0 */
    const char *due;             /* "2026-12-04": the day it comes again; NULL where there is no schedule */
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
    const char *next;       /* "Next: 3 come back tomorrow, 9 within the week."; NULL: nothing to say */
    int sure;               /* first answers with a certainty that earns its mark; 0: none */
    double certainty_marks; /* their sum; the most it could have been is 3 each */
};

/* An exam while it runs: the questions at a glance. */
struct overview_row {
    const char *prompt, *section; /* section: title of the one it belongs to, or NULL */
    bool answered, blank, flagged;
};
struct overview_model {
    const char *title, *learner;
    const char *time_left; /* as a question's */
    const char *extended;  /* "60 min, extended from 30"; NULL: as the pack says */
    int count, answered, open, flagged, blank;
    const struct overview_row *rows; /* in the order asked: row i is question i + 1 */
};

/* An exam handed in: the whole paper with its explanations. */
struct paper_section {
    const char *title;
    double mark, marks;
};
struct paper_model {
    const char *title, *learner;
    const char *note; /* "Time was up at 14:05.", or that questions left; NULL: nothing to say */
    double mark, marks;
    int right, partly, wrong, omitted;
    int gone; /* of those counted, questions that left their pack: there is no result to show of them;
               * where there are sections, these are the last one */
    bool has_pass, passed;
    double pass;        /* per cent */
    int64_t elapsed_ms; /* exam time used */
    int section_count;
    const struct paper_section *sections;
    int count;
    const struct result_model *results; /* in the order asked */
    int sure;                           /* as the summary's */
    double certainty_marks;
};

/* The learner's own screen. */
struct progress_day {
    const char *label;   /* "Mon 30 Nov", short */
    int answered, right; /* counted answers of that learning day */
    int minutes;         /* spent on them, rounded up */
    int due;             /* for coming days */
};
struct progress_topic {
    const char *name;
    int questions, seen, mastered;
};
enum { PROGRESS_DAYS = 14 };
struct progress_model {
    const char *learner;
    const char *next;    /* what to do next, one sentence */
    const char *command; /* and by which command, a sentence for lines; NULL: there is none to name */
    int due;             /* due now */
    int streak, longest; /* learning days in a row up to today or yesterday; the longest ever */
    int day_count;       /* of `past`: days back from today that are shown, oldest first */
    struct progress_day past[PROGRESS_DAYS];
    struct progress_day
        coming[PROGRESS_DAYS + 1]; /* today and the next 14 days; today's holds what is overdue */
    int topic_count;
    const struct progress_topic *topics; /* the least mastered first */
};

/* A pack as its author looks through it: a question with its key and all that is told of it, or what is wrong
 * with the file in its place. */
struct preview_fault {
    const char *place; /* "line 7, column 13"; NULL: of the file as a whole */
    const char *message, *hint;
    const char *source; /* the line, with nothing in it that could drive a terminal; NULL: none */
    int column;         /* of the caret under it, in columns from 0 */
};
struct preview_model {
    const char *file;                   /* its name */
    struct question_model question;     /* all hints are given; of a match given_at is the key */
    bool right[VIEW_CHOICES];           /* by place as shown */
    const char *feedback[VIEW_CHOICES]; /* for who chose it */
    const char *misconception[VIEW_CHOICES];
    const char *pin[VIEW_CHOICES]; /* "first", "last": it keeps its place; else NULL */
    int answer_count;              /* right answers, in words */
    const char *const *answer;
    int wrong_count; /* wrong responses that are listed: each with what is told of it, in words */
    const char *const *wrong;
    const char *values; /* of a parametrised question: "p = 4, m = 16 (1 of 12)" */
    const char *wrong_feedback, *wrong_misconception; /* the question's own, for who got it wrong */
    const char *explanation, *explanation_figure, *source;
    const char *facts; /* "2 marks, tags: moon; phases in line 22", one line */
    int warning_count; /* about this question */
    const struct preview_fault *warnings;
    int fault_count; /* above 0: these are shown in place of the question */
    const struct preview_fault *faults;
    int faults_more;  /* not among them */
    const char *note; /* what has become of the file, while the last of it is shown; NULL: nothing to say */
};

/*
 * A table of a report, as a tutor walks through it. Its facts, charts and notes are the report's; its rows
 * stand as the report has them. What the view works out of it once (how wide its columns are) and of what the
 * tutor asks for (which rows are shown, in which order) is kept in `work`, whose room belongs to who made the
 * model.
 */
struct table_cell {
    const char *text;    /* as people read it, without its unit; NULL: nothing to say, or not available */
    const char *why;     /* why it is not available; NULL: it is */
    const char *beside;  /* behind it where there is room: "(52–95)"; or NULL */
    const char *key;     /* a text's: what it is sorted and found by, folded; NULL: `number` is */
    double number;       /* what it is sorted by; NAN: none */
    const double *trend; /* a line of small bars beside it: values from 0 to 1, NAN for none */
    int trend_count;
    float bar;       /* 0 to 1, NAN: none */
    bool stands_out; /* to be looked at first */
};
struct table_column {
    const char *heading; /* with its unit: "right (%)" */
    bool right;          /* aligned */
    bool largest_first;  /* when it is first sorted by */
    int rank;            /* 0: always shown; higher ones go first where there is no room */
};
struct table_fact {
    const char *label, *text, *why; /* as a cell's, with its unit */
};
struct table_chart {
    const char *title;
    bool line;                 /* else bars */
    const char *const *labels; /* of each value */
    const char *const *texts;  /* as people read it, with its unit; NULL: none */
    const double *values;      /* 0 to 1 of the highest, NAN: none */
    int count;
};
struct table_width {
    int value, beside, trend; /* columns of the widest; 0: none */
    int heading;              /* that the heading needs, in two lines */
    bool bar, marked;         /* some cell has one, stands out */
};
struct table_work {
    int *order; /* room for row_count: the rows that are shown, in their order */
    int shown;
    struct table_width *widths; /* room for column_count */
};
struct table_model {
    const char *title, *subtitle; /* subtitle: whom and what it is about; or NULL */
    const char *name;             /* of this table, where there are several; or NULL */
    const char *empty;            /* why there are no rows */
    const char *file;             /* what an export could be called: "class.csv" */
    const char *opens_what;       /* what Enter does, in the footer: "learner"; NULL: no row opens anything */
    int depth;                    /* tables that lie behind it */
    int table, tables;            /* this one's number among the report's, from 0 */
    const char *const *others;    /* reports that the digits go to from anywhere */
    int other_count;
    int column_count, row_count, fact_count, chart_count, note_count;
    const struct table_column *columns;
    const struct table_cell *cells; /* row after row */
    const char *const *ids;         /* of each row: what it is found again by when the table is made anew */
    const char *const *opens;       /* of each row; NULL: nothing */
    const struct table_fact *facts;
    const struct table_chart *charts;
    const char *const *notes;
    struct table_work *work;
};

struct library_row {
    const char *id, *title, *strapline, *description, *subject, *licence, *authors, *path;
    const char *problem; /* the pack does not load: why */
    int questions, seen,
        right;    /* seen: questions answered, not merely left out; right: of those, the last answer right */
    int fresh;    /* not seen yet, suspended ones left out */
    int due;      /* now */
    int mastered; /* schedule_mastered */
    const char *exam;  /* it is an exam: "exam until 10:30"; NULL: to practise */
    const char *until; /* nothing due: "due Thursday", "due in 5 minutes"; else NULL */
};
struct library_model {
    const char *learner;
    int count;
    const struct library_row *rows;
};

/* A kiosk: what stands on every screen of it, and its own screens. */
struct kiosk_person {
    const char *name, *key; /* key: folded, what it is found by */
};
struct kiosk_choice {  /* a row of the tutor's menu */
    const char *text;  /* "Exam: A tour of quiztutor" */
    const char *state; /* "open, until 10:30"; NULL: nothing to say */
    const char *does;  /* the footer's word for Enter; NULL: it does nothing */
    const char *ask;   /* asked first, with this; NULL: done at once */
};
struct kiosk_model {
    const char *clock;   /* "14:05" */
    const char *learner; /* who is signed in; NULL: nobody */
    const char *banner;  /* a line above all that is shown; NULL: nothing to tell */
    const char *brief;   /* the same in 38 columns, for narrow windows; NULL: it is clipped there */
    int countdown;       /* seconds until who is signed in is signed out; 0: not counted down */

    const char *welcome; /* SCREEN_SIGN_IN; or NULL */
    int name_count;      /* the names that may be completed, by name */
    const struct kiosk_person *names;
    const char *secret_note; /* OVERLAY_PIN, OVERLAY_CODE: "wrong; 3 tries left"; NULL: nothing to say */
    const char *trouble;     /* SCREEN_CALL: what is wrong, some lines */
    int choice_count;        /* SCREEN_MENU */
    const struct kiosk_choice *choices;
};

#endif
