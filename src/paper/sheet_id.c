/* The ID of a sheet: written and read. */
#include <quiztutor/message.h>
#include <quiztutor/sheet.h>

#include <stdio.h>
#include <string.h>

enum {
    BASE = 32,
    CHECK = 3 + SHEET_BODY, /* place of the check digit */
    DIGITS = SHEET_BODY + 10 + 6,
};
static const char digits[BASE + 1] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/* What a character stands for, in any case: O is 0, I and L are 1; a NUL for what no ID holds. */
static char id_character(char c)
{
    c = c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
    c = c == 'O' ? '0' : c == 'I' || c == 'L' ? '1' : c;
    return c && (c == '-' || strchr(digits, c)) ? c : '\0';
}

static int id_value(char c)
{
    const char *digit = c ? strchr(digits, c) : NULL;
    return digit ? (int)(digit - digits) : -1;
}

/*
 * Luhn's algorithm modulo N, for N even (Wikipedia, "Luhn mod N algorithm"): from the right every other digit
 * counts double, its carry added to it. Doubling so is a permutation of the digits, so every single wrong one
 * changes the sum.
 */
static char id_check(const struct sheet_id *id)
{
    char text[DIGITS + 1], limit[12] = "";
    int sum = 0, factor = 2;
    if (id->limit)
        snprintf(limit, sizeof limit, "%d", id->limit);
    snprintf(text, sizeof text, "%s%lu%s", id->body, (unsigned long)id->seed, limit);
    for (size_t i = strlen(text); i-- > 0; factor = 3 - factor) {
        int addend = factor * id_value(text[i]);
        sum += addend / BASE + addend % BASE;
    }
    return digits[(BASE - sum % BASE) % BASE];
}

void sheet_id_format(char text[static SHEET_ID + 1], const struct sheet_id *id)
{
    int length =
        snprintf(text, SHEET_ID + 1, "W1-%s%c-s%lu", id->body, id_check(id), (unsigned long)id->seed);
    if (id->limit)
        snprintf(text + length, (size_t)(SHEET_ID + 1 - length), "-n%d", id->limit);
}

/* A number without a needless zero, at *text, which is left behind it; 0 where there is none. */
static int64_t id_number(const char **text, int64_t most)
{
    int64_t value = 0;
    if (**text == '0')
        return 0;
    for (; **text >= '0' && **text <= '9'; ++*text) {
        value = value * 10 + (**text - '0');
        if (value > most)
            return 0;
    }
    return value;
}

/* Reads what has been brought to its own characters. */
static bool id_parse(struct sheet_id *id, const char *text)
{
    if (strncmp(text, "W1-", 3) != 0 || strlen(text) <= CHECK)
        return false;
    *id = (struct sheet_id){ 0 };
    for (int i = 0; i < SHEET_BODY; i++)
        if (id_value(text[3 + i]) < 0)
            return false;
    memcpy(id->body, text + 3, SHEET_BODY);
    const char *at = text + CHECK + 1;
    if (strncmp(at, "-S", 2) != 0)
        return false;
    at += 2;
    int64_t seed = id_number(&at, UINT32_MAX), limit = 0;
    if (!seed)
        return false;
    id->seed = (uint32_t)seed;
    if (strncmp(at, "-N", 2) == 0) {
        at += 2;
        if (!(limit = id_number(&at, PACK_QUESTIONS)))
            return false;
        id->limit = (int)limit;
    }
    return !*at && text[CHECK] == id_check(id);
}

/* Whether most of what every ID has is in its place: then it is one that was mistyped. */
static bool id_resembles(const char *text)
{
    static const struct {
        int place;
        char is;
    } fixed[] = { { 0, 'W' }, { 1, '1' }, { 2, '-' }, { CHECK + 1, '-' }, { CHECK + 2, 'S' } };
    int right = 0, length = (int)strlen(text);
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        right += fixed[i].place < length && id_character(text[fixed[i].place]) == fixed[i].is;
    return right >= 3;
}

bool sheet_id_read(struct sheet_id *id, const char *text, struct error *error)
{
    char plain[SHEET_ID + 1];
    size_t length = strlen(text);
    bool known = length <= SHEET_ID;
    for (size_t i = 0; known && i < length; i++)
        known = (plain[i] = id_character(text[i])) != '\0';
    if (known) {
        struct sheet_id read;
        plain[length] = '\0';
        if (id_parse(&read, plain)) {
            *id = read;
            return true;
        }
    }
    if (id_resembles(text))
        return error_set(error, ERROR_INPUT,
                         tr("the ID %s is mistyped; compare it with the one at the foot of the sheet"), text);
    return error_set(error, ERROR_INPUT,
                     tr("\"%s\" is no ID of a sheet; that stands at its foot, as in W1-Q9W1DFWF077YMJ-s17"),
                     text);
}
