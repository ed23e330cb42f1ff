#include "slip.h"

#include <quiztutor/message.h>
#include <quiztutor/pack.h>

#include <stdio.h>
#include <string.h>

enum { LINE_LOOKED_AT = 4096, SIMPLE_KEY = 1024, SHORT_TEXT = 50, BLANK_LINES = 20, FIELD_ROOM = 80 };

/* A raw line, and where its key and its value begin in it (offsets; -1 where there is none). */
struct raw_line {
    const char *text;
    ptrdiff_t length, indent, key, key_length, value;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Takes a line apart: indentation, "- " of list items, "key:" and what follows. */
static void raw_read(struct raw_line *raw, struct report *report, int line)
{
    memset(raw, 0, sizeof *raw);
    raw->key = raw->value = -1;
    ptrdiff_t start = source_line(report->source, line, LINE_LOOKED_AT, &raw->length);
    if (start < 0) {
        raw->text = "";
        raw->length = 0;
        return;
    }
    const char *text = raw->text = report->source->data + start;
    ptrdiff_t at = 0, end = raw->length;
    while (at < end && is_blank(text[at]))
        at++;
    raw->indent = at;
    while (at + 1 < end && text[at] == '-' && is_blank(text[at + 1]))
        for (at++; at < end && is_blank(text[at]);)
            at++;
    raw->value = at;
    for (ptrdiff_t i = at; i < end; i++) {
        if (text[i] != ':' || (i + 1 < end && !is_blank(text[i + 1])))
            continue;
        raw->key = at;
        raw->key_length = i - at;
        for (i++; i < end && is_blank(text[i]);)
            i++;
        raw->value = i;
        break;
    }
}

/* The raw character at a place, '\0' behind the end of its line. */
static char raw_char(struct report *report, const struct place *place, char *next)
{
    ptrdiff_t at = source_offset(report->source, place->line, place->column);
    bool have = at >= 0 && at < report->source->checked;
    char c = have ? report->source->data[at] : '\0';
    *next = have && at + 1 < report->source->checked ? report->source->data[at + 1] : '\0';
    return c == '\n' || c == '\r' ? '\0' : c;
}

/* The name of the field that the complaint is about, as it stands in the file; "" where there is none. */
static const char *key_of(struct report *report, const struct slip_case *slip, char room[static FIELD_ROOM])
{
    const struct place *place = &slip->key_place;
    ptrdiff_t length = place->end_column - place->column;
    ptrdiff_t at = place->line > 0 ? source_offset(report->source, place->line, place->column) : -1;
    room[0] = '\0';
    if (at < 0 || place->end_line != place->line || length < 1 || length > FIELD_ROOM - 4)
        return room;
    if (length > report->source->checked - at)
        length = report->source->checked - at;
    snprintf(room, FIELD_ROOM, "%.*s", (int)length, report->source->data + at);
    return room;
}

/* "prompt: " before a message, when we know the field. */
static const char *field_of(struct report *report, const struct slip_case *slip, char room[static FIELD_ROOM])
{
    key_of(report, slip, room);
    if (*room)
        strcat(room, ": ");
    return room;
}

static bool report_tab(struct report *report, const struct slip_case *slip)
{
    report_error(report, &slip->problem_place, "tab", tr("indent with spaces"),
                 tr("a TAB indents this line"));
    return true;
}

/* A text that begins with a character that means something to YAML. */
static bool report_start(struct report *report, const struct slip_case *slip, const struct place *place)
{
    char next, field[FIELD_ROOM];
    char c = raw_char(report, place, &next);
    struct place mark = place_at(place->line, place->column, 1);
    bool told = report->errors > 0 && report->last.line == mark.line && report->last.column == mark.column;
    if (told)
        return true;
    report_error(report, &mark, "plain-start", tr("put the text in quotes"),
                 tr("%sa text without quotes can't begin with %c"), field_of(report, slip, field),
                 c ? c : ' ');
    return true;
}

static bool slip_no_token(struct report *report, const struct slip_case *slip)
{
    char next;
    if (raw_char(report, &slip->problem_place, &next) == '\t')
        return report_tab(report, slip);
    return report_start(report, slip, &slip->problem_place);
}

static bool slip_at_problem(struct report *report, const struct slip_case *slip)
{
    return report_start(report, slip, &slip->problem_place);
}

static bool slip_at_context(struct report *report, const struct slip_case *slip)
{
    return report_start(report, slip, &slip->context_place);
}

/* Makes the key of a line's mapping, where the loader knows it, the key that the complaint names. */
static bool find_home(struct slip_case *slip, const struct raw_line *raw)
{
    if (!slip->home || raw->key < 0)
        return false;
    struct place home = slip->home(slip->home_of, raw->text + raw->key, raw->key_length);
    if (home.line > 0)
        slip->key_place = home;
    return home.line > 0;
}

/* `prompt: What is: this`. The field is the one whose text it is, and its text is what must be quoted. */
static bool report_colon(struct report *report, const struct slip_case *slip, const struct raw_line *raw)
{
    char key[REPORT_QUOTE];
    const char *value = raw->text + raw->value;
    ptrdiff_t length = raw->length - raw->value;
    while (length > 0 && is_blank(value[length - 1]))
        length--;
    int column = 1;
    for (ptrdiff_t i = 0; i < raw->value; i++)
        column += ((unsigned char)raw->text[i] & 0xc0) != 0x80;
    struct place place = place_at(slip->problem_place.line, column, 0);
    for (ptrdiff_t i = 0; i < length; i++)
        place.end_column += ((unsigned char)value[i] & 0xc0) != 0x80;
    snprintf(key, sizeof key, "%.*s", raw->key_length < 64 ? (int)raw->key_length : 64, raw->text + raw->key);
    const char *hint = tr("put the text in quotes");
    if (length <= SHORT_TEXT && !memchr(value, '"', (size_t)length) && !memchr(value, '\\', (size_t)length))
        hint = report_hint(report, tr("put it in quotes: %s: \"%.*s\""), key, (int)length, value);
    report_error(report, &place, "colon-in-text", hint,
                 tr("%s: a text that holds \": \" must stand in quotes"), key);
    return true;
}

/* YAML takes no key of more than 1,024 characters on a line: the line is then neither key nor text. */
static bool report_long_key(struct report *report, int line)
{
    ptrdiff_t length, start = source_line(report->source, line, PACK_SILENCE, &length), colon = -1, first = 0;
    const char *text = start < 0 ? "" : report->source->data + start;
    for (ptrdiff_t i = SIMPLE_KEY; start >= 0 && i < length && colon < 0; i++)
        if (text[i] == ':' && (i + 1 == length || is_blank(text[i + 1])))
            colon = i;
    while (first < colon && (is_blank(text[first]) || (text[first] == '-' && is_blank(text[first + 1]))))
        first++;
    int columns = 0;
    for (ptrdiff_t i = first; i < colon; i++)
        columns += ((unsigned char)text[i] & 0xc0) != 0x80;
    for (ptrdiff_t i = first; i < SIMPLE_KEY && i < colon; i++)
        if (text[i] == ':' && is_blank(text[i + 1]))
            return false;
    if (columns <= SIMPLE_KEY)
        return false;
    struct place place = place_at(line, (int)first + 1, columns);
    report_error(report, &place, "key-too-long",
                 tr("if this is one text that holds \": \", put all of it in quotes"),
                 tr("a key of %td bytes; at most 64 are allowed"), colon - first);
    return true;
}

/* Text that stands between a key and the items of its list takes the first item for a part of it. */
static bool report_before_items(struct report *report, const struct slip_case *slip,
                                const struct raw_line *raw)
{
    struct raw_line above;
    char field[FIELD_ROOM];
    const struct place *text = &slip->text_place;
    if (!slip->have_text || slip->style != STYLE_PLAIN || raw->indent >= raw->length ||
        raw->text[raw->indent] != '-' || raw->value == raw->indent)
        return false;
    raw_read(&above, report, text->line);
    bool item = above.indent < above.length && above.text[above.indent] == '-';
    bool glued = item && above.indent + 1 < above.length && !is_blank(above.text[above.indent + 1]);
    struct place place = place_at(text->line, text->column, 1);
    if (glued)
        report_error(report, &place, "space-after-dash", tr("write \"- \" before each item"),
                     tr("%sa \"-\" that begins an item needs a space behind it"),
                     field_of(report, slip, field));
    else if (!item)
        report_error(report, &place, "stray-text",
                     tr("delete it, or make it an item that begins with \"- \""),
                     tr("%sa text stands before the items of the list"), field_of(report, slip, field));
    return glued || !item;
}

/* "- id:a", to which the lines of its mapping below then seem to belong. */
static bool report_glued_item(struct report *report, int line)
{
    struct raw_line raw;
    if (line < 1)
        return false;
    raw_read(&raw, report, line);
    if (raw.key >= 0 || raw.value <= raw.indent || raw.value >= raw.length || raw.text[raw.indent] != '-')
        return false;
    const char *text = raw.text + raw.value;
    ptrdiff_t length = (ptrdiff_t)strspn(text, "abcdefghijklmnopqrstuvwxyz_");
    if (length == 0 || raw.value + length + 1 >= raw.length || text[length] != ':' || text[length + 1] == '/')
        return false;
    struct place place = place_at(line, (int)raw.value + 1, 1);
    report_error(report, &place, "space-after-colon",
                 report_hint(report, tr("write %.*s: and a space before the value"),
                             (int)(length < 64 ? length : 64), text),
                 tr("a colon that ends a key needs a space behind it"));
    return true;
}

static bool slip_colon(struct report *report, const struct slip_case *slip)
{
    struct raw_line raw;
    if (report_long_key(report, slip->problem_place.line))
        return true;
    raw_read(&raw, report, slip->problem_place.line);
    if (report_before_items(report, slip, &raw))
        return true;
    ptrdiff_t start = source_line(report->source, slip->problem_place.line, LINE_LOOKED_AT, &raw.length);
    ptrdiff_t problem =
        source_offset(report->source, slip->problem_place.line, slip->problem_place.column) - start;
    if (raw.key >= 0 && problem > raw.key + raw.key_length)
        return report_colon(report, slip, &raw);
    if (report_glued_item(report, slip->problem_place.line - 1))
        return true;
    /* the first colon of its line: the line was taken for a part of the text above */
    struct place place = place_at(slip->problem_place.line, (int)raw.indent + 1, 0);
    place.end_column = slip->problem_place.column;
    char key[FIELD_ROOM];
    struct slip_case home = *slip;
    find_home(&home, &raw);
    if (*key_of(report, &home, key) && home.key_place.line < place.line)
        report_error(
            report, &place, "indentation",
            report_hint(
                report,
                tr("begin it in column %d, like \"%s\" in line %d; if it is text, put all of it in quotes"),
                home.key_place.column, key, home.key_place.line),
            tr("this line continues the text above, which can't hold \": \""));
    else
        report_error(report, &place, "indentation", tr("begin the keys of a mapping in one column"),
                     tr("a key can't stand here"));
    return true;
}

static bool slip_escape(struct report *report, const struct slip_case *slip)
{
    struct place place = place_at(slip->problem_place.line, slip->problem_place.column, 2);
    char next, quote[8], field[FIELD_ROOM];
    raw_char(report, &place, &next);
    snprintf(quote, sizeof quote, "\\%c", next >= ' ' && next < 127 ? next : '?');
    report_error(report, &place, "escape",
                 report_hint(report,
                             tr("use single quotes, where a backslash is just a backslash, or write \\%s"),
                             quote),
                 tr("%s%s means nothing in double quotes"), field_of(report, slip, field), quote);
    return true;
}

static bool slip_bad_code(struct report *report, const struct slip_case *slip)
{
    char field[FIELD_ROOM];
    report_error(report, &slip->problem_place, "escape",
                 tr("use single quotes, where a backslash is just a backslash"),
                 tr("%sthe escape does not name a character"), field_of(report, slip, field));
    return true;
}

static bool slip_quote(struct report *report, const struct slip_case *slip)
{
    char next, field[FIELD_ROOM];
    char c = raw_char(report, &slip->context_place, &next);
    struct place place = place_at(slip->context_place.line, slip->context_place.column, 1);
    report_error(report, &place, "unclosed-quote",
                 report_hint(report, tr("write another %c behind the text"), c ? c : '"'),
                 tr("%sthe quote that opens here is never closed"), field_of(report, slip, field));
    return true;
}

/*
 * A figure whose first line is indented further than a later one: the later line ends it. The number that
 * mends it is how far the figure's least indented line stands to the right of its key.
 */
static bool report_figure(struct report *report, const struct slip_case *slip, const struct place *at)
{
    char field[FIELD_ROOM];
    struct raw_line raw;
    bool block = slip->have_text && (slip->style == STYLE_LITERAL || slip->style == STYLE_FOLDED);
    if (!block || at->line != slip->text_place.end_line)
        return false;
    int least = 0;
    for (int line = at->line; line < at->line + 100; line++) {
        raw_read(&raw, report, line);
        if (raw.length == 0)
            break;
        int indent = (int)raw.indent - (slip->key_place.column - 1);
        if (indent <= 0)
            break;
        least = least == 0 || indent < least ? indent : least;
    }
    if (least < 1 || least > 9)
        return false;
    char sign = slip->style == STYLE_LITERAL ? '|' : '>';
    struct place place = place_at(at->line, at->column, 1);
    report_error(report, &place, "figure-indent",
                 report_hint(report,
                             tr("write %s%c%d instead of %c in line %d: the text then begins %d columns to "
                                "the right of its key"),
                             field_of(report, slip, field), sign, least, sign, slip->text_place.line, least),
                 tr("this line is indented less than the first line of the text above, and so ends it"));
    return true;
}

/* "-correct: a": an item whose "-" lacks its space. */
static bool report_dash(struct report *report, const struct place *at)
{
    char next;
    char c = raw_char(report, at, &next);
    if (c != '-' || next == '-' || is_blank(next) || strchr("\r\n", next))
        return false;
    struct place place = place_at(at->line, at->column, 1);
    report_error(report, &place, "space-after-dash", tr("write \"- \" before each item"),
                 tr("%sa \"-\" that begins an item needs a space behind it"), "");
    return true;
}

static bool slip_stray_line(struct report *report, const struct slip_case *slip)
{
    struct raw_line raw;
    const struct place *place = &slip->context_place;
    if (report_figure(report, slip, place))
        return true;
    if (report_long_key(report, place->line))
        return true;
    raw_read(&raw, report, place->line);
    if (report_dash(report, place))
        return true;
    const char *text = raw.text + raw.value;
    const char *colon = memchr(text, ':', (size_t)(raw.length - raw.value));
    const char *blank = memchr(text, ' ', (size_t)(raw.length - raw.value));
    bool glued = raw.key < 0 && colon && (!blank || blank > colon) && colon + 1 < raw.text + raw.length;
    struct place mark = place_at(place->line, place->column, 1);
    if (glued)
        report_error(report, &mark, "space-after-colon",
                     report_hint(report, tr("write %.*s: and a space before the value"),
                                 (int)(colon - text < 64 ? colon - text : 64), text),
                     tr("a colon that ends a key needs a space behind it"));
    else
        report_error(
            report, &mark, "stray-line",
            tr("if it belongs to the text above, indent it further; else write \"key: text\" or \"- item\""),
            tr("this line is neither a key nor an item of a list"));
    return true;
}

static bool report_after_quote(struct report *report, const struct slip_case *slip)
{
    char field[FIELD_ROOM];
    const struct place *text = &slip->text_place, *place = &slip->problem_place;
    bool quoted = slip->style == STYLE_SINGLE || slip->style == STYLE_DOUBLE;
    /* whether or not a list in its key's column was taken to end here */
    if (!quoted || text->line == 0 || text->end_line != place->line)
        return false;
    const char *hint = slip->style == STYLE_DOUBLE
                           ? tr("put all of it in quotes; inside double quotes write \\\" for a quote")
                           : tr("put all of it in quotes; inside single quotes write '' for a quote");
    if (text->line < text->end_line)
        hint = report_hint(report, tr("the quote that opens in line %d may lack its end"), text->line);
    struct place mark = place_at(place->line, place->column, 1);
    report_error(report, &mark, "text-after-quote", hint, tr("%ssomething follows the closing quote"),
                 field_of(report, slip, field));
    return true;
}

/* `prompt: {x} is …`: a text that begins with a bracket, which YAML closes in the middle. */
static bool report_after_bracket(struct report *report, const struct slip_case *slip)
{
    struct raw_line raw;
    raw_read(&raw, report, slip->problem_place.line);
    char c = raw.value >= 0 && raw.value < raw.length ? raw.text[raw.value] : '\0';
    if (c != '{' && c != '[')
        return false;
    int column = 1;
    for (ptrdiff_t i = 0; i < raw.value; i++)
        column += ((unsigned char)raw.text[i] & 0xc0) != 0x80;
    if (column >= slip->problem_place.column)
        return false;
    struct place place = place_at(slip->problem_place.line, column, 1);
    return report_start(report, slip, &place);
}

static bool slip_no_key(struct report *report, const struct slip_case *slip)
{
    char next;
    const struct place *place = &slip->problem_place;
    char c = raw_char(report, place, &next);
    if (report_figure(report, slip, place) || report_after_quote(report, slip) ||
        report_after_bracket(report, slip))
        return true;
    struct place mark = place_at(place->line, place->column, 1);
    if (c == '-' && (is_blank(next) || next == '\n' || next == '\r' || next == '\0'))
        report_error(report, &mark, "stray-item",
                     tr("indent it below the key of the list that it belongs to"),
                     tr("an item of a list stands where a key belongs"));
    else
        report_error(report, &mark, "indentation",
                     report_hint(report, tr("begin it in column %d, like the key in line %d"),
                                 slip->context_place.column, slip->context_place.line),
                     tr("this line does not stand below the keys it belongs to"));
    return true;
}

static bool slip_no_item(struct report *report, const struct slip_case *slip)
{
    const struct place *place = &slip->problem_place;
    if (report_figure(report, slip, place) || report_after_quote(report, slip) ||
        report_after_bracket(report, slip))
        return true;
    if (report_dash(report, place))
        return true;
    struct place mark = place_at(place->line, place->column, 1);
    struct raw_line raw;
    struct slip_case home = *slip;
    char key[FIELD_ROOM];
    raw_read(&raw, report, place->line);
    if (find_home(&home, &raw) && *key_of(report, &home, key) &&
        home.key_place.column <= slip->context_place.column) {
        report_error(report, &mark, "indentation",
                     report_hint(report, tr("begin it in column %d, like \"%s\" in line %d"),
                                 home.key_place.column, key, home.key_place.line),
                     tr("this line does not stand below the keys it belongs to"));
        return true;
    }
    report_error(
        report, &mark, "indentation",
        report_hint(report, tr("begin an item with \"- \" in column %d; indent further what belongs to one"),
                    slip->context_place.column),
        tr("this line belongs to no item of the list that begins in line %d"), slip->context_place.line);
    return true;
}

static bool slip_bracket(struct report *report, const struct slip_case *slip)
{
    if (slip->key_place.end_line == slip->key_place.line &&
        slip->key_place.end_column - slip->key_place.column > SIMPLE_KEY &&
        report_long_key(report, slip->key_place.line))
        return true;
    char next;
    char c = raw_char(report, &slip->context_place, &next);
    struct place place = place_at(slip->context_place.line, slip->context_place.column, 1);
    report_error(report, &place, "bracket",
                 tr("close it, with commas between its items; if it is text, put it in quotes"),
                 tr("the %c that opens here is not closed as it should be"), c ? c : '[');
    return true;
}

static bool slip_tag(struct report *report, const struct slip_case *slip)
{
    struct place place = place_at(slip->context_place.line, slip->context_place.column, 1);
    report_error(report, &place, "tag",
                 tr("if the text begins with !, put it in quotes; else delete the tag"),
                 tr("tags (!name) are not allowed"));
    return true;
}

static bool slip_document(struct report *report, const struct slip_case *slip)
{
    report_error(report, &slip->problem_place, "yaml",
                 tr("write a line --- behind it, or delete the %YAML line"),
                 tr("a line of --- must follow %%YAML"));
    return true;
}

/* The parser's words, in the order in which they are tried; a context alone matches any problem in it. */
static const struct slip_row {
    const char *problem, *context;
    bool (*report)(struct report *report, const struct slip_case *slip);
} slip_rows[] = {
    { "mapping values are not allowed in this context", NULL, slip_colon },
    { "found character that cannot start any token", NULL, slip_no_token },
    { "found a tab character that violates indentation", NULL, report_tab },
    { "found a tab character where an indentation space is expected", NULL, report_tab },
    { "found unknown escape character", NULL, slip_escape },
    { "did not find expected hexdecimal number", "while parsing a quoted scalar", slip_bad_code },
    { "found invalid Unicode character escape code", NULL, slip_bad_code },
    { NULL, "while scanning a quoted scalar", slip_quote },
    { NULL, "while scanning an alias", slip_at_context },
    { NULL, "while scanning an anchor", slip_at_context },
    { NULL, "while scanning a block scalar", slip_at_context },
    { NULL, "while scanning a tag", slip_tag },
    { NULL, "while parsing a tag", slip_tag },
    { "found undefined tag handle", NULL, slip_tag },
    { "block sequence entries are not allowed in this context", NULL, slip_at_problem },
    { "mapping keys are not allowed in this context", NULL, slip_at_problem },
    { "could not find expected ':'", NULL, slip_stray_line },
    { "did not find expected key", NULL, slip_no_key },
    { "did not find expected '-' indicator", NULL, slip_no_item },
    { NULL, "while parsing a flow mapping", slip_bracket },
    { NULL, "while parsing a flow sequence", slip_bracket },
    { "did not find expected node content", NULL, slip_at_problem },
    { "did not find expected <document start>", NULL, slip_document },
};

static bool row_fits(const struct slip_row *row, const struct slip_case *slip)
{
    if (row->problem && (!slip->problem || strcmp(row->problem, slip->problem) != 0))
        return false;
    return !row->context || (slip->context && strcmp(row->context, slip->context) == 0);
}

/* `prompt: |` above lines that are not indented: the first of them is the one to mend. */
static bool report_hollow(struct report *report, const struct slip_case *slip)
{
    struct raw_line raw;
    struct slip_case home = *slip;
    char field[FIELD_ROOM];
    if (slip->hollow.line == 0)
        return false;
    home.key_place = slip->hollow_key;
    char next, sign = raw_char(report, &slip->hollow, &next);
    for (int line = slip->hollow.line + 1; line < slip->hollow.line + BLANK_LINES; line++) {
        raw_read(&raw, report, line);
        if (raw.indent == raw.length)
            continue;
        if (line != slip->problem_place.line && line != slip->context_place.line)
            return false;
        struct place place = place_at(line, (int)raw.indent + 1, 1);
        report_error(report, &place, "block-indent",
                     report_hint(report, tr("indent the text below %c"), sign ? sign : '|'),
                     tr("%sthis line is not indented further than its key"), field_of(report, &home, field));
        return true;
    }
    return false;
}

void slip_report(struct report *report, const struct slip_case *slip)
{
    if (report_hollow(report, slip))
        return;
    for (size_t i = 0; i < sizeof slip_rows / sizeof *slip_rows; i++)
        if (row_fits(&slip_rows[i], slip) && slip_rows[i].report(report, slip))
            return;
    /* what nobody has met yet: the parser's own words */
    report_error(report, &slip->problem_place, "yaml", NULL, "%s",
                 slip->problem ? slip->problem : tr("it can't be read"));
}
