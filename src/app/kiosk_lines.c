/* A kiosk in lines: for screen readers, braille and serial lines, all of it or for who practises so. */
#include "kiosk_lines.h"

#include <quiztutor/message.h>

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* What one learner has read and typed is not left for the next one to read. */
static void talk_clear(struct talk *talk)
{
    const char *term = getenv("TERM");
    if (talk->restores && term && strcmp(term, "dumb") != 0)
        buffer_text(&talk->out, "\033[H\033[2J\033[3J");
}

static enum guard_says tutor(void *context, struct line_reader *in, const char *stake)
{
    struct kiosk *kiosk = context;
    return kiosk->talk ? talk_tutor(kiosk->talk, in, stake) : GUARD_GO_ON;
}

static void talk_init(struct talk *talk, struct kiosk *kiosk, bool visit)
{
    memset(talk, 0, sizeof *talk);
    talk->kiosk = kiosk;
    talk->visit = visit;
    talk->lines.application = &kiosk->application;
    talk->in = &talk->own;
    line_init(&talk->own, STDIN_FILENO);
    buffer_init(&talk->out);
    talk->restores = tcgetattr(STDIN_FILENO, &talk->before) == 0;
    talk_echo(talk, true);
    talk_clear(talk);
    kiosk->talk = talk;
}

static void talk_finish(struct talk *talk)
{
    talk->kiosk->talk = NULL;
    if (talk->restores)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &talk->before);
    talk_forget(talk);
    line_finish(&talk->own);
    buffer_finish(&talk->out);
}

bool talk_say(struct talk *talk)
{
    if (line_write(STDOUT_FILENO, &talk->out, NULL))
        return true;
    talk->kiosk->hung_up = true;
    return false;
}

/* Whoever asked for lines and went away leaves the screens to the next one. */
static bool is_left(const struct talk *talk)
{
    const struct kiosk *kiosk = talk->kiosk;
    int64_t idle = kiosk->flow.idle > 0 ? kiosk->flow.idle : KIOSK_VISIT_MS;
    return talk->visit && kiosk_now(kiosk) - kiosk->flow.active >= idle;
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
    talk->leaves = talk->leaves || is_left(talk);
    return kiosk->hung_up || talk->leaves || !kiosk_load(kiosk, &anew) || kiosk->flow.state != state ||
           (anew && state == KIOSK_CALL) || kiosk_flow_tick(&kiosk->flow, false, kiosk_now(kiosk));
}

static bool idle(void *context)
{
    return lines_guard_over(&((struct talk *)context)->lines);
}

const char *talk_hear(struct talk *talk, bool (*over)(void *))
{
    ptrdiff_t length;
    const char *line = line_read_before(talk->in, &length, over, talk);
    if (line) {
        kiosk_flow_input(&talk->kiosk->flow, kiosk_now(talk->kiosk));
        return length <= VIEW_FIELD - 1 && strlen(line) == (size_t)length ? line : "";
    }
    if (talk->in->ended) { /* ^D, or nobody is there any more */
        struct pollfd end = { .fd = STDIN_FILENO, .events = POLLIN };
        talk->in->ended = false;
        bool gone =
            !talk->restores || (poll(&end, 1, 0) > 0 && (end.revents & (POLLHUP | POLLERR | POLLNVAL)));
        talk->kiosk->hung_up = talk->kiosk->hung_up || gone;
        return gone ? NULL : "";
    }
    return NULL;
}

const char *talk_hear_secret(struct talk *talk, bool (*over)(void *))
{
    talk_echo(talk, false);
    const char *typed = talk_say(talk) ? talk_hear(talk, over) : NULL;
    talk_echo(talk, true);
    return typed;
}

void talk_forget(struct talk *talk)
{
    explicit_bzero(talk->in->bytes, sizeof talk->in->bytes);
    if (talk->in->line.data)
        explicit_bzero(talk->in->line.data, (size_t)talk->in->line.length);
}

/* ---- sign-in ---- */

static void call(struct talk *talk)
{
    buffer_print(&talk->out, "\n%s\n%s\n%s\n", tr("Please call your tutor."),
                 tr("This machine can't go on until this is put right:"),
                 talk->kiosk->model.trouble ? talk->kiosk->model.trouble : "");
    if (!talk_say(talk))
        return;
    const char *typed = talk_hear(talk, changed);
    if (typed && strcmp(typed, ":tutor") == 0)
        talk_tutor(talk, talk->in, NULL);
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
        const char *typed = talk_hear_secret(talk, changed);
        if (!typed || !*typed)
            kiosk_flow_out(&kiosk->flow, kiosk_now(kiosk));
        else if (!kiosk_try_pin(kiosk, typed, &error))
            kiosk_note_wait(kiosk, kiosk_flow_wait(&kiosk->flow, kiosk_now(kiosk)));
        talk_forget(talk);
    }
}

static void sign_in(struct talk *talk)
{
    struct kiosk *kiosk = talk->kiosk;
    struct error error = { 0 };
    kiosk_between(kiosk);
    kiosk_follow(kiosk, false);
    buffer_print(&talk->out, "\n%s\n", kiosk->clock);
    if (kiosk->model.banner)
        buffer_print(&talk->out, "%s\n", kiosk->model.banner);
    if (kiosk->config->welcome)
        buffer_print(&talk->out, "%s\n", kiosk->config->welcome);
    if (talk->visit)
        buffer_print(&talk->out, "%s\n", tr("q goes back to the screens."));
    for (;;) {
        buffer_print(&talk->out, "%s> ", tr("Your name or ID "));
        if (!talk_say(talk))
            return;
        const char *typed = talk_hear(talk, changed);
        if (!typed)
            return;
        if (!*typed)
            continue;
        if (strcmp(typed, ":tutor") == 0) {
            talk_tutor(talk, talk->in, NULL);
            return;
        }
        if (talk->visit && strcmp(typed, "q") == 0) {
            talk->leaves = true;
            return;
        }
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

static bool go_on(const struct kiosk *kiosk)
{
    return kiosk->flow.state == KIOSK_SERVE && !kiosk->hung_up && !kiosk->signed_out;
}

/* One line to the list of what can be done: false where they are done. */
static bool hear_choice(struct talk *talk, const struct guard_offer *offers, int count, struct error *error)
{
    struct kiosk *kiosk = talk->kiosk;
    const char *typed = talk_hear(talk, idle);
    if (!typed || strcmp(typed, "q") == 0)
        return false;
    if (strcmp(typed, ":tutor") == 0)
        return talk_tutor(talk, talk->in, NULL) != GUARD_END;
    int number = 0;
    for (const char *at = typed; *at >= '0' && *at <= '9' && number <= count; at++)
        number = number * 10 + (*at - '0');
    return number < 1 || number > count || take(talk, &offers[number - 1], error) || !go_on(kiosk);
}

static bool talk_serve(struct talk *talk, struct error *error)
{
    struct kiosk *kiosk = talk->kiosk;
    const struct guard_offer *offers;
    int count;
    while (go_on(kiosk)) {
        if (!kiosk_offers(kiosk, &offers, &count, error))
            return false;
        list(talk, offers, count);
        if (!talk_say(talk))
            return true;
        if (!hear_choice(talk, offers, count, error))
            return !error->code;
    }
    return true;
}

static void serve(struct talk *talk)
{
    struct kiosk *kiosk = talk->kiosk;
    struct error why = { 0 };
    kiosk_signed_in(kiosk);
    kiosk_serve_set(kiosk);
    bool done = talk_serve(talk, &why);
    if (kiosk->flow.state == KIOSK_LEFT || kiosk->hung_up)
        return;
    talk_clear(talk);
    if (!done)
        buffer_print(&talk->out, "%s\n", why.message);
    buffer_print(&talk->out, "%s\n", tr("Signed out."));
    kiosk_signed_out(kiosk);
}

/* What comes next of it. */
static void talk_step(struct talk *talk)
{
    switch (talk->kiosk->flow.state) {
    case KIOSK_CALL:
        call(talk);
        break;
    case KIOSK_PIN:
        ask_pin(talk);
        break;
    case KIOSK_SIGN_IN:
        sign_in(talk);
        break;
    case KIOSK_SERVE:
        serve(talk);
        break;
    case KIOSK_LEFT:
        break;
    }
}

static bool is_over(const struct kiosk *kiosk)
{
    return kiosk->hung_up || kiosk->again || kiosk->flow.state == KIOSK_LEFT;
}

void kiosk_lines_guard(struct kiosk *kiosk)
{
    kiosk->guard.tutor = tutor;
}

bool kiosk_lines_visit(struct kiosk *kiosk, struct error *error)
{
    struct talk talk;
    bool served = false;
    terminal_close(kiosk->terminal); /* they have the terminal to themselves */
    kiosk->terminal = NULL;
    talk_init(&talk, kiosk, true);
    while (!is_over(kiosk) && !talk.leaves && !served && kiosk_reads(kiosk) == ROSTER_LINES &&
           kiosk->flow.state != KIOSK_CALL) {
        bool somebody = kiosk->flow.state == KIOSK_SERVE;
        talk_step(&talk);
        served = somebody && kiosk->flow.state != KIOSK_SERVE;
    }
    talk_say(&talk);
    talk_finish(&talk);
    kiosk_flow_out(&kiosk->flow, kiosk_now(kiosk));
    if (!is_over(kiosk))
        return kiosk_open_terminal(kiosk, error);
    return true;
}

bool kiosk_lines(struct kiosk *kiosk, struct error *error)
{
    struct talk talk;
    (void)error;
    talk_init(&talk, kiosk, false);
    while (!is_over(kiosk))
        talk_step(&talk);
    talk_say(&talk);
    talk_finish(&talk);
    return true;
}
