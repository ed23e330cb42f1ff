#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>
#include <wchar.h>

int text_decode(const char *text, ptrdiff_t length, int32_t *code)
{
    utf8proc_int32_t found = -1;
    utf8proc_ssize_t bytes = utf8proc_iterate((const utf8proc_uint8_t *)text, length, &found);
    if (bytes < 1) {
        *code = TEXT_BAD;
        return 1;
    }
    *code = found;
    return (int)bytes;
}

void text_encode(struct buffer *out, int32_t code)
{
    utf8proc_uint8_t bytes[4];
    if (!utf8proc_codepoint_valid(code))
        code = 0xfffd;
    buffer_add(out, (const char *)bytes, utf8proc_encode_char(code, bytes));
}

struct code_range {
    int32_t first, last;
    const char *name;
};

/* PACK-FORMAT "Characters"; noncharacters at the end of each plane are tested by arithmetic. */
static const struct code_range forbidden[] = {
    { 0x00, 0x08, N_("control character") },
    { 0x0b, 0x1f, N_("control character") }, /* CR is let through by the caller where it ends a line */
    { 0x7f, 0x9f, N_("control character") },
    { 0xad, 0xad, N_("soft hyphen") },
    { 0x34f, 0x34f, N_("invisible joiner") },
    { 0x61c, 0x61c, N_("bidirectional control") },
    { 0x115f, 0x1160, N_("invisible filler") },
    { 0x180e, 0x180e, N_("invisible separator") },
    { 0x200b, 0x200b, N_("zero-width space") },
    { 0x200e, 0x200f, N_("bidirectional control") },
    { 0x2028, 0x2029, N_("line separator") },
    { 0x202a, 0x202e, N_("bidirectional control") },
    { 0x2060, 0x2065, N_("invisible operator") },
    { 0x2066, 0x2069, N_("bidirectional control") },
    { 0x206a, 0x206f, N_("invisible format control") },
    { 0x3164, 0x3164, N_("invisible filler") },
    { 0xfdd0, 0xfdef, N_("noncharacter") },
    { 0xfeff, 0xfeff, N_("byte order mark") },
    { 0xffa0, 0xffa0, N_("invisible filler") },
    { 0xfff9, 0xfffb, N_("annotation control") },
    { 0xe0000, 0xe007f, N_("invisible tag") },
};

static const char *forbidden_name(int32_t code)
{
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++)
        if (code >= forbidden[i].first && code <= forbidden[i].last)
            return forbidden[i].name;
    if ((code & 0xfffe) == 0xfffe)
        return N_("noncharacter");
    return NULL;
}

bool text_forbidden(int32_t code)
{
    if (code >= 0x20 && code < 0x7f)
        return false;
    return code < 0 || forbidden_name(code) != NULL;
}

void text_name_code(char *name, ptrdiff_t size, int32_t code)
{
    const char *what = code < 0 ? NULL : forbidden_name(code);
    if (code == 0x1b)
        what = N_("escape character");
    if (what)
        snprintf(name, (size_t)size, "U+%04X (%s)", (unsigned)code, tr(what));
    else
        snprintf(name, (size_t)size, "U+%04X", (unsigned)code);
}

int text_code_width(int32_t code)
{
    if (code >= 0x20 && code < 0x7f)
        return 1;
    int width = wcwidth((wchar_t)code);
    return width < 0 ? 1 : width;
}

ptrdiff_t text_cell(const char *text, ptrdiff_t length, int *columns)
{
    *columns = 0;
    if (length <= 0)
        return 0;
    int32_t code;
    ptrdiff_t at = text_decode(text, length, &code);
    *columns = code == TEXT_BAD ? 1 : text_code_width(code);
    while (at < length && (unsigned char)text[at] >= 0x80) {
        int bytes = text_decode(text + at, length - at, &code);
        if (code == TEXT_BAD || text_code_width(code) != 0)
            break;
        at += bytes;
    }
    return at;
}

int text_columns(const char *text)
{
    ptrdiff_t length = (ptrdiff_t)strlen(text);
    int total = 0, columns;
    for (ptrdiff_t bytes; (bytes = text_cell(text, length, &columns)) > 0; text += bytes, length -= bytes)
        total += columns;
    return total;
}

int text_graphemes(const char *text)
{
    ptrdiff_t length = (ptrdiff_t)strlen(text);
    utf8proc_int32_t state = 0;
    int32_t before = -1, code;
    int count = 0;
    for (ptrdiff_t at = 0; at < length; before = code) {
        at += text_decode(text + at, length - at, &code);
        if (code == TEXT_BAD)
            code = 0xfffd;
        if (before < 0 || utf8proc_grapheme_break_stateful(before, code, &state))
            count++;
    }
    return count;
}

/* utf8proc's result comes from malloc; ours must pass through memory_alloc, so that its failure can be
 * tested. */
static char *text_map(const char *text, int options)
{
    utf8proc_uint8_t *mapped = NULL;
    utf8proc_ssize_t length =
        utf8proc_map((const utf8proc_uint8_t *)text, 0, &mapped,
                     (utf8proc_option_t)(options | UTF8PROC_NULLTERM | UTF8PROC_STABLE));
    char *copy = length < 0 ? NULL : memory_text((const char *)mapped);
    free(mapped);
    return copy;
}

static bool text_is_ascii(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text >= 0x80)
            return false;
    return true;
}

char *text_nfc(const char *text)
{
    return text_is_ascii(text) ? memory_text(text) : text_map(text, UTF8PROC_COMPOSE);
}

ptrdiff_t text_nfc_within(int32_t *space, int room, const char *text, ptrdiff_t length, int *characters)
{
    const utf8proc_option_t options = UTF8PROC_COMPOSE | UTF8PROC_STABLE;
    utf8proc_ssize_t count =
        utf8proc_decompose((const utf8proc_uint8_t *)text, length, space, room - 1, options);
    if (count < 0 || count > room - 1)
        return -1;
    count = utf8proc_normalize_utf32(space, count, options);
    *characters = (int)count;
    return utf8proc_reencode(space, count, options);
}

char *text_fold(const char *text)
{
    return text_map(text, UTF8PROC_COMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE);
}

char *text_unaccented(const char *text)
{
    return text_map(text, UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE |
                              UTF8PROC_STRIPMARK);
}

/* The Unicode property White_Space. */
static bool code_is_space(int32_t code)
{
    return code == ' ' || (code >= '\t' && code <= '\r') || code == 0x85 || code == 0xa0 || code == 0x1680 ||
           (code >= 0x2000 && code <= 0x200a) || code == 0x2028 || code == 0x2029 || code == 0x202f ||
           code == 0x205f || code == 0x3000;
}

/* Bytes of the white space at text, 0 for none. */
static int text_space(const char *text)
{
    unsigned char c = (unsigned char)text[0];
    if (c < 0x80)
        return code_is_space(c);
    int32_t code;
    int bytes = text_decode(text, (ptrdiff_t)strnlen(text, 4), &code);
    return code_is_space(code) ? bytes : 0;
}

void text_trim(const char **text, ptrdiff_t *length)
{
    const char *at = *text, *end = at + *length, *kept = NULL, *first = NULL;
    while (at < end) {
        int32_t code;
        int bytes = text_decode(at, end - at, &code);
        if (!code_is_space(code)) {
            first = first ? first : at;
            kept = at + bytes;
        }
        at += bytes;
    }
    *text = first ? first : end;
    *length = first ? kept - first : 0;
}

/* Quotes, dashes and white space as the keyboard has them. */
static utf8proc_int32_t code_look_alike(utf8proc_int32_t code, void *context)
{
    (void)context;
    static const struct {
        int32_t first, last, plain;
    } rows[] = {
        { 0xab, 0xab, '"' },     { 0xb4, 0xb4, '\'' },     { 0xbb, 0xbb, '"' },      { 0x2bb, 0x2bc, '\'' },
        { 0x2010, 0x2015, '-' }, { 0x2018, 0x201b, '\'' }, { 0x201c, 0x201f, '"' },  { 0x2032, 0x2032, '\'' },
        { 0x2033, 0x2033, '"' }, { 0x2039, 0x203a, '\'' }, { 0x2212, 0x2212, '-' },  { 0xfe58, 0xfe58, '-' },
        { 0xfe63, 0xfe63, '-' }, { 0xff02, 0xff02, '"' },  { 0xff07, 0xff07, '\'' }, { 0xff0d, 0xff0d, '-' },
    };
    if (code < 0x80)
        return code_is_space(code) ? ' ' : code;
    if (code_is_space(code))
        return ' ';
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (code >= rows[i].first && code <= rows[i].last)
            return rows[i].plain;
    return code;
}

static bool code_is_punctuation(int32_t code)
{
    utf8proc_category_t category = utf8proc_category(code);
    return category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO;
}

bool text_is_letter(int32_t code)
{
    utf8proc_category_t category = utf8proc_category(code);
    return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
}

/* Keeps what is neither passed over nor a space at an end, and of a run of spaces one; how many are left. */
static int form_keep(int32_t *form, int count, bool punctuation, bool spaces)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        bool space = form[i] == ' ';
        if ((space && (!spaces || !kept || form[kept - 1] == ' ')) ||
            (!space && !punctuation && code_is_punctuation(form[i])))
            continue;
        form[kept++] = form[i];
    }
    while (kept && form[kept - 1] == ' ')
        kept--;
    return kept;
}

int text_compare_form(int32_t form[static TEXT_COMPARED], const char *text, unsigned any)
{
    int options = UTF8PROC_COMPOSE | UTF8PROC_STABLE;
    if (any & TEXT_ANY_CASE)
        options |= UTF8PROC_CASEFOLD;
    if (any & TEXT_ANY_ACCENTS)
        options |= UTF8PROC_STRIPMARK;
    utf8proc_ssize_t length =
        utf8proc_decompose_custom((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)strlen(text), form,
                                  TEXT_COMPARED, (utf8proc_option_t)options, code_look_alike, NULL);
    if (length < 0 || length > TEXT_COMPARED)
        return -1;
    length = utf8proc_normalize_utf32(form, length, (utf8proc_option_t)options);
    bool spaces = !(any & TEXT_ANY_SPACES), punctuation = !(any & TEXT_ANY_PUNCTUATION);
    for (int i = 0; !punctuation && i < (int)length; i++)
        if (form[i] != ' ' && !code_is_punctuation(form[i])) /* something else is left */
            return form_keep(form, (int)length, false, spaces);
    return form_keep(form, (int)length, true, spaces);
}

char *text_canonical(const char *text)
{
    char *copy = text_nfc(text);
    if (!copy)
        return NULL;
    char *to = copy;
    bool gap = false;
    for (const char *from = copy; *from;) {
        int space = text_space(from);
        if (space) {
            gap = true;
            from += space;
            continue;
        }
        if (gap && to > copy)
            *to++ = ' ';
        gap = false;
        *to++ = *from++;
    }
    *to = '\0';
    return copy;
}

static bool ascii_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The next character of ASCII text in canonical form: a run of white space is one space, none at either end.
 */
static char ascii_next(const char **at, const char *start)
{
    const char *from = *at;
    while (ascii_space(*from))
        from++;
    if (from > *at && *at > start && *from) {
        *at = from;
        return ' ';
    }
    *at = from + (*from != '\0');
    return *from;
}

/* Compares without the heap; -1 as soon as a byte is met that only the normal form can decide. */
static int ascii_same(const char *one, const char *other)
{
    for (const char *a = one, *b = other;;) {
        if ((unsigned char)*a >= 0x80 || (unsigned char)*b >= 0x80)
            return -1;
        char c = ascii_next(&a, one), d = ascii_next(&b, other);
        if ((unsigned char)c >= 0x80 || (unsigned char)d >= 0x80)
            return -1;
        /* a combining mark may follow a letter, and join with it: look one further before telling them apart
         */
        if (c != d)
            return (unsigned char)*a >= 0x80 || (unsigned char)*b >= 0x80 ? -1 : 0;
        if (!c)
            return 1;
    }
}

bool text_same(const char *one, const char *other)
{
    if (strcmp(one, other) == 0)
        return true;
    int quick = ascii_same(one, other);
    if (quick >= 0)
        return quick == 1;
    char *a = text_canonical(one), *b = text_canonical(other);
    bool same = a && b && strcmp(a, b) == 0;
    memory_free(a);
    memory_free(b);
    return same;
}

void text_visible(struct buffer *out, const char *text, ptrdiff_t length)
{
    while (length > 0) {
        int32_t code;
        ptrdiff_t plain = 0; /* printable ASCII: as it is, all at once */
        while (plain < length && (unsigned char)text[plain] >= 0x20 && (unsigned char)text[plain] < 0x7f)
            plain++;
        buffer_add(out, text, plain);
        text += plain;
        length -= plain;
        if (length == 0)
            break;
        int bytes = text_decode(text, length, &code);
        if (code == TEXT_BAD || (code < 0x100 && text_forbidden(code)) || code == '\t' || code == '\n')
            buffer_print(out, "\\x%02x", code == TEXT_BAD ? (unsigned)(unsigned char)*text : (unsigned)code);
        else if (text_forbidden(code))
            buffer_print(out, code > 0xffff ? "\\U%08x" : "\\u%04x", (unsigned)code);
        else
            buffer_add(out, text, bytes);
        text += bytes;
        length -= bytes;
    }
}

enum { DISTANCE_LONGEST = 64 };

int text_distance(const char *one, const char *other, int limit)
{
    int n = (int)strnlen(one, DISTANCE_LONGEST + 1), m = (int)strnlen(other, DISTANCE_LONGEST + 1);
    if (n > DISTANCE_LONGEST || m > DISTANCE_LONGEST || abs(n - m) > limit)
        return limit + 1;
    int rows[3][DISTANCE_LONGEST + 1];
    int *before = rows[0], *last = rows[1], *now = rows[2];
    for (int j = 0; j <= m; j++)
        last[j] = j;
    for (int i = 1; i <= n; i++) {
        now[0] = i;
        for (int j = 1; j <= m; j++) {
            int best = last[j - 1] + (one[i - 1] != other[j - 1]);
            if (last[j] + 1 < best)
                best = last[j] + 1;
            if (now[j - 1] + 1 < best)
                best = now[j - 1] + 1;
            if (i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] &&
                before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            now[j] = best;
        }
        int *spare = before;
        before = last;
        last = now;
        now = spare;
    }
    return last[m] > limit ? limit + 1 : last[m];
}

/* A copy with its ASCII letters small: case is no slip of the pen. */
static const char *small(char room[static DISTANCE_LONGEST + 1], const char *word)
{
    int length = (int)strnlen(word, DISTANCE_LONGEST + 1);
    if (length > DISTANCE_LONGEST)
        return word;
    for (int i = 0; i <= length; i++)
        room[i] = (char)(word[i] >= 'A' && word[i] <= 'Z' ? word[i] | 0x20 : word[i]);
    return room;
}

const char *text_nearest(const char *word, const char *const *candidates, int count)
{
    const char *nearest = NULL;
    char rooms[2][DISTANCE_LONGEST + 1];
    const char *sought = small(rooms[0], word);
    int best = 4;
    for (int i = 0; i < count; i++) {
        int longer = (int)strnlen(word, DISTANCE_LONGEST),
            other = (int)strnlen(candidates[i], DISTANCE_LONGEST);
        longer = other > longer ? other : longer;
        int limit = longer / 3 < 1 ? 1 : longer / 3 > 3 ? 3 : longer / 3;
        int distance = text_distance(sought, small(rooms[1], candidates[i]), limit);
        /* of which nothing is the same is not near */
        if (distance <= limit && distance < best && distance < longer) {
            best = distance;
            nearest = candidates[i];
        }
    }
    return nearest;
}

void text_number(char text[static TEXT_NUMBER], double value)
{
    if (!isfinite(value) || fabs(value) > 1e15) {
        strcpy(text, "?");
        return;
    }
    snprintf(text, TEXT_NUMBER, "%.2f", value);
    char *end = text + strlen(text);
    while (end[-1] == '0')
        end--;
    if (end[-1] == '.')
        end--;
    *end = '\0';
    if (strcmp(text, "-0") == 0)
        strcpy(text, "0");
}

enum { NAME_GRAPHEMES = 64 };

char *text_learner_name(const char *name, const char **why)
{
    for (const char *at = name; *at;) {
        int32_t code;
        at += text_decode(at, (ptrdiff_t)strnlen(at, 4), &code);
        if (code == TEXT_BAD) {
            *why = tr("it is not UTF-8");
            return NULL;
        }
        if (text_forbidden(code) || code == 0x200c || code == 0x200d || code == '\t' || code == '\n') {
            *why = tr("it holds an invisible or control character");
            return NULL;
        }
    }
    char *kept = text_canonical(name);
    *why = tr("out of memory");
    if (kept && !*kept)
        *why = tr("it is empty");
    else if (kept && text_graphemes(kept) > NAME_GRAPHEMES)
        *why = tr("it is longer than 64 characters");
    else
        return kept;
    memory_free(kept);
    return NULL;
}
