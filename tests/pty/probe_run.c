#include "probe_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static const char *probe_path;
int probe_rounds = 1;

void probe_arguments(int count, char **arguments)
{
    if (count < 2) {
        fprintf(stderr, "%s: the probe's path is missing\n", arguments[0]);
        exit(2);
    }
    probe_path = arguments[1];
    if (count > 2)
        probe_rounds = atoi(arguments[2]);
}

struct pty *probe_launch(struct pty_options options)
{
    options.program = probe_path;
    return pty_start(&options);
}

struct pty *probe_start(struct pty_options options)
{
    struct pty *pty = probe_launch(options);
    char first[64];
    snprintf(first, sizeof first, "probe %dx%d signs=", options.rows ? options.rows : 24,
             options.columns ? options.columns : 80);
    pty_require(pty, pty_wait_text(pty, first), "the probe does not start");
    return pty;
}

static bool probe_holds_inputs(struct pty *pty, const void *context)
{
    char row[PTY_LINE], wanted[PTY_LINE];
    pty_row(pty, 1, row);
    snprintf(wanted, sizeof wanted, "%s$", (const char *)context);
    return strcmp(row, wanted) == 0;
}

void probe_saw(struct pty *pty, const char *inputs)
{
    if (pty_wait(pty, probe_holds_inputs, inputs))
        return;
    pty_print(pty);
    fail_msg("the inputs are not \"%s\"", inputs);
}

void probe_quit(struct pty *pty)
{
    pty_type(pty, "q");
    int status = pty_wait_exit(pty);
    if (status != 0)
        pty_print(pty);
    assert_int_equal(status, 0);
    pty_finish(pty);
}
