#include <quiztutor/memory.h>
#include <quiztutor/message.h>
#include <quiztutor/terminal.h>
#include <quiztutor/text.h>

#include "curses_decoder.h"
#include "curses_description.h"
#include "curses_glyph.h"
#include "curses_keys.h"
#include "curses_signals.h"
#include "curses_signs.h"
#include "curses_theme.h"

#define NCURSES_NOMACROS
#define screen curses_screen /* the view has an enum of that name */
#include <curses.h>
#undef screen
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum {
    CODE_KEYS = 0x4000, /* our own key codes, far above ncurses' */
    ESCAPE_MS = 25,
    EMPTY_READS = 100, /* reads without a byte from a terminal that claims to have some */
    FLUSH_BYTES = 65536,
    FAREWELL_MS = 200, /* for a cursor report that is still on its way at the end */
};

#define PASTE_ON  "\033[?2004h"
#define PASTE_OFF "\033[?2004l"

struct terminal {
    SCREEN *screen;
    struct termios original;
    int input, output;
    int rows, columns;
    enum sign_set signs;
    bool lock, ansi, utf8;
    bool ended;   /* hung up */
    bool changed; /* a new size, or a new set of signs, has to be told */
    int64_t probed_at;
    struct decoder decoder;
    attr_t attributes[GRID_ROLES];
    short pairs[GRID_ROLES];
    cchar_t row[GRID_COLUMNS + 1];
};

/* The one that is open, for the way out through exit(). */
static struct terminal *opened;

static int64_t terminal_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

bool terminal_usable(struct error *error)
{
    if (!isatty(STDIN_FILENO))
        return error_set(error, ERROR_IO, tr("standard input is not a terminal"));
    if (!isatty(STDOUT_FILENO))
        return error_set(error, ERROR_IO, tr("standard output is not a terminal"));
    return description_name(error) != NULL;
}

/* ── opening ── */

/* The window's size within what a grid can have; unchanged where the system does not know it (a serial line).
 */
static void terminal_measure(const struct terminal *terminal, int *rows, int *columns)
{
    struct winsize size;
    if (ioctl(terminal->output, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0)
        return;
    *rows = size.ws_row > GRID_ROWS ? GRID_ROWS : size.ws_row;
    *columns = size.ws_col > GRID_COLUMNS ? GRID_COLUMNS : size.ws_col;
}

/* Gives ncurses the window's size. True when it is a new one. */
static bool terminal_fit(struct terminal *terminal)
{
    int rows = terminal->rows, columns = terminal->columns;
    terminal_measure(terminal, &rows, &columns);
    bool other = rows != terminal->rows || columns != terminal->columns;
    if (rows != getmaxy(stdscr) || columns != getmaxx(stdscr))
        resizeterm(rows, columns);
    terminal->rows = getmaxy(stdscr);
    terminal->columns = getmaxx(stdscr);
    return other;
}

/* ncurses hands out our own codes for the sequences of the table, its own for what terminfo adds. */
static void terminal_define_keys(void)
{
    for (int i = 0; i < keys_row_count; i++)
        define_key(keys_rows[i].sequence, CODE_KEYS + i);
}

static void terminal_dress(struct terminal *terminal, enum terminal_theme wanted)
{
    enum terminal_theme theme = theme_choose(wanted, getenv("NO_COLOR"), getenv("COLORFGBG"), getenv("TERM"));
    int colours = 0;
    if (theme != THEME_MONO && has_colors() && start_color() == OK && use_default_colors() == OK)
        colours = COLORS;
    for (int role = 0; role < GRID_ROLES; role++) {
        struct look look = theme_look(theme, colours, (enum grid_role)role);
        terminal->attributes[role] = (look.bold ? A_BOLD : 0) | (look.dim ? A_DIM : 0) |
                                     (look.underline ? A_UNDERLINE : 0) | (look.reverse ? A_REVERSE : 0);
        terminal->pairs[role] = 0;
        if (colours && look.colour >= 0 && init_pair((short)(role + 1), look.colour, -1) == OK)
            terminal->pairs[role] = (short)(role + 1);
    }
}

/* Raw, without flow control; what ncurses returns to after a stop. */
static bool terminal_raw(struct terminal *terminal)
{
    if (raw() == ERR || noecho() == ERR || nonl() == ERR)
        return false;
    struct termios modes;
    if (tcgetattr(terminal->input, &modes) != 0)
        return false;
    modes.c_iflag &= ~(tcflag_t)(IXON | IXOFF | IXANY | ISTRIP | INLCR | IGNCR | ICRNL | BRKINT | PARMRK);
    modes.c_lflag &= ~(tcflag_t)(ISIG | ICANON | ECHO | IEXTEN);
    if (tcsetattr(terminal->input, TCSADRAIN, &modes) != 0)
        return false;
    def_prog_mode();
    return true;
}

static void terminal_arm(struct terminal *terminal)
{
    struct signals_restore restore = { .descriptor = terminal->output, .modes = terminal->original };
    const char *paste_off = terminal->ansi ? PASTE_OFF : "";
    restore.length = (int)strlen(paste_off);
    memcpy(restore.bytes, paste_off, strlen(paste_off));
    restore.length += description_restore(restore.bytes + restore.length, SIGNALS_RESTORE - restore.length);
    signals_arm(&restore, terminal->lock);
}

/* What terminfo does not name goes past ncurses, whose own output is flushed after each update. */
static void terminal_send(const struct terminal *terminal, const char *bytes)
{
    size_t length = terminal->ansi ? strlen(bytes) : 0;
    while (length > 0) {
        ssize_t wrote = write(terminal->output, bytes, length);
        if (wrote < 0 && errno != EINTR)
            return;
        bytes += wrote < 0 ? 0 : wrote;
        length -= wrote < 0 ? 0 : (size_t)wrote;
    }
}

/*
 * Asks for the width of the signs: written in the second row, since a report from the first reads like a
 * function key. The first drawing wipes them away. The answer comes among the keys and costs no time, except
 * where wide signs are likely.
 */
static void terminal_probe(struct terminal *terminal)
{
    if (terminal->signs != SIGNS_UNICODE || !terminal->ansi || terminal->rows < 2 ||
        terminal->columns < SIGNS_PROBE_ROOM)
        return;
    terminal_send(terminal, "\033[2;1H" SIGNS_PROBE "\033[6n\033[2;1H\033[K\033[H");
    terminal->decoder.report_awaited = true;
    terminal->probed_at = terminal_now();
}

/* ── drawing ── */

/* A cell with its glyph and look; a blank for none, and for what would reach over the last column. */
static int terminal_set_cell(struct terminal *terminal, cchar_t *to, const struct grid_cell *cell, int room)
{
    wchar_t glyph[GLYPH_CHARACTERS + 1] = L" ";
    int role = cell && cell->role < GRID_ROLES ? cell->role : ROLE_TEXT;
    int columns = cell && cell->columns > 0 ? glyph_make(glyph, cell, terminal->utf8) : 1;
    if (columns > room) {
        glyph[0] = L' ';
        glyph[1] = L'\0';
        columns = 1;
    }
    if (setcchar(to, glyph, terminal->attributes[role], terminal->pairs[role], NULL) == ERR)
        setcchar(to, L"?", terminal->attributes[role], terminal->pairs[role], NULL);
    return columns;
}

static bool same_look(const struct grid_cell *one, const struct grid_cell *other)
{
    return one && other && one->columns == 1 && other->columns == 1 && one->role == other->role &&
           one->text[0] == other->text[0] && one->text[1] == '\0' && other->text[1] == '\0';
}

/* One whole row: writing over half of a wide glyph would shift what stands right of it. */
static void terminal_draw_row(struct terminal *terminal, const struct grid *grid, int row)
{
    int count = 0, column = 0;
    const struct grid_cell *before = NULL;
    while (column < terminal->columns && count < GRID_COLUMNS) {
        const struct grid_cell *cell = grid_at(grid, row, column);
        cchar_t *to = &terminal->row[count];
        if (same_look(before, cell)) { /* most of a screen is runs of blanks and rules */
            *to = to[-1];
            column++;
        } else {
            column += terminal_set_cell(terminal, to, cell, terminal->columns - column);
        }
        before = cell;
        count++;
    }
    mvadd_wchnstr(row, 0, terminal->row, count);
}

void terminal_draw(struct terminal *terminal, const struct grid *grid)
{
    for (int row = 0; row < terminal->rows; row++)
        terminal_draw_row(terminal, grid, row);
    bool focus = grid->focus_row >= 0 && grid->focus_row < terminal->rows && grid->focus_column >= 0 &&
                 grid->focus_column < terminal->columns;
    /* a cursor that can't be hidden rests where it disturbs least */
    move(focus ? grid->focus_row : terminal->rows - 1, focus ? grid->focus_column : 0);
    wnoutrefresh(stdscr);
    curs_set(focus ? 1 : 0);
    doupdate();
}

void terminal_redraw(struct terminal *terminal)
{
    (void)terminal;
    clearok(curscr, TRUE);
    wnoutrefresh(curscr);
    doupdate();
}

/* ── stopping and continuing ── */

static void terminal_leave(struct terminal *terminal)
{
    terminal_send(terminal, PASTE_OFF);
    curs_set(1);
    endwin();
    tcsetattr(terminal->input, TCSADRAIN, &terminal->original);
}

/* Takes the screen back from whoever had it: modes, keypad, paste, and every cell. */
static void terminal_resume(struct terminal *terminal)
{
    if (!isendwin())
        endwin();
    if (terminal_fit(terminal))
        terminal->changed = true;
    clearok(curscr, TRUE);
    wnoutrefresh(stdscr);
    doupdate();
    terminal_send(terminal, PASTE_ON);
}

void terminal_suspend(struct terminal *terminal)
{
    if (terminal->lock || !signals_can_stop())
        return;
    terminal_leave(terminal);
    signals_stop();
    struct termios modes;
    if (tcgetattr(terminal->input, &modes) == 0) {
        terminal->original = modes;
        signals_modes(&modes);
        def_shell_mode();
    }
    terminal_resume(terminal);
}

/* ── reading ── */

static int32_t terminal_key(int code)
{
    static const struct {
        int code;
        int32_t key;
    } keys[] = {
        { KEY_UP, KEY_CODE_UP },         { KEY_DOWN, KEY_CODE_DOWN },           { KEY_LEFT, KEY_CODE_LEFT },
        { KEY_RIGHT, KEY_CODE_RIGHT },   { KEY_HOME, KEY_CODE_HOME },           { KEY_END, KEY_CODE_END },
        { KEY_PPAGE, KEY_CODE_PAGE_UP }, { KEY_NPAGE, KEY_CODE_PAGE_DOWN },     { KEY_ENTER, KEY_CODE_ENTER },
        { KEY_DC, KEY_CODE_DELETE },     { KEY_FIND, KEY_CODE_HOME },           { KEY_SELECT, KEY_CODE_END },
        { KEY_A1, KEY_CODE_HOME },       { KEY_A3, KEY_CODE_PAGE_UP },          { KEY_C1, KEY_CODE_END },
        { KEY_C3, KEY_CODE_PAGE_DOWN },  { KEY_BACKSPACE, KEY_CODE_BACKSPACE },
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].code == code)
            return keys[i].key;
    return code >= KEY_F(1) && code <= KEY_F(12) ? KEY_CODE_F1 + (code - KEY_F(1)) : 0;
}

static void terminal_decode(struct terminal *terminal, int code, int64_t now)
{
    struct decoder *decoder = &terminal->decoder;
    int32_t key = 0;
    if (code == KEY_RESIZE)
        return; /* terminal_fit has told of it already */
    if (code >= CODE_KEYS && code < CODE_KEYS + keys_row_count)
        key = keys_rows[code - CODE_KEYS].key;
    else if (code >= KEY_MIN)
        key = terminal_key(code);
    if (code >= 0 && code < 256)
        decoder_byte(decoder, (unsigned char)code, now);
    else if (key == KEYS_PASTE_BEGINS || key == KEYS_PASTE_ENDS)
        decoder_paste(decoder, key == KEYS_PASTE_BEGINS, now);
    else if (key)
        decoder_key(decoder, key, now);
    if (!decoder->report_arrived)
        return;
    decoder->report_arrived = false;
    enum sign_set signs = signs_reported(terminal->signs, decoder->report_column);
    terminal->changed = terminal->changed || signs != terminal->signs;
    if (signs != terminal->signs)
        clearok(curscr, TRUE); /* what was drawn so far did not fall where ncurses thinks */
    terminal->signs = signs;
}

/* Takes what ncurses has, waiting up to timeout_ms for it, and gives it to the decoder. */
static enum arrival terminal_take(struct terminal *terminal, int timeout_ms)
{
    sigset_t mask;
    signals_block(&mask);
    enum arrival arrival = signals_pending() ? ARRIVAL_SIGNAL : ARRIVAL_SOMETHING;
    for (int empty = 0; arrival == ARRIVAL_SOMETHING; empty++) {
        errno = 0;
        int code = wgetch(stdscr);
        if (code != ERR) {
            terminal_decode(terminal, code, terminal_now());
            break;
        }
        bool gone = (errno != 0 && errno != EINTR && errno != EAGAIN) || empty >= EMPTY_READS;
        bool end_of_file = empty > 0 && errno == 0; /* there was something to read, and it was nothing */
        arrival = gone || end_of_file ? ARRIVAL_END : signals_wait(terminal->input, timeout_ms, &mask);
    }
    signals_unblock(&mask);
    return arrival;
}

/* What the noted signals ask for. */
static void terminal_attend(struct terminal *terminal)
{
    if (signals_take_stop())
        terminal_suspend(terminal);
    bool back = signals_take_continue();
    if (signals_take_disturbed()) {
        struct termios modes;
        tcgetattr(terminal->input, &modes); /* waits until the driver has done its worst */
        back = true;
    }
    if (back)
        terminal_resume(terminal);
    if (signals_take_resize() && terminal_fit(terminal))
        terminal->changed = true;
}

static int terminal_shorter(int one, int other)
{
    return one < 0 ? other : other < 0 || one < other ? one : other;
}

void terminal_read(struct terminal *terminal, struct input *input, int timeout_ms)
{
    memset(input, 0, sizeof *input);
    int64_t now = terminal_now(), deadline = now + timeout_ms;
    for (;;) {
        terminal_attend(terminal);
        if (terminal->ended || signals_ending()) {
            input->kind = INPUT_HANGUP;
            return;
        }
        if (terminal->changed) {
            terminal->changed = false;
            *input =
                (struct input){ .kind = INPUT_RESIZE, .rows = terminal->rows, .columns = terminal->columns };
            return;
        }
        if (decoder_next(&terminal->decoder, input))
            return;
        now = terminal_now();
        int left = timeout_ms < 0 ? -1 : deadline > now ? (int)(deadline - now) : 0;
        enum arrival arrival =
            terminal_take(terminal, terminal_shorter(left, decoder_wait(&terminal->decoder, now)));
        if (arrival == ARRIVAL_END)
            terminal->ended = true;
        if (arrival != ARRIVAL_NOTHING)
            continue;
        now = terminal_now();
        decoder_time(&terminal->decoder, now);
        if (timeout_ms >= 0 && now >= deadline && terminal->decoder.count == 0)
            return;
    }
}

void terminal_flush(struct terminal *terminal)
{
    for (int i = 0; i < FLUSH_BYTES && !terminal->ended && !signals_ending(); i++) {
        terminal->decoder.first = terminal->decoder.count = 0;
        terminal_attend(terminal);
        enum arrival arrival = terminal_take(terminal, 0);
        if (arrival == ARRIVAL_END)
            terminal->ended = true;
        if (arrival == ARRIVAL_NOTHING)
            break;
    }
    decoder_flush(&terminal->decoder);
}

/* Where wide signs are likely, nothing is drawn before the answer; without one they are taken to be wide. */
static void terminal_await_report(struct terminal *terminal)
{
    int64_t deadline = terminal->probed_at + SIGNS_PROBE_MS;
    while (terminal->decoder.report_awaited && !signals_ending()) {
        int64_t now = terminal_now();
        if (now >= deadline || terminal_take(terminal, (int)(deadline - now)) == ARRIVAL_END)
            break;
        terminal_attend(terminal);
    }
    if (terminal->decoder.report_awaited)
        terminal->signs = SIGNS_ASCII;
    terminal->changed = false;
}

/* ── opening and closing ── */

static void terminal_exit(void)
{
    terminal_close(opened);
}

static bool terminal_start(struct terminal *terminal, const char *name)
{
    /* The one moment in which these two are of use: ncurses must never see a size without limits. */
    int rows = 0, columns = 0;
    terminal_measure(terminal, &rows, &columns);
    unsetenv("LINES");
    unsetenv("COLUMNS");
    char number[16];
    if (rows > 0) {
        snprintf(number, sizeof number, "%d", rows);
        setenv("LINES", number, 1);
        snprintf(number, sizeof number, "%d", columns);
        setenv("COLUMNS", number, 1);
    }
    terminal->screen = newterm(name, stdout, stdin);
    unsetenv("LINES");
    unsetenv("COLUMNS");
    if (!terminal->screen)
        return false;
    const char *delay = getenv("ESCDELAY");
    if (!delay || !*delay)
        set_escdelay(ESCAPE_MS);
    terminal->ansi = description_is_ansi();
    if (!terminal_raw(terminal))
        return false;
    keypad(stdscr, TRUE);
    typeahead(-1);
    scrollok(stdscr, FALSE);
    leaveok(stdscr, FALSE);
    wtimeout(stdscr, 0);
    terminal_define_keys();
    terminal->rows = LINES;
    terminal->columns = COLS;
    terminal_fit(terminal);
    return true;
}

void terminal_expect(void)
{
    signals_hold();
}

void terminal_forgo(void)
{
    int number = signals_ending();
    signals_release();
    if (number)
        raise(number);
}

/* All that can go wrong. */
static bool terminal_begin(struct terminal *terminal, struct error *error)
{
    const char *name = description_name(error);
    if (!name)
        return false;
    if (tcgetattr(terminal->input, &terminal->original) != 0)
        return error_set(error, ERROR_IO, tr("the terminal's modes can't be read: %s"), strerror(errno));
    if (!terminal_start(terminal, name))
        return error_set(error, ERROR_IO, tr("the terminal \"%s\" can't be opened"), name);
    return true;
}

bool terminal_open(struct terminal **result, const struct terminal_options *options, struct error *error)
{
    *result = NULL;
    if (opened)
        return error_set(error, ERROR_USAGE, tr("the terminal is open already"));
    signals_hold();
    struct terminal *terminal = memory_zero(sizeof *terminal);
    if (!terminal)
        error_memory(error);
    else
        terminal->output = STDOUT_FILENO; /* input is 0 */
    if (!terminal || !terminal_usable(error) || !terminal_begin(terminal, error)) {
        int ending = signals_ending();
        terminal_close(terminal);
        signals_release();
        if (ending)
            raise(ending);
        return false;
    }
    opened = terminal;
    terminal->lock = options->lock;
    decoder_init(&terminal->decoder);
    terminal_arm(terminal);
    static bool registered;
    if (!registered)
        registered = atexit(terminal_exit) == 0;
    terminal_dress(terminal, options->theme);
    const char *codeset = nl_langinfo(CODESET);
    terminal->utf8 = strcmp(codeset, "UTF-8") == 0;
    bool asked = options->signs >= SIGNS_UNICODE && options->signs <= SIGNS_ASCII;
    terminal->signs = asked ? (enum sign_set)options->signs : signs_choose(codeset, getenv("TERM"));
    /* an empty screen first, since what is sent past ncurses must come after its own beginnings */
    wnoutrefresh(stdscr);
    doupdate();
    terminal_send(terminal, PASTE_ON);
    if (!asked)
        terminal_probe(terminal);
    *result = terminal;
    if (terminal->decoder.report_awaited && signs_wide_likely(setlocale(LC_CTYPE, NULL)))
        terminal_await_report(terminal);
    return true;
}

/* A cursor report still on its way must not be typed at the shell. */
static void terminal_farewell(struct terminal *terminal)
{
    if (!terminal->decoder.report_awaited || terminal_now() - terminal->probed_at > SIGNS_PROBE_MS)
        return;
    int64_t deadline = terminal_now() + FAREWELL_MS;
    for (int64_t now; terminal->decoder.report_awaited && (now = terminal_now()) < deadline;) {
        terminal->decoder.first = terminal->decoder.count = 0;
        if (terminal_take(terminal, (int)(deadline - now)) != ARRIVAL_SOMETHING)
            break;
    }
}

void terminal_close(struct terminal *terminal)
{
    if (!terminal)
        return;
    if (terminal->screen) {
        if (!terminal->ended)
            terminal_farewell(terminal);
        terminal_leave(terminal);
        delscreen(terminal->screen);
    }
    signals_release();
    opened = NULL;
    memory_free(terminal);
}

int terminal_signal(const struct terminal *terminal)
{
    (void)terminal;
    return signals_ending();
}

enum sign_set terminal_signs(const struct terminal *terminal)
{
    return terminal->signs;
}

void terminal_size(const struct terminal *terminal, int *rows, int *columns)
{
    *rows = terminal->rows;
    *columns = terminal->columns;
}
