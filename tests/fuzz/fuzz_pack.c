/*
 * Any bytes at all as a pack: nothing crashes, a refused one has an error, a loaded one keeps its promises
 * and can be reviewed. Built with libFuzzer by tests/fuzz/run; without it, the main below replays files and
 * folders as an ordinary test.
 */
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
    if (question->type != QUESTION_TRUE_FALSE)
        expect_choices(question);
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
        if (!review_pack_bytes(pack, (const char *)bytes, (ptrdiff_t)size, &list, &error) || list.errors)
            abort();
        expect_diagnostics(&list);
    }
    pack_destroy(pack);
    diagnostics_finish(&list);
    return 0;
}
