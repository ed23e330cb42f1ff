/* What the parts of `quiztutor learner` share. */
#ifndef QUIZTUTOR_LEARNER_H
#define QUIZTUTOR_LEARNER_H

#include "command.h"

#include <quiztutor/roster.h>

/* Opens the store; `make` makes one where there is none. */
bool learner_open(const struct invocation *invocation, bool make, struct store **store, struct error *error);

/* The learner of a login or name, their texts in the arena; ERROR_NOT_FOUND names the nearest. */
bool learner_find(struct store *store, const char *name, struct arena *arena, struct store_learner *learner,
                  struct error *error);

/* The same for paper, which never makes a learner: ERROR_NOT_FOUND says who does. */
bool learner_find_paper(struct store *store, const char *name, struct arena *arena,
                        struct store_learner *learner, struct error *error);

/* A text of the store that may hold anything, fit to be shown, in the arena; "?" without memory. */
const char *learner_shown(struct arena *arena, const char *text);

/* Asks on a terminal; --yes is a yes. False without either. */
bool learner_asks(const struct invocation *invocation, const char *question, bool *agreed);

/* Asks on a terminal; --yes is a yes. Without either nothing is done: false with ERROR_USAGE's like words, or
 * without a word (ERROR_CLOSED) after a no. */
bool learner_agree(const struct invocation *invocation, const char *question, struct error *error);

/* Whether a line answers [y/N] with yes, in the locale's letter or in English. */
bool learner_says_yes(const char *line, ptrdiff_t length);

/* Only the options that a part takes may be given (up to OPTIONS). */
bool learner_takes(const struct invocation *invocation, const enum option_id *options, struct error *error);

#endif
