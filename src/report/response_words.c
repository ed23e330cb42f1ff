#include "response_words.h"

#include <quiztutor/marking.h>
#include <quiztutor/markup.h>
#include <quiztutor/message.h>
#include <string.h>

void response_words_line(struct buffer *out, const struct question *question, const char *text)
{
    struct buffer plain;
    if (!text)
        return;
    buffer_init(&plain);
    if (question->markup)
        markup_render(&plain, text, false);
    else
        buffer_text(&plain, text);
    out->failed = out->failed || plain.failed;
    const char *at = buffer_get(&plain) + strspn(buffer_get(&plain), " \t\r\n");
    while (*at) {
        size_t length = strcspn(at, " \t\r\n");
        buffer_add(out, at, (ptrdiff_t)length);
        at += length;
        at += strspn(at, " \t\r\n");
        if (*at)
            buffer_char(out, ' ');
    }
    buffer_finish(&plain);
}

static void add(struct buffer *out, int *count, const struct question *question, const char *text)
{
    buffer_text(out, (*count)++ ? "; " : "");
    response_words_line(out, question, text);
}

static void write_choices(struct buffer *out, const struct question *question, const struct answer *answer)
{
    int count = 0;
    for (int i = 0; i < question->key.choices.count; i++) {
        const struct choice *choice = &question->key.choices.items[i];
        if (answer ? (answer->picks >> i & 1) != 0 : choice->correct)
            add(out, &count, question, choice->text);
    }
}

static void write_order(struct buffer *out, const struct question *question, const struct answer *answer)
{
    const struct text_list *order = &question->key.order;
    int count = 0;
    for (int i = 0; i < order->count; i++) {
        int place = answer ? answer->places[i] : i + 1;
        if (place >= 1 && place <= order->count)
            add(out, &count, question, order->items[place - 1]);
    }
}

static void write_match(struct buffer *out, const struct question *question, const struct answer *answer)
{
    const struct match_key *match = &question->key.match;
    int count = 0;
    for (int i = 0; i < match->lefts.count; i++) {
        int place = answer ? answer->places[i] : match->pairs[i] + 1;
        if (place < 1 || place > match->rights.count)
            continue;
        add(out, &count, question, match->lefts.items[i]);
        buffer_text(out, " = ");
        response_words_line(out, question, match->rights.items[place - 1]);
    }
}

static const char *truth_word(bool truth)
{
    return truth ? tr("True") : tr("False");
}

void response_words(struct buffer *out, const struct question *question, const struct answer *answer)
{
    static const char *const grades[] = { NULL, N_("again"), N_("hard"), N_("good"), N_("easy") };
    if (answer->blank)
        return;
    switch (question->type) {
    case QUESTION_SINGLE_CHOICE:
    case QUESTION_MULTIPLE_CHOICE:
        write_choices(out, question, answer);
        break;
    case QUESTION_TRUE_FALSE:
        buffer_text(out, truth_word(answer->truth));
        break;
    case QUESTION_NUMBER:
    case QUESTION_TEXT:
        buffer_text(out, answer->text ? answer->text : "");
        break;
    case QUESTION_ORDER:
        write_order(out, question, answer);
        break;
    case QUESTION_MATCH:
        write_match(out, question, answer);
        break;
    case QUESTION_RECALL:
        if (answer->self_grade >= 1 && answer->self_grade <= 4)
            buffer_text(out, tr(grades[answer->self_grade]));
        break;
    case QUESTION_TYPES:
        break;
    }
}

void response_words_right(struct buffer *out, const struct question *question)
{
    const struct number_key *number = &question->key.number;
    switch (question->type) {
    case QUESTION_SINGLE_CHOICE:
    case QUESTION_MULTIPLE_CHOICE:
        write_choices(out, question, NULL);
        break;
    case QUESTION_TRUE_FALSE:
        buffer_text(out, truth_word(question->key.truth));
        break;
    case QUESTION_NUMBER:
        buffer_text(out, number->answer ? number->answer : "");
        if (number->unit)
            buffer_print(out, " %s", number->unit);
        break;
    case QUESTION_TEXT:
        if (question->key.text.accept.count)
            response_words_line(out, question, question->key.text.accept.items[0]);
        break;
    case QUESTION_ORDER:
        write_order(out, question, NULL);
        break;
    case QUESTION_MATCH:
        write_match(out, question, NULL);
        break;
    case QUESTION_RECALL:
        response_words_line(out, question, question->key.recall);
        break;
    case QUESTION_TYPES:
        break;
    }
}

static int add_tag(const char **tags, int count, const char *tag)
{
    for (int i = 0; i < count; i++)
        if (strcmp(tags[i], tag) == 0)
            return count;
    tags[count] = tag;
    return count + 1;
}

int response_words_tags(const char *tags[static RESPONSE_TAGS], const struct question *question,
                        const struct answer *answer)
{
    int count = 0;
    if (answer->blank)
        return 0;
    if (question->type == QUESTION_SINGLE_CHOICE || question->type == QUESTION_MULTIPLE_CHOICE) {
        for (int i = 0; i < question->key.choices.count; i++) {
            const struct choice *choice = &question->key.choices.items[i];
            if (answer->picks >> i & 1 && !choice->correct && choice->misconception)
                count = add_tag(tags, count, choice->misconception);
        }
        return count;
    }
    const struct known_wrong *wrong = marking_known_wrong(question, answer);
    if (wrong)
        return wrong->misconception ? add_tag(tags, 0, wrong->misconception) : 0;
    struct verdict verdict;
    marking_mark(&verdict, question, answer);
    bool missed = verdict.outcome == OUTCOME_WRONG || verdict.outcome == OUTCOME_PARTLY;
    return missed && question->misconception ? add_tag(tags, 0, question->misconception) : 0;
}

int response_words_all_tags(const char *tags[static RESPONSE_WORDS_TAGS], const struct question *question)
{
    enum question_type type = question->type;
    const struct known_wrong *wrongs = NULL;
    int count = 0, listed = 0;
    if (type == QUESTION_SINGLE_CHOICE || type == QUESTION_MULTIPLE_CHOICE) {
        for (int i = 0; i < question->key.choices.count; i++) {
            const struct choice *choice = &question->key.choices.items[i];
            if (!choice->correct && choice->misconception)
                count = add_tag(tags, count, choice->misconception);
        }
        return count;
    }
    if (type == QUESTION_NUMBER) {
        wrongs = question->key.number.wrongs;
        listed = question->key.number.wrong_count;
    } else if (type == QUESTION_TEXT) {
        wrongs = question->key.text.wrongs;
        listed = question->key.text.wrong_count;
    }
    for (int i = 0; i < listed && count < PACK_LISTED; i++)
        if (wrongs[i].misconception)
            count = add_tag(tags, count, wrongs[i].misconception);
    return question->misconception ? add_tag(tags, count, question->misconception) : count;
}

bool response_words_can_show(const struct question *question, const char *tag)
{
    const char *tags[RESPONSE_WORDS_TAGS];
    int count = response_words_all_tags(tags, question);
    for (int i = 0; i < count; i++)
        if (strcmp(tags[i], tag) == 0)
            return true;
    return false;
}
