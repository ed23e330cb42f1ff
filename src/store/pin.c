/* The interface: a try is counted first and looked at then, whoever keeps the count. */
#include "pin_private.h"

#include <quiztutor/message.h>
#include <string.h>

static const struct uuid code = { { 0 } };

static void tell(struct pin_state *state, bool set, const struct pin_count *count, const struct clock *clock,
                 const struct uuid *device)
{
    *state = (struct pin_state){ .set = set,
                                 .failures = count->failures,
                                 .left = count->failures < PIN_TRIES ? PIN_TRIES - count->failures : 1,
                                 .wait_ms = pin_count_left(count, clock, device) };
}

/* The id that stands for the tutor is no learner's. */
static bool is_learner(const struct uuid *learner, struct error *error)
{
    return !uuid_is_zero(learner) ||
           error_set(error, ERROR_NOT_FOUND, "%s", tr("this learner is not in the store"));
}

bool pin_set(struct store *store, const struct uuid *learner, const char *typed, ptrdiff_t length,
             struct error *error)
{
    char kept[SECRET_TEXT];
    bool was;
    bool done = is_learner(learner, error) && secret_make(kept, typed, length, PIN_SHORTEST, error) &&
                store->ops->pins->set(store, learner, kept, &was, error);
    secret_wipe(kept, sizeof kept);
    return done;
}

bool pin_clear(struct store *store, const struct uuid *learner, bool *was, struct error *error)
{
    bool own;
    return is_learner(learner, error) && store->ops->pins->set(store, learner, NULL, was ? was : &own, error);
}

static bool look(struct store *store, const struct uuid *who, struct pin_state *state, struct error *error)
{
    struct pin_count count = { 0 };
    bool set = false;
    memset(state, 0, sizeof *state);
    if (!store->ops->pins->look(store, who, &set, &count, error))
        return false;
    tell(state, set, &count, &store->clock, &store->device);
    return true;
}

bool pin_look(struct store *store, const struct uuid *learner, struct pin_state *state, struct error *error)
{
    return is_learner(learner, error) && look(store, learner, state, error);
}

/* What a try that was counted came to. A right one whose count can't be forgotten is right all the same. */
static bool settle(struct store *store, const struct uuid *who, const char *kept, const char *typed,
                   ptrdiff_t length, enum pin_outcome *outcome, struct pin_count *count, struct error *error)
{
    bool fits;
    *outcome = PIN_OUTCOME_WRONG;
    if (!secret_fits(kept, typed, length, &fits, error))
        return false;
    if (!fits)
        return true;
    *outcome = PIN_OUTCOME_RIGHT;
    if (store->ops->pins->forget(store, who, NULL))
        *count = (struct pin_count){ 0 };
    return true;
}

/* With `given`, the kept code, in place of what the store has. *counted: the store has counted it, or said
 * that none may be made. */
static bool try(struct store *store, const struct uuid *who, const char *given, const char *typed,
                ptrdiff_t length, bool *counted, enum pin_outcome *outcome, struct pin_state *state,
                struct error *error)
{
    struct pin_count count = { 0 };
    char kept[SECRET_TEXT] = "";
    bool set = false, taken = false;
    *counted = store->ops->pins->count(store, who, &set, &taken, &count, kept, error);
    bool done = *counted;
    *outcome = set ? PIN_OUTCOME_WAIT : PIN_OUTCOME_UNSET;
    if (done && taken)
        done = settle(store, who, given ? given : kept, typed, length, outcome, &count, error);
    secret_wipe(kept, sizeof kept);
    if (state && done)
        tell(state, set, &count, &store->clock, &store->device);
    return done;
}

bool pin_try(struct store *store, const struct uuid *learner, const char *typed, ptrdiff_t length,
             enum pin_outcome *outcome, struct pin_state *state, struct error *error)
{
    bool counted;
    return is_learner(learner, error) &&
           try(store, learner, NULL, typed, length, &counted, outcome, state, error);
}

bool pin_code_make(char text[static SECRET_TEXT], const char *typed, ptrdiff_t length, struct error *error)
{
    return secret_make(text, typed, length, PIN_CODE_SHORTEST, error);
}

bool pin_look_code(struct store *store, const struct clock *clock, const struct pin_count *here,
                   struct pin_state *state, struct error *error)
{
    struct pin_state own;
    if (store && !look(store, &code, state, error))
        return false;
    tell(&own, true, here, clock, &here->device);
    if (!store || own.wait_ms > state->wait_ms)
        *state = own;
    return true;
}

/* The same, counted by this process only. */
static bool try_here(const struct clock *clock, struct pin_count *here, const char *kept, const char *typed,
                     ptrdiff_t length, enum pin_outcome *outcome, struct error *error)
{
    const struct uuid device = here->device;
    bool fits;
    pin_count_add(here, clock, &device, PIN_CODE_WAIT_LONGEST);
    if (!secret_fits(kept, typed, length, &fits, error))
        return false;
    *outcome = fits ? PIN_OUTCOME_RIGHT : PIN_OUTCOME_WRONG;
    if (fits)
        *here = (struct pin_count){ 0 };
    return true;
}

bool pin_try_code(struct store *store, const struct clock *clock, struct pin_count *here, const char *kept,
                  const char *typed, ptrdiff_t length, enum pin_outcome *outcome, struct pin_state *state,
                  struct error *error)
{
    struct pin_state own;
    bool counted = false;
    *outcome = PIN_OUTCOME_WAIT;
    if (!pin_look_code(store, clock, here, &own, NULL))
        tell(&own, true, here, clock, &here->device);
    if (own.wait_ms > 0) {
        if (state)
            *state = own;
        return true;
    }
    bool done = store && try(store, &code, kept, typed, length, &counted, outcome, &own, error);
    if (!counted) {
        done = try_here(clock, here, kept, typed, length, outcome, error);
        tell(&own, true, here, clock, &here->device);
    } else if (done && *outcome == PIN_OUTCOME_RIGHT) {
        *here = (struct pin_count){ 0 };
    }
    if (state)
        *state = own;
    return done;
}
