#include "output.h"

#include <quiztutor/line.h>
#include <quiztutor/text.h>

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Columns of the terminal; 0 where the output is none. */
static int output_terminal(void)
{
    struct winsize size;
    if (!isatty(STDOUT_FILENO))
        return 0;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || !size.ws_col)
        return OUTPUT_WIDTH;
    return size.ws_col < OUTPUT_NARROWEST ? OUTPUT_NARROWEST : size.ws_col;
}

void output_init(struct output *output, const struct settings *settings)
{
    const char *signs = settings->text[SETTING_SIGNS], *term = getenv("TERM"),
               *accessible = getenv("ACCESSIBLE");
    bool dumb = term && strcmp(term, "dumb") == 0, console = term && strcmp(term, "linux") == 0;
    *output = (struct output){ .columns = output_terminal() };
    buffer_init(&output->text);
    bool wanted = signs && strcmp(signs, "unicode") == 0;
    bool refused = signs && (strcmp(signs, "ascii") == 0 || strcmp(signs, "console") == 0);
    output->ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0 || refused || (console && !wanted);
    output->figures =
        !(accessible && *accessible) && settings->number[SETTING_PLAIN] == 0 && !(dumb && output->columns);
}

bool output_finish(struct output *output, struct error *error)
{
    bool done = output->text.failed ? error_memory(error) : line_write(STDOUT_FILENO, &output->text, error);
    buffer_finish(&output->text);
    return done;
}

/* Bytes of `text` that fit in `room` columns, broken between words where there is one; *next is where the
 * following line begins. At least one cell, so that there is always an end. */
static ptrdiff_t output_break(const char *text, int room, ptrdiff_t *next)
{
    ptrdiff_t length = (ptrdiff_t)strlen(text), at = 0, word = -1;
    int used = 0;
    while (at < length && text[at] != '\n') {
        int columns;
        ptrdiff_t cell = text_cell(text + at, length - at, &columns);
        if (text[at] == ' ')
            word = at;
        if (used + columns > room && at > 0) {
            ptrdiff_t end = word > 0 ? word : at;
            *next = word > 0 ? word + 1 : at;
            return end;
        }
        used += columns;
        at += cell;
    }
    *next = at < length ? at + 1 : at;
    return at;
}

/* The first line stands where the output stands, the others at `indent`. */
static void output_wrap(struct output *output, int indent, const char *text)
{
    int room = (output->columns && output->columns < OUTPUT_WIDTH ? output->columns : OUTPUT_WIDTH) - indent;
    do {
        ptrdiff_t next, end = output_break(text, room, &next);
        buffer_add(&output->text, text, end);
        buffer_char(&output->text, '\n');
        text += next;
        if (*text && *text != '\n') /* a line between paragraphs is empty */
            buffer_print(&output->text, "%*s", indent, "");
    } while (*text);
}

void output_text(struct output *output, const char *text)
{
    output_wrap(output, 0, text);
}

void output_field(struct output *output, int width, const char *word, const char *text)
{
    int pad = width - text_columns(word);
    buffer_print(&output->text, "%s%*s", word, pad > 0 ? pad : 1, "");
    output_wrap(output, width, text);
}

/* Appends as much of a text as fits. */
static void output_clip(struct output *output, const char *text, int room)
{
    ptrdiff_t length = (ptrdiff_t)strlen(text), at = 0;
    int used = 0, columns;
    if (text_columns(text) <= room) {
        buffer_text(&output->text, text);
        return;
    }
    for (ptrdiff_t cell; at < length; at += cell, used += columns) {
        cell = text_cell(text + at, length - at, &columns);
        if (used + columns > room - 1)
            break;
    }
    buffer_add(&output->text, text, at);
    buffer_text(&output->text, output->ascii ? "~" : "…");
}

enum { GAP = 2 };

static int table_width(const int *widths, int count)
{
    int all = -GAP;
    for (int i = 0; i < count; i++)
        all += widths[i] ? widths[i] + GAP : 0;
    return all;
}

/* Leaves columns out until the others fit. */
static void table_fit(const struct output *output, const struct output_column *columns, int *widths,
                      int count)
{
    while (output->columns && table_width(widths, count) > output->columns) {
        int worst = -1;
        for (int i = 0; i < count; i++)
            if (widths[i] && columns[i].rank && (worst < 0 || columns[i].rank > columns[worst].rank))
                worst = i;
        if (worst < 0)
            break;
        widths[worst] = 0;
    }
    int over = output->columns ? table_width(widths, count) - output->columns : 0;
    if (over > 0 && widths[0] > over + 4)
        widths[0] -= over;
}

void output_table(struct output *output, const struct output_column *columns, int count,
                  const char *const *cells, ptrdiff_t rows)
{
    struct buffer *out = &output->text;
    int widths[OUTPUT_COLUMNS] = { 0 };
    for (ptrdiff_t i = 0; i < rows * count; i++) {
        int width = text_columns(cells[i]);
        if (width > widths[i % count])
            widths[i % count] = width;
    }
    table_fit(output, columns, widths, count);
    for (ptrdiff_t row = 0; row < rows; row++) {
        int owed = 0; /* blanks before the next text: none at the end of a line */
        for (int i = 0; i < count; i++) {
            const char *cell = cells[row * count + i];
            int pad = widths[i] - text_columns(cell);
            if (!widths[i])
                continue;
            if (columns[i].right)
                owed += pad;
            if (*cell) {
                buffer_print(out, "%*s", owed, "");
                output_clip(output, cell, widths[i]);
                owed = 0;
            }
            if (!columns[i].right && pad > 0)
                owed += pad;
            owed += GAP;
        }
        buffer_char(out, '\n');
    }
}
