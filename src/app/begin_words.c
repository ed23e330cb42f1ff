/* What is said before a session: what waits, what can be reached, and what is odd. */
#include "begin.h"

#include <quiztutor/day.h>
#include <quiztutor/message.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Adds to a text of at most `size` bytes, parted by a space. */
static void words_add(char *text, int size, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void words_add(char *text, int size, const char *format, ...)
{
    va_list arguments;
    size_t length = strlen(text);
    if (length && length + 1 < (size_t)size) {
        text[length++] = ' ';
        text[length] = '\0';
    }
    va_start(arguments, format);
    vsnprintf(text + length, (size_t)size - length, format, arguments);
    va_end(arguments);
}

/* When the next of this session's questions is due. */
struct words_next {
    bool tagged; /* a question is in the packs and has the tag */
    bool known;
    int64_t day, at; /* as a schedule's due_day and due_at */
};

static void words_next_in(struct words_next *next, const struct practice *practice, const struct pack *pack)
{
    struct store_value parameters[] = { store_value_uuid(&practice->record.learner.id),
                                        store_value_text(pack->id) };
    struct rows *rows;
    if (!practice->learner_known || !rows_open(&rows, practice->store, QUERY_KNOWN, parameters, 2, NULL))
        return;
    while (rows_step(rows, NULL) == 1) {
        struct store_schedule known;
        int place = pack_find(pack, rows_text(rows, 0));
        rows_schedule(rows, &known);
        const struct schedule *schedule = &known.schedule;
        if (place < 0 || known.suspended || schedule->phase == PHASE_NEW ||
            !plan_has_tag(&pack->questions[place], practice->options.tag))
            continue;
        if (!next->known || schedule->due_day < next->day ||
            (schedule->due_day == next->day && schedule->due_at < next->at)) {
            next->known = true;
            next->day = schedule->due_day;
            next->at = schedule->due_at;
        }
    }
    rows_close(rows);
}

static struct words_next words_find_next(const struct practice *practice)
{
    struct words_next next = { 0 };
    for (int i = 0; i < practice->options.pack_count; i++) {
        const struct pack *pack = practice->options.packs[i];
        for (int k = 0; k < pack->question_count && !next.tagged; k++)
            next.tagged = plan_has_tag(&pack->questions[k], practice->options.tag);
        words_next_in(&next, practice, pack);
    }
    return next;
}

/* A day after today as words: "tomorrow at 04:00", "Thursday", "31 January 2027". */
static void words_day(char *text, int size, int64_t day, int64_t today, int day_starts)
{
    char words[DAY_TEXT];
    day_words(words, day, today);
    if (day == today + 1)
        snprintf(text, (size_t)size, tr("tomorrow at %02d:%02d"), day_starts / 60, day_starts % 60);
    else
        snprintf(text, (size_t)size, "%s", words);
}

/* When the next is due, and what waits for the days after. */
static void words_nothing_due(const struct practice *practice, const struct words_next *next, char *text,
                              int size)
{
    const struct plan_count *count = &practice->planned.count;
    int64_t today = practice_today(practice, NULL), now = clock_wall(&practice->clock);
    char when[DAY_TEXT];
    if (count->due_waiting) {
        words_add(text, size,
                  ntr("What was meant for today is done; %d more is due and waits for the days after.",
                      "What was meant for today is done; %d more are due and wait for the days after.",
                      count->due_waiting),
                  count->due_waiting);
    } else if (next->known && next->day <= today) {
        int minutes = next->at > now ? (int)((next->at - now + 59999) / 60000) : 1;
        words_add(text, size,
                  ntr("Nothing is due for %d more minute.", "Nothing is due for %d more minutes.", minutes),
                  minutes);
    } else if (next->known) {
        words_day(when, sizeof when, next->day, today, practice->options.day_starts);
        words_add(text, size, tr("Nothing is due until %s."), when);
    } else {
        words_add(text, size, "%s", tr("Nothing is due."));
    }
    if (count->new_waiting)
        words_add(text, size,
                  ntr("%d new one waits for tomorrow.", "%d new ones wait for tomorrow.", count->new_waiting),
                  count->new_waiting);
}

/* How to practise all the same, by the command line. */
static const char *words_anyway(const struct practice *practice)
{
    const struct plan_count *count = &practice->planned.count;
    switch (practice->options.mode) {
    case MODE_NEW:
        return tr("Practise what you have seen with --mode all.");
    case MODE_STARRED:
        return tr("Star a question with :star, or * on the screens; practise anyway with --mode all.");
    case MODE_DUE:
        if (count->new_waiting || count->due_waiting)
            return tr("Take more with --limit N, or practise anyway with --mode all.");
        break;
    default:
        break;
    }
    return tr("Practise anyway with --mode all.");
}

bool begin_nothing(const struct practice *practice, enum begin_front front, char *text, int size)
{
    struct words_next next = words_find_next(practice);
    *text = '\0';
    if (!next.tagged) {
        if (!practice->options.tag)
            words_add(text, size, "%s", tr("There are no questions."));
        else if (front == BEGIN_LINES)
            words_add(text, size, "%s", tr("No question has this tag. Leave out --tag to practise all."));
        else
            words_add(text, size, tr("No question here has the tag %s."), practice->options.tag);
        return false;
    }
    switch (practice->options.mode) {
    case MODE_NEW:
        words_add(text, size, "%s", tr("Nothing new is left."));
        break;
    case MODE_MISTAKES:
        words_add(text, size, "%s", tr("No mistakes are waiting."));
        break;
    case MODE_STARRED:
        words_add(text, size, "%s", tr("Nothing is starred here."));
        if (front == BEGIN_SCREENS)
            words_add(text, size, "%s", tr("The key * stars a question."));
        break;
    case MODE_ALL:
    case MODE_DUE:
    case PLAN_MODES:
        words_nothing_due(practice, &next, text, size);
    }
    if (front == BEGIN_LINES)
        words_add(text, size, "%s", words_anyway(practice));
    return practice->options.mode != MODE_ALL;
}

void begin_waiting(const struct session_model *session, char *text, int size)
{
    *text = '\0';
    if (!session->by_due)
        return;
    if (session->more_due)
        words_add(text, size, tr("Of more than %d due, %d today; the rest wait for the days after."),
                  PRACTICE_COUNTED, session->due);
    else if (session->due_waiting)
        words_add(text, size, tr("Of %d due, %d today; the rest wait for the days after."),
                  session->due + session->due_waiting, session->due);
    if (session->new_waiting && session->limited)
        words_add(text, size,
                  ntr("%d more new one waits for tomorrow.", "%d more new ones wait for tomorrow.",
                      session->new_waiting),
                  session->new_waiting);
    else if (session->new_waiting)
        words_add(text, size,
                  ntr("%d more new one waits for tomorrow; --limit N takes more.",
                      "%d more new ones wait for tomorrow; --limit N takes more.", session->new_waiting),
                  session->new_waiting);
}

void begin_until(const struct session_model *session, enum begin_front front, char *text, int size)
{
    *text = '\0';
    if (!session->until)
        return;
    words_add(text, size, ntr("Until %s, %d day:", "Until %s, %d days:", session->days), session->until,
              session->days);
    if (session->reachable < session->in_all) {
        words_add(text, size, tr("at %d new a day %d of %d can be met; %d a day would meet all."),
                  session->new_a_day, session->reachable, session->in_all, session->needed_a_day);
        if (front == BEGIN_LINES)
            words_add(text, size, "%s", tr("Raise new_per_day, or take more with --limit N."));
        return;
    }
    if (session->new_a_day)
        words_add(text, size, tr("all %d questions can be met at %d new a day;"), session->in_all,
                  session->new_a_day);
    else
        words_add(text, size, tr("all %d questions are met;"), session->in_all);
    words_add(text, size, tr("about %d of %d remembered that day."), (int)lround(session->remembered),
              session->in_all);
}

void begin_resets(const struct session_model *session, char *text, int size)
{
    *text = '\0';
    if (session->reset)
        words_add(text, size,
                  ntr("the key of %d question has changed: its schedule starts anew",
                      "the key of %d questions has changed: their schedules start anew", session->reset),
                  session->reset);
}

/* "2 days", "5 hours" */
static void words_span(char *text, int size, int64_t milliseconds)
{
    int hours = (int)(milliseconds / 3600000), days = hours / 24;
    if (days)
        snprintf(text, (size_t)size, ntr("%d day", "%d days", days), days);
    else
        snprintf(text, (size_t)size, ntr("%d hour", "%d hours", hours), hours);
}

bool begin_clock(struct practice *practice, char *text, int size)
{
    char span[64];
    if (practice->clock_behind && !practice->told_behind) {
        practice->told_behind = true;
        words_span(span, sizeof span, practice->clock_behind);
        snprintf(text, (size_t)size,
                 tr("the clock is %s behind the newest answer: check the date; nothing is lost, intervals "
                    "count from there"),
                 span);
        return true;
    }
    if (!practice->clock_moved || practice->told_moved)
        return false;
    practice->told_moved = true;
    bool back = practice->clock_moved < 0;
    words_span(span, sizeof span, back ? -practice->clock_moved : practice->clock_moved);
    snprintf(text, (size_t)size,
             back ? tr("the clock was set back by %s in this session: check the date; nothing is lost")
                  : tr("the clock was set forward by %s in this session: check the date; nothing is lost"),
             span);
    return true;
}
