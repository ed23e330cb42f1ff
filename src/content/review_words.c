#include "review_words.h"

#include <quiztutor/memory.h>
#include <quiztutor/text.h>

#include <string.h>

void words_init(struct words *words)
{
    memset(words, 0, sizeof *words);
    buffer_init(&words->text);
}

void words_finish(struct words *words)
{
    buffer_finish(&words->text);
    memory_free(words->items);
    words_init(words);
}

struct span {
    int32_t first, last;
};

static bool spans_hold(const struct span *spans, int count, int32_t code)
{
    for (int i = 0; i < count; i++)
        if (code >= spans[i].first && code <= spans[i].last)
            return true;
    return false;
}

/* Blocks of punctuation, signs and spaces beyond ASCII; all else is taken for letters. */
static const struct span no_words[] = {
    { 0x80, 0xa9 },     { 0xab, 0xb4 },     { 0xb6, 0xb9 },     { 0xbb, 0xbf },       { 0xd7, 0xd7 },
    { 0xf7, 0xf7 },     { 0x2000, 0x206f }, { 0x20a0, 0x20cf }, { 0x2190, 0x2bff },   { 0x2e00, 0x2e7f },
    { 0x3000, 0x303f }, { 0xfe10, 0xfe6f }, { 0xff01, 0xff0f }, { 0x1f000, 0x1faff },
};
static const struct span ideographs[] = {
    { 0x3040, 0x30ff }, { 0x3400, 0x9fff }, { 0xf900, 0xfaff }, { 0x20000, 0x3ffff }
};

static bool is_letter_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit_byte(char c)
{
    return c >= '0' && c <= '9';
}

/* Bytes of the letter or digit at text, 0 for what is none. */
static int letter_bytes(const char *text, ptrdiff_t length, bool *alone)
{
    *alone = false;
    if (length <= 0)
        return 0;
    if (!(text[0] & 0x80))
        return is_letter_byte(text[0]) || is_digit_byte(text[0]);
    int32_t code;
    int bytes = text_decode(text, length, &code);
    if (code == TEXT_BAD || spans_hold(no_words, sizeof no_words / sizeof *no_words, code))
        return 0;
    *alone = spans_hold(ideographs, sizeof ideographs / sizeof *ideographs, code);
    return bytes;
}

static ptrdiff_t word_bytes(const char *text, ptrdiff_t length)
{
    bool alone;
    ptrdiff_t at = letter_bytes(text, length, &alone);
    if (alone)
        return at;
    while (at > 0 && at < length) {
        char c = text[at];
        bool numbers = is_digit_byte(text[at - 1]) && at + 1 < length && is_digit_byte(text[at + 1]);
        bool joins = c == '-' || c == '\'' || ((c == '.' || c == ',') && numbers);
        ptrdiff_t behind = joins ? 1 : 0;
        int more = letter_bytes(text + at + behind, length - at - behind, &alone);
        if (!more || alone)
            break;
        at += behind + more;
    }
    return at;
}

ptrdiff_t words_length(const char *text, ptrdiff_t at)
{
    return word_bytes(text + at, (ptrdiff_t)strlen(text + at));
}

/* The folded text, in words->text. */
static bool words_fold(struct words *words, const char *text)
{
    ptrdiff_t length = (ptrdiff_t)strlen(text);
    bool ascii = true;
    buffer_clear(&words->text);
    for (ptrdiff_t i = 0; i < length && ascii; i++)
        ascii = !(text[i] & 0x80);
    if (ascii) {
        buffer_add(&words->text, text, length);
        for (ptrdiff_t i = 0; i < words->text.length; i++)
            if (text[i] >= 'A' && text[i] <= 'Z')
                words->text.data[i] = (char)(text[i] + 'a' - 'A');
        return !words->text.failed;
    }
    char *folded = text_fold(text);
    if (!folded)
        return false;
    for (const char *at = folded; *at;) { /* typographic apostrophes and hyphens join as plain ones do */
        bool apostrophe = strncmp(at, "\xe2\x80\x99", 3) == 0;
        bool hyphen = strncmp(at, "\xe2\x80\x90", 3) == 0;
        buffer_char(&words->text, apostrophe ? '\'' : hyphen ? '-' : *at);
        at += apostrophe || hyphen ? 3 : 1;
    }
    memory_free(folded);
    return !words->text.failed;
}

/* FNV-1a, 32 bits. */
static uint32_t word_hash(const char *text, ptrdiff_t length)
{
    uint32_t hash = 0x811c9dc5u;
    for (ptrdiff_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 0x01000193u;
    return hash;
}

bool words_take(struct words *words, const char *text)
{
    words->count = 0;
    if (!words_fold(words, text))
        return false;
    const char *folded = buffer_get(&words->text);
    for (ptrdiff_t at = 0, length = words->text.length; at < length;) {
        ptrdiff_t bytes = word_bytes(folded + at, length - at);
        if (bytes == 0) {
            int32_t code;
            at += text_decode(folded + at, length - at, &code);
            continue;
        }
        if (!memory_grow(&words->items, &words->capacity, words->count + 1, sizeof *words->items))
            return false;
        bool digits = false;
        for (ptrdiff_t i = 0; i < bytes; i++)
            digits = digits || is_digit_byte(folded[at + i]);
        struct word word = { (int)at, (int)bytes, word_hash(folded + at, bytes), digits };
        words->items[words->count++] = word;
        at += bytes;
    }
    return true;
}

const char *words_at(const struct words *words, ptrdiff_t place)
{
    return buffer_get(&words->text) + words->items[place].start;
}

bool words_equal(const struct words *one, ptrdiff_t place, const struct words *other, ptrdiff_t other_place)
{
    const struct word *word = &one->items[place], *same = &other->items[other_place];
    return word->hash == same->hash && word->length == same->length &&
           memcmp(words_at(one, place), words_at(other, other_place), (size_t)word->length) == 0;
}

bool words_is(const struct words *words, ptrdiff_t place, const char *word)
{
    int length = words->items[place].length;
    return strncmp(words_at(words, place), word, (size_t)length) == 0 && word[length] == '\0';
}

/* Where the word is in the table, or where it would go. */
static int set_slot(const struct word_set *set, const struct words *words, ptrdiff_t place)
{
    int at = (int)(words->items[place].hash % WORD_SET);
    while (set->slots[at] && !words_equal(&set->words, set->slots[at] - 1, words, place))
        at = (at + 1) % WORD_SET;
    return at;
}

bool word_set_init(struct word_set *set, const char *text)
{
    memset(set->slots, 0, sizeof set->slots);
    words_init(&set->words);
    if (!words_take(&set->words, text))
        return false;
    for (ptrdiff_t i = 0; i < set->words.count && i < WORD_SET * 3 / 4; i++)
        set->slots[set_slot(set, &set->words, i)] = (short)(i + 1);
    return true;
}

void word_set_finish(struct word_set *set)
{
    words_finish(&set->words);
}

bool word_set_has(const struct word_set *set, const struct words *words, ptrdiff_t place)
{
    return set->slots[set_slot(set, words, place)] != 0;
}
