#include "command.h"

#include <quiztutor/message.h>

#include <stdio.h>
#include <string.h>

/* Runs the part of a command that its first argument names. */
static int command_part(const struct invocation *invocation);

static const struct part_row schedule_parts[] = {
    { "show", N_("PACK [QUESTION]"), N_("what is remembered of questions, in words, and the curve of one"), 1,
      2, command_schedule_show },
    { "fit", "", N_("fit the scheduler's parameters to a learner's answers, or to everyone's"), 0, 0,
      command_schedule_fit },
    { "trace", N_("GRADE@DAYS…"), N_("run the scheduler over grades and days, as in 3@0 3@2 1@11"), 1, -1,
      command_schedule_trace },
    { 0 },
};

static const struct part_row learner_parts[] = {
    { "list", "", N_("who there is, in which groups, and when they were last seen"), 0, 0,
      command_learner_list },
    { "add", N_("NAME|--from FILE"), N_("take in a learner, or a whole roster as CSV"), 0, 1,
      command_learner_add },
    { "rename", N_("OLD NEW"), N_("give a learner another name"), 2, 2, command_learner_rename },
    { "merge", N_("FROM INTO"), N_("make one of two who are the same person"), 2, 2, command_learner_merge },
    { "pin", N_("NAME|--code"), N_("set what a learner types at a kiosk, or make a tutor's code"), 0, 1,
      command_learner_pin },
    { "export", "", N_("all answers with pseudonyms, as CSV or JSON"), 0, 0, command_learner_export },
    { "erase", N_("NAME"), N_("erase a learner and all that they did, for good"), 1, 1,
      command_learner_erase },
    { 0 },
};

static const struct part_row store_parts[] = {
    { "info", "", N_("what the store holds, and answers to questions that no pack has any more"), 0, 0,
      command_store_info },
    { "check", "", N_("whether the file is sound"), 0, 0, command_store_check },
    { "backup", N_("FILE"), N_("copy the store, while it is in use"), 0, 1, command_store_backup },
    { "restore", N_("FILE"), N_("put a backup in the store's place, and keep what was there"), 1, 1,
      command_store_restore },
    { "rebuild", "", N_("make all schedules anew from the answers, and compare"), 0, 0,
      command_store_rebuild },
    { "merge", N_("OTHER…"), N_("take in other stores, and files that learners submitted"), 1, -1,
      command_store_merge },
    { "load", N_("FILE.csv"), N_("take in attempts made elsewhere, from a table"), 1, 1, command_store_load },
    { 0 },
};

const struct command_row command_rows[COMMANDS] = {
    [COMMAND_ID_HOME] = { NULL, NULL, "", N_("the library: what there is to practise"), 0, 0, command_home,
                          NULL },
    [COMMAND_ID_PRACTISE] = { "practise", "practice", N_("[PACK…]"),
                              N_("practise packs; without one, all with something due"), 0, -1,
                              command_practise, NULL },
    [COMMAND_ID_CHECK] = { "check", NULL, N_("PACK…"),
                           N_("every error and warning of packs, and what to write"), 0, -1, command_check,
                           NULL },
    [COMMAND_ID_NEW] = { "new", NULL, N_("FILE"), N_("write a first pack, with remarks, to start from"), 1, 1,
                         command_new, NULL },
    [COMMAND_ID_PREVIEW] = { "preview", NULL, N_("PACK"),
                             N_("look through a pack and its keys while you write it"), 1, 1, command_preview,
                             NULL },
    [COMMAND_ID_DIFF] = { "diff", NULL, N_("OLD NEW"),
                          N_("what a changed pack means for those who learn with it"), 2, 2, command_diff,
                          NULL },
    [COMMAND_ID_ADD] = { "add", NULL, N_("FILE|DIR…"), N_("check packs and copy them into your content"), 1,
                         -1, command_add, NULL },
    [COMMAND_ID_IMPORT] = { "import", NULL, N_("FILE… -o DIR"),
                            N_("make packs of other systems' questions, told one by one"), 1, -1,
                            command_import, NULL },
    [COMMAND_ID_EXPORT] = { "export", NULL, N_("PACK --to FORMAT"),
                            N_("write a pack for another system, and what that lacks"), 1, 1, command_export,
                            NULL },
    [COMMAND_ID_WORKSHEET] = { "worksheet", NULL, N_("PACK"),
                               N_("print a pack as a sheet with its answer key, as PDF or text"), 0, 1,
                               command_worksheet, NULL },
    [COMMAND_ID_MARK] = { "mark", NULL, N_("ID --learner NAME [ANSWERS…]"),
                          N_("type what was written on a sheet into the store"), 0, -1, command_mark, NULL },
    [COMMAND_ID_REPORT] = { "report", NULL, N_("[KIND]"),
                            N_("class, progress, items, misconceptions, problems, grades or attempts"), 0, 1,
                            command_report, NULL },
    [COMMAND_ID_REGRADE] = { "regrade", NULL, N_("PACK"),
                             N_("mark stored answers anew after a key was corrected"), 1, 1, command_regrade,
                             NULL },
    [COMMAND_ID_SUBMIT] = { "submit", NULL, N_("[-o FILE]"),
                            N_("write a small file with your results, for a tutor to merge"), 0, 0,
                            command_submit, NULL },
    [COMMAND_ID_SCHEDULE] = { "schedule", NULL, N_("show|fit|trace …"),
                              N_("when questions come again, and why"), 1, -1, command_part, schedule_parts },
    [COMMAND_ID_LEARNER] = { "learner", NULL, N_("list|add|rename|merge|pin|export|erase"),
                             N_("who the learners are, and in which groups"), 1, -1, command_part,
                             learner_parts },
    [COMMAND_ID_STORE] = { "store", NULL, N_("info|check|backup|restore|rebuild|merge|load"),
                           N_("look after the file that keeps answers"), 1, -1, command_part, store_parts },
    [COMMAND_ID_KIOSK] = { "kiosk", NULL, "",
                           N_("one learner after the other, locked in: for machines in a lab"), 0, 0,
                           command_kiosk, NULL },
    [COMMAND_ID_SYNC] = { "sync", NULL, N_("URL"),
                          N_("send answers to a central store, and fetch its roster"), 0, 1, command_sync,
                          NULL },
    [COMMAND_ID_CONFIG] = { "config", NULL, "", N_("the settings, and where each comes from"), 0, 0,
                            command_config, NULL },
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

static int command_part(const struct invocation *invocation)
{
    const struct command_row *command = invocation->command;
    const char *names[8], *given = invocation->arguments[0];
    int count = 0;
    struct error error;
    for (const struct part_row *part = command->parts; part->name; part++) {
        names[count++] = part->name;
        if (strcmp(part->name, given) != 0)
            continue;
        struct invocation inner = *invocation;
        inner.arguments++;
        inner.argument_count--;
        if (inner.argument_count >= part->least && (part->most < 0 || inner.argument_count <= part->most))
            return part->run(&inner);
        error_set(&error, ERROR_USAGE, tr("%s %s takes %s"), command->name, part->name,
                  *part->arguments ? tr(part->arguments) : tr("no arguments"));
        return command_fail(&error);
    }
    const char *nearest = text_nearest(given, names, count);
    if (nearest)
        error_set(&error, ERROR_USAGE, tr("unknown command %s %s; did you mean %s?"), command->name, given,
                  nearest);
    else
        error_set(&error, ERROR_USAGE, tr("unknown command %s %s; see quiztutor %s --help"), command->name,
                  given, command->name);
    return command_fail(&error);
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
