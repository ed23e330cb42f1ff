/* A tutor's walk on ncurses screens: the table shown is looked up again every few seconds, while nothing is
 * typed. */
#include "tutor_private.h"
#include "tutor_walk.h"

#include <quiztutor/message.h>
#include <quiztutor/terminal.h>
#include <quiztutor/text.h>

#include <stdio.h>
#include <string.h>

enum {
    FRESH_MS = 3000,  /* between two looks at the stores */
    FRESH_SHARE = 20, /* and at least so many times what one took */
    IDLE_MS = 300,    /* after a key: it is not looked while somebody types */
    MESSAGE = 700
};

struct screens {
    const struct tutor *tutor;
    struct walk walk;
    struct terminal *terminal;
    struct grid grid;
    struct view view;
    int64_t due; /* when to look again, ms of the steady clock */
    char notice[MESSAGE], flash[MESSAGE];
    bool done;
    struct error error; /* what ended the run */
};

static bool fail_memory(struct screens *screens)
{
    screens->done = true;
    return error_memory(&screens->error);
}

/* Shows the table of the level; `anew`: the same one. */
static void show(struct screens *screens, bool anew)
{
    view_show_table(&screens->view, walk_model(&screens->walk), &walk_level(&screens->walk)->place, anew);
}

static void notice(struct screens *screens, const struct error *error)
{
    struct buffer text;
    buffer_init(&text);
    text_visible(&text, error->message, (ptrdiff_t)strlen(error->message));
    snprintf(screens->notice, sizeof screens->notice, "%s", buffer_get(&text));
    buffer_finish(&text);
    screens->view.notice = screens->notice;
    view_open(&screens->view, OVERLAY_NOTICE);
}

/* Where nothing is left to be shown, there is nothing to go on with. */
static bool settle(struct screens *screens, bool went, const struct error *error)
{
    if (!walk_model(&screens->walk)) {
        screens->error = *error;
        screens->done = true;
        return false;
    }
    if (went) {
        terminal_flush(screens->terminal);
        show(screens, false);
    } else {
        show(screens, true);
        notice(screens, error);
    }
    return true;
}

static void schedule(struct screens *screens, int64_t began)
{
    int64_t now = clock_steady(&screens->tutor->clock), pause = (now - began) * FRESH_SHARE;
    screens->due = now + (pause > FRESH_MS ? pause : FRESH_MS);
}

/* Looks again. Where that can't be, what is shown stays; `asked`: and it is said why. */
static bool refresh(struct screens *screens, bool asked)
{
    struct error error = { 0 };
    int64_t began = clock_steady(&screens->tutor->clock);
    bool done = walk_make(&screens->walk, &error);
    schedule(screens, began);
    if (!walk_model(&screens->walk))
        return settle(screens, false, &error);
    const char *flash = screens->view.flash, *shown = screens->view.notice;
    show(screens, true);
    screens->view.flash = flash;
    screens->view.notice = shown;
    if (!done && asked) {
        notice(screens, &error);
    } else if (!done && screens->view.overlay == OVERLAY_NONE) {
        snprintf(screens->flash, sizeof screens->flash, tr("not refreshed: %s"), error.message);
        screens->view.flash = screens->flash;
    }
    return true;
}

static bool export(struct screens *screens, const char *typed)
{
    struct error error = { 0 };
    char path[VIEW_FIELD];
    snprintf(path, sizeof path, "%s", typed);
    bool done = walk_export(&screens->walk, path, &error);
    if (!walk_model(&screens->walk))
        return settle(screens, false, &error);
    show(screens, true);
    if (!done) {
        notice(screens, &error);
        return true;
    }
    snprintf(screens->flash, sizeof screens->flash, tr("written to %s"), path);
    screens->view.flash = screens->flash;
    return true;
}

static bool go(struct screens *screens, const struct effect *effect)
{
    struct error error = { 0 };
    struct walk *walk = &screens->walk;
    int64_t began = clock_steady(&screens->tutor->clock);
    bool went = effect->kind == EFFECT_OPEN    ? walk_open(walk, effect->row, &error)
                : effect->kind == EFFECT_BACK  ? walk_back(walk, &error)
                : effect->kind == EFFECT_TABLE ? walk_table(walk, effect->row, &error)
                                               : walk_see(walk, effect->row, &error);
    schedule(screens, began);
    return settle(screens, went, &error);
}

static bool perform(struct screens *screens, const struct effect *effect)
{
    switch (effect->kind) {
    case EFFECT_OPEN:
    case EFFECT_BACK:
    case EFFECT_TABLE:
    case EFFECT_SEE:
        return go(screens, effect);
    case EFFECT_REFRESH:
        if (!refresh(screens, true))
            return false;
        if (screens->view.overlay == OVERLAY_NONE)
            screens->view.flash = tr("as it is now");
        return true;
    case EFFECT_EXPORT:
        return export(screens, effect->text);
    case EFFECT_QUIT:
        screens->done = true;
        return true;
    case EFFECT_SUSPEND:
        terminal_suspend(screens->terminal);
        return true;
    case EFFECT_REDRAW:
        terminal_redraw(screens->terminal);
        return true;
    default:
        return true;
    }
}

/* How long to wait for a key. */
static int patience(const struct screens *screens)
{
    int64_t left = screens->due - clock_steady(&screens->tutor->clock);
    return left < IDLE_MS ? IDLE_MS : left > FRESH_MS ? FRESH_MS : (int)left;
}

static bool run(struct screens *screens)
{
    while (!screens->done) {
        struct view *view = &screens->view;
        struct input input;
        struct effect effect = { 0 };
        if (screens->grid.rows != view->rows || screens->grid.columns != view->columns) {
            grid_finish(&screens->grid);
            if (!grid_init(&screens->grid, view->rows, view->columns))
                return fail_memory(screens);
        }
        view_draw(view, &screens->grid);
        terminal_draw(screens->terminal, &screens->grid);
        terminal_read(screens->terminal, &input, patience(screens));
        if (input.kind == INPUT_HANGUP)
            return true;
        view->signs = terminal_signs(screens->terminal);
        view_update(view, &input, &effect);
        walk_level(&screens->walk)->place = view->place; /* where it is gone back to */
        if (!perform(screens, &effect))
            return false;
        if (input.kind == INPUT_NONE && clock_steady(&screens->tutor->clock) >= screens->due &&
            !refresh(screens, false))
            return false;
    }
    return true;
}

bool tutor_screens(const struct tutor *tutor, int *signal, struct error *error)
{
    struct screens *screens = memory_zero(sizeof *screens);
    struct terminal_options options = { .theme = (enum terminal_theme)tutor->theme, .signs = tutor->signs };
    int rows, columns;
    bool done = false;
    if (!screens)
        return error_memory(error);
    screens->tutor = tutor;
    walk_init(&screens->walk, tutor, tutor->signs == SIGNS_ASCII);
    int64_t began = clock_steady(&tutor->clock);
    if (walk_make(&screens->walk, error) && terminal_open(&screens->terminal, &options, error)) {
        schedule(screens, began);
        terminal_size(screens->terminal, &rows, &columns);
        view_init(&screens->view, terminal_signs(screens->terminal), rows, columns);
        show(screens, false);
        done = run(screens);
        *signal = terminal_signal(screens->terminal);
        terminal_close(screens->terminal);
        if (!done && error)
            *error = screens->error;
    }
    walk_finish(&screens->walk);
    grid_finish(&screens->grid);
    memory_free(screens);
    return done;
}
