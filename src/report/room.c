#include "room.h"

#include <math.h>
#include <stddef.h>

static double content(const struct room *room, const struct room_column *column)
{
    return column->content + (room->bars ? column->extra : 0);
}

/* No narrower: texts can be wrapped down to `floor`, headings between words, numbers not at all. */
static double narrowest(const struct room *room, const struct room_column *column, double floor)
{
    double width = content(room, column);
    if (!column->fixed && width > floor)
        width = floor;
    return fmax(width, column->word);
}

static double taken(const struct room *room)
{
    double sum = 0;
    for (int i = 0; i < room->count; i++)
        if (!room->columns[i].hidden)
            sum += room->columns[i].width + (sum > 0 ? room->gap : 0);
    return sum;
}

static double narrow(struct room *room, double floor)
{
    for (int i = 0; i < room->count; i++)
        room->columns[i].width = narrowest(room, &room->columns[i], floor);
    return taken(room);
}

/* The column that goes first where there is no room: of the highest rank, the last of these. */
static struct room_column *least(struct room *room)
{
    struct room_column *found = NULL;
    for (int i = 0; i < room->count; i++) {
        struct room_column *column = &room->columns[i];
        if (!column->hidden && column->rank > 0 && (!found || column->rank >= found->rank))
            found = column;
    }
    return found;
}

static double missing(const struct room *room, const struct room_column *column, bool headings)
{
    double wanted = content(room, column);
    wanted = headings ? fmax(column->heading, wanted) : wanted;
    return column->hidden ? 0 : wanted - column->width;
}

/* None is then so narrow that it makes its row high. */
static void share_rest(struct room *room, double rest)
{
    int wanting = 0;
    for (int i = 0; i < room->count; i++)
        wanting += missing(room, &room->columns[i], false) > 0;
    for (int i = 0; i < room->count && wanting; i++) {
        struct room_column *column = &room->columns[i];
        if (missing(room, column, false) > 0)
            column->width += rest / wanting;
    }
}

/* Gives what is left to the columns, those first that need the least to have all they would like. */
static void share_out(struct room *room, bool headings)
{
    double rest = room->width - taken(room);
    while (rest > 0) {
        struct room_column *next = NULL;
        double need = 0;
        for (int i = 0; i < room->count; i++) {
            double one = missing(room, &room->columns[i], headings);
            if (one > 0 && (!next || one < need)) {
                need = one;
                next = &room->columns[i];
            }
        }
        if (!next)
            return;
        if (need > rest && room->even) {
            if (!headings)
                share_rest(room, rest);
            return;
        }
        need = fmin(need, rest);
        next->width += need;
        rest -= need;
    }
}

void room_share(struct room *room)
{
    int step = 0;
    room->bars = true;
    while (narrow(room, room->floors[step]) > room->width) {
        struct room_column *column;
        if (room->bars)
            room->bars = false;
        else if ((column = least(room)))
            column->hidden = true;
        else if (step + 1 < room->floor_count)
            step++;
        else
            break;
    }
    room->records = taken(room) > room->width;
    if (room->records) {
        for (int i = 0; i < room->count; i++)
            room->columns[i].hidden = false; /* a record has a line for each */
        return;
    }
    if (!room->bars) { /* what was left out may have made room for them */
        room->bars = true;
        room->bars = narrow(room, room->floors[step]) <= room->width;
        narrow(room, room->floors[step]);
    }
    share_out(room, false);
    share_out(room, true);
}
