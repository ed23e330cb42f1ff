/* Aiken: its corner cases, each with what becomes of it and the line that is told. */
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

static const char *choice(int place, int number)
{
    assert_true(number < question(place)->key.choices.count);
    return question(place)->key.choices.items[number].text;
}

static int right(int place)
{
    for (int i = 0; i < question(place)->key.choices.count; i++)
        if (question(place)->key.choices.items[i].correct)
            return i;
    return -1;
}

static void assert_line(int place, int line, enum import_fate fate)
{
    assert_true(place < reading.import.line_count);
    assert_int_equal(reading.import.lines[place].line, line);
    assert_int_equal(reading.import.lines[place].fate, fate);
}

static void plain(void **state)
{
    (void)state;
    reading_text(&reading, aiken_read,
                 "What is the capital of France?\nA. Berlin\nB) Paris\nC. Rome\nANSWER: B\n\n"
                 "And of Italy?\nA) Rome\nB) Milan\nanswer: a\n");
    assert_int_equal(reading.import.count, 2);
    assert_string_equal(question(0)->prompt, "What is the capital of France?");
    assert_int_equal(question(0)->type, QUESTION_SINGLE_CHOICE);
    assert_int_equal(question(0)->key.choices.count, 3);
    assert_string_equal(choice(0, 1), "Paris");
    assert_int_equal(right(0), 1);
    assert_int_equal(right(1), 0);
    assert_string_equal(reading.import.lines[0].name, "What is the capital of France?");
    assert_line(1, 7, IMPORT_CHANGED); /* an explanation was made up */
}

/* "C. elegans is a …" begins with a letter and a point, and so may a stem's second line or one of an option.
 */
static void stems_with_letters(void **state)
{
    (void)state;
    reading_text(&reading, aiken_read,
                 "C. elegans is a\nA. worm\nB. fly\nANSWER: A\n\n"
                 "Which is a plant?\nA. thaliana is one of them.\nA. Arabidopsis\nB. Drosophila\nC. "
                 "elegans\nANSWER: A\n\n"
                 "A. thaliana is a\nA. plant\nB. worm\nANSWER: A\n\n"
                 "U.S. law begins with the\nA. constitution\nB. code\nANSWER: A\n");
    assert_int_equal(reading.import.count, 4);
    assert_string_equal(question(0)->prompt, "C. elegans is a");
    assert_string_equal(question(1)->prompt, "Which is a plant?\nA. thaliana is one of them.");
    assert_int_equal(question(1)->key.choices.count, 3);
    assert_string_equal(choice(1, 2), "elegans");
    assert_string_equal(question(2)->prompt, "A. thaliana is a");
    assert_string_equal(question(3)->prompt, "U.S. law begins with the");
}

static void texts_come_out_exactly(void **state)
{
    (void)state;
    reading_text(&reading, aiken_read,
                 "Is a &lt; b &amp; c?\nA. a < b\nB. a > b & <b>c</b>\nC. *a* `b` \\{ }\nANSWER: A\n");
    assert_string_equal(question(0)->prompt, "Is a &lt; b &amp; c?");
    assert_string_equal(choice(0, 0), "a < b");
    assert_string_equal(choice(0, 1), "a > b & <b>c</b>");
    assert_string_equal(choice(0, 2), "*a* `b` \\{ }");
    assert_false(reading.pack->markup);
}

static void several_lines(void **state)
{
    (void)state;
    reading_text(
        &reading, aiken_read,
        "\xef\xbb\xbf\r\n\r\nA stem\r\nof two lines.\r\n\r\n\r\nA second paragraph.\r\n\r\nA. one\r\n"
        "   goes on\r\n\r\nB. two\r\n\r\n\r\nANSWER: B\r\n\r\n\r\n");
    assert_int_equal(reading.import.count, 1);
    assert_string_equal(question(0)->prompt, "A stem\nof two lines.\n\nA second paragraph.");
    assert_string_equal(choice(0, 0), "one\ngoes on");
    assert_string_equal(choice(0, 1), "two");
    assert_int_equal(right(0), 1);
    assert_line(0, 3, IMPORT_CHANGED);
}

/* Lines that end in a bare CR, as an old Macintosh wrote them. */
static void old_lines(void **state)
{
    (void)state;
    reading_text(&reading, aiken_read, "One?\rA. a\rB. b\rANSWER: A\rTwo?\rA. a\rB. b\rANSWER: Z\r");
    assert_int_equal(reading.import.count, 1);
    assert_line(1, 8, IMPORT_LEFT_OUT);
}

static void wrong_answers(void **state)
{
    static const struct {
        const char *answer, *why;
    } cases[] = {
        { "ANSWER: E", "ANSWER: E, but the options end with D" },
        { "ANSWER:", "ANSWER names no option" },
        { "ANSWER: A, C", "not one letter" },
        { "ANSWER: AC", "not one letter" },
        { "ANSWER: 2", "not one letter" },
        { "ANSWER: B. something else", "not one letter" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        snprintf(text, sizeof text, "Which?\nA. a\nB. b\nC. c\nD. d\n%s\n\nNext?\nA. a\nB. b\nANSWER: B\n",
                 cases[i].answer);
        reading_text(&reading, aiken_read, text);
        assert_int_equal(reading.import.count, 1);
        assert_line(0, 6, IMPORT_LEFT_OUT);
        assert_string_equal(reading.import.lines[0].name, "Which?");
        assert_says(&reading, 0, cases[i].why);
        end(NULL);
    }
    reading_text(&reading, aiken_read, "Which?\nA. a\nB. b\nANSWER: B. b\n\nOr?\nA. a\nB. b\nAnswer : a)\n");
    assert_int_equal(reading.import.count, 2);
    assert_int_equal(right(0), 1);
}

static void without_answer(void **state)
{
    (void)state;
    reading_text(
        &reading, aiken_read,
        "First\nA. a\nB. b\n\nSecond\nA. a\nB. b\nANSWER: A\n\nThird\nwithout\nA. a\nB. b\n\nFourth\n");
    assert_int_equal(reading.import.count, 1);
    assert_string_equal(question(0)->prompt, "Second");
    assert_line(0, 1, IMPORT_LEFT_OUT);
    assert_says(&reading, 0, "not followed by a line ANSWER");
    assert_line(2, 10, IMPORT_LEFT_OUT);
    assert_says(&reading, 2, "not followed by a line ANSWER");
    assert_int_equal(reading.import.line_count, 3);
}

static void other_faults(void **state)
{
    (void)state;
    reading_text(
        &reading, aiken_read,
        "No options\nANSWER: A\n\nOne option\nA. a\nANSWER: A\n\nA. a\nB. b\nANSWER: A\n\nANSWER: A\n\n"
        "Equal\nA. a\nB. a\nANSWER: A\n\nEmpty\nA. a\nB.\nANSWER: A\n\nStray\nA. a\nB. b\nD. d\nANSWER: B\n");
    assert_int_equal(reading.import.count, 1);
    assert_line(0, 1, IMPORT_LEFT_OUT);
    assert_says(&reading, 0, "it has no options");
    assert_line(1, 4, IMPORT_LEFT_OUT);
    assert_says(&reading, 1, "one option only");
    assert_line(2, 8, IMPORT_LEFT_OUT);
    assert_says(&reading, 2, "no stem");
    assert_line(3, 12, IMPORT_LEFT_OUT);
    assert_says(&reading, 3, "no question stands before this ANSWER");
    assert_line(4, 14, IMPORT_LEFT_OUT);
    assert_says(&reading, 4, "same");
    assert_line(5, 19, IMPORT_LEFT_OUT);
    assert_says(&reading, 5, "option B has no text");
    assert_line(6, 24, IMPORT_CHANGED);
    assert_says(&reading, 6, "line 27 looks like option D out of its turn");
    assert_string_equal(choice(0, 1), "b\nD. d");
}

static void explanations(void **state)
{
    (void)state;
    reading_text(&reading, aiken_read,
                 "One?\nA. a\nB. b\nANSWER: A\nExplanation: because of a\n\nTwo?\nA. a\nB. b\nANSWER: A\n");
    assert_int_equal(reading.import.count, 2);
    assert_string_equal(question(0)->explanation, "because of a");
    assert_says(&reading, 0, "line 5");
    assert_string_equal(question(1)->prompt, "Two?");
}

static void bad_bytes(void **state)
{
    (void)state;
    assert_false(reading_text(&reading, aiken_read, "W\xe4r es so?\nA. a\nB. b\nANSWER: A\n"));
    assert_non_null(strstr(reading.error.message, "byte 1"));
    assert_non_null(strstr(reading.error.message, "iconv"));
    end(NULL);
    assert_false(reading_begin(&reading, aiken_read, "\xff\xfeW\0a\0", 6));
    assert_non_null(strstr(reading.error.message, "UTF-16"));
    end(NULL);
    assert_true(reading_begin(&reading, aiken_read, "W\0h?\nA. a\nB. b\nANSWER: A\n", 24));
    assert_int_equal(reading.import.count, 1);
    assert_string_equal(question(0)->prompt, "Wh?");
    assert_says(&reading, 0, "U+0000");
    end(NULL);
    assert_true(reading_begin(&reading, aiken_read, "", 0));
    assert_int_equal(reading.import.line_count, 0);
}

static void recognised(void **state)
{
    static const struct {
        const char *text;
        bool is;
    } cases[] = {
        { "Q?\nA. a\nB. b\nANSWER: A\n", true },
        { "\xef\xbb\xbfQ?\r\nA) a\r\nB) b\r\nAnswer: b\r\n", true },
        { "No answer\n\nQ?\nA. a\nB. b\nANSWER: A\n", true },
        { "Q?\nA. a\nB. b\n", false },
        { "Q?\nANSWER: A\n", false },
        { "### Q\nAnswer: text\n", false },
        { "Only some words.\n", false },
        { "", false },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (aiken_recognise(cases[i].text, (ptrdiff_t)strlen(cases[i].text)) != cases[i].is)
            fail_msg("recognised: %s", cases[i].text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(plain, end),
        cmocka_unit_test_teardown(stems_with_letters, end),
        cmocka_unit_test_teardown(texts_come_out_exactly, end),
        cmocka_unit_test_teardown(several_lines, end),
        cmocka_unit_test_teardown(old_lines, end),
        cmocka_unit_test_teardown(wrong_answers, end),
        cmocka_unit_test_teardown(without_answer, end),
        cmocka_unit_test_teardown(other_faults, end),
        cmocka_unit_test_teardown(explanations, end),
        cmocka_unit_test_teardown(bad_bytes, end),
        cmocka_unit_test(recognised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
