#include "derive_expression.h"

#include <quiztutor/message.h>

#include <string.h>
#include <strings.h>

const struct expression_function expression_functions[] = {
    { "abs", 1, 1 },
    { "round", 1, 2 },
    { "floor", 1, 1 },
    { "ceil", 1, 1 },
    { "sqrt", 1, 1 },
    { "exp", 1, 1 },
    { "ln", 1, 1 },
    { "log10", 1, 1 },
    { "pow", 2, 2 },
    { "sin", 1, 1 },
    { "cos", 1, 1 },
    { "tan", 1, 1 },
    { "asin", 1, 1 },
    { "acos", 1, 1 },
    { "atan", 1, 1 },
    { "pi", 0, 0 },
    { "min", 2, EXPRESSION_ANY },
    { "max", 2, EXPRESSION_ANY },
};
const int expression_function_count = sizeof expression_functions / sizeof *expression_functions;

/* What people write in other languages, and what it is called here. */
static const struct {
    const char *name, *hint;
} other_names[] = {
    { "log", N_("write ln(x) or log10(x)") },
    { "log2", N_("write ln(x) / ln(2)") },
    { "ceiling", N_("write ceil(x)") },
    { "power", N_("write pow(x, y)") },
    { "mod", N_("write x % y") },
    { "if", N_("write CASE WHEN … THEN … ELSE … END") },
    { "iif", N_("write CASE WHEN … THEN … ELSE … END") },
    { "sum", N_("write x + y") },
    { "trunc", N_("write floor(x)") },
    { "int", N_("write floor(x)") },
};

const struct expression_function *expression_function_find(const char *text, ptrdiff_t length)
{
    for (int i = 0; i < expression_function_count; i++)
        if ((ptrdiff_t)strlen(expression_functions[i].name) == length &&
            strncasecmp(expression_functions[i].name, text, (size_t)length) == 0)
            return &expression_functions[i];
    return NULL;
}

const char *expression_function_hint(const char *name)
{
    for (size_t i = 0; i < sizeof other_names / sizeof *other_names; i++)
        if (strcasecmp(name, other_names[i].name) == 0)
            return other_names[i].hint;
    return NULL;
}
