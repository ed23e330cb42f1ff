/* Numbers and texts as they are typed. */
#include "response_private.h"

#include <quiztutor/message.h>

#include <string.h>

/* The micro sign is its look-alike, the Greek letter, in form NFKC only. */
static int unit_form(int32_t form[static TEXT_COMPARED], const char *text)
{
    int count = text_compare_form(form, text, TEXT_ANY_SPACES);
    for (int i = 0; i < count; i++)
        if (form[i] == 0xb5)
            form[i] = 0x3bc;
    return count;
}

/* Whether `text` is the unit: case counts, since MW is not mW; how it is spaced does not. */
static bool is_unit(const char *text, ptrdiff_t length, const char *unit)
{
    int32_t given[TEXT_COMPARED], known[TEXT_COMPARED];
    char copy[PACK_RESPONSE + 1];
    if (length > PACK_RESPONSE)
        return false;
    memcpy(copy, text, (size_t)length);
    copy[length] = '\0';
    int count = unit_form(given, copy);
    return count > 0 && count == unit_form(known, unit) &&
           memcmp(given, known, (size_t)count * sizeof *given) == 0;
}

/* The number is the longest beginning that is one and has the unit behind it; a unit may begin like a number
 * goes on ("5 e"). */
enum number_fault response_number(struct number *number, const struct question *question, const char *text,
                                  ptrdiff_t length)
{
    const char *unit = question->key.number.unit;
    enum number_fault fault = number_read(number, text, length, question->comma);
    ptrdiff_t longest = NUMBER_LONGEST * 3 + 1; /* bytes, white space behind it counted */
    if (fault == NUMBER_FINE || !unit)
        return fault;
    for (ptrdiff_t end = length - 1 < longest ? length - 1 : longest; end > 0; end--) {
        const char *digits = text;
        ptrdiff_t count = end;
        if (((unsigned char)text[end] & 0xc0) == 0x80) /* in the middle of a character */
            continue;
        text_trim(&digits, &count);
        struct number inner;
        enum number_fault inside = number_read(&inner, digits, count, question->comma);
        if (inside == NUMBER_NO_NUMBER || inside == NUMBER_EMPTY || !is_unit(text + end, length - end, unit))
            continue;
        *number = inner;
        return inside;
    }
    return fault;
}

/* Whether a number stands at the beginning, and letters or a sign of a unit behind it: "5 kg", "5%", "5
 * m/s2"; not "0x10" or "1.5.2". */
static bool has_other_unit(const struct question *question, const char *text, ptrdiff_t length)
{
    ptrdiff_t end = length < NUMBER_LONGEST ? length : NUMBER_LONGEST;
    for (; end > 0; end--) {
        const char *digits = text;
        ptrdiff_t count = end;
        struct number number;
        text_trim(&digits, &count);
        if (count == end && number_read(&number, digits, count, question->comma) == NUMBER_FINE)
            break;
    }
    const char *rest = text + end;
    ptrdiff_t left = length - end;
    text_trim(&rest, &left);
    if (end == 0 || left == 0 || ((*rest | 0x20) == 'x' && end == 1))
        return false;
    int32_t code;
    text_decode(rest, left, &code);
    return code == '%' || code == 0xb0 || text_is_letter(code);
}

static void not_read(struct response *response, const struct question *question, const char *text,
                     ptrdiff_t length)
{
    const char *unit = question->key.number.unit;
    if (!has_other_unit(question, text, length))
        response_unreadable(response, "%s",
                            question->comma ? tr("that is not a number: type digits, as in 12, 0,5 or 3e8")
                                            : tr("that is not a number: type digits, as in 12, 0.5 or 3e8"));
    else if (unit)
        response_unreadable(response, tr("type the number alone, or with %s behind it"), unit);
    else
        response_unreadable(response, "%s", tr("type the number alone, with nothing behind it"));
}

static const char *fault_reason(enum number_fault fault)
{
    switch (fault) {
    case NUMBER_LONG:
        return tr("a number has at most 40 characters");
    case NUMBER_COMMA:
        return tr("the decimal sign here is a point, not a comma: type it as in 0.5");
    case NUMBER_GROUPED:
        return tr("type the digits without spaces or commas between them: 1000");
    case NUMBER_TOO_LARGE:
        return tr("the number is too large");
    default:
        return NULL;
    }
}

/* Keeps it as typed. */
static void keep(struct response *response, const char *text, ptrdiff_t length)
{
    memcpy(response->text, text, (size_t)length);
    response->text[length] = '\0';
    response->answer.text = response->text;
    response->kind = RESPONSE_ANSWER;
}

void response_read_number(struct response *response, const struct question *question, const char *text,
                          ptrdiff_t length)
{
    struct number number;
    enum number_fault fault = response_number(&number, question, text, length);
    if (fault == NUMBER_FINE && length <= PACK_RESPONSE)
        keep(response, text, length);
    else if (fault_reason(fault))
        response_unreadable(response, "%s", fault_reason(fault));
    else
        not_read(response, question, text, length);
}

void response_read_text(struct response *response, const char *text, ptrdiff_t length)
{
    if (length > PACK_RESPONSE) {
        response_unreadable(response, tr("the answer is too long: at most %d bytes"), PACK_RESPONSE);
        return;
    }
    for (ptrdiff_t at = 0; at < length;) { /* what would drive a terminal wherever the answer is shown */
        int32_t code;
        at += text_decode(text + at, length - at, &code);
        if (text_forbidden(code)) {
            response_unreadable(response, tr("there is an invisible or control character in it"));
            return;
        }
    }
    keep(response, text, length);
}
