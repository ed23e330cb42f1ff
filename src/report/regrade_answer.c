/* What an answer of long ago means to today's question: by texts, since places may have changed. */
#include <quiztutor/regrade.h>
#include <quiztutor/text.h>

#include <string.h>

static bool has_choices(const struct question *question)
{
    return question->type == QUESTION_SINGLE_CHOICE || question->type == QUESTION_MULTIPLE_CHOICE;
}

/* The choice that this one is today; −1: it has gone. */
static int choice_today(const struct question *today, const struct choice *was)
{
    for (int i = 0; i < today->key.choices.count; i++) {
        const struct choice *is = &today->key.choices.items[i];
        if (was->id && is->id && strcmp(was->id, is->id) == 0)
            return i;
    }
    for (int i = 0; i < today->key.choices.count; i++)
        if (text_same(today->key.choices.items[i].text, was->text))
            return i;
    return -1;
}

static bool choices_answer(struct answer *now, const struct question *today, const struct question *then,
                           const struct answer *given)
{
    now->picks = 0;
    for (int i = 0; i < then->key.choices.count; i++) {
        int place = given->picks >> i & 1 ? choice_today(today, &then->key.choices.items[i]) : 0;
        if (place < 0)
            return false;
        if (given->picks >> i & 1)
            now->picks |= 1u << place;
    }
    return true;
}

/* Place of a text in a list, from 1; 0: it is not there. */
static int list_place(const struct text_list *list, const char *text)
{
    for (int i = 0; i < list->count; i++)
        if (text_same(list->items[i], text))
            return i + 1;
    return 0;
}

static bool order_answer(struct answer *now, const struct text_list *today, const struct text_list *then,
                         const struct answer *given)
{
    if (today->count != then->count)
        return false;
    for (int i = 0; i < then->count; i++) {
        int was = given->places[i];
        int place = was >= 1 && was <= then->count ? list_place(today, then->items[was - 1]) : 0;
        if (!place)
            return false;
        now->places[i] = (unsigned char)place;
    }
    return true;
}

static bool match_answer(struct answer *now, const struct match_key *today, const struct match_key *then,
                         const struct answer *given)
{
    memset(now->places, 0, sizeof now->places);
    for (int i = 0; i < then->lefts.count; i++) {
        int was = given->places[i], left = list_place(&today->lefts, then->lefts.items[i]);
        int right = was >= 1 && was <= then->rights.count
                        ? list_place(&today->rights, then->rights.items[was - 1])
                        : 0;
        if (!left || (was && !right))
            return false;
        now->places[left - 1] = (unsigned char)right;
    }
    return true;
}

bool regrade_answer(struct answer *now, const struct question *today, const struct question *then,
                    const struct answer *given)
{
    *now = *given;
    if (given->blank)
        return true;
    if (has_choices(today) && has_choices(then))
        return choices_answer(now, today, then, given);
    if (today->type != then->type)
        return false;
    if (today->type == QUESTION_ORDER)
        return order_answer(now, &today->key.order, &then->key.order, given);
    if (today->type == QUESTION_MATCH)
        return match_answer(now, &today->key.match, &then->key.match, given);
    return true;
}
