/* The screens of a kiosk: offers in the place of a library, and a guard who is asked about every input. */
#include "begin.h"
#include "screens.h"

#include <quiztutor/message.h>

#include <string.h>

static bool guard_offers(struct screens *screens, const struct guard_offer **offers, int *count)
{
    const struct guard *guard = screens->application->guard;
    return guard->offers(guard->context, offers, count, &screens->error) || screens_fail(screens);
}

bool screens_guard_home(struct screens *screens, const struct store_learner *learner)
{
    struct application *application = screens->application;
    const struct guard_offer *offers;
    int count;
    if (!guard_offers(screens, &offers, &count))
        return false;
    if (!presenter_offers(&application->presenter, offers, count, application->store, learner,
                          &application->clock, application->options.day_starts, &screens->error))
        return screens_fail(screens);
    screens->view.library = &application->presenter.library;
    screens_show(screens, SCREEN_HOME);
    return true;
}

/* What an offer is about: a practice that may be unfinished, or an exam that is begun once and gone on with.
 */
static bool guard_take(struct screens *screens, const struct guard_offer *offer)
{
    struct application *application = screens->application;
    screens->chosen[0] = offer->pack;
    application->options.packs = screens->chosen;
    application->options.pack_count = 1;
    if (screens->examining)
        screens_exam_end(screens);
    if (!offer->exam)
        return screens_practise(screens, WISH_ASK);
    application->exam_minutes = offer->minutes;
    application->wish = WISH_RESUME;
    bool done = screens_exam_begin(screens);
    application->wish = WISH_ASK;
    return done;
}

bool screens_guard_choose(struct screens *screens, int row)
{
    const struct library_row *wanted = &screens->application->presenter.library.rows[row];
    const struct guard_offer *offers;
    int count;
    if (!guard_offers(screens, &offers, &count)) /* anew: an exam may be over meanwhile */
        return false;
    for (int i = 0; i < count; i++)
        if (!wanted->exam == !offers[i].exam && strcmp(wanted->id, offers[i].pack->id) == 0)
            return guard_take(screens, &offers[i]);
    if (!screens_home(screens))
        return false;
    screens_notice(screens, tr("This is no longer open."));
    return true;
}

/* Whether the learner left something unfinished of what an offer is about. */
static bool guard_unfinished(struct screens *screens, const struct guard_offer *offer, bool *found)
{
    struct application *application = screens->application;
    struct practice_options options = application->options;
    const struct pack *packs[] = { offer->pack };
    bool done;
    options.packs = packs;
    options.pack_count = 1;
    if (offer->exam) {
        struct sitting sitting;
        struct sitting_open open = { 0 };
        done = sitting_init(&sitting, application->store, application->clock, &options, offer->minutes,
                            &screens->error) &&
               sitting_find_open(&sitting, &open, &screens->error);
        *found = open.found;
        sitting_finish(&sitting);
    } else {
        struct practice practice;
        struct practice_unfinished unfinished = { 0 };
        done = practice_init(&practice, application->store, application->clock, &options, &screens->error) &&
               practice_find_unfinished(&practice, &unfinished, &screens->error);
        *found = unfinished.found;
        practice_finish(&practice);
    }
    return done || screens_fail(screens);
}

/* An exam's time runs on while nobody sits at it, so that comes first. */
bool screens_guard_begin(struct screens *screens)
{
    const struct guard_offer *offers;
    int count;
    if (!screens_home(screens) || !guard_offers(screens, &offers, &count))
        return false;
    for (int i = 0; i < count; i++) {
        bool found;
        if (!guard_unfinished(screens, &offers[i], &found))
            return false;
        if (found)
            return guard_take(screens, &offers[i]);
    }
    return true;
}

bool screens_guard_takes(struct screens *screens, struct input *input)
{
    const struct guard *guard = screens->application->guard;
    switch (guard->look(guard->context, &screens->view, view_unstored(&screens->view), input)) {
    case GUARD_LOOK:
        input->kind = INPUT_NONE;
        return true;
    case GUARD_GO_ON:
        return true;
    case GUARD_DROP:
        return false;
    case GUARD_END:
        screens->done = true;
    }
    return false;
}

bool screens_guard_code(struct screens *screens)
{
    const struct guard *guard = screens->application->guard;
    enum screen screen = screens->view.screen;
    if (!guard)
        return true;
    enum guard_says says = guard->code(guard->context, &screens->view);
    if (says == GUARD_END)
        screens->done = true;
    if (screens->examining && screens->sitting.begun && !screens->done)
        sitting_refresh(&screens->sitting, NULL); /* minutes were added: seen at once */
    bool behind = screens->view.overlay == OVERLAY_NONE;
    return screens->done || screen != SCREEN_HOME || !behind ||
           screens_home(screens); /* an exam was opened */
}
