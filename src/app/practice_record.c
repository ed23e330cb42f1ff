#include "practice_record.h"

#include <quiztutor/json.h>

/* {"limit":null,"mode":"due","packs":["tour"],"tag":null} */
static void describe_options(const struct practice_options *options, struct buffer *out)
{
    struct json json;
    json_init(&json, out);
    json_open(&json, '{');
    json_key(&json, "limit");
    if (options->limit > 0)
        json_integer(&json, options->limit);
    else
        json_null(&json);
    json_key(&json, "mode");
    json_text(&json, plan_mode_name(options->mode));
    json_key(&json, "packs");
    json_open(&json, '[');
    for (int i = 0; i < options->pack_count; i++)
        json_text(&json, options->packs[i]->id);
    json_close(&json, ']');
    json_key(&json, "tag");
    json_text(&json, options->tag);
    json_close(&json, '}');
}

/* [["tour","select","<revision>"],…] */
static bool describe_plan(const struct session *session, struct buffer *out)
{
    struct json json;
    json_init(&json, out);
    json_open(&json, '[');
    for (int i = 0; i < session->count; i++) {
        const struct session_entry *entry = &session->entries[i];
        char revision[PACK_REVISION + 1];
        if (!question_revision(entry->question, revision))
            return false;
        json_open(&json, '[');
        json_text(&json, entry->pack->id);
        json_text(&json, entry->question->id);
        json_text(&json, revision);
        json_close(&json, ']');
    }
    json_close(&json, ']');
    return !out->failed;
}

bool practice_describe(struct practice *practice, struct error *error)
{
    if (practice->record.plan)
        return true;
    struct buffer options, plan;
    buffer_init(&options);
    buffer_init(&plan);
    describe_options(&practice->options, &options);
    bool done = describe_plan(&practice->session, &plan) && !options.failed;
    if (done) {
        practice->record.options = arena_text(&practice->arena, buffer_get(&options), options.length);
        practice->record.plan = arena_text(&practice->arena, buffer_get(&plan), plan.length);
        done = practice->record.options && practice->record.plan;
    }
    if (!done)
        practice->record.plan = NULL;
    buffer_finish(&options);
    buffer_finish(&plan);
    return done || error_memory(error);
}

bool practice_record_answer(struct practice *practice, const struct answer *answer, int certainty,
                            struct error *error)
{
    struct practice_pending *pending = &practice->pending;
    struct showing showing;
    if (!practice_current(practice, &showing))
        return error_memory(error);
    const struct session_entry *entry = &practice->session.entries[session_current(&practice->session)];
    const struct question *question = showing.question; /* with its values, where it has any */
    struct store_attempt *attempt = &pending->attempt;

    practice_abandon(practice);
    if (!question_revision(question, pending->revision) || !question_content(question, &attempt->content) ||
        !question_body(question, &pending->body))
        goto out;
    answer_write_shown(&pending->shown, &showing);
    answer_write(&pending->response, question, answer);
    if (answer->text)
        buffer_text(&pending->typed, answer->text);
    if (pending->shown.failed || pending->response.failed || pending->typed.failed)
        goto out;

    int64_t now = clock_wall(&practice->clock);
    uuid_make(&attempt->id, now);
    attempt->pack_id = entry->pack->id;
    attempt->question_id = question->id;
    attempt->revision = pending->revision;
    attempt->body = buffer_get(&pending->body);
    attempt->seed = showing.seed;
    attempt->showing = session_showing(&practice->session);
    attempt->shown = pending->shown.length ? buffer_get(&pending->shown) : NULL;
    attempt->response = pending->response.length ? buffer_get(&pending->response) : NULL;
    marking_mark(&attempt->verdict, question, answer);
    attempt->certainty = answer->blank ? 0 : certainty;
    attempt->hints = entry->hints;
    attempt->retried = session_retried(&practice->session) && !answer->blank;
    attempt->elapsed_ms = clock_steady(&practice->clock) - practice->shown_at;
    attempt->answered_at = now;
    attempt->utc_offset_s = clock_offset(&practice->clock, now);
    attempt->origin = practice->options.origin;
    pending->answer = *answer;
    if (answer->text)
        pending->answer.text = buffer_get(&pending->typed);
    pending->turn = TURN_ANSWER;
    return true;
out:
    practice_abandon(practice);
    return error_memory(error);
}

/* An event that happens now, of `kind`; its body is still open. */
static void record_open(struct practice *practice, const char *kind, struct json *json)
{
    struct practice_pending *pending = &practice->pending;
    practice_abandon(practice);
    int64_t now = clock_wall(&practice->clock);
    uuid_make(&pending->event.id, now);
    pending->event.kind = kind;
    pending->event.at = now;
    pending->event.utc_offset_s = clock_offset(&practice->clock, now);
    json_init(json, &pending->body);
    json_open(json, '{');
}

static bool record_close(struct practice *practice, struct json *json, enum practice_turn turn,
                         struct error *error)
{
    struct practice_pending *pending = &practice->pending;
    json_close(json, '}');
    if (pending->body.failed) {
        practice_abandon(practice);
        return error_memory(error);
    }
    pending->event.body = buffer_get(&pending->body);
    pending->turn = turn;
    return true;
}

static void record_question(struct json *json, const struct session_entry *about)
{
    json_key(json, "question");
    json_open(json, '[');
    json_text(json, about->pack->id);
    json_text(json, about->question->id);
    json_close(json, ']');
}

bool practice_record_event(struct practice *practice, enum practice_turn turn, const char *kind, int entry,
                           const char *text, struct error *error)
{
    const struct session *session = &practice->session;
    const struct session_answer *newest = session_newest(session);
    struct json json;
    record_open(practice, kind, &json);
    if (turn == TURN_UNDO && newest)
        practice->pending.event.attempt_id = newest->attempt;
    if (entry >= 0) {
        const struct session_entry *about = &session->entries[entry];
        record_question(&json, about);
        json_key(&json, "showing");
        json_integer(&json, about->showings + (turn != TURN_UNDO));
    }
    if (text) {
        json_key(&json, "text");
        json_text(&json, text);
    }
    return record_close(practice, &json, turn, error);
}

bool practice_record_mark(struct practice *practice, enum practice_turn turn, int entry, bool on,
                          struct error *error)
{
    struct json json;
    record_open(practice, turn == TURN_STAR ? "starred" : "suspended", &json);
    practice->pending.entry = entry;
    practice->pending.on = on;
    record_question(&json, &practice->session.entries[entry]);
    json_key(&json, "on");
    json_bool(&json, on);
    return record_close(practice, &json, turn, error);
}
