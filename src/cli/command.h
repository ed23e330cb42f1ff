/*
 * Commands as rows of one table. A command gets an invocation: its options and arguments, and the settings
 * under them; it returns the exit status.
 */
#ifndef QUIZTUTOR_COMMAND_H
#define QUIZTUTOR_COMMAND_H

#include "option.h"

#include <quiztutor/application.h>
#include <quiztutor/settings.h>
#include <quiztutor/store.h>

enum command_id {
    COMMAND_ID_HOME,
    COMMAND_ID_PRACTISE,
    COMMAND_ID_CHECK,
    COMMAND_ID_NEW,
    COMMAND_ID_PREVIEW,
    COMMAND_ID_DIFF,
    COMMAND_ID_ADD,
    COMMAND_ID_IMPORT,
    COMMAND_ID_EXPORT,
    COMMAND_ID_WORKSHEET,
    COMMAND_ID_MARK,
    COMMAND_ID_REPORT,
    COMMAND_ID_REGRADE,
    COMMAND_ID_SUBMIT,
    COMMAND_ID_SCHEDULE,
    COMMAND_ID_LEARNER,
    COMMAND_ID_STORE,
    COMMAND_ID_KIOSK,
    COMMAND_ID_SYNC,
    COMMAND_ID_CONFIG,
    COMMANDS
};

struct command_row;

struct invocation {
    const struct command_row *command;
    const struct options *options;
    struct settings *settings;
    const char *const *arguments; /* after the command's name */
    int argument_count;
    char **argv; /* of the program, for tools_run */
};

/* A part of a command: `schedule show`. Its invocation's arguments are those after its name. */
struct part_row {
    const char *name;
    const char *arguments; /* "PACK [QUESTION]" */
    const char *help;      /* N_(): one line */
    int least, most;       /* arguments; most −1: any number */
    int (*run)(const struct invocation *invocation);
};

struct command_row {
    const char *name, *alias; /* name NULL: the bare program */
    const char *arguments;    /* "[PACK…]" */
    const char *help;         /* N_(): one line */
    int least, most;          /* arguments; most −1: any number */
    int (*run)(const struct invocation *invocation);
    const struct part_row *parts; /* up to a row without a name; NULL: the command has none */
};
extern const struct command_row command_rows[COMMANDS];

enum { STATUS_DONE, STATUS_FAILED, STATUS_USAGE };

int command_home(const struct invocation *invocation);
int command_practise(const struct invocation *invocation);
int command_check(const struct invocation *invocation);
int command_new(const struct invocation *invocation);
int command_preview(const struct invocation *invocation);
int command_diff(const struct invocation *invocation);
int command_add(const struct invocation *invocation);
int command_import(const struct invocation *invocation);
int command_export(const struct invocation *invocation);
int command_worksheet(const struct invocation *invocation);
int command_mark(const struct invocation *invocation);
int command_report(const struct invocation *invocation);
int command_regrade(const struct invocation *invocation);
int command_schedule_show(const struct invocation *invocation);
int command_schedule_fit(const struct invocation *invocation);
int command_schedule_trace(const struct invocation *invocation);
int command_learner_list(const struct invocation *invocation);
int command_learner_add(const struct invocation *invocation);
int command_learner_rename(const struct invocation *invocation);
int command_learner_merge(const struct invocation *invocation);
int command_learner_pin(const struct invocation *invocation);
int command_learner_export(const struct invocation *invocation);
int command_learner_erase(const struct invocation *invocation);
int command_store_backup(const struct invocation *invocation);
int command_store_restore(const struct invocation *invocation);
int command_store_info(const struct invocation *invocation);
int command_store_check(const struct invocation *invocation);
int command_store_rebuild(const struct invocation *invocation);
int command_store_load(const struct invocation *invocation);
int command_store_merge(const struct invocation *invocation);
int command_submit(const struct invocation *invocation);
int command_kiosk(const struct invocation *invocation);
int command_sync(const struct invocation *invocation);
int command_config(const struct invocation *invocation);

/* Says "quiztutor: …" on standard error and returns the status that fits. */
int command_fail(const struct error *error);

/* Makes the library from the setting `content` (folders parted by colons). */
bool command_library(const struct invocation *invocation, struct library **library, struct error *error);

/* The one file that an argument names, in the arena. NULL: it is a folder of several, or not there. */
const char *command_path(struct library *library, const char *argument, struct arena *arena,
                         struct error *error);

/* The one pack that an argument names, the caller's to destroy. NULL: what is wrong with it is on standard
 * error, and *error says that. */
struct pack *command_pack(const struct invocation *invocation, const char *argument, struct error *error);

/* The same, with the bytes of its file, for who keeps those. The path lives in the arena. */
struct pack *command_pack_file(const struct invocation *invocation, const char *argument, struct arena *arena,
                               const char **path, struct buffer *bytes, struct error *error);
/* Of bytes, named so in messages. */
struct pack *command_pack_bytes(const char *name, const struct buffer *bytes, struct error *error);

/* What the settings say of scheduling; lives as long as the settings. */
bool command_scheduling(struct settings *settings, struct store_scheduling *scheduling, struct error *error);

/* Opens the store that is there, for the caller to close, and tells its warning on standard error. Never
 * makes one: ERROR_NOT_FOUND says where it was looked for. */
bool command_open_store(const struct invocation *invocation, struct store **store, struct error *error);
/* The file at `path`, whatever the settings say, and only to be looked at: it stays as it is. */
bool command_read_store(const struct invocation *invocation, const char *path, struct store **store,
                        struct error *error);
/* As command_open_store, but makes one where there is none. */
bool command_make_store(const struct invocation *invocation, struct store **store, struct error *error);

/* Help texts, from the tables. */
void help_program(void);
void help_command(const struct command_row *command);
void help_tables(void);

#endif
