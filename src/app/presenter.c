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
    const char **packs = arena_alloc(&presenter->question_arena,
                                     (practice->options.pack_count + 1) * (ptrdiff_t)sizeof *packs);
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

const char *present_choice(const struct showing *showing, int shown)
{
    int place = showing->places[shown];
    if (showing->question->type == QUESTION_TRUE_FALSE)
        return place == 0 ? tr("True") : tr("False");
    return showing->question->key.choices.items[place].text;
}

bool present_choice_right(const struct showing *showing, int shown)
{
    int place = showing->places[shown];
    if (showing->question->type == QUESTION_TRUE_FALSE)
        return showing->question->key.truth == (place == 0);
    return showing->question->key.choices.items[place].correct;
}

bool present_choice_picked(const struct showing *showing, const struct answer *answer, int shown)
{
    int place = showing->places[shown];
    if (answer->blank)
        return false;
    if (showing->question->type == QUESTION_TRUE_FALSE)
        return answer->truth == (place == 0);
    return answer->picks >> place & 1;
}

static void present_question(struct question_model *model, const struct practice *practice,
                             const struct showing *showing, int place)
{
    const struct session_entry *entry = &practice->session.entries[place];
    const struct question *question = showing->question;
    const struct section *section = question->section ? &entry->pack->sections[question->section - 1] : NULL;
    /* a pack mended since may hold fewer hints than were given */
    int hints = entry->hints < question->hints.count ? entry->hints : question->hints.count;
    *model = (struct question_model){
        .pack = entry->pack->id,
        .pack_title = entry->pack->title,
        .learner = practice->record.learner.name,
        .question = question->id,
        .type = question_type_name(question->type),
        .number = place + 1,
        .of = practice->session.count,
        .answered = session_answered(&practice->session),
        .prompt = question->prompt,
        .figure = question->figure,
        .choice_count = showing->count,
        .many = question->type == QUESTION_MULTIPLE_CHOICE,
        .truth = question->type == QUESTION_TRUE_FALSE,
        .hint_count = hints,
        .hints_left = question->hints.count - hints,
        .hints = question->hints.items,
        .can_undo = practice_newest(practice) != NULL,
        .certainty = practice->options.certainty,
        .starred = practice_known(practice, place)->starred,
        .suspended = practice_known(practice, place)->suspended,
        .section = section ? section->title : NULL,
        .intro = section ? section->intro : NULL,
        .intro_figure = section ? section->intro_figure : NULL,
    };
    for (int i = 0; i < showing->count; i++)
        model->choices[i] = present_choice(showing, i);
}

bool presenter_question(struct presenter *presenter, struct practice *practice)
{
    struct showing showing;
    if (!practice_current(practice, &showing))
        return false;
    present_question(&presenter->question, practice, &showing, session_current(&practice->session));
    presenter->question.again = session_is_return(&practice->session);
    return true;
}

bool present_text(struct arena *arena, const struct buffer *text, const char **copy)
{
    *copy = NULL;
    if (text->failed)
        return false;
    if (text->length)
        *copy = arena_text(arena, buffer_get(text), text->length);
    return !text->length || *copy;
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

/* How sure the learner was, and when the question comes again. */
static bool present_schedule(struct arena *arena, struct result_model *model, const struct practice *practice)
{
    const struct practice_last *last = &practice->last;
    model->certainty = last->certainty;
    if (last->certainty && last->aid != AID_NONE)
        model->no_certainty =
            last->aid == AID_HINT ? tr("a hint was given") : tr("its answer was seen before");
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
    static const enum verdict_kind kinds[OUTCOMES] = {
        [OUTCOME_RIGHT] = VERDICT_RIGHT,
        [OUTCOME_PARTLY] = VERDICT_PARTLY,
        [OUTCOME_WRONG] = VERDICT_WRONG,
        [OUTCOME_OMITTED] = VERDICT_SKIPPED,
    };
    const struct practice_last *last = &practice->last;
    const struct showing *showing = &last->showing;
    const struct question *question = showing->question;
    struct result_model *model = &presenter->result;
    struct arena *arena = &presenter->result_arena;
    struct buffer feedback;

    arena_finish(arena);
    memset(model, 0, sizeof *model);
    present_question(&model->question, practice, showing, last->entry);
    const char **answers = arena_alloc(arena, (showing->count + 1) * (ptrdiff_t)sizeof *answers);
    if (!answers)
        return false;
    model->answer = answers;
    model->question.again = last->again;
    model->verdict = kinds[last->verdict.outcome];
    model->mark = last->verdict.mark;
    model->marks = last->verdict.marks;
    for (int i = 0; i < showing->count; i++) {
        model->picked[i] = present_choice_picked(showing, &last->answer, i);
        model->right[i] = present_choice_right(showing, i);
        if (model->picked[i])
            model->response[model->response_count++] = present_choice(showing, i);
        if (model->right[i])
            answers[model->answer_count++] = present_choice(showing, i);
    }
    char *attempt = arena_alloc(arena, 37);
    if (!attempt)
        return false;
    uuid_format(attempt, &last->attempt);
    model->attempt = attempt;
    buffer_init(&feedback);
    marking_feedback(&feedback, question, &last->answer);
    bool done = present_text(arena, &feedback, &model->feedback);
    buffer_finish(&feedback);
    model->explanation = question->explanation;
    model->explanation_figure = question->explanation_figure;
    model->source = question->source;
    model->last = session_current(&practice->session) < 0;
    return done && present_schedule(arena, model, practice);
}

const char *present_choices(struct arena *arena, const struct question *question, const struct answer *answer)
{
    struct buffer out;
    const char *text = NULL;
    buffer_init(&out);
    if (question->type == QUESTION_TRUE_FALSE) {
        bool truth = answer ? answer->truth : question->key.truth;
        buffer_text(&out, truth ? tr("True") : tr("False"));
    } else {
        for (int i = 0; i < question->key.choices.count; i++) {
            const struct choice *choice = &question->key.choices.items[i];
            if (!(answer ? answer->picks >> i & 1 : choice->correct))
                continue;
            if (out.length)
                buffer_text(&out, "; ");
            buffer_text(&out, choice->text);
        }
    }
    present_text(arena, &out, &text);
    buffer_finish(&out);
    return text;
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
