/*
 * What the files of the pack loader share: the pack being made, its questions so far, and the question being
 * read. Private to content.
 */
#ifndef CONTENT_PACK_LOADER_H
#define CONTENT_PACK_LOADER_H

#include "field.h"
#include "index.h"
#include "parameter.h"
#include "wrong.h"

/* The pack being made; loader->owner points to it. */
struct pack_draft {
    struct pack pack;
    int shuffle, marking, markup; /* places in their lists of words, -1 where absent */
    struct question *questions;   /* grows; the pack takes it over at the end */
    ptrdiff_t count, capacity;
    struct section *sections; /* likewise */
    ptrdiff_t section_count, section_capacity;
    int section;  /* being read, from 1; 0: none */
    bool not_yet; /* something in the head comes with a later release */
};

/* `number`, `text`, and the lists of `order` and `match`, as they stand in the file. */
struct number_draft {
    const char *answer, *unit;
    struct place place; /* of the answer */
    double tolerance;
    bool relative;
    int figures;
    struct wrong_list wrongs;
};
struct text_draft {
    struct text_list accept;
    struct place place;
    unsigned ignore;
    struct wrong_list wrongs;
};
struct list_draft {
    const char *texts[PACK_CHOICES];
    struct place places[PACK_CHOICES], place;
    int count; /* may be larger than PACK_CHOICES: then the rest was counted only */
    bool sound;
};

/* A question being read: the rows of its table fill it. */
struct question_draft {
    struct question question;
    struct choice choices[PACK_CHOICES];
    struct place choice_places[PACK_CHOICES];
    int choice_count; /* may be larger than PACK_CHOICES: then the rest was counted only */
    int choice_lists; /* lists of choices read: 1 for a sound question */
    int marking, select;
    bool shuffle;
    struct number_draft number;
    struct text_draft text;
    struct list_draft lefts, rights, extra; /* items of an order are lefts */
    struct parameter_draft parameters;
};

/* pack_load of a file that has been opened, which stays the caller's; `path` is what the pack is called. */
bool pack_load_source(struct pack **pack, const char *path, struct source *source, struct diagnostics *list,
                      struct error *error);
bool pack_refuse_large(const char *path, struct diagnostics *list, struct error *error);

/* Reads one question, from its mapping on, and adds it to the draft; false when nothing more can be read. */
bool question_read(struct loader *loader, const struct node *start);
field_read choices_read;

/* Checks over all choices of a question: number, correct ones, equal texts and ids, pins. */
void choices_check(struct loader *loader, struct question_draft *draft, const struct place *key);

/* The lists of the head: questions (of a section too), and sections. They add to loader->owner's. */
field_read questions_read, sections_read;

/* The other answer keys; the target is the question's draft. */
field_read number_key_read, text_key_read, order_read, match_read, extra_read;

/* Checks each, and makes of it the question's key. Of a parametrised question the number's answer and known
 * wrong values are worked out later. */
void number_key_settle(struct loader *loader, struct question_draft *draft, bool parametrised);
void text_key_settle(struct loader *loader, struct question_draft *draft);
void order_settle(struct loader *loader, struct question_draft *draft);
void match_settle(struct loader *loader, struct question_draft *draft);

/* The pack's head and questions, from the root mapping on. */
void head_read(struct loader *loader, const struct node *root);

#define MARKING_WORDS "all-or-nothing net-correct each-decision"

#endif
