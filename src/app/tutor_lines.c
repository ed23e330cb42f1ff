/* A tutor's walk in plain lines: the rows of a table are a numbered menu; what is typed opens one, goes back,
 * sorts, filters or writes to a file. */
#include "tutor_private.h"
#include "tutor_walk.h"

#include <quiztutor/line.h>
#include <quiztutor/message.h>
#include <quiztutor/plain.h>
#include <quiztutor/text.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS = 20 /* a page */ };

struct lines {
    struct walk walk;
    struct line_reader in;
    struct buffer out;
    int next; /* of the rows shown, the first that is still to be told */
    bool echoes, done, failed;
    struct error error; /* what ended the run */
};

static bool fail(struct lines *lines, const struct error *error)
{
    lines->error = *error;
    lines->failed = true;
    return false;
}

/* Says what can't be done; goes on where a table is still there. */
static bool tell(struct lines *lines, const struct error *error)
{
    if (!walk_model(&lines->walk))
        return fail(lines, error);
    buffer_text(&lines->out, "quiztutor: ");
    text_visible(&lines->out, error->message, (ptrdiff_t)strlen(error->message));
    buffer_char(&lines->out, '\n');
    return true;
}

/* ---- what is told ---- */

static void tell_rows(struct lines *lines)
{
    const struct table_model *model = walk_model(&lines->walk);
    plain_table_rows(&lines->out, model, lines->next, ROWS);
    lines->next += ROWS;
    if (lines->next < model->work->shown)
        buffer_print(&lines->out, tr("%d more: Enter goes on\n"), model->work->shown - lines->next);
}

static void tell_table(struct lines *lines)
{
    lines->next = 0;
    plain_table(&lines->out, walk_model(&lines->walk));
    tell_rows(lines);
}

static void tell_more(struct lines *lines)
{
    if (lines->next < walk_model(&lines->walk)->work->shown)
        tell_rows(lines);
    else
        buffer_print(&lines->out, "%s\n", tr("There are no more rows."));
}

static void tell_help(struct lines *lines)
{
    static const struct {
        const char *typed, *help; /* N_() */
    } rows[] = {
        { N_("a number"), N_("open what that row is about") },
        { N_("d and a number"), N_("all of that row, with what is not available and why") },
        { "b", N_("back to the table that this one was opened from") },
        { N_("Enter"), N_("more rows") },
        { N_("s and a number"), N_("sort by that column; s alone lists them") },
        { "r", N_("turn the order round") },
        { N_("/ and a text"), N_("only rows that hold it; / alone shows all again") },
        { "t", N_("the next table of this report") },
        { "i", N_("how these figures were made") },
        { N_("e and a file's name"), N_("write what is shown to it: .csv, .json, .html or .txt") },
        { "l", N_("look again") },
        { "class questions misconceptions problems", N_("go to another report") },
        { "q", N_("leave") },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        buffer_print(&lines->out, "  %s: %s\n", tr(rows[i].typed), tr(rows[i].help));
}

/* ---- what is typed ---- */

/* Whatever was done with the walk: the table that is there now, or why it could not be. */
static bool went(struct lines *lines, bool done, const struct error *error)
{
    if (!done)
        return tell(lines, error);
    tell_table(lines);
    return true;
}

/* A number from 1 to `most` as the whole of a text; 0 for another. */
static int number(const char *text, int most)
{
    char *end;
    long found = *text >= '0' && *text <= '9' ? strtol(text, &end, 10) : 0;
    return found >= 1 && found <= most && !*end ? (int)found : 0;
}

static bool is_number(const char *text)
{
    text += *text == '-';
    return *text && strspn(text, "0123456789") == strlen(text);
}

static void tell_no_row(struct lines *lines, const char *typed, int shown)
{
    if (shown)
        buffer_print(&lines->out,
                     ntr("There is no row %s: only %d is shown.",
                         "There is no row %s: rows 1 to %d are shown.", shown),
                     typed, shown);
    else
        buffer_print(&lines->out, tr("There is no row %s: none is shown."), typed);
    buffer_char(&lines->out, '\n');
}

static bool open_row(struct lines *lines, int shown)
{
    const struct table_model *model = walk_model(&lines->walk);
    struct error error = { 0 };
    int row = model->work->order[shown];
    if (!model->opens[row]) {
        buffer_print(&lines->out, "%s\n", tr("This row opens nothing; this is all of it:"));
        plain_table_row(&lines->out, model, shown);
        return true;
    }
    walk_level(&lines->walk)->place.cursor = shown;
    return went(lines, walk_open(&lines->walk, row, &error), &error);
}

static bool sort(struct lines *lines, const char *typed)
{
    const struct table_model *model = walk_model(&lines->walk);
    struct table_place *place = &walk_level(&lines->walk)->place;
    int column = number(typed, model->column_count);
    if (!column && strcmp(typed, "0") != 0) {
        plain_table_columns(&lines->out, model, place);
        return true;
    }
    place->sort = column - 1;
    place->reversed = false;
    view_table_arrange(model, place);
    tell_table(lines);
    return true;
}

static bool filter(struct lines *lines, const char *typed)
{
    struct table_place *place = &walk_level(&lines->walk)->place;
    snprintf(place->filter, sizeof place->filter, "%s", typed);
    view_table_arrange(walk_model(&lines->walk), place);
    tell_table(lines);
    return true;
}

static bool export(struct lines *lines, const char *path)
{
    struct error error = { 0 };
    if (!*path) {
        buffer_print(&lines->out, "%s\n", tr("e needs a file's name: e class.csv"));
        return true;
    }
    if (!walk_export(&lines->walk, path, &error))
        return tell(lines, &error);
    buffer_print(&lines->out, tr("written to %s\n"), path);
    return true;
}

/* The commands of one letter, and what is typed behind it. */
static bool command(struct lines *lines, char letter, const char *rest)
{
    struct walk *walk = &lines->walk;
    const struct table_model *model = walk_model(walk);
    struct error error = { 0 };
    int shown;
    switch (letter) {
    case 'b':
        if (walk->depth > 0)
            return went(lines, walk_back(walk, &error), &error);
        buffer_print(&lines->out, "%s\n", tr("This is the first table."));
        return true;
    case 'd':
        shown = number(rest, model->work->shown);
        if (shown)
            plain_table_row(&lines->out, model, shown - 1);
        else
            buffer_print(&lines->out, "%s\n", tr("d needs the number of a row: d 1"));
        return true;
    case 's':
        return sort(lines, rest);
    case 'r':
        walk_level(walk)->place.reversed = !walk_level(walk)->place.reversed;
        view_table_arrange(model, &walk_level(walk)->place);
        tell_table(lines);
        return true;
    case 't':
        return went(lines,
                    walk_table(walk, (model->table + 1) % (model->tables > 0 ? model->tables : 1), &error),
                    &error);
    case 'i':
        plain_table_notes(&lines->out, model);
        return true;
    case 'e':
        return export(lines, rest);
    case 'l':
        return went(lines, walk_make(walk, &error), &error);
    case 'q':
        lines->done = true;
        return true;
    default:
        tell_help(lines);
        return true;
    }
}

static bool see(struct lines *lines, const char *typed, bool *known)
{
    static const char *const words[WALK_OTHERS] = { "class", "questions", "misconceptions", "problems" };
    struct error error = { 0 };
    *known = false;
    for (int i = 0; i < WALK_OTHERS; i++)
        if (strcmp(typed, words[i]) == 0) {
            *known = true;
            return went(lines, walk_see(&lines->walk, i, &error), &error);
        }
    return true;
}

static bool handle(struct lines *lines, const char *typed)
{
    const struct table_model *model = walk_model(&lines->walk);
    int shown = number(typed, model->work->shown);
    bool known;
    if (!*typed) {
        tell_more(lines);
        return true;
    }
    if (shown)
        return open_row(lines, shown - 1);
    if (*typed == '/')
        return filter(lines, typed + 1);
    bool done = see(lines, typed, &known);
    if (known)
        return done;
    const char *rest = typed + 1;
    if (is_number(typed)) {
        tell_no_row(lines, typed, model->work->shown);
        return true;
    }
    if (*rest && *rest != ' ') { /* a word that is no command */
        tell_help(lines);
        return true;
    }
    return command(lines, *typed, rest + strspn(rest, " "));
}

static bool talk(struct lines *lines)
{
    tell_table(lines);
    while (!lines->done) {
        struct buffer line;
        ptrdiff_t length;
        buffer_print(&lines->out, "%s > ", tr("Number of a row, ? for more, q to leave"));
        if (!line_write(STDOUT_FILENO, &lines->out, &lines->error))
            return false;
        const char *typed = line_read(&lines->in, &length);
        if (lines->echoes)
            buffer_print(&lines->out, "%s\n", typed ? typed : "");
        if (!typed)
            break;
        if ((ptrdiff_t)strlen(typed) != length) /* a NUL is none of a line's business */
            length = (ptrdiff_t)strlen(typed);
        text_trim(&typed, &length);
        buffer_init(&line);
        buffer_add(&line, typed, length);
        bool done = line.failed ? fail(lines, &(struct error){ .code = ERROR_MEMORY })
                                : handle(lines, buffer_get(&line));
        buffer_finish(&line);
        if (!done)
            return false;
    }
    return line_write(STDOUT_FILENO, &lines->out, &lines->error);
}

bool tutor_lines(const struct tutor *tutor, struct error *error)
{
    struct lines *lines = memory_zero(sizeof *lines);
    if (!lines)
        return error_memory(error);
    walk_init(&lines->walk, tutor, tutor->ascii);
    line_init(&lines->in, STDIN_FILENO);
    buffer_init(&lines->out);
    lines->echoes = !isatty(STDIN_FILENO);
    bool done = walk_make(&lines->walk, &lines->error) && talk(lines);
    if (!done && error)
        *error = lines->error;
    walk_finish(&lines->walk);
    line_finish(&lines->in);
    buffer_finish(&lines->out);
    memory_free(lines);
    return done;
}
