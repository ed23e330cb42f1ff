#include "tools.h"

#include <quiztutor/central.h>
#include <quiztutor/message.h>
#include <quiztutor/report.h>
#include <quiztutor/sheet.h>

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void tools_start(void)
{
#ifdef QUIZTUTOR_TOOLS
    exchange_add_heavy();
    sheet_add_press();
    report_add_pdf();
    central_add_postgres();
#endif
}

#ifndef QUIZTUTOR_TOOLS
/* Beside this program (in a folder where it was built), where it lies in a tree that was moved, or where it
 * is installed. Does not return where one of them runs. */
static void tools_run(char **argv)
{
    static const char *const places[] = { "quiztutor-tools", "../libexec/quiztutor/quiztutor-tools" };
    char program[PATH_MAX + 1], path[PATH_MAX + 64];
    ssize_t length = readlink("/proc/self/exe", program, PATH_MAX);
    program[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(program, '/');
    fflush(stdout);
    for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++) {
        snprintf(path, sizeof path, "%.*s%s", (int)(slash + 1 - program), program, places[i]);
        execv(path, argv);
    }
    execv(QUIZTUTOR_TOOLS_PATH, argv);
}
#endif

bool tools_need(const struct invocation *invocation, bool heavy, const char *label, const char *needs,
                struct error *error)
{
#ifndef QUIZTUTOR_TOOLS
    if (heavy) {
        tools_run(invocation->argv);
        return error_set(error, ERROR_NOT_FOUND,
                         tr("%s is read and written by a second program that is not here, %s (%s); it comes "
                            "with a whole installation"),
                         label, QUIZTUTOR_TOOLS_PATH, strerror(errno));
    }
#else
    (void)invocation;
    (void)heavy;
#endif
    return error_set(error, ERROR_NOT_FOUND,
                     tr("%s needs %s, which this program was built without; quiztutor --version names what "
                        "it was built with"),
                     label, needs ? needs : tr("another release"));
}

bool tools_have(const struct invocation *invocation, enum exchange_format format, bool write,
                struct error *error)
{
    const struct exchange_row *row = &exchange_rows[format];
    const struct exchange_part *part = exchange_part(format);
    if (part && (write ? part->write != NULL : part->read != NULL))
        return true;
    return tools_need(invocation, row->heavy, row->label, row->needs, error);
}

bool tools_format(enum exchange_format *format, const char *option, const char *name, bool write,
                  struct error *error)
{
    const char *names[EXCHANGE_FORMATS];
    char list[400] = "";
    int count = 0;
    for (int i = 0; i < EXCHANGE_FORMATS; i++) {
        const struct exchange_row *row = &exchange_rows[i];
        if (!(write ? row->exports : row->imports))
            continue;
        if (strcmp(row->name, name) == 0) {
            *format = (enum exchange_format)i;
            return true;
        }
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", row->name);
        names[count++] = row->name;
    }
    const char *nearest = text_nearest(name, names, count);
    if (nearest)
        return error_set(error, ERROR_USAGE, tr("%s takes no format \"%s\"; did you mean %s?"), option, name,
                         nearest);
    return error_set(error, ERROR_USAGE, tr("%s takes no format \"%s\"; it takes %s"), option, name, list);
}
