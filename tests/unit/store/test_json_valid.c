/* What counts as JSON: SQLite is the oracle where it is as strict, this table where it is not. */
#include "fixture.h"

#include <sqlite3.h>

static const char *const good[] = {
    "null",
    "true",
    "false",
    "0",
    "-0",
    "1.5",
    "1e9",
    "1E-9",
    "-12.25e+2",
    "\"\"",
    "\"a\\u00e9\\n\\\"\\\\\\/\"",
    "\"é\"",
    "[]",
    "[1]",
    " [ 1 , [ 2 ] , { } ] ",
    "{}",
    "{\"a\":1,\"b\":[true,null]}",
    "\t\n\r 1 \t",
    "{\"\":{\"\":[]}}",
};
static const char *const bad[] = {
    "",     " ",      "nul",     "nulll",    "True",       "01",      "-",           "+1",
    "1.",   ".5",     "1e",      "1e+",      "\"",         "\"\\x\"", "\"\\u12g4\"", "\"\\u12",
    "\"\\", "[",      "[1",      "[1,",      "[1,]",       "[,1]",    "[1 2]",       "]",
    "{",    "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,}", "{a:1}",   "{1:1}",       "{\"a\" 1}",
    "[}",   "1 1",    "'a'",     "\"\xff\"", "\"\x01\"",   "\"\n\"",  "NaN",         "Infinity",
    "[1]]", "/**/1",
};

static void test_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        if (!json_valid(good[i]))
            fail_msg("good: %s", good[i]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (json_valid(bad[i]))
            fail_msg("bad: %s", bad[i]);
    }
}

static void nest(char *text, int depth)
{
    memset(text, '[', (size_t)depth);
    memset(text + depth, ']', (size_t)depth);
    text[2 * depth] = '\0';
}

static void test_depth(void **state)
{
    (void)state;
    static char text[2000002];
    nest(text, JSON_DEPTH + 1);
    assert_true(json_valid(text));
    nest(text, JSON_DEPTH + 2);
    assert_false(json_valid(text));
    nest(text, 1000000);
    assert_false(json_valid(text));
}

/* Every good text, with each byte in turn left out, doubled or changed: what we call good, SQLite must be
 * able to read. */
static void test_against_sqlite(void **state)
{
    (void)state;
    sqlite3 *db;
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, "SELECT json_valid(?1)", -1, &statement, NULL), SQLITE_OK);
    int kept = 0;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        size_t length = strlen(good[i]);
        for (size_t at = 0; at < length * 4; at++) {
            char text[100];
            strcpy(text, good[i]);
            size_t place = at / 4;
            if (at % 4 == 0)
                memmove(text + place, good[i] + place + 1, length - place);
            else if (at % 4 == 1)
                memmove(text + place, good[i] + place - (place > 0), length - place + 1 + (place > 0));
            else
                text[place] = at % 4 == 2 ? ',' : '"';
            if (!json_valid(text))
                continue;
            kept++;
            sqlite3_bind_text(statement, 1, text, -1, SQLITE_TRANSIENT);
            assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
            if (!sqlite3_column_int(statement, 0))
                fail_msg("SQLite can't read %s", text);
            sqlite3_reset(statement);
        }
    }
    assert_true(kept > 20);
    sqlite3_finalize(statement);
    sqlite3_close(db);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_against_sqlite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
