/*
 * Reads a YAML file as a stream of nodes, by libyaml's events: the only place that knows libyaml. Keeps the
 * limits (nesting, length of a text, silence), refuses what the pack format leaves out of YAML (aliases,
 * anchors, tags, directives, more documents), checks escapes, and turns libyaml's complaints into reports
 * with a place and advice. After NODE_STOP nothing more comes: the file can't be read on, and why has been
 * reported.
 */
#ifndef CONTENT_READER_H
#define CONTENT_READER_H

#include "report.h"

enum node_kind {
    NODE_TEXT,
    NODE_LIST,
    NODE_MAPPING,
    NODE_END, /* of the innermost list or mapping; of the document after the root */
    NODE_BAD, /* stands where a text would; what is wrong with it has been reported */
    NODE_STOP,
};

enum node_style { STYLE_PLAIN, STYLE_SINGLE, STYLE_DOUBLE, STYLE_LITERAL, STYLE_FOLDED };

struct node {
    enum node_kind kind;
    enum node_style style;
    bool flow;        /* a list or mapping in brackets */
    bool key;         /* a key of a mapping */
    const char *text; /* NUL-terminated, valid until the next node; may hold NUL bytes only when BAD */
    ptrdiff_t length;
    struct place place;
};

struct reader;

/* The report and its source must outlive the reader. NULL without memory. */
struct reader *reader_create(struct report *report);
void reader_destroy(struct reader *reader);

/* A file without content is no error: the first node is NODE_STOP, and nothing is reported. */
void reader_allow_empty(struct reader *reader);

/* The root node first, then what is in it, then NODE_END of the root. */
void reader_next(struct reader *reader, struct node *node);

/* True when another node can be read; else why not has been reported. Ends the life of the last node's text.
 */
bool reader_look(struct reader *reader);

/* Passes over the rest of a value whose first node has been read. */
void reader_skip(struct reader *reader, const struct node *first);

/* After the root: reports anything but comments behind it. */
void reader_close(struct reader *reader);

/* For advice: whether the mapping that has just begun knows a key, by the table of its reader. */
typedef bool reader_knows(const void *table, const char *key, ptrdiff_t length);
void reader_table(struct reader *reader, const void *table, reader_knows *knows);

/* Ends the reading: the next node is NODE_STOP. */
void reader_stop(struct reader *reader);

/* For whoever makes something of the nodes and has no memory left: the next node is NODE_STOP. */
void reader_out_of_memory(struct reader *reader);

bool reader_stopped(const struct reader *reader);
bool reader_has_failed(const struct reader *reader); /* no memory, or the file could not be read on */
struct report *reader_report(struct reader *reader);

#endif
