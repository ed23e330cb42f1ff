/* Questions as they are shown, and what was answered by places as shown. */
#include "presenter_private.h"

#include <quiztutor/message.h>

#include <string.h>

static const char *choice_text(const struct showing *showing, int shown)
{
    const struct question *question = showing->question;
    int place = showing->places[shown];
    switch (question->type) {
    case QUESTION_SINGLE_CHOICE:
    case QUESTION_MULTIPLE_CHOICE:
        return question->key.choices.items[place].text;
    case QUESTION_ORDER:
        return question->key.order.items[place];
    case QUESTION_MATCH:
        return question->key.match.lefts.items[place];
    default:
        return place == 0 ? tr("True") : tr("False");
    }
}

static enum answer_way way_of(enum question_type type)
{
    static const enum answer_way ways[QUESTION_TYPES] = {
        [QUESTION_SINGLE_CHOICE] = WAY_CHOICES,
        [QUESTION_MULTIPLE_CHOICE] = WAY_CHOICES,
        [QUESTION_TRUE_FALSE] = WAY_CHOICES,
        [QUESTION_NUMBER] = WAY_FIELD,
        [QUESTION_TEXT] = WAY_FIELD,
        [QUESTION_ORDER] = WAY_ORDER,
        [QUESTION_MATCH] = WAY_MATCH,
        [QUESTION_RECALL] = WAY_RECALL,
    };
    return ways[type];
}

static bool present_hints(struct present *present, struct question_model *model,
                          const struct question *question)
{
    int count = question->hints.count;
    model->hints = question->hints.items;
    if (!count || (!question->markup && !question->origin))
        return true;
    const char **hints = arena_alloc(present->arena, count * (ptrdiff_t)sizeof *hints);
    if (!hints)
        return false;
    for (int i = 0; i < count; i++)
        hints[i] = present_words(present, question, question->hints.items[i]);
    model->hints = hints;
    return true;
}

bool present_shown(struct present *present, struct question_model *model, const struct showing *showing)
{
    const struct question *question = showing->question;
    *model = (struct question_model){
        .question = question->id,
        .type = question_type_name(question->type),
        .prompt = present_words(present, question, question->prompt),
        .figure = present_copied(present, question, question->figure),
        .way = way_of(question->type),
        .choice_count = showing->count,
        .target_count = showing->target_count,
        .many = question->type == QUESTION_MULTIPLE_CHOICE,
        .truth = question->type == QUESTION_TRUE_FALSE,
    };
    memset(model->given_at, -1, sizeof model->given_at);
    for (int i = 0; i < showing->count; i++)
        model->choices[i] = model->truth ? choice_text(showing, i)
                                         : present_words(present, question, choice_text(showing, i));
    for (int i = 0; i < showing->target_count; i++)
        model->targets[i] =
            present_words(present, question, question->key.match.rights.items[showing->targets[i]]);
    if (question->type == QUESTION_NUMBER) {
        model->numeric = true;
        model->unit = present_copied(present, question, question->key.number.unit);
        model->significant_figures = question->key.number.significant_figures;
    }
    if (question->type == QUESTION_RECALL)
        model->back = present_words(present, question, question->key.recall);
    return present_hints(present, model, question) && !present->failed;
}

bool present_asked(struct present *present, struct question_model *model, const struct pack *pack,
                   const struct showing *showing)
{
    const struct question *question = showing->question;
    if (!present_shown(present, model, showing))
        return false;
    model->pack = pack->id;
    model->pack_title = pack->title;
    if (!question->section)
        return true;
    const struct section *section = &pack->sections[question->section - 1];
    model->section = section->title;
    model->intro = present_rendered(present, pack->markup, section->intro);
    model->intro_figure = section->intro_figure;
    return !present->failed;
}

bool present_choice_right(const struct showing *showing, int shown)
{
    const struct question *question = showing->question;
    int place = showing->places[shown];
    switch (question->type) {
    case QUESTION_SINGLE_CHOICE:
    case QUESTION_MULTIPLE_CHOICE:
        return question->key.choices.items[place].correct;
    case QUESTION_TRUE_FALSE:
        return question->key.truth == (place == 0);
    default:
        return false;
    }
}

static bool is_picked(const struct showing *showing, const struct answer *answer, int shown)
{
    int place = showing->places[shown];
    if (answer->blank)
        return false;
    if (showing->question->type == QUESTION_TRUE_FALSE)
        return answer->truth == (place == 0);
    return answer->picks >> place & 1;
}

/* Where a place of the pack (from 1; 0: none) is shown, −1 for nowhere. */
static signed char shown_at(const unsigned char *places, int count, int place)
{
    for (int i = 0; i < count; i++)
        if (places[i] + 1 == place)
            return (signed char)i;
    return -1;
}

void present_given(struct present *present, struct question_model *model, const struct showing *showing,
                   const struct answer *answer)
{
    memset(model->given_at, -1, sizeof model->given_at);
    model->given_text = NULL;
    for (int i = 0; i < showing->count; i++) {
        switch (model->way) {
        case WAY_CHOICES:
            model->given[i] = is_picked(showing, answer, i);
            break;
        case WAY_ORDER:
            if (!answer->blank)
                model->given_at[i] = shown_at(showing->places, showing->count, answer->places[i]);
            break;
        case WAY_MATCH:
            if (!answer->blank)
                model->given_at[i] =
                    shown_at(showing->targets, showing->target_count, answer->places[showing->places[i]]);
            break;
        case WAY_FIELD:
        case WAY_RECALL:
            break;
        }
    }
    if (model->way != WAY_FIELD || answer->blank || !answer->text)
        return;
    model->given_text = arena_text(present->arena, answer->text, (ptrdiff_t)strlen(answer->text));
    present->failed |= !model->given_text;
}
