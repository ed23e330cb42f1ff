/* Two forms of one question. */
#include "pack_diff.h"

#include <quiztutor/key_change.h>
#include <quiztutor/text.h>

#include <string.h>

bool diff_same_text(const char *one, const char *other)
{
    return one && other ? text_same(one, other) : one == other;
}

static bool same_figure(const char *one, const char *other)
{
    return one && other ? strcmp(one, other) == 0 : one == other;
}

static bool same_list(const struct text_list *one, const struct text_list *other)
{
    if (one->count != other->count)
        return false;
    for (int i = 0; i < one->count; i++)
        if (!text_same(one->items[i], other->items[i]))
            return false;
    return true;
}

static bool has_choices(const struct question *question)
{
    return question->type == QUESTION_SINGLE_CHOICE || question->type == QUESTION_MULTIPLE_CHOICE;
}

/* ---- choices ---- */

/* Which choice of the new form each of the old one is, and the reverse; −1: none. */
struct pairs {
    int now_of[PACK_CHOICES], old_of[PACK_CHOICES];
};

static void pair(struct pairs *pairs, int old, int now)
{
    pairs->now_of[old] = now;
    pairs->old_of[now] = old;
}

static bool same_choice(const struct choice *old, const struct choice *now, bool by_id)
{
    if (by_id)
        return old->id && now->id && strcmp(old->id, now->id) == 0;
    return text_same(old->text, now->text);
}

/* Near enough to be one text reworded: a third of it differs at most, by single letters or in one place. */
static bool alike(const char *old, const char *now)
{
    ptrdiff_t one = (ptrdiff_t)strlen(old), other = (ptrdiff_t)strlen(now), start = 0, end = 0;
    ptrdiff_t shorter = one < other ? one : other, longer = one < other ? other : one;
    int limit = (int)(longer / 3);
    while (start < shorter && old[start] == now[start])
        start++;
    while (end < shorter - start && old[one - 1 - end] == now[other - 1 - end])
        end++;
    return longer - start - end <= limit || text_distance(old, now, limit) <= limit;
}

/* The choice without a partner that is right or wrong as asked; −1: there is none, or more than one. */
static int lone(const struct question *question, const int *partners, bool correct)
{
    int found = -1;
    for (int i = 0; i < question->key.choices.count; i++) {
        if (partners[i] >= 0 || question->key.choices.items[i].correct != correct)
            continue;
        if (found >= 0)
            return -1;
        found = i;
    }
    return found;
}

/* By id, by text, by likeness; then what is left alone on both sides is one choice reworded. */
static void pair_choices(struct pairs *pairs, const struct question *old, const struct question *now)
{
    memset(pairs->now_of, -1, sizeof pairs->now_of);
    memset(pairs->old_of, -1, sizeof pairs->old_of);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < old->key.choices.count; i++) {
            const struct choice *was = &old->key.choices.items[i];
            for (int j = 0; j < now->key.choices.count && pairs->now_of[i] < 0; j++) {
                const struct choice *is = &now->key.choices.items[j];
                bool one = round < 2 ? same_choice(was, is, round == 0)
                                     : was->correct == is->correct && alike(was->text, is->text);
                if (pairs->old_of[j] < 0 && one)
                    pair(pairs, i, j);
            }
        }
    }
    for (int correct = 0; correct < 2; correct++) {
        int i = lone(old, pairs->now_of, correct), j = lone(now, pairs->old_of, correct);
        if (i >= 0 && j >= 0)
            pair(pairs, i, j);
    }
}

static bool diff_choices(struct pack_diff *diff, struct pack_diff_question *one)
{
    const struct question *old = one->old, *now = one->now;
    struct pack_diff_choice found[2 * PACK_CHOICES];
    struct pairs pairs;
    int last = -1, count = 0;
    pair_choices(&pairs, old, now);
    for (int j = 0; j < now->key.choices.count; j++) {
        const struct choice *is = &now->key.choices.items[j];
        int i = pairs.old_of[j];
        const struct choice *was = i < 0 ? NULL : &old->key.choices.items[i];
        if (!was || was->correct != is->correct || !text_same(was->text, is->text))
            found[count++] = (struct pack_diff_choice){ was, is };
        if (!was)
            continue;
        if (i < last || was->pin != is->pin)
            one->differs |= DIFFERS_CHOICE_ORDER;
        last = i > last ? i : last;
        if (!diff_same_text(was->feedback, is->feedback) ||
            !diff_same_text(was->misconception, is->misconception))
            one->differs |= DIFFERS_FEEDBACK;
    }
    for (int i = 0; i < old->key.choices.count; i++)
        if (pairs.now_of[i] < 0)
            found[count++] = (struct pack_diff_choice){ &old->key.choices.items[i], NULL };
    if (!count)
        return true;
    struct pack_diff_choice *choices = arena_alloc(&diff->arena, count * (ptrdiff_t)sizeof *choices);
    if (!choices)
        return false;
    memcpy(choices, found, (size_t)count * sizeof *choices);
    one->choices = choices;
    one->choice_count = count;
    one->differs |= DIFFERS_CHOICES;
    return true;
}

/* ---- the key ---- */

/* False without memory. */
static bool find_overturned(struct pack_diff *diff, struct pack_diff_question *one)
{
    struct key was, is;
    if (!key_of_question(&was, one->old, &diff->arena) || !key_of_question(&is, one->now, &diff->arena))
        return false;
    one->overturned = key_overturned(&was, &is);
    return true;
}

/* Whether the question itself says that its choices keep their order, where the pack does not. */
static bool keeps_order(const struct pack *pack, const struct question *question)
{
    return pack->shuffle != SHUFFLE_NONE && !question->shuffle;
}

static const char *section_title(const struct pack *pack, const struct question *question)
{
    return question->section ? pack->sections[question->section - 1].title : NULL;
}

static bool has_rule(const struct question *question)
{
    return question->type == QUESTION_MULTIPLE_CHOICE || question->type == QUESTION_ORDER ||
           question->type == QUESTION_MATCH;
}

static void diff_texts(const struct pack_diff *diff, struct pack_diff_question *one)
{
    const struct question *old = one->old, *now = one->now;
    const struct {
        bool same;
        unsigned bit;
    } parts[] = {
        { diff_same_text(old->prompt, now->prompt), DIFFERS_PROMPT },
        { same_figure(old->figure, now->figure), DIFFERS_FIGURE },
        { diff_same_text(old->feedback, now->feedback), DIFFERS_FEEDBACK },
        { diff_same_text(old->misconception, now->misconception), DIFFERS_FEEDBACK },
        { diff_same_text(old->explanation, now->explanation), DIFFERS_EXPLANATION },
        { same_figure(old->explanation_figure, now->explanation_figure), DIFFERS_EXPLANATION },
        { same_list(&old->hints, &now->hints), DIFFERS_HINTS },
        { same_list(&old->tags, &now->tags), DIFFERS_TAGS },
        { diff_same_text(old->source, now->source), DIFFERS_SOURCE },
        { !(old->marks < now->marks || old->marks > now->marks), DIFFERS_MARKS },
        { old->marking == now->marking || !has_rule(now), DIFFERS_MARKING },
        { keeps_order(diff->old, old) == keeps_order(diff->now, now), DIFFERS_SHUFFLE },
        { old->type == now->type, DIFFERS_TYPE },
        { diff_same_parameters(old->parameters, now->parameters), DIFFERS_PARAMETERS },
        { diff_same_text(section_title(diff->old, old), section_title(diff->now, now)), DIFFERS_SECTION },
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!parts[i].same)
            one->differs |= parts[i].bit;
}

static bool same_number(const struct number_key *old, const struct number_key *now)
{
    return strcmp(old->answer, now->answer) == 0 && diff_same_text(old->unit, now->unit) &&
           !(old->tolerance < now->tolerance || old->tolerance > now->tolerance) &&
           old->relative == now->relative && old->significant_figures == now->significant_figures;
}

static bool same_match(const struct match_key *old, const struct match_key *now)
{
    return same_list(&old->lefts, &now->lefts) && same_list(&old->rights, &now->rights) &&
           old->paired == now->paired && memcmp(old->pairs, now->pairs, (size_t)old->lefts.count) == 0;
}

/* The answer keys of two questions of one type that has no choices. */
static bool same_answer(const struct question *old, const struct question *now)
{
    switch (old->type) {
    case QUESTION_TRUE_FALSE:
        return old->key.truth == now->key.truth;
    case QUESTION_NUMBER:
        return same_number(&old->key.number, &now->key.number);
    case QUESTION_TEXT:
        return same_list(&old->key.text.accept, &now->key.text.accept) &&
               old->key.text.ignore == now->key.text.ignore;
    case QUESTION_ORDER:
        return same_list(&old->key.order, &now->key.order);
    case QUESTION_MATCH:
        return same_match(&old->key.match, &now->key.match);
    case QUESTION_RECALL:
        return diff_same_text(old->key.recall, now->key.recall);
    default:
        return true;
    }
}

/* Known wrong responses of a typed answer, with what is told of them. */
static bool same_wrongs(const struct question *old, const struct question *now)
{
    bool number = old->type == QUESTION_NUMBER;
    if (!number && old->type != QUESTION_TEXT)
        return true;
    const struct known_wrong *was = number ? old->key.number.wrongs : old->key.text.wrongs;
    const struct known_wrong *is = number ? now->key.number.wrongs : now->key.text.wrongs;
    int count = number ? old->key.number.wrong_count : old->key.text.wrong_count;
    if (count != (number ? now->key.number.wrong_count : now->key.text.wrong_count))
        return false;
    for (int i = 0; i < count; i++)
        if (!text_same(was[i].value, is[i].value) || !diff_same_text(was[i].feedback, is[i].feedback) ||
            !diff_same_text(was[i].misconception, is[i].misconception))
            return false;
    return true;
}

bool diff_question(struct pack_diff *diff, struct pack_diff_question *one)
{
    char old[PACK_REVISION + 1], now[PACK_REVISION + 1];
    diff_texts(diff, one);
    if (has_choices(one->old) && has_choices(one->now)) {
        if (!diff_choices(diff, one))
            return false;
    } else if (one->old->type == one->now->type) {
        one->differs |= same_answer(one->old, one->now) ? 0 : DIFFERS_ANSWER;
        one->differs |= same_wrongs(one->old, one->now) ? 0 : DIFFERS_FEEDBACK;
    }
    if (!question_revision(one->old, old) || !question_revision(one->now, now))
        return false;
    one->revision = strcmp(old, now) != 0;
    return find_overturned(diff, one);
}
