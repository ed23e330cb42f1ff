/*
 * Whether a changed key overturns what was learnt: whether an answer that was right under the old key is
 * wrong under the new one. A mended typo, a new distractor or another explanation never does. Pure.
 *
 * A key here is what the store kept of a question as it was asked. A text that stands in one key only can be
 * one that was reworded, and is passed over.
 */
#ifndef QUIZTUTOR_KEY_CHANGE_H
#define QUIZTUTOR_KEY_CHANGE_H

#include <quiztutor/memory.h>
#include <quiztutor/pack.h>

struct key_text {
    const char *text; /* the choice's id where it has one, else its text */
    bool right;
};

struct key {
    const char *type; /* "single-choice", … */
    /* Choices; accepted texts. Of an order every two items joined, right where the first comes first; of a
     * match every left joined with every right text, right where they belong together. */
    const struct key_text *texts;
    int count;
    unsigned ignore;   /* of a text: bits of enum text_ignore */
    const char *value; /* true_false: "true" or "false"; number: as the pack writes it; else NULL */
    const struct key_derived {
        const char *name, *expression;
    } * derived; /* of a parametrised question */
    int derived_count;
};

/*
 * Choices: overturned when a text that stands in both keys is right in one and wrong in the other; so are
 * orders and matches, when items that stand in both changed places or partners. True or false, number: when
 * the value differs ("0.50" and "0.5" are one). Text: when an accepted text would no longer be right. Any:
 * when a name is derived by another expression (white space aside), for what is right follows from it. A card
 * never is, since a mended back can't be told from another answer. A changed type overturns.
 */
bool key_overturned(const struct key *old, const struct key *now);

/* The texts of an order's items in their right order; of a match, whose pairs stand in two equally long
 * lists. Texts borrow the arena, and of accepted texts or choices the question. False without memory. */
bool key_of_order(struct key *key, const struct text_list *items, struct arena *arena);
bool key_of_match(struct key *key, const struct text_list *lefts, const struct text_list *rights,
                  const struct text_list *extra, struct arena *arena);

/* The key of a question as the pack has it; of an instance that of its origin. */
bool key_of_question(struct key *key, const struct question *question, struct arena *arena);

#endif
