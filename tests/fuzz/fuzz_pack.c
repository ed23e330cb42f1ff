/*
 * Any bytes at all as a pack: nothing crashes, a refused one has an error, a loaded one keeps its promises
 * and can be reviewed. Built with libFuzzer by tests/fuzz/run; without it, the main below replays files and
 * folders as an ordinary test.
 */
#include <quiztutor/derive.h>
#include <quiztutor/review.h>

#include <quiztutor/text.h>

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* A text that content may hold: not empty, UTF-8, nothing forbidden in it. */
static void expect_text(const char *text, int needed)
{
    int32_t code;
    if (!text && !needed)
        return;
    if (!text || !*text)
        abort();
    for (ptrdiff_t length = (ptrdiff_t)strlen(text); length > 0;) {
        int taken = text_decode(text, length, &code);
        if (code == TEXT_BAD || text_forbidden(code) || code == '\r')
            abort();
        text += taken;
        length -= taken;
    }
}

static void expect_choices(const struct question *question)
{
    int correct = 0;
    for (int i = 0; i < question->key.choices.count; i++) {
        const struct choice *choice = &question->key.choices.items[i];
        expect_text(choice->text, 1);
        expect_text(choice->feedback, 0);
        correct += choice->correct;
        for (int k = 0; k < i; k++)
            if (text_same(choice->text, question->key.choices.items[k].text))
                abort();
    }
    if (correct < 1 || correct != question->key.choices.correct || question->key.choices.count > PACK_CHOICES)
        abort();
}

/* Texts of a list, all different. */
static void expect_list(const struct text_list *list, int least)
{
    if (list->count < least || list->count > PACK_LISTED)
        abort();
    for (int i = 0; i < list->count; i++) {
        expect_text(list->items[i], 1);
        for (int k = 0; k < i && i < PACK_CHOICES; k++)
            if (text_same(list->items[i], list->items[k]))
                abort();
    }
}

static void expect_wrongs(const struct known_wrong *wrongs, int count)
{
    if (count > PACK_LISTED)
        abort();
    for (int i = 0; i < count; i++) {
        expect_text(wrongs[i].value, 1);
        expect_text(wrongs[i].feedback, 0);
        expect_text(wrongs[i].misconception, 0);
        if (strlen(wrongs[i].value) > PACK_RESPONSE)
            abort();
    }
}

static void expect_number(const struct number_key *number)
{
    expect_text(number->answer, 1);
    expect_text(number->unit, 0);
    expect_wrongs(number->wrongs, number->wrong_count);
    if (!(number->tolerance >= 0) || (number->relative && number->tolerance > 1) ||
        number->significant_figures < 0 || number->significant_figures > PACK_FIGURES ||
        number->value - number->value != 0)
        abort();
}

static void expect_match(const struct match_key *match)
{
    expect_list(&match->lefts, 2);
    expect_list(&match->rights, 1);
    if (match->lefts.count > PACK_CHOICES || match->rights.count > PACK_CHOICES || match->paired < 1 ||
        match->paired > match->rights.count)
        abort();
    for (int i = 0; i < match->lefts.count; i++)
        if (match->pairs[i] >= match->paired)
            abort();
}

static void expect_key(const struct question *question)
{
    switch (question->type) {
    case QUESTION_NUMBER:
        expect_number(&question->key.number);
        break;
    case QUESTION_TEXT:
        expect_list(&question->key.text.accept, 1);
        expect_wrongs(question->key.text.wrongs, question->key.text.wrong_count);
        break;
    case QUESTION_ORDER:
        expect_list(&question->key.order, 2);
        if (question->key.order.count > PACK_CHOICES)
            abort();
        break;
    case QUESTION_MATCH:
        expect_match(&question->key.match);
        break;
    case QUESTION_RECALL:
        expect_text(question->key.recall, 1);
        break;
    case QUESTION_TRUE_FALSE:
        break;
    default:
        expect_choices(question);
    }
}

/* What was worked out of a parametrised question: texts as good as those of the pack, and numbers. */
static void expect_instance(const struct question *instance)
{
    expect_text(instance->prompt, 1);
    expect_text(instance->figure, 0);
    expect_text(instance->explanation, 1);
    expect_text(instance->explanation_figure, 0);
    expect_text(instance->given, 1);
    for (int i = 0; i < instance->hints.count; i++)
        expect_text(instance->hints.items[i], 1);
    if (instance->type == QUESTION_SINGLE_CHOICE || instance->type == QUESTION_MULTIPLE_CHOICE)
        expect_choices(instance);
    if (instance->type == QUESTION_NUMBER)
        expect_number(&instance->key.number);
}

/* The first combination can be shown; others can, or it is said why not. */
static void expect_parameters(const struct question *question)
{
    const struct parameters *parameters = question->parameters;
    int picks[DERIVE_NAMES];
    for (int way = 0; way < 3; way++) {
        struct question instance;
        struct error error = { .code = ERROR_NONE };
        struct arena arena;
        arena_init(&arena);
        for (int i = 0; i < parameters_draws(parameters); i++) {
            int ways = parameters_ways(parameters, i);
            if (ways < 1)
                abort();
            picks[i] = way == 0 ? 0 : way == 1 ? ways - 1 : ways / 2;
        }
        if (question_instantiate(&instance, question, picks, &arena, &error))
            expect_instance(&instance);
        else if (way == 0 || error.code != ERROR_INPUT || !*error.message)
            abort();
        arena_finish(&arena);
    }
}

static void expect_question(const struct pack *pack, const struct question *question)
{
    char revision[PACK_REVISION + 1];
    struct hash hash;
    expect_text(question->prompt, 1);
    expect_text(question->figure, 0);
    expect_text(question->explanation, 1);
    if (!(question->marks > 0) || question->marking == MARKING_DEFAULT || question->line < 1)
        abort();
    if (pack_find(pack, question->id) != question - pack->questions)
        abort();
    expect_key(question);
    if (question->parameters)
        expect_parameters(question);
    if (!question_revision(question, revision) || !question_content(question, &hash))
        abort();
}

/* Sections share out all questions in order, none is empty, and none picks more than it has. */
static void expect_sections(const struct pack *pack)
{
    int next = 0;
    for (int i = 0; i < pack->section_count; i++) {
        const struct section *section = &pack->sections[i];
        expect_text(section->title, 1);
        expect_text(section->intro, 0);
        expect_text(section->intro_figure, 0);
        if (section->first != next || section->count < 1 || section->pick < 1 ||
            section->pick > section->count)
            abort();
        next += section->count;
    }
    if (pack->section_count && next != pack->question_count)
        abort();
    for (int i = 0; i < pack->question_count; i++) {
        int section = pack->questions[i].section;
        if (section < (pack->section_count > 0) || section > pack->section_count)
            abort();
        if (section && (i < pack->sections[section - 1].first ||
                        i >= pack->sections[section - 1].first + pack->sections[section - 1].count))
            abort();
    }
}

static void expect_diagnostics(const struct diagnostics *list)
{
    struct buffer out;
    bool comma = false;
    buffer_init(&out);
    diagnostics_print(list, &out);
    for (ptrdiff_t i = 0; i < out.length; i++)
        if ((unsigned char)out.data[i] < 0x20 && out.data[i] != '\n' && out.data[i] != '\t')
            abort();
    buffer_clear(&out);
    diagnostics_json(list, &out, &comma);
    for (ptrdiff_t i = 0; i < list->count; i++)
        if (list->items[i].line < 1 || list->items[i].column < 1 || !*list->items[i].message)
            abort();
    buffer_finish(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct diagnostics list;
    struct error error = { .code = ERROR_NONE };
    struct pack *pack;
    diagnostics_init(&list);
    if (!hash_start())
        abort();
    bool loaded = pack_load_bytes(&pack, "pack.yaml", (const char *)bytes, (ptrdiff_t)size, &list, &error);
    if (loaded != (pack != NULL) || loaded != (list.errors == 0) || error.code != ERROR_NONE)
        abort();
    expect_diagnostics(&list);
    if (loaded) {
        expect_text(pack->title, 1);
        for (int i = 0; i < pack->question_count; i++)
            expect_question(pack, &pack->questions[i]);
        expect_sections(pack);
        if (!review_pack_bytes(pack, (const char *)bytes, (ptrdiff_t)size, &list, &error))
            abort();
        for (ptrdiff_t i = 0; i < list.count; i++) /* the one error that only the review finds */
            if (list.items[i].severity == SEVERITY_ERROR && strcmp(list.items[i].rule, "given-wrong") != 0)
                abort();
        expect_diagnostics(&list);
    }
    pack_destroy(pack);
    diagnostics_finish(&list);
    return 0;
}
