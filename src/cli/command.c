#include "command.h"

#include <quiztutor/message.h>

#include <stdio.h>
#include <string.h>

const struct command_row command_rows[COMMANDS] = {
    [COMMAND_ID_HOME] = { NULL, NULL, "", N_("the library: what there is to practise"), 0, 0, command_home },
    [COMMAND_ID_PRACTISE] = { "practise", "practice", N_("[PACK…]"),
                              N_("practise packs; without one, all with something due"), 0, -1,
                              command_practise },
    [COMMAND_ID_CHECK] = { "check", NULL, N_("PACK…"),
                           N_("every error and warning of packs, and what to write"), 1, -1, command_check },
    [COMMAND_ID_ADD] = { "add", NULL, N_("FILE|DIR…"), N_("check packs and copy them into your content"), 1,
                         -1, command_add },
    [COMMAND_ID_CONFIG] = { "config", NULL, "", N_("the settings, and where each comes from"), 0, 0,
                            command_config },
};

int command_fail(const struct error *error)
{
    if (error->code == ERROR_CLOSED)
        return STATUS_FAILED;
    struct buffer shown; /* messages name files and arguments, which may hold anything */
    buffer_init(&shown);
    text_visible(&shown, error->message, (ptrdiff_t)strlen(error->message));
    fprintf(stderr, "quiztutor: %s\n", shown.failed ? error->message : buffer_get(&shown));
    buffer_finish(&shown);
    return error->code == ERROR_USAGE ? STATUS_USAGE : STATUS_FAILED;
}

enum { COMMAND_FOLDERS = 64 };

bool command_library(const struct invocation *invocation, struct library **library, struct error *error)
{
    const char *folders[COMMAND_FOLDERS];
    int count = 0;
    const char *content = invocation->settings->text[SETTING_CONTENT];
    char *copy = memory_text(content ? content : "");
    if (!copy)
        return error_memory(error);
    char *rest = copy;
    for (char *folder; (folder = strsep(&rest, ":")) && count < COMMAND_FOLDERS;)
        if (*folder)
            folders[count++] = folder;
    bool done = library_create(library, folders, count, error);
    memory_free(copy);
    return done;
}
