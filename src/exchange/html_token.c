#include "html_token.h"

#include <quiztutor/text.h>

#include <string.h>
#include <strings.h>

enum { ENTITY_NAME = 32, ENTITY_DIGITS = 9 };

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

/* What Windows-1252 has at 0x80 to 0x9f, which is what numbers there are meant to be (HTML, "numeric
 * character reference end state"). */
static int32_t mend_code(int32_t code)
{
    static const uint16_t windows[32] = { 0x20ac, 0,      0x201a, 0x192,  0x201e, 0x2026, 0x2020, 0x2021,
                                          0x2c6,  0x2030, 0x160,  0x2039, 0x152,  0,      0x17d,  0,
                                          0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
                                          0x2dc,  0x2122, 0x161,  0x203a, 0x153,  0,      0x17e,  0x178 };
    if (code >= 0x80 && code < 0xa0 && windows[code - 0x80])
        return windows[code - 0x80];
    return code == 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0xfffd : code;
}

static ptrdiff_t numbered(const char *text, ptrdiff_t length, struct buffer *out)
{
    bool hex = length > 2 && (text[2] == 'x' || text[2] == 'X');
    ptrdiff_t first = hex ? 3 : 2, at = first;
    int32_t code = 0;
    for (; at < length && at - first < ENTITY_DIGITS; at++) {
        char c = text[at];
        int digit = c >= '0' && c <= '9'          ? c - '0'
                    : hex && c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : hex && c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                  : -1;
        if (digit < 0)
            break;
        code = code > 0x10ffff ? code : code * (hex ? 16 : 10) + digit;
    }
    if (at == first)
        return 0;
    text_encode(out, mend_code(code));
    return at < length && text[at] == ';' ? at + 1 : at;
}

ptrdiff_t html_entity(const char *text, ptrdiff_t length, struct buffer *out)
{
    char name[ENTITY_NAME];
    ptrdiff_t size = 0;
    if (length > 2 && text[1] == '#')
        return numbered(text, length, out);
    while (size + 1 < length && size < ENTITY_NAME - 1 &&
           (is_letter(text[size + 1]) || (text[size + 1] >= '0' && text[size + 1] <= '9'))) {
        name[size] = text[size + 1];
        size++;
    }
    name[size] = '\0';
    if (size + 1 >= length || text[size + 1] != ';')
        return 0;
    int32_t code = html_named(name);
    if (!code)
        return 0;
    text_encode(out, code);
    return size + 2;
}

/* Behind the tag's >, from behind its name on; NULL: it never ends. */
static const char *tag_end(const char *at, const char *end)
{
    while (at < end) {
        while (at < end && (is_blank(*at) || *at == '/'))
            at++;
        if (at < end && *at == '>')
            return at + 1;
        while (at < end && !is_blank(*at) && *at != '/' && *at != '>' && *at != '=')
            at++;
        while (at < end && is_blank(*at))
            at++;
        if (at >= end || *at != '=')
            continue;
        at++;
        while (at < end && is_blank(*at))
            at++;
        if (at < end && (*at == '"' || *at == '\'')) {
            at = memchr(at + 1, *at, (size_t)(end - at - 1));
            if (!at)
                return NULL;
            at++;
        } else {
            while (at < end && !is_blank(*at) && *at != '>')
                at++;
        }
    }
    return NULL;
}

static const char *past(const char *at, const char *end, const char *close)
{
    const char *found = memmem(at, (size_t)(end - at), close, strlen(close));
    return found ? found + strlen(close) : end;
}

/* Elements whose contents are no text of the page: passed over to their end tag. */
static bool is_raw(const char *name)
{
    static const char *const names[] = {
        "script", "style", "textarea", "title", "template", "xmp", "noembed"
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static const char *past_raw(const char *at, const char *end, const char *name)
{
    size_t length = strlen(name);
    while ((at = memmem(at, (size_t)(end - at), "</", 2)) != NULL) {
        if ((size_t)(end - at - 2) >= length && strncasecmp(at + 2, name, length) == 0)
            return at;
        at += 2;
    }
    return end;
}

/* A tag at reader->at; false where it is none. */
static bool read_tag(struct html_reader *reader, struct html_token *token)
{
    const char *at = reader->at + 1, *end = reader->end;
    bool close = at < end && *at == '/';
    at += close;
    if (at >= end || !is_letter(*at))
        return false;
    int size = 0;
    for (; at < end && !is_blank(*at) && *at != '/' && *at != '>'; at++) {
        if (*at == ':')
            size = 0;
        else if (size < HTML_NAME - 1)
            token->name[size++] = (char)(*at >= 'A' && *at <= 'Z' ? *at + 32 : *at);
    }
    token->name[size] = '\0';
    const char *behind = tag_end(at, end);
    if (!behind) {
        reader->no_tags = true;
        return false;
    }
    token->kind = close ? HTML_CLOSE : HTML_OPEN;
    token->start = at;
    token->length = behind - 1 - at;
    token->closed = token->length > 0 && at[token->length - 1] == '/';
    reader->at = behind;
    if (!close && !token->closed && is_raw(token->name))
        reader->at = past_raw(behind, end, token->name);
    return true;
}

/* Passes a comment, declaration or instruction; false where none stands here. */
static bool pass_comment(struct html_reader *reader)
{
    const char *at = reader->at, *end = reader->end;
    if (end - at < 2 || (at[1] != '!' && at[1] != '?'))
        return false;
    if (end - at >= 4 && memcmp(at, "<!--", 4) == 0)
        reader->at = end - at >= 5 && at[4] == '>' ? at + 5 : past(at + 4, end, "-->");
    else if (end - at >= 9 && memcmp(at, "<![CDATA[", 9) == 0)
        reader->at = at + 9;
    else
        reader->at = past(at + 2, end, ">");
    return true;
}

void html_next(struct html_reader *reader, struct html_token *token)
{
    token->kind = HTML_END;
    while (reader->at < reader->end) {
        const char *start = reader->at;
        if (*start == '<' && !reader->no_tags) {
            if (pass_comment(reader) || read_tag(reader, token)) {
                if (token->kind != HTML_END)
                    return;
                continue;
            }
        }
        const char *next = reader->no_tags ? NULL : memchr(start + 1, '<', (size_t)(reader->end - start - 1));
        reader->at = next ? next : reader->end;
        token->kind = HTML_RUN;
        token->start = start;
        token->length = reader->at - start;
        return;
    }
}

static void add_decoded(struct buffer *out, const char *text, ptrdiff_t length)
{
    for (ptrdiff_t at = 0; at < length;) {
        ptrdiff_t width = text[at] == '&' ? html_entity(text + at, length - at, out) : 0;
        if (!width) {
            buffer_char(out, text[at]);
            width = 1;
        }
        at += width;
    }
}

bool html_attribute(const struct html_token *token, const char *name, struct buffer *out)
{
    const char *at = token->start, *end = at + token->length;
    size_t wanted = strlen(name);
    while (at < end) {
        while (at < end && (is_blank(*at) || *at == '/'))
            at++;
        const char *key = at;
        while (at < end && !is_blank(*at) && *at != '/' && *at != '=')
            at++;
        bool found = (size_t)(at - key) == wanted && strncasecmp(key, name, wanted) == 0;
        const char *value = at, *value_end = at;
        while (at < end && is_blank(*at))
            at++;
        if (at < end && *at == '=') {
            at++;
            while (at < end && is_blank(*at))
                at++;
            char quote = at < end && (*at == '"' || *at == '\'') ? *at : '\0';
            value = quote ? ++at : at;
            while (at < end && (quote ? *at != quote : !is_blank(*at)))
                at++;
            value_end = at;
            at += quote && at < end;
        }
        if (found) {
            add_decoded(out, value, value_end - value);
            return true;
        }
    }
    return false;
}
