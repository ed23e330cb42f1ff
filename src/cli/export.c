/* `quiztutor export`: a pack for another system; what that can't hold is told on standard error. */
#include "file.h"
#include "tools.h"

#include <quiztutor/line.h>
#include <quiztutor/message.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void tell_losses(const struct export *export)
{
    struct buffer out;
    buffer_init(&out);
    for (ptrdiff_t i = 0; i < export->line_count; i++) {
        const struct export_line *line = &export->lines[i];
        text_visible(&out, export->pack->path, (ptrdiff_t)strlen(export->pack->path));
        if (line->question)
            buffer_print(&out, ":%d: %s", line->question->line, line->question->id);
        buffer_text(&out, ": ");
        text_visible(&out, line->what, (ptrdiff_t)strlen(line->what));
        buffer_char(&out, '\n');
    }
    fputs(buffer_get(&out), stderr);
    buffer_finish(&out);
}

static bool write_out(const char *path, struct export *export, struct error *error)
{
    if (path && strcmp(path, "-") != 0)
        return file_write(path, &export->out, error);
    return line_write(STDOUT_FILENO, &export->out, error);
}

int command_export(const struct invocation *invocation)
{
    const struct options *options = invocation->options;
    const char *to = options->values[OPTION_TO], *path = options->values[OPTION_OUTPUT];
    enum exchange_format format;
    struct export export;
    struct error error = { 0 };
    if (!to)
        error_set(&error, ERROR_USAGE, "%s", tr("export needs a format: --to gift, for example"));
    if (!to || !tools_format(&format, "--to", to, true, &error))
        return command_fail(&error);
    const struct exchange_row *row = &exchange_rows[format];
    if (row->binary && !path && isatty(STDOUT_FILENO)) {
        error_set(&error, ERROR_USAGE, tr("%s is no text for a terminal; name a file: -o quiz%s"), row->label,
                  row->ending);
        return command_fail(&error);
    }
    if (!tools_have(invocation, format, true, &error))
        return command_fail(&error);
    struct pack *pack = command_pack(invocation, invocation->arguments[0], &error);
    if (!pack)
        return command_fail(&error);
    export_init(&export, pack);
    bool done = exchange_part(format)->write(&export, &error);
    if (done && export.failed)
        done = error_memory(&error);
    if (done)
        tell_losses(&export);
    done = done && write_out(path, &export, &error);
    export_finish(&export);
    pack_destroy(pack);
    return done ? STATUS_DONE : command_fail(&error);
}
