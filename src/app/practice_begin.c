/* How a practice begins: its plan for today, or the misses of the one before. */
#include "practice_record.h"
#include "reading.h"

#include <quiztutor/queue.h>

enum { DAY_MS = 86400000 };

int64_t practice_today(const struct practice *practice, int64_t *began)
{
    int64_t now = clock_wall(&practice->clock);
    int offset = clock_offset(&practice->clock, now), starts = practice->options.day_starts;
    int64_t today = clock_day(now, offset, starts);
    if (began)
        *began = today * DAY_MS + starts * (int64_t)60000 - offset * (int64_t)1000;
    return today;
}

/* The one number that a query of this learner answers with. */
static bool practice_number(struct practice *practice, enum store_query query, int64_t at, int64_t *number,
                            struct error *error)
{
    struct store_value parameters[] = { store_value_uuid(&practice->record.learner.id),
                                        store_value_integer(at) };
    struct rows *rows;
    if (!rows_open(&rows, practice->store, query, parameters, query == QUERY_NEWEST ? 1 : 2, error))
        return false;
    int step = rows_step(rows, error);
    *number = step == 1 ? rows_integer(rows, 0) : 0;
    rows_close(rows);
    return step >= 0;
}

/* How far the clock lies behind the newest answer, where that is more than an hour and was not told before:
 * by the session that has answers from after it was set back. */
static bool practice_check_clock(struct practice *practice, struct error *error)
{
    int64_t now = clock_wall(&practice->clock), newest, later = 0;
    if (!practice->learner_known)
        return true;
    if (!practice_number(practice, QUERY_NEWEST, 0, &newest, error))
        return false;
    bool behind = newest - now > PRACTICE_CLOCK_MS;
    if (behind && !practice_number(practice, QUERY_LATER, now, &later, error))
        return false;
    practice->clock_behind = behind && !later ? newest - now : 0;
    return true;
}

/* A fresh record for a session that starts now over these entries. */
static bool practice_open_session(struct practice *practice, uint32_t seed,
                                  const struct session_entry *entries, int count, struct error *error)
{
    int64_t now = clock_wall(&practice->clock);
    uuid_make(&practice->record.id, now);
    practice->record.kind = "practice";
    practice->record.origin = practice->options.origin;
    practice->record.seed = seed;
    practice->record.started_at = now;
    practice->record.utc_offset_s = clock_offset(&practice->clock, now);
    if (!practice_start_clock(practice, error))
        return false;
    if (!session_init(&practice->session, seed, entries, count))
        return error_memory(error);
    practice->begun = true;
    /* held so that nobody else is offered it; a store that can't be locked will say so when it is written */
    store_hold_session(practice->store, &practice->record.id, NULL);
    return true;
}

bool practice_start_clock(struct practice *practice, struct error *error)
{
    practice->begun_wall = clock_wall(&practice->clock);
    practice->begun_steady = clock_steady(&practice->clock);
    practice->clock_moved = 0;
    practice->told_moved = false;
    return practice_check_clock(practice, error);
}

bool practice_begin(struct practice *practice, struct error *error)
{
    const struct practice_options *options = &practice->options;
    const struct plan_options wishes = { .mode = options->mode,
                                         .limit = options->limit,
                                         .tag = options->tag,
                                         .seed = options->seed ? options->seed : hash_random_seed(),
                                         .due_left = QUEUE_MOST,
                                         .new_left = options->new_per_day };
    struct reading reading;
    struct practice_planned *planned = &practice->planned;
    struct session_entry *entries = NULL;
    int count = 0;
    *planned = (struct practice_planned){ 0 };
    bool done = reading_init(&reading, practice, &wishes, error) && reading_read(&reading, error);
    if (done) {
        done = plan_make(&entries, &count, &planned->count, options->packs,
                         (const struct plan_history *const *)reading.histories, options->pack_count,
                         &reading.wishes) ||
               error_memory(error);
        planned->count.due_waiting += reading.uncounted;
        planned->more_due = reading.more;
        planned->reset = reading_resets(&reading, entries, count);
    }
    done = done && practice_open_session(practice, reading.wishes.seed, entries, count, error);
    memory_free(entries);
    reading_finish(&reading);
    return done;
}

bool practice_begin_misses(struct practice *practice, int *count, struct error *error)
{
    const struct session *session = &practice->session;
    *count = 0;
    struct session_entry *entries = memory_alloc((session->count + 1) * (ptrdiff_t)sizeof *entries);
    if (!entries)
        return error_memory(error);
    for (int i = 0; i < session->count; i++) {
        const struct session_entry *entry = &session->entries[i];
        if (!entry->gone && !entry->suspended && entry->first >= 0 &&
            session->answers[entry->first].verdict.outcome != OUTCOME_RIGHT)
            entries[(*count)++] = *entry;
    }
    bool done = true;
    if (*count > 0) {
        practice_end_session(practice);
        practice->options.mode = MODE_MISTAKES;
        practice->options.limit = 0;
        done = practice_open_session(practice, hash_random_seed(), entries, *count, error);
    }
    memory_free(entries);
    return done;
}
