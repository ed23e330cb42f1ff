#include "reader.h"

#include "document.h"
#include "escape.h"
#include "slip.h"

#include <quiztutor/memory.h>
#include <quiztutor/message.h>
#include <quiztutor/pack.h>
#include <quiztutor/text.h>

#include <string.h>
#include <yaml.h>

struct level {
    bool mapping, key_next;
    struct place key;  /* a mapping's newest key; line 0: none yet */
    const void *table; /* of its keys, or NULL */
};

struct reader {
    struct report *report;
    struct source *source;
    yaml_parser_t parser;
    yaml_event_t event;
    bool parser_made, event_made, begun;
    bool stopped, failed; /* failed: no memory or the file can't be read, rather than bad content */
    bool allow_empty;
    bool pending;             /* the next event has been fetched ahead */
    bool silent;              /* stopped by the silence limit, while libyaml was asking for more */
    ptrdiff_t fed, event_fed; /* bytes handed to libyaml; the same at the last event */
    size_t event_index;       /* code points up to the end of the last event */
    struct level levels[PACK_NESTING];
    int depth;
    reader_knows *knows;
    struct slip_case slip; /* keeps what was read last, for advice */
    struct place last;     /* of the last event */
};

struct report *reader_report(struct reader *reader)
{
    return reader->report;
}

bool reader_stopped(const struct reader *reader)
{
    return reader->stopped;
}

bool reader_has_failed(const struct reader *reader)
{
    return reader->failed;
}

void reader_out_of_memory(struct reader *reader)
{
    reader->failed = reader->stopped = true;
}

void reader_allow_empty(struct reader *reader)
{
    reader->allow_empty = true;
}

/* libyaml asks for bytes here. Stopping it after a long silence is what makes giant texts and comments cheap.
 */
static int reader_feed(void *data, unsigned char *buffer, size_t size, size_t *size_read)
{
    struct reader *reader = data;
    struct source *source = reader->source;
    *size_read = 0;
    while (source->checked <= reader->fed && source_fill(source))
        continue;
    report_faults(reader->report);
    if (source->failure || source->foreign || source->bare_return || source->too_many_faults) {
        reader->stopped = true;
        reader->failed = source->failure != 0;
        return 0;
    }
    if (reader->fed - reader->event_fed > PACK_SILENCE + DOCUMENT_READ_AHEAD) {
        reader->silent = true;
        return 0;
    }
    ptrdiff_t count = source_copy(source, reader->fed, (char *)buffer, (ptrdiff_t)size);
    reader->fed += count;
    *size_read = (size_t)count;
    return 1;
}

struct reader *reader_create(struct report *report)
{
    struct reader *reader = memory_zero(sizeof *reader);
    if (!reader)
        return NULL;
    reader->report = report;
    reader->source = report->source;
    reader->last = place_at(1, 1, 0);
    if (!yaml_parser_initialize(&reader->parser)) {
        memory_free(reader);
        return NULL;
    }
    reader->parser_made = true;
    yaml_parser_set_input(&reader->parser, reader_feed, reader);
    yaml_parser_set_encoding(&reader->parser, YAML_UTF8_ENCODING);
    return reader;
}

void reader_destroy(struct reader *reader)
{
    if (!reader)
        return;
    if (reader->event_made)
        yaml_event_delete(&reader->event);
    if (reader->parser_made)
        yaml_parser_delete(&reader->parser);
    memory_free(reader);
}

static struct place place_of(const yaml_mark_t *start, const yaml_mark_t *end)
{
    struct place place = { (int)start->line + 1, (int)start->column + 1, (int)end->line + 1,
                           (int)end->column + 1 };
    return place;
}

void reader_stop(struct reader *reader)
{
    reader->stopped = true;
}

void reader_table(struct reader *reader, const void *table, reader_knows *knows)
{
    if (reader->depth == 0)
        return;
    reader->levels[reader->depth - 1].table = table;
    reader->knows = knows;
}

static struct place find_home(const void *home_of, const char *key, ptrdiff_t length)
{
    const struct reader *reader = home_of;
    for (int i = reader->depth - 1; i >= 0; i--) {
        const struct level *level = &reader->levels[i];
        if (level->table && level->key.line > 0 && reader->knows(level->table, key, length))
            return level->key;
    }
    return place_at(0, 0, 0);
}

/* An item of a list that begins where the complaint is belongs to the list's key, not to what the item before
 * held. */
static void slip_to_list(struct reader *reader, int line)
{
    ptrdiff_t length, start = source_line(reader->source, line, PACK_TEXT, &length), dash = 0;
    if (start < 0 || line <= reader->slip.key_place.line)
        return;
    const char *text = reader->source->data + start;
    while (dash < length && text[dash] == ' ')
        dash++;
    if (dash + 1 >= length || text[dash] != '-' || text[dash + 1] != ' ')
        return;
    for (int i = reader->depth - 1; i >= 0; i--) {
        const struct place *key = &reader->levels[i].key;
        if (key->line > 0 && key->column <= dash + 1) {
            reader->slip.key_place = *key;
            return;
        }
    }
}

static void report_problem(struct reader *reader)
{
    yaml_parser_t *parser = &reader->parser;
    if (reader->silent) {
        document_report_silence(reader->report, &reader->last);
    } else if (parser->error == YAML_MEMORY_ERROR) {
        reader_out_of_memory(reader);
    } else if (!reader->stopped) {
        struct slip_case *slip = &reader->slip;
        slip->problem = parser->problem;
        slip->context = parser->context;
        slip->problem_place = place_of(&parser->problem_mark, &parser->problem_mark);
        slip->context_place = place_of(&parser->context_mark, &parser->context_mark);
        /* where a token began is the context's place */
        bool inside = slip->context && (strncmp(slip->context, "while scanning", 14) == 0 ||
                                        strstr(slip->context, "a quoted scalar"));
        slip_to_list(reader, inside ? slip->context_place.line : slip->problem_place.line);
        slip->home = find_home;
        slip->home_of = reader;
        report_withdraw(reader->report);
        slip_report(reader->report, slip);
    }
    reader_stop(reader);
}

/* The next event of libyaml's, or false after it has been reported why there is none. */
static bool reader_event(struct reader *reader)
{
    if (reader->pending) {
        reader->pending = false;
        return true;
    }
    if (reader->event_made)
        yaml_event_delete(&reader->event);
    reader->event_made = false;
    if (reader->stopped)
        return false;
    if (!yaml_parser_parse(&reader->parser, &reader->event)) {
        report_problem(reader);
        return false;
    }
    reader->event_made = true;
    yaml_event_t *event = &reader->event;
    if (event->type == YAML_NO_EVENT || event->start_mark.index - reader->event_index > PACK_SILENCE) {
        if (event->type != YAML_NO_EVENT && event->start_mark.index > reader->event_index)
            document_report_silence(reader->report, &reader->last);
        reader_stop(reader);
        return false;
    }
    reader->event_fed = reader->fed;
    reader->event_index = event->end_mark.index;
    reader->last = place_of(&event->start_mark, &event->end_mark);
    return true;
}

static bool reader_begin(struct reader *reader)
{
    reader->begun = true;
    if (!document_check_start(reader->report)) {
        report_faults(reader->report);
        reader_stop(reader);
        return false;
    }
    source_stream(reader->source);
    reader->fed = reader->event_fed = reader->source->start;
    if (!reader_event(reader) || !reader_event(reader))
        return false;
    if (reader->event.type == YAML_STREAM_END_EVENT) {
        struct place place = place_at(1, 1, 0);
        if (!reader->allow_empty)
            report_error(reader->report, &place, "empty-file", NULL, tr("the file is empty"));
        reader_stop(reader);
        return false;
    }
    return true;
}

static void report_property(struct reader *reader, bool anchor)
{
    if (anchor)
        report_error(reader->report, &reader->last, "anchor",
                     tr("if the text begins with &, put it in quotes; else delete the anchor"),
                     tr("anchors (&name) are not allowed"));
    else
        report_error(reader->report, &reader->last, "tag",
                     tr("if the text begins with !, put it in quotes; else delete the tag"),
                     tr("tags (!name) are not allowed"));
}

static void note_text(struct reader *reader, const struct node *node)
{
    struct slip_case *slip = &reader->slip;
    if (node->key) {
        slip->key_place = node->place;
        if (reader->depth > 0)
            reader->levels[reader->depth - 1].key = node->place;
    } else if (reader->depth > 1 && !reader->levels[reader->depth - 1].mapping)
        slip->key_place = reader->levels[reader->depth - 2].key; /* an item's is its list's */
    bool block = node->style == STYLE_LITERAL || node->style == STYLE_FOLDED;
    slip->hollow.line = 0;
    if (block && node->length == 0) {
        slip->hollow = node->place;
        slip->hollow_key = slip->key_place;
    }
    slip->have_text = !node->key;
    slip->style = node->style;
    slip->text_place = node->place;
}

static void take_text(struct reader *reader, struct node *node)
{
    static const enum node_style styles[] = { STYLE_PLAIN,  STYLE_PLAIN,   STYLE_SINGLE,
                                              STYLE_DOUBLE, STYLE_LITERAL, STYLE_FOLDED };
    const yaml_event_t *event = &reader->event;
    node->kind = NODE_TEXT;
    node->style = styles[event->data.scalar.style];
    node->text = (const char *)event->data.scalar.value;
    node->length = (ptrdiff_t)event->data.scalar.length;
    if (event->data.scalar.anchor || event->data.scalar.tag)
        report_property(reader, event->data.scalar.anchor != NULL);
    if ((event->data.scalar.anchor || event->data.scalar.tag) && node->length == 0)
        node->kind = NODE_BAD; /* the property was meant as the text */
    note_text(reader, node);
    if (node->length > PACK_TEXT) {
        report_error(reader->report, &node->place, "text-too-long", tr("split it"),
                     tr("a text of %td bytes; at most 65536 are allowed"), node->length);
        node->kind = NODE_BAD;
    } else if (node->style == STYLE_DOUBLE && !escape_check(reader->report, node)) {
        node->kind = NODE_BAD;
    } else if (node->key && node->style == STYLE_PLAIN && strcmp(node->text, "<<") == 0) {
        report_error(reader->report, &node->place, "merge-key", tr("write the keys out"),
                     tr("merge keys (<<) are not allowed"));
        node->kind = NODE_BAD;
    }
}

static void take_alias(struct reader *reader, struct node *node)
{
    node->kind = NODE_BAD;
    reader->slip.have_text = false;
    reader->slip.hollow.line = 0;
    report_error(reader->report, &node->place, "alias",
                 tr("if the text begins with *, put it in quotes; else write it out again"),
                 tr("aliases (*name) are not allowed"));
}

static void take_start(struct reader *reader, struct node *node, bool mapping)
{
    const yaml_event_t *event = &reader->event;
    node->kind = mapping ? NODE_MAPPING : NODE_LIST;
    if (mapping)
        node->flow = event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE;
    else
        node->flow = event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
    const void *anchor = mapping ? event->data.mapping_start.anchor : event->data.sequence_start.anchor;
    const void *tag = mapping ? event->data.mapping_start.tag : event->data.sequence_start.tag;
    if (anchor || tag)
        report_property(reader, anchor != NULL);
    reader->slip.have_text = false;
    reader->slip.hollow.line = 0;
    if (reader->depth == PACK_NESTING) {
        report_error(reader->report, &node->place, "nesting", NULL,
                     tr("lists and mappings are nested more than 16 deep"));
        reader_stop(reader);
        node->kind = NODE_STOP;
        return;
    }
    struct level level = { .mapping = mapping, .key_next = mapping };
    reader->levels[reader->depth++] = level;
}

bool reader_look(struct reader *reader)
{
    if (!reader->pending)
        reader->pending = reader_event(reader);
    return reader->pending;
}

void reader_next(struct reader *reader, struct node *node)
{
    node->kind = NODE_STOP;
    node->style = STYLE_PLAIN;
    node->flow = node->key = false;
    node->text = "";
    node->length = 0;
    if (reader->stopped || (!reader->begun && !reader_begin(reader)) || !reader_event(reader))
        return;
    node->place = reader->last;
    switch (reader->event.type) {
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        reader->depth--;
        reader->slip.have_text = false;
        node->kind = NODE_END;
        return;
    case YAML_DOCUMENT_END_EVENT:
        node->kind = NODE_END;
        return;
    default:
        break;
    }
    report_mark(reader->report);
    if (reader->depth > 0) {
        struct level *level = &reader->levels[reader->depth - 1];
        node->key = level->mapping && level->key_next;
        level->key_next = !level->key_next;
    }
    switch (reader->event.type) {
    case YAML_SCALAR_EVENT:
        take_text(reader, node);
        break;
    case YAML_ALIAS_EVENT:
        take_alias(reader, node);
        break;
    case YAML_SEQUENCE_START_EVENT:
    case YAML_MAPPING_START_EVENT:
        take_start(reader, node, reader->event.type == YAML_MAPPING_START_EVENT);
        break;
    default:
        reader_stop(reader);
        break;
    }
}

void reader_skip(struct reader *reader, const struct node *first)
{
    if (first->kind != NODE_LIST && first->kind != NODE_MAPPING)
        return;
    struct node node;
    for (int depth = 1; depth > 0;) {
        reader_next(reader, &node);
        if (node.kind == NODE_STOP)
            return;
        if (node.kind == NODE_LIST || node.kind == NODE_MAPPING)
            depth++;
        else if (node.kind == NODE_END)
            depth--;
    }
}

/* After a document that ends with the file libyaml has the end of the stream at hand: nothing is left to look
 * at. */
static bool has_seen_the_end(const struct reader *reader)
{
    const yaml_parser_t *parser = &reader->parser;
    const struct source *source = reader->source;
    return source->end && reader->fed == source->length && parser->token_available &&
           parser->tokens.head->type == YAML_STREAM_END_TOKEN;
}

void reader_close(struct reader *reader)
{
    struct node node;
    reader_next(reader, &node);
    if (node.kind != NODE_END)
        return;
    if (!has_seen_the_end(reader)) {
        ptrdiff_t at = source_offset(reader->source, node.place.end_line, node.place.end_column);
        if (at >= 0 && !document_check_rest(reader->report, at))
            reader_stop(reader);
    }
    report_faults(reader->report);
    if (reader->source->failure)
        reader->failed = reader->stopped = true;
}
