/*
 * The ways of answering a question, one file each, as rows of a table: how the answer is laid out while it is
 * asked for and when it is told, and what keys do to it.
 */
#ifndef VIEW_WAY_H
#define VIEW_WAY_H

#include "page.h"

/* How much room an answer is laid out for. */
enum way_room {
    ROOM_AIRY,
    ROOM_CLOSE,
    ROOM_BARE, /* what a key brings into sight may be left out */
};

/* Lines of the flow that are kept in sight, and where the focus stands in it; line −1: nowhere. */
struct way_place {
    int begins, ends;
    int line, column;
    int pinned; /* lines at the top that stay while the others scroll */
};

/* Columns that all entries of an answer share when it is told, where they stand side by side. */
struct way_columns {
    int first, second; /* widest of each */
    bool beside;       /* both fit */
    bool words;        /* and so do "your answer", "right answer" at the right end of all that differ */
};

struct way {
    /* asked: the answer as it is now, and a word above it (NULL: none) */
    void (*lay)(struct flow *flow, const struct page *page, const struct question_model *question,
                enum way_room room, struct way_place *place);
    const char *(*note)(struct flow *flow, const struct page *page, const struct question_model *question);

    /* The view begins with what is kept of an exam's question, or with nothing; drops what was chosen. */
    void (*show)(struct view *view, const struct question_model *question);
    void (*clear)(struct view *view, const struct question_model *question);

    /* An action on the answer; `goes_on`: the key before was a digit. */
    void (*act)(struct view *view, const struct question_model *question, enum action action, int32_t key,
                bool goes_on);

    /* Puts the answer into the effect. False where there is none yet, or not surely: a flash says why.
     * `doubted`: the key before has said so. */
    bool (*take)(struct view *view, const struct question_model *question, bool doubted,
                 struct effect *effect);

    bool (*any)(const struct view *view, const struct question_model *question); /* something is chosen */
    bool (*kept)(const struct question_model *question); /* of an exam's question: it is not blank */
    bool (*changed)(const struct view *view, const struct question_model *question); /* from what is kept */

    /* told: entries from 0 on, each with sign and words; those that matter are shown where room is short.
     * `lines` 1: cut to what can't be done without, 0: whole */
    int (*count)(const struct result_model *result);
    bool (*matters)(const struct result_model *result, int i);
    void (*measure)(struct way_columns *columns, const struct page *page, const struct pane *pane,
                    const struct result_model *result); /* NULL: nothing to be measured */
    void (*tell)(struct flow *flow, const struct page *page, const struct pane *pane,
                 const struct result_model *result, const struct way_columns *columns, int i, int lines);
};

extern const struct way way_choices, way_field, way_order, way_match, way_recall;
const struct way *way_of(const struct question_model *question);

/* Letters go into the field of the question on the screen. */
bool way_types(const struct view *view);

/* A word that ends at `end` on the flow's last line, of which `used` columns from `indent` on are taken;
 * where both don't fit it stands on a line of its own, or is left out where `lines` is 1. */
void way_word(struct flow *flow, int indent, int used, int end, enum grid_role role, const char *word,
              int lines);

/* Text whole, or in one line that is cut; returns the columns used in the last line. */
int way_text(struct flow *flow, const struct page *page, int column, int width, enum grid_role role,
             const char *text, int lines);

/* "noted", "left blank" or "not noted yet" beside what is asked; NULL where it is none of these. */
const char *way_state(const struct page *page, const struct question_model *question);

/* The note above an answer: what to do, and its state in an exam. */
const char *way_note(struct flow *flow, const struct page *page, const struct question_model *question,
                     const char *what);

/* The place, from 0, that a digit names after a number (0: none) that it may go on; −1: none of `count`. */
int way_number(int before, int digit, int count);

/* What is longer than its room is read through before the cursor moves on; true: it was scrolled. */
bool way_reads(struct view *view, int step);

/* The words beside a choice: "your answer", "right answer"; NULL for one that does not matter. */
const char *choices_words(const struct result_model *result, int i);

#endif
