/* Looking into the tree that xml.c makes. */
#include "xml.h"

#include <string.h>

bool xml_is(const struct xml_node *node, const char *name)
{
    return node && node->name && strcmp(node->name, name) == 0;
}

/* The first of these siblings that is an element, of this name where one is given. */
static const struct xml_node *element_from(const struct xml_node *node, const char *name)
{
    while (node && (!node->name || (name && strcmp(node->name, name) != 0)))
        node = node->next;
    return node;
}

const struct xml_node *xml_child(const struct xml_node *node, const char *name)
{
    return node && node->name ? element_from(node->in.first, name) : NULL;
}

const struct xml_node *xml_next(const struct xml_node *node, const char *name)
{
    return node ? element_from(node->next, name) : NULL;
}

const struct xml_node *xml_find(const struct xml_node *top, const char *name)
{
    for (const struct xml_node *node = xml_child(top, NULL); node; node = xml_next(node, NULL)) {
        if (xml_is(node, name))
            return node;
        const struct xml_node *inside = xml_find(node, name);
        if (inside)
            return inside;
    }
    return NULL;
}

bool xml_each(const struct xml_node *top, const char *name, xml_visit *visit, void *context)
{
    for (const struct xml_node *node = xml_child(top, NULL); node; node = xml_next(node, NULL)) {
        bool found = xml_is(node, name);
        if (found && !visit(context, node))
            return false;
        if (!found && !xml_each(node, name, visit, context))
            return false;
    }
    return true;
}

const char *xml_attribute(const struct xml_node *node, const char *name)
{
    if (!node || !node->name || !node->more.attributes)
        return NULL;
    for (const struct xml_attribute *attribute = node->more.attributes; attribute->name; attribute++)
        if (strcmp(attribute->name, name) == 0)
            return attribute->value;
    return NULL;
}

void xml_text(struct buffer *out, const struct xml_node *node)
{
    if (!node)
        return;
    if (!node->name) {
        buffer_add(out, node->in.text, node->more.length);
        return;
    }
    for (const struct xml_node *inside = node->in.first; inside; inside = inside->next)
        xml_text(out, inside);
}

const char *xml_words(struct arena *arena, const struct xml_node *node)
{
    struct buffer text;
    buffer_init(&text);
    xml_text(&text, node);
    const char *start = buffer_get(&text), *end = start + text.length, *copy = NULL;
    while (start < end && strchr(" \t\r\n", *start))
        start++;
    while (end > start && strchr(" \t\r\n", end[-1]))
        end--;
    if (!text.failed)
        copy = arena_text(arena, start, end - start);
    buffer_finish(&text);
    return copy;
}

/* A text as HTML. */
static void add_escaped(struct buffer *out, const char *text, ptrdiff_t length, bool attribute)
{
    for (ptrdiff_t at = 0, from = 0; at <= length; at++) {
        const char *entity = NULL;
        if (at < length && text[at] == '&')
            entity = "&amp;";
        else if (at < length && text[at] == '<')
            entity = "&lt;";
        else if (at < length && text[at] == '>')
            entity = "&gt;";
        else if (at < length && text[at] == '"' && attribute)
            entity = "&quot;";
        else if (at < length)
            continue;
        buffer_add(out, text + from, at - from);
        if (entity)
            buffer_text(out, entity);
        from = at + 1;
    }
}

static bool is_void(const char *name)
{
    static const char *const names[] = { "br",  "img",   "hr",   "col",   "input", "source",
                                         "wbr", "embed", "area", "param", "track" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

void xml_html(struct buffer *out, const struct xml_node *node, xml_judge *judge, void *context)
{
    for (const struct xml_node *inside = node ? node->in.first : NULL; inside; inside = inside->next) {
        if (!inside->name) {
            add_escaped(out, inside->in.text, inside->more.length, false);
            continue;
        }
        enum xml_fate fate = judge ? judge(context, inside, out) : XML_KEEP;
        if (fate == XML_DROP)
            continue;
        if (fate == XML_KEEP) {
            buffer_char(out, '<');
            buffer_text(out, inside->name);
            for (const struct xml_attribute *attribute = inside->more.attributes;
                 attribute && attribute->name; attribute++) {
                buffer_char(out, ' ');
                buffer_text(out, attribute->name);
                buffer_text(out, "=\"");
                add_escaped(out, attribute->value, (ptrdiff_t)strlen(attribute->value), true);
                buffer_char(out, '"');
            }
            buffer_char(out, '>');
        }
        xml_html(out, inside, judge, context);
        if (fate == XML_KEEP && !is_void(inside->name)) {
            buffer_text(out, "</");
            buffer_text(out, inside->name);
            buffer_char(out, '>');
        }
    }
}
