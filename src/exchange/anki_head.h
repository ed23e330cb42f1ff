/*
 * The head of a file of Anki's notes in text: lines "#key:value" that say how the rows are to be read.
 * Columns count from 1; 0 is none.
 */
#ifndef EXCHANGE_ANKI_HEAD_H
#define EXCHANGE_ANKI_HEAD_H

#include "anki_note.h"

struct anki_head {
    char separator;
    bool separator_told;
    bool html, html_told;
    int tags_column, deck_column, type_column, guid_column;
    const char *tags, *deck, *type; /* of all notes; NULL: not told */
    const char *columns;            /* the names, parted by the separator; NULL */
    struct text_list names;         /* of the columns, split */
    int lines;                      /* of the head */
    const char *const *changes;     /* what is noted with the first note */
    int change_count;
};

/* Reads the head and finds out what it does not tell; *text is moved past it. False without memory. */
bool anki_head_read(struct anki_head *head, struct import *import, const char **text, ptrdiff_t *length);

/* Whether the text begins as a head does. */
bool anki_head_begins(const char *text, ptrdiff_t length);

const char *anki_separator_name(char separator);

#endif
