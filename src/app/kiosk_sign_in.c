/* Who is it: the name, the PIN, and the call for a tutor while nobody can sign in. */
#include "kiosk.h"

#include <quiztutor/message.h>

#include <stdio.h>
#include <string.h>

enum { SHOWN = 400 };

/* What was typed, as it may be shown. */
static void make_visible(char *shown, ptrdiff_t size, const char *name)
{
    struct buffer out;
    buffer_init(&out);
    text_visible(&out, name, (ptrdiff_t)strlen(name));
    snprintf(shown, (size_t)size, "%s", buffer_get(&out));
    buffer_finish(&out);
}

/* By login, or name, as everywhere; else by external id. ERROR_NOT_FOUND: nobody. */
static bool find(struct kiosk *kiosk, const char *name, struct arena *arena, struct store_learner *learner,
                 struct error *error)
{
    if (store_find_learner(kiosk->store, name, arena, learner, NULL, error))
        return true;
    if (error->code != ERROR_NOT_FOUND)
        return false;
    for (ptrdiff_t i = 0; i < kiosk->people.count; i++) {
        const struct kiosk_learner *one = &kiosk->people.items[i];
        if (!one->external_id || strcmp(one->external_id, name) != 0)
            continue;
        /* what is practised under is a name: it must lead to the same learner */
        if (!store_find_learner(kiosk->store, one->name, arena, learner, NULL, error))
            return false;
        snprintf(kiosk->called, sizeof kiosk->called, "%s", one->name);
        return memcmp(&learner->id, &one->id, sizeof one->id) == 0 ||
               error_set(error, ERROR_NOT_FOUND, "%s", tr("two learners share this name"));
    }
    return false;
}

/* What the roster and the store say of who was found. */
static bool ask_store(struct kiosk *kiosk, const struct store_learner *learner, struct kiosk_said *said,
                      struct error *error)
{
    const struct kiosk_learner *one = kiosk_people_find(&kiosk->people, &learner->id);
    if (!one) { /* new since it was read */
        if (!kiosk_people_read(kiosk, error))
            return false;
        one = kiosk_people_find(&kiosk->people, &learner->id);
    }
    kiosk->learner = learner->id;
    kiosk->groups = one ? one->groups : NULL;
    kiosk->group_count = one ? one->group_count : 0;
    kiosk->plain = one ? one->plain : ROSTER_SCREENS;
    said->known = true;
    said->admitted = one && one->admitted;
    return pin_look(kiosk->store, &learner->id, &said->pin, error);
}

static void set_name(struct kiosk *kiosk, const char *name)
{
    snprintf(kiosk->name, sizeof kiosk->name, "%s", name);
}

static bool look_up(struct kiosk *kiosk, const char *name, struct kiosk_said *said, struct error *error)
{
    snprintf(kiosk->called, sizeof kiosk->called, "%s", name);
    struct store_learner learner;
    struct arena arena;
    arena_init(&arena);
    kiosk->learner = (struct uuid){ 0 };
    kiosk->groups = NULL;
    kiosk->group_count = 0;
    kiosk->plain = ROSTER_SCREENS;
    bool done = find(kiosk, name, &arena, &learner, error);
    if (done) {
        done = ask_store(kiosk, &learner, said, error);
        set_name(kiosk, learner.name);
    } else if (error->code == ERROR_NOT_FOUND) {
        done = true;
        said->admitted = kiosk_config_admits(kiosk->config, NULL, 0);
        said->meant = strcmp(kiosk->asked_new, name) == 0;
        set_name(kiosk, name);
    }
    arena_finish(&arena);
    return done;
}

enum kiosk_answer kiosk_say_name(struct kiosk *kiosk, const char *typed, struct error *error)
{
    struct kiosk_said said = { 0 };
    const char *why = NULL;
    char shown[SHOWN];
    char *name = text_learner_name(typed, &why);
    kiosk->remark[0] = '\0';
    if (!name) {
        snprintf(kiosk->remark, sizeof kiosk->remark, "%s", why ? why : "");
        return KIOSK_ANSWER_UNKNOWN;
    }
    if (!look_up(kiosk, name, &said, error)) {
        snprintf(kiosk->remark, sizeof kiosk->remark, "%s", error->message);
        memory_free(name);
        return KIOSK_ANSWER_UNKNOWN;
    }
    enum kiosk_answer answer = kiosk_flow_name(&kiosk->flow, kiosk->config, &said, kiosk_now(kiosk));
    static const char *const refused[] = { [KIOSK_ANSWER_UNKNOWN] = "unknown",
                                           [KIOSK_ANSWER_REFUSED] = "group",
                                           [KIOSK_ANSWER_NO_PIN] = "PIN",
                                           [KIOSK_ANSWER_WELCOME] = NULL };
    if (refused[answer])
        kiosk_journal_write(&kiosk->journal, KIOSK_JOURNAL_SIGN_IN_REFUSED, refused[answer]);
    kiosk->asked_new[0] = '\0';
    make_visible(shown, sizeof shown, name);
    switch (answer) {
    case KIOSK_ANSWER_UNKNOWN:
        snprintf(kiosk->remark, sizeof kiosk->remark, tr("Nobody here has the name \"%s\"."), shown);
        break;
    case KIOSK_ANSWER_REFUSED:
        snprintf(kiosk->remark, sizeof kiosk->remark, tr("\"%s\" can't sign in on this machine."), shown);
        break;
    case KIOSK_ANSWER_NEW:
        snprintf(kiosk->remark, sizeof kiosk->remark,
                 tr("\"%s\" is new here. If that is right, press Enter again."), shown);
        snprintf(kiosk->asked_new, sizeof kiosk->asked_new, "%s", name);
        break;
    case KIOSK_ANSWER_NO_PIN:
        snprintf(kiosk->remark, sizeof kiosk->remark, tr("\"%s\" needs a PIN first: ask your tutor."), shown);
        break;
    case KIOSK_ANSWER_ASK_PIN:
    case KIOSK_ANSWER_WELCOME:
        break;
    }
    memory_free(name);
    return answer;
}

void kiosk_note_wait(struct kiosk *kiosk, int seconds)
{
    kiosk->note[0] = '\0';
    if (seconds > 90)
        snprintf(kiosk->note, sizeof kiosk->note,
                 ntr("The next try is taken in %d minute.", "The next try is taken in %d minutes.",
                     (seconds + 59) / 60),
                 (seconds + 59) / 60);
    else if (seconds > 0)
        snprintf(kiosk->note, sizeof kiosk->note,
                 ntr("The next try is taken in %d second.", "The next try is taken in %d seconds.", seconds),
                 seconds);
}

bool kiosk_try_pin(struct kiosk *kiosk, const char *typed, struct error *error)
{
    enum pin_outcome outcome;
    struct pin_state state;
    if (kiosk_flow_wait(&kiosk->flow, kiosk_now(kiosk)) > 0)
        return false; /* as the note says */
    if (!pin_try(kiosk->store, &kiosk->learner, typed, (ptrdiff_t)strlen(typed), &outcome, &state, error)) {
        snprintf(kiosk->note, sizeof kiosk->note, tr("This can't be looked at: %s."), error->message);
        return false;
    }
    if (kiosk_flow_tried(&kiosk->flow, outcome, &state, kiosk_now(kiosk)))
        return true;
    kiosk_journal_write(&kiosk->journal, KIOSK_JOURNAL_SIGN_IN_REFUSED,
                        outcome == PIN_OUTCOME_WAIT ? "wait" : "PIN");
    kiosk_note_wait(kiosk, kiosk_flow_wait(&kiosk->flow, kiosk_now(kiosk)));
    if (!kiosk->note[0])
        snprintf(kiosk->note, sizeof kiosk->note,
                 ntr("That was not it. %d try is left before you have to wait.",
                     "That was not it. %d tries are left before you have to wait.", state.left),
                 state.left);
    return false;
}

/* ---- on the screen ---- */

static void show_state(struct kiosk *kiosk)
{
    struct view *view = &kiosk->view;
    enum screen screen = kiosk->flow.state == KIOSK_CALL ? SCREEN_CALL : SCREEN_SIGN_IN;
    if (view->screen == screen)
        return;
    terminal_flush(kiosk->terminal);
    view_wipe(view);
    view_show(view, screen);
}

static void begin_anew(struct kiosk *kiosk)
{
    view_wipe(&kiosk->view);
    explicit_bzero(kiosk->view.kept, sizeof kiosk->view.kept);
    kiosk->asked_new[0] = kiosk->note[0] = '\0';
    kiosk->wanted = ROSTER_SCREENS;
    kiosk->model.secret_note = NULL;
    view_show(&kiosk->view, kiosk->flow.state == KIOSK_CALL ? SCREEN_CALL : SCREEN_SIGN_IN);
    terminal_flush(kiosk->terminal);
}

static void say_name(struct kiosk *kiosk, const char *typed)
{
    struct error error = { 0 };
    enum kiosk_answer answer = kiosk_say_name(kiosk, typed, &error);
    if (answer == KIOSK_ANSWER_ASK_PIN) {
        kiosk_note_wait(kiosk, kiosk_flow_wait(&kiosk->flow, kiosk_now(kiosk)));
        terminal_flush(kiosk->terminal);
        view_open(&kiosk->view, OVERLAY_PIN);
        view_wipe(&kiosk->view);
    } else if (answer != KIOSK_ANSWER_WELCOME) {
        view_remark(&kiosk->view, kiosk->remark);
    }
}

static void try_pin(struct kiosk *kiosk, const char *typed)
{
    struct error error = { 0 };
    kiosk_try_pin(kiosk, typed, &error);
    view_wipe(&kiosk->view);
    terminal_flush(kiosk->terminal);
}

static void perform(struct kiosk *kiosk, const struct effect *effect)
{
    switch (effect->kind) {
    case EFFECT_SIGN_IN:
        say_name(kiosk, effect->text);
        break;
    case EFFECT_PIN:
        try_pin(kiosk, effect->text);
        break;
    case EFFECT_CODE:
        kiosk_code(kiosk, &kiosk->view);
        break;
    case EFFECT_REDRAW:
        terminal_redraw(kiosk->terminal);
        break;
    case EFFECT_LARGE:
        kiosk->wanted = kiosk->wanted == ROSTER_LARGE ? ROSTER_SCREENS : ROSTER_LARGE;
        break;
    case EFFECT_LINES:
        kiosk->wanted = ROSTER_LINES;
        break;
    default:
        break;
    }
    if (kiosk->flow.state == KIOSK_PIN && kiosk->view.overlay != OVERLAY_PIN)
        kiosk_flow_out(&kiosk->flow, kiosk_now(kiosk)); /* they went back */
}

/* A wait is told as it runs down; what is said of a try stays until the next. */
static void follow_wait(struct kiosk *kiosk)
{
    bool asks = kiosk->view.overlay == OVERLAY_PIN || kiosk->view.overlay == OVERLAY_CODE;
    int wait = kiosk_flow_wait(&kiosk->flow, kiosk_now(kiosk));
    if (kiosk->view.overlay == OVERLAY_PIN && wait > 0)
        kiosk_note_wait(kiosk, wait);
    else if (kiosk->view.overlay == OVERLAY_PIN && kiosk->waited)
        kiosk->note[0] = '\0';
    kiosk->waited = wait > 0;
    if (!asks)
        kiosk->note[0] = '\0';
    kiosk->model.secret_note = kiosk->note[0] ? kiosk->note : NULL;
}

bool kiosk_sign_in(struct kiosk *kiosk, struct error *error)
{
    struct view *view = &kiosk->view;
    bool changed;
    int rows, columns;
    (void)error;
    kiosk_between(kiosk);
    terminal_size(kiosk->terminal, &rows, &columns);
    view->rows = rows;
    view->columns = columns;
    begin_anew(kiosk);
    if (kiosk->remark[0])
        view_remark(view, kiosk->remark); /* why the one before is signed out */
    while (kiosk->flow.state != KIOSK_SERVE && kiosk->flow.state != KIOSK_LEFT &&
           kiosk_reads(kiosk) != ROSTER_LINES) {
        struct input input;
        struct effect effect;
        if (!kiosk_load(kiosk, &changed))
            return true;
        view->large = kiosk_reads(kiosk) == ROSTER_LARGE;
        show_state(kiosk);
        kiosk_follow(kiosk, false);
        follow_wait(kiosk);
        if (!kiosk_input(kiosk, view, &input))
            return true;
        int64_t quiet = kiosk_now(kiosk) - kiosk->flow.active;
        bool touched = view->field_length || kiosk->wanted != ROSTER_SCREENS; /* half a name */
        bool left = touched && kiosk->flow.idle > 0 && quiet >= kiosk->flow.idle;
        if (kiosk_flow_tick(&kiosk->flow, false, kiosk_now(kiosk)) || left)
            begin_anew(kiosk);
        view_update(view, &input, &effect);
        perform(kiosk, &effect);
    }
    view_wipe(view);
    explicit_bzero(view->kept, sizeof view->kept);
    return true;
}
