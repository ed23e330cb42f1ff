/*
 * The screens: view_draw is a pure function from state to grid, view_update from state and input to state and
 * one effect, which the application performs. The view knows view models only. All texts it shows belong to
 * the models, except what is being typed, which is kept in the view itself.
 */
#ifndef QUIZTUTOR_VIEW_H
#define QUIZTUTOR_VIEW_H

#include <quiztutor/grid.h>
#include <quiztutor/input.h>
#include <quiztutor/view_model.h>

enum { VIEW_FIELD = 1001, VIEW_SMALLEST_ROWS = 12, VIEW_SMALLEST_COLUMNS = 40 };

enum sign_set { SIGNS_UNICODE, SIGNS_CONSOLE, SIGNS_ASCII };

enum screen {
    SCREEN_HOME,
    SCREEN_QUESTION, /* of a practice or an exam */
    SCREEN_RESULT,
    SCREEN_SUMMARY,
    SCREEN_OVERVIEW, /* an exam's questions at a glance */
    SCREEN_PAPER,    /* an exam handed in, with its explanations */
    SCREEN_PROGRESS, /* the learner's own screen */
    SCREEN_PREVIEW,  /* a question with its key, for authors */
    SCREEN_TABLE,    /* a table of a report, for tutors */
    SCREEN_SIGN_IN,  /* kiosk: who is it? */
    SCREEN_CALL,     /* kiosk: call your tutor, and why */
    SCREEN_MENU,     /* kiosk: a tutor's menu */
};

/* What lies over the screen until it is answered. */
enum overlay {
    OVERLAY_NONE,
    OVERLAY_KEYS,       /* all keys of the screen, from the action table */
    OVERLAY_FINISH,     /* finish here? */
    OVERLAY_REPORT,     /* a line about what is wrong with the question */
    OVERLAY_LEARNER,    /* whose session this is: a name is typed */
    OVERLAY_FILTER,     /* home: typed letters filter the list */
    OVERLAY_ABOUT,      /* home: the pack's own page */
    OVERLAY_NOT_STORED, /* the answer could not be stored: try again or leave */
    OVERLAY_NOTICE,     /* one message, any of Enter, Space, Escape closes it */
    OVERLAY_NOTHING,    /* nothing to ask, as notice says: practise anyway? */
    OVERLAY_RESUME,     /* go on with the unfinished session, or start anew */
    OVERLAY_CERTAINTY,  /* how sure: 1, 2 or 3; Escape goes back to the choices, which stay picked */
    OVERLAY_HAND_IN,    /* hand the exam in? says what is open and flagged; or leave it open */
    OVERLAY_EXAM,   /* begin the exam? says questions, minutes and rules (resume_note), before time runs */
    OVERLAY_EXPORT, /* table: the file it is to be written to is typed */
    OVERLAY_NOTES,  /* table: how its figures were made */
    OVERLAY_ROW,    /* table: all of the row under the cursor, whatever has room in the table */
    OVERLAY_PIN,    /* kiosk: a learner's PIN is typed, unseen */
    OVERLAY_CODE,   /* kiosk: likewise a tutor's code */
    OVERLAY_ASK,    /* kiosk: whether what the menu's row does is meant */
    OVERLAY_IDLE,   /* kiosk: nobody has typed for long; lies over everything (kiosk_model.countdown) */
};

enum effect_kind {
    EFFECT_NONE,
    EFFECT_ANSWER, /* the answer, in the member that the question's way names, by places as shown; certainty,
                    * where the question asks. What was typed stays in the field: where it can't be read, or
                    * its spelling is to be checked, the application says so by view_remark */
    EFFECT_READ,   /* WAY_FIELD, where certainty is asked: the same before it is; the application opens
                    * OVERLAY_CERTAINTY where what was typed can be read, else says so by view_remark */
    EFFECT_NEXT,   /* leave the explanation */
    EFFECT_HINT,
    EFFECT_SKIP,
    EFFECT_UNDO,
    EFFECT_REPORT,   /* field holds the line, may be empty */
    EFFECT_FINISH,   /* to the summary */
    EFFECT_RETRY,    /* store again; the overlay is closed: open it again if that fails */
    EFFECT_GIVE_UP,  /* leave although the answer is not stored */
    EFFECT_PRACTISE, /* home: the pack at `row` */
    EFFECT_ANYWAY,   /* OVERLAY_NOTHING: all questions of those packs */
    EFFECT_MISSES,   /* summary: practise the misses again */
    EFFECT_HOME,
    EFFECT_LEARNER, /* field holds the name */
    EFFECT_RESUME,
    EFFECT_RESTART,
    EFFECT_QUIT,
    EFFECT_STAR,             /* star the question, or take the star off again */
    EFFECT_SUSPEND_QUESTION, /* suspend it, or take that back */
    EFFECT_PROGRESS,         /* to the learner's own screen */
    EFFECT_FLAG,             /* exam: flag the question (overview: the one at `row`), or take the flag off */
    EFFECT_BLANK,            /* exam: leave the question blank; nothing is picked any more */
    EFFECT_GO,               /* exam: to the question at `row` */
    EFFECT_OVERVIEW,         /* exam */
    EFFECT_HAND_IN,          /* exam: hand it in */
    EFFECT_LEAVE_EXAM,       /* exam: leave, it stays open until its time is up */
    EFFECT_BEGIN_EXAM,
    EFFECT_BACK,    /* from SCREEN_PROGRESS to where it was opened; from a question that is tried */
    EFFECT_TRY,     /* SCREEN_PREVIEW: ask the question as learners are asked; its own GO is EFFECT_GO */
    EFFECT_OPEN,    /* SCREEN_TABLE: what the row of the model opens */
    EFFECT_TABLE,   /* SCREEN_TABLE: another table of the report, by its number */
    EFFECT_SEE,     /* SCREEN_TABLE: another report, by its place among the model's others */
    EFFECT_EXPORT,  /* SCREEN_TABLE: what is shown, to the file named in text */
    EFFECT_REFRESH, /* SCREEN_TABLE: make it anew */
    EFFECT_SIGN_IN, /* kiosk: as who is named in text */
    EFFECT_PIN,     /* kiosk: what was typed, in text; the overlay stays, wipe it by view_wipe */
    EFFECT_CODE,    /* likewise */
    EFFECT_CHOOSE,  /* SCREEN_MENU: what the row does */
    EFFECT_LARGE,   /* SCREEN_SIGN_IN: everything larger, or as before */
    EFFECT_LINES,   /* SCREEN_SIGN_IN: line by line from now on */
    EFFECT_STAY,    /* kiosk: a key while it was counted down; there is nothing to do */
    EFFECT_SUSPEND, /* ^Z */
    EFFECT_REDRAW,  /* ^L */
};

struct effect {
    enum effect_kind kind;
    int row; /* EFFECT_PRACTISE, EFFECT_GO, EFFECT_FLAG, EFFECT_OPEN, EFFECT_CHOOSE: place in the model's
              * rows */
    int certainty;                /* EFFECT_ANSWER: 1 to 3, 0 where it was not asked */
    bool picked[VIEW_CHOICES];    /* EFFECT_ANSWER, WAY_CHOICES */
    signed char at[VIEW_CHOICES]; /* EFFECT_ANSWER, WAY_ORDER and WAY_MATCH: as question_model.given_at */
    int grade;                    /* EFFECT_ANSWER, WAY_RECALL: 1 to 4 */
    const char *text; /* EFFECT_ANSWER and EFFECT_READ of WAY_FIELD, EFFECT_REPORT, EFFECT_LEARNER,
                       * EFFECT_EXPORT, EFFECT_SIGN_IN, EFFECT_PIN, EFFECT_CODE: in the view, until the next
                       * update */
};

/* Where a tutor stands in a table, and what they asked of it. */
struct table_place {
    int cursor, scroll;      /* among the rows that are shown */
    int column;              /* under the cursor */
    int sort;                /* the column that rows are sorted by; −1: as the report has them */
    bool reversed;           /* the other way round */
    char filter[VIEW_FIELD]; /* rows with a text that holds this; "": all */
};

struct view {
    enum screen screen;
    enum overlay overlay;
    enum sign_set signs;
    int rows, columns;
    const struct library_model *library;   /* set for SCREEN_HOME */
    const struct question_model *question; /* SCREEN_QUESTION */
    const struct result_model *result;     /* SCREEN_RESULT */
    const struct summary_model *summary;   /* SCREEN_SUMMARY */
    const struct overview_model *overview; /* SCREEN_OVERVIEW, and OVERLAY_HAND_IN */
    const struct paper_model *paper;       /* SCREEN_PAPER */
    const struct progress_model *progress; /* SCREEN_PROGRESS */
    const struct preview_model *preview;   /* SCREEN_PREVIEW */
    const struct table_model *table;       /* SCREEN_TABLE */
    bool exams;                            /* SCREEN_HOME is there to begin exams */
    const struct kiosk_model *kiosk;       /* all screens of a kiosk; NULL elsewhere */
    bool large;              /* for who can't read small print: lines wide apart and short, nothing faint */
    const char *notice;      /* OVERLAY_NOTICE, OVERLAY_NOTHING, OVERLAY_NOT_STORED: what to say */
    const char *at_stake;    /* OVERLAY_NOT_STORED: what leaving means, a sentence or two; NULL: an answer
                              * is lost */
    const char *resume_note; /* OVERLAY_RESUME: "3 of 12 answered, begun on 2026-11-30 at 14:05";
                              * OVERLAY_EXAM: questions, minutes and rules */

    /* the view's own state; view_show resets it */
    int cursor;      /* choice or row under the cursor; SCREEN_PAPER: the question gone to, from 1; 0: none;
                      * SCREEN_SIGN_IN: a name's place from 1; 0: none */
    int home_cursor; /* the home screen's, kept while other screens are shown */
    int exam_row;    /* an exam's question shown last: where the overview's cursor begins */
    bool picked[VIEW_CHOICES];    /* on an exam's question that has a response they begin as given[] */
    signed char at[VIEW_CHOICES]; /* WAY_ORDER, WAY_MATCH: as question_model.given_at */
    int lifted;         /* WAY_ORDER: the place that the item under the cursor was lifted from; WAY_MATCH:
                           the target under the cursor while that is among them; -1: neither */
    bool put;           /* WAY_ORDER: the digit typed last put the item under the cursor at its place */
    bool doubted;       /* WAY_ORDER, WAY_MATCH: Enter said that nothing was moved, or that lefts are
                           without a target; again answers */
    bool revealed;      /* WAY_RECALL: the back is up; its grade is picked[grade - 1] */
    bool left_field;    /* WAY_FIELD: Escape left it, letters are keys until it is entered again */
    const char *remark; /* below the field, until the next key: why it can't be read, check the spelling */
    int certainty;      /* OVERLAY_CERTAINTY: 1 to 3 as chosen, 0: not yet */
    bool warned;        /* an exam's answer that is not noted: said once before it is left */
    bool placed;        /* a question below a long section's text was scrolled into sight once */
    bool reading;       /* that text is being read: the choices leave it most of the room */
    bool typed_digit;   /* the last key extended a number: 1, 2 → 12 */
    bool confirm;       /* OVERLAY_NOT_STORED: leaving was asked for once */
    enum overlay below; /* OVERLAY_CODE: what lies below it, and comes back when it is closed */
    int scroll, side_scroll; /* rows of the part that scrolls, columns of a figure; drawing clamps them */
    int choice_scroll;       /* rows of the choices, where they don't fit: follows the cursor */
    int overlay_scroll;
    int hints_shown;   /* a hint that is new is scrolled into sight once */
    const char *flash; /* a word on the last key, in the lower rule until the next one; static or NULL */
    char field[VIEW_FIELD];
    int field_length, field_cursor; /* bytes */
    char kept[VIEW_FIELD];          /* while a line is typed over a WAY_FIELD question, or a name: that */
    bool keeps;
    int kept_cursor;
    char filter[VIEW_FIELD];  /* home: what the list is filtered by */
    struct table_place place; /* SCREEN_TABLE */

    /* what the last drawing measured, for scrolling by what is seen: how far things can scroll, rows of a
     * page */
    int scroll_range, side_range, scroll_page;
    int choice_above, choice_below, choice_page; /* hidden rows of the choice under the cursor */
    int overlay_range, overlay_page;
};

void view_init(struct view *view, enum sign_set signs, int rows, int columns);

/* Goes to a screen (its model must be set) and forgets selection and scroll. The home screen keeps its
 * cursor. What changes a model only (a star, a flag, the time left) needs no showing again. */
void view_show(struct view *view, enum screen screen);
void view_open(struct view *view, enum overlay overlay);
void view_close(struct view *view); /* the overlay; what was typed below it comes back */

/* Whether something waits to be stored: OVERLAY_NOT_STORED, also below a tutor's code. */
bool view_unstored(const struct view *view);

/* Forgets what is typed, and leaves nothing of it in memory. */
void view_wipe(struct view *view);

/*
 * Tables. A model is measured once, before anything else. view_table_arrange works out which of its rows are
 * shown at a place, in which order, and keeps cursor and column among them; for rows that are equal the
 * report's order stands, and what has no value comes last either way. view_table_row is the model's row under
 * the cursor, −1 where none is shown. view_table_find arranges, then puts the cursor on the row of this id at
 * the same height of the window; where there is none it stays at its place.
 */
void view_table_measure(const struct table_model *model);
void view_table_arrange(const struct table_model *model, struct table_place *place);
int view_table_row(const struct table_model *model, const struct table_place *place);
void view_table_find(const struct table_model *model, struct table_place *place, const char *id);
extern const struct table_place view_table_top; /* where one begins */

/* Shows a table that was measured, at this place. What lies over it stays where `anew` says that it is the
 * same one, made anew. */
void view_show_table(struct view *view, const struct table_model *model, const struct table_place *place,
                     bool anew);

/* A word on what was answered, shown where it was answered; the answer stays as it is, to be mended. The text
 * must live until the next input. */
void view_remark(struct view *view, const char *remark);

void view_draw(struct view *view, struct grid *grid); /* clamps scroll, sets the focus */
void view_update(struct view *view, const struct input *input, struct effect *effect);

/* Actions: rows of one const table, the source of what keys do, of footers, the `?` page and the man page's
 * key list. */
enum action {
    ACTION_NONE,
    ACTION_NUMBER, /* a digit of a choice's number */
    ACTION_LETTER, /* a choice's letter, where few choices are shown */
    ACTION_TRUE,
    ACTION_FALSE,
    ACTION_UP,
    ACTION_DOWN,
    ACTION_FIRST,
    ACTION_LAST,
    ACTION_TOGGLE,
    ACTION_ANSWER,
    ACTION_EDIT, /* a key that the field takes itself */
    ACTION_ENTER_FIELD,
    ACTION_LEAVE_FIELD,
    ACTION_LIFT,
    ACTION_PUT_DOWN,
    ACTION_PUT_BACK,
    ACTION_CARRY_UP,
    ACTION_CARRY_DOWN,
    ACTION_TARGETS, /* from a left to the targets */
    ACTION_TAKE,    /* the target under the cursor */
    ACTION_LEAVE_TARGETS,
    ACTION_UNMATCH,
    ACTION_TURN,
    ACTION_NEXT,
    ACTION_HINT,
    ACTION_SKIP,
    ACTION_UNDO,
    ACTION_REPORT,
    ACTION_KEYS,
    ACTION_FINISH,
    ACTION_PAGE_UP,
    ACTION_PAGE_DOWN,
    ACTION_LEFT,
    ACTION_RIGHT,
    ACTION_PRACTISE,
    ACTION_FILTER,
    ACTION_CLEAR,
    ACTION_ABOUT,
    ACTION_LEARNER,
    ACTION_MISSES,
    ACTION_HOME,
    ACTION_QUIT,
    ACTION_YES,
    ACTION_CLOSE,
    ACTION_SEND,
    ACTION_RETRY,
    ACTION_GIVE_UP,
    ACTION_ANYWAY,
    ACTION_RESUME,
    ACTION_RESTART,
    ACTION_STAR,
    ACTION_SUSPEND_QUESTION,
    ACTION_PROGRESS,
    ACTION_BACK,
    ACTION_SURE, /* 1, 2 or 3 */
    ACTION_NEXT_QUESTION,
    ACTION_PREVIOUS_QUESTION,
    ACTION_NEXT_MISSED,
    ACTION_OVERVIEW,
    ACTION_FLAG,
    ACTION_BLANK,
    ACTION_GO,
    ACTION_RETURN, /* from the overview to the question shown last */
    ACTION_ASK_HAND_IN,
    ACTION_LEAVE_EXAM,
    ACTION_BEGIN_EXAM,
    ACTION_TRY,
    ACTION_OPEN, /* what the row under the cursor opens */
    ACTION_SORT_LEFT,
    ACTION_SORT_RIGHT,
    ACTION_REVERSE,
    ACTION_NEXT_TABLE,
    ACTION_SEE, /* a digit of another report */
    ACTION_EXPORT,
    ACTION_REFRESH,
    ACTION_NOTES,
    ACTION_ROW,
    ACTION_SIGN_IN,
    ACTION_COMPLETE, /* the name that is meant into the field */
    ACTION_TUTOR,    /* a tutor's code is asked */
    ACTION_LARGE,    /* sign-in: larger, or as before */
    ACTION_LINES,    /* sign-in: line by line */
    ACTION_CHOOSE,   /* what the menu's row does */
    ACTION_SUSPEND,
    ACTION_REDRAW,
};

enum { ACTION_BINDINGS = 8 };

struct action_binding {
    int32_t key; /* a code point or enum input_key; 0 ends the list */
    enum action action;
};

struct action_row {
    const char *name;   /* "hint" */
    const char *keys;   /* N_(): as shown: "h" or "↑ ↓" */
    const char *help;   /* N_(): "hint" in the footer */
    const char *longer; /* N_(): one sentence for the key page and the manual */
    unsigned screens;   /* 1 << enum screen: where it works with nothing over the screen */
    unsigned overlays;  /* 1 << enum overlay: where it works over any screen */
    int rank;           /* 0: not in the footer; else low ranks stay longest where room is short */
    struct action_binding bindings[ACTION_BINDINGS];
    bool (*works)(const struct view *view); /* whether it can do something now; NULL: always */
};
extern const struct action_row action_rows[];

/* Whether a kiosk lets this be done at all: a list of what is, so that what comes later is not. */
bool action_in_kiosk(enum action action);

extern const int action_row_count;

#endif
