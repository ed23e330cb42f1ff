/*
 * A question out of what the store keeps of it (question_body): as it was asked then, whatever today's file
 * says. So an answer of long ago is marked, and put into words, by what its learner saw.
 */
#ifndef QUIZTUTOR_BODY_H
#define QUIZTUTOR_BODY_H

#include <quiztutor/pack.h>

/*
 * Makes the question of a body; its texts live in the arena. It has no id, no hints and no feedback, and
 * takes decimal commas, since what was typed was taken then. `*is` is false where the body is none of a
 * question (the question is then a card without a back). False only without memory.
 */
bool body_read(struct question *question, const char *json, struct arena *arena, bool *is);

#endif
