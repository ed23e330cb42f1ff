#include "screens.h"

#include "begin.h"

#include <quiztutor/message.h>
#include <quiztutor/terminal.h>

#include <stdio.h>
#include <string.h>

#pragma weak screens_exam_begin
#pragma weak screens_exam_perform
#pragma weak screens_exam_tick
#pragma weak screens_exam_end

bool screens_fail(struct screens *screens)
{
    screens->done = true;
    return false;
}

void screens_notice(struct screens *screens, const char *text)
{
    snprintf(screens->notice, sizeof screens->notice, "%s", text);
    screens->view.notice = screens->notice;
    view_open(&screens->view, OVERLAY_NOTICE);
}

/* What was typed before a new screen appeared is no answer to it. */
void screens_show(struct screens *screens, enum screen screen)
{
    terminal_flush(screens->terminal);
    view_show(&screens->view, screen);
}

static bool screens_init_practice(struct screens *screens, struct error *error)
{
    struct application *application = screens->application;
    if (screens->practising)
        practice_finish(&screens->practice);
    screens->practising = true;
    return practice_init(&screens->practice, application->store, application->clock, &application->options,
                         error);
}

static void screens_end_practice(struct screens *screens)
{
    if (!screens->practising)
        return;
    if (screens->practice.learner_created)
        snprintf(screens->created, sizeof screens->created, "%s", screens->practice.record.learner.name);
    practice_finish(&screens->practice);
    screens->practising = false;
}

bool screens_home(struct screens *screens)
{
    struct application *application = screens->application;
    struct store_learner learner = { 0 };
    screens_end_practice(screens);
    if (screens->examining)
        screens_exam_end(screens);
    if (!screens_init_practice(screens, &screens->error))
        return screens_fail(screens);
    learner.name = screens->practice.record.learner.name;
    if (screens->practice.learner_known)
        learner = screens->practice.record.learner;
    if (!presenter_library(&application->presenter, application->library, application->store, &learner,
                           &screens->error))
        return screens_fail(screens);
    screens->view.library = &application->presenter.library;
    screens_show(screens, SCREEN_HOME);
    return true;
}

static bool screens_summary(struct screens *screens)
{
    struct presenter *presenter = &screens->application->presenter;
    if (!presenter_summary(presenter, &screens->practice)) {
        error_memory(&screens->error);
        return screens_fail(screens);
    }
    screens->view.summary = &presenter->summary;
    screens_show(screens, SCREEN_SUMMARY);
    return true;
}

/* The question on show, or the summary when nothing is left. */
static bool screens_question(struct screens *screens)
{
    struct presenter *presenter = &screens->application->presenter;
    if (session_current(&screens->practice.session) < 0)
        return screens_summary(screens);
    if (!presenter_question(presenter, &screens->practice)) {
        error_memory(&screens->error);
        return screens_fail(screens);
    }
    screens->view.question = &presenter->question;
    screens_show(screens, SCREEN_QUESTION);
    return true;
}

static bool screens_result(struct screens *screens)
{
    struct presenter *presenter = &screens->application->presenter;
    if (!presenter_result(presenter, &screens->practice)) {
        error_memory(&screens->error);
        return screens_fail(screens);
    }
    screens->view.result = &presenter->result;
    screens_show(screens, SCREEN_RESULT);
    return true;
}

/* Begins with a settled wish and shows the first question. */
static bool screens_begin(struct screens *screens, enum resume_wish wish)
{
    bool anew;
    if (!begin_practice(&screens->practice, wish, &anew, &screens->error))
        return screens_fail(screens);
    if (!screens->practice.session.count) {
        const char *why = begin_nothing(&screens->practice);
        if (!screens_home(screens))
            return false;
        screens_notice(screens, why);
        return true;
    }
    if (!screens_question(screens))
        return false;
    if (screens->practice.left_out) {
        char text[200];
        int count = screens->practice.left_out;
        snprintf(text, sizeof text,
                 ntr("%d question is gone or has a changed key. It left this session.",
                     "%d questions are gone or have a changed key. They left this session.", count),
                 count);
        screens_notice(screens, text);
    } else if (anew) {
        screens_notice(screens, tr("There is no unfinished session of these packs. This is a new one."));
    }
    return true;
}

/* Starts a practice of the application's packs; asks first where something is unfinished. */
static bool screens_practise(struct screens *screens, enum resume_wish wish)
{
    if (!screens_init_practice(screens, &screens->error))
        return screens_fail(screens);
    if (wish != WISH_ASK)
        return screens_begin(screens, wish);
    if (!practice_find_unfinished(&screens->practice, &screens->unfinished, &screens->error))
        return screens_fail(screens);
    if (!screens->unfinished.found)
        return screens_begin(screens, WISH_ANEW);
    if (!screens->view.library) {
        struct presenter *presenter = &screens->application->presenter;
        if (!presenter_packs(presenter, &screens->practice, &screens->error))
            return screens_fail(screens);
        screens->view.library = &presenter->library;
        screens_show(screens, SCREEN_HOME);
    }
    begin_describe(&screens->unfinished, screens->resume_note, sizeof screens->resume_note);
    screens->view.resume_note = screens->resume_note;
    view_open(&screens->view, OVERLAY_RESUME);
    return true;
}

/* A turn was stored and taken: the screen that follows. */
static bool screens_turned(struct screens *screens, enum practice_turn turn)
{
    struct presenter *presenter = &screens->application->presenter;
    switch (turn) {
    case TURN_ANSWER:
        return screens_result(screens);
    case TURN_SKIP:
    case TURN_UNDO:
        return screens_question(screens);
    case TURN_HINT: /* the same showing, with the hint in it: selection and place stay */
        if (!presenter_question(presenter, &screens->practice)) {
            error_memory(&screens->error);
            return screens_fail(screens);
        }
        break;
    case TURN_NOTE:
        screens_notice(screens, tr("Reported, with thanks. It is kept with your answers."));
        break;
    case TURN_NONE:
        break;
    }
    return true;
}

/* `stored` is what the turn's call said; *error why not. */
static bool screens_turn(struct screens *screens, enum practice_turn turn, bool stored,
                         const struct error *error)
{
    if (stored)
        return screens_turned(screens, turn);
    snprintf(screens->notice, sizeof screens->notice, "%s", error->message);
    screens->view.notice = screens->notice;
    view_open(&screens->view, OVERLAY_NOT_STORED);
    return true;
}

static bool screens_answer(struct screens *screens, const struct effect *effect)
{
    struct showing showing;
    struct answer answer = { 0 };
    struct error error;
    if (!practice_current(&screens->practice, &showing))
        return true;
    for (int i = 0; i < showing.count; i++)
        if (effect->picked[i])
            answer.picks |= 1u << showing.places[i];
    answer.truth = showing.question->type == QUESTION_TRUE_FALSE && (answer.picks & 1);
    bool stored = practice_answer(&screens->practice, &answer, &error);
    return screens_turn(screens, TURN_ANSWER, stored, &error);
}

static bool screens_skip(struct screens *screens)
{
    struct error error;
    enum practice_turn turn =
        session_skip_means(&screens->practice.session) == SKIP_OMITS ? TURN_ANSWER : TURN_SKIP;
    bool stored = practice_skip(&screens->practice, &error);
    return screens_turn(screens, turn, stored, &error);
}

static bool screens_hint(struct screens *screens)
{
    struct error error;
    if (practice_hints_left(&screens->practice) <= 0) {
        const struct question_model *question = screens->view.question;
        screens_notice(screens, question && question->hint_count ? tr("There is no further hint.")
                                                                 : tr("This question has no hint."));
        return true;
    }
    bool stored = practice_hint(&screens->practice, &error);
    return screens_turn(screens, TURN_HINT, stored, &error);
}

static bool screens_undo(struct screens *screens)
{
    struct error error;
    if (!practice_newest(&screens->practice)) {
        screens_notice(screens, tr("There is no answer to take back."));
        return true;
    }
    bool stored = practice_undo(&screens->practice, &error);
    return screens_turn(screens, TURN_UNDO, stored, &error);
}

static bool screens_report(struct screens *screens, const char *text)
{
    struct error error;
    int entry = screens->view.screen == SCREEN_RESULT ? screens->practice.last.entry
                                                      : session_current(&screens->practice.session);
    bool stored = practice_report(&screens->practice, entry, text, &error);
    return screens_turn(screens, TURN_NOTE, stored, &error);
}

static bool screens_retry(struct screens *screens)
{
    struct error error;
    enum practice_turn turn = screens->practice.pending.turn;
    bool stored = practice_retry(&screens->practice, &error);
    return screens_turn(screens, turn, stored, &error);
}

static bool screens_misses(struct screens *screens)
{
    int count;
    if (!practice_begin_misses(&screens->practice, &count, &screens->error))
        return screens_fail(screens);
    if (count)
        return screens_question(screens);
    screens_notice(screens, tr("There is nothing to practise again: no question was missed."));
    return true;
}

static bool screens_choose_pack(struct screens *screens, int row)
{
    struct application *application = screens->application;
    const struct library_entry *entries;
    int count;
    if (!library_list(application->library, &entries, &count, &screens->error))
        return screens_fail(screens);
    screens->chosen[0] = NULL;
    const struct library_row *wanted = &application->presenter.library.rows[row];
    for (int i = 0; i < count; i++)
        if (strcmp(entries[i].path, wanted->path) == 0)
            screens->chosen[0] = entries[i].pack;
    if (wanted->problem || !screens->chosen[0]) {
        screens_notice(screens, wanted->problem ? wanted->problem : tr("This pack can't be read."));
        return true;
    }
    application->options.packs = screens->chosen;
    application->options.pack_count = 1;
    return screens_practise(screens, WISH_ASK);
}

static bool screens_choose_learner(struct screens *screens, const char *name)
{
    struct application *application = screens->application;
    struct practice trial;
    struct error error;
    struct practice_options options = application->options;
    char typed[VIEW_FIELD];
    snprintf(typed, sizeof typed, "%s", name);
    options.learner = typed;
    options.learner_is_login = false;
    bool known = practice_init(&trial, application->store, application->clock, &options, &error);
    practice_finish(&trial);
    if (!known) {
        screens_notice(screens, error.message);
        return true;
    }
    memcpy(screens->name, typed, sizeof typed);
    application->options.learner = screens->name;
    application->options.learner_is_login = false;
    return screens_home(screens);
}

/* Whether an effect belongs to an exam: some always do, most while one is on hand. */
static bool screens_for_exam(const struct screens *screens, enum effect_kind kind)
{
    switch (kind) {
    case EFFECT_FLAG:
    case EFFECT_BLANK:
    case EFFECT_GO:
    case EFFECT_OVERVIEW:
    case EFFECT_HAND_IN:
    case EFFECT_LEAVE_EXAM:
    case EFFECT_BEGIN_EXAM:
        return true;
    case EFFECT_NONE:
    case EFFECT_PRACTISE:
    case EFFECT_HOME:
    case EFFECT_LEARNER:
    case EFFECT_PROGRESS:
    case EFFECT_QUIT:
    case EFFECT_SUSPEND:
    case EFFECT_REDRAW:
        return false;
    default:
        return screens->examining;
    }
}

static bool screens_perform(struct screens *screens, const struct effect *effect)
{
    if (screens_for_exam(screens, effect->kind))
        return screens_exam_perform(screens, effect);
    switch (effect->kind) {
    case EFFECT_NONE:
        break;
    case EFFECT_ANSWER:
        return screens_answer(screens, effect);
    case EFFECT_NEXT:
        return screens_question(screens);
    case EFFECT_HINT:
        return screens_hint(screens);
    case EFFECT_SKIP:
        return screens_skip(screens);
    case EFFECT_UNDO:
        return screens_undo(screens);
    case EFFECT_REPORT:
        return screens_report(screens, effect->text);
    case EFFECT_FINISH:
        return screens_summary(screens);
    case EFFECT_RETRY:
        return screens_retry(screens);
    case EFFECT_GIVE_UP:
        practice_abandon(&screens->practice);
        return screens_summary(screens);
    case EFFECT_PRACTISE:
        return screens_choose_pack(screens, effect->row);
    case EFFECT_MISSES:
        return screens_misses(screens);
    case EFFECT_HOME:
        return screens_home(screens);
    case EFFECT_LEARNER:
        return screens_choose_learner(screens, effect->text);
    case EFFECT_RESUME:
        return screens_init_practice(screens, &screens->error) ? screens_begin(screens, WISH_RESUME)
                                                               : screens_fail(screens);
    case EFFECT_RESTART:
        return screens_init_practice(screens, &screens->error) ? screens_begin(screens, WISH_RESTART)
                                                               : screens_fail(screens);
    case EFFECT_QUIT:
        screens->done = true;
        break;
    case EFFECT_SUSPEND:
        terminal_suspend(screens->terminal);
        break;
    case EFFECT_REDRAW:
        terminal_redraw(screens->terminal);
        break;
    default:
        break;
    }
    return true;
}

/* Draws, waits for one input, performs what it means; until done. */
static bool screens_loop(struct screens *screens)
{
    while (!screens->done) {
        struct view *view = &screens->view;
        if ((screens->grid.rows != view->rows || screens->grid.columns != view->columns)) {
            grid_finish(&screens->grid);
            if (!grid_init(&screens->grid, view->rows, view->columns))
                return error_memory(&screens->error);
        }
        if (screens->examining)
            screens_exam_tick(screens);
        view_draw(view, &screens->grid);
        terminal_draw(screens->terminal, &screens->grid);
        struct input input;
        struct effect effect = { 0 };
        terminal_read(screens->terminal, &input, screens->examining ? 1000 : -1);
        if (input.kind == INPUT_HANGUP)
            break;
        view->signs =
            terminal_signs(screens->terminal); /* a late report of their width may have changed them */
        view_update(view, &input, &effect);
        if (!screens_perform(screens, &effect))
            return false;
    }
    return true;
}

bool screens_run(struct application *application, int *signal, struct error *error)
{
    struct screens screens = { .application = application };
    struct terminal_options options = { .theme = (enum terminal_theme)application->theme,
                                        .signs = application->signs };
    int rows, columns;
    *signal = 0;
    if (!terminal_open(&screens.terminal, &options, error))
        return false;
    terminal_size(screens.terminal, &rows, &columns);
    view_init(&screens.view, terminal_signs(screens.terminal), rows, columns);
    bool done = !application->options.pack_count ? screens_home(&screens)
                : application->exam              ? screens_exam_begin(&screens)
                                                 : screens_practise(&screens, application->wish);
    done = done && screens_loop(&screens);
    *signal = terminal_signal(screens.terminal);
    terminal_close(screens.terminal);
    screens_end_practice(&screens);
    if (screens.examining)
        screens_exam_end(&screens);
    grid_finish(&screens.grid);
    if (screens.created[0])
        fprintf(stderr, tr("quiztutor: new learner \"%s\"\n"), screens.created);
    if (!done && error)
        *error = screens.error;
    return done;
}
