/*
 * What is looked at before a parser sees a document: its encoding, its document type, and how much stands in
 * one tag. The parser takes time quadratic in the attributes of an element, and a document type could make it
 * expand or fetch things; neither gets that far.
 */
#include "xml_gate.h"

#include "xml.h"

#include <quiztutor/exchange.h>
#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <stdint.h>
#include <string.h>

/* Encodings whose bytes below 0x80 are ASCII wherever markup is meant, by the beginnings of their names. */
static const char *const encodings[] = { "utf-8",     "utf8",        "us-ascii", "ascii",
                                         "iso-8859-", "windows-125", "cp125",    "koi8-r",
                                         "koi8-u",    "gb2312",      "gbk",      "gb18030",
                                         "shift_jis", "euc-jp",      "euc-kr",   "big5" };

static uint32_t unit_at(const unsigned char *bytes, bool big)
{
    return big ? (uint32_t)bytes[0] << 8 | bytes[1] : (uint32_t)bytes[1] << 8 | bytes[0];
}

/* UTF-16 made UTF-8; false with the offset told where a half of a pair is missing. */
static bool from_utf16(struct buffer *out, const char *text, ptrdiff_t length, bool big, struct error *error)
{
    const unsigned char *bytes = (const unsigned char *)text;
    ptrdiff_t at = 0;
    while (at + 1 < length) {
        uint32_t unit = unit_at(bytes + at, big);
        ptrdiff_t start = at;
        at += 2;
        if (unit >= 0xd800 && unit < 0xe000) {
            uint32_t low = at + 1 < length ? unit_at(bytes + at, big) : 0;
            if (unit >= 0xdc00 || low < 0xdc00 || low >= 0xe000)
                return error_set(error, ERROR_INPUT, tr("byte %td is not UTF-16: half of a pair is missing"),
                                 start);
            unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
            at += 2;
        }
        text_encode(out, (int32_t)unit);
    }
    if (at < length)
        return error_set(error, ERROR_INPUT, "%s",
                         tr("it is cut short: half a character of UTF-16 is left at its end"));
    return !out->failed || error_memory(error);
}

/* The encoding that the XML declaration names, lower case. */
static bool declared(char name[static GATE_NAME], const char *bytes, ptrdiff_t length)
{
    if (length < 6 || memcmp(bytes, "<?xml", 5) != 0)
        return false;
    const char *end = memmem(bytes, (size_t)(length < 1000 ? length : 1000), "?>", 2);
    const char *at = end ? memmem(bytes, (size_t)(end - bytes), "encoding", 8) : NULL;
    if (!at)
        return false;
    at += 8;
    while (at < end && (*at == ' ' || *at == '=' || *at == '\t' || *at == '\n' || *at == '\r'))
        at++;
    if (at >= end || (*at != '"' && *at != '\''))
        return false;
    char quote = *at++;
    ptrdiff_t size = 0;
    for (; at < end && *at != quote && size < GATE_NAME - 1; at++)
        name[size++] = (char)(*at >= 'A' && *at <= 'Z' ? *at + 32 : *at);
    name[size] = '\0';
    return size > 0;
}

/* Whether there are bytes above 0x7f, and all is UTF-8. */
static bool looks_utf8(const char *bytes, ptrdiff_t length)
{
    bool high = false;
    for (ptrdiff_t at = 0; at < length;) {
        int32_t code;
        int width = text_decode(bytes + at, length - at, &code);
        if (code == TEXT_BAD)
            return false;
        high = high || width > 1;
        at += width;
    }
    return high;
}

/* The declaration against what the bytes are. */
static bool check_declaration(struct gate *gate, struct error *error)
{
    if (!declared(gate->encoding, gate->bytes, gate->length)) {
        gate->encoding[0] = '\0';
        return true;
    }
    const char *name = gate->encoding;
    if (strncmp(name, "utf-16", 6) == 0 || strncmp(name, "utf16", 5) == 0 || strncmp(name, "ucs", 3) == 0 ||
        strncmp(name, "iso-10646", 9) == 0)
        return gate->wide || error_set(error, ERROR_INPUT,
                                       tr("line 1: the encoding \"%s\" is declared, but the file is not in "
                                          "it; write utf-8 there"),
                                       name);
    if (gate->wide)
        return error_set(
            error, ERROR_INPUT,
            tr("line 1: the encoding \"%s\" is declared, but the file is in UTF-16; save it as UTF-8"), name);
    size_t known = 0, count = sizeof encodings / sizeof *encodings;
    while (known < count && strncmp(name, encodings[known], strlen(encodings[known])) != 0)
        known++;
    if (known == count)
        return error_set(error, ERROR_INPUT,
                         tr("line 1: the encoding \"%s\" is not known; save the file as UTF-8"), name);
    if (strncmp(name, "iso-8859-", 9) != 0 && strncmp(name, "windows-", 8) != 0 &&
        strncmp(name, "cp", 2) != 0 && !strstr(name, "ascii"))
        return true;
    if (!looks_utf8(gate->bytes, gate->length))
        return true;
    return error_set(
        error, ERROR_INPUT,
        tr("line 1: the encoding \"%s\" is declared, but the file is in UTF-8; write utf-8 there"), name);
}

static int line_at(const struct gate *gate, const char *place)
{
    int line = 1;
    for (const char *at = gate->bytes; (at = memchr(at, '\n', (size_t)(place - at))) != NULL; at++)
        line++;
    return line;
}

/* A document type: its name and where it could be fetched from say nothing, a part of its own in brackets is
 * refused. Returns its end, or NULL with an error. */
static const char *pass_type(const struct gate *gate, const char *at, struct error *error)
{
    const char *end = gate->bytes + gate->length;
    char quote = '\0';
    for (const char *seen = at; seen < end; seen++) {
        if (quote) {
            if (*seen == quote)
                quote = '\0';
        } else if (*seen == '"' || *seen == '\'') {
            quote = *seen;
        } else if (*seen == '>') {
            return seen + 1;
        } else if (*seen == '[') {
            const char *entity = memmem(seen, (size_t)(end - seen), "<!ENTITY", 8);
            error_set(
                error, ERROR_INPUT,
                entity
                    ? tr("line %d: it declares entities, which could read other files or grow without end; "
                         "remove the document type")
                    : tr("line %d: it has a document type of its own, which is not read; remove the part in "
                         "brackets"),
                line_at(gate, entity ? entity : seen));
            return NULL;
        }
    }
    return end;
}

/* A tag from its < on, to behind its >. */
static const char *pass_tag(const struct gate *gate, const char *at, struct error *error)
{
    const char *end = gate->bytes + gate->length, *start = at;
    int attributes = 0;
    while (at < end && *at != '>') {
        if (*at == '"' || *at == '\'') {
            at = memchr(at + 1, *at, (size_t)(end - at - 1));
            if (!at)
                return end;
        } else if (*at == '=' && ++attributes > XML_ATTRIBUTES) {
            error_set(error, ERROR_INPUT, tr("line %d: an element has more than %d attributes"),
                      line_at(gate, start), XML_ATTRIBUTES);
            return NULL;
        }
        at++;
    }
    return at < end ? at + 1 : end;
}

static const char *pass_until(const struct gate *gate, const char *at, const char *close)
{
    const char *end = gate->bytes + gate->length;
    const char *found = memmem(at, (size_t)(end - at), close, strlen(close));
    return found ? found + strlen(close) : end;
}

static bool begins(const struct gate *gate, const char *at, const char *what)
{
    size_t size = strlen(what);
    return (size_t)(gate->bytes + gate->length - at) >= size && memcmp(at, what, size) == 0;
}

static bool check_tags(const struct gate *gate, struct error *error)
{
    const char *end = gate->bytes + gate->length;
    for (const char *at = gate->bytes; at < end && (at = memchr(at, '<', (size_t)(end - at))) != NULL;) {
        if (begins(gate, at, "<!--"))
            at = pass_until(gate, at + 4, "-->");
        else if (begins(gate, at, "<![CDATA["))
            at = pass_until(gate, at + 9, "]]>");
        else if (begins(gate, at, "<?"))
            at = pass_until(gate, at + 2, "?>");
        else if (begins(gate, at, "<!"))
            at = pass_type(gate, at + 2, error);
        else
            at = pass_tag(gate, at + 1, error);
        if (!at)
            return false;
    }
    return true;
}

bool gate_open(struct gate *gate, const char *bytes, ptrdiff_t length, struct error *error)
{
    buffer_init(&gate->converted);
    gate->bytes = bytes;
    gate->length = length;
    gate->wide = false;
    bool big = length >= 2 && (memcmp(bytes, "\xfe\xff", 2) == 0 || memcmp(bytes, "\0<", 2) == 0);
    bool little = length >= 2 && (memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "<\0", 2) == 0);
    if (big || little) {
        ptrdiff_t mark = bytes[0] == '<' || bytes[1] == '<' ? 0 : 2;
        if (!from_utf16(&gate->converted, bytes + mark, length - mark, big, error))
            return false;
        gate->bytes = buffer_get(&gate->converted);
        gate->length = gate->converted.length;
        gate->wide = true;
    } else if (length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) {
        gate->bytes += 3;
        gate->length -= 3;
    }
    if (gate->length == 0)
        return error_set(error, ERROR_INPUT, "%s", tr("it is empty or no XML"));
    const char *nul = memchr(gate->bytes, '\0', (size_t)gate->length);
    if (nul)
        return error_set(error, ERROR_INPUT, tr("line %d: a NUL byte: this is no XML"), line_at(gate, nul));
    if (!check_declaration(gate, error) || !check_tags(gate, error))
        return false;
    bool utf8 = !gate->encoding[0] || strncmp(gate->encoding, "utf", 3) == 0;
    return gate->wide || !utf8 || exchange_check_text(&gate->bytes, &gate->length, error);
}

void gate_close(struct gate *gate)
{
    buffer_finish(&gate->converted);
}
