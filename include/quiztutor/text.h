/*
 * Text is UTF-8, NUL-terminated unless a length is given. This header knows code points, graphemes, columns
 * on a terminal, the normal forms (by utf8proc), and which characters content may not hold.
 */
#ifndef QUIZTUTOR_TEXT_H
#define QUIZTUTOR_TEXT_H

#include <quiztutor/buffer.h>
#include <quiztutor/memory.h>
#include <stdint.h>

#define TEXT_BAD (-1) /* what text_decode says of bytes that are not UTF-8 */

/* Decodes one code point at text[0..length); returns its bytes (1 for a bad byte, with *code = TEXT_BAD). */
int text_decode(const char *text, ptrdiff_t length, int32_t *code);

/* Appends one code point as UTF-8 (U+FFFD for what is none). */
void text_encode(struct buffer *out, int32_t code);

/* True for a code point that content may not hold (PACK-FORMAT "Characters"), TAB and LF being allowed. */
bool text_forbidden(int32_t code);

/* Name of the character for messages: "U+202E (bidirectional control)". Writes at most size bytes. */
void text_name_code(char *name, ptrdiff_t size, int32_t code);

/*
 * Columns of a code point: 0 for combining, 2 for wide, 1 otherwise; a character that wcwidth does not know
 * counts 1, since it is shown as U+FFFD.
 */
int text_code_width(int32_t code);

/*
 * Bytes of what fills the first cell of text[0..length): one code point and the zero-width ones that follow
 * it, as terminals count; its columns are 0 to 2. 0 at the end. A cell never splits a grapheme's combining
 * marks from their base; an emoji joined of several wide ones takes a cell for each.
 */
ptrdiff_t text_cell(const char *text, ptrdiff_t length, int *columns);

/* Columns of a whole text (up to its NUL), and its number of extended grapheme clusters. */
int text_columns(const char *text);
int text_graphemes(const char *text);

/* NFC, and NFKC with case folding; heap copies (memory_free), NULL without memory or on bad UTF-8. */
char *text_nfc(const char *text);
char *text_fold(const char *text);

/* NFC of any bytes without the heap, for what must not be left there: `space` then begins with the UTF-8,
 * NUL-terminated. Returns its bytes and how many code points these are, −1 for what is not UTF-8 or needs
 * more than `room` places (at most four for a code point, and one). */
ptrdiff_t text_nfc_within(int32_t *space, int room, const char *text, ptrdiff_t length, int *characters);

/* The letters alone: NFKD with case folding, without the marks on them ("Übung" gives "ubung"). As above. */
char *text_unaccented(const char *text);

/* Two texts are the same: equal in NFC with each run of white space as one space, trimmed; case counts. */
bool text_same(const char *one, const char *other);

/* The form that text_same compares, as a heap copy; NULL without memory. */
char *text_canonical(const char *text);

/* Takes white space (of Unicode, non-breaking spaces too) from both ends. */
void text_trim(const char **text, ptrdiff_t *length);

/* What makes no difference between two texts that are compared as answers. */
enum text_indifference {
    TEXT_ANY_CASE = 1 << 0,    /* full case folding: "STRASSE" is "Straße" */
    TEXT_ANY_ACCENTS = 1 << 1, /* combining marks, after decomposition: "naïve" is "naive"; not ø or ł */
    TEXT_ANY_PUNCTUATION = 1 << 2, /* general category P; it stays where nothing else would be left */
    TEXT_ANY_SPACES = 1 << 3,      /* white space is passed over: "all reduce" is "allreduce" */
};

/*
 * The form in which answers are compared, as code points: quotes, dashes and white space folded to their
 * ASCII look-alikes, then NFC, trimmed, a run of white space one space, without what `any` (bits of enum
 * text_indifference) passes over. Returns how many, −1 where it does not fit into `room` or `text` is not
 * UTF-8. Takes no memory from the heap.
 */
enum { TEXT_COMPARED = 4096 }; /* room enough for any text of 1,000 bytes */
int text_compare_form(int32_t form[static TEXT_COMPARED], const char *text, unsigned any);

/* General category L. */
bool text_is_letter(int32_t code);

/* Appends text so that it can't drive a terminal: controls, bad bytes and forbidden characters as \x1b,
 * \u202e. */
void text_visible(struct buffer *out, const char *text, ptrdiff_t length);

/*
 * Restricted Damerau-Levenshtein distance in bytes (optimal string alignment), at most `limit` + 1. The
 * candidate with the smallest one, when that is at most a third of the longer word (at least 1, at most 3);
 * NULL when none is near.
 */
int text_distance(const char *one, const char *other, int limit);
const char *text_nearest(const char *word, const char *const *candidates, int count);

/* A number for people: two decimals at most, needless zeros cut ("9.5", "0.33", "12"); "?" for what is no
 * number. */
enum { TEXT_NUMBER = 32 };
void text_number(char text[static TEXT_NUMBER], double value);

/*
 * A learner's name in its kept form: NFC, trimmed, white space one space. NULL with *why set (a static
 * sentence part, translated) when it is empty, longer than 64 graphemes, or holds control, bidi or zero-width
 * characters. memory_free.
 */
char *text_learner_name(const char *name, const char **why);

#endif
