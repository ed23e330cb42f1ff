#include "curses_signs.h"

#include <string.h>

enum sign_set signs_choose(const char *codeset, const char *term)
{
    if (!codeset || strcmp(codeset, "UTF-8") != 0)
        return SIGNS_ASCII;
    if (term && strncmp(term, "linux", 5) == 0)
        return SIGNS_CONSOLE;
    return SIGNS_UNICODE;
}

enum sign_set signs_reported(enum sign_set before, int column)
{
    return before == SIGNS_UNICODE && column != SIGNS_PROBE_COLUMNS + 1 ? SIGNS_ASCII : before;
}

bool signs_wide_likely(const char *language)
{
    return language && (strncmp(language, "ja", 2) == 0 || strncmp(language, "ko", 2) == 0 ||
                        strncmp(language, "zh", 2) == 0);
}

char signs_plain(int32_t code)
{
    static const struct {
        int32_t first, last;
        char plain;
    } likes[] = {
        { 0xa0, 0xa0, ' ' },     { 0xab, 0xab, '"' },     { 0xb0, 0xb0, 'o' },      { 0xb4, 0xb4, '\'' },
        { 0xb7, 0xb7, '-' },     { 0xbb, 0xbb, '"' },     { 0xd7, 0xd7, 'x' },      { 0xf7, 0xf7, '/' },
        { 0x2000, 0x200a, ' ' }, { 0x2010, 0x2015, '-' }, { 0x2018, 0x201b, '\'' }, { 0x201c, 0x201f, '"' },
        { 0x2022, 0x2022, '*' }, { 0x2026, 0x2026, '.' }, { 0x2032, 0x2032, '\'' }, { 0x2033, 0x2033, '"' },
        { 0x2190, 0x2190, '<' }, { 0x2191, 0x2191, '^' }, { 0x2192, 0x2192, '>' },  { 0x2193, 0x2193, 'v' },
        { 0x2212, 0x2212, '-' }, { 0x2217, 0x2217, '*' }, { 0x2248, 0x2248, '~' },  { 0x2264, 0x2264, '<' },
        { 0x2265, 0x2265, '>' }, { 0x2500, 0x2501, '-' }, { 0x2502, 0x2503, '|' },  { 0x250c, 0x254b, '+' },
        { 0x2550, 0x2550, '=' }, { 0x2551, 0x2551, '|' }, { 0x2588, 0x2588, '#' },  { 0x2591, 0x2591, '.' },
        { 0x25b8, 0x25b8, '>' }, { 0x25bc, 0x25bc, 'v' }, { 0x25cb, 0x25cb, 'o' },  { 0x25cf, 0x25cf, '*' },
        { 0x2713, 0x2713, '+' }, { 0x2717, 0x2717, 'x' },
    };
    for (size_t i = 0; i < sizeof likes / sizeof *likes; i++)
        if (code >= likes[i].first && code <= likes[i].last)
            return likes[i].plain;
    return code > 0x1f && code < 0x7f ? (char)code : '?';
}
