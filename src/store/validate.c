/* What no implementation stores: ids that are missing, words that mean nothing, JSON that is none. */
#include "store_private.h"

#include <math.h>
#include <quiztutor/message.h>
#include <quiztutor/text.h>
#include <string.h>

static const char *const session_kinds[] = { "practice", "exam", "paper", "import", NULL };
static const char *const origins[] = { "screen", "plain", "jsonl", "paper", "kiosk", "import", NULL };
static const char *const event_kinds[] = {
    "skipped", "hinted",   "undone", "flagged",  "answered", "handed-in", "extended", "dropped", "regraded",
    "voided",  "accepted", "erased", "reported", "starred",  "suspended", "kiosk",    "merged",  NULL,
};

static bool refuse(struct error *error, const char *what)
{
    return error_set(error, ERROR_INPUT, tr("can't be stored: bad %s"), what);
}

static bool one_of(const char *word, const char *const *words)
{
    for (; word && *words; words++) {
        if (strcmp(word, *words) == 0)
            return true;
    }
    return false;
}

bool store_is_text(const char *text)
{
    if (!text)
        return false;
    ptrdiff_t length = (ptrdiff_t)strlen(text);
    while (length > 0) {
        int32_t code;
        int bytes = text_decode(text, length, &code);
        if (code == TEXT_BAD)
            return false;
        text += bytes;
        length -= bytes;
    }
    return true;
}

static bool is_name(const char *text)
{
    return store_is_text(text) && *text;
}

static bool is_json(const char *text)
{
    return text && json_valid(text);
}

bool store_validate_session(const struct store_session *session, struct error *error)
{
    if (uuid_is_zero(&session->id))
        return refuse(error, "session_id");
    if (uuid_is_zero(&session->learner.id))
        return refuse(error, "learner_id");
    if (!is_name(session->learner.name))
        return refuse(error, "name");
    if (session->learner.login && !is_name(session->learner.login))
        return refuse(error, "login");
    if (!one_of(session->kind, session_kinds))
        return refuse(error, "session.kind");
    if (!one_of(session->origin, origins))
        return refuse(error, "session.origin");
    if (!is_json(session->options))
        return refuse(error, "session.options");
    if (!is_json(session->plan))
        return refuse(error, "session.plan");
    return true;
}

static bool is_number(double number)
{
    return isfinite(number) != 0;
}

bool store_validate_text(const struct store_text *text, struct error *error)
{
    if (!is_name(text->pack_id) || !is_name(text->question_id) || !store_is_text(text->revision))
        return refuse(error, "question_id");
    return is_json(text->body) || refuse(error, "question_text.body");
}

bool store_validate_attempt(const struct store_attempt *attempt, struct error *error)
{
    if (uuid_is_zero(&attempt->id))
        return refuse(error, "attempt_id");
    const struct store_text text = { attempt->content, attempt->pack_id, attempt->question_id,
                                     attempt->revision, attempt->body };
    if (!store_validate_text(&text, error))
        return false;
    if (attempt->shown && !is_json(attempt->shown))
        return refuse(error, "shown");
    if (attempt->response && !is_json(attempt->response))
        return refuse(error, "response");
    if ((int)attempt->verdict.outcome < 0 || attempt->verdict.outcome >= OUTCOMES)
        return refuse(error, "outcome");
    if (!is_number(attempt->verdict.mark) || !is_number(attempt->verdict.marks))
        return refuse(error, "mark");
    if (!one_of(attempt->origin, origins))
        return refuse(error, "origin");
    return true;
}

bool store_validate_event(const struct store_event *event, struct error *error)
{
    if (uuid_is_zero(&event->id))
        return refuse(error, "event_id");
    if (!one_of(event->kind, event_kinds))
        return refuse(error, "event.kind");
    if (event->body && !is_json(event->body))
        return refuse(error, "event.body");
    return true;
}
