/* A tutor's menu on the screen, behind their code. */
#include "begin.h"
#include "kiosk_menu.h"

#include <quiztutor/message.h>

#include <stdio.h>
#include <string.h>

/* The menu with the screen that shows it. */
struct shown {
    struct menu menu;
    struct view view;
    struct kiosk_model model;
};

static void follow(struct shown *shown)
{
    struct kiosk *kiosk = shown->menu.kiosk;
    kiosk_follow(kiosk, kiosk->unstored);
    shown->model = kiosk->model;
    shown->model.learner = NULL;
    shown->model.countdown = 0;
    shown->model.choices = shown->menu.choices;
    shown->model.choice_count = shown->menu.count;
}

static void perform(struct shown *shown, const struct effect *effect)
{
    struct menu *menu = &shown->menu;
    if (effect->kind == EFFECT_BACK)
        menu->done = true;
    if (effect->kind == EFFECT_REDRAW)
        terminal_redraw(menu->kiosk->terminal);
    if (effect->kind != EFFECT_CHOOSE || effect->row >= menu->count)
        return;
    menu_choose(menu, effect->row);
    if (menu->told[0]) {
        shown->view.notice = menu->told;
        view_open(&shown->view, OVERLAY_NOTICE);
    } else {
        shown->view.flash = tr("done");
    }
}

static void run(struct shown *shown)
{
    struct menu *menu = &shown->menu;
    struct view *view = &shown->view;
    while (!menu->done) {
        struct input input;
        struct effect effect;
        if (view->overlay == OVERLAY_NONE)
            menu_fill(menu);
        follow(shown);
        enum overlay before = view->overlay;
        if (!kiosk_input(menu->kiosk, view, &input)) {
            menu->says = GUARD_END;
            return;
        }
        if (menu_is_left(menu))
            return;
        view_update(view, &input, &effect);
        perform(shown, &effect);
        if (view->overlay != before && view->overlay != OVERLAY_NONE)
            terminal_flush(menu->kiosk->terminal);
    }
}

enum guard_says kiosk_menu(struct kiosk *kiosk, const char *stake)
{
    struct shown *shown = memory_zero(sizeof *shown);
    int rows, columns;
    if (!shown)
        return GUARD_GO_ON;
    terminal_size(kiosk->terminal, &rows, &columns);
    view_init(&shown->view, terminal_signs(kiosk->terminal), rows, columns);
    shown->view.kiosk = &shown->model;
    menu_init(&shown->menu, kiosk, stake);
    follow(shown);
    view_show(&shown->view, SCREEN_MENU);
    terminal_flush(kiosk->terminal);
    run(shown);
    enum guard_says says = shown->menu.says;
    menu_finish(&shown->menu);
    memory_free(shown);
    return says;
}

enum guard_says kiosk_code(void *context, struct view *view)
{
    struct kiosk *kiosk = context;
    bool right = menu_code(kiosk, view->field);
    view_wipe(view);
    terminal_flush(kiosk->terminal);
    if (!right) {
        kiosk->model.secret_note = kiosk->note;
        return GUARD_GO_ON;
    }
    kiosk->model.secret_note = NULL;
    view_close(view);
    const char *stake = view->at_stake ? view->at_stake : begin_stake();
    enum guard_says says = kiosk_menu(kiosk, view_unstored(view) ? stake : NULL);
    terminal_size(kiosk->terminal, &view->rows, &view->columns);
    return says;
}
