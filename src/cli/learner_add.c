/* `quiztutor learner add`: one learner, or a roster as CSV. */
#include "file.h"
#include "learner.h"

#include <quiztutor/line.h>
#include <quiztutor/message.h>
#include <quiztutor/table.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { ROSTER_BYTES = 64 << 20, ROSTER_GROUPS = 100 };

enum column {
    COLUMN_NAME,
    COLUMN_LOGIN,
    COLUMN_EXTERNAL,
    COLUMN_GROUP,
    COLUMN_FACTOR,
    COLUMN_PLAIN,
    COLUMNS
};
static const char *const column_names[COLUMNS] = { "name",  "login",       "external_id",
                                                   "group", "time_factor", "plain" };

/* A roster on its way into the store. */
struct reading {
    const struct invocation *invocation;
    const char *path;
    struct buffer bytes;
    struct table table;
    int places[COLUMNS]; /* of a column in the table + 1; 0: it has none */
    struct arena arena;
    struct roster_line *lines;
    ptrdiff_t count, line_capacity;
    int *numbers; /* of the lines in the file; 0: refused already */
    ptrdiff_t number_capacity;
    ptrdiff_t refused;
    bool cut; /* a cell of this record holds a NUL */
};

static void tell(struct reading *reading, int line, const char *why)
{
    struct buffer shown;
    buffer_init(&shown);
    if (reading->path)
        text_visible(&shown, reading->path, (ptrdiff_t)strlen(reading->path));
    if (reading->path)
        buffer_print(&shown, ":%d: ", line);
    else
        buffer_text(&shown, "quiztutor: ");
    text_visible(&shown, why, (ptrdiff_t)strlen(why));
    fprintf(stderr, "%s\n", buffer_get(&shown));
    buffer_finish(&shown);
}

/* The header names the columns, in any order. */
static bool read_header(struct reading *reading, struct error *error)
{
    struct table *table = &reading->table;
    if (!table_next(table))
        return error_set(error, ERROR_INPUT, tr("%s is empty: its first line names the columns, as in %s"),
                         reading->path, "name,login,external_id,group,time_factor,plain");
    for (int cell = 0; cell < table->count; cell++) {
        ptrdiff_t length;
        const char *text = table_cell(table, cell, &length);
        text_trim(&text, &length);
        int column = 0;
        while (column < COLUMNS &&
               (strncasecmp(text, column_names[column], (size_t)length) != 0 || column_names[column][length]))
            column++;
        if (column == COLUMNS && length == 0 && cell == table->count - 1)
            continue; /* what a spreadsheet leaves at the end */
        if (column == COLUMNS)
            return error_set(error, ERROR_INPUT, tr("%s:%d: there is no column \"%.*s\"; there are %s"),
                             reading->path, table->first_line, (int)length, text,
                             "name,login,external_id,group,time_factor,plain");
        if (reading->places[column])
            return error_set(error, ERROR_INPUT, tr("%s:%d: the column \"%s\" is there twice"), reading->path,
                             table->first_line, column_names[column]);
        reading->places[column] = cell + 1;
    }
    return reading->places[COLUMN_NAME] || reading->places[COLUMN_LOGIN] ||
           reading->places[COLUMN_EXTERNAL] ||
           error_set(error, ERROR_INPUT, tr("%s:%d: nobody can be named without a column \"name\""),
                     reading->path, table->first_line);
}

/* A cell's text without the blanks around it, in the arena; NULL: nothing is said. */
static bool take_cell(struct reading *reading, enum column column, const char **text)
{
    ptrdiff_t length;
    *text = NULL;
    if (!reading->places[column])
        return true;
    const char *cell = table_cell(&reading->table, reading->places[column] - 1, &length);
    reading->cut = reading->cut || (ptrdiff_t)strlen(cell) != length;
    text_trim(&cell, &length);
    if (length)
        *text = arena_text(&reading->arena, cell, length);
    return !length || *text;
}

static bool take_groups(struct reading *reading, struct roster_line *line)
{
    const char *text;
    if (!take_cell(reading, COLUMN_GROUP, &text))
        return false;
    const char **groups =
        text ? arena_alloc(&reading->arena, ROSTER_GROUPS * (ptrdiff_t)sizeof *groups) : NULL;
    if (text && !groups)
        return false;
    for (const char *at = text; at && line->group_count < ROSTER_GROUPS;) {
        ptrdiff_t length = (ptrdiff_t)strcspn(at, ";");
        const char *part = at, *next = at[length] ? at + length + 1 : NULL;
        text_trim(&part, &length);
        if (length) {
            groups[line->group_count] = arena_text(&reading->arena, part, length);
            if (!groups[line->group_count++])
                return false;
        }
        at = next;
    }
    line->groups = groups;
    line->only_these = true;
    return true;
}

/* An enum roster_reading, or nothing said; −2: neither. */
static int read_reading(const char *text)
{
    static const char *const words[][4] = { [ROSTER_SCREENS] = { "false", "no", "0", NULL },
                                            [ROSTER_LINES] = { "true", "yes", "1", NULL },
                                            [ROSTER_LARGE] = { "large", "2", NULL } };
    if (!text)
        return ROSTER_UNSAID;
    for (int reading = ROSTER_SCREENS; reading <= ROSTER_LARGE; reading++)
        for (int i = 0; words[reading][i]; i++)
            if (strcasecmp(text, words[reading][i]) == 0)
                return reading;
    return ROSTER_UNSAID - 1;
}

/* Why a record can't be a line of the roster; NULL: it can. */
static const char *judge_record(const struct reading *reading, const char *factor,
                                const struct roster_line *line)
{
    const struct table *table = &reading->table;
    if (table->unclosed)
        return tr("a quotation mark is opened and never closed");
    if (table->too_wide)
        return tr("it has too many cells");
    if (reading->cut)
        return tr("it holds a NUL character");
    if (line->plain < ROSTER_UNSAID)
        return tr("plain is true, false or large");
    char *end;
    double value = factor ? strtod(factor, &end) : 1;
    if (factor && (*end || !(value >= 1 && value <= 10)))
        return tr("time_factor is a number from 1 to 10");
    return NULL;
}

static bool take_record(struct reading *reading, struct error *error)
{
    struct roster_line line = { .plain = ROSTER_UNSAID };
    struct table *table = &reading->table;
    const char *factor, *plain;
    if (table_blank(table))
        return true;
    reading->cut = false;
    if (!take_cell(reading, COLUMN_NAME, &line.name) || !take_cell(reading, COLUMN_LOGIN, &line.login) ||
        !take_cell(reading, COLUMN_EXTERNAL, &line.external_id) || !take_groups(reading, &line) ||
        !take_cell(reading, COLUMN_FACTOR, &factor) || !take_cell(reading, COLUMN_PLAIN, &plain))
        return error_memory(error);
    line.plain = read_reading(plain);
    const char *why = judge_record(reading, factor, &line);
    if (why) {
        tell(reading, table->first_line, why);
        reading->refused++;
        return true;
    }
    line.time_factor = factor ? strtod(factor, NULL) : 0;
    if (!memory_grow(&reading->lines, &reading->line_capacity, reading->count + 1, sizeof *reading->lines) ||
        !memory_grow(&reading->numbers, &reading->number_capacity, reading->count + 1,
                     sizeof *reading->numbers))
        return error_memory(error);
    reading->numbers[reading->count] = table->first_line;
    reading->lines[reading->count++] = line;
    return true;
}

/* Commas, or semicolons where spreadsheets write those. */
static char separator_of(const char *text, ptrdiff_t length)
{
    int commas = 0, semicolons = 0, tabs = 0;
    for (ptrdiff_t i = 0; i < length && text[i] != '\n' && text[i] != '\r'; i++) {
        commas += text[i] == ',';
        semicolons += text[i] == ';';
        tabs += text[i] == '\t';
    }
    return semicolons > commas && semicolons > tabs ? ';' : tabs > commas ? '\t' : ',';
}

static bool read_file(struct reading *reading, struct error *error)
{
    static const char mark[] = "\xef\xbb\xbf";
    if (!file_read(&reading->bytes, reading->path, ROSTER_BYTES, error))
        return false;
    const char *text = buffer_get(&reading->bytes);
    ptrdiff_t length = reading->bytes.length;
    if (length >= 3 && memcmp(text, mark, 3) == 0) {
        text += 3;
        length -= 3;
    }
    table_init(&reading->table, text, length, separator_of(text, length));
    reading->table.blanks = true;
    bool done = read_header(reading, error);
    while (done && table_next(&reading->table))
        done = take_record(reading, error);
    return done && (!reading->table.failed || error_memory(error));
}

/* One line from the command line. */
static bool read_arguments(struct reading *reading, struct error *error)
{
    const struct options *options = reading->invocation->options;
    const char **groups = arena_alloc(&reading->arena, ROSTER_GROUPS * (ptrdiff_t)sizeof *groups), *group;
    int place = 0;
    reading->lines = memory_zero(sizeof *reading->lines);
    reading->numbers = memory_zero(sizeof *reading->numbers);
    if (!groups || !reading->lines || !reading->numbers)
        return error_memory(error);
    *reading->lines = (struct roster_line){
        .name = reading->invocation->arguments[0],
        .login = options->values[OPTION_LOGIN],
        .external_id = options->values[OPTION_EXTERNAL_ID],
        .groups = groups,
        .plain = ROSTER_UNSAID,
    };
    while ((group = option_next(options, OPTION_GROUP, &place))) {
        if (reading->lines->group_count == ROSTER_GROUPS)
            return error_set(error, ERROR_USAGE, tr("a learner is in at most %d groups"), ROSTER_GROUPS);
        groups[reading->lines->group_count++] = group;
    }
    reading->count = 1;
    return true;
}

static bool read_lines(struct reading *reading, struct error *error)
{
    static const enum option_id options[] = { OPTION_LOGIN, OPTION_EXTERNAL_ID, OPTION_GROUP, OPTION_FROM,
                                              OPTIONS };
    const struct options *given = reading->invocation->options;
    reading->path = given->values[OPTION_FROM];
    if (!learner_takes(reading->invocation, options, error))
        return false;
    bool alone = reading->invocation->argument_count == 0 && !given->values[OPTION_LOGIN] &&
                 !given->values[OPTION_EXTERNAL_ID] && !given->values[OPTION_GROUP];
    if (reading->path)
        return alone ? read_file(reading, error)
                     : error_set(error, ERROR_USAGE, "%s",
                                 tr("learner add takes a NAME or --from FILE, not both"));
    if (reading->invocation->argument_count != 1)
        return error_set(error, ERROR_USAGE, "%s", tr("learner add needs a NAME, or --from FILE"));
    return read_arguments(reading, error);
}

static void count_up(struct buffer *out, const char *words, ptrdiff_t count)
{
    if (!count)
        return;
    if (out->length)
        buffer_text(out, ", ");
    buffer_text(out, words);
}

static bool print_counts(struct reading *reading, const ptrdiff_t counts[static ROSTER_REFUSED + 1],
                         struct error *error)
{
    struct buffer out, words;
    long long added = counts[ROSTER_ADDED], changed = counts[ROSTER_CHANGED], same = counts[ROSTER_SAME],
              refused = reading->refused;
    buffer_init(&out);
    buffer_init(&words);
    buffer_print(&words, ntr("%lld learner added", "%lld learners added", added), added);
    count_up(&out, buffer_get(&words), added);
    buffer_clear(&words);
    buffer_print(&words, ntr("%lld changed", "%lld changed", changed), changed);
    count_up(&out, buffer_get(&words), changed);
    buffer_clear(&words);
    buffer_print(&words, ntr("%lld as before", "%lld as before", same), same);
    count_up(&out, buffer_get(&words), same);
    buffer_clear(&words);
    buffer_print(&words, ntr("%lld line refused", "%lld lines refused", refused), refused);
    count_up(&out, buffer_get(&words), refused);
    if (!out.length)
        buffer_text(&out, tr("no learners in it"));
    buffer_char(&out, '\n');
    bool done = out.failed || words.failed ? error_memory(error) : line_write(STDOUT_FILENO, &out, error);
    buffer_finish(&out);
    buffer_finish(&words);
    return done;
}

static bool take_in(struct reading *reading, struct error *error)
{
    struct store *store = NULL;
    ptrdiff_t counts[ROSTER_REFUSED + 1] = { 0 };
    struct roster_result *results = memory_zero((reading->count + 1) * (ptrdiff_t)sizeof *results);
    bool done = results ? learner_open(reading->invocation, true, &store, error) : error_memory(error);
    done = done && roster_add(store, reading->lines, results, reading->count, error);
    for (ptrdiff_t i = 0; done && i < reading->count; i++) {
        counts[results[i].outcome]++;
        if (results[i].outcome != ROSTER_REFUSED)
            continue;
        tell(reading, reading->numbers[i], results[i].why);
        reading->refused++;
    }
    store_close(store);
    memory_free(results);
    if (done && !reading->path && reading->refused)
        return error_set(error, ERROR_CLOSED, "-"); /* it is told already */
    return done && print_counts(reading, counts, error);
}

int command_learner_add(const struct invocation *invocation)
{
    struct reading reading = { .invocation = invocation };
    struct error error = { 0 };
    arena_init(&reading.arena);
    buffer_init(&reading.bytes);
    table_init(&reading.table, "", 0, ',');
    bool done = read_lines(&reading, &error) && take_in(&reading, &error);
    int status = !done ? command_fail(&error) : reading.refused ? STATUS_FAILED : STATUS_DONE;
    table_finish(&reading.table);
    buffer_finish(&reading.bytes);
    memory_free(reading.lines);
    memory_free(reading.numbers);
    arena_finish(&reading.arena);
    return status;
}
