/* Whether a text is JSON. SQLite could tell, but only in a statement of its own; this costs next to nothing.
 */
#include "store_private.h"

#include <quiztutor/text.h>
#include <string.h>

struct place {
    const char *at, *end;
};

static void skip_space(struct place *place)
{
    while (place->at < place->end && memchr(" \t\n\r", *place->at, 4))
        place->at++;
}

static bool take(struct place *place, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(place->end - place->at) < length || memcmp(place->at, word, length) != 0)
        return false;
    place->at += length;
    return true;
}

static bool is_digit(const struct place *place)
{
    return place->at < place->end && *place->at >= '0' && *place->at <= '9';
}

static bool digits(struct place *place)
{
    if (!is_digit(place))
        return false;
    while (is_digit(place))
        place->at++;
    return true;
}

static bool number(struct place *place)
{
    take(place, "-");
    if (!take(place, "0") && !digits(place))
        return false;
    if (take(place, ".") && !digits(place))
        return false;
    if (take(place, "e") || take(place, "E")) {
        if (!take(place, "+"))
            take(place, "-");
        return digits(place);
    }
    return true;
}

static bool escape(struct place *place)
{
    if (place->at == place->end)
        return false;
    char c = *place->at++;
    if (c != 'u')
        return memchr("\"\\/bfnrt", c, 8) != NULL;
    for (int i = 0; i < 4; i++) {
        if (place->at == place->end || !memchr("0123456789abcdefABCDEF", *place->at, 22))
            return false;
        place->at++;
    }
    return true;
}

static bool string(struct place *place)
{
    if (!take(place, "\""))
        return false;
    while (place->at < place->end) {
        unsigned char c = (unsigned char)*place->at;
        if (c == '"') {
            place->at++;
            return true;
        }
        if (c < 0x20)
            return false;
        if (c == '\\') {
            place->at++;
            if (!escape(place))
                return false;
        } else if (c < 0x80) {
            place->at++;
        } else {
            int32_t code;
            place->at += text_decode(place->at, place->end - place->at, &code);
            if (code == TEXT_BAD)
                return false;
        }
    }
    return false;
}

static bool value(struct place *place, int depth);

/* A list or a mapping, its opening bracket taken. */
static bool members(struct place *place, bool mapping, int depth)
{
    const char *close = mapping ? "}" : "]";
    skip_space(place);
    if (take(place, close))
        return true;
    for (;;) {
        if (mapping) {
            skip_space(place);
            if (!string(place))
                return false;
            skip_space(place);
            if (!take(place, ":"))
                return false;
        }
        if (!value(place, depth + 1))
            return false;
        if (take(place, close))
            return true;
        if (!take(place, ","))
            return false;
    }
}

static bool value(struct place *place, int depth)
{
    bool good = false;
    skip_space(place);
    if (depth <= JSON_DEPTH && place->at < place->end) {
        if (take(place, "{"))
            good = members(place, true, depth);
        else if (take(place, "["))
            good = members(place, false, depth);
        else if (*place->at == '"')
            good = string(place);
        else
            good = take(place, "true") || take(place, "false") || take(place, "null") || number(place);
    }
    skip_space(place);
    return good;
}

bool json_valid(const char *text)
{
    struct place place = { text, text + strlen(text) };
    return value(&place, 0) && place.at == place.end;
}
