#include "kiosk.h"

#include <quiztutor/message.h>

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int64_t kiosk_now(const struct kiosk *kiosk)
{
    return clock_steady(&kiosk->setup.clock);
}

/* "14:05" in local time. */
static void follow_clock(struct kiosk *kiosk)
{
    int64_t wall = clock_wall(&kiosk->setup.clock);
    time_t local = (time_t)(wall / 1000 + clock_offset(&kiosk->setup.clock, wall));
    struct tm then;
    kiosk->clock[0] = '\0';
    if (gmtime_r(&local, &then))
        strftime(kiosk->clock, sizeof kiosk->clock, "%H:%M", &then);
    kiosk->model.clock = kiosk->clock;
}

/* What a tutor should know, the worst first. */
static struct kiosk_banner banner(struct kiosk *kiosk, bool unstored)
{
    if (unstored)
        return (struct kiosk_banner){ tr("Not stored: answers are kept in memory. Call your tutor."),
                                      tr("Not stored: call your tutor.") };
    struct kiosk_banner stored = kiosk_store_banner(kiosk);
    if (!stored.whole && kiosk->locked && !lock_holds(&kiosk->lock))
        stored = (struct kiosk_banner){ tr("Not locked in, so no exams: call your tutor."),
                                        tr("No exams here: call your tutor.") };
    return stored;
}

void kiosk_follow(struct kiosk *kiosk, bool unstored)
{
    if (unstored != kiosk->unstored)
        kiosk_journal_write(&kiosk->journal, unstored ? KIOSK_JOURNAL_NOT_STORED : KIOSK_JOURNAL_STORED,
                            NULL);
    kiosk->unstored = unstored;
    follow_clock(kiosk);
    struct kiosk_banner told = banner(kiosk, unstored);
    kiosk->model.banner = told.whole;
    kiosk->model.brief = told.brief;
    kiosk->model.countdown = kiosk_flow_countdown(&kiosk->flow, kiosk_now(kiosk));
    kiosk->model.learner = kiosk->flow.state == KIOSK_SERVE ? kiosk->name : NULL;
}

int kiosk_reads(const struct kiosk *kiosk)
{
    bool known = kiosk->flow.state == KIOSK_PIN || kiosk->flow.state == KIOSK_SERVE;
    return kiosk->wanted != ROSTER_SCREENS ? kiosk->wanted : known ? kiosk->plain : ROSTER_SCREENS;
}

void kiosk_signed_in(struct kiosk *kiosk)
{
    kiosk_journal_write(&kiosk->journal, KIOSK_JOURNAL_SIGN_IN, NULL);
}

void kiosk_signed_out(struct kiosk *kiosk)
{
    const char *why = kiosk->signed_out ? "tutor" : kiosk->flow.state != KIOSK_SERVE ? "idle" : NULL;
    kiosk_journal_write(&kiosk->journal, KIOSK_JOURNAL_SIGN_OUT, why);
    kiosk_flow_out(&kiosk->flow, kiosk_now(kiosk));
}

bool kiosk_input(struct kiosk *kiosk, struct view *view, struct input *input)
{
    struct grid *grid = &kiosk->grid;
    if (grid->rows != view->rows || grid->columns != view->columns) {
        grid_finish(grid);
        if (!grid_init(grid, view->rows, view->columns))
            memset(grid, 0, sizeof *grid);
    }
    if (grid->cells) { /* without memory the last screen stays, and the next look tries again */
        view_draw(view, grid);
        terminal_draw(kiosk->terminal, grid);
    }
    for (;;) {
        terminal_read(kiosk->terminal, input, 1000);
        if (input->kind == INPUT_HANGUP || lock_ending()) {
            kiosk->hung_up = true;
            return false;
        }
        if (input->kind == INPUT_NONE || input->kind == INPUT_RESIZE ||
            kiosk_flow_input(&kiosk->flow, kiosk_now(kiosk)))
            break;
    }
    view->signs = terminal_signs(kiosk->terminal);
    return true;
}

/* One learner after the other. */
static bool go_round(struct kiosk *kiosk, struct error *error)
{
    for (;;) {
        kiosk->wanted = ROSTER_SCREENS;
        if (!kiosk_sign_in(kiosk, error))
            return false;
        bool lines = kiosk_reads(kiosk) == ROSTER_LINES;
        if (kiosk->hung_up || kiosk->again || (!lines && kiosk->flow.state != KIOSK_SERVE))
            return true;
        if (!lines)
            kiosk_signed_in(kiosk);
        if (!(lines ? kiosk_lines_visit(kiosk, error) : kiosk_serve(kiosk, error)))
            return false;
        if (kiosk->hung_up || kiosk->again || kiosk->flow.state == KIOSK_LEFT)
            return true;
        if (!lines)
            kiosk_signed_out(kiosk);
    }
}

bool kiosk_open_terminal(struct kiosk *kiosk, struct error *error)
{
    const struct kiosk_config *config = kiosk->config;
    struct terminal_options options = { .lock = true, .theme = THEME_AUTO, .signs = -1 };
    int rows, columns;
    if (config) {
        options.theme = (enum terminal_theme)config->theme;
        options.signs = config->signs - 1; /* the first word leaves it to the terminal */
    }
    if (!terminal_open(&kiosk->terminal, &options, error))
        return false;
    terminal_size(kiosk->terminal, &rows, &columns);
    view_init(&kiosk->view, terminal_signs(kiosk->terminal), rows, columns);
    kiosk->view.kiosk = &kiosk->model;
    return true;
}

bool kiosk_run(const struct kiosk_setup *setup, enum kiosk_end *end, struct error *error)
{
    struct kiosk *kiosk = memory_zero(sizeof *kiosk);
    bool changed;
    if (!kiosk)
        return error_memory(error);
    kiosk->setup = *setup;
    buffer_init(&kiosk->trouble);
    arena_init(&kiosk->people.arena);
    arena_init(&kiosk->offers_arena);
    presenter_init(&kiosk->application.presenter);
    kiosk_flow_init(&kiosk->flow, kiosk_now(kiosk));
    kiosk_journal_init(&kiosk->journal, STDERR_FILENO);
    kiosk_journal_write(&kiosk->journal, KIOSK_JOURNAL_START, QUIZTUTOR_VERSION);
    kiosk_load(kiosk, &changed);
    bool lines = !setup->screens || (kiosk->config && kiosk->config->plain);
    bool done =
        lines ? kiosk_lines(kiosk, error) : kiosk_open_terminal(kiosk, error) && go_round(kiosk, error);
    terminal_close(kiosk->terminal);
    *end = kiosk->flow.state == KIOSK_LEFT ? KIOSK_END_LEFT
           : kiosk->again                  ? KIOSK_END_AGAIN
                                           : KIOSK_END_STOPPED;
    view_wipe(&kiosk->view);
    grid_finish(&kiosk->grid);
    presenter_finish(&kiosk->application.presenter);
    arena_finish(&kiosk->offers_arena);
    memory_free(kiosk->offers);
    kiosk_unload(kiosk);
    kiosk_journal_write(&kiosk->journal, KIOSK_JOURNAL_END, NULL);
    memory_free(kiosk);
    return done;
}
