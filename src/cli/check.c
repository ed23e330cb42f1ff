#include "command.h"

#include <quiztutor/line.h>
#include <quiztutor/message.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Counts over all packs checked. */
struct check {
    bool json, comma;
    int errors, warnings;
    bool failed; /* a file could not be read */
    struct buffer out;
};

static void check_visible(struct buffer *out, const char *path)
{
    text_visible(out, path, (ptrdiff_t)strlen(path));
}

/* One pack file. */
static void check_file(struct check *check, const char *path)
{
    struct diagnostics list;
    struct error error = { 0 };
    struct pack *pack;
    diagnostics_init(&list);
    bool loaded = pack_load(&pack, path, &list, &error);
    if (check->json)
        diagnostics_json(&list, &check->out, &check->comma);
    else
        diagnostics_print(&list, &check->out);
    if (error.code) {
        command_fail(&error);
        check->failed = true;
    }
    check->errors += list.errors;
    check->warnings += list.warnings;
    if (loaded && !check->json && !list.warnings) {
        check_visible(&check->out, path);
        buffer_print(
            &check->out,
            ntr(": %d question, nothing to mend", ": %d questions, nothing to mend", pack->question_count),
            pack->question_count);
        buffer_char(&check->out, '\n');
    }
    pack_destroy(pack);
    diagnostics_finish(&list);
}

int command_check(const struct invocation *invocation)
{
    struct check check = { .json = invocation->options->values[OPTION_JSON] != NULL };
    bool strict = invocation->options->values[OPTION_STRICT] != NULL;
    struct library *library = NULL;
    struct arena arena;
    struct error error = { 0 };
    const char **paths = NULL;
    ptrdiff_t count = 0, capacity = 0;
    int status = STATUS_FAILED;
    arena_init(&arena);
    buffer_init(&check.out);
    if (!command_library(invocation, &library, &error)) {
        command_fail(&error);
        goto out;
    }
    for (int i = 0; i < invocation->argument_count; i++)
        if (!library_paths(library, invocation->arguments[i], &arena, &paths, &count, &capacity, &error)) {
            command_fail(&error);
            check.failed = true;
        }
    if (check.json)
        buffer_char(&check.out, '[');
    for (ptrdiff_t i = 0; i < count; i++)
        check_file(&check, paths[i]);
    if (check.json)
        buffer_text(&check.out, "]\n");
    if (!line_write(STDOUT_FILENO, &check.out, &error)) {
        command_fail(&error);
        goto out;
    }
    if (!check.failed && !check.errors && !(strict && check.warnings))
        status = STATUS_DONE;
out:
    memory_free(paths);
    buffer_finish(&check.out);
    arena_finish(&arena);
    library_destroy(library);
    return status;
}
