/*
 * Whether a changed key overturns what was learnt: whether an answer that was right under the old key is
 * wrong under the new one. A mended typo, a new distractor or another explanation never does. Pure.
 *
 * A key here is what the store kept of a question as it was asked. A text that stands in one key only can be
 * one that was reworded, and is passed over.
 */
#ifndef QUIZTUTOR_KEY_CHANGE_H
#define QUIZTUTOR_KEY_CHANGE_H

#include <quiztutor/pack.h>

struct key_text {
    const char *text; /* the choice's id where it has one, else its text */
    bool right;
};

struct key {
    const char *type;             /* "single-choice", … */
    const struct key_text *texts; /* choices; accepted texts; a match's or an order's items joined in pairs */
    int count;
    const char *value; /* true_false: "true" or "false"; number: as the pack writes it; else NULL */
};

/*
 * Choices: overturned when a text that stands in both keys is right in one and wrong in the other. True or
 * false, number: when the value differs ("0.50" and "0.5" are one). Text: when an accepted text is no longer
 * accepted. A changed type overturns.
 */
bool key_overturned(const struct key *old, const struct key *now);

#endif
