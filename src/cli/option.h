/* Options as rows of one table: parsing, help, the man page's list and completions come from it. */
#ifndef QUIZTUTOR_OPTION_H
#define QUIZTUTOR_OPTION_H

#include <quiztutor/error.h>
#include <stdint.h>

enum option_id {
    OPTION_STORE,
    OPTION_CONTENT,
    OPTION_LEARNER,
    OPTION_MODE,
    OPTION_LIMIT,
    OPTION_SEED,
    OPTION_TAG,
    OPTION_CERTAINTY,
    OPTION_EXAM,
    OPTION_MINUTES,
    OPTION_UNTIL,
    OPTION_RESUME,
    OPTION_RESTART,
    OPTION_PLAIN,
    OPTION_JSONL,
    OPTION_JSON,
    OPTION_STRICT,
    OPTION_EXPLAIN,
    OPTION_OUTPUT,
    OPTION_FROM,
    OPTION_TO,
    OPTION_PACK,
    OPTION_GROUP,
    OPTION_SINCE,
    OPTION_REVISION,
    OPTION_SESSION,
    OPTION_ATTEMPTS,
    OPTION_FOR,
    OPTION_VOID,
    OPTION_ACCEPT,
    OPTION_APPLY,
    OPTION_REASON,
    OPTION_LOGIN,
    OPTION_EXTERNAL_ID,
    OPTION_BACKUPS,
    OPTION_CLEAR,
    OPTION_CODE,
    OPTION_ROTATE,
    OPTION_KEEP,
    OPTION_CONFIG,
    OPTION_CHECK,
    OPTION_STATUS,
    OPTION_BACKUP,
    OPTION_EVERY,
    OPTION_SUMMARIES,
    OPTION_PACKS,
    OPTION_INIT,
    OPTION_SCHOOL,
    OPTION_MACHINE,
    OPTION_TUTOR,
    OPTION_PAPER,
    OPTION_BOXES,
    OPTION_LARGE,
    OPTION_NO_KEY,
    OPTION_KEY_ONLY,
    OPTION_COPIES,
    OPTION_ID,
    OPTION_BATCH,
    OPTION_YES,
    OPTION_HELP,
    OPTION_VERSION,
    OPTION_PRINT_TABLES,
    OPTIONS,
};

struct option_row {
    const char *name;     /* without the dashes */
    const char *argument; /* "FILE", or NULL where it takes none */
    unsigned commands;    /* 1 << enum command_id of those that take it */
    const char *help;     /* N_(); NULL: hidden */
};
extern const struct option_row option_rows[OPTIONS];

/* What it means to these commands (bits of enum command_id), translated; to several: what it means at all. */
const char *option_help(enum option_id id, unsigned commands);

/* The letter that stands for an option, as in -o; 0: none. */
char option_letter(enum option_id id);

/* What was given: an option's argument, "" for one without, NULL where it was not given; of one given several
 * times the last. */
enum { OPTIONS_GIVEN = 256 };
struct options {
    const char *values[OPTIONS];
    struct {
        enum option_id id;
        const char *value;
    } given[OPTIONS_GIVEN]; /* all, in order */
    int given_count;
    const char *const *arguments; /* what is no option, in order; the command's name first */
    int argument_count;
};

/* Parses getopt_long's way: options anywhere, "--" ends them. False with ERROR_USAGE. */
bool options_parse(struct options *options, int argc, char **argv, struct error *error);

/* The next argument of an option that may be given several times; *place begins at 0. NULL: there is none. */
const char *option_next(const struct options *options, enum option_id id, int *place);

/* A whole number within minimum…maximum; false with ERROR_USAGE that names the option. */
bool option_number(const struct options *options, enum option_id id, int64_t minimum, int64_t maximum,
                   int64_t *number, struct error *error);

#endif
