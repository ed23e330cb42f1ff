/* The texts of a report's model. */
#include "presenting.h"

#include <string.h>

const char *presenting_keep_bytes(struct presenting *presenting, const char *text, ptrdiff_t length)
{
    const char *kept = arena_text(&presenting->out->arena, text, length);
    presenting->failed = presenting->failed || !kept;
    return kept ? kept : "";
}

const char *presenting_keep(struct presenting *presenting)
{
    struct buffer *part = &presenting->part;
    const char *kept = part->length ? presenting_keep_bytes(presenting, part->data, part->length) : NULL;
    presenting->failed = presenting->failed || part->failed;
    buffer_clear(part);
    return kept;
}

const char *presenting_show(struct presenting *presenting, const char *text)
{
    struct report_cell cell = { .kind = CELL_TEXT, .text = text };
    report_say(&presenting->part, &cell, NULL, 0, false);
    const char *kept = presenting_keep(presenting);
    return text && !kept ? "" : kept;
}

const char *presenting_why(struct presenting *presenting, const char *why)
{
    for (int i = 0; i < presenting->why_count; i++)
        if (strcmp(presenting->whys[i], why) == 0)
            return presenting->whys[i];
    const char *kept = presenting_show(presenting, why);
    if (presenting->why_count < PRESENTING_WHYS && kept && strcmp(kept, why) == 0)
        presenting->whys[presenting->why_count++] = kept;
    return kept;
}

const char *presenting_interval(struct presenting *presenting, const struct report_cell *cell, int decimals)
{
    struct buffer *part = &presenting->part;
    buffer_char(part, '(');
    report_say_interval(part, cell, decimals, presenting->ascii);
    if (part->length > 1)
        buffer_char(part, ')');
    else
        buffer_clear(part);
    return presenting_keep(presenting);
}

const char *presenting_or_empty(const char *text)
{
    return text ? text : "";
}
