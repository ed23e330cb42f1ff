#include "character.h"

#include <quiztutor/text.h>
#include <string.h>

/* Sixteen bytes at once, by the compilers' vector types: plain C on machines that have none. Signed: 0x80 is
 * -128. */
typedef signed char bytes16 __attribute__((vector_size(16)));
typedef int64_t halves __attribute__((vector_size(16)));

enum { BLOCK = sizeof(bytes16) };

/*
 * How many of the sixteen bytes at `at` are surely plain, counted from the first, which must begin a
 * character: all of them, or all but the last where it begins a longer one, or none. Plain are printable
 * ASCII, line feeds, and sound two-byte characters, but for those with a lead byte that has forbidden ones
 * (C2, CD, D8). Looks at 17 bytes.
 */
static int plain_bytes(const char *at)
{
    bytes16 here, next;
    memcpy(&here, at, sizeof here);
    memcpy(&next, at + 1, sizeof next);
    bytes16 behind = next < -64;                                /* the next byte is 0x80…0xBF */
    bytes16 lead = (here >= -61) & (here <= -33);               /* 0xC3…0xDF */
    bytes16 special = (here == -51) | (here == -40);            /* 0xCD, 0xD8 */
    bytes16 odd = (here < 32) & (here >= -64) & (here != '\n'); /* controls, and above 0xBF */
    odd = (odd & ~lead) | special | (here == 127) | (lead ^ behind);
    halves both = (halves)odd;
    if ((both[0] | both[1]) != 0 || (*at & 0xc0) == 0x80) /* nothing stands before the first byte */
        return 0;
    return (unsigned char)at[BLOCK - 1] >= 0xc0 ? BLOCK - 1 : BLOCK;
}

/* Lead bytes of three whose characters are never forbidden: most of the world's scripts pass here. */
static bool three_are_plain(unsigned char first, unsigned char second, unsigned char third)
{
    if ((second & 0xc0) != 0x80 || (third & 0xc0) != 0x80)
        return false;
    if (first >= 0xe4 && first <= 0xec)
        return true;
    if (first == 0xe3)
        return second != 0x85; /* U+3164 */
    if (first == 0xe2)
        return second > 0x81; /* U+2000 to 207F */
    return false;
}

/* Bytes of the two-byte character at `at` when it is sound and never forbidden, else 0. */
static bool two_are_plain(unsigned char first, unsigned char second)
{
    if (first < 0xc3 || first > 0xdf || (second & 0xc0) != 0x80)
        return false;
    return !(first == 0xcd && second == 0x8f) && !(first == 0xd8 && second == 0x9c); /* U+034F, U+061C */
}

static int bytes_promised(unsigned char first)
{
    if (first >= 0xc2 && first <= 0xdf)
        return 2;
    if ((first & 0xf0) == 0xe0)
        return 3;
    return first >= 0xf0 && first <= 0xf4 ? 4 : 1;
}

/* True when what is left is the sound beginning of a longer sequence, of which the next window may bring the
 * rest. */
static bool is_cut(const char *at, ptrdiff_t left)
{
    if (left >= bytes_promised((unsigned char)*at))
        return false;
    for (ptrdiff_t i = 1; i < left; i++)
        if (((unsigned char)at[i] & 0xc0) != 0x80)
            return false;
    return true;
}

ptrdiff_t character_check(const char *bytes, ptrdiff_t length, int more, int32_t *code, int *width)
{
    const char *at = bytes, *end = bytes + length;
    *width = 0;
    while (at < end) {
        for (int plain; end - at > BLOCK && (plain = plain_bytes(at)) > 0;)
            at += plain;
        unsigned char first = (unsigned char)*at;
        ptrdiff_t left = end - at;
        if ((first >= 0x20 && first < 0x7f) || first == '\n' || first == '\t') {
            at++;
        } else if (left >= 2 && two_are_plain(first, (unsigned char)at[1])) {
            at += 2;
        } else if (left >= 3 && three_are_plain(first, (unsigned char)at[1], (unsigned char)at[2])) {
            at += 3;
        } else if (first == '\r' && left >= 2 && at[1] == '\n') {
            at += 2;
        } else if (more && ((first == '\r' && left == 1) || (first >= 0x80 && is_cut(at, left)))) {
            return at - bytes;
        } else {
            int taken = text_decode(at, left, code);
            if (*code == TEXT_BAD || text_forbidden(*code)) {
                *width = taken;
                return at - bytes;
            }
            at += taken;
        }
    }
    return length;
}
