/*
 * What the files of the pack loader share: the pack being made, its questions so far, and the question being
 * read. Private to content.
 */
#ifndef CONTENT_PACK_LOADER_H
#define CONTENT_PACK_LOADER_H

#include "field.h"
#include "index.h"

/* The pack being made; loader->owner points to it. */
struct pack_draft {
    struct pack pack;
    int shuffle, marking;       /* places in their lists of words, -1 where absent */
    struct question *questions; /* grows; the pack takes it over at the end */
    ptrdiff_t count, capacity;
    struct section *sections; /* likewise */
    ptrdiff_t section_count, section_capacity;
    int section;  /* being read, from 1; 0: none */
    bool not_yet; /* something in the head comes with a later release */
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
    bool not_yet; /* uses what comes with a later release: reported once, nothing else is said of this
                     question */
};

/* Reads one question, from its mapping on, and adds it to the draft; false when nothing more can be read. */
bool question_read(struct loader *loader, const struct node *start);
field_read choices_read;

/* Checks over all choices of a question: number, correct ones, equal texts and ids, pins. */
void choices_check(struct loader *loader, struct question_draft *draft, const struct place *key);

/* The lists of the head: questions (of a section too), and sections. They add to loader->owner's. */
field_read questions_read, sections_read;

/* A key that belongs to a later release. */
field_read field_not_yet;

/* The pack's head and questions, from the root mapping on. */
void head_read(struct loader *loader, const struct node *root);

#define MARKING_WORDS "all-or-nothing net-correct each-decision"

#endif
