#include "retained.h"

#include <quiztutor/message.h>

#include <string.h>
#include <time.h>

void retained_init(struct retained *retained)
{
    memset(retained, 0, sizeof *retained);
    arena_init(&retained->arena);
}

void retained_finish(struct retained *retained)
{
    memory_free(retained->names);
    arena_finish(&retained->arena);
}

/* The same local time, so many calendar months before. */
static int64_t months_before(int64_t now, int offset, int months)
{
    time_t local = (time_t)(now / 1000 + offset);
    struct tm date;
    if (!gmtime_r(&local, &date))
        return INT64_MIN;
    date.tm_mon -= months;
    int day = date.tm_mday;
    time_t before = timegm(&date);
    if (date.tm_mday != day) /* there is no 31st: the month's last day */
        before -= (time_t)date.tm_mday * 86400;
    return ((int64_t)before - offset) * 1000;
}

bool retained_read(struct retained *retained, struct store *store, const struct settings *settings,
                   struct error *error)
{
    enum { ID, NAME, LAST_AT = 7 }; /* of QUERY_ROSTER, which has a row for each group */
    struct clock clock = clock_system();
    int64_t now = clock_wall(&clock);
    struct rows *rows;
    struct uuid last = { { 0 } };
    int step;
    retained->months = (int)settings->number[SETTING_RETAIN];
    retained->span = settings->text[SETTING_RETAIN];
    if (!retained->months)
        return true;
    int64_t from = months_before(now, clock_offset(&clock, now), retained->months);
    if (!rows_open(&rows, store, QUERY_ROSTER, NULL, 0, error))
        return false;
    while ((step = rows_step(rows, error)) == 1) {
        struct uuid id;
        rows_uuid(rows, ID, &id);
        if (uuid_equal(&id, &last) || rows_is_null(rows, LAST_AT) || rows_integer(rows, LAST_AT) >= from)
            continue;
        last = id;
        const char *name = arena_print(&retained->arena, "%s", rows_text(rows, NAME));
        if (!name || !memory_grow(&retained->names, &retained->capacity, retained->count + 1,
                                  sizeof *retained->names)) {
            step = -1;
            error_memory(error);
            break;
        }
        retained->names[retained->count++] = name;
    }
    rows_close(rows);
    return step == 0;
}

void retained_json(const struct retained *retained, struct json *json)
{
    json_key(json, "retain_months");
    retained->months ? json_integer(json, retained->months) : json_null(json);
    json_key(json, "over_retention");
    json_open(json, '[');
    for (ptrdiff_t i = 0; i < retained->count; i++)
        json_text(json, retained->names[i]);
    json_close(json, ']');
}

void retained_print(const struct retained *retained, struct output *output)
{
    struct buffer line;
    if (!retained->count)
        return;
    buffer_init(&line);
    buffer_char(&output->text, '\n');
    buffer_print(&line,
                 ntr("%lld learner has answered nothing for longer than answers are to be kept (%s):",
                     "%lld learners have answered nothing for longer than answers are to be kept (%s):",
                     retained->count),
                 (long long)retained->count, retained->span);
    output_text(output, buffer_get(&line));
    for (ptrdiff_t i = 0; i < retained->count; i++) {
        buffer_clear(&line);
        buffer_text(&line, "  ");
        text_visible(&line, retained->names[i], (ptrdiff_t)strlen(retained->names[i]));
        output_text(output, buffer_get(&line));
    }
    output->text.failed = output->text.failed || line.failed;
    buffer_finish(&line);
    output_text(output, tr("Nothing is erased by itself: quiztutor learner erase NAME does it."));
}
