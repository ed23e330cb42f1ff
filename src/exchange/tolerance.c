#include "tolerance.h"

#include <stdio.h>

bool tolerance_write(char text[static TOLERANCE_TEXT], const struct number_key *key)
{
    char digits[NUMBER_PLAIN];
    double percent = key->tolerance * 100;
    if (!(key->tolerance > 0) && !key->relative)
        return false;
    /* 0.07 × 100 is a little more than 7: rounded it is what was divided by 100, where that gives the same */
    if (number_round(percent, PACK_FIGURES) / 100 == key->tolerance)
        percent = number_round(percent, PACK_FIGURES);
    number_plain(digits, key->relative ? percent : key->tolerance);
    snprintf(text, TOLERANCE_TEXT, "%s%s", digits, key->relative ? "%" : "");
    return true;
}

bool tolerance_read(struct number_key *key, const char *text, ptrdiff_t length, bool comma)
{
    struct number number;
    bool relative = length > 0 && text[length - 1] == '%';
    length -= relative;
    while (relative && length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        length--;
    if (number_read(&number, text, length, comma) != NUMBER_FINE || number.value < 0 ||
        (relative && number.value > 100))
        return false;
    key->relative = relative;
    key->tolerance = relative ? number.value / 100 : number.value;
    return true;
}
