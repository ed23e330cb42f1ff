#include "cell.h"

#include <quiztutor/day.h>
#include <quiztutor/message.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MS_OF_DAY = 86400000, MOST_DECIMALS = 9, OFFSET_LIMIT = 86399 };

static bool is_real(enum cell_kind kind)
{
    return kind == CELL_REAL || kind == CELL_PERCENT || kind == CELL_SHARE;
}

bool cell_is_absent(const struct report_cell *cell)
{
    return cell->kind == CELL_ABSENT || (is_real(cell->kind) && !isfinite(cell->real));
}

const char *cell_why(const struct report_cell *cell)
{
    return cell->kind == CELL_ABSENT && cell->why && *cell->why ? cell->why : tr("it can't be worked out");
}

bool cell_is_number(enum cell_kind kind)
{
    return kind == CELL_WHOLE || is_real(kind) || kind == CELL_SPAN;
}

const char *cell_unit(enum cell_kind kind, const char *unit)
{
    if (unit)
        return *unit ? tr(unit) : NULL;
    return kind == CELL_PERCENT || kind == CELL_SHARE ? "%" : NULL;
}

bool cell_has_interval(const struct report_cell *cell)
{
    return cell->has_interval && is_real(cell->kind) && !cell_is_absent(cell) && isfinite(cell->low) &&
           isfinite(cell->high);
}

void cell_say_number(struct buffer *out, double value, int decimals)
{
    char text[400];
    decimals = decimals < 0 ? 0 : decimals > MOST_DECIMALS ? MOST_DECIMALS : decimals;
    if (fabs(value) >= 1e15)
        snprintf(text, sizeof text, "%.6g", value);
    else
        snprintf(text, sizeof text, "%.*f", decimals, value);
    bool zero = text[0] == '-' && strspn(text + 1, "0.") == strlen(text + 1);
    buffer_text(out, zero ? text + 1 : text);
}

/* "6 min 40 s": two units at most. */
static void say_words(struct buffer *out, int64_t span)
{
    int64_t seconds = span / 1000 + (span % 1000 >= 500);
    if (span < 0 || span > INT64_MAX / 2)
        buffer_print(out, "%" PRId64 " ms", span);
    else if (span < 1000)
        buffer_print(out, tr("%.1f s"), (double)span / 1000);
    else if (seconds < 60)
        buffer_print(out, tr("%d s"), (int)seconds);
    else if (seconds < 3600)
        buffer_print(out, tr("%d min %d s"), (int)(seconds / 60), (int)(seconds % 60));
    else
        buffer_print(out, tr("%lld h %d min"), (long long)(seconds / 3600), (int)(seconds % 3600 / 60));
}

static void say_span(struct buffer *out, int64_t span, const char *unit, int decimals)
{
    static const struct {
        const char *unit;
        double ms;
    } rows[] = { { "ms", 1 }, { "s", 1000 }, { "min", 60000 }, { "h", 3600000 } };
    for (size_t i = 0; unit && i < sizeof rows / sizeof *rows; i++)
        if (strcmp(unit, rows[i].unit) == 0) {
            cell_say_number(out, (double)span / rows[i].ms, decimals);
            return;
        }
    say_words(out, span);
}

void cell_day(char stamp[static CELL_STAMP], int64_t day)
{
    struct day_date date = day_date(day);
    snprintf(stamp, CELL_STAMP, "%04lld-%02d-%02d", (long long)date.year, date.month, date.day);
}

/* The local day of a moment, and the milliseconds of it. */
static int64_t local_day(const struct report_cell *cell, int *offset, int64_t *ms)
{
    *offset = cell->utc_offset_s;
    if (*offset > OFFSET_LIMIT || *offset < -OFFSET_LIMIT)
        *offset = 0;
    *offset -= *offset % 60; /* ISO 8601 has no seconds in offsets */
    int64_t day = cell->whole / MS_OF_DAY;
    *ms = cell->whole % MS_OF_DAY + (int64_t)*offset * 1000;
    for (; *ms < 0; day--)
        *ms += MS_OF_DAY;
    for (; *ms >= MS_OF_DAY; day++)
        *ms -= MS_OF_DAY;
    return day;
}

void cell_moment(char stamp[static CELL_STAMP], const struct report_cell *cell)
{
    int offset;
    int64_t ms;
    struct day_date date = day_date(local_day(cell, &offset, &ms));
    int minutes = (offset < 0 ? -offset : offset) / 60;
    snprintf(stamp, CELL_STAMP, "%04lld-%02d-%02dT%02d:%02d:%02d.%03d%c%02d:%02d", (long long)date.year,
             date.month, date.day, (int)(ms / 3600000), (int)(ms / 60000 % 60), (int)(ms / 1000 % 60),
             (int)(ms % 1000), offset < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

static void say_moment(struct buffer *out, const struct report_cell *cell)
{
    int offset;
    int64_t ms, day = local_day(cell, &offset, &ms);
    char stamp[CELL_STAMP];
    cell_day(stamp, day);
    buffer_print(out, "%s %02d:%02d", stamp, (int)(ms / 3600000), (int)(ms / 60000 % 60));
}

void cell_say(struct buffer *out, const struct report_cell *cell, const char *unit, int decimals)
{
    char stamp[CELL_STAMP];
    if (cell_is_absent(cell))
        return;
    switch (cell->kind) {
    case CELL_WHOLE:
        buffer_print(out, "%" PRId64, cell->whole);
        break;
    case CELL_REAL:
    case CELL_PERCENT:
        cell_say_number(out, cell->real, decimals);
        break;
    case CELL_SHARE:
        cell_say_number(out, cell->real * 100, decimals);
        break;
    case CELL_MOMENT:
        say_moment(out, cell);
        break;
    case CELL_DAY:
        cell_day(stamp, cell->whole);
        buffer_text(out, stamp);
        break;
    case CELL_SPAN:
        say_span(out, cell->whole, unit, decimals);
        break;
    case CELL_TRUTH:
        buffer_text(out, cell->whole ? tr("yes") : tr("no"));
        break;
    case CELL_ABSENT:
    case CELL_TEXT:
    case CELL_NOTHING:
        break;
    }
}

void cell_say_interval(struct buffer *out, const struct report_cell *cell, int decimals, bool ascii)
{
    if (!cell_has_interval(cell))
        return;
    double scale = cell->kind == CELL_SHARE ? 100 : 1;
    cell_say_number(out, cell->low * scale, decimals);
    buffer_text(out, !ascii ? "\xe2\x80\x93" : cell->low < 0 || cell->high < 0 ? ".." : "-");
    cell_say_number(out, cell->high * scale, decimals);
}

void cell_say_unit(struct buffer *out, const struct report_cell *cell, const char *unit, int decimals)
{
    const char *word = cell_unit(cell->kind, unit);
    ptrdiff_t before = out->length;
    cell_say(out, cell, unit, decimals);
    if (out->length == before || !word)
        return;
    if (strcmp(word, "%") != 0)
        buffer_char(out, ' ');
    buffer_text(out, word);
}

double cell_share(const struct report_cell *cell)
{
    if (cell_is_absent(cell) || (cell->kind != CELL_SHARE && cell->kind != CELL_PERCENT))
        return NAN;
    double share = cell->kind == CELL_SHARE ? cell->real : cell->real / 100;
    return share < 0 ? 0 : share > 1 ? 1 : share;
}
