/* Numbers and texts as they are typed. */
#include "response_private.h"

#include <quiztutor/message.h>

#include <string.h>

/* Whether `text` is the unit: case counts, since MW is not mW; how it is spaced does not. */
static bool is_unit(const char *text, ptrdiff_t length, const char *unit)
{
    int32_t given[TEXT_COMPARED], known[TEXT_COMPARED];
    char copy[PACK_RESPONSE + 1];
    if (length > PACK_RESPONSE)
        return false;
    memcpy(copy, text, (size_t)length);
    copy[length] = '\0';
    int count = text_compare_form(given, copy, TEXT_ANY_SPACES);
    return count > 0 && count == text_compare_form(known, unit, TEXT_ANY_SPACES) &&
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

static const char *fault_reason(enum number_fault fault, const struct question *question)
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
        return question->comma ? tr("that is not a number: type digits, as in 12, 0,5 or 3e8")
                               : tr("that is not a number: type digits, as in 12, 0.5 or 3e8");
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
    else
        response_unreadable(response, "%s", fault_reason(fault, question));
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
