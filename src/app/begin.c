#include "begin.h"

#include <quiztutor/message.h>

#include <stdio.h>
#include <time.h>

bool begin_practice(struct practice *practice, enum resume_wish wish, bool *anew, struct error *error)
{
    struct practice_unfinished unfinished = { 0 };
    *anew = false;
    if (wish == WISH_ANEW)
        return practice_begin(practice, error);
    if (!practice_find_unfinished(practice, &unfinished, error))
        return false;
    if (wish == WISH_RESUME && unfinished.found)
        return practice_resume(practice, &unfinished, error);
    if (wish == WISH_RESTART && unfinished.found && !practice_drop(practice, &unfinished, error))
        return false;
    *anew = wish == WISH_RESUME;
    return practice_begin(practice, error);
}

void begin_describe(const struct practice_unfinished *unfinished, char *text, int size)
{
    time_t seconds = (time_t)(unfinished->started_at / 1000 + unfinished->utc_offset_s);
    struct tm then;
    char day[16] = "", hour[8] = "";
    if (gmtime_r(&seconds, &then)) {
        strftime(day, sizeof day, "%Y-%m-%d", &then);
        strftime(hour, sizeof hour, "%H:%M", &then);
    }
    snprintf(text, (size_t)size, tr("%d of %d answered, begun on %s at %s"), unfinished->answered,
             unfinished->questions, day, hour);
}

const char *begin_stake(void)
{
    return tr("An answer that could not be stored is lost then. Everything before it is safe.");
}

void begin_say(struct buffer *out, const char *text)
{
    if (out)
        buffer_print(out, "%s\n", text);
    else
        fprintf(stderr, "quiztutor: %s\n", text);
}

void begin_tell(const struct practice *practice, struct buffer *out)
{
    char text[BEGIN_TEXT];
    if (practice->learner_created && !out) /* in a kiosk they have said so */
        fprintf(stderr, tr("quiztutor: new learner \"%s\"\n"), practice->record.learner.name);
    if (!practice->left_out)
        return;
    snprintf(text, sizeof text,
             ntr("%d question is gone or has a changed key; it left this session",
                 "%d questions are gone or have a changed key; they left this session", practice->left_out),
             practice->left_out);
    begin_say(out, text);
}
