/* A question as it was asked, as the store keeps it. */
#include "revision.h"

bool question_content(const struct question *question, struct hash *hash)
{
    struct buffer body;
    buffer_init(&body);
    bool done = question_body(question, &body);
    if (done)
        hash_of(hash, buffer_get(&body), body.length);
    buffer_finish(&body);
    return done;
}

static void add_optional(struct json *json, const char *key, const char *text)
{
    if (!text)
        return;
    json_key(json, key);
    json_text(json, text);
}

static void add_body_choices(struct json *json, const struct question *question)
{
    json_key(json, "choices");
    json_open(json, '[');
    for (int i = 0; i < question->key.choices.count; i++) {
        const struct choice *choice = &question->key.choices.items[i];
        json_open(json, '{');
        json_key(json, "correct");
        json_bool(json, choice->correct);
        add_optional(json, "id", choice->id);
        add_optional(json, "misconception", choice->misconception);
        json_key(json, "text");
        json_text(json, choice->text);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void add_wrongs(struct json *json, const struct known_wrong *wrongs, int count, bool numbers)
{
    json_key(json, "wrong");
    json_open(json, '[');
    for (int i = 0; i < count; i++) {
        json_open(json, '{');
        add_optional(json, "misconception", wrongs[i].misconception);
        if (numbers) {
            json_key(json, "number");
            json_number(json, wrongs[i].number);
        }
        json_key(json, "value");
        json_text(json, wrongs[i].value);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void add_body_number(struct json *json, const struct number_key *number)
{
    json_key(json, "number");
    json_open(json, '{');
    json_key(json, "answer");
    json_text(json, number->answer);
    if (number->significant_figures) {
        json_key(json, "significant_figures");
        json_integer(json, number->significant_figures);
    }
    revision_tolerance(json, number);
    add_optional(json, "unit", number->unit);
    json_key(json, "value");
    json_number(json, number->value);
    add_wrongs(json, number->wrongs, number->wrong_count, true);
    json_close(json, '}');
}

static void add_body_text(struct json *json, const struct text_key *text)
{
    json_key(json, "text");
    json_open(json, '{');
    revision_texts(json, "accept", &text->accept);
    revision_ignore(json, text->ignore);
    add_wrongs(json, text->wrongs, text->wrong_count, false);
    json_close(json, '}');
}

static void add_body_match(struct json *json, const struct match_key *match)
{
    struct text_list extra = revision_extras(match);
    json_key(json, "match");
    json_open(json, '{');
    revision_texts(json, "extra", &extra);
    revision_pairs(json, match, false);
    json_close(json, '}');
}

/* The value of an instance's "key" member: what its revision is made of. */
static bool add_key(struct json *json, const struct question *question)
{
    json_key(json, "key");
    return revision_write(json, question);
}

/* The keys of the types whose names sort there: one member, named after the type. */
static void add_answer_key(struct json *json, const struct question *question)
{
    switch (question->type) {
    case QUESTION_NUMBER:
        add_body_number(json, &question->key.number);
        break;
    case QUESTION_ORDER:
        revision_texts(json, "order", &question->key.order);
        break;
    case QUESTION_MATCH:
        add_body_match(json, &question->key.match);
        break;
    case QUESTION_TEXT:
        add_body_text(json, &question->key.text);
        break;
    case QUESTION_RECALL:
        json_key(json, "recall");
        json_text(json, question->key.recall);
        break;
    case QUESTION_TRUE_FALSE:
        json_key(json, "truth");
        json_bool(json, question->key.truth);
        break;
    default:
        break;
    }
}

bool question_body(const struct question *question, struct buffer *body)
{
    enum question_type type = question->type;
    bool choices = type == QUESTION_SINGLE_CHOICE || type == QUESTION_MULTIPLE_CHOICE, done = true;
    bool behind = type == QUESTION_TEXT || type == QUESTION_TRUE_FALSE; /* their keys sort behind "tags" */
    struct json json;
    json_init(&json, body);
    json_open(&json, '{');
    if (choices)
        add_body_choices(&json, question);
    json_key(&json, "explanation");
    json_text(&json, question->explanation);
    add_optional(&json, "explanation_figure", question->explanation_figure);
    add_optional(&json, "feedback", question->feedback);
    add_optional(&json, "figure", question->figure);
    if (question->origin) {
        json_key(&json, "given");
        json_raw(&json, question->given);
        done = add_key(&json, question);
    }
    if (revision_has_rule(question))
        add_optional(&json, "marking", marking_rule_name(question->marking));
    json_key(&json, "marks");
    json_number(&json, question->marks);
    if (type == QUESTION_MATCH)
        add_answer_key(&json, question);
    add_optional(&json, "misconception", question->misconception);
    if (type == QUESTION_NUMBER || type == QUESTION_ORDER)
        add_answer_key(&json, question);
    json_key(&json, "prompt");
    json_text(&json, question->prompt);
    if (type == QUESTION_RECALL)
        add_answer_key(&json, question);
    add_optional(&json, "source", question->source);
    json_key(&json, "tags");
    json_open(&json, '[');
    for (int i = 0; i < question->tags.count; i++)
        json_text(&json, question->tags.items[i]);
    json_close(&json, ']');
    if (behind)
        add_answer_key(&json, question);
    json_key(&json, "type");
    json_text(&json, question_type_name(type));
    json_close(&json, '}');
    return done && !body->failed;
}
