/* Moodle XML: each type, weights, categories, feedback; what is left out and how that is told. */
#include "reading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define TEXT(name, text) "<" name " format=\"html\"><text><![CDATA[" text "]]></text></" name ">"
#define NAME(id)         "<name><text>" id "</text></name>"
#define ANSWER(share, text, more)                                                                            \
    "<answer fraction=\"" share "\" format=\"html\"><text>" text "</text>" more "</answer>"
#define FEEDBACK(text) "<feedback format=\"html\"><text>" text "</text></feedback>"
#define QUIZ(body)     "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<quiz>\n" body "\n</quiz>\n"

static void begin(struct reading *reading, const char *text)
{
    if (!reading_text(reading, moodle_xml_read, text))
        fail_msg("%s", reading->error.message);
}

static void single_choice(void **state)
{
    struct reading reading;
    (void)state;
    begin(
        &reading,
        QUIZ(
            "<question type=\"multichoice\">" NAME("Bubble") TEXT("questiontext", "<p>Which is "
                                                                                  "<b>right</b>?</p>")
                TEXT(
                    "generalfeedback",
                    "<p>Because.</p>") "<defaultgrade>2.5000000</defaultgrade><penalty>0.3333333</penalty>"
                                       "<hidden>0</hidden><idnumber>q-17</idnumber><single>true</"
                                       "single><shuffleanswers>true</shuffleanswers>" TEXT(
                                           "correctfeedback", "Your answer is correct.")
                                           ANSWER("0", "&lt;p&gt;a &amp;lt; b&lt;/p&gt;",
                                                  FEEDBACK("No: &lt;i&gt;less&lt;/i&gt;."))
                                               ANSWER("100", "b", FEEDBACK("Yes.")) ANSWER(
                                                   "-50", "c",
                                                   FEEDBACK(
                                                       "")) "<hint "
                                                            "format=\"html\"><text>Look.</"
                                                            "text><shownumcorrect/"
                                                            "></hint><hint format=\"html\"><text/></hint>"
                                                            "<tags><tag><text>one</text></tag><tag><text>two "
                                                            "&amp; three</text></tag></tags></question>"));
    const struct question *question = reading_question(&reading, "q-17");
    assert_int_equal(question->type, QUESTION_SINGLE_CHOICE);
    assert_string_equal(question->prompt, "Which is *right*?");
    assert_string_equal(question->explanation, "Because.");
    assert_true(question->marks == 2.5);
    assert_true(question->shuffle);
    assert_int_equal(question->key.choices.count, 3);
    assert_string_equal(question->key.choices.items[0].text, "a < b");
    assert_string_equal(question->key.choices.items[0].feedback, "No: *less*.");
    assert_true(question->key.choices.items[1].correct);
    assert_string_equal(question->key.choices.items[1].feedback, "Yes.");
    assert_int_equal(question->hints.count, 1);
    assert_int_equal(question->tags.count, 2);
    assert_string_equal(question->tags.items[1], "two & three");
    assert_says(&reading, 0, "\"c\" gave -50 %");
    assert_says(&reading, 0, "a try after a hint took 33.3 %");
    assert_int_equal(reading.import.lines[0].line, 3);
    assert_string_equal(reading.import.lines[0].name, "Bubble");
    assert_int_equal(reading.import.lines[0].fate, IMPORT_CHANGED);
    reading_finish(&reading);
}

/* Fractions as Moodle has them, of which each right choice of R gives 100/R, and the rule that they become.
 */
static void fractions(void **state)
{
    static const struct {
        int right;
        const char *share, *minus;
        bool told;
    } cases[] = {
        { 2, "50", "-50", false },
        { 3, "33.33333", "-33.33333", false },
        { 7, "14.28571", "-14.28571", false },
        { 3, "33.333", "0", true },
        { 6, "16.66667", "-16.66667", false },
        { 2, "50", "-100", true },
        { 4, "25.0000000", "-25", false },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buffer text;
        struct reading reading;
        buffer_init(&text);
        buffer_text(&text, "<quiz><question type='multichoice'>" NAME("q") TEXT("questiontext", "?")
                               TEXT("generalfeedback", "!") "<single>false</single>");
        for (int k = 0; k < cases[i].right; k++)
            buffer_print(&text, "<answer fraction='%s'><text>right %d</text></answer>", cases[i].share, k);
        buffer_print(&text, "<answer fraction='%s'><text>wrong</text></answer></question></quiz>",
                     cases[i].minus);
        begin(&reading, buffer_get(&text));
        const struct question *question = reading_question(&reading, "q");
        assert_int_equal(question->type, QUESTION_MULTIPLE_CHOICE);
        assert_int_equal(question->marking, MARKING_NET_CORRECT);
        assert_int_equal(question->key.choices.correct, cases[i].right);
        assert_false(question->shuffle); /* it did not say so */
        assert_int_equal(reading.import.lines[0].fate, cases[i].told ? IMPORT_CHANGED : IMPORT_TAKEN);
        reading_finish(&reading);
        buffer_finish(&text);
    }
}

static void true_false(void **state)
{
    struct reading reading;
    (void)state;
    begin(&reading,
          QUIZ("<question type='truefalse'>" NAME("a") TEXT("questiontext", "A") TEXT("generalfeedback", "E")
                   ANSWER("0", "false", FEEDBACK("no")) ANSWER(
                       "100", "true",
                       "") "</question>"
                           "<question type='truefalse'>" NAME("b") TEXT("questiontext", "B")
                               ANSWER("0", "true", FEEDBACK("no")) ANSWER(
                                   "100", "false",
                                   FEEDBACK("yes")) "</question>"
                                                    "<question type='truefalse'>" NAME("c")
                                                        TEXT("questiontext", "C") TEXT("generalfeedback", "E")
                                                            ANSWER("100", "Wahr", "") ANSWER(
                                                                "0", "Falsch",
                                                                "") "</question>"
                                                                    "<question type='truefalse'>" NAME("d")
                                                                        TEXT("questiontext", "D")
                                                                            ANSWER("100", "true", "")
                                                                                ANSWER("100", "false",
                                                                                       "") "</question>"));
    assert_true(reading_question(&reading, "a")->key.truth);
    assert_string_equal(reading_question(&reading, "a")->feedback, "no");
    assert_int_equal(reading.import.lines[0].fate, IMPORT_TAKEN);
    assert_false(reading_question(&reading, "b")->key.truth);
    assert_string_equal(reading_question(&reading, "b")->explanation, "yes");
    assert_true(reading_question(&reading, "c")->key.truth);
    assert_says(&reading, 2, "the first one was taken as true");
    assert_int_equal(reading.import.lines[3].fate, IMPORT_LEFT_OUT);
    assert_says(&reading, 3, "both right");
    reading_finish(&reading);
}

static void short_answers(void **state)
{
    struct reading reading;
    (void)state;
    begin(&reading,
          QUIZ("<question type='shortanswer'>" NAME("a") TEXT("questiontext", "A")
                   TEXT("generalfeedback", "E") "<usecase>1</usecase>" ANSWER("100", "a &lt;b&gt;", "")
                       ANSWER("100.00000", "two \\* two", "") ANSWER("50", "near", FEEDBACK("close")) ANSWER(
                           "0", "*",
                           FEEDBACK("no")) "</question>"
                                           "<question type='shortanswer'>" NAME("b") TEXT("questiontext", "B")
                                               ANSWER("100", "San*", "") ANSWER(
                                                   "100", "x",
                                                   "") "</question>"
                                                       "<question type='shortanswer'>" NAME("c")
                                                           TEXT("questiontext", "C") ANSWER(
                                                               "100", "San*",
                                                               "") "</question>"
                                                                   "<question type='shortanswer'>" NAME("d")
                                                                       TEXT("questiontext", "D") ANSWER(
                                                                           "100", "*", "") "</question>"));
    const struct question *question = reading_question(&reading, "a");
    assert_int_equal(question->type, QUESTION_TEXT);
    assert_int_equal(question->key.text.ignore, IGNORE_SPACES);
    assert_int_equal(question->key.text.accept.count, 2);
    assert_string_equal(question->key.text.accept.items[0], "a <b>"); /* typed answers are no HTML */
    assert_string_equal(question->key.text.accept.items[1], "two * two");
    assert_int_equal(question->key.text.wrong_count, 1);
    assert_string_equal(question->key.text.wrongs[0].feedback, "close");
    assert_says(&reading, 0, "any other answer");
    question = reading_question(&reading, "b");
    assert_int_equal(question->key.text.ignore, IGNORE_SPACES | IGNORE_CASE);
    assert_int_equal(question->key.text.accept.count, 1);
    assert_says(&reading, 1, "\"San*\" has a *");
    assert_int_equal(reading.import.lines[2].fate, IMPORT_LEFT_OUT);
    assert_int_equal(reading.import.lines[3].fate, IMPORT_LEFT_OUT);
    reading_finish(&reading);
}

static void numbers(void **state)
{
    struct reading reading;
    (void)state;
    begin(&reading,
          QUIZ("<question type='numerical'>" NAME("a") TEXT("questiontext", "A") TEXT(
              "generalfeedback", "E") ANSWER("100", "0.27", "<tolerance>0.01</tolerance>")
                   ANSWER("0", "27", "<tolerance>0</tolerance>" FEEDBACK("per cent")) ANSWER(
                       "0", "*",
                       FEEDBACK("?")) "<unitgradingtype>0</unitgradingtype><units><unit><multiplier>1</"
                                      "multiplier><unit_name>GB</unit_name>"
                                      "</unit><unit><multiplier>1000</multiplier><unit_name>MB</unit_name></"
                                      "unit></units></question>"
                                      "<question type='numerical'>" NAME("b") TEXT("questiontext",
                                                                                   "B") ANSWER("100", "1", "")
                                          ANSWER("100", "2", "") "</question>"
                                                                 "<question type='numerical'>" NAME("c")
                                                                     TEXT("questiontext", "C") ANSWER(
                                                                         "100", "-1.5e3", "") "</question>"));
    const struct question *question = reading_question(&reading, "a");
    assert_int_equal(question->type, QUESTION_NUMBER);
    assert_true(question->key.number.value == 0.27);
    assert_true(question->key.number.tolerance == 0.01);
    assert_string_equal(question->key.number.unit, "GB");
    assert_int_equal(question->key.number.wrong_count, 1);
    assert_string_equal(question->key.number.wrongs[0].feedback, "per cent");
    assert_says(&reading, 0, "the unit \"MB\" was left out");
    assert_int_equal(reading.import.lines[1].fate, IMPORT_LEFT_OUT);
    assert_true(reading_question(&reading, "c")->key.number.value == -1500);
    reading_finish(&reading);
}

#define PAIR(left, right)                                                                                    \
    "<subquestion format=\"html\"><text><![CDATA[" left "]]></text><answer><text>" right                     \
    "</text></answer></subquestion>"

static void matches_and_orders(void **state)
{
    struct reading reading;
    (void)state;
    begin(
        &reading,
        QUIZ(
            "<question type='matching'>" NAME("m") TEXT("questiontext", "M")
                TEXT("generalfeedback", "E") "<shuffleanswers>true</shuffleanswers>" TEXT(
                    "incorrectfeedback", "Look again.") TEXT("correctfeedback", "Well done.")
                    PAIR("<p>TP</p>", "weights") PAIR("<p>PP</p>", "layers") PAIR("DP", "weights") PAIR(
                        "",
                        "nothing") "</question>"
                                   "<question type='ordering'>" NAME("o") TEXT("questiontext", "O") TEXT(
                                       "generalfeedback",
                                       "E") "<layouttype>VERTICAL</layouttype><selecttype>ALL</"
                                            "selecttype><selectcount>0</selectcount>"
                                            "<gradingtype>ABSOLUTE_POSITION</gradingtype>" ANSWER("1.0000000",
                                                                                                  "first", "")
                                                ANSWER("2.0000000", "second", "") ANSWER(
                                                    "3.0000000",
                                                    "third",
                                                    "") "</question>"
                                                        "<question type='ordering'>" NAME("p")
                                                            TEXT("questiontext", "P") TEXT(
                                                                "generalfeedback",
                                                                "E") "<selecttype>RANDOM</"
                                                                     "selecttype><selectcount>2</selectcount>"
                                                                     "<gradingtype>LONGEST_ORDERED_SUBSET</"
                                                                     "gradingtype>" ANSWER("1", "1st", "")
                                                                         ANSWER("1", "2nd", "") ANSWER(
                                                                             "1", "3rd", "") "</question>"));
    const struct question *question = reading_question(&reading, "m");
    assert_int_equal(question->type, QUESTION_MATCH);
    assert_int_equal(question->marking, MARKING_NET_CORRECT);
    assert_int_equal(question->key.match.lefts.count, 3);
    assert_string_equal(question->key.match.lefts.items[0], "TP");
    assert_int_equal(question->key.match.rights.count, 3);
    assert_int_equal(question->key.match.paired, 2);
    assert_string_equal(question->key.match.rights.items[2], "nothing");
    assert_string_equal(question->feedback, "Look again.");
    assert_says(&reading, 0, "feedback to right answers was left out");
    question = reading_question(&reading, "o");
    assert_int_equal(question->type, QUESTION_ORDER);
    assert_int_equal(question->marking, MARKING_EACH_DECISION);
    assert_string_equal(question->key.order.items[1], "second");
    assert_int_equal(reading.import.lines[1].fate, IMPORT_TAKEN);
    assert_says(&reading, 2, "marked by LONGEST_ORDERED_SUBSET");
    assert_says(&reading, 2, "2 of its items");
    reading_finish(&reading);
}

static void categories(void **state)
{
    struct reading reading;
    (void)state;
#define ONE(id)                                                                                              \
    "<question type='truefalse'>" NAME(id) TEXT("questiontext", "A") TEXT("generalfeedback", "E")            \
        ANSWER("100", "true", "") ANSWER("0", "false", "") "</question>"
#define CATEGORY(path, info)                                                                                 \
    "<question type='category'><category><text>" path "</text></category><info format='html'><text>" info    \
    "</text></info><idnumber></idnumber></question>"
    begin(&reading,
          QUIZ(CATEGORY("$course$/top/A/B", "&lt;p&gt;Shared.&lt;/p&gt;") ONE("q1") CATEGORY("$course$/top/A",
                                                                                             "") ONE("q2")
                   CATEGORY("$course$/top/I//O", "") ONE("q3") CATEGORY("$course$/top/A/B", "") ONE(
                       "q4") "<question type='category'><category>old/way</category></question>" ONE("q5")));
    assert_int_equal(reading.pack->section_count, 4);
    assert_string_equal(reading.pack->sections[0].title, "A / B");
    assert_string_equal(reading.pack->sections[0].intro, "Shared.");
    assert_int_equal(reading.pack->sections[0].count, 2);
    assert_string_equal(reading.pack->sections[1].title, "A");
    assert_string_equal(reading.pack->sections[2].title, "I/O");
    assert_string_equal(reading.pack->sections[3].title, "old / way");
    assert_int_equal(reading.import.line_count, 5); /* categories are no questions */
    reading_finish(&reading);
}

/* The introduction of a category is a section's text, and may be too long for one. */
static void long_introduction(void **state)
{
    struct reading reading;
    static char text[PACK_TEXT + 1000], word[PACK_TEXT + 2];
    (void)state;
    memset(word, 'x', sizeof word - 1);
    snprintf(
        text, sizeof text,
        "<quiz><question type=\"category\"><category><text>A</text></category><info><text>%s</text></info>"
        "</question><question type=\"truefalse\"><name><text>t</text></name><questiontext><text>Is it?"
        "</text></questiontext><answer fraction=\"100\"><text>true</text></answer><answer fraction=\"0\">"
        "<text>false</text></answer></question></quiz>",
        word);
    begin(&reading, text);
    assert_int_equal(reading.import.count, 1);
    assert_says(&reading, 0, "longer than 64 KiB");
    reading_finish(&reading);
}

static void texts(void **state)
{
    struct reading reading;
    (void)state;
    begin(
        &reading,
        QUIZ("<question type='truefalse'>" NAME(
            "a") "<questiontext format='html'><text><![CDATA[<p>a]]]]><![CDATA[> b]]> &amp;amp; "
                 "c</text></questiontext>" ANSWER(
                     "100", "true",
                     "") "</question>"
                         "<question type='truefalse'>" NAME(
                             "b") "<questiontext format='plain_text'><text>x "
                                  "&lt;b&gt; *y*\nz</text>"
                                  "</questiontext>" ANSWER(
                                      "100", "true",
                                      "") "</question>"
                                          "<question type='truefalse'>" NAME(
                                              "c") "<questiontext "
                                                   "format='markdown'><text>is "
                                                   "**x** `y`?</text>"
                                                   "</questiontext>" ANSWER(
                                                       "100", "true",
                                                       "") "</question>"
                                                           "<question "
                                                           "type='truefalse'"
                                                           ">" NAME(
                                                               "d") "<questionte"
                                                                    "xt "
                                                                    "format='"
                                                                    "moodle_"
                                                                    "auto_"
                                                                    "format'><"
                                                                    "text>"
                                                                    "one\ntwo</"
                                                                    "text>"
                                                                    "</"
                                                                    "questiontex"
                                                                    "t>" ANSWER(
                                                                        "100", "true",
                                                                        "") "</"
                                                                            "que"
                                                                            "sti"
                                                                            "on>"
                                                                            "<qu"
                                                                            "est"
                                                                            "ion"
                                                                            " ty"
                                                                            "pe="
                                                                            "'tr"
                                                                            "uef"
                                                                            "als"
                                                                            "e'"
                                                                            ">" NAME(
                                                                                "e") "<questiontext><text><p>"
                                                                                     "not "
                                                                                     "<b>escaped</b></p></"
                                                                                     "text>"
                                                                                     "<file name='x.png' "
                                                                                     "path='/' "
                                                                                     "encoding='base64'>AAAA<"
                                                                                     "/file><file "
                                                                                     "name='n.pdf'>AA</"
                                                                                     "file></"
                                                                                     "questiontext>" ANSWER(
                                                                                         "100", "true",
                                                                                         "") "</question>"
                                                                                             "<question "
                                                                                             "type='"
                                                                                             "truefalse'"
                                                                                             ">" NAME(
                                                                                                 "f") "<quest"
                                                                                                      "iontex"
                                                                                                      "t><"
                                                                                                      "text>"
                                                                                                      "Look: "
                                                                                                      "&lt;"
                                                                                                      "img "
                                                                                                      "src='@"
                                                                                                      "@PLUGI"
                                                                                                      "NFILE@"
                                                                                                      "@/"
                                                                                                      "y.png'"
                                                                                                      "&gt;&"
                                                                                                      "lt;"
                                                                                                      "pre&"
                                                                                                      "gt;  "
                                                                                                      "a\n "
                                                                                                      "b&lt;/"
                                                                                                      "pre&"
                                                                                                      "gt;</"
                                                                                                      "text>"
                                                                                                      "<file "
                                                                                                      "name='"
                                                                                                      "y.png'"
                                                                                                      ">AA</"
                                                                                                      "file><"
                                                                                                      "/quest"
                                                                                                      "iontex"
                                                                                                      "t"
                                                                                                      ">" ANSWER(
                                                                                                          "10"
                                                                                                          "0",
                                                                                                          "tr"
                                                                                                          "u"
                                                                                                          "e",
                                                                                                          "") "</question>"));
    assert_string_equal(reading_question(&reading, "a")->prompt, "a]]> b & c");
    assert_string_equal(reading_question(&reading, "b")->prompt, "x <b> \\*y\\*\nz");
    assert_string_equal(reading_question(&reading, "c")->prompt, "is *x* `y`?");
    assert_string_equal(reading_question(&reading, "d")->prompt, "one\ntwo");
    assert_string_equal(reading_question(&reading, "e")->prompt, "not *escaped*");
    assert_says(&reading, 4, "a picture was left out: x.png; a file was left out: n.pdf");
    assert_string_equal(reading_question(&reading, "f")->prompt, "Look:");
    assert_string_equal(reading_question(&reading, "f")->figure, "  a\n b");
    assert_null(strstr(strstr(reading_said(&reading, 5), "y.png") + 1, "y.png")); /* told once */
    reading_finish(&reading);
}

static void left_out(void **state)
{
    static const struct {
        const char *type, *words;
    } types[] = { { "essay", "an essay" },   { "description", "asks nothing" },
                  { "cloze", "gaps" },       { "calculated", "`given`" },
                  { "ddmarker", "picture" }, { "stack", "\"stack\" have no counterpart" },
                  { "", "no type" } };
    struct buffer text;
    struct reading reading;
    (void)state;
    buffer_init(&text);
    buffer_text(&text, "<quiz>");
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        buffer_print(&text, "<question type='%s'>" NAME("n") TEXT("questiontext", "x") "</question>",
                     types[i].type);
    buffer_text(&text, "<question type='multichoice'>" NAME("n") "</question>");
    buffer_text(&text, "<question type='multichoice'>" TEXT("questiontext", "x")
                           ANSWER("50", "a", "") "</question>");
    buffer_text(&text, "</quiz>");
    begin(&reading, buffer_get(&text));
    assert_int_equal(reading.import.count, 0);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        assert_says(&reading, (int)i, types[i].words);
    assert_says(&reading, 8, "no choice gives the full mark");
    buffer_finish(&text);
    reading_finish(&reading);
}

static void refused(void **state)
{
    struct reading reading;
    (void)state;
    assert_false(reading_text(&reading, moodle_xml_read, "<html></html>"));
    assert_non_null(strstr(reading.error.message, "begins with <quiz>, this with <html>"));
    reading_finish(&reading);
    assert_false(reading_text(&reading, moodle_xml_read,
                              "<!DOCTYPE quiz [<!ENTITY x SYSTEM '/etc/passwd'>]><quiz>&x;</quiz>"));
    assert_non_null(strstr(reading.error.message, "declares entities"));
    reading_finish(&reading);
    assert_true(reading_text(&reading, moodle_xml_read, "<quiz/>"));
    assert_int_equal(reading.import.line_count, 0);
    reading_finish(&reading);
}

static void linear(void **state)
{
#define IN(type) "<quiz><question type='" type "'>" NAME("q") TEXT("questiontext", "x")
    static const struct {
        const char *head, *unit, *tail;
    } cases[] = {
        { "<quiz>", "<question type='essay'/>", "</quiz>" },
        { "<quiz>",
          "<question type='truefalse'>" TEXT("questiontext", "x") ANSWER("100", "true", "") "</question>",
          "</quiz>" },
        { "<quiz>", "<question type='category'><category><text>a/%d</text></category></question>",
          "</quiz>" },
        { IN("multichoice"), "<answer fraction='100'><text>a%d</text></answer>", "</question></quiz>" },
        { IN("shortanswer"), "<answer fraction='100'><text>a%d</text></answer>", "</question></quiz>" },
        { IN("shortanswer"), "<answer fraction='50'><text>a%d*</text></answer>", "</question></quiz>" },
        { IN("shortanswer"),
          "<answer fraction='0'><text>a%d</text><feedback><text>f</text></feedback></answer>",
          ANSWER("100", "r", "") "</question></quiz>" },
        { IN("numerical"), "<answer fraction='0'><text>%d</text><feedback><text>f</text></feedback></answer>",
          "</question></quiz>" },
        { IN("numerical") ANSWER("100", "1", ""), "<units><unit><unit_name>u%d</unit_name></unit></units>",
          "</question></quiz>" },
        { IN("ordering"), "<answer fraction='1'><text>a%d</text></answer>", "</question></quiz>" },
        { IN("matching"), "<subquestion><text>a%d</text><answer><text>b</text></answer></subquestion>",
          "</question></quiz>" },
        { IN("essay"), "<hint><text>h%d</text></hint>", "</question></quiz>" },
        { IN("essay") "<tags>", "<tag><text>t%d</text></tag>", "</tags></question></quiz>" },
        { "<quiz><question type='essay'><questiontext><text>x</text>", "<file name='f%d.png'/>",
          "</questiontext></question></quiz>" },
        { "<quiz><question type='essay'><questiontext><text>", "&lt;img src='%d.png'&gt;",
          "</text></questiontext></question></quiz>" },
        { "<quiz><question type='category'><category><text>", "a/", "</text></category></question></quiz>" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        reading_linear(moodle_xml_read, cases[i].head, cases[i].unit, cases[i].tail);
}

static void no_memory(void **state)
{
    static const char text[] = QUIZ(
        CATEGORY("$course$/top/A/B", "i") "<question type='multichoice'>" NAME("a")
            TEXT("questiontext", "A") "<single>false</single>" ANSWER("50", "x", FEEDBACK("f"))
                ANSWER("50", "y", "") ANSWER(
                    "-50", "z",
                    "") "<hint><text>h</text></hint><tags><tag><text>t</text></tag></tags></question>"
                        "<question type='matching'>" NAME("b") TEXT("questiontext", "B") PAIR("l", "r") PAIR(
                            "m", "s") "</question>"
                                      "<question type='ordering'>" NAME("c") TEXT("questiontext", "C")
                                          ANSWER("1", "x", "") ANSWER(
                                              "2", "y", "") "</question><question type='numerical'>" NAME("d")
                                              TEXT("questiontext", "D")
                                                  ANSWER("100", "1",
                                                         "") "</question>"
                                                             "<question type='shortanswer'>" NAME("e")
                                                                 TEXT("questiontext", "E")
                                                                     ANSWER("100", "a\\*", "") "</question>");
    (void)state;
    for (long n = 1;; n++) {
        struct import import;
        struct error error = { 0 };
        memory_fail_after(n);
        import_init(&import, "x");
        bool read = moodle_xml_read(&import, text, (ptrdiff_t)sizeof text - 1, &error);
        memory_fail_after(0);
        bool whole = read && !import.failed;
        assert_true(read || error.code == ERROR_MEMORY);
        import_finish(&import);
        if (whole)
            break;
        assert_true(n < 5000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_choice), cmocka_unit_test(fractions),
        cmocka_unit_test(true_false),    cmocka_unit_test(short_answers),
        cmocka_unit_test(numbers),       cmocka_unit_test(matches_and_orders),
        cmocka_unit_test(categories),    cmocka_unit_test(long_introduction),
        cmocka_unit_test(texts),         cmocka_unit_test(left_out),
        cmocka_unit_test(refused),       cmocka_unit_test(linear),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
