#include <quiztutor/json.h>
#include <quiztutor/number.h>
#include <quiztutor/pack.h>

#include <stdlib.h>
#include <string.h>

struct entry {
    const char *text; /* the choice's id where it has one */
    bool correct;
};

static int entry_compare(const void *one, const void *other)
{
    return strcmp(((const struct entry *)one)->text, ((const struct entry *)other)->text);
}

static void add_choices(struct json *json, const struct question *question)
{
    struct entry entries[PACK_CHOICES];
    int count = question->key.choices.count;
    for (int i = 0; i < count; i++) {
        const struct choice *choice = &question->key.choices.items[i];
        entries[i].text = choice->id ? choice->id : choice->text;
        entries[i].correct = choice->correct;
    }
    qsort(entries, (size_t)count, sizeof *entries, entry_compare);
    json_key(json, "choices");
    json_open(json, '[');
    for (int i = 0; i < count; i++) {
        json_open(json, '[');
        json_text(json, entries[i].text);
        json_integer(json, entries[i].correct);
        json_close(json, ']');
    }
    json_close(json, ']');
}

/* What decides the mark, keys in the order of RFC 8785. */
static void add_revision(struct json *json, const struct question *question)
{
    char marks[NUMBER_PLAIN];
    number_plain(marks, question->marks);
    json_open(json, '{');
    if (question->type == QUESTION_TRUE_FALSE) {
        json_key(json, "answer");
        json_bool(json, question->key.truth);
    } else {
        add_choices(json, question);
    }
    if (question->type == QUESTION_MULTIPLE_CHOICE) {
        json_key(json, "marking");
        json_text(json, marking_rule_name(question->marking));
    }
    json_key(json, "marks");
    json_text(json, marks);
    json_key(json, "type");
    json_text(json, question_type_name(question->type));
    json_close(json, '}');
}

bool question_revision(const struct question *question, char revision[static PACK_REVISION + 1])
{
    struct buffer text;
    struct json json;
    struct hash hash;
    buffer_init(&text);
    json_init(&json, &text);
    add_revision(&json, question);
    bool done = !text.failed;
    if (done) {
        hash_of(&hash, buffer_get(&text), text.length);
        hash_hex(revision, hash.bytes, PACK_REVISION / 2);
    }
    buffer_finish(&text);
    return done;
}

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

bool question_body(const struct question *question, struct buffer *body)
{
    bool truth = question->type == QUESTION_TRUE_FALSE;
    struct json json;
    json_init(&json, body);
    json_open(&json, '{');
    if (!truth)
        add_body_choices(&json, question);
    json_key(&json, "explanation");
    json_text(&json, question->explanation);
    add_optional(&json, "explanation_figure", question->explanation_figure);
    add_optional(&json, "feedback", question->feedback);
    add_optional(&json, "figure", question->figure);
    if (question->type == QUESTION_MULTIPLE_CHOICE)
        add_optional(&json, "marking", marking_rule_name(question->marking));
    json_key(&json, "marks");
    json_number(&json, question->marks);
    add_optional(&json, "misconception", question->misconception);
    json_key(&json, "prompt");
    json_text(&json, question->prompt);
    add_optional(&json, "source", question->source);
    json_key(&json, "tags");
    json_open(&json, '[');
    for (int i = 0; i < question->tags.count; i++)
        json_text(&json, question->tags.items[i]);
    json_close(&json, ']');
    if (truth) {
        json_key(&json, "truth");
        json_bool(&json, question->key.truth);
    }
    json_key(&json, "type");
    json_text(&json, question_type_name(question->type));
    json_close(&json, '}');
    return !body->failed;
}
