/*
 * XML read safely into a small tree: nothing is fetched, no document type is taken in, no entity but XML's
 * own five and characters by number is known, nesting and size are bounded, and the time is linear. Names
 * have no prefix. The tree lives in the caller's arena.
 */
#ifndef QUIZTUTOR_EXCHANGE_XML_H
#define QUIZTUTOR_EXCHANGE_XML_H

#include <quiztutor/buffer.h>
#include <quiztutor/error.h>
#include <quiztutor/memory.h>

enum {
    XML_NESTING = 200,    /* elements inside each other */
    XML_ATTRIBUTES = 200, /* of one element */
    XML_NODES = 8000000,  /* elements and texts of a document */
    XML_NAME = 1000,      /* bytes of a name */
};

struct xml_attribute {
    const char *name, *value;
};

/* An element (name set) or a run of text between tags (name NULL). */
struct xml_node {
    const char *name;
    const struct xml_node *next; /* the sibling that follows; NULL: the last one */
    union {
        const struct xml_node *first; /* of an element: what it holds; NULL: nothing */
        const char *text;             /* of a text: not NUL-terminated */
    } in;
    union {
        const struct xml_attribute
            *attributes;  /* of an element; ends with one whose name is NULL; may be NULL */
        ptrdiff_t length; /* of a text */
    } more;
    int line; /* from 1 */
};

/* The document in these bytes (UTF-8, UTF-16 or what its declaration says). False: *error names the line. */
bool xml_parse(const struct xml_node **root, struct arena *arena, const char *bytes, ptrdiff_t length,
               struct error *error);

/* Whether it is an element of this name (a NULL node is none). */
bool xml_is(const struct xml_node *node, const char *name);

/* The first child element of this name, and the next sibling of it; any element where name is NULL. NULL:
 * there is none. Both take NULL for a node. */
const struct xml_node *xml_child(const struct xml_node *node, const char *name);
const struct xml_node *xml_next(const struct xml_node *node, const char *name);

/* The first element of this name inside, at any depth, in the document's order. NULL: there is none. */
const struct xml_node *xml_find(const struct xml_node *top, const char *name);

/* Calls `visit` for each element of this name inside, at any depth, in order, not for those inside one of
 * them. Ends, and is false, when visit returns false. */
typedef bool xml_visit(void *context, const struct xml_node *node);
bool xml_each(const struct xml_node *top, const char *name, xml_visit *visit, void *context);

/* Value of an attribute; NULL: absent. */
const char *xml_attribute(const struct xml_node *node, const char *name);

/* All text inside, as it stands: appended; or as a copy in the arena with white space at its ends cut ("" for
 * none, NULL without memory). */
void xml_text(struct buffer *out, const struct xml_node *node);
const char *xml_words(struct arena *arena, const struct xml_node *node);

/* What to do with an element while it is written as HTML. */
enum xml_fate { XML_KEEP, XML_UNWRAP /* only what it holds */, XML_DROP };
typedef enum xml_fate xml_judge(void *context, const struct xml_node *element, struct buffer *out);

/* What an element holds, written as HTML for html_text. `judge` decides about each element inside, and may
 * write something in its place; NULL keeps all. */
void xml_html(struct buffer *out, const struct xml_node *node, xml_judge *judge, void *context);

#endif
