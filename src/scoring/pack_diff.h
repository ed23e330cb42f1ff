/*
 * The parts of a comparison of packs: question by question, and the head. Private to scoring.
 */
#ifndef SCORING_PACK_DIFF_H
#define SCORING_PACK_DIFF_H

#include <quiztutor/pack_diff.h>

/* Whether two texts of which either may be absent are the same. */
bool diff_same_text(const char *one, const char *other);

/* Compares one->old with one->now, both there; fills what differs. False only without memory. */
bool diff_question(struct pack_diff *diff, struct pack_diff_question *one);

/* Whether the same is given and derived; either may be NULL. */
bool diff_same_parameters(const struct parameters *one, const struct parameters *other);

/* The head, and the sections. */
bool diff_head(struct pack_diff *diff);

#endif
