/*
 * Reading by tables: a mapping is described by rows (key, handler, where the value goes), and fields_read
 * does what holds for all of them: unknown, duplicate and missing keys, x- keys, values of the wrong kind.
 * Handlers report what is wrong with a value at its place and leave the target alone; nobody reports twice.
 */
#ifndef CONTENT_FIELD_H
#define CONTENT_FIELD_H

#include "form.h"
#include "reader.h"

#include <quiztutor/pack.h>

enum { FIELDS_MOST = 32, FIELD_NAMES = 400 };

/* Where a text of the question being read stood. */
struct text_spot {
    const char *text;
    struct place place;
};

struct loader {
    struct reader *reader;
    struct report *report;
    struct arena *arena;
    struct buffer scratch; /* for form_text */
    const char **list;     /* texts of the list being read */
    ptrdiff_t list_capacity;
    bool excused;            /* the mapping being read may lack keys: it can not be used yet anyway */
    struct place key;        /* of the field being read */
    bool markup;             /* the head asked for light markup: blocks of code keep their spaces */
    bool code_before;        /* a block of code was read before that */
    void *owner;             /* for handlers of one's own */
    struct text_spot *spots; /* of all texts taken since loader_forget_spots */
    ptrdiff_t spot_count, spot_capacity;
};

struct field;
typedef void field_read(struct loader *loader, const struct field *field, const struct node *value,
                        void *target);

struct field {
    const char *name;
    field_read *read;
    ptrdiff_t offset; /* of the target in the struct being filled */
    bool needed;
    const char
        *words; /* field_word: the words, parted by spaces; the target is an int, the place of the word */
};

/* A key that people write here though it belongs elsewhere. */
struct misplaced {
    const char *key;
    const char *beside; /* told only where this known key stands before it; NULL: always */
    const char *meant;  /* the known key that is not missed then; NULL: none */
    const char *hint;   /* N_() */
};

struct fields {
    const struct field *rows;
    int count;
    const char *what;                  /* N_(): "a question", for messages */
    const struct misplaced *misplaced; /* the first that fits is told; ends with a key NULL; or NULL */
};

/* Which keys were there, by place in the table. */
struct seen {
    uint32_t present, faulty; /* faulty: something is wrong with the value, and has been told */
    uint32_t forgiven;        /* not missed although absent, since a misspelt one was reported */
    struct place keys[FIELDS_MOST];
};

/* Reads the keys of a mapping whose start has been read, up to its end. `place` is where a missing key is
 * reported. */
void fields_read(struct loader *loader, const struct fields *fields, void *target, const struct place *place,
                 struct seen *seen);
bool seen_has(const struct seen *seen, int row);

void loader_init(struct loader *loader, struct reader *reader, struct arena *arena);
void loader_finish(struct loader *loader);

/* Notes where a text in the arena stood; the parts below do it for all that they take. Its place, NULL where
 * it is not known. */
void loader_note_spot(struct loader *loader, const char *text, const struct place *place);
const struct place *loader_spot(const struct loader *loader, const char *text);
void loader_forget_spots(struct loader *loader);

/* Handlers. Targets: const char *; struct text_list; double; bool; int. */
field_read field_text, field_line, field_figure, field_id, field_language;
field_read field_lines; /* one line or a list of them */
field_read field_texts; /* one text or a list of them */
field_read field_tags;  /* a list of lines, none twice */
field_read field_word, field_truth;
field_read field_format; /* the format in `words`, "name/1"; keeps nothing */

/* Parts of handlers. */
const char *field_take(struct loader *loader, const char *name, const struct node *value, enum form form);
const char *field_take_line(struct loader *loader, const char *name, const struct node *value);
bool field_take_number(struct loader *loader, const char *name, const struct node *value, double *number);
bool field_take_truth(struct loader *loader, const char *name, const struct node *value, bool *truth);
bool field_take_id(struct loader *loader, const char *name, const struct node *value, const char **id);

/* True when the value is of the kind; else reports what was found, passes over it and returns false. */
bool field_is(struct loader *loader, const char *name, const struct node *value, enum node_kind kind);

/* Copies into the arena what must outlive the load; NULL without memory, which stops the reader. */
void *loader_keep(struct loader *loader, const void *items, ptrdiff_t count, ptrdiff_t size);

#endif
