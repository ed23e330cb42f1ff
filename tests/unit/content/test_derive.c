/* Expressions: what they come to, what is refused and where, that hostile ones get nowhere; and the braces of
 * texts. */
#include "derive_evaluator.h"
#include "derive_template.h"

#include <quiztutor/memory.h>
#include <quiztutor/random.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Names for all tests: p = 4, m = 16, z = 0, kind = "bf16", big = 1e308; last comes further down. */
static const struct parameter items[] = {
    { .name = "p", .numeric = true, .count = 1 },   { .name = "m", .numeric = true, .count = 1 },
    { .name = "z", .numeric = true, .count = 1 },   { .name = "kind", .count = 1 },
    { .name = "big", .numeric = true, .count = 1 },
};
static const struct derived derived[] = { { .name = "first", .expression = "p" },
                                          { .name = "last", .expression = "p" } };
static const struct evaluator_value values[] = {
    { .number = 4 },    { .number = 16 },    { .number = 0 },
    { .text = "bf16" }, { .number = 1e308 }, { .number = 5 },
};
enum { PLACE = 1 }; /* of the expression at hand: it may use all but "last" */

static struct evaluator *evaluator;

static int set_up(void **state)
{
    (void)state;
    evaluator = evaluator_create(false, NULL);
    return evaluator == NULL;
}

static int tear_down(void **state)
{
    (void)state;
    evaluator_destroy(evaluator);
    evaluator = NULL;
    return 0;
}

static enum evaluation work_out(const char *expression, double *result, struct expression_fault *fault)
{
    struct parameters parameters = {
        .items = items, .count = 5, .derived = derived, .derived_count = 2, .evaluator = evaluator
    };
    evaluator_forget(evaluator);
    enum evaluation found =
        evaluator_work_out(evaluator, &parameters, PLACE, expression, values, result, fault);
    evaluator_forget(evaluator);
    return found;
}

static void expect_number(const char *expression, double value)
{
    struct expression_fault fault;
    double result;
    enum evaluation found = work_out(expression, &result, &fault);
    if (found != EVALUATION_FINE)
        fail_msg("%s: %d %s", expression, found, found == EVALUATION_BAD ? fault.message : "");
    if (result != value)
        fail_msg("%s: %.17g, not %.17g", expression, result, value);
    assert_false(result == 0 && signbit(result));
}

static const struct {
    const char *expression;
    double value;
} right[] = {
    /* whole numbers are REAL: nothing truncates */
    { "1/2", 0.5 },
    { "1 / 2 * 2", 1 },
    { "7 / 2 / 2", 1.75 },
    { "(1 < 2) / ((1 < 2) + (2 < 3))", 0.5 },
    { "3 / 2 % 1", 0.5 },
    { "p / 3 * 3", 4 },
    { "9007199254740993", 9007199254740992.0 },
    { "9223372036854775807 + 1", 9223372036854775808.0 },
    /* % is fmod, with the sign of its left side */
    { "7.5 % 2", 1.5 },
    { "-7.5 % 2", -1.5 },
    { "7 % -4", 3 },
    { "2 * 7 % 4", 2 },
    { "7 % 4 * 2", 6 },
    { "1 + 7 % 4", 4 },
    { "100 % 30 % 7", 3 },
    { "(p + 3) % 4", 3 },
    /* precedence and signs */
    { "1 + 2 * 3", 7 },
    { "10 - 4 - 3", 3 },
    { "- 2 * - 3", 6 },
    { "1 - -1", 2 },
    { "- -1", 1 },
    { "-(-1)", 1 },
    { "+p", 4 },
    { "-p + p", 0 },
    { "0 * -1", 0 },
    { "(p - 1) / (m + p - 1)", 3.0 / 19 },
    /* numbers as they are written */
    { "1.5e3", 1500 },
    { "1E-2", 0.01 },
    { "2e+1", 20 },
    { "007", 7 },
    { "0.1", 0.1 },
    /* comparisons, AND, OR, NOT, in any case */
    { "1 = 1", 1 },
    { "1 == 2", 0 },
    { "1 <> 2", 1 },
    { "1 != 1", 0 },
    { "2 <= 2", 1 },
    { "2 >= 3", 0 },
    { "NOT 1 = 2", 1 },
    { "not 0 and 1", 1 },
    { "1 OR 0 AND 0", 1 },
    { "(1 OR 0) AND 0", 0 },
    { "NOT NOT 3", 1 },
    { "(p < m) * 5", 5 },
    /* CASE */
    { "CASE WHEN p > 3 THEN 1 ELSE 2 END", 1 },
    { "CASE p WHEN 2 THEN 20 WHEN 4 THEN 40 END", 40 },
    { "case p when 3 then 1 else 1/2 end", 0.5 },
    { "CASE WHEN 0 THEN 1 WHEN CASE z WHEN 0 THEN 1 END THEN 7 END", 7 },
    { "1 + CASE WHEN 1 THEN 2 END * 3", 7 },
    /* texts are compared */
    { "kind = 'bf16'", 1 },
    { "\"bf16\" = kind", 1 },
    { "CASE kind WHEN 'fp32' THEN 4 WHEN 'bf16' THEN 2 END", 2 },
    { "'it''s' = \"it's\"", 1 },
    { "'?1' = 'a'", 0 },
    { "'' = ''", 1 },
    { "CASE WHEN 1 THEN 'a' ELSE 'b' END < 'b'", 1 },
    /* functions */
    { "abs(-3)", 3 },
    { "round(2.5)", 3 },
    { "round(2.345, 2)", 2.35 },
    { "floor(-1.5)", -2 },
    { "ceil(-0.5)", 0 },
    { "ceil(1.2)", 2 },
    { "sqrt(2)", M_SQRT2 },
    { "exp(0)", 1 },
    { "ln(exp(1))", 1 },
    { "log10(1000)", 3 },
    { "floor(log10(1000000))", 6 },
    { "pow(2, 10)", 1024 },
    { "sin(0) + cos(0) + tan(0)", 1 },
    { "asin(1) * 2", M_PI },
    { "acos(0) * 2", M_PI },
    { "atan(1) * 4", M_PI },
    { "pi()", M_PI },
    { "PI ( )", M_PI },
    { "MIN(3, 2, 4)", 2 },
    { "max(1, p, 2)", 4 },
    { "min(p - 3 + 1, m)", 2 },
    { "first * 2", 10 },
    { "\n p\t+ 1 ", 5 },
};

static void test_right(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        expect_number(right[i].expression, right[i].value);
}

/* What is refused, the piece that is pointed at, and a word of what is said. */
static const struct {
    const char *expression, *piece, *word;
} refused[] = {
    { "", "", "ends" },
    { "   ", "", "ends" },
    { "1 +", "", "ends where a value" },
    { "(1", "", "ends where \")\"" },
    { "1)", ")", "behind the end" },
    { "()", ")", "a value belongs" },
    { "1 2", "2", "behind the end" },
    { "p m", "m", "behind the end" },
    { "* 2", "*", "a value belongs" },
    { "1,5", ",", "behind the end" },
    { "0x10", "0x10", "not a number" },
    { "1_000", "1_000", "not a number" },
    { "1.", "1.", "not a number" },
    { ".5", ".", "no sign" },
    { "1e", "1e", "not a number" },
    { "1e999", "1e999", "too large" },
    { "nan", "nan", "no name \"nan\"" },
    { "inf", "inf", "no name" },
    { "p2", "p2", "no name" },
    { "P", "P", "no name" },
    { "last", "last", "is what is worked out here" },
    { "second", "second", "no name" },
    { "pow(2)", "pow", "takes 2 values, found 1" },
    { "pow(1,2,3)", "pow", "takes 2 values, found 3" },
    { "pi(1)", "pi", "takes 0 values, found 1" },
    { "min(1)", "min", "takes 2 values, found 1" },
    { "round(1, 2, 3)", "round", "takes 2 values" },
    { "pi", "pi", "needs parentheses" },
    { "sqrt", "sqrt", "is a function" },
    { "log(2)", "log", "no function" },
    { "p(2)", "p", "no function" },
    { "1 < 2 < 3", "<", "follows another" },
    { "1 = 2 = 3", "=", "follows another" },
    { "2 ^ 3", "^", "no sign" },
    { "2 ** 3", "**", "no sign" },
    { "2 \xc3\x97 3", "\xc3\x97", "no sign" },
    { "p \xe2\x88\x92 1", "\xe2\x88\x92", "no sign" },
    { "1 -- 1", "--", "comment" },
    { "1 /* x */ + 1", "/*", "comment" },
    { "1; DROP TABLE x", ";", "no sign" },
    { "?1", "?", "no sign" },
    { ":p", ":", "no sign" },
    { "@p", "@", "no sign" },
    { "$p", "$", "no sign" },
    { "[p]", "[", "no sign" },
    { "`p`", "`", "no sign" },
    { "p.q", ".", "no sign" },
    { "~1", "~", "no sign" },
    { "1 | 2", "|", "no sign" },
    { "1 << 2", "<", "a value belongs" },
    { "'a' || 'b'", "||", "no sign" },
    { "'open", "'open", "not closed" },
    { "x'00'", "x", "no name" },
    { "kind", "kind", "gives a text" },
    { "'a'", "'a'", "gives a text" },
    { "kind + 1", "+", "calculates with a text" },
    { "1 + kind", "+", "calculates with a text" },
    { "-kind", "-", "calculates with a text" },
    { "NOT kind", "NOT", "calculates with a text" },
    { "kind AND 1", "AND", "calculates with a text" },
    { "abs(kind)", "kind", "calculates with a text" },
    { "kind = 2", "=", "two of a kind" },
    { "CASE kind WHEN 2 THEN 1 END", "2", "two of a kind" },
    { "CASE WHEN kind THEN 1 END", "kind", "calculates with a text" },
    { "CASE WHEN 1 THEN 1 ELSE 'a' END", "'a'", "two of a kind" },
    { "CASE END", "END", "a value belongs" },
    { "CASE WHEN 1 THEN 2", "", "ends where \"END\"" },
    { "CASE WHEN 1 ELSE 2 END", "ELSE", "where \"THEN\"" },
    { "CASE p ELSE 1 END", "ELSE", "where \"WHEN\"" },
    { "WHEN 1", "WHEN", "a value belongs" },
    /* other SQL */
    { "select 1", "select", "no name" },
    { "(select 1)", "select", "no name" },
    { "SELECT load_extension('x')", "SELECT", "no name" },
    { "load_extension('x')", "load_extension", "no function" },
    { "randomblob(1e9)", "randomblob", "no function" },
    { "zeroblob(1e9)", "zeroblob", "no function" },
    { "random()", "random", "no function" },
    { "readfile('/etc/passwd')", "readfile", "no function" },
    { "quiztutor_modulo(1, 2)", "quiztutor_modulo", "no function" },
    { "pragma_table_info(1)", "pragma_table_info", "no function" },
    { "sqlite_version()", "sqlite_version", "no function" },
    { "NULL", "NULL", "no name" },
    { "p IS NULL", "IS", "behind the end" },
    { "p BETWEEN 1 AND 2", "BETWEEN", "behind the end" },
    { "p IN (1, 2)", "IN", "behind the end" },
    { "kind LIKE 'b%'", "LIKE", "behind the end" },
    { "CAST(p AS INTEGER)", "CAST", "no function" },
    { "count(*)", "count", "no function" },
    { "max(p) OVER ()", "max", "takes 2 values" },
    { "p COLLATE nocase", "COLLATE", "behind the end" },
    { "1 UNION SELECT 2", "UNION", "behind the end" },
    { "ATTACH 'x' AS y", "ATTACH", "no name" },
};

static void test_refused(void **state)
{
    struct expression_fault fault;
    double result;
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        const char *expression = refused[i].expression;
        if (work_out(expression, &result, &fault) != EVALUATION_BAD)
            fail_msg("%s: taken", expression);
        if ((ptrdiff_t)strlen(refused[i].piece) != fault.length ||
            memcmp(expression + fault.start, refused[i].piece, (size_t)fault.length) != 0)
            fail_msg("%s: points at %td..%td: %s", expression, fault.start, fault.length, fault.message);
        if (!strstr(fault.message, refused[i].word))
            fail_msg("%s: %s", expression, fault.message);
    }
}

static void test_hints(void **state)
{
    static const struct {
        const char *expression, *hint;
    } hints[] = {
        { "sqroot(2)", "sqrt" },
        { "frist", "first" },
        { "log(2)", "log10(x)" },
        { "ceiling(1)", "ceil(x)" },
        { "2 ^ 3", "pow(x, y)" },
        { "1 < 2 < 3", "AND" },
        { "pi", "pi()" },
        { "p \xe2\x89\xa4 2", "<=" },
        { "last", "earlier" },
        { "1 && 2", "AND" },
        { "!1", "NOT" },
        { "if(1, 2, 3)", "CASE WHEN" },
        { "mod(3, 2)", "x % y" },
        { "kind + 1", "= and <>" },
        { "2 * .5", "digit before" },
    };
    struct expression_fault fault;
    double result;
    (void)state;
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
        assert_int_equal(work_out(hints[i].expression, &result, &fault), EVALUATION_BAD);
        if (!strstr(fault.hint, hints[i].hint))
            fail_msg("%s: %s", hints[i].expression, fault.hint);
    }
}

static void test_no_number(void **state)
{
    static const struct {
        const char *expression;
        enum evaluation found;
    } cases[] = {
        { "1 / 0", EVALUATION_NOTHING },
        { "p / z", EVALUATION_NOTHING },
        { "p % 0", EVALUATION_NOTHING },
        { "0 / z", EVALUATION_NOTHING },
        { "sqrt(-1)", EVALUATION_NOTHING },
        { "ln(0)", EVALUATION_NOTHING },
        { "log10(-1)", EVALUATION_NOTHING },
        { "asin(2)", EVALUATION_NOTHING },
        { "pow(-8, 1/3)", EVALUATION_NOTHING },
        { "CASE WHEN 0 THEN 1 END", EVALUATION_NOTHING },
        { "1 + sqrt(-1)", EVALUATION_NOTHING },
        { "max(1, 1 / 0)", EVALUATION_NOTHING },
        { "big * 10", EVALUATION_INFINITE },
        { "1e308 * 10", EVALUATION_INFINITE },
        { "-1e308 * 10", EVALUATION_INFINITE },
        { "exp(1000)", EVALUATION_INFINITE },
        { "big * 10 - big * 10", EVALUATION_NOTHING },
    };
    struct expression_fault fault;
    double result;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        enum evaluation found = work_out(cases[i].expression, &result, &fault);
        if (found != cases[i].found)
            fail_msg("%s: %d", cases[i].expression, found);
    }
    expect_number("CASE WHEN z = 0 THEN 0 ELSE p / z END", 0);
}

/* Repeats a piece. */
static char *repeat(const char *before, const char *piece, int count, const char *middle, const char *after)
{
    size_t size = strlen(before) + (size_t)count * (strlen(piece) + strlen(after)) + strlen(middle) + 1;
    char *text = malloc(size), *at = text;
    assert_non_null(text);
    at = stpcpy(at, before);
    for (int i = 0; i < count; i++)
        at = stpcpy(at, piece);
    at = stpcpy(at, middle);
    for (int i = 0; i < count; i++)
        at = stpcpy(at, after);
    return text;
}

/* However deep or long: an answer or a refusal, soon. */
static void test_deep(void **state)
{
    static const struct {
        const char *piece, *middle, *after;
    } cases[] = {
        { "(", "1", ")" },
        { "- ", "1", "" },
        { "NOT ", "1", "" },
        { "abs(", "1", ")" },
        { "max(1, ", "1", ")" },
        { "CASE WHEN 1 THEN ", "1", " END" },
        { "CASE 1 WHEN ", "1", " THEN 1 END" },
        { "1 % ", "2", "" },
        { "1 + 2 * (", "1", ")" },
        { "1 OR 1 AND NOT 1 = 1 + 1 * - (", "1", ")" },
        { "1 +", "1", "" },
        { "1/", "1", "" },
        { "", "1", " % 3" },
    };
    struct expression_fault fault;
    double result;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool refused_once = false;
        for (int depth = 1; depth < 2000; depth += depth < 40 ? 1 : 97) {
            char *text = repeat("", cases[i].piece, depth, cases[i].middle, cases[i].after);
            enum evaluation found = work_out(text, &result, &fault);
            if (found != EVALUATION_FINE && found != EVALUATION_BAD)
                fail_msg("%s: %d", text, found);
            if (strlen(text) > DERIVE_EXPRESSION)
                assert_int_equal(found, EVALUATION_BAD);
            if (depth <= 4)
                assert_int_equal(found, EVALUATION_FINE);
            if (found == EVALUATION_BAD)
                assert_true(*fault.message && *fault.hint);
            refused_once = refused_once || found == EVALUATION_BAD;
            free(text);
        }
        assert_true(refused_once);
    }
    /* as long as may be: 1000 bytes of sums */
    char *text = repeat("1", "+1", 499, "", "");
    expect_number(text, 500);
    free(text);
    text = repeat("p", "*1", 499, "", "");
    expect_number(text, 4);
    free(text);
    text = repeat("1", "+1", 500, "", "");
    assert_int_equal(work_out(text, &result, &fault), EVALUATION_BAD);
    free(text);
}

/* The second wall: whatever came through the first one finds only the listed functions. */
static void test_authorizer(void **state)
{
    static const char *const denied[] = {
        "SELECT load_extension('x')",
        "SELECT randomblob(1000000000)",
        "SELECT zeroblob(1000000)",
        "SELECT random()",
        "SELECT sqlite_version()",
        "SELECT quote(1)",
        "SELECT printf('%s', 1)",
        "SELECT upper('a')",
        "SELECT count(*) FROM sqlite_schema",
        "SELECT 1 FROM sqlite_schema",
        "SELECT * FROM pragma_database_list",
        "PRAGMA user_version",
        "PRAGMA hard_heap_limit = 1",
        "CREATE TABLE x(a)",
        "CREATE TEMP TABLE x(a)",
        "ATTACH ':memory:' AS x",
        "ATTACH '/tmp/quiztutor-derive-test' AS x",
        "VACUUM",
        "VACUUM INTO '/tmp/quiztutor-derive-test'",
        "BEGIN",
        "SAVEPOINT x",
        "EXPLAIN SELECT count(*)",
        "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c",
        "SELECT 1 UNION SELECT 2",
        "SELECT 1, 2, 3",
        "ANALYZE",
        "REINDEX",
    };
    (void)state;
    assert_true(evaluator_admits(evaluator, "SELECT 1.0 + sqrt(4.0)"));
    assert_true(evaluator_admits(evaluator, "SELECT " EXPRESSION_MODULO "(7.0, 4.0)"));
    for (size_t i = 0; i < sizeof denied / sizeof *denied; i++)
        if (evaluator_admits(evaluator, denied[i]))
            fail_msg("admitted: %s", denied[i]);
}

/* Own functions, for a SQLite without any: the same numbers. */
static void test_bare(void **state)
{
    static const char *const same[] = { "floor(-1.5)",   "ceil(1.2)",   "sqrt(2)",        "exp(1.5)",
                                        "ln(3)",         "log10(7)",    "pow(2, 0.5)",    "sin(1)",
                                        "cos(1)",        "tan(1)",      "asin(0.3)",      "acos(0.3)",
                                        "atan(3)",       "pi()",        "sqrt(-1)",       "ln(0)",
                                        "log10(-2)",     "acos(2)",     "pow(-8, 1 / 3)", "sqrt(1 / 0)",
                                        "pow(1 / 0, 2)", "floor(p / z)" };
    struct evaluator *full = evaluator, *bare = evaluator_create(true, NULL);
    (void)state;
    assert_non_null(bare);
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        double one = -1, other = -1;
        evaluator = full;
        enum evaluation found = work_out(same[i], &one, NULL);
        evaluator = bare;
        assert_int_equal(work_out(same[i], &other, NULL), found);
        evaluator = full;
        if (one != other)
            fail_msg("%s: %.17g, not %.17g", same[i], other, one);
    }
    evaluator_destroy(bare);
}

/* Random expressions, worked out here while they are made. `level`: 0 sum, 1 product, 2 sign, 3 value. */
struct maker {
    struct random_stream stream;
    struct buffer text;
};

static double make(struct maker *maker, int level, int depth);

static double make_value(struct maker *maker, int depth)
{
    struct buffer *text = &maker->text;
    double one, other;
    switch (depth > 0 ? random_below(&maker->stream, 8) : random_below(&maker->stream, 3)) {
    case 0:
        buffer_text(text, "p");
        return 4;
    case 1:
        buffer_text(text, "m ");
        return 16;
    case 2:
        one = (double)random_below(&maker->stream, 100) / 8;
        buffer_print(text, "%g", one);
        return one;
    case 3:
        buffer_text(text, "max(");
        one = make(maker, 0, depth - 1);
        buffer_text(text, ", ");
        other = make(maker, 0, depth - 1);
        buffer_text(text, ")");
        return isnan(one) || isnan(other) ? NAN : one > other ? one : other;
    case 4:
        buffer_text(text, "abs(");
        one = make(maker, 0, depth - 1);
        buffer_text(text, ")");
        return fabs(one);
    case 5:
        buffer_text(text, "CASE WHEN ");
        one = make(maker, 0, depth - 1);
        buffer_text(text, "<");
        other = make(maker, 0, depth - 1);
        buffer_text(text, " THEN ");
        bool less = one < other; /* false where one is no number, as NULL is no truth */
        one = make(maker, 0, depth - 1);
        buffer_text(text, " ELSE ");
        other = make(maker, 0, depth - 1);
        buffer_text(text, " END");
        return less ? one : other;
    default:
        buffer_text(text, "(");
        one = make(maker, 0, depth - 1);
        buffer_text(text, ")");
        return one;
    }
}

static double make(struct maker *maker, int level, int depth)
{
    struct buffer *text = &maker->text;
    if (level == 3)
        return make_value(maker, depth);
    if (level == 2) {
        bool minus = random_below(&maker->stream, 4) == 0;
        if (minus)
            buffer_text(text, "- ");
        double value = make(maker, 3, depth);
        return minus ? -value : value;
    }
    double value = make(maker, level + 1, depth);
    for (uint64_t more = random_below(&maker->stream, 3); more > 0; more--) {
        char sign = (level == 0 ? "+-+-" : "*/%*")[random_below(&maker->stream, 4)];
        buffer_print(text, " %c ", sign);
        double other = make(maker, level + 1, depth);
        if (sign == '+')
            value += other;
        else if (sign == '-')
            value -= other;
        else if (sign == '*')
            value *= other;
        else if (sign == '/')
            value = other == 0 ? NAN : value / other; /* SQLite: NULL, however it goes on */
        else
            value = fmod(value, other);
    }
    return value;
}

static void test_random(void **state)
{
    struct maker maker = { .stream = { 4 } };
    int numbers = 0;
    (void)state;
    buffer_init(&maker.text);
    for (int i = 0; i < 20000; i++) {
        double result = 0;
        struct expression_fault fault;
        buffer_clear(&maker.text);
        double value = make(&maker, 0, (int)random_below(&maker.stream, 4));
        if (maker.text.length > DERIVE_EXPRESSION)
            continue;
        enum evaluation found = work_out(buffer_get(&maker.text), &result, &fault);
        if (isnan(value) ? found != EVALUATION_NOTHING : found != EVALUATION_FINE || result != value)
            fail_msg("%s: %d, %.17g, not %.17g", buffer_get(&maker.text), found, result, value);
        numbers += !isnan(value);
    }
    assert_true(numbers > 10000);
    buffer_finish(&maker.text);
}

static void test_no_memory(void **state)
{
    (void)state;
    for (long n = 1;; n++) {
        struct error error = { .code = ERROR_NONE };
        double result;
        memory_fail_after(n);
        struct evaluator *made = evaluator_create(false, &error), *kept = evaluator;
        enum evaluation found = EVALUATION_MEMORY;
        evaluator = made;
        if (made)
            found = work_out("CASE kind WHEN 'bf16' THEN p % 3 END", &result, NULL);
        memory_fail_after(0);
        evaluator = kept;
        evaluator_destroy(made);
        if (!made)
            assert_int_equal(error.code, ERROR_MEMORY);
        if (found == EVALUATION_FINE)
            break;
        assert_int_equal(found, EVALUATION_MEMORY);
        assert_true(n < 100);
    }
}

static void names_of(struct expression_names *names)
{
    static const char *const all[] = { "p", "x", "kind", "p2" };
    names->count = names->usable = 4;
    for (int i = 0; i < 4; i++)
        names->items[i] = (struct expression_name){ all[i], i == 2 };
}

static const struct {
    const char *text, *filled;
} filled[] = {
    { "", "" },
    { "no braces", "no braces" },
    { "{p}", "4" },
    { "{p}{p}", "44" },
    { "a {p} b {kind} c", "a 4 b bf16 c" },
    { "{x}", "1234567.125" },
    { "{x:.0f}", "1234567" },
    { "{x:.1f}", "1234567.1" },
    { "{x:.12f}", "1234567.125000000000" },
    { "{x:,}", "1,234,567.125" },
    { "{p:,}", "4" },
    { "{{p}}", "{p}" },
    { "{{{p}}}", "{4}" },
    { "{{", "{" },
    { "}}", "}" },
    { "{{}}", "{}" },
    { "\\frac{{{p}}}{{2}}", "\\frac{4}{2}" },
    { "{p2}", "-0.333333333333333" },
    { "{p2:.2f}", "-0.33" },
};

static void test_templates(void **state)
{
    static const struct evaluator_value put[] = {
        { .number = 4 }, { .number = 1234567.125 }, { .text = "bf16" }, { .number = -1.0 / 3 }
    };
    struct expression_names names;
    struct template_spot spot;
    struct buffer out;
    (void)state;
    names_of(&names);
    buffer_init(&out);
    for (size_t i = 0; i < sizeof filled / sizeof *filled; i++) {
        if (template_check(filled[i].text, &names, &spot) != TEMPLATE_FINE)
            fail_msg("%s", filled[i].text);
        buffer_clear(&out);
        assert_int_equal(template_fill(&out, filled[i].text, &names, put), TEMPLATE_FINE);
        assert_string_equal(buffer_get(&out), filled[i].filled);
    }
    buffer_finish(&out);
}

static void test_bad_templates(void **state)
{
    static const struct {
        const char *text, *piece;
        enum template_fault fault;
    } cases[] = {
        { "{", "{", TEMPLATE_FORM },
        { "a } b", "}", TEMPLATE_SINGLE },
        { "{p}}", "}", TEMPLATE_SINGLE },
        { "{}", "{}", TEMPLATE_FORM },
        { "{ p }", "{ p }", TEMPLATE_FORM },
        { "{p ", "{", TEMPLATE_FORM },
        { "{p:}", "{p:}", TEMPLATE_FORM },
        { "{p:.f}", "{p:.f}", TEMPLATE_FORM },
        { "{p:.2}", "{p:.2}", TEMPLATE_FORM },
        { "{p:2f}", "{p:2f}", TEMPLATE_FORM },
        { "{p:.02f}", "{p:.02f}", TEMPLATE_FORM },
        { "{p:.2e}", "{p:.2e}", TEMPLATE_FORM },
        { "{p:,.2f}", "{p:,.2f}", TEMPLATE_FORM },
        { "{p:d}", "{p:d}", TEMPLATE_FORM },
        { "{p!r}", "{p!r}", TEMPLATE_FORM },
        { "{2}", "{2}", TEMPLATE_FORM },
        { "{p + 1}", "{p + 1}", TEMPLATE_FORM },
        { "{end}", "{end}", TEMPLATE_FORM },
        { "{p:.13f}", "{p:.13f}", TEMPLATE_DECIMAL },
        { "{p:.99f}", "{p:.99f}", TEMPLATE_DECIMAL },
        { "{p:.100f}", "{p:.100f}", TEMPLATE_FORM },
        { "{q}", "{q}", TEMPLATE_NAME },
        { "ok {p} {P}", "{P}", TEMPLATE_NAME },
        { "{kind:,}", "{kind:,}", TEMPLATE_TEXT },
        { "{kind:.1f}", "{kind:.1f}", TEMPLATE_TEXT },
        { "f(x) { return; }", "{ return; }", TEMPLATE_FORM },
        { "{p{p}}", "{", TEMPLATE_FORM },
    };
    struct expression_names names;
    struct template_spot spot;
    (void)state;
    names_of(&names);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *text = cases[i].text;
        if (template_check(text, &names, &spot) != cases[i].fault ||
            spot.length != (ptrdiff_t)strlen(cases[i].piece) ||
            memcmp(text + spot.start, cases[i].piece, (size_t)spot.length) != 0)
            fail_msg("%s: %td..%td", text, spot.start, spot.length);
    }
}

static void test_numbers(void **state)
{
    static const struct {
        double value;
        const char *plain, *groups;
    } cases[] = {
        { 0, "0", "0" },
        { 999, "999", "999" },
        { 1000, "1000", "1,000" },
        { -1000, "-1000", "-1,000" },
        { 123456, "123456", "123,456" },
        { -1234567.5, "-1234567.5", "-1,234,567.5" },
        { 0.1 + 0.2, "0.3", "0.3" },
        { 6.48e12, "6480000000000", "6,480,000,000,000" },
        { 1e15, "1e+15", "1,000,000,000,000,000" },
        { 123456789012345, "123456789012345", "123,456,789,012,345" },
        { 1e-7, "1e-07", "1e-07" },
    };
    char text[TEMPLATE_NUMBER];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        template_number(text, cases[i].value);
        assert_string_equal(text, cases[i].plain);
        template_groups(text, cases[i].value);
        assert_string_equal(text, cases[i].groups);
    }
    template_groups(text, -1.7976931348623157e308);
    assert_int_equal(strlen(text), 1 + 309 + 102);
    template_decimals(text, -1.7976931348623157e308, TEMPLATE_DECIMALS);
    assert_int_equal(strlen(text), 1 + 309 + 1 + TEMPLATE_DECIMALS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right),         cmocka_unit_test(test_refused),
        cmocka_unit_test(test_hints),         cmocka_unit_test(test_no_number),
        cmocka_unit_test(test_deep),          cmocka_unit_test(test_authorizer),
        cmocka_unit_test(test_bare),          cmocka_unit_test(test_random),
        cmocka_unit_test(test_no_memory),     cmocka_unit_test(test_templates),
        cmocka_unit_test(test_bad_templates), cmocka_unit_test(test_numbers),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
