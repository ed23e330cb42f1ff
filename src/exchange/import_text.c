/* Any text made into one that a pack can hold. */
#include "import_private.h"

#include <quiztutor/markup.h>
#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <string.h>

enum form { FORM_TEXT, FORM_LINE, FORM_FIGURE, FORM_MARKUP /* blocks of code keep their spaces */ };

/* White space that the loader takes off a line's ends. */
static bool is_space(int32_t code)
{
    return code == ' ' || code == '\t' || code == 0xa0 || code == 0x1680 ||
           (code >= 0x2000 && code <= 0x200a) || code == 0x202f || code == 0x205f || code == 0x3000;
}

/* Bytes of the white space that begins or ends text[0..length). */
static ptrdiff_t space_before(const char *text, ptrdiff_t length)
{
    ptrdiff_t at = 0;
    int32_t code;
    for (int width; at < length; at += width) {
        width = text_decode(text + at, length - at, &code);
        if (!is_space(code))
            break;
    }
    return at;
}

static ptrdiff_t space_behind(const char *text, ptrdiff_t length)
{
    ptrdiff_t end = length;
    while (end > 0) {
        ptrdiff_t start = end - 1;
        int32_t code;
        while (start > 0 && end - start < 4 && ((unsigned char)text[start] & 0xc0) == 0x80)
            start--;
        text_decode(text + start, end - start, &code);
        if (!is_space(code))
            break;
        end = start;
    }
    return length - end;
}

/* A text of the pack or of a section is cut; a question with a longer one is left out instead. */
static void tell_cut(struct import *import)
{
    struct question none;
    import_open(import, &none, 0, tr("outside the questions"));
    import_leave_out(import, "%s", tr("the end of a text that is longer than 64 KiB"));
}

static const char *keep(struct import *import, const char *text, ptrdiff_t length)
{
    if (length == 0)
        return NULL;
    if (length > PACK_TEXT) {
        if (import->opened)
            import->too_long = true;
        else
            tell_cut(import);
        length = PACK_TEXT;
        while (length && ((unsigned char)text[length] & 0xc0) == 0x80)
            length--;
    }
    const char *kept = arena_text(&import->arena, text, length);
    import->failed = import->failed || !kept;
    return kept;
}

/* Only printable ASCII: the usual case, which needs no second look. */
static bool is_simple(const char *text, ptrdiff_t length)
{
    unsigned other = 0;
    for (ptrdiff_t i = 0; i < length; i++) /* without a branch: the compiler takes many at once */
        other |= (unsigned char)(text[i] - 0x20) >= 0x5f;
    return !other;
}

/* Copies what may stand in a pack; line ends of any kind become "\n". */
static void clean(struct import *import, struct buffer *out, const char *text, ptrdiff_t length)
{
    int32_t code;
    for (int width; length > 0; text += width, length -= width) {
        width = text_decode(text, length, &code);
        if (code == '\r' || code == 0x85 || code == 0x2028 || code == 0x2029 || code == '\n') {
            if (code != '\r' || length < 2 || text[1] != '\n')
                buffer_char(out, '\n');
        } else if (code == TEXT_BAD || text_forbidden(code)) {
            char name[80];
            text_name_code(name, sizeof name, code == TEXT_BAD ? 0xfffd : code);
            if (code == TEXT_BAD)
                import_change(import, "%s", tr("bytes that are no text were dropped"));
            else
                import_change(import, tr("%s was dropped"), name);
        } else {
            buffer_add(out, text, width);
        }
    }
}

static bool is_fence(const char *line, ptrdiff_t length)
{
    return length >= 3 && memcmp(line, "```", 3) == 0;
}

/* Line by line into the form that a loaded pack has, in place: it never grows. */
static ptrdiff_t settle(char *text, ptrdiff_t length, enum form form)
{
    ptrdiff_t kept = 0;
    int blank = 0;
    bool code = false;
    for (ptrdiff_t at = 0; at < length;) {
        const char *line = text + at;
        const char *end = memchr(line, '\n', (size_t)(length - at));
        ptrdiff_t size = (end ? end - text : length) - at;
        at += size + 1;
        size -= space_behind(line, size);
        ptrdiff_t lead = form == FORM_FIGURE ? 0 : space_before(line, size);
        bool fence = form == FORM_MARKUP && is_fence(line + lead, size - lead);
        if (code && !fence) {
            text[kept++] = '\n';
            memmove(text + kept, line, (size_t)size);
            kept += size;
            continue;
        }
        code = code != fence;
        if (fence && !code)
            blank = 0;
        if (size - lead == 0) {
            blank++;
            continue;
        }
        if (kept && form == FORM_LINE)
            text[kept++] = ' ';
        else if (kept)
            text[kept++] = '\n';
        for (; kept && blank > 0 && form != FORM_LINE; blank = form == FORM_FIGURE ? blank - 1 : 0)
            text[kept++] = '\n';
        blank = 0;
        memmove(text + kept, line + lead, (size_t)(size - lead));
        kept += size - lead;
    }
    while (code && kept && text[kept - 1] == '\n')
        kept--;
    return kept;
}

static const char *form_text(struct import *import, const char *text, ptrdiff_t length, enum form form)
{
    if (is_simple(text, length)) {
        length -= space_behind(text, length);
        ptrdiff_t lead = form == FORM_FIGURE ? 0 : space_before(text, length);
        return keep(import, text + lead, length - lead);
    }
    struct buffer *out = &import->scratch;
    buffer_clear(out);
    clean(import, out, text, length);
    if (out->failed) {
        import->failed = true;
        return NULL;
    }
    if (!out->length)
        return NULL;
    return keep(import, out->data, settle(out->data, out->length, form));
}

const char *import_text(struct import *import, const char *text, ptrdiff_t length)
{
    return form_text(import, text, length, import->markup ? FORM_MARKUP : FORM_TEXT);
}

const char *import_text_line(struct import *import, const char *text, ptrdiff_t length)
{
    return form_text(import, text, length, FORM_LINE);
}

const char *import_text_figure(struct import *import, const char *text, ptrdiff_t length)
{
    return form_text(import, text, length, FORM_FIGURE);
}

const char *import_plain(struct import *import, const char *text, ptrdiff_t length)
{
    if (!import->markup)
        return import_text(import, text, length);
    struct buffer escaped;
    buffer_init(&escaped);
    markup_escape(&escaped, text, length);
    const char *kept = escaped.failed ? NULL : import_text(import, buffer_get(&escaped), escaped.length);
    import->failed = import->failed || escaped.failed;
    buffer_finish(&escaped);
    return kept;
}

bool import_same(const char *one, const char *other)
{
    ptrdiff_t at = 0;
    while (one[at] && one[at] == other[at])
        at++;
    if (one[at] == other[at])
        return true;
    bool plain = (unsigned char)one[at] > ' ' && (unsigned char)one[at] < 0x7f &&
                 (unsigned char)other[at] > ' ' && (unsigned char)other[at] < 0x7f &&
                 (unsigned char)one[at + 1] < 0x7f && (unsigned char)other[at + 1] < 0x7f;
    return !plain && text_same(one, other);
}
