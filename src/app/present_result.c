/* Answers as results show them: the verdict, what was given, and what would have been right. */
#include "presenter_private.h"

#include <quiztutor/message.h>

#include <stdio.h>
#include <string.h>

static const char *number_text(struct present *present, const struct question *question)
{
    char room[ANSWER_NUMBER];
    const char *text = answer_number(room, question, present->bare);
    const char *copy = text == room ? arena_text(present->arena, text, (ptrdiff_t)strlen(text)) : text;
    present->failed |= !copy;
    return copy;
}

/* A number with its unit, unless that was typed with it. */
static const char *with_unit(struct present *present, const struct question *question, const char *number)
{
    const char *unit = question->type == QUESTION_NUMBER ? question->key.number.unit : NULL;
    size_t length = number ? strlen(number) : 0, tail = unit ? strlen(unit) : 0;
    if (!number || !unit || present->bare || (length >= tail && strcmp(number + length - tail, unit) == 0))
        return number;
    const char *whole = arena_print(present->arena, "%s %s", number, unit);
    present->failed |= !whole;
    return whole;
}

static const char *grade_word(int grade)
{
    static const char *const words[] = { NULL, N_("again"), N_("hard"), N_("good"), N_("easy") };
    return grade >= 1 && grade <= 4 ? tr(words[grade]) : "";
}

static const char *right_target(struct present *present, const struct question *question, int left)
{
    const struct match_key *key = &question->key.match;
    return present_words(present, question, key->rights.items[key->pairs[left]]);
}

bool present_answers(struct present *present, const struct showing *showing, const char *const **answers,
                     int *count)
{
    const struct question *question = showing->question;
    int room = showing->count + 1;
    if (question->type == QUESTION_TEXT)
        room += question->key.text.accept.count;
    const char **texts = arena_alloc(present->arena, room * (ptrdiff_t)sizeof *texts);
    *answers = texts;
    *count = 0;
    if (!texts)
        return false;
    switch (question->type) {
    case QUESTION_SINGLE_CHOICE:
    case QUESTION_MULTIPLE_CHOICE:
        for (int i = 0; i < showing->count; i++)
            if (present_choice_right(showing, i))
                texts[(*count)++] =
                    present_words(present, question, question->key.choices.items[showing->places[i]].text);
        break;
    case QUESTION_TRUE_FALSE:
        texts[(*count)++] = question->key.truth ? tr("True") : tr("False");
        break;
    case QUESTION_NUMBER:
        texts[(*count)++] = with_unit(present, question, number_text(present, question));
        break;
    case QUESTION_TEXT:
        for (int i = 0; i < question->key.text.accept.count; i++)
            texts[(*count)++] = present_copied(present, question, question->key.text.accept.items[i]);
        break;
    case QUESTION_ORDER:
        for (int i = 0; i < showing->count; i++)
            texts[(*count)++] = present_words(present, question, question->key.order.items[i]);
        break;
    case QUESTION_MATCH:
        for (int i = 0; i < showing->count; i++)
            texts[(*count)++] = right_target(present, question, showing->places[i]);
        break;
    case QUESTION_RECALL:
        texts[(*count)++] = present_words(present, question, question->key.recall);
        break;
    case QUESTION_TYPES:
        break;
    }
    return !present->failed;
}

/* What was given, in words; signs of each place. The model's question has them as places already. */
static void present_response(struct present *present, struct result_model *model,
                             const struct showing *showing, const struct answer *answer)
{
    const struct question *question = showing->question;
    const struct question_model *asked = &model->question;
    if (asked->way == WAY_FIELD && asked->given_text)
        model->response[model->response_count++] = with_unit(present, question, asked->given_text);
    if (asked->way == WAY_RECALL && answer->self_grade)
        model->response[model->response_count++] = grade_word(answer->self_grade);
    memcpy(model->given_at, asked->given_at, sizeof model->given_at);
    for (int i = 0; i < showing->count; i++) {
        int at = asked->given_at[i];
        switch (asked->way) {
        case WAY_CHOICES:
            model->picked[i] = asked->given[i];
            model->right[i] = present_choice_right(showing, i);
            if (model->picked[i])
                model->response[model->response_count++] = asked->choices[i];
            break;
        case WAY_ORDER:
            model->right_at[i] = at >= 0 && showing->places[at] == i;
            if (at >= 0)
                model->response[model->response_count++] = asked->choices[at];
            break;
        case WAY_MATCH:
            model->right_at[i] =
                at >= 0 && showing->targets[at] == question->key.match.pairs[showing->places[i]];
            if (!answer->blank)
                model->response[model->response_count++] = at >= 0 ? asked->targets[at] : "";
            break;
        case WAY_FIELD:
        case WAY_RECALL:
            break;
        }
    }
}

static void present_feedback(struct present *present, struct result_model *model,
                             const struct question *question, const struct answer *answer)
{
    struct buffer text;
    buffer_init(&text);
    marking_feedback(&text, question, answer);
    if (question->markup && text.length)
        model->feedback = present_rendered(present, true, buffer_get(&text));
    else
        present->failed |= !present_text(present->arena, &text, &model->feedback);
    present->failed |= text.failed;
    buffer_finish(&text);
}

static void present_note(struct present *present, struct result_model *model, const struct question *question,
                         const struct answer *answer)
{
    char room[MARKING_NOTE];
    const char *note = marking_note(room, question, answer);
    if (!note)
        return;
    model->note = arena_text(present->arena, note, (ptrdiff_t)strlen(note));
    present->failed |= !model->note;
}

bool present_marked(struct present *present, struct result_model *model, const struct showing *showing,
                    const struct answer *answer, const struct verdict *verdict)
{
    static const enum verdict_kind kinds[OUTCOMES] = {
        [OUTCOME_RIGHT] = VERDICT_RIGHT,
        [OUTCOME_PARTLY] = VERDICT_PARTLY,
        [OUTCOME_WRONG] = VERDICT_WRONG,
        [OUTCOME_OMITTED] = VERDICT_SKIPPED,
    };
    const struct question *question = showing->question;
    model->verdict = kinds[verdict->outcome];
    model->mark = verdict->mark;
    model->marks = verdict->marks;
    model->explanation = present_words(present, question, question->explanation);
    model->explanation_figure = present_copied(present, question, question->explanation_figure);
    model->source = present_copied(present, question, question->source);
    present_given(present, &model->question, showing, answer);
    present_response(present, model, showing, answer);
    if (!answer->blank) {
        present_feedback(present, model, question, answer);
        present_note(present, model, question, answer);
    }
    return present_answers(present, showing, &model->answer, &model->answer_count) && !present->failed;
}

const char *present_said(struct present *present, const struct result_model *model, bool right)
{
    const char *const *texts = right ? model->answer : model->response, *said;
    int count = right ? model->answer_count : model->response_count;
    struct buffer out;
    buffer_init(&out);
    for (int i = 0; i < count; i++) {
        buffer_text(&out, i ? "; " : "");
        if (model->question.way == WAY_MATCH)
            buffer_print(&out, "%s: ", model->question.choices[i]);
        buffer_text(&out, *texts[i] ? texts[i] : "–");
    }
    present->failed |= !present_text(present->arena, &out, &said);
    buffer_finish(&out);
    return said ? said : "";
}
