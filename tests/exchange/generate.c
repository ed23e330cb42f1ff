#include "generate.h"

#include <quiztutor/number.h>
#include <quiztutor/text.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* SplitMix64. */
static uint64_t next(struct generate *generate)
{
    uint64_t x = generate->state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

int generate_draw(struct generate *generate, int n)
{
    return (int)(next(generate) % (uint64_t)n);
}

static bool has(const struct generate *generate, enum generate_part part)
{
    return (generate->parts & (unsigned)part) != 0;
}

/* One in three, where the part is wanted. */
static bool chance(struct generate *generate, enum generate_part part)
{
    return has(generate, part) && generate_draw(generate, 3) == 0;
}

static void *room(struct generate *generate, ptrdiff_t size)
{
    void *block = arena_alloc(&generate->arena, size ? size : 1);
    if (!block)
        abort();
    return block;
}

static const char *keep(struct generate *generate, const char *text)
{
    char *kept = arena_text(&generate->arena, text, (ptrdiff_t)strlen(text));
    if (!kept)
        abort();
    return kept;
}

/* ---- texts ---- */

static const char *const words[] = { "tensor", "pipeline", "stage",  "share", "Which",  "gradient", "the",
                                     "of",     "2",        "memory", "naïve", "bubble", "a",        "batch" };

/* What stands in them means something in YAML, GIFT, CSV, XML, Markdown, light markup or Anki. */
static const char *const hostile[] = {
    "yes",
    "No",
    "on",
    "~",
    "null",
    "1.10",
    "013",
    "12:30",
    "- x",
    "-x",
    "# no",
    "a # b",
    "a: b",
    "a:b",
    "x:",
    ": x",
    "\"q\"",
    "'q'",
    "it's",
    "'",
    "\"",
    "{",
    "}",
    "{a}",
    "[1]",
    "*",
    "*em*",
    "**",
    "_em_",
    "`code`",
    "&amp;",
    "&anchor",
    "<b>",
    "a < b",
    "a > b & c",
    "!tag",
    "%50%",
    "%",
    "@at",
    "|",
    ">",
    "?",
    "? x",
    ",",
    "a, b",
    "a;b",
    "=x",
    "~x",
    "->",
    "a -> b",
    "\\",
    "\\n",
    "\\{",
    "//x",
    "// no",
    "$CATEGORY: x",
    "::t::",
    "####",
    "TRUE",
    "T",
    "=>",
    "<<",
    "...",
    "---",
    "--- x",
    "correct:x",
    "wrong: x",
    "id:x",
    "ANSWER: A",
    "A) x",
    "A. x",
    "1. x",
    "+ x",
    "* x",
    "> x",
    "| a | b |",
    "[ ] x",
    "[x] y",
    "{{c1::x}}",
    "#tag",
    "=cmd()",
    "@x",
    "+1",
    "-1",
    "ünïcode",
    "日本語",
    "naïve",
    "e\xcc\x81",
    "🙂",
    "−5",
    "]]>",
    "<!-- x -->",
    "<?x?>",
    "&lt;",
    "%%",
    "a  b",
    "x ",
    "{",
    "…",
    "“quoted”",
    "0x10",
    "1e3",
    "\\u0041",
    "{{",
    "#separator:tab",
    "!",
    "key: [a, {b: c}]",
};

static void add_word(struct generate *generate, struct buffer *out)
{
    if (has(generate, GENERATE_TABS) && generate_draw(generate, 60) == 0)
        buffer_text(out, "tab\there");
    else if (has(generate, GENERATE_HOSTILE) && generate_draw(generate, 3) == 0)
        buffer_text(out, hostile[generate_draw(generate, (int)(sizeof hostile / sizeof *hostile))]);
    else
        buffer_text(out, words[generate_draw(generate, (int)(sizeof words / sizeof *words))]);
}

/* A line without white space at its ends; at times a long one. */
static void add_line(struct generate *generate, struct buffer *out)
{
    int count = generate_draw(generate, 20) == 0 ? 60 : 1 + generate_draw(generate, 6);
    for (int i = 0; i < count; i++) {
        if (i)
            buffer_char(out, ' ');
        add_word(generate, out);
    }
    while (out->length && out->data[out->length - 1] == ' ')
        out->data[--out->length] = '\0';
}

static const char *finish(struct generate *generate, struct buffer *out)
{
    if (out->failed)
        abort();
    const char *kept = keep(generate, buffer_get(out));
    buffer_finish(out);
    return kept;
}

const char *generate_line(struct generate *generate)
{
    struct buffer out;
    buffer_init(&out);
    add_line(generate, &out);
    return finish(generate, &out);
}

/* Lines between fences; they keep their spaces. */
static void add_code(struct generate *generate, struct buffer *out)
{
    int lines = 1 + generate_draw(generate, 3);
    buffer_text(out, "```");
    for (int i = 0; i < lines; i++) {
        buffer_text(out, i && generate_draw(generate, 4) == 0 ? "\n\n" : "\n");
        buffer_print(out, "%*s", generate_draw(generate, 5), "");
        add_word(generate, out);
        if (out->length && out->data[out->length - 1] == ' ')
            out->data[--out->length] = '\0';
    }
    buffer_text(out, "\n```");
}

const char *generate_text(struct generate *generate)
{
    struct buffer out;
    buffer_init(&out);
    add_line(generate, &out);
    while (has(generate, GENERATE_PARAGRAPHS) && generate_draw(generate, 3) == 0) {
        buffer_text(&out, generate_draw(generate, 2) ? "\n\n" : "\n");
        add_line(generate, &out);
    }
    return finish(generate, &out);
}

/* One that may carry markup: a prompt, a choice, feedback, a hint, an explanation. */
static const char *marked(struct generate *generate)
{
    const char *text = generate_text(generate);
    struct buffer out;
    if (!has(generate, GENERATE_CODE) || !has(generate, GENERATE_MARKUP) || generate_draw(generate, 6))
        return text;
    buffer_init(&out);
    buffer_print(&out, "%s\n\n", text);
    add_code(generate, &out);
    return finish(generate, &out);
}

static const char *figure(struct generate *generate)
{
    struct buffer out;
    int lines = 1 + generate_draw(generate, 4);
    buffer_init(&out);
    for (int i = 0; i < lines; i++) {
        if (i)
            buffer_text(&out, generate_draw(generate, 4) ? "\n" : "\n\n\n");
        buffer_print(&out, "%*s", generate_draw(generate, 5), "");
        if (has(generate, GENERATE_TABS) && generate_draw(generate, 6) == 0)
            buffer_char(&out, '\t');
        add_line(generate, &out);
    }
    return finish(generate, &out);
}

/* A word as tags and misconceptions are. */
static const char *slug(struct generate *generate)
{
    char text[64];
    snprintf(text, sizeof text, "%s-%d", generate_draw(generate, 2) ? "tag" : "slip",
             generate_draw(generate, 99));
    return keep(generate, text);
}

/* Texts that are no two the same. */
enum kind { LINE, TEXT, MARKED };

static const char **distinct(struct generate *generate, int count, enum kind kind)
{
    const char **texts = room(generate, count * (ptrdiff_t)sizeof *texts);
    for (int i = 0; i < count; i++) {
        bool again = true;
        for (int tries = 0; again; tries++) {
            char number[16];
            texts[i] = kind == LINE   ? generate_line(generate)
                       : kind == TEXT ? generate_text(generate)
                                      : marked(generate);
            if (tries > 9) {
                snprintf(number, sizeof number, "n%d", i);
                texts[i] = keep(generate, number);
            }
            again = strlen(texts[i]) > PACK_RESPONSE;
            for (int k = 0; k < i && !again; k++)
                again = text_same(texts[k], texts[i]);
        }
    }
    return texts;
}

static struct text_list tags(struct generate *generate, int most)
{
    int count = 1 + generate_draw(generate, most);
    const char **items = room(generate, count * (ptrdiff_t)sizeof *items);
    for (int i = 0; i < count; i++) {
        char text[64];
        snprintf(text, sizeof text, "%s %d", slug(generate), i);
        items[i] = keep(generate, text);
    }
    return (struct text_list){ items, count };
}

static struct text_list list(struct generate *generate, int most, enum kind kind)
{
    int count = 1 + generate_draw(generate, most);
    return (struct text_list){ distinct(generate, count, kind), count };
}

/* ---- keys ---- */

static void make_choices(struct generate *generate, struct question *question)
{
    bool many = question->type == QUESTION_MULTIPLE_CHOICE;
    int count = 2 + generate_draw(generate, 5), correct = 1;
    if (many)
        correct = has(generate, GENERATE_SELECT) && generate_draw(generate, 4) == 0 ? 1 : 2;
    const char **texts = distinct(generate, count, MARKED);
    struct choice *items = room(generate, count * (ptrdiff_t)sizeof *items);
    for (int i = 0; i < count; i++)
        items[i].text = texts[i];
    for (int i = 0; i < correct; i++) {
        int place = generate_draw(generate, count);
        while (items[place].correct)
            place = (place + 1) % count;
        items[place].correct = true;
    }
    for (int i = 0; i < count; i++) {
        if (chance(generate, items[i].correct ? GENERATE_RIGHT_FEEDBACK : GENERATE_FEEDBACK))
            items[i].feedback = marked(generate);
        if (!items[i].correct && chance(generate, GENERATE_MISCONCEPTIONS))
            items[i].misconception = slug(generate);
        if (chance(generate, GENERATE_CHOICE_IDS)) {
            char id[16];
            snprintf(id, sizeof id, "c%d", i);
            items[i].id = keep(generate, id);
        }
    }
    if (chance(generate, GENERATE_PINS))
        items[0].pin = PIN_FIRST;
    if (chance(generate, GENERATE_PINS))
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
    return keep(generate, text);
}

/* Known wrong responses: numbers far from what is right, or texts other than those accepted. */
static struct known_wrong *wrongs(struct generate *generate, const struct text_list *accept, int *count)
{
    *count = has(generate, GENERATE_FEEDBACK) ? generate_draw(generate, 3) : 0;
    struct known_wrong *items = room(generate, *count * (ptrdiff_t)sizeof *items);
    for (int i = 0; i < *count; i++) {
        char text[48];
        snprintf(text, sizeof text, accept ? "not this %d" : "%d000000000.5", 5 + i);
        items[i].value = keep(generate, text);
        items[i].number = accept ? 0 : strtod(text, NULL);
        items[i].feedback = marked(generate);
        if (chance(generate, GENERATE_MISCONCEPTIONS))
            items[i].misconception = slug(generate);
    }
    return items;
}

static void make_number(struct generate *generate, struct number_key *key)
{
    key->answer = number(generate, &key->value);
    if (chance(generate, GENERATE_TOLERANCE)) {
        key->tolerance = (1 + generate_draw(generate, 999)) / 1000.0;
    } else if (chance(generate, GENERATE_RELATIVE)) {
        key->tolerance = (generate_draw(generate, 9999) / 100.0) / 100;
        key->relative = true;
    }
    if (chance(generate, GENERATE_UNIT))
        key->unit = generate_line(generate);
    if (chance(generate, GENERATE_UNIT))
        key->significant_figures = 1 + generate_draw(generate, PACK_FIGURES);
    key->wrongs = wrongs(generate, NULL, &key->wrong_count);
}

static void make_match(struct generate *generate, struct match_key *key)
{
    int count = 2 + generate_draw(generate, 4), distinct_rights = 0;
    int extra = chance(generate, GENERATE_EXTRA) ? 1 + generate_draw(generate, 2) : 0;
    unsigned char *pairs = room(generate, count);
    for (int i = 0; i < count; i++) {
        bool old = i && generate_draw(generate, 5) == 0;
        pairs[i] = (unsigned char)(old ? generate_draw(generate, distinct_rights) : distinct_rights++);
    }
    key->lefts = (struct text_list){ distinct(generate, count, TEXT), count };
    key->rights =
        (struct text_list){ distinct(generate, distinct_rights + extra, TEXT), distinct_rights + extra };
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
        question->key.text.accept = list(generate, 3, LINE);
        question->key.text.ignore = chance(generate, GENERATE_IGNORE) ? (unsigned)generate_draw(generate, 16)
                                                                      : IGNORE_CASE | IGNORE_SPACES;
        question->key.text.wrongs =
            wrongs(generate, &question->key.text.accept, &question->key.text.wrong_count);
        break;
    case QUESTION_ORDER:
        count = 2 + generate_draw(generate, 4);
        question->key.order = (struct text_list){ distinct(generate, count, TEXT), count };
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
    if (many && chance(generate, GENERATE_MARKING))
        question->marking = (enum marking_rule)generate_draw(generate, MARKING_RULES);
    else if (question->type == QUESTION_MULTIPLE_CHOICE && !has(generate, GENERATE_MARKING) &&
             has(generate, GENERATE_NET_CORRECT))
        question->marking = MARKING_NET_CORRECT;
}

/* Values by name, put into the prompt and the explanation; the answer is worked out. */
static void make_parameters(struct generate *generate, struct question *question)
{
    static const char *const two[] = { "2", "4" }, *const names[] = { "alpha", "yes: no" };
    static const double numbers[] = { 2, 4 };
    struct parameters *parameters = room(generate, sizeof *parameters);
    struct parameter *items = room(generate, 3 * (ptrdiff_t)sizeof *items);
    struct derived *derived = room(generate, 2 * (ptrdiff_t)sizeof *derived);
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
    struct known_wrong *wrong = room(generate, sizeof *wrong);
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
    question->id = keep(generate, id);
    question->prompt = marked(generate);
    question->explanation = marked(generate);
    question->marks = chance(generate, GENERATE_MARKS) ? (1 + generate_draw(generate, 40)) / 4.0 : 1;
    question->shuffle = generate->pack.shuffle != SHUFFLE_NONE && !chance(generate, GENERATE_SHUFFLE);
    question->markup = generate->pack.markup;
    question->figure = chance(generate, GENERATE_FIGURES) ? figure(generate) : NULL;
    question->explanation_figure = chance(generate, GENERATE_FIGURES) ? figure(generate) : NULL;
    question->source = chance(generate, GENERATE_SOURCE) ? generate_text(generate) : NULL;
    if (chance(generate, GENERATE_HINTS))
        question->hints = list(generate, 3, MARKED);
    if (chance(generate, GENERATE_TAGS))
        question->tags = tags(generate, 3);
    if (question->type == QUESTION_TRUE_FALSE || question->type == QUESTION_ORDER ||
        question->type == QUESTION_MATCH) {
        question->feedback = chance(generate, GENERATE_QUESTION_FEEDBACK) ? marked(generate) : NULL;
        question->misconception = chance(generate, GENERATE_MISCONCEPTIONS) ? slug(generate) : NULL;
    }
    make_key(generate, question);
    make_marking(generate, question);
    if (chance(generate, GENERATE_PARAMETERS))
        make_parameters(generate, question);
}

static void make_sections(struct generate *generate, struct question *questions, int count)
{
    int many = 1 + generate_draw(generate, count < 4 ? count : 4), first = 0;
    const char **titles = distinct(generate, many, LINE);
    struct section *sections = room(generate, many * (ptrdiff_t)sizeof *sections);
    for (int i = 0; i < many; i++) {
        int last =
            i == many - 1 ? count : first + 1 + generate_draw(generate, count - first - (many - 1 - i));
        sections[i] = (struct section){
            .title = titles[i], .first = first, .count = last - first, .pick = last - first
        };
        if (chance(generate, GENERATE_INTRO))
            sections[i].intro = generate_text(generate);
        if (chance(generate, GENERATE_INTRO))
            sections[i].intro_figure = figure(generate);
        if (chance(generate, GENERATE_INTRO))
            sections[i].pick = 1 + generate_draw(generate, last - first);
        for (; first < last; first++)
            questions[first].section = i + 1;
    }
    generate->pack.sections = sections;
    generate->pack.section_count = many;
}

static void make_head(struct generate *generate, struct pack *pack)
{
    bool more = has(generate, GENERATE_HEAD);
    pack->id = "generated";
    pack->title = generate_line(generate);
    pack->language = chance(generate, GENERATE_HEAD) ? "de" : "en";
    pack->key_reader = chance(generate, GENERATE_HEAD) ? generate_line(generate) : "tutors";
    pack->marking = MARKING_DEFAULT;
    pack->markup = has(generate, GENERATE_MARKUP);
    if (!more)
        return;
    const char **fields[] = { &pack->strapline, &pack->subject,        &pack->topic,
                              &pack->ages,      &pack->publisher_name, &pack->publisher_site };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        *fields[i] = generate_draw(generate, 2) ? generate_line(generate) : NULL;
    struct text_list *lists[] = { &pack->authors, &pack->licence, &pack->source };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (generate_draw(generate, 2))
            *lists[i] = list(generate, 3, LINE);
    pack->description = generate_draw(generate, 2) ? generate_text(generate) : NULL;
    pack->shuffle =
        has(generate, GENERATE_SHUFFLE) ? (enum pack_shuffle)generate_draw(generate, 3) : SHUFFLE_ALL;
    if (chance(generate, GENERATE_MARKING))
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
    struct question *questions = room(generate, count * (ptrdiff_t)sizeof *questions);
    for (int i = 0; i < count; i++)
        make_question(generate, &questions[i], i + 1, types);
    if (has(generate, GENERATE_SECTIONS) && generate_draw(generate, 2))
        make_sections(generate, questions, count);
    generate->pack.questions = questions;
    generate->pack.question_count = count;
}

void generate_finish(struct generate *generate)
{
    arena_finish(&generate->arena);
}
