/*
 * A small program on terminal.h that shows what arrives: the window's size and signs in the first row, the
 * names of the latest inputs in the second, a focus cell that the arrows move, each role's look, and a row of
 * wide glyphs.
 */
#include <quiztutor/memory.h>
#include <quiztutor/message.h>
#include <quiztutor/terminal.h>
#include <quiztutor/text.h>

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_ROLE_ROW = 4, WIDE_ROW = 3, LONGEST_HISTORY = 60000 };

struct probe {
    struct terminal *terminal;
    struct buffer history;
    int row, column; /* the focus */
    int wide;        /* which of the wide rows is shown */
    bool no_focus;
};

/* Each overwrites half of a glyph of the one before. */
static const char *const wide_rows[] = {
    "ab漢字かなe\u0301|end", "a漢b字|かなz|end",     "漢abかな字e\u0301x|end",
    "abcdefgh|end",          "漢字漢字漢字漢字|end",
};

static void probe_name(struct probe *probe, const struct input *input)
{
    static const char *const names[] = { "Enter", "Escape", "Tab",  "Backspace", "Delete", "Up",      "Down",
                                         "Left",  "Right",  "Home", "End",       "PageUp", "PageDown" };
    struct buffer *out = &probe->history;
    if (out->length > LONGEST_HISTORY)
        buffer_clear(out);
    if (input->kind == INPUT_RESIZE) {
        buffer_print(out, " resize:%dx%d", input->rows, input->columns);
        return;
    }
    buffer_text(out, input->kind == INPUT_PASTE ? " paste:" : " ");
    int32_t key = input->key;
    if (key < 0x20)
        buffer_print(out, "<%d>", key);
    else if (key == ' ')
        buffer_text(out, "Space");
    else if (key < KEY_CODE_ENTER)
        text_encode(out, key);
    else if (key <= KEY_CODE_PAGE_DOWN)
        buffer_text(out, names[key - KEY_CODE_ENTER]);
    else if (key <= KEY_CODE_F12)
        buffer_print(out, "F%d", key - KEY_CODE_F1 + 1);
    else
        buffer_print(out, "^%c", 'A' + (key - KEY_CODE_CONTROL_A));
}

static void probe_draw(struct probe *probe)
{
    static const char *const roles[GRID_ROLES] = {
        "text",  "strong", "dim",   "rule",    "bar",      "selected",        "right",
        "wrong", "key",    "field", "warning", "emphasis", "strong emphasis", "code"
    };
    int rows, columns;
    terminal_size(probe->terminal, &rows, &columns);
    struct grid grid;
    if (!grid_init(&grid, rows, columns))
        abort();
    char line[200];
    int length = snprintf(line, sizeof line, "probe %dx%d signs=%d", rows, columns,
                          (int)terminal_signs(probe->terminal));
    grid_put(&grid, 0, 0, columns, ROLE_STRONG, line, length);
    const char *history = buffer_get(&probe->history);
    ptrdiff_t whole = probe->history.length;
    ptrdiff_t shown = whole < columns - 2 ? whole : columns - 2;
    if (shown > 0) {
        grid_put(&grid, 1, 0, columns, ROLE_TEXT, history + whole - shown, shown);
        grid_put(&grid, 1, text_columns(history + whole - shown), 1, ROLE_TEXT, "$", 1);
    }
    const char *wide = wide_rows[probe->wide];
    grid_put(&grid, WIDE_ROW, 0, columns, ROLE_TEXT, wide, (ptrdiff_t)strlen(wide));
    for (int role = 0; role < GRID_ROLES; role++)
        grid_put(&grid, FIRST_ROLE_ROW + role, 2, columns, (enum grid_role)role, roles[role],
                 (ptrdiff_t)strlen(roles[role]));
    if (!probe->no_focus)
        grid_focus(&grid, probe->row, probe->column);
    terminal_draw(probe->terminal, &grid);
    grid_finish(&grid);
}

static void probe_fault(void)
{
    volatile uintptr_t nowhere = 8;
    *(volatile int *)nowhere = 1;
}

static void probe_overflow(int depth)
{
    volatile char room[65536];
    room[0] = (char)depth;
    if (depth < 1000000)
        probe_overflow(depth + room[0] + 1);
    room[1] = room[0];
}

/* Ways out and the like. False: quit. */
static bool probe_act(struct probe *probe, int32_t key)
{
    switch (key) {
    case 'q':
        return false;
    case 'X':
        exit(3); /* without closing */
    case 'A':
        abort();
    case 'S':
        probe_fault();
        break;
    case 'V':
        probe_overflow(0);
        break;
    case 'W':
        probe->wide = (probe->wide + 1) % (int)(sizeof wide_rows / sizeof *wide_rows);
        break;
    case 'N':
        probe->no_focus = !probe->no_focus;
        break;
    case 'F':
        terminal_flush(probe->terminal);
        break;
    case 'B': /* hangs, deaf to the first signal */
        for (;;)
            pause();
    case KEY_CODE_CONTROL_A + ('Z' - 'A'):
        terminal_suspend(probe->terminal);
        break;
    case KEY_CODE_CONTROL_A + ('L' - 'A'):
        terminal_redraw(probe->terminal);
        break;
    case KEY_CODE_UP:
        probe->row -= probe->row > 0;
        break;
    case KEY_CODE_DOWN:
        probe->row++;
        break;
    case KEY_CODE_LEFT:
        probe->column -= probe->column > 0;
        break;
    case KEY_CODE_RIGHT:
        probe->column++;
        break;
    default:
        break;
    }
    return true;
}

static int probe_run(struct probe *probe)
{
    for (;;) {
        struct input input;
        terminal_read(probe->terminal, &input, -1);
        if (input.kind == INPUT_HANGUP) {
            int signal_number = terminal_signal(probe->terminal);
            terminal_close(probe->terminal);
            if (signal_number)
                raise(signal_number);
            return 4;
        }
        probe_name(probe, &input);
        if (input.kind == INPUT_KEY && !probe_act(probe, input.key)) {
            terminal_close(probe->terminal);
            return 0;
        }
        probe_draw(probe);
    }
}

int main(int count, char **arguments)
{
    message_start();
    struct terminal_options options = { .signs = -1 };
    struct error error = { 0 };
    bool usable = false, ready = false, starve = false;
    for (int i = 1; i < count; i++) {
        const char *argument = arguments[i];
        usable = usable || strcmp(argument, "usable") == 0;
        ready = ready || strcmp(argument, "ready") == 0;
        starve = starve || strcmp(argument, "starve") == 0;
        options.lock = options.lock || strcmp(argument, "lock") == 0;
        options.theme = strcmp(argument, "dark") == 0    ? THEME_DARK
                        : strcmp(argument, "light") == 0 ? THEME_LIGHT
                        : strcmp(argument, "mono") == 0  ? THEME_MONO
                                                         : options.theme;
        if (strcmp(argument, "ascii") == 0)
            options.signs = SIGNS_ASCII;
    }
    if (usable) {
        bool able = terminal_usable(&error);
        printf("%s\n", able ? "usable" : error.message);
        return able ? 0 : 1;
    }
    terminal_expect();
    if (ready && write(STDOUT_FILENO, "ready\n", 6) != 6)
        return 1;
    struct probe probe = { .row = 2, .column = 5 };
    buffer_init(&probe.history);
    memory_fail_after(starve ? 1 : 0);
    if (!terminal_open(&probe.terminal, &options, &error)) {
        printf("%s\n", error.message);
        return 1;
    }
    probe_draw(&probe);
    int status = probe_run(&probe);
    buffer_finish(&probe.history);
    return status;
}
