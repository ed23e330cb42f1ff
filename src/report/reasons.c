#include "reasons.h"

#include <string.h>

void reasons_init(struct reasons *reasons)
{
    *reasons = (struct reasons){ .count = 0 };
    arena_init(&reasons->arena);
}

void reasons_finish(struct reasons *reasons)
{
    arena_finish(&reasons->arena);
}

int reasons_number(struct reasons *reasons, const char *why)
{
    for (int i = 0; i < reasons->count; i++)
        if (strcmp(reasons->texts[i], why) == 0)
            return i + 1;
    if (reasons->count == REASONS_MOST) {
        reasons->more = true;
        return 0;
    }
    const char *copy = arena_text(&reasons->arena, why, (ptrdiff_t)strlen(why));
    if (!copy)
        return -1;
    reasons->texts[reasons->count++] = copy;
    return reasons->count;
}
