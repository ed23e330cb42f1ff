#include "report.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <stdio.h>
#include <string.h>

enum { MESSAGE = 600, LINE_BEFORE = 400, LINE_AFTER = 200 }; /* the columns of a source line that are kept */

void report_init(struct report *report, struct source *source, struct diagnostics *list, const char *file)
{
    memset(report, 0, sizeof *report);
    report->source = source;
    report->list = list;
    report->file = file;
    report_mark(report);
}

struct place place_at(int line, int column, int columns)
{
    struct place place = { line, column, line, column + columns };
    return place;
}

const char *report_hint(struct report *report, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(report->hint, sizeof report->hint, format, arguments);
    va_end(arguments);
    return report->hint;
}

const char *report_quote(char quote[static REPORT_QUOTE], const char *text, ptrdiff_t length)
{
    ptrdiff_t at = 0, room = REPORT_QUOTE - 8;
    int codes = 0;
    while (at < length && codes < 40) {
        int32_t code;
        int bytes = text_decode(text + at, length - at, &code);
        if (at + bytes > room)
            break;
        at += bytes;
        codes++;
    }
    quote[0] = '"';
    memcpy(quote + 1, text, (size_t)at);
    strcpy(quote + 1 + at, at < length ? "…\"" : "\"");
    for (char *c = quote; *c; c++)
        if (*c == '\n' || *c == '\t')
            *c = ' ';
    return quote;
}

/* The part of the source line around the place: a line can be as long as the file. */
static void report_source(struct report *report, struct diagnostic *diagnostic, struct buffer *line)
{
    if (!report->source || diagnostic->line < 1)
        return;
    int first = diagnostic->column > LINE_BEFORE ? diagnostic->column - LINE_BEFORE : 1;
    ptrdiff_t length, start = source_line(report->source, diagnostic->line,
                                          (ptrdiff_t)(diagnostic->column + LINE_AFTER) * 4, &length);
    if (start < 0)
        return;
    const char *text = report->source->data + start;
    ptrdiff_t at = 0;
    int32_t code;
    for (int i = 1; i < first && at < length; i++)
        at += text_decode(text + at, length - at, &code);
    ptrdiff_t end = at;
    for (int i = first; i < diagnostic->column + LINE_AFTER && end < length; i++)
        end += text_decode(text + end, length - end, &code);
    buffer_add(line, text + at, end - at);
    diagnostic->source = buffer_get(line);
    diagnostic->source_column = first;
}

static void report_add(struct report *report, enum severity severity, const struct place *place,
                       const char *rule, const char *hint, const char *message)
{
    struct diagnostic diagnostic = {
        .severity = severity,
        .file = report->file,
        .line = place->line,
        .column = place->column,
        .end_line = place->end_line,
        .end_column = place->end_column,
        .rule = rule,
        .message = message,
        .hint = hint,
    };
    struct buffer line;
    buffer_init(&line);
    if (diagnostics_room(report->list, severity))
        report_source(report, &diagnostic, &line);
    if (line.failed)
        diagnostic.source = NULL;
    diagnostics_add(report->list, &diagnostic);
    buffer_finish(&line);
}

void report_error(struct report *report, const struct place *place, const char *rule, const char *hint,
                  const char *format, ...)
{
    char message[MESSAGE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    report->errors++;
    report->last = *place;
    report_add(report, SEVERITY_ERROR, place, rule, hint, message);
}

void report_warning(struct report *report, const struct place *place, const char *rule, const char *hint,
                    const char *format, ...)
{
    char message[MESSAGE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    report_add(report, SEVERITY_WARNING, place, rule, hint, message);
}

void report_mark(struct report *report)
{
    report->mark = diagnostics_here(report->list);
    report->errors_at_mark = report->errors;
}

void report_withdraw(struct report *report)
{
    diagnostics_withdraw(report->list, report->mark);
    if (report->errors > report->errors_at_mark)
        memset(&report->last, 0, sizeof report->last);
    report->errors = report->errors_at_mark;
}

static const char *fault_hint(const struct source_fault *fault)
{
    if (fault->code == TEXT_BAD)
        return tr("save the file as UTF-8");
    if (fault->code == '\r')
        return tr("save the file with a line feed, or CR and LF, at the end of each line");
    if (fault->code == 0)
        return tr("save the file as UTF-8, without NUL bytes");
    return tr("delete it");
}

void report_faults(struct report *report)
{
    struct source *source = report->source;
    struct place place = place_at(1, 1, 0);
    int told = report->errors;
    if (source->foreign && report->faults_told == 0) {
        report->faults_told = 1;
        report_error(report, &place, "encoding", tr("save the file as UTF-8"),
                     tr("the file is not UTF-8 but UTF-16 or UTF-32"));
    }
    for (; report->faults_told < source->fault_count; report->faults_told++) {
        const struct source_fault *fault = &source->faults[report->faults_told];
        int line, column;
        source_place(source, fault->offset, &line, &column);
        place = place_at(line, column, 1);
        if (fault->code == '\r') {
            report_error(report, &place, "character", fault_hint(fault),
                         tr("a carriage return (U+000D) without a line feed; the rest is not read"));
        } else if (fault->code == TEXT_BAD) {
            report_error(report, &place, "encoding", fault_hint(fault), tr("the byte 0x%02x is not UTF-8"),
                         (unsigned char)source->data[fault->offset]);
        } else {
            char name[80];
            text_name_code(name, sizeof name, fault->code);
            report_error(report, &place, "character", fault_hint(fault),
                         tr("the character %s may not stand here"), name);
        }
    }
    if (source->too_many_faults && report->faults_told == SOURCE_FAULTS) {
        report->faults_told++;
        int line, column;
        source_place(source, source->checked, &line, &column);
        place = place_at(line, column, 1);
        report_error(report, &place, "character", NULL,
                     tr("there are more characters that may not stand here; the rest is not read"));
    }
    if (report->errors > told) /* these follow from nothing */
        report_mark(report);
}
