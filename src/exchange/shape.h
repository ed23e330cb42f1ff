/*
 * A pack as nested mappings, lists and texts, told step by step to whoever writes them down: YAML as people
 * write it, or JSON. Who tells sees to it that opens and closes pair up and that each key has one value.
 */
#ifndef EXCHANGE_SHAPE_H
#define EXCHANGE_SHAPE_H

#include <quiztutor/exchange.h>

struct shape {
    const struct shape_rows *rows;
    struct buffer *out;
    int depth;
    struct shape_level {
        bool list, flow, begun;
    } levels[PACK_NESTING + 2];
    bool after_key, after_dash;
};

struct shape_rows {
    void (*open)(struct shape *shape, bool list, bool flow); /* flow: short, in one line */
    void (*close)(struct shape *shape);
    void (*key)(struct shape *shape, const char *key);
    void (*text)(struct shape *shape, const char *text, bool figure);
    void (*word)(struct shape *shape, const char *word); /* a number, true or false */
};
extern const struct shape_rows shape_yaml, shape_json;

/* Tells the whole pack. */
void shape_pack(struct shape *shape, const struct pack *pack);

/* Its answer key and what goes with that; `marking` is the rule that questions have which name none. */
void shape_key(struct shape *shape, const struct question *question, enum marking_rule marking);

/* A key and its value; nothing where the text is NULL or the list empty. */
void shape_text(struct shape *shape, const char *key, const char *text);
void shape_figure(struct shape *shape, const char *key, const char *text);
void shape_list(struct shape *shape, const char *key, const struct text_list *list);
void shape_number(struct shape *shape, const char *key, double number);
void shape_word(struct shape *shape, const char *key, const char *word);
void shape_open(struct shape *shape, const char *key, bool list);

#endif
