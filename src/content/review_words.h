/*
 * The words of a text: folded (NFKC, lower case), one after the other, with a hash of each. Ideographs are
 * words of their own; a hyphen or apostrophe inside a word belongs to it. The caller owns the room and uses
 * it again and again.
 */
#ifndef CONTENT_REVIEW_WORDS_H
#define CONTENT_REVIEW_WORDS_H

#include <quiztutor/buffer.h>
#include <stdint.h>

struct word {
    int start, length; /* bytes in the folded text */
    uint32_t hash;
    bool digits; /* a digit is in it */
};

struct words {
    struct buffer text; /* folded */
    struct word *items;
    ptrdiff_t count, capacity;
};

void words_init(struct words *words);
void words_finish(struct words *words);

/* The words of this text, in place of those before; false without memory. */
bool words_take(struct words *words, const char *text);

/* Bytes of the word that begins at `at` in any text, 0 if none does. */
ptrdiff_t words_length(const char *text, ptrdiff_t at);

const char *words_at(const struct words *words, ptrdiff_t place);
bool words_equal(const struct words *one, ptrdiff_t place, const struct words *other, ptrdiff_t other_place);
bool words_is(const struct words *words, ptrdiff_t place, const char *word);

/* A set of words, made from a text of them; lookups go by hash, then by the words themselves. */
enum { WORD_SET = 512 };
struct word_set {
    struct words words;
    short slots[WORD_SET]; /* place in words from 1; 0: free */
};

bool word_set_init(struct word_set *set, const char *words);
void word_set_finish(struct word_set *set);
bool word_set_has(const struct word_set *set, const struct words *words, ptrdiff_t place);

#endif
