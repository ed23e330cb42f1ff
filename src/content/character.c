#include "character.h"

#include <quiztutor/text.h>
#include <string.h>

#define EACH_BYTE(value) ((uint64_t)0x0101010101010101u * (value))

/* True when one of the eight bytes is not in 0x20…0x7e: a control, DEL or the start of something longer. */
static bool word_is_special(uint64_t word)
{
    uint64_t high = EACH_BYTE(0x80);
    uint64_t control = (word - EACH_BYTE(0x20)) & ~word;
    uint64_t del = word ^ EACH_BYTE(0x7f);
    del = (del - EACH_BYTE(0x01)) & ~del;
    return ((word | control | del) & high) != 0;
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
        uint64_t word;
        while (end - at >= 8 && (memcpy(&word, at, 8), !word_is_special(word)))
            at += 8;
        if (at == end)
            break;
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
