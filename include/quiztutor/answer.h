/*
 * An answer by places in the pack, so that it means the same whatever order was shown; and the JSON that the
 * store keeps of it and of what was shown.
 */
#ifndef QUIZTUTOR_ANSWER_H
#define QUIZTUTOR_ANSWER_H

#include <quiztutor/showing.h>

struct answer {
    bool blank;
    uint32_t picks;                     /* bit p: the choice at place p of the pack is picked */
    bool truth;                         /* true_false */
    int self_grade;                     /* recall: 1 again, 2 hard, 3 good, 4 easy */
    unsigned char places[PACK_CHOICES]; /* order: places (from 1) of the items, as the learner put them;
                                         * match: of each left that of its right text, 0: left blank */
    const char *text; /* number, text: as typed, at most PACK_RESPONSE bytes, borrowed: session and exam keep
                       * copies of their own. NULL for other types */
};

/* {"choices":[3,1,2]}, {"items":[…]}, {"targets":[…]}, and "given":{…} of an instance. Writes nothing where
 * the type shows nothing in an order and there are no values. */
void answer_write_shown(struct buffer *out, const struct showing *showing);

/* [1,3]; true; "as typed"; [3,1,2]; recall: 1 to 4. Writes nothing for a blank answer (the store's NULL). */
void answer_write(struct buffer *out, const struct question *question, const struct answer *answer);

/* Back again; NULL is blank, so is what can't be of this type. Of a text the copy lives in the arena. False
 * only without memory. */
bool answer_read(struct answer *answer, enum question_type type, const char *json, struct arena *arena);

/* The number of a key in words for people, without its unit: as the pack writes it, or of a derived one as
 * many digits as tell it (6 where that many are right; 15 where it is to be `exact`). In the key or in
 * `room`.
 */
enum { ANSWER_NUMBER = 64 };
const char *answer_number(char room[static ANSWER_NUMBER], const struct question *question, bool exact);

#endif
