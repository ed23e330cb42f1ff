/* GIFT: its corner cases. */
#include <quiztutor/exchange.h>
#include <quiztutor/message.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* ---- reading ---- */

static struct import import;
static struct error error;

static bool read_bytes(const char *text, ptrdiff_t length)
{
    import_finish(&import);
    import_init(&import, "quiz.gift");
    error = (struct error){ 0 };
    bool done = gift_read(&import, text, length, &error);
    import_name_pack(&import);
    return done;
}

/* Reads GIFT; what it becomes must load, with as many questions. */
static void read(const char *text)
{
    struct buffer out;
    struct diagnostics list;
    struct pack *pack;
    assert_true(read_bytes(text, (ptrdiff_t)strlen(text)));
    if (!import.count)
        return;
    buffer_init(&out);
    diagnostics_init(&list);
    assert_true(exchange_write_import(&out, &import));
    if (!pack_load_bytes(&pack, "quiz.yaml", buffer_get(&out), out.length, &list, &error)) {
        struct buffer told;
        buffer_init(&told);
        diagnostics_print(&list, &told);
        fail_msg("%s\n%s", buffer_get(&told), buffer_get(&out));
    }
    assert_int_equal(pack->question_count, import.count);
    pack_destroy(pack);
    diagnostics_finish(&list);
    buffer_finish(&out);
}

/* The one question of the text. */
static const struct question *one(const char *text)
{
    read(text);
    assert_int_equal(import.line_count, 1);
    if (import.count != 1)
        fail_msg("left out: %s: %s", text, import.lines[0].what);
    return &import.questions[0];
}

/* Nothing else but the missing explanation was changed. */
static void assert_taken(void)
{
    for (ptrdiff_t i = 0; i < import.line_count; i++)
        if (import.lines[i].what)
            assert_string_equal(import.lines[i].what, "no explanation: it says the answer in words");
}

static void assert_told(ptrdiff_t line, const char *part)
{
    assert_true(line < import.line_count);
    if (!import.lines[line].what || !strstr(import.lines[line].what, part))
        fail_msg("\"%s\" is not in \"%s\"", part, import.lines[line].what ? import.lines[line].what : "");
}

static void assert_left_out(const char *text, int line, const char *part)
{
    read(text);
    assert_int_equal(import.count, 0);
    assert_int_equal(import.line_count, 1);
    assert_int_equal(import.lines[0].fate, IMPORT_LEFT_OUT);
    if (import.lines[0].line != line)
        fail_msg("line %d, not %d: %s", import.lines[0].line, line, text);
    assert_told(0, part);
}

static void assert_choice(const struct question *question, int place, const char *text, bool correct,
                          const char *feedback)
{
    assert_true(place < question->key.choices.count);
    const struct choice *choice = &question->key.choices.items[place];
    assert_string_equal(choice->text, text);
    assert_int_equal(choice->correct, correct);
    if (feedback)
        assert_string_equal(choice->feedback, feedback);
    else
        assert_null(choice->feedback);
}

static void choices(void **state)
{
    (void)state;
    const struct question *question = one("Who's buried in Grant's tomb?{~Grant ~Jefferson =no one}");
    assert_int_equal(question->type, QUESTION_SINGLE_CHOICE);
    assert_string_equal(question->prompt, "Who's buried in Grant's tomb?");
    assert_int_equal(question->key.choices.count, 3);
    assert_choice(question, 0, "Grant", false, NULL);
    assert_choice(question, 2, "no one", true, NULL);
    assert_taken();

    question = one("::Q1:: 1+1 \\= 2?\r\n{\r\n=yes # right\\: \\{1\\}\r\n~a < "
                   "b#no\r\n~%0%never\r\n####Because\\nso.\r\n}\r\n");
    assert_string_equal(question->prompt, "1+1 = 2?");
    assert_string_equal(question->id, "q1");
    assert_choice(question, 0, "yes", true, "right: {1}");
    assert_choice(question, 1, "a < b", false, "no");
    assert_choice(question, 2, "never", false, NULL);
    assert_string_equal(question->explanation, "Because\nso.");
    assert_int_equal(import.lines[0].fate, IMPORT_TAKEN);

    question = one("Q{=a=b}"); /* as in Moodle: two typed answers */
    assert_int_equal(question->type, QUESTION_TEXT);
    assert_int_equal(question->key.text.accept.count, 2);
    assert_told(0, "begins another");

    question = one("Q{=a ~b =c}");
    assert_int_equal(question->type, QUESTION_MULTIPLE_CHOICE);
    assert_told(0, "any one of its right choices");

    question = one("Q{=a ~%50%b ~c}");
    assert_int_equal(question->type, QUESTION_SINGLE_CHOICE);
    assert_told(0, "\"b\" gave 50 %");
}

static void weights(void **state)
{
    (void)state;
    const struct question *question = one("Q{~%50%a ~%50%b ~%-50%c ~%-50%d}");
    assert_int_equal(question->type, QUESTION_MULTIPLE_CHOICE);
    assert_int_equal(question->marking, MARKING_NET_CORRECT);
    assert_int_equal(question->key.choices.correct, 2);
    assert_taken();

    question = one("Q{~%33,3%a ~%33.33333%b ~%33,3%c ~%-33,3%d}");
    assert_int_equal(question->key.choices.correct, 3);
    assert_int_equal(question->marking, MARKING_NET_CORRECT);

    question = one("Q{~%33.33333%a ~%33.33333%b ~%33.33333%c ~%-33.33333%d}");
    assert_taken();

    one("Q{~%50%a ~%50%b ~c}");
    assert_told(0, "wrong choices took nothing");
    one("Q{~%50%a ~%50%b ~%-100%c}");
    assert_told(0, "wrong choices had weights of their own");
    one("Q{~%70%a ~%30%b ~%-50%c}");
    assert_told(0, "right choices had weights of their own");
    question = one("Q{~%100%a ~%-100%b}");
    assert_int_equal(question->type, QUESTION_MULTIPLE_CHOICE);
    assert_int_equal(question->key.choices.correct, 1);
    assert_taken();
    assert_left_out("Q{~a ~b}", 1, "none of its choices is right");
    question = one("Q{~50% of it ~%x% =all}"); /* no weights */
    assert_choice(question, 0, "50% of it", false, NULL);
    assert_choice(question, 1, "%x%", false, NULL);
}

static void truths(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool truth;
    } rows[] = { { "Q{T}", true },   { "Q{TRUE}", true },      { "Q{true}", true },
                 { "Q{ t }", true }, { "Q{F}", false },        { "Q{FALSE}", false },
                 { "Q{f}", false },  { "Q{False#no}", false }, { "Q {\nT\n}", true } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct question *question = one(rows[i].text);
        assert_int_equal(question->type, QUESTION_TRUE_FALSE);
        assert_int_equal(question->key.truth, rows[i].truth);
    }
    const struct question *question =
        one("Grant is buried.{FALSE#No one is buried.#Right, nobody.####It is a tomb.}");
    assert_string_equal(question->feedback, "No one is buried.");
    assert_string_equal(question->explanation, "Right, nobody.\n\nIt is a tomb.");
    question = one("Q{=T}");
    assert_int_equal(question->type, QUESTION_TEXT);
}

static void assert_number(const char *text, const char *answer, double tolerance)
{
    const struct question *question = one(text);
    assert_int_equal(question->type, QUESTION_NUMBER);
    assert_string_equal(question->key.number.answer, answer);
    assert_true(question->key.number.tolerance == tolerance);
    assert_false(question->key.number.relative);
}

static void numbers(void **state)
{
    (void)state;
    assert_number("Q{#0}", "0", 0);
    assert_number("Q{#1822:5}", "1822", 5);
    assert_number("Q{#3:0.5}", "3", 0.5);
    assert_number("Q{#1..5}", "3", 2);
    assert_number("Q{#-5..5}", "0", 5);
    assert_number("Q{#-5..-1}", "-3", 2);
    assert_number("Q{#3.141..3.142}", "3.1415", 0.0005);
    assert_number("Q{#1.10}", "1.10", 0);
    assert_number("Q{#.5:.1}", "0.5", 0.1);
    assert_number("Q{# 1e3 }", "1e3", 0);
    assert_number("Q{#\n=3:0.1 # good\n}", "3", 0.1);
    assert_string_equal(import.questions[0].explanation, "good");
    assert_number("Q{#=3:0.1#fb =%50%4:0.1#near ~#no}", "3", 0.1);
    assert_told(0, "\"4\" gave 50 %");
    assert_told(0, "any other answer");
    assert_int_equal(import.questions[0].key.number.wrong_count, 1);
    assert_string_equal(import.questions[0].key.number.wrongs[0].feedback, "near");

    assert_left_out("// one\n\nQ\nq {\n#1,5}", 5, "\"1,5\" is no number; the decimal sign is a point");
    assert_left_out("Q{#1 000}", 1, "no number");
    assert_left_out("Q{#}", 1, "no answer is right");
    assert_left_out("Q{#3:}", 1, "no number");
    assert_left_out("Q{#3:0,1}", 1, "no number");
    assert_left_out("Q{#5..1}", 1, "no number");
    assert_left_out("Q{#1..}", 1, "no number");
    assert_left_out("Q{#0x10}", 1, "no number");
    assert_left_out("Q{#nan}", 1, "no number");
    assert_left_out("Q{#*}", 1, "no number");
    assert_left_out("Q{#=3 =4}", 1, "two numbers are right, 3 and 4");
}

static void texts(void **state)
{
    (void)state;
    const struct question *question = one("Two plus two equals {=four =4 =%0%five#No, four.}");
    assert_int_equal(question->type, QUESTION_TEXT);
    assert_string_equal(question->key.text.accept.items[0], "four");
    assert_string_equal(question->key.text.accept.items[1], "4");
    assert_int_equal(question->key.text.ignore, IGNORE_CASE | IGNORE_SPACES);
    assert_string_equal(question->key.text.wrongs[0].value, "five");
    assert_string_equal(question->key.text.wrongs[0].feedback, "No, four.");
    assert_taken();
    question = one("Q{Paris}");
    assert_string_equal(question->key.text.accept.items[0], "Paris");
    one("Q{=%100%Paris =%50%Lyon#near}");
    assert_told(0, "\"Lyon\" gave 50 %");
    one("Q{=Paris =%0%*#no}");
    assert_told(0, "any other answer");
    assert_string_equal(one("Q{=\\*}")->key.text.accept.items[0], "*");
    question = one("Q{=*ten* =2\\*3 =x}");
    assert_told(0, "\"*ten*\" is left out");
    assert_int_equal(question->key.text.accept.count, 2);
    assert_string_equal(question->key.text.accept.items[0], "2*3");
    assert_left_out("Q{=*}", 1, "any answer is right");
    assert_left_out("Q{=a*}", 1, "no answer is right");
}

static void pairs(void **state)
{
    (void)state;
    const struct question *question =
        one("Match.{=Canada -> Ottawa =Italy->Rome =Japan -> Tokyo = -> Paris}");
    assert_int_equal(question->type, QUESTION_MATCH);
    assert_int_equal(question->key.match.lefts.count, 3);
    assert_string_equal(question->key.match.lefts.items[1], "Italy");
    assert_string_equal(question->key.match.rights.items[1], "Rome");
    assert_int_equal(question->key.match.paired, 3);
    assert_string_equal(question->key.match.rights.items[3], "Paris");
    assert_taken();
    assert_left_out("Q{=a -> b =c}", 1, "a pair needs its ->");
    assert_left_out("Q{=a -> b}", 1, "fewer than two pairs");
    assert_left_out("Q{=a -> b =a -> c}", 1, "left texts are the same");
}

static void stems(void **state)
{
    (void)state;
    assert_string_equal(one("Grant is {~buried =entombed ~living} in Grant's tomb.")->prompt,
                        "Grant is _____ in Grant's tomb.");
    assert_string_equal(one("a\nb\n{=c}")->prompt, "a\nb");
    assert_string_equal(one("a\\nb\\n\\nc {=c}")->prompt, "a\nb\n\nc");
    assert_string_equal(one("\\{1\\} \\~ \\# \\: \\= \\\\n \\q{=c}")->prompt, "{1} ~ # : = \\n \\q");
    assert_string_equal(one("\xef\xbb\xbf::a::b{=c}")->prompt, "b");
    assert_string_equal(one("[html]<p>a <b>b</b></p><p>x<sup>2</sup></p>{=c}")->prompt, "a *b*\n\nx²");
    assert_string_equal(one("[plain]<b>{=c}")->prompt, "<b>");
    assert_taken();
    assert_string_equal(one("[moodle]x</b>{=c}")->prompt, "x</b>");
    assert_told(0, "HTML in a text");
    assert_string_equal(one("[markdown]**a** `b`{=c}")->prompt, "*a* `b`");
    assert_string_equal(one("[x]y{=c}")->prompt, "[x]y");
    assert_int_equal(one("[html]<i>a</i>{~[plain]<b> =[html]<b>x</b> ~*}")->key.choices.count, 3);
    assert_choice(&import.questions[0], 0, "<b>", false, NULL);
    assert_choice(&import.questions[0], 1, "*x*", true, NULL);

    assert_left_out("A description\nonly.", 1, "a description");
    assert_left_out("Write. {}", 1, "an essay");
    assert_left_out("Write. {####The answer}", 1, "an essay");
}

static void braces(void **state)
{
    (void)state;
    assert_left_out("The set {1,2} has\nhow many members? {=2 ~3}", 1,
                    "column 9: another brace follows at 2:19");
    assert_left_out("a } b {=c}", 1, "column 3: a } without its {");
    assert_left_out("a\nb {=c", 2, "column 3: the { has no }");
    assert_left_out("a {=c} }", 1, "another brace");
    assert_left_out("a {={c}", 1, "column 3: another brace follows at 1:5");
    assert_left_out("a {=1}\nb {=2}", 1, "column 3: another brace follows at 2:3");
}

static void comments_and_categories(void **state)
{
    (void)state;
    read("// first [id:my-id] [tag:a b] [tag:c\\]d]\n::n::Q {\n// inside\n=yes\n  // indented = ~ "
         "{\n~no\n}\n// last\n\n// alone\n\n");
    assert_int_equal(import.count, 1);
    assert_int_equal(import.line_count, 1);
    assert_int_equal(import.lines[0].line, 2);
    const struct question *question = &import.questions[0];
    assert_string_equal(question->id, "my-id");
    assert_int_equal(question->tags.count, 2);
    assert_string_equal(question->tags.items[1], "c]d");
    assert_choice(question, 0, "yes", true, NULL);
    assert_choice(question, 1, "no", false, NULL);
    assert_taken();

    read("Q0{T}\n\n$CATEGORY: $course$/top/Week 1/Day 2\nQ1{T}\n\nQ2{F}\n$CATEGORY: "
         "a//b\n\nQ3{T}\n\n$CATEGORY: $course$/top/Week 1/Day 2\n\nQ4{T}");
    assert_int_equal(import.count, 5);
    assert_int_equal(import.section_count, 2);
    assert_string_equal(import.sections[0].title, "Week 1 / Day 2");
    assert_string_equal(import.sections[1].title, "a/b");
    static const int sections[] = { 0, 1, 1, 2, 1 };
    for (int i = 0; i < 5; i++)
        assert_int_equal(import.questions[i].section, sections[i]);
}

static void feedback(void **state)
{
    (void)state;
    const struct question *question = one("Q{=4 #since 2 + 2 = 4 ~5#x=5 is odd}");
    assert_int_equal(question->key.choices.count, 2);
    assert_choice(question, 0, "4", true, "since 2 + 2 = 4");
    assert_choice(question, 1, "5", false, "x=5 is odd");
    assert_told(0, "the = in a feedback stays part of it");
    question = one("Q{\n~a # no, since =b is\n=b # yes\n}");
    assert_choice(question, 0, "a", false, "no, since =b is");
    assert_choice(question, 1, "b", true, "yes");
    question = one("Q{~wrong#fb =right#fb2}");
    assert_choice(question, 1, "right", true, "fb2");
    assert_taken();
}

static void encodings(void **state)
{
    (void)state;
    static const char windows[] = "a\nna\xefve {T}";
    assert_false(read_bytes(windows, sizeof windows - 1));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_non_null(strstr(error.message, "byte 4 (0xEF, in line 2)"));
    assert_non_null(strstr(error.message, "iconv -f WINDOWS-1252 -t UTF-8"));
    assert_false(read_bytes("\xff\xfe{\0", 4));
    assert_non_null(strstr(error.message, "UTF-16"));
    assert_true(read_bytes("", 0));
    assert_int_equal(import.count, 0);
    one("a\x01z {T}");
    assert_told(0, "control characters");
    assert_string_equal(import.questions[0].prompt, "az");
    one("a\xe2\x80\x8bz {T}");
    assert_told(0, "U+200B (zero-width space) was dropped");
}

static void ids(void **state)
{
    (void)state;
    read("::A::a{T}\n\n::A::b{T}\n\n::a-2::c{T}\n\nWhat is it, exactly?{T}\n\n::日本::d{T}\n\n::日本::e{T}");
    static const char *const wanted[] = { "a", "a-2", "a-2-2", "what-is-it-exactly", "d", "e" };
    assert_int_equal(import.count, 6);
    for (int i = 0; i < 6; i++)
        assert_string_equal(import.questions[i].id, wanted[i]);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    static const char text[] =
        "$CATEGORY: a/b\n::A::[html]<b>x</b>{=a#b ~c#<i>d</i>}\n\nQ{#3:1}\n\nQ{=x=y}\n\nQ{=a->b =c->d}\n";
    bool done = false;
    for (long n = 1; !done; n++) {
        struct buffer out;
        import_finish(&import);
        memory_fail_after(n);
        buffer_init(&out);
        import_init(&import, "x.gift");
        done = gift_read(&import, text, sizeof text - 1, &error);
        if (done)
            import_name_pack(&import);
        done = done && exchange_write_import(&out, &import);
        memory_fail_after(0);
        buffer_finish(&out);
        assert_true(n < 10000);
    }
    assert_int_equal(import.count, 4);
}

static int set_up(void **state)
{
    (void)state;
    import_init(&import, "quiz.gift");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    import_finish(&import);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(choices),
        cmocka_unit_test(weights),
        cmocka_unit_test(truths),
        cmocka_unit_test(numbers),
        cmocka_unit_test(texts),
        cmocka_unit_test(pairs),
        cmocka_unit_test(stems),
        cmocka_unit_test(braces),
        cmocka_unit_test(comments_and_categories),
        cmocka_unit_test(feedback),
        cmocka_unit_test(encodings),
        cmocka_unit_test(ids),
        cmocka_unit_test(memory_may_run_out),
    };
    message_start();
    return hash_start() ? cmocka_run_group_tests(tests, set_up, tear_down) : 1;
}
