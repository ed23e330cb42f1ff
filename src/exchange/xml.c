/* XML by libxml2's events, behind the gate of xml_gate.c. */
#include "xml.h"

#include "html_token.h"

#include "xml_gate.h"

#include <quiztutor/exchange.h>
#include <quiztutor/message.h>

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <stdint.h>
#include <string.h>

enum { NAME_SLOTS = 256 };

/* The list that nodes are added to, of each element that is open. */
struct level {
    struct xml_node *element, *last;
};

struct builder {
    struct arena *arena;
    xmlParserCtxtPtr parser;
    struct level levels[XML_NESTING + 1]; /* levels[0]: the document */
    int depth, nodes;
    struct buffer text; /* of the run that is being read */
    int text_line;
    struct {
        const void *key; /* the parser's own text of the name, which is the same for the same name */
        const char *name;
    } names[NAME_SLOTS];
    bool no_memory;
    struct error error;
};

static int line_now(const struct builder *builder)
{
    return builder->parser->input ? builder->parser->input->line : 0;
}

static void stop(struct builder *builder)
{
    xmlStopParser(builder->parser);
}

static void stop_without_memory(struct builder *builder)
{
    builder->no_memory = true;
    stop(builder);
}

static bool done(const struct builder *builder)
{
    return builder->no_memory || builder->error.code != ERROR_NONE;
}

static struct xml_node *add_node(struct builder *builder, int line)
{
    if (++builder->nodes > XML_NODES) {
        error_set(&builder->error, ERROR_INPUT, tr("line %d: it has more than %d elements and texts"), line,
                  XML_NODES);
        stop(builder);
        return NULL;
    }
    struct xml_node *node = arena_alloc(builder->arena, sizeof *node);
    if (!node) {
        stop_without_memory(builder);
        return NULL;
    }
    node->line = line;
    struct level *level = &builder->levels[builder->depth];
    if (level->last)
        level->last->next = node;
    else if (level->element)
        level->element->in.first = node;
    level->last = node;
    return node;
}

/* Ends the run of text that is being read. */
static void flush_text(struct builder *builder)
{
    if (builder->text.failed)
        stop_without_memory(builder);
    if (!builder->text.length || done(builder))
        return;
    struct xml_node *node = add_node(builder, builder->text_line);
    if (!node)
        return;
    node->in.text = arena_text(builder->arena, builder->text.data, builder->text.length);
    node->more.length = builder->text.length;
    if (!node->in.text)
        stop_without_memory(builder);
    buffer_clear(&builder->text);
}

static const char *keep_name(struct builder *builder, const xmlChar *name)
{
    size_t slot = ((uintptr_t)name >> 3) % NAME_SLOTS;
    if (builder->names[slot].key == name)
        return builder->names[slot].name;
    ptrdiff_t length = (ptrdiff_t)strlen((const char *)name);
    if (length > XML_NAME) {
        error_set(&builder->error, ERROR_INPUT, tr("line %d: a name longer than %d bytes"), line_now(builder),
                  XML_NAME);
        stop(builder);
        return NULL;
    }
    const char *copy = arena_text(builder->arena, (const char *)name, length);
    if (!copy)
        stop_without_memory(builder);
    builder->names[slot].key = name;
    builder->names[slot].name = copy;
    return copy;
}

static void on_start(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                     int namespaces, const xmlChar **namespace_list, int count, int defaulted,
                     const xmlChar **list)
{
    struct builder *builder = context;
    (void)prefix, (void)uri, (void)namespaces, (void)namespace_list, (void)defaulted;
    flush_text(builder);
    if (done(builder))
        return;
    if (builder->depth == XML_NESTING) {
        error_set(&builder->error, ERROR_INPUT, tr("line %d: elements are nested more than %d deep"),
                  line_now(builder), XML_NESTING);
        stop(builder);
        return;
    }
    struct xml_node *node = add_node(builder, line_now(builder));
    if (!node || !(node->name = keep_name(builder, name)))
        return;
    builder->levels[++builder->depth] = (struct level){ node, NULL };
    if (!count)
        return;
    struct xml_attribute *attributes =
        arena_alloc(builder->arena, (count + 1) * (ptrdiff_t)sizeof *attributes);
    if (!attributes) {
        stop_without_memory(builder);
        return;
    }
    node->more.attributes = attributes;
    for (int i = 0; i < count; i++, list += 5) {
        attributes[i].name = keep_name(builder, list[0]);
        attributes[i].value = arena_text(builder->arena, (const char *)list[3], list[4] - list[3]);
        if (!attributes[i].value)
            stop_without_memory(builder);
    }
}

static void on_end(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
    struct builder *builder = context;
    (void)name, (void)prefix, (void)uri;
    flush_text(builder);
    if (builder->depth > 0)
        builder->depth--;
}

static void on_text(void *context, const xmlChar *text, int length)
{
    struct builder *builder = context;
    if (!builder->depth || done(builder))
        return;
    if (!builder->text.length)
        builder->text_line = line_now(builder);
    buffer_add(&builder->text, (const char *)text, length);
}

/* An entity that a document type elsewhere may define: what HTML calls so is taken. */
static void on_reference(void *context, const xmlChar *name)
{
    struct builder *builder = context;
    int code = html_named((const char *)name);
    if (code) {
        xmlChar bytes[8];
        on_text(context, bytes, xmlCopyCharMultiByte(bytes, code));
    } else if (!done(builder)) {
        error_set(&builder->error, ERROR_INPUT,
                  tr("line %d: the entity &%s; is not defined; write the character itself"),
                  line_now(builder), (const char *)name);
        stop(builder);
    }
}

/* The parser's complaint in words: ours for what happens most, else its own. */
static void tell(struct error *error, const xmlError *fault)
{
    const char *one = fault->str1 ? fault->str1 : "", *two = fault->str2 ? fault->str2 : "";
    int line = fault->line;
    switch (fault->code) {
    case XML_ERR_NO_MEMORY:
        error_memory(error);
        return;
    case XML_ERR_UNDECLARED_ENTITY:
    case XML_WAR_UNDECLARED_ENTITY:
        error_set(error, ERROR_INPUT,
                  tr("line %d: the entity &%s; is not defined; write the character itself"), line, one);
        return;
    case XML_ERR_TAG_NAME_MISMATCH:
        error_set(error, ERROR_INPUT, tr("line %d: </%s> ends <%s>, which was opened in line %d"), line, two,
                  one, fault->int1);
        return;
    case XML_ERR_DOCUMENT_EMPTY:
        error_set(error, ERROR_INPUT, "%s", tr("it is empty or no XML"));
        return;
    case XML_ERR_DOCUMENT_END:
        error_set(error, ERROR_INPUT, tr("line %d: something stands behind the end of the document"), line);
        return;
    case XML_ERR_TAG_NOT_FINISHED:
    case XML_ERR_CDATA_NOT_FINISHED:
    case XML_ERR_COMMENT_NOT_FINISHED:
    case XML_ERR_PI_NOT_FINISHED:
    case XML_ERR_GT_REQUIRED:
    case XML_ERR_LTSLASH_REQUIRED:
        error_set(error, ERROR_INPUT,
                  tr("line %d: it is cut short, or a tag, comment or CDATA is not closed"), line);
        return;
    case XML_ERR_INVALID_CHAR:
        error_set(error, ERROR_INPUT, tr("line %d: a character that XML can't hold"), line);
        return;
    case XML_ERR_LT_IN_ATTRIBUTE:
        error_set(error, ERROR_INPUT, tr("line %d: a < stands in an attribute; write &lt;"), line);
        return;
    case XML_ERR_NAME_REQUIRED:
    case XML_ERR_ENTITYREF_SEMICOL_MISSING:
        error_set(error, ERROR_INPUT, tr("line %d: a & or < stands alone; write &amp; or &lt;"), line);
        return;
    default: {
        const char *message = fault->message ? fault->message : "";
        error_set(error, ERROR_INPUT, tr("line %d: the XML is broken: %.*s"), line,
                  (int)strcspn(message, "\n"), message);
    }
    }
}

static void on_fault(void *context, xmlErrorPtr fault)
{
    struct builder *builder = context;
    if (done(builder) || fault->level < XML_ERR_FATAL)
        return;
    tell(&builder->error, fault);
}

/* Runs the parser over what the gate let pass. */
static void run(struct builder *builder, const struct gate *gate)
{
    static const xmlSAXHandler handler = { .startElementNs = on_start,
                                           .endElementNs = on_end,
                                           .characters = on_text,
                                           .ignorableWhitespace = on_text,
                                           .cdataBlock = on_text,
                                           .reference = on_reference,
                                           .serror = on_fault,
                                           .initialized = XML_SAX2_MAGIC };
    xmlParserCtxtPtr parser = xmlCreateMemoryParserCtxt(gate->bytes, (int)gate->length);
    if (!parser) {
        builder->no_memory = true;
        return;
    }
    builder->parser = parser;
    *parser->sax = handler;
    parser->userData = builder;
    /* NOENT: else &amp; in an attribute stays an &#38;. No other entity gets past the gate */
    int options = XML_PARSE_NOENT | XML_PARSE_NONET | XML_PARSE_HUGE | XML_PARSE_NOCDATA;
    if (gate->wide)
        options |= XML_PARSE_IGNORE_ENC;
    xmlCtxtUseOptions(parser, options);
    xmlParseDocument(parser);
    if (!done(builder) && !parser->wellFormed)
        error_set(&builder->error, ERROR_INPUT, tr("line %d: the XML is broken"), line_now(builder));
    if (parser->myDoc)
        xmlFreeDoc(parser->myDoc);
    xmlFreeParserCtxt(parser);
}

bool xml_parse(const struct xml_node **root, struct arena *arena, const char *bytes, ptrdiff_t length,
               struct error *error)
{
    struct gate gate;
    *root = NULL;
    if (length > EXCHANGE_FILE)
        return error_set(error, ERROR_INPUT, tr("it is larger than %d MiB"), EXCHANGE_FILE / (1024 * 1024));
    struct builder *builder = memory_zero(sizeof *builder);
    if (!builder)
        return error_memory(error);
    builder->arena = arena;
    buffer_init(&builder->text);
    bool passed = gate_open(&gate, bytes, length, error);
    if (passed) {
        struct xml_node document = { 0 };
        builder->levels[0].element = &document;
        run(builder, &gate);
        for (const struct xml_node *node = document.in.first; node && !*root; node = node->next)
            *root = node->name ? node : NULL;
        passed = !done(builder) && *root;
        if (builder->no_memory)
            error_memory(error);
        else if (!passed && error)
            *error = builder->error;
        if (!passed)
            *root = NULL;
    }
    gate_close(&gate);
    buffer_finish(&builder->text);
    memory_free(builder);
    return passed;
}
