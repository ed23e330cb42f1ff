#include "option.h"

#include "command.h"

#include <quiztutor/message.h>

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define EVERY    (~0u)
#define HOME     (1u << COMMAND_ID_HOME)
#define PRACTISE (1u << COMMAND_ID_PRACTISE)
#define CHECK    (1u << COMMAND_ID_CHECK)
#define PREVIEW  (1u << COMMAND_ID_PREVIEW)
#define IMPORT   (1u << COMMAND_ID_IMPORT)
#define EXPORT   (1u << COMMAND_ID_EXPORT)
#define SUBMIT   (1u << COMMAND_ID_SUBMIT)
#define SCHEDULE (1u << COMMAND_ID_SCHEDULE)
#define STORE    (1u << COMMAND_ID_STORE)
#define LEARNER  (1u << COMMAND_ID_LEARNER)
#define SHEET    (1u << COMMAND_ID_WORKSHEET)
#define REPORT   (1u << COMMAND_ID_REPORT)
#define MARK     (1u << COMMAND_ID_MARK)
#define KIOSK    (1u << COMMAND_ID_KIOSK)
#define REGRADE  (1u << COMMAND_ID_REGRADE)
#define SYNC     (1u << COMMAND_ID_SYNC)

const struct option_row option_rows[OPTIONS] = {
    [OPTION_STORE] = { "store", N_("FILE"), EVERY, N_("the file that keeps learners and answers") },
    [OPTION_CONTENT] = { "content", N_("DIR[:DIR]"), EVERY, N_("where packs are looked for") },
    [OPTION_LEARNER] = { "learner", N_("NAME"), EVERY,
                         N_("which learner; of practice and what comes of it: default your login name") },
    [OPTION_MODE] = { "mode", N_("MODE"), PRACTISE, N_("due (default), new, mistakes, starred or all") },
    [OPTION_LIMIT] = { "limit", "N", PRACTISE | SHEET, N_("at most N questions") },
    [OPTION_SEED] = { "seed", "N", PRACTISE | SHEET,
                      N_("order of questions and choices; 1 is the author's order") },
    [OPTION_TAG] = { "tag", N_("TAG"), PRACTISE | SHEET | REPORT, N_("only questions with this tag") },
    [OPTION_CERTAINTY] = { "certainty", NULL, PRACTISE, N_("ask how sure you are before the verdict") },
    [OPTION_EXAM] = { "exam", NULL, PRACTISE, N_("an exam: no verdict before it is handed in") },
    [OPTION_MINUTES] = { "minutes", "N", PRACTISE, N_("time for the exam; default: what the pack says") },
    [OPTION_UNTIL] = { "until", N_("DATE"), PRACTISE | REPORT,
                       N_("plan towards that day; of a report its last day") },
    [OPTION_RESUME] = { "resume", NULL, PRACTISE,
                        N_("go on with the newest unfinished session of these packs") },
    [OPTION_RESTART] = { "restart", NULL, PRACTISE, N_("drop that session and start anew") },
    [OPTION_PLAIN] = { "plain", NULL, HOME | PRACTISE | PREVIEW | MARK | REPORT,
                       N_("line by line, for screen readers and slow lines") },
    [OPTION_JSONL] = { "jsonl", NULL, PRACTISE | MARK, N_("one JSON object a line, for scripts") },
    [OPTION_JSON] = { "json", NULL, CHECK | SCHEDULE | LEARNER | STORE | KIOSK | SYNC,
                      N_("what is told, as JSON") },
    [OPTION_STRICT] = { "strict", NULL, CHECK, N_("warnings fail too") },
    [OPTION_EXPLAIN] = { "explain", N_("RULE"), CHECK, N_("what a rule looks at, and how to mend it") },
    [OPTION_OUTPUT] = { "output", N_("PATH"), IMPORT | EXPORT | SHEET | REPORT | LEARNER | SUBMIT,
                        N_("where it goes: a file, or a folder for import") },
    [OPTION_FROM] = { "from", N_("FORMAT|FILE"), IMPORT | LEARNER,
                      N_("what FILE holds (import), or a roster as CSV") },
    [OPTION_TO] = { "to", N_("FORMAT"), EXPORT | REPORT | LEARNER, N_("the format to write") },
    [OPTION_PACK] = { "pack", N_("PACK"), REPORT,
                      N_("only this pack; several: report class tells them apart") },
    [OPTION_GROUP] = { "group", N_("GROUP"), SHEET | REPORT | LEARNER,
                       N_("only learners of this group; learner add: one of theirs; worksheet: a sheet for "
                          "each of them") },
    [OPTION_SINCE] = { "since", N_("DATE"), REPORT, N_("the first day, as in 2027-01-01") },
    [OPTION_REVISION] = { "revision", N_("REVISION"), REPORT, N_("only this revision of questions") },
    [OPTION_SESSION] = { "session", N_("KIND"), REPORT,
                         N_("only sessions of this kind: practice, exam or paper") },
    [OPTION_ATTEMPTS] = { "attempts", N_("WHICH"), REPORT,
                          N_("which answers: first (default), last, best or all") },
    [OPTION_FOR] = { "for", N_("SYSTEM"), REPORT,
                     N_("whose gradebook report grades writes: moodle or canvas") },
    [OPTION_VOID] = { "void", N_("QUESTION"), REGRADE, N_("let this question count for nobody") },
    [OPTION_ACCEPT] = { "accept", N_("QUESTION=ANSWER"), REGRADE,
                        N_("give all marks for this answer as well") },
    [OPTION_APPLY] = { "apply", NULL, REGRADE, N_("store what is shown, with its reason") },
    [OPTION_REASON] = { "reason", N_("TEXT"), REGRADE, N_("why, kept with each change") },
    [OPTION_LOGIN] = { "login", N_("LOGIN"), LEARNER, N_("their login name (learner add)") },
    [OPTION_EXTERNAL_ID] = { "external-id", N_("ID"), LEARNER,
                             N_("what other systems know them by (learner add)") },
    [OPTION_BACKUPS] = { "backups", NULL, LEARNER, N_("write known backups anew as well (learner erase)") },
    [OPTION_CLEAR] = { "clear", NULL, LEARNER, N_("no PIN from now on (learner pin)") },
    [OPTION_CODE] = { "code", NULL, LEARNER | KIOSK, N_("make a tutor's code for kiosk.yaml (learner pin)") },
    [OPTION_CONFIG] = { "config", N_("FILE"), KIOSK,
                        N_("what it is told; default: /etc/quiztutor/kiosk.yaml") },
    [OPTION_CHECK] = { "check", NULL, KIOSK, N_("look at this machine, and say what is to be done on it") },
    [OPTION_STATUS] = { "status", NULL, KIOSK | SYNC,
                        N_("how a kiosk, or a sync, is doing, for monitoring") },
    [OPTION_BACKUP] = { "backup", NULL, KIOSK,
                        N_("back up a kiosk's store, if its configuration says it is due") },
    [OPTION_EVERY] = { "every", N_("TIME"), SYNC, N_("again and again, as in 60s, 5m or 1h: a service") },
    [OPTION_SUMMARIES] = { "summaries", NULL, SYNC,
                           N_("bring what reports read up to date at the centre, as a tutor") },
    [OPTION_PACKS] = { "packs", NULL, SYNC,
                       N_("tell the centre that machines are to have the packs of this one, as a tutor") },
    [OPTION_INIT] = { "init", NULL, SYNC, N_("make a central store, or bring one up to date, as its owner") },
    [OPTION_SCHOOL] = { "school", N_("NAME"), SYNC,
                        N_("with --init: the school that --machine and --tutor belong to") },
    [OPTION_MACHINE] = { "machine", N_("ROLE"), SYNC,
                         N_("with --init: a role that machines send with; several times for several") },
    [OPTION_TUTOR] = { "tutor", N_("ROLE"), SYNC,
                       N_("with --init: a role that tutors read with; several times for several") },
    [OPTION_ROTATE] = { "rotate", N_("FOLDER"), STORE,
                        N_("one more backup in this folder, named after the moment (store backup)") },
    [OPTION_KEEP] = { "keep", "N", STORE, N_("with --rotate: the newest N stay; default 14") },
    [OPTION_PAPER] = { "paper", N_("SIZE"), SHEET, N_("a4 (default) or letter") },
    [OPTION_BOXES] = { "boxes", NULL, SHEET, N_("an open box before each choice, to mark") },
    [OPTION_LARGE] = { "large", NULL, SHEET, N_("large print, with wider spacing (PDF)") },
    [OPTION_NO_KEY] = { "no-key", NULL, SHEET, N_("without the answer key") },
    [OPTION_KEY_ONLY] = { "key-only", NULL, SHEET, N_("the answer key alone") },
    [OPTION_COPIES] = { "copies", "N", SHEET, N_("N sheets, of this seed and those that follow it") },
    [OPTION_ID] = { "id", N_("ID"), SHEET, N_("the sheet that bears this ID, once more") },
    [OPTION_BATCH] = { "batch", N_("FILE"), MARK,
                       N_("a class at once: a table of id,learner,answers as CSV") },
    [OPTION_YES] = { "yes", NULL, MARK | LEARNER | STORE, N_("do it without asking") },
    [OPTION_HELP] = { "help", NULL, EVERY, N_("this help") },
    [OPTION_VERSION] = { "version", NULL, EVERY, N_("the version") },
    [OPTION_PRINT_TABLES] = { "print-tables", NULL, EVERY, NULL },
};

/* What an option means to one command, where it means another thing to others. */
static const struct {
    enum option_id option;
    unsigned commands;
    const char *help; /* N_() */
} option_words[] = {
    { OPTION_LEARNER, PRACTISE, N_("whose answers these are; default: your login name") },
    { OPTION_LEARNER, SHEET, N_("whose name is on the sheet") },
    { OPTION_LEARNER, MARK, N_("whose sheet it is") },
    { OPTION_SEED, SHEET, N_("which sheet; 1 is the author's order") },
    { OPTION_UNTIL, PRACTISE, N_("plan towards that day, as in 2027-06-30") },
    { OPTION_UNTIL, REPORT, N_("the last day, as in 2027-06-30") },
    { OPTION_OUTPUT, IMPORT, N_("the folder that packs are written into") },
    { OPTION_OUTPUT, EXPORT | REPORT | SUBMIT, N_("the file it is written to") },
    { OPTION_OUTPUT, SHEET, N_("the file, ending in .pdf or .txt; default: text, to standard output") },
    { OPTION_OUTPUT, LEARNER, N_("the file it is written to (learner export)") },
    { OPTION_FROM, IMPORT, N_("what FILE holds, where its content doesn't tell") },
    { OPTION_FROM, LEARNER, N_("a roster as CSV (learner add)") },
    { OPTION_GROUP, SHEET, N_("a sheet for each learner of this group") },
    { OPTION_GROUP, REPORT, N_("only learners of this group") },
    { OPTION_GROUP, LEARNER, N_("only learners of this group; of learner add: the one to put them into") },
    { OPTION_STATUS, KIOSK, N_("how a kiosk is doing, for monitoring") },
    { OPTION_STATUS, SYNC, N_("how many rows wait, and when the last sync got through") },
    { OPTION_CODE, KIOSK, N_("make a tutor's code for kiosk.yaml") },
};

const char *option_help(enum option_id id, unsigned commands)
{
    for (size_t i = 0; i < sizeof option_words / sizeof *option_words; i++)
        if (option_words[i].option == id && (option_words[i].commands & commands) == commands)
            return tr(option_words[i].help);
    return tr(option_rows[id].help);
}

char option_letter(enum option_id id)
{
    return id == OPTION_HELP ? 'h' : id == OPTION_OUTPUT ? 'o' : 0;
}

enum { LETTERS = 256 }; /* what getopt_long gives for a long option lies above all letters, ':' and '?' */

bool options_parse(struct options *options, int argc, char **argv, struct error *error)
{
    struct option rows[OPTIONS + 1] = { 0 };
    memset(options, 0, sizeof *options);
    for (int i = 0; i < OPTIONS; i++)
        rows[i] =
            (struct option){ option_rows[i].name, option_rows[i].argument ? required_argument : no_argument,
                             NULL, LETTERS + i };
    opterr = 0;
    int found, which = -1;
    while ((found = getopt_long(argc, argv, ":ho:", rows, &which)) != -1) {
        if (found == ':')
            return error_set(error, ERROR_USAGE, tr("%s needs an argument"), argv[optind - 1]);
        if (found == '?') {
            bool is_long = optopt == 0 || optopt >= LETTERS;
            const char *given = is_long ? argv[optind - 1] : NULL;
            char letter[3] = { '-', (char)optopt, '\0' };
            if (optopt >= LETTERS && strchr(given, '='))
                return error_set(error, ERROR_USAGE, tr("--%s takes no argument"),
                                 option_rows[optopt - LETTERS].name);
            return error_set(error, ERROR_USAGE, tr("unknown or unclear option %s; see quiztutor --help"),
                             given ? given : letter);
        }
        found = found == 'h' ? (int)OPTION_HELP : found == 'o' ? (int)OPTION_OUTPUT : found - LETTERS;
        options->values[found] = optarg ? optarg : "";
        if (options->given_count == OPTIONS_GIVEN)
            return error_set(error, ERROR_USAGE, tr("there are more than %d options"), OPTIONS_GIVEN);
        options->given[options->given_count].id = (enum option_id)found;
        options->given[options->given_count++].value = options->values[found];
    }
    options->arguments = (const char *const *)(argv + optind);
    options->argument_count = argc - optind;
    return true;
}

const char *option_next(const struct options *options, enum option_id id, int *place)
{
    while (*place < options->given_count) {
        int at = (*place)++;
        if (options->given[at].id == id)
            return options->given[at].value;
    }
    return NULL;
}

bool option_number(const struct options *options, enum option_id id, int64_t minimum, int64_t maximum,
                   int64_t *number, struct error *error)
{
    const char *text = options->values[id];
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    bool digits = *text && strspn(text, "0123456789") == strlen(text);
    if (!digits || *end || errno || value < minimum || value > maximum)
        return error_set(error, ERROR_USAGE, tr("--%s takes a whole number from %lld to %lld, not \"%s\""),
                         option_rows[id].name, (long long)minimum, (long long)maximum, text);
    *number = value;
    return true;
}
