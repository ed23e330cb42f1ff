#include "curses_glyph.h"
#include "curses_signs.h"

#include <quiztutor/text.h>

#include <string.h>

int glyph_make(wchar_t glyph[static GLYPH_CHARACTERS + 1], const struct grid_cell *cell, bool utf8)
{
    ptrdiff_t length = (ptrdiff_t)strnlen(cell->text, GRID_CELL);
    int columns = cell->columns == 2 ? 2 : 1, count = 0;
    int32_t code = ' ';
    ptrdiff_t at = length ? text_decode(cell->text, length, &code) : 0;
    bool shown = code >= 0x20 && wcwidth((wchar_t)code) == columns;
    if (!utf8 && !(code >= 0x20 && code < 0x7f))
        glyph[count++] = (wchar_t)signs_plain(code);
    else
        glyph[count++] = shown ? (wchar_t)code : 0xfffd;
    while (utf8 && shown && at < length && count < GLYPH_CHARACTERS) {
        at += text_decode(cell->text + at, length - at, &code);
        if (code > 0 && wcwidth((wchar_t)code) == 0)
            glyph[count++] = (wchar_t)code;
    }
    glyph[count] = L'\0';
    return utf8 && shown ? columns : 1;
}
