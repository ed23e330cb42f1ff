#include "pty_private.h"

#include <setjmp.h>
#include <stdarg.h>
/* cmocka.h needs the three above */
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PIECE = 65536, POLL_MS = 20 };

int64_t pty_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void pty_keep(struct pty *pty, const char *bytes, size_t length)
{
    if (pty->log_length + length + 1 > pty->log_capacity) {
        pty->log_capacity = (pty->log_length + length + 1) * 2;
        pty->log = realloc(pty->log, pty->log_capacity);
        assert_non_null(pty->log);
    }
    memcpy(pty->log + pty->log_length, bytes, length);
    pty->log_length += length;
    pty->log[pty->log_length] = '\0';
}

/* ── the program ── */

static void pty_environment(const struct pty_options *options)
{
    static const char *const base[] = { "PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "TZ=UTC",
                                        "TERM=xterm-256color", "HOME=/nonexistent" };
    /* what sanitizers are told must reach the program as well */
    const char *asan = getenv("ASAN_OPTIONS"), *ubsan = getenv("UBSAN_OPTIONS");
    char *asan_copy = asan ? strdup(asan) : NULL, *ubsan_copy = ubsan ? strdup(ubsan) : NULL;
    clearenv();
    if (asan_copy)
        setenv("ASAN_OPTIONS", asan_copy, 1);
    if (ubsan_copy)
        setenv("UBSAN_OPTIONS", ubsan_copy, 1);
    for (size_t i = 0; i < sizeof base / sizeof *base; i++)
        putenv(strdup(base[i]));
    for (int i = 0; i < PTY_ARGUMENTS && options->environment[i]; i++)
        putenv(strdup(options->environment[i])); /* without a `=` it is removed */
}

/* In the child: the slave becomes the controlling terminal and all three descriptors. */
static void pty_take_terminal(const char *slave_name)
{
    setsid();
    int slave = open(slave_name, O_RDWR);
    if (slave < 0)
        _exit(126);
    ioctl(slave, TIOCSCTTY, 0);
    for (int i = 0; i < 3; i++)
        dup2(slave, i);
    if (slave > 2)
        close(slave);
}

static void pty_execute(const struct pty_options *options)
{
    char *arguments[PTY_ARGUMENTS + 2] = { strdup(options->program) };
    for (int i = 0; i < PTY_ARGUMENTS && options->arguments[i]; i++)
        arguments[i + 1] = strdup(options->arguments[i]);
    struct rlimit none = { 0, 0 };
    setrlimit(RLIMIT_CORE, &none); /* tests crash programs on purpose */
    pty_environment(options);
    if (options->prepare)
        options->prepare(options->prepared_by);
    for (int i = 0; i < 3; i++)
        if (options->closed & 1 << i)
            close(i);
    execv(options->program, arguments);
    _exit(127);
}

static void pty_set_size(int descriptor, int rows, int columns)
{
    struct winsize size = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns };
    if (ioctl(descriptor, TIOCSWINSZ, &size) != 0)
        fail_msg("the pty takes no size %dx%d: %s", rows, columns, strerror(errno));
}

static void pty_make(struct pty *pty, char *name, size_t size)
{
    pty->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (pty->master < 0 || grantpt(pty->master) != 0 || unlockpt(pty->master) != 0 ||
        ptsname_r(pty->master, name, size) != 0)
        fail_msg("no pty: %s", strerror(errno));
    /* held open, so that the modes outlive the program and can be looked at */
    pty->slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (pty->slave < 0)
        fail_msg("%s can't be opened: %s", name, strerror(errno));
}

struct pty *pty_start(const struct pty_options *options)
{
    struct pty *pty = calloc(1, sizeof *pty);
    assert_non_null(pty);
    int rows = options->rows ? options->rows : 24, columns = options->columns ? options->columns : 80;
    pty->job = options->job;
    pty->watched = options->watched;
    pty->deaf = options->deaf;
    char name[64];
    pty_make(pty, name, sizeof name);
    pty_set_size(pty->master, rows > 0 ? rows : 0, columns > 0 ? columns : 0);
    pty_modes(pty, &pty->first_modes);
    pty_model(pty, rows > 0 ? rows : 24, columns > 0 ? columns : 80);
    if (pty->job && !shell_prepare(&pty->shell))
        fail_msg("no pipes: %s", strerror(errno));
    if (pty->watched && !watch_prepare(&pty->watch))
        fail_msg("no memory to share: %s", strerror(errno));
    pty->leader = fork();
    assert_true(pty->leader >= 0);
    if (pty->leader == 0) {
        close(pty->master); /* the small shell executes nothing that would close them */
        close(pty->slave);
        /* who runs the tests may ignore these (nohup, a job in the background); a login on a terminal does
         * not */
        signal(SIGHUP, SIG_DFL);
        signal(SIGINT, SIG_DFL);
        signal(SIGQUIT, SIG_DFL);
        if (pty->watched && !watch_lead(&pty->watch))
            _exit(0);
        pty_take_terminal(name);
        if (pty->job && !shell_lead(&pty->shell))
            _exit(0);
        pty_execute(options);
    }
    if (pty->job && !shell_begin(&pty->shell))
        fail_msg("the small shell does not start");
    if (pty->watched && !watch_begin(&pty->watch))
        fail_msg("a program can't be watched here: ptrace is refused");
    return pty;
}

pid_t pty_program(struct pty *pty)
{
    return pty->job ? pty->shell.program : pty->watched ? watch_program(&pty->watch) : pty->leader;
}

void pty_signal(struct pty *pty, int number)
{
    kill(pty_program(pty), number);
}

/* Notes stops and the end. */
static void pty_notice(struct pty *pty)
{
    int status;
    if (pty->ended)
        return;
    if (pty->job) {
        while (shell_hear(&pty->shell, &status)) {
            pty->stopped = WIFSTOPPED(status);
            if (!pty->stopped) {
                pty->ended = true;
                pty->status = status;
                return;
            }
        }
        return;
    }
    if (pty->watched) {
        pty->ended = watch_ended(&pty->watch, &pty->status);
        return;
    }
    if (waitpid(pty->leader, &status, WNOHANG | WUNTRACED) == pty->leader) {
        pty->stopped = WIFSTOPPED(status);
        pty->ended = !pty->stopped;
        pty->status = status;
    }
}

void pty_finish(struct pty *pty)
{
    if (!pty)
        return;
    pty_notice(pty);
    if (!pty->ended)
        kill(pty_program(pty), SIGKILL);
    if (pty->job)
        shell_finish(&pty->shell);
    if (pty->job || pty->watched || !pty->ended) {
        kill(pty->leader, SIGKILL);
        waitpid(pty->leader, NULL, 0);
    }
    if (pty->watched)
        watch_finish(&pty->watch);
    if (pty->master >= 0)
        close(pty->master);
    close(pty->slave);
    vterm_free(pty->model);
    free(pty->log);
    free(pty);
}

void pty_hang_up(struct pty *pty)
{
    close(pty->master);
    pty->master = -1;
}

void pty_continue(struct pty *pty)
{
    pty->stopped = false;
    if (pty->job)
        shell_continue(&pty->shell);
    else
        pty_signal(pty, SIGCONT);
}

int pty_children(struct pty *pty)
{
    return watch_children(&pty->watch);
}

int pty_programs(struct pty *pty)
{
    return watch_programs(&pty->watch);
}

int pty_stops(struct pty *pty)
{
    return watch_stops(&pty->watch);
}

/* A moment's stop for the watcher is none; those of a job it counts. */
bool pty_foreground(struct pty *pty)
{
    char path[64], line[1024], state;
    int group, session, terminal, foreground;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pty_program(pty));
    FILE *file = fopen(path, "r");
    char *read = file ? fgets(line, sizeof line, file) : NULL;
    if (file)
        fclose(file);
    char *at = read ? strrchr(line, ')') : NULL; /* behind the name, which may hold anything */
    return at &&
           sscanf(at + 1, " %c %*d %d %d %d %d", &state, &group, &session, &terminal, &foreground) == 5 &&
           strchr(pty->watched ? "RSDt" : "RSD", state) && group == foreground &&
           session == (int)pty_program(pty);
}

/* ── input and output ── */

void pty_send(struct pty *pty, const char *bytes, ptrdiff_t length)
{
    int64_t deadline = pty_now() + PTY_DEADLINE_MS;
    while (length > 0) {
        ssize_t wrote = write(pty->master, bytes, (size_t)length);
        if (wrote < 0 && errno != EAGAIN && errno != EINTR)
            fail_msg("nothing can be typed: %s", strerror(errno));
        if (wrote > 0) {
            bytes += wrote;
            length -= wrote;
            continue;
        }
        if (pty_now() > deadline)
            fail_msg("the program does not read what is typed");
        struct pollfd watched = { .fd = pty->master, .events = POLLOUT };
        poll(&watched, 1, POLL_MS);
    }
}

void pty_type(struct pty *pty, const char *text)
{
    pty_send(pty, text, (ptrdiff_t)strlen(text));
}

/* Whether the program's first thread is waiting for something to happen; true as well where that can't be
 * known. */
static bool pty_is_waiting(const struct pty *pty)
{
    char path[64], call[16] = "";
    snprintf(path, sizeof path, "/proc/%d/syscall", (int)pty->leader);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return true;
    ssize_t got = read(fd, call, sizeof call - 1);
    close(fd);
    if (got <= 0)
        return true;
    static const long waiting[] = {
#ifdef SYS_poll
        SYS_poll,
        SYS_select,
#endif
        SYS_ppoll,
        SYS_pselect6,
    };
    char *end;
    long number = strtol(call, &end, 10);
    for (size_t i = 0; end != call && i < sizeof waiting / sizeof *waiting; i++)
        if (number == waiting[i])
            return true;
    return false; /* "running", or at something else */
}

void pty_settle(struct pty *pty)
{
    enum { SETTLED_MS = 3000 };
    int64_t deadline = pty_now() + SETTLED_MS;
    while (!pty->job && !pty_ended(pty) && !pty_is_waiting(pty) && pty_now() < deadline)
        pty_pump(pty, 1);
}

void pty_resize(struct pty *pty, int rows, int columns)
{
    while (pty_pump(pty, 0)) {
    }
    pty_model_resize(pty, rows, columns);
    pty_set_size(pty->master, rows, columns); /* the kernel sends SIGWINCH */
}

bool pty_pump(struct pty *pty, int timeout_ms)
{
    static char piece[PIECE];
    pty_notice(pty);
    if (pty->master < 0) {
        poll(NULL, 0, timeout_ms);
        return false;
    }
    struct pollfd watched = { .fd = pty->master, .events = POLLIN };
    if (poll(&watched, 1, timeout_ms) <= 0)
        return false;
    ssize_t got = read(pty->master, piece, sizeof piece);
    if (got <= 0)
        return false;
    pty_keep(pty, piece, (size_t)got);
    vterm_input_write(pty->model, piece, (size_t)got);
    pty_look_for_forbidden(pty);
    return true;
}

void pty_pump_for(struct pty *pty, int ms)
{
    int64_t deadline = pty_now() + ms;
    for (int64_t left; (left = deadline - pty_now()) > 0;)
        pty_pump(pty, (int)left);
}

const char *pty_log(struct pty *pty, ptrdiff_t *length)
{
    if (length)
        *length = (ptrdiff_t)pty->log_length;
    return pty->log ? pty->log : "";
}

void pty_log_clear(struct pty *pty)
{
    pty->log_length = 0;
}

bool pty_log_has(struct pty *pty, const char *bytes)
{
    return pty->log_length && memmem(pty->log, pty->log_length, bytes, strlen(bytes)) != NULL;
}

bool pty_sent_colour(struct pty *pty)
{
    ptrdiff_t length;
    const char *log = pty_log(pty, &length), *end = log + length;
    for (const char *at = log; (at = memmem(at, (size_t)(end - at), "\033[", 2)); at += 2) {
        const char *digit = at + 2;
        int number = 0;
        for (; digit < end && ((*digit >= '0' && *digit <= '9') || *digit == ';'); digit++) {
            number = *digit == ';' ? 0 : number * 10 + (*digit - '0');
            bool colour = (number >= 30 && number <= 49) || (number >= 90 && number <= 107);
            bool whole = digit + 1 >= end || digit[1] == ';' || digit[1] == 'm';
            size_t rest = strspn(digit + 1, "0123456789;");
            if (colour && whole && digit + 1 + rest < end && digit[1 + rest] == 'm')
                return true;
        }
    }
    return false;
}

/* ── waiting ── */

bool pty_wait(struct pty *pty, bool (*holds)(struct pty *pty, const void *context), const void *context)
{
    int64_t deadline = pty_now() + PTY_DEADLINE_MS;
    while (!holds(pty, context)) {
        if (pty_now() > deadline)
            return false;
        pty_pump(pty, POLL_MS);
    }
    return true;
}

static bool pty_holds_text(struct pty *pty, const void *context)
{
    return pty_has(pty, context);
}

static bool pty_holds_no_text(struct pty *pty, const void *context)
{
    return !pty_has(pty, context);
}

bool pty_wait_text(struct pty *pty, const char *text)
{
    return pty_wait(pty, pty_holds_text, text);
}

bool pty_wait_gone(struct pty *pty, const char *text)
{
    return pty_wait(pty, pty_holds_no_text, text);
}

static bool pty_holds_cursor(struct pty *pty, const void *context)
{
    const int *place = context;
    int row, column;
    bool visible;
    pty_cursor(pty, &row, &column, &visible);
    return visible && row == place[0] && column == place[1];
}

bool pty_wait_cursor(struct pty *pty, int row, int column)
{
    int place[2] = { row, column };
    return pty_wait(pty, pty_holds_cursor, place);
}

struct pty_row_wanted {
    int row;
    const char *text;
};

static bool pty_holds_row(struct pty *pty, const void *context)
{
    const struct pty_row_wanted *wanted = context;
    char text[PTY_LINE];
    pty_row(pty, wanted->row, text);
    return strcmp(text, wanted->text) == 0;
}

bool pty_wait_row(struct pty *pty, int row, const char *text)
{
    struct pty_row_wanted wanted = { row, text };
    return pty_wait(pty, pty_holds_row, &wanted);
}

static bool pty_holds_output(struct pty *pty, const void *context)
{
    return pty_log_has(pty, context);
}

bool pty_wait_output(struct pty *pty, const char *bytes)
{
    return pty_wait(pty, pty_holds_output, bytes);
}

static bool pty_holds_end(struct pty *pty, const void *context)
{
    (void)context;
    return pty->ended;
}

int pty_wait_exit(struct pty *pty)
{
    if (!pty_wait(pty, pty_holds_end, NULL))
        return -1;
    while (pty_pump(pty, 0)) {
    }
    return pty->status;
}

bool pty_ended(struct pty *pty)
{
    pty_notice(pty);
    return pty->ended;
}

static bool pty_holds_stop(struct pty *pty, const void *context)
{
    (void)context;
    return pty->stopped;
}

bool pty_wait_stopped(struct pty *pty)
{
    bool stopped = pty_wait(pty, pty_holds_stop, NULL);
    while (pty_pump(pty, 0)) {
    }
    return stopped;
}

static bool pty_holds_raw(struct pty *pty, const void *context)
{
    (void)context;
    struct termios modes;
    pty_modes(pty, &modes);
    return (modes.c_lflag & (ICANON | ISIG | ECHO)) == 0 && (modes.c_iflag & IXON) == 0;
}

bool pty_wait_raw(struct pty *pty)
{
    return pty_wait(pty, pty_holds_raw, NULL);
}

void pty_require(struct pty *pty, bool holds, const char *what)
{
    if (holds)
        return;
    pty_print(pty);
    fail_msg("%s", what);
}

void pty_modes(struct pty *pty, struct termios *modes)
{
    if (tcgetattr(pty->slave, modes) != 0)
        fail_msg("the pty has no modes: %s", strerror(errno));
}

void pty_first_modes(struct pty *pty, struct termios *modes)
{
    *modes = pty->first_modes;
}

void pty_set_modes(struct pty *pty, const struct termios *modes)
{
    if (tcsetattr(pty->slave, TCSANOW, modes) != 0)
        fail_msg("the pty takes no modes: %s", strerror(errno));
}

bool pty_modes_equal(const struct termios *one, const struct termios *other)
{
    return one->c_iflag == other->c_iflag && one->c_oflag == other->c_oflag &&
           one->c_cflag == other->c_cflag && one->c_lflag == other->c_lflag &&
           memcmp(one->c_cc, other->c_cc, sizeof one->c_cc) == 0;
}
