/*
 * The check of raw bytes, fast enough to be free: finds the first code point in a run of bytes that a pack
 * may not hold, skipping plain text sixteen bytes at a time. Pure.
 */
#ifndef CONTENT_CHARACTER_H
#define CONTENT_CHARACTER_H

#include <stddef.h>
#include <stdint.h>

/*
 * Looks at bytes[0..length). Returns the offset of the first character that may not stand in a file, with its
 * code (TEXT_BAD for a byte that is not UTF-8) and its length in bytes; `length` when there is none. With
 * `more` the bytes go on behind `length`: a sequence or a CR that the end cuts is left alone, and its offset
 * is returned with *bytes 0.
 */
ptrdiff_t character_check(const char *bytes, ptrdiff_t length, int more, int32_t *code, int *width);

#endif
