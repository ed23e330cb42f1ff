/* What the implementations of pin.h share: the table of operations, and how tries are counted. */
#ifndef QUIZTUTOR_STORE_PIN_PRIVATE_H
#define QUIZTUTOR_STORE_PIN_PRIVATE_H

#include "store_private.h"

#include <quiztutor/pin.h>

/* Whose: a learner's id, or zero: the tutor's code. Each call is one transaction. */
struct pin_ops {
    /* kept NULL: clears. *was: there was one. */
    bool (*set)(struct store *store, const struct uuid *learner, const char *kept, bool *was,
                struct error *error);
    bool (*look)(struct store *store, const struct uuid *who, bool *set, struct pin_count *count,
                 struct error *error);
    /* Counts a failure, unless none is set or it is too early: *taken tells. `kept` is the PIN then, of a
     * code empty. */
    bool (*count)(struct store *store, const struct uuid *who, bool *set, bool *taken,
                  struct pin_count *count, char kept[static SECRET_TEXT], struct error *error);
    bool (*forget)(struct store *store, const struct uuid *who, struct error *error);
};
extern const struct pin_ops sqlite_pin_ops, memory_pin_ops;
extern const struct pin_ops postgres_pin_ops; /* in the second program alone */

/* ms until the next try is taken. */
int64_t pin_count_left(const struct pin_count *count, const struct clock *clock, const struct uuid *device);

/* One more; `longest` wait in ms. */
void pin_count_add(struct pin_count *count, const struct clock *clock, const struct uuid *device,
                   int64_t longest);

int64_t pin_longest(const struct uuid *who); /* wait, ms */

/* The one of two counts that is worse for who guesses. */
bool pin_count_worse(const struct pin_count *one, const struct pin_count *other);

#endif
