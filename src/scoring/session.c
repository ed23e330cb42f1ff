#include <quiztutor/grade.h>
#include <quiztutor/session.h>

#include <string.h>

bool session_init(struct session *session, uint32_t seed, const struct session_entry *entries, int count)
{
    memset(session, 0, sizeof *session);
    session->seed = seed;
    session->current = -1;
    session->entries = memory_zero(count * (ptrdiff_t)sizeof *entries);
    if (!session->entries)
        return false;
    session->count = count;
    for (int i = 0; i < count; i++) {
        session->entries[i] = (struct session_entry){
            .pack = entries[i].pack, .question = entries[i].question, .answer = -1, .first = -1
        };
    }
    session_settle(session);
    return true;
}

void session_finish(struct session *session)
{
    memory_free(session->entries);
    memory_free(session->answers);
    memory_free(session->forced);
    arena_finish(&session->texts);
    memset(session, 0, sizeof *session);
    session->current = -1;
}

/* A missed question that may still come back. */
static bool entry_returns(const struct session *session, const struct session_entry *entry)
{
    if (entry->answer < 0 || entry->dropped || entry->suspended || entry->gone)
        return false;
    enum outcome outcome = session->answers[entry->answer].verdict.outcome;
    return outcome == OUTCOME_WRONG || outcome == OUTCOME_PARTLY;
}

static bool entry_fresh(const struct session_entry *entry)
{
    return entry->answer < 0 && entry->skips == 0 && !entry->gone;
}

/* The miss that has waited longest, or -1. */
static int session_oldest_miss(const struct session *session)
{
    int oldest = -1;
    if (session->missed == 0)
        return -1;
    for (int i = 0; i < session->count; i++) {
        const struct session_entry *entry = &session->entries[i];
        if (entry_returns(session, entry) &&
            (oldest < 0 || entry->missed_at < session->entries[oldest].missed_at))
            oldest = i;
    }
    return oldest;
}

/*
 * Which question comes next: what undo took back; a miss after three other showings; the plan; a miss at
 * once, where nothing else is left to put between; what was skipped.
 */
void session_settle(struct session *session)
{
    while (session->forced_count > 0) {
        int entry = session->forced[session->forced_count - 1];
        if (!session->entries[entry].gone) {
            session->current = entry;
            return;
        }
        session->forced_count--;
    }
    while (session->fresh < session->count && !entry_fresh(&session->entries[session->fresh]))
        session->fresh++;
    bool plan_left = session->fresh < session->count;
    int miss = session_oldest_miss(session);
    if (miss >= 0 &&
        (!plan_left || session->showings - session->entries[miss].missed_at >= SESSION_RETURN_AFTER)) {
        session->current = miss;
        return;
    }
    session->current = plan_left ? session->fresh : -1;
    for (int i = 0; session->current < 0 && i < session->count; i++)
        if (session->entries[i].answer < 0 && !session->entries[i].gone)
            session->current = i;
}

int session_current(const struct session *session)
{
    return session->current;
}

bool session_is_return(const struct session *session)
{
    return session->current >= 0 && session->entries[session->current].answer >= 0;
}

int session_showing(const struct session *session)
{
    return session->current < 0 ? 0 : session->entries[session->current].showings + 1;
}

uint32_t session_showing_seed(const struct session *session)
{
    return showing_seed(session->seed, session_showing(session));
}

/* The showing of the current entry is over: it counts, and what undo asked for is served. */
static struct session_entry *session_turn(struct session *session)
{
    int current = session->current;
    ptrdiff_t kept = 0;
    for (ptrdiff_t i = 0; i < session->forced_count; i++)
        if (session->forced[i] != current)
            session->forced[kept++] = session->forced[i];
    session->forced_count = kept;
    session->entries[current].retried = false;
    session->entries[current].showings++;
    session->showings++;
    return &session->entries[current];
}

bool session_answer(struct session *session, const struct answer *answer, const struct verdict *verdict,
                    int certainty, const struct uuid *attempt)
{
    if (!memory_grow(&session->answers, &session->answer_capacity, session->answer_count + 1,
                     sizeof *session->answers))
        return false;
    struct answer kept = *answer;
    if (kept.text && !(kept.text = arena_text(&session->texts, kept.text, (ptrdiff_t)strlen(kept.text))))
        return false;
    enum session_aid aid = session_aid(session);
    struct session_entry *entry = session_turn(session);
    session->missed -= entry_returns(session, entry);
    int place = (int)session->answer_count++;
    session->answers[place] = (struct session_answer){
        .entry = session->current,
        .before = entry->answer,
        .was_missed_at = entry->missed_at,
        .answer = kept,
        .verdict = *verdict,
        .certainty = certainty,
        .showing = entry->showings,
        .aid = aid,
        .attempt = *attempt,
    };
    entry->answer = place;
    if (entry->first < 0)
        entry->first = place;
    entry->missed_at = session->showings;
    session->missed += entry_returns(session, entry);
    session_settle(session);
    return true;
}

enum session_skip session_skip_means(const struct session *session)
{
    const struct session_entry *entry = &session->entries[session->current];
    if (entry->answer >= 0)
        return SKIP_DROPS;
    return entry->skips ? SKIP_OMITS : SKIP_LATER;
}

void session_skip(struct session *session)
{
    bool drops = session_skip_means(session) == SKIP_DROPS;
    struct session_entry *entry = session_turn(session);
    if (drops) {
        session->missed -= entry_returns(session, entry);
        entry->dropped = true;
    } else {
        entry->skips = 1;
    }
    session_settle(session);
}

void session_hint(struct session *session)
{
    session->entries[session->current].hints++;
}

void session_retry(struct session *session)
{
    session->entries[session->current].retried = true;
}

bool session_retried(const struct session *session)
{
    return session->current >= 0 && session->entries[session->current].retried;
}

const struct session_answer *session_newest(const struct session *session)
{
    return session->answer_count ? &session->answers[session->answer_count - 1] : NULL;
}

bool session_undo(struct session *session)
{
    if (!session->answer_count || !memory_grow(&session->forced, &session->forced_capacity,
                                               session->forced_count + 1, sizeof *session->forced))
        return false;
    const struct session_answer *undone = &session->answers[session->answer_count - 1];
    struct session_entry *entry = &session->entries[undone->entry];
    session->missed -= entry_returns(session, entry);
    entry->dropped = false;
    entry->undone = true;
    entry->missed_at = undone->was_missed_at;
    if (entry->first == entry->answer)
        entry->first = -1;
    entry->answer = undone->before;
    session->answer_count--;
    session->missed += entry_returns(session, entry);

    ptrdiff_t kept = 0;
    for (ptrdiff_t i = 0; i < session->forced_count; i++)
        if (session->forced[i] != undone->entry)
            session->forced[kept++] = session->forced[i];
    session->forced[kept++] = undone->entry;
    session->forced_count = kept;
    session_settle(session);
    return true;
}

void session_suspend(struct session *session, int entry, bool on)
{
    struct session_entry *about = &session->entries[entry];
    session->missed -= entry_returns(session, about);
    about->suspended = on;
    session->missed += entry_returns(session, about);
}

bool session_returns(const struct session *session, int entry)
{
    return entry_returns(session, &session->entries[entry]);
}

void session_show(struct session *session, int entry)
{
    session->current = entry;
}

void session_leave(struct session *session, int entry)
{
    struct session_entry *leaving = &session->entries[entry];
    session->missed -= entry_returns(session, leaving);
    leaving->gone = true;
}

enum session_aid session_aid(const struct session *session)
{
    const struct session_entry *entry = &session->entries[session->current];
    if (entry->undone || entry->answer >= 0)
        return AID_SEEN;
    return entry->hints ? AID_HINT : entry->retried ? AID_SPELLING : AID_NONE;
}

bool session_first_try(const struct session *session, int entry)
{
    const struct session_entry *about = &session->entries[entry];
    return about->first >= 0 && !about->undone &&
           session->answers[about->first].verdict.outcome == OUTCOME_RIGHT;
}

int session_answered(const struct session *session)
{
    int answered = 0;
    for (int i = 0; i < session->count; i++)
        answered += session->entries[i].answer >= 0;
    return answered;
}

void session_summarise(const struct session *session, struct session_summary *summary)
{
    *summary = (struct session_summary){ .finished = true };
    for (int i = 0; i < session->count; i++) {
        const struct session_entry *entry = &session->entries[i];
        if (entry->first < 0) {
            summary->finished = summary->finished && entry->gone;
            continue;
        }
        const struct session_answer *first = &session->answers[entry->first];
        const struct verdict *verdict = &first->verdict;
        summary->asked++;
        summary->right += verdict->outcome == OUTCOME_RIGHT;
        summary->partly += verdict->outcome == OUTCOME_PARTLY;
        summary->wrong += verdict->outcome == OUTCOME_WRONG;
        summary->skipped += verdict->outcome == OUTCOME_OMITTED;
        summary->first_try += session_first_try(session, i);
        summary->mark += verdict->mark;
        summary->marks += verdict->marks;
        if (!first->certainty || first->aid != AID_NONE || verdict->outcome == OUTCOME_OMITTED)
            continue;
        summary->sure++;
        summary->certainty_marks += grade_certainty_mark(verdict->outcome, verdict->share, first->certainty);
    }
}
