#include "generate_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- keys ---- */

static void make_choices(struct generate *generate, struct question *question)
{
    bool many = question->type == QUESTION_MULTIPLE_CHOICE;
    int count = 2 + generate_draw(generate, 5), correct = 1;
    if (many)
        correct = generate_has(generate, GENERATE_SELECT) && generate_draw(generate, 4) == 0 ? 1 : 2;
    const char **texts = generate_distinct(generate, count, MARKED);
    struct choice *items = generate_room(generate, count * (ptrdiff_t)sizeof *items);
    for (int i = 0; i < count; i++)
        items[i].text = texts[i];
    for (int i = 0; i < correct; i++) {
        int place = generate_draw(generate, count);
        while (items[place].correct)
            place = (place + 1) % count;
        items[place].correct = true;
    }
    for (int i = 0; i < count; i++) {
        if (generate_chance(generate, items[i].correct ? GENERATE_RIGHT_FEEDBACK : GENERATE_FEEDBACK))
            items[i].feedback = generate_marked(generate);
        if (!items[i].correct && generate_chance(generate, GENERATE_MISCONCEPTIONS))
            items[i].misconception = generate_slug(generate);
        if (generate_chance(generate, GENERATE_CHOICE_IDS)) {
            char id[16];
            snprintf(id, sizeof id, "c%d", i);
            items[i].id = generate_keep(generate, id);
        }
    }
    if (generate_chance(generate, GENERATE_PINS))
        items[0].pin = PIN_FIRST;
    if (generate_chance(generate, GENERATE_PINS))
        items[count - 1].pin = PIN_LAST;
    question->key.choices.items = items;
    question->key.choices.count = count;
    question->key.choices.correct = correct;
}

static const char *number(struct generate *generate, double *value)
{
    static const char *const odd[] = { "0",   "-3",       "1.10", "013",     "0.27",
                                       "1e3", "12345678", "+5",   "2.50e-3", "-0.5" };
    char text[32];
    if (generate_draw(generate, 2))
        snprintf(text, sizeof text, "%s", odd[generate_draw(generate, (int)(sizeof odd / sizeof *odd))]);
    else
        snprintf(text, sizeof text, "%d.%02d", generate_draw(generate, 1000), generate_draw(generate, 100));
    *value = strtod(text, NULL);
    return generate_keep(generate, text);
}

/* Known wrong responses: numbers far from what is right, or texts other than those accepted. */
static struct known_wrong *wrongs(struct generate *generate, const struct text_list *accept, int *count)
{
    *count = generate_has(generate, GENERATE_FEEDBACK) ? generate_draw(generate, 3) : 0;
    struct known_wrong *items = generate_room(generate, *count * (ptrdiff_t)sizeof *items);
    for (int i = 0; i < *count; i++) {
        char text[48];
        snprintf(text, sizeof text, accept ? "not this %d" : "%d000000000.5", 5 + i);
        items[i].value = generate_keep(generate, text);
        items[i].number = accept ? 0 : strtod(text, NULL);
        items[i].feedback = generate_marked(generate);
        if (generate_chance(generate, GENERATE_MISCONCEPTIONS))
            items[i].misconception = generate_slug(generate);
    }
    return items;
}

static void make_number(struct generate *generate, struct number_key *key)
{
    key->answer = number(generate, &key->value);
    if (generate_chance(generate, GENERATE_TOLERANCE)) {
        key->tolerance = (1 + generate_draw(generate, 999)) / 1000.0;
    } else if (generate_chance(generate, GENERATE_RELATIVE)) {
        key->tolerance = (generate_draw(generate, 9999) / 100.0) / 100;
        key->relative = true;
    }
    if (generate_chance(generate, GENERATE_UNIT))
        key->unit = generate_line(generate);
    if (generate_chance(generate, GENERATE_UNIT))
        key->significant_figures = 1 + generate_draw(generate, PACK_FIGURES);
    key->wrongs = wrongs(generate, NULL, &key->wrong_count);
}

static void make_match(struct generate *generate, struct match_key *key)
{
    int count = 2 + generate_draw(generate, 4), distinct_rights = 0;
    int extra = generate_chance(generate, GENERATE_EXTRA) ? 1 + generate_draw(generate, 2) : 0;
    unsigned char *pairs = generate_room(generate, count);
    for (int i = 0; i < count; i++) {
        bool old = i && generate_draw(generate, 5) == 0;
        pairs[i] = (unsigned char)(old ? generate_draw(generate, distinct_rights) : distinct_rights++);
    }
    key->lefts = (struct text_list){ generate_distinct(generate, count, TEXT), count };
    key->rights = (struct text_list){ generate_distinct(generate, distinct_rights + extra, TEXT),
                                      distinct_rights + extra };
    key->pairs = pairs;
    key->paired = distinct_rights;
}

static void make_key(struct generate *generate, struct question *question)
{
    int count;
    switch (question->type) {
    case QUESTION_SINGLE_CHOICE:
    case QUESTION_MULTIPLE_CHOICE:
        make_choices(generate, question);
        break;
    case QUESTION_TRUE_FALSE:
        question->key.truth = generate_draw(generate, 2);
        break;
    case QUESTION_NUMBER:
        make_number(generate, &question->key.number);
        break;
    case QUESTION_TEXT:
        question->key.text.accept = generate_list(generate, 3, LINE);
        question->key.text.ignore = generate_chance(generate, GENERATE_IGNORE)
                                        ? (unsigned)generate_draw(generate, 16)
                                        : IGNORE_CASE | IGNORE_SPACES;
        question->key.text.wrongs =
            wrongs(generate, &question->key.text.accept, &question->key.text.wrong_count);
        break;
    case QUESTION_ORDER:
        count = 2 + generate_draw(generate, 4);
        question->key.order = (struct text_list){ generate_distinct(generate, count, TEXT), count };
        break;
    case QUESTION_MATCH:
        make_match(generate, &question->key.match);
        break;
    case QUESTION_RECALL:
        question->key.recall = generate_text(generate);
        break;
    case QUESTION_TYPES:
        break;
    }
}

static void make_marking(struct generate *generate, struct question *question)
{
    bool many = question->type == QUESTION_MULTIPLE_CHOICE || question->type == QUESTION_ORDER ||
                question->type == QUESTION_MATCH;
    enum marking_rule usual =
        generate->pack.marking == MARKING_DEFAULT ? MARKING_ALL_OR_NOTHING : generate->pack.marking;
    question->marking = many ? usual : MARKING_ALL_OR_NOTHING;
    if (many && generate_chance(generate, GENERATE_MARKING))
        question->marking = (enum marking_rule)generate_draw(generate, MARKING_RULES);
    else if (question->type == QUESTION_MULTIPLE_CHOICE && !generate_has(generate, GENERATE_MARKING) &&
             generate_has(generate, GENERATE_NET_CORRECT))
        question->marking = MARKING_NET_CORRECT;
}

/* Values by name, put into the prompt and the explanation; the answer is worked out. */
static void make_parameters(struct generate *generate, struct question *question)
{
    static const char *const two[] = { "2", "4" }, *const names[] = { "alpha", "yes: no" };
    static const double numbers[] = { 2, 4 };
    struct parameters *parameters = generate_room(generate, sizeof *parameters);
    struct parameter *items = generate_room(generate, 3 * (ptrdiff_t)sizeof *items);
    struct derived *derived = generate_room(generate, 2 * (ptrdiff_t)sizeof *derived);
    items[0] =
        (struct parameter){ .name = "p", .numeric = true, .count = 2, .texts = two, .numbers = numbers };
    items[1] = (struct parameter){ .name = "word", .count = 2, .texts = names };
    items[2] = (struct parameter){
        .name = "m", .numeric = true, .count = 3 + generate_draw(generate, 5), .from = 8, .step = 0.5
    };
    derived[0] = (struct derived){ .name = "twice", .expression = "2 * p" };
    derived[1] = (struct derived){ .name = "share", .expression = "(p - 1) / (twice + p - 1)" };
    bool rows = generate_draw(generate, 2);
    *parameters = (struct parameters){
        .items = items, .count = rows ? 2 : 3, .rows = rows, .derived = derived, .derived_count = 2
    };
    question->type = QUESTION_NUMBER;
    question->parameters = parameters;
    question->prompt = "{word}: {p} {{ and }} {share:.3f}";
    question->explanation = "It is {twice:,}, of {p:.0f}.";
    struct known_wrong *wrong = generate_room(generate, sizeof *wrong);
    *wrong = (struct known_wrong){ .value = "share + 10 * p", .feedback = "No: {p}." };
    question->key.number = (struct number_key){
        .answer = "share", .tolerance = 0.01, .relative = true, .wrongs = wrong, .wrong_count = 1
    };
    question->figure = question->explanation_figure = question->feedback = question->misconception = NULL;
    question->hints.count = 0;
    question->marking = MARKING_ALL_OR_NOTHING;
}

static void make_question(struct generate *generate, struct question *question, int place, unsigned types)
{
    char id[32];
    do {
        question->type = (enum question_type)generate_draw(generate, QUESTION_TYPES);
    } while (!(types >> question->type & 1));
    snprintf(id, sizeof id, "q%d", place);
    question->id = generate_keep(generate, id);
    question->prompt = generate_marked(generate);
    question->explanation = generate_marked(generate);
    question->marks = generate_chance(generate, GENERATE_MARKS) ? (1 + generate_draw(generate, 40)) / 4.0 : 1;
    question->shuffle =
        generate->pack.shuffle != SHUFFLE_NONE && !generate_chance(generate, GENERATE_SHUFFLE);
    question->markup = generate->pack.markup;
    question->figure = generate_chance(generate, GENERATE_FIGURES) ? generate_figure(generate) : NULL;
    question->explanation_figure =
        generate_chance(generate, GENERATE_FIGURES) ? generate_figure(generate) : NULL;
    question->source = generate_chance(generate, GENERATE_SOURCE) ? generate_text(generate) : NULL;
    if (generate_chance(generate, GENERATE_HINTS))
        question->hints = generate_list(generate, 3, MARKED);
    if (generate_chance(generate, GENERATE_TAGS))
        question->tags = generate_tags(generate, 3);
    if (question->type == QUESTION_TRUE_FALSE || question->type == QUESTION_ORDER ||
        question->type == QUESTION_MATCH) {
        question->feedback =
            generate_chance(generate, GENERATE_QUESTION_FEEDBACK) ? generate_marked(generate) : NULL;
        question->misconception =
            generate_chance(generate, GENERATE_MISCONCEPTIONS) ? generate_slug(generate) : NULL;
    }
    make_key(generate, question);
    make_marking(generate, question);
    if (generate_chance(generate, GENERATE_PARAMETERS))
        make_parameters(generate, question);
}

static void make_sections(struct generate *generate, struct question *questions, int count)
{
    int many = 1 + generate_draw(generate, count < 4 ? count : 4), first = 0;
    const char **titles = generate_distinct(generate, many, LINE);
    struct section *sections = generate_room(generate, many * (ptrdiff_t)sizeof *sections);
    for (int i = 0; i < many; i++) {
        int last =
            i == many - 1 ? count : first + 1 + generate_draw(generate, count - first - (many - 1 - i));
        sections[i] = (struct section){
            .title = titles[i], .first = first, .count = last - first, .pick = last - first
        };
        if (generate_chance(generate, GENERATE_INTRO))
            sections[i].intro = generate_text(generate);
        if (generate_chance(generate, GENERATE_INTRO))
            sections[i].intro_figure = generate_figure(generate);
        if (generate_chance(generate, GENERATE_INTRO))
            sections[i].pick = 1 + generate_draw(generate, last - first);
        for (; first < last; first++)
            questions[first].section = i + 1;
    }
    generate->pack.sections = sections;
    generate->pack.section_count = many;
}

static void make_head(struct generate *generate, struct pack *pack)
{
    bool more = generate_has(generate, GENERATE_HEAD);
    pack->id = "generated";
    pack->title = generate_line(generate);
    pack->language = generate_chance(generate, GENERATE_HEAD) ? "de" : "en";
    pack->key_reader = generate_chance(generate, GENERATE_HEAD) ? generate_line(generate) : "tutors";
    pack->marking = MARKING_DEFAULT;
    pack->markup = generate_has(generate, GENERATE_MARKUP);
    if (!more)
        return;
    const char **fields[] = { &pack->strapline, &pack->subject,        &pack->topic,
                              &pack->ages,      &pack->publisher_name, &pack->publisher_site };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        *fields[i] = generate_draw(generate, 2) ? generate_line(generate) : NULL;
    struct text_list *lists[] = { &pack->authors, &pack->licence, &pack->source };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (generate_draw(generate, 2))
            *lists[i] = generate_list(generate, 3, LINE);
    pack->description = generate_draw(generate, 2) ? generate_text(generate) : NULL;
    pack->shuffle = generate_has(generate, GENERATE_SHUFFLE) ? (enum pack_shuffle)generate_draw(generate, 3)
                                                             : SHUFFLE_ALL;
    if (generate_chance(generate, GENERATE_MARKING))
        pack->marking = (enum marking_rule)generate_draw(generate, MARKING_RULES);
    pack->exam_minutes = generate_draw(generate, 2) ? 5 + generate_draw(generate, 90) : 0;
    pack->exam_pass = generate_draw(generate, 2) ? 50 + generate_draw(generate, 50) : 0;
}

void generate_pack(struct generate *generate, uint64_t seed, unsigned types, unsigned parts)
{
    memset(generate, 0, sizeof *generate);
    arena_init(&generate->arena);
    generate->state = seed;
    generate->parts = parts;
    make_head(generate, &generate->pack);
    int count = 1 + generate_draw(generate, 12);
    struct question *questions = generate_room(generate, count * (ptrdiff_t)sizeof *questions);
    for (int i = 0; i < count; i++)
        make_question(generate, &questions[i], i + 1, types);
    if (generate_has(generate, GENERATE_SECTIONS) && generate_draw(generate, 2))
        make_sections(generate, questions, count);
    generate->pack.questions = questions;
    generate->pack.question_count = count;
}

void generate_finish(struct generate *generate)
{
    arena_finish(&generate->arena);
}
