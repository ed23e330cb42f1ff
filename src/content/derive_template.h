/*
 * The braces in texts of parametrised questions: {x} prints %.15g or a text as it is, {x:.2f} decimals, {x:,}
 * groups of three; {{ and }} are braces. Any other form is a fault. Private to content.
 */
#ifndef CONTENT_DERIVE_TEMPLATE_H
#define CONTENT_DERIVE_TEMPLATE_H

#include "derive_evaluator.h"

enum { TEMPLATE_DECIMALS = 12 };

enum template_fault {
    TEMPLATE_FINE,
    TEMPLATE_FORM,     /* braces of another form */
    TEMPLATE_DECIMAL,  /* more than TEMPLATE_DECIMALS */
    TEMPLATE_NAME,     /* a name that is not known */
    TEMPLATE_TEXT,     /* a text with the form of a number */
    TEMPLATE_SINGLE,   /* a closing brace alone */
    TEMPLATE_TOO_LONG, /* more than PACK_TEXT bytes come out */
};

/* Where it is wrong: bytes within the text. */
struct template_spot {
    ptrdiff_t start, length;
    ptrdiff_t name_start, name_length;
};

/* Whether all braces are right for these names (all of them usable). */
enum template_fault template_check(const char *text, const struct expression_names *names,
                                   struct template_spot *spot);

/* Appends the text with the values put in; out->failed tells that there is no memory. TEMPLATE_TOO_LONG, or
 * TEMPLATE_FINE for a text that has been checked. */
enum template_fault template_fill(struct buffer *out, const char *text, const struct expression_names *names,
                                  const struct evaluator_value *values);

/* %.15g, N decimals, and the integer part in groups of three (in full: no exponent from 1e15 on). */
enum { TEMPLATE_NUMBER = 512 };
void template_number(char text[static TEMPLATE_NUMBER], double value);
void template_decimals(char text[static TEMPLATE_NUMBER], double value, int decimals);
void template_groups(char text[static TEMPLATE_NUMBER], double value);

#endif
