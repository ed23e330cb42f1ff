#include "command.h"

#include <quiztutor/exchange.h>
#include <quiztutor/kiosk_config.h>
#include <quiztutor/message.h>
#include <quiztutor/response.h>
#include <quiztutor/text.h>
#include <quiztutor/view.h>

#include <stdio.h>
#include <string.h>

/* A name and what it means, the meanings one below the other. */
static void help_row(const char *name, const char *meaning)
{
    enum { NAMES = 22, LINE = 80, INDENT = NAMES + 3 };
    int columns, used = text_columns(name), room = LINE - INDENT;
    printf("  %s", name);
    if (used > NAMES)
        printf("\n%*s", INDENT, "");
    else
        printf("%*s", NAMES + 1 - used, "");
    for (int taken = 0; *meaning;) { /* by words, as many as a line holds */
        ptrdiff_t word = (ptrdiff_t)strcspn(meaning, " "), at = 0;
        int wide = 0;
        for (; at < word; wide += columns)
            at += text_cell(meaning + at, word - at, &columns);
        if (taken && taken + 1 + wide > room) {
            printf("\n%*s", INDENT, "");
            taken = 0;
        }
        printf("%s%.*s", taken ? " " : "", (int)word, meaning);
        taken += wide + (taken > 0);
        meaning += word;
        meaning += strspn(meaning, " ");
    }
    putchar('\n');
}

static void help_options(unsigned commands, bool common)
{
    for (int i = 0; i < OPTIONS; i++) {
        const struct option_row *row = &option_rows[i];
        bool everywhere = row->commands == ~0u;
        if (!row->help || everywhere != common || !(row->commands & commands))
            continue;
        char name[64], brief[8] = "", letter = option_letter((enum option_id)i);
        if (letter)
            snprintf(brief, sizeof brief, "-%c, ", letter);
        snprintf(name, sizeof name, "%s--%s%s%s", brief, row->name, row->argument ? " " : "",
                 row->argument ? tr(row->argument) : "");
        help_row(name, option_help((enum option_id)i, commands));
    }
}

static const char *help_name(const struct command_row *command)
{
    return command->name ? command->name : "";
}

/* The formats that a command reads or writes. */
static void help_formats(bool write)
{
    printf("\n%s\n", tr("Formats:"));
    for (int i = 0; i < EXCHANGE_FORMATS; i++)
        if (write ? exchange_rows[i].exports : exchange_rows[i].imports)
            help_row(exchange_rows[i].name, tr(exchange_rows[i].help));
}

/* How what is written on a sheet is typed. */
static void help_answers(void)
{
    printf("\n%s\n", tr("Answers:"));
    help_row("1b",
             tr("question 1: the second choice; letters count from the top as printed, a is the first"));
    help_row("8ac", tr("question 8: the first choice and the third"));
    help_row("7f", tr("question 7: false (t: true)"));
    help_row("4=0.27", tr("question 4: what was written, in quotation marks where it has blanks"));
    help_row("6=3,1,2", tr("question 6: items, or what belongs to each text, by their printed numbers"));
    help_row("9=", tr("question 9 is a blank, as is each that is not named"));
}

void help_command(const struct command_row *command)
{
    unsigned bit = 1u << (command - command_rows);
    const char *arguments = *command->arguments ? tr(command->arguments) : "";
    printf(tr("Usage: quiztutor %s%s[OPTION…] %s\n"), help_name(command), command->name ? " " : "",
           arguments);
    printf("\n%s.\n", tr(command->help));
    if (command->alias)
        printf(tr("Also: quiztutor %s\n"), command->alias);
    if (command->parts)
        printf("\n%s\n", tr("Commands:"));
    for (const struct part_row *part = command->parts; part && part->name; part++) {
        char name[64];
        snprintf(name, sizeof name, "%s%s%s", part->name, *part->arguments ? " " : "",
                 *part->arguments ? tr(part->arguments) : "");
        help_row(name, tr(part->help));
    }
    if (command == &command_rows[COMMAND_ID_MARK])
        help_answers();
    if (command == &command_rows[COMMAND_ID_IMPORT] || command == &command_rows[COMMAND_ID_EXPORT])
        help_formats(command == &command_rows[COMMAND_ID_EXPORT]);
    printf("\n%s\n", tr("Options:"));
    help_options(bit, false);
    help_options(bit, true);
}

void help_program(void)
{
    printf("%s\n\n%s\n", tr("Usage: quiztutor [COMMAND] [OPTION…] [ARGUMENT…]"), tr("Commands:"));
    for (int i = 0; i < COMMANDS; i++) {
        const struct command_row *row = &command_rows[i];
        char name[64];
        snprintf(name, sizeof name, "%s%s%s", row->name ? row->name : tr("(none)"),
                 *row->arguments ? " " : "", *row->arguments ? tr(row->arguments) : "");
        help_row(name, tr(row->help));
    }
    printf("\n%s\n", tr("Options of every command:"));
    help_options(~0u, true);
    printf("\n%s\n", tr("Each command's own: quiztutor COMMAND --help. The manual: man quiztutor."));
}

/* Which options each command takes, for completions; the bare program goes by its own name. */
static void help_uses(void)
{
    puts("[uses]");
    for (int i = 0; i < COMMANDS; i++) {
        printf("%s\t", command_rows[i].name ? command_rows[i].name : "quiztutor");
        for (int j = 0; j < OPTIONS; j++)
            if (option_rows[j].help && option_rows[j].commands & 1u << i)
                printf("--%s ", option_rows[j].name);
        puts("\t");
    }
}

/* The tables as tab-separated lines, for completions and the tests that hold documents against them. */
void help_tables(void)
{
    puts("[commands]");
    for (int i = 0; i < COMMANDS; i++)
        if (command_rows[i].name)
            printf("%s\t%s\t%s\n", command_rows[i].name, command_rows[i].arguments, command_rows[i].help);
    for (int i = 0; i < COMMANDS; i++)
        for (const struct part_row *part = command_rows[i].parts; part && part->name; part++)
            printf("%s %s\t%s\t%s\n", command_rows[i].name, part->name, part->arguments, part->help);
    puts("[options]");
    for (int i = 0; i < OPTIONS; i++)
        if (option_rows[i].help)
            printf("--%s\t%s\t%s\n", option_rows[i].name,
                   option_rows[i].argument ? option_rows[i].argument : "", option_rows[i].help);
    puts("[settings]");
    for (int i = 0; i < SETTINGS; i++)
        printf("%s\t%s\t%s\n", setting_rows[i].name, setting_rows[i].fallback ? setting_rows[i].fallback : "",
               setting_rows[i].help);
    puts("[kiosk]");
    for (int i = 0; i < KIOSK_ROWS; i++) {
        const struct setting_row *row = kiosk_rows[i].setting;
        printf("%s\t%s\t%s\n", row->name, row->fallback ? row->fallback : "", row->help);
    }
    puts("[responses]");
    for (int i = 0; i < RESPONSE_COMMANDS; i++)
        printf("%s\t%.1s\t%s\n", response_rows[i].word,
               response_rows[i].letter ? &response_rows[i].letter : "", response_rows[i].help);
    puts("[formats]");
    for (int i = 0; i < EXCHANGE_FORMATS; i++)
        printf("%s\t%s%s\t%s\n", exchange_rows[i].name, exchange_rows[i].imports ? "import" : "",
               !exchange_rows[i].exports  ? ""
               : exchange_rows[i].imports ? ",export"
                                          : "export",
               exchange_rows[i].help);
    puts("[actions]");
    for (int i = 0; i < action_row_count; i++)
        printf("%s\t%s\t%s\n", action_rows[i].name, action_rows[i].keys, action_rows[i].help);
    help_uses();
}
