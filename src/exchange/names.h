/* Texts by which something is found again, in time that does not grow with their number: ids in use, titles
 * of sections. The texts are the caller's and must outlive the set. */
#ifndef EXCHANGE_NAMES_H
#define EXCHANGE_NAMES_H

#include <quiztutor/memory.h>
#include <stdint.h>

struct names {
    struct names_entry {
        const char *text; /* NULL: free */
        int value;
    } * entries;
    ptrdiff_t count, size; /* size: a power of two, or 0 */
    uint64_t seed;
};

void names_init(struct names *names);
void names_finish(struct names *names);

/* Value of the text, -1 where it is not in the set. */
int names_find(const struct names *names, const char *text);

/* Adds a text that is not in the set; false without memory. */
bool names_add(struct names *names, const char *text, int value);

/* Changes the value of a text that is. */
void names_set(struct names *names, const char *text, int value);

#endif
