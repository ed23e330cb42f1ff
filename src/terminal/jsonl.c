#include <quiztutor/json.h>
#include <quiztutor/jsonl.h>

static void event_open(struct json *json, struct buffer *out, const char *event)
{
    json_init(json, out);
    json_open(json, '{');
    json_key(json, "event");
    json_text(json, event);
}

static void event_close(struct json *json)
{
    json_close(json, '}');
    buffer_char(json->out, '\n');
}

static void member_text(struct json *json, const char *key, const char *text)
{
    json_key(json, key);
    json_text(json, text);
}

static void member_integer(struct json *json, const char *key, int64_t value)
{
    json_key(json, key);
    json_integer(json, value);
}

static void member_number(struct json *json, const char *key, double value)
{
    json_key(json, key);
    json_number(json, value);
}

static void member_bool(struct json *json, const char *key, bool value)
{
    json_key(json, key);
    json_bool(json, value);
}

static void member_texts(struct json *json, const char *key, const char *const *texts, int count)
{
    json_key(json, key);
    json_open(json, '[');
    for (int i = 0; i < count; i++)
        json_text(json, texts[i]);
    json_close(json, ']');
}

/* Planned towards a day: {"day":"2026-12-18","days":18,…} */
static void session_until(struct json *json, const struct session_model *session)
{
    json_key(json, "until");
    json_open(json, '{');
    member_text(json, "day", session->until);
    member_integer(json, "days", session->days);
    member_integer(json, "questions", session->in_all);
    member_integer(json, "reached", session->reachable);
    member_integer(json, "new_a_day", session->new_a_day);
    member_integer(json, "needed_a_day", session->needed_a_day);
    member_number(json, "remembered", session->remembered);
    json_close(json, '}');
}

void jsonl_session(struct buffer *out, const struct session_model *session)
{
    struct json json;
    event_open(&json, out, "session");
    member_text(&json, "session", session->session);
    member_text(&json, "learner", session->learner);
    member_integer(&json, "seed", session->seed);
    member_text(&json, "mode", session->mode);
    member_texts(&json, "packs", session->packs, session->pack_count);
    member_integer(&json, "questions", session->questions);
    member_bool(&json, "resumed", session->resumed);
    if (session->by_due) {
        member_integer(&json, "due", session->due);
        member_integer(&json, "new", session->fresh);
        member_integer(&json, "waiting", session->due_waiting);
        member_integer(&json, "new_waiting", session->new_waiting);
    }
    member_integer(&json, "reset", session->reset);
    if (session->until)
        session_until(&json, session);
    if (session->exam) {
        member_bool(&json, "exam", true);
        json_key(&json, "minutes");
        if (session->minutes > 0)
            json_number(&json, session->minutes);
        else
            json_null(&json);
        member_text(&json, "deadline", session->deadline);
    }
    event_close(&json);
}

/* Texts of what is kept of an exam's question so far: [] left blank, null not answered yet. */
static void member_given(struct json *json, const struct question_model *question)
{
    json_key(json, "given");
    if (!question->has_response) {
        json_null(json);
        return;
    }
    json_open(json, '[');
    if (question->given_text)
        json_text(json, question->given_text);
    bool any = false;
    for (int i = 0; i < question->choice_count; i++)
        any |= question->given_at[i] >= 0;
    for (int i = 0; i < question->choice_count; i++) {
        int at = question->given_at[i];
        if (question->way == WAY_CHOICES && question->given[i])
            json_text(json, question->choices[i]);
        else if (question->way == WAY_ORDER && any)
            json_text(json, question->choices[at]);
        else if (question->way == WAY_MATCH && any)
            json_text(json, at >= 0 ? question->targets[at] : "");
    }
    json_close(json, ']');
}

void jsonl_question(struct buffer *out, const struct question_model *question)
{
    struct json json;
    event_open(&json, out, "question");
    member_integer(&json, "number", question->number);
    member_integer(&json, "of", question->of);
    member_bool(&json, "again", question->again);
    member_text(&json, "pack", question->pack);
    member_text(&json, "question", question->question);
    member_text(&json, "type", question->type);
    member_text(&json, "prompt", question->prompt);
    member_text(&json, "figure", question->figure);
    member_texts(&json, "choices", question->choices, question->choice_count);
    member_texts(&json, "targets", question->targets, question->target_count);
    member_text(&json, "unit", question->unit);
    member_integer(&json, "hints", question->hints_left);
    member_text(&json, "section", question->section);
    member_text(&json, "intro", question->intro);
    member_text(&json, "intro_figure", question->intro_figure);
    if (question->numeric)
        member_integer(&json, "significant_figures", question->significant_figures);
    if (question->way == WAY_RECALL)
        member_text(&json, "back", question->back); /* learners grade themselves by it */
    if (question->exam) {
        member_bool(&json, "flagged", question->flagged);
        member_given(&json, question);
    }
    event_close(&json);
}

void jsonl_result(struct buffer *out, const struct result_model *result)
{
    static const char *const outcomes[] = {
        [VERDICT_RIGHT] = "right",
        [VERDICT_PARTLY] = "partly",
        [VERDICT_WRONG] = "wrong",
        [VERDICT_SKIPPED] = "skipped",
    };
    struct json json;
    event_open(&json, out, "result");
    member_integer(&json, "number", result->question.number);
    member_bool(&json, "again", result->question.again);
    member_text(&json, "attempt", result->attempt);
    member_text(&json, "pack", result->question.pack);
    member_text(&json, "question", result->question.question);
    member_text(&json, "outcome", outcomes[result->verdict]);
    member_number(&json, "mark", result->mark);
    member_number(&json, "marks", result->marks);
    member_texts(&json, "response", result->response, result->response_count);
    member_texts(&json, "answer", result->answer, result->answer_count);
    member_text(&json, "feedback", result->feedback);
    member_text(&json, "note", result->note);
    member_text(&json, "explanation", result->explanation);
    member_text(&json, "explanation_figure", result->explanation_figure);
    member_text(&json, "source", result->source);
    json_key(&json, "certainty");
    if (result->certainty)
        json_integer(&json, result->certainty);
    else
        json_null(&json);
    json_key(&json, "certainty_mark");
    if (result->certainty && !result->no_certainty)
        json_number(&json, result->certainty_mark);
    else
        json_null(&json);
    member_text(&json, "due", result->due);
    member_integer(&json, "lapses", result->lapses);
    event_close(&json);
}

void jsonl_summary(struct buffer *out, const struct summary_model *summary)
{
    struct json json;
    event_open(&json, out, "summary");
    member_integer(&json, "asked", summary->asked);
    member_integer(&json, "right", summary->right);
    member_integer(&json, "partly", summary->partly);
    member_integer(&json, "wrong", summary->wrong);
    member_integer(&json, "skipped", summary->skipped);
    member_number(&json, "mark", summary->mark);
    member_number(&json, "marks", summary->marks);
    member_bool(&json, "finished", summary->finished);
    member_integer(&json, "sure", summary->sure);
    json_key(&json, "certainty_marks");
    if (summary->sure)
        json_number(&json, summary->certainty_marks);
    else
        json_null(&json);
    event_close(&json);
}

void jsonl_hint(struct buffer *out, int number, const char *hint, int left)
{
    struct json json;
    event_open(&json, out, "hint");
    member_integer(&json, "number", number);
    member_text(&json, "hint", hint);
    member_integer(&json, "left", left);
    event_close(&json);
}

void jsonl_undone(struct buffer *out, int number, const char *attempt)
{
    struct json json;
    event_open(&json, out, "undone");
    member_integer(&json, "number", number);
    member_text(&json, "attempt", attempt);
    event_close(&json);
}

void jsonl_mark(struct buffer *out, const char *event, int number, bool on)
{
    struct json json;
    event_open(&json, out, event);
    member_integer(&json, "number", number);
    member_bool(&json, "on", on);
    event_close(&json);
}

void jsonl_event(struct buffer *out, const char *event, int number, const char *member, const char *text)
{
    struct json json;
    event_open(&json, out, event);
    member_integer(&json, "number", number);
    if (member)
        member_text(&json, member, text);
    event_close(&json);
}
