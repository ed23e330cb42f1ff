/*
 * Where the parts of a pack's questions stand in its file, and what its comments allow: a second reading of a
 * file that has been found good, since loading needs neither.
 */
#ifndef CONTENT_REVIEW_OUTLINE_H
#define CONTENT_REVIEW_OUTLINE_H

#include "reader.h"

#include <quiztutor/memory.h>

/* Line 0: the question has no such part. */
struct review_spots {
    struct place start; /* of its mapping */
    struct place prompt, figure, explanation_figure, key;
    const struct place *choices; /* of their texts */
    int choice_count;
    uint32_t allowed; /* bits of the rules that comments switch off */
};

struct review_outline {
    struct place head; /* the key `questions` or `sections` */
    struct review_spots *questions;
    ptrdiff_t count, capacity;
    uint32_t allowed; /* in the whole file */
    bool failed;      /* no memory */
    struct arena arena;
};

/* Called for each word behind `check: allow`; the bit of a rule, 0 for what is none (and tells it). `length`
 * 0: there is no word; `word` NULL: there was something like "allow" instead. */
typedef uint32_t review_allow(void *context, const struct place *place, const char *word, ptrdiff_t length);

/* Reads the pack in a source that is all there. False without memory (outline->failed) or when it is not as a
 * pack should be; review_outline_finish either way. */
bool review_outline_read(struct review_outline *outline, struct source *source, const char *path,
                         review_allow *allow, void *context);
void review_outline_finish(struct review_outline *outline);

#endif
