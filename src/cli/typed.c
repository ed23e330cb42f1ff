#include "typed.h"
#include "stopping.h"

#include <quiztutor/line.h>
#include <quiztutor/message.h>
#include <quiztutor/pin.h>

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

enum { LOOK_MS = 200 }; /* how soon a signal is obeyed while nothing is typed */

/* How a line ended. */
enum ending { ENDING_LINE, ENDING_INPUT, ENDING_STOPPED };

/* Byte by byte, so that what follows the line is left to whom it is meant for. */
static enum ending read_line(struct typed *typed)
{
    struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
    typed->length = 0;
    while (!stopping_asked()) {
        char byte;
        int ready = poll(&input, 1, LOOK_MS);
        if (ready == 0 || (ready < 0 && errno == EINTR))
            continue;
        ssize_t got = ready > 0 ? read(STDIN_FILENO, &byte, 1) : -1;
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0 || byte == '\n' || typed->length == TYPED_BYTES) {
            if (typed->length && typed->bytes[typed->length - 1] == '\r')
                typed->length--;
            secret_wipe(&byte, 1);
            return got <= 0 ? ENDING_INPUT : ENDING_LINE;
        }
        typed->bytes[typed->length++] = byte;
        secret_wipe(&byte, 1);
    }
    return ENDING_STOPPED;
}

static bool ask(struct typed *typed, const char *prompt, struct error *error)
{
    fputs(prompt, stderr);
    enum ending ending = read_line(typed);
    fputc('\n', stderr);
    if (ending == ENDING_LINE)
        return true;
    return error_set(error, ending == ENDING_STOPPED ? ERROR_CLOSED : ERROR_INPUT, "%s",
                     tr("nothing was done"));
}

static bool ask_twice(struct typed *typed, const char *prompt, struct error *error)
{
    struct typed again;
    bool done = ask(typed, prompt, error) && ask(&again, tr("Once more: "), error);
    if (done &&
        (again.length != typed->length || memcmp(again.bytes, typed->bytes, (size_t)typed->length) != 0))
        done = error_set(error, ERROR_INPUT, "%s", tr("the two are not the same; nothing was done"));
    typed_wipe(&again);
    return done;
}

/* A terminal shows nothing meanwhile, and what was typed before it was asked is dropped. */
static bool read_terminal(struct typed *typed, const char *prompt, struct error *error)
{
    struct termios before, silent;
    if (tcgetattr(STDIN_FILENO, &before) != 0)
        return error_set(error, ERROR_IO, "%s", strerror(errno));
    silent = before;
    silent.c_lflag &= ~(tcflag_t)(ECHO | ECHOE | ECHOK | ECHONL);
    silent.c_lflag |= ICANON | ISIG;
    silent.c_iflag |= ICRNL;
    /* stopped or aborted, it would leave a terminal without an echo */
    silent.c_cc[VSUSP] = silent.c_cc[VQUIT] = _POSIX_VDISABLE;
    stopping_watch();
    bool done = tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0
                    ? ask_twice(typed, prompt, error)
                    : error_set(error, ERROR_IO, "%s", strerror(errno));
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &before);
    stopping_end(stopping_asked());
    return done;
}

bool typed_read(struct typed *typed, const char *prompt, struct error *error)
{
    bool done = true;
    typed->length = 0;
    if (isatty(STDIN_FILENO))
        done = read_terminal(typed, prompt, error);
    else
        done = read_line(typed) != ENDING_INPUT || typed->length > 0 ||
               error_set(error, ERROR_INPUT, "%s", tr("nothing came on standard input; nothing was done"));
    if (!done)
        typed_wipe(typed);
    return done;
}

void typed_wipe(struct typed *typed)
{
    secret_wipe(typed, sizeof *typed);
}

bool typed_code_line(struct error *error)
{
    struct typed typed;
    struct buffer out;
    char kept[SECRET_TEXT];
    bool done = typed_read(&typed, tr("Tutor's code: "), error);
    if (done && !pin_code_make(kept, typed.bytes, typed.length, error))
        done = error_prefix(error, tr("the code can't be used"));
    typed_wipe(&typed);
    if (!done)
        return false;
    buffer_init(&out);
    buffer_print(&out, "tutor_code: \"%s\"\n", kept);
    done = out.failed ? error_memory(error) : line_write(STDOUT_FILENO, &out, error);
    buffer_finish(&out);
    return done;
}
