/* Turns on the screens: an effect becomes a turn of the practice, and the screen that follows it. */
#include "begin.h"
#include "screens.h"

#include <quiztutor/message.h>

#include <stdio.h>

/* The question that the screen is about: the one on show, or the one whose result stands there. */
static int screens_entry(const struct screens *screens)
{
    return screens->view.screen == SCREEN_RESULT ? screens->practice.last.entry
                                                 : session_current(&screens->practice.session);
}

/* A mark was set or taken back: the models on show follow, and one word says it. */
static void screens_marked(struct screens *screens, bool star)
{
    const struct store_schedule *known = practice_known(&screens->practice, screens_entry(screens));
    presenter_marks(&screens->application->presenter, &screens->practice);
    if (star)
        screens->view.flash = known->starred ? tr("starred") : tr("the star is off");
    else
        screens->view.flash = known->suspended ? tr("suspended") : tr("no longer suspended");
}

/* Something is odd about the clock: told over the result, once. */
static bool screens_warn(struct screens *screens)
{
    char text[BEGIN_TEXT];
    if (begin_clock(&screens->practice, text, sizeof text))
        screens_notice(screens, text);
    return true;
}

/* A turn was stored and taken: the screen that follows. */
static bool screens_turned(struct screens *screens, enum practice_turn turn)
{
    struct presenter *presenter = &screens->application->presenter;
    switch (turn) {
    case TURN_ANSWER:
        return screens_result(screens) && screens_warn(screens);
    case TURN_SKIP:
    case TURN_UNDO:
        return screens_question(screens);
    case TURN_HINT: /* the same showing, with the hint in it: selection and place stay */
        if (!presenter_question(presenter, &screens->practice)) {
            error_memory(&screens->error);
            return screens_fail(screens);
        }
        break;
    case TURN_STAR:
        screens_marked(screens, true);
        break;
    case TURN_SUSPEND:
        screens_marked(screens, false);
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
    if (screens->practice.pending.turn == TURN_NONE) /* not even kept: it is to be made again */
        return screens_lost(screens, error);
    snprintf(screens->notice, sizeof screens->notice, "%s", error->message);
    screens->view.notice = screens->notice;
    screens->view.at_stake = NULL;
    view_open(&screens->view, OVERLAY_NOT_STORED);
    return true;
}

static bool screens_answer(struct screens *screens, const struct effect *effect)
{
    struct practice *practice = &screens->practice;
    struct showing showing;
    struct reply reply;
    struct error error;
    if (!practice_current(practice, &showing))
        return true;
    bool taken = reply_take(&reply, &showing, effect);
    if (!taken || practice_spelling(practice, &reply.answer)) {
        reply_remark(&screens->view, screens->remark, taken ? reply_spelling() : reply.response.reason);
        return true;
    }
    if (effect->kind == EFFECT_READ) {
        view_open(&screens->view, OVERLAY_CERTAINTY);
        return true;
    }
    bool stored = practice_answer(practice, &reply.answer, effect->certainty, &error);
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
    bool stored = practice_report(&screens->practice, screens_entry(screens), text, &error);
    return screens_turn(screens, TURN_NOTE, stored, &error);
}

static bool screens_retry(struct screens *screens)
{
    struct error error;
    enum practice_turn turn = screens->practice.pending.turn;
    bool stored = practice_retry(&screens->practice, &error);
    return screens_turn(screens, turn, stored, &error);
}

static bool screens_mark(struct screens *screens, bool star)
{
    struct error error;
    int entry = screens_entry(screens);
    if (entry < 0)
        return true;
    bool stored = star ? practice_star(&screens->practice, entry, &error)
                       : practice_suspend(&screens->practice, entry, &error);
    return screens_turn(screens, star ? TURN_STAR : TURN_SUSPEND, stored, &error);
}

bool screens_take_turn(struct screens *screens, const struct effect *effect)
{
    switch (effect->kind) {
    case EFFECT_ANSWER:
    case EFFECT_READ:
        return screens_answer(screens, effect);
    case EFFECT_HINT:
        return screens_hint(screens);
    case EFFECT_SKIP:
        return screens_skip(screens);
    case EFFECT_UNDO:
        return screens_undo(screens);
    case EFFECT_REPORT:
        return screens_report(screens, effect->text);
    case EFFECT_RETRY:
        return screens_retry(screens);
    case EFFECT_STAR:
    case EFFECT_SUSPEND_QUESTION:
        return screens_mark(screens, effect->kind == EFFECT_STAR);
    default:
        return true;
    }
}
