#include "tally.h"

#include <string.h>

void tally_init(struct tally *tally, const struct tally_sink *sink, void *context)
{
    memset(tally, 0, sizeof *tally);
    tally->sink = sink;
    tally->context = context;
    buffer_init(&tally->pack_id);
}

void tally_finish(struct tally *tally)
{
    buffer_finish(&tally->pack_id);
    ids_finish(&tally->pack_sessions);
    ids_finish(&tally->all_sessions);
    days_finish(&tally->days);
}

static bool put_pack(struct tally *tally, const char *pack, const struct summary_sums *sums, int64_t sessions,
                     const struct summary_span *span, struct error *error)
{
    return sums->questions == 0 ||
           tally->sink->pack(tally->context, &tally->learner, pack, sums, sessions, span, error);
}

static bool end_pack(struct tally *tally, struct error *error)
{
    struct summary_ids *sessions = &tally->pack_sessions;
    ids_settle(sessions);
    for (ptrdiff_t i = 0; i < sessions->count; i++) {
        if (!ids_add(&tally->all_sessions, &sessions->items[i]))
            return error_memory(error);
    }
    bool done =
        put_pack(tally, buffer_get(&tally->pack_id), &tally->pack, sessions->count, &tally->pack_span, error);
    sessions->count = 0;
    memset(&tally->pack, 0, sizeof tally->pack);
    span_start(&tally->pack_span);
    return done;
}

static bool end_learner(struct tally *tally, struct error *error)
{
    ids_settle(&tally->all_sessions);
    bool done = put_pack(tally, "", &tally->all, tally->all_sessions.count, &tally->all_span, error);
    for (ptrdiff_t i = 0; done && i < tally->days.count; i++)
        done = tally->sink->day(tally->context, &tally->learner, &tally->days.items[i], error);
    tally->all_sessions.count = tally->days.count = 0;
    memset(&tally->all, 0, sizeof tally->all);
    span_start(&tally->all_span);
    return done;
}

bool tally_enter(struct tally *tally, const struct uuid *learner, const char *pack, struct error *error)
{
    bool same_learner = tally->begun && uuid_equal(&tally->learner, learner);
    bool same_pack = same_learner && strcmp(buffer_get(&tally->pack_id), pack) == 0;
    if (tally->begun && !same_pack && !end_pack(tally, error))
        return false;
    if (tally->begun && !same_learner && !end_learner(tally, error))
        return false;
    if (!tally->begun) {
        span_start(&tally->pack_span);
        span_start(&tally->all_span);
    }
    tally->begun = true;
    tally->learner = *learner;
    if (!same_pack) {
        buffer_clear(&tally->pack_id);
        buffer_text(&tally->pack_id, pack);
    }
    return !tally->pack_id.failed || error_memory(error);
}

bool tally_answer(struct tally *tally, const struct fold *fold, const struct fold_answer *answer,
                  const struct uuid *session, int day_starts, struct error *error)
{
    struct summary_day day;
    day_of(&day, fold, answer, day_starts);
    return (days_add(&tally->days, &day, 1) && ids_add(&tally->pack_sessions, session)) ||
           error_memory(error);
}

void tally_add(struct tally *tally, const struct fold *fold)
{
    sums_add(&tally->pack, fold, 1);
    sums_add(&tally->all, fold, 1);
    span_add(&tally->pack_span, fold);
    span_add(&tally->all_span, fold);
}

bool tally_end(struct tally *tally, struct error *error)
{
    bool done = !tally->begun || (end_pack(tally, error) && end_learner(tally, error));
    tally->begun = false;
    return done;
}
