#include "screens.h"

#include "begin.h"

#include <quiztutor/message.h>
#include <quiztutor/terminal.h>

#include <stdio.h>
#include <string.h>

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

bool screens_lost(struct screens *screens, const struct error *error)
{
    char text[sizeof error->message + 40];
    snprintf(text, sizeof text, tr("Not stored: %s."), error->message);
    screens_notice(screens, text);
    return true;
}

/* What was typed before a new screen appeared is no answer to it. */
void screens_show(struct screens *screens, enum screen screen)
{
    terminal_flush(screens->terminal);
    view_show(&screens->view, screen);
}

bool screens_init_practice(struct screens *screens)
{
    struct application *application = screens->application;
    if (screens->practising)
        practice_finish(&screens->practice);
    screens->practising = true;
    return practice_init(&screens->practice, application->store, application->clock, &application->options,
                         &screens->error) ||
           screens_fail(screens);
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
    if (!screens_init_practice(screens))
        return false;
    learner.name = screens->practice.record.learner.name;
    if (screens->practice.learner_known)
        learner = screens->practice.record.learner;
    if (application->guard)
        return screens_guard_home(screens, &learner);
    if (!presenter_library(&application->presenter, application->library, application->store, &learner,
                           &application->clock, application->options.day_starts, &screens->error))
        return screens_fail(screens);
    screens->view.library = &application->presenter.library;
    screens_show(screens, SCREEN_HOME);
    return true;
}

bool screens_summary(struct screens *screens)
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
bool screens_question(struct screens *screens)
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

bool screens_result(struct screens *screens)
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

/* Adds a paragraph to what will be told. */
static void screens_add(char *text, int size, const char *paragraph)
{
    size_t length = strlen(text);
    if (*paragraph)
        snprintf(text + length, (size_t)size - length, "%s%s", length ? "\n\n" : "", paragraph);
}

/* The same with a capital letter and a full stop. */
static void screens_add_sentence(char *text, int size, const char *sentence)
{
    char whole[BEGIN_TEXT + 2];
    if (!*sentence)
        return;
    snprintf(whole, sizeof whole, "%s.", sentence);
    if (*whole >= 'a' && *whole <= 'z')
        *whole = (char)(*whole - 'a' + 'A');
    screens_add(text, size, whole);
}

/* What has to be said before the first question: what left the plan, keys that changed, what can be reached
 * by a day, an odd clock. Quiet where there is nothing. */
static bool screens_welcome(struct screens *screens, bool anew)
{
    struct presenter *presenter = &screens->application->presenter;
    char text[sizeof screens->notice] = "", part[BEGIN_TEXT];
    int count = screens->practice.left_out;
    if (!presenter_session(presenter, &screens->practice)) {
        error_memory(&screens->error);
        return screens_fail(screens);
    }
    if (count) {
        snprintf(part, sizeof part,
                 ntr("%d question is gone or has a changed key. It left this session.",
                     "%d questions are gone or have a changed key. They left this session.", count),
                 count);
        screens_add(text, sizeof text, part);
    } else if (anew) {
        screens_add(text, sizeof text,
                    tr("There is no unfinished session of these packs. This is a new one."));
    }
    begin_resets(&presenter->session, part, sizeof part);
    screens_add_sentence(text, sizeof text, part);
    begin_until(&presenter->session, BEGIN_SCREENS, part, sizeof part);
    screens_add(text, sizeof text, part);
    while (begin_clock(&screens->practice, part, sizeof part))
        screens_add_sentence(text, sizeof text, part);
    if (*text)
        screens_notice(screens, text);
    return true;
}

/* Begins with a settled wish and shows the first question. */
static bool screens_begin(struct screens *screens, enum resume_wish wish)
{
    bool anew;
    if (!begin_practice(&screens->practice, wish, &anew, &screens->error))
        return screens_fail(screens);
    if (!screens->practice.session.count) {
        char why[BEGIN_TEXT];
        bool offers = begin_nothing(&screens->practice, BEGIN_SCREENS, why, sizeof why);
        if (!screens_home(screens))
            return false;
        screens_notice(screens, why);
        if (offers)
            view_open(&screens->view, OVERLAY_NOTHING);
        return true;
    }
    if (!screens_question(screens))
        return false;
    return screens_welcome(screens, anew);
}

bool screens_practise(struct screens *screens, enum resume_wish wish)
{
    if (!screens_init_practice(screens))
        return false;
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

/* All questions of the packs that had none to ask. */
static bool screens_anyway(struct screens *screens)
{
    struct practice_options *options = &screens->application->options;
    enum plan_mode mode = options->mode;
    options->mode = MODE_ALL;
    bool done = screens_practise(screens, WISH_ANEW);
    options->mode = mode;
    return done;
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
    if (application->guard)
        return screens_guard_choose(screens, row);
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
    if (screens->examining)
        screens_exam_end(screens);
    bool done =
        screens->view.exams ? screens_exam_begin(screens) : screens_practise(screens, application->wish);
    application->wish = WISH_ASK; /* that wish was for one session */
    return done;
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

/* The learner's own screen, from home or from a summary. */
static bool screens_progress(struct screens *screens)
{
    struct application *application = screens->application;
    struct presenter *presenter = &application->presenter;
    struct store_learner learner = { .name = screens->practice.record.learner.name };
    if (screens->practice.learner_known)
        learner = screens->practice.record.learner;
    if (!presenter_progress(presenter, application->library, application->store, &learner,
                            &application->clock, application->options.day_starts, &screens->error))
        return screens_fail(screens);
    screens->came_from = screens->view.screen;
    screens->view.progress = &presenter->progress;
    screens_show(screens, SCREEN_PROGRESS);
    return true;
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
    case EFFECT_BACK:
    case EFFECT_QUIT:
    case EFFECT_CODE:
    case EFFECT_STAY:
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
    case EFFECT_READ:
    case EFFECT_HINT:
    case EFFECT_SKIP:
    case EFFECT_UNDO:
    case EFFECT_REPORT:
    case EFFECT_RETRY:
    case EFFECT_STAR:
    case EFFECT_SUSPEND_QUESTION:
        return screens_take_turn(screens, effect);
    case EFFECT_NEXT:
        return screens_question(screens);
    case EFFECT_FINISH:
        return screens_summary(screens);
    case EFFECT_GIVE_UP:
        practice_abandon(&screens->practice);
        return screens_summary(screens);
    case EFFECT_PRACTISE:
        return screens_choose_pack(screens, effect->row);
    case EFFECT_ANYWAY:
        return screens_anyway(screens);
    case EFFECT_MISSES:
        return screens_misses(screens);
    case EFFECT_PROGRESS:
        return screens_progress(screens);
    case EFFECT_BACK:
        screens_show(screens, screens->came_from);
        break;
    case EFFECT_HOME:
        return screens_home(screens);
    case EFFECT_LEARNER:
        return screens_choose_learner(screens, effect->text);
    case EFFECT_RESUME:
        return screens_init_practice(screens) && screens_begin(screens, WISH_RESUME);
    case EFFECT_RESTART:
        return screens_init_practice(screens) && screens_begin(screens, WISH_RESTART);
    case EFFECT_CODE:
        return screens_guard_code(screens);
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

/* One input; in a kiosk those that are passed over are not even drawn for. */
static void screens_wait(struct screens *screens, struct input *input)
{
    bool guarded = screens->application->guard;
    do
        terminal_read(screens->terminal, input, screens->examining || guarded ? 1000 : -1);
    while (guarded && !screens_guard_takes(screens, input) && !screens->done);
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
        screens_wait(screens, &input);
        if (screens->done)
            break;
        if (input.kind == INPUT_HANGUP) {
            screens->done = screens->hung_up = true;
            break;
        }
        view->signs =
            terminal_signs(screens->terminal); /* a late report of their width may have changed them */
        enum overlay before = view->overlay;
        view_update(view, &input, &effect);
        if (!screens_perform(screens, &effect))
            return false;
        if (screens->application->guard && view->overlay != before && view->overlay != OVERLAY_NONE)
            terminal_flush(screens->terminal); /* what was typed before it is no answer to it */
    }
    return true;
}

/* Lets go of all but the terminal. */
static void screens_finish(struct screens *screens)
{
    screens_end_practice(screens);
    if (screens->examining)
        screens_exam_end(screens);
    grid_finish(&screens->grid);
}

bool screens_serve(struct application *application, bool *hung_up, struct error *error)
{
    struct screens screens = { .application = application, .terminal = application->guard->terminal };
    int rows, columns;
    terminal_size(screens.terminal, &rows, &columns);
    view_init(&screens.view, terminal_signs(screens.terminal), rows, columns);
    screens.view.kiosk = application->guard->model;
    screens.view.large = application->large;
    bool done = screens_guard_begin(&screens) && screens_loop(&screens);
    *hung_up = screens.hung_up;
    view_wipe(&screens.view);
    screens_finish(&screens);
    if (!done && error)
        *error = screens.error;
    return done;
}

bool screens_run(struct application *application, int *signal, struct error *error)
{
    struct screens screens = { .application = application };
    struct terminal_options options = { .theme = (enum terminal_theme)application->theme,
                                        .signs = application->signs };
    int rows, columns;
    *signal = 0;
    application->presenter.styled = true;
    if (!terminal_open(&screens.terminal, &options, error))
        return false;
    terminal_size(screens.terminal, &rows, &columns);
    view_init(&screens.view, terminal_signs(screens.terminal), rows, columns);
    screens.view.large = application->large;
    bool done;
    if (!application->options.pack_count) {
        screens.view.exams = application->exam;
        done = screens_home(&screens);
    } else {
        done =
            application->exam ? screens_exam_begin(&screens) : screens_practise(&screens, application->wish);
        application->wish = WISH_ASK; /* that wish was for one session */
    }
    done = done && screens_loop(&screens);
    *signal = terminal_signal(screens.terminal);
    terminal_close(screens.terminal);
    screens_finish(&screens);
    if (screens.created[0])
        fprintf(stderr, tr("quiztutor: new learner \"%s\"\n"), screens.created);
    if (!done && error)
        *error = screens.error;
    return done;
}
