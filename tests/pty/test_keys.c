/* What is typed arrives as what it is: keys, split sequences, pastes, and keys pressed before the screen was
 * there. */
#include "probe_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static void test_both_forms_of_the_arrows(void **state)
{
    (void)state;
    struct pty *pty = probe_start((struct pty_options){ 0 });
    pty_type(pty, "\033[A\033OA\033[B\033OB\033[C\033OC\033[D\033OD");
    probe_saw(pty, " Up Up Down Down Right Right Left Left");
    probe_quit(pty);
}

static void test_named_keys(void **state)
{
    (void)state;
    struct pty *pty = probe_start((struct pty_options){ 0 });
    pty_type(pty, "\033[H\033OH\033[1~\033[7~\033[F\033OF\033[4~\033[8~\033[3~\033[5~\033[6~");
    probe_saw(pty, " Home Home Home Home End End End End Delete PageUp PageDown");
    probe_quit(pty);
    pty = probe_start((struct pty_options){ 0 });
    pty_type(pty, "\033OP\033OQ\033OR\033OS\033[11~\033[[B\033[15~\033[17~\033[18~\033[19~\033[20~\033[21~"
                  "\033[23~\033[24~");
    probe_saw(pty, " F1 F2 F3 F4 F1 F2 F5 F6 F7 F8 F9 F10 F11 F12");
    probe_quit(pty);
}

static void test_controls_are_keys(void **state)
{
    (void)state;
    struct pty *pty = probe_start((struct pty_options){ 0 });
    /* none of these may signal, stop the flow or be taken by the line discipline */
    pty_type(pty, "\001\003\021\023\023\026\017\031\034\004\005");
    probe_saw(pty, " ^A ^C ^Q ^S ^S ^V ^O ^Y ^D ^E");
    pty_type(pty, "\r\n\t\b\177 ");
    probe_saw(pty, " ^A ^C ^Q ^S ^S ^V ^O ^Y ^D ^E Enter Enter Tab Backspace Backspace Space");
    probe_quit(pty);
}

static void test_characters_beyond_ascii(void **state)
{
    (void)state;
    struct pty *pty = probe_start((struct pty_options){ 0 });
    pty_type(pty, "\xc3");
    pty_pump_for(pty, 50);
    pty_type(pty, "\xa9\xe6\xbc");
    pty_pump_for(pty, 50);
    pty_type(pty, "\xa2x\xff\xc3y\xf0\x9f\x99\x82z");
    probe_saw(pty, " \xc3\xa9 \xe6\xbc\xa2 x y \xf0\x9f\x99\x82 z");
    probe_quit(pty);
}

/* One byte a write, with a pause in which whoever takes the ESC for a key has done so. */
static void type_slowly(struct pty *pty, const char *bytes)
{
    for (; *bytes; bytes++) {
        pty_send(pty, bytes, 1);
        pty_pump_for(pty, 60);
    }
}

static void test_a_split_sequence_is_swallowed(void **state)
{
    (void)state;
    static const char *const sequences[] = { "\033[A", "\033OA", "\033[15~", "\033[1;5C", "\033Oq" };
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++) {
        struct pty *pty = probe_start((struct pty_options){ 0 });
        pty_type(pty, "\033");
        probe_saw(pty, " Escape");
        type_slowly(pty, sequences[i] + 1);
        pty_type(pty, "z");
        probe_saw(pty, " Escape z");
        probe_quit(pty);
    }
}

static void test_a_sequence_split_after_its_introducer(void **state)
{
    (void)state;
    struct pty *pty = probe_start((struct pty_options){ 0 });
    pty_type(pty, "\033[");
    pty_pump_for(pty, 100);
    pty_type(pty, "Az");
    probe_saw(pty, " Up z");
    probe_quit(pty);
}

static void test_keys_after_escape(void **state)
{
    (void)state;
    struct pty *pty = probe_start((struct pty_options){ 0 });
    pty_type(pty, "\033");
    probe_saw(pty, " Escape");
    pty_type(pty, "x");
    probe_saw(pty, " Escape x");
    pty_type(pty, "\0331");
    probe_saw(pty, " Escape x Escape 1");
    pty_type(pty, "\033");
    probe_saw(pty, " Escape x Escape 1 Escape");
    pty_type(pty, "[");
    probe_saw(pty, " Escape x Escape 1 Escape [");
    pty_type(pty, "\033\033");
    probe_saw(pty, " Escape x Escape 1 Escape [ Escape Escape");
    pty_type(pty, "O\r");
    probe_saw(pty, " Escape x Escape 1 Escape [ Escape Escape O Enter");
    probe_quit(pty);
}

static void test_unknown_sequences_do_nothing(void **state)
{
    (void)state;
    struct pty *pty = probe_start((struct pty_options){ 0 });
    pty_type(pty,
             "\033[99~\033[?1;2c\033[I\033[O\033[Z\033[1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17;18;19;20Rz");
    probe_saw(pty, " z");
    probe_quit(pty);
}

static void test_a_paste_is_no_key(void **state)
{
    (void)state;
    struct pty *pty = probe_start((struct pty_options){ 0 });
    pty_type(pty, "\033[200~1\n2\r\033[Aq\003\t\xc3\xa9\033[201~z");
    probe_saw(pty, " paste:1 paste:<10> paste:2 paste:<10> paste:q paste:Space paste:\xc3\xa9 z");
    probe_quit(pty);
}

static void test_a_paste_split_anywhere(void **state)
{
    (void)state;
    static const char paste[] = "\033[200~1\n2\n\033[201~";
    for (size_t at = 1; at + 1 < sizeof paste; at++) {
        struct pty *pty = probe_start((struct pty_options){ 0 });
        pty_send(pty, paste, (ptrdiff_t)at);
        pty_pump_for(pty, 60);
        pty_type(pty, paste + at);
        pty_type(pty, "z");
        char wanted[128];
        snprintf(wanted, sizeof wanted, "%s paste:1 paste:<10> paste:2 paste:<10> z",
                 at == 1 ? " Escape" : "");
        probe_saw(pty, wanted);
        probe_quit(pty);
    }
}

static void test_flush_forgets_what_was_typed(void **state)
{
    (void)state;
    struct pty *pty = probe_start((struct pty_options){ 0 });
    pty_type(pty, "Fabc\033[A\r\r");
    pty_pump_for(pty, 60);
    pty_type(pty, "z");
    probe_saw(pty, " F z");
    probe_quit(pty);
}

static void test_an_interrupt_before_the_screen(void **state)
{
    (void)state;
    for (int round = 0; round < 25 * probe_rounds; round++) {
        struct pty *pty = probe_launch((struct pty_options){ .arguments = { "ready" } });
        pty_require(pty, pty_wait_output(pty, "ready"), "the probe does not start");
        for (int i = 0; i < 8; i++)
            pty_type(pty, "\003\034");
        pty_require(pty, pty_wait_text(pty, "probe 24x80"), "a key has killed the probe");
        probe_quit(pty);
    }
}

static void test_a_known_key_name_for_each_terminal(void **state)
{
    (void)state;
    /* terminals whose descriptions know other sequences: both those and the usual ones work */
    static const char *const terms[] = { "TERM=vt100",     "TERM=linux",         "TERM=screen",
                                         "TERM=rxvt",      "TERM=tmux-256color", "TERM=xterm-foo",
                                         "TERM=alacritty", "TERM=foot-extra",    "TERM=vt220" };
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
        struct pty *pty = probe_start((struct pty_options){ .environment = { terms[i] } });
        pty_type(pty, "\033[A\033OB\033[5~\033[200~1\033[201~z");
        probe_saw(pty, " Up Down PageUp paste:1 z");
        probe_quit(pty);
    }
}

int main(int count, char **arguments)
{
    probe_arguments(count, arguments);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_forms_of_the_arrows),
        cmocka_unit_test(test_named_keys),
        cmocka_unit_test(test_controls_are_keys),
        cmocka_unit_test(test_characters_beyond_ascii),
        cmocka_unit_test(test_a_split_sequence_is_swallowed),
        cmocka_unit_test(test_a_sequence_split_after_its_introducer),
        cmocka_unit_test(test_keys_after_escape),
        cmocka_unit_test(test_unknown_sequences_do_nothing),
        cmocka_unit_test(test_a_paste_is_no_key),
        cmocka_unit_test(test_a_paste_split_anywhere),
        cmocka_unit_test(test_flush_forgets_what_was_typed),
        cmocka_unit_test(test_an_interrupt_before_the_screen),
        cmocka_unit_test(test_a_known_key_name_for_each_terminal),
    };
    return cmocka_run_group_tests_name("pty keys", tests, NULL, NULL);
}
