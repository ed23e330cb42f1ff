/* The rules of the reviewer: for each a question that trips it, and near ones that must not. */
#include "test_review.h"

#include <unistd.h>

static void test_longest_choice(void **state)
{
    (void)state;
    expect_at("longest-choice", ONE("Why?", "One, Two, {correct: @It has thirty characters in it}, Four"));
    expect_quiet(ONE("Why?", "One, Two, {correct: Fifteen letters}, Four")); /* not by 15 */
    expect_quiet(ONE("Why?", "One, It has thirty characters or so, {correct: It has thirty characters in it "
                             "and some}, Four")); /* not half as long again */
    expect_quiet(ONE("Why?", "One, {correct: It has thirty characters in it}"));
    expect_quiet(ONE("Why?", "It has thirty characters in it, {correct: Two}, Three"));
    /* all right ones must stand out */
    expect_at(
        "longest-choice",
        ONE("Why?", "One, {correct: It has thirty characters}, {correct: @It has thirty characters in it}"));
    expect_quiet(ONE("Why?", "One, Two, {correct: Three}, {correct: It has thirty characters in it}"));
    /* combining marks are no characters */
    expect_quiet(ONE("Why?", "Onetwo, Twotwo, {correct: a\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81"
                             "\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81}"));
}

/* `count` questions; the longest choice is right in the first `longest` of them. */
static char *make_lengths(int count, int longest, const char *more)
{
    struct buffer out;
    buffer_init(&out);
    buffer_print(&out, "%s%s%s", HEAD, more, LIST);
    for (int i = 0; i < count; i++)
        buffer_print(&out,
                     "  - id: q%d\n    prompt: Number %d?\n    choices: [Un %d, Ein %d, {%s: Three %d}, {%s: "
                     "Uno %d}]\n"
                     "    explanation: E.\n",
                     i, i, i, i, i < longest ? "correct" : "wrong", i, i < longest ? "wrong" : "correct", i);
    assert_false(out.failed);
    return out.data;
}

static void test_longest_often(void **state)
{
    (void)state;
    /* P(X >= 10) for 20 questions of 4 choices is 0.0139, P(X >= 11) 0.0039: from tables of the binomial */
    char *text = make_lengths(20, 11, "");
    struct diagnostics list;
    review_text(text, &list);
    assert_int_equal(list.count, 1);
    assert_string_equal(list.items[0].rule, "longest-often");
    assert_int_equal(list.items[0].line, 4);
    assert_non_null(strstr(list.items[0].message, "in 11 of the 20 questions"));
    assert_non_null(strstr(list.items[0].message, "about 5"));
    assert_non_null(strstr(list.items[0].message, "once in 250 packs"));
    diagnostics_finish(&list);
    memory_free(text);
    text = make_lengths(20, 10, "");
    expect_quiet(text);
    memory_free(text);
    text = make_lengths(4, 4, ""); /* too few to be a habit */
    expect_quiet(text);
    memory_free(text);
    text = make_lengths(20, 20, "# check: allow longest-often\n");
    expect_quiet(text);
    memory_free(text);
}

/* Questions that are not shuffled: places[i] is that of the right choice, 't' and 'f' are statements. */
static char *make_places(const char *head, const char *places, const char *within)
{
    struct buffer out;
    buffer_init(&out);
    buffer_print(&out, "%s%s", head, LIST);
    for (int i = 0; places[i]; i++) {
        buffer_print(&out, "  - id: q%d\n%s    prompt: Number %d?\n    explanation: E.\n", i, within, i);
        if (places[i] == 't' || places[i] == 'f')
            buffer_print(&out, "    true_false: %s\n", places[i] == 't' ? "true" : "false");
        else
            for (int k = 0; k < 4; k++)
                buffer_print(&out, "%s      - %s: %c%d\n", k ? "" : "    choices:\n",
                             k == places[i] - '1' ? "correct" : "wrong", 'a' + k, i);
    }
    assert_false(out.failed);
    return out.data;
}

static void expect_places(const char *rule, const char *says, const char *head, const char *places,
                          const char *within)
{
    char *text = make_places(head, places, within);
    struct diagnostics list;
    review_text(text, &list);
    if (count_rule(&list, rule) != (says != NULL))
        fail_with(&list, places, rule);
    for (ptrdiff_t i = 0; says && i < list.count; i++)
        if (strcmp(list.items[i].rule, rule) == 0 && !strstr(list.items[i].message, says))
            fail_with(&list, places, says);
    diagnostics_finish(&list);
    memory_free(text);
}

static void test_place_skew(void **state)
{
    static const char even[] = "1234123412341234", second[] = "2221223242222132";
    (void)state;
    expect_places("place-skew", "choice 2 is the right one in 11 of 16", FIXED, second, "");
    expect_places("place-skew", NULL, FIXED, even, "");
    expect_places("place-skew", NULL, HEAD, second, ""); /* shuffled */
    expect_places("place-skew", "choice 2 is the right one in 11 of 16", HEAD, second,
                  "    shuffle: false\n");
    expect_places("place-skew", NULL, FIXED, second, "    # check: allow place-skew\n");
    /* never at one place: 0.75^32 is 0.0001 */
    expect_places("place-skew", "choice 4 is the right one in 0 of 32", FIXED,
                  "12312312312312312312312312312312", "");
    expect_places("place-skew", "12 of 12 statements are true", HEAD, "tttttttttttt", "");
    expect_places("place-skew", "1 of 15 statements are true", HEAD, "fffffffftffffff", "");
    expect_places("place-skew", NULL, HEAD, "tftftttfttft", "");
    expect_places("place-skew", NULL, HEAD, "tttt", "");
}

static void test_place_run(void **state)
{
    (void)state;
    expect_places("place-run", "choice 3 is the right one 7 times running, from \"q3\" to \"q9\"", FIXED,
                  "1243333333124124", "");
    expect_places("place-run", NULL, FIXED, "1243331241244213", "");
    expect_places("place-run", NULL, HEAD, "1243333333124124", "");
    expect_places("place-run", NULL, HEAD, "1243333333124124", "    shuffle: false\n"); /* questions move */
    expect_places("place-run", NULL, FIXED, "1243333333124124", "    # check: allow place-run\n");
    expect_places("place-run", NULL, FIXED, "tfttttttfttf", ""); /* six of two are nothing */
}

static void test_alike_choices(void **state)
{
    static const char rule[] = "near-duplicate-choices";
    (void)state;
    expect_at(rule, ONE("Which?", "{correct: Data Parallel}, @Data parallel, Other"));
    expect_at(rule, ONE("Which?", "{correct: Ring reduce}, @Ring-reduce., Other"));
    expect_at(rule, ONE("Which?", "Other, {correct: The weights}, @\"'The  weights'\""));
    expect_at(rule, ONE("Which?", "Parallelism, {correct: @Paralelism}, Other"));
    expect_at(rule, ONE("Which?", "Tensor parallelism, {correct: @Tensor parallleism}, Other"));
    expect_at(rule, ONE("Which?", "Copies of the whole model, {correct: @Copies of whole model}, Other"));
    expect_at(rule, ONE("Which?", "\"Red, green\", {correct: @Red green}, Other"));
    expect_quiet(ONE("Which?", "{correct: adsorption}, absorption, other"));
    expect_quiet(ONE("Which?", "{correct: symmetric}, asymmetric, other"));
    expect_quiet(ONE("Which?", "{correct: a + b}, a - b, a / b, a b"));
    expect_quiet(ONE("Which?", "{correct: C}, C++, C#"));
    expect_quiet(ONE("Which?", "{correct: AA}, Aa, aa"));
    expect_quiet(ONE("Which?", "{correct: 1.25}, 12.5, 125, -125"));
    expect_quiet(ONE("Which?", "{correct: It rises by 10}, It rises by 11, It falls by 10"));
    expect_quiet(ONE("Which?", "{correct: Server sends to client}, Client sends to server, Other"));
    expect_at(rule, FRENCH LIST ASK("a", "Quoi ?", "{correct: Mod\xc3\xa8le}, @mod\xc3\xa8le, Autre"));
}

static void test_alike_questions(void **state)
{
    static const char rule[] = "near-duplicate-questions";
#define FIRST                                                                                                \
    ASK("a", "Which strategy cuts the layers of one model into stages?", "{correct: Pipeline}, Data, Tensor")
    (void)state;
    expect_at(rule,
              HEAD LIST FIRST ASK("b", "@Which strategy cuts the layers of one model into several stages?",
                                  "Zero, {correct: pipeline}, Expert"));
    expect_at(rule, HEAD LIST FIRST ASK("b", "@which strategy cuts the layers of one model, into stages?",
                                        "Tensor, Data, {correct: Pipeline}"));
    /* contradicts the first */
    expect_at(rule, HEAD LIST FIRST ASK("b", "@Which strategy cuts the layers of one model into stages?",
                                        "Pipeline, {correct: Data}, Tensor"));
    /* another answer to a like question, other numbers, a stock phrase with other choices, another figure */
    expect_quiet(HEAD LIST FIRST ASK("b", "Which strategy cuts the layers of one model into slices?",
                                     "Pipeline, Data, {correct: Tensor}"));
    expect_quiet(
        HEAD LIST ASK("a", "How many of the 8 devices of this group must hold it?",
                      "{correct: Half}, None, All")
            ASK("b", "How many of the 16 devices of this group must hold it?", "{correct: Half}, None, All"));
    expect_quiet(HEAD LIST ASK("a", "Which of these is true?", "{correct: Snow is white}, Snow is black")
                     ASK("b", "Which of these is true?", "{correct: Coal is black}, Coal is white"));
    expect_quiet(HEAD LIST
                 "  - {id: a, prompt: What is it?, figure: o, true_false: true, explanation: E.}\n"
                 "  - {id: b, prompt: What is it?, figure: x, true_false: true, explanation: E.}\n");
    expect_quiet(HEAD LIST ASK("a", "x + y = 3. What is x?", "{correct: one}, two, three")
                     ASK("b", "x - y = 3. What is x?", "{correct: one}, two, three"));
    expect_at(
        rule, HEAD LIST
        "  - {id: a, true_false: true, explanation: E., prompt: A stage is a run of layers.}\n"
        "  - id: b\n    true_false: true\n    prompt: @A stage is a run of layers!\n    explanation: E.\n");
    expect_quiet(HEAD LIST
                 "  - {id: a, prompt: The client sends to the server., true_false: true, explanation: E.}\n"
                 "  - {id: b, prompt: The server sends to the client., true_false: true, explanation: E.}\n");
    /* what stands above belongs to the question */
    expect_quiet(HEAD "sections:\n"
                      "  - title: One\n    intro: First text.\n    questions:\n"
                      "      - {id: a, prompt: Is it?, true_false: true, explanation: E.}\n"
                      "  - title: Two\n    intro: Second text.\n    questions:\n"
                      "      - {id: b, prompt: Is it?, true_false: true, explanation: E.}\n");
}

static void test_unpinned(void **state)
{
    static const char rule[] = "unpinned-choice";
    (void)state;
    expect_at(rule, ONE("Which?", "Red, Green, {correct: Blue}, @All of the above"));
    expect_at(rule, ONE("Which?", "Red, Green, {correct: Blue}, @None of these answers."));
    expect_at(rule, ONE("Which?", "Red, Green, {correct: Blue}, @None of these"));
    expect_hint(rule, "write \"wrong: None of these\", and \"pin: last\" below it",
                ONE("Which?", "Red, Green, {correct: Blue}, None of these"));
    expect_hint(rule, "add \"pin: last\" below it",
                ONE("Which?", "Red, Green, {correct: Blue}, {wrong: None of these, feedback: No.}"));
    expect_at(rule, ONE("Which?", "Red, Green, {correct: Blue}, @Both A and B"));
    expect_at(rule, ONE("Which?", "Red, {correct: Green}, Blue, @Answers A and C"));
    expect_quiet(ONE("Which?", "Red, Green, {correct: Blue}, {wrong: All of the above, pin: last}"));
    expect_quiet(FIXED LIST ASK("a", "Which?", "Red, Green, {correct: Blue}, All of the above"));
    expect_quiet(FIXED LIST ASK("a", "Which?", "Red, Green, {correct: Blue}, Both A and B"));
    expect_quiet(ONE("Which of the devices A and B?", "Red, Green, {correct: Blue}, Both A and B"));
    expect_quiet(ONE("Which?", "A only, B only, {correct: A and B}, Neither A nor B"));
    expect_quiet(ONE("Which?", "{correct: The shelf above}, The shelf below, Both of them"));
    expect_quiet(ONE("Which?", "Vitamin A, {correct: Vitamin B}, Both A and B"));
    /* a pinned letter choice still names what moves, unless that is pinned too */
    expect_at(rule, ONE("Which?", "Red, Green, {correct: Blue}, {wrong: @Both A and B, pin: last}"));
    expect_quiet(ONE("Which?",
                     "{wrong: Red, pin: first}, {wrong: Green, pin: first}, {correct: Blue}, {wrong: Both A "
                     "and B, pin: last}"));
    expect_at(rule, GERMAN LIST ASK("a", "Welche?", "Rot, Gelb, {correct: Blau}, @Keine der oben genannten"));
    expect_quiet(FRENCH LIST ASK("a", "Laquelle ?", "Rouge, Vert, {correct: Bleu}, All of the above"));
}

static void test_absolute_word(void **state)
{
    static const char rule[] = "absolute-word";
    (void)state;
    expect_at(rule, ONE("When?", "{correct: In time}, It @always waits, It may wait"));
    expect_at(rule, ONE("When?", "{correct: In time}, @Every device waits, It may wait"));
    expect_quiet(ONE("When?", "{correct: In time}, It always waits, It never waits"));
    expect_quiet(ONE("When must it always wait?", "{correct: In time}, It always waits, It may wait"));
    expect_quiet(ONE("When?", "{correct: In time}, It waits for all devices, It may wait"));
    expect_quiet(ONE("When?", "{correct: In time}, It always waits"));
    expect_quiet(ONE("What does it do?", "{correct: It does nothing}, It waits, It sends"));
    expect_quiet(ONE("When?", "{correct: In time}, In an all-reduce, It may wait"));
    expect_quiet(ONE("Which?", "{correct: In time}, It may wait, {wrong: All of the above, pin: last}"));
    expect_at(rule, GERMAN LIST ASK("a", "Wann?", "{correct: Bald}, Sie wartet @immer, Sie wartet"));
    expect_quiet(FRENCH LIST ASK("a", "Quand ?", "{correct: Alors}, always, jamais"));
}

static void test_negative_stem(void **state)
{
    static const char rule[] = "negative-stem";
#define NEGATIVE(prompt) ONE(prompt, "{correct: Red}, Green, Blue")
    (void)state;
    expect_at(rule, NEGATIVE("Which of these is @not a device?"));
    expect_at(rule, NEGATIVE("Devices wait. \"x\". Which device does @not wait?"));
    expect_at(rule, NEGATIVE("\"All of these are devices @except:\""));
    expect_at(rule, NEGATIVE("What @can't a device do?"));
    expect_quiet(NEGATIVE("Which of these is NOT a device?"));
    expect_quiet(NEGATIVE("Which of these is *not* a device?"));
    expect_quiet(NEGATIVE("\"All of these are devices EXCEPT:\""));
    expect_quiet(NEGATIVE("What happens to a device that does not answer?"));
    expect_quiet(NEGATIVE("What happens if a device does not answer?"));
    expect_quiet(NEGATIVE("Data does not fit. What helps?"));
    expect_quiet(NEGATIVE("In a run which does not shard, what is copied?"));
    expect_quiet(NEGATIVE("What is one reason not to wait?"));
    expect_quiet(NEGATIVE("Why does it not fit?"));
    expect_quiet(NEGATIVE("Which knot holds?"));
    expect_at(rule,
              GERMAN LIST ASK("a", "Welche der Aussagen trifft @nicht zu?", "{correct: Rot}, Gelb, Blau"));
    expect_quiet(GERMAN LIST ASK("a", "Welche der Aussagen trifft NICHT zu?", "{correct: Rot}, Gelb, Blau"));
    expect_quiet(GERMAN LIST ASK("a", "Was geschieht, wenn es nicht passt?", "{correct: Rot}, Gelb, Blau"));
    expect_quiet(FRENCH LIST ASK("a", "Which is not ?", "{correct: Rouge}, Vert, Bleu"));
}

static void test_prompt_end(void **state)
{
    static const char rule[] = "prompt-end";
#define ENDS(prompt) ONE(prompt, "{correct: Red}, Green, Blue")
    (void)state;
    expect_at(rule, ENDS("@Capital of France"));
    expect_at(rule, ENDS("@\"Stages, microbatches,\""));
    expect_at(rule, ENDS("@Which is the capital"));
    expect_quiet(ENDS("Which is the capital?"));
    expect_quiet(ENDS("\"The capital is:\""));
    expect_quiet(ENDS("The capital of France is"));
    expect_quiet(ENDS("The capital of France …"));
    expect_quiet(ENDS("The capital of France ___"));
    expect_quiet(ENDS("Name the capital"));
    expect_quiet(ENDS("Name the capital."));
    expect_quiet(ENDS("2 + 2 ="));
    expect_quiet(ENDS("\"What does it print?\\nprint(x)\""));
    expect_quiet(ENDS("(Is it the capital?)"));
    expect_quiet(ONE("A stage holds", "{correct: a run of layers}, one layer, the batch"));
    expect_quiet(HEAD LIST "  - {id: a, prompt: Paris is large, true_false: true, explanation: E.}\n");
    expect_at(rule, GERMAN LIST ASK("a", "@Hauptstadt von Frankreich", "{correct: Rot}, Gelb, Blau"));
    expect_quiet(GERMAN LIST ASK("a", "Die Hauptstadt ist", "{correct: Rot}, Gelb, Blau"));
    expect_quiet(FRENCH LIST ASK("a", "Capitale", "{correct: Rouge}, Vert, Bleu"));
}

static void test_answer_in_prompt(void **state)
{
    static const char rule[] = "answer-in-prompt";
    (void)state;
    expect_at(rule,
              ONE("What does a pipeline bubble cost?", "Weights, {correct: Time of @pipelines}, Samples"));
    expect_quiet(ONE("What does a pipeline bubble cost?",
                     "A bubble of air, {correct: Idle time of the pipeline}, Samples"));
    expect_quiet(ONE("What does a pipeline bubble cost?", "Weights, {correct: Idle time}, The pipeline"));
    expect_quiet(ONE("What does a pipeline bubble cost?", "Weights, {correct: Idle time of the pipeline}"));
    expect_quiet(ONE("What should there be more of?",
                     "Weights in all of them, {correct: There should be more time}, Samples"));
    expect_quiet(ONE("What does a pipeline bubble cost?", "Weights, {correct: pipe time}, Samples"));
    expect_quiet(FRENCH LIST ASK("a", "Que fait la banane ?", "Rien, {correct: La banane}, Tout"));
}

#define TYPED(prompt, text) HEAD LIST "  - id: a\n    prompt: " prompt "\n    text: " text "\n" TAIL

static void test_typed(void **state)
{
    (void)state;
    expect_at("contained-answers", TYPED("Parallelism of what kind?", "[tensor split, '@split']"));
    expect_at("contained-answers",
              TYPED("Who was it?", "{accept: [Ada Lovelace, King], wrong: [{value: '@king'}]}"));
    expect_at("contained-answers", TYPED("Who was it?", "[ada, '@Ada']"));
    expect_quiet(TYPED("Who was it?", "{accept: [ada, Ada], ignore: []}"));
    expect_quiet(TYPED("Who was it?", "[Lovelace, Lovelaces]"));
    expect_at("answer-in-prompt", TYPED("@What splits a layer, if not a pipeline?", "[tensors, a Pipeline]"));
    expect_quiet(TYPED("What splits a layer?", "[tensors, the]"));
    expect_at("prompt-end", TYPED("@The first programmer", "Ada"));
    expect_quiet(TYPED("Name the first programmer", "Ada"));
    expect_quiet(HEAD LIST "  - {id: a, prompt: the moon, recall: la lune, explanation: E.}\n");
    expect_at("near-duplicate-questions",
              HEAD LIST "  - {id: a, prompt: Order these., order: [x, y], explanation: E.}\n"
                        "  - {id: b, prompt: @Order these., order: [x, y], explanation: E.}\n");
    expect_quiet(HEAD LIST "  - {id: a, prompt: Order these., order: [x, y], explanation: E.}\n"
                           "  - {id: b, prompt: Order these., order: [y, x], explanation: E.}\n");
    expect_at("doubtful-width", HEAD LIST "  - {id: a, prompt: Match., match: {x: y, z: \"w@\xef\xb8\x8f\"}, "
                                          "explanation: E.}\n");
}

static void test_missing_source(void **state)
{
    (void)state;
    expect_at("missing-source",
              HEAD LIST CITED("a") "  - @{id: b, prompt: Is b?, true_false: true, explanation: E.}\n");
    expect_quiet(HEAD LIST CITED("a") PLAIN("b") PLAIN("c"));
    expect_quiet(HEAD LIST PLAIN("a") PLAIN("b"));
    expect_quiet(HEAD "source: S\n" LIST CITED("a") PLAIN("b"));
}

#define TEN     "----------"
#define SEVENTY TEN TEN TEN TEN TEN TEN TEN
#define DRAWN(key, figure)                                                                                   \
    HEAD LIST "  - id: a\n    prompt: Is it?\n    true_false: true\n    explanation: E.\n    " key           \
              ": |\n" figure

static void test_wide_figure(void **state)
{
    (void)state;
    expect_at("wide-figure", DRAWN("figure", "      x\n      @" SEVENTY "-------\n"));
    expect_at("wide-figure", DRAWN("explanation_figure", "      @" SEVENTY "-------\n"));
    expect_at("wide-figure", DRAWN("figure", "      @" SEVENTY "\t-----\n")); /* from column 72 on */
    expect_quiet(DRAWN("figure", "      " SEVENTY "\t----\n"));
    expect_quiet(DRAWN("figure", "      x\n      " SEVENTY "------\n"));
    /* wide characters take two columns */
    expect_at("wide-figure", DRAWN("figure", "      @" SEVENTY "字字字字\n"));
    expect_quiet(DRAWN("figure", "      " SEVENTY "字字字\n"));
}

static void test_doubtful_width(void **state)
{
    static const char rule[] = "doubtful-width";
    (void)state;
    expect_at(rule, HEAD LIST
              "  - {id: a, prompt: \"❤@\xef\xb8\x8f or not?\", true_false: true, explanation: E.}\n");
    expect_at(rule, DRAWN("figure", "      a @─ b\n"));
    expect_at(rule, ONE("Which?", "Red, {correct: \"@\xee\x82\xa0\"}, Blue"));
    expect_quiet(ONE("Which arrow → is “curly”, ± é?",
                     "{correct: →}, ●, ×")); /* in prose nothing stands below another */
    expect_quiet(DRAWN("figure", "      a -- é 字\n"));
    expect_quiet(ONE("Which?", "{correct: 😀}, 한국어, नमस्ते"));
}

static void test_markup_slip(void **state)
{
    static const char rule[] = "markup-slip";
    (void)state;
#define LIGHT(texts) HEAD "markup: light\n" LIST "  - id: a\n" texts
    expect_at(rule, LIGHT("    prompt: Is it @2*3*4?\n    true_false: true\n    explanation: E.\n"));
    expect_at(rule, LIGHT("    prompt: Is it (2 + 1@)*(3*4)?\n    true_false: true\n    explanation: E.\n"));
    expect_at(rule, LIGHT("    prompt: Is it *so*?\n    true_false: true\n    explanation: n@a*b*c\n"));
    expect_at(rule,
              LIGHT("    prompt: How many?\n    number: {answer: 2, wrong: [{value: 3, feedback: x@y*z*1}]}\n"
                    "    explanation: E.\n"));
    expect_at(rule, LIGHT("    prompt: |\n      What is:\n      @```\n      a * b\n    true_false: true\n"
                          "    explanation: E.\n"));
    expect_quiet(LIGHT("    prompt: Is it `2*3*4`, 2\\*3\\*4, 2 * 3 * 4, *so*s and (*so*)?\n"
                       "    true_false: true\n    explanation: E.\n"));
    expect_quiet(
        LIGHT("    prompt: |\n      What is:\n      ```\n      a*b*c\n      ```\n    true_false: true\n"
              "    explanation: E.\n"));
    expect_quiet(HEAD LIST "  - {id: a, prompt: Is it 2*3*4?, true_false: true, explanation: E.}\n");
}

/* One question, with what learners made of its choices. */
static void review_taken(const char *text, const int64_t *choices, int count, struct diagnostics *list)
{
    struct error error = { .code = ERROR_NONE };
    struct review_taken taken = { 0 };
    struct pack *pack;
    char path[] = "/tmp/quiztutor-review-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    for (int i = 0; i < count; i++) {
        taken.choices[i] = choices[i];
        taken.answers += choices[i];
    }
    diagnostics_init(list);
    assert_true(pack_load(&pack, path, list, &error));
    if (!review_pack_taken(pack, count ? &taken : NULL, list, &error))
        fail_msg("%s", error.message);
    unlink(path);
    pack_destroy(pack);
}

static void test_tempting_choice(void **state)
{
    (void)state;
    static const struct {
        int64_t choices[3];
        int line; /* of the warning; 0: none */
    } rows[] = {
        { { 90, 4, 4 }, 0 }, { { 2, 5, 4 }, 9 }, { { 0, 5, 9 }, 0 } /* the third one tells */,
        { { 0, 0, 0 }, 0 },  { { 0, 6, 6 }, 9 },
    };
    static const char text[] = HEAD LIST "  - id: a\n    prompt: Which?\n    choices:\n      - correct: Red\n"
                                         "      - Blue\n      - {wrong: Green, feedback: No.}\n" TAIL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct diagnostics list;
        review_taken(text, rows[i].choices, 3, &list);
        if (count_rule(&list, "most-tempting-choice") != (rows[i].line > 0) ||
            (rows[i].line && list.items[list.count - 1].line != rows[i].line))
            fail_with(&list, text, "most-tempting-choice");
        diagnostics_finish(&list);
    }
    static const char allowed[] =
        HEAD LIST "  - id: a\n    # check: allow most-tempting-choice\n    prompt: Which?\n"
                  "    choices: [{correct: Red}, Blue, Green]\n" TAIL;
    struct diagnostics list;
    review_taken(allowed, rows[1].choices, 3, &list);
    assert_int_equal(count_rule(&list, "most-tempting-choice"), 0);
    diagnostics_finish(&list);
    review_taken(text, rows[1].choices, 0, &list); /* nothing known */
    assert_int_equal(count_rule(&list, "most-tempting-choice"), 0);
    diagnostics_finish(&list);
}

int main(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_longest_choice),   cmocka_unit_test(test_longest_often),
        cmocka_unit_test(test_place_skew),       cmocka_unit_test(test_place_run),
        cmocka_unit_test(test_alike_choices),    cmocka_unit_test(test_alike_questions),
        cmocka_unit_test(test_unpinned),         cmocka_unit_test(test_absolute_word),
        cmocka_unit_test(test_negative_stem),    cmocka_unit_test(test_prompt_end),
        cmocka_unit_test(test_answer_in_prompt), cmocka_unit_test(test_typed),
        cmocka_unit_test(test_missing_source),   cmocka_unit_test(test_wide_figure),
        cmocka_unit_test(test_markup_slip),      cmocka_unit_test(test_doubtful_width),
        cmocka_unit_test(test_tempting_choice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
