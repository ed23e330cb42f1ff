#include "presenter_private.h"

#include <quiztutor/grade.h>
#include <quiztutor/message.h>

#include <string.h>

void presenter_init(struct presenter *presenter)
{
    memset(presenter, 0, sizeof *presenter);
}

void presenter_finish(struct presenter *presenter)
{
    arena_finish(&presenter->session_arena);
    arena_finish(&presenter->question_arena);
    arena_finish(&presenter->result_arena);
    arena_finish(&presenter->summary_arena);
    arena_finish(&presenter->library_arena);
    arena_finish(&presenter->progress_arena);
    arena_finish(&presenter->exam_arena);
    arena_finish(&presenter->paper_arena);
}

bool presenter_session(struct presenter *presenter, const struct practice *practice)
{
    struct session_model *model = &presenter->session;
    arena_finish(&presenter->session_arena);
    const char **packs =
        arena_alloc(&presenter->session_arena, (practice->options.pack_count + 1) * (ptrdiff_t)sizeof *packs);
    if (!packs)
        return false;
    for (int i = 0; i < practice->options.pack_count; i++)
        packs[i] = practice->options.packs[i]->id;
    uuid_format(presenter->session_id, &practice->record.id);
    *model = (struct session_model){
        .session = presenter->session_id,
        .learner = practice->record.learner.name,
        .seed = practice->record.seed,
        .mode = plan_mode_name(practice->options.mode),
        .packs = packs,
        .pack_count = practice->options.pack_count,
        .questions = practice->session.count,
        .resumed = practice->resumed,
        .by_due = practice->options.mode == MODE_DUE && !practice->resumed,
        .due = practice->planned.count.due,
        .fresh = practice->planned.count.fresh,
        .due_waiting = practice->planned.count.due_waiting,
        .new_waiting = practice->planned.count.new_waiting,
        .more_due = practice->planned.more_due,
        .limited = practice->options.limit > 0,
        .reset = practice->planned.reset,
    };
    if (practice->options.until && !practice->resumed) {
        const struct until_plan *until = &practice->planned.until;
        until_write(presenter->session_until, practice->options.until);
        model->until = presenter->session_until;
        model->days = until->days;
        model->reachable = until->reached;
        model->in_all = practice->planned.questions;
        model->new_a_day = until->new_a_day;
        model->needed_a_day = until->needed_a_day;
        model->remembered = until->remembered;
    }
    return true;
}

/* A question of the plan as it is shown, and what this learner did with it. */
static bool present_entry(struct present *present, struct question_model *model,
                          const struct practice *practice, const struct showing *showing, int place)
{
    const struct session_entry *entry = &practice->session.entries[place];
    const struct question *question = showing->question;
    /* a pack mended since may hold fewer hints than were given */
    int hints = entry->hints < question->hints.count ? entry->hints : question->hints.count;
    if (!present_asked(present, model, entry->pack, showing))
        return false;
    model->learner = practice->record.learner.name;
    model->number = place + 1;
    model->of = practice->session.count;
    model->answered = session_answered(&practice->session);
    model->hint_count = hints;
    model->hints_left = question->hints.count - hints;
    model->can_undo = practice_newest(practice) != NULL;
    model->certainty = practice_asks_certainty(practice, question);
    model->starred = practice_known(practice, place)->starred;
    model->suspended = practice_known(practice, place)->suspended;
    return true;
}

bool presenter_question(struct presenter *presenter, struct practice *practice)
{
    struct present present = present_in(presenter, &presenter->question_arena);
    struct showing showing;
    arena_finish(present.arena);
    if (!practice_current(practice, &showing) ||
        !present_entry(&present, &presenter->question, practice, &showing,
                       session_current(&practice->session)))
        return false;
    presenter->question.again = session_is_return(&practice->session);
    return true;
}

/* "comes again in 4 days", by the schedule after the last answer. NULL where there is none, or no memory. */
static const char *present_again(struct arena *arena, const struct practice *practice)
{
    const struct practice_last *last = &practice->last;
    const struct schedule *schedule = &last->after.schedule;
    if (!last->scheduled || schedule->phase == PHASE_NEW)
        return NULL;
    if (last->after.suspended)
        return tr("suspended: it does not come again");
    if (session_returns(&practice->session, last->entry))
        return tr("comes again in this session");
    int64_t days = schedule->due_day - practice_today(practice, NULL);
    if (days > 1)
        return arena_print(arena, ntr("comes again in %d day", "comes again in %d days", days), (int)days);
    if (days == 1)
        return tr("comes again tomorrow");
    int64_t left = schedule->due_at - clock_wall(&practice->clock);
    if (left <= 0)
        return tr("comes again today");
    int minutes = (int)((left + 59999) / 60000);
    return arena_print(arena, ntr("comes again in %d minute", "comes again in %d minutes", minutes), minutes);
}

/* Why a certainty earns nothing. */
static const char *present_aid(enum session_aid aid)
{
    switch (aid) {
    case AID_HINT:
        return tr("a hint was given");
    case AID_SPELLING:
        return tr("the spelling was to be checked");
    case AID_SEEN:
    case AID_NONE:
        break;
    }
    return tr("its answer was seen before");
}

/* How sure the learner was, and when the question comes again. */
static bool present_schedule(struct arena *arena, struct result_model *model, const struct practice *practice)
{
    const struct practice_last *last = &practice->last;
    model->certainty = last->certainty;
    if (last->certainty && last->aid != AID_NONE)
        model->no_certainty = present_aid(last->aid);
    else
        model->certainty_mark =
            grade_certainty_mark(last->verdict.outcome, last->verdict.share, last->certainty);
    model->comes_again = present_again(arena, practice);
    model->lapses = last->lapses;
    if (!last->scheduled || last->after.schedule.phase == PHASE_NEW)
        return true;
    char *due = arena_alloc(arena, 16);
    if (!due)
        return false;
    until_write(due, last->after.schedule.due_day);
    model->due = due;
    return true;
}

bool presenter_result(struct presenter *presenter, const struct practice *practice)
{
    const struct practice_last *last = &practice->last;
    struct result_model *model = &presenter->result;
    struct arena *arena = &presenter->result_arena;
    struct present present = present_in(presenter, arena);
    arena_finish(arena);
    memset(model, 0, sizeof *model);
    char *attempt = arena_alloc(arena, 37);
    if (!attempt || !present_entry(&present, &model->question, practice, &last->showing, last->entry) ||
        !present_marked(&present, model, &last->showing, &last->answer, &last->verdict))
        return false;
    uuid_format(attempt, &last->attempt);
    model->attempt = attempt;
    model->question.again = last->again;
    model->last = session_current(&practice->session) < 0;
    return present_schedule(arena, model, practice);
}

void presenter_marks(struct presenter *presenter, const struct practice *practice)
{
    const struct store_schedule *shown = practice_known(practice, session_current(&practice->session));
    const struct store_schedule *last = practice_known(practice, practice->last.entry);
    presenter->question.starred = shown->starred;
    presenter->question.suspended = shown->suspended;
    presenter->result.question.starred = last->starred;
    presenter->result.question.suspended = last->suspended;
    presenter->result.last = session_current(&practice->session) < 0;
    presenter->result.comes_again = present_again(&presenter->result_arena, practice);
}
