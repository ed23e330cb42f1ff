/* What should make a tutor look at a question, each with its reason. */
#include "item.h"

#include <quiztutor/message.h>

/* Facility in per cent beyond which a question tells little, as Moodle's manual has it for its facility
 * index ("extremely easy" from 95 on, "extremely difficult" up to 5, "very difficult" up to 20). */
#define TOO_EASY 95.0
#define TOO_HARD 20.0

/* A correlation by which those who are strong otherwise choose a wrong answer, times 100. */
#define STRONG 10.0

enum {
    ENOUGH = 5,      /* answers, before it means something that nobody took a choice, or that all are right */
    ENOUGH_TOOK = 2, /* who took a wrong choice, before it means something who they are */
};

const char *item_flag_name(enum item_flag flag)
{
    static const char *const names[ITEM_FLAGS] = {
        [FLAG_NEGATIVE] = N_("negative discrimination"),
        [FLAG_IDLE_CHOICE] = N_("idle distractor"),
        [FLAG_STRONG_CHOICE] = N_("distractor of the strong"),
        [FLAG_KEY] = N_("key probably wrong"),
        [FLAG_EASY] = N_("too easy"),
        [FLAG_HARD] = N_("too hard"),
    };
    return tr(names[flag]);
}

static void raise_choices(struct build *build, struct item *item)
{
    const struct item_answer *strong = NULL, *key = NULL;
    int64_t answered = item->count - item->omitted;
    for (int i = 0; i < item->answer_count; i++) {
        const struct item_answer *answer = &item->answers[i];
        bool choice = item->several || item->kind == QUESTION_TRUE_FALSE;
        if (answer->right) {
            if (!key || answer->chosen > key->chosen)
                key = answer;
            continue;
        }
        if (choice && answer->chosen == 0 && answered >= ENOUGH && !item->flags[FLAG_IDLE_CHOICE])
            item->flags[FLAG_IDLE_CHOICE] =
                build_say(build, tr("nobody of %lld chose \"%s\""), (long long)answered, answer->label);
        if (!answer->other && answer->chosen >= ENOUGH_TOOK && answer->correlation.known &&
            answer->correlation.value >= STRONG &&
            (!strong || answer->correlation.value > strong->correlation.value))
            strong = answer;
    }
    if (!strong)
        return;
    item->flags[FLAG_STRONG_CHOICE] =
        build_say(build, tr("who does well otherwise chooses \"%s\" (correlation %.0f)"), strong->label,
                  strong->correlation.value);
    bool against = item->figures.discrimination.known && item->figures.discrimination.value < 0;
    if (against &&
        (!key || strong->chosen >= key->chosen || !key->correlation.known || key->correlation.value < 0))
        item->flags[FLAG_KEY] =
            key ? build_say(build, tr("the strong choose \"%s\" (%lld), and the weak the key \"%s\" (%lld)"),
                            strong->label, (long long)strong->chosen, key->label, (long long)key->chosen)
                : build_say(build, tr("the strong choose \"%s\" (%lld)"), strong->label,
                            (long long)strong->chosen);
}

void item_raise_flags(struct items *items, struct item *item)
{
    struct build *build = items->build;
    double facility = item->count ? 100 * item->shares / (double)item->count : 0;
    if (item->figures.discrimination.known && item->figures.discrimination.value < 0)
        item->flags[FLAG_NEGATIVE] =
            build_say(build, tr("who does well otherwise does worse here (discrimination %.0f)"),
                      item->figures.discrimination.value);
    raise_choices(build, item);
    if (item->count < ENOUGH)
        return;
    if (facility >= TOO_EASY)
        item->flags[FLAG_EASY] = build_say(build, tr("facility %.0f%%, from %.0f%% on"), facility, TOO_EASY);
    else if (facility <= TOO_HARD)
        item->flags[FLAG_HARD] = build_say(build, tr("facility %.0f%%, up to %.0f%%"), facility, TOO_HARD);
    else if (item->guess > 0 && facility <= 100 * item->guess)
        item->flags[FLAG_HARD] = build_say(build, tr("facility %.0f%%, no more than guessing gives (%.0f%%)"),
                                           facility, 100 * item->guess);
}
