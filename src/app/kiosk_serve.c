/* Who is signed in: what they are offered, how long they may sit there idle, and when it ends. */
#include "kiosk.h"

#include <quiztutor/message.h>
#include <quiztutor/tending.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { DAY_MS = 86400000 };

static struct practice_options options_of(const struct kiosk *kiosk)
{
    const struct kiosk_config *config = kiosk->config;
    return (struct practice_options){ .learner = kiosk->called,
                                      .roster_closed = config->roster == KIOSK_ROSTER_CLOSED,
                                      .mode = MODE_DUE,
                                      .origin = "kiosk",
                                      .new_per_day = config->new_per_day,
                                      .day_starts = config->day_starts,
                                      .certainty = config->certainty,
                                      .scheduling = &kiosk->scheduling };
}

/* ---- what is offered ---- */

/* Whether the learner has handed in an exam of this pack since the moment. */
static bool has_sat(struct kiosk *kiosk, const char *pack, int64_t since, bool *sat, struct error *error)
{
    struct store_value parameters[] = { store_value_text(pack), store_value_uuid(&kiosk->learner),
                                        store_value_null(),     store_value_integer(since),
                                        store_value_null(),     store_value_text("exam"),
                                        store_value_null() };
    struct rows *rows;
    *sat = false;
    if (uuid_is_zero(&kiosk->learner))
        return true;
    if (!rows_open(&rows, kiosk->store, QUERY_ATTEMPTS, parameters, 7, error))
        return false;
    int step = rows_step(rows, error);
    rows_close(rows);
    *sat = step == 1;
    return step >= 0;
}

/* Whether one of theirs is open: it is gone on with, whatever the window says. */
static bool is_open(struct kiosk *kiosk, const struct pack *pack, int minutes, bool *open,
                    struct error *error)
{
    struct practice_options options = options_of(kiosk);
    struct sitting sitting;
    struct sitting_open found = { 0 };
    options.packs = &pack;
    options.pack_count = 1;
    *open = false;
    if (uuid_is_zero(&kiosk->learner))
        return true;
    bool done = sitting_init(&sitting, kiosk->store, kiosk->setup.clock, &options, minutes, error) &&
                sitting_find_open(&sitting, &found, error);
    sitting_finish(&sitting);
    *open = found.found;
    return done;
}

/* "exam until 10:30", with the day where it is another one. */
static const char *until_text(struct kiosk *kiosk, int64_t until)
{
    const struct clock *clock = &kiosk->setup.clock;
    int64_t now = clock_wall(clock);
    int offset = clock_offset(clock, until);
    bool today = clock_day(until, offset, 0) == clock_day(now, clock_offset(clock, now), 0);
    time_t local = (time_t)(until / 1000 + offset);
    struct tm then;
    char text[40] = "";
    if (gmtime_r(&local, &then))
        strftime(text, sizeof text, today ? "%H:%M" : "%Y-%m-%d %H:%M", &then);
    return until > now ? arena_print(&kiosk->offers_arena, tr("exam until %s"), text)
                       : arena_print(&kiosk->offers_arena, "%s", tr("exam"));
}

static bool add_offer(struct kiosk *kiosk, int *count, const struct guard_offer *offer, struct error *error)
{
    if (!memory_grow(&kiosk->offers, &kiosk->offer_room, *count + 1, sizeof *kiosk->offers))
        return error_memory(error);
    kiosk->offers[(*count)++] = *offer;
    return true;
}

/* What a tutor has said of it lately: from a day before it begins on, or in the last day. */
int64_t kiosk_exam_since(const struct kiosk *kiosk, const struct kiosk_exam *exam)
{
    int64_t now = clock_wall(&kiosk->setup.clock);
    return (exam->from < now ? exam->from : now) - DAY_MS;
}

int kiosk_opened(const struct kiosk *kiosk, const struct kiosk_exam *exam, struct error *error)
{
    int said = tending_exam(kiosk->store, exam->pack.text, kiosk_exam_since(kiosk, exam), error);
    return said == 1 ? 1 : said == 0 ? -1 : said == -1 ? 0 : -2;
}

static bool add_exam(struct kiosk *kiosk, int *count, const struct kiosk_exam *exam, struct error *error)
{
    int64_t now = clock_wall(&kiosk->setup.clock);
    struct guard_offer offer = { kiosk_packs_find(kiosk->packs, exam->pack.text), NULL, exam->minutes };
    bool sat, open;
    if (!offer.pack || !lock_holds(&kiosk->lock))
        return true;
    int opened = kiosk_opened(kiosk, exam, error);
    if (opened < -1)
        return false;
    if (!has_sat(kiosk, offer.pack->id, kiosk_exam_since(kiosk, exam), &sat, error) ||
        !is_open(kiosk, offer.pack, exam->minutes, &open, error))
        return false;
    if (!open && !kiosk_flow_exam(exam, now, kiosk->groups, kiosk->group_count, opened, sat, true))
        return true;
    for (int i = 0; i < *count; i++)
        if (kiosk->offers[i].pack == offer.pack)
            return true; /* another window of the same exam */
    offer.exam = until_text(kiosk, exam->until);
    return offer.exam ? add_offer(kiosk, count, &offer, error) : error_memory(error);
}

bool kiosk_offers(void *context, const struct guard_offer **offers, int *count, struct error *error)
{
    struct kiosk *kiosk = context;
    *count = 0;
    arena_finish(&kiosk->offers_arena);
    arena_init(&kiosk->offers_arena);
    for (int i = 0; i < kiosk->config->exam_count; i++)
        if (!add_exam(kiosk, count, &kiosk->config->exams[i], error))
            return false;
    for (ptrdiff_t i = 0; kiosk->config->practice && i < kiosk->packs->count; i++) {
        struct guard_offer offer = { .pack = kiosk->packs->items[i].pack };
        if (kiosk->packs->items[i].practice && !add_offer(kiosk, count, &offer, error))
            return false;
    }
    *offers = kiosk->offers;
    return true;
}

/* ---- the guard ---- */

static enum guard_says look(void *context, const struct view *view, bool unstored, const struct input *input)
{
    struct kiosk *kiosk = context;
    int64_t now = kiosk_now(kiosk);
    bool keys = input->kind == INPUT_KEY || input->kind == INPUT_PASTE;
    bool counted = kiosk->model.countdown > 0;
    if (lock_ending() || input->kind == INPUT_HANGUP) {
        kiosk->hung_up = true;
        return GUARD_END;
    }
    if (kiosk_flow_tick(&kiosk->flow, unstored, now))
        return GUARD_END;
    if (keys && !kiosk_flow_input(&kiosk->flow, now))
        return GUARD_DROP;
    kiosk_follow(kiosk, unstored);
    if (view && view->overlay != OVERLAY_CODE)
        kiosk->model.secret_note = NULL;
    return keys && counted ? GUARD_LOOK : GUARD_GO_ON;
}

void kiosk_serve_set(struct kiosk *kiosk)
{
    struct application *application = &kiosk->application;
    kiosk->guard = (struct guard){ .context = kiosk,
                                   .terminal = kiosk->terminal,
                                   .model = &kiosk->model,
                                   .offers = kiosk_offers,
                                   .look = look,
                                   .code = kiosk_code };
    kiosk_lines_guard(kiosk);
    kiosk->signed_out = false;
    application->large = kiosk_reads(kiosk) == ROSTER_LARGE;
    application->store = kiosk->store;
    application->clock = kiosk->setup.clock;
    application->options = options_of(kiosk);
    application->wish = WISH_ASK;
    application->exam = false;
    application->exam_minutes = 0;
    application->presenter.styled = kiosk->terminal != NULL;
    application->guard = &kiosk->guard;
}

/* A failure ends what the learner does, not the kiosk: the next one signs in, or a tutor is called. */
bool kiosk_serve(struct kiosk *kiosk, struct error *error)
{
    struct error why = { 0 };
    bool hung_up = false;
    (void)error;
    kiosk_serve_set(kiosk);
    kiosk->model.secret_note = NULL;
    kiosk_follow(kiosk, false);
    bool done = screens_serve(&kiosk->application, &hung_up, &why);
    kiosk->hung_up = kiosk->hung_up || hung_up;
    kiosk->model.countdown = 0;
    snprintf(kiosk->remark, sizeof kiosk->remark, "%s", done ? "" : why.message);
    return true;
}
