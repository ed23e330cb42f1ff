/* What is given and derived in two forms of a parametrised question. */
#include "pack_diff.h"

#include <quiztutor/derive.h>

#include <string.h>

static bool same_value(const struct parameter *one, const struct parameter *other, int place)
{
    if (!one->numeric)
        return strcmp(one->texts[place], other->texts[place]) == 0;
    double value = one->numbers ? one->numbers[place] : one->from + one->step * place;
    double other_value = other->numbers ? other->numbers[place] : other->from + other->step * place;
    return !(value < other_value || value > other_value);
}

static bool same_values(const struct parameter *one, const struct parameter *other)
{
    if (strcmp(one->name, other->name) != 0 || one->count != other->count || one->numeric != other->numeric)
        return false;
    for (int i = 0; i < one->count; i++)
        if (!same_value(one, other, i))
            return false;
    return true;
}

bool diff_same_parameters(const struct parameters *one, const struct parameters *other)
{
    if (!one || !other)
        return one == other;
    if (one->count != other->count || one->rows != other->rows || one->derived_count != other->derived_count)
        return false;
    for (int i = 0; i < one->count; i++)
        if (!same_values(&one->items[i], &other->items[i]))
            return false;
    for (int i = 0; i < one->derived_count; i++)
        if (strcmp(one->derived[i].name, other->derived[i].name) != 0 ||
            strcmp(one->derived[i].expression, other->derived[i].expression) != 0)
            return false;
    return true;
}
