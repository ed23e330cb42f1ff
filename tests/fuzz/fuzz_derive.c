/*
 * An expression in the first line, a text with braces in the rest: nothing crashes, what is refused says
 * where and why, what is taken comes to a finite number or to none, and a text that was checked can be
 * filled.
 */
#include "derive_evaluator.h"
#include "derive_template.h"

#include <quiztutor/text.h>

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static const struct parameter items[] = {
    { .name = "p", .numeric = true, .count = 1 },
    { .name = "m", .numeric = true, .count = 1 },
    { .name = "kind", .count = 1 },
};
static const struct derived derived[] = { { .name = "x", .expression = "p" },
                                          { .name = "y", .expression = "p" } };
static const struct evaluator_value values[] = {
    { .number = 4 }, { .number = -0.5 }, { .text = "a'b" }, { .number = 0 }, { .number = 7 }
};

static void try_expression(struct evaluator *evaluator, const struct parameters *parameters, const char *text)
{
    struct expression_fault fault;
    double result = NAN;
    memset(&fault, 0, sizeof fault);
    switch (evaluator_work_out(evaluator, parameters, 1, text, values, &result, &fault)) {
    case EVALUATION_FINE:
        if (!isfinite(result))
            abort();
        break;
    case EVALUATION_BAD:
        if (!*fault.message || fault.start < 0 || fault.length < 0 ||
            fault.start + fault.length > (ptrdiff_t)strlen(text))
            abort();
        break;
    case EVALUATION_NOTHING:
    case EVALUATION_INFINITE:
        break;
    case EVALUATION_STEPS: /* an expression has no loops */
    case EVALUATION_MEMORY:
        abort();
    }
    evaluator_forget(evaluator);
}

static void try_template(const struct parameters *parameters, const char *text)
{
    struct expression_names names;
    struct template_spot spot;
    struct buffer out;
    ptrdiff_t length = (ptrdiff_t)strlen(text);
    evaluator_names(&names, parameters, 2);
    buffer_init(&out);
    enum template_fault fault = template_check(text, &names, &spot), filled;
    if (fault != TEMPLATE_FINE && (spot.start < 0 || spot.length < 1 || spot.start + spot.length > length ||
                                   spot.name_length < 0 || spot.name_start + spot.name_length > length))
        abort();
    filled = template_fill(&out, text, &names, values);
    if (fault == TEMPLATE_FINE && filled != TEMPLATE_FINE && length < PACK_TEXT / 64)
        abort();
    if (!strpbrk(text, "{}") && filled == TEMPLATE_FINE && strcmp(text, buffer_get(&out)) != 0)
        abort();
    if (out.failed)
        abort();
    buffer_finish(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static struct evaluator *evaluator; /* one for all: what an expression leaves behind would show */
    if (!evaluator)
        evaluator = evaluator_create(false, NULL);
    struct parameters parameters = {
        .items = items, .count = 3, .derived = derived, .derived_count = 2, .evaluator = evaluator
    };
    char *text = malloc(size + 1);
    if (!text || !evaluator)
        abort();
    memcpy(text, bytes, size);
    text[size] = '\0';
    char *rest = text + strcspn(text, "\n");
    if (*rest)
        *rest++ = '\0';
    try_expression(evaluator, &parameters, text);
    try_template(&parameters, rest);
    free(text);
    return 0;
}
