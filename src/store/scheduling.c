#include "scheduling.h"

#include <string.h>

enum { DAY_STARTS = 4 * 60, DAY_MINUTES = 24 * 60 };

static const double retention_default = 0.9, retention_least = 0.7, retention_most = 0.99;

static double clamp(double retention)
{
    if (!(retention >= retention_least)) /* what is no number, too */
        return retention > 0 ? retention_least : retention_default;
    return retention > retention_most ? retention_most : retention;
}

bool scheduling_init(struct scheduling *scheduling, const struct store_scheduling *given)
{
    memset(scheduling, 0, sizeof *scheduling);
    arena_init(&scheduling->texts);
    scheduling->day_starts = DAY_STARTS;
    scheduling->retention = retention_default;
    if (!given)
        return true;
    if (given->day_starts >= 0 && given->day_starts < DAY_MINUTES)
        scheduling->day_starts = given->day_starts;
    scheduling->retention = clamp(given->retention);
    scheduling->by_pack =
        arena_alloc(&scheduling->texts, (given->by_pack_count + 1) * (ptrdiff_t)sizeof *scheduling->by_pack);
    if (!scheduling->by_pack)
        return false;
    for (int i = 0; i < given->by_pack_count; i++) {
        const char *pack = given->by_pack[i].pack;
        struct store_retention *kept = &scheduling->by_pack[i];
        kept->pack = arena_text(&scheduling->texts, pack, (ptrdiff_t)strlen(pack));
        kept->retention = clamp(given->by_pack[i].retention);
        if (!kept->pack)
            return false;
        scheduling->by_pack_count++;
    }
    return true;
}

void scheduling_finish(struct scheduling *scheduling)
{
    arena_finish(&scheduling->texts);
    memset(scheduling, 0, sizeof *scheduling);
}

double scheduling_retention(const struct scheduling *scheduling, const char *pack_id)
{
    for (int i = scheduling->by_pack_count; i-- > 0;) {
        if (strcmp(scheduling->by_pack[i].pack, pack_id) == 0)
            return scheduling->by_pack[i].retention;
    }
    return scheduling->retention;
}
