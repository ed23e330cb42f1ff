#include "fixture.h"

static struct choice many[26];

static struct showing show(struct question *question, int count, bool two_right)
{
    for (int i = 0; i < 26; i++)
        many[i] = (struct choice){ .text = "x", .correct = i == 0 || (two_right && i == 1) };
    *question = fixture_choices("q", many, count);
    struct showing showing = { .question = question, .seed = 5, .count = count };
    for (int i = 0; i < count; i++)
        showing.places[i] = (unsigned char)(count - 1 - i); /* shown backwards */
    return showing;
}

static struct response read_line(const struct showing *showing, const char *line)
{
    struct response response;
    response_read(&response, showing, line, (ptrdiff_t)strlen(line));
    return response;
}

static void test_single(void **state)
{
    (void)state;
    struct question question;
    struct showing showing = show(&question, 3, false);
    static const struct {
        const char *line;
        uint32_t picks;
    } good[] = { { "2", 2 }, { "b", 2 }, { " B ", 2 }, { "1", 4 }, { "c", 1 }, { "3\r", 1 } };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct response response = read_line(&showing, good[i].line);
        assert_int_equal(response.kind, RESPONSE_ANSWER);
        assert_int_equal(response.answer.picks, good[i].picks);
    }
    static const char *const bad[] = { "0",    "4",         "1,2",       "ab",   "d",
                                       "true", "2,2",       "aa",        "-1",   "99999999999999999999",
                                       "1.",   ":nonsense", ":skip now", "\xff", ",",
                                       "é" };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct response response = read_line(&showing, bad[i]);
        assert_int_equal(response.kind, RESPONSE_UNREADABLE);
        assert_true(response.reason[0]);
    }
    assert_int_equal(read_line(&showing, "").kind, RESPONSE_BLANK);
    assert_int_equal(read_line(&showing, " \t").kind, RESPONSE_BLANK);
    struct response nul;
    response_read(&nul, &showing, "1\0002", 3);
    assert_int_equal(nul.kind, RESPONSE_UNREADABLE);
}

static void test_many(void **state)
{
    (void)state;
    struct question question;
    struct showing showing = show(&question, 5, true);
    static const char *const same[] = { "1,3", "1 3", "ac", "a c", "3, 1", "CA", "1,,3" };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        struct response response = read_line(&showing, same[i]);
        assert_int_equal(response.kind, RESPONSE_ANSWER);
        assert_int_equal(response.answer.picks, 1u << 4 | 1u << 2);
    }
    assert_int_equal(read_line(&showing, "13").kind, RESPONSE_UNREADABLE);
    struct showing wide = show(&question, 26, true);
    assert_int_equal(read_line(&wide, "12").answer.picks, 1u << 14);
    assert_int_equal(read_line(&wide, "z").answer.picks, 1u);
}

static void test_commands(void **state)
{
    (void)state;
    struct question question;
    struct showing showing = show(&question, 3, false);
    static const struct {
        const char *line;
        enum response_command command;
    } rows[] = { { ":hint", COMMAND_HINT },     { "h", COMMAND_HINT },         { ":skip", COMMAND_SKIP },
                 { "s", COMMAND_SKIP },         { ":undo", COMMAND_UNDO },     { "u", COMMAND_UNDO },
                 { "!", COMMAND_REPORT },       { ":report", COMMAND_REPORT }, { ":flag", COMMAND_FLAG },
                 { ":finish", COMMAND_FINISH }, { "q", COMMAND_FINISH },       { "?", COMMAND_HELP },
                 { " :help ", COMMAND_HELP } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct response response = read_line(&showing, rows[i].line);
        assert_int_equal(response.kind, RESPONSE_COMMAND);
        assert_int_equal(response.command, rows[i].command);
    }
    struct response report = read_line(&showing, ":report the key is wrong");
    assert_int_equal(report.command, COMMAND_REPORT);
    assert_string_equal(report.argument, "the key is wrong");
    static const char *const reports[] = { "! the key is wrong", "!the key is wrong",
                                           " !\t the key is wrong" };
    for (size_t i = 0; i < sizeof reports / sizeof *reports; i++) {
        report = read_line(&showing, reports[i]);
        assert_int_equal(report.kind, RESPONSE_COMMAND);
        assert_int_equal(report.command, COMMAND_REPORT);
        assert_string_equal(report.argument, "the key is wrong");
    }
    assert_null(read_line(&showing, "!").argument);
    /* a choice with that letter is shown: it is the answer */
    struct showing eight = show(&question, 8, false);
    assert_int_equal(read_line(&eight, "h").kind, RESPONSE_ANSWER);
    assert_int_equal(read_line(&eight, "s").kind, RESPONSE_COMMAND);
    struct showing all = show(&question, 26, false);
    assert_int_equal(read_line(&all, "q").kind, RESPONSE_ANSWER);
    assert_int_equal(read_line(&all, "?").kind, RESPONSE_COMMAND);
}

static void test_truth(void **state)
{
    (void)state;
    struct question question = { .id = "q", .type = QUESTION_TRUE_FALSE };
    struct showing showing = { .question = &question, .count = 2, .places = { 0, 1 } };
    static const char *const yes[] = { "true", "t", "T", "TRUE", "1", "a" };
    static const char *const no[] = { "false", "f", "F", "False", "2", "b" };
    for (int i = 0; i < 6; i++) {
        assert_int_equal(read_line(&showing, yes[i]).kind, RESPONSE_ANSWER);
        assert_true(read_line(&showing, yes[i]).answer.truth);
        assert_int_equal(read_line(&showing, no[i]).kind, RESPONSE_ANSWER);
        assert_false(read_line(&showing, no[i]).answer.truth);
    }
    assert_int_equal(read_line(&showing, "yes").kind, RESPONSE_UNREADABLE);
    assert_int_equal(read_line(&showing, "3").kind, RESPONSE_UNREADABLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_single), cmocka_unit_test(test_many),
                                        cmocka_unit_test(test_commands), cmocka_unit_test(test_truth) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
