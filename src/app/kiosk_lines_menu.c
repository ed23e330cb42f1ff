/* A tutor's menu in lines: `:tutor`, the code, then the rows by their numbers. */
#include "kiosk_lines.h"
#include "kiosk_menu.h"

#include <quiztutor/message.h>

#include <string.h>

/* A tutor who has gone away leaves the menu to nobody. */
static bool left(void *context)
{
    struct talk *talk = context;
    const struct menu menu = { .kiosk = talk->kiosk };
    if (lock_ending())
        talk->kiosk->hung_up = true;
    return talk->kiosk->hung_up || menu_is_left(&menu);
}

static bool ask_code(struct talk *talk)
{
    struct kiosk *kiosk = talk->kiosk;
    bool right = false;
    kiosk->note[0] = '\0';
    while (!right && !kiosk->hung_up) {
        if (kiosk->note[0])
            buffer_print(&talk->out, "%s\n", kiosk->note);
        buffer_print(&talk->out, "%s> ", tr("The tutor's code; Enter alone goes back "));
        const char *typed = talk_hear_secret(talk, left);
        bool back = !typed || !*typed;
        right = !back && menu_code(kiosk, typed);
        talk_forget(talk);
        if (back)
            return false;
    }
    return right;
}

static void list(struct talk *talk, const struct menu *menu)
{
    struct kiosk *kiosk = talk->kiosk;
    buffer_print(&talk->out, "\n%s, %s\n", tr("Tutor's menu"), kiosk->clock);
    if (kiosk->model.banner)
        buffer_print(&talk->out, "%s\n", kiosk->model.banner);
    for (int i = 0; i < menu->count; i++) {
        const struct kiosk_choice *choice = &menu->choices[i];
        buffer_print(&talk->out, "  %d) %s%s%s: %s\n", i + 1, choice->text, choice->state ? ", " : "",
                     choice->state ? choice->state : "", choice->does);
    }
    buffer_print(&talk->out, "%s> ", tr("A number; Enter alone goes back "));
}

/* Whether what the row does is meant. */
static bool ask(struct talk *talk, const char *question)
{
    if (!question)
        return true;
    buffer_print(&talk->out, "%s\n%s> ", question, tr("y does it, Enter alone leaves it as it is "));
    if (!talk_say(talk))
        return false;
    const char *typed = talk_hear(talk, left);
    return typed && (*typed == 'y' || *typed == 'Y') && !typed[1];
}

static int number_of(const char *typed, int most)
{
    int number = 0;
    for (; *typed >= '0' && *typed <= '9' && number <= most; typed++)
        number = number * 10 + (*typed - '0');
    return *typed || number > most ? 0 : number;
}

static void run(struct talk *talk, struct menu *menu)
{
    struct kiosk *kiosk = talk->kiosk;
    while (!menu->done && !kiosk->hung_up) {
        kiosk_follow(kiosk, kiosk->unstored);
        menu_fill(menu);
        list(talk, menu);
        if (!talk_say(talk))
            return;
        const char *typed = talk_hear(talk, left);
        if (!typed || !*typed || strcmp(typed, "q") == 0)
            return;
        int number = number_of(typed, menu->count);
        if (!number || !ask(talk, menu->choices[number - 1].ask))
            continue;
        menu_choose(menu, number - 1);
        buffer_print(&talk->out, "%s\n", menu->told[0] ? menu->told : tr("Done."));
    }
}

enum guard_says talk_tutor(struct talk *talk, struct line_reader *in, const char *stake)
{
    struct kiosk *kiosk = talk->kiosk;
    struct line_reader *before = talk->in;
    enum guard_says says = GUARD_GO_ON;
    struct menu *menu = memory_zero(sizeof *menu);
    talk->in = in;
    if (menu && ask_code(talk)) {
        menu_init(menu, kiosk, stake);
        run(talk, menu);
        says = menu->says;
        menu_finish(menu);
    }
    memory_free(menu);
    kiosk->note[0] = '\0';
    talk_say(talk);
    talk->in = before;
    return kiosk->hung_up ? GUARD_END : says;
}
