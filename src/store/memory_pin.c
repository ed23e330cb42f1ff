/* PINs and the tries at them in the store in memory: one row for whoever has either. */
#include "memory_pin.h"
#include "roster_private.h"

#include <string.h>

/* Who is there by this id, or was merged into who is; the tutor always is. */
static bool settle(const struct memory_store *store, struct uuid *id, struct error *error)
{
    for (ptrdiff_t i = 0; i < store->merged_count; i++)
        if (uuid_equal(&store->merged[i].was.id, id))
            *id = store->merged[i].into; /* who is there: merges lead there at once */
    for (ptrdiff_t i = 0; i < store->learner_count; i++)
        if (uuid_equal(&store->learners[i].id, id))
            return true;
    return uuid_is_zero(id) || roster_unknown(error);
}

static struct memory_pin *row_of(const struct memory_store *store, const struct uuid *who)
{
    for (ptrdiff_t i = 0; i < store->pin_count; i++)
        if (uuid_equal(&store->pins[i].who, who))
            return &store->pins[i];
    return NULL;
}

/* NULL without memory. */
static struct memory_pin *make_row(struct memory_store *store, const struct uuid *who, struct error *error)
{
    struct memory_pin *row = row_of(store, who);
    if (row)
        return row;
    if (!memory_grow(&store->pins, &store->pin_capacity, store->pin_count + 1, sizeof *store->pins)) {
        error_memory(error);
        return NULL;
    }
    row = &store->pins[store->pin_count++];
    *row = (struct memory_pin){ .who = *who, .set = uuid_is_zero(who) };
    return row;
}

static bool set(struct store *base, const struct uuid *learner, const char *kept, bool *was,
                struct error *error)
{
    struct memory_store *store = (struct memory_store *)base;
    struct uuid who = *learner;
    if (!settle(store, &who, error))
        return false;
    struct memory_pin *row = make_row(store, &who, error);
    if (!row)
        return false;
    *was = row->set;
    *row = (struct memory_pin){ .who = who, .set = kept != NULL };
    if (kept)
        strcpy(row->kept, kept); /* secret_make's, of at most SECRET_TEXT bytes */
    return true;
}

static bool look(struct store *base, const struct uuid *given, bool *is, struct pin_count *count,
                 struct error *error)
{
    struct memory_store *store = (struct memory_store *)base;
    struct uuid who = *given;
    if (!settle(store, &who, error))
        return false;
    const struct memory_pin *row = row_of(store, &who);
    *is = row ? row->set : uuid_is_zero(&who);
    *count = row ? row->count : (struct pin_count){ 0 };
    return true;
}

static bool count(struct store *base, const struct uuid *given, bool *is, bool *taken,
                  struct pin_count *count, char kept[static SECRET_TEXT], struct error *error)
{
    struct memory_store *store = (struct memory_store *)base;
    struct uuid who = *given;
    if (!look(base, &who, is, count, error) || !settle(store, &who, error))
        return false;
    *taken = *is && pin_count_left(count, &base->clock, &base->device) == 0;
    if (!*taken)
        return true;
    struct memory_pin *row = make_row(store, &who, error);
    if (!row)
        return false;
    pin_count_add(&row->count, &base->clock, &base->device, pin_longest(&who));
    *count = row->count;
    strcpy(kept, row->kept);
    return true;
}

static bool forget(struct store *base, const struct uuid *given, struct error *error)
{
    struct memory_store *store = (struct memory_store *)base;
    struct uuid who = *given;
    if (!settle(store, &who, error))
        return false;
    struct memory_pin *row = row_of(store, &who);
    if (row)
        row->count = (struct pin_count){ 0 };
    return true;
}

const struct pin_ops memory_pin_ops = { .set = set, .look = look, .count = count, .forget = forget };

/* Who remains keeps their own; the tries are the worse of both. */
void memory_move_pin(struct memory_store *store, const struct uuid *from, const struct uuid *into)
{
    struct memory_pin *one = row_of(store, from), *other = row_of(store, into);
    if (!one)
        return;
    if (!other) {
        one->who = *into;
        return;
    }
    if (!other->set && one->set) {
        other->set = true;
        strcpy(other->kept, one->kept);
    }
    if (pin_count_worse(&one->count, &other->count))
        other->count = one->count;
    memory_drop_pin(store, from);
}

void memory_drop_pin(struct memory_store *store, const struct uuid *learner)
{
    struct memory_pin *row = row_of(store, learner);
    if (row)
        *row = store->pins[--store->pin_count];
}
