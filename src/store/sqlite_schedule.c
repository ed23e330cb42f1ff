/* Keeping schedules up: one answer more, a star. Each runs in the transaction that adds to the log, after its
 * row is there. */
#include "sqlite_log.h"

#include <stdio.h>
#include <string.h>

bool sqlite_made_read(struct sqlite_store *store, int64_t *schedule_seq, struct error *error)
{
    sqlite3_stmt *statement = sqlite_prepare(store, SQL_MADE, error);
    int result;
    if (!statement || !sqlite_step(store, statement, &result, error)) {
        sqlite3_reset(statement);
        return false;
    }
    store->seq = sqlite3_column_int64(statement, 0);
    *schedule_seq = sqlite3_column_int64(statement, 1);
    store->made.version = sqlite3_column_int64(statement, 2);
    store->made.day_starts = sqlite3_column_int(statement, 3);
    store->made.parameters = sqlite3_column_int64(statement, 4);
    store->parameters.valid = false;
    sqlite3_reset(statement);
    return result == SQLITE_ROW || sqlite_error(store, SQLITE_CORRUPT, error);
}

bool sqlite_made_settle(struct sqlite_store *store, struct error *error)
{
    int64_t schedule_seq;
    if (!sqlite_made_read(store, &schedule_seq, error))
        return false;
    /* Another release's scheduler made them, and goes on by ours: whichever opens the store next makes them
     * anew. Days begin as the store has it, so that all rows agree, whatever this process was told. */
    if (store->made.version != SCHEDULER_VERSION && store->made.version != 0) {
        sqlite3_stmt *statement = sqlite_prepare(store, SQL_MIXED, error);
        if (!statement || !sqlite_run(store, statement, NULL, error))
            return false;
        store->made.version = 0;
    }
    return schedule_seq == store->seq || sqlite_schedule_all(store, error);
}

static void read_summary(sqlite3_stmt *statement, int first, struct summary *summary)
{
    const char *outcome = (const char *)sqlite3_column_text(statement, first);
    const char *revision = (const char *)sqlite3_column_text(statement, first + 3);
    summary->first = outcome && outcome_read(&summary->first_outcome, outcome);
    summary->first_share = sqlite3_column_double(statement, first + 1);
    summary->first_at = sqlite3_column_int64(statement, first + 2);
    snprintf(summary->first_revision, sizeof summary->first_revision, "%.*s", PACK_REVISION,
             revision ? revision : "");
    summary->marked = sqlite3_column_type(statement, first + 4) != SQLITE_NULL;
    summary->best_share = sqlite3_column_double(statement, first + 4);
    summary->misses = sqlite3_column_int(statement, first + 5);
    summary->elapsed_ms = sqlite3_column_int64(statement, first + 6);
    summary->given = sqlite3_column_int(statement, first + 7);
    summary->mastered = sqlite3_column_int(statement, first + 8) != 0;
}

void sqlite_fold_read(sqlite3_stmt *statement, int first, struct fold *fold)
{
    struct store_schedule *is = &fold->is;
    struct schedule *schedule = &is->schedule;
    const char *revision = (const char *)sqlite3_column_text(statement, first + KNOWN_REVISION);
    const char *outcome = (const char *)sqlite3_column_text(statement, first + KNOWN_OUTCOME);
    memset(fold, 0, sizeof *fold);
    snprintf(is->revision, sizeof is->revision, "%.*s", PACK_REVISION, revision ? revision : "");
    sqlite_read_hash(statement, first + KNOWN_CONTENT, &is->content);
    schedule->phase = (enum schedule_phase)sqlite3_column_int(statement, first + KNOWN_PHASE);
    schedule->step = sqlite3_column_int(statement, first + KNOWN_STEP);
    schedule->memory.stability = sqlite3_column_double(statement, first + KNOWN_STABILITY);
    schedule->memory.difficulty = sqlite3_column_double(statement, first + KNOWN_DIFFICULTY);
    schedule->answers = sqlite3_column_int(statement, first + KNOWN_ANSWERS);
    schedule->lapses = sqlite3_column_int(statement, first + KNOWN_LAPSES);
    schedule->run = sqlite3_column_int(statement, first + KNOWN_RUN);
    schedule->run_day = sqlite3_column_int64(statement, first + KNOWN_RUN_DAY);
    schedule->last_at = sqlite3_column_int64(statement, first + KNOWN_LAST_AT);
    schedule->last_day = sqlite3_column_int64(statement, first + KNOWN_LAST_DAY);
    schedule->due_day = sqlite3_column_int64(statement, first + KNOWN_DUE_DAY);
    schedule->due_at = sqlite3_column_int64(statement, first + KNOWN_DUE_AT);
    schedule->interval = sqlite3_column_int(statement, first + KNOWN_INTERVAL);
    is->seen = outcome && outcome_read(&is->last, outcome);
    is->answered_at = sqlite3_column_int64(statement, first + KNOWN_ANSWERED_AT);
    is->counted = sqlite3_column_int(statement, first + KNOWN_COUNTED);
    is->right = sqlite3_column_int(statement, first + KNOWN_RIGHT);
    is->starred = sqlite3_column_int(statement, first + KNOWN_STARRED) != 0;
    is->suspended = sqlite3_column_int(statement, first + KNOWN_SUSPENDED) != 0;
    fold->retention = sqlite3_column_double(statement, first + KNOWN_COLUMNS);
    fold->last_seq = sqlite3_column_int64(statement, first + KNOWN_COLUMNS + 1);
    read_summary(statement, first + KNOWN_COLUMNS + 2, &fold->summary);
}

static sqlite3_stmt *for_question(struct sqlite_store *store, enum sqlite_statement which,
                                  const struct uuid *learner, const char *pack_id, const char *question_id,
                                  struct error *error)
{
    sqlite3_stmt *statement = sqlite_prepare(store, which, error);
    if (statement) {
        sqlite_bind_uuid(statement, 1, learner);
        sqlite_bind_text(statement, 2, pack_id);
        sqlite_bind_text(statement, 3, question_id);
    }
    return statement;
}

int sqlite_schedule_read(struct sqlite_store *store, const struct uuid *learner, const char *pack_id,
                         const char *question_id, struct fold *fold, struct error *error)
{
    memset(fold, 0, sizeof *fold);
    sqlite3_stmt *statement = for_question(store, SQL_SCHEDULE, learner, pack_id, question_id, error);
    if (!statement)
        return -1;
    int found = sqlite_look_up(store, statement, error);
    if (found > 0)
        sqlite_fold_read(statement, 0, fold);
    sqlite3_reset(statement);
    return found;
}

/* Parameters of SQL_PUT_SCHEDULE: the columns of a row, from 4 on as FOLD_COLUMNS names them. */
enum { PUT = 3 - KNOWN_QUESTION };

static void bind_schedule(sqlite3_stmt *statement, const struct schedule *schedule)
{
    sqlite3_bind_int(statement, PUT + KNOWN_PHASE, (int)schedule->phase);
    sqlite3_bind_int(statement, PUT + KNOWN_STEP, schedule->step);
    sqlite3_bind_double(statement, PUT + KNOWN_STABILITY, schedule->memory.stability);
    sqlite3_bind_double(statement, PUT + KNOWN_DIFFICULTY, schedule->memory.difficulty);
    sqlite3_bind_int(statement, PUT + KNOWN_ANSWERS, schedule->answers);
    sqlite3_bind_int(statement, PUT + KNOWN_LAPSES, schedule->lapses);
    sqlite3_bind_int(statement, PUT + KNOWN_RUN, schedule->run);
    sqlite3_bind_int64(statement, PUT + KNOWN_RUN_DAY, schedule->run_day);
    sqlite3_bind_int64(statement, PUT + KNOWN_LAST_AT, schedule->last_at);
    sqlite3_bind_int64(statement, PUT + KNOWN_LAST_DAY, schedule->last_day);
    sqlite3_bind_int64(statement, PUT + KNOWN_DUE_DAY, schedule->due_day);
    sqlite3_bind_int64(statement, PUT + KNOWN_DUE_AT, schedule->due_at);
    sqlite3_bind_int(statement, PUT + KNOWN_INTERVAL, schedule->interval);
}

/* NULL where there is none. */
static void bind_summary(sqlite3_stmt *statement, int first, const struct fold *fold)
{
    const struct summary *summary = &fold->summary;
    sqlite_bind_text(statement, first, summary->first ? outcome_name(summary->first_outcome) : NULL);
    sqlite3_bind_null(statement, first + 1);
    sqlite3_bind_null(statement, first + 2);
    sqlite3_bind_null(statement, first + 4);
    if (summary->first)
        sqlite3_bind_double(statement, first + 1, summary->first_share);
    if (fold->is.seen)
        sqlite3_bind_int64(statement, first + 2, summary->first_at);
    sqlite_bind_text(statement, first + 3, fold->is.seen ? summary->first_revision : NULL);
    if (summary->marked)
        sqlite3_bind_double(statement, first + 4, summary->best_share);
    sqlite3_bind_int(statement, first + 5, summary->misses);
    sqlite3_bind_int64(statement, first + 6, summary->elapsed_ms);
    sqlite3_bind_int(statement, first + 7, summary->given);
    sqlite3_bind_int(statement, first + 8, summary->mastered);
}

bool sqlite_schedule_write(struct sqlite_store *store, const struct uuid *learner, const char *pack_id,
                           const char *question_id, const struct fold *fold, struct error *error)
{
    static const struct hash unknown;
    const struct store_schedule *is = &fold->is;
    bool kept = fold_is_kept(fold);
    sqlite3_stmt *statement = for_question(store, kept ? SQL_PUT_SCHEDULE : SQL_DROP_SCHEDULE, learner,
                                           pack_id, question_id, error);
    if (!statement)
        return false;
    if (!kept)
        return sqlite_run(store, statement, NULL, error);
    sqlite_bind_text(statement, PUT + KNOWN_REVISION, is->revision);
    if (memcmp(&is->content, &unknown, sizeof unknown) != 0)
        sqlite_bind_hash(statement, PUT + KNOWN_CONTENT, &is->content);
    else
        sqlite3_bind_null(statement, PUT + KNOWN_CONTENT);
    bind_schedule(statement, &is->schedule);
    sqlite_bind_text(statement, PUT + KNOWN_OUTCOME, is->seen ? outcome_name(is->last) : "");
    sqlite3_bind_int64(statement, PUT + KNOWN_ANSWERED_AT, is->answered_at);
    sqlite3_bind_int(statement, PUT + KNOWN_COUNTED, is->counted);
    sqlite3_bind_int(statement, PUT + KNOWN_RIGHT, is->right);
    sqlite3_bind_int(statement, PUT + KNOWN_STARRED, is->starred);
    sqlite3_bind_int(statement, PUT + KNOWN_SUSPENDED, is->suspended);
    sqlite3_bind_double(statement, PUT + KNOWN_COLUMNS, fold->retention);
    sqlite3_bind_int64(statement, PUT + KNOWN_COLUMNS + 1, fold->last_seq);
    bind_summary(statement, PUT + KNOWN_COLUMNS + 2, fold);
    return sqlite_run(store, statement, NULL, error);
}

/* The text kept under a content hash; NULL in *body where there is none. memory_free. */
static bool read_body(struct sqlite_store *store, const struct hash *content, char **body,
                      struct error *error)
{
    sqlite3_stmt *statement = sqlite_prepare(store, SQL_BODY, error);
    *body = NULL;
    if (!statement)
        return false;
    sqlite_bind_hash(statement, 1, content);
    int found = sqlite_look_up(store, statement, error);
    bool done = found >= 0;
    if (found > 0) {
        const char *text = (const char *)sqlite3_column_text(statement, 0);
        *body = text ? memory_text(text) : NULL;
        if (!*body)
            done = error_memory(error);
    }
    sqlite3_reset(statement);
    return done;
}

static bool compare_bodies(struct sqlite_store *store, const char *old_body, const char *body,
                           bool *overturned, struct error *error)
{
    int result = sqlite_key_overturned(store->db, old_body, body, overturned);
    return result == SQLITE_OK || sqlite_error(store, result, error);
}

bool sqlite_schedule_overturned(struct sqlite_store *store, const struct fold *fold,
                                const struct fold_answer *answer, bool *overturned, struct error *error)
{
    const struct hash *old = &fold->is.content, *now = &answer->content;
    struct sqlite_pair *pair = &store->pairs[(old->bytes[0] + 7 * now->bytes[0]) % SQLITE_PAIRS];
    if (pair->known && memcmp(&pair->old, old, sizeof *old) == 0 &&
        memcmp(&pair->now, now, sizeof *now) == 0) {
        *overturned = pair->overturned;
        return true;
    }
    char *old_body = NULL, *body = NULL;
    *overturned = false;
    bool done = read_body(store, old, &old_body, error) && read_body(store, now, &body, error) &&
                (!old_body || !body || compare_bodies(store, old_body, body, overturned, error));
    if (done && old_body && body)
        *pair = (struct sqlite_pair){ *old, *now, true, *overturned };
    memory_free(old_body);
    memory_free(body);
    return done;
}

bool sqlite_overturned(struct store *base, const struct hash *content, const char *body, bool *overturned,
                       struct error *error)
{
    struct sqlite_store *store = (struct sqlite_store *)base;
    char *old_body = NULL;
    bool done = read_body(store, content, &old_body, error) &&
                (!old_body || compare_bodies(store, old_body, body, overturned, error));
    memory_free(old_body);
    return done;
}

/* The chance of a guess at the question kept under a content hash. */
static bool find_guess(struct sqlite_store *store, const struct hash *content, double *guess,
                       struct error *error)
{
    struct sqlite_guess *kept = &store->guesses[content->bytes[0] % SQLITE_GUESSES];
    if (!kept->known || memcmp(&kept->content, content, sizeof *content) != 0) {
        char *body = NULL;
        if (!read_body(store, content, &body, error))
            return false;
        bool done = fold_guess(body, &kept->guess) || error_memory(error);
        kept->known = done && body; /* a text that is not known yet may become so */
        kept->content = *content;
        memory_free(body);
        if (!done)
            return false;
    }
    *guess = kept->guess;
    return true;
}

bool sqlite_settle_mastered(struct sqlite_store *store, struct fold *fold, struct error *error)
{
    double guess;
    fold->summary.mastered = false;
    if (!fold_may_be_mastered(fold))
        return true;
    if (!find_guess(store, &fold->is.content, &guess, error))
        return false;
    fold->summary.mastered = schedule_mastered(&fold->is.schedule, guess);
    return true;
}

int sqlite_schedule(struct store *base, const struct uuid *learner, const char *pack_id,
                    const char *question_id, struct store_schedule *out, struct error *error)
{
    struct fold fold;
    int found =
        sqlite_schedule_read((struct sqlite_store *)base, learner, pack_id, question_id, &fold, error);
    *out = fold.is;
    return found;
}

/* Whether an earlier answer of the session to the question was taken back. */
static bool read_helped(struct sqlite_store *store, const struct uuid *session, const struct uuid *learner,
                        const struct store_attempt *attempt, int64_t seq, bool *helped, struct error *error)
{
    *helped = false;
    if (attempt->showing <= 1)
        return true;
    sqlite3_stmt *statement =
        for_question(store, SQL_HELPED, learner, attempt->pack_id, attempt->question_id, error);
    if (!statement)
        return false;
    sqlite_bind_uuid(statement, 4, session);
    sqlite3_bind_int64(statement, 5, seq);
    int found = sqlite_look_up(store, statement, error);
    *helped = found > 0;
    sqlite3_reset(statement);
    return found >= 0;
}

bool sqlite_schedule_attempt(struct sqlite_store *store, const struct uuid *session,
                             const struct uuid *learner, const struct store_attempt *attempt, int64_t seq,
                             struct error *error)
{
    const char *pack = attempt->pack_id, *question = attempt->question_id;
    struct fold_answer answer = {
        .seq = seq,
        .outcome = attempt->verdict.outcome,
        .certainty = attempt->certainty,
        .hints = attempt->hints,
        .retried = attempt->retried,
        .self_grade = fold_self_grade(attempt->response),
        .showing = attempt->showing,
        .seed = attempt->seed,
        .at = attempt->answered_at,
        .utc_offset_s = attempt->utc_offset_s,
        .revision = attempt->revision,
        .content = attempt->content,
        .graded = { attempt->verdict.outcome, attempt->verdict.mark, attempt->verdict.marks, false },
        .elapsed_ms = attempt->elapsed_ms,
    };
    struct fold_rules rules;
    struct fold fold, old;
    struct summary_day day;
    bool overturned = false;
    if (!read_helped(store, session, learner, attempt, seq, &answer.helped, error))
        return false;
    if (!sqlite_rules(store, learner, pack, &rules, error) ||
        sqlite_schedule_read(store, learner, pack, question, &fold, error) < 0)
        return false;
    if (fold_must_compare(&fold, &answer) &&
        !sqlite_schedule_overturned(store, &fold, &answer, &overturned, error))
        return false;
    old = fold;
    day_of(&day, &fold, &answer, rules.day_starts);
    fold_take(&fold, &rules, pack, question, &answer, overturned);
    return sqlite_settle_mastered(store, &fold, error) &&
           sqlite_schedule_write(store, learner, pack, question, &fold, error) &&
           sqlite_summary_attempt(store, session, learner, attempt, &old, &fold, &day, error);
}

bool sqlite_schedule_mark(struct sqlite_store *store, const struct uuid *learner, const char *pack,
                          const char *question, bool star, bool on, struct error *error)
{
    struct fold fold;
    if (sqlite_schedule_read(store, learner, pack, question, &fold, error) < 0)
        return false;
    *(star ? &fold.is.starred : &fold.is.suspended) = on;
    return sqlite_schedule_write(store, learner, pack, question, &fold, error);
}

static bool mark(struct sqlite_store *store, const struct uuid *learner, const struct store_event *event,
                 bool star, struct error *error)
{
    sqlite3_stmt *statement = sqlite_prepare(store, SQL_MARK, error);
    if (!statement)
        return false;
    sqlite_bind_text(statement, 1, event->body);
    int found = sqlite_look_up(store, statement, error);
    bool done = found >= 0;
    if (found > 0) {
        const char *pack = (const char *)sqlite3_column_text(statement, 0);
        const char *question = (const char *)sqlite3_column_text(statement, 1);
        bool on = sqlite3_column_int(statement, 2);
        done = pack && question ? sqlite_schedule_mark(store, learner, pack, question, star, on, error)
                                : error_memory(error);
    }
    sqlite3_reset(statement);
    return done;
}

bool sqlite_schedule_event(struct sqlite_store *store, const struct uuid *learner,
                           const struct store_event *event, struct error *error)
{
    bool star = strcmp(event->kind, "starred") == 0;
    if ((star || strcmp(event->kind, "suspended") == 0) && event->body && !uuid_is_zero(learner))
        return mark(store, learner, event, star, error);
    return true;
}
