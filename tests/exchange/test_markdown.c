/* Markdown as tutors write it: the dialect of markdown.h, its variants, faults with their line, hostile
 * files.
 */
#include "markdown.h"
#include "reading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct reading reading;

static int end(void **state)
{
    (void)state;
    reading_finish(&reading);
    reading = (struct reading){ .pack = NULL };
    return 0;
}

static const struct question *question(int place)
{
    assert_non_null(reading.pack);
    assert_true(place < reading.pack->question_count);
    return &reading.pack->questions[place];
}

/* Reads one question below a title; fails where it is left out. */
static const struct question *one(const char *body)
{
    char text[4000];
    end(NULL);
    snprintf(text, sizeof text, "# T\n\n### q\n\nWhich?\n\n%s\n", body);
    assert_true(reading_text(&reading, markdown_read, text));
    if (reading.import.count != 1)
        fail_msg("%s: %s", body, reading.import.line_count ? reading.import.lines[0].what : "nothing read");
    return question(0);
}

/* One that is left out, and what is told. */
static void assert_left_out(const char *body, const char *why)
{
    char text[1000];
    end(NULL);
    snprintf(text, sizeof text, "### q\n\nWhich?\n\n%s\n", body);
    assert_true(reading_text(&reading, markdown_read, text));
    assert_int_equal(reading.import.count, 0);
    assert_int_equal(reading.import.line_count, 1);
    assert_int_equal(reading.import.lines[0].line, 1);
    assert_says(&reading, 0, why);
}

static void assert_taken(void)
{
    for (ptrdiff_t i = 0; i < reading.import.line_count; i++)
        if (reading.import.lines[i].what)
            fail_msg("told: %s", reading.import.lines[i].what);
}

/* One that is taken, and what is told. */
static void assert_noted(const char *body, const char *what)
{
    one(body);
    assert_int_equal(reading.import.line_count, 1);
    assert_says(&reading, 0, what);
}

static void doubtful(void **state)
{
    (void)state;
    assert_noted("Answer: Yes\n\nWhy: So.", "\"Yes\" is taken as a text; write true or false");
    assert_int_equal(question(0)->type, QUESTION_TEXT);
    one("Answer: \"yes\"\n\nWhy: So.");
    assert_taken();
    assert_noted("Answer: a\n\nWhy: So.\nDifficulty: hard", "\"Difficulty:\" in line 10 is no field");
    assert_noted("Answer: a\n\nWhy: So.\n\n**Level:** 2", "\"Level:\" in line 11 is no field");
    assert_noted("Answer: a\nDifficulty: hard\n\nWhy: So.", "\"Difficulty:\" in line 8 is no field");
    one("Answer: a\n\nWhy: So: as it is.\nNote\\: well.\n\n```\nLevel: 2\n```");
    assert_taken();
}

/* ---- the whole dialect ---- */

static void whole(void **state)
{
    (void)state;
    assert_true(reading_text(
        &reading, markdown_read,
        "# Training\n\nId: training-1\nLanguage: de\n\nWhat every trainer knows.\n\n"
        "## Parallelism\n\nPick: 1\n\nDevices share the work.\n\n```figure\n  a -> b\n```\n\n"
        "### tensor\nWhich way splits one *matrix*\nover several `devices`?\n\nIt does so in each layer.\n\n"
        "```figure\n [a|b]\n```\n\n"
        "- [x] Tensor parallelism\n- [ ] Pipeline parallelism\n  > It splits between layers.\n"
        "  > Misconception: splits-layers\n  > Id: pipeline\n- [ ] None of these\n  > Pin: last\n\n"
        "Why: Each device holds a part.\n\nOf every matrix.\n\n```figure\n  x\n```\n\nHint: Not between.\n\n"
        "Hint: Within.\n\nTags: parallel, \"a, b\"\nSource: A book, page 3\nMarks: 2\nShuffle: false\n\n"
        "## Numbers\n\n### share\nHow much?\n\nAnswer: 0.27 ± 5% GiB\n\nSignificant figures: 2\n\n"
        "- [ ] 0.3\n  > Too much.\n\nWhy: So.\n\n"
        "### name\nWho?\n\nAnswer: Ada | \"Ada | Lovelace\"\n\nIgnore: case, accents\n\nWhy: So.\n"));
    assert_string_equal(reading.pack->id, "training-1");
    assert_string_equal(reading.pack->title, "Training");
    assert_string_equal(reading.pack->language, "de");
    assert_string_equal(reading.pack->description, "What every trainer knows.");
    assert_true(reading.pack->markup);
    assert_int_equal(reading.pack->section_count, 2);
    assert_string_equal(reading.pack->sections[0].intro, "Devices share the work.");
    assert_string_equal(reading.pack->sections[0].intro_figure, "  a -> b");
    const struct question *q = question(0);
    assert_string_equal(q->id, "tensor");
    assert_string_equal(q->prompt,
                        "Which way splits one *matrix* over several `devices`?\n\nIt does so in each layer.");
    assert_string_equal(q->figure, " [a|b]");
    assert_int_equal(q->type, QUESTION_SINGLE_CHOICE);
    assert_int_equal(q->key.choices.count, 3);
    assert_string_equal(q->key.choices.items[1].feedback, "It splits between layers.");
    assert_string_equal(q->key.choices.items[1].misconception, "splits-layers");
    assert_string_equal(q->key.choices.items[1].id, "pipeline");
    assert_null(q->key.choices.items[2].feedback);
    assert_int_equal(q->key.choices.items[2].pin, PIN_LAST);
    assert_string_equal(q->explanation, "Each device holds a part.\n\nOf every matrix.");
    assert_string_equal(q->explanation_figure, "  x");
    assert_int_equal(q->hints.count, 2);
    assert_int_equal(q->tags.count, 2);
    assert_string_equal(q->tags.items[1], "a, b");
    assert_string_equal(q->source, "A book, page 3");
    assert_true(q->marks == 2 && !q->shuffle);
    q = question(1);
    assert_int_equal(q->type, QUESTION_NUMBER);
    assert_string_equal(q->key.number.answer, "0.27");
    assert_true(q->key.number.relative && q->key.number.tolerance == 0.05);
    assert_string_equal(q->key.number.unit, "GiB");
    assert_int_equal(q->key.number.significant_figures, 2);
    assert_string_equal(q->key.number.wrongs[0].feedback, "Too much.");
    q = question(2);
    assert_int_equal(q->key.text.accept.count, 2);
    assert_string_equal(q->key.text.accept.items[1], "Ada | Lovelace");
    assert_int_equal(q->key.text.ignore, IGNORE_CASE | IGNORE_ACCENTS);
    assert_taken();
}

/* ---- answers ---- */

static void answers(void **state)
{
    static const struct {
        const char *answer;
        enum question_type type;
        const char *first, *unit; /* of a number its digits and unit */
        double tolerance;
    } cases[] = {
        { "true", QUESTION_TRUE_FALSE, "true", NULL, 0 },
        { "False", QUESTION_TRUE_FALSE, "false", NULL, 0 },
        { "\"true\"", QUESTION_TEXT, "true", NULL, 0 },
        { "true | yes", QUESTION_TEXT, "true", NULL, 0 },
        { "42", QUESTION_NUMBER, "42", NULL, 0 },
        { "−4.5e3", QUESTION_NUMBER, "−4.5e3", NULL, 0 },
        { "42 km", QUESTION_NUMBER, "42", "km", 0 },
        { "50%", QUESTION_NUMBER, "50", "%", 0 },
        { "42 +/- 1", QUESTION_NUMBER, "42", NULL, 1 },
        { "42±0.5 km per hour", QUESTION_NUMBER, "42", "km per hour", 0.5 },
        { "42 ± 5 % km", QUESTION_NUMBER, "42", "km", 0.05 },
        { "\"42\"", QUESTION_TEXT, "42", NULL, 0 },
        { "42 | 43", QUESTION_TEXT, "42", NULL, 0 },
        { "3 blind mice", QUESTION_TEXT, "3 blind mice", NULL, 0 },
        { "4th", QUESTION_TEXT, "4th", NULL, 0 },
        { "say \"hi\"", QUESTION_TEXT, "say \"hi\"", NULL, 0 },
        { "\"a \\\"b\\\"\"", QUESTION_TEXT, "a \"b\"", NULL, 0 },
        { "a\\|b | c", QUESTION_TEXT, "a|b", NULL, 0 },
        { "`code` and *stars*", QUESTION_TEXT, "code and stars", NULL, 0 },
        { "a ± b", QUESTION_TEXT, "a ± b", NULL, 0 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char body[200];
        snprintf(body, sizeof body, "**Answer:** %s", cases[i].answer);
        const struct question *q = one(body);
        if (q->type != cases[i].type)
            fail_msg("%s: %s", cases[i].answer, question_type_name(q->type));
        const struct number_key *number = &q->key.number;
        if (q->type == QUESTION_NUMBER) {
            assert_string_equal(number->answer, cases[i].first);
            assert_true(number->tolerance == cases[i].tolerance);
            assert_true(!number->unit == !cases[i].unit);
            if (number->unit)
                assert_string_equal(number->unit, cases[i].unit);
        } else if (q->type == QUESTION_TEXT) {
            assert_string_equal(q->key.text.accept.items[0], cases[i].first);
        } else {
            assert_string_equal(q->key.truth ? "true" : "false", cases[i].first);
        }
    }
    assert_left_out("Answer: 0,27", "Answer: 0,27 is no number that is taken here");
    assert_left_out("Answer: 1,000,000", "is no number that is taken here");
    assert_left_out("Answer: 0,5 +- 0,1 kg", "Answer: 0,5 +- 0,1 kg is no number that is taken here");
    assert_left_out("Answer: 5 ± x", "behind ±");
    assert_left_out("Answer: 5 ± 0,1", "behind ±");
    assert_left_out("Answer:", "nothing stands behind \"Answer:\"");
    assert_left_out("Answer: a\nAnswer: b", "two lines \"Answer:\"");
    assert_left_out("Answer: true\n\n- [x] a\n- [ ] b", "two answers");
    assert_left_out("Answer: a\n\nBack: b", "two answers");
    assert_left_out("Answer: 5\n\n- [x] 5", "line 7: what is right stands behind");
    assert_left_out("Answer: 5\n\n- [ ] much", "line 7: a known wrong answer to a number is a number");
}

static void lists(void **state)
{
    (void)state;
    const struct question *q = one("1. first\n2) second\n   goes on\n\n   and on\n1. third\n\nFeedback: No.\n"
                                   "Misconception: backwards\nMarking: net-correct\nWhy: so");
    assert_int_equal(q->type, QUESTION_ORDER);
    assert_int_equal(q->key.order.count, 3);
    assert_string_equal(q->key.order.items[1], "second goes on\n\nand on");
    assert_string_equal(q->feedback, "No.");
    assert_string_equal(q->misconception, "backwards");
    assert_int_equal(q->marking, MARKING_NET_CORRECT);
    assert_taken();

    q = one(
        "| Left | Right |\n| --- | :---: |\n| cat | meow |\n| dog \\| wolf | woof<br>woof |\n| | moo |\n\n"
        "Why: so");
    assert_int_equal(q->type, QUESTION_MATCH);
    assert_int_equal(q->key.match.lefts.count, 2);
    assert_string_equal(q->key.match.lefts.items[1], "dog | wolf");
    assert_string_equal(q->key.match.rights.items[1], "woof\nwoof");
    assert_int_equal(q->key.match.rights.count, 3);
    assert_taken();

    q = one("Animal | Sound\n--- | ---\ncat | meow\ndog | woof\n\nWhy: so");
    assert_int_equal(q->key.match.lefts.count, 2);
    assert_says(&reading, 0, "\"Animal\" and \"Sound\"");

    q = one("Back: H~2~O\n\nor water\n\nWhy: so");
    assert_string_equal(q->key.recall, "H~2~O\n\nor water");

    /* lists and tables that stand in a prompt */
    q = one(
        "1. one\n2. two\n\n- a\n- b\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n- [x] all\n- [ ] none\n\nWhy: so");
    assert_string_equal(q->prompt, "Which?\n\n1. one\n2. two\n\n- a\n- b\n\n| x | y |\n|---|---|\n| 1 | 2 |");
    assert_int_equal(q->type, QUESTION_SINGLE_CHOICE);
    assert_left_out("| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |\n| 4 | 5 | 6 |", "has two cells");
}

static void boxes(void **state)
{
    (void)state;
    const struct question *q = one("* [X] one\n* [ ] two\n  lines\n+ [x] three\n- four\n\nWhy: so");
    assert_int_equal(q->type, QUESTION_MULTIPLE_CHOICE);
    assert_int_equal(q->key.choices.count, 4);
    assert_string_equal(q->key.choices.items[1].text, "two lines");
    assert_false(q->key.choices.items[3].correct);
    assert_says(&reading, 0, "line 11 has no box");

    q = one("- [x] one\n\n  second paragraph\n\n  > told\n\n- [ ] two\n> told, too\n\nType: "
            "multiple-choice\nWhy: so");
    assert_int_equal(q->type, QUESTION_MULTIPLE_CHOICE);
    assert_string_equal(q->key.choices.items[0].text, "one\n\nsecond paragraph");
    assert_string_equal(q->key.choices.items[0].feedback, "told");
    assert_string_equal(q->key.choices.items[1].feedback, "told, too");
    assert_taken();

    q = one("- [x] [x] in brackets\n- [ ] [a](b) c\n- [ ] \\- dash\n\nWhy: so");
    assert_string_equal(q->key.choices.items[0].text, "[x] in brackets");
    assert_string_equal(q->key.choices.items[1].text, "a (b) c");
    assert_string_equal(q->key.choices.items[2].text, "- dash");
    assert_left_out("- [ ] one\n- [ ] two", "none of its choices is right");
    assert_left_out("- [x] same\n- [ ] same", "same");
}

/* ---- headings ---- */

static void headings(void **state)
{
    (void)state;
    assert_true(reading_text(
        &reading, markdown_read,
        "Quiz\n====\n\nPart one\n--------\n\n### Which is warm?\n- [x] Red\n- [ ] Blue\n\n"
        "### 2. Which is cold? ###\n- [ ] Red\n- [x] Blue\n\n### Question 3\nWet?\n\n"
        "Answer: true\n\n### word\n\nAnswer: true\n\n### 1984. Who wrote it?\n\nAnswer: Orwell\n\n"
        "## Is this a question?\n\n- [x] yes\n- [ ] no\n\n# Another part\n\n### Dry?\n\nAnswer: false\n"));
    assert_string_equal(reading.pack->title, "Quiz");
    assert_string_equal(reading.pack->sections[0].title, "Part one");
    assert_string_equal(reading.pack->sections[1].title, "Another part");
    assert_string_equal(question(0)->prompt, "Which is warm?");
    assert_string_equal(question(0)->id, "which-is-warm");
    assert_string_equal(question(1)->prompt, "Which is cold?");
    assert_says(&reading, 1, "its number, \"2.\", is left out");
    assert_string_equal(question(2)->prompt, "Wet?");
    assert_string_equal(question(3)->prompt, "word");
    assert_string_equal(question(3)->id, "word");
    assert_string_equal(question(4)->prompt, "1984. Who wrote it?");
    assert_string_equal(question(5)->prompt, "Is this a question?");
    assert_int_equal(reading.import.count, 7);
}

static void loose(void **state)
{
    (void)state;
    const struct question *q = one("- [x] a\n- [ ] b\n\nBecause a is first.\n\n#### More\n\nAnd b is not.");
    assert_string_equal(q->explanation, "Because a is first.\n\nMore\n\nAnd b is not.");
    assert_says(&reading, 0, "what stands from line 10 on is taken as its explanation");
    assert_says(&reading, 0, "the heading in line 12");
    q = one("- [x] a\n- [ ] b\n\n> **Why:** Because\n> it is.");
    assert_string_equal(q->explanation, "Because it is.");
    q = one("> A passage\n> to read.\n\n---\n<!-- a remark\nof two lines -->\n- [x] a\n- [ ] b\n\nWhy: so");
    assert_string_equal(q->prompt, "Which?\n\n> A passage > to read.");
    q = one("Front: What?\n\nBack: That.\n\nPick: 3\n\nUnit: km\n\nWhy: so");
    assert_string_equal(q->prompt, "Which?\n\nWhat?");
    assert_says(&reading, 0, "\"Pick:\" in line 11 is left out");
    assert_says(&reading, 0, "\"Unit: km\" is left out");
    assert_left_out("No answer here.", "it has no answer");
    assert_left_out("Answer: a\nMarks: many", "line 6: \"Marks: many\" is not known");
    assert_left_out("Answer: a\nMarking: net", "\"Marking: net\" is not known");
    assert_left_out("Answer: a\nType: essay", "\"Type: essay\" is not known");
    assert_left_out("Answer: a\nIgnore: all", "Ignore");
    assert_left_out("Answer: 5\nSignificant figures: 0", "Significant figures");
    assert_left_out("Answer: 5\nTolerance: much", "behind ±");
}

static void around(void **state)
{
    (void)state;
    assert_true(reading_text(
        &reading, markdown_read,
        "---\ntitle: X\n---\n\nSome words.\n\n# T\n\n## Empty section\n\n## S\n\n### q\n\nWet?\n\n"
        "Answer: true\nWhy: so\n"));
    assert_int_equal(reading.import.lines[0].line, 1);
    assert_says(&reading, 0, "between --- and ---");
    assert_int_equal(reading.import.lines[1].line, 5);
    assert_says(&reading, 1, "before the first heading");
    assert_int_equal(reading.import.count, 1);
    reading_finish(&reading);
    assert_true(
        reading_text(&reading, markdown_read,
                     "# T\n\n## Lonely\n\n1. What?\n   - [x] one\n\n## S\n\nIntro.\n\n### q\n\nWet?\n\n"
                     "Answer: true\nWhy: so\n"));
    assert_int_equal(reading.import.lines[0].line, 3);
    assert_says(&reading, 0, "a section without a question");
    assert_int_equal(reading.import.count, 1);
}

/* ---- texts ---- */

static void inlines(void **state)
{
    static const struct {
        const char *text, *marked, *plain;
    } cases[] = {
        { "a *b* c", "a *b* c", "a b c" },
        { "a _b_ snake_case_word", "a *b* snake_case_word", "a b snake_case_word" },
        { "a **b *c* d** e", "a *b c d* e", "a b c d e" },
        { "***both***", "*both*", "both" },
        { "*a*_b_", "*ab*", "ab" },
        { "2 * 3 * 4", "2 \\* 3 \\* 4", "2 * 3 * 4" },
        { "*open", "\\*open", "*open" },
        { "a*b*c", "a*b*c", "abc" },
        { "**", "\\*\\*", "**" },
        { "\\*a\\* \\_b\\_ \\\\ \\x", "\\*a\\* _b_ \\ \\x", "*a* _b_ \\ \\x" },
        { "`a*b`", "`a*b`", "a*b" },
        { "`` a`b ``", "``a`b``", "a`b" },
        { "`open", "\\`open", "`open" },
        { "*a `b* c` d*", "*a `b* c` d*", "a b* c d" },
        { "a\nb", "a b", "a b" },
        { "a  \nb", "a\nb", "a\nb" },
        { "a\\\nb", "a\nb", "a\nb" },
        { "a<br>b<br/>c", "a\nb\nc", "a\nb\nc" },
        { "[a](http://b.c \"t\")", "a (http://b.c)", "a (http://b.c)" },
        { "<https://a.b>", "https://a.b", "https://a.b" },
        { "[a] (b) [c][d] ]", "[a] (b) [c][d] ]", "[a] (b) [c][d] ]" },
        { "![a cat](cat.png) x", "[a cat] x", "[a cat] x" },
        { "![](cat.png)x", "x", "x" },
        { "&lt;b&gt; &amp;amp; &#42; & &nope;", "<b> &amp; \\* & &nope;", "<b> &amp; * & &nope;" },
        { "a < b > c <", "a < b > c <", "a < b > c <" },
        { "\\[a\\](b)", "[a](b)", "[a](b)" },
        { "**![](x.png)**", "", "" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int style = 0; style < 2; style++) {
            struct import import;
            struct buffer out;
            const char *wanted = style ? cases[i].plain : cases[i].marked;
            import_init(&import, "x");
            import.markup = true;
            buffer_init(&out);
            markdown_inline(&import, &out, cases[i].text, (ptrdiff_t)strlen(cases[i].text),
                            style ? MARKDOWN_PLAIN : MARKDOWN_MARKED);
            if (strcmp(buffer_get(&out), wanted) != 0)
                fail_msg("%s: \"%s\", not \"%s\"", cases[i].text, buffer_get(&out), wanted);
            buffer_finish(&out);
            import_finish(&import);
        }
}

static void blocks(void **state)
{
    (void)state;
    const struct question *q =
        one("```python\ndef f():\n    return 1\n\n\n```\nWhat is `f()`?\n\n    indented\n      code\n\n"
            "- [x] 1\n  ```\n  a  b\n  ```\n- [ ] 2\n\nWhy: so");
    assert_string_equal(q->prompt, "Which?\n\n```\ndef f():\n    return 1\n\n\n```\nWhat is `f()`?\n\n"
                                   "```\nindented\n  code\n```");
    assert_string_equal(q->key.choices.items[0].text, "1\n```\na  b\n```");
    assert_taken();
    q = one("```figure\n# no heading\n- [x] no choice\nAnswer: none\n```\n\n- [x] 1\n- [ ] 2\n\nWhy: so");
    assert_string_equal(q->figure, "# no heading\n- [x] no choice\nAnswer: none");
    assert_int_equal(q->key.choices.count, 2);
    q = one("- [x] 1\n- [ ] 2\n\nWhy: so\n\n```\nnever closed");
    assert_says(&reading, 0, "the block that opens in line 12 is not closed");
    q = one("~~~\n```\n~~~\n\n- [x] 1\n- [ ] 2\n\nWhy: so");
    assert_string_equal(q->prompt, "Which?\n\n\\`\\`\\`");
}

/* Without emphasis or code in the file its texts are plain: nothing is escaped. */
static void plain_files(void **state)
{
    (void)state;
    assert_true(
        reading_text(&reading, markdown_read,
                     "### q\n\n2 * 3 = 6 \\* 1 is snake_case?\n\n* [x] yes\n* [ ] no\n\n***\n\nWhy: so\n"));
    assert_false(reading.pack->markup);
    assert_string_equal(question(0)->prompt, "2 * 3 = 6 * 1 is snake_case?");
}

static void bad_bytes(void **state)
{
    (void)state;
    assert_false(reading_text(&reading, markdown_read, "### W\xe4r\n"));
    assert_non_null(strstr(reading.error.message, "byte 5"));
    end(NULL);
    assert_true(reading_begin(&reading, markdown_read, "### q\0x\n\nAnswer: \0a\n", 20));
    assert_int_equal(reading.import.count, 1);
    end(NULL);
    assert_true(reading_text(&reading, markdown_read, ""));
    end(NULL);
    assert_true(
        reading_text(&reading, markdown_read, "\xef\xbb\xbf### q\r\n\r\nWet?\r\n\r\nAnswer: true\r\n"));
    assert_int_equal(reading.import.count, 1);
}

static void recognised(void **state)
{
    static const struct {
        const char *text;
        bool is;
    } cases[] = {
        { "# T\n\n## Q?\n\n- [x] a\n- [ ] b\n", true },
        { "### Q?\n\nAnswer: 5\n", true },
        { "\xef\xbb\xbf### Q?\r\n\r\nBack: 5\r\n", true },
        { "### Q?\n\n1. a\n2. b\n\nWhy: so\n", true },
        { "# A letter\n\nDear all,\n", false },
        { "Answer: 5\n", false },
        { "- [x] done\n- [ ] not done\n", false },
        { "", false },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (markdown_recognise(cases[i].text, (ptrdiff_t)strlen(cases[i].text)) != cases[i].is)
            fail_msg("recognised: %s", cases[i].text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(doubtful, end),
        cmocka_unit_test_teardown(whole, end),
        cmocka_unit_test_teardown(answers, end),
        cmocka_unit_test_teardown(lists, end),
        cmocka_unit_test_teardown(boxes, end),
        cmocka_unit_test_teardown(headings, end),
        cmocka_unit_test_teardown(loose, end),
        cmocka_unit_test_teardown(around, end),
        cmocka_unit_test(inlines),
        cmocka_unit_test_teardown(blocks, end),
        cmocka_unit_test_teardown(plain_files, end),
        cmocka_unit_test_teardown(bad_bytes, end),
        cmocka_unit_test(recognised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
