/* A kiosk in lines: for screen readers, braille and serial lines, all of it or for who practises so. */
#include "kiosk.h"
#include "lines.h"

#include <quiztutor/message.h>

#include <poll.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

/* A conversation over the terminal, whose keys mean nothing but themselves while it lasts. */
struct talk {
    struct kiosk *kiosk;
    struct line_reader in;
    struct buffer out;
    struct termios before;
    bool restores;
    struct lines lines; /* for what a guard tells who is idle */
};

static void talk_echo(const struct talk *talk, bool echo)
{
    struct termios modes = talk->before;
    if (!talk->restores)
        return;
    modes.c_lflag &= ~(tcflag_t)(ISIG | (echo ? 0 : ECHO));
    modes.c_lflag |= ICANON | (echo ? ECHO : ECHONL);
    modes.c_iflag &= ~(tcflag_t)(IXON | IXOFF);
    modes.c_iflag |= ICRNL;
    tcsetattr(STDIN_FILENO, echo ? TCSANOW : TCSAFLUSH, &modes);
}

static void talk_init(struct talk *talk, struct kiosk *kiosk)
{
    memset(talk, 0, sizeof *talk);
    talk->kiosk = kiosk;
    talk->lines.application = &kiosk->application;
    line_init(&talk->in, STDIN_FILENO);
    buffer_init(&talk->out);
    talk->restores = tcgetattr(STDIN_FILENO, &talk->before) == 0;
    talk_echo(talk, true);
}

static void talk_finish(struct talk *talk)
{
    if (talk->restores)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &talk->before);
    explicit_bzero(talk->in.bytes, sizeof talk->in.bytes);
    line_finish(&talk->in);
    buffer_finish(&talk->out);
}

static bool say(struct talk *talk)
{
    if (line_write(STDOUT_FILENO, &talk->out, NULL))
        return true;
    talk->kiosk->hung_up = true;
    return false;
}

/* Asked once a second while nobody is signed in: whether to stop waiting for a line. */
static bool changed(void *context)
{
    struct talk *talk = context;
    struct kiosk *kiosk = talk->kiosk;
    enum kiosk_state state = kiosk->flow.state;
    bool anew;
    if (lock_ending())
        kiosk->hung_up = true;
    return kiosk->hung_up || !kiosk_load(kiosk, &anew) || kiosk->flow.state != state ||
           (anew && state == KIOSK_CALL) || kiosk_flow_tick(&kiosk->flow, false, kiosk_now(kiosk));
}

static bool idle(void *context)
{
    return lines_guard_over(&((struct talk *)context)->lines);
}

/* The next line; NULL: something has changed, or it is over (kiosk->hung_up). */
static const char *hear(struct talk *talk, bool (*over)(void *))
{
    ptrdiff_t length;
    const char *line = line_read_before(&talk->in, &length, over, talk);
    if (line) {
        kiosk_flow_input(&talk->kiosk->flow, kiosk_now(talk->kiosk));
        return length <= VIEW_FIELD - 1 && strlen(line) == (size_t)length ? line : "";
    }
    if (talk->in.ended) { /* ^D, or nobody is there any more */
        struct pollfd end = { .fd = STDIN_FILENO, .events = POLLIN };
        talk->in.ended = false;
        bool gone =
            !talk->restores || (poll(&end, 1, 0) > 0 && (end.revents & (POLLHUP | POLLERR | POLLNVAL)));
        talk->kiosk->hung_up = talk->kiosk->hung_up || gone;
        return gone ? NULL : "";
    }
    return NULL;
}

/* ---- sign-in ---- */

static void call(struct talk *talk)
{
    buffer_print(&talk->out, "\n%s\n%s\n%s\n", tr("Please call your tutor."),
                 tr("This machine can't go on until this is put right:"),
                 talk->kiosk->model.trouble ? talk->kiosk->model.trouble : "");
    if (say(talk))
        hear(talk, changed);
}

static void ask_pin(struct talk *talk)
{
    struct kiosk *kiosk = talk->kiosk;
    struct error error = { 0 };
    kiosk_note_wait(kiosk, kiosk_flow_wait(&kiosk->flow, kiosk_now(kiosk)));
    while (kiosk->flow.state == KIOSK_PIN && !kiosk->hung_up) {
        if (kiosk->note[0])
            buffer_print(&talk->out, "%s\n", kiosk->note);
        buffer_print(&talk->out, "%s> ", tr("Your PIN; Enter alone goes back "));
        if (!say(talk))
            break;
        talk_echo(talk, false);
        const char *typed = hear(talk, changed);
        if (!typed || !*typed)
            kiosk_flow_out(&kiosk->flow, kiosk_now(kiosk));
        else if (!kiosk_try_pin(kiosk, typed, &error))
            kiosk_note_wait(kiosk, kiosk_flow_wait(&kiosk->flow, kiosk_now(kiosk)));
        explicit_bzero(talk->in.bytes, sizeof talk->in.bytes);
        if (talk->in.line.data)
            explicit_bzero(talk->in.line.data, (size_t)talk->in.line.length);
        talk_echo(talk, true);
    }
}

static void sign_in(struct talk *talk)
{
    struct kiosk *kiosk = talk->kiosk;
    struct error error = { 0 };
    kiosk_follow(kiosk, false);
    buffer_print(&talk->out, "\n%s\n", kiosk->clock);
    if (kiosk->model.banner)
        buffer_print(&talk->out, "%s\n", kiosk->model.banner);
    if (kiosk->config->welcome)
        buffer_print(&talk->out, "%s\n", kiosk->config->welcome);
    for (;;) {
        buffer_print(&talk->out, "%s> ", tr("Your name or ID "));
        if (!say(talk))
            return;
        const char *typed = hear(talk, changed);
        if (!typed)
            return;
        if (!*typed)
            continue;
        enum kiosk_answer answer = kiosk_say_name(kiosk, typed, &error);
        if (answer == KIOSK_ANSWER_WELCOME || answer == KIOSK_ANSWER_ASK_PIN)
            return;
        buffer_print(&talk->out, "%s\n", kiosk->remark);
    }
}

/* ---- who is signed in ---- */

static void list(struct talk *talk, const struct guard_offer *offers, int count)
{
    struct kiosk *kiosk = talk->kiosk;
    kiosk_follow(kiosk, false);
    buffer_print(&talk->out, "\n%s, %s\n", kiosk->name, kiosk->clock);
    if (kiosk->model.banner)
        buffer_print(&talk->out, "%s\n", kiosk->model.banner);
    for (int i = 0; i < count; i++)
        buffer_print(&talk->out, "  %d) %s%s%s\n", i + 1, offers[i].pack->title, offers[i].exam ? ", " : "",
                     offers[i].exam ? offers[i].exam : "");
    if (!count)
        buffer_print(&talk->out, "%s\n", tr("There is nothing to do here now."));
    buffer_print(&talk->out, "%s> ", tr("A number, or q to sign out "));
}

static bool take(struct talk *talk, const struct guard_offer *offer, struct error *error)
{
    struct application *application = &talk->kiosk->application;
    const struct pack *packs[] = { offer->pack };
    application->options.packs = packs;
    application->options.pack_count = 1;
    application->exam = offer->exam != NULL;
    application->exam_minutes = offer->minutes;
    application->wish = offer->exam ? WISH_RESUME : WISH_ASK;
    bool done = lines_run(application, false, error);
    application->options.packs = NULL;
    application->options.pack_count = 0;
    return done;
}

static bool talk_serve(struct talk *talk, struct error *error)
{
    struct kiosk *kiosk = talk->kiosk;
    const struct guard_offer *offers;
    int count;
    while (kiosk->flow.state == KIOSK_SERVE && !kiosk->hung_up) {
        if (!kiosk_offers(kiosk, &offers, &count, error))
            return false;
        list(talk, offers, count);
        if (!say(talk))
            return true;
        const char *typed = hear(talk, idle);
        if (!typed || strcmp(typed, "q") == 0)
            return true;
        int number = 0;
        for (const char *at = typed; *at >= '0' && *at <= '9' && number <= count; at++)
            number = number * 10 + (*at - '0');
        if (number >= 1 && number <= count && !take(talk, &offers[number - 1], error))
            return false;
    }
    return true;
}

bool kiosk_lines_serve(struct kiosk *kiosk, struct error *error)
{
    struct talk talk;
    bool screens = kiosk->terminal != NULL;
    if (screens) { /* they have the terminal to themselves */
        terminal_close(kiosk->terminal);
        kiosk->terminal = NULL;
        kiosk_serve_set(kiosk);
    }
    talk_init(&talk, kiosk);
    bool done = talk_serve(&talk, error);
    buffer_print(&talk.out, "%s\n", tr("Signed out."));
    say(&talk);
    talk_finish(&talk);
    if (screens && !kiosk->hung_up && !kiosk_open_terminal(kiosk, error))
        kiosk->hung_up = true;
    return done;
}

bool kiosk_lines(struct kiosk *kiosk, struct error *error)
{
    struct talk talk;
    (void)error;
    talk_init(&talk, kiosk);
    while (!kiosk->hung_up && !kiosk->again) {
        if (kiosk->flow.state == KIOSK_CALL)
            call(&talk);
        else if (kiosk->flow.state == KIOSK_PIN)
            ask_pin(&talk);
        else if (kiosk->flow.state == KIOSK_SIGN_IN)
            sign_in(&talk);
        if (kiosk->flow.state != KIOSK_SERVE || kiosk->hung_up)
            continue;
        struct error why = { 0 };
        kiosk_serve_set(kiosk);
        if (!talk_serve(&talk, &why))
            buffer_print(&talk.out, "%s\n", why.message);
        buffer_print(&talk.out, "%s\n", tr("Signed out."));
        kiosk_flow_out(&kiosk->flow, kiosk_now(kiosk));
    }
    say(&talk);
    talk_finish(&talk);
    return true;
}
