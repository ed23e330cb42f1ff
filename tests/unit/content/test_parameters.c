/* Parametrised questions: what loads, what is refused and where, instances of every type, what the review
 * finds, and failing allocations. */
#include "test_review.h"

#include <quiztutor/derive.h>

#include <math.h>

#define ASKED  HEAD LIST "  - id: a\n"
#define NUMBER "    prompt: How many?\n    number: x\n" TAIL
#define GIVEN  "    given: {p: [4, 8], m: {from: 8, to: 32, step: 8}}\n"

static struct pack *load(const char *text)
{
    struct diagnostics list;
    struct error error = { .code = ERROR_NONE };
    struct pack *pack;
    diagnostics_init(&list);
    if (!pack_load_bytes(&pack, "t.yaml", text, (ptrdiff_t)strlen(text), &list, &error))
        fail_msg("%s\n%s", text, list.count > 0 ? list.items[0].message : error.message);
    diagnostics_finish(&list);
    return pack;
}

/* Exactly one error, of this rule, at the mark, with the word in its message or hint. */
static void expect_error(const char *rule, const char *word, const char *marked)
{
    struct diagnostics list;
    struct error error = { .code = ERROR_NONE };
    struct pack *pack;
    int line, column;
    char *text = take_mark(marked, &line, &column);
    diagnostics_init(&list);
    assert_false(pack_load_bytes(&pack, "t.yaml", text, (ptrdiff_t)strlen(text), &list, &error));
    const struct diagnostic *one = &list.items[0];
    if (list.count != 1 || strcmp(one->rule, rule) != 0 || one->line != line || one->column != column ||
        (!strstr(one->message, word) && !(one->hint && strstr(one->hint, word))))
        fail_with(&list, text, rule);
    diagnostics_finish(&list);
    memory_free(text);
}

static void test_given(void **state)
{
    struct pack *pack =
        load(ASKED "    given:\n      n: [1, 2.5, -3e2]\n      t: [a, 2]\n"
                   "      r: {from: 0, to: 1, step: 0.1}\n      down: {from: 3, to: 1, step: -1}\n"
                   "      x-own: anything\n"
                   "    derive: {x: n * 2, y: x + r}\n" NUMBER);
    const struct parameters *parameters = pack->questions[0].parameters;
    (void)state;
    assert_non_null(parameters);
    assert_int_equal(parameters->count, 4);
    assert_int_equal(parameters->derived_count, 2);
    assert_false(parameters->rows);
    const struct parameter *item = parameters->items;
    assert_string_equal(item[0].name, "n");
    assert_true(item[0].numeric && item[0].numbers[2] == -300);
    assert_string_equal(item[0].texts[2], "-3e2");
    assert_false(item[1].numeric);
    assert_string_equal(item[1].texts[1], "2");
    assert_int_equal(item[2].count, 11); /* 1 / 0.1 is not quite 10 in binary */
    assert_true(item[2].from == 0 && item[2].step == 0.1 && !item[2].numbers && !item[2].texts);
    assert_int_equal(item[3].count, 3);
    assert_int_equal(parameters_draws(parameters), 4);
    assert_int_equal(parameters_ways(parameters, 2), 11);
    assert_int_equal(parameters_combinations(parameters), 3 * 2 * 11 * 3);
    assert_string_equal(parameters->derived[1].expression, "x + r");
    pack_destroy(pack);
}

static void test_rows(void **state)
{
    struct arena arena;
    struct pack *pack = load(
        ASKED "    given: {rows: [{p: 2, t: a}, {t: b, p: 4}, {p: 8, t: c d}]}\n    derive: {x: p}\n" NUMBER
              "  - id: b\n    given: {rows: [1, 2], columns: [3]}\n    derive: {x: rows * columns}\n" NUMBER
              "  - id: c\n    derive: {x: 1 / 4}\n" NUMBER);
    const struct parameters *parameters = pack->questions[0].parameters;
    (void)state;
    assert_true(parameters->rows);
    assert_int_equal(parameters_draws(parameters), 1);
    assert_int_equal(parameters_ways(parameters, 0), 3);
    assert_int_equal(parameters_combinations(parameters), 3);
    arena_init(&arena);
    assert_string_equal(parameters_say(parameters, (int[]){ 2 }, &arena), "p = 8, t = \"c d\"");
    arena_finish(&arena);
    parameters = pack->questions[1].parameters;
    assert_false(parameters->rows);
    assert_int_equal(parameters->count, 2);
    assert_true(pack->questions[1].key.number.value == 3);
    parameters = pack->questions[2].parameters;
    assert_int_equal(parameters_draws(parameters), 0);
    assert_int_equal(parameters_combinations(parameters), 1);
    assert_true(pack->questions[2].key.number.value == 0.25);
    pack_destroy(pack);
}

static void test_refused(void **state)
{
    (void)state;
    /* names */
    expect_error("given-name", "not a name", ASKED "    given: {@2x: [1]}\n    derive: {x: 1}\n" NUMBER);
    expect_error("given-name", "not a name", ASKED "    given: {@p-q: [1]}\n    derive: {x: 1}\n" NUMBER);
    expect_error("given-name", "not a name",
                 ASKED "    given: {@abcdefghijklmnopqrstuvwxyz_123456: [1]}\n    derive: {x: 1}\n" NUMBER);
    expect_error("given-name", "a word of expressions",
                 ASKED "    given: {@End: [1]}\n    derive: {x: 1}\n" NUMBER);
    expect_error("duplicate-key", "first in line 6",
                 ASKED "    given: {p: [1]}\n    derive:\n      @p: 2\n" NUMBER);
    expect_error("duplicate-key", "second time",
                 ASKED "    given: {p: [1], @p: [2]}\n    derive: {x: p}\n" NUMBER);
    /* values */
    expect_error("wrong-kind", "a list belongs here",
                 ASKED "    given: {p: @4}\n    derive: {x: p}\n" NUMBER);
    expect_error("wrong-kind", "a mapping", ASKED "    given: @[4]\n    derive: {x: 1}\n" NUMBER);
    expect_error("empty-list", "", ASKED "    given: {p: @[]}\n    derive: {x: 1}\n" NUMBER);
    expect_error("empty-list", "", ASKED "    given: @{}\n    derive: {x: 1}\n" NUMBER);
    expect_error("empty-list", "", ASKED "    derive: @{}\n    given: {x: [1]}\n" NUMBER);
    /* ranges */
    expect_error("range", "must not be 0",
                 ASKED "    given: {p: {from: 1, to: 2, @step: 0}}\n    derive: {x: p}\n" NUMBER);
    expect_error("range", "no value",
                 ASKED "    given: {p: @{from: 1, to: 2, step: -1}}\n    derive: {x: p}\n" NUMBER);
    expect_error("range", "no value",
                 ASKED "    given: {p: @{from: 2, to: 1, step: 1}}\n    derive: {x: p}\n" NUMBER);
    expect_error("too-many-values", "10000",
                 ASKED "    given: {p: @{from: 1, to: 10001, step: 1}}\n    derive: {x: p}\n" NUMBER);
    expect_error("too-many-values", "10000",
                 ASKED "    given: {p: @{from: -1e308, to: 1e308, step: 1}}\n    derive: {x: p}\n" NUMBER);
    expect_error("too-many-values", "10000",
                 ASKED "    given: {p: @{from: 0, to: 1, step: 1e-300}}\n    derive: {x: p}\n" NUMBER);
    expect_error("missing-key", "step",
                 ASKED "    given: {p: @{from: 0, to: 1}}\n    derive: {x: p}\n" NUMBER);
    expect_error("unknown-key", "step",
                 ASKED "    given: {p: {from: 0, to: 1, @stepp: 1}}\n    derive: {x: p}\n" NUMBER);
    expect_error("number", "nan",
                 ASKED "    given: {p: {from: @nan, to: 1, step: 1}}\n    derive: {x: p}\n" NUMBER);
    expect_error("number", "inf",
                 ASKED "    given: {p: {from: 0, to: @inf, step: 1}}\n    derive: {x: p}\n" NUMBER);
    /* rows */
    expect_error("missing-key", "no \"q\"",
                 ASKED "    given: {rows: [{p: 1, q: 1}, @{p: 2}]}\n    derive: {x: p}\n" NUMBER);
    expect_error("given-name", "did you mean \"stage\"",
                 ASKED
                 "    given: {rows: [{stage: 1}, {@stages: 2, stage: 3}]}\n    derive: {x: stage}\n" NUMBER);
    expect_error("duplicate-key", "twice",
                 ASKED "    given: {rows: [{p: 1, @p: 2}]}\n    derive: {x: p}\n" NUMBER);
    expect_error("given-name", "stands alone",
                 ASKED "    given: {rows: [{p: 1}], @q: [1]}\n    derive: {x: p}\n" NUMBER);
    expect_error("given-name", "stands alone",
                 ASKED "    given: {q: [1], @rows: [{p: 1}]}\n    derive: {x: p}\n" NUMBER);
    expect_error("wrong-kind", "a mapping",
                 ASKED "    given: {rows: [{p: 1}, @2]}\n    derive: {x: p}\n" NUMBER);
    expect_error("empty-list", "no names", ASKED "    given: {rows: [@{}]}\n    derive: {x: 1}\n" NUMBER);
    /* expressions */
    expect_error("expression", "further down",
                 ASKED GIVEN "    derive:\n      x: p + @later\n      later: 2\n" NUMBER);
    expect_error("expression", "no name", ASKED GIVEN "    derive: {x: p + @q}\n" NUMBER);
    expect_error("expression", "is what is worked out here", ASKED GIVEN "    derive: {x: @x + 1}\n" NUMBER);
    expect_error("wrong-kind", "a text", ASKED GIVEN "    derive: {x: @[p]}\n" NUMBER);
    /* a number's answer and wrong values */
    expect_error("number", "did you mean \"held\"",
                 ASKED GIVEN "    derive: {held: p}\n    prompt: P?\n    number: @helt\n" TAIL);
    expect_error("number", "under \"derive\"",
                 ASKED GIVEN "    derive: {held: p}\n    prompt: P?\n    number: @p * m + 1\n" TAIL);
    expect_error("number", "stands for texts",
                 ASKED "    given: {t: [a]}\n    prompt: P?\n    number: @t\n" TAIL);
    expect_error("expression", "no name",
                 ASKED GIVEN "    prompt: P?\n    number: {answer: p, wrong: [{value: p + @r}]}\n" TAIL);
    expect_error("number", "not a number", ASKED "    prompt: P?\n    number: @p\n" TAIL);
    expect_error("number", "needs \"given\"", ASKED "    prompt: P?\n    number: @2 * 3\n" TAIL);
    expect_error("number", "needs \"given\"", ASKED "    prompt: P?\n    number: @0x10\n" TAIL);
    expect_error("number", "key \"unit\"", ASKED "    prompt: P?\n    number: @5 GB\n" TAIL);
    expect_error("number", "key \"unit\"", ASKED "    prompt: P?\n    number: {answer: @5%}\n" TAIL);
    expect_error("number", "before the decimal point", ASKED "    prompt: P?\n    number: @-.5\n" TAIL);
    expect_error("number", "between them", ASKED "    prompt: P?\n    number: @1_000\n" TAIL);
    expect_error("number", "between them", ASKED "    prompt: P?\n    number: @1 000\n" TAIL);
}

static void test_braces(void **state)
{
    (void)state;
    expect_error("braces", "did you mean \"stages\"",
                 ASKED "    given: {stages: [1]}\n    prompt: Is it @{stage}?\n    number: stages\n" TAIL);
    expect_error("braces", "known here: p, m", ASKED GIVEN "    prompt: Is it @{q}?\n    number: p\n" TAIL);
    expect_error("braces", "{name:.2f}", ASKED GIVEN "    prompt: Is it @{p:.2}?\n    number: p\n" TAIL);
    expect_error("braces", "at most 12", ASKED GIVEN "    prompt: Is it @{p:.13f}?\n    number: p\n" TAIL);
    expect_error("braces", "write }}", ASKED GIVEN "    prompt: Is it {p}@}?\n    number: p\n" TAIL);
    expect_error("braces", "no decimals",
                 ASKED "    given: {t: [a, b]}\n    prompt: Is it @{t:,}?\n    number: 1\n" TAIL);
    expect_error("braces", "\"q\"",
                 ASKED GIVEN "    prompt: P?\n    number: p\n    hint: [a, 'b @{q}']\n" TAIL);
    expect_error("braces", "\"q\"",
                 ASKED GIVEN "    prompt: P?\n    number: {answer: p, unit: '@{q}'}\n" TAIL);
    expect_error("braces", "\"q\"",
                 ASKED GIVEN "    prompt: P?\n    figure: |\n      a\n       @{q}\n    number: p\n" TAIL);
    expect_error("braces", "\"q\"", ASKED GIVEN "    prompt: P?\n    choices: [correct: a, '@{q}']\n" TAIL);
    expect_error("braces", "\"q\"",
                 ASKED GIVEN
                 "    prompt: P?\n    choices: [correct: a, {wrong: b, feedback: '@{q}'}]\n" TAIL);
    expect_error("braces", "\"q\"", ASKED GIVEN "    prompt: P?\n    order: [a, 'x @{q}']\n" TAIL);
    expect_error("braces", "\"q\"", ASKED GIVEN "    prompt: P?\n    match: {a: b, 'x @{q}': c}\n" TAIL);
    expect_error("braces", "\"q\"",
                 ASKED GIVEN "    prompt: P?\n    match: {a: b, c: d}\n    extra: ['@{q}']\n" TAIL);
    expect_error("braces", "\"q\"", ASKED GIVEN "    prompt: P?\n    text: [a, '@{q}']\n" TAIL);
    expect_error("braces", "\"q\"",
                 ASKED GIVEN "    prompt: P?\n    text: {accept: a, feedback: {'@{q}': c}}\n" TAIL);
    expect_error("braces", "\"q\"",
                 ASKED GIVEN
                 "    prompt: P?\n    number: {answer: p, wrong: [{value: p + 1, feedback: '@{q}'}]}\n" TAIL);
    expect_error("braces", "\"q\"", ASKED GIVEN "    prompt: P?\n    recall: a @{q}\n" TAIL);
    expect_error("braces", "\"q\"",
                 ASKED GIVEN "    prompt: P?\n    true_false: true\n    feedback: a @{q}\n" TAIL);
    expect_error(
        "braces", "\"q\"",
        ASKED GIVEN
        "    prompt: P?\n    true_false: true\n    explanation: a\n    explanation_figure: a @{q}\n");
    /* elsewhere braces are just text */
    struct pack *pack =
        load(ASKED "    prompt: f() { return {x:.2}; }\n    number: 1\n    hint: \"{q}\"\n" TAIL
                   "  - id: b\n" GIVEN "    prompt: P?\n    number: p\n    source: The {q} book\n" TAIL);
    assert_string_equal(pack->questions[0].prompt, "f() { return {x:.2}; }");
    pack_destroy(pack);
}

/* The first combination must do. */
static void test_first(void **state)
{
    (void)state;
    expect_error("first-values", "p = 4, m = 8", ASKED GIVEN "    derive: {x: '@p / (p - 4)'}\n" NUMBER);
    expect_error("first-values", "too large", ASKED GIVEN "    derive: {x: '@1e308 * p'}\n" NUMBER);
    expect_error("first-values", "\"8\"",
                 ASKED GIVEN "    prompt: P?\n    choices: [correct: \"{m}\", \"@8\"]\n" TAIL);
    expect_error("first-values", "right",
                 ASKED GIVEN
                 "    prompt: P?\n    number: {answer: p, tolerance: 1, wrong: [{value: @p + 1}]}\n" TAIL);
    expect_error("first-values", "two items",
                 ASKED GIVEN "    prompt: P?\n    order: [\"4\", \"@{p}\", a]\n" TAIL);
    expect_error("first-values", "two right texts",
                 ASKED GIVEN "    prompt: P?\n    match: {a: \"4\", b: \"@{p}\"}\n" TAIL);
    expect_error("first-values", "both accepted and wrong",
                 ASKED GIVEN "    prompt: P?\n    text: {accept: \"{p}\", wrong: [{value: \"@4\"}]}\n" TAIL);
    expect_error("first-values", "no number", ASKED "    derive: {x: '@1 / 0'}\n" NUMBER);
}

static void test_limits(void **state)
{
    struct buffer text;
    (void)state;
    buffer_init(&text);
    /* 26 names, and one more */
    for (int names = DERIVE_NAMES; names <= DERIVE_NAMES + 1; names++) {
        struct diagnostics list;
        struct pack *pack;
        buffer_clear(&text);
        buffer_text(&text, ASKED "    given: {");
        for (int i = 1; i < names; i++)
            buffer_print(&text, "%sn%d: [%d]", i > 1 ? ", " : "", i, i);
        buffer_text(&text, "}\n    derive: {x: n25 * 2}\n" NUMBER);
        diagnostics_init(&list);
        bool loaded = pack_load_bytes(&pack, "t.yaml", buffer_get(&text), text.length, &list, NULL);
        assert_true(loaded == (names == DERIVE_NAMES));
        if (loaded)
            assert_true(pack->questions[0].key.number.value == 50);
        else
            assert_string_equal(list.items[0].rule, "too-many-values");
        pack_destroy(pack);
        diagnostics_finish(&list);
    }
    /* 10,000 values in a list and in rows, and one more */
    for (int kind = 0; kind < 2; kind++)
        for (int values = DERIVE_VALUES; values <= DERIVE_VALUES + 1; values++) {
            struct diagnostics list;
            struct pack *pack;
            buffer_clear(&text);
            buffer_text(&text, kind ? ASKED "    given: {rows: [" : ASKED "    given: {p: [");
            for (int i = 0; i < values; i++)
                buffer_print(&text, kind ? "%s{p: %d}" : "%s%d", i ? "," : "", i);
            buffer_text(&text, "]}\n    derive: {x: p}\n" NUMBER);
            diagnostics_init(&list);
            bool loaded = pack_load_bytes(&pack, "t.yaml", buffer_get(&text), text.length, &list, NULL);
            assert_true(loaded == (values == DERIVE_VALUES));
            if (!loaded)
                assert_int_equal(list.count, 1);
            pack_destroy(pack);
            diagnostics_finish(&list);
        }
    buffer_finish(&text);
}

/* A text that its values would blow up is refused, and takes no memory first. */
static void test_bomb(void **state)
{
    struct buffer text;
    struct diagnostics list;
    struct pack *pack;
    (void)state;
    buffer_init(&text);
    buffer_text(&text, ASKED "    given: {t: [");
    for (int i = 0; i < 60000; i++)
        buffer_char(&text, 'x');
    buffer_text(&text, "]}\n    prompt: \"");
    for (int i = 0; i < 20000; i++)
        buffer_text(&text, "{t}");
    buffer_text(&text, "\"\n    number: 1\n" TAIL);
    diagnostics_init(&list);
    assert_false(pack_load_bytes(&pack, "t.yaml", buffer_get(&text), text.length, &list, NULL));
    assert_int_equal(list.count, 1);
    assert_string_equal(list.items[0].rule, "first-values");
    assert_non_null(strstr(list.items[0].message, "65536"));
    diagnostics_finish(&list);
    buffer_finish(&text);
}

/* Every text of a question. */
static const char every[] = HEAD LIST
    "  - id: number\n    given: {p: [4, 8], t: [ab, cd]}\n    derive: {x: p / 3, y: x * 2}\n"
    "    prompt: P {p} {t}?\n    figure: |\n      F {p}\n        {t}\n    explanation: E {x:.2f} {{x}}\n"
    "    explanation_figure: G {y:.3f}\n    hint: [\"{p}\", \"h {t}\"]\n    source: S {p}\n    tags: "
    "[\"{p}\"]\n"
    "    number: {answer: x, tolerance: 5%, unit: \"{t}s\", wrong: [{value: y, feedback: \"W {y:.1f}\", "
    "misconception: \"{p}\"}, "
    "{value: 99}]}\n"
    "  - id: choices\n    given: {p: [4, 8]}\n    prompt: P?\n    explanation: E\n"
    "    choices: [{correct: \"C {p}\", id: c}, {wrong: \"W {p}\", feedback: \"F {p}\", misconception: "
    "\"{p}\"}]\n"
    "  - id: text\n    given: {p: [4, 8]}\n    prompt: P?\n    explanation: E\n"
    "    text: {accept: [\"a{p}\", b], feedback: {\"c{p}\": \"F {p}\"}, wrong: [{value: \"d{p}\"}]}\n"
    "  - id: order\n    given: {p: [4, 8]}\n    prompt: P?\n    explanation: E\n    feedback: Q {p}\n"
    "    order: [\"a {p}\", b]\n"
    "  - id: match\n    given: {p: [4, 8]}\n    prompt: P?\n    explanation: E\n"
    "    match: {\"l {p}\": \"r {p}\", m: s}\n    extra: [\"e {p}\"]\n"
    "  - id: card\n    given: {p: [4, 8]}\n    prompt: P?\n    explanation: E\n    recall: B {p}\n"
    "  - id: truth\n    given: {p: [4, 8]}\n    prompt: Is it {p}?\n    explanation: E\n    true_false: "
    "true\n";

static void test_instances(void **state)
{
    struct pack *pack = load(every);
    struct question instance[7];
    struct error error;
    struct arena arena;
    int picks[DERIVE_NAMES] = { 1, 1 };
    char revision[PACK_REVISION + 1], other[PACK_REVISION + 1];
    (void)state;
    arena_init(&arena);
    for (int i = 0; i < 7; i++) {
        const struct question *question = &pack->questions[i];
        assert_true(question_instantiate(&instance[i], question, picks, &arena, &error));
        assert_ptr_equal(instance[i].origin, question);
        assert_string_equal(instance[i].given, i ? "{\"p\":8}" : "{\"p\":8,\"t\":\"cd\"}");
        assert_true(question_revision(question, revision) && question_revision(&instance[i], other));
        assert_string_equal(revision, other);
    }
    const struct question *one = &instance[0];
    assert_string_equal(one->prompt, "P 8 cd?");
    assert_string_equal(one->figure, "F 8\n  cd");
    assert_string_equal(one->explanation, "E 2.67 {x}");
    assert_string_equal(one->explanation_figure, "G 5.333");
    assert_string_equal(one->hints.items[0], "8");
    assert_string_equal(one->hints.items[1], "h cd");
    assert_string_equal(one->source, "S {p}");
    assert_string_equal(one->tags.items[0], "{p}");
    assert_string_equal(one->key.number.unit, "cds");
    assert_string_equal(one->key.number.answer, "2.66666666666667");
    assert_true(one->key.number.value == 8.0 / 3 && one->key.number.tolerance == 0.05);
    assert_true(one->key.number.wrongs[0].number == 16.0 / 3 && one->key.number.wrongs[1].number == 99);
    assert_string_equal(one->key.number.wrongs[0].value, "y");
    assert_string_equal(one->key.number.wrongs[0].feedback, "W 5.3");
    assert_string_equal(one->key.number.wrongs[0].misconception, "{p}");
    assert_string_equal(instance[1].key.choices.items[0].text, "C 8");
    assert_string_equal(instance[1].key.choices.items[1].text, "W 8");
    assert_string_equal(instance[1].key.choices.items[1].feedback, "F 8");
    assert_string_equal(instance[2].key.text.accept.items[0], "a8");
    assert_string_equal(instance[2].key.text.wrongs[0].value, "c8");
    assert_string_equal(instance[2].key.text.wrongs[0].feedback, "F 8");
    assert_string_equal(instance[2].key.text.wrongs[1].value, "d8");
    assert_string_equal(instance[3].key.order.items[0], "a 8");
    assert_string_equal(instance[3].feedback, "Q 8");
    assert_string_equal(instance[4].key.match.lefts.items[0], "l 8");
    assert_string_equal(instance[4].key.match.rights.items[0], "r 8");
    assert_string_equal(instance[4].key.match.rights.items[2], "e 8");
    assert_string_equal(instance[5].key.recall, "B 8");
    assert_string_equal(instance[6].prompt, "Is it 8?");
    /* the pack is as it was, with the first values as its own */
    assert_string_equal(pack->questions[0].prompt, "P {p} {t}?");
    assert_true(pack->questions[0].key.number.value == 4.0 / 3);
    assert_true(pack->questions[0].key.number.wrongs[0].number == 8.0 / 3);
    assert_string_equal(pack->questions[0].key.number.answer, "x");
    arena_finish(&arena);
    pack_destroy(pack);
}

static void test_given_json(void **state)
{
    struct pack *pack = load(ASKED "    given: {z: {from: 0, to: 1, step: 0.1}, a: ['say \"x\"'], M: [1e3]}\n"
                                   "    derive: {x: z}\n" NUMBER);
    struct question instance;
    struct arena arena;
    (void)state;
    arena_init(&arena);
    assert_true(question_instantiate(&instance, &pack->questions[0], (int[]){ 3, 0, 0 }, &arena, NULL));
    assert_string_equal(instance.given, "{\"M\":1000,\"a\":\"say \\\"x\\\"\",\"z\":0.3}");
    assert_true(instance.key.number.value == 3 * 0.1);
    arena_finish(&arena);
    pack_destroy(pack);
}

static void test_bad_instance(void **state)
{
    struct pack *pack =
        load(ASKED "    given: {p: [4, 0, 1, 9]}\n    derive: {x: 8 / p}\n"
                   "    prompt: P?\n    number: {answer: x, tolerance: 1, wrong: [{value: p + 4}]}\n" TAIL);
    struct question instance;
    struct error error;
    struct arena arena;
    (void)state;
    arena_init(&arena);
    assert_true(question_instantiate(&instance, &pack->questions[0], (int[]){ 0 }, &arena, &error));
    assert_false(question_instantiate(&instance, &pack->questions[0], (int[]){ 1 }, &arena, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_string_equal(error.message, "a: x: no number comes out, with p = 0");
    /* 8 against 5: far enough; and 8 / 9 against 13 */
    assert_true(question_instantiate(&instance, &pack->questions[0], (int[]){ 2 }, &arena, &error));
    assert_true(question_instantiate(&instance, &pack->questions[0], (int[]){ 3 }, &arena, &error));
    arena_finish(&arena);
    pack_destroy(pack);
}

#define WRONG(tolerance)                                                                                     \
    ASKED "    given: {p: {from: 1, to: 100, step: 1}}\n    prompt: P?\n"                                    \
          "    number: {answer: p, tolerance: " tolerance ", wrong: [{value: @2 * p - 3}]}\n" TAIL

static void expect_review(const char *rule, enum severity severity, const char *word, const char *marked)
{
    struct diagnostics list;
    int line, column;
    char *text = take_mark(marked, &line, &column);
    review_text(text, &list);
    const struct diagnostic *one = &list.items[0];
    if (list.count != 1 || strcmp(one->rule, rule) != 0 || one->severity != severity || one->line != line ||
        one->column != column || !strstr(one->message, word))
        fail_with(&list, text, word);
    diagnostics_finish(&list);
    memory_free(text);
}

static void test_review(void **state)
{
    (void)state;
    expect_quiet(ASKED GIVEN "    derive: {x: p * m}\n" NUMBER);
    expect_review("given-wrong", SEVERITY_ERROR, "p = 2 (in 3 of 100 combinations)", WRONG("1"));
    expect_review("given-wrong", SEVERITY_ERROR, "p = 3 (in 1 of 100 combinations)", WRONG("0"));
    expect_review("given-fails", SEVERITY_WARNING, "with p = 8, m = 8 (in 4 of 8 combinations)",
                  ASKED GIVEN "    derive: {x: '@1 / (p - 8)'}\n" NUMBER);
    expect_review(
        "given-fails", SEVERITY_WARNING, "in 1 of 3",
        ASKED
        "    given: {rows: [{p: 1}, {p: 0}, {p: 2}]}\n    derive:\n      y: 2\n      x: @y / p\n" NUMBER);
    expect_review("given-same", SEVERITY_WARNING, "\"8\", with p = 8, m = 8 (in 4 of 8",
                  ASKED GIVEN "    prompt: P?\n    choices: [correct: \"{p}\", @\"8\", \"9\"]\n" TAIL);
    /* each kind once */
    struct diagnostics list;
    review_text(ASKED "    given: {p: [4, 0, 1, 7, -1]}\n    derive: {x: 8 / p}\n    prompt: P?\n"
                      "    number: {answer: x, wrong: [{value: p + 2}, {value: 8 * p}]}\n" TAIL,
                &list);
    assert_int_equal(list.count, 2);
    assert_int_equal(list.errors, 1);
    assert_int_equal(list.warnings, 1);
    diagnostics_finish(&list);
    /* comments allow warnings, not the error */
    expect_quiet(ASKED "    # check: allow given-fails\n" GIVEN "    derive: {x: 1 / (p - 8)}\n" NUMBER);
    expect_quiet(ASKED "    # check: allow given-same\n" GIVEN
                       "    prompt: P?\n    choices: [correct: \"{p}\", \"8\", \"9\"]\n" TAIL);
    review_text(ASKED "    # check: allow given-wrong\n    given: {p: [1, 2]}\n    prompt: P?\n"
                      "    number: {answer: p, wrong: [{value: 2}]}\n" TAIL,
                &list);
    assert_int_equal(list.errors, 1);
    assert_int_equal(count_rule(&list, "unknown-rule"), 1);
    diagnostics_finish(&list);
}

/* Beyond 10,000 a sample, the same each time. */
static void test_sample(void **state)
{
    static const char text[] =
        ASKED "    given: {p: {from: 1, to: 1000, step: 1}, m: {from: 0, to: 999, step: 1}}\n"
              "    derive: {x: CASE WHEN p > 1 AND m < 500 THEN 1 / (p - p) ELSE 1 END}\n" NUMBER;
    struct diagnostics one, other;
    int count;
    (void)state;
    review_text(text, &one);
    review_text(text, &other);
    assert_int_equal(one.count, 1);
    assert_string_equal(one.items[0].message, other.items[0].message);
    const char *at = strstr(one.items[0].message, "(in ");
    assert_non_null(at);
    assert_int_equal(sscanf(at, "(in %d of 10000 combinations tried)", &count), 1);
    /* half of them, give or take ten standard deviations */
    assert_true(count > 4500 && count < 5500);
    diagnostics_finish(&one);
    diagnostics_finish(&other);
}

/* Failing allocations: of SQLite's own memory nothing is asked here, see the store's tests for that. */
static bool attempt(const char *text, long n, bool good)
{
    struct diagnostics list;
    struct error error = { .code = ERROR_NONE };
    struct pack *pack;
    struct arena arena;
    diagnostics_init(&list);
    arena_init(&arena);
    memory_fail_after(n);
    bool loaded = pack_load_bytes(&pack, "t.yaml", text, (ptrdiff_t)strlen(text), &list, &error);
    bool done = error.code == ERROR_NONE && !list.failed;
    for (int i = 0; loaded && i < pack->question_count && done; i++) {
        struct question instance;
        done =
            question_instantiate(&instance, &pack->questions[i], (int[DERIVE_NAMES]){ 1, 1 }, &arena, &error);
    }
    if (done && loaded)
        done = review_pack_bytes(pack, text, (ptrdiff_t)strlen(text), &list, &error);
    memory_fail_after(0);
    if (done)
        assert_true(loaded == good);
    else
        assert_true(list.failed || error.code == ERROR_MEMORY);
    pack_destroy(pack);
    arena_finish(&arena);
    diagnostics_finish(&list);
    return done;
}

static void each_failure(const char *text, bool good)
{
    long n = 1;
    while (!attempt(text, n, good))
        assert_true(++n < 20000);
    assert_true(n > 20);
}

static void test_no_memory(void **state)
{
    (void)state;
    each_failure(every, true);
    each_failure(
        ASKED
        "    given: {rows: [{p: 4, q: 1}, {q: 2, p: 8}, {p: 0, q: 1}]}\n    derive: {x: q / p}\n" NUMBER,
        true);
    each_failure(
        ASKED GIVEN
        "    derive: {x: p + }\n    prompt: P {q}?\n    number: {answer: x, wrong: [{value: y}]}\n" TAIL,
        false);
    each_failure(ASKED GIVEN "    derive: {x: 1 / (p - 4)}\n" NUMBER, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_given),      cmocka_unit_test(test_rows),
        cmocka_unit_test(test_refused),    cmocka_unit_test(test_braces),
        cmocka_unit_test(test_first),      cmocka_unit_test(test_limits),
        cmocka_unit_test(test_bomb),       cmocka_unit_test(test_instances),
        cmocka_unit_test(test_given_json), cmocka_unit_test(test_bad_instance),
        cmocka_unit_test(test_review),     cmocka_unit_test(test_sample),
        cmocka_unit_test(test_no_memory),
    };
    setlocale(LC_ALL, "C.UTF-8");
    return hash_start() ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
