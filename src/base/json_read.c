#include <quiztutor/json.h>
#include <quiztutor/text.h>

#include <string.h>

static const char *skip_space(const char *at)
{
    return at + strspn(at, " \t\n\r");
}

/* Four hex digits; −1 where they are none. */
static int32_t read_unit(const char *at)
{
    int32_t unit = 0;
    for (int i = 0; i < 4; i++) {
        static const char digits[] = "0123456789abcdef";
        char c = (char)(at[i] >= 'A' && at[i] <= 'F' ? at[i] | 0x20 : at[i]);
        const char *digit = c ? strchr(digits, c) : NULL;
        if (!digit)
            return -1;
        unit = unit * 16 + (int32_t)(digit - digits);
    }
    return unit;
}

/* What stands behind "\u"; two of them where the first is half a pair. NULL where it is no character. */
static const char *read_hex(struct buffer *out, const char *at)
{
    int32_t code = read_unit(at);
    if (code <= 0 || (code >= 0xdc00 && code < 0xe000))
        return NULL;
    at += 4;
    if (code >= 0xd800 && code < 0xdc00) {
        int32_t low = at[0] == '\\' && at[1] == 'u' ? read_unit(at + 2) : -1;
        if (low < 0xdc00 || low >= 0xe000)
            return NULL;
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        at += 6;
    }
    text_encode(out, code);
    return at;
}

static const char *read_escape(struct buffer *out, const char *at)
{
    static const char letters[] = "bfnrt\"\\/", meant[] = "\b\f\n\r\t\"\\/";
    if (*at == 'u')
        return read_hex(out, at + 1);
    const char *letter = *at ? strchr(letters, *at) : NULL;
    if (!letter)
        return NULL;
    buffer_char(out, meant[letter - letters]);
    return at + 1;
}

/* From behind the opening quote to behind the closing one. */
static const char *read_quoted(struct buffer *out, const char *at)
{
    while (at && *at != '"') {
        int32_t code;
        if (*at == '\\') {
            at = read_escape(out, at + 1);
            continue;
        }
        int bytes = text_decode(at, (ptrdiff_t)strnlen(at, 4), &code);
        if (code == TEXT_BAD || code < 0x20) /* the end of `json` is among them */
            return NULL;
        buffer_add(out, at, bytes);
        at += bytes;
    }
    return at ? at + 1 : NULL;
}

bool json_read_text(struct buffer *out, const char *json)
{
    const char *at = skip_space(json);
    ptrdiff_t length = out->length;
    at = *at == '"' ? read_quoted(out, at + 1) : NULL;
    if (at && !*skip_space(at) && !out->failed)
        return true;
    out->length = length;
    if (out->data)
        out->data[length] = '\0';
    return false;
}

/* An integer without sign or needless zeros; NULL where there is none. */
static const char *read_place(int *place, const char *at)
{
    size_t digits = strspn(at, "0123456789");
    if (digits < 1 || digits > 6 || (digits > 1 && *at == '0'))
        return NULL;
    *place = 0;
    for (; digits > 0; digits--)
        *place = *place * 10 + (*at++ - '0');
    return at;
}

int json_read_places(int *places, int room, const char *json)
{
    const char *at = skip_space(json);
    int count = 0;
    if (*at != '[')
        return -1;
    at = skip_space(at + 1);
    if (*at == ']')
        return *skip_space(at + 1) ? -1 : 0;
    for (;;) {
        if (count == room)
            return -1;
        at = read_place(&places[count++], at);
        if (!at)
            return -1;
        at = skip_space(at);
        if (*at == ']')
            return *skip_space(at + 1) ? -1 : count;
        if (*at != ',')
            return -1;
        at = skip_space(at + 1);
    }
}
