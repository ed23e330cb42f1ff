#include "fold.h"

#include <math.h>
#include <quiztutor/body.h>
#include <stdio.h>
#include <string.h>

static bool is_zero(const struct hash *hash)
{
    static const struct hash zero;
    return memcmp(hash, &zero, sizeof zero) == 0;
}

static bool same_hash(const struct hash *one, const struct hash *other)
{
    return memcmp(one, other, sizeof *one) == 0;
}

int fold_self_grade(const char *response)
{
    bool one = response && *response >= '1' && *response <= '4' && !response[1];
    return one ? *response - '0' : 0;
}

bool fold_must_compare(const struct fold *fold, const struct fold_answer *answer)
{
    const struct store_schedule *is = &fold->is;
    return is->seen && strncmp(is->revision, answer->revision, sizeof is->revision - 1) != 0 &&
           !is_zero(&is->content) && !is_zero(&answer->content) && !same_hash(&is->content, &answer->content);
}

/* Easy takes a first showing on a day when the question was not answered yet: not one of many short sessions.
 */
static bool is_first_showing(const struct schedule *schedule, const struct fold_rules *rules,
                             const struct fold_answer *answer)
{
    return answer->showing == 1 &&
           (schedule->phase == PHASE_NEW ||
            clock_day(answer->at, answer->utc_offset_s, rules->day_starts) > schedule->last_day);
}

static enum grade grade(const struct schedule *schedule, const struct fold_rules *rules,
                        const struct fold_answer *answer)
{
    bool told = answer->certainty >= CERTAINTY_GUESS && answer->certainty <= CERTAINTY_CERTAIN;
    const struct grade_evidence evidence = {
        .outcome = answer->outcome,
        .certainty = told ? answer->certainty : CERTAINTY_NONE,
        .first_showing = is_first_showing(schedule, rules, answer),
        .helped = answer->helped || answer->hints > 0 || answer->retried,
        .self_grade = answer->self_grade,
    };
    return grade_of(&evidence);
}

static void take_graded(struct fold *fold, const struct fold_rules *rules, const char *pack_id,
                        const char *question_id, const struct fold_answer *answer, enum grade grade)
{
    const struct schedule_rules by = {
        .parameters = &rules->parameters,
        .retention = rules->retention,
        .day_starts = rules->day_starts,
        .fuzz = true,
    };
    const struct schedule_answer taken = {
        .grade = grade,
        .at = answer->at,
        .utc_offset_s = answer->utc_offset_s,
        .draw = schedule_draw(pack_id, question_id, answer->seed),
    };
    if (fold->is.schedule.phase == PHASE_NEW) /* it may wait since it was left out */
        memset(&fold->is.schedule, 0, sizeof fold->is.schedule);
    schedule_answer(&fold->is.schedule, &by, &taken);
    fold->retention = rules->retention;
}

double grading_share(const struct grading *grading)
{
    if (grading->voided)
        return 0;
    if (!(grading->marks > 0))
        return grading->outcome == OUTCOME_RIGHT;
    double share = grading->mark / grading->marks;
    return share > 0 ? share < 1 ? share : 1 : 0;
}

/* Before anything else of the answer is taken. */
static void summarize(struct fold *fold, const struct fold_answer *answer)
{
    struct summary *summary = &fold->summary;
    const struct grading *graded = &answer->graded;
    double share = grading_share(graded);
    if (!fold->is.seen) {
        summary->first = !answer->helped && !graded->voided;
        summary->first_outcome = summary->first ? graded->outcome : OUTCOME_RIGHT;
        summary->first_share = summary->first ? share : 0;
        summary->first_at = answer->at;
        snprintf(summary->first_revision, sizeof summary->first_revision, "%.*s", PACK_REVISION,
                 answer->revision);
    }
    if (!graded->voided) {
        summary->best_share = summary->marked && summary->best_share > share ? summary->best_share : share;
        summary->marked = true;
        summary->misses += graded->outcome == OUTCOME_WRONG || graded->outcome == OUTCOME_PARTLY;
    }
    summary->given += answer->outcome != OUTCOME_OMITTED;
    summary->elapsed_ms += answer->elapsed_ms > 0 ? answer->elapsed_ms : 0;
}

enum grade fold_take(struct fold *fold, const struct fold_rules *rules, const char *pack_id,
                     const char *question_id, const struct fold_answer *answer, bool overturned)
{
    struct store_schedule *is = &fold->is;
    summarize(fold, answer);
    if (overturned) {
        memset(&is->schedule, 0, sizeof is->schedule);
        fold->retention = 0;
    }
    enum grade given = grade(&is->schedule, rules, answer);
    if (given != GRADE_NONE)
        take_graded(fold, rules, pack_id, question_id, answer, given);
    else if (is->schedule.phase == PHASE_NEW)
        is->schedule.due_day = clock_day(answer->at, answer->utc_offset_s, rules->day_starts);
    snprintf(is->revision, sizeof is->revision, "%.*s", PACK_REVISION, answer->revision);
    is->content = answer->content;
    is->seen = true;
    is->last = answer->outcome;
    is->answered_at = answer->at;
    is->counted++;
    is->right += answer->outcome == OUTCOME_RIGHT;
    fold->last_seq = answer->seq;
    return given;
}

bool fold_may_be_mastered(const struct fold *fold)
{
    return fold->is.seen && schedule_mastered(&fold->is.schedule, 0);
}

static const double guess_unknown = 0.5; /* as at true or false: of what is asked, the easiest to guess */

bool fold_guess(const char *body, double *guess)
{
    struct arena arena;
    struct question question;
    bool is = false;
    arena_init(&arena);
    bool done = !body || body_read(&question, body, &arena, &is);
    *guess = is ? grade_guess(&question) : guess_unknown;
    if (!(*guess <= 1)) /* a choice of nothing */
        *guess = 1;
    arena_finish(&arena);
    return done;
}

bool fold_is_kept(const struct fold *fold)
{
    return fold->is.seen || fold->is.starred || fold->is.suspended;
}

/* Bits rather than values: no rounding is passed over. */
static bool same_number(double one, double other)
{
    return memcmp(&one, &other, sizeof one) == 0;
}

static bool same_schedule(const struct schedule *one, const struct schedule *other)
{
    return one->phase == other->phase && one->step == other->step &&
           same_number(one->memory.stability, other->memory.stability) &&
           same_number(one->memory.difficulty, other->memory.difficulty) && one->answers == other->answers &&
           one->lapses == other->lapses && one->run == other->run && one->run_day == other->run_day &&
           one->last_at == other->last_at && one->last_day == other->last_day &&
           one->due_day == other->due_day && one->due_at == other->due_at && one->interval == other->interval;
}

static bool same_summary(const struct summary *one, const struct summary *other)
{
    return one->first == other->first && (!one->first || one->first_outcome == other->first_outcome) &&
           same_number(one->first_share, other->first_share) && one->first_at == other->first_at &&
           strcmp(one->first_revision, other->first_revision) == 0 && one->marked == other->marked &&
           same_number(one->best_share, other->best_share) && one->misses == other->misses &&
           one->given == other->given && one->elapsed_ms == other->elapsed_ms &&
           one->mastered == other->mastered;
}

bool fold_equal(const struct fold *one, const struct fold *other)
{
    const struct store_schedule *a = &one->is, *b = &other->is;
    return same_schedule(&a->schedule, &b->schedule) && strcmp(a->revision, b->revision) == 0 &&
           same_hash(&a->content, &b->content) && a->seen == b->seen && (!a->seen || a->last == b->last) &&
           a->answered_at == b->answered_at && a->counted == b->counted && a->right == b->right &&
           a->starred == b->starred && a->suspended == b->suspended && one->last_seq == other->last_seq &&
           same_number(one->retention, other->retention) && same_summary(&one->summary, &other->summary);
}
