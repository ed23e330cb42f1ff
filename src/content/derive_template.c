#include "derive_template.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void template_number(char text[static TEMPLATE_NUMBER], double value)
{
    snprintf(text, TEMPLATE_NUMBER, "%.15g", value);
}

void template_decimals(char text[static TEMPLATE_NUMBER], double value, int decimals)
{
    snprintf(text, TEMPLATE_NUMBER, "%.*f", decimals, value);
}

void template_groups(char text[static TEMPLATE_NUMBER], double value)
{
    char plain[TEMPLATE_NUMBER];
    int length = 0;
    if (fabs(value) >= 1e15)
        template_decimals(plain, value, 0);
    else
        template_number(plain, value);
    int start = plain[0] == '-', digits = start + (int)strspn(plain + start, "0123456789");
    for (int i = 0; plain[i]; i++) {
        if (i > start && i < digits && (digits - i) % 3 == 0)
            text[length++] = ',';
        text[length++] = plain[i];
    }
    text[length] = '\0';
}

/* One brace form, from its { on. */
struct form {
    ptrdiff_t name_length, length; /* of the name; of all of it, with its braces */
    enum { FORM_PLAIN, FORM_DECIMALS, FORM_GROUPS } kind;
    int decimals;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* ":,}" or ":.2f}" or "}" behind a name. */
static enum template_fault read_format(const char *text, struct form *form)
{
    ptrdiff_t at = 0;
    form->kind = FORM_PLAIN;
    if (text[0] == ':' && text[1] == ',') {
        form->kind = FORM_GROUPS;
        at = 2;
    } else if (text[0] == ':' && text[1] == '.' && is_digit(text[2])) {
        form->kind = FORM_DECIMALS;
        form->decimals = text[2] - '0';
        at = 3;
        if (is_digit(text[3]) && text[2] != '0') {
            form->decimals = 10 * form->decimals + text[3] - '0';
            at = 4;
        }
        if (text[at++] != 'f')
            return TEMPLATE_FORM;
    }
    if (text[at] != '}')
        return TEMPLATE_FORM;
    form->length += at + 1;
    return form->kind == FORM_DECIMALS && form->decimals > TEMPLATE_DECIMALS ? TEMPLATE_DECIMAL
                                                                             : TEMPLATE_FINE;
}

static enum template_fault read_form(const char *text, struct form *form)
{
    ptrdiff_t length = 0;
    while (length <= DERIVE_NAME && expression_is_part(text[1 + length]))
        length++;
    form->name_length = length;
    form->length = 1 + length;
    if (!expression_is_name(text + 1, length))
        return TEMPLATE_FORM;
    return read_format(text + 1 + length, form);
}

static int find_name(const struct expression_names *names, const char *text, ptrdiff_t length)
{
    for (int i = 0; i < names->count; i++)
        if (strncmp(names->items[i].name, text, (size_t)length) == 0 && !names->items[i].name[length])
            return i;
    return -1;
}

/* What to show of a form that is none: up to its closing brace, if that is near. */
static ptrdiff_t extent(const char *text)
{
    enum { NEAR = 48 };
    for (ptrdiff_t i = 1; i < NEAR && text[i] && text[i] != '\n' && text[i] != '{'; i++)
        if (text[i] == '}')
            return i + 1;
    return 1;
}

enum template_fault template_check(const char *text, const struct expression_names *names,
                                   struct template_spot *spot)
{
    for (ptrdiff_t at = 0; (at += (ptrdiff_t)strcspn(text + at, "{}")), text[at];) {
        struct form form;
        if (text[at] == text[at + 1]) {
            at += 2;
            continue;
        }
        *spot = (struct template_spot){ .start = at, .length = 1 };
        if (text[at] == '}')
            return TEMPLATE_SINGLE;
        enum template_fault fault = read_form(text + at, &form);
        spot->length = extent(text + at);
        spot->name_start = at + 1;
        spot->name_length = form.name_length;
        if (fault != TEMPLATE_FINE)
            return fault;
        int name = find_name(names, text + at + 1, form.name_length);
        if (name < 0)
            return TEMPLATE_NAME;
        if (names->items[name].text && form.kind != FORM_PLAIN)
            return TEMPLATE_TEXT;
        at += form.length;
    }
    return TEMPLATE_FINE;
}

static void add_value(struct buffer *out, const struct evaluator_value *value, const struct form *form)
{
    char number[TEMPLATE_NUMBER];
    if (form->kind == FORM_DECIMALS)
        template_decimals(number, value->number, form->decimals);
    else if (form->kind == FORM_GROUPS)
        template_groups(number, value->number);
    else
        template_number(number, value->number);
    buffer_text(out, value->text ? value->text : number);
}

enum template_fault template_fill(struct buffer *out, const char *text, const struct expression_names *names,
                                  const struct evaluator_value *values)
{
    ptrdiff_t start = out->length;
    for (ptrdiff_t at = 0; text[at];) {
        ptrdiff_t length = (ptrdiff_t)strcspn(text + at, "{}");
        buffer_add(out, text + at, length);
        at += length;
        if (!text[at])
            break;
        struct form form;
        int name = -1;
        if (text[at] == '{' && text[at + 1] != '{' && read_form(text + at, &form) == TEMPLATE_FINE)
            name = find_name(names, text + at + 1, form.name_length);
        if (name >= 0)
            add_value(out, &values[name], &form);
        else
            buffer_char(out, text[at]);
        if (name >= 0)
            at += form.length;
        else
            at += text[at] == text[at + 1] ? 2 : 1;
        if (out->length - start > PACK_TEXT)
            return TEMPLATE_TOO_LONG;
    }
    return out->length - start > PACK_TEXT ? TEMPLATE_TOO_LONG : TEMPLATE_FINE;
}
