/* Finding a session that was left, and replaying its log: the same turns lead to the same state. */
#include "practice_record.h"

#include <string.h>

/* Gathers the ids that a stored session names as its packs, and tells whether they are the ones asked for. */
struct resume_packs {
    const struct practice_options *options;
    int named;
    bool other; /* a pack that was not asked for */
};

static int resume_pack(const struct practice_options *options, const char *id)
{
    for (int i = 0; i < options->pack_count; i++)
        if (strcmp(options->packs[i]->id, id) == 0)
            return i;
    return -1;
}

static bool resume_visit_pack(void *context, const char *id)
{
    struct resume_packs *packs = context;
    packs->named++;
    if (resume_pack(packs->options, id) < 0)
        packs->other = true;
    return !packs->other;
}

bool practice_find_unfinished(struct practice *practice, struct practice_unfinished *unfinished,
                              struct error *error)
{
    *unfinished = (struct practice_unfinished){ 0 };
    if (!practice->learner_known)
        return true;
    struct store_value parameters[] = { store_value_uuid(&practice->record.learner.id), store_value_null() };
    struct rows *rows;
    if (!rows_open(&rows, practice->store, QUERY_UNFINISHED, parameters, 2, error))
        return false;
    int step;
    while (!unfinished->found && (step = rows_step(rows, error)) == 1) {
        struct resume_packs packs = { &practice->options, 0, false };
        struct uuid session;
        rows_uuid(rows, 0, &session);
        const char *options = rows_text(rows, 2);
        if (!options ||
            !store_json_each(practice->store, options, "$.packs", resume_visit_pack, &packs, NULL) ||
            packs.other || packs.named != practice->options.pack_count)
            continue;
        if (!store_hold_session(practice->store, &session, NULL))
            continue; /* it runs elsewhere */
        store_release_session(practice->store, &session);
        *unfinished = (struct practice_unfinished){
            .found = true,
            .session = session,
            .started_at = rows_integer(rows, 3),
            .utc_offset_s = (int)rows_integer(rows, 4),
            .questions = (int)rows_integer(rows, 6),
            .answered = (int)rows_integer(rows, 7),
        };
    }
    rows_close(rows);
    return unfinished->found || step == 0;
}

bool practice_drop(struct practice *practice, const struct practice_unfinished *unfinished,
                   struct error *error)
{
    int64_t now = clock_wall(&practice->clock);
    struct store_session record = practice->record;
    record.id = unfinished->session;
    record.kind = "practice";
    record.origin = practice->options.origin;
    record.options = "{}";
    record.plan = "[]"; /* the row is there already; these are only written for a new one */
    struct store_event event = { .kind = "dropped",
                                 .at = now,
                                 .utc_offset_s = clock_offset(&practice->clock, now) };
    uuid_make(&event.id, now);
    return store_add_event(practice->store, &record, &event, NULL, error);
}

struct resume_question {
    const char *pack, *question;
};

static int resume_find(const struct session *session, const struct resume_question *names, const char *pack,
                       const char *question)
{
    int current = session_current(session);
    if (!pack || !question)
        return -1;
    if (current >= 0 && strcmp(names[current].question, question) == 0 &&
        strcmp(names[current].pack, pack) == 0)
        return current; /* nearly always: the rules lead where they led before */
    for (int i = 0; i < session->count; i++)
        if (strcmp(names[i].question, question) == 0 && strcmp(names[i].pack, pack) == 0)
            return i;
    return -1;
}

struct resume_body {
    struct arena *arena;
    const char *texts[2];
    int count;
};

static bool resume_visit_body(void *context, const char *text)
{
    struct resume_body *body = context;
    if (body->count < 2)
        body->texts[body->count++] = arena_text(body->arena, text, (ptrdiff_t)strlen(text));
    return true;
}

/* `true` as its reader gives it. */
static bool resume_visit_on(void *context, const char *text)
{
    bool *on = context;
    *on = text && (strcmp(text, "1") == 0 || strcmp(text, "true") == 0);
    return false;
}

/* One row of QUERY_LOG as a turn. */
static bool resume_turn(struct practice *practice, const struct resume_question *names, struct rows *rows,
                        struct error *error)
{
    struct session *session = &practice->session;
    const char *kind = rows_text(rows, 0);
    bool attempt = strcmp(kind, "attempt") == 0;
    if (strcmp(kind, "undone") == 0) {
        if (session_newest(session) && !session_undo(session))
            return error_memory(error);
        practice->undone++;
        return true;
    }
    struct resume_body body = { .arena = &practice->arena };
    bool suspends = strcmp(kind, "suspended") == 0, on = false;
    if (!attempt) {
        const char *text = rows_text(rows, 10);
        if ((strcmp(kind, "skipped") != 0 && strcmp(kind, "hinted") != 0 && !suspends) || !text)
            return true;
        if (!store_json_each(practice->store, text, "$.question", resume_visit_body, &body, error) ||
            (suspends && !store_json_each(practice->store, text, "$.on", resume_visit_on, &on, error)))
            return false;
    }
    int entry = attempt ? resume_find(session, names, rows_text(rows, 2), rows_text(rows, 3))
                        : resume_find(session, names, body.texts[0], body.texts[1]);
    if (entry < 0)
        return true;
    if (suspends) {
        session_suspend(session, entry, on);
        return true;
    }
    session_show(session, entry);
    if (strcmp(kind, "skipped") == 0)
        session_skip(session);
    else if (strcmp(kind, "hinted") == 0)
        session_hint(session);
    if (!attempt)
        return true;
    struct uuid id;
    struct answer answer = { .blank = true };
    const struct question *question = session->entries[entry].question;
    if (question && !answer_read(&answer, question->type, rows_text(rows, 4), &practice->arena))
        return error_memory(error);
    struct verdict verdict = { .mark = rows_real(rows, 6), .marks = rows_real(rows, 7) };
    rows_uuid(rows, 1, &id);
    if (!outcome_read(&verdict.outcome, rows_text(rows, 5)))
        return true;
    if (rows_integer(rows, 14))
        session_retry(session);
    verdict.share = verdict.marks > 0 ? verdict.mark / verdict.marks : 0;
    return session_answer(session, &answer, &verdict, (int)rows_integer(rows, 11), &id) ||
           error_memory(error);
}

static bool resume_replay(struct practice *practice, const struct resume_question *names, struct error *error)
{
    struct store_value id = store_value_uuid(&practice->record.id);
    struct rows *rows;
    if (!rows_open(&rows, practice->store, QUERY_LOG, &id, 1, error))
        return false;
    int step;
    while ((step = rows_step(rows, error)) == 1)
        if (!resume_turn(practice, names, rows, error)) {
            step = -1;
            break;
        }
    rows_close(rows);
    return step == 0;
}

struct resume_plan {
    struct session_entry *entries;
    struct resume_question *names;
    bool *gone;
    ptrdiff_t count, room;
};

/* Adds a question of the stored plan, found in today's pack, or gone. */
static bool resume_add(struct practice *practice, struct resume_plan *plan, const char *pack_id,
                       const char *question_id, const char *revision)
{
    int pack = resume_pack(&practice->options, pack_id);
    int place = pack < 0 ? -1 : pack_find(practice->options.packs[pack], question_id);
    struct session_entry *entry = &plan->entries[plan->count];
    char now[PACK_REVISION + 1] = "";
    memset(entry, 0, sizeof *entry);
    if (place >= 0) {
        entry->pack = practice->options.packs[pack];
        entry->question = &entry->pack->questions[place];
        if (!question_revision(entry->question, now))
            return false;
    }
    plan->gone[plan->count] = place < 0 || strcmp(now, revision) != 0;
    plan->names[plan->count].pack = arena_text(&practice->arena, pack_id, (ptrdiff_t)strlen(pack_id));
    plan->names[plan->count].question =
        arena_text(&practice->arena, question_id, (ptrdiff_t)strlen(question_id));
    plan->count++;
    return plan->names[plan->count - 1].pack && plan->names[plan->count - 1].question;
}

static bool resume_read_plan(struct practice *practice, struct resume_plan *plan, struct error *error)
{
    struct store_value id = store_value_uuid(&practice->record.id);
    struct rows *rows;
    if (!rows_open(&rows, practice->store, QUERY_PLAN, &id, 1, error))
        return false;
    int step;
    while ((step = rows_step(rows, error)) == 1) {
        const char *pack = rows_text(rows, 0), *question = rows_text(rows, 1), *revision = rows_text(rows, 2);
        if (!pack || !question || !revision || plan->count >= plan->room)
            continue;
        if (!resume_add(practice, plan, pack, question, revision)) {
            step = -1;
            error_memory(error);
            break;
        }
    }
    rows_close(rows);
    return step == 0;
}

/* The session's own row: what it was started with. */
static bool resume_read_session(struct practice *practice, const struct practice_unfinished *unfinished,
                                struct error *error)
{
    struct store_value id = store_value_uuid(&unfinished->session);
    struct rows *rows;
    if (!rows_open(&rows, practice->store, QUERY_SESSION, &id, 1, error))
        return false;
    int step = rows_step(rows, error);
    if (step == 1) {
        const char *options = rows_text(rows, 1);
        practice->record.id = unfinished->session;
        practice->record.kind = "practice";
        practice->record.origin = practice->options.origin;
        practice->record.seed = (uint32_t)rows_integer(rows, 0);
        practice->record.started_at = rows_integer(rows, 2);
        practice->record.utc_offset_s = (int)rows_integer(rows, 3);
        practice->record.options = arena_text(&practice->arena, options, (ptrdiff_t)strlen(options));
        practice->record.plan = "[]"; /* stored already, never written again */
    } else if (step == 0) {
        error_set(error, ERROR_NOT_FOUND, "the session is not in the store");
    }
    rows_close(rows);
    return step == 1;
}

static bool resume_visit_mode(void *context, const char *mode)
{
    return plan_mode_read(context, mode);
}

bool practice_resume(struct practice *practice, const struct practice_unfinished *unfinished,
                     struct error *error)
{
    struct resume_plan plan = { .room = unfinished->questions };
    ptrdiff_t room = plan.room + 1;
    bool done = false;
    if (!resume_read_session(practice, unfinished, error))
        return false;
    store_json_each(practice->store, practice->record.options, "$.mode", resume_visit_mode,
                    &practice->options.mode, NULL);
    if (!store_hold_session(practice->store, &practice->record.id, error))
        return false;
    plan.entries = memory_alloc(room * (ptrdiff_t)sizeof *plan.entries);
    plan.names = arena_alloc(&practice->arena, room * (ptrdiff_t)sizeof *plan.names);
    plan.gone = arena_alloc(&practice->arena, room);
    if (!plan.entries || !plan.names || !plan.gone) {
        error_memory(error);
        goto out;
    }
    if (!resume_read_plan(practice, &plan, error))
        goto out;
    if (!session_init(&practice->session, practice->record.seed, plan.entries, (int)plan.count)) {
        error_memory(error);
        goto out;
    }
    practice->begun = practice->resumed = true;
    if (!practice_start_clock(practice, error) || !resume_replay(practice, plan.names, error))
        goto out;
    for (int i = 0; i < practice->session.count; i++)
        if (plan.gone[i]) {
            practice->left_out += practice->session.entries[i].answer < 0;
            session_leave(&practice->session, i);
        }
    session_settle(&practice->session);
    done = true;
out:
    memory_free(plan.entries);
    if (!done)
        store_release_session(practice->store, &practice->record.id);
    return done;
}
