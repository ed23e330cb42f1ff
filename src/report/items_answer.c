/* Which answers were given: choices by their texts, since their order may differ; typed ones by the key. */
#include "item.h"
#include "response_words.h"

#include <quiztutor/marking.h>
#include <quiztutor/message.h>
#include <quiztutor/regrade.h>

#include <stdio.h>
#include <string.h>

enum { TYPED_MOST = 65536 /* distinct responses that are remembered */ };

/* Place of the answer, added where it is new; −1 where there are too many. */
static int answer_place(struct items *items, struct item *item, const char *key, const char *label,
                        bool right, bool other)
{
    struct build *build = items->build;
    for (int i = 0; i < item->answer_count; i++)
        if (strcmp(item->answers[i].key, key) == 0)
            return i;
    int most = item->several ? ITEM_PICKS : ITEM_ANSWERS;
    if (item->answer_count >= most)
        return -1;
    if (!memory_grow(&item->answers, &item->answer_capacity, item->answer_count + 1, sizeof *item->answers)) {
        build->failed = true;
        return -1;
    }
    item->answers[item->answer_count] = (struct item_answer){
        .key = build_copy(build, key), .label = build_copy(build, label), .right = right, .other = other
    };
    return item->answer_count++;
}

static int add_text(struct items *items, struct item *item, const struct question *question, const char *key,
                    const char *text, bool right)
{
    struct buffer line;
    buffer_init(&line);
    response_words_line(&line, question, text);
    items->build->failed = items->build->failed || line.failed;
    int place = answer_place(items, item, key, line.length ? buffer_get(&line) : text, right, false);
    buffer_finish(&line);
    return place;
}

/* By its id, else by its text, as revisions have it; of an instance, whose texts are its own, by its place.
 */
static int add_choice(struct items *items, struct item *item, const struct question *question, int place)
{
    const struct choice *choice = &question->key.choices.items[place];
    char number[32];
    snprintf(number, sizeof number, "\x01%d", place);
    const char *key = question->given ? number : choice->id ? choice->id : choice->text;
    return add_text(items, item, question, key, choice->text, choice->correct);
}

static void add_wrongs(struct items *items, struct item *item, const struct question *question,
                       const struct known_wrong *wrongs, int count)
{
    for (int i = 0; i < count; i++)
        add_text(items, item, question, wrongs[i].value, wrongs[i].value, false);
}

static bool is_choice(enum question_type type)
{
    return type == QUESTION_SINGLE_CHOICE || type == QUESTION_MULTIPLE_CHOICE;
}

void item_list_answers(struct items *items, struct item *item, const struct question *question)
{
    const struct number_key *number = &question->key.number;
    const struct text_key *text = &question->key.text;
    item->several = is_choice(question->type);
    switch (question->type) {
    case QUESTION_SINGLE_CHOICE:
    case QUESTION_MULTIPLE_CHOICE:
        for (int i = 0; i < question->key.choices.count; i++)
            add_choice(items, item, question, i);
        break;
    case QUESTION_TRUE_FALSE:
        answer_place(items, item, "true", tr("True"), question->key.truth, false);
        answer_place(items, item, "false", tr("False"), !question->key.truth, false);
        break;
    case QUESTION_NUMBER:
        if (question->given)
            break; /* each instance has a key of its own */
        add_text(items, item, question, number->answer, number->answer, true);
        add_wrongs(items, item, question, number->wrongs, number->wrong_count);
        break;
    case QUESTION_TEXT:
        for (int i = 0; i < text->accept.count; i++)
            add_text(items, item, question, text->accept.items[i], text->accept.items[i], true);
        add_wrongs(items, item, question, text->wrongs, text->wrong_count);
        break;
    default:
        break;
    }
}

/* The map from the places of this content's choices to the item's answers. */
static void map_choices(struct items *items, struct item *item, const struct question *question,
                        const struct hash *content)
{
    memset(item->map, 0, sizeof item->map);
    for (int i = 0; i < question->key.choices.count && i < ITEM_PICKS; i++)
        item->map[i] = (unsigned char)(add_choice(items, item, question, i) + 1);
    item->content = *content;
    item->mapped = true;
}

static uint32_t picks_of(const struct item *item, const struct answer *answer)
{
    uint32_t picks = 0;
    for (int i = 0; i < ITEM_PICKS; i++)
        if (answer->picks >> i & 1 && item->map[i])
            picks |= (uint32_t)1 << (item->map[i] - 1);
    return picks;
}

static const char *accepted(const struct text_key *key, const char *typed)
{
    static _Thread_local int32_t given[TEXT_COMPARED], wanted[TEXT_COMPARED];
    int count = text_compare_form(given, typed, key->ignore);
    for (int i = 0; i < key->accept.count; i++)
        if (count >= 0 && count == text_compare_form(wanted, key->accept.items[i], key->ignore) &&
            memcmp(given, wanted, (size_t)count * sizeof *given) == 0)
            return key->accept.items[i];
    return NULL;
}

/* Whether one answer is right by this key. */
static bool is_right_by(const struct question *key, const struct question *then, const struct answer *given)
{
    struct answer now = *given;
    struct verdict verdict;
    if (!regrade_answer(&now, key, then, given))
        return false;
    if (is_choice(key->type)) {
        for (int i = 0; i < key->key.choices.count; i++)
            if (now.picks >> i & 1)
                return key->key.choices.items[i].correct;
        return false;
    }
    marking_mark(&verdict, key, &now);
    return verdict.outcome == OUTCOME_RIGHT;
}

/* Place plus 1 of a typed answer, or of all that are not listed. */
static uint32_t typed_answer(struct items *items, struct item *item, const struct question *question,
                             const struct attempt *attempt, const struct answer *answer)
{
    const struct known_wrong *wrong = marking_known_wrong(question, answer);
    const char *key = wrong ? wrong->value : NULL;
    bool right = !wrong && attempt->outcome == OUTCOME_RIGHT;
    if (!wrong && question->type == QUESTION_TEXT)
        key = accepted(&question->key.text, answer->text);
    else if (right && is_right_by(question, question, answer))
        key = question->key.number.answer; /* not where a newer key takes it */
    int place;
    if (key)
        place = add_text(items, item, question, key, key, right);
    else if (right)
        place = answer_place(items, item, "\x01right", tr("accepted afterwards"), true, true);
    else
        place = answer_place(items, item, "\x01other", tr("other answers"), false, true);
    return (uint32_t)(place + 1);
}

static uint32_t simple_answer(struct items *items, struct item *item, const struct question *question,
                              const struct attempt *attempt, const struct answer *answer)
{
    static const char *const grades[] = { N_("again"), N_("hard"), N_("good"), N_("easy") };
    int place = -1;
    if (question->type == QUESTION_TRUE_FALSE)
        place = answer_place(items, item, answer->truth ? "true" : "false",
                             answer->truth ? tr("True") : tr("False"), answer->truth == question->key.truth,
                             false);
    else if (question->type == QUESTION_RECALL && answer->self_grade >= 1 && answer->self_grade <= 4)
        place = answer_place(items, item, grades[answer->self_grade - 1], tr(grades[answer->self_grade - 1]),
                             attempt->outcome == OUTCOME_RIGHT, false);
    else if ((question->type == QUESTION_NUMBER && !question->given) || question->type == QUESTION_TEXT)
        return answer->text ? typed_answer(items, item, question, attempt, answer) : 0;
    return (uint32_t)(place + 1);
}

/* Which answers are right by the key that this item's attempts were graded by anew. */
static void rekey(struct item *item, const struct question *then, const struct question *key)
{
    item->rekeyed = true;
    if (item->several) {
        for (int i = 0; i < then->key.choices.count && i < ITEM_PICKS; i++) {
            const struct answer picked = { .picks = (uint32_t)1 << i };
            if (item->map[i])
                item->answers[item->map[i] - 1].right = is_right_by(key, then, &picked);
        }
        return;
    }
    for (int i = 0; i < item->answer_count; i++) {
        struct item_answer *is = &item->answers[i];
        struct answer said = { .text = is->key, .truth = strcmp(is->key, "true") == 0 };
        if (!is->other)
            is->right = is_right_by(key, then, &said);
    }
}

/* An attempt that was graded anew says by which key. */
static void look_for_key(struct items *items, struct item *item, const struct attempt *attempt,
                         const struct question *question, const struct answer *answer)
{
    struct answer now = *answer;
    if (!attempt->graded || item->rekeyed || question->type == QUESTION_RECALL)
        return;
    const struct question *key = asked_marked(items->build, items->pack, attempt->question, question,
                                              attempt->outcome, attempt->share, &now);
    if (key != question)
        rekey(item, question, key);
}

static bool read_answer(struct items *items, struct item *item, const struct attempt *attempt,
                        uint32_t *given)
{
    struct build *build = items->build;
    const struct question *question;
    struct answer answer = { 0 };
    struct arena arena;
    if (!asked_find(&items->asked, build->stores[attempt->store], &attempt->content, items->pack,
                    attempt->question, &question))
        return false;
    if (!question || question->type != item->kind)
        return true;
    arena_init(&arena);
    bool read = answer_read(&answer, question->type, attempt->response, &arena);
    build->failed = build->failed || !read;
    if (read && !answer.blank && item->several) {
        if (!item->mapped || memcmp(&item->content, &attempt->content, sizeof item->content) != 0)
            map_choices(items, item, question, &attempt->content);
        *given = picks_of(item, &answer);
    } else if (read && !answer.blank) {
        *given = simple_answer(items, item, question, attempt, &answer);
    }
    if (read && !answer.blank)
        look_for_key(items, item, attempt, question, &answer);
    arena_finish(&arena);
    return true;
}

static void count_answers(struct item *item, uint32_t given)
{
    if (!item->several) {
        if (given)
            item->answers[given - 1].chosen++;
        return;
    }
    for (int i = 0; i < item->answer_count; i++)
        item->answers[i].chosen += given >> i & 1;
}

/* The same response to the same content is looked at once. */
bool item_answer_of(struct items *items, struct item *item, const struct attempt *attempt, uint32_t *answer)
{
    *answer = 0;
    if (!attempt->response || !item->type)
        return true;
    struct buffer *key = &items->key;
    buffer_clear(key);
    buffer_add(key, (const char *)&item, sizeof item);
    buffer_add(key, (const char *)attempt->content.bytes, sizeof attempt->content.bytes);
    buffer_char(key, (char)('0' + attempt->outcome + OUTCOMES * attempt->graded));
    buffer_text(key, attempt->response);
    int place = key->failed ? -1 : places_find(&items->typed, key->data, key->length);
    bool done = true;
    if (place >= 0) {
        *answer = items->typed_answers[place];
    } else {
        done = read_answer(items, item, attempt, answer);
        if (!key->failed && items->typed.count < TYPED_MOST) {
            /* room first: a place that is found has its answer */
            bool room = memory_grow(&items->typed_answers, &items->typed_capacity, items->typed.count + 1,
                                    sizeof *items->typed_answers);
            place = room ? places_add(&items->typed, key->data, key->length, NULL) : -1;
            if (place < 0)
                items->build->failed = true;
            else
                items->typed_answers[place] = *answer;
        }
        items->build->failed = items->build->failed || key->failed;
    }
    if (done && !items->build->failed)
        count_answers(item, *answer);
    return done;
}
