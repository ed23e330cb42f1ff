/* A tutor's menu, behind their code. Each use of it is an event. */
#include "kiosk.h"

#include <quiztutor/message.h>
#include <quiztutor/tending.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

enum menu_act { MENU_OPEN, MENU_LOCK, MENU_EXTEND, MENU_REOPEN, MENU_SIGN_OUT, MENU_MACHINE, MENU_LEAVE };

enum { MENU_MOST = 400, MENU_MINUTES = 5, MENU_DAY_MS = 86400000 };

struct menu_row {
    enum menu_act act;
    const char *pack;    /* MENU_OPEN, MENU_LOCK: its id, the configuration's */
    struct uuid session; /* MENU_EXTEND, MENU_REOPEN */
};

struct menu {
    struct kiosk *kiosk;
    struct arena arena;
    struct view view;
    struct kiosk_model model;
    struct kiosk_choice choices[MENU_MOST];
    struct menu_row rows[MENU_MOST];
    int count;
    char notice[2 * LOCK_WHY + KIOSK_TEXT];
    bool done;
    enum guard_says says;
};

static struct menu_row *add(struct menu *menu, enum menu_act act, const char *text, const char *state,
                            const char *does, const char *ask)
{
    static struct menu_row nowhere;
    if (menu->count == MENU_MOST || !text)
        return &nowhere;
    menu->choices[menu->count] = (struct kiosk_choice){ text, state, does, ask };
    menu->rows[menu->count] = (struct menu_row){ .act = act };
    return &menu->rows[menu->count++];
}

/* "2026-12-01 09:00" in local time. */
static const char *moment(struct menu *menu, int64_t at)
{
    time_t local = (time_t)(at / 1000 + clock_offset(&menu->kiosk->setup.clock, at));
    struct tm then;
    char text[40] = "";
    if (gmtime_r(&local, &then))
        strftime(text, sizeof text, "%Y-%m-%d %H:%M", &then);
    return arena_print(&menu->arena, "%s", text);
}

/* The exams of the configuration: each can be opened or locked, whatever its window says. */
static void fill_exams(struct menu *menu)
{
    struct kiosk *kiosk = menu->kiosk;
    int64_t now = clock_wall(&kiosk->setup.clock);
    for (int i = 0; kiosk->config && kiosk->packs && kiosk->store && i < kiosk->config->exam_count; i++) {
        const struct kiosk_exam *exam = &kiosk->config->exams[i];
        const struct pack *pack = kiosk_packs_find(kiosk->packs, exam->pack.text);
        struct error error;
        int opened = kiosk_opened(kiosk, exam, &error);
        bool window = now >= exam->from && now<exam->until, open = opened> 0 || (window && opened == 0);
        const char *state =
            opened > 0         ? tr("opened")
            : opened < 0       ? tr("locked")
            : window           ? arena_print(&menu->arena, tr("open until %s"), moment(menu, exam->until))
            : now < exam->from ? arena_print(&menu->arena, tr("from %s"), moment(menu, exam->from))
                               : tr("over");
        if (!pack)
            continue;
        struct menu_row *row =
            add(menu, open ? MENU_LOCK : MENU_OPEN, arena_print(&menu->arena, tr("Exam: %s"), pack->title),
                state, open ? tr("lock") : tr("unlock"),
                open ? tr("Nobody can begin this exam until it is opened again. Who sits at it goes on.")
                     : tr("Whoever it is for can begin this exam from now on."));
        row->pack = exam->pack.text;
    }
}

/* Of QUERY_EXAMS and QUERY_HANDED_IN. */
enum { COLUMN_SESSION = 0, COLUMN_NAME = 2, COLUMN_OPTIONS = 3, COLUMN_BEGUN = 4 };
enum { COLUMN_QUESTIONS = 8, COLUMN_ANSWERED = 9, COLUMN_HANDED_IN = 6 };

static bool keep_first(void *context, const char *element)
{
    buffer_text(context, element ? element : "");
    return false;
}

/* "Ana: A tour of quiztutor" */
static const char *whose(struct menu *menu, struct rows *rows)
{
    struct error error;
    struct buffer id;
    buffer_init(&id);
    store_json_each(menu->kiosk->store, rows_text(rows, COLUMN_OPTIONS), "$.packs", keep_first, &id, &error);
    const struct pack *pack = kiosk_packs_find(menu->kiosk->packs, buffer_get(&id));
    const char *text = arena_print(&menu->arena, "%s: %s", rows_text(rows, COLUMN_NAME),
                                   pack ? pack->title : buffer_get(&id));
    buffer_finish(&id);
    return text;
}

static void fill_sittings(struct menu *menu, bool handed_in)
{
    struct kiosk *kiosk = menu->kiosk;
    struct store_value everybody = store_value_null();
    int64_t since = clock_wall(&kiosk->setup.clock) - MENU_DAY_MS;
    struct error error;
    struct rows *rows;
    if (!kiosk->store || !kiosk->packs ||
        !rows_open(&rows, kiosk->store, handed_in ? QUERY_HANDED_IN : QUERY_EXAMS, &everybody, 1, &error))
        return;
    while (menu->count < MENU_MOST - 3 && rows_step(rows, &error) == 1) {
        struct menu_row *row;
        if (handed_in && rows_integer(rows, COLUMN_HANDED_IN) < since)
            continue;
        if (handed_in)
            row = add(
                menu, MENU_REOPEN, whose(menu, rows),
                arena_print(&menu->arena, tr("handed in %s"),
                            moment(menu, rows_integer(rows, COLUMN_HANDED_IN))),
                tr("reopen"),
                arena_print(&menu->arena, tr("They can go on with this exam for %d minutes."), MENU_MINUTES));
        else
            row = add(menu, MENU_EXTEND, whose(menu, rows),
                      arena_print(&menu->arena, tr("%d of %d"), (int)rows_integer(rows, COLUMN_ANSWERED),
                                  (int)rows_integer(rows, COLUMN_QUESTIONS)),
                      arena_print(&menu->arena, tr("%d more minutes"), MENU_MINUTES),
                      arena_print(&menu->arena, tr("They get %d more minutes for this exam."), MENU_MINUTES));
        rows_uuid(rows, COLUMN_SESSION, &row->session);
    }
    rows_close(rows);
}

static void fill(struct menu *menu)
{
    struct kiosk *kiosk = menu->kiosk;
    arena_finish(&menu->arena);
    arena_init(&menu->arena);
    menu->count = 0;
    fill_exams(menu);
    fill_sittings(menu, false);
    fill_sittings(menu, true);
    if (kiosk->flow.state == KIOSK_SERVE)
        add(menu, MENU_SIGN_OUT, arena_print(&menu->arena, tr("%s is signed in"), kiosk->name), NULL,
            tr("sign out"),
            tr("They are signed out. Everything that was stored is kept, and can be gone on with."));
    add(menu, MENU_MACHINE, tr("This machine"), NULL, tr("show"), NULL);
    add(menu, MENU_LEAVE, tr("Leave the kiosk"), NULL, tr("leave"),
        tr("The program ends. Where nothing else is started in its place, this machine is open to whoever "
           "sits "
           "at it."));
    menu->model = kiosk->model;
    menu->model.learner = NULL;
    menu->model.countdown = 0;
    menu->model.choices = menu->choices;
    menu->model.choice_count = menu->count;
}

static void show_machine(struct menu *menu)
{
    const struct kiosk *kiosk = menu->kiosk;
    struct buffer out;
    buffer_init(&out);
    if (lock_holds(&kiosk->lock))
        buffer_text(&out, tr("Locked in by the kernel."));
    else
        buffer_print(&out, "%s %s", kiosk->lock.folders_why, kiosk->lock.calls_why);
    if (kiosk->config)
        buffer_print(&out, "\n\n%s\n%s", kiosk->config->path, kiosk->config->store);
    if (kiosk->packs)
        buffer_print(&out, ntr("\n\n%d pack, ", "\n\n%d packs, ", (int)kiosk->packs->count),
                     (int)kiosk->packs->count);
    buffer_print(&out,
                 ntr("%d learner on the roster.", "%d learners on the roster.", (int)kiosk->people.count),
                 (int)kiosk->people.count);
    if (kiosk->flow.state == KIOSK_CALL && kiosk->trouble.length)
        buffer_print(&out, "\n\n%s", buffer_get(&kiosk->trouble));
    snprintf(menu->notice, sizeof menu->notice, "%s", buffer_get(&out));
    buffer_finish(&out);
    menu->view.notice = menu->notice;
    view_open(&menu->view, OVERLAY_NOTICE);
}

/* What is done is on record first; where that can't be, a tutor gets in all the same. */
static void note(struct menu *menu, const char *what)
{
    struct kiosk *kiosk = menu->kiosk;
    struct error unnoted;
    kiosk_journal_write(&kiosk->journal, KIOSK_JOURNAL_TUTOR, what);
    if (kiosk->store)
        tending_tell(kiosk->store, &kiosk->setup.clock, what, NULL, &unnoted);
}

static void tell(struct menu *menu, const char *text)
{
    snprintf(menu->notice, sizeof menu->notice, "%s", text);
    menu->view.notice = menu->notice;
    view_open(&menu->view, OVERLAY_NOTICE);
}

/* What changes an exam; the change itself is the event. */
static void tend(struct menu *menu, const struct menu_row *row)
{
    struct kiosk *kiosk = menu->kiosk;
    struct error error;
    struct uuid as;
    bool done;
    if (row->act == MENU_EXTEND)
        done = tending_extend(kiosk->store, &kiosk->setup.clock, &row->session, MENU_MINUTES, &error);
    else if (row->act == MENU_REOPEN)
        done = tending_reopen(kiosk->store, &kiosk->setup.clock, &row->session, MENU_MINUTES, &as, &error);
    else
        done = tending_set_exam(kiosk->store, &kiosk->setup.clock, row->pack, row->act == MENU_OPEN, &error);
    static const char *const words[] = { [MENU_OPEN] = "exam opened",
                                         [MENU_LOCK] = "exam locked",
                                         [MENU_EXTEND] = "minutes added",
                                         [MENU_REOPEN] = "exam reopened" };
    if (done)
        kiosk_journal_write(&kiosk->journal, KIOSK_JOURNAL_TUTOR, words[row->act]);
    if (!done)
        tell(menu, error.message);
    else
        menu->view.flash = tr("done");
}

static void choose(struct menu *menu, const struct menu_row *row)
{
    switch (row->act) {
    case MENU_OPEN:
    case MENU_LOCK:
    case MENU_EXTEND:
    case MENU_REOPEN:
        tend(menu, row);
        break;
    case MENU_SIGN_OUT:
        note(menu, "signed-out");
        menu->says = GUARD_END;
        menu->done = true;
        break;
    case MENU_MACHINE:
        note(menu, "looked");
        show_machine(menu);
        break;
    case MENU_LEAVE:
        note(menu, "left");
        kiosk_flow_leave(&menu->kiosk->flow);
        menu->says = GUARD_END;
        menu->done = true;
        break;
    }
}

static void perform(struct menu *menu, const struct effect *effect)
{
    if (effect->kind == EFFECT_BACK)
        menu->done = true;
    if (effect->kind == EFFECT_REDRAW)
        terminal_redraw(menu->kiosk->terminal);
    if (effect->kind != EFFECT_CHOOSE || effect->row >= menu->count)
        return;
    const struct menu_row row = menu->rows[effect->row];
    choose(menu, &row);
    fill(menu);
}

enum guard_says kiosk_menu(struct kiosk *kiosk)
{
    struct menu *menu = memory_zero(sizeof *menu);
    int rows, columns;
    if (!menu)
        return GUARD_GO_ON;
    menu->kiosk = kiosk;
    arena_init(&menu->arena);
    terminal_size(kiosk->terminal, &rows, &columns);
    view_init(&menu->view, terminal_signs(kiosk->terminal), rows, columns);
    menu->view.kiosk = &menu->model;
    note(menu, "menu");
    fill(menu);
    view_show(&menu->view, SCREEN_MENU);
    terminal_flush(kiosk->terminal);
    int64_t idle = kiosk->config ? kiosk->config->idle * (int64_t)60000 : 60000;
    while (!menu->done) {
        struct input input;
        struct effect effect;
        kiosk_follow(kiosk, false);
        if (menu->view.overlay == OVERLAY_NONE)
            fill(menu);
        enum overlay before = menu->view.overlay;
        if (!kiosk_input(kiosk, &menu->view, &input)) {
            menu->says = GUARD_END;
            break;
        }
        if (kiosk_now(kiosk) - kiosk->flow.active >= idle)
            break; /* a menu that was left open closes by itself */
        view_update(&menu->view, &input, &effect);
        perform(menu, &effect);
        if (menu->view.overlay != before && menu->view.overlay != OVERLAY_NONE)
            terminal_flush(kiosk->terminal);
    }
    enum guard_says says = menu->says;
    arena_finish(&menu->arena);
    memory_free(menu);
    return says;
}

/* Whether the code that was typed is right; the note says why not. */
static bool is_right(struct kiosk *kiosk, const char *typed)
{
    const char *kept = kiosk->config ? kiosk->config->tutor_code : NULL;
    enum pin_outcome outcome = PIN_OUTCOME_UNSET;
    struct pin_state state = { 0 };
    struct error error = { 0 };
    if (!kept) {
        snprintf(kiosk->note, sizeof kiosk->note, "%s", tr("The configuration has no tutor_code."));
        return false;
    }
    if (!pin_try_code(kiosk->store, &kiosk->setup.clock, &kiosk->code_count, kept, typed,
                      (ptrdiff_t)strlen(typed), &outcome, &state, &error)) {
        snprintf(kiosk->note, sizeof kiosk->note, tr("This can't be looked at: %s."), error.message);
        return false;
    }
    if (outcome == PIN_OUTCOME_RIGHT)
        return true;
    kiosk_journal_write(&kiosk->journal, KIOSK_JOURNAL_CODE_REFUSED, NULL);
    kiosk_note_wait(kiosk, (int)((state.wait_ms + 999) / 1000));
    if (!kiosk->note[0])
        snprintf(kiosk->note, sizeof kiosk->note, "%s", tr("That was not it."));
    return false;
}

enum guard_says kiosk_code(void *context, struct view *view)
{
    struct kiosk *kiosk = context;
    bool right = is_right(kiosk, view->field);
    view_wipe(view);
    terminal_flush(kiosk->terminal);
    if (!right) {
        kiosk->model.secret_note = kiosk->note;
        return GUARD_GO_ON;
    }
    kiosk->note[0] = '\0';
    kiosk->model.secret_note = NULL;
    view_close(view);
    enum guard_says says = kiosk_menu(kiosk);
    terminal_size(kiosk->terminal, &view->rows, &view->columns);
    return says;
}
