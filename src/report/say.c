/* The words of cells, for those who show a report in another way than its writers. */
#include "cell.h"

#include <quiztutor/text.h>

#include <string.h>

bool report_is_absent(const struct report_cell *cell)
{
    return cell_is_absent(cell);
}

const char *report_why(const struct report_cell *cell)
{
    return cell_why(cell);
}

bool report_is_number(enum cell_kind kind)
{
    return cell_is_number(kind);
}

const char *report_unit(enum cell_kind kind, const char *unit)
{
    return cell_unit(kind, unit);
}

/* In one line. */
static void say_text(struct buffer *out, const char *text)
{
    while (*text) {
        size_t plain = strcspn(text, "\n\t");
        text_visible(out, text, (ptrdiff_t)plain);
        text += plain;
        if (*text) {
            buffer_char(out, ' ');
            text++;
        }
    }
}

void report_say(struct buffer *out, const struct report_cell *cell, const char *unit, int decimals,
                bool whole)
{
    if (cell->kind == CELL_TEXT) {
        say_text(out, cell->text ? cell->text : "");
        if (cell->note)
            buffer_print(out, " (%s)", cell->note);
    } else if (whole)
        cell_say_unit(out, cell, unit, decimals);
    else
        cell_say(out, cell, unit, decimals);
}

void report_say_interval(struct buffer *out, const struct report_cell *cell, int decimals, bool ascii)
{
    cell_say_interval(out, cell, decimals, ascii);
}

double report_share(const struct report_cell *cell)
{
    return cell_share(cell);
}
