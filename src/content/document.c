#include "document.h"

#include <quiztutor/message.h>
#include <quiztutor/pack.h>

#include <string.h>

enum { NOTHING = 64 * 1024 }; /* bytes without a character that make a silence of blanks */

/* Passes over blanks and line ends; how far it came, but for a long stretch of them, which is itself the
 * silence: then it stays on the line, or goes to the start of the next one where the line is over. */
static ptrdiff_t pass_blanks(const struct source *source, ptrdiff_t begin)
{
    ptrdiff_t at = begin, next = -1;
    for (; at < source->checked && at - begin < NOTHING && strchr(" \t\r\n", source->data[at]); at++)
        if (next < 0 && source->data[at] == '\n')
            next = at + 1;
    if (at < source->checked && at - begin < NOTHING)
        return at;
    return next >= 0 ? next : begin;
}

/* A text that is still being read although its line is over: what follows it is the silence. */
static ptrdiff_t pass_text(const struct source *source, ptrdiff_t begin)
{
    ptrdiff_t at = begin;
    while (at < source->checked && source->data[at] != '\n')
        at++;
    bool plain = begin < at && !strchr("\"'|>#&!", source->data[begin]);
    ptrdiff_t next = plain ? pass_blanks(source, at) : begin;
    return next == at + 1 && next < source->checked && source->data[next] == '\n' ? next : begin;
}

/* Where the silence began: at the first thing behind what was read last, or where nothing more comes. */
void document_report_silence(struct report *report, const struct place *last)
{
    struct source *source = report->source;
    ptrdiff_t at = source_offset(source, last->end_line, last->end_column);
    struct place place = *last;
    place.line = place.end_line;
    place.column = place.end_column;
    source_keep(source);
    if (at >= 0 && at < source->checked && source->data[at] == ':')
        at++;
    if (at >= 0) {
        at = pass_text(source, pass_blanks(source, at));
        source_place(source, at, &place.line, &place.column);
    }
    place = place_at(place.line, place.column, 1);
    report_error(report, &place, "silence", tr("split the text, or shorten the comment"),
                 tr("more than 1 MiB follows without a new key, item or text"));
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\0';
}

/* The one directive that may stand: %YAML 1.1 or 1.2. */
static bool directive_is_fine(const char *line, ptrdiff_t length)
{
    static const char name[] = "%YAML";
    ptrdiff_t at = sizeof name - 1;
    if (length < at || memcmp(line, name, (size_t)at) != 0)
        return false;
    while (at < length && (line[at] == ' ' || line[at] == '\t'))
        at++;
    if (length - at < 3 || memcmp(line + at, "1.", 2) != 0 || (line[at + 2] != '1' && line[at + 2] != '2'))
        return false;
    return length - at == 3 || is_blank(line[at + 3]);
}

/* Looks at the raw lines before the document, since libyaml needs a time that grows with the square of their
 * number. */
bool document_check_start(struct report *report)
{
    struct source *source = report->source;
    bool have_version = false;
    ptrdiff_t read_ahead = PACK_SILENCE + 2 * DOCUMENT_READ_AHEAD, length, start;
    for (int line = 1; (start = source_line(source, line, 4096, &length)) >= 0 && start < read_ahead;
         line++) {
        const char *text = source->data + start;
        ptrdiff_t at = 0;
        while (at < length && is_blank(text[at]))
            at++;
        if (at == length || text[at] == '#')
            continue;
        if (text[0] != '%')
            break;
        bool fine = directive_is_fine(text, length);
        if (fine && !have_version) {
            have_version = true;
            continue;
        }
        struct place place = place_at(line, 1, (int)(length < 80 ? length : 80));
        if (fine)
            report_error(report, &place, "directive", tr("delete this line"),
                         tr("a second %%YAML directive"));
        else
            report_error(report, &place, "directive", tr("delete this line"),
                         tr("directives are not allowed, but for %%YAML 1.1 or 1.2"));
        return false;
    }
    return true;
}

/* What stands behind the document, by its raw bytes: libyaml would go on with the next document's directives.
 */
bool document_check_rest(struct report *report, ptrdiff_t begin)
{
    struct source *source = report->source;
    bool comment = false;
    source_keep(source);
    for (ptrdiff_t at = begin;;) {
        while (source->checked - at < 4 && source_fill(source))
            continue;
        if (at >= source->checked)
            return true;
        if (at - begin > PACK_SILENCE) {
            struct place last = { 0 };
            source_place(source, begin, &last.end_line, &last.end_column);
            document_report_silence(report, &last);
            return false;
        }
        const char *text = source->data + at;
        bool line_start = at == source->start || text[-1] == '\n';
        bool marker =
            line_start && source->checked - at >= 3 && (at + 3 == source->checked || is_blank(text[3]));
        if (*text == '\n')
            comment = false;
        if (comment || is_blank(*text)) {
            at++;
        } else if (*text == '#' && (line_start || is_blank(text[-1]))) {
            comment = true;
        } else if (marker && memcmp(text, "...", 3) == 0) {
            at += 3;
        } else {
            struct place place;
            source_place(source, at, &place.line, &place.column);
            bool second = (line_start && *text == '%') || (marker && memcmp(text, "---", 3) == 0);
            place = place_at(place.line, place.column, second && *text == '-' ? 3 : 1);
            if (second)
                report_error(report, &place, "second-document", tr("put it into a file of its own"),
                             tr("a second document begins here; a file holds one"));
            else
                report_error(report, &place, "stray-text", tr("delete it, or move it to where it belongs"),
                             tr("something follows the end of the document"));
            return false;
        }
    }
}
