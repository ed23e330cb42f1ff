/* What keys do to answers that are typed, ordered, matched and recalled. */
#include "samples.h"

#include "action.h"
#include "field.h"
#include "way.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct view view;
static struct effect effect;
static struct question_model question;

/* Begins a scene's question, which a test may change before it is shown. */
static void start(const char *name)
{
    for (int i = 0; i < scene_count; i++) {
        if (strcmp(scenes[i].name, name) == 0) {
            struct scene bare = scenes[i];
            bare.keys = "";
            scene_start(&bare, &view, SIGNS_UNICODE, 24, 80);
            question = *view.question;
            view.question = &question;
            view_show(&view, SCREEN_QUESTION);
            return;
        }
    }
    fail_msg("no scene %s", name);
}

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

static void paste(const char *text)
{
    for (; *text; text++) {
        struct input input = { .kind = INPUT_PASTE, .key = *text };
        view_update(&view, &input, &effect);
        assert_int_equal(effect.kind, EFFECT_NONE);
    }
}

static int32_t control(char letter)
{
    return KEY_CODE_CONTROL_A + letter - 'A';
}

static const char *drawn(void)
{
    static char text[40000];
    struct grid grid;
    struct buffer out;
    assert_true(grid_init(&grid, view.rows, view.columns));
    view_draw(&view, &grid);
    buffer_init(&out);
    grid_print(&grid, &out, false);
    assert_true(out.length < (ptrdiff_t)sizeof text);
    strcpy(text, buffer_get(&out));
    buffer_finish(&out);
    grid_finish(&grid);
    return text;
}

/* Places as digits from 1, "-" for none. */
static const char *places(const signed char *at)
{
    static char text[VIEW_CHOICES + 1];
    for (int i = 0; i < question.choice_count; i++)
        text[i] = at[i] < 0 ? '-' : (char)(at[i] < 9 ? '1' + at[i] : 'a' + at[i] - 9);
    text[question.choice_count] = '\0';
    return text;
}

/* ---- a field ---- */

static void test_letters_are_text(void **state)
{
    (void)state;
    start("number");
    assert_int_equal(type("?hsuq!*-np 1"), EFFECT_NONE);
    assert_string_equal(view.field, "?hsuq!*-np 1");
    assert_int_equal(view.overlay, OVERLAY_NONE);
    assert_int_equal(press(KEY_CODE_F1 + 1), EFFECT_HINT);
    assert_int_equal(press(KEY_CODE_F1 + 2), EFFECT_SKIP);
    assert_int_equal(press(KEY_CODE_F1 + 3), EFFECT_UNDO);
    press(KEY_CODE_F1 + 9);
    assert_int_equal(view.overlay, OVERLAY_FINISH);
    type("^X");
    press(KEY_CODE_F1);
    assert_int_equal(view.overlay, OVERLAY_KEYS);
    type("^X");
    assert_string_equal(view.field, "?hsuq!*-np 1");
    assert_int_equal(press(control('Z')), EFFECT_SUSPEND);
    assert_int_equal(press(control('L')), EFFECT_REDRAW);
    press(control('C'));
    assert_int_equal(view.overlay, OVERLAY_FINISH);
}

static void test_leaving(void **state)
{
    (void)state;
    start("text");
    type("all^X");
    assert_string_equal(view.field, "all");
    assert_int_equal(type("*"), EFFECT_STAR);
    assert_int_equal(type("-"), EFFECT_SUSPEND_QUESTION);
    assert_int_equal(type("s"), EFFECT_SKIP);
    paste("x"); /* outside the field: dropped */
    type("x^B^L");
    assert_string_equal(view.field, "all");
    static const int32_t enters[] = { KEY_CODE_ENTER, KEY_CODE_TAB, 'i' };
    for (size_t i = 0; i < sizeof enters / sizeof *enters; i++) {
        assert_int_equal(press(enters[i]), EFFECT_NONE); /* never an answer */
        assert_false(view.left_field);
        type("^X");
    }
    type("i-i");
    assert_string_equal(view.field, "all-i");
    assert_int_equal(type("^E"), EFFECT_ANSWER);
    assert_string_equal(effect.text, "all-i");
}

static void test_nothing_typed(void **state)
{
    (void)state;
    start("text");
    assert_int_equal(type("^E"), EFFECT_NONE);
    assert_non_null(view.flash);
    assert_int_equal(type("   ^E"), EFFECT_NONE);
    assert_non_null(view.flash);
    assert_int_equal(type("S^E"), EFFECT_ANSWER); /* what is a key elsewhere can be an answer */
    assert_string_equal(effect.text, "   S");
}

static void test_remark(void **state)
{
    (void)state;
    start("number");
    type("1,5^X");
    view_remark(&view, "1,5 can't be read");
    assert_false(view.left_field); /* it is to be mended */
    assert_non_null(strstr(drawn(), "1,5 can't be read"));
    assert_string_equal(view.field, "1,5");
    struct input resize = { .kind = INPUT_RESIZE, .rows = 30, .columns = 90 };
    view_update(&view, &resize, &effect);
    assert_non_null(view.remark);
    type("^L");
    assert_null(view.remark);
    assert_null(strstr(drawn(), "can't be read"));
    view_remark(&view, "again");
    paste("x");
    assert_null(view.remark);
    assert_string_equal(view.field, "1,x5");
}

static void test_pasted_newlines(void **state)
{
    (void)state;
    start("text");
    paste("all\nreduce\tq\n");
    assert_string_equal(view.field, "all reduce q ");
    assert_int_equal(view.overlay, OVERLAY_NONE);
}

/* A line about the question makes room, and what was typed comes back. */
static void test_report_keeps_the_answer(void **state)
{
    (void)state;
    start("text");
    type("all-reduce^L^L^X!");
    assert_int_equal(view.overlay, OVERLAY_REPORT);
    assert_string_equal(view.field, "");
    assert_int_equal(type("unclear^E"), EFFECT_REPORT);
    assert_string_equal(effect.text, "unclear");
    assert_string_equal(view.field, "all-reduce");
    assert_int_equal(view.field_cursor, 8);
    type("!never mind^X");
    assert_int_equal(view.overlay, OVERLAY_NONE);
    assert_string_equal(view.field, "all-reduce");
    type("!");
    view_open(&view, OVERLAY_NOTICE); /* whatever comes over it */
    assert_string_equal(view.field, "all-reduce");
}

static void test_field_exam(void **state)
{
    (void)state;
    start("number-exam");
    assert_string_equal(view.field, "0.158");
    assert_non_null(strstr(drawn(), "noted"));
    type("9");
    assert_non_null(strstr(drawn(), "not noted yet"));
    assert_int_equal(type("^Xn"), EFFECT_NONE); /* said once before it is lost */
    assert_non_null(view.flash);
    assert_int_equal(type("n"), EFFECT_GO);
    assert_int_equal(press(KEY_CODE_DELETE), EFFECT_BLANK);
    assert_string_equal(view.field, "");
    start("number-exam");
    press(KEY_CODE_DELETE); /* in the field it is the field's */
    type("^H");
    assert_int_equal(press(KEY_CODE_DELETE), EFFECT_NONE);
    assert_string_equal(view.field, ".158");
}

static void test_field_sure(void **state)
{
    (void)state;
    start("number-sure");
    assert_int_equal(type("2^E"), EFFECT_READ); /* read before it is asked how sure one is of it */
    assert_string_equal(effect.text, "2");
    assert_int_equal(view.overlay, OVERLAY_CERTAINTY); /* scene_type opens it, as the application does */
    paste("9");
    type("^X");
    assert_string_equal(view.field, "2");
    assert_int_equal(type("^E"), EFFECT_READ);
    assert_int_equal(type("3^E"), EFFECT_ANSWER);
    assert_int_equal(effect.certainty, 3);
    assert_string_equal(effect.text, "2");
}

static void test_tried_field(void **state)
{
    (void)state;
    start("text");
    question.tried = true;
    assert_int_equal(type("q^X"), EFFECT_NONE); /* first the field is left */
    assert_int_equal(type("^X"), EFFECT_BACK);
    type("i");
    assert_int_equal(press(control('C')), EFFECT_BACK);
    assert_string_equal(view.field, "q");
}

/* ---- an order ---- */

static void test_carry(void **state)
{
    (void)state;
    start("order");
    assert_string_equal(places(view.at), "12345");
    type("^D ^D^D"); /* the second, two down */
    assert_string_equal(places(view.at), "13425");
    type("^U");
    assert_string_equal(places(view.at), "13245");
    type(" ^U"); /* put down: the cursor alone moves */
    assert_string_equal(places(view.at), "13245");
    assert_int_equal(view.cursor, 1);
    type(" ^T");
    assert_string_equal(places(view.at), "12453");
    type("^X"); /* back where it was lifted */
    assert_string_equal(places(view.at), "13245");
    assert_int_equal(view.lifted, -1);
    type("J");
    assert_string_equal(places(view.at), "12345");
    type("KK K");
    assert_string_equal(places(view.at), "31245");
}

static void test_places(void **state)
{
    (void)state;
    start("order");
    type("4"); /* nothing is lifted: goes there */
    assert_int_equal(view.cursor, 3);
    type(" 1");
    assert_string_equal(places(view.at), "41235");
    assert_int_equal(view.lifted, -1); /* and it is put down */
    type("3");
    assert_int_equal(view.cursor, 2);
    assert_string_equal(places(view.at), "41235");
    type(" 9 0");
    assert_string_equal(places(view.at), "41235");
}

static void test_two_digits(void **state)
{
    (void)state;
    start("order-long");
    type("5");
    type(" 11"); /* 1, then 11 */
    assert_string_equal(places(view.at), "12346789ab5");
    type("^U 1");
    assert_string_equal(places(view.at), "b12346789a5");
    type("2"); /* 12 is none: the cursor goes to 2 */
    assert_int_equal(view.cursor, 1);
}

static void test_order_answer(void **state)
{
    (void)state;
    start("order");
    assert_int_equal(type("^E"), EFFECT_NONE); /* is it meant so? */
    assert_non_null(view.flash);
    type("^D");
    assert_int_equal(type("^E"), EFFECT_NONE); /* not the next key */
    assert_int_equal(type("^E"), EFFECT_ANSWER);
    assert_string_equal(places(effect.at), "12345");
    start("order");
    type(" ^D");
    assert_int_equal(type("^E"), EFFECT_NONE); /* puts it down */
    assert_int_equal(view.lifted, -1);
    assert_int_equal(type("^E"), EFFECT_ANSWER);
    assert_string_equal(places(effect.at), "21345");
}

static void test_order_exam(void **state)
{
    (void)state;
    start("order-exam");
    assert_string_equal(places(view.at), "53142");
    assert_int_equal(type("n"), EFFECT_GO);
    type("J");
    assert_int_equal(type("n"), EFFECT_NONE);
    assert_int_equal(press(KEY_CODE_DELETE), EFFECT_BLANK);
    assert_string_equal(places(view.at), "12345");
    memset(question.given_at, -1, sizeof question.given_at); /* left blank */
    view_show(&view, SCREEN_QUESTION);
    assert_string_equal(places(view.at), "12345");
    assert_non_null(strstr(drawn(), "left blank"));
    memset(question.given_at, 0, sizeof question.given_at); /* no order of five */
    view_show(&view, SCREEN_QUESTION);
    assert_string_equal(places(view.at), "12345");
}

static void test_order_certainty(void **state)
{
    (void)state;
    start("order");
    question.certainty = true;
    type("^E");
    assert_int_equal(view.overlay, OVERLAY_NONE); /* said first that nothing was moved */
    type("^E");
    assert_int_equal(view.overlay, OVERLAY_CERTAINTY);
    assert_int_equal(type("2^E"), EFFECT_ANSWER);
    assert_string_equal(places(effect.at), "12345");
    assert_int_equal(effect.certainty, 2);
}

/* ---- a match ---- */

static void test_match_goes_on(void **state)
{
    (void)state;
    start("match");
    type("3");
    assert_int_equal(view.cursor, 1);
    type("5");
    type("^U^U4"); /* given before: only this one changes, then the next that is open */
    assert_string_equal(places(view.at), "45--");
    assert_int_equal(view.cursor, 2);
    type("44"); /* a target may serve twice */
    assert_string_equal(places(view.at), "4544");
    assert_int_equal(view.cursor, 3);
    type("6");
    type("9");
    assert_string_equal(places(view.at), "4544");
    type("0");
    assert_string_equal(places(view.at), "454-");
    type("^U^B");
    assert_string_equal(places(view.at), "45--");
    assert_int_equal(type("^E"), EFFECT_NONE);
    assert_non_null(view.flash);
    assert_int_equal(type("^E"), EFFECT_ANSWER);
    assert_string_equal(places(effect.at), "45--");
}

static void test_match_answer(void **state)
{
    (void)state;
    start("match");
    assert_int_equal(type("^E^E^E"), EFFECT_NONE); /* nothing is never an answer */
    assert_int_equal(type("1234"), EFFECT_NONE);
    assert_int_equal(type("^E"), EFFECT_ANSWER);
    assert_string_equal(places(effect.at), "1234");
}

/* Panes of half a wide window are narrow, but not too narrow for short texts. */
static void test_match_beside(void **state)
{
    static const char *const lefts[] = { "Water", "Salt", "Ice", "Chalk" };
    static const char *const targets[] = { "H2O", "NaCl", "H2O as well", "CaCO3", "none" };
    (void)state;
    start("match");
    memcpy(question.choices, lefts, sizeof lefts);
    memcpy(question.targets, targets, sizeof targets);
    for (int columns = 118; columns <= 121; columns++) {
        view.columns = columns;
        assert_non_null(strstr(drawn(), "1  Water   –"));
    }
    view.columns = 40;
    type("1");
    assert_non_null(strstr(drawn(), "1  Water   1  H2O"));
    question.choices[1] = "Salt, as it comes to the table";
    assert_null(strstr(drawn(), "1  Water   1  H2O"));
}

static void test_match_many(void **state)
{
    (void)state;
    start("match-many");
    type("12"); /* 1 could go on: the cursor waits */
    assert_string_equal(places(view.at), "c-----");
    assert_int_equal(view.cursor, 1);
    type("1^D");
    assert_int_equal(view.cursor, 2);
    type("15"); /* 15 is none: 1 here, 5 for the next */
    assert_string_equal(places(view.at), "c115--");
    type("10");
    assert_string_equal(places(view.at), "c115a-");
    type("0");
    type("1^E");
    assert_string_equal(places(view.at), "c115a1");
    assert_int_equal(effect.kind, EFFECT_ANSWER);
}

static void test_targets(void **state)
{
    (void)state;
    start("match");
    type("^D ");
    assert_int_equal(view.lifted, 0);
    type("^D^D^D^D^D^D^U");
    assert_int_equal(view.lifted, 3);
    assert_int_equal(type("^E"), EFFECT_NONE); /* takes it */
    assert_string_equal(places(view.at), "-4--");
    assert_int_equal(view.cursor, 2);
    type(" ^T^X"); /* or nothing */
    assert_string_equal(places(view.at), "-4--");
    type(" ^T ");
    assert_string_equal(places(view.at), "-45-");
    type("^U^U ");
    assert_int_equal(view.lifted, 3); /* begins at what it has */
    type("1");
    assert_string_equal(places(view.at), "-15-");
    assert_int_equal(view.lifted, -1);
}

static void test_match_exam(void **state)
{
    (void)state;
    start("match-exam");
    assert_string_equal(places(view.at), "3-1-");
    assert_int_equal(type("n"), EFFECT_GO);
    assert_int_equal(press(KEY_CODE_BACKSPACE), EFFECT_NONE); /* one left's */
    assert_string_equal(places(view.at), "--1-");
    assert_int_equal(type("n"), EFFECT_NONE);
    assert_int_equal(press(KEY_CODE_DELETE), EFFECT_BLANK); /* the question's */
    assert_string_equal(places(view.at), "----");
}

/* ---- a card ---- */

static void test_card(void **state)
{
    (void)state;
    start("card");
    assert_null(strstr(drawn(), "once around"));
    assert_int_equal(type("3"), EFFECT_NONE);
    assert_false(view.revealed);
    assert_int_equal(type("^E"), EFFECT_NONE); /* turns it */
    assert_true(view.revealed);
    assert_non_null(strstr(drawn(), "once around"));
    assert_int_equal(type("^E^E ^E"), EFFECT_NONE); /* nothing chosen: no key held down grades */
    assert_non_null(view.flash);
    type("4^U^U^U^U");
    assert_int_equal(type("^E"), EFFECT_ANSWER);
    assert_int_equal(effect.grade, 1);
    assert_int_equal(type("2^E"), EFFECT_ANSWER);
    assert_int_equal(effect.grade, 2);
    type("5");
    type("0^E");
    assert_int_equal(effect.grade, 2);
    view_show(&view, SCREEN_QUESTION);
    assert_false(view.revealed);
}

static void test_card_moves(void **state)
{
    (void)state;
    start("card");
    type(" ^U^E");
    assert_int_equal(effect.grade, 4);
    start("card");
    type(" ^D^D^E");
    assert_int_equal(effect.grade, 2);
    type("^T^E");
    assert_int_equal(effect.grade, 4);
}

/* ---- all of them ---- */

/* The footer of each names its keys in the smallest window too, and no footer has a letter in a field. */
static void test_footers(void **state)
{
    (void)state;
    start("text");
    for (int i = 0; i < action_row_count; i++) {
        struct buffer keys;
        if (!action_here(&action_rows[i], &view))
            continue;
        buffer_init(&keys);
        action_keys(&action_rows[i], &view, &keys);
        assert_true(keys.length != 1); /* no single letter */
        buffer_finish(&keys);
    }
    assert_non_null(strstr(drawn(), "F10 finish"));
    type("^X");
    assert_non_null(strstr(drawn(), "q finish"));
    assert_non_null(strstr(drawn(), "Enter type"));
}

/* Whatever is shown next begins anew. */
static void test_begins_anew(void **state)
{
    (void)state;
    static const char *const names[] = { "text", "order", "match", "card" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        start(names[i]);
        type(" ^D 2");
        type("^X");
        view_show(&view, SCREEN_QUESTION);
        assert_string_equal(view.field, "");
        assert_int_equal(view.lifted, -1);
        assert_false(view.revealed || view.left_field || view.picked[0] || view.picked[1]);
        assert_false(way_of(&question)->any(&view, &question));
    }
}

/* The hardware cursor stands where the next key acts. */
static void test_focus(void **state)
{
    (void)state;
    struct grid grid;
    start("number");
    type("12^L");
    assert_true(grid_init(&grid, 24, 80));
    view_draw(&view, &grid);
    assert_string_equal(grid_at(&grid, grid.focus_row, grid.focus_column)->text, "2");
    assert_int_equal(grid_at(&grid, grid.focus_row, grid.focus_column)->role, ROLE_FIELD);
    start("order");
    type("^D ^D");
    view_draw(&view, &grid);
    assert_string_equal(grid_at(&grid, grid.focus_row, grid.focus_column)->text, "↕");
    assert_string_equal(grid_at(&grid, grid.focus_row, grid.focus_column + 2)->text, "3");
    grid_finish(&grid);
}

int main(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_letters_are_text), cmocka_unit_test(test_leaving),
        cmocka_unit_test(test_nothing_typed),    cmocka_unit_test(test_remark),
        cmocka_unit_test(test_pasted_newlines),  cmocka_unit_test(test_report_keeps_the_answer),
        cmocka_unit_test(test_field_exam),       cmocka_unit_test(test_field_sure),
        cmocka_unit_test(test_tried_field),      cmocka_unit_test(test_carry),
        cmocka_unit_test(test_places),           cmocka_unit_test(test_two_digits),
        cmocka_unit_test(test_order_answer),     cmocka_unit_test(test_order_exam),
        cmocka_unit_test(test_order_certainty),  cmocka_unit_test(test_match_goes_on),
        cmocka_unit_test(test_match_answer),     cmocka_unit_test(test_match_beside),
        cmocka_unit_test(test_match_many),       cmocka_unit_test(test_targets),
        cmocka_unit_test(test_match_exam),       cmocka_unit_test(test_card),
        cmocka_unit_test(test_card_moves),       cmocka_unit_test(test_footers),
        cmocka_unit_test(test_begins_anew),      cmocka_unit_test(test_focus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
