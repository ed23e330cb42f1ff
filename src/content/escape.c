#include "escape.h"

#include "character.h"

#include <quiztutor/message.h>
#include <quiztutor/pack.h>
#include <quiztutor/text.h>

#include <string.h>

/* Code of the escape behind a backslash at text[0..length), -1 for one that is only a line break; *taken its
 * bytes. */
static int32_t escape_code(const char *text, ptrdiff_t length, int *taken)
{
    static const char letters[] = "0abtnvfre \"/\\N_LP";
    static const int32_t codes[] = { 0,   7,   8,   9,    10,   11,   12,     13,    27,
                                     ' ', '"', '/', '\\', 0x85, 0xa0, 0x2028, 0x2029 };
    *taken = 1;
    if (length < 1)
        return -1;
    const char *letter = *text ? strchr(letters, *text) : NULL;
    if (letter)
        return codes[letter - letters];
    int digits = *text == 'x' ? 2 : *text == 'u' ? 4 : *text == 'U' ? 8 : 0;
    int32_t code = digits ? 0 : -1;
    for (int i = 1; i <= digits && i < length; i++) {
        char c = text[i];
        int value = c >= '0' && c <= '9'                     ? c - '0'
                    : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10
                                                             : 0;
        code = (int32_t)((uint32_t)code << 4 | (uint32_t)value);
        *taken = i + 1;
    }
    return code;
}

/* An escape in double quotes that stands for a character content may not hold: told at the escape itself. */
static void report_escape(struct report *report, const struct node *node, int32_t code)
{
    struct source *source = report->source;
    struct place place = node->place;
    ptrdiff_t at = source_offset(source, place.line, place.column), end = source->checked;
    if (at >= 0 && end - at > PACK_TEXT)
        end = at + PACK_TEXT;
    for (at++; at > 0 && at < end; at++) {
        int taken;
        if (source->data[at] != '\\')
            continue;
        int32_t found = escape_code(source->data + at + 1, end - at - 1, &taken);
        if (found == code) {
            source_place(source, at, &place.line, &place.column);
            place = place_at(place.line, place.column, taken + 1);
            break;
        }
        at += taken;
    }
    char name[80];
    text_name_code(name, sizeof name, code);
    report_error(report, &place, "character",
                 tr("delete it; in single quotes a backslash is just a backslash"),
                 tr("this escape makes the character %s, which may not stand here"), name);
}

bool escape_check(struct report *report, const struct node *node)
{
    int32_t code = 0;
    int width;
    const char *cr = memchr(node->text, '\r', (size_t)node->length);
    ptrdiff_t end = cr ? cr - node->text : node->length;
    character_check(node->text, end, 0, &code, &width);
    if (width == 0 && !cr)
        return true;
    report_escape(report, node, width ? code : '\r');
    return false;
}
