/* What every key does in every state. */
#include "samples.h"

#include "action.h"
#include "way.h"
#include <quiztutor/text.h>

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct view view;
static struct effect effect;

static void start(const char *name)
{
    for (int i = 0; i < scene_count; i++) {
        if (strcmp(scenes[i].name, name) == 0) {
            struct scene bare = scenes[i];
            bare.keys = "";
            scene_start(&bare, &view, SIGNS_UNICODE, 24, 80);
            return;
        }
    }
    fail_msg("no scene %s", name);
}

/* Types and gives the last effect. */
static enum effect_kind type(const char *keys)
{
    scene_type(&view, keys, &effect);
    return effect.kind;
}

static enum effect_kind press(int32_t key)
{
    struct input input = { .kind = INPUT_KEY, .key = key };
    view_update(&view, &input, &effect);
    return effect.kind;
}

static int32_t control(char letter)
{
    return KEY_CODE_CONTROL_A + letter - 'A';
}

/* Places that are picked, as letters. */
static const char *picked(void)
{
    static char text[VIEW_CHOICES + 1];
    int used = 0;
    for (int i = 0; i < VIEW_CHOICES; i++)
        if (view.picked[i])
            text[used++] = (char)('a' + i);
    text[used] = '\0';
    return text;
}

static void test_single(void **state)
{
    (void)state;
    start("question");
    assert_int_equal(type("^E"), EFFECT_NONE); /* nothing chosen: a word, no answer */
    assert_non_null(view.flash);
    assert_int_equal(type("2"), EFFECT_NONE); /* a digit only selects */
    assert_null(view.flash);
    assert_string_equal(picked(), "b");
    type("3");
    assert_string_equal(picked(), "c");
    type("4"); /* names nothing */
    type("0");
    assert_string_equal(picked(), "c");
    type("a");
    assert_string_equal(picked(), "a");
    type("d"); /* a letter beyond the choices */
    assert_string_equal(picked(), "a");
    type("j");
    assert_string_equal(picked(), "b");
    type("^D^D^D");
    assert_string_equal(picked(), "c");
    type("k^U^U");
    assert_string_equal(picked(), "a");
    type("^T");
    assert_string_equal(picked(), "c");
    type("^H ");
    assert_string_equal(picked(), "a");
    assert_int_equal(type("^E"), EFFECT_ANSWER);
    assert_true(effect.picked[0] && !effect.picked[1] && !effect.picked[2]);
}

static void test_first_move(void **state)
{
    (void)state;
    start("question");
    type("^D");
    assert_string_equal(picked(), "a");
    start("question");
    type("^U");
    assert_string_equal(picked(), "c");
}

static void test_many(void **state)
{
    (void)state;
    start("many");
    assert_int_equal(type("^E"), EFFECT_NONE);
    assert_non_null(view.flash);
    type("^D"); /* moving does not pick */
    assert_string_equal(picked(), "");
    assert_int_equal(view.cursor, 1);
    type(" ");
    assert_string_equal(picked(), "b");
    type("1");
    type("4");
    assert_string_equal(picked(), "abd");
    type("4");
    assert_string_equal(picked(), "ab");
    type("b ");
    assert_string_equal(picked(), "ab"); /* dropped and picked again */
    assert_int_equal(type("^E"), EFFECT_ANSWER);
    assert_true(effect.picked[0] && effect.picked[1] && !effect.picked[2]);
}

static void test_numbers(void **state)
{
    (void)state;
    start("crowded");
    type("1");
    assert_string_equal(picked(), "a");
    type("2");
    assert_string_equal(picked(), "l");
    type("3"); /* 123 names nothing: begins anew */
    assert_string_equal(picked(), "c");
    type("26");
    assert_string_equal(picked(), "z");
    type("27");
    assert_string_equal(picked(), "g");
    type("2^U6"); /* a move ends the number */
    assert_string_equal(picked(), "f");
    type("a"); /* 26 choices: no letters */
    assert_string_equal(picked(), "f");
    static struct question_model many;
    many = *view.question;
    many.many = true;
    view.question = &many;
    view_show(&view, SCREEN_QUESTION);
    type("312");
    assert_string_equal(picked(), "cl"); /* 1 was the beginning of 12 */
    type("12");
    assert_string_equal(picked(), "c");
    type("1");
    view_show(&view, SCREEN_QUESTION);
    type("2");
    assert_string_equal(picked(), "b"); /* the last screen's digit is forgotten */
}

static void test_truth(void **state)
{
    (void)state;
    start("truth");
    type("f");
    assert_string_equal(picked(), "b");
    type("t");
    assert_string_equal(picked(), "a");
    type("b"); /* no letters but t and f */
    assert_string_equal(picked(), "a");
    type("2");
    assert_string_equal(picked(), "b");
    assert_int_equal(type("^E"), EFFECT_ANSWER);
}

static void test_commands(void **state)
{
    (void)state;
    start("question");
    assert_int_equal(type("2h"), EFFECT_HINT);
    assert_int_equal(type("s"), EFFECT_SKIP);
    assert_int_equal(type("u"), EFFECT_UNDO);
    assert_int_equal(press(KEY_CODE_F1 + 1), EFFECT_HINT);
    assert_int_equal(press(KEY_CODE_F1 + 2), EFFECT_SKIP);
    assert_int_equal(press(KEY_CODE_F1 + 3), EFFECT_UNDO);
    assert_int_equal(press(control('Z')), EFFECT_SUSPEND);
    assert_int_equal(press(control('L')), EFFECT_REDRAW);
    assert_string_equal(picked(), "b"); /* none of them touches the choice */
    static struct question_model question;
    question = *view.question;
    question.hints_left = 0;
    question.can_undo = false;
    view.question = &question;
    assert_int_equal(type("h"), EFFECT_NONE);
    assert_string_equal(view.flash, "no hint here");
    assert_int_equal(type("u"), EFFECT_NONE);
    assert_string_equal(view.flash, "nothing to undo");
}

static void test_unknown_keys(void **state)
{
    (void)state;
    static const int32_t keys[] = { '[',
                                    'O',
                                    'A',
                                    'B',
                                    'C',
                                    'D',
                                    '~',
                                    ';',
                                    'Z',
                                    'x',
                                    'z',
                                    'n',
                                    'y',
                                    'r',
                                    0xe9,
                                    0x65e5,
                                    KEY_CODE_TAB,
                                    KEY_CODE_ESCAPE,
                                    KEY_CODE_BACKSPACE,
                                    KEY_CODE_DELETE,
                                    KEY_CODE_F12,
                                    KEY_CODE_CONTROL_A,
                                    KEY_CODE_LEFT,
                                    KEY_CODE_RIGHT,
                                    0,
                                    1,
                                    -5,
                                    0x7fffffff };
    static const char *const names[] = { "question", "many", "explanation", "truth" };
    for (size_t n = 0; n < 4; n++) {
        start(names[n]);
        struct view before = view;
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
            assert_int_equal(press(keys[i]), EFFECT_NONE);
            assert_int_equal(view.overlay, OVERLAY_NONE);
            assert_memory_equal(view.picked, before.picked, sizeof view.picked);
            assert_int_equal(view.cursor, before.cursor);
        }
    }
}

static void test_paste_is_dropped(void **state)
{
    (void)state;
    static const int32_t text[] = { '1', '\n', '2', '\n', 'q', '\n', 'y' };
    for (int s = 0; s < scene_count; s++) {
        start(scenes[s].name);
        bool field = view.overlay == OVERLAY_FILTER || view.overlay == OVERLAY_LEARNER ||
                     view.overlay == OVERLAY_REPORT || view.overlay == OVERLAY_PIN ||
                     view.overlay == OVERLAY_CODE || way_types(&view);
        if (field)
            continue;
        enum overlay overlay = view.overlay;
        bool before[VIEW_CHOICES]; /* an exam's question may have an answer already */
        memcpy(before, view.picked, sizeof before);
        char kept[VIEW_FIELD];
        memcpy(kept, view.field, sizeof kept);
        for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
            struct input input = { .kind = INPUT_PASTE, .key = text[i] };
            view_update(&view, &input, &effect);
            assert_int_equal(effect.kind, EFFECT_NONE);
        }
        assert_memory_equal(view.picked, before, sizeof before);
        assert_string_equal(view.field, kept);
        assert_int_equal(view.overlay, overlay);
    }
}

static void test_result(void **state)
{
    (void)state;
    start("explanation");
    assert_int_equal(type("1"), EFFECT_NONE);
    assert_int_equal(type("s"), EFFECT_NONE);
    assert_int_equal(type("u"), EFFECT_UNDO);
    assert_int_equal(type("^D"), EFFECT_NONE);
    assert_int_equal(view.scroll, 1);
    type("jjkk^U^U^U");
    assert_int_equal(view.scroll, 0);
    type(" ");
    assert_true(view.scroll > 0);
    int end = view.scroll_range;
    type("^H");
    assert_int_equal(view.scroll, 0);
    type("^T");
    assert_int_equal(view.scroll, end);
    type("^N^D");
    assert_int_equal(view.scroll, end);
    type("^P^P^P");
    assert_int_equal(view.scroll, 0);
    assert_int_equal(type("^E"), EFFECT_NEXT);
}

static void test_sideways(void **state)
{
    (void)state;
    start("crowded");
    type("^R");
    assert_true(view.side_scroll > 0);
    for (int i = 0; i < 50; i++)
        type("^R");
    assert_int_equal(view.side_scroll, view.side_range);
    for (int i = 0; i < 50; i++)
        type("^L");
    assert_int_equal(view.side_scroll, 0);
    start("question"); /* no figure: nothing moves */
    type("^R");
    assert_int_equal(view.side_scroll, 0);
}

static void test_finish(void **state)
{
    (void)state;
    static const char *const names[] = { "question", "explanation" };
    for (size_t n = 0; n < 2; n++) {
        start(names[n]);
        assert_int_equal(type("q"), EFFECT_NONE);
        assert_int_equal(view.overlay, OVERLAY_FINISH);
        assert_int_equal(type("1"), EFFECT_NONE); /* the screen below hears nothing */
        assert_string_equal(picked(), "");
        assert_int_equal(type("n"), EFFECT_NONE);
        assert_int_equal(view.overlay, OVERLAY_NONE);
        type("q^X");
        assert_int_equal(view.overlay, OVERLAY_NONE);
        press(control('C'));
        assert_int_equal(view.overlay, OVERLAY_FINISH);
        assert_int_equal(type("y"), EFFECT_FINISH);
        assert_int_equal(view.overlay, OVERLAY_NONE);
        press(KEY_CODE_F1 + 9);
        assert_int_equal(type("^E"), EFFECT_FINISH);
    }
}

static void test_keys_page(void **state)
{
    (void)state;
    static const char *const names[] = { "question", "explanation", "home",    "summary",
                                         "exam",     "overview",    "progress" };
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        start(names[n]);
        assert_int_equal(type("?"), EFFECT_NONE);
        assert_int_equal(view.overlay, OVERLAY_KEYS);
        assert_int_equal(type("^D^N^X"), EFFECT_NONE);
        assert_int_equal(view.overlay, OVERLAY_NONE);
        type("?q");
        assert_int_equal(view.overlay, OVERLAY_NONE);
        press(KEY_CODE_F1);
        assert_int_equal(view.overlay, OVERLAY_KEYS);
        type("?");
        assert_int_equal(view.overlay, OVERLAY_NONE);
    }
}

static void test_report(void **state)
{
    (void)state;
    start("question");
    assert_int_equal(type("2!not q clear"), EFFECT_NONE);
    assert_int_equal(view.overlay, OVERLAY_REPORT);
    assert_int_equal(type("^E"), EFFECT_REPORT);
    assert_string_equal(effect.text, "not q clear");
    assert_int_equal(view.overlay, OVERLAY_NONE);
    assert_string_equal(picked(), "b"); /* the choice is kept */
    assert_int_equal(type("!^E"), EFFECT_REPORT);
    assert_string_equal(effect.text, ""); /* the line is optional */
    assert_int_equal(type("!abc^X"), EFFECT_NONE);
    assert_int_equal(view.overlay, OVERLAY_NONE);
    type("!x");
    press(control('C'));
    assert_int_equal(view.overlay, OVERLAY_NONE);
}

static void test_learner(void **state)
{
    (void)state;
    start("home");
    assert_int_equal(type("l^E"), EFFECT_NONE); /* a name is needed */
    assert_non_null(view.flash);
    assert_int_equal(view.overlay, OVERLAY_LEARNER);
    assert_int_equal(type("Ben^E"), EFFECT_LEARNER);
    assert_string_equal(effect.text, "Ben");
    type("lx^X");
    assert_int_equal(view.overlay, OVERLAY_NONE);
}

static void test_home(void **state)
{
    (void)state;
    start("home-mixed");
    assert_int_equal(type("^E"), EFFECT_PRACTISE);
    assert_int_equal(effect.row, 0);
    assert_int_equal(type("jj^E"), EFFECT_PRACTISE);
    assert_int_equal(effect.row, 2);
    type("^T^D^D");
    assert_int_equal(view.cursor, 4);
    assert_int_equal(type("^E"), EFFECT_NONE); /* does not load */
    assert_non_null(view.flash);
    type("k");
    assert_int_equal(view.cursor, 3);
    type("^H^U");
    assert_int_equal(view.cursor, 0);
    type("j");
    view_show(&view, SCREEN_HOME);
    assert_int_equal(view.cursor, 1); /* home keeps its cursor */
    assert_int_equal(type("i"), EFFECT_NONE);
    assert_int_equal(view.overlay, OVERLAY_ABOUT);
    assert_int_equal(type("^E"), EFFECT_PRACTISE);
    assert_int_equal(effect.row, 1);
    assert_int_equal(type("q"), EFFECT_QUIT);
    assert_int_equal(press(control('C')), EFFECT_QUIT);
    start("home-empty");
    assert_int_equal(type("^E^D/i"), EFFECT_NONE);
    assert_int_equal(view.overlay, OVERLAY_NONE);
}

static void test_home_cursor_survives(void **state)
{
    (void)state;
    start("home");
    type("jj");
    static struct question_model question;
    question = (struct question_model){ .number = 1, .of = 1, .choice_count = 2, .choices = { "a", "b" } };
    view.question = &question;
    view_show(&view, SCREEN_QUESTION);
    assert_int_equal(view.cursor, 0);
    type("2");
    view_show(&view, SCREEN_HOME);
    assert_int_equal(view.cursor, 2);
}

/* The list may come back shorter. */
static void test_home_shrinks(void **state)
{
    (void)state;
    start("home-mixed");
    type("^T");
    struct library_model shorter = *view.library;
    shorter.count = 2;
    view.library = &shorter;
    view_show(&view, SCREEN_HOME);
    assert_int_equal(type("^E"), EFFECT_PRACTISE);
    assert_int_equal(effect.row, 1);
    struct grid grid;
    assert_true(grid_init(&grid, 24, 80));
    view.cursor = 77;
    view_draw(&view, &grid);
    grid_finish(&grid);
    assert_int_equal(view.cursor, 1);
    view_init(&view, SIGNS_ASCII, 24, 80);
}

static void test_filter(void **state)
{
    (void)state;
    start("home-mixed");
    type("/q"); /* letters are text here */
    assert_int_equal(view.overlay, OVERLAY_FILTER);
    assert_string_equal(view.filter, "q");
    type("^B^BCOLL");
    assert_int_equal(view.cursor, 2);
    assert_int_equal(type("^E"), EFFECT_NONE);
    assert_int_equal(view.overlay, OVERLAY_NONE);
    type("^D^D^U^U"); /* there is but one */
    assert_int_equal(view.cursor, 2);
    assert_int_equal(type("^E"), EFFECT_PRACTISE);
    assert_int_equal(effect.row, 2);
    type("^X");
    assert_string_equal(view.filter, "");
    type("/machine"); /* by subject */
    assert_int_equal(view.cursor, 0);
    type("^X");
    assert_string_equal(view.filter, "");
    assert_int_equal(view.overlay, OVERLAY_NONE);
    type("/a^D^E");
    assert_int_equal(type("^E"), EFFECT_PRACTISE);
    type("/^B^B^Bzzz^E");
    assert_int_equal(type("^E"), EFFECT_NONE); /* nothing is shown, nothing is practised */
    assert_int_equal(type("i"), EFFECT_NONE);
    assert_int_equal(view.overlay, OVERLAY_NONE);
}

static void test_summary(void **state)
{
    (void)state;
    start("summary");
    assert_int_equal(type("r"), EFFECT_MISSES);
    assert_int_equal(type("^E"), EFFECT_HOME);
    assert_int_equal(type("q"), EFFECT_QUIT);
    assert_int_equal(type("h"), EFFECT_NONE);
    start("summary-early"); /* nothing missed */
    assert_int_equal(type("r"), EFFECT_NONE);
}

static void test_not_stored(void **state)
{
    (void)state;
    start("question");
    type("2");
    view_open(&view, OVERLAY_NOT_STORED);
    assert_int_equal(type("r"), EFFECT_RETRY);
    assert_string_equal(picked(), "b");
    view_open(&view, OVERLAY_NOT_STORED); /* it failed again */
    assert_int_equal(type("^E"), EFFECT_RETRY);
    view_open(&view, OVERLAY_NOT_STORED);
    assert_int_equal(type("^X"), EFFECT_NONE); /* there is no looking away from it */
    assert_int_equal(type("y"), EFFECT_NONE);
    assert_int_equal(view.overlay, OVERLAY_NOT_STORED);
    assert_int_equal(type("q"), EFFECT_NONE);
    assert_true(view.confirm);
    assert_int_equal(type("q"), EFFECT_NONE);
    assert_int_equal(type("^E"), EFFECT_NONE); /* Enter never loses an answer */
    assert_false(view.confirm);
    assert_int_equal(view.overlay, OVERLAY_NOT_STORED);
    press(control('C'));
    assert_true(view.confirm);
    press(control('C'));
    assert_false(view.confirm);
    assert_int_equal(type("qn"), EFFECT_NONE);
    assert_int_equal(view.overlay, OVERLAY_NOT_STORED);
    assert_string_equal(picked(), "b");
    assert_int_equal(type("qy"), EFFECT_GIVE_UP);
}

static void test_notice_and_resume(void **state)
{
    (void)state;
    static const char *const closing[] = { "^E", " ", "^X" };
    for (size_t i = 0; i < 3; i++) {
        start("notice");
        assert_int_equal(type("x"), EFFECT_NONE);
        assert_int_equal(view.overlay, OVERLAY_NOTICE);
        assert_int_equal(type(closing[i]), EFFECT_NONE);
        assert_int_equal(view.overlay, OVERLAY_NONE);
    }
    start("resume");
    assert_int_equal(type("^E"), EFFECT_RESUME);
    start("resume");
    assert_int_equal(type("n"), EFFECT_RESTART);
    start("resume");
    assert_int_equal(type("^X"), EFFECT_HOME);
    start("resume");
    assert_int_equal(press(control('Z')), EFFECT_SUSPEND);
    assert_int_equal(view.overlay, OVERLAY_RESUME);
}

static void test_nothing_due(void **state)
{
    (void)state;
    static const char *const yes[] = { "^E", "y" }, *const no[] = { "^X", "n" };
    for (size_t i = 0; i < 2; i++) {
        start("nothing");
        assert_int_equal(type(yes[i]), EFFECT_ANYWAY);
        assert_int_equal(view.overlay, OVERLAY_NONE);
        start("nothing");
        assert_int_equal(type("x "), EFFECT_NONE);
        assert_int_equal(view.overlay, OVERLAY_NOTHING);
        assert_int_equal(type(no[i]), EFFECT_NONE);
        assert_int_equal(view.overlay, OVERLAY_NONE);
        assert_int_equal(view.screen, SCREEN_HOME);
    }
}

static void test_resize_keeps_all(void **state)
{
    (void)state;
    start("crowded");
    type("12^N");
    struct view before = view;
    static const int sizes[][2] = { { 1, 1 }, { 12, 39 }, { 11, 40 }, { 300, 100 }, { 12, 40 }, { 24, 80 } };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct input input = { .kind = INPUT_RESIZE, .rows = sizes[i][0], .columns = sizes[i][1] };
        view_update(&view, &input, &effect);
        assert_int_equal(effect.kind, EFFECT_NONE);
        assert_int_equal(view.rows, sizes[i][0]);
        struct grid grid;
        assert_true(grid_init(&grid, view.rows, view.columns));
        view_draw(&view, &grid);
        grid_finish(&grid);
    }
    assert_string_equal(picked(), "l");
    assert_int_equal(view.cursor, before.cursor);
    assert_int_equal(view.screen, before.screen);
}

static void test_too_small(void **state)
{
    (void)state;
    start("question");
    type("2");
    struct input input = { .kind = INPUT_RESIZE, .rows = 11, .columns = 80 };
    view_update(&view, &input, &effect);
    assert_int_equal(type("3^Ehsuq^Ey"), EFFECT_NONE); /* nobody answers blindly */
    assert_string_equal(picked(), "b");
    assert_int_equal(view.overlay, OVERLAY_NONE);
    assert_int_equal(press(control('Z')), EFFECT_SUSPEND);
    assert_int_equal(press(control('L')), EFFECT_REDRAW);
    assert_int_equal(press(control('C')), EFFECT_QUIT);
    view_open(&view, OVERLAY_NOT_STORED);
    assert_int_equal(press(control('C')),
                     EFFECT_NONE); /* an answer that is not stored is not left by accident */
    start("home");
    view_update(&view, &input, &effect);
    assert_int_equal(press(control('C')), EFFECT_QUIT);
}

static void test_other_inputs(void **state)
{
    (void)state;
    start("question");
    struct input input = { .kind = INPUT_NONE };
    view_update(&view, &input, &effect);
    assert_int_equal(effect.kind, EFFECT_NONE);
    input.kind = INPUT_HANGUP;
    view_update(&view, &input, &effect);
    assert_int_equal(effect.kind, EFFECT_QUIT);
}

static void test_certainty(void **state)
{
    (void)state;
    start("certainty");
    assert_int_equal(type("^E"), EFFECT_NONE); /* nothing chosen: not asked yet */
    assert_int_equal(view.overlay, OVERLAY_NONE);
    assert_int_equal(type("2^E"), EFFECT_NONE);
    assert_int_equal(view.overlay, OVERLAY_CERTAINTY);
    assert_int_equal(type("^E"), EFFECT_NONE); /* none is chosen beforehand */
    assert_non_null(view.flash);
    assert_int_equal(view.overlay, OVERLAY_CERTAINTY);
    assert_int_equal(type("1"), EFFECT_NONE); /* a digit only selects */
    assert_int_equal(view.certainty, 1);
    assert_int_equal(type("4"), EFFECT_NONE);
    assert_int_equal(type("0"), EFFECT_NONE);
    assert_int_equal(type("hsuq!*-ab"), EFFECT_NONE); /* the screen below hears nothing */
    assert_int_equal(view.certainty, 1);
    assert_int_equal(view.overlay, OVERLAY_CERTAINTY);
    assert_string_equal(picked(), "b");
    assert_int_equal(type("^X"), EFFECT_NONE); /* back: what was chosen stays */
    assert_int_equal(view.overlay, OVERLAY_NONE);
    assert_string_equal(picked(), "b");
    type("3^E");
    assert_int_equal(view.certainty, 0); /* asked anew */
    type("^D");
    assert_int_equal(view.certainty, 1);
    type("jj^D");
    assert_int_equal(view.certainty, 3);
    type("k");
    assert_int_equal(view.certainty, 2);
    assert_int_equal(type("^E"), EFFECT_ANSWER);
    assert_int_equal(effect.certainty, 2);
    assert_true(effect.picked[2] && !effect.picked[1]);
    assert_int_equal(view.overlay, OVERLAY_NONE);
    start("certainty");
    type("1^E^U");
    assert_int_equal(view.certainty, 3);
    press(control('C'));
    assert_int_equal(view.overlay, OVERLAY_NONE);
    start("question"); /* where it is not asked, Enter answers */
    assert_int_equal(type("2^E"), EFFECT_ANSWER);
    assert_int_equal(effect.certainty, 0);
}

static void test_marks_of_a_question(void **state)
{
    (void)state;
    static const char *const names[] = {
        "question", "many", "truth", "explanation", "forgotten", "suspended"
    };
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        start(names[n]);
        assert_int_equal(type("*"), EFFECT_STAR);
        assert_int_equal(type("-"), EFFECT_SUSPEND_QUESTION);
        assert_int_equal(view.overlay, OVERLAY_NONE);
    }
    start("question");
    type("2*-");
    assert_string_equal(picked(), "b");
    start("exam");
    assert_int_equal(type("*"), EFFECT_NONE);
    assert_int_equal(type("-"), EFFECT_NONE);
}

/* An exam's question: nothing of a practice, and nothing that is chosen is left without a word. */
static void test_exam(void **state)
{
    (void)state;
    start("exam");
    assert_string_equal(picked(), "b"); /* what was noted before */
    assert_int_equal(view.cursor, 1);
    static const char *const never[] = { "h", "s", "u", "*", "-", "t", "r" };
    for (size_t i = 0; i < sizeof never / sizeof *never; i++) {
        assert_int_equal(type(never[i]), EFFECT_NONE);
        assert_int_equal(view.overlay, OVERLAY_NONE);
    }
    assert_int_equal(press(KEY_CODE_F1 + 1), EFFECT_NONE);
    assert_int_equal(press(KEY_CODE_F1 + 3), EFFECT_NONE);
    assert_int_equal(type("n"), EFFECT_GO); /* it is the third */
    assert_int_equal(effect.row, 3);
    assert_int_equal(type("p"), EFFECT_GO);
    assert_int_equal(effect.row, 1);
    assert_int_equal(type("o"), EFFECT_OVERVIEW);
    assert_int_equal(type("!"), EFFECT_FLAG);
    assert_int_equal(effect.row, 2);
    assert_string_equal(picked(), "b");
    assert_int_equal(type("3^E"), EFFECT_ANSWER);
    assert_true(effect.picked[2] && !effect.picked[1]);
    start("exam");
    assert_int_equal(press(KEY_CODE_DELETE), EFFECT_BLANK);
    assert_string_equal(picked(), "");
    assert_int_equal(type("^E"), EFFECT_NONE); /* Enter never notes a blank */
    assert_non_null(view.flash);
    start("exam-blank"); /* blank already, nothing chosen */
    assert_int_equal(press(KEY_CODE_BACKSPACE), EFFECT_NONE);
    assert_int_equal(type("n"), EFFECT_GO);
    start("exam-fresh");
    assert_int_equal(press(KEY_CODE_BACKSPACE), EFFECT_BLANK);
    assert_int_equal(type("n"), EFFECT_NONE); /* the last of all */
    assert_string_equal(view.flash, "this is the last question");
    assert_int_equal(type("p"), EFFECT_GO);
}

static void test_exam_leaves_nothing_unsaid(void **state)
{
    (void)state;
    static const char *const leaving[] = { "n", "p", "o" };
    for (size_t i = 0; i < 3; i++) {
        start("exam");
        assert_int_equal(type("3"), EFFECT_NONE);
        assert_int_equal(type(leaving[i]), EFFECT_NONE);
        assert_non_null(view.flash);
        assert_string_equal(picked(), "c");
        assert_int_equal(type(leaving[i]), *leaving[i] == 'o' ? EFFECT_OVERVIEW : EFFECT_GO);
        start("exam");
        type("3");
        assert_int_equal(type(leaving[i]), EFFECT_NONE);
        assert_int_equal(type("1"), EFFECT_NONE); /* another key in between: said again */
        assert_int_equal(type(leaving[i]), EFFECT_NONE);
        assert_non_null(view.flash);
        assert_int_equal(type("2"), EFFECT_NONE); /* as it is noted: nothing to say */
        assert_int_not_equal(type(leaving[i]), EFFECT_NONE);
    }
}

static void test_hand_in(void **state)
{
    (void)state;
    static const char *const names[] = { "exam", "exam-fresh", "overview" };
    for (size_t n = 0; n < 3; n++) {
        start(names[n]);
        assert_int_equal(type("q"), EFFECT_NONE);
        assert_int_equal(view.overlay, OVERLAY_HAND_IN);
        assert_int_equal(type("12o!"), EFFECT_NONE); /* the screen below hears nothing */
        assert_int_equal(view.overlay, OVERLAY_HAND_IN);
        type("n");
        assert_int_equal(view.overlay, OVERLAY_NONE);
        type("q");
        assert_int_equal(type("^X"), EFFECT_NONE);
        assert_int_equal(view.overlay, OVERLAY_NONE);
        press(control('C'));
        assert_int_equal(view.overlay, OVERLAY_HAND_IN);
        press(control('C')); /* twice in a hurry is no handing in */
        assert_int_equal(effect.kind, EFFECT_NONE);
        assert_int_equal(view.overlay, OVERLAY_NONE);
        press(KEY_CODE_F1 + 9);
        assert_int_equal(type("l"), EFFECT_LEAVE_EXAM);
        assert_int_equal(view.overlay, OVERLAY_NONE);
        assert_int_equal(type("qy"), EFFECT_HAND_IN);
        assert_int_equal(type("q^E"), EFFECT_HAND_IN);
        assert_int_equal(view.overlay, OVERLAY_NONE);
    }
    start("exam-begin");
    assert_int_equal(type("qny1"), EFFECT_NONE);
    assert_int_equal(type("^E"), EFFECT_BEGIN_EXAM);
    start("exam-begin");
    assert_int_equal(type("^X"), EFFECT_HOME);
}

static void test_overview(void **state)
{
    (void)state;
    start("overview");
    assert_int_equal(view.cursor, 1); /* on the question shown last */
    assert_int_equal(type("^E"), EFFECT_GO);
    assert_int_equal(effect.row, 1);
    assert_int_equal(type("jj!"), EFFECT_FLAG);
    assert_int_equal(effect.row, 3);
    assert_int_equal(type("^X"), EFFECT_GO); /* back to where it was opened */
    assert_int_equal(effect.row, 1);
    type("^T^D^D");
    assert_int_equal(view.cursor, 7);
    type("^H^U");
    assert_int_equal(view.cursor, 0);
    assert_int_equal(type("12abhsu*-"), EFFECT_NONE);
    assert_int_equal(view.cursor, 0);
    start("overview-long");
    assert_int_equal(view.cursor, 104);
    type("^P");
    assert_true(view.cursor < 100);
    type("^N^N^N^N^N^N^N^N^N");
    assert_int_equal(view.cursor, 119);
    start("exam"); /* the question shown last is remembered */
    view_show(&view, SCREEN_OVERVIEW);
    assert_int_equal(view.cursor, 2);
}

static void test_paper(void **state)
{
    (void)state;
    start("paper");
    type("n");
    assert_int_equal(view.cursor, 1);
    int first = view.scroll;
    assert_true(first > 0);
    type("n");
    assert_int_equal(view.cursor, 2);
    assert_true(view.scroll > first);
    type("p");
    assert_int_equal(view.cursor, 1);
    assert_int_equal(view.scroll, first);
    type("p");
    assert_int_equal(view.cursor, 0);
    assert_int_equal(view.scroll, 0);
    type("p");
    assert_int_equal(view.cursor, 0);
    static const int missed[] = { 1, 2, 4, 5, 6, 8, 1 }; /* 3 and 7 are right; round again after the last */
    for (size_t i = 0; i < sizeof missed / sizeof *missed; i++) {
        type("m");
        assert_int_equal(view.cursor, missed[i]);
    }
    type("nnnnnnnnnnn");
    assert_int_equal(view.cursor, 8);
    type("^H^N^N"); /* what was read on counts, not where one was before */
    type("n");
    assert_true(view.cursor > 1 && view.cursor < 8);
    type("^T^D");
    assert_int_equal(view.scroll, view.scroll_range);
    assert_int_equal(type("^E"), EFFECT_HOME);
    assert_int_equal(type("q"), EFFECT_QUIT);
    assert_int_equal(type("hsu*-r1"), EFFECT_NONE);
}

static void test_progress(void **state)
{
    (void)state;
    static const char *const back[] = { "^X", "^E", "q" };
    for (size_t i = 0; i < 3; i++) {
        start("progress");
        assert_int_equal(type("^D"), EFFECT_NONE);
        assert_int_equal(view.scroll, 1);
        assert_int_equal(type("^N^T "), EFFECT_NONE);
        assert_int_equal(view.scroll, view.scroll_range);
        assert_int_equal(type(back[i]), EFFECT_BACK);
    }
    start("home");
    assert_int_equal(type("t"), EFFECT_PROGRESS);
    start("summary");
    assert_int_equal(type("t"), EFFECT_PROGRESS);
    start("question");
    assert_int_equal(type("t"), EFFECT_NONE);
}

/* A section's text that has no room above the question is read by scrolling, and comes back. */
static void test_section_scrolls(void **state)
{
    (void)state;
    start("section-figure");
    view.rows = 12;
    view.columns = 40;
    type("2");
    assert_true(view.scroll > 0); /* the question itself is in sight at first */
    type("^P^P^P^P^P^P^P^P^P^P");
    assert_int_equal(view.scroll, 0);
    assert_string_equal(picked(), "b");
    type("^N^N^N^N^N^N^N^N^N^N^N^N");
    assert_int_equal(view.scroll, view.scroll_range);
}

/* The table itself: names once, texts there, one meaning a key in each place. */
static void test_table(void **state)
{
    (void)state;
    for (int i = 0; i < action_row_count; i++) {
        const struct action_row *row = &action_rows[i];
        assert_true(*row->name && *row->keys && *row->help && *row->longer);
        assert_true(row->screens || row->overlays);
        assert_true(row->bindings[0].key != 0);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(row->name, action_rows[j].name);
    }
    for (int s = 0; s < scene_count; s++) {
        start(scenes[s].name);
        for (int32_t key = 1; key < KEY_CODE_CONTROL_Z; key = key == 0x17f ? KEY_CODE_ENTER : key + 1) {
            int meanings = 0;
            for (int i = 0; i < action_row_count; i++) {
                if (!action_here(&action_rows[i], &view))
                    continue;
                for (int b = 0; b < ACTION_BINDINGS && action_rows[i].bindings[b].key; b++)
                    meanings += action_rows[i].bindings[b].key == key;
            }
            assert_true(meanings <= 1);
        }
    }
}

int main(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_single),
        cmocka_unit_test(test_first_move),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_truth),
        cmocka_unit_test(test_commands),
        cmocka_unit_test(test_unknown_keys),
        cmocka_unit_test(test_paste_is_dropped),
        cmocka_unit_test(test_result),
        cmocka_unit_test(test_sideways),
        cmocka_unit_test(test_finish),
        cmocka_unit_test(test_keys_page),
        cmocka_unit_test(test_report),
        cmocka_unit_test(test_learner),
        cmocka_unit_test(test_home),
        cmocka_unit_test(test_home_cursor_survives),
        cmocka_unit_test(test_filter),
        cmocka_unit_test(test_home_shrinks),
        cmocka_unit_test(test_summary),
        cmocka_unit_test(test_not_stored),
        cmocka_unit_test(test_notice_and_resume),
        cmocka_unit_test(test_nothing_due),
        cmocka_unit_test(test_resize_keeps_all),
        cmocka_unit_test(test_too_small),
        cmocka_unit_test(test_other_inputs),
        cmocka_unit_test(test_certainty),
        cmocka_unit_test(test_marks_of_a_question),
        cmocka_unit_test(test_exam),
        cmocka_unit_test(test_exam_leaves_nothing_unsaid),
        cmocka_unit_test(test_hand_in),
        cmocka_unit_test(test_overview),
        cmocka_unit_test(test_paper),
        cmocka_unit_test(test_progress),
        cmocka_unit_test(test_section_scrolls),
        cmocka_unit_test(test_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
