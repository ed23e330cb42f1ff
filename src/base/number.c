#include <quiztutor/json.h>
#include <quiztutor/number.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* U+2212, the minus sign proper. */
static const char minus_sign[] = "\xe2\x88\x92";

struct scan {
    const char *at, *end;
    char plain[NUMBER_LONGEST + 8]; /* as strtod takes it */
    int length;
    int digits, figures, zeros; /* zeros: leading ones, which are no figures */
};

static void scan_keep(struct scan *scan, char c)
{
    scan->plain[scan->length++] = c; /* never longer than the text itself */
}

static void scan_sign(struct scan *scan)
{
    if (scan->end - scan->at >= 3 && memcmp(scan->at, minus_sign, 3) == 0) {
        scan_keep(scan, '-');
        scan->at += 3;
    } else if (scan->at < scan->end && (*scan->at == '-' || *scan->at == '+')) {
        scan_keep(scan, *scan->at++);
    }
}

static int scan_digits(struct scan *scan, bool counted)
{
    int count = 0;
    for (; scan->at < scan->end && *scan->at >= '0' && *scan->at <= '9'; scan->at++, count++) {
        scan_keep(scan, *scan->at);
        if (counted && (*scan->at != '0' || scan->figures))
            scan->figures++;
    }
    if (counted)
        scan->digits += count;
    return count;
}

/* "1 000", "1,000,000", "1 000,5": digits parted in groups. */
static bool is_grouped(const char *text, ptrdiff_t length)
{
    int groups = 0;
    for (ptrdiff_t i = 1; i + 1 < length; i++)
        if ((text[i] == ' ' || text[i] == ',' || text[i] == '\'' || text[i] == '.') && text[i - 1] >= '0' &&
            text[i - 1] <= '9' && text[i + 1] >= '0' && text[i + 1] <= '9')
            groups += text[i] == ' ' || text[i] == '\'' ? 2 : 1;
    return groups > 1;
}

static enum number_fault fault_of(const char *text, ptrdiff_t length, bool comma)
{
    if (is_grouped(text, length))
        return NUMBER_GROUPED;
    const char *found = memchr(text, ',', (size_t)length);
    if (!found || comma)
        return NUMBER_NO_NUMBER;
    struct number number;
    char pointed[NUMBER_LONGEST * 4 + 1];
    if (length >= (ptrdiff_t)sizeof pointed)
        return NUMBER_NO_NUMBER;
    memcpy(pointed, text, (size_t)length);
    pointed[found - text] = '.';
    return memchr(pointed, ',', (size_t)length) || number_read(&number, pointed, length, true) != NUMBER_FINE
               ? NUMBER_NO_NUMBER
               : NUMBER_COMMA;
}

/* Characters, counted as code points; more than any number has is the same as too many. */
static int characters(const char *text, ptrdiff_t length)
{
    int count = 0;
    for (ptrdiff_t i = 0; i < length && count <= NUMBER_LONGEST; i++)
        count += ((unsigned char)text[i] & 0xc0) != 0x80;
    return count;
}

enum number_fault number_read(struct number *number, const char *text, ptrdiff_t length, bool comma)
{
    struct scan scan = { .at = text, .end = text + length };
    *number = (struct number){ 0 };
    if (length == 0)
        return NUMBER_EMPTY;
    if (characters(text, length) > NUMBER_LONGEST)
        return NUMBER_LONG;
    scan_sign(&scan);
    if (scan_digits(&scan, true) == 0)
        return fault_of(text, length, comma);
    if (scan.at < scan.end && (*scan.at == '.' || (comma && *scan.at == ','))) {
        scan_keep(&scan, '.');
        scan.at++;
        if (scan_digits(&scan, true) == 0)
            return fault_of(text, length, comma);
    }
    if (scan.at < scan.end && (*scan.at | 0x20) == 'e') {
        scan_keep(&scan, 'e');
        scan.at++;
        scan_sign(&scan);
        if (scan_digits(&scan, false) == 0)
            return fault_of(text, length, comma);
    }
    if (scan.at < scan.end)
        return fault_of(text, length, comma);
    scan.plain[scan.length] = '\0';
    number->value = strtod(scan.plain, NULL); /* LC_NUMERIC stays C */
    number->figures = scan.figures ? scan.figures : 1;
    return isfinite(number->value) ? NUMBER_FINE : NUMBER_TOO_LARGE;
}

double number_round(double value, int figures)
{
    char shortest[40], digits[20] = "", text[40];
    if (!isfinite(value) || value == 0 || figures < 1 || figures > 16)
        return value;
    /* The shortest digits that read back equal are what people see: a half among them goes away from zero,
     * whatever the binary value's own error says. */
    int places = 0;
    do
        snprintf(shortest, sizeof shortest, "%.*e", places, fabs(value));
    while (strtod(shortest, NULL) != fabs(value) && ++places < 17);
    if (places + 1 <= figures)
        return value;
    digits[0] = shortest[0];
    memcpy(digits + 1, shortest + 2, (size_t)places);
    int exponent = atoi(strchr(shortest, 'e') + 1) - (figures - 1), last = figures - 1;
    bool up = digits[figures] >= '5';
    digits[figures] = '\0';
    for (; up && last >= 0 && digits[last] == '9'; last--)
        digits[last] = '0';
    if (up && last >= 0)
        digits[last]++;
    snprintf(text, sizeof text, "%s%s%se%d", value < 0 ? "-" : "", up && last < 0 ? "1" : "", digits,
             exponent);
    return strtod(text, NULL);
}

/* Primary languages that write a decimal comma (CLDR's number formats); English, Chinese, Japanese, Hebrew,
 * Thai and others write a point. */
bool number_comma(const char *language)
{
    static const char commas[] =
        " af az be bg bs ca cs da de el es et eu fi fo fr fy gl hr hu hy id is it ka kk kl ky lb lt lv mk mn "
        "nb nl nn no pl pt ro ru sk sl sq sr sv tk tr tt uk uz vi ";
    /* regions of those languages where a point is written */
    static const char *const points[] = { "es-mx", "es-us", "es-gt", "es-hn",  "es-ni", "es-pa", "es-pe",
                                          "es-pr", "es-sv", "es-do", "es-419", "de-ch", "de-li", "it-ch" };
    char word[16];
    int length = (int)strcspn(language, "-_");
    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
        if (strcasecmp(language, points[i]) == 0)
            return false;
    if (length < 2 || length > 3)
        return false;
    snprintf(word, sizeof word, " %.*s ", length, language);
    for (char *c = word; *c; c++)
        if (*c >= 'A' && *c <= 'Z')
            *c = (char)(*c | 0x20);
    return strstr(commas, word) != NULL;
}

void number_plain(char text[static NUMBER_PLAIN], double value)
{
    char shortest[32], digits[32];
    json_format_number(shortest, value);
    char *e = strchr(shortest, 'e');
    if (!e) {
        snprintf(text, NUMBER_PLAIN, "%s", shortest);
        return;
    }
    int exponent = atoi(e + 1), count = 0, before = 1 + exponent;
    char *to = text;
    *e = '\0';
    for (const char *at = shortest; *at; at++)
        if (*at >= '0' && *at <= '9')
            digits[count++] = *at;
    if (shortest[0] == '-')
        *to++ = '-';
    if (before <= 0) {
        *to++ = '0';
        *to++ = '.';
        for (int i = before; i < 0; i++)
            *to++ = '0';
    }
    for (int i = 0; i < count || i < before; i++) {
        if (i == before && before > 0)
            *to++ = '.';
        *to++ = i < count ? digits[i] : '0';
    }
    *to = '\0';
}
