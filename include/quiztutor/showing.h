/*
 * A showing is a question as put before a learner once: the seed decides the order of its choices by the
 * published rule (PACK-FORMAT "Seeds"). Pure: equal pack, question and seed give equal showings on every
 * machine.
 */
#ifndef QUIZTUTOR_SHOWING_H
#define QUIZTUTOR_SHOWING_H

#include <quiztutor/derive.h>
#include <quiztutor/pack.h>
#include <quiztutor/random.h>

struct showing {
    const struct question *question; /* of a parametrised question an instance, in the arena given */
    uint32_t seed;
    int count; /* choices, items of an order or lefts of a match; 0 where the type has none */
    unsigned char places[PACK_CHOICES];  /* places[i]: place in the pack (from 0) of the i-th one as shown */
    int target_count;                    /* of a match: right texts */
    unsigned char targets[PACK_CHOICES]; /* likewise, of right texts */
};

/* The stream of a question (or of the pack's own order: question_id ""), from pack id, question id and seed.
 */
struct random_stream showing_stream(const char *pack_id, const char *question_id, uint32_t seed);

/* Fisher-Yates from the last index down over count ints. */
void showing_shuffle(struct random_stream *stream, int *items, int count);

/* A showing borrows the question, or an instance that lives in the arena (untouched for other questions). A
 * combination of values that can't be worked out is replaced by the first one, which the loader has tried.
 * False only without memory. */
bool showing_init(struct showing *showing, const struct pack *pack, const struct question *question,
                  uint32_t seed, struct arena *arena);

/* Seed of the k-th showing (from 1) in a session of `seed`: seed + k − 1, 1 stays 1, after 4,294,967,295
 * comes 2. */
uint32_t showing_seed(uint32_t seed, int showing);

/* Fills order[pack->question_count] with places of questions in the order that the seed asks them: sections
 * keep theirs, and each is shuffled for itself. */
void showing_question_order(const struct pack *pack, uint32_t seed, int *order);

/* Whether the section of the question at order[place] picks it. */
bool showing_is_picked(const struct pack *pack, const int *order, int place);

/* The same order, of those questions that each section's `pick` takes: its first ones. Returns how many;
 * order needs room for all of the pack's. */
int showing_picked_order(const struct pack *pack, uint32_t seed, int *order);

#endif
