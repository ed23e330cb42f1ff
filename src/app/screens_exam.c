/* Exams on the screens: before time runs, question by question, handed in, or left open. */
#include "begin.h"
#include "screens.h"

#include <quiztutor/message.h>

#include <stdio.h>
#include <string.h>

static bool screens_exam_fails(struct screens *screens, bool done)
{
    if (done)
        return true;
    error_memory(&screens->error);
    return screens_fail(screens);
}

/* The question on show, or the overview where none is. The overview's model follows, since handing in looks
 * at it from everywhere. */
static bool screens_exam_show(struct screens *screens)
{
    struct presenter *presenter = &screens->application->presenter;
    struct sitting *sitting = &screens->sitting;
    bool question = sitting->exam.current >= 0;
    if (!screens_exam_fails(screens, presenter_exam_overview(presenter, sitting) &&
                                         (!question || presenter_exam_question(presenter, sitting))))
        return false;
    screens->view.overview = &presenter->overview;
    screens->view.question = &presenter->question;
    screens_show(screens, question ? SCREEN_QUESTION : SCREEN_OVERVIEW);
    return true;
}

/* A flag was set or taken off: the models on show follow, selection and place stay. */
static bool screens_exam_flagged(struct screens *screens, int entry)
{
    struct presenter *presenter = &screens->application->presenter;
    bool on = screens->sitting.exam.entries[entry].flagged;
    if (!screens_exam_fails(screens, presenter_exam_overview(presenter, &screens->sitting)))
        return false;
    if (screens->view.screen == SCREEN_QUESTION)
        presenter->question.flagged = on;
    screens->view.flash = on ? tr("flagged") : tr("the flag is off");
    return true;
}

/* What is lost when the learner leaves instead of storing: NULL where it is an answer. */
static const char *screens_exam_stake(const struct screens *screens)
{
    const struct sitting *sitting = &screens->sitting;
    if (!sitting->begun)
        return tr("Nothing has begun, and no time runs.");
    switch (sitting->pending.turn) {
    case SITTING_ANSWER:
        return NULL;
    case SITTING_FLAG:
        return tr("It is only a flag. Every answer is stored.");
    case SITTING_NOTE:
        return tr("It is only the report. Every answer is stored.");
    case SITTING_NONE:
        break;
    }
    return sitting_left(sitting) == 0
               ? tr("Every answer is stored. They are handed in when quiztutor is next started.")
               : tr("Every answer is stored. The exam stays open, and can be handed in later.");
}

static bool screens_exam_not_stored(struct screens *screens, const struct error *error)
{
    screens->view.at_stake = screens_exam_stake(screens);
    snprintf(screens->notice, sizeof screens->notice, "%s", error->message);
    screens->view.notice = screens->notice;
    view_open(&screens->view, OVERLAY_NOT_STORED);
    return true;
}

static bool screens_exam_hand_in(struct screens *screens)
{
    struct presenter *presenter = &screens->application->presenter;
    struct error error;
    screens->handing_in = !sitting_hand_in(&screens->sitting, &error);
    if (screens->handing_in)
        return screens_exam_not_stored(screens, &error);
    if (!screens_exam_fails(screens, presenter_exam_paper(presenter, &screens->sitting)))
        return false;
    screens->view.paper = &presenter->paper;
    screens_show(screens, SCREEN_PAPER);
    return true;
}

/* A turn's call said `stored`; *error why not. */
static bool screens_exam_turned(struct screens *screens, enum sitting_turn turn, int entry, bool stored,
                                const struct error *error)
{
    struct sitting *sitting = &screens->sitting;
    if (!stored && sitting_is_over(sitting) &&
        (sitting->pending.turn == SITTING_NONE || sitting->handed_in)) { /* it came too late */
        sitting_abandon(sitting);
        return screens_exam_hand_in(screens);
    }
    if (!stored && sitting->pending.turn == SITTING_NONE) /* not even kept: it is to be made again */
        return screens_lost(screens, error);
    if (!stored)
        return screens_exam_not_stored(screens, error);
    if (turn == SITTING_FLAG)
        return screens_exam_flagged(screens, entry);
    if (turn == SITTING_ANSWER)
        return screens_exam_show(screens);
    screens_notice(screens, tr("Reported, with thanks. It is kept with your answers."));
    return true;
}

static bool screens_exam_answer(struct screens *screens, const struct effect *effect)
{
    struct reply reply = { .answer = { .blank = true } };
    struct showing showing;
    struct error error;
    if (!sitting_current(&screens->sitting, &showing))
        return true;
    if (effect->kind != EFFECT_BLANK && !reply_take(&reply, &showing, effect)) {
        reply_remark(&screens->view, screens->remark, reply.response.reason);
        return true;
    }
    if (effect->kind == EFFECT_READ) {
        view_open(&screens->view, OVERLAY_CERTAINTY);
        return true;
    }
    int entry = screens->sitting.exam.current;
    bool stored = sitting_answer(&screens->sitting, &reply.answer, effect->certainty, &error);
    return screens_exam_turned(screens, SITTING_ANSWER, entry, stored, &error);
}

static bool screens_exam_flag(struct screens *screens, int entry)
{
    struct error error;
    if (entry < 0 || entry >= screens->sitting.exam.count)
        return true;
    bool stored = sitting_flag(&screens->sitting, entry, &error);
    return screens_exam_turned(screens, SITTING_FLAG, entry, stored, &error);
}

static bool screens_exam_report(struct screens *screens, const char *text)
{
    struct error error;
    int entry = screens->sitting.exam.current;
    if (entry < 0 || screens->sitting.handed_in)
        return true;
    bool stored = sitting_report(&screens->sitting, entry, text, &error);
    return screens_exam_turned(screens, SITTING_NOTE, entry, stored, &error);
}

/* Begun or gone on with: the first question, and what there is to say. */
static bool screens_exam_begun(struct screens *screens)
{
    const struct sitting *sitting = &screens->sitting;
    if (sitting->learner_created)
        snprintf(screens->created, sizeof screens->created, "%s", sitting->record.learner.name);
    if (!screens_exam_show(screens))
        return false;
    if (sitting->left_out) {
        char text[200];
        snprintf(
            text, sizeof text,
            ntr("%d question is gone or was changed. It left this exam, but counts as it was left.",
                "%d questions are gone or were changed. They left this exam, but count as they were left.",
                sitting->left_out),
            sitting->left_out);
        screens_notice(screens, text);
    }
    return true;
}

static bool screens_exam_start(struct screens *screens)
{
    struct error error;
    if (!sitting_begin(&screens->sitting, &error))
        return screens_exam_not_stored(screens, &error); /* nothing runs yet */
    return screens_exam_begun(screens);
}

static bool screens_exam_retry(struct screens *screens)
{
    enum sitting_turn turn = screens->sitting.pending.turn;
    int entry = screens->sitting.pending.entry;
    struct error error;
    if (!screens->sitting.begun)
        return screens_exam_start(screens);
    if (screens->handing_in)
        return screens_exam_hand_in(screens);
    bool stored = sitting_retry(&screens->sitting, &error);
    return screens_exam_turned(screens, turn, entry, stored, &error);
}

/* Leaves the exam open: to the library, with a word on how to go on. */
static bool screens_exam_leave(struct screens *screens)
{
    char text[BEGIN_TEXT];
    bool begun = screens->sitting.begun;
    begin_leave_exam(&screens->sitting, text, sizeof text);
    sitting_abandon(&screens->sitting);
    if (!screens_home(screens))
        return false;
    if (begun)
        screens_notice(screens, text);
    return true;
}

/* The packs stand behind what is asked before an exam begins. */
static bool screens_exam_behind(struct screens *screens)
{
    struct application *application = screens->application;
    struct practice *practice = &screens->practice;
    if (screens->practising)
        practice_finish(practice);
    screens->practising = true;
    if (!practice_init(practice, application->store, application->clock, &application->options,
                       &screens->error) ||
        !presenter_packs(&application->presenter, practice, &screens->error))
        return screens_fail(screens);
    screens->view.library = &application->presenter.library;
    screens_show(screens, SCREEN_HOME);
    return true;
}

/* Says what is about to begin, before time runs. */
static bool screens_exam_announce(struct screens *screens)
{
    struct presenter *presenter = &screens->application->presenter;
    if (!sitting_prepare(&screens->sitting, &screens->error))
        return screens_fail(screens);
    if (!screens_exam_behind(screens))
        return false;
    if (!screens->sitting.exam.count) {
        screens_notice(screens, tr("There is no question to ask: --tag leaves none."));
        return true;
    }
    presenter_exam_note(presenter, &screens->sitting);
    snprintf(screens->resume_note, sizeof screens->resume_note, "%s%s%s",
             screens->open.elsewhere ? begin_exam_elsewhere() : "", screens->open.elsewhere ? "\n" : "",
             presenter->exam_note);
    screens->view.resume_note = screens->resume_note;
    view_open(&screens->view, OVERLAY_EXAM);
    return true;
}

static bool screens_exam_resume(struct screens *screens)
{
    if (!sitting_resume(&screens->sitting, &screens->open, &screens->error))
        return screens_fail(screens);
    return screens_exam_begun(screens);
}

static bool screens_exam_restart(struct screens *screens)
{
    if (!sitting_hand_in_open(&screens->sitting, &screens->open, &screens->error))
        return screens_fail(screens);
    return screens_exam_announce(screens);
}

bool screens_exam_begin(struct screens *screens)
{
    struct application *application = screens->application;
    enum resume_wish wish = application->wish;
    char text[BEGIN_TEXT];
    screens->examining = true;
    screens->handing_in = false;
    if (!sitting_init(&screens->sitting, application->store, application->clock, &application->options,
                      application->exam_minutes, &screens->error) ||
        !sitting_find_open(&screens->sitting, &screens->open, &screens->error))
        return screens_fail(screens);
    if (wish == WISH_RESUME && !screens->open.found && screens->open.elsewhere) {
        begin_fail_elsewhere(&screens->error);
        return screens_fail(screens);
    }
    if (!screens->open.found) {
        if (!screens_exam_announce(screens))
            return false;
        if (wish == WISH_RESUME && screens->view.overlay == OVERLAY_EXAM && !application->guard)
            screens->view.flash = tr("no open exam of these packs");
        return true;
    }
    if (wish == WISH_RESUME)
        return screens_exam_resume(screens);
    if (wish == WISH_RESTART)
        return screens_exam_restart(screens);
    if (wish == WISH_ANEW)
        return screens_exam_announce(screens);
    if (!screens_exam_behind(screens))
        return false;
    begin_describe_exam(&screens->open, text, sizeof text);
    snprintf(screens->resume_note, sizeof screens->resume_note, tr("An exam is open: %s. Anew hands it in."),
             text);
    screens->view.resume_note = screens->resume_note;
    view_open(&screens->view, OVERLAY_RESUME);
    return true;
}

bool screens_exam_perform(struct screens *screens, const struct effect *effect)
{
    struct sitting *sitting = &screens->sitting;
    if (!screens->examining)
        return true;
    switch (effect->kind) {
    case EFFECT_BEGIN_EXAM:
        return screens_exam_start(screens);
    case EFFECT_RESUME:
        return screens_exam_resume(screens);
    case EFFECT_RESTART:
        return screens_exam_restart(screens);
    case EFFECT_RETRY:
        return screens_exam_retry(screens);
    case EFFECT_GIVE_UP:
    case EFFECT_LEAVE_EXAM:
        return screens_exam_leave(screens);
    default:
        break;
    }
    if (!sitting->begun || sitting->exam.handed_in)
        return true;
    switch (effect->kind) {
    case EFFECT_ANSWER:
    case EFFECT_READ:
    case EFFECT_BLANK:
        return screens_exam_answer(screens, effect);
    case EFFECT_FLAG:
        return screens_exam_flag(screens, effect->row);
    case EFFECT_REPORT:
        return screens_exam_report(screens, effect->text);
    case EFFECT_GO:
        sitting_show(sitting, effect->row);
        return screens_exam_show(screens);
    case EFFECT_SKIP:
        sitting_skip(sitting);
        return screens_exam_show(screens);
    case EFFECT_OVERVIEW:
        sitting_show(sitting, -1);
        return screens_exam_show(screens);
    case EFFECT_FINISH:
    case EFFECT_HAND_IN:
        return screens_exam_hand_in(screens);
    default:
        return true;
    }
}

void screens_exam_tick(struct screens *screens)
{
    struct sitting *sitting = &screens->sitting;
    if (!sitting->begun || sitting->exam.handed_in || screens->handing_in)
        return;
    sitting_follow(sitting); /* a tutor may have given more time */
    presenter_exam_time(&screens->application->presenter, sitting);
    if (sitting_is_over(sitting))
        screens_exam_hand_in(screens);
}

void screens_exam_end(struct screens *screens)
{
    const struct sitting *sitting = &screens->sitting;
    bool tells = screens->done && !screens->application->guard;
    if (tells && sitting->begun && !sitting->exam.handed_in) { /* the terminal is restored */
        char text[BEGIN_TEXT];
        begin_leave_exam(sitting, text, sizeof text);
        fprintf(stderr, "quiztutor: %s\n", text);
    }
    sitting_finish(&screens->sitting);
    screens->examining = screens->handing_in = false;
}
