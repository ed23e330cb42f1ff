#include "reply.h"

#include <quiztutor/message.h>

#include <stdio.h>
#include <string.h>

static bool take_text(struct reply *reply, const struct showing *showing, const char *text)
{
    struct response *response = &reply->response;
    const char *typed = text ? text : "";
    response_read_field(response, showing, typed, (ptrdiff_t)strlen(typed));
    reply->answer = response->answer;
    if (response->kind != RESPONSE_ANSWER && response->kind != RESPONSE_UNREADABLE)
        snprintf(response->reason, sizeof response->reason, "%s", tr("nothing is typed yet"));
    return response->kind == RESPONSE_ANSWER;
}

static bool take_choices(struct reply *reply, const struct showing *showing, const bool *picked)
{
    struct answer *answer = &reply->answer;
    for (int i = 0; i < showing->count; i++)
        if (picked[i])
            answer->picks |= 1u << showing->places[i];
    answer->truth = showing->question->type == QUESTION_TRUE_FALSE && (answer->picks & 1);
    return true;
}

/* Items by the places where they stand now. */
static bool take_order(struct reply *reply, const struct showing *showing, const signed char *at)
{
    for (int i = 0; i < showing->count; i++) {
        if (at[i] < 0 || at[i] >= showing->count)
            return false;
        reply->answer.places[i] = (unsigned char)(showing->places[at[i]] + 1);
    }
    return true;
}

static bool take_match(struct reply *reply, const struct showing *showing, const signed char *at)
{
    bool any = false;
    for (int i = 0; i < showing->count; i++) {
        bool matched = at[i] >= 0 && at[i] < showing->target_count;
        reply->answer.places[showing->places[i]] =
            matched ? (unsigned char)(showing->targets[at[i]] + 1) : (unsigned char)0;
        any |= matched;
    }
    if (!any)
        snprintf(reply->response.reason, sizeof reply->response.reason, "%s", tr("nothing is matched yet"));
    return any;
}

bool reply_take(struct reply *reply, const struct showing *showing, const struct effect *effect)
{
    *reply = (struct reply){ 0 };
    switch (showing->question->type) {
    case QUESTION_SINGLE_CHOICE:
    case QUESTION_MULTIPLE_CHOICE:
    case QUESTION_TRUE_FALSE:
        return take_choices(reply, showing, effect->picked);
    case QUESTION_NUMBER:
    case QUESTION_TEXT:
        return take_text(reply, showing, effect->text);
    case QUESTION_ORDER:
        return take_order(reply, showing, effect->at);
    case QUESTION_MATCH:
        return take_match(reply, showing, effect->at);
    case QUESTION_RECALL:
        reply->answer.self_grade = effect->grade;
        return effect->grade >= 1 && effect->grade <= 4;
    case QUESTION_TYPES:
        break;
    }
    return false;
}

const char *reply_spelling(void)
{
    return tr("nearly: check the spelling; what you answer next counts");
}

void reply_remark(struct view *view, char room[static REPLY_REMARK], const char *why)
{
    snprintf(room, REPLY_REMARK, "%s", why);
    if (*room)
        view_remark(view, room);
}
