/* Packs that go to GIFT and back, and files that were damaged on the way. */
#include "../slice.h"
#include "generate.h"

#include <quiztutor/exchange.h>
#include <quiztutor/message.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct import import;
static struct error error;

static bool read_bytes(const char *text, ptrdiff_t length)
{
    import_finish(&import);
    import_init(&import, "quiz.gift");
    error = (struct error){ 0 };
    bool done = gift_read(&import, text, length, &error);
    import_name_pack(&import);
    return done;
}

enum {
    TYPES = 1 << QUESTION_SINGLE_CHOICE | 1 << QUESTION_MULTIPLE_CHOICE | 1 << QUESTION_TRUE_FALSE |
            1 << QUESTION_NUMBER | 1 << QUESTION_TEXT | 1 << QUESTION_MATCH,
    HELD = GENERATE_SECTIONS | GENERATE_FIGURES | GENERATE_FEEDBACK | GENERATE_RIGHT_FEEDBACK |
           GENERATE_NET_CORRECT | GENERATE_TAGS | GENERATE_TOLERANCE | GENERATE_EXTRA | GENERATE_PARAGRAPHS |
           GENERATE_HOSTILE | GENERATE_SELECT,
    PACKS = 2000,
};

/* GIFT can't hold an arrow in a typed answer: such questions become others. */
static void drop_arrows(struct generate *generate)
{
    for (int i = 0; i < generate->pack.question_count; i++) {
        struct question question = generate->pack.questions[i];
        bool arrow = false;
        if (question.type != QUESTION_TEXT)
            continue;
        for (int k = 0; k < question.key.text.accept.count; k++)
            arrow = arrow || strstr(question.key.text.accept.items[k], "->");
        if (!arrow)
            continue;
        question.type = QUESTION_TRUE_FALSE;
        question.key.truth = true;
        struct question *place;
        memcpy(&place, &generate->pack.questions, sizeof place);
        place[i] = question;
    }
}

static void there_and_back(uint64_t seed, unsigned parts)
{
    struct generate generate;
    struct export export;
    generate_pack(&generate, seed, TYPES, parts);
    drop_arrows(&generate);
    export_init(&export, &generate.pack);
    assert_true(gift_write(&export, &error));
    assert_true(read_bytes(buffer_get(&export.out), export.out.length));
    struct buffer yaml;
    struct diagnostics list;
    struct pack *pack;
    buffer_init(&yaml);
    diagnostics_init(&list);
    assert_true(exchange_write_import(&yaml, &import));
    assert_true(pack_load_bytes(&pack, "quiz.yaml", buffer_get(&yaml), yaml.length, &list, &error));
    const char *difference = generate_difference(&generate.pack, pack, parts);
    for (ptrdiff_t i = 0; i < import.line_count && !difference; i++)
        if (import.lines[i].fate != IMPORT_TAKEN)
            difference = import.lines[i].what;
    for (ptrdiff_t i = 0; i < export.line_count && !difference; i++)
        if (!strstr(export.lines[i].what, "its id is not kept"))
            difference = export.lines[i].what;
    if (difference)
        fail_msg("seed %llu: %s\n%s\n%s", (unsigned long long)seed, difference, buffer_get(&export.out),
                 buffer_get(&yaml));
    pack_destroy(pack);
    diagnostics_finish(&list);
    buffer_finish(&yaml);
    export_finish(&export);
    generate_finish(&generate);
}

static void packs_come_back(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= (uint64_t)slice_of(PACKS); seed++)
        there_and_back(seed, HELD & ~(unsigned)GENERATE_FIGURES);
}

static void packs_in_markup_come_back(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= (uint64_t)slice_of(PACKS / 2); seed++)
        there_and_back(seed, (HELD & ~(unsigned)(GENERATE_FIGURES)) | GENERATE_MARKUP | GENERATE_CODE);
}

static void packs_with_figures_come_back(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= (uint64_t)slice_of(PACKS / 4); seed++)
        there_and_back(seed,
                       GENERATE_FIGURES | GENERATE_FEEDBACK | GENERATE_RIGHT_FEEDBACK | GENERATE_NET_CORRECT);
}

/* Whatever is taken loads: files that somebody's cat walked over, too. */
static void what_is_taken_loads(void **state)
{
    (void)state;
    static const char marks[] = "{}=~#%:\\\n->[]/$*.5 T\x01\xc3";
    for (uint64_t seed = 1; seed <= (uint64_t)slice_of(PACKS); seed++) {
        struct generate generate;
        struct export export;
        struct buffer yaml;
        struct diagnostics list;
        struct pack *pack = NULL;
        generate_pack(&generate, seed, TYPES, seed % 2 ? HELD : HELD | GENERATE_MARKUP | GENERATE_TABS);
        export_init(&export, &generate.pack);
        assert_true(gift_write(&export, &error));
        for (int i = generate_draw(&generate, 12); i >= 0; i--) {
            char *at = export.out.data + generate_draw(&generate, (int)export.out.length);
            *at = generate_draw(&generate, 4) ? marks[generate_draw(&generate, sizeof marks - 1)] : ' ';
        }
        buffer_init(&yaml);
        diagnostics_init(&list);
        bool done = read_bytes(buffer_get(&export.out), export.out.length);
        if (done && import.count) {
            assert_true(exchange_write_import(&yaml, &import));
            if (!pack_load_bytes(&pack, "quiz.yaml", buffer_get(&yaml), yaml.length, &list, &error)) {
                struct buffer told;
                buffer_init(&told);
                diagnostics_print(&list, &told);
                fail_msg("seed %llu: %s", (unsigned long long)seed, buffer_get(&told));
            }
            assert_int_equal(pack->question_count, import.count);
        }
        pack_destroy(pack);
        diagnostics_finish(&list);
        buffer_finish(&yaml);
        export_finish(&export);
        generate_finish(&generate);
    }
}

/* Of a parametrised question there and back come the values of the author's first pick. */
static void instances_are_written(void **state)
{
    (void)state;
    static const char yaml[] =
        "format: quiztutor/1\nid: x\ntitle: X\nsections:\n  - title: A / B/C / D\n    questions:\n"
        "      - id: q\n        given: {n: [3, 4], k: [0.1, 2]}\n        derive: {s: n * k}\n"
        "        prompt: \"{n} by {k}?\"\n"
        "        number: {answer: s, tolerance: 0.01, wrong: [{value: n + k, feedback: \"No: {s}.\"}]}\n"
        "        explanation: \"{s:.1f}\"\n";
    struct diagnostics list;
    struct pack *pack;
    struct export export;
    diagnostics_init(&list);
    assert_true(pack_load_bytes(&pack, "x.yaml", yaml, sizeof yaml - 1, &list, &error));
    export_init(&export, pack);
    assert_true(gift_write(&export, &error));
    assert_non_null(strstr(buffer_get(&export.out), "$CATEGORY: $course$/top/A/B//C/D\n"));
    assert_non_null(strstr(buffer_get(&export.out), "=0.3:0.01\n\t=%0%3.1#No\\: 0.3.\n"));
    assert_int_equal(export.line_count, 2);
    assert_non_null(strstr(export.lines[0].what, "its id is not kept: an import takes the file's name"));
    assert_non_null(strstr(export.lines[0].what, "\"x.\""));
    assert_non_null(strstr(export.lines[1].what, "n = 3, k = 0.1"));
    assert_true(read_bytes(buffer_get(&export.out), export.out.length));
    assert_string_equal(import.questions[0].prompt, "3 by 0.1?");
    assert_string_equal(import.questions[0].explanation, "0.3");
    assert_string_equal(import.sections[0].title, "A / B/C / D");
    export_finish(&export);
    pack_destroy(pack);
    diagnostics_finish(&list);
}

static void losses_are_told(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= (uint64_t)slice_of(PACKS / 4); seed++) {
        struct generate generate;
        struct export export;
        generate_pack(&generate, seed, (1 << QUESTION_TYPES) - 1,
                      GENERATE_ALL & ~(unsigned)GENERATE_PARAMETERS);
        export_init(&export, &generate.pack);
        assert_true(gift_write(&export, &error));
        for (int i = 0; i < generate.pack.question_count; i++) {
            const struct question *question = &generate.pack.questions[i];
            bool told = false, lost = question->type == QUESTION_ORDER || question->type == QUESTION_RECALL ||
                                      question->hints.count || question->marks != 1 || question->source;
            for (ptrdiff_t k = 0; k < export.line_count; k++)
                told = told || export.lines[k].question == question;
            if (lost)
                assert_true(told);
        }
        assert_true(read_bytes(buffer_get(&export.out), export.out.length));
        export_finish(&export);
        generate_finish(&generate);
    }
}

/* Files made to cost more than their size: a square of it would outlast the test's time. */
static void hostile_files_cost_no_more(void **state)
{
    (void)state;
    enum { TIMES = 500000 };
    static const struct {
        const char *before, *again, *behind;
    } rows[] = { { "", "{", "" },
                 { "a {=", "b=c#", "}" },
                 { "//", "[id:\n", "" },
                 { "// ", "[tag:x\\]", "" },
                 { "// ", "[tag:x", "" },
                 { "", "[html]\n\n", "<b>{=" },
                 { "", "::", "{=a" },
                 { "a {=b#", "####", "}" },
                 { "$CATEGORY: ", "/a", "\na{T}" },
                 { "", "a\\n", "{T}" },
                 { "a{", "~%1%x\n", "}" },
                 { "a{", "->", "=}" },
                 { "a{=b->c", "=->d", "}" },
                 { "", "a\n", "{T}" },
                 { "[html]", "<", "{T}" },
                 { "a{\n=b#", "c = d ", "}" } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buffer text;
        buffer_init(&text);
        buffer_text(&text, rows[i].before);
        for (int k = 0; k < TIMES; k++)
            buffer_text(&text, rows[i].again);
        buffer_text(&text, rows[i].behind);
        assert_true(read_bytes(buffer_get(&text), text.length));
        buffer_finish(&text);
    }
}

static int set_up(void **state)
{
    (void)state;
    import_init(&import, "quiz.gift");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    import_finish(&import);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packs_come_back),
        cmocka_unit_test(packs_in_markup_come_back),
        cmocka_unit_test(packs_with_figures_come_back),
        cmocka_unit_test(what_is_taken_loads),
        cmocka_unit_test(instances_are_written),
        cmocka_unit_test(losses_are_told),
        cmocka_unit_test(hostile_files_cost_no_more),
    };
    message_start();
    return hash_start() ? cmocka_run_group_tests(tests, set_up, tear_down) : 1;
}
