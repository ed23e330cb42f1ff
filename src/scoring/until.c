#include <quiztutor/day.h>
#include <quiztutor/until.h>

#include <stdio.h>

enum { UNTIL_DAY_MS = 86400000, UNTIL_NOON_MS = UNTIL_DAY_MS / 2 };

/* A right answer in the session of that day, halfway through it. */
static void until_answer(struct schedule *schedule, const struct schedule_rules *rules, int64_t day)
{
    struct schedule_answer answer = {
        .grade = GRADE_GOOD,
        .at = day * UNTIL_DAY_MS + rules->day_starts * (int64_t)60000 + UNTIL_NOON_MS,
    };
    schedule_answer(schedule, rules, &answer);
}

/* The chance of recall on the last day of a question that is asked whenever it is due, from `first` on. */
static double until_play(const struct until_question *question, int64_t first, int64_t end, int64_t day)
{
    struct schedule schedule = question->schedule;
    struct schedule_rules rules = *question->rules;
    rules.fuzz = false;
    int64_t at = first;
    while (at < end) {
        if (schedule.phase != PHASE_NEW && schedule.due_day > at)
            at = schedule.due_day;
        else
            until_answer(&schedule, &rules, at++);
    }
    return schedule_retrievability(&schedule, rules.parameters, day);
}

static int until_share(int64_t count, int64_t parts)
{
    return (int)((count + parts - 1) / parts);
}

void until_make(struct until_plan *plan, const struct until_question *questions, int count, int64_t today,
                int64_t day, int new_per_day)
{
    int64_t end = day > today ? day : today + 1, met = 0;
    *plan = (struct until_plan){ .days = (int)(end - today) };
    for (int i = 0; i < count; i++)
        plan->unmet += questions[i].schedule.phase == PHASE_NEW;
    plan->new_a_day = until_share(plan->unmet * (int64_t)10, plan->days * (int64_t)7);
    if (plan->new_a_day > plan->unmet)
        plan->new_a_day = plan->unmet;
    if (plan->new_a_day > new_per_day)
        plan->new_a_day = new_per_day;
    plan->needed_a_day = until_share(plan->unmet, plan->days);
    for (int i = 0; i < count; i++) {
        const struct until_question *question = &questions[i];
        int64_t first = today;
        if (question->schedule.phase == PHASE_NEW) {
            if (met >= (int64_t)plan->new_a_day * plan->days)
                continue;
            first = today + met++ / plan->new_a_day;
        }
        plan->reached++;
        plan->remembered += until_play(question, first, end, day);
    }
}

void until_write(char text[static 16], int64_t day)
{
    struct day_date date = day_date(day);
    if (date.year < 1 || date.year > 9999) /* no schedule goes there */
        snprintf(text, 16, "%s", date.year < 1 ? "0001-01-01" : "9999-12-31");
    else
        snprintf(text, 16, "%04d-%02d-%02d", (int)date.year, date.month, date.day);
}
