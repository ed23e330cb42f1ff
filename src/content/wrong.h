/*
 * Lists of known wrong responses: `wrong`, a list of mappings, and the `feedback` of a typed text, a mapping
 * from a response to what is told. Private to content.
 */
#ifndef CONTENT_WRONG_H
#define CONTENT_WRONG_H

#include "field.h"

/* Grows in the loader's arena. */
struct wrong_list {
    struct known_wrong *items;
    struct place *places; /* of the values */
    int count, capacity;
};

/* The target is a struct wrong_list; both add to it, and refuse a response that stands there already. */
field_read wrong_read;    /* value, feedback, misconception */
field_read feedback_read; /* response: what to tell */

/* The key of a mapping as a text of at most PACK_RESPONSE bytes; NULL when it is none, reported. */
const char *wrong_take_key(struct loader *loader, const char *name, const struct node *key);

#endif
