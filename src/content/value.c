#include "field.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <stdio.h>
#include <string.h>

/* Where to point: at the value, but for one that is not there at the key. */
static const struct place *value_place(struct loader *loader, const struct node *value)
{
    bool absent = value->kind == NODE_TEXT && value->length == 0 && value->style == STYLE_PLAIN;
    return absent && loader->key.line > 0 ? &loader->key : &value->place;
}

static const char *kind_hint(enum node_kind wanted, const struct node *value)
{
    if (wanted == NODE_LIST)
        return tr("write each item on a line of its own that begins with \"- \"");
    if (wanted == NODE_MAPPING)
        return tr("write \"key: value\" on lines of their own, indented");
    if (value->flow)
        return tr("a text that begins with { or [ must stand in quotes");
    if (value->kind == NODE_MAPPING)
        return tr("a text that holds \": \" must stand in quotes");
    return tr("write one text; a text that begins with \"- \" must stand in quotes");
}

/*
 * `correct: #include`: nothing stands there for YAML, since # begins a comment. With a blank behind it, it
 * may be a remark indeed: then a list or a mapping that is missing is told as such.
 */
static bool report_comment(struct loader *loader, const char *name, const struct node *value,
                           enum node_kind kind)
{
    struct source *source = loader->report->source;
    ptrdiff_t length, blanks = 0;
    ptrdiff_t at = source_remark(source, value->place.line, value->place.column, &length);
    if (at < 0)
        return false;
    const char *remark = source->data + at;
    while (blanks < length && (remark[blanks] == ' ' || remark[blanks] == '\t'))
        blanks++;
    bool spaced = blanks + 1 >= length || remark[blanks + 1] == ' ' || remark[blanks + 1] == '#';
    if (spaced && kind != NODE_TEXT)
        return false;
    struct place place = place_at(value->place.line, value->place.column + (int)blanks, 1);
    report_error(
        loader->report, &place, "plain-start",
        spaced ? tr("put the text in quotes if # belongs to it; else write a text, or delete the key")
               : tr("put the text in quotes"),
        tr("%sa text without quotes can't begin with %c"), report_hint(loader->report, "%s: ", name), '#');
    return true;
}

/* Where an item lacks the space behind its "-": in the value itself, or below a key without one. */
static bool find_glued_dash(struct loader *loader, const struct node *value, struct place *place)
{
    enum { BLANK_LINES = 20 };
    struct source *source = loader->report->source;
    bool absent = value->kind == NODE_TEXT && value->length == 0;
    if (value->flow || value->style != STYLE_PLAIN)
        return false;
    int line = value->place.line + absent, last = absent ? line + BLANK_LINES : line;
    for (; line <= last; line++) {
        ptrdiff_t length, at = 0, start = source_line(source, line, PACK_TEXT, &length);
        const char *text = start < 0 ? "" : source->data + start;
        while (at < length && text[at] == ' ')
            at++;
        if (start >= 0 && (at == length || text[at] == '#'))
            continue;
        *place = place_at(line, (int)at + 1, 1);
        return start >= 0 && at + 1 < length && text[at] == '-' && !strchr(" \t-", text[at + 1]) &&
               (absent || place->column == value->place.column);
    }
    return false;
}

static bool report_glued_dash(struct loader *loader, const char *name, const struct node *value)
{
    struct place place;
    if (!find_glued_dash(loader, value, &place))
        return false;
    report_error(loader->report, &place, "space-after-dash", tr("write \"- \" before each item"),
                 tr("%sa \"-\" that begins an item needs a space behind it"),
                 report_hint(loader->report, "%s: ", name));
    if (value->kind == NODE_TEXT && value->length > 0)
        return true;
    reader_stop(loader->reader); /* what follows was taken for something else */
    return true;
}

bool field_is(struct loader *loader, const char *name, const struct node *value, enum node_kind kind)
{
    bool absent = value->kind == NODE_TEXT && value->length == 0 && value->style == STYLE_PLAIN;
    if (absent && report_comment(loader, name, value, kind))
        return false;
    static const char *const wanted[] = {
        [NODE_TEXT] = N_("a text"), [NODE_LIST] = N_("a list"), [NODE_MAPPING] = N_("a mapping")
    };
    char quote[REPORT_QUOTE];
    if (value->kind == kind)
        return true;
    if (value->kind == NODE_BAD || value->kind == NODE_STOP)
        return false;
    if (kind == NODE_LIST && report_glued_dash(loader, name, value))
        return false;
    const char *found = tr("nothing");
    if (value->kind != NODE_TEXT)
        found = tr(wanted[value->kind]);
    else if (value->length > 0)
        found = report_quote(quote, value->text, value->length);
    report_error(loader->report, value_place(loader, value), "wrong-kind", kind_hint(kind, value),
                 tr("%s: %s belongs here, found %s"), name, tr(wanted[kind]), found);
    reader_skip(loader->reader, value);
    return false;
}

/*
 * A plain text ends where " #" begins a comment, often against its author's will. One space before the sign,
 * or none behind it, looks like a text that was cut; "text    # remark" looks like a remark.
 */
static void warn_of_comment(struct loader *loader, const char *name, const struct node *value)
{
    ptrdiff_t length,
        at = source_remark(loader->report->source, value->place.end_line, value->place.end_column, &length);
    if (at < 0)
        return;
    const char *remark = loader->report->source->data + at;
    ptrdiff_t blanks = 0;
    while (blanks < length && (remark[blanks] == ' ' || remark[blanks] == '\t'))
        blanks++;
    bool spaced = blanks + 1 < length && remark[blanks + 1] != ' ' && remark[blanks + 1] != '\t' &&
                  remark[blanks + 1] != '#';
    if (blanks != 1 && !spaced)
        return;
    struct place place = place_at(value->place.end_line, value->place.end_column + (int)blanks, 1);
    report_warning(loader->report, &place, "comment-cuts-text",
                   tr("put the text in quotes if # belongs to it; else put two spaces before the remark"),
                   tr("%s: the text ends here, since \" #\" begins a comment"), name);
}

/*
 * A plain text goes on over lines that are indented further, even over one that was meant to be the next item
 * of its list: "- one" above "  - two" is the single text "one - two".
 */
static void warn_of_item(struct loader *loader, const char *name, const struct node *value)
{
    struct source *source = loader->report->source;
    if (value->place.end_line == value->place.line || !strstr(value->text, " - "))
        return;
    for (int line = value->place.line + 1; line <= value->place.end_line; line++) {
        ptrdiff_t length, at = 0, start = source_line(source, line, PACK_TEXT, &length);
        const char *text = start < 0 ? "" : source->data + start;
        while (at < length && text[at] == ' ')
            at++;
        if (start < 0 || length - at < 2 || memcmp(text + at, "- ", 2) != 0)
            continue;
        struct place place = place_at(line, (int)at + 1, 1);
        report_warning(loader->report, &place, "item-in-text",
                       tr("begin it in the column of the item above; if it is text, put all of it in quotes"),
                       tr("%s: this line looks like an item, but continues the text above"), name);
        return;
    }
}

/* An empty text after | or >: one that was none (`>5`), or whose lines are not indented. */
static void report_empty(struct loader *loader, const char *name, const struct node *value)
{
    const char *hint = tr("write a text, or delete the key");
    const struct place *place = value_place(loader, value);
    bool block = value->style == STYLE_LITERAL || value->style == STYLE_FOLDED;
    char sign = value->style == STYLE_LITERAL ? '|' : '>';
    if (block) {
        ptrdiff_t length, start = source_line(loader->report->source, place->line, PACK_TEXT, &length);
        ptrdiff_t at = source_offset(loader->report->source, place->line, place->column);
        const char *text = loader->report->source->data + at;
        for (ptrdiff_t i = 1; start >= 0 && at >= 0 && at + i < start + length && i <= 2; i++) {
            if (text[i] < '1' || text[i] > '9')
                continue;
            struct place mark = place_at(place->line, place->column, 1);
            report_error(loader->report, &mark, "plain-start", tr("put the text in quotes"),
                         tr("%sa text without quotes can't begin with %c"),
                         report_hint(loader->report, "%s: ", name), sign);
            return;
        }
        hint = report_hint(loader->report, tr("indent the text below %c, or delete the key"), sign);
    }
    report_error(loader->report, place, "empty-text", hint, tr("%s: the text is empty"), name);
}

const char *field_take(struct loader *loader, const char *name, const struct node *value, enum form form)
{
    if (!field_is(loader, name, value, NODE_TEXT))
        return NULL;
    if (value->style == STYLE_PLAIN) {
        warn_of_comment(loader, name, value);
        warn_of_item(loader, name, value);
    }
    bool literal = value->style == STYLE_LITERAL;
    if (form == FORM_TEXT && loader->markup)
        form = FORM_MARKUP;
    else if (literal && form == FORM_TEXT && !loader->code_before)
        loader->code_before = form_has_code(value->text, value->length);
    const char *text = form_text(loader->arena, &loader->scratch, form, literal, value->text, value->length);
    if (!text) {
        reader_out_of_memory(loader->reader);
        return NULL;
    }
    if (*text) {
        loader_note_spot(loader, text, &value->place);
        return text;
    }
    report_empty(loader, name, value);
    return NULL;
}

const char *field_take_line(struct loader *loader, const char *name, const struct node *value)
{
    const char *text = field_take(loader, name, value, FORM_TEXT);
    if (!text || !strchr(text, '\n'))
        return text;
    report_error(loader->report, &value->place, "one-line", tr("write it as one line, or fold it with >"),
                 tr("%s: one line belongs here, found several"), name);
    return NULL;
}

void field_text(struct loader *loader, const struct field *field, const struct node *value, void *target)
{
    *(const char **)target = field_take(loader, field->name, value, FORM_TEXT);
}

void field_figure(struct loader *loader, const struct field *field, const struct node *value, void *target)
{
    *(const char **)target = field_take(loader, field->name, value, FORM_FIGURE);
}

void field_line(struct loader *loader, const struct field *field, const struct node *value, void *target)
{
    *(const char **)target = field_take_line(loader, field->name, value);
}

/* A word that must be of a certain shape, as written: for ids, numbers, truth values. */
static const char *take_word(struct loader *loader, const char *name, const struct node *value)
{
    if (!field_is(loader, name, value, NODE_TEXT))
        return NULL;
    const char *text =
        form_text(loader->arena, &loader->scratch, FORM_TEXT, false, value->text, value->length);
    if (!text)
        reader_out_of_memory(loader->reader);
    else
        loader_note_spot(loader, text, &value->place);
    return text;
}

bool field_take_id(struct loader *loader, const char *name, const struct node *value, const char **id)
{
    char quote[REPORT_QUOTE];
    const char *text = take_word(loader, name, value);
    if (!text)
        return false;
    if (form_is_id(text)) {
        *id = text;
        return true;
    }
    report_error(loader->report, value_place(loader, value), "id",
                 tr("write 1 to 64 of a-z, 0-9 and -, not beginning with -"), tr("%s: %s is not an id"), name,
                 report_quote(quote, text, (ptrdiff_t)strlen(text)));
    return false;
}

void field_id(struct loader *loader, const struct field *field, const struct node *value, void *target)
{
    field_take_id(loader, field->name, value, target);
}

void field_language(struct loader *loader, const struct field *field, const struct node *value, void *target)
{
    char quote[REPORT_QUOTE];
    const char *text = take_word(loader, field->name, value);
    if (!text)
        return;
    if (form_is_language(text))
        *(const char **)target = text;
    else
        report_error(loader->report, value_place(loader, value), "language",
                     tr("write a tag like en, de or pt-BR"), tr("%s: %s is not a language tag"), field->name,
                     report_quote(quote, text, (ptrdiff_t)strlen(text)));
}

bool field_take_number(struct loader *loader, const char *name, const struct node *value, double *number)
{
    char quote[REPORT_QUOTE];
    const char *text = take_word(loader, name, value);
    if (!text)
        return false;
    if (form_number(text, number))
        return true;
    report_error(loader->report, value_place(loader, value), "number",
                 strchr(text, ',') ? form_comma_hint(text) : tr("write digits, like 2 or 0.5"),
                 tr("%s: %s is not a number"), name, report_quote(quote, text, (ptrdiff_t)strlen(text)));
    return false;
}

/* Another number of the same format was made for another release. */
void field_format(struct loader *loader, const struct field *field, const struct node *value, void *target)
{
    char quote[REPORT_QUOTE];
    (void)target;
    struct place place = value->place;
    const char *text = field_take_line(loader, field->name, value);
    if (!text || strcmp(text, field->words) == 0)
        return;
    const char *found = report_quote(quote, text, (ptrdiff_t)strlen(text));
    size_t stem = (size_t)(strrchr(field->words, '/') + 1 - field->words);
    if (strncmp(text, field->words, stem) == 0)
        report_error(loader->report, &place, "format",
                     report_hint(loader->report, tr("update quiztutor, or write format: %s"), field->words),
                     tr("%s: %s is not known to this release"), field->name, found);
    else
        report_error(loader->report, &place, "format",
                     report_hint(loader->report, tr("write format: %s"), field->words), tr("%s: found %s"),
                     field->name, found);
}

static const char *truth_word(const char *text)
{
    static const char *const yes[] = { "yes", "y", "on", "true", "1", "t" };
    static const char *const no[] = { "no", "n", "off", "false", "0", "f" };
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) {
        if (strcasecmp(text, yes[i]) == 0)
            return "true";
        if (strcasecmp(text, no[i]) == 0)
            return "false";
    }
    return NULL;
}

bool field_take_truth(struct loader *loader, const char *name, const struct node *value, bool *truth)
{
    char quote[REPORT_QUOTE];
    const char *text = take_word(loader, name, value);
    if (!text)
        return false;
    *truth = strcmp(text, "true") == 0;
    if (*truth || strcmp(text, "false") == 0)
        return true;
    const char *word = truth_word(text);
    report_error(loader->report, value_place(loader, value), "truth",
                 word ? report_hint(loader->report, tr("write %s"), word) : tr("write true or false"),
                 tr("%s: true or false belongs here, found %s"), name,
                 report_quote(quote, text, (ptrdiff_t)strlen(text)));
    return false;
}

void field_truth(struct loader *loader, const struct field *field, const struct node *value, void *target)
{
    field_take_truth(loader, field->name, value, target);
}

enum { WORDS = 16, WORDS_BYTES = 200 };

/* Splits "one two three" into names; returns how many. */
static int split_words(const char *words, char room[static WORDS_BYTES], const char *names[static WORDS])
{
    int count = 0;
    snprintf(room, WORDS_BYTES, "%s", words);
    char *rest = room;
    for (char *word; count < WORDS && (word = strsep(&rest, " ")) != NULL;)
        names[count++] = word;
    return count;
}

void field_word(struct loader *loader, const struct field *field, const struct node *value, void *target)
{
    char quote[REPORT_QUOTE], room[WORDS_BYTES];
    const char *names[WORDS], *text = take_word(loader, field->name, value);
    if (!text)
        return;
    int count = split_words(field->words, room, names);
    for (int i = 0; i < count; i++) {
        if (strcmp(names[i], text) == 0) {
            *(int *)target = i;
            return;
        }
    }
    const char *near = text_nearest(text, names, count);
    report_error(loader->report, value_place(loader, value), "word",
                 near ? report_hint(loader->report, tr("did you mean \"%s\"?"), near)
                      : report_hint(loader->report, tr("write one of: %s"), field->words),
                 tr("%s: %s is not known here"), field->name,
                 report_quote(quote, text, (ptrdiff_t)strlen(text)));
}

/* The texts of a list, each in its form, into loader->list. Returns how many, -1 when one was faulty. */
static int take_items(struct loader *loader, const char *name, const struct node *list, bool lines)
{
    struct node item;
    struct place place = list->place;
    int count = 0;
    bool sound = true;
    loader->key = place_at(0, 0, 0);
    for (;;) {
        reader_next(loader->reader, &item);
        if (item.kind == NODE_END || item.kind == NODE_STOP)
            break;
        const char *text =
            lines ? field_take_line(loader, name, &item) : field_take(loader, name, &item, FORM_TEXT);
        sound = sound && text;
        if (!text)
            continue;
        if (!memory_grow(&loader->list, &loader->list_capacity, count + 1, sizeof *loader->list)) {
            reader_out_of_memory(loader->reader);
            return -1;
        }
        loader->list[count++] = text;
    }
    if (sound && count == 0 && item.kind == NODE_END)
        report_error(loader->report, &place, "empty-list", tr("write an item, or delete the key"),
                     tr("%s: the list is empty"), name);
    return sound && count > 0 && item.kind == NODE_END ? count : -1;
}

static void keep_list(struct loader *loader, struct text_list *list, int count)
{
    if (count < 0)
        return;
    list->items = loader_keep(loader, loader->list, count, sizeof *loader->list);
    list->count = list->items ? count : 0;
}

static void one_or_list(struct loader *loader, const char *name, const struct node *value, bool lines,
                        struct text_list *list)
{
    if (value->kind == NODE_LIST) {
        keep_list(loader, list, take_items(loader, name, value, lines));
        return;
    }
    const char *text =
        lines ? field_take_line(loader, name, value) : field_take(loader, name, value, FORM_TEXT);
    if (!text)
        return;
    list->items = loader_keep(loader, &text, 1, sizeof text);
    list->count = list->items ? 1 : 0;
}

void field_lines(struct loader *loader, const struct field *field, const struct node *value, void *target)
{
    one_or_list(loader, field->name, value, true, target);
}

void field_texts(struct loader *loader, const struct field *field, const struct node *value, void *target)
{
    one_or_list(loader, field->name, value, false, target);
}

enum { TAGS_COMPARED = 64 }; /* with each other; nobody writes more by hand */

void field_tags(struct loader *loader, const struct field *field, const struct node *value, void *target)
{
    struct place place = value->place;
    char quote[REPORT_QUOTE];
    if (!field_is(loader, field->name, value, NODE_LIST))
        return;
    int count = take_items(loader, field->name, value, true);
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < i && i < TAGS_COMPARED; k++) {
            if (!form_same(loader->list[i], loader->list[k]))
                continue;
            report_warning(loader->report, &place, "duplicate-tag", tr("keep one of them"),
                           tr("%s: %s stands there twice"), field->name,
                           report_quote(quote, loader->list[i], (ptrdiff_t)strlen(loader->list[i])));
        }
    }
    keep_list(loader, target, count);
}
