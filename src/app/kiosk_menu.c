/* A tutor's menu: what its rows are, and what they do. Each use of it is an event. */
#include "kiosk_menu.h"

#include <quiztutor/message.h>
#include <quiztutor/tending.h>

#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <time.h>

enum { MENU_MINUTES = 5, MENU_DAY_MS = 86400000, MENU_MEGABYTE = 1000000 };

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

/* A question, and what would be lost by its yes. */
static const char *at_stake(struct menu *menu, const char *question)
{
    return menu->stake ? arena_print(&menu->arena, "%s\n\n%s", question, menu->stake) : question;
}

void menu_fill(struct menu *menu)
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
            at_stake(
                menu,
                tr("They are signed out. Everything that was stored is kept, and can be gone on with.")));
    add(menu, MENU_MACHINE, tr("This machine"), NULL, tr("show"), NULL);
    add(menu, MENU_LEAVE, tr("Leave the kiosk"), NULL, tr("leave"),
        at_stake(menu, tr("The program ends. Where nothing else is started in its place, this machine is "
                          "open to whoever sits at it.")));
}

/* ---- what they do ---- */

static void lay_store(const struct menu *menu, struct buffer *out)
{
    const struct kiosk *kiosk = menu->kiosk;
    struct statvfs disk;
    char *folder = kiosk->config ? memory_text(kiosk->config->store) : NULL;
    if (menu->stake)
        buffer_print(out, "%s\n", tr("Something waits to be stored."));
    if (folder && strrchr(folder, '/'))
        strrchr(folder, '/')[1] = '\0';
    if (folder && statvfs(folder, &disk) == 0) {
        long long left = (long long)disk.f_bavail * (long long)disk.f_frsize / MENU_MEGABYTE;
        buffer_print(out, ntr("%lld MB is left on the disk.\n", "%lld MB are left on the disk.\n", left),
                     left);
    }
    memory_free(folder);
}

static void show_machine(struct menu *menu)
{
    struct kiosk *kiosk = menu->kiosk;
    struct buffer out;
    buffer_init(&out);
    buffer_print(&out, "quiztutor %s\n", QUIZTUTOR_VERSION);
    lay_store(menu, &out);
    if (kiosk->model.banner)
        buffer_print(&out, "%s\n", kiosk->model.banner);
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
    snprintf(menu->told, sizeof menu->told, "%s", buffer_get(&out));
    buffer_finish(&out);
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

/* What changes an exam; the change itself is the event. */
static void tend(struct menu *menu, const struct menu_row *row)
{
    static const char *const words[] = { [MENU_OPEN] = "exam opened",
                                         [MENU_LOCK] = "exam locked",
                                         [MENU_EXTEND] = "minutes added",
                                         [MENU_REOPEN] = "exam reopened" };
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
    if (done)
        kiosk_journal_write(&kiosk->journal, KIOSK_JOURNAL_TUTOR, words[row->act]);
    else
        snprintf(menu->told, sizeof menu->told, "%s", error.message);
}

void menu_choose(struct menu *menu, int row)
{
    const struct menu_row chosen = menu->rows[row];
    menu->told[0] = '\0';
    switch (chosen.act) {
    case MENU_OPEN:
    case MENU_LOCK:
    case MENU_EXTEND:
    case MENU_REOPEN:
        tend(menu, &chosen);
        break;
    case MENU_SIGN_OUT:
        note(menu, "signed-out");
        menu->kiosk->signed_out = menu->done = true;
        menu->says = GUARD_END;
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
    menu_fill(menu);
}

void menu_init(struct menu *menu, struct kiosk *kiosk, const char *stake)
{
    menu->kiosk = kiosk;
    menu->stake = stake;
    arena_init(&menu->arena);
    note(menu, "menu");
    menu_fill(menu);
}

void menu_finish(struct menu *menu)
{
    arena_finish(&menu->arena);
}

bool menu_is_left(const struct menu *menu)
{
    const struct kiosk *kiosk = menu->kiosk;
    int64_t idle = kiosk->config ? kiosk->config->idle * (int64_t)60000 : 0;
    return kiosk_now(kiosk) - kiosk->flow.active >= (idle ? idle : MENU_IDLE_MS);
}

bool menu_code(struct kiosk *kiosk, const char *typed)
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
    kiosk->note[0] = '\0';
    if (outcome == PIN_OUTCOME_RIGHT)
        return true;
    kiosk_journal_write(&kiosk->journal, KIOSK_JOURNAL_CODE_REFUSED, NULL);
    kiosk_note_wait(kiosk, (int)((state.wait_ms + 999) / 1000));
    if (!kiosk->note[0])
        snprintf(kiosk->note, sizeof kiosk->note, "%s", tr("That was not it."));
    return false;
}
