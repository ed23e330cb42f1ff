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
    practice->shown_entry = practice->last.entry = -1;
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
    buffer_finish(&pending->typed);
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
    practice->planned = (struct practice_planned){ 0 };
    practice->last = (struct practice_last){ .entry = -1 };
    practice->shown_entry = -1;
    practice->elapsed_ms = 0;
    practice->record.plan = practice->record.options = NULL;
}

void practice_finish(struct practice *practice)
{
    if (practice->store)
        practice_end_session(practice);
    arena_finish(&practice->arena);
    arena_finish(&practice->showing_arena);
    arena_finish(&practice->last_arena);
    memset(practice, 0, sizeof *practice);
}

/* What is known of an entry's question. Nothing where that can't be read: the next answer will say why. */
static bool practice_look_up(const struct practice *practice, int entry, struct store_schedule *known)
{
    const struct session_entry *about = &practice->session.entries[entry];
    *known = (struct store_schedule){ 0 };
    return practice->learner_known && about->question &&
           store_schedule(practice->store, &practice->record.learner.id, about->pack->id, about->question->id,
                          known, NULL) == 1;
}

/* A clock that is set while a session runs moves against the one that never is. */
static void practice_watch_clock(struct practice *practice)
{
    int64_t wall = clock_wall(&practice->clock) - practice->begun_wall;
    int64_t moved = wall - (clock_steady(&practice->clock) - practice->begun_steady);
    if (!practice->clock_moved && (moved > PRACTICE_CLOCK_MS || moved < -PRACTICE_CLOCK_MS))
        practice->clock_moved = moved;
}

const struct store_schedule *practice_known(const struct practice *practice, int entry)
{
    static const struct store_schedule nothing;
    if (entry >= 0 && entry == practice->shown_entry)
        return &practice->shown;
    if (practice->last.scheduled && entry == practice->last.entry)
        return &practice->last.after;
    return &nothing;
}

/* The showing of the question that comes on show, an instance with its values in the arena. */
static bool practice_show(const struct practice *practice, struct showing *showing, struct arena *arena)
{
    const struct session *session = &practice->session;
    const struct session_entry *entry = &session->entries[session_current(session)];
    arena_finish(arena);
    return showing_init(showing, entry->pack, entry->question, session_showing_seed(session), arena);
}

bool practice_current(struct practice *practice, struct showing *showing)
{
    const struct session *session = &practice->session;
    int current = session_current(session);
    if (current < 0)
        return false;
    if (practice->shown_entry != current || practice->shown_showing != session_showing(session)) {
        practice->shown_entry = -1;
        if (!practice_show(practice, &practice->showing, &practice->showing_arena))
            return false;
        practice->shown_entry = current;
        practice->shown_showing = session_showing(session);
        practice->shown_at = clock_steady(&practice->clock);
        practice_look_up(practice, current, &practice->shown);
        practice_watch_clock(practice);
    }
    *showing = practice->showing;
    return true;
}

bool practice_spelling(struct practice *practice, const struct answer *answer)
{
    struct showing showing;
    if (!practice_current(practice, &showing) || session_retried(&practice->session) ||
        !marking_near_miss(showing.question, answer))
        return false;
    session_retry(&practice->session);
    return true;
}

bool practice_asks_certainty(const struct practice *practice, const struct question *question)
{
    return practice->options.certainty && question->type != QUESTION_RECALL;
}

/* The answer on hand as the last one, and what its schedule says now. False without memory. */
static bool practice_keep_last(struct practice *practice)
{
    const struct practice_pending *pending = &practice->pending;
    struct practice_last *last = &practice->last;
    int entry = session_current(&practice->session), before = practice->shown.schedule.lapses;
    *last = (struct practice_last){ .entry = -1 };
    if (!practice_show(practice, &last->showing, &practice->last_arena))
        return false;
    last->again = session_is_return(&practice->session);
    last->answer = pending->answer;
    if (pending->answer.text)
        last->answer.text =
            arena_text(&practice->last_arena, pending->answer.text, (ptrdiff_t)strlen(pending->answer.text));
    if (pending->answer.text && !last->answer.text)
        return false;
    last->verdict = pending->attempt.verdict;
    last->certainty = pending->attempt.certainty;
    last->aid = session_aid(&practice->session);
    last->attempt = pending->attempt.id;
    last->entry = entry;
    last->scheduled = practice_look_up(practice, entry, &last->after);
    int lapses = last->after.schedule.lapses;
    if (lapses > before && lapses >= SCHEDULE_LEECH && (lapses - SCHEDULE_LEECH) % PRACTICE_LEECH_AGAIN == 0)
        last->lapses = lapses;
    return true;
}

/* A question was starred or suspended, or that was taken back. */
static void practice_mark(struct practice *practice, bool star, int entry, bool on)
{
    struct session *session = &practice->session;
    struct store_schedule *known[] = { entry == practice->shown_entry ? &practice->shown : NULL,
                                       entry == practice->last.entry ? &practice->last.after : NULL };
    for (int i = 0; i < 2; i++)
        if (known[i])
            *(star ? &known[i]->starred : &known[i]->suspended) = on;
    if (star)
        return;
    session_suspend(session, entry, on);
    if (practice->shown_entry != session_current(session) ||
        practice->shown_showing != session_showing(session))
        session_settle(session); /* nothing is on show yet */
}

/* The stored turn is taken: memory follows the disk. */
static bool practice_take(struct practice *practice, struct error *error)
{
    struct practice_pending *pending = &practice->pending;
    struct session *session = &practice->session;
    bool taken = true;
    switch (pending->turn) {
    case TURN_ANSWER:
        taken = session_answer(session, &pending->answer, &pending->attempt.verdict,
                               pending->attempt.certainty, &pending->attempt.id);
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
    case TURN_STAR:
    case TURN_SUSPEND:
        practice_mark(practice, pending->turn == TURN_STAR, pending->entry, pending->on);
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
    bool answered = pending->turn == TURN_ANSWER;
    int64_t elapsed = pending->attempt.elapsed_ms;
    if (!practice_describe(practice, error))
        return false;
    if (answered)
        stored = store_add_attempt(practice->store, &practice->record, &pending->attempt, &created, error);
    else
        stored = store_add_event(practice->store, &practice->record, &pending->event, &created, error);
    if (!stored)
        return false;
    practice->learner_created |= created;
    practice->learner_known = true;
    if (answered && !practice_keep_last(practice))
        return error_memory(error); /* stored already, as below */
    if (!practice_take(practice, error))
        return false;
    if (answered)
        practice->elapsed_ms += elapsed;
    return true;
}

void practice_abandon(struct practice *practice)
{
    pending_finish(&practice->pending);
}

bool practice_answer(struct practice *practice, const struct answer *answer, int certainty,
                     struct error *error)
{
    return practice_record_answer(practice, answer, certainty, error) && practice_retry(practice, error);
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
        return practice_answer(practice, &(struct answer){ .blank = true }, 0, error);
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

bool practice_star(struct practice *practice, int entry, struct error *error)
{
    bool on = !practice_known(practice, entry)->starred;
    return practice_record_mark(practice, TURN_STAR, entry, on, error) && practice_retry(practice, error);
}

bool practice_suspend(struct practice *practice, int entry, struct error *error)
{
    bool on = !practice_known(practice, entry)->suspended;
    return practice_record_mark(practice, TURN_SUSPEND, entry, on, error) && practice_retry(practice, error);
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
