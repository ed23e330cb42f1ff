/* The reviewer: for each rule a question that trips it and near ones that must not, what comments allow,
 * where it points, how long it takes over a large pack, and what it does without memory. */
#include <quiztutor/review.h>

#include <quiztutor/text.h>

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#define HEAD   "format: quiztutor/1\nid: t\ntitle: T\n"
#define GERMAN HEAD "language: de-CH\n"
#define FRENCH HEAD "language: fr\n"
#define FIXED  HEAD "shuffle: none\n"
#define LIST   "questions:\n"
#define TAIL   "    explanation: E.\n"

/* Loads and reviews; the list is the caller's. */
static void review_text(const char *text, struct diagnostics *list)
{
    struct error error = { .code = ERROR_NONE };
    struct pack *pack;
    diagnostics_init(list);
    if (!pack_load_bytes(&pack, "t.yaml", text, (ptrdiff_t)strlen(text), list, &error))
        fail_msg("%s\n%s", text, list->count > 0 ? list->items[0].message : error.message);
    if (!review_pack_bytes(pack, text, (ptrdiff_t)strlen(text), list, &error))
        fail_msg("%s", error.message);
    pack_destroy(pack);
}

static int count_rule(const struct diagnostics *list, const char *rule)
{
    int count = 0;
    for (ptrdiff_t i = 0; i < list->count; i++)
        count += strcmp(list->items[i].rule, rule) == 0;
    return count;
}

static void fail_with(const struct diagnostics *list, const char *text, const char *what)
{
    struct buffer out;
    buffer_init(&out);
    diagnostics_print(list, &out);
    fail_msg("%s\n%s\n%s", what, text, buffer_get(&out));
}

/* The text without its "@", which marks the place where the warning must be. */
static char *take_mark(const char *marked, int *line, int *column)
{
    char *text = memory_text(marked);
    char *mark = strchr(text, '@');
    assert_non_null(mark);
    *line = *column = 1;
    for (const char *at = text; at < mark; at++) {
        if (*at == '\n')
            ++*line;
        *column = *at == '\n' ? 1 : *column + ((*at & 0xc0) != 0x80);
    }
    memmove(mark, mark + 1, strlen(mark));
    return text;
}

/* Exactly one warning, of this rule, at the mark. */
static void expect_at(const char *rule, const char *marked)
{
    struct diagnostics list;
    int line, column;
    char *text = take_mark(marked, &line, &column);
    review_text(text, &list);
    if (list.count != 1 || count_rule(&list, rule) != 1 || list.items[0].line != line ||
        list.items[0].column != column) {
        char what[80];
        snprintf(what, sizeof what, "not just one %s at %d:%d", rule, line, column);
        fail_with(&list, text, what);
    }
    assert_int_equal(list.items[0].severity, SEVERITY_WARNING);
    assert_non_null(list.items[0].hint);
    assert_non_null(list.items[0].source);
    diagnostics_finish(&list);
    memory_free(text);
}

static void expect_quiet(const char *text)
{
    struct diagnostics list;
    review_text(text, &list);
    if (list.warnings != 0)
        fail_with(&list, text, "not quiet");
    diagnostics_finish(&list);
}

/* A question of a prompt and choices, in the form that a test needs most. */
#define ASK(id, prompt, choices) "  - id: " id "\n    prompt: " prompt "\n    choices: [" choices "]\n" TAIL
#define ONE(prompt, choices)     HEAD LIST ASK("a", prompt, choices)

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

static void test_missing_source(void **state)
{
#define CITED(id) "  - {id: " id ", prompt: Is " id "?, true_false: true, explanation: E., source: S}\n"
#define PLAIN(id) "  - {id: " id ", prompt: Is " id "?, true_false: true, explanation: E.}\n"
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

/* A question that trips absolute-word, with room for comments in it. */
#define STRICT(id, within)                                                                                   \
    "  - id: " id "\n" within "    prompt: When does " id                                                    \
    " happen?\n    choices:\n      - correct: In time " id "\n      - It always waits for " id               \
    "\n      - It may wait for " id "\n    explanation: E.\n"

/* How many of these questions are still warned of, and nothing else. */
static void expect_strict(int left, const char *text)
{
    struct diagnostics list;
    review_text(text, &list);
    if (list.warnings != left || count_rule(&list, "absolute-word") != left)
        fail_with(&list, text, "other questions are warned of");
    diagnostics_finish(&list);
}

static void test_allow(void **state)
{
    (void)state;
    expect_strict(2, HEAD LIST STRICT("a", "") STRICT("b", ""));
    expect_strict(1, HEAD LIST STRICT("a", "    # check: allow absolute-word\n") STRICT("b", ""));
    expect_strict(1, HEAD LIST STRICT("a", "") STRICT("b", "    #check:   allow absolute-word\r\n"));
    expect_strict(1, HEAD LIST STRICT("a", "# check: allow prompt-end, absolute-word\n") STRICT("b", ""));
    expect_strict(1, HEAD LIST STRICT("a", "  # check: allow prompt-end absolute-word,\n") STRICT("b", ""));
    expect_strict(2, HEAD LIST STRICT("a", "    # check: allow prompt-end\n") STRICT("b", ""));
    /* for the whole file, wherever before the first question */
    expect_strict(0, "# check: allow absolute-word\n" HEAD LIST STRICT("a", "") STRICT("b", ""));
    expect_strict(0, "---\n# check: allow absolute-word\n" HEAD LIST STRICT("a", "") STRICT("b", ""));
    expect_strict(0, HEAD "questions: # check: allow absolute-word\n" STRICT("a", "") STRICT("b", ""));
    expect_strict(0, HEAD LIST "  # check: allow absolute-word\n" STRICT("a", "") STRICT("b", ""));
    expect_strict(0, "\xef\xbb\xbf# check: allow absolute-word\n" HEAD LIST STRICT("a", "") STRICT("b", ""));
    /* at the end of a question, which goes on to the next one's dash */
    expect_strict(1, HEAD LIST STRICT("a", "") "# check: allow absolute-word\n" STRICT("b", ""));
    expect_strict(1, HEAD LIST STRICT("a", "") STRICT("b", "") "# check: allow absolute-word");
    expect_strict(
        1, HEAD LIST STRICT(
               "a", "") "  - # check: allow absolute-word\n    prompt: When?\n    id: b\n    choices:\n"
                        "      - correct: In time\n      - It never comes\n      - It may come\n"
                        "    explanation: E.\n");
    expect_strict(
        1, HEAD LIST STRICT(
               "a", "") "  -\n    # check: allow absolute-word\n    id: b\n    prompt: When?\n    choices:\n"
                        "      - correct: In time\n      - It never comes\n      - It may come\n"
                        "    explanation: E.\n");
    /* behind values of every style, and in a block's first line */
    expect_strict(1, HEAD LIST STRICT("a", "    hint: text  # check: allow absolute-word\n") STRICT("b", ""));
    expect_strict(1,
                  HEAD LIST STRICT("a", "    hint: 'text'  # check: allow absolute-word\n") STRICT("b", ""));
    expect_strict(1, HEAD LIST STRICT("a", "    hint: | # check: allow absolute-word\n      text\n")
                         STRICT("b", ""));
    expect_strict(1, HEAD LIST STRICT("a", "    hint: >2- # check: allow absolute-word\n      text\n")
                         STRICT("b", ""));
    expect_strict(1, HEAD LIST STRICT("a", "    tags: [x, # check: allow absolute-word\n      y]\n")
                         STRICT("b", ""));
    expect_strict(1, HEAD LIST STRICT("a", "    hint: |\n      text\n    # check: allow absolute-word\n")
                         STRICT("b", ""));
    expect_strict(1, HEAD LIST STRICT("a", "    x-own: [a, {b: c}] # check: allow absolute-word\n")
                         STRICT("b", ""));
    /* sections */
    expect_strict(1,
                  HEAD "sections:\n- title: One\n  questions:\n" STRICT(
                      "a", "") "# check: allow absolute-word\n- title: Two\n  questions:\n" STRICT("b", ""));
}

/* What looks like a comment and is text, or part of another comment, allows nothing. */
static void test_allow_not(void **state)
{
    (void)state;
    expect_strict(1, HEAD LIST STRICT("a", "    hint: |\n      text\n      # check: allow absolute-word\n"));
    expect_strict(1, HEAD LIST STRICT("a", "    hint: |\n      | # check: allow absolute-word\n"));
    expect_strict(1, HEAD LIST STRICT("a", "    hint: \"x # check: allow absolute-word\"\n"));
    expect_strict(1, HEAD LIST STRICT("a", "    hint: 'x\n\n      # check: allow absolute-word'\n"));
    expect_strict(1, HEAD LIST STRICT("a", "    hint: x#check:allow absolute-word\n"));
    expect_strict(1, HEAD LIST STRICT("a", "    # no # check: allow absolute-word\n"));
    expect_strict(1, HEAD LIST STRICT("a", "    ## check: allow absolute-word\n"));
    expect_strict(1, HEAD LIST STRICT("a", "    # to check: allow absolute-word\n"));
    expect_strict(1, HEAD LIST STRICT("a", "    # check: this again\n"));
    expect_strict(1, HEAD LIST STRICT("a", "    # check:\n"));
}

static void expect_unknown(const char *message, const char *hint, const char *marked)
{
    struct diagnostics list;
    int line, column;
    char *text = take_mark(marked, &line, &column);
    review_text(text, &list);
    if (list.count != 1 || strcmp(list.items[0].rule, "unknown-rule") != 0 || list.items[0].line != line ||
        list.items[0].column != column || !strstr(list.items[0].message, message) ||
        !strstr(list.items[0].hint, hint))
        fail_with(&list, text, message);
    diagnostics_finish(&list);
    memory_free(text);
}

static void test_allow_unknown(void **state)
{
    (void)state;
#define PLAIN_ONE HEAD LIST PLAIN("a")
    expect_unknown("no rule \"absolut-word\"", "\"absolute-word\"",
                   "# check: allow @absolut-word\n" PLAIN_ONE);
    expect_unknown("no rule \"because\"", "--explain",
                   "# check: allow prompt-end @because it is so\n" PLAIN_ONE);
    expect_unknown("does not say which", "brackets", "@# check: allow\n" PLAIN_ONE);
    expect_unknown("does not know", "check: allow RULE", "@# check: alow prompt-end\n" PLAIN_ONE);
    expect_unknown("\"tab\" is an error", "delete", "# check: allow prompt-end,@tab\n" PLAIN_ONE);
    expect_unknown("no rule", "--explain",
                   "# check: allow "
                   "@prompt-end-and-a-name-that-is-far-longer-than-any-name-of-a-rule-can-be\n" PLAIN_ONE);
    expect_quiet("# check: allow prompt-end one-choice\n" PLAIN_ONE); /* nothing to allow is no fault */
}

/* Warnings of the loader's go too; errors stay, and so do warnings elsewhere. */
static void test_allow_loader(void **state)
{
    static const char text[] =
        HEAD LIST "  - id: a\n    prompt: Is it?\n    choices: [{correct: Red}]\n    explanation: E.\n"
                  "    # check: allow one-choice\n"
                  "  - id: b\n    prompt: Was it?\n    choices: [{correct: Blue}]\n    explanation: E.\n";
    struct diagnostics list;
    (void)state;
    review_text(text, &list);
    assert_int_equal(list.warnings, 1);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.items[0].line, 12);
    diagnostics_finish(&list);
}

static void test_json(void **state)
{
    struct diagnostics list;
    struct buffer out;
    bool comma = false;
    (void)state;
    review_text(ONE("Which?", "Red, Green, {correct: Blue}, None of these"), &list);
    buffer_init(&out);
    diagnostics_json(&list, &out, &comma);
    assert_string_equal(buffer_get(&out),
                        "{\"file\":\"t.yaml\",\"line\":7,\"column\":44,\"end_line\":7,\"end_column\":57,"
                        "\"severity\":\"warning\",\"rule\":\"unpinned-choice\",\"message\":\"\\\"None of "
                        "these\\\" is shuffled with the others, and may come first\",\"hint\":\"add \\\"pin: "
                        "last\\\" below it, or name what is meant\"}");
    buffer_finish(&out);
    diagnostics_finish(&list);
}

/* The packs that ship have nothing to mend. */
static void test_bundled(void **state)
{
    static const char *const names[] = { "tour.yaml", "training-across-many-devices.yaml" };
    (void)state;
    for (int i = 0; i < 2; i++) {
        char path[4096];
        struct diagnostics list;
        struct error error = { .code = ERROR_NONE };
        struct pack *pack;
        snprintf(path, sizeof path, "%s/%s", getenv("QUIZTUTOR_PACKS"), names[i]);
        diagnostics_init(&list);
        assert_true(pack_load(&pack, path, &list, &error));
        assert_true(review_pack(pack, &list, &error));
        if (list.count > 0)
            fail_with(&list, path, "not quiet");
        pack_destroy(pack);
        diagnostics_finish(&list);
    }
}

/* The file is read twice: it must be the same. */
static void test_changed(void **state)
{
    static const char text[] = HEAD LIST PLAIN("a") PLAIN("b"), one[] = HEAD LIST PLAIN("a"),
                      moved[] = HEAD "\n" LIST PLAIN("a") PLAIN("b"),
                      bad[] = HEAD LIST PLAIN("a") "  - {id: b", empty[] = "";
    static const char *const others[] = { one, moved, bad, empty };
    struct diagnostics list;
    struct pack *pack;
    (void)state;
    diagnostics_init(&list);
    assert_true(pack_load_bytes(&pack, "t.yaml", text, sizeof text - 1, &list, NULL));
    for (int i = 0; i < 4; i++) {
        struct error error = { .code = ERROR_NONE };
        assert_false(review_pack_bytes(pack, others[i], (ptrdiff_t)strlen(others[i]), &list, &error));
        assert_int_equal(error.code, ERROR_IO);
        assert_int_equal(list.count, 0);
    }
    struct error error = { .code = ERROR_NONE };
    assert_false(review_pack(pack, &list, &error)); /* there is no such file */
    assert_int_equal(error.code, ERROR_NOT_FOUND);
    pack_destroy(pack);
    diagnostics_finish(&list);
}

/* Every allocation fails in turn: no crash, no leak, and it says so. */
static void test_memory(void **state)
{
    static const char text[] =
        "# check: allow prompt-endd\n" FIXED LIST STRICT("a", "# check: allow prompt-end\n") STRICT("b", "")
            CITED("c") CITED("d")
                ASK("e", "Welche nicht \xc3\xa4?", "Red, Green, {correct: Bl\xc3\xa4ue}, None of these")
                    ASK("f", "Which of these is not?",
                        "Green, {correct: green.}, {wrong: x, pin: last}") "    figure: |\n      a ─ b\n";
    struct diagnostics list;
    struct pack *pack;
    (void)state;
    diagnostics_init(&list);
    assert_true(pack_load_bytes(&pack, "t.yaml", text, sizeof text - 1, &list, NULL));
    assert_int_equal(list.count, 0);
    diagnostics_finish(&list);
    long n = 1;
    for (bool done = false; !done; n++) {
        struct error error = { .code = ERROR_NONE };
        diagnostics_init(&list);
        memory_fail_after(n);
        done = review_pack_bytes(pack, text, sizeof text - 1, &list, &error);
        memory_fail_after(0);
        if (!done && error.code != ERROR_MEMORY)
            fail_msg("allocation %ld: %s", n, error.message);
        if (done)
            assert_int_equal(list.warnings, 6);
        diagnostics_finish(&list);
        assert_true(n < 10000);
    }
    assert_true(n > 100);
    pack_destroy(pack);
}

/* A pack of the largest size: seconds, not hours. The questions are made of few words, so that many look
 * alike; `same` makes them one question 100,000 times. */
static void review_large(bool same, int least)
{
    static const char *const words[] = { "device", "keeps",  "copy",  "model", "splits",   "layers",
                                         "tensor", "stage",  "batch", "share", "gradient", "pipeline",
                                         "idle",   "others", "link",  "slow",  "memory",   "wide" };
    struct buffer out;
    uint32_t seed = 1;
    buffer_init(&out);
    buffer_text(&out, FIXED LIST);
    for (int i = 0; i < PACK_QUESTIONS; i++) {
        buffer_print(&out, "  - id: q%d\n    prompt: Which", i);
        for (int k = 0; k < 12; k++) {
            seed = same && k == 0 ? 1 : seed * 1664525u + 1013904223u;
            buffer_print(&out, " %s", words[(seed >> 16) % 18]);
        }
        buffer_text(&out, "?\n    choices:\n");
        for (int k = 0; k < 4; k++) {
            seed = seed * 1664525u + 1013904223u;
            buffer_print(&out, "      - %s: %d %s %s\n", k == (i & 3) ? "correct" : "wrong", same ? k : i + k,
                         words[k], words[(seed >> 16) % 18]);
        }
        buffer_text(&out, "    # check: allow prompt-end\n    explanation: E.\n");
    }
    assert_false(out.failed);
    struct diagnostics list;
    clock_t start = clock();
    review_text(buffer_get(&out), &list);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    print_message("%.1f MB: %.2f s to load and review, %d warnings\n", (double)out.length / 1e6, seconds,
                  list.warnings);
    assert_true(seconds < 60); /* two on the machine where it was written, without sanitizers */
    assert_true(list.warnings >= least);
    diagnostics_finish(&list);
    buffer_finish(&out);
}

static void test_large(void **state)
{
    (void)state;
    review_large(false, 0);
    review_large(true, PACK_QUESTIONS / 5);
}

/* Many signs that might be comments: no time that grows with the square. */
static void test_signs(void **state)
{
    struct buffer out;
    struct diagnostics list;
    (void)state;
    buffer_init(&out);
    buffer_text(&out, HEAD LIST);
    for (int i = 0; i < 20; i++) {
        buffer_print(
            &out,
            "  - id: q%d\n    prompt: Is it %d?\n    true_false: true\n    explanation: E.\n    hint: |\n", i,
            i);
        for (int k = 0; k < 2000; k++)
            buffer_text(&out, k % 2 ? "        x # check: allow y # check: z\n" : "      # check: allow y\n");
        buffer_text(&out, "    #");
        for (int k = 0; k < 30000; k++)
            buffer_text(&out, " # check: allow y");
        buffer_text(&out, "\n    # check: allow ");
        for (int k = 0; k < 20000; k++)
            buffer_text(&out, "prompt-end, ");
        buffer_text(&out, "\n");
    }
    assert_false(out.failed);
    clock_t start = clock();
    review_text(buffer_get(&out), &list);
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 20);
    diagnostics_finish(&list);
    buffer_finish(&out);
}

static void test_rules(void **state)
{
    int advice = 0;
    (void)state;
    for (int i = 0; i < review_rule_count(); i++) {
        const struct review_rule *rule = review_rule_at(i);
        assert_ptr_equal(review_rule_find(rule->name), rule); /* none twice */
        assert_true(strlen(rule->summary) > 10 && rule->summary[strlen(rule->summary) - 1] != '.');
        bool whole = rule->looks && rule->why && rule->mend;
        assert_true(whole == (rule->kind == REVIEW_ADVICE));
        advice += whole;
    }
    assert_int_equal(advice, 15);
    assert_null(review_rule_find("no-such-rule"));
    assert_string_equal(review_rule_nearest("longest-choise"), "longest-choice");
    assert_null(review_rule_nearest("xyzzy"));
}

int main(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_longest_choice),
        cmocka_unit_test(test_longest_often),
        cmocka_unit_test(test_place_skew),
        cmocka_unit_test(test_place_run),
        cmocka_unit_test(test_alike_choices),
        cmocka_unit_test(test_alike_questions),
        cmocka_unit_test(test_unpinned),
        cmocka_unit_test(test_absolute_word),
        cmocka_unit_test(test_negative_stem),
        cmocka_unit_test(test_prompt_end),
        cmocka_unit_test(test_answer_in_prompt),
        cmocka_unit_test(test_missing_source),
        cmocka_unit_test(test_allow),
        cmocka_unit_test(test_allow_not),
        cmocka_unit_test(test_allow_unknown),
        cmocka_unit_test(test_allow_loader),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_bundled),
        cmocka_unit_test(test_changed),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_signs),
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_wide_figure),
        cmocka_unit_test(test_doubtful_width),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
