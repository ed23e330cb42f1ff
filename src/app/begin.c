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

void application_tell(const struct practice *practice)
{
    if (practice->learner_created)
        fprintf(stderr, tr("quiztutor: new learner \"%s\"\n"), practice->record.learner.name);
    if (practice->left_out)
        fprintf(stderr,
                ntr("quiztutor: %d question is gone or has a changed key; it left this session\n",
                    "quiztutor: %d questions are gone or have a changed key; they left this session\n",
                    practice->left_out),
                practice->left_out);
}
