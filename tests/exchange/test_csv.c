/* Tables: what spreadsheets write, every column, faults with their line and column, hostile ones. */
#include "reading.h"

#include <quiztutor/table.h>
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

/* Reads a table of one row, which is left out; what is told of it. */
static const char *left_out(const char *head, const char *row)
{
    char text[1000];
    end(NULL);
    snprintf(text, sizeof text, "%s\n%s\n", head, row);
    assert_true(reading_text(&reading, csv_read, text));
    assert_int_equal(reading.import.count, 0);
    assert_int_equal(reading.import.line_count, 1);
    assert_int_equal(reading.import.lines[0].line, 2);
    assert_int_equal(reading.import.lines[0].fate, IMPORT_LEFT_OUT);
    return reading.import.lines[0].what;
}

static void assert_left_out(const char *head, const char *row, const char *why)
{
    const char *what = left_out(head, row);
    if (!strstr(what, why))
        fail_msg("\"%s\": told \"%s\", not \"%s\"", row, what, why);
}

static void assert_refused(const char *text, const char *why)
{
    end(NULL);
    assert_false(reading_text(&reading, csv_read, text));
    if (!strstr(reading.error.message, why))
        fail_msg("told \"%s\", not \"%s\"", reading.error.message, why);
}

/* ---- what a table says ---- */

static void choices(void **state)
{
    (void)state;
    assert_true(
        reading_text(&reading, csv_read,
                     "id,prompt,choice 1,choice 2,choice 3,correct,feedback 1,misconception 1,pin 3,"
                     "choice id 2,explanation,tags,hint 1,hint 2,marks,source\n"
                     "warm,\"Which, really, is \"\"warm\"\"?\",Blue,Red,None,2,It is cold.,cold-blue,last,"
                     "red,Red is.,colours|art \\| craft,Fire,Blood,2,A book\n"));
    const struct question *q = question(0);
    assert_int_equal(q->type, QUESTION_SINGLE_CHOICE);
    assert_string_equal(q->id, "warm");
    assert_string_equal(q->prompt, "Which, really, is \"warm\"?");
    assert_int_equal(q->key.choices.count, 3);
    assert_true(q->key.choices.items[1].correct);
    assert_string_equal(q->key.choices.items[0].feedback, "It is cold.");
    assert_string_equal(q->key.choices.items[0].misconception, "cold-blue");
    assert_string_equal(q->key.choices.items[1].id, "red");
    assert_int_equal(q->key.choices.items[2].pin, PIN_LAST);
    assert_string_equal(q->explanation, "Red is.");
    assert_int_equal(q->tags.count, 2);
    assert_string_equal(q->tags.items[1], "art | craft");
    assert_int_equal(q->hints.count, 2);
    assert_string_equal(q->hints.items[1], "Blood");
    assert_true(q->marks == 2);
    assert_string_equal(q->source, "A book");
    assert_int_equal(reading.import.lines[0].fate, IMPORT_TAKEN);
}

/* How `correct` may name choices. */
static void correct_choices(void **state)
{
    static const struct {
        const char *correct;
        unsigned right;
    } cases[] = {
        { "1", 1 },        { "b", 2 },        { "C", 4 },         { "1|3", 5 },
        { "\"1, 3\"", 5 }, { "a c", 5 },      { "A;C", 5 },       { "red", 1 },
        { "red|blue", 5 }, { "new york", 2 }, { "\"c , b\"", 6 }, { "blue|New York", 0 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        unsigned right = 0;
        snprintf(text, sizeof text,
                 "prompt,choice 1,choice 2,choice 3,correct\nWhich?,red,new york,blue,%s\n",
                 cases[i].correct);
        end(NULL);
        reading_text(&reading, csv_read, text);
        for (int k = 0; reading.pack && k < 3; k++)
            right |= question(0)->key.choices.items[k].correct ? 1u << k : 0;
        if (right != cases[i].right)
            fail_msg("correct: %s gives %x", cases[i].correct, right);
    }
}

static void other_types(void **state)
{
    (void)state;
    assert_true(reading_text(&reading, csv_read,
                             "type,prompt,correct,tolerance,unit,significant figures,ignore,choice 1,match "
                             "1,choice 2,match 2,match 3,"
                             "feedback,misconception,feedback 1,misconception 1,marking,explanation\n"
                             "true-false,Wet?,TRUE,,,,,,,,,,It is.,dry,,,,e\n"
                             "number,How much?,0.27,5%,GiB,2,,0.3,,,,,,,Too much.,slip,,e\n"
                             "text,Who?,Ada | Ada Lovelace,,,,accents|punctuation,Babbage,,,,,,,No.,,,e\n"
                             "order,Sort.,,,,,,one,,two,,,Wrong way.,swap,,,net-correct,e\n"
                             "match,Who says?,,,,,,cat,meow,dog,woof,moo,,,,,each-decision,e\n"
                             "recall,Water?,H2O,,,,,,,,,,,,,,,e\n"
                             "multiple-choice,All?,1,,,,,x,,y,,,,,,,net-correct,e\n"));
    assert_int_equal(reading.import.count, 7);
    for (int i = 0; i < 7; i++)
        if (reading.import.lines[i].what)
            fail_msg("told: %s", reading.import.lines[i].what);
    assert_true(question(0)->key.truth);
    assert_string_equal(question(0)->feedback, "It is.");
    assert_string_equal(question(0)->misconception, "dry");
    const struct number_key *number = &question(1)->key.number;
    assert_string_equal(number->answer, "0.27");
    assert_true(number->relative && number->tolerance == 0.05);
    assert_string_equal(number->unit, "GiB");
    assert_int_equal(number->significant_figures, 2);
    assert_int_equal(number->wrong_count, 1);
    assert_string_equal(number->wrongs[0].feedback, "Too much.");
    assert_string_equal(number->wrongs[0].misconception, "slip");
    const struct text_key *text = &question(2)->key.text;
    assert_int_equal(text->accept.count, 2);
    assert_string_equal(text->accept.items[1], "Ada Lovelace");
    assert_int_equal(text->ignore, IGNORE_ACCENTS | IGNORE_PUNCTUATION);
    assert_string_equal(text->wrongs[0].value, "Babbage");
    assert_int_equal(question(3)->key.order.count, 2);
    assert_int_equal(question(3)->marking, MARKING_NET_CORRECT);
    assert_string_equal(question(3)->misconception, "swap");
    assert_int_equal(question(4)->key.match.lefts.count, 2);
    assert_int_equal(question(4)->key.match.rights.count, 3);
    assert_string_equal(question(5)->key.recall, "H2O");
    assert_int_equal(question(6)->type, QUESTION_MULTIPLE_CHOICE);
    assert_int_equal(question(6)->key.choices.correct, 1);
}

static void sections(void **state)
{
    (void)state;
    assert_true(reading_text(&reading, csv_read,
                             "section,intro,pick,prompt,type,correct\n"
                             "Waves,All of waves.,1,A?,true-false,true\n,,,B?,true-false,true\n"
                             "Light,,,C?,true-false,true\nWaves,,,D?,true-false,true\n"));
    assert_int_equal(reading.pack->section_count, 2);
    assert_string_equal(reading.pack->sections[0].title, "Waves");
    assert_string_equal(reading.pack->sections[0].intro, "All of waves.");
    assert_int_equal(reading.pack->sections[0].pick, 1);
    assert_int_equal(reading.pack->sections[0].count, 3);
    assert_int_equal(reading.pack->sections[1].pick, 1);
}

/* Rows in light markup beside others: those of the others mean what they say. */
static void markup(void **state)
{
    (void)state;
    assert_true(
        reading_text(&reading, csv_read,
                     "type,prompt,correct,markup\nrecall,Is *this* it?,*a*,light\nrecall,2 * 3 * 4?,*b*,\n"));
    assert_true(reading.pack->markup);
    assert_string_equal(question(0)->prompt, "Is *this* it?");
    assert_string_equal(question(1)->prompt, "2 \\* 3 \\* 4?");
    assert_string_equal(question(0)->key.recall, "*a*");
    assert_string_equal(question(1)->key.recall, "*b*");
}

/* ---- as spreadsheets write it ---- */

/* Excel in German: semicolons, decimal commas, WAHR, CRLF, a byte order mark, line breaks in cells. */
static void german_excel(void **state)
{
    (void)state;
    assert_true(reading_text(&reading, csv_read,
                             "\xef\xbb\xbf"
                             "Type;Prompt;Correct;Tolerance;Explanation;;\r\n"
                             "number;Wie viel?;3,5;0,1;\"Zeile eins\r\nZeile zwei\";;\r\n"
                             "true-false;Nass?;WAHR;;;;\r\n;;;;;;\r\nnumber;Und?;1.000,5;;;;\r\n"));
    assert_int_equal(reading.import.count, 2);
    assert_string_equal(question(0)->key.number.answer, "3.5");
    assert_true(question(0)->key.number.tolerance == 0.1);
    assert_string_equal(question(0)->explanation, "Zeile eins\nZeile zwei");
    assert_says(&reading, 0, "3,5 is read as 3.5");
    assert_true(question(1)->key.truth);
    assert_int_equal(reading.import.lines[1].line, 4);
    assert_int_equal(reading.import.lines[2].line, 6);
    assert_says(&reading, 2, "no number");
}

static void separators(void **state)
{
    static const char *const texts[] = {
        "prompt,type,correct\nA?,true-false,true\n",
        "prompt;type;correct\nA?;true-false;true\n",
        "prompt\ttype\tcorrect\nA?\ttrue-false\ttrue\n",
        "sep=|\nprompt|type|correct\nA?|true-false|true\n",
        "sep=;\r\nprompt;type;correct\r\nA?;true-false;true\r\n",
        "\n\nprompt,type,correct\n\nA?,true-false,true\n\n\n",
        "Question ,  TYPE, \"Answer\" \nA?, \"true-false\" , true\n",
        "prompt,type,correct\rA?,true-false,true\r",
        "prompt,type,correct\nA?,true-false,true",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        end(NULL);
        if (!csv_recognise(texts[i], (ptrdiff_t)strlen(texts[i])))
            fail_msg("not recognised: %s", texts[i]);
        assert_true(reading_text(&reading, csv_read, texts[i]));
        assert_int_equal(reading.import.count, 1);
        assert_string_equal(question(0)->prompt, "A?");
        assert_true(question(0)->key.truth);
    }
    assert_false(csv_recognise("prompt\nA?\n", 10));
    assert_false(csv_recognise("name,age\nA,1\n", 13));
    assert_false(csv_recognise("", 0));
}

/* A spreadsheet would take them for formulas: here they are texts, and stay as they are. */
static void formulas(void **state)
{
    (void)state;
    assert_true(reading_text(&reading, csv_read,
                             "type,prompt,correct\nrecall,=1+1,-x\nrecall,+cmd,@a\nrecall,-,=\"\"q\"\"\n"));
    assert_string_equal(question(0)->prompt, "=1+1");
    assert_string_equal(question(0)->key.recall, "-x");
    assert_string_equal(question(1)->key.recall, "@a");
    assert_string_equal(question(2)->prompt, "-");
}

/* ---- faults ---- */

static void bad_heads(void **state)
{
    (void)state;
    assert_refused("id,promt\n1,2\n", "line 1: there is no column \"promt\"; is \"prompt\" meant?");
    assert_refused("prompt,corect\n1,2\n", "\"corect\"; is \"correct\" meant?");
    assert_refused("prompt,choice\n1,2\n", "\"choice 1\"?");
    assert_refused("prompt,id 2\n1,2\n", "\"id 2\"");
    assert_refused("prompt,choice 0\n1,2\n", "\"choice 0\"");
    assert_refused("prompt,choice 100\n1,2\n", "\"choice 100\"");
    assert_refused("prompt,colour of the sky\n1,2\n", "there is no column \"colour of the sky\"");
    assert_refused("prompt,id,ID\n1,2,3\n", "\"ID\" is there twice");
    assert_refused("id,type\n1,2\n", "no column \"prompt\"");
    assert_refused("", "no column \"prompt\"");
    assert_refused("\n\n\n", "no column \"prompt\"");
    assert_refused("prompt,type\nW\xe4r es?,recall\n", "byte 13");
}

static void bad_rows(void **state)
{
    (void)state;
    static const char head[] =
        "type,prompt,choice 1,choice 2,correct,marks,pin 1,marking,shuffle,tolerance,ignore";
    assert_left_out(head, "singel-choice,Q?,a,b,1", "is \"single-choice\" meant?");
    assert_left_out(head, "essay,Q?,a,b,1", "there is no type \"essay\"");
    assert_left_out(head, ",Q?,,,x", "neither a type nor choices");
    assert_left_out(head, ",,a,b,1", "it has no text");
    assert_left_out(head, ",Q?,a,b,", "correct is empty");
    assert_left_out(head, ",Q?,a,b,3", "\"3\" names none of its choices");
    assert_left_out(head, ",Q?,a,b,x", "\"x\" names none of its choices");
    assert_left_out(head, ",Q?,2,1,2", "may mean choice 2 or the text of another; write its letter, B");
    assert_left_out(head, "single-choice,Q?,a,b,1|2", "multiple-choice");
    assert_left_out(head, ",Q?,a,a,1", "same");
    assert_left_out(head, "true-false,Q?,,,yes", "true or false, not \"yes\"");
    assert_left_out(head, "number,Q?,,,\"1,5\"", "the decimal sign is a point");
    assert_left_out(head, "number,Q?,,,nan", "\"nan\" is no number");
    assert_left_out(head, "number,Q?,much,,1", "choice 1: \"much\" is no number");
    assert_left_out(head, "number,Q?,,,1,,,,,-1", "tolerance");
    assert_left_out(head, "number,Q?,,,1,,,,,101%", "tolerance");
    assert_left_out(head, "text,Q?,,,a,,,,,,letters", "not \"letters\"");
    assert_left_out(head, "text,Q?,,,", "no answer is right");
    assert_left_out(head, "recall,Q?,,,", "no back");
    assert_left_out(head, "order,Q?,a,,", "nothing to put in order");
    assert_left_out(head, "match,Q?,a,b,", "choice 1 has no text in match 1");
    assert_left_out(head, ",Q?,a,b,1,much", "marks: \"much\" is no number");
    assert_left_out(head, ",Q?,a,b,1,1,middle", "pin 1: write first or last, not \"middle\"");
    assert_left_out(head, ",Q?,a,b,1|2,1,,half", "not \"half\"");
    assert_left_out(head, ",Q?,a,b,1,1,,,no", "shuffle: write true or false, not \"no\"");
    assert_left_out(head, ",\"Q, is it?\",a,b,1,1,,,,,,x", "it has 12 cells, but the head row has 11");
    assert_left_out("prompt,markup", "Q?,heavy", "light or none, not \"heavy\"");
    assert_left_out("prompt,pick,section,type,correct", "Q?,1.5,S,recall,x", "pick");
}

static void told(void **state)
{
    (void)state;
    assert_true(reading_text(&reading, csv_read,
                             "id,type,prompt,correct,unit,feedback 2,,choice 1\n"
                             "Q One,true-false,A?,true,GiB,no,stray,x\n"
                             "b,recall,A \"quoted\" word,x,,,,\n"
                             "c,recall,\"A \"quoted\" word\",x,,,,\n"
                             "d,recall,D?,x\n"));
    assert_int_equal(reading.import.count, 4);
    assert_says(&reading, 0, "its id was \"Q One\"");
    assert_string_equal(question(0)->id, "q-one");
    assert_says(&reading, 0, "unit is left out, it has no place in true-false");
    assert_says(&reading, 0, "feedback 2 is left out");
    assert_says(&reading, 0, "cell 7 is left out, its column has no name");
    assert_says(&reading, 0, "choice 1 is left out");
    assert_string_equal(question(1)->prompt, "A \"quoted\" word");
    assert_string_equal(question(2)->prompt, "\"A \"quoted\" word\"");
    assert_says(&reading, 2, "a quotation mark within a cell is not doubled");
}

static void unclosed(void **state)
{
    (void)state;
    assert_true(reading_text(&reading, csv_read,
                             "type,prompt,correct\nrecall,A?,a\nrecall,\"two\nlines\",b\nrecall,\"never,c\n"
                             "recall,D?,d\n"));
    assert_int_equal(reading.import.count, 2);
    assert_int_equal(reading.import.lines[2].line, 5);
    assert_says(&reading, 2, "opens in line 5 and is never closed");
    end(NULL);
    assert_true(reading_text(&reading, csv_read, "type,prompt,correct\nrecall,\""));
    assert_int_equal(reading.import.lines[0].line, 2);
    assert_says(&reading, 0, "opens in line 2");
}

/* ---- hostile ---- */

static void many_columns(void **state)
{
    (void)state;
    struct buffer text;
    buffer_init(&text);
    buffer_text(&text, "prompt,id");
    for (int i = 0; i < 100000; i++)
        buffer_char(&text, ',');
    buffer_text(&text, "\nA?,a\n");
    assert_false(reading_begin(&reading, csv_read, text.data, text.length));
    assert_non_null(strstr(reading.error.message, "line 1: more than 1000 columns"));
    end(NULL);
    buffer_clear(&text);
    buffer_text(&text, "prompt,id\nA?,a");
    for (int i = 0; i < 100000; i++)
        buffer_char(&text, ',');
    assert_true(reading_begin(&reading, csv_read, text.data, text.length));
    assert_says(&reading, 0, "more than 1000 cells");
    buffer_finish(&text);
}

/* Cells, one by one, of texts that are hard to cut; \x01 parts cells, \x02 records. */
static void cuts(void **state)
{
    static const struct {
        const char *text, *cells;
    } cases[] = {
        { "a,b\nc", "a\1b\2c" },
        { "a,\n,b\n", "a\1\2\1b" },
        { "\"a,\nb\",c", "a,\nb\1c" },
        { "\"a\"\"b\",\"\"\"\",\"\"", "a\"b\1\"\1" },
        { "a\"b,c\"", "a\"b\1c\"" },
        { "\"a\"b,c", "\"a\"b\1c" },
        { "\"a,b\"c,d", "\"a\1b\"c\1d" },
        { "\"a\nb\"c\",d", "a\nb\"c\1d" },
        { " \"a,b\" ,c", "a,b\1c" },
        { " a , b ", " a \1 b " },
        { "a\r\nb\rc\nd", "a\2b\2c\2d" },
        { "\"a\r\nb\"\r\n", "a\r\nb" },
        { "\n\na", "\2\2a" },
        { "\"", "" },
        { "\"\"\"", "\"" },
        { ",", "\1" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct table table;
        struct buffer cells;
        bool more = false;
        buffer_init(&cells);
        table_init(&table, cases[i].text, (ptrdiff_t)strlen(cases[i].text), ',');
        table.blanks = true;
        for (; table_next(&table); more = true)
            for (int cell = 0; cell < table.count; cell++) {
                ptrdiff_t length;
                if (cell || more)
                    buffer_char(&cells, cell ? '\1' : '\2');
                buffer_text(&cells, table_cell(&table, cell, &length));
            }
        if (strcmp(buffer_get(&cells), cases[i].cells) != 0)
            fail_msg("%s", cases[i].text);
        table_finish(&table);
        buffer_finish(&cells);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(choices, end),      cmocka_unit_test_teardown(correct_choices, end),
        cmocka_unit_test_teardown(other_types, end),  cmocka_unit_test_teardown(sections, end),
        cmocka_unit_test_teardown(markup, end),       cmocka_unit_test_teardown(german_excel, end),
        cmocka_unit_test_teardown(separators, end),   cmocka_unit_test_teardown(formulas, end),
        cmocka_unit_test_teardown(bad_heads, end),    cmocka_unit_test_teardown(bad_rows, end),
        cmocka_unit_test_teardown(told, end),         cmocka_unit_test_teardown(unclosed, end),
        cmocka_unit_test_teardown(many_columns, end), cmocka_unit_test(cuts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
