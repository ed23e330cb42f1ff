/*
 * The BODY of an ID: what is printed of a pack or decides a mark, as RFC 8785 JSON. Its keys are ASCII and
 * written in their order, so that nothing needs sorting; json.h escapes as the RFC has it.
 */
#include <quiztutor/hash.h>
#include <quiztutor/json.h>
#include <quiztutor/number.h>
#include <quiztutor/plan.h>
#include <quiztutor/sheet.h>
#include <quiztutor/text.h>

#include <stdio.h>
#include <string.h>

static void add_text(struct json *json, const char *key, const char *text)
{
    if (!text)
        return;
    json_key(json, key);
    json_text(json, text);
}

static void add_count(struct json *json, const char *key, int count)
{
    char text[16];
    snprintf(text, sizeof text, "%d", count);
    add_text(json, key, text);
}

static void add_number(struct json *json, const char *key, double value)
{
    char text[NUMBER_PLAIN];
    number_plain(text, value);
    add_text(json, key, text);
}

static void add_bool(struct json *json, const char *key, bool value)
{
    json_key(json, key);
    json_bool(json, value);
}

static void add_texts(struct json *json, const char *key, const char *const *texts, int count)
{
    json_key(json, key);
    json_open(json, '[');
    for (int i = 0; i < count; i++)
        json_text(json, texts[i]);
    json_close(json, ']');
}

static void add_choices(struct json *json, const struct question *question)
{
    static const char *const pins[] = { NULL, "first", "last" };
    json_key(json, "choices");
    json_open(json, '[');
    for (int i = 0; i < question->key.choices.count; i++) {
        const struct choice *choice = &question->key.choices.items[i];
        json_open(json, '{');
        add_bool(json, "correct", choice->correct);
        add_text(json, "pin", pins[choice->pin]);
        add_text(json, "text", choice->text);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void add_derived(struct json *json, const struct parameters *parameters)
{
    json_key(json, "derive");
    json_open(json, '[');
    for (int i = 0; i < parameters->derived_count; i++) {
        json_open(json, '{');
        add_text(json, "expression", parameters->derived[i].expression);
        add_text(json, "name", parameters->derived[i].name);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void add_given(struct json *json, const struct parameters *parameters)
{
    json_key(json, "given");
    json_open(json, '[');
    for (int i = 0; i < parameters->count; i++) {
        const struct parameter *one = &parameters->items[i];
        bool range = !one->texts && !one->numbers;
        json_open(json, '{');
        if (range) {
            add_count(json, "count", one->count);
            add_number(json, "from", one->from);
        }
        add_text(json, "name", one->name);
        add_bool(json, "numeric", one->numeric);
        if (range)
            add_number(json, "step", one->step);
        else
            add_texts(json, "values", one->texts, one->count);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void add_ignored(struct json *json, unsigned ignore)
{
    static const enum text_ignore bits[] = { IGNORE_ACCENTS, IGNORE_CASE, IGNORE_PUNCTUATION, IGNORE_SPACES };
    json_key(json, "ignore");
    json_open(json, '[');
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++)
        if (ignore & bits[i])
            json_text(json, text_ignore_name(bits[i]));
    json_close(json, ']');
}

static void add_pairs(struct json *json, const struct match_key *match)
{
    json_key(json, "pairs");
    json_open(json, '[');
    for (int i = 0; i < match->lefts.count; i++) {
        json_open(json, '[');
        json_text(json, match->lefts.items[i]);
        json_text(json, match->rights.items[match->pairs[i]]);
        json_close(json, ']');
    }
    json_close(json, ']');
}

/* "0.5", or "5%" of a share, as it is written. */
static void add_tolerance(struct json *json, const struct number_key *number)
{
    char plain[NUMBER_PLAIN], text[NUMBER_PLAIN + 1];
    double percent = number->tolerance * 100;
    number_plain(plain, number->relative ? number_round(percent, PACK_FIGURES) : number->tolerance);
    snprintf(text, sizeof text, "%s%s", plain, number->relative ? "%" : "");
    add_text(json, "tolerance", text);
}

static bool has_choices(const struct question *question)
{
    return question->type == QUESTION_SINGLE_CHOICE || question->type == QUESTION_MULTIPLE_CHOICE;
}

static bool has_rule(const struct question *question)
{
    return question->type == QUESTION_MULTIPLE_CHOICE || question->type == QUESTION_ORDER ||
           question->type == QUESTION_MATCH;
}

/* Members up to "figure". */
static void add_first(struct json *json, const struct question *question)
{
    const struct text_key *text = &question->key.text;
    const struct match_key *match = &question->key.match;
    if (question->type == QUESTION_TEXT)
        add_texts(json, "accept", text->accept.items, text->accept.count);
    if (question->type == QUESTION_TRUE_FALSE)
        add_bool(json, "answer", question->key.truth);
    if (question->type == QUESTION_NUMBER)
        add_text(json, "answer", question->key.number.answer);
    if (has_choices(question))
        add_choices(json, question);
    if (question->parameters)
        add_derived(json, question->parameters);
    add_text(json, "explanation", question->explanation);
    add_text(json, "explanation_figure", question->explanation_figure);
    if (question->type == QUESTION_MATCH)
        add_texts(json, "extra", match->rights.items + match->paired, match->rights.count - match->paired);
    add_text(json, "figure", question->figure);
}

static void add_question(struct json *json, const struct question *question)
{
    const struct number_key *number = question->type == QUESTION_NUMBER ? &question->key.number : NULL;
    json_open(json, '{');
    add_first(json, question);
    if (question->parameters)
        add_given(json, question->parameters);
    add_text(json, "id", question->id);
    if (question->type == QUESTION_TEXT)
        add_ignored(json, question->key.text.ignore);
    if (question->type == QUESTION_ORDER)
        add_texts(json, "items", question->key.order.items, question->key.order.count);
    if (has_rule(question))
        add_text(json, "marking", marking_rule_name(question->marking));
    add_number(json, "marks", question->marks);
    add_bool(json, "markup", question->markup);
    if (question->type == QUESTION_MATCH)
        add_pairs(json, &question->key.match);
    add_text(json, "prompt", question->prompt);
    if (question->parameters)
        add_bool(json, "rows", question->parameters->rows);
    if (has_choices(question))
        add_bool(json, "shuffle", question->shuffle);
    if (number && number->significant_figures)
        add_count(json, "significant_figures", number->significant_figures);
    if (number)
        add_tolerance(json, number);
    add_text(json, "type", question_type_name(question->type));
    add_text(json, "unit", number ? number->unit : NULL);
    json_close(json, '}');
}

static void add_questions(struct json *json, const struct pack *pack, const char *tag)
{
    json_key(json, "questions");
    json_open(json, '[');
    for (int i = 0; i < pack->question_count; i++) {
        const struct question *question = &pack->questions[i];
        if (question->type == QUESTION_RECALL || !plan_has_tag(question, tag))
            json_null(json);
        else
            add_question(json, question);
    }
    json_close(json, ']');
}

static void add_sections(struct json *json, const struct pack *pack)
{
    json_key(json, "sections");
    json_open(json, '[');
    for (int i = 0; i < pack->section_count; i++) {
        const struct section *section = &pack->sections[i];
        json_open(json, '{');
        add_count(json, "count", section->count);
        add_text(json, "intro", section->intro);
        add_text(json, "intro_figure", section->intro_figure);
        add_count(json, "pick", section->pick);
        json_close(json, '}');
    }
    json_close(json, ']');
}

bool sheet_body_json(struct buffer *out, const struct pack *pack, const char *tag)
{
    static const char *const shuffles[] = { "all", "choices", "none" };
    struct json json;
    json_init(&json, out);
    json_open(&json, '{');
    add_text(&json, "ages", pack->ages);
    add_text(&json, "id", pack->id);
    add_text(&json, "key_reader", pack->key_reader);
    add_text(&json, "language", pack->language);
    add_bool(&json, "markup", pack->markup);
    add_text(&json, "publisher_name", pack->publisher_name);
    add_text(&json, "publisher_site", pack->publisher_site);
    add_questions(&json, pack, tag);
    add_sections(&json, pack);
    add_text(&json, "shuffle", shuffles[pack->shuffle]);
    add_text(&json, "strapline", pack->strapline);
    add_text(&json, "subject", pack->subject);
    add_text(&json, "title", pack->title);
    add_text(&json, "topic", pack->topic);
    json_close(&json, '}');
    return !out->failed;
}

/* The first 65 bits, five for each digit. */
bool sheet_body(char body[static SHEET_BODY + 1], const struct pack *pack, const char *tag)
{
    static const char digits[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    struct buffer json;
    struct hash hash;
    buffer_init(&json);
    bool done = sheet_body_json(&json, pack, tag);
    if (done)
        hash_of(&hash, buffer_get(&json), json.length);
    buffer_finish(&json);
    for (int i = 0; done && i < SHEET_BODY; i++) {
        int bit = 5 * i, two = hash.bytes[bit / 8] << 8 | hash.bytes[bit / 8 + 1];
        body[i] = digits[two >> (11 - bit % 8) & 31];
    }
    body[done ? SHEET_BODY : 0] = '\0';
    return done;
}

/* Tags that were met; false where this one was met before, or too many were. */
static bool is_new(const char *met[static SHEET_TAGS], int *count, const char *tag)
{
    for (int i = 0; i < *count; i++)
        if (text_same(met[i], tag))
            return false;
    if (*count == SHEET_TAGS)
        return false;
    met[(*count)++] = tag;
    return true;
}

/* 1: this is it. */
static int body_is(const struct pack *pack, const char *tag, const char *body)
{
    char its[SHEET_BODY + 1];
    if (!sheet_body(its, pack, tag))
        return -1;
    return strcmp(its, body) == 0;
}

int sheet_body_find(const struct pack *pack, const char *body, const char **tag)
{
    const char *met[SHEET_TAGS];
    int count = 0, found = body_is(pack, NULL, body);
    *tag = NULL;
    for (int i = 0; i < pack->question_count; i++) {
        const struct text_list *tags = &pack->questions[i].tags;
        for (int k = 0; k < tags->count && found == 0; k++) {
            if (!is_new(met, &count, tags->items[k]))
                continue;
            found = body_is(pack, tags->items[k], body);
            *tag = found > 0 ? tags->items[k] : NULL;
        }
    }
    return found;
}
