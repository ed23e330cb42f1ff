/* Sums kept up: of a learner's pack, of all packs, of a day. */
#include "sqlite_store.h"

#include <string.h>

int sqlite_in_session(struct sqlite_store *store, const struct uuid *session, const struct uuid *learner,
                      const char *pack_id, const struct uuid *attempt, const char *of_pack,
                      const char *question_id, struct error *error)
{
    sqlite3_stmt *statement = sqlite_prepare(store, SQL_IN_SESSION, error);
    if (!statement)
        return -1;
    sqlite_bind_uuid(statement, 1, session);
    sqlite_bind_uuid(statement, 2, learner);
    sqlite_bind_text(statement, 3, pack_id);
    sqlite_bind_uuid(statement, 4, attempt);
    sqlite_bind_text(statement, 5, of_pack);
    sqlite_bind_text(statement, 6, question_id);
    int found = sqlite_look_up(store, statement, error);
    sqlite3_reset(statement);
    return found;
}

bool sqlite_add_pack(struct sqlite_store *store, const struct uuid *learner, const char *pack_id,
                     const struct summary_sums *sums, int64_t sessions, const struct summary_span *span,
                     struct error *error)
{
    sqlite3_stmt *statement = sqlite_prepare(store, SQL_ADD_PACK, error);
    if (!statement)
        return false;
    sqlite_bind_uuid(statement, 1, learner);
    sqlite_bind_text(statement, 2, pack_id);
    sqlite3_bind_int64(statement, 3, sums->questions);
    sqlite3_bind_int64(statement, 4, sums->attempts);
    for (int i = 0; i < OUTCOMES; i++)
        sqlite3_bind_int64(statement, 5 + i, sums->firsts[i]);
    sqlite3_bind_int64(statement, 9, sums->shares);
    sqlite3_bind_int64(statement, 10, sums->elapsed_ms);
    sqlite3_bind_int64(statement, 11, sums->mastered);
    sqlite3_bind_int64(statement, 12, sums->stuck);
    sqlite3_bind_int64(statement, 13, sessions);
    sqlite3_bind_int64(statement, 14, span->first);
    sqlite3_bind_int64(statement, 15, span->last);
    return sqlite_run(store, statement, NULL, error);
}

static bool run_on_pack(struct sqlite_store *store, enum sqlite_statement which, const struct uuid *learner,
                        const char *pack_id, struct error *error)
{
    sqlite3_stmt *statement = sqlite_prepare(store, which, error);
    if (!statement)
        return false;
    sqlite_bind_uuid(statement, 1, learner);
    sqlite_bind_text(statement, 2, pack_id);
    return sqlite_run(store, statement, NULL, error);
}

/* Drops the row once nothing is left that it sums up; 1 dropped, 0 kept, −1 an error. */
static int drop_empty_pack(struct sqlite_store *store, const struct uuid *learner, const char *pack_id,
                           struct error *error)
{
    sqlite3_stmt *statement = sqlite_prepare(store, SQL_PACK, error);
    if (!statement)
        return -1;
    sqlite_bind_uuid(statement, 1, learner);
    sqlite_bind_text(statement, 2, pack_id);
    int found = sqlite_look_up(store, statement, error);
    bool empty = found > 0 && sqlite3_column_int64(statement, 1) == 0;
    sqlite3_reset(statement);
    if (found < 0 || !empty)
        return found < 0 ? -1 : 0;
    return run_on_pack(store, SQL_DROP_PACK, learner, pack_id, error) ? 1 : -1;
}

/* One of the two rows. The earliest and the latest may have gone: they are looked for anew. */
static bool change_pack(struct sqlite_store *store, const struct uuid *learner, const char *pack_id,
                        const struct summary_sums *sums, int64_t sessions, const struct summary_span *span,
                        struct error *error)
{
    if (!sqlite_add_pack(store, learner, pack_id, sums, sessions, span, error))
        return false;
    int dropped = drop_empty_pack(store, learner, pack_id, error);
    return dropped > 0 || (dropped == 0 && run_on_pack(store, SQL_SPAN_PACK, learner, pack_id, error));
}

bool sqlite_summary_pack(struct sqlite_store *store, const struct uuid *learner, const char *pack_id,
                         const struct fold *old, const struct fold *now, int64_t sessions, int64_t all,
                         struct error *error)
{
    struct summary_sums sums = { 0 };
    struct summary_span span;
    sums_add(&sums, old, -1);
    sums_add(&sums, now, 1);
    bool same_span = old->is.seen == now->is.seen && old->is.answered_at == now->is.answered_at &&
                     old->summary.first_at == now->summary.first_at;
    if (sums_are_zero(&sums) && sessions == 0 && all == 0 && same_span)
        return true;
    span_start(&span);
    span_add(&span, now);
    return change_pack(store, learner, pack_id, &sums, sessions, &span, error) &&
           change_pack(store, learner, "", &sums, all, &span, error);
}

bool sqlite_add_day(struct sqlite_store *store, const struct uuid *learner, const struct summary_day *day,
                    struct error *error)
{
    const int64_t values[] = { day->day,    day->attempts, day->given,      day->right,
                               day->firsts, day->shares,   day->elapsed_ms, day->fresh };
    bool nothing = true;
    for (int i = 1; i < 8; i++)
        nothing = nothing && values[i] == 0;
    if (nothing)
        return true;
    sqlite3_stmt *statement = sqlite_prepare(store, SQL_ADD_DAY, error);
    if (!statement)
        return false;
    sqlite_bind_uuid(statement, 1, learner);
    for (int i = 0; i < 8; i++)
        sqlite3_bind_int64(statement, 2 + i, values[i]);
    if (!sqlite_run(store, statement, NULL, error))
        return false;
    if (day->attempts > 0)
        return true;
    sqlite3_stmt *drop = sqlite_prepare(store, SQL_EMPTY_DAY, error);
    if (!drop)
        return false;
    sqlite_bind_uuid(drop, 1, learner);
    sqlite3_bind_int64(drop, 2, day->day);
    return sqlite_run(store, drop, NULL, error);
}

bool sqlite_summary_attempt(struct sqlite_store *store, const struct uuid *session,
                            const struct uuid *learner, const struct store_attempt *attempt,
                            const struct fold *old, const struct fold *now, const struct summary_day *day,
                            struct error *error)
{
    struct summary_sums sums = { 0 };
    struct summary_span span;
    const char *pack = attempt->pack_id;
    int in_pack = sqlite_in_session(store, session, learner, pack, &attempt->id, NULL, NULL, error);
    int in_any = in_pack != 0
                     ? in_pack
                     : sqlite_in_session(store, session, learner, NULL, &attempt->id, NULL, NULL, error);
    if (in_pack < 0 || in_any < 0 || !sqlite_add_day(store, learner, day, error))
        return false;
    if (old->is.seen && now->is.answered_at < old->is.answered_at) /* the clock was set back */
        return sqlite_summary_pack(store, learner, pack, old, now, in_pack == 0, in_any == 0, error);
    sums_add(&sums, old, -1);
    sums_add(&sums, now, 1);
    span_start(&span);
    span_add(&span, now);
    return sqlite_add_pack(store, learner, pack, &sums, in_pack == 0, &span, error) &&
           sqlite_add_pack(store, learner, "", &sums, in_any == 0, &span, error);
}
