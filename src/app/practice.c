#include "practice_record.h"

#include <quiztutor/message.h>
#include <quiztutor/practice.h>

#include <string.h>

bool practice_init(struct practice *practice, struct store *store, struct clock clock,
                   const struct practice_options *options, struct error *error)
{
    memset(practice, 0, sizeof *practice);
    practice->options = *options;
    practice->store = store;
    practice->clock = clock;
    practice->shown_entry = -1;
    arena_init(&practice->arena);

    const char *why;
    char *name = text_learner_name(options->learner, &why);
    if (!name)
        return error_set(error, ERROR_USAGE, tr("the learner's name can't be used: %s"), why);
    struct store_learner *learner = &practice->record.learner;
    const char *nearest = NULL;
    struct error missing;
    practice->learner_known = store_find_learner(store, name, &practice->arena, learner, &nearest, &missing);
    if (practice->learner_known) {
        memory_free(name);
        return true;
    }
    char *kept = arena_text(&practice->arena, name, (ptrdiff_t)strlen(name));
    memory_free(name);
    if (missing.code != ERROR_NOT_FOUND) {
        if (error)
            *error = missing;
        return false;
    }
    if (options->roster_closed)
        return nearest ? error_set(error, ERROR_NOT_FOUND,
                                   tr("no learner \"%s\" (nearest: \"%s\"), and the roster is closed"),
                                   options->learner, nearest)
                       : error_set(error, ERROR_NOT_FOUND, tr("no learner \"%s\", and the roster is closed"),
                                   options->learner);
    uuid_make(&learner->id, clock_wall(&practice->clock));
    learner->name = kept;
    learner->login = options->learner_is_login ? kept : NULL;
    return kept || error_memory(error);
}

static void pending_finish(struct practice_pending *pending)
{
    buffer_finish(&pending->shown);
    buffer_finish(&pending->response);
    buffer_finish(&pending->body);
    memset(pending, 0, sizeof *pending);
}

/* Ends the session on hand, so that another may begin; learner and store stay. */
void practice_end_session(struct practice *practice)
{
    if (practice->begun)
        store_release_session(practice->store, &practice->record.id);
    session_finish(&practice->session);
    pending_finish(&practice->pending);
    practice->begun = practice->resumed = false;
    practice->undone = practice->left_out = 0;
    practice->shown_entry = -1;
    practice->elapsed_ms = 0;
    practice->record.plan = practice->record.options = NULL;
}

void practice_finish(struct practice *practice)
{
    if (practice->store)
        practice_end_session(practice);
    arena_finish(&practice->arena);
    memset(practice, 0, sizeof *practice);
}

struct plan_history *practice_history(struct store *store, const struct uuid *learner,
                                      const struct pack *pack, struct arena *arena, struct error *error)
{
    struct plan_history *history =
        arena_alloc(arena, (pack->question_count + 1) * (ptrdiff_t)sizeof *history);
    if (!history) {
        error_memory(error);
        return NULL;
    }
    struct store_value parameters[] = { store_value_uuid(learner), store_value_text(pack->id) };
    struct rows *rows;
    if (!rows_open(&rows, store, QUERY_HISTORY, parameters, 2, error))
        return NULL;
    int step;
    while ((step = rows_step(rows, error)) == 1) {
        int place = pack_find(pack, rows_text(rows, 0));
        if (place < 0)
            continue; /* gone from the pack: an orphan */
        history[place].seen = outcome_read(&history[place].last, rows_text(rows, 1));
        history[place].answered_at = rows_integer(rows, 2);
    }
    rows_close(rows);
    return step < 0 ? NULL : history;
}

/* New questions that this learner may still meet today. */
static bool practice_new_left(struct practice *practice, int *left, struct error *error)
{
    const int64_t day = 86400000;
    int64_t now = clock_wall(&practice->clock);
    int offset = clock_offset(&practice->clock, now), starts = practice->options.day_starts;
    int64_t since = clock_day(now, offset, starts) * day + starts * (int64_t)60000 - offset * (int64_t)1000;
    struct store_value parameters[] = { store_value_uuid(&practice->record.learner.id),
                                        store_value_integer(since) };
    struct rows *rows;
    if (!rows_open(&rows, practice->store, QUERY_NEW, parameters, 2, error))
        return false;
    int step = rows_step(rows, error);
    int64_t met = step == 1 ? rows_integer(rows, 0) : 0;
    rows_close(rows);
    *left = met < practice->options.new_per_day ? practice->options.new_per_day - (int)met : 0;
    return step >= 0;
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
    if (!session_init(&practice->session, seed, entries, count))
        return error_memory(error);
    practice->begun = true;
    /* held so that nobody else is offered it; a store that can't be locked will say so when it is written */
    store_hold_session(practice->store, &practice->record.id, NULL);
    return true;
}

bool practice_begin(struct practice *practice, struct error *error)
{
    const struct practice_options *options = &practice->options;
    struct plan_options wishes = {
        .mode = options->mode,
        .limit = options->limit,
        .tag = options->tag,
        .seed = options->seed ? options->seed : hash_random_seed(),
        .new_left = options->new_per_day,
    };
    const struct plan_history **histories =
        arena_alloc(&practice->arena, (options->pack_count + 1) * (ptrdiff_t)sizeof *histories);
    if (!histories)
        return error_memory(error);
    bool due = options->mode == MODE_DUE;
    if (practice->learner_known && options->mode != MODE_ALL) {
        for (int i = 0; i < options->pack_count; i++) {
            histories[i] = practice_history(practice->store, &practice->record.learner.id, options->packs[i],
                                            &practice->arena, error);
            if (!histories[i])
                return false;
        }
        if (due && !options->limit && !practice_new_left(practice, &wishes.new_left, error))
            return false;
    }
    struct session_entry *entries;
    int count;
    if (!plan_make(&entries, &count, options->packs, histories, options->pack_count, &wishes)) {
        memory_free(entries);
        return error_memory(error);
    }
    bool done = practice_open_session(practice, wishes.seed, entries, count, error);
    memory_free(entries);
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
        if (!entry->gone && entry->first >= 0 &&
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

bool practice_current(struct practice *practice, struct showing *showing)
{
    const struct session *session = &practice->session;
    int current = session_current(session);
    if (current < 0)
        return false;
    if (practice->shown_entry != current || practice->shown_showing != session_showing(session)) {
        practice->shown_entry = current;
        practice->shown_showing = session_showing(session);
        practice->shown_at = clock_steady(&practice->clock);
    }
    const struct session_entry *entry = &session->entries[current];
    showing_init(showing, entry->pack, entry->question, session_showing_seed(session));
    return true;
}

/* The stored turn is taken: memory follows the disk. */
static bool practice_take(struct practice *practice, struct error *error)
{
    struct practice_pending *pending = &practice->pending;
    struct session *session = &practice->session;
    bool taken = true;
    switch (pending->turn) {
    case TURN_ANSWER:
        practice->last.again = session_is_return(session);
        practice->last.entry = session_current(session);
        practice_current(practice, &practice->last.showing);
        practice->last.answer = pending->answer;
        practice->last.verdict = pending->attempt.verdict;
        practice->last.attempt = pending->attempt.id;
        practice->elapsed_ms += pending->attempt.elapsed_ms;
        taken = session_answer(session, &pending->answer, &pending->attempt.verdict, &pending->attempt.id);
        break;
    case TURN_SKIP:
        session_skip(session);
        break;
    case TURN_HINT:
        session_hint(session);
        break;
    case TURN_UNDO:
        taken = session_undo(session);
        practice->undone += taken;
        break;
    case TURN_NOTE:
    case TURN_NONE:
        break;
    }
    if (!taken)
        return error_memory(error); /* stored already: a retry finds it there and takes it again */
    pending_finish(pending);
    return true;
}

bool practice_retry(struct practice *practice, struct error *error)
{
    struct practice_pending *pending = &practice->pending;
    bool created = false, stored = false;
    if (pending->turn == TURN_NONE)
        return true;
    if (!practice_describe(practice, error))
        return false;
    if (pending->turn == TURN_ANSWER)
        stored = store_add_attempt(practice->store, &practice->record, &pending->attempt, &created, error);
    else
        stored = store_add_event(practice->store, &practice->record, &pending->event, &created, error);
    if (!stored)
        return false;
    practice->learner_created |= created;
    practice->learner_known = true;
    return practice_take(practice, error);
}

void practice_abandon(struct practice *practice)
{
    pending_finish(&practice->pending);
}

bool practice_answer(struct practice *practice, const struct answer *answer, struct error *error)
{
    return practice_record_answer(practice, answer, error) && practice_retry(practice, error);
}

/* A turn that is an event, not an answer. */
static bool practice_note(struct practice *practice, enum practice_turn turn, const char *kind, int entry,
                          const char *text, struct error *error)
{
    return practice_record_event(practice, turn, kind, entry, text, error) && practice_retry(practice, error);
}

bool practice_skip(struct practice *practice, struct error *error)
{
    if (session_skip_means(&practice->session) == SKIP_OMITS)
        return practice_answer(practice, &(struct answer){ .blank = true }, error);
    return practice_note(practice, TURN_SKIP, "skipped", session_current(&practice->session), NULL, error);
}

bool practice_undo(struct practice *practice, struct error *error)
{
    const struct session_answer *newest = practice_newest(practice);
    return practice_note(practice, TURN_UNDO, "undone", newest ? newest->entry : -1, NULL, error);
}

bool practice_hint(struct practice *practice, struct error *error)
{
    return practice_note(practice, TURN_HINT, "hinted", session_current(&practice->session), NULL, error);
}

bool practice_flag(struct practice *practice, struct error *error)
{
    return practice_note(practice, TURN_NOTE, "flagged", session_current(&practice->session), NULL, error);
}

bool practice_report(struct practice *practice, int entry, const char *text, struct error *error)
{
    return practice_note(practice, TURN_NOTE, "reported", entry, text ? text : "", error);
}

const struct session_answer *practice_newest(const struct practice *practice)
{
    const struct session_answer *newest = session_newest(&practice->session);
    return newest && !practice->session.entries[newest->entry].gone ? newest : NULL;
}

int practice_hints_left(const struct practice *practice)
{
    int current = session_current(&practice->session);
    if (current < 0)
        return 0;
    const struct session_entry *entry = &practice->session.entries[current];
    int left = entry->question->hints.count - entry->hints;
    return left > 0 ? left : 0; /* some may have been taken out of the pack since they were given */
}
