#include <quiztutor/clock.h>
#include <quiztutor/schedule.h>
#include <quiztutor/showing.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Minutes of the steps, and where a grade leads from one of them. */
static const int learning_steps[] = { 1, 10 }, relearning_steps[] = { 10 };

struct step {
    int minutes; /* 0: no step is left, intervals are days from here */
    int next;
};

/* The rules of ts-fsrs's BasicLearningStepsStrategy: Again goes to the first step, Hard stays for the mean of
 * the first two (or one and a half of the only one), Good goes on, Easy leaves. */
static struct step step_after(enum schedule_phase phase, int step, enum grade grade)
{
    bool again = phase == PHASE_REVIEW || phase == PHASE_RELEARNING;
    const int *steps = again ? relearning_steps : learning_steps;
    int count = again ? 1 : 2;
    if (step >= count)
        return (struct step){ 0, 0 };
    switch (grade) {
    case GRADE_AGAIN:
        return (struct step){ steps[0], 0 };
    case GRADE_HARD:
        return (struct step){ count == 1 ? (int)lround(steps[0] * 1.5)
                                         : (int)lround((steps[0] + steps[1]) / 2.0),
                              step };
    case GRADE_GOOD:
        if (step + 1 < count)
            return (struct step){ steps[step + 1], step + 1 };
        break;
    case GRADE_NONE:
    case GRADE_EASY:
        break;
    }
    return (struct step){ 0, 0 };
}

double schedule_draw(const char *pack_id, const char *question_id, uint32_t seed)
{
    char name[PACK_ID + sizeof "fuzz:"];
    snprintf(name, sizeof name, "fuzz:%s", question_id);
    struct random_stream stream = showing_stream(pack_id, name, seed);
    return (double)(random_next(&stream) >> 11) / 9007199254740992.0; /* 2^53 */
}

static int interval_days(const struct schedule_rules *rules, double stability, int elapsed, double draw)
{
    int days = fsrs_interval(rules->parameters, stability, rules->retention), least, most;
    if (!rules->fuzz || days < 3) /* 2.5 and less */
        return days;
    fsrs_fuzz(days, elapsed, &least, &most);
    return least + (int)(draw * (most - least + 1));
}

/* In review the intervals of the grades stay apart: Good is above Hard, and Easy above Good. */
static int review_interval(const struct schedule_rules *rules, const struct fsrs_memory *before,
                           enum grade grade, int elapsed, double draw)
{
    int days[GRADE_EASY + 1];
    for (int i = GRADE_HARD; i <= GRADE_EASY; i++) {
        struct fsrs_memory after = fsrs_next(rules->parameters, *before, (enum grade)i, elapsed);
        days[i] = interval_days(rules, after.stability, elapsed, draw);
    }
    if (days[GRADE_HARD] > days[GRADE_GOOD])
        days[GRADE_HARD] = days[GRADE_GOOD];
    if (days[GRADE_GOOD] <= days[GRADE_HARD])
        days[GRADE_GOOD] = days[GRADE_HARD] + 1;
    if (days[GRADE_EASY] <= days[GRADE_GOOD])
        days[GRADE_EASY] = days[GRADE_GOOD] + 1;
    return days[grade];
}

static void schedule_count(struct schedule *schedule, enum grade grade, int64_t day)
{
    schedule->answers++;
    if (grade == GRADE_AGAIN) {
        schedule->lapses += schedule->phase == PHASE_REVIEW;
        schedule->run = 0;
    } else if (grade >= GRADE_GOOD && (schedule->run == 0 || schedule->run_day < day)) {
        schedule->run++;
        schedule->run_day = day;
    }
}

void schedule_answer(struct schedule *schedule, const struct schedule_rules *rules,
                     const struct schedule_answer *answer)
{
    enum grade grade = answer->grade;
    if (grade == GRADE_NONE)
        return;
    bool first = schedule->phase == PHASE_NEW;
    int64_t at = answer->at > SCHEDULE_LATEST    ? SCHEDULE_LATEST
                 : answer->at < -SCHEDULE_LATEST ? -SCHEDULE_LATEST
                                                 : answer->at;
    int64_t day = clock_day(at, answer->utc_offset_s, rules->day_starts);
    if (!first && day < schedule->last_day)
        day = schedule->last_day;
    int64_t gone = first ? 0 : day - schedule->last_day;
    int elapsed = gone > INT32_MAX ? INT32_MAX : (int)gone;
    struct fsrs_memory before = schedule->memory;
    enum schedule_phase phase = schedule->phase;
    schedule_count(schedule, grade, day);
    schedule->memory =
        first ? fsrs_first(rules->parameters, grade) : fsrs_next(rules->parameters, before, grade, elapsed);
    schedule->last_at = at;
    schedule->last_day = day;

    bool steps = phase != PHASE_REVIEW || grade == GRADE_AGAIN;
    struct step step = { 0, 0 };
    if (steps)
        step = step_after(phase, phase == PHASE_REVIEW ? 0 : schedule->step, grade);
    schedule->step = step.next;
    if (step.minutes) {
        schedule->phase = phase == PHASE_REVIEW ? PHASE_RELEARNING : first ? PHASE_LEARNING : phase;
        schedule->interval = 0;
        schedule->due_at = at + step.minutes * (int64_t)60000;
        schedule->due_day = clock_day(schedule->due_at, answer->utc_offset_s, rules->day_starts);
        if (schedule->due_day < day)
            schedule->due_day = day;
        return;
    }
    schedule->phase = PHASE_REVIEW;
    schedule->interval = steps ? interval_days(rules, schedule->memory.stability, elapsed, answer->draw)
                               : review_interval(rules, &before, grade, elapsed, answer->draw);
    schedule->due_at = 0;
    schedule->due_day = day + schedule->interval;
}

bool schedule_is_due(const struct schedule *schedule, int64_t now, int64_t today)
{
    if (schedule->phase == PHASE_NEW || schedule->due_day > today)
        return false;
    return schedule->due_at == 0 || schedule->due_day < today || schedule->due_at <= now;
}

double schedule_retrievability(const struct schedule *schedule, const struct fsrs_parameters *parameters,
                               int64_t today)
{
    if (schedule->phase == PHASE_NEW)
        return 0;
    int64_t days = today > schedule->last_day ? today - schedule->last_day : 0;
    return fsrs_retrievability(parameters, schedule->memory.stability, (double)days);
}

bool schedule_mastered(const struct schedule *schedule, double guess)
{
    return schedule->phase == PHASE_REVIEW && schedule->memory.stability >= SCHEDULE_MASTERED &&
           schedule->run >= 1 && pow(guess, schedule->run) <= 0.05;
}
