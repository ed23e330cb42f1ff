#include "sqlite_change.h"

#include <string.h>

static void init(struct sqlite_change *change, struct sqlite_store *store)
{
    memset(change, 0, sizeof *change);
    change->store = store;
    sqlite_key_init(&change->key);
}

void sqlite_change_finish(struct sqlite_change *change)
{
    sqlite_key_finish(&change->key);
    days_finish(&change->days);
    ids_finish(&change->sessions);
}

/* The question from all its answers. */
static bool fold_all(struct sqlite_change *change, struct fold *fold, struct summary_days *days,
                     struct summary_ids *sessions, struct error *error)
{
    const char *pack = buffer_get(&change->key.pack), *question = buffer_get(&change->key.question);
    const struct uuid *learner = &change->key.learner;
    struct fold_rules rules;
    struct sqlite_log log;
    if (!sqlite_rules(change->store, learner, pack, &rules, error))
        return false;
    bool done = sqlite_log_open_question(&log, change->store, learner, pack, question, error);
    log.days = days;
    log.sessions = sessions;
    done = done && sqlite_log_question(&log, error) >= 0 && sqlite_log_fold(&log, &rules, fold, error);
    sqlite_log_close(&log);
    ids_settle(sessions);
    return done;
}

static bool begin(struct sqlite_change *change, struct error *error)
{
    struct fold before = { 0 };
    change->active = true;
    return sqlite_schedule_read(change->store, &change->key.learner, buffer_get(&change->key.pack),
                                buffer_get(&change->key.question), &change->old, error) >= 0 &&
           fold_all(change, &before, &change->days, &change->sessions, error);
}

bool sqlite_change_begin(struct sqlite_change *change, struct sqlite_store *store, const struct uuid *learner,
                         const char *pack_id, const char *question_id, struct error *error)
{
    init(change, store);
    change->key.learner = *learner;
    buffer_text(&change->key.pack, pack_id);
    buffer_text(&change->key.question, question_id);
    if (change->key.pack.failed || change->key.question.failed)
        return error_memory(error);
    return begin(change, error);
}

static bool is_change(const struct store_event *event)
{
    static const char *const kinds[] = { "undone", "regraded", "voided", "accepted" };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(event->kind, kinds[i]) == 0)
            return !uuid_is_zero(&event->attempt_id);
    }
    return false;
}

bool sqlite_change_begin_event(struct sqlite_change *change, struct sqlite_store *store,
                               const struct store_event *event, struct error *error)
{
    init(change, store);
    if (!is_change(event))
        return true;
    sqlite3_stmt *statement = sqlite_prepare(store, SQL_QUESTION_OF, error);
    if (!statement)
        return false;
    sqlite_bind_uuid(statement, 1, &event->attempt_id);
    int found = sqlite_look_up(store, statement, error);
    bool done = found >= 0;
    if (found > 0 && !sqlite_key_read(&change->key, statement))
        done = error_memory(error);
    sqlite3_reset(statement);
    return done && (found == 0 || begin(change, error));
}

static bool has_id(const struct summary_ids *ids, const struct uuid *id)
{
    for (ptrdiff_t i = 0; i < ids->count; i++) {
        if (uuid_equal(&ids->items[i], id))
            return true;
    }
    return false;
}

/* How many of `ids` are not in `others`, and have no counted answer to another question: of the pack, of any.
 */
static bool count_lone(struct sqlite_change *change, const struct summary_ids *ids,
                       const struct summary_ids *others, int64_t *in_pack, int64_t *in_all,
                       struct error *error)
{
    const char *pack = buffer_get(&change->key.pack), *question = buffer_get(&change->key.question);
    *in_pack = *in_all = 0;
    for (ptrdiff_t i = 0; i < ids->count; i++) {
        if (has_id(others, &ids->items[i]))
            continue;
        int found = sqlite_in_session(change->store, &ids->items[i], &change->key.learner, pack, NULL, pack,
                                      question, error);
        *in_pack += found == 0;
        if (found == 0)
            found = sqlite_in_session(change->store, &ids->items[i], &change->key.learner, NULL, NULL, pack,
                                      question, error);
        if (found < 0)
            return false;
        *in_all += found == 0;
    }
    return true;
}

static bool change_days(struct sqlite_change *change, struct summary_days *now, struct error *error)
{
    for (ptrdiff_t i = 0; i < change->days.count; i++) {
        if (!days_add(now, &change->days.items[i], -1))
            return error_memory(error);
    }
    for (ptrdiff_t i = 0; i < now->count; i++) {
        if (!sqlite_add_day(change->store, &change->key.learner, &now->items[i], error))
            return false;
    }
    return true;
}

bool sqlite_change_end(struct sqlite_change *change, struct error *error)
{
    struct fold fold = { 0 };
    struct summary_days days = { 0 };
    struct summary_ids sessions = { 0 };
    int64_t more, all_more, fewer, all_fewer;
    const char *pack = buffer_get(&change->key.pack);
    if (!change->active)
        return true;
    fold.is.starred = change->old.is.starred; /* what is starred or suspended stays */
    fold.is.suspended = change->old.is.suspended;
    bool done = fold_all(change, &fold, &days, &sessions, error) &&
                sqlite_schedule_write(change->store, &change->key.learner, pack,
                                      buffer_get(&change->key.question), &fold, error) &&
                count_lone(change, &sessions, &change->sessions, &more, &all_more, error) &&
                count_lone(change, &change->sessions, &sessions, &fewer, &all_fewer, error) &&
                sqlite_summary_pack(change->store, &change->key.learner, pack, &change->old, &fold,
                                    more - fewer, all_more - all_fewer, error) &&
                change_days(change, &days, error);
    days_finish(&days);
    ids_finish(&sessions);
    return done;
}
